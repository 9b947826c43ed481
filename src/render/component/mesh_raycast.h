// mesh_raycast.h: finds where a ray hits the triangles of a mesh.
//
// Tests the box of the mesh first, then each triangle of its full level of detail, from either
// side. A skinned mesh is tested as it was modelled, not as it is posed. Meant for picking with the mouse and for a few rays a frame. It only reads a blob: any
// thread.
#pragma once
#include "foundation/math/math_types.h"
#include "resource/types/mesh_resource.h"

typedef struct ct_mesh_hit {
    float distance;    // along the ray, in lengths of its direction
    uint32_t triangle; // from 0, in the order of the mesh's indices
    ct_vec3 normal;    // in the world, of length 1, on the triangle's front side
} ct_mesh_hit;

// Finds the first triangle that a ray hits within `longest`, in lengths of the ray's direction; of
// two at the same distance, the one with the lower index. The ray is in world space, and `pose`
// transforms the mesh to world space. Returns false and leaves `hit` unchanged when the ray hits no
// triangle, or when `pose` flattens the mesh. Cost: one test, and one for each triangle when the
// ray hits the box.
bool ct_mesh_raycast(const ct_mesh_resource *mesh, const ct_mat4 *pose, ct_ray ray, float longest,
                     ct_mesh_hit *hit);
