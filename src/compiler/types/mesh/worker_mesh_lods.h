// worker_mesh_lods.h: levels of detail of a mesh: reads them from the source and makes them.
//
// A level is a simplification (Garland and Heckbert 1997, by meshoptimizer) of the full one, on the
// same vertices; or it comes from the model. Parts keep their borders, so that no gap opens between
// them.
#pragma once
#include "compiler/protocol/compile.h"
#include "compiler/types/mesh/worker_mesh.h"

typedef struct ct_worker_lods {
    ct_mesh_lod_source items[CT_MESH_MAX_LODS - 1];
    uint32_t count;
    bool is_automatic; // the source gives only their number
    ct_sjson_value at; // in the source; empty when it has no `lods`
} ct_worker_lods;

// Reads `value`, the `lods` of the source. Returns false after reporting.
bool ct_worker_lods_read(ct_compile *c, ct_sjson_value value, ct_worker_lods *lods);

// Adds the levels to `m`, which has only the full one. Leaves out a level with no triangles, or
// with hardly fewer than the level before it.
void ct_worker_lods_simplify(ct_worker_mesh_data *m, const ct_worker_lods *lods);

// Sets the screen sizes of the levels of a model with levels of its own, which are in m->lods.
// Returns false after reporting when the source asks for something else.
bool ct_worker_lods_take_own(ct_compile *c, ct_worker_mesh_data *m, const ct_worker_lods *lods);
