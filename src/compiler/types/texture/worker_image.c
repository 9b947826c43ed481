#include "compiler/types/texture/worker_image.h"
#include "compiler/types/texture/worker_jpeg.h"
#include "compiler/types/texture/worker_png.h"
#include "compiler/types/texture/worker_tga.h"

#include <string.h>

#include "foundation/error.h"
#include "foundation/os/path.h"
#include "resource/types/texture_resource.h"

bool ct_worker_image_check_size(const char *path, uint32_t width, uint32_t height, bool has_mips,
                                ct_error *error) {
    if (width < 1 || height < 1 || width > CT_TEXTURE_MAX_SIZE || height > CT_TEXTURE_MAX_SIZE)
        return ct_error_set(error, "%s is %u x %u pixels; expected 1 to %d on each side", path,
                            width, height, CT_TEXTURE_MAX_SIZE);
    uint64_t bytes = 4ull * width * height;
    for (uint32_t w = width, h = height; has_mips && (w > 1 || h > 1);) {
        w = w > 1 ? w / 2 : 1;
        h = h > 1 ? h / 2 : 1;
        bytes += 4ull * w * h;
    }
    return bytes <= CT_WORKER_IMAGE_MAX_BYTES ||
           ct_error_set(error, "%s is %u x %u pixels, which are %llu bytes%s; at most %d are taken",
                        path, width, height, (unsigned long long)bytes,
                        has_mips ? " with mips" : "", CT_WORKER_IMAGE_MAX_BYTES);
}

bool ct_worker_image_truncated(const ct_worker_image_file *file, const char *what,
                               ct_error *error) {
    return ct_error_set(error, "%s is truncated: it ends at byte %llu, inside %s", file->path,
                        (unsigned long long)file->size_bytes, what);
}

static bool begins_with(const ct_worker_image_file *file, uint32_t at, const char *mark,
                        uint32_t mark_bytes) {
    return file->size_bytes >= at + mark_bytes && memcmp(file->bytes + at, mark, mark_bytes) == 0;
}

// What other images begin with. No TGA begins with any of these.
static const char *other_format(const ct_worker_image_file *file) {
    static const struct {
        const char *name, *mark;
        uint32_t at, mark_bytes;
    } formats[] = {
        {"WebP", "WEBP", 8, 4},     {"GIF", "GIF8", 0, 4},
        {"BMP", "BM", 0, 2},        {"DDS", "DDS ", 0, 4},
        {"KTX", "\xabKTX", 0, 4},   {"TIFF", "II*\0", 0, 4},
        {"TIFF", "MM\0*", 0, 4},    {"PSD", "8BPS", 0, 4},
        {"AVIF", "ftypavif", 4, 8}, {"Radiance", "#?RADIANCE", 0, 10},
        {"EXR", "v/1\x01", 0, 4},
    };
    for (uint32_t i = 0; i < CT_COUNT_OF(formats); ++i) {
        if (begins_with(file, formats[i].at, formats[i].mark, formats[i].mark_bytes))
            return formats[i].name;
    }
    return NULL;
}

bool ct_worker_image_decode(ct_allocator *a, const void *bytes, uint64_t size_bytes,
                            const char *path, bool has_mips, ct_worker_image *image,
                            ct_error *error) {
    const ct_worker_image_file file = {a, bytes, size_bytes, path, has_mips};
    if (begins_with(&file, 0, "\x89PNG\r\n\x1a\n", 8))
        return ct_worker_png_decode(&file, image, error);
    if (begins_with(&file, 0, "\xff\xd8", 2))
        return ct_worker_jpeg_decode(&file, image, error);
    const char *const other = other_format(&file);
    if (other)
        return ct_error_set(error,
                            "%s is a %s image, which is not read; save it as a PNG, JPEG or TGA "
                            "file",
                            path, other);
    if (strcmp(ct_path_extension(path), "tga") == 0)
        return ct_worker_tga_decode(&file, image, error);
    return ct_error_set(error, "%s is neither a PNG nor a JPEG file (%llu bytes)", path,
                        (unsigned long long)size_bytes);
}
