// texture_case.h: images written for tests, and textures compiled of them.
#pragma once
#include "compiler/compile_case.h"

#include "compiler/types/texture/worker_image.h"
#include "foundation/container/array.h"
#include "resource/types/texture_resource.h"

// Images are written by the peer of the library that reads them.
#define STBIW_MALLOC(bytes) ct_alloc(test_heap(), (bytes))
#define STBIW_REALLOC_SIZED(p, old_bytes, new_bytes)                                               \
    ct_realloc(test_heap(), (p), (p) ? (old_bytes) : 0, (new_bytes))
#define STBIW_FREE(p) ct_free(test_heap(), (p))
#define STB_IMAGE_WRITE_STATIC
#define STB_IMAGE_WRITE_IMPLEMENTATION
#pragma GCC diagnostic ignored "-Wunused-function"
#include <stb/stb_image_write.h>

static inline void append(void *context, void *bytes, int count) {
    ct_byte_array *out = context;
    ct_array_push_many(out, (uint8_t *)bytes, (uint32_t)count);
}

static inline ct_byte_array new_bytes(void) {
    ct_byte_array bytes;
    ct_array_init(&bytes, test_heap());
    return bytes;
}

static inline ct_byte_array png_of(uint32_t width, uint32_t height, uint32_t channels,
                                   const uint8_t *pixels) {
    ct_byte_array out = new_bytes();
    stbi_write_png_to_func(append, &out, (int)width, (int)height, (int)channels, pixels,
                           (int)(width * channels));
    return out;
}

static inline const ct_texture_resource *compile(compile_case *t, const ct_byte_array *media,
                                                 const char *path, const char *settings) {
    char source[256];
    snprintf(source, sizeof(source), "source = \"%s\"\n%s\n", path, settings);
    compile_case_text(t, "textures/a.texture", source);
    compile_case_file(t, path, media->items, media->count);
    return compile_case_blob(t, "texture", "textures/a");
}

static inline const ct_texture_mip *mips_of(const ct_texture_resource *r) {
    return ct_blob_at(r, r->mips.offset);
}

static inline const uint8_t *pixels_of(const ct_texture_resource *r, uint32_t mip) {
    return ct_blob_at(r, mips_of(r)[mip].pixels.offset);
}

static inline void big_endian32(ct_byte_array *out, uint32_t value) {
    for (uint32_t shift = 32; shift > 0; shift -= 8)
        ct_array_push(out, (uint8_t)(value >> (shift - 8)));
}

static inline void png_chunk(ct_byte_array *out, const char *type, const uint8_t *data,
                             uint32_t bytes) {
    big_endian32(out, bytes);
    const uint32_t first = out->count;
    ct_array_push_many(out, (const uint8_t *)type, 4);
    ct_array_push_many(out, data, bytes);
    big_endian32(out, stbiw__crc32(out->items + first, (int)(4 + bytes)));
}

// A PNG of any depth and colour type from rows that start with their filter byte.
static inline ct_byte_array raw_png(uint32_t width, uint32_t height, uint8_t depth,
                                    uint8_t color_type, uint8_t *rows, uint32_t row_bytes) {
    static const uint8_t signature[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    ct_byte_array out = new_bytes(), header = new_bytes();
    int zlib_bytes = 0;
    uint8_t *zlib = stbi_zlib_compress(rows, (int)row_bytes, &zlib_bytes, 8);
    ct_array_push_many(&out, signature, sizeof(signature));
    big_endian32(&header, width);
    big_endian32(&header, height);
    const uint8_t rest[] = {depth, color_type, 0, 0, 0};
    ct_array_push_many(&header, rest, sizeof(rest));
    png_chunk(&out, "IHDR", header.items, header.count);
    png_chunk(&out, "IDAT", zlib, (uint32_t)zlib_bytes);
    png_chunk(&out, "IEND", NULL, 0);
    ct_array_free(&header);
    ct_free(test_heap(), zlib);
    return out;
}

// Decodes the first `count` bytes; the error is in `error`.
static inline bool decodes(const ct_byte_array *media, uint32_t count, const char *path,
                           ct_error *error) {
    ct_worker_image image = {0};
    // A copy of exactly the bytes, so that the sanitizer sees reads past them.
    uint8_t *bytes = ct_alloc(test_heap(), count ? count : 1);
    if (count)
        memcpy(bytes, media->items, count);
    const bool is_read =
        ct_worker_image_decode(test_heap(), bytes, count, path, true, &image, error);
    ct_free(test_heap(), image.pixels);
    ct_free(test_heap(), bytes);
    return is_read;
}
