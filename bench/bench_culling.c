// bench_culling.c: which objects a view sees, beside a test of all of them.
//
// Objects of a flat world, one for every 30 m2, with spheres of half a metre to two metres. A view
// sees some hundred of them, half or all; they rest, or a hundred move in each frame, or
// all do. Each run is a frame on one thread: objects move, what rests comes to rest, and five views
// (a camera and four cascades, say) list what they see. The peer tests all spheres four at a time,
// in a loop of tasks too, and looks at every result; it has nothing to do when an object moves.
#include <math.h>

#include "bench.h"
#include "foundation/math/math_bulk.h"
#include "foundation/math/random.h"
#include "render/draw/render_culling.h"

enum { NUM_VIEWS = 5 };

static uint32_t num, move_step; // every move_step-th object moves; 0: none
static float world_size;
static ct_task_manager *tasks;
static ct_render_culling culling;
static float (*spheres)[4];
static uint8_t *flags, *visible;
static uint32_t *seen, num_seen;
static ct_frustum frustum;

static void begin_with(uint32_t count, uint32_t step) {
    ct_allocator *const a = ct_bench_heap();
    ct_random r = ct_random_seeded(1, 1);
    num = count;
    num_seen = 0;
    move_step = step;
    world_size = sqrtf(30.0f * (float)num);
    tasks = ct_task_manager_create(&(ct_task_manager_desc){.allocator = a, .num_workers = 0});
    spheres = ct_alloc_aligned(a, sizeof(*spheres) * num, 64);
    flags = CT_NEW_ARRAY(a, uint8_t, num);
    visible = CT_NEW_ARRAY(a, uint8_t, num);
    seen = CT_NEW_ARRAY(a, uint32_t, num);
    ct_render_culling_init(&culling, a);
    for (uint32_t i = 0; i < num; ++i) {
        spheres[i][0] = ct_random_float_range(&r, 0, world_size);
        spheres[i][1] = ct_random_float_range(&r, 0, world_size);
        spheres[i][2] = ct_random_float_range(&r, 0, 6);
        spheres[i][3] = ct_random_float_range(&r, 0.25f, 1);
        ct_render_culling_add(&culling);
    }
    for (uint32_t i = 0; i < 60 + num / 256; ++i)
        ct_render_culling_settle(&culling, (const float(*)[4])spheres);
}

static void end(void) {
    ct_allocator *const a = ct_bench_heap();
    ct_render_culling_free(&culling);
    ct_task_manager_destroy(tasks);
    ct_free(a, spheres);
    ct_free(a, flags);
    ct_free(a, visible);
    ct_free(a, seen);
}

static void look(float far_range, float back) {
    const ct_vec3 at = ct_vec3_make(world_size / 2, world_size / 2 - back, 3);
    const ct_mat4 camera = ct_mat4_compose(at, ct_quat_identity(), ct_vec3_make(1, 1, 1));
    const ct_mat4 projection = ct_mat4_perspective(1, 1.5f, 0.1f, far_range);
    const ct_mat4 to_clip = ct_mat4_mul(projection, ct_mat4_inverse(camera));
    frustum = ct_frustum_from(&to_clip);
}

static void look_at_few(void) {
    look(60, 0);
}

static void look_at_half(void) {
    look(10 * world_size, 0.3f * world_size);
}

static void look_at_all(void) {
    look(10 * world_size, 3 * world_size);
}

static void begin_small_few(void) {
    begin_with(10000, 0);
    look_at_few();
}

static void begin_small_half(void) {
    begin_with(10000, 0);
    look_at_half();
}

static void begin_small_all(void) {
    begin_with(10000, 0);
    look_at_all();
}

static void begin_few(void) {
    begin_with(100000, 0);
    look_at_few();
}

static void begin_half(void) {
    begin_with(100000, 0);
    look_at_half();
}

static void begin_all(void) {
    begin_with(100000, 0);
    look_at_all();
}

// About the most that the broadphase is asked for.
static void begin_some(void) {
    begin_with(100000, 0);
    look(0.25f * world_size, 0);
}

static void begin_some_moving(void) {
    begin_with(100000, 1000);
    look_at_few();
}

static void begin_moving(void) {
    begin_with(100000, 1);
    look_at_few();
}

static ct_render_culling_query make_query(void) {
    return (ct_render_culling_query){.frustum = frustum,
                                     .spheres = (const float(*)[4])spheres,
                                     .flags = flags,
                                     .unseen = 1,
                                     .count = num,
                                     .visible = visible};
}

static double run(void) {
    const double start_ns = ct_bench_now_ns();
    for (uint32_t i = 0; move_step && i < num; i += move_step)
        ct_render_culling_move(&culling, i);
    ct_render_culling_settle(&culling, (const float(*)[4])spheres);
    const ct_render_culling_query query = make_query();
    for (uint32_t i = 0; i < NUM_VIEWS; ++i) {
        ct_render_culling_see(&culling, tasks, &query, num_seen);
        num_seen = ct_render_culling_list(visible, num, seen);
        ct_bench_use(num_seen);
    }
    return (ct_bench_now_ns() - start_ns) / 1e3;
}

static void plain_cull(void *data, uint32_t begin, uint32_t end) {
    (void)data;
    ct_frustum_cull_spheres(&frustum, (const float(*)[4])spheres + begin, end - begin,
                            visible + begin);
    for (uint32_t i = begin; i < end; ++i)
        visible[i] &= !(flags[i] & 1);
}

static double plain_run(void) {
    const double start_ns = ct_bench_now_ns();
    for (uint32_t v = 0; v < NUM_VIEWS; ++v) {
        ct_task_parallel_for(tasks, num, num / 32, plain_cull, NULL);
        uint32_t count = 0;
        for (uint32_t i = 0; i < num; ++i)
            if (visible[i])
                seen[count++] = i;
        ct_bench_use(count);
    }
    return (ct_bench_now_ns() - start_ns) / 1e3;
}

static const ct_bench_case cases[] = {
    {"culling_small", "few of 10,000", "sweep", "us", 0.3, 0, begin_small_few, end, run, plain_run},
    {"culling_small", "half of 10,000", "sweep", "us", 1.05, 0, begin_small_half, end, run,
     plain_run},
    {"culling_small", "all of 10,000", "sweep", "us", 1.1, 0, begin_small_all, end, run, plain_run},
    {"culling", "few of 100,000", "sweep", "us", 0.1, 0, begin_few, end, run, plain_run},
    {"culling", "a 20th of 100,000", "sweep", "us", 1.05, 0, begin_some, end, run, plain_run},
    {"culling", "half of 100,000", "sweep", "us", 1.05, 0, begin_half, end, run, plain_run},
    {"culling", "all of 100,000", "sweep", "us", 1.1, 0, begin_all, end, run, plain_run},
    {"culling_moving", "few of 100,000, 100 move", "sweep", "us", 0.3, 0, begin_some_moving, end,
     run, plain_run},
    {"culling_moving", "few of 100,000, all move", "sweep", "us", 1.1, 0, begin_moving, end, run,
     plain_run},
};

const ct_bench_group ct_bench_culling = {"culling", cases, CT_COUNT_OF(cases)};
