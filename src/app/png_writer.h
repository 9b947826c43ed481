// png_writer.h: writes pictures to PNG files. Any thread.
#pragma once
#include "foundation/types.h"

// Writes RGBA pixels (8 bits, rows from the top, without padding) as an opaque PNG. Returns false
// with `error`.
bool ct_png_write(const char *path, const uint8_t *pixels, uint32_t width, uint32_t height,
                  ct_error *error);
