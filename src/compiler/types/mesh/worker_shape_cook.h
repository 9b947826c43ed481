// worker_shape_cook.h: computes what physics needs of collision shapes: hulls, and trees that find
// triangles.
#pragma once
#include "compiler/types/mesh/worker_shapes.h"

// Adds the hulls or the tree of a collision shape that was built, and sets them in `s`: hulls of
// kind CONVEX, a tree of kind MESH; other shapes get nothing. Call ct_bullet_init before. Returns
// false after reporting, at `at` with `file` and the node, a hull that has no volume, a shape that
// cannot be split, one of too many triangles, or one too far from the origin.
bool ct_worker_shape_cook(ct_compile *c, const ct_worker_shape *shape, const char *file,
                          ct_sjson_value at, ct_worker_shape_data *data, ct_mesh_shape *s);
