// worker_gltf.h: reads from the JSON of a glTF 2 file what its importer leaves out.
//
// Assimp drops triangles whose indices are out of range, and ignores extensions that the file says
// are required. The file's own JSON says how many triangles there should be.
#pragma once
#include "compiler/protocol/compile.h"
#include "compiler/types/model/worker_gltf_lights.h"
#include "compiler/types/model/worker_gltf_materials.h"

// One primitive of one mesh, in the order in which Assimp makes a mesh of each: as the nodes of the
// scene first use them, children before their parents.
typedef struct ct_worker_gltf_primitive {
    uint32_t mesh, primitive; // positions in the file
    uint64_t num_triangles;   // as its accessors say; 0 for points and lines
} ct_worker_gltf_primitive;

typedef CT_ARRAY(ct_worker_gltf_primitive) ct_worker_gltf_primitive_array;

typedef struct ct_worker_gltf {
    ct_worker_gltf_primitive *primitives;
    uint32_t num_primitives;
    uint32_t num_roots; // nodes of the scene that is shown
    ct_worker_gltf_light_array lights;
    ct_worker_gltf_material_array materials;
} ct_worker_gltf;

// Reads the JSON of a .gltf or .glb file. Reports what is wrong at the place in that file (text),
// or at `at` in the source (binary), and returns false.
bool ct_worker_gltf_read(ct_compile *c, const char *path, const char *bytes, uint64_t size_bytes,
                         ct_sjson_value at, ct_worker_gltf *gltf);
