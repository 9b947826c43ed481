// worker_describe.h: what `cuttle import` asks of a model file: its nodes, materials, images,
// cameras and lights, and all files it consists of.
#pragma once
#include "compiler/protocol/compile.h"
#include "resource/types/mesh_resource.h"

typedef struct ct_worker_describe_desc {
    ct_mesh_up_axis up_axis;        // as of a .mesh
    float scale;                    // likewise
    const ct_compile_image *images; // where images are that are not found by what the model says
    uint32_t num_images;
} ct_worker_describe_desc;

// Describes the model c->path: a framed message as docs/formats/worker_protocol.md has it, appended
// to `out`. What the model needs lies below the folder of the request, which is the project's when
// the model lies in one, else the model's own. False after reporting.
bool ct_worker_describe(ct_compile *c, const ct_worker_describe_desc *desc, ct_byte_array *out);
