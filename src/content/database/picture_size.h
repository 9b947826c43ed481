// picture_size.h: the width and height of a picture, read from the first bytes of its file.
#pragma once
#include "foundation/types.h"

// Reads the size of a PNG, JPEG or TGA file, as its extension says: "png", "jpg", "jpeg" or "tga".
// Returns false for another extension, or when the bytes are no such file or name no size. Any thread; fuzzed
// (fuzz/fuzz_picture_size.c).
bool ct_picture_size(const char *extension, const void *bytes, uint64_t size_bytes, uint32_t *width,
                     uint32_t *height);
