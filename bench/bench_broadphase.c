// bench_broadphase.c: queries and moves of a broadphase, beside a sweep over plain arrays of boxes.
//
// Boxes of half a metre to two metres, one for every 30 m2 of a flat world, 6 m high. Each run has
// all of them move by 2 to 15 cm, then asks at places of a fixed seed. The peer has the boxes as a
// structure of arrays and tests four at a time. `broadphase_frame`: what a frame costs that moves
// 10,000 boxes and asks for what is within 5 m of 1,000 of them. `broadphase_frustum`: the boxes
// that a camera sees, some hundred or all; the peer is ct_frustum_cull_aabbs and a list of what it
// leaves.

#include <math.h>

#include "bench.h"
#include "foundation/math/math_shapes.h"
#include "foundation/math/random.h"
#include "spatial/broadphase.h"
#include "spatial/broadphase_lanes.h"

enum { NUM_PLACES = 1000, NUM_NEAREST = 8 };

static const float height = 6, reach = 5, ray_length = 100;

static uint32_t num; // of boxes
static float world_size;
static ct_broadphase *broadphase;
static ct_broadphase_item *items;
static ct_aabb *boxes;
static ct_vec3 *ways; // what a box moves by in a run
static uint32_t *found;
static ct_vec3 places[NUM_PLACES], directions[NUM_PLACES];
static ct_frustum frustum;

static struct {
    float *bounds[6]; // minima, maxima
    uint8_t *visible;
} plain;

// --- Making --------------------------------------------------------------------------------------

static void make_boxes(ct_random *r) {
    for (uint32_t i = 0; i < num; ++i) {
        ct_vec3 center = ct_vec3_make(ct_random_float_range(r, 0, world_size),
                                      ct_random_float_range(r, 0, world_size), 0);
        center.z = ct_random_float_range(r, 0, height);
        ct_vec3 half;
        for (uint32_t k = 0; k < 3; ++k)
            half.raw[k] = ct_random_float_range(r, 0.25f, 1);
        boxes[i] = (ct_aabb){ct_vec3_sub(center, half), ct_vec3_add(center, half)};
        ways[i] = ct_vec3_scale(ct_random_unit_vec3(r), ct_random_float_range(r, 0.02f, 0.15f));
        ways[i].z *= 0.1f;
    }
}

static void begin_with(uint32_t count) {
    ct_allocator *const a = ct_bench_heap();
    ct_random r = ct_random_seeded(1, 1);
    num = count;
    world_size = sqrtf(30.0f * (float)num);
    boxes = CT_NEW_ARRAY(a, ct_aabb, num);
    ways = CT_NEW_ARRAY(a, ct_vec3, num);
    items = CT_NEW_ARRAY(a, ct_broadphase_item, num);
    found = CT_NEW_ARRAY(a, uint32_t, num);
    make_boxes(&r);
    for (uint32_t i = 0; i < NUM_PLACES; ++i) {
        places[i] = ct_aabb_center(boxes[ct_random_below(&r, num)]);
        const ct_vec3 way = ct_random_unit_vec3(&r);
        directions[i] = ct_vec3_normalize(ct_vec3_make(way.x, way.y, 0));
    }
    for (uint32_t k = 0; k < 6; ++k)
        plain.bounds[k] = ct_alloc_aligned(a, sizeof(float) * num, 64);
    plain.visible = CT_NEW_ARRAY(a, uint8_t, num);
    broadphase = ct_broadphase_create(a, &(ct_broadphase_desc){num, 0.2f});
    uint32_t *const values = CT_NEW_ARRAY(a, uint32_t, num);
    for (uint32_t i = 0; i < num; ++i)
        values[i] = i;
    ct_broadphase_add(broadphase, boxes, values, num, items);
    ct_free(a, values);
}

static void begin_300(void) {
    begin_with(300);
}

static void begin_10000(void) {
    begin_with(10000);
}

static void begin_100000(void) {
    begin_with(100000);
}

static void end(void) {
    ct_allocator *const a = ct_bench_heap();
    ct_broadphase_destroy(broadphase);
    void *const all[] = {boxes,           ways,
                         items,           found,
                         plain.bounds[0], plain.bounds[1],
                         plain.bounds[2], plain.bounds[3],
                         plain.bounds[4], plain.bounds[5],
                         plain.visible};
    for (uint32_t i = 0; i < CT_COUNT_OF(all); ++i)
        ct_free(a, all[i]);
}

// --- Moving --------------------------------------------------------------------------------------

// Boxes turn where the world ends.
static void choose_boxes(void) {
    const float ends[3] = {world_size, world_size, height};
    for (uint32_t i = 0; i < num; ++i) {
        for (uint32_t k = 0; k < 3; ++k) {
            float *const way = &ways[i].raw[k];
            const bool leaves = *way < 0 ? boxes[i].min.raw[k] < 0 : boxes[i].max.raw[k] > ends[k];
            *way = leaves ? -*way : *way;
            boxes[i].min.raw[k] += *way;
            boxes[i].max.raw[k] += *way;
        }
    }
}

static void plain_move(void) {
    for (uint32_t i = 0; i < num; ++i) {
        for (uint32_t k = 0; k < 3; ++k) {
            plain.bounds[k][i] = boxes[i].min.raw[k];
            plain.bounds[3 + k][i] = boxes[i].max.raw[k];
        }
    }
}

static double run_move(void) {
    choose_boxes();
    const double start_ns = ct_bench_now_ns();
    ct_broadphase_move(broadphase, items, boxes, num);
    return (ct_bench_now_ns() - start_ns) / num;
}

static double plain_run_move(void) {
    choose_boxes();
    const double start_ns = ct_bench_now_ns();
    plain_move();
    return (ct_bench_now_ns() - start_ns) / num;
}

// --- Asking --------------------------------------------------------------------------------------

static void prepare(void) {
    choose_boxes();
    ct_broadphase_move(broadphase, items, boxes, num);
    plain_move();
}

static double ns_each(double start_ns) {
    return (ct_bench_now_ns() - start_ns) / NUM_PLACES;
}

static void ask_spheres(void) {
    for (uint32_t i = 0; i < NUM_PLACES; ++i)
        ct_bench_use(
            ct_broadphase_overlap_sphere(broadphase, (ct_sphere){places[i], reach}, found, num));
}

static ct_column plain_squares(ct_vec3 at, uint32_t i) {
    ct_column sum = ct_column_all(0);
    for (uint32_t k = 0; k < 3; ++k) {
        const ct_column p = ct_column_all(at.raw[k]);
        const ct_column nearest = ct_column_min(ct_column_max(p, ct_column_of(plain.bounds[k] + i)),
                                                ct_column_of(plain.bounds[3 + k] + i));
        sum += (p - nearest) * (p - nearest);
    }
    return sum;
}

static void plain_ask_spheres(void) {
    const ct_column most = ct_column_all(reach * reach);
    for (uint32_t q = 0; q < NUM_PLACES; ++q) {
        uint32_t count = 0;
        for (uint32_t i = 0; i < num; i += 4)
            for (uint32_t met = ct_column_mask(plain_squares(places[q], i) <= most); met;
                 met &= met - 1)
                found[count++] = i + (uint32_t)__builtin_ctz(met);
        ct_bench_use(count);
    }
}

static double run_spheres(void) {
    prepare();
    const double start_ns = ct_bench_now_ns();
    ask_spheres();
    return ns_each(start_ns);
}

static double plain_run_spheres(void) {
    prepare();
    const double start_ns = ct_bench_now_ns();
    plain_ask_spheres();
    return ns_each(start_ns);
}

static double run_frame(void) {
    choose_boxes();
    const double start_ns = ct_bench_now_ns();
    ct_broadphase_move(broadphase, items, boxes, num);
    ask_spheres();
    return (ct_bench_now_ns() - start_ns) / 1e3;
}

static double plain_run_frame(void) {
    choose_boxes();
    const double start_ns = ct_bench_now_ns();
    plain_move();
    plain_ask_spheres();
    return (ct_bench_now_ns() - start_ns) / 1e3;
}

static double run_nearest(void) {
    prepare();
    ct_broadphase_hit hits[NUM_NEAREST];
    const double start_ns = ct_bench_now_ns();
    for (uint32_t i = 0; i < NUM_PLACES; ++i)
        ct_bench_use(ct_broadphase_nearest(broadphase, places[i], 50, hits, NUM_NEAREST));
    return ns_each(start_ns);
}

// Keeps the best in order; most boxes are worse than the last of them.
static void plain_keep(ct_broadphase_hit *hits, uint32_t *count, ct_broadphase_hit hit) {
    uint32_t at = *count < NUM_NEAREST ? (*count)++ : NUM_NEAREST - 1;
    for (; at && hits[at - 1].distance > hit.distance; --at)
        hits[at] = hits[at - 1];
    hits[at] = hit;
}

static double plain_run_nearest(void) {
    prepare();
    const double start_ns = ct_bench_now_ns();
    for (uint32_t q = 0; q < NUM_PLACES; ++q) {
        ct_broadphase_hit hits[NUM_NEAREST];
        uint32_t count = 0;
        float most = 50 * 50;
        for (uint32_t i = 0; i < num; i += 4) {
            const ct_column squares = plain_squares(places[q], i);
            for (uint32_t met = ct_column_mask(squares < ct_column_all(most)); met;
                 met &= met - 1) {
                const uint32_t lane = (uint32_t)__builtin_ctz(met);
                if (squares[lane] < most)
                    plain_keep(hits, &count, (ct_broadphase_hit){squares[lane], i + lane});
                most = count == NUM_NEAREST ? hits[NUM_NEAREST - 1].distance : most;
            }
        }
        ct_bench_use(hits[0].value);
    }
    return ns_each(start_ns);
}

static double run_rays(void) {
    prepare();
    ct_broadphase_hit hit;
    const double start_ns = ct_bench_now_ns();
    for (uint32_t i = 0; i < NUM_PLACES; ++i)
        ct_bench_use(ct_broadphase_ray(broadphase,
                                       (ct_ray){places[(i + 1) % NUM_PLACES], directions[i]},
                                       ray_length, &hit, 1));
    return ns_each(start_ns);
}

// Horizontal rays: two axes have slabs, the third is a range.
static double plain_run_rays(void) {
    prepare();
    const double start_ns = ct_bench_now_ns();
    for (uint32_t q = 0; q < NUM_PLACES; ++q) {
        const ct_vec3 from = places[(q + 1) % NUM_PLACES], way = directions[q];
        const ct_column z = ct_column_all(from.z);
        float best = ray_length;
        for (uint32_t i = 0; i < num; i += 4) {
            ct_column enter = ct_column_all(0), leave = ct_column_all(best);
            for (uint32_t k = 0; k < 2; ++k) {
                const ct_column p = ct_column_all(from.raw[k]),
                                inverse = ct_column_all(1 / way.raw[k]);
                const ct_column a = (ct_column_of(plain.bounds[k] + i) - p) * inverse;
                const ct_column b = (ct_column_of(plain.bounds[3 + k] + i) - p) * inverse;
                enter = ct_column_max(enter, ct_column_min(a, b));
                leave = ct_column_min(leave, ct_column_max(a, b));
            }
            ct_column_bits is_met = enter <= leave;
            is_met &= ct_column_of(plain.bounds[2] + i) <= z;
            is_met &= ct_column_of(plain.bounds[5] + i) >= z;
            for (uint32_t met = ct_column_mask(is_met); met; met &= met - 1)
                best = fminf(best, enter[__builtin_ctz(met)]);
        }
        ct_bench_use((uint64_t)best);
    }
    return ns_each(start_ns);
}

// --- Frusta --------------------------------------------------------------------------------------

static void look(float far_range, float back) {
    const ct_vec3 at = ct_vec3_make(world_size / 2, world_size / 2 - back, height / 2);
    const ct_mat4 camera = ct_mat4_compose(at, ct_quat_identity(), ct_vec3_make(1, 1, 1));
    const ct_mat4 projection = ct_mat4_perspective(1, 1.5f, 0.1f, far_range);
    const ct_mat4 to_clip = ct_mat4_mul(projection, ct_mat4_inverse(camera));
    frustum = ct_frustum_from(&to_clip);
}

static void begin_few(void) {
    begin_100000();
    look(60, 0);
}

static void begin_half(void) {
    begin_100000();
    look(10 * world_size, 0.3f * world_size);
}

static void begin_all(void) {
    begin_100000();
    look(10 * world_size, 3 * world_size);
}

static double run_frustum(void) {
    prepare();
    const double start_ns = ct_bench_now_ns();
    ct_bench_use(ct_broadphase_overlap_frustum(broadphase, &frustum, found, num));
    return (ct_bench_now_ns() - start_ns) / 1e3;
}

static double plain_run_frustum(void) {
    prepare();
    const ct_aabb_arrays arrays = {plain.bounds[0], plain.bounds[1], plain.bounds[2],
                                   plain.bounds[3], plain.bounds[4], plain.bounds[5]};
    const double start_ns = ct_bench_now_ns();
    uint32_t count = 0;
    ct_frustum_cull_aabbs(&frustum, &arrays, num, plain.visible);
    for (uint32_t i = 0; i < num; ++i) {
        found[count] = i;
        count += plain.visible[i];
    }
    ct_bench_use(count);
    return (ct_bench_now_ns() - start_ns) / 1e3;
}

static const ct_bench_case cases[] = {
    {"broadphase_sphere", "300 boxes", "sweep", "ns", 1.2, 0, begin_300, end, run_spheres,
     plain_run_spheres},
    {"broadphase_sphere", "10,000 boxes", "sweep", "ns", 0.1, 0, begin_10000, end, run_spheres,
     plain_run_spheres},
    {"broadphase_sphere", "100,000 boxes", "sweep", "ns", 0.02, 0, begin_100000, end, run_spheres,
     plain_run_spheres},
    {"broadphase_nearest", "8 of 10,000 boxes", "sweep", "ns", 0.15, 0, begin_10000, end,
     run_nearest, plain_run_nearest},
    {"broadphase_ray", "the first of 10,000 boxes", "sweep", "ns", 0.08, 0, begin_10000, end,
     run_rays, plain_run_rays},
    {"broadphase_move", "10,000 boxes, bulk", "arrays", "ns", 15, 0, begin_10000, end, run_move,
     plain_run_move},
    {"broadphase_frame", "10,000 moved, 1,000 spheres", "sweep", "us", 0.15, 0, begin_10000, end,
     run_frame, plain_run_frame},
    {"broadphase_frustum", "few of 100,000", "sweep", "us", 0.05, 0, begin_few, end, run_frustum,
     plain_run_frustum},
    {"broadphase_frustum", "half of 100,000", "sweep", "us", 0.9, 0, begin_half, end, run_frustum,
     plain_run_frustum},
    {"broadphase_frustum", "all of 100,000", "sweep", "us", 1.2, 0, begin_all, end, run_frustum,
     plain_run_frustum},
};

const ct_bench_group ct_bench_broadphase = {"broadphase", cases, CT_COUNT_OF(cases)};
