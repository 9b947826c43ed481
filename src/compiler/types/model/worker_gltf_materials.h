// worker_gltf_materials.h: the parts of a glTF 2 file's materials that Assimp leaves out.
#pragma once
#include "foundation/container/array.h"
#include "foundation/sjson/sjson.h"

typedef struct ct_worker_gltf_material {
    float emissive_strength; // KHR_materials_emissive_strength; 1 without
    bool is_unlit;           // KHR_materials_unlit
    ct_string_array others;  // its extensions that neither Assimp nor the engine applies
} ct_worker_gltf_material;

typedef CT_ARRAY(ct_worker_gltf_material) ct_worker_gltf_material_array;

// Appends the materials of the file in its order, which is Assimp's too (a default one may follow
// there). All from `a`, a temp allocator.
void ct_worker_gltf_materials_read(ct_allocator *a, const ct_sjson *doc,
                                   ct_worker_gltf_material_array *materials);
