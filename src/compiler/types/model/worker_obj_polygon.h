// worker_obj_polygon.h: cuts polygons of model files to triangles.
#pragma once
#include "foundation/container/array.h"

// The most corners of a polygon that is not convex.
enum { CT_WORKER_OBJ_POLYGON_MAX = 4096 };

// Appends three positions in `points` for each of the num_points - 2 triangles (at least 3 points),
// which turn as the polygon does. Convex ones become a fan; of others ears are clipped, seen along
// the polygon's normal, in n^2 steps. Those that cross themselves, or have no area, become some
// triangles. False, with nothing appended, when one that is not convex is too large. `scratch` is
// for the time of the call.
bool ct_worker_obj_polygon_cut(ct_allocator *scratch, const float (*points)[3], uint32_t num_points,
                               ct_u32_array *triangles);
