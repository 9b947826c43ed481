// worker_mesh_lods.h: levels of detail of a mesh: what the source asks for, and how they are made.
//
// A level is a simplification (Garland and Heckbert 1997, by meshoptimizer) of the full one, on the
// same vertices; or the model has it. Several parts keep their borders, so that no gap opens
// between them.
#pragma once
#include "compiler/protocol/compile.h"
#include "compiler/types/mesh/worker_mesh.h"

typedef struct ct_worker_lods {
    ct_mesh_lod_source items[CT_MESH_MAX_LODS - 1];
    uint32_t count;
    bool is_automatic; // only their number is said
    ct_sjson_value at; // in the source; none when it has no `lods`
} ct_worker_lods;

// Reads `value`, the `lods` of the source. Returns false after reporting.
bool ct_worker_lods_read(ct_compile *c, ct_sjson_value value, ct_worker_lods *lods);

// Adds the levels to `m`, which has only the full one. One that would have hardly fewer triangles
// than the level before it, or none, is left out.
void ct_worker_lods_simplify(ct_worker_mesh *m, const ct_worker_lods *lods);

// Of a model with levels of its own, which are in m->lods: sets the sizes from which on they are
// drawn. Returns false after reporting when the source asks for something else.
bool ct_worker_lods_take_own(ct_compile *c, ct_worker_mesh *m, const ct_worker_lods *lods);
