// worker_fbx.h: checks how the objects of FBX files are connected, which Assimp does not.
#pragma once
#include "foundation/memory/allocator.h"

// Reads the connections of a binary or text file. False with `error` when objects are connected in
// a circle or deeper than a scene's nodes may be (Assimp follows them by recursion), or when there
// are far too many. What cannot be read is left for Assimp to refuse. `a` is for scratch, which
// stays allocated.
bool ct_worker_fbx_check(ct_allocator *a, const char *bytes, uint64_t size_bytes, ct_error *error);
