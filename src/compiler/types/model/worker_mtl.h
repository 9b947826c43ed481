// worker_mtl.h: reads the material libraries (MTL) of OBJ models.
//
// Nothing in them refuses the model: what is not understood is passed over with a warning. Phong's
// exponent becomes roughness by Blender's convention; opacity below 1 blends; a map of opacity that
// is the base colour's (its alpha) makes holes.
#pragma once
#include "compiler/types/model/worker_obj_warnings.h"
#include "compiler/types/model/worker_scene.h"

enum { CT_WORKER_MTL_MAX_MATERIALS = 1 << 16 };
// The name of the material of faces that name none.
#define CT_WORKER_MTL_DEFAULT_NAME "DefaultMaterial"

// The libraries of a model.
typedef struct ct_worker_mtl {
    ct_compile *c;
    ct_worker_obj_warnings *warnings;
    ct_worker_obj_names names;           // by material
    ct_worker_material_array *materials; // of the scene
    ct_worker_obj_names short_names;     // of those with a `#` in their name: what precedes it
    CT_ARRAY(uint32_t) short_named;      // by short name, the material
} ct_worker_mtl;

// Makes libraries without materials, which go to `materials`, an empty array.
void ct_worker_mtl_init(ct_worker_mtl *m, ct_worker_obj_warnings *warnings,
                        ct_worker_material_array *materials);

// Reads one library. Of materials of one name the first stays.
void ct_worker_mtl_read(ct_worker_mtl *m, const char *path, const char *bytes, uint64_t size_bytes);

// The material of this name, which is made when no library has it. Where a name has a `#` in it,
// that may be a comment ("red #1"): it is one when only what precedes it is a name.
uint32_t ct_worker_mtl_find(ct_worker_mtl *m, const char *name);
