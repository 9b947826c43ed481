// Several worlds that are advanced together, with their physics on several threads.
#include <sched.h>

#include "foundation/math/math.h"
#include "foundation/task/task.h"
#include "world/world_fixture.h"

enum { NUM_WORLDS = 4, NUM_BOXES = 60, NUM_STEPS = 300 };

static const template_entity crate[] = {
    {CT_NO_PARENT, {{0, 0, 0}}, "crate", 0, false, false, false, 0}};

static ct_actor add_actor(ct_world *w, ct_entity e, uint32_t body, uint32_t type, float size) {
    const ct_actor_data none = {.given = 0};
    ct_actor_data data;
    ct_actor_data_combine(NULL, &none, &data);
    data.body = body;
    data.given = CT_ACTOR_GIVEN_MASK;
    const ct_actor_shape_data shape = {.type = type,
                                       .rotation = {0, 0, 0, 1},
                                       .half_size = {size, size, size},
                                       .radius = size,
                                       .height = 4 * size};
    ct_error error = {0};
    const ct_actor_desc desc = {.entity = e,
                                .pose = {.rotation = ct_quat_identity()},
                                .data = &data,
                                .shapes = &shape,
                                .num_shapes = 1};
    const ct_actor actor = ct_actor_create(ct_world_physics(w), &desc, &error);
    if (!actor.id)
        fail_msg("%s", error.message);
    return actor;
}

// Shapes fall onto each other, in each world others; the worlds share the shapes.
static void fill(ct_world *w, uint32_t seed, ct_entity *boxes) {
    static const uint32_t types[] = {CT_ACTOR_SHAPE_BOX, CT_ACTOR_SHAPE_SPHERE,
                                     CT_ACTOR_SHAPE_CAPSULE};
    ct_vec3 positions[NUM_BOXES];
    for (uint32_t i = 0; i < NUM_BOXES; ++i)
        positions[i] = ct_vec3_make((float)(i % 3) * 0.55f, (float)(i * seed % 5) * 0.31f,
                                    0.5f + 0.45f * (float)i);
    assert_true(
        ct_world_spawn_units(w, "units/crate", positions, NULL, NULL, NUM_BOXES, boxes, NULL));
    add_actor(w, (ct_entity){0}, CT_ACTOR_STATIC, CT_ACTOR_SHAPE_PLANE, 1);
    for (uint32_t i = 0; i < NUM_BOXES; ++i)
        add_actor(w, boxes[i], CT_ACTOR_DYNAMIC, types[i * seed % 3], 0.25f);
    ct_physics_world_set_gravity(ct_world_physics(w), ct_vec3_make(0, 0, -9 - (float)seed));
}

// Runs four worlds, together or one after the other, and sets their hashes.
static void run_worlds(ct_task_manager *tasks, bool together, uint64_t hashes[NUM_WORLDS]) {
    world_tasks = tasks;
    world_fixture f = start_world();
    load_unit(&f, "units/crate", crate, 1);
    ct_world *worlds[NUM_WORLDS];
    ct_entity boxes[NUM_WORLDS][NUM_BOXES];
    for (uint32_t i = 0; i < NUM_WORLDS; ++i) {
        worlds[i] = ct_world_create(f.system);
        fill(worlds[i], i + 1, boxes[i]);
    }
    for (uint32_t step = 0; step < NUM_STEPS; ++step) {
        for (uint32_t i = 0; i < NUM_WORLDS && !together; ++i)
            ct_world_advance(worlds[i], 1.0 / 60);
        if (together)
            ct_worlds_advance(worlds, NUM_WORLDS, 1.0 / 60);
        for (uint32_t i = 0; i < NUM_WORLDS && step % 50 == 49; ++i)
            ct_world_destroy_units(worlds[i], &boxes[i][step / 50], 1);
    }
    for (uint32_t i = 0; i < NUM_WORLDS; ++i)
        hashes[i] = ct_world_state_hash(worlds[i]);
    stop_world(&f);
    world_tasks = NULL;
}

static void worlds_are_as_if_each_were_advanced_alone(void **state) {
    (void)state;
    uint64_t alone[NUM_WORLDS], together[NUM_WORLDS], without_threads[NUM_WORLDS];
    ct_task_manager *const tasks =
        ct_task_manager_create(&(ct_task_manager_desc){.allocator = test_heap(), .num_workers = 3});
    run_worlds(NULL, false, alone);
    run_worlds(tasks, true, together);
    run_worlds(NULL, true, without_threads);
    ct_task_manager_destroy(tasks);
    for (uint32_t i = 0; i < NUM_WORLDS; ++i) {
        assert_true(together[i] == alone[i]);
        assert_true(without_threads[i] == alone[i]);
        for (uint32_t k = 0; k < i; ++k)
            assert_true(alone[i] != alone[k]);
    }
}

// --- Steps at the same time ----------------------------------------------------------------------

static _Atomic uint32_t num_met;

// Returns when the other world has come, too: never, unless both run at the same time.
static void meet(ct_world *w, void *manager, double dt) {
    (void)w, (void)manager, (void)dt;
    ++num_met;
    while (num_met < 2)
        sched_yield();
}

static void independent_steps_of_two_worlds_run_at_the_same_time(void **state) {
    (void)state;
    static const ct_world_row row = {.name = "meeting",
                                     .steps = {{"meet", CT_WORLD_PHASE_SIMULATE, meet, true}}};
    ct_task_manager *const tasks =
        ct_task_manager_create(&(ct_task_manager_desc){.allocator = test_heap(), .num_workers = 1});
    world_tasks = tasks;
    world_fixture f = start_world();
    ct_world_destroy(f.world);
    ct_world_system_add_row(f.system, &row);
    num_met = 0;
    ct_world *const worlds[] = {ct_world_create(f.system), ct_world_create(f.system)};
    ct_worlds_advance(worlds, 2, 0.25);
    assert_int_equal(num_met, 2);
    assert_true(ct_world_time(worlds[0]) == 0.25 && ct_world_time(worlds[1]) == 0.25);
    assert_true(ct_world_delta_time(worlds[1]) == 0.25);
    ct_worlds_advance(worlds, 0, 1); // none
    assert_true(ct_world_time(worlds[0]) == 0.25);
    stop_world(&f);
    ct_task_manager_destroy(tasks);
    world_tasks = NULL;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(worlds_are_as_if_each_were_advanced_alone),
        cmocka_unit_test(independent_steps_of_two_worlds_run_at_the_same_time),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
