// worker_fbx_views.h: the cameras and lights of an FBX file, and what of its objects is left out.
#pragma once
#include "compiler/types/fbx/worker_fbx_objects.h"
#include "compiler/types/model/worker_scene.h"

// Adds the cameras and lights that are at the scene's nodes; `models` are the nodes' objects.
void ct_worker_fbx_add_views(ct_compile *c, const ct_worker_fbx_objects *objects,
                             const ct_u32_array *models, ct_worker_scene *scene);

// Warns of objects that a scene has no place for.
void ct_worker_fbx_warn_of_objects(ct_compile *c, const ct_worker_fbx_objects *objects,
                                   ct_worker_scene *scene);
