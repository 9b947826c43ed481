// worker_tga.h: what TGA files may say and the decoder does not look at: that rows run from right to
// left, and that the colour map begins at an entry other than 0. Any thread.
//
// Source: Truevision TGA File Format Specification 2.0, fields 4.1 and 5.6.
#pragma once
#include "compiler/types/texture/worker_image.h"
#include "foundation/container/array.h"

// The number that two bytes of a TGA header are.
static inline uint32_t ct_worker_tga_number(const uint8_t *bytes) {
    return bytes[0] | (uint32_t)bytes[1] << 8;
}

// Fills `whole`, which is empty, with a copy of a checked file whose colour map begins at entry 0:
// entries before the first are black. Leaves it empty when the file itself begins there. False with
// `error`, which names `path`, when there are too many entries.
bool ct_worker_tga_fill_map(const uint8_t *bytes, uint64_t size_bytes, const char *path,
                            ct_byte_array *whole, ct_error *error);

// Mirrors the rows of `image`, which was decoded from a checked file, when they run from right to
// left there.
void ct_worker_tga_mirror(const uint8_t *bytes, ct_worker_image *image);
