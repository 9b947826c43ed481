// convex_hull.h: the convex hull of a few points: corners, planes, triangles.
//
// Points are added one by one to a first tetrahedron (the incremental algorithm: Kallay 1984). Time
// grows with the square of the number of points, so it is meant for shapes that people draw.
#pragma once
#include "foundation/container/array.h"
#include "foundation/math/math_types.h"

enum { CT_CONVEX_HULL_MAX_POINTS = 256 };

// A hull with room for its arrays. Points and planes are in the space of the points that it was
// made of.
typedef struct ct_convex_hull {
    CT_ARRAY(ct_vec3) points;     // the corners, in the order in which they were given
    CT_ARRAY(ct_vec4) planes;     // a point p is inside when dot(xyz, p) <= w; xyz has length 1
    CT_ARRAY(uint32_t) triangles; // three corners each, counter-clockwise from outside
} ct_convex_hull;

typedef enum ct_convex_hull_result {
    CT_CONVEX_HULL_DONE,
    CT_CONVEX_HULL_FLAT, // all points are in one plane, to a millionth of their extent
} ct_convex_hull_result;

// Makes an empty hull that allocates from `a`.
void ct_convex_hull_init(ct_convex_hull *hull, ct_allocator *a);

// Frees the arrays.
void ct_convex_hull_free(ct_convex_hull *hull);

// Fills `hull` with the hull of 1 to CT_CONVEX_HULL_MAX_POINTS finite points. All points are on
// the inner side of all planes, to about a millionth of their extent. Points nearer to the hull of
// the others than that are left out. Leaves `hull` empty when the points are flat.
ct_convex_hull_result ct_convex_hull_build(ct_convex_hull *hull, const ct_vec3 *points,
                                           uint32_t count);
