// worker_describe.h: describes a model file for `cuttle import`: its nodes, materials, images,
// cameras and lights, and all files it consists of.
#pragma once
#include "compiler/protocol/compile.h"
#include "resource/types/mesh_resource.h"

typedef struct ct_worker_describe_desc {
    ct_mesh_up_axis up_axis;        // as of a .mesh
    float scale;                    // likewise
    const ct_compile_image *images; // places of images that are not where the model says
    uint32_t num_images;
} ct_worker_describe_desc;

// Describes the model c->path: appends a framed message to `out`, as
// docs/formats/worker_protocol.md has it. Files of the model are below the folder of the request:
// the project's when the model is in a project, else the model's own. Returns false after
// reporting.
bool ct_worker_describe(ct_compile *c, const ct_worker_describe_desc *desc, ct_byte_array *out);
