// worker_image.h: reads PNG, JPEG and TGA files to pixels.
//
// worker_png.h, worker_jpeg.h and worker_tga.h each read one format. Files that are cut short or
// damaged are refused, even where a library would fill the missing part with black or grey.
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

// A file to decode.
typedef struct ct_worker_image_file {
    ct_allocator *allocator; // of the pixels
    const uint8_t *bytes;
    uint64_t size_bytes;
    const char *path;
    bool has_mips; // whether the pixels of all mips count for the limit
} ct_worker_image_file;

// A format of image files.
typedef struct ct_worker_image_format {
    const char *name;      // "JPEG"
    const char *extension; // of its files ("jpg"); NULL: textures are not made of these
} ct_worker_image_format;

// Returns the format that a file is of by its first bytes, and for TGA, which has no mark there, by
// the extension of `path`. NULL when it is of none that is known.
const ct_worker_image_format *ct_worker_image_format_of(const char *path, const void *bytes,
                                                        uint64_t size_bytes);

// Decodes `size_bytes` at `bytes`. Grey becomes colour, 16 bits become 8 (the high ones), an image
// without alpha is opaque. `path` is for its extension: TGA files have no signature. Returns false
// with a message in `error` (without a place, it names `path`) and leaves `image` as it is when the
// file is damaged, or larger, by its header, than ct_worker_image_check_size allows. One thread
// at a time.
bool ct_worker_image_decode(ct_allocator *a, const void *bytes, uint64_t size_bytes,
                            const char *path, bool has_mips, ct_worker_image *image,
                            ct_error *error);

// Returns false with `error`, which names `path`, for images that cannot be textures: wider or
// higher than CT_TEXTURE_MAX_SIZE, without pixels, or of more than CT_WORKER_IMAGE_MAX_BYTES, with
// mips if `has_mips`.
bool ct_worker_image_check_size(const char *path, uint32_t width, uint32_t height, bool has_mips,
                                ct_error *error);

// Sets `error`: `file` ends too early, inside `what`. Returns false.
bool ct_worker_image_truncated(const ct_worker_image_file *file, const char *what, ct_error *error);
