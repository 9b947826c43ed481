// worker_gltf_skins.h: the skins of a glTF file, and the skin that a node gives its mesh.
#pragma once
#include "compiler/types/model/worker_gltf_file.h"

// Adds all skins, at their positions in the file. Nodes must be there. A skin with a joint that is
// not in the scene gets no joints; that is an error when a mesh of the scene has the skin. Returns
// false after reporting what is wrong.
bool ct_gltf_add_skins(ct_gltf_file *g);

// Returns the position of the first primitive of a mesh that is read, with the skin that the node
// names (CT_GLTF_NONE: without one). A mesh that nodes use with several skins is there once for
// each; they share their arrays.
uint32_t ct_gltf_skinned_mesh(ct_gltf_file *g, uint32_t mesh, uint32_t skin);
