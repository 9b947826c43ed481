#include "app/png_writer.h"

#include <string.h>

#include "foundation/error.h"
#include "foundation/memory/memory.h"
#include "foundation/os/file.h"

// stb_image_write's memory comes from our heap; it never asks for the old size of a block it grows.
#define STBIW_MALLOC(size_bytes) ct_alloc(ct_memory_heap(), (size_bytes))
#define STBIW_REALLOC_SIZED(p, old_bytes, new_bytes)                                               \
    ct_realloc(ct_memory_heap(), (p), (old_bytes), (new_bytes))
#define STBIW_FREE(p) ct_free(ct_memory_heap(), (p))
#define STB_IMAGE_WRITE_STATIC
#define STB_IMAGE_WRITE_IMPLEMENTATION
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#pragma GCC diagnostic ignored "-Wsign-compare"
#if defined(__SANITIZE_THREAD__) && !defined(__clang__)
// Between the calls that ThreadSanitizer adds, gcc no longer sees that stbi_write_png_to_func sets
// `len` in all ways in which it reads it.
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include <stb/stb_image_write.h>
#pragma GCC diagnostic pop

static void append(void *user, void *bytes, int count) {
    ct_array_push_many((ct_byte_array *)user, (const uint8_t *)bytes, (uint32_t)count);
}

bool ct_png_encode(const uint8_t *pixels, uint32_t width, uint32_t height, ct_byte_array *file,
                   ct_error *error) {
    const uint64_t num_pixels = (uint64_t)width * height;
    uint8_t *const rgb = ct_alloc(ct_memory_heap(), num_pixels * 3);
    for (uint64_t i = 0; i < num_pixels; ++i)
        memcpy(rgb + i * 3, pixels + i * 4, 3);
    const bool is_encoded =
        stbi_write_png_to_func(append, file, (int)width, (int)height, 3, rgb, (int)width * 3) != 0;
    ct_free_sized(ct_memory_heap(), rgb, num_pixels * 3);
    return is_encoded ||
           ct_error_set(error, "cannot encode an image of %u x %u pixels as PNG", width, height);
}

bool ct_png_write(const char *path, const uint8_t *pixels, uint32_t width, uint32_t height,
                  ct_error *error) {
    ct_byte_array file;
    ct_array_init(&file, ct_memory_heap());
    const bool is_written = ct_png_encode(pixels, width, height, &file, error) &&
                            ct_file_write_output(path, file.items, file.count, false, error);
    ct_array_free(&file);
    return is_written;
}
