#include "foundation/math/math_bulk.h"

#include <string.h>

typedef float float4 __attribute__((vector_size(16)));
typedef int32_t int4 __attribute__((vector_size(16)));

static inline float4 load4(const float *from) {
    float4 v;
    memcpy(&v, from, sizeof(v));
    return v;
}

static inline void store4(float *to, float4 v) {
    memcpy(to, &v, sizeof(v));
}

static inline float4 all4(float value) {
    return (float4){value, value, value, value};
}

// Makes rows of columns.
static inline void transpose4(float4 v[4]) {
    const float4 a = __builtin_shufflevector(v[0], v[1], 0, 4, 1, 5);
    const float4 b = __builtin_shufflevector(v[2], v[3], 0, 4, 1, 5);
    const float4 c = __builtin_shufflevector(v[0], v[1], 2, 6, 3, 7);
    const float4 d = __builtin_shufflevector(v[2], v[3], 2, 6, 3, 7);
    v[0] = __builtin_shufflevector(a, b, 0, 1, 4, 5);
    v[1] = __builtin_shufflevector(a, b, 2, 3, 6, 7);
    v[2] = __builtin_shufflevector(c, d, 0, 1, 4, 5);
    v[3] = __builtin_shufflevector(c, d, 2, 3, 6, 7);
}

// --- Culling -------------------------------------------------------------------------------------

// Writes 0 where the mask is set (-1) and 1 where it is not.
static inline void store_visible(uint8_t *visible, int4 is_outside, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i)
        visible[i] = (uint8_t)(is_outside[i] + 1);
}

static inline int4 spheres_outside(const ct_frustum *f, const float (*spheres)[4]) {
    float4 s[4] = {load4(spheres[0]), load4(spheres[1]), load4(spheres[2]), load4(spheres[3])};
    transpose4(s);
    int4 is_outside = s[3] < all4(0);
    const float4 reach = -s[3];
    for (uint32_t i = 0; i < 6; ++i) {
        const ct_vec4 p = f->planes[i];
        const float4 distance = all4(p.x) * s[0] + all4(p.y) * s[1] + all4(p.z) * s[2] + all4(p.w);
        is_outside |= distance < reach;
    }
    return is_outside;
}

void ct_frustum_cull_spheres(const ct_frustum *f, const float (*spheres)[4], uint32_t count,
                             uint8_t *visible) {
    uint32_t i = 0;
    for (; count - i >= 4; i += 4)
        store_visible(visible + i, spheres_outside(f, spheres + i), 4);
    if (i == count)
        return;
    float rest[4][4] = {{0}};
    memcpy(rest, spheres + i, sizeof(rest[0]) * (count - i));
    store_visible(visible + i, spheres_outside(f, (const float(*)[4])rest), count - i);
}

// For each plane, the arrays of the corner farthest along its normal.
typedef struct cull_corners {
    const float *arrays[6][3];
} cull_corners;

static cull_corners far_corners(const ct_frustum *f, const ct_aabb_arrays *b) {
    const float *const min[3] = {b->min_x, b->min_y, b->min_z};
    const float *const max[3] = {b->max_x, b->max_y, b->max_z};
    cull_corners c;
    for (uint32_t i = 0; i < 6; ++i)
        for (uint32_t k = 0; k < 3; ++k)
            c.arrays[i][k] = f->planes[i].raw[k] >= 0 ? max[k] : min[k];
    return c;
}

static inline int4 boxes_outside(const ct_frustum *f, const cull_corners *c,
                                 const ct_aabb_arrays *b, uint32_t at) {
    int4 is_outside = (load4(b->min_x + at) > load4(b->max_x + at)) |
                      (load4(b->min_y + at) > load4(b->max_y + at)) |
                      (load4(b->min_z + at) > load4(b->max_z + at));
    for (uint32_t i = 0; i < 6; ++i) {
        const ct_vec4 p = f->planes[i];
        const float4 distance = all4(p.x) * load4(c->arrays[i][0] + at) +
                                all4(p.y) * load4(c->arrays[i][1] + at) +
                                all4(p.z) * load4(c->arrays[i][2] + at) + all4(p.w);
        is_outside |= distance < all4(0);
    }
    return is_outside;
}

void ct_frustum_cull_aabbs(const ct_frustum *f, const ct_aabb_arrays *boxes, uint32_t count,
                           uint8_t *visible) {
    const cull_corners corners = far_corners(f, boxes);
    uint32_t i = 0;
    for (; count - i >= 4; i += 4)
        store_visible(visible + i, boxes_outside(f, &corners, boxes, i), 4);
    if (i == count)
        return;
    float rest[6][4] = {{0}};
    const float *const arrays[6] = {boxes->min_x, boxes->min_y, boxes->min_z,
                                    boxes->max_x, boxes->max_y, boxes->max_z};
    for (uint32_t k = 0; k < 6; ++k)
        memcpy(rest[k], arrays[k] + i, sizeof(float) * (count - i));
    const ct_aabb_arrays last = {rest[0], rest[1], rest[2], rest[3], rest[4], rest[5]};
    const cull_corners last_corners = far_corners(f, &last);
    store_visible(visible + i, boxes_outside(f, &last_corners, &last, 0), count - i);
}

// --- Transforming --------------------------------------------------------------------------------

static inline float4 transformed(const float4 columns[3], ct_vec3 v) {
    return columns[0] * all4(v.x) + columns[1] * all4(v.y) + columns[2] * all4(v.z);
}

static void load_columns(const ct_mat4 *m, float4 columns[4]) {
    for (uint32_t i = 0; i < 4; ++i)
        columns[i] = load4(m->col[i].raw);
}

static inline ct_vec3 vec3_of(float4 v) {
    return ct_vec3_make(v[0], v[1], v[2]);
}

void ct_mat4_transform_points(const ct_mat4 *m, const ct_vec3 *points, ct_vec3 *results,
                              uint32_t count) {
    float4 columns[4];
    load_columns(m, columns);
    for (uint32_t i = 0; i < count; ++i)
        results[i] = vec3_of(transformed(columns, points[i]) + columns[3]);
}

void ct_mat4_transform_directions(const ct_mat4 *m, const ct_vec3 *directions, ct_vec3 *results,
                                  uint32_t count) {
    float4 columns[4];
    load_columns(m, columns);
    for (uint32_t i = 0; i < count; ++i)
        results[i] = vec3_of(transformed(columns, directions[i]));
}

void ct_mat4_mul_many(const ct_mat4 *a, const ct_mat4 *b, ct_mat4 *results, uint32_t count) {
    float4 columns[4];
    load_columns(a, columns);
    for (uint32_t i = 0; i < count; ++i) {
        const ct_mat4 right = b[i];
        for (uint32_t k = 0; k < 4; ++k) {
            const ct_vec4 c = right.col[k];
            const float4 product = columns[0] * all4(c.x) + columns[1] * all4(c.y) +
                                   columns[2] * all4(c.z) + columns[3] * all4(c.w);
            store4(results[i].col[k].raw, product);
        }
    }
}

// --- Composing -----------------------------------------------------------------------------------

// Four vectors, one in each lane.
typedef struct vec3x4 {
    float4 x, y, z;
} vec3x4;

static inline vec3x4 gather_vec3s(const ct_vec3 *v) {
    return (vec3x4){{v[0].x, v[1].x, v[2].x, v[3].x},
                    {v[0].y, v[1].y, v[2].y, v[3].y},
                    {v[0].z, v[1].z, v[2].z, v[3].z}};
}

// Writes column `column` of four matrices.
static inline void store_columns(ct_mat4 *results, uint32_t column, vec3x4 v, float w) {
    float4 rows[4] = {v.x, v.y, v.z, all4(w)};
    transpose4(rows);
    for (uint32_t i = 0; i < 4; ++i)
        store4(results[i].col[column].raw, rows[i]);
}

static inline vec3x4 scaled(float4 x, float4 y, float4 z, float4 scale) {
    return (vec3x4){x * scale, y * scale, z * scale};
}

static void compose_four(const ct_vec3 *positions, const ct_quat *rotations, const ct_vec3 *scales,
                         ct_mat4 *results) {
    float4 q[4] = {load4(rotations[0].raw), load4(rotations[1].raw), load4(rotations[2].raw),
                   load4(rotations[3].raw)};
    transpose4(q);
    const float4 one = all4(1), x2 = q[0] + q[0], y2 = q[1] + q[1], z2 = q[2] + q[2];
    const float4 xx = q[0] * x2, yy = q[1] * y2, zz = q[2] * z2;
    const float4 xy = q[0] * y2, xz = q[0] * z2, yz = q[1] * z2;
    const float4 wx = q[3] * x2, wy = q[3] * y2, wz = q[3] * z2;
    const vec3x4 scale = gather_vec3s(scales);
    store_columns(results, 0, scaled(one - yy - zz, xy + wz, xz - wy, scale.x), 0);
    store_columns(results, 1, scaled(xy - wz, one - xx - zz, yz + wx, scale.y), 0);
    store_columns(results, 2, scaled(xz + wy, yz - wx, one - xx - yy, scale.z), 0);
    store_columns(results, 3, gather_vec3s(positions), 1);
}

void ct_mat4_compose_many(const ct_vec3 *positions, const ct_quat *rotations, const ct_vec3 *scales,
                          ct_mat4 *results, uint32_t count) {
    uint32_t i = 0;
    for (; count - i >= 4; i += 4)
        compose_four(positions + i, rotations + i, scales + i, results + i);
    if (i == count)
        return;
    const uint32_t left = count - i;
    ct_vec3 last_positions[4] = {{{0, 0, 0}}}, last_scales[4] = {{{0, 0, 0}}};
    ct_quat last_rotations[4] = {{{0, 0, 0, 0}}};
    ct_mat4 last_results[4];
    memcpy(last_positions, positions + i, sizeof(ct_vec3) * left);
    memcpy(last_rotations, rotations + i, sizeof(ct_quat) * left);
    memcpy(last_scales, scales + i, sizeof(ct_vec3) * left);
    compose_four(last_positions, last_rotations, last_scales, last_results);
    memcpy(results + i, last_results, sizeof(ct_mat4) * left);
}

// --- Bounds --------------------------------------------------------------------------------------

ct_aabb ct_aabb_around_points(const ct_vec3 *points, uint32_t count) {
    ct_aabb box = ct_aabb_empty();
    for (uint32_t i = 0; i < count; ++i) {
        for (uint32_t k = 0; k < 3; ++k) {
            const float value = points[i].raw[k];
            box.min.raw[k] = value < box.min.raw[k] ? value : box.min.raw[k];
            box.max.raw[k] = value > box.max.raw[k] ? value : box.max.raw[k];
        }
    }
    return box;
}

// What is finite less itself is 0; NaN and infinities less themselves are NaN, which stays.
bool ct_floats_are_finite(const float *floats, uint64_t count) {
    ct_column sum = {0};
    float rest = 0;
    uint64_t i = 0;
    for (; i + 4 <= count; i += 4) {
        ct_column four;
        memcpy(&four, floats + i, sizeof(four));
        sum += four - four;
    }
    for (; i < count; ++i)
        rest += floats[i] - floats[i];
    return sum[0] + sum[1] + sum[2] + sum[3] + rest == 0;
}
