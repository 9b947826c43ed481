// Triggers that ask for tags: one pass over all of a world.
//
// triggers_moving   10,000 entities with a tag and without actors, spread over 400 x 400 m, and 100
//                   triggers, boxes of 4 m, that ask for it. 1,000 entities move by up to 2 m before
//                   each pass. The time of a pass, without that of moving, in microseconds.
// triggers_resting  The same where nothing moves.
// Peer: a naive pass that looks at each entity for each trigger, and compares with a table of what was
// inside before. It reads the positions as arrays, copied before the time is taken.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench.h"
#include "foundation/math/math.h"
#include "foundation/math/random.h"
#include "physics/actor/physics_world.h"

enum { NUM_ENTITIES = 10000, NUM_TRIGGERS = 100, NUM_MOVING = 1000, NUM_PASSES = 30 };

static const ct_string_id32 tag = {77};
static const float reach = 200, half = 2;

static struct {
    ct_resource_manager *resources;
    ct_physics_system *system;
    ct_entity_manager *entities;
    ct_transform_manager *transforms;
    ct_scene_graph_manager *graphs;
    ct_tag_manager *tags;
    ct_physics_world *physics;
    ct_entity tagged[NUM_ENTITIES];
    ct_random random;
} scene;

// What the naive pass has.
static ct_vec3 positions[NUM_ENTITIES], middles[NUM_TRIGGERS];
static bool was_inside[NUM_TRIGGERS][NUM_ENTITIES];
static uint64_t num_naive_events;

static float next(float most) {
    return most * (2 * ct_random_float(&scene.random) - 1);
}

static ct_vec3 next_position(void) {
    const float x = next(reach), y = next(reach);
    return ct_vec3_make(x, y, next(half));
}

static ct_entity add_entity(ct_vec3 position) {
    ct_entity e;
    ct_entity_create(scene.entities, &e, 1);
    ct_transform_create(scene.transforms, e, position, ct_quat_identity(), ct_vec3_make(1, 1, 1));
    return e;
}

static void add_trigger(ct_vec3 position) {
    const ct_trigger_data trigger = {.is_enabled = 1};
    const ct_actor_data data = ct_trigger_actor_data(&trigger);
    ct_actor_shape_data shape;
    ct_error error = {0};
    ct_schema_defaults(&ct_actor_shape_schema, &shape);
    for (uint32_t i = 0; i < 3; ++i)
        shape.half_size[i] = half;
    const ct_actor_desc desc = {.entity = add_entity(position),
                                .data = &data,
                                .shapes = &shape,
                                .num_shapes = 1,
                                .is_trigger = true,
                                .tags = &tag,
                                .num_tags = 1};
    if (!ct_actor_create(scene.physics, &desc, &error).id) {
        fprintf(stderr, "cuttle_bench: %s\n", error.message);
        exit(1);
    }
}

static void begin(void) {
    ct_allocator *const a = ct_bench_heap();
    scene.resources =
        ct_resource_manager_create(&(ct_resource_manager_desc){.allocator = a, .data_folder = "."});
    scene.system = ct_physics_system_create(a, scene.resources);
    scene.entities = ct_entity_manager_create(a);
    scene.transforms = ct_transform_manager_create(a);
    scene.graphs = ct_scene_graph_manager_create(a, scene.transforms);
    scene.tags = ct_tag_manager_create(a);
    scene.physics = ct_physics_world_create(a, scene.system, scene.transforms, scene.graphs);
    scene.random = ct_random_seeded(1, 0);
    ct_physics_world_set_entities(
        scene.physics, &(ct_physics_entities){.tags = scene.tags, .alive = scene.entities});
    for (uint32_t i = 0; i < NUM_ENTITIES; ++i)
        scene.tagged[i] = add_entity(next_position());
    ct_tag_add(scene.tags, scene.tagged, NUM_ENTITIES, tag);
    for (uint32_t i = 0; i < NUM_TRIGGERS; ++i) {
        middles[i] = next_position();
        add_trigger(middles[i]);
    }
    ct_physics_world_update(scene.physics, 1.0 / 60);
    ct_physics_world_find_tagged(scene.physics);
}

static void end(void) {
    ct_physics_world_destroy(scene.physics);
    ct_tag_manager_destroy(scene.tags);
    ct_scene_graph_manager_destroy(scene.graphs);
    ct_transform_manager_destroy(scene.transforms);
    ct_entity_manager_destroy(scene.entities);
    ct_physics_system_destroy(scene.system);
    ct_resource_manager_destroy(scene.resources);
}

// --- Runs ----------------------------------------------------------------------------------------

static ct_transform transform_of(uint32_t i) {
    return ct_transform_lookup(scene.transforms, scene.tagged[i]);
}

static void move_some(void) {
    for (uint32_t i = 0; i < NUM_MOVING; ++i) {
        const ct_transform t = transform_of(ct_random_below(&scene.random, NUM_ENTITIES));
        const ct_vec3 way = {{next(2), next(2), 0}};
        ct_transform_set_local_position(
            scene.transforms, t,
            ct_vec3_add(ct_transform_local_position(scene.transforms, t), way));
    }
}

static double run_passes(bool moves) {
    double ns = 0;
    for (uint32_t i = 0; i < NUM_PASSES; ++i) {
        if (moves)
            move_some();
        ct_physics_world_update(scene.physics, 1.0 / 60); // empties the list of events
        const double start = ct_bench_now_ns();
        ct_physics_world_find_tagged(scene.physics);
        ns += ct_bench_now_ns() - start;
    }
    return ns / 1e3 / NUM_PASSES;
}

static void run_naive_pass(void) {
    for (uint32_t t = 0; t < NUM_TRIGGERS; ++t) {
        for (uint32_t i = 0; i < NUM_ENTITIES; ++i) {
            const ct_vec3 way = ct_vec3_sub(positions[i], middles[t]);
            const bool is_inside =
                fabsf(way.x) <= half && fabsf(way.y) <= half && fabsf(way.z) <= half;
            num_naive_events += is_inside != was_inside[t][i];
            was_inside[t][i] = is_inside;
        }
    }
}

static double run_naive_passes(bool moves) {
    double ns = 0;
    for (uint32_t i = 0; i < NUM_PASSES; ++i) {
        if (moves)
            move_some();
        for (uint32_t k = 0; k < NUM_ENTITIES; ++k)
            positions[k] = ct_transform_local_position(scene.transforms, transform_of(k));
        const double start = ct_bench_now_ns();
        run_naive_pass();
        ns += ct_bench_now_ns() - start;
    }
    ct_bench_use(num_naive_events);
    return ns / 1e3 / NUM_PASSES;
}

static double run_moving(void) {
    return run_passes(true);
}

static double run_moving_naive(void) {
    return run_naive_passes(true);
}

static double run_resting(void) {
    return run_passes(false);
}

static double run_resting_naive(void) {
    return run_naive_passes(false);
}

static const ct_bench_case cases[] = {
    {"triggers_moving", "1,000 of 10,000 entities move, 100 triggers", "each with each", "us", 0, 0,
     begin, end, run_moving, run_moving_naive},
    {"triggers_resting", "10,000 entities and 100 triggers rest", "each with each", "us", 0, 0,
     begin, end, run_resting, run_resting_naive},
};

const ct_bench_group ct_bench_triggers = {"physics", cases, CT_COUNT_OF(cases)};
