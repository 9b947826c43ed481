// convex_distance.h: whether two convex shapes are near each other, whatever they are made of.
//
// A shape is a function that finds its farthest point in a direction. The nearest points of two shapes
// are found by the distance algorithm of Gilbert, Johnson and Keerthi (1988), with the nearest points of
// simplices as in "Real-Time Collision Detection" (Ericson 2005, 5.1 and 9.5). Exact to rounding, which
// grows with the distance from the origin: call it in a space whose origin is near the shapes.
#pragma once
#include "foundation/math/math_types.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ct_convex {
    // Returns the point of the shape that is farthest along `direction`, which has any length.
    ct_vec3 (*farthest)(const void *user, ct_vec3 direction);
    const void *user;
} ct_convex;

// Returns whether two shapes are at most `distance` metres (0 or more) apart. Shapes that overlap are.
// Takes some 100 ns, and no memory.
bool ct_convex_is_within(const ct_convex *a, const ct_convex *b, float distance);

// Returns the farthest point of a ct_obb, for ct_convex.
ct_vec3 ct_obb_farthest(const void *obb, ct_vec3 direction);

#ifdef __cplusplus
}
#endif
