// worker_gltf_mesh.h: the primitives of glTF meshes as triangles.
#pragma once
#include "compiler/types/model/worker_gltf_file.h"

// Adds the primitives of a mesh to the scene, unless they are there. Returns false after reporting
// what is wrong.
bool ct_gltf_add_mesh(ct_gltf_file *g, uint32_t mesh);
