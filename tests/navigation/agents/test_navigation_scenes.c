// Named scenes of avoidance: all arrive in time, and no two overlap by more than 5 % of a radius. The same
// bits for any number of threads; saving and restoring in the middle changes nothing.
#include "foundation/math/math.h"
#include "navigation/agents/navigation_scenes.h"
#include "resource/blob/content_hash.h"

static void arrives_in_time(void **state) {
    const scene_row *const row = (const scene_row *)*state;
    scene *const s = scene_create();
    row->make(s);
    const bool is_done = scene_run(s, row->seconds);
    printf("%s: all there after %.1f s (at most %.0f), each after %.1f s; stuck %u times; overlap "
           "%.3f of a radius\n",
           row->name, (double)s->last, (double)row->seconds,
           (double)(s->num_arrived ? s->sum / (float)s->num_arrived : 0), s->num_stuck,
           (double)s->deepest);
    if (scene_picture_folder())
        scene_picture_write(&s->trail, row->name, s->cells[0], SCENE_WIDTH, SCENE_HEIGHT,
                            SCENE_WIDTH + 1, SCENE_CELL, s->radii, s->count);
    assert_true(is_done);
    assert_int_equal(s->num_failed, 0);
    assert_true(s->num_stuck <= row->stuck);
    assert_true(s->deepest <= 0.05f);
    scene_destroy(s);
}

// Those that are sent once the crowd was seen go by the other door at once.
static void crowds_are_gone_around(void **state) {
    (void)state;
    scene *const s = scene_create();
    scene_closed_door(s);
    ct_navigation_agents_stop(s->agents, s->ids, s->count);
    for (uint32_t i = 0; i < 32; ++i)
        scene_step(s);
    const ct_navigation_agents_view all = ct_navigation_agents_all(s->agents);
    assert_float_equal(ct_navigation_crowding(s->mesh, all.places[0]), 8, 1e-3f);
    assert_float_equal(ct_navigation_crowding(s->mesh, all.places[3]), 1, 1e-3f); // there is room
    for (uint32_t i = 3; i < s->count; ++i)
        scene_send(s, i, 31, 14);
    for (uint32_t i = 0; i < 30 * 60 && !scene_is_done(s); ++i) {
        scene_step(s);
        for (uint32_t k = 3; k < s->count; ++k) {
            const ct_vec3 at = scene_at(s, k);
            assert_true(at.x < 21 || at.x > 23 || at.y > 15); // the other door
        }
    }
    assert_true(scene_is_done(s));
    for (uint32_t i = 0; i < 3; ++i)
        ct_navigation_agents_remove(s->agents, s->ids[i]);
    for (uint32_t i = 0; i < 32; ++i)
        ct_navigation_agents_update(s->agents, SCENE_DT);
    const ct_navigation_place door = ct_navigation_nearest(s->mesh, NULL, ct_vec3_make(22, 10, 0),
                                                           ct_vec3_make(0.1f, 0.1f, 1), NULL);
    assert_float_equal(ct_navigation_crowding(s->mesh, door), 1, 1e-3f);
    scene_destroy(s);
}

static uint64_t state_hash(const scene *s) {
    const ct_navigation_agents_view all = ct_navigation_agents_all(s->agents);
    return ct_content_hash(all.positions, sizeof(ct_vec3) * all.count) ^
           ct_content_hash(all.velocities, sizeof(ct_vec3) * all.count) * 3 ^
           ct_content_hash(all.states, all.count) * 5;
}

static const uint32_t SAMPLED[] = {1, 2, 5}; // with enough agents for several tasks

static void threads_change_nothing(void **state) {
    (void)state;
    for (uint32_t k = 0; k < CT_COUNT_OF(SAMPLED); ++k) {
        uint64_t hashes[20];
        static const uint32_t workers[] = {0, 1, 4};
        for (uint32_t w = 0; w < 3; ++w) {
            scene *const s = scene_create();
            s->tasks = ct_task_manager_create(
                &(ct_task_manager_desc){.allocator = test_heap(), .num_workers = workers[w]});
            ct_task_register_thread(s->tasks, 1);
            SCENES[SAMPLED[k]].make(s);
            for (uint32_t i = 0; i < CT_COUNT_OF(hashes); ++i) {
                for (uint32_t step = 0; step < 40; ++step)
                    scene_step(s);
                const uint64_t hash = state_hash(s);
                if (w == 0)
                    hashes[i] = hash;
                assert_true(hash == hashes[i]);
            }
            ct_task_manager *const tasks = s->tasks;
            scene_destroy(s);
            ct_task_manager_destroy(tasks);
        }
    }
}

typedef struct saved {
    void *bytes[3]; // mesh, paths, agents
    uint64_t count[3];
} saved;

static saved save(const scene *s) {
    saved made;
    made.count[0] = ct_navigation_mesh_save(s->mesh, NULL);
    made.count[1] = ct_navigation_paths_save(s->paths, NULL);
    made.count[2] = ct_navigation_agents_save(s->agents, NULL);
    for (uint32_t i = 0; i < 3; ++i)
        made.bytes[i] = malloc(made.count[i] + 1);
    assert_int_equal(ct_navigation_mesh_save(s->mesh, made.bytes[0]), made.count[0]);
    assert_int_equal(ct_navigation_paths_save(s->paths, made.bytes[1]), made.count[1]);
    assert_int_equal(ct_navigation_agents_save(s->agents, made.bytes[2]), made.count[2]);
    return made;
}

static void restore(scene *s, const saved *from) {
    ct_error error = {.line = 0};
    assert_true(ct_navigation_mesh_restore(s->mesh, from->bytes[0], from->count[0], &error));
    assert_true(ct_navigation_paths_restore(s->paths, from->bytes[1], from->count[1], &error));
    const bool is_restored =
        ct_navigation_agents_restore(s->agents, from->bytes[2], from->count[2], &error);
    if (!is_restored)
        fprintf(stderr, "%s\n", error.message);
    assert_true(is_restored);
}

static void free_saved(saved *s) {
    for (uint32_t i = 0; i < 3; ++i)
        free(s->bytes[i]);
}

static void restoring_in_the_middle_changes_nothing(void **state) {
    (void)state;
    for (uint32_t k = 0; k < CT_COUNT_OF(SCENES); ++k)
        for (uint32_t middle = 1; middle < 1000; middle += 330) {
            scene *first = scene_create(), *second = scene_create();
            SCENES[k].make(first);
            SCENES[k].make(second);
            for (uint32_t i = 0; i < middle; ++i)
                scene_step(first);
            saved made = save(first);
            for (uint32_t i = 0; i < 5; ++i) // it is somewhere else before it is restored
                scene_step(second);
            restore(second, &made);
            memcpy(second->on_link, first->on_link, sizeof(second->on_link));
            memcpy(second->link_from, first->link_from, sizeof(second->link_from));
            memcpy(second->movers, first->movers, sizeof(second->movers));
            assert_true(state_hash(first) == state_hash(second));
            for (uint32_t i = 0; i < 120; ++i) {
                scene_step(first);
                scene_step(second);
                if (state_hash(first) != state_hash(second))
                    fail_msg("%s, saved after %u steps: another state %u steps later",
                             SCENES[k].name, middle, i + 1);
            }
            free_saved(&made);
            scene_destroy(first);
            scene_destroy(second);
        }
}

// Damaged bytes are refused, or give agents that can be used.
static void refuses_damaged_states(void **state) {
    (void)state;
    scene *const s = scene_create();
    SCENES[3].make(s);
    for (uint32_t i = 0; i < 400; ++i)
        scene_step(s);
    saved made = save(s);
    char *const bytes = (char *)made.bytes[2];
    const uint64_t hash = state_hash(s);
    uint32_t random = 9;
    for (uint32_t round = 0; round < test_rounds(400, 20000); ++round) {
        const uint64_t at = test_random(&random) % made.count[2];
        const char old = bytes[at];
        bytes[at] = (char)(old + 1 + (char)(test_random(&random) % 255));
        ct_error error = {.line = 0};
        const bool is_restored = bytes[at] != old && ct_navigation_agents_restore(
                                                         s->agents, bytes, made.count[2], &error);
        // What is not in the hash: the step, whether the mesh has changed.
        if (is_restored)
            assert_true(at >= 24 && at < 56);
        else
            assert_true(error.message[0] || bytes[at] == old);
        bytes[at] = old;
        assert_true(state_hash(s) == hash);
    }
    for (uint64_t count = 0; count < made.count[2]; count += 1 + count / 8) {
        ct_error error = {.line = 0};
        assert_false(ct_navigation_agents_restore(s->agents, bytes, count, &error));
        assert_non_null(strstr(error.message, "expected"));
    }
    free_saved(&made);
    scene_destroy(s);
}

// As above, with a hash that is right: nothing may go wrong in memory.
static void survives_forged_states(void **state) {
    (void)state;
    uint32_t random = 11;
    scene *const s = scene_create();
    SCENES[10].make(s);
    for (uint32_t i = 0; i < 500; ++i)
        scene_step(s);
    saved made = save(s);
    scene_destroy(s);
    char *const bytes = (char *)malloc(made.count[2]);
    uint32_t num_restored = 0;
    for (uint32_t round = 0; round < test_rounds(150, 5000); ++round) {
        memcpy(bytes, made.bytes[2], made.count[2]);
        const uint32_t changes = 1 + test_random(&random) % 4;
        for (uint32_t i = 0; i < changes; ++i)
            bytes[24 + test_random(&random) % (made.count[2] - 24)] = (char)test_random(&random);
        const uint64_t hash = ct_content_hash(bytes + 56, made.count[2] - 56);
        memcpy(bytes + 16, &hash, sizeof(hash));
        scene *const other = scene_create();
        SCENES[10].make(other);
        const saved same = made;
        ct_error error = {.line = 0};
        assert_true(ct_navigation_mesh_restore(other->mesh, same.bytes[0], same.count[0], &error));
        assert_true(
            ct_navigation_paths_restore(other->paths, same.bytes[1], same.count[1], &error));
        if (ct_navigation_agents_restore(other->agents, bytes, made.count[2], &error)) {
            ++num_restored;
            for (uint32_t i = 0; i < 20; ++i) {
                ct_navigation_mesh_update(other->mesh, 4);
                ct_navigation_paths_update(other->paths);
                ct_navigation_agents_update(other->agents, SCENE_DT);
            }
        }
        scene_destroy(other);
    }
    assert_true(num_restored > 10);
    free(bytes);
    free_saved(&made);
}

int main(int argc, char **argv) {
    struct CMUnitTest tests[CT_COUNT_OF(SCENES) + 5] = {
        cmocka_unit_test(crowds_are_gone_around),
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(restoring_in_the_middle_changes_nothing),
        cmocka_unit_test(refuses_damaged_states),
        cmocka_unit_test(survives_forged_states),
    };
    for (uint32_t i = 0; i < CT_COUNT_OF(SCENES); ++i)
        tests[5 + i] = (struct CMUnitTest){.name = SCENES[i].name,
                                           .test_func = arrives_in_time,
                                           .initial_state = (void *)(uintptr_t)&SCENES[i]};
    if (argc > 1)
        cmocka_set_test_filter(argv[1]);
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
