// worker_fbx.h: reads FBX models with Assimp, and what Assimp does not see or does wrongly.
#pragma once
#include "compiler/types/model/worker_scene.h"

// Reads the model `file` into `scene`. Reports errors at their line in the file, or at `at` in the
// source, and returns false.
bool ct_worker_fbx_read(ct_compile *c, ct_worker_model_files *files,
                        const ct_worker_model_file *file, ct_sjson_value at,
                        ct_worker_scene *scene);
