// worker_png.h: reads PNG files with libpng. Any thread.
#pragma once
#include "compiler/types/texture/worker_image.h"

// Decodes a file that begins as a PNG does: every depth and colour type, interlaced or not, with
// what tRNS says as alpha, and black for a colour that the palette does not have; gamma and colour
// profiles are not applied. All chunks up to IEND must be there with right checksums. Failures are
// as in ct_worker_image_decode.
bool ct_worker_png_decode(const ct_worker_image_file *file, ct_worker_image *image,
                          ct_error *error);

// Rows from top to bottom, one number a pixel, no padding: 0 is black, 65535 is white.
typedef struct ct_worker_grey_image {
    uint32_t width, height;
    uint16_t *pixels; // width * height from the allocator of the file
} ct_worker_grey_image;

// Decodes a grey PNG of any depth with all its bits, each side `least` to `most` pixels. An image with
// colours, a palette or alpha is refused with what to write instead. Failures are as in
// ct_worker_image_decode.
bool ct_worker_png_decode_grey(const ct_worker_image_file *file, uint32_t least, uint32_t most,
                               ct_worker_grey_image *image, ct_error *error);
