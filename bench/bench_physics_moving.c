// Physics of a world whose bodies mostly sleep: what our own code costs in a step.
//
// physics_moving   10,000 boxes with entities, of which 9,900 rest on the ground and 100 fly. The time
//                  of an update without that of Bullet's step (linked with --wrap), in microseconds.
// Peer: a world of the 100 alone. The cost should be that of what moves. Bullet looks at all bodies in
// each step, so that ours are in no cache afterwards: in `physics_moving_cold`, the peer's are not
// either, as its step ends with a walk over as much memory.
#include <stdio.h>
#include <stdlib.h>

#include "bench.h"
#include "foundation/math/math.h"
#include "physics/actor/physics_world.h"

enum { NUM_RESTING = 9900, NUM_MOVING = 100, NUM_UPDATES = 60 };

// --- Time in Bullet ------------------------------------------------------------------------------

void __real_ct_bullet_world_step(ct_bullet_world *w, float dt);
void __wrap_ct_bullet_world_step(ct_bullet_world *w, float dt);

enum { COLD_BYTES = 32 << 20 };

static double bullet_ns;
static uint8_t *cold; // walked over after a step; NULL: is not

void __wrap_ct_bullet_world_step(ct_bullet_world *w, float dt) {
    const double start = ct_bench_now_ns();
    uint64_t sum = 0;
    __real_ct_bullet_world_step(w, dt);
    for (uint32_t i = 0; cold && i < COLD_BYTES; i += 64)
        sum += ++cold[i];
    ct_bench_use(sum);
    bullet_ns += ct_bench_now_ns() - start;
}

// --- Worlds --------------------------------------------------------------------------------------

typedef struct scene {
    ct_entity_manager *entities;
    ct_transform_manager *transforms;
    ct_scene_graph_manager *graphs;
    ct_physics_world *physics;
} scene;

static ct_resource_manager *resources;
static ct_physics_system *physics_system;
static scene many, few;

static ct_actor add_box(scene *s, ct_vec3 position, uint32_t body, ct_vec3 half) {
    ct_entity e;
    ct_entity_create(s->entities, &e, 1);
    ct_transform_create(s->transforms, e, position, ct_quat_identity(), ct_vec3_make(1, 1, 1));
    ct_actor_shape_data shape;
    ct_actor_data data;
    ct_error error = {0};
    ct_schema_defaults(&ct_actor_shape_schema, &shape);
    ct_schema_defaults(&ct_actor_head_schema, &data);
    for (uint32_t i = 0; i < 3; ++i)
        shape.half_size[i] = half.raw[i];
    data.body = body;
    data.given = CT_ACTOR_GIVEN_MASK;
    const ct_actor a = ct_actor_create(
        s->physics, &(ct_actor_desc){.entity = e, .data = &data, .shapes = &shape, .num_shapes = 1},
        &error);
    if (!a.id) {
        fprintf(stderr, "cuttle_bench: %s\n", error.message);
        exit(1);
    }
    return a;
}

static void start_scene(scene *s, uint32_t num_resting) {
    ct_allocator *const a = ct_bench_heap();
    s->entities = ct_entity_manager_create(a);
    s->transforms = ct_transform_manager_create(a);
    s->graphs = ct_scene_graph_manager_create(a, s->transforms);
    s->physics = ct_physics_world_create(a, physics_system, s->transforms, s->graphs);
    const ct_vec3 half = ct_vec3_make(0.5f, 0.5f, 0.5f);
    add_box(s, ct_vec3_make(0, 0, -1), CT_ACTOR_STATIC, ct_vec3_make(1000, 1000, 1));
    for (uint32_t i = 0; i < num_resting; ++i)
        add_box(s, ct_vec3_make(3 * (float)(i % 100) - 150, 3 * (float)(i / 100) - 150, 0.5f),
                CT_ACTOR_DYNAMIC, half);
    for (uint32_t i = 0; i < NUM_MOVING; ++i) {
        const ct_actor mover =
            add_box(s, ct_vec3_make(0, 3 * (float)i - 150, 50), CT_ACTOR_DYNAMIC, half);
        ct_actor_set_gravity_enabled(s->physics, mover, false);
        ct_bullet_body_set_velocity(ct_actor_bullet(s->physics, mover), ct_vec3_make(5, 0, 0));
    }
    for (uint32_t i = 0; i < 240; ++i) // they fall asleep
        ct_physics_world_update(s->physics, 1.0 / 60);
    uint32_t num_moved;
    ct_bullet_world_moved(ct_physics_world_bullet(s->physics), &num_moved);
    if (num_moved != NUM_MOVING) {
        fprintf(stderr, "cuttle_bench: %u boxes move, expected %d\n", num_moved, (int)NUM_MOVING);
        exit(1);
    }
}

static void stop_scene(scene *s) {
    ct_physics_world_destroy(s->physics);
    ct_scene_graph_manager_destroy(s->graphs);
    ct_transform_manager_destroy(s->transforms);
    ct_entity_manager_destroy(s->entities);
}

static void begin(void) {
    resources = ct_resource_manager_create(
        &(ct_resource_manager_desc){.allocator = ct_bench_heap(), .data_folder = "."});
    physics_system = ct_physics_system_create(ct_bench_heap(), resources);
    start_scene(&many, NUM_RESTING);
    start_scene(&few, 0);
}

static void end(void) {
    stop_scene(&few);
    stop_scene(&many);
    ct_physics_system_destroy(physics_system);
    ct_resource_manager_destroy(resources);
}

// --- Runs ----------------------------------------------------------------------------------------

static double run(const scene *s) {
    double ours_ns = 0;
    for (uint32_t i = 0; i < NUM_UPDATES; ++i) {
        bullet_ns = 0;
        const double start = ct_bench_now_ns();
        ct_physics_world_update(s->physics, 1.0 / 60);
        ours_ns += ct_bench_now_ns() - start - bullet_ns;
    }
    return ours_ns / 1e3 / NUM_UPDATES;
}

static double run_many(void) {
    return run(&many);
}

static double run_few(void) {
    return run(&few);
}

static double run_few_cold(void) {
    cold = ct_alloc_zero(ct_bench_heap(), COLD_BYTES);
    const double result = run(&few);
    ct_free_sized(ct_bench_heap(), cold, COLD_BYTES);
    cold = NULL;
    return result;
}

static const ct_bench_case cases[] = {
    {"physics_moving", "100 of 10,000 bodies move, without Bullet", "100 bodies alone", "us", 2, 0,
     begin, end, run_many, run_few},
    {"physics_moving_cold", "100 of 10,000 bodies move, without Bullet", "100 bodies alone, cold",
     "us", 1.2, 0, begin, end, run_many, run_few_cold},
};

const ct_bench_group ct_bench_physics_moving = {"physics", cases, CT_COUNT_OF(cases)};
