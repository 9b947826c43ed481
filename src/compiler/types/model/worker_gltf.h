// worker_gltf.h: reads glTF 2 models as their specification says.
#pragma once
#include "compiler/types/model/worker_scene.h"

// Reads the model `file` into `scene`: the scene that it shows, or all nodes when it has no scenes.
// `files` gives its buffers. Reports errors at their line in the file (text), or at `at` in the
// source, and returns false.
bool ct_worker_gltf_read(ct_compile *c, ct_worker_model_files *files,
                         const ct_worker_model_file *file, ct_sjson_value at,
                         ct_worker_scene *scene);
