// The one place that includes stb_image. Its memory comes from the allocator of the job in hand.
#include "compiler/types/texture/worker_image.h"
#include "compiler/types/texture/worker_tga.h"

#include <limits.h>

#include "foundation/error.h"
#include "foundation/memory/allocator.h"

static ct_allocator *job_allocator;

static void *image_allocate(size_t bytes) {
    return ct_alloc(job_allocator, bytes);
}

static void *image_reallocate(void *p, size_t old_bytes, size_t new_bytes) {
    return ct_realloc(job_allocator, p, p ? old_bytes : 0, new_bytes);
}

static void image_free(void *p) {
    ct_free(job_allocator, p);
}

#define STBI_MALLOC(bytes) image_allocate(bytes)
#define STBI_REALLOC_SIZED(p, old_bytes, new_bytes) image_reallocate((p), (old_bytes), (new_bytes))
#define STBI_FREE(p) image_free(p)
#define STBI_ONLY_PNG
#define STBI_ONLY_JPEG
#define STBI_ONLY_TGA
#define STBI_NO_STDIO
#define STBI_NO_LINEAR
#define STBI_FAILURE_USERMSG
#define STB_IMAGE_STATIC
#define STB_IMAGE_IMPLEMENTATION
// For the whole file: the compiler finds unused functions at its end.
#pragma GCC diagnostic ignored "-Wunused-function"
#include <stb/stb_image.h>

static bool decode(const uint8_t *bytes, uint64_t size_bytes, const char *path, bool has_mips,
                   ct_worker_image *image, ct_error *error) {
    int width = 0, height = 0, channels = 0;
    if (size_bytes > INT_MAX)
        return ct_error_set(error, "%s has %llu bytes; expected less than 2 GiB", path,
                            (unsigned long long)size_bytes);
    if (!stbi_info_from_memory(bytes, (int)size_bytes, &width, &height, &channels))
        return ct_error_set(error, "%s cannot be read: %s", path, stbi_failure_reason());
    if (!ct_worker_image_check_size(path, (uint32_t)width, (uint32_t)height, has_mips, error))
        return false;
    image->pixels = stbi_load_from_memory(bytes, (int)size_bytes, &width, &height, &channels, 4);
    if (!image->pixels)
        return ct_error_set(error, "%s cannot be read: %s", path, stbi_failure_reason());
    image->width = (uint32_t)width;
    image->height = (uint32_t)height;
    return true;
}

// TGA has two things that the decoder does not look at.
static bool decode_tga(ct_allocator *a, const uint8_t *bytes, uint64_t size_bytes, const char *path,
                       bool has_mips, ct_worker_image *image, ct_error *error) {
    ct_byte_array whole;
    ct_array_init(&whole, a);
    const bool is_read =
        ct_worker_tga_fill_map(bytes, size_bytes, path, &whole, error) &&
        (whole.count > 0 ? decode(whole.items, whole.count, path, has_mips, image, error)
                         : decode(bytes, size_bytes, path, has_mips, image, error));
    ct_array_free(&whole);
    if (is_read)
        ct_worker_tga_mirror(bytes, image);
    return is_read;
}

bool ct_worker_image_decode(ct_allocator *a, const void *bytes, uint64_t size_bytes,
                            const char *path, bool has_mips, ct_worker_image *image,
                            ct_error *error) {
    if (!ct_worker_image_check(bytes, size_bytes, path, has_mips, error))
        return false;
    job_allocator = a;
    const bool is_read = ct_worker_image_is_tga(bytes, size_bytes)
                             ? decode_tga(a, bytes, size_bytes, path, has_mips, image, error)
                             : decode(bytes, size_bytes, path, has_mips, image, error);
    job_allocator = NULL;
    return is_read;
}
