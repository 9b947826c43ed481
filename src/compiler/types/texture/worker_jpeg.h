// worker_jpeg.h: reads JPEG files with libjpeg-turbo. Any thread.
#pragma once
#include "compiler/types/texture/worker_image.h"

// Decodes a file that begins as a JPEG does: grey, YCbCr, RGB, CMYK and YCCK, baseline, progressive
// or arithmetic, 8 bits a channel. The orientation that EXIF has is not applied. What libjpeg only
// warns of is an error if pixels are wrong for it. Failures are as in ct_worker_image_decode.
//
// libjpeg has no allocator that one could pass: its own memory, which goes before this returns, is
// from malloc. The pixels are not.
bool ct_worker_jpeg_decode(const ct_worker_image_file *file, ct_worker_image *image,
                           ct_error *error);
