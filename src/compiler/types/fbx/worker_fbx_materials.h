// worker_fbx_materials.h: the materials of an FBX file, and the images inside it: from Assimp,
// but for how textures are wrapped and turned, which it leaves out.
#pragma once
#include "compiler/types/fbx/worker_fbx_objects.h"
#include "compiler/types/model/worker_scene.h"

struct aiScene;

// Adds the images inside the file, and its materials, whose maps name them.
void ct_worker_fbx_add_materials(ct_compile *c, const struct aiScene *file,
                                 const ct_worker_fbx_objects *objects, ct_worker_scene *scene);
