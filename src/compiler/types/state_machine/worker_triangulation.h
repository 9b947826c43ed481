// worker_triangulation.h: the triangles of 2D blend spaces.
//
// A Delaunay triangulation (B. Delaunay, 1934): no point is inside the circle around a triangle's
// corners. Points are added from left to right, then edges are flipped (C. Lawson, 1977). For the
// few points of a blend space.
#pragma once
#include "foundation/container/array.h"
#include "resource/types/state_machine_resource.h"

// A place in a blend space.
typedef struct ct_worker_point {
    double x, y;
} ct_worker_point;

typedef struct ct_worker_triangulation {
    CT_ARRAY(ct_state_machine_triangle) triangles; // counter-clockwise
    CT_ARRAY(ct_state_machine_edge) edges; // the hull; of points on a line, those from end to end
} ct_worker_triangulation;

// Triangulates `count` (at least 2) points, all different. The same points give the same triangles
// in any order of the array, but for the numbers of the points. Arrays are made from `a`.
ct_worker_triangulation ct_worker_triangulate(ct_allocator *a, const ct_worker_point *points,
                                              uint32_t count);
