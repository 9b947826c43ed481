// worker_describe.h: what `cuttle import` asks of a model file: its nodes, materials, images,
// cameras and lights, and all files it consists of.
#pragma once
#include "compiler/compile.h"
#include "resource/mesh_resource.h"

// Describes the model c->path, which lies in no project: a framed message as
// docs/formats/worker_protocol.md has it, appended to `out`. `up_axis` and `scale` are as those of
// a .mesh. False after reporting.
bool ct_worker_describe(ct_compile *c, ct_mesh_up_axis up_axis, float scale, ct_byte_array *out);
