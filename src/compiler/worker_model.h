// worker_model.h: reads model files to triangles in our axes, through Assimp.
//
// glTF is right-handed, Y up; we are right-handed, Z up. A point (x, y, z) of the file becomes
// (x, -z, y), so a model made in a Z up program and exported to glTF has its own coordinates again.
// What comes out is triangle corners as the file has them; normals and tangents that it lacks are
// made by worker_geometry.
#pragma once
#include "compiler/compile.h"
#include "resource/mesh_resource.h"

enum { CT_WORKER_MODEL_MAX_CORNERS = 3 << 24 };

// The triangles of one primitive at one node: three corners each, counter-clockwise is front.
typedef struct ct_worker_batch {
    ct_mesh_vertex *corners; // directions of length 1 or 0
    uint32_t num_corners;
    uint32_t material; // position in the model's materials
    bool has_normals, has_tangents;
} ct_worker_batch;

typedef struct ct_worker_model {
    CT_ARRAY(ct_worker_batch) batches; // in the order of the nodes, depth first
    const char **materials;            // names; "" for those without
    uint32_t num_materials;
} ct_worker_model;

// Reads `source->source`: the subtree of `source->node` in that node's space, or all nodes, scaled.
// Files it needs are read by ct_compile_read. Everything comes from c->allocator. Reports errors at
// members of the source's root, and returns false.
bool ct_worker_model_read(ct_compile *c, const ct_mesh_source *source, ct_worker_model *model);
