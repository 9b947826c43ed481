// worker_gltf_nodes.h: the nodes of the scene that a glTF file shows, with the cameras, lights and
// meshes at them.
#pragma once
#include "compiler/types/model/worker_gltf_file.h"

// Adds nodes to the scene, depth first, and what is at them. Nodes must be a tree of at most
// CT_WORKER_SCENE_MAX_DEPTH. Returns false after reporting what is wrong.
bool ct_gltf_add_nodes(ct_gltf_file *g);
