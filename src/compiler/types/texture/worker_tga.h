// worker_tga.h: reads TGA files with stb_image. One thread at a time.
//
// The decoder does not look at whether all pixels are there, that rows run from right to left, and
// that the colour map begins at an entry other than 0.
// Source: Truevision TGA File Format Specification 2.0, fields 4.1 and 5.6.
#pragma once
#include "compiler/types/texture/worker_image.h"

// Decodes a file whose extension says TGA; there is no signature. Failures are as in
// ct_worker_image_decode.
bool ct_worker_tga_decode(const ct_worker_image_file *file, ct_worker_image *image,
                          ct_error *error);
