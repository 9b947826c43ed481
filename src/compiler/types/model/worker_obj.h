// worker_obj.h: checks of Wavefront OBJ files that Assimp does not make.
#pragma once
#include "foundation/types.h"

// Checks a file: it must be text in UTF-8 without zero bytes, with no more objects and groups than
// a scene may have nodes (Assimp's time is the square of their number). Returns false with `error`
// and its line.
bool ct_worker_obj_check(const char *bytes, uint64_t size_bytes, ct_error *error);

// Checks that a material library has only blank lines and comments before its first `newmtl`:
// Assimp crashes when maps come before it. Returns false with `error` and its line.
bool ct_worker_obj_check_library(const char *bytes, uint64_t size_bytes, ct_error *error);
