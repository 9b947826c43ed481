// worker_navigation_shapes.h: shapes of a level as triangles.
#pragma once
#include "compiler/types/navigation/worker_navigation.h"
#include "resource/types/component/actor_data.h"

// A collision shape of a mesh resource, in the mesh's space.
typedef struct ct_worker_navigation_mesh_shape {
    ct_string_id32 name; // of the node; 0: made by `collision`
    bool is_solid;       // convex: the triangles are around it
    ct_worker_navigation_triangles triangles;
} ct_worker_navigation_mesh_shape;

// What of a mesh resource can be walked on.
typedef struct ct_worker_navigation_mesh {
    CT_ARRAY(ct_worker_navigation_mesh_shape) shapes;
    ct_worker_navigation_triangles drawn; // of the full level of detail
} ct_worker_navigation_mesh;

// --- worker_navigation_mesh.c --------------------------------------------------------------------

// Returns the name of a resource that the level's units refer to, or NULL.
const char *ct_worker_navigation_name_of(const ct_worker_navigation *n, const char *type,
                                         ct_string_id64 name);

// Returns a mesh resource that the level's units refer to, read when this is the first call for it. Call
// it between ct_compile_begin_other and the end of that. Returns NULL after errors.
const ct_worker_navigation_mesh *ct_worker_navigation_mesh_of(ct_worker_navigation *n,
                                                              ct_string_id64 id);

// Reads a height field and adds it with a pose. Returns false after errors.
bool ct_worker_navigation_add_heights(ct_worker_navigation *n, const char *name,
                                      const ct_mat4 *pose);

// --- worker_navigation_shapes.c ------------------------------------------------------------------

// Appends the triangles of the hull of points to `triangles`. Nothing when they are flat.
void ct_worker_navigation_add_hull(ct_worker_navigation *n, const ct_vec3 *points, uint32_t count,
                                   ct_worker_navigation_triangles *triangles);

// Appends the 12 triangles of a box, and those of a ball.
void ct_worker_navigation_add_box(const ct_mat4 *pose, ct_vec3 half,
                                  ct_worker_navigation_triangles *triangles);
void ct_worker_navigation_add_ball(const ct_mat4 *pose, float radius,
                                   ct_worker_navigation_triangles *triangles);

// Adds a box, a ball, a capsule, a cylinder or a plane at a pose as a piece.
void ct_worker_navigation_add_simple(ct_worker_navigation *n, const ct_actor_shape_data *shape,
                                     const ct_mat4 *pose);

// Adds triangles at a pose as a piece. Those that are not finite or without an area are left out.
void ct_worker_navigation_add_triangles(ct_worker_navigation *n,
                                        const ct_worker_navigation_triangles *triangles,
                                        bool is_solid, const ct_mat4 *pose);
