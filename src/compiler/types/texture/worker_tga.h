// worker_tga.h: what TGA files may say and the decoder does not look at: that rows run from right to
// left, and that the colour map begins at an entry other than 0. Any thread.
//
// Source: Truevision TGA File Format Specification 2.0, fields 4.1 and 5.6.
#pragma once
#include "compiler/types/texture/worker_image.h"

// Returns a copy of a checked file, of `*copy_bytes` bytes from `a`, whose colour map begins at entry
// 0: entries before the first are black. NULL without an error when the file itself says so; NULL
// with `error`, which names `path`, when there are too many entries.
uint8_t *ct_worker_tga_whole_map(ct_allocator *a, const uint8_t *bytes, uint64_t size_bytes,
                                 const char *path, uint64_t *copy_bytes, ct_error *error);

// Mirrors the rows of `image`, which was decoded from a checked file, when they run from right to
// left there.
void ct_worker_tga_mirror(const uint8_t *bytes, ct_worker_image *image);
