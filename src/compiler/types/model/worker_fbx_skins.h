// worker_fbx_skins.h: the skins of an FBX file.
#pragma once
#include "compiler/types/model/worker_fbx_nodes.h"

// Adds a skin for each mesh of Assimp's that has bones, and sets the influences of its vertices.
// The scene's meshes are Assimp's, in their order; `chains` has an entry for each node. Of a vertex
// with more than CT_WORKER_FBX_MAX_INFLUENCES the heaviest count. Warns of bones that are no nodes,
// and of influences on vertices that are not there: they are left out.
void ct_worker_fbx_add_skins(ct_compile *c, const struct aiScene *file,
                             const ct_worker_fbx_chain *chains, ct_worker_scene *scene);

enum { CT_WORKER_FBX_MAX_INFLUENCES = 32 };
