// test_navigation_changes.c: queries while tiles, areas and crowds change, with workers and with saves.
#include "navigation/path/navigation_path_maps.h"

enum { NUM_QUERIES = 60, TILES = 36 };

typedef struct world {
    path_map map;
    ct_navigation_paths *paths;
    ct_vec3 from[NUM_QUERIES], to[NUM_QUERIES];
} world;

static void make_paths(world *w, ct_task_manager *tasks) {
    w->paths = ct_navigation_paths_create(&(ct_navigation_paths_desc){
        .allocator = test_heap(), .mesh = w->map.mesh, .tasks = tasks, .budget = 120});
}

static void make_world(world *w, uint32_t seed, ct_task_manager *tasks) {
    uint32_t random = seed;
    path_map *const m = &w->map;
    m->width = m->height = 47;
    for (uint32_t y = 0; y < m->height; ++y) {
        for (uint32_t x = 0; x < m->width; ++x)
            m->cells[y][x] =
                test_random(&random) % 100 < 22 ? '@' : "...1"[test_random(&random) % 4];
        m->cells[y][m->width] = 0;
    }
    path_map_make_mesh(m, (navigation_fixture_desc){.tile_cells = 8});
    for (uint32_t i = 0; i < NUM_QUERIES; ++i) {
        while (!path_map_place(m, &random, &w->from[i]) && i) // one in a wall
            ;
        while (!path_map_place(m, &random, &w->to[i]))
            ;
    }
    make_paths(w, tasks);
    const ct_navigation_filter own = ct_navigation_filter_of(m->mesh);
    for (uint32_t i = 0; i < NUM_QUERIES; ++i)
        ct_navigation_paths_add(w->paths,
                                &(ct_navigation_path_desc){.from = w->from[i],
                                                           .to = w->to[i],
                                                           .reach = {{0.4f, 0.4f, 1}},
                                                           .allows_partial = i % 3 == 0,
                                                           .filter = i % 4 == 0 ? &own : NULL,
                                                           .deadline = i % 5 == 0 ? 30 : 0,
                                                           .user = i});
}

static void free_world(world *w) {
    ct_navigation_paths_destroy(w->paths);
    path_map_free(&w->map);
}

static void crowd(const world *w, uint32_t *random) {
    ct_navigation_crowded crowded[8];
    uint32_t count = 0;
    for (uint32_t slot = 1; slot < 9; ++slot)
        if (test_random(random) % 2)
            crowded[count++] = (ct_navigation_crowded){CT_NAVIGATION_PLACE(slot, 0),
                                                       1 + (float)(test_random(random) % 8)};
    ct_navigation_set_crowded(w->map.mesh, crowded, count);
}

// The changes of a step depend on its number alone.
static void change(const world *w, uint32_t step) {
    uint32_t random = step * 7919 + 1;
    ct_navigation_mesh *const m = w->map.mesh;
    test_random(&random);
    if (test_random(&random) % 4 == 0)
        crowd(w, &random);
    if (test_random(&random) % 6 == 0)
        ct_navigation_set_area(m, 1, test_random(&random) % 2, 1 + (float)(step % 3));
    const uint32_t tile = test_random(&random) % TILES;
    if (test_random(&random) % 8 == 0)
        ct_navigation_mesh_remove_tile(m, tile);
    if (test_random(&random) % 8 == 0)
        ct_navigation_mesh_add_tile(m, test_random(&random) % TILES);
    if (test_random(&random) % 3 == 0) {
        const ct_navigation_obstacle_desc d = {
            .position = {{(float)(test_random(&random) % 470) / 10,
                          (float)(test_random(&random) % 470) / 10, 0}},
            .half_size = {{0.6f, 0.6f}},
            .height = 2,
            .area = -1};
        assert_int_not_equal(ct_navigation_add_obstacle(m, &d, NULL).id, 0);
    }
    ct_navigation_mesh_update(m, 2);
}

static uint64_t drain(world *w, uint64_t sum, uint32_t *num_statuses) {
    ct_navigation_query answered[NUM_QUERIES];
    const uint32_t count = ct_navigation_paths_answered(w->paths, answered, NUM_QUERIES);
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t user;
        const ct_navigation_path *const p =
            ct_navigation_paths_answer(w->paths, answered[i], &user);
        const uint32_t numbers[] = {user, p->status, p->num_corners, p->num_polygons,
                                    p->num_looked_at};
        sum = (sum ^ ct_content_hash(numbers, sizeof(numbers))) * 31;
        sum = (sum ^ ct_content_hash(p->polygons, sizeof(*p->polygons) * p->num_polygons)) * 31;
        sum = (sum ^ ct_content_hash(&p->version, sizeof(p->version))) * 31;
        ++num_statuses[p->status];
        if (p->status == CT_NAVIGATION_PARTIAL)
            assert_true(user % 3 == 0);                  // where it was asked
        if (p->status == CT_NAVIGATION_OVER && user % 5) // by changes: not where partial ones do
            assert_true(p->num_corners == 0);
        path_map_assert_walkable(&w->map, p);
        ct_navigation_paths_take(w->paths, answered[i]);
    }
    return sum;
}

typedef struct saved {
    void *bytes[2];
    uint64_t count[2];
} saved;

// Into a mesh and queries that have seen other things.
static void save_and_restore(world *w, uint32_t seed, ct_task_manager *tasks) {
    saved s;
    s.count[0] = ct_navigation_mesh_save(w->map.mesh, NULL);
    s.count[1] = ct_navigation_paths_save(w->paths, NULL);
    for (uint32_t i = 0; i < 2; ++i)
        s.bytes[i] = malloc(s.count[i]);
    ct_navigation_mesh_save(w->map.mesh, s.bytes[0]);
    ct_navigation_paths_save(w->paths, s.bytes[1]);
    free_world(w);
    make_world(w, seed, tasks);
    change(w, seed);
    ct_navigation_paths_update(w->paths);
    ct_error error = {.message = ""};
    assert_true(ct_navigation_mesh_restore(w->map.mesh, s.bytes[0], s.count[0], &error));
    assert_true(ct_navigation_paths_restore(w->paths, s.bytes[1], s.count[1], &error));
    for (uint32_t i = 0; i < 2; ++i)
        free(s.bytes[i]);
}

// `save_at`: the update after which all is saved, before (1) or after (2) the changes of the next step.
static uint64_t run(uint32_t seed, ct_task_manager *tasks, uint32_t save_at, uint32_t side,
                    uint32_t *num_updates, uint32_t *num_statuses) {
    world w;
    make_world(&w, seed, tasks);
    uint64_t sum = 1;
    uint32_t step = 0;
    while (ct_navigation_paths_count(w.paths) && step < 10000) {
        if (step == save_at && side == 1)
            save_and_restore(&w, seed, tasks);
        change(&w, step);
        if (step == save_at && side == 2)
            save_and_restore(&w, seed, tasks);
        ct_navigation_paths_update(w.paths);
        ++step;
        sum = drain(&w, sum * 7, num_statuses);
    }
    assert_int_equal(ct_navigation_paths_count(w.paths), 0);
    free_world(&w);
    *num_updates = step;
    return sum;
}

static void saves_change_nothing(void **state) {
    (void)state;
    uint32_t num_saves = 0, num_statuses[CT_NAVIGATION_STATUS_COUNT] = {0};
    for (uint32_t seed = 1; seed <= test_rounds(3, 60); ++seed) {
        uint32_t updates, other, ignored[CT_NAVIGATION_STATUS_COUNT];
        const uint64_t sum = run(seed, NULL, UINT32_MAX, 0, &updates, num_statuses);
        for (uint32_t at = 1; at < updates; at += test_rounds(3, 1))
            for (uint32_t side = 1; side <= 2; ++side) {
                if (run(seed, NULL, at, side, &other, ignored) != sum || other != updates)
                    fail_msg("map %u, saved at update %u (%u): other answers", seed, at, side);
                ++num_saves;
            }
    }
    printf("%u saves; %u found, %u partial, %u unreachable, %u off the mesh, %u over\n", num_saves,
           num_statuses[CT_NAVIGATION_FOUND], num_statuses[CT_NAVIGATION_PARTIAL],
           num_statuses[CT_NAVIGATION_UNREACHABLE], num_statuses[CT_NAVIGATION_OFF_MESH],
           num_statuses[CT_NAVIGATION_OVER]);
    assert_true(num_saves > 20 && num_statuses[CT_NAVIGATION_FOUND] > 30);
    assert_true(num_statuses[CT_NAVIGATION_OVER] > 3 && num_statuses[CT_NAVIGATION_PARTIAL] > 3);
}

static void workers_change_nothing(void **state) {
    (void)state;
    uint32_t num_statuses[CT_NAVIGATION_STATUS_COUNT] = {0};
    for (uint32_t seed = 1; seed <= test_rounds(6, 200); ++seed) {
        uint32_t updates, other;
        const uint64_t sum = run(seed, NULL, UINT32_MAX, 0, &updates, num_statuses);
        for (uint32_t workers = 0; workers < 4; workers += 1 + workers) {
            ct_task_manager *const tasks = ct_task_manager_create(
                &(ct_task_manager_desc){.allocator = test_heap(), .num_workers = workers});
            assert_true(run(seed, tasks, UINT32_MAX, 0, &other, num_statuses) == sum);
            assert_int_equal(other, updates);
            ct_task_manager_destroy(tasks);
        }
    }
}

// A query over a long way whose tiles change each step; returns its answer's status.
static ct_navigation_status status_with_changes(uint32_t num_changes, bool allows_partial) {
    path_map m = {.width = 47, .height = 47};
    for (uint32_t y = 0; y < m.height; ++y) {
        for (uint32_t x = 0; x < m.width; ++x)
            m.cells[y][x] = x % 2 && (x % 4 == 1 ? y != 0 : y != 46) ? '@' : '.'; // to and fro
        m.cells[y][m.width] = 0;
    }
    path_map_make_mesh(&m, (navigation_fixture_desc){.tile_cells = 8});
    ct_navigation_paths *const p = ct_navigation_paths_create(
        &(ct_navigation_paths_desc){.allocator = test_heap(), .mesh = m.mesh, .budget = 64});
    const ct_navigation_query q =
        ct_navigation_paths_add(p, &(ct_navigation_path_desc){.from = {{0.5f, 0.5f, 0}},
                                                              .to = {{46.5f, 0.5f, 0}},
                                                              .allows_partial = allows_partial});
    for (uint32_t i = 0; i < 1000; ++i) {
        ct_navigation_paths_update(p);
        if (ct_navigation_paths_answer(p, q, NULL)->status != CT_NAVIGATION_WAITING)
            break;
        const ct_navigation_obstacle_desc d = {.position = {{44.5f, 20, 0}},
                                               .half_size = {{0.1f, 0.1f + 0.01f * (float)i}},
                                               .height = 1,
                                               .area = 3};
        if (i < num_changes)
            ct_navigation_add_obstacle(m.mesh, &d, NULL);
        ct_navigation_mesh_update(m.mesh, 100);
    }
    const ct_navigation_path *const answer = ct_navigation_paths_answer(p, q, NULL);
    const ct_navigation_status status = answer->status;
    assert_int_equal(answer->num_corners != 0,
                     status == CT_NAVIGATION_FOUND || status == CT_NAVIGATION_PARTIAL);
    ct_navigation_paths_destroy(p);
    path_map_free(&m);
    return status;
}

static void changes_end_searches(void **state) {
    (void)state;
    assert_int_equal(status_with_changes(0, false), CT_NAVIGATION_FOUND);
    assert_int_equal(status_with_changes(1, false), CT_NAVIGATION_FOUND);
    assert_int_equal(status_with_changes(2, false), CT_NAVIGATION_OVER);
    assert_int_equal(status_with_changes(1, true), CT_NAVIGATION_FOUND);
    assert_int_equal(status_with_changes(2, true), CT_NAVIGATION_PARTIAL);
    assert_int_equal(status_with_changes(3, true), CT_NAVIGATION_OVER);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(saves_change_nothing),
        cmocka_unit_test(workers_change_nothing),
        cmocka_unit_test(changes_end_searches),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
