// worker_image_write.h: writes grey images as PNG and TGA files. Any thread.
#pragma once
#include "foundation/container/array.h"

// Append the file of `width` x `height` grey pixels, 8 bits each, rows from the top. The TGA file is
// uncompressed. Each side has 1 to 65,535 pixels.
void ct_worker_png_write_grey(const uint8_t *pixels, uint32_t width, uint32_t height,
                              ct_byte_array *file);
void ct_worker_tga_write_grey(const uint8_t *pixels, uint32_t width, uint32_t height,
                              ct_byte_array *file);
