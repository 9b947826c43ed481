// test_navigation_paths.c: queries over steps.
#include "foundation/math/math.h"
#include "navigation/path/navigation_path_maps.h"

enum { NUM_QUERIES = 200 };

typedef struct ends {
    ct_vec3 from[NUM_QUERIES], to[NUM_QUERIES];
} ends;

static void make_map(path_map *m, ends *e, uint32_t seed) {
    uint32_t random = seed;
    m->width = m->height = 47;
    for (uint32_t y = 0; y < m->height; ++y) {
        for (uint32_t x = 0; x < m->width; ++x)
            m->cells[y][x] = test_random(&random) % 100 < 25 ? '@' : '.';
        m->cells[y][m->width] = 0;
    }
    path_map_make_mesh(m, (navigation_fixture_desc){.tile_cells = 8});
    for (uint32_t i = 0; i < NUM_QUERIES; ++i) {
        path_map_place(m, &random, &e->from[i]); // some are in walls
        path_map_place(m, &random, &e->to[i]);
    }
}

static ct_navigation_paths *make_paths(const path_map *m, ct_task_manager *tasks, uint32_t budget) {
    return ct_navigation_paths_create(&(ct_navigation_paths_desc){
        .allocator = test_heap(), .mesh = m->mesh, .tasks = tasks, .budget = budget});
}

static ct_navigation_query add(ct_navigation_paths *p, const ends *e, uint32_t i) {
    return ct_navigation_paths_add(
        p, &(ct_navigation_path_desc){
               .from = e->from[i], .to = e->to[i], .reach = {{0.4f, 0.4f, 1}}, .user = i});
}

// Mixes what was answered, and when, into a number.
static uint64_t drain(ct_navigation_paths *p, uint64_t sum) {
    ct_navigation_query answered[NUM_QUERIES];
    const uint32_t count = ct_navigation_paths_answered(p, answered, NUM_QUERIES);
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t user;
        const ct_navigation_path *const path = ct_navigation_paths_answer(p, answered[i], &user);
        const uint32_t numbers[] = {user, path->status, path->num_corners, path->num_polygons,
                                    path->num_looked_at};
        sum = (sum ^ ct_content_hash(numbers, sizeof(numbers))) * 31;
        for (uint32_t c = 0; c < path->num_corners; ++c)
            sum = (sum ^ ct_content_hash(&path->corners[c].position, sizeof(ct_vec3))) * 31;
        ct_navigation_paths_take(p, answered[i]);
    }
    return sum;
}

// Runs all queries; `save_at`: the update after which it is saved and restored into another.
static uint64_t run(const path_map *m, const ends *e, ct_task_manager *tasks, uint32_t budget,
                    uint32_t save_at, uint32_t *num_updates) {
    ct_navigation_paths *p = make_paths(m, tasks, budget);
    for (uint32_t i = 0; i < NUM_QUERIES; ++i)
        add(p, e, i);
    uint64_t sum = 1;
    uint32_t updates = 0;
    while (ct_navigation_paths_count(p)) {
        ct_navigation_paths_update(p);
        ++updates;
        if (updates == save_at) {
            const uint64_t bytes = ct_navigation_paths_save(p, NULL);
            char *const saved = ct_alloc(test_heap(), bytes);
            assert_int_equal(ct_navigation_paths_save(p, saved), bytes);
            ct_navigation_paths_destroy(p);
            p = make_paths(m, tasks, budget);
            add(p, e, 0);
            assert_true(ct_navigation_paths_restore(p, saved, bytes, NULL));
            ct_free(test_heap(), saved);
        }
        sum = drain(p, sum * 7);
        assert_true(updates < 100000);
    }
    ct_navigation_paths_destroy(p);
    *num_updates = updates;
    return sum;
}

static void answers_are_the_same_with_any_number_of_workers(void **state) {
    (void)state;
    path_map m;
    ends e;
    make_map(&m, &e, 3);
    uint32_t updates, other;
    const uint64_t sum = run(&m, &e, NULL, 500, 0, &updates);
    assert_true(updates > 5);
    for (uint32_t workers = 0; workers < 4; ++workers) {
        ct_task_manager *const tasks = ct_task_manager_create(
            &(ct_task_manager_desc){.allocator = test_heap(), .num_workers = workers});
        assert_true(run(&m, &e, tasks, 500, 0, &other) == sum);
        assert_int_equal(other, updates);
        ct_task_manager_destroy(tasks);
    }
    path_map_free(&m);
}

static void saving_in_the_middle_changes_nothing(void **state) {
    (void)state;
    path_map m;
    ends e;
    make_map(&m, &e, 5);
    uint32_t updates, other;
    const uint64_t sum = run(&m, &e, NULL, 300, 0, &updates);
    for (uint32_t at = 1; at < updates; at += 3) {
        assert_true(run(&m, &e, NULL, 300, at, &other) == sum);
        assert_int_equal(other, updates);
    }
    path_map_free(&m);
}

static void refuses_damaged_saves(void **state) {
    (void)state;
    path_map m;
    ends e;
    make_map(&m, &e, 7);
    ct_navigation_paths *const p = make_paths(&m, NULL, 300);
    ct_navigation_paths *const other = make_paths(&m, NULL, 300);
    const ct_navigation_query first = add(p, &e, 0);
    for (uint32_t i = 1; i < 20; ++i)
        add(p, &e, i);
    ct_navigation_paths_update(p);
    const uint64_t bytes = ct_navigation_paths_save(p, NULL);
    char *const saved = ct_alloc(test_heap(), bytes);
    ct_navigation_paths_save(p, saved);
    ct_error error;
    for (uint64_t i = 0; i < bytes; ++i) {
        char *const cut = ct_alloc(test_heap(), i + 1); // so that sanitizers see what is beyond
        memcpy(cut, saved, i);
        assert_false(ct_navigation_paths_restore(other, cut, i, &error));
        ct_free(test_heap(), cut);
    }
    uint32_t random = 9;
    for (uint32_t i = 0; i < test_rounds(2000, 100000); ++i) {
        const uint64_t at = test_random(&random) % bytes;
        const char old = saved[at];
        saved[at] = (char)test_random(&random);
        if (ct_navigation_paths_restore(other, saved, bytes, &error) && i % 16 == 0)
            ct_navigation_paths_update(other);
        saved[at] = old;
    }
    assert_true(ct_navigation_paths_count(p) == 20);
    ct_navigation_paths_cancel(p, first);
    assert_true(ct_navigation_paths_count(p) == 19);
    ct_free(test_heap(), saved);
    ct_navigation_paths_destroy(other);
    ct_navigation_paths_destroy(p);
    path_map_free(&m);
}

static void answers_in_the_order_in_which_queries_were_added(void **state) {
    (void)state;
    path_map m;
    ends e;
    make_map(&m, &e, 11);
    ct_navigation_paths *const p = make_paths(&m, NULL, 200);
    for (uint32_t i = 0; i < NUM_QUERIES; ++i)
        add(p, &e, i);
    ct_navigation_query answered[NUM_QUERIES];
    for (uint32_t k = 0; k < 20; ++k) {
        ct_navigation_paths_update(p);
        const uint32_t count = ct_navigation_paths_answered(p, answered, NUM_QUERIES);
        uint32_t last = 0;
        for (uint32_t i = 0; i < count; ++i) {
            uint32_t user;
            ct_navigation_paths_answer(p, answered[i], &user);
            assert_true(i == 0 || user > last);
            last = user;
        }
    }
    ct_navigation_paths_destroy(p);
    path_map_free(&m);
}

static void deadlines_end_searches(void **state) {
    (void)state;
    path_map m;
    ends e;
    make_map(&m, &e, 13);
    ct_navigation_paths *const p = make_paths(&m, NULL, 32);
    ct_navigation_query queries[2];
    const ct_navigation_filter filter = ct_navigation_filter_of(m.mesh);
    uint32_t far = 0; // two ends that are far from each other and linked
    for (; far < NUM_QUERIES; ++far) {
        ct_vec3 at;
        const ct_vec3 reach = ct_vec3_make(0.4f, 0.4f, 1);
        const ct_navigation_place a =
            ct_navigation_nearest(m.mesh, &filter, e.from[far], reach, &at);
        const ct_navigation_place b = ct_navigation_nearest(m.mesh, &filter, e.to[far], reach, &at);
        if (a && b && ct_navigation_is_connected(m.mesh, a, b) &&
            ct_vec3_length(ct_vec3_sub(e.from[far], e.to[far])) > 30)
            break;
    }
    assert_true(far < NUM_QUERIES);
    for (uint32_t i = 0; i < 2; ++i)
        queries[i] = ct_navigation_paths_add(
            p, &(ct_navigation_path_desc){
                   .from = e.from[far], .to = e.to[far], .deadline = 2, .allows_partial = i});
    for (uint32_t i = 0; i < 2; ++i) {
        assert_int_equal(ct_navigation_paths_answer(p, queries[0], NULL)->status,
                         CT_NAVIGATION_WAITING);
        ct_navigation_paths_update(p);
    }
    assert_int_equal(ct_navigation_paths_answer(p, queries[0], NULL)->status, CT_NAVIGATION_OVER);
    const ct_navigation_status status = ct_navigation_paths_answer(p, queries[1], NULL)->status;
    assert_true(status == CT_NAVIGATION_PARTIAL || status == CT_NAVIGATION_OVER);
    ct_navigation_paths_destroy(p);
    path_map_free(&m);
}

// Answers while tiles come and go are walkable when they come. Returns how many were found.
static uint32_t search_while_tiles_change(uint32_t seed) {
    path_map m;
    ends e;
    make_map(&m, &e, seed);
    ct_navigation_paths *const p = make_paths(&m, NULL, 100);
    for (uint32_t i = 0; i < NUM_QUERIES; ++i)
        add(p, &e, i);
    uint32_t random = seed + 1, num_found = 0;
    for (uint32_t k = 0; k < 100000 && ct_navigation_paths_count(p); ++k) {
        ct_navigation_paths_update(p);
        ct_navigation_query answered[NUM_QUERIES];
        const uint32_t count = ct_navigation_paths_answered(p, answered, NUM_QUERIES);
        for (uint32_t i = 0; i < count; ++i) {
            const ct_navigation_path *const path = ct_navigation_paths_answer(p, answered[i], NULL);
            assert_true(path->status != CT_NAVIGATION_WAITING);
            path_map_assert_walkable(&m, path);
            num_found += path->status == CT_NAVIGATION_FOUND;
            ct_navigation_paths_take(p, answered[i]);
        }
        if (k % 4 == 0) {
            const uint32_t tile = test_random(&random) % 36;
            ct_navigation_mesh_remove_tile(m.mesh, tile);
            ct_navigation_mesh_update(m.mesh, 100);
            if (k % 8 == 0) {
                ct_navigation_mesh_add_tile(m.mesh, tile);
                ct_navigation_mesh_update(m.mesh, 100);
            }
        }
    }
    assert_int_equal(ct_navigation_paths_count(p), 0);
    ct_navigation_paths_destroy(p);
    path_map_free(&m);
    return num_found;
}

static void searches_that_saw_a_changed_tile_start_over(void **state) {
    (void)state;
    uint32_t num_found = 0;
    for (uint32_t seed = 1; seed <= test_rounds(12, 400); ++seed)
        num_found += search_while_tiles_change(seed);
    assert_true(num_found > 50);
}

static void a_hundred_thousand_queries_are_answered(void **state) {
    (void)state;
    path_map m;
    ends e;
    make_map(&m, &e, 19);
    ct_navigation_paths *const p = make_paths(&m, NULL, 50000);
    const uint32_t count = 100000;
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t near = i % NUM_QUERIES;
        ct_vec3 to = e.from[near];
        to.x += (float)(i % 5);
        ct_navigation_paths_add(
            p, &(ct_navigation_path_desc){.from = e.from[near], .to = i % 3 ? to : e.to[near]});
    }
    uint32_t num_answered = 0;
    for (uint32_t k = 0; k < 10000 && num_answered < count; ++k) {
        ct_navigation_paths_update(p);
        ct_navigation_query answered[NUM_QUERIES];
        uint32_t found;
        while ((found = ct_navigation_paths_answered(p, answered, NUM_QUERIES)) != 0) {
            for (uint32_t i = 0; i < found; ++i)
                ct_navigation_paths_take(p, answered[i]);
            num_answered += found;
        }
    }
    assert_int_equal(num_answered, count);
    ct_navigation_paths_destroy(p);
    path_map_free(&m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_are_the_same_with_any_number_of_workers),
        cmocka_unit_test(saving_in_the_middle_changes_nothing),
        cmocka_unit_test(refuses_damaged_saves),
        cmocka_unit_test(answers_in_the_order_in_which_queries_were_added),
        cmocka_unit_test(deadlines_end_searches),
        cmocka_unit_test(searches_that_saw_a_changed_tile_start_over),
        cmocka_unit_test(a_hundred_thousand_queries_are_answered),
    };
    return cmocka_run_group_tests_name("navigation paths", tests, test_group_setup,
                                       test_group_teardown);
}
