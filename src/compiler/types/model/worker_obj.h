// worker_obj.h: reads Wavefront OBJ models and their MTL material libraries.
//
// The reader takes what programs write, not only what the specification has: statements that it
// does not know are passed over with a warning.
#pragma once
#include "compiler/types/model/worker_scene.h"

// Reads the model `file` into `scene`; `files` gives its material libraries, which may be missing.
// Reports errors at their line in the file, or at `at` in the source, and returns false.
bool ct_worker_obj_read(ct_compile *c, ct_worker_model_files *files,
                        const ct_worker_model_file *file, ct_sjson_value at,
                        ct_worker_scene *scene);
