// worker_scene_nodes.h: a part of reading a scene: the tree that Assimp built, as a flat array.
#pragma once
#include "compiler/types/model/worker_scene.h"

// Fills scene->nodes from scene->file in the axes of scene->axes. Nodes that Assimp made of the
// pivots of FBX are joined to the node they belong to; its root is left out unless `has_own_root`.
// Reports at `at` and returns false when there are too many, or they are too deep or not finite.
bool ct_worker_scene_add_nodes(ct_compile *c, ct_worker_scene *scene, bool has_own_root,
                               ct_sjson_value at);
