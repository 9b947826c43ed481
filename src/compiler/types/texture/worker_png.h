// worker_png.h: reads PNG files with libpng. Any thread.
#pragma once
#include "compiler/types/texture/worker_image.h"

// Decodes a file that begins as a PNG does: every depth and colour type, interlaced or not, with
// what tRNS says as alpha, and black for a colour that the palette does not have; gamma and colour
// profiles are not applied. All chunks up to IEND must be there with right checksums. Failures are
// as in ct_worker_image_decode.
bool ct_worker_png_decode(const ct_worker_image_file *file, ct_worker_image *image,
                          ct_error *error);
