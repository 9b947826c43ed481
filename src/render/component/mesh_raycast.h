// mesh_raycast.h: where a ray meets the triangles of a mesh.
//
// The box of the mesh first, then each triangle of its full level of detail, from either side: for
// picking with the mouse, and for what a few rays a frame are to know of what is seen. Plain
// reading of a blob; any thread.
#pragma once
#include "foundation/math/math_shapes.h"
#include "resource/types/mesh_resource.h"

typedef struct ct_mesh_hit {
    float distance;    // along the ray, in lengths of its direction
    uint32_t triangle; // from 0, in the order of the mesh's indices
    ct_vec3 normal;    // in the world, of length 1, on the triangle's front side
} ct_mesh_hit;

// Finds the first triangle, the lower one of two at one distance, that a ray in the world meets no
// farther than `longest`. `pose` takes the mesh to the world; one that flattens it is met nowhere.
// False, and `hit` stays as it is, when there is none. A visit to each triangle when the box is
// met.
bool ct_mesh_raycast(const ct_mesh_resource *mesh, const ct_mat4 *pose, ct_ray ray, float longest,
                     ct_mesh_hit *hit);
