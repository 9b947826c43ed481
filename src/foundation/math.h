// math.h: vectors, quaternions, matrices, boxes and frusta; cglm behind our names.
//
// Right-handed, Z up, Y forward, metres, radians. Matrices are column-major with column vectors;
// quaternions are x y z w. Matrices are 16-byte aligned.
#pragma once
#include <math.h>

#ifndef CGLM_FORCE_DEPTH_ZERO_TO_ONE
#define CGLM_FORCE_DEPTH_ZERO_TO_ONE
#endif
#include <cglm/struct.h>

#include "foundation/types.h"

typedef vec2s ct_vec2;   // .x .y
typedef vec3s ct_vec3;   // .x .y .z
typedef vec4s ct_vec4;   // .x .y .z .w
typedef versors ct_quat; // .x .y .z .w
typedef mat4s ct_mat4;   // .col[0] right (x), .col[1] forward (y), .col[2] up (z), .col[3] position

// An axis-aligned box; empty when a minimum exceeds its maximum.
typedef struct ct_aabb {
    ct_vec3 min, max;
} ct_aabb;

// Six planes (normal inwards in xyz, distance in w): left, right, bottom, top, near, far.
typedef struct ct_frustum {
    ct_vec4 planes[6];
} ct_frustum;

static inline ct_vec3 ct_vec3_make(float x, float y, float z) {
    return (ct_vec3){{x, y, z}};
}
static inline ct_vec3 ct_vec3_add(ct_vec3 a, ct_vec3 b) {
    return glms_vec3_add(a, b);
}
static inline ct_vec3 ct_vec3_sub(ct_vec3 a, ct_vec3 b) {
    return glms_vec3_sub(a, b);
}
static inline ct_vec3 ct_vec3_scale(ct_vec3 v, float s) {
    return glms_vec3_scale(v, s);
}
static inline ct_vec3 ct_vec3_mul(ct_vec3 a, ct_vec3 b) {
    return glms_vec3_mul(a, b);
}
static inline float ct_vec3_dot(ct_vec3 a, ct_vec3 b) {
    return glms_vec3_dot(a, b);
}
static inline ct_vec3 ct_vec3_cross(ct_vec3 a, ct_vec3 b) {
    return glms_vec3_cross(a, b);
}
static inline float ct_vec3_length(ct_vec3 v) {
    return glms_vec3_norm(v);
}
// The zero vector stays zero.
static inline ct_vec3 ct_vec3_normalize(ct_vec3 v) {
    return glms_vec3_normalize(v);
}
static inline ct_vec3 ct_vec3_lerp(ct_vec3 a, ct_vec3 b, float t) {
    return glms_vec3_lerp(a, b, t);
}

static inline ct_quat ct_quat_identity(void) {
    return glms_quat_identity();
}
// The rotation `b` followed by `a`.
static inline ct_quat ct_quat_mul(ct_quat a, ct_quat b) {
    return glms_quat_mul(a, b);
}
static inline ct_quat ct_quat_axis_angle(ct_vec3 axis, float angle) {
    return glms_quatv(angle, axis);
}
static inline ct_vec3 ct_quat_rotate(ct_quat q, ct_vec3 v) {
    return glms_quat_rotatev(q, v);
}
static inline ct_quat ct_quat_normalize(ct_quat q) {
    return glms_quat_normalize(q);
}

static inline ct_mat4 ct_mat4_identity(void) {
    return glms_mat4_identity();
}
// The transform `b` followed by `a`.
static inline ct_mat4 ct_mat4_mul(ct_mat4 a, ct_mat4 b) {
    return glms_mat4_mul(a, b);
}
static inline ct_mat4 ct_mat4_inverse(ct_mat4 m) {
    return glms_mat4_inv(m);
}
static inline ct_vec3 ct_mat4_transform_point(ct_mat4 m, ct_vec3 p) {
    return glms_mat4_mulv3(m, p, 1.0f);
}
static inline ct_vec3 ct_mat4_transform_direction(ct_mat4 m, ct_vec3 v) {
    return glms_mat4_mulv3(m, v, 0.0f);
}
static inline ct_vec3 ct_mat4_position(ct_mat4 m) {
    return (ct_vec3){{m.col[3].x, m.col[3].y, m.col[3].z}};
}

// The matrix that scales, then rotates, then moves.
ct_mat4 ct_mat4_compose(ct_vec3 position, ct_quat rotation, ct_vec3 scale);

// The parts of a matrix without shear. A mirrored matrix gives a negative x scale.
void ct_mat4_decompose(const ct_mat4 *m, ct_vec3 *position, ct_quat *rotation, ct_vec3 *scale);

// The rotation whose forward (y) is `direction` and whose up is as near to `up` as it goes.
ct_quat ct_quat_look(ct_vec3 direction, ct_vec3 up);

// From camera space (x right, y forward, z up) to Vulkan's clip space (x right, y down, depth 0 at
// `near_range` to 1 at `far_range`). The angle is vertical, in radians; `aspect` is width / height.
ct_mat4 ct_mat4_perspective(float vertical_fov, float aspect, float near_range, float far_range);

// As ct_mat4_perspective for a box of camera space.
ct_mat4 ct_mat4_orthographic(float left, float right, float bottom, float top, float near_range,
                             float far_range);

// The frustum in world space of a view-projection matrix (Gribb and Hartmann 2001).
ct_frustum ct_frustum_from(const ct_mat4 *view_projection);

// False when the box lies wholly outside one plane; may be true for some boxes outside.
bool ct_frustum_intersects_aabb(const ct_frustum *f, ct_aabb box);

ct_aabb ct_aabb_empty(void);
ct_aabb ct_aabb_add_point(ct_aabb box, ct_vec3 p);
ct_aabb ct_aabb_merge(ct_aabb a, ct_aabb b);

// The axis-aligned box around `box` transformed by `m` (Arvo 1990).
ct_aabb ct_aabb_transform(const ct_mat4 *m, ct_aabb box);

// True when all parts are finite numbers.
bool ct_vec3_is_finite(ct_vec3 v);
bool ct_quat_is_finite(ct_quat q);
bool ct_mat4_is_finite(const ct_mat4 *m);
