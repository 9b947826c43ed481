// worker_scene_nodes.h: makes the nodes of a reader those of a scene.
#pragma once
#include "compiler/types/model/worker_scene.h"

// Converts the nodes of a scene from the file's axes to the engine's (scene->axes), checks their
// number and depth, and sets their keys and ends. Returns false after reporting at `at`.
bool ct_worker_scene_finish_nodes(ct_compile *c, ct_worker_scene *scene, ct_sjson_value at);
