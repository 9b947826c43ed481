// worker_gltf_materials.h: the materials of a glTF file, with their maps, textures and samplers.
#pragma once
#include "compiler/types/model/worker_gltf_file.h"

// Adds the file's materials to the scene, in its order, and the images that are inside the file.
// Returns false after reporting what is wrong.
bool ct_gltf_add_materials(ct_gltf_file *g);
