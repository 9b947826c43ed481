// bench_physics.c: worlds of src/physics/bullet beside Bullet called directly, with the same settings.
//
// physics_pile     1,000 boxes that fall into a heap: a step, with the lists of what moved and what
//                  touches. Both worlds have the same bits, and so the same phase in each run.
// physics_asleep   1,000 boxes that sleep on the ground: the same.
// physics_rays     10,000 rays into hills of 100,352 triangles, down at an angle; the tree was cooked.

#include <math.h>

#include "bench.h"
#include "foundation/error.h"
#include "foundation/math/math.h"
#include "foundation/math/random.h"
#include "peer_bullet.h"
#include "physics/bullet/bullet_cook.h"

enum {
    NUM_BOXES = 1000,
    STEPS = 2, // of a run; the two worlds take turns often, since machines drift
    RUNS = 121,
    NUM_RAYS = 10000,
    CELLS = 224,
    NUM_POINTS = (CELLS + 1) * (CELLS + 1),
    NUM_INDICES = 6 * CELLS * CELLS,
};

static const float dt = 1.0f / 60;

static ct_bullet_world *world;
static ct_bullet_shape *ground, *box;
static ct_bullet_body *bodies[NUM_BOXES + 1];
static uint32_t num_bodies;
static float *points;
static uint32_t *indices;
static ct_vec3 *ends; // of rays

static void add(ct_bullet_shape *shape, float mass, ct_vec3 at) {
    const ct_bullet_body_desc desc = {.id = num_bodies,
                                      .kind = mass > 0 ? CT_BULLET_DYNAMIC : CT_BULLET_STATIC,
                                      .shape = shape,
                                      .pose = {at, ct_quat_identity()},
                                      .mass = mass,
                                      .friction = 0.5f,
                                      .linear_factor = {{1, 1, 1}},
                                      .angular_factor = {{1, 1, 1}},
                                      .sleep_linear = 0.8f,
                                      .sleep_angular = 1,
                                      .collides = UINT32_MAX};
    bodies[num_bodies++] = ct_bullet_body_create(world, &desc);
}

static void begin_world(void) {
    ct_bullet_init(ct_bench_heap());
    num_bodies = 0;
    world = ct_bullet_world_create(
        &(ct_bullet_world_desc){.gravity = {{0, 0, -10}}, .solver_iterations = 10});
}

static ct_bullet_shape *simple_shape(uint32_t kind) {
    return ct_bullet_shape_create(&(ct_bullet_shape_part){.kind = kind,
                                                          .pose = {.rotation = ct_quat_identity()},
                                                          .size = {{0.5f, 0.5f, 0.5f}}},
                                  1);
}

static void begin_boxes(float spacing, uint32_t in_row, float least) {
    static ct_vec3 places[NUM_BOXES];
    begin_world();
    ground = simple_shape(CT_BULLET_SHAPE_PLANE);
    box = simple_shape(CT_BULLET_SHAPE_BOX);
    add(ground, 0, ct_vec3_make(0, 0, 0));
    for (uint32_t i = 0; i < NUM_BOXES; ++i) {
        const float layer = (float)(i / (in_row * in_row));
        places[i] = ct_vec3_make(spacing * (float)(i % in_row) + 0.2f * layer,
                                 spacing * (float)(i / in_row % in_row) - 0.1f * layer,
                                 least + 1.1f * layer);
        add(box, 1, places[i]);
    }
    peer_bullet_begin_boxes(places, NUM_BOXES);
}

static void begin_pile(void) {
    begin_boxes(1.1f, 10, 0.8f);
}

static void begin_asleep(void) {
    begin_boxes(1.5f, 32, 0.5f);
    for (uint32_t i = 0; i < 200; ++i) {
        ct_bullet_world_step(world, dt);
        peer_bullet_step(dt);
    }
    for (uint32_t i = 1; i < num_bodies; ++i)
        CT_ASSERT(ct_bullet_body_is_asleep(bodies[i]), "box %u is awake", i);
}

static void end_world(void) {
    peer_bullet_end();
    for (uint32_t i = num_bodies; i-- > 0;)
        ct_bullet_body_destroy(bodies[i]);
    ct_bullet_world_destroy(world);
    ct_bullet_shape_destroy(ground);
    ct_bullet_shape_destroy(box);
    ground = box = NULL;
    ct_bullet_quit();
}

static double run_steps(uint32_t steps) {
    const double start_ns = ct_bench_now_ns();
    for (uint32_t i = 0; i < steps; ++i) {
        uint32_t count;
        ct_bullet_world_step(world, dt);
        ct_bullet_world_moved(world, &count);
        ct_bench_use(count);
        ct_bullet_world_contacts(world, &count);
        ct_bench_use(count);
    }
    return (ct_bench_now_ns() - start_ns) / 1e3 / steps;
}

static double peer_run_steps(uint32_t steps) {
    const double start_ns = ct_bench_now_ns();
    for (uint32_t i = 0; i < steps; ++i)
        peer_bullet_step(dt);
    return (ct_bench_now_ns() - start_ns) / 1e3 / steps;
}

static double run_pile(void) {
    return run_steps(STEPS);
}

static double peer_run_pile(void) {
    return peer_run_steps(STEPS);
}

static double run_asleep(void) {
    return run_steps(200 * STEPS);
}

static double peer_run_asleep(void) {
    return peer_run_steps(200 * STEPS);
}

// --- Rays ----------------------------------------------------------------------------------------

static void make_hills(void) {
    ct_allocator *const a = ct_bench_heap();
    points = CT_NEW_ARRAY(a, float, 3 * NUM_POINTS);
    indices = CT_NEW_ARRAY(a, uint32_t, NUM_INDICES);
    for (uint32_t i = 0; i < NUM_POINTS; ++i) {
        float *const p = points + (size_t)3 * i;
        p[0] = 0.5f * (float)(i % (CELLS + 1)), p[1] = 0.5f * (float)(i / (CELLS + 1));
        p[2] = 2 * sinf(0.3f * p[0]) * cosf(0.2f * p[1]);
    }
    for (uint32_t i = 0; i < CELLS * CELLS; ++i) {
        const uint32_t p = i / CELLS * (CELLS + 1) + i % CELLS, q = p + CELLS + 1;
        const uint32_t two[6] = {p, p + 1, q + 1, p, q + 1, q};
        for (uint32_t k = 0; k < 6; ++k)
            indices[6 * i + k] = two[k];
    }
}

static void begin_rays(void) {
    ct_allocator *const a = ct_bench_heap();
    begin_world();
    make_hills();
    ct_bullet_triangles triangles = {
        .points = points, .num_points = NUM_POINTS, .indices = indices, .num_indices = NUM_INDICES};
    ct_bullet_cook_tree(a, points, NUM_POINTS, indices, NUM_INDICES, &triangles.tree);
    ground =
        ct_bullet_shape_create(&(ct_bullet_shape_part){.kind = CT_BULLET_SHAPE_MESH,
                                                       .pose = {.rotation = ct_quat_identity()},
                                                       .size = {{1, 1, 1}},
                                                       .triangles = &triangles},
                               1);
    ct_free(a, (void *)triangles.tree.nodes);
    add(ground, 0, ct_vec3_make(0, 0, 0));
    peer_bullet_begin_triangles(points, NUM_POINTS, indices, NUM_INDICES);
    ends = CT_NEW_ARRAY(a, ct_vec3, 2 * NUM_RAYS);
    ct_random r = ct_random_seeded(5, 1);
    for (uint32_t i = 0; i < NUM_RAYS; ++i) {
        const float x = ct_random_float_range(&r, 10, 100), y = ct_random_float_range(&r, 10, 100);
        ends[2 * i] = ct_vec3_make(x, y, 10);
        ends[2 * i + 1] = ct_vec3_make(x + ct_random_float_range(&r, -10, 10),
                                       y + ct_random_float_range(&r, -10, 10), -10);
    }
}

static void end_rays(void) {
    end_world();
    ct_free(ct_bench_heap(), points);
    ct_free(ct_bench_heap(), indices);
    ct_free(ct_bench_heap(), ends);
}

static double run_rays(void) {
    const ct_bullet_find find = {.kinds = CT_BULLET_FIND_SOLID, .filters = UINT32_MAX};
    const double start_ns = ct_bench_now_ns();
    uint32_t num_hits = 0;
    for (uint32_t i = 0; i < NUM_RAYS; ++i) {
        ct_bullet_hit hit;
        num_hits += ct_bullet_ray(world, ends[2 * i], ends[2 * i + 1], &find, &hit);
    }
    ct_bench_use(num_hits);
    return (ct_bench_now_ns() - start_ns) / 1e6;
}

static double peer_run_rays(void) {
    const double start_ns = ct_bench_now_ns();
    ct_bench_use(peer_bullet_rays(ends, NUM_RAYS));
    return (ct_bench_now_ns() - start_ns) / 1e6;
}

static const ct_bench_case cases[] = {
    {"physics_pile", "1,000 boxes, a step", "Bullet", "us", 1.05, RUNS, begin_pile, end_world,
     run_pile, peer_run_pile},
    {"physics_asleep", "1,000 boxes, a step", "Bullet", "us", 1.2, 0, begin_asleep, end_world,
     run_asleep, peer_run_asleep},
    {"physics_rays", "10,000 into 100,352 triangles", "Bullet", "ms", 1.1, 0, begin_rays, end_rays,
     run_rays, peer_run_rays},
};

const ct_bench_group ct_bench_physics = {"physics", cases, CT_COUNT_OF(cases)};
