// math.h: what vectors, quaternions, matrices, boxes and frusta can do; cglm behind our names.
//
// The types and their conventions are in math_types.h. A pose is the matrix from a thing's local space
// to the space of its parent, or to world space. math_shapes.h tests shapes against each other and
// against rays, math_bulk.h works on arrays. The same sources give the same bits with gcc and clang,
// except for functions that call the C library's sine and the like: these give the same bits with the
// same C library.
#pragma once
#include "foundation/math/math_types.h"

#ifndef CGLM_FORCE_DEPTH_ZERO_TO_ONE
#define CGLM_FORCE_DEPTH_ZERO_TO_ONE
#endif
#include <cglm/struct.h>
#include <math.h>

// Make vectors of their parts.
static inline ct_vec2 ct_vec2_make(float x, float y) {
    return (ct_vec2){{x, y}};
}
static inline ct_vec3 ct_vec3_make(float x, float y, float z) {
    return (ct_vec3){{x, y, z}};
}
// Sum and difference, part by part.
static inline ct_vec3 ct_vec3_add(ct_vec3 a, ct_vec3 b) {
    return glms_vec3_add(a, b);
}
static inline ct_vec3 ct_vec3_sub(ct_vec3 a, ct_vec3 b) {
    return glms_vec3_sub(a, b);
}
// Products: of all parts with one number, and part by part.
static inline ct_vec3 ct_vec3_scale(ct_vec3 v, float s) {
    return glms_vec3_scale(v, s);
}
static inline ct_vec3 ct_vec3_mul(ct_vec3 a, ct_vec3 b) {
    return glms_vec3_mul(a, b);
}
// Dot product.
static inline float ct_vec3_dot(ct_vec3 a, ct_vec3 b) {
    return glms_vec3_dot(a, b);
}
// Cross product.
static inline ct_vec3 ct_vec3_cross(ct_vec3 a, ct_vec3 b) {
    return glms_vec3_cross(a, b);
}
// The square root of the sum of squares, in the unit of the parts.
static inline float ct_vec3_length(ct_vec3 v) {
    return glms_vec3_norm(v);
}
// Returns `v` at length 1; the zero vector stays zero.
static inline ct_vec3 ct_vec3_normalize(ct_vec3 v) {
    return glms_vec3_normalize(v);
}
// Goes evenly from `a` (t = 0) to `b` (t = 1), and beyond for other values of `t`.
static inline ct_vec3 ct_vec3_lerp(ct_vec3 a, ct_vec3 b, float t) {
    return glms_vec3_lerp(a, b, t);
}

// Returns the rotation that turns nothing.
static inline ct_quat ct_quat_identity(void) {
    return glms_quat_identity();
}
// Returns the rotation `b` followed by `a`.
static inline ct_quat ct_quat_mul(ct_quat a, ct_quat b) {
    return glms_quat_mul(a, b);
}
// Returns the rotation about `axis` (of any length but 0) by `angle` radians, counter-clockwise
// seen from where the axis points.
static inline ct_quat ct_quat_axis_angle(ct_vec3 axis, float angle) {
    return glms_quatv(angle, axis);
}
// Rotates `v` by `q`, which need not have length 1.
static inline ct_vec3 ct_quat_rotate(ct_quat q, ct_vec3 v) {
    return glms_quat_rotatev(q, v);
}
// Returns `q`, however long or short, at length 1; a quaternion of zeros gives the identity, one of
// infinite or undefined numbers such numbers.
ct_quat ct_quat_normalize_extreme(ct_quat q); // where the square of the length is no usual number
static inline ct_quat ct_quat_normalize(ct_quat q) {
    const float length_squared = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
    const bool is_usual = length_squared > 1e-30f && length_squared < 1e30f;
    return is_usual ? glms_quat_normalize(q) : ct_quat_normalize_extreme(q);
}
// As ct_quat_normalize, but a quaternion that is within about 1e-6 of length 1 stays exactly as
// it is.
static inline ct_quat ct_quat_unit(ct_quat q) {
    const float length_squared = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
    return fabsf(length_squared - 1) < 1e-6f ? q : ct_quat_normalize(q);
}

// Returns the inverse of a rotation of length 1.
static inline ct_quat ct_quat_conjugate(ct_quat q) {
    return (ct_quat){{-q.x, -q.y, -q.z, q.w}};
}
// Returns the cosine of half the angle between two rotations of length 1; negative when `a` and
// -b are the closer pair, as q and -q are the same rotation.
static inline float ct_quat_dot(ct_quat a, ct_quat b) {
    return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}

// Returns the transform that changes nothing.
static inline ct_mat4 ct_mat4_identity(void) {
    return glms_mat4_identity();
}
// Returns the transform `b` followed by `a`.
static inline ct_mat4 ct_mat4_mul(ct_mat4 a, ct_mat4 b) {
    return glms_mat4_mul(a, b);
}
// Returns the inverse of any matrix. When it has none, the result is not finite.
static inline ct_mat4 ct_mat4_inverse(ct_mat4 m) {
    return glms_mat4_inv(m);
}
// Transforms a point (moved by the position of `m`), or a direction (not moved). For poses: the
// last row is not used.
static inline ct_vec3 ct_mat4_transform_point(ct_mat4 m, ct_vec3 p) {
    return glms_mat4_mulv3(m, p, 1.0f);
}
static inline ct_vec3 ct_mat4_transform_direction(ct_mat4 m, ct_vec3 v) {
    return glms_mat4_mulv3(m, v, 0.0f);
}
// Returns the position of a pose, its last column.
static inline ct_vec3 ct_mat4_position(ct_mat4 m) {
    return (ct_vec3){{m.col[3].x, m.col[3].y, m.col[3].z}};
}

// Returns the matrix that scales, then rotates, then moves.
ct_mat4 ct_mat4_compose(ct_vec3 position, ct_quat rotation, ct_vec3 scale);

// Splits a matrix without shear into its parts. A mirrored matrix gives a negative x scale.
void ct_mat4_decompose(const ct_mat4 *m, ct_vec3 *position, ct_quat *rotation, ct_vec3 *scale);

// Turns from `a` (t = 0) to `b` (t = 1) the shorter way, at a speed that is not quite even: when
// they are a quarter turn apart, the ends are a tenth slower than the mean and the middle is a
// twentieth faster. It is cheap, and enough for neighbouring keys of an animation.
ct_quat ct_quat_nlerp(ct_quat a, ct_quat b, float t);

// As ct_quat_nlerp, but at an even speed (Shoemake 1985).
ct_quat ct_quat_slerp(ct_quat a, ct_quat b, float t);

// Returns the rotation of a pose without scale, as ct_mat4_decompose does.
ct_quat ct_quat_from_mat4(const ct_mat4 *m);

// Returns the rotation by angles.x about the x axis, then angles.y about the y axis, then
// angles.z about the z axis, in radians. The axes stay those of the parent space.
ct_quat ct_quat_from_euler_xyz(ct_vec3 angles);

// Returns the angles from which ct_quat_from_euler_xyz makes `q` (of length 1): x and z from -pi
// to pi, y from -pi/2 to pi/2. When y is a quarter turn, to 1.5e-6, x and z turn about one axis,
// and z is 0. Close to a quarter turn x and z are inexact, but together they give the rotation.
ct_vec3 ct_quat_to_euler_xyz(ct_quat q);

// Returns the rotation whose forward (y) is `direction` and whose up is as near to `up` as
// possible.
ct_quat ct_quat_look(ct_vec3 direction, ct_vec3 up);

// Returns the inverse of a pose: of a matrix whose last row is 0 0 0 1. Takes about a third of
// the time of ct_mat4_inverse. When there is no inverse (a scale of 0), the result is not
// finite.
ct_mat4 ct_mat4_inverse_affine(const ct_mat4 *m);

// Returns the matrix from camera space (x right, y forward, z up) to Vulkan's clip space (x
// right, y down, depth 0 at `near_range` to 1 at `far_range`). The angle is vertical, in
// radians; `aspect` is width / height.
ct_mat4 ct_mat4_perspective(float vertical_fov, float aspect, float near_range, float far_range);

// As ct_mat4_perspective for a frustum that need not be symmetric. Give its edges where it is 1
// metre in front of the eye, which are tangents of angles; left < right, bottom < top.
ct_mat4 ct_mat4_perspective_off_axis(float left, float right, float bottom, float top,
                                     float near_range, float far_range);

// As ct_mat4_perspective for a box of camera space; edges in metres.
ct_mat4 ct_mat4_orthographic(float left, float right, float bottom, float top, float near_range,
                             float far_range);

// Transforms a point in world space to clip space divided by w: x and y from -1 to 1 in the
// picture (left to right, top to bottom), z the depth from 0 to 1. Returns false and leaves
// `clip` unchanged when the point is beside or behind the eye of a perspective camera.
bool ct_mat4_project_point(const ct_mat4 *view_projection, ct_vec3 point, ct_vec3 *clip);

// Transforms a point of clip space back, with the inverse of the view-projection matrix. Depth 1
// of an infinite far range has no point: the result is not finite.
ct_vec3 ct_mat4_unproject_point(const ct_mat4 *inverse_view_projection, ct_vec3 clip);

// Returns the frustum in world space of a view-projection matrix (Gribb and Hartmann 2001).
ct_frustum ct_frustum_from(const ct_mat4 *view_projection);

// Returns false when the box lies wholly outside one plane; true for some boxes outside near the
// frustum's edges.
bool ct_frustum_intersects_aabb(const ct_frustum *f, ct_aabb box);

// Returns whether a minimum exceeds its maximum.
static inline bool ct_aabb_is_empty(ct_aabb box) {
    return box.min.x > box.max.x || box.min.y > box.max.y || box.min.z > box.max.z;
}
// Returns the empty box that grows to exactly what is added to it: its minima are FLT_MAX, its
// maxima -FLT_MAX.
ct_aabb ct_aabb_empty(void);
// Return the smallest box around a box and a point, or around two boxes.
ct_aabb ct_aabb_add_point(ct_aabb box, ct_vec3 p);
ct_aabb ct_aabb_merge(ct_aabb a, ct_aabb b);

// Returns the axis-aligned box around `box` transformed by `m` (Arvo 1990); an empty one for an
// empty box.
ct_aabb ct_aabb_transform(const ct_mat4 *m, ct_aabb box);

// Return whether all parts are finite numbers. (x - x is 0 for finite x only.)
static inline bool ct_vec3_is_finite(ct_vec3 v) {
    return (v.x - v.x) + (v.y - v.y) + (v.z - v.z) == 0;
}
bool ct_quat_is_finite(ct_quat q);
// True for a quaternion that ct_quat_normalize makes a rotation of: finite, and not nearly zero.
bool ct_quat_is_rotation(ct_quat q);
bool ct_mat4_is_finite(const ct_mat4 *m);
