// worker_obj.h: what Assimp does not check of Wavefront OBJ files.
#pragma once
#include "foundation/types.h"

// Looks through a file: text of UTF-8 without zero bytes, with no more objects and groups than a
// scene may have nodes (Assimp needs the square of their number). False with `error` and its line.
bool ct_worker_obj_check(const char *bytes, uint64_t size_bytes, ct_error *error);

// The same of a material library: Assimp ends with maps before the first `newmtl`.
bool ct_worker_obj_check_library(const char *bytes, uint64_t size_bytes, ct_error *error);
