// worker_mesh.h: a mesh while it is compiled: vertices, indices, and parts of all levels of detail.
//
// `parts` are those of the full level, then those of each level in `lods`: num_parts of each. The
// runs of indices have that order. Everything comes from `allocator`, the job's.
#pragma once
#include "compiler/types/model/worker_geometry.h"
#include "resource/types/mesh_resource.h"

typedef CT_ARRAY(ct_mesh_part) ct_mesh_part_array;

typedef struct ct_worker_mesh_data {
    ct_allocator *allocator;
    ct_worker_vertex_array vertices;
    ct_u32_array indices;
    ct_mesh_part_array parts;
    uint32_t num_parts; // of each level
    CT_ARRAY(ct_mesh_lod) lods;
    bool has_extras;
    uint32_t format; // ct_mesh_format
    ct_mesh_grid grid;
    float bounds_min[3], bounds_max[3], bounds_radius;
} ct_worker_mesh_data;
