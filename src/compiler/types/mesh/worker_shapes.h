// worker_shapes.h: turns the shapes of a model (collision, occluders) from triangles into the data
// of a mesh's blob.
#pragma once
#include "compiler/protocol/compile.h"
#include "compiler/types/model/worker_matrix.h"
#include "resource/types/mesh_resource.h"

// A point in mesh space, metres.
typedef struct ct_worker_point {
    float at[3];
} ct_worker_point;

typedef CT_ARRAY(ct_worker_point) ct_worker_point_array;

// The shape of one node, or of the whole mesh, in the space of the mesh.
typedef struct ct_worker_shape {
    const char *node; // its name; NULL: the whole mesh
    ct_mesh_shape_use use;
    ct_mesh_shape_kind kind;
    uint32_t most_hulls;           // of kind CONVEX: split into up to that many; 0: one hull
    float concavity;               // metres, of shapes that are split
    ct_worker_matrix space;        // of the node: its box has these axes
    ct_worker_point_array corners; // of triangles, three each, finite
} ct_worker_shape;

typedef CT_ARRAY(ct_worker_shape) ct_worker_shape_array;

// The shapes as they are in the blob.
typedef struct ct_worker_shape_data {
    CT_ARRAY(ct_mesh_shape) shapes;
    ct_worker_point_array points;
    ct_u32_array indices;
    CT_ARRAY(ct_mesh_hull) hulls;
    ct_worker_point_array hull_points;
    CT_ARRAY(ct_mesh_tree_node) nodes;
} ct_worker_shape_data;

// Joins equal points, drops triangles without area, finds boxes and spheres, and cooks collision
// shapes (worker_shape_cook.h). Everything comes from c->allocator. Returns false after reporting a
// shape that has no triangle with an area, or cannot be cooked, at `at`, with `file` and the node.
bool ct_worker_shapes_build(ct_compile *c, const ct_worker_shape_array *shapes, const char *file,
                            ct_sjson_value at, ct_worker_shape_data *data);

// Appends all arrays and sets them in `blob`.
void ct_worker_shapes_write(const ct_worker_shape_data *data, ct_blob_writer *w,
                            ct_mesh_resource *blob);
