// worker_describe_material.h: a part of describing a model: a material as core/shaders/pbr has it.
#pragma once
#include "compiler/types/describe/worker_describe_images.h"
#include "foundation/sjson/sjson_writer.h"

// Writes material `i` of the scene as an object: `name`, `parameters`, `maps` (image positions).
// `has_colors` says that meshes with vertex colours use it.
void ct_worker_describe_material(ct_worker_describe_images *images, uint32_t i, bool has_colors,
                                 ct_sjson_writer *w);
