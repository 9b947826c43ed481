// texture_case.h: images written for tests, and textures compiled of them.
#pragma once
#include "compiler/compile_case.h"

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
