// math_bulk.h: math over arrays, four elements at a time.
//
// Plain loops over the compiler's vectors of four floats: SSE on x86, whatever there is elsewhere.
// Arrays need no more alignment than their elements have. Culling gives bit for bit what the
// functions over one shape give, in any grouping, so a range may be split over tasks. Any thread.
#pragma once
#include "foundation/math/math.h"

// Four floats of a matrix's column.
typedef float ct_column __attribute__((vector_size(16), may_alias));

// The combination of the columns of `m` by the four numbers of `c`.
static inline ct_column ct_column_combined(const ct_column m[4], ct_column c) {
    const ct_column x = {c[0], c[0], c[0], c[0]}, y = {c[1], c[1], c[1], c[1]};
    const ct_column z = {c[2], c[2], c[2], c[2]}, w = {c[3], c[3], c[3], c[3]};
    return m[0] * x + m[1] * y + m[2] * z + m[3] * w;
}

// result = a * b, as ct_mat4_mul, without copies; the three may be the same. For loops in which
// each product waits for another. (Written out: compilers that optimise for size, too, leave a loop
// over four columns as it is.)
static inline void ct_mat4_mul_to(ct_mat4 *result, const ct_mat4 *a, const ct_mat4 *b) {
    const ct_column *const left = (const ct_column *)a, *const right = (const ct_column *)b;
    const ct_column columns[4] = {left[0], left[1], left[2], left[3]};
    const ct_column c0 = ct_column_combined(columns, right[0]);
    const ct_column c1 = ct_column_combined(columns, right[1]);
    const ct_column c2 = ct_column_combined(columns, right[2]);
    const ct_column c3 = ct_column_combined(columns, right[3]);
    ct_column *const to = (ct_column *)result;
    to[0] = c0, to[1] = c1, to[2] = c2, to[3] = c3;
}

// The column of a * b that `column` is of b, in the same bits as ct_mat4_mul_to has it.
static inline ct_column ct_mat4_mul_column(const ct_mat4 *a, ct_column column) {
    return ct_column_combined((const ct_column *)a, column);
}

// True when all of `count` floats are finite.
bool ct_floats_are_finite(const float *floats, uint64_t count);

// Axis-aligned boxes as a structure of arrays of `count` floats each.
typedef struct ct_aabb_arrays {
    const float *min_x, *min_y, *min_z;
    const float *max_x, *max_y, *max_z;
} ct_aabb_arrays;

// Sets visible[i] to 1 when sphere i (x y z of the centre, radius) is not wholly outside one plane
// of the frustum, as ct_frustum_intersects_sphere says, else to 0. A negative radius is never seen.
void ct_frustum_cull_spheres(const ct_frustum *f, const float (*spheres)[4], uint32_t count,
                             uint8_t *visible);

// As ct_frustum_cull_spheres for boxes, as ct_frustum_intersects_aabb says.
void ct_frustum_cull_aabbs(const ct_frustum *f, const ct_aabb_arrays *boxes, uint32_t count,
                           uint8_t *visible);

// results[i] = m * points[i], for points; the arrays may be the same. The last row of `m` is taken
// for 0 0 0 1.
void ct_mat4_transform_points(const ct_mat4 *m, const ct_vec3 *points, ct_vec3 *results,
                              uint32_t count);

// As ct_mat4_transform_points for directions, which the matrix does not move.
void ct_mat4_transform_directions(const ct_mat4 *m, const ct_vec3 *directions, ct_vec3 *results,
                                  uint32_t count);

// results[i] scales by scales[i], then rotates by rotations[i] (of length 1), then moves by
// positions[i], as ct_mat4_compose.
void ct_mat4_compose_many(const ct_vec3 *positions, const ct_quat *rotations, const ct_vec3 *scales,
                          ct_mat4 *results, uint32_t count);

// As ct_mat4_compose_many for one, in the same bits. `rotation` must be of length 1.
static inline ct_mat4 ct_mat4_compose_one(ct_vec3 position, ct_quat rotation, ct_vec3 scale) {
    const ct_quat q = rotation;
    const float x2 = q.x + q.x, y2 = q.y + q.y, z2 = q.z + q.z;
    const float xx = q.x * x2, yy = q.y * y2, zz = q.z * z2;
    const float xy = q.x * y2, xz = q.x * z2, yz = q.y * z2;
    const float wx = q.w * x2, wy = q.w * y2, wz = q.w * z2;
    const ct_mat4 result = {
        .col = {{{(1 - yy - zz) * scale.x, (xy + wz) * scale.x, (xz - wy) * scale.x, 0}},
                {{(xy - wz) * scale.y, (1 - xx - zz) * scale.y, (yz + wx) * scale.y, 0}},
                {{(xz + wy) * scale.z, (yz - wx) * scale.z, (1 - xx - yy) * scale.z, 0}},
                {{position.x, position.y, position.z, 1}}}};
    return result;
}

// results[i] = a * b[i]; `results` may be `b`. For camera and projection matrices and for parents.
void ct_mat4_mul_many(const ct_mat4 *a, const ct_mat4 *b, ct_mat4 *results, uint32_t count);

// The box around `count` points; empty for none.
ct_aabb ct_aabb_around_points(const ct_vec3 *points, uint32_t count);
