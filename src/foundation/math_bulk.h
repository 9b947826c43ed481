// math_bulk.h: math over arrays, four elements at a time.
//
// Plain loops over the compiler's vectors of four floats: SSE on x86, whatever there is elsewhere.
// Arrays need no more alignment than their elements have. Culling gives bit for bit what the
// functions over one shape give, in any grouping, so a range may be split over tasks. Any thread.
#pragma once
#include "foundation/math.h"

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

// results[i] = a * b[i]; `results` may be `b`. For camera and projection matrices and for parents.
void ct_mat4_mul_many(const ct_mat4 *a, const ct_mat4 *b, ct_mat4 *results, uint32_t count);

// The box around `count` points; empty for none.
ct_aabb ct_aabb_around_points(const ct_vec3 *points, uint32_t count);
