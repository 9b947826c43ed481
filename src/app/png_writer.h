// png_writer.h: encodes images as PNG. Any thread.
#pragma once
#include "foundation/container/array.h"

// Appends RGBA pixels (8 bits, rows from the top, without padding) to `file` as an opaque PNG.
// Returns false with `error`.
bool ct_png_encode(const uint8_t *pixels, uint32_t width, uint32_t height, ct_byte_array *file,
                   ct_error *error);

// Encodes like ct_png_encode, but writes the PNG to the file `path`.
bool ct_png_write(const char *path, const uint8_t *pixels, uint32_t width, uint32_t height,
                  ct_error *error);
