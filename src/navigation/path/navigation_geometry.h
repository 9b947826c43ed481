// navigation_geometry.h: plane geometry of searches, seen from above.
#pragma once
#include <math.h>

#include "foundation/math/math.h"
#include "navigation/navigation_mesh.h"

#define CT_NAVIGATION_NEAR 1e-4f // metres within which points are the same

// Twice the area of a, b, c: above 0 where c is to the left of a to b.
static inline double ct_navigation_turn(ct_vec3 a, ct_vec3 b, ct_vec3 c) {
    return ((double)b.x - a.x) * ((double)c.y - a.y) - ((double)b.y - a.y) * ((double)c.x - a.x);
}

// Metres from `a` to `b`.
static inline float ct_navigation_distance(ct_vec3 a, ct_vec3 b) {
    const float x = b.x - a.x, y = b.y - a.y, z = b.z - a.z;
    return sqrtf(x * x + y * y + z * z);
}

// Metres from `a` to `b` as seen from above.
static inline float ct_navigation_flat_distance(ct_vec3 a, ct_vec3 b) {
    const float x = b.x - a.x, y = b.y - a.y;
    return sqrtf(x * x + y * y);
}

// Whether points are the same, from above.
static inline bool ct_navigation_is_at(ct_vec3 a, ct_vec3 b) {
    return fabsf(a.x - b.x) < CT_NAVIGATION_NEAR && fabsf(a.y - b.y) < CT_NAVIGATION_NEAR;
}

// Where `t` of a to b is (0 to 1) that is nearest to `p` from above.
static inline float ct_navigation_along(ct_vec3 a, ct_vec3 b, ct_vec3 p) {
    const float x = b.x - a.x, y = b.y - a.y, square = x * x + y * y;
    const float t = square > 0 ? ((p.x - a.x) * x + (p.y - a.y) * y) / square : 0;
    return t < 0 ? 0 : t > 1 ? 1 : t;
}

// The point of a to b nearest to `p` from above.
static inline ct_vec3 ct_navigation_nearest_of(ct_vec3 a, ct_vec3 b, ct_vec3 p) {
    const float t = ct_navigation_along(a, b, p);
    return t >= 1 ? b : ct_vec3_lerp(a, b, t);
}

// Where the line from `a` through `b` meets c to d, which has points on both sides of it.
static inline ct_vec3 ct_navigation_meeting(ct_vec3 a, ct_vec3 b, ct_vec3 c, ct_vec3 d) {
    const double to_c = ct_navigation_turn(a, b, c), to_d = ct_navigation_turn(a, b, d);
    const double sum = to_c - to_d;
    const float t = sum != 0 ? (float)(to_c / sum) : 0;
    return ct_vec3_lerp(c, d, t < 0 ? 0 : t > 1 ? 1 : t);
}

// The point of the interval from right to left through which the shortest way from `a` to `b` goes.
// `b` may be on either side.
static inline ct_vec3 ct_navigation_through(ct_vec3 a, ct_vec3 right, ct_vec3 left, ct_vec3 b) {
    const double side_a = ct_navigation_turn(right, left, a);
    double side_b = ct_navigation_turn(right, left, b);
    if ((side_a > 0) == (side_b > 0))
        side_b = -side_b; // as in a mirror
    const double sum = side_a - side_b;
    const float along_x = left.x - right.x, along_y = left.y - right.y;
    const float square = along_x * along_x + along_y * along_y;
    if (square <= 0)
        return right;
    // Where the feet of both are on the line, and between them by their distances.
    const float foot_a = (a.x - right.x) * along_x + (a.y - right.y) * along_y;
    const float foot_b = (b.x - right.x) * along_x + (b.y - right.y) * along_y;
    const float share = sum != 0 ? (float)(side_a / sum) : 0.5f;
    const float t = (foot_a + (foot_b - foot_a) * share) / square;
    return t <= 0 ? right : t >= 1 ? left : ct_vec3_lerp(right, left, t);
}

// Whether all parts are finite.
static inline bool ct_navigation_is_finite(ct_vec3 p) {
    return isfinite(p.x) && isfinite(p.y) && isfinite(p.z);
}
