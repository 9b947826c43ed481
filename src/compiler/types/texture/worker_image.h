// worker_image.h: reads PNG, JPEG and TGA files to pixels.
//
// A file is checked as a container first (every chunk, segment or packet is there, checksums hold),
// because the decoder fills the missing part of a truncated file with black or grey.
#pragma once
#include "compiler/protocol/compiler_protocol.h"

// The most bytes of a texture's pixels, all mips together: the worker's answer less the rest of the
// blob.
enum { CT_WORKER_IMAGE_MAX_BYTES = CT_WORKER_MAX_MESSAGE_BYTES - 4096 };

// Rows from top to bottom, four bytes (red, green, blue, alpha) a pixel, no padding.
typedef struct ct_worker_image {
    uint32_t width, height;
    uint8_t *pixels; // width * height * 4 bytes from the allocator that was passed
} ct_worker_image;

// Decodes `size_bytes` at `bytes`. Grey becomes colour, 16 bits become 8 (the high ones), an image
// without alpha is opaque. `path` is for its extension: TGA files have no signature. Returns false
// with a message in `error` (without a place, it names `path`) when the file is damaged or larger
// than ct_worker_image_check_size allows, which the header tells. One thread at a time.
bool ct_worker_image_decode(ct_allocator *a, const void *bytes, uint64_t size_bytes,
                            const char *path, bool has_mips, ct_worker_image *image,
                            ct_error *error);

// False with `error`, which names `path`, for images that textures are not made of: wider or higher
// than CT_TEXTURE_MAX_SIZE, without pixels, or of more than CT_WORKER_IMAGE_MAX_BYTES, with mips if
// `has_mips`.
bool ct_worker_image_check_size(const char *path, uint32_t width, uint32_t height, bool has_mips,
                                ct_error *error);

// Checks the container alone, as ct_worker_image_decode does first. Returns false with `error`.
bool ct_worker_image_check(const void *bytes, uint64_t size_bytes, const char *path, bool has_mips,
                           ct_error *error);

// True for checked files that are read as TGA, which has no signature: all but PNG and JPEG.
bool ct_worker_image_is_tga(const void *bytes, uint64_t size_bytes);
