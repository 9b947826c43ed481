// worker_spirv_points.h: what the points of a vertex stage are made from.
#pragma once
#include "compiler/types/shader/worker_glsl.h"

// Returns true when what `spirv`, a vertex stage, writes to gl_Position is computed from the member
// at this offset of the uniform block at set 0, binding 0. What only decides a branch does not
// count. Memory comes from `a`; a damaged module has no such points.
bool ct_worker_spirv_points_read(ct_allocator *a, const ct_worker_spirv *spirv, uint32_t offset);
