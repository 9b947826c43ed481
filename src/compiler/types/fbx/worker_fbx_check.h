// worker_fbx_check.h: finds the FBX files that Assimp would follow without end.
#pragma once
#include "compiler/types/fbx/worker_fbx_records.h"

// Checks that no objects are connected in a circle, nor too many, nor in too long a line. False
// with an error.
bool ct_worker_fbx_check(ct_allocator *a, const ct_worker_fbx_records *records, ct_error *error);
