// math_shapes.h: planes, spheres, boxes and rays, and where they meet.
//
// Plain values; all shapes of one call are in the same space, metres. A plane is a ct_vec4 as in
// ct_frustum: the normal in xyz, and in w what makes dot(normal, p) + w the signed distance of p in
// lengths of the normal, positive on the side to which it points. Touching counts as meeting.
// Empty shapes (ct_aabb_empty, a negative radius) meet nothing and contain nothing.
#pragma once
#include "foundation/math/math.h"

#ifdef __cplusplus
extern "C" {
#endif

// --- Planes --------------------------------------------------------------------------------------

// The plane through `point`; `normal` has length 1.
static inline ct_vec4 ct_plane_through(ct_vec3 point, ct_vec3 normal) {
    return (ct_vec4){{normal.x, normal.y, normal.z, -ct_vec3_dot(normal, point)}};
}

// The plane through three points, counter-clockwise seen from where its normal points; all zeros
// when they lie on one line.
ct_vec4 ct_plane_from_points(ct_vec3 a, ct_vec3 b, ct_vec3 c);

// Returns the signed distance of `point` from the plane in lengths of its normal; positive in
// front.
static inline float ct_plane_distance(ct_vec4 plane, ct_vec3 point) {
    return plane.x * point.x + plane.y * point.y + plane.z * point.z + plane.w;
}

// --- Axis-aligned boxes --------------------------------------------------------------------------

// Returns the middle of a box that is not empty.
static inline ct_vec3 ct_aabb_center(ct_aabb box) {
    return ct_vec3_scale(ct_vec3_add(box.min, box.max), 0.5f);
}
// Returns half the extents of a box that is not empty.
static inline ct_vec3 ct_aabb_half(ct_aabb box) {
    return ct_vec3_scale(ct_vec3_sub(box.max, box.min), 0.5f);
}

// Tests that count touching; an empty box contains and meets nothing.
bool ct_aabb_contains_point(ct_aabb box, ct_vec3 point);
bool ct_aabb_intersects_aabb(ct_aabb a, ct_aabb b);
bool ct_aabb_intersects_sphere(ct_aabb box, ct_sphere sphere);

// Returns the point of the box (not empty) that is nearest to `point`.
ct_vec3 ct_aabb_nearest_point(ct_aabb box, ct_vec3 point);

// --- Spheres -------------------------------------------------------------------------------------

// Returns the sphere through the corners of a box; an empty one for an empty box.
ct_sphere ct_sphere_around_aabb(ct_aabb box);

// Returns the smallest sphere around both; an empty one adds nothing.
ct_sphere ct_sphere_merge(ct_sphere a, ct_sphere b);

// Returns a sphere around `sphere` transformed by a pose; its radius grows by the largest scale.
ct_sphere ct_sphere_transform(const ct_mat4 *m, ct_sphere sphere);

// Tests that count touching; an empty sphere contains and meets nothing.
bool ct_sphere_contains_point(ct_sphere sphere, ct_vec3 point);
bool ct_sphere_intersects_sphere(ct_sphere a, ct_sphere b);

// --- Oriented boxes ------------------------------------------------------------------------------

// Returns the box that `pose`, of any scale but no shear, makes of `local`, which is not empty.
// An axis whose scale is 0 follows from the others.
ct_obb ct_obb_from_pose(const ct_mat4 *pose, ct_aabb local);

// Returns the axis-aligned box around an oriented one.
ct_aabb ct_aabb_around_obb(const ct_obb *box);

// Returns whether the point is in the box or touches it.
bool ct_obb_contains_point(const ct_obb *box, ct_vec3 point);

// Returns whether two boxes meet, by separating axes (Gottschalk, Lin and Manocha 1996). Exact
// to rounding; boxes with parallel edges that miss by less than about a millionth of their size
// may count as meeting.
bool ct_obb_intersects_obb(const ct_obb *a, const ct_obb *b);

// --- Frusta --------------------------------------------------------------------------------------

// Return false when the shape lies wholly outside one plane; as with ct_frustum_intersects_aabb,
// true for some shapes outside near the frustum's edges.
bool ct_frustum_intersects_sphere(const ct_frustum *f, ct_sphere sphere);
bool ct_frustum_intersects_obb(const ct_frustum *f, const ct_obb *box);

// Returns whether the point is in front of all planes or on them.
bool ct_frustum_contains_point(const ct_frustum *f, ct_vec3 point);

// --- Rays ----------------------------------------------------------------------------------------

// Returns the point at distance `t`, in lengths of the direction.
static inline ct_vec3 ct_ray_at(ct_ray ray, float t) {
    return ct_vec3_add(ray.origin, ct_vec3_scale(ray.direction, t));
}

// Each test returns the distance along the ray to the first point where it meets the shape, 0
// when the ray starts inside or on it, or -1 when it misses.

// Meets the plane from either side; a ray within the plane meets it at 0.
float ct_ray_to_plane(ct_ray ray, ct_vec4 plane);
// Meets the surface or the inside of a sphere.
float ct_ray_to_sphere(ct_ray ray, ct_sphere sphere);
// Meets a box, by slabs (Kay and Kajiya 1986).
float ct_ray_to_aabb(ct_ray ray, ct_aabb box);
float ct_ray_to_obb(ct_ray ray, const ct_obb *box);
// Meets the triangle from either side (Möller and Trumbore 1997). It misses a triangle that is
// seen edge-on or that has no area.
float ct_ray_to_triangle(ct_ray ray, ct_vec3 a, ct_vec3 b, ct_vec3 c);

#ifdef __cplusplus
}
#endif
