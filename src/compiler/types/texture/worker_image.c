#include "compiler/types/texture/worker_image.h"
#include "compiler/types/texture/worker_jpeg.h"
#include "compiler/types/texture/worker_png.h"
#include "compiler/types/texture/worker_tga.h"

#include <string.h>
#include <strings.h>

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
           ct_error_set(error, "%s is %u x %u pixels, which take %llu bytes%s; the limit is %d",
                        path, width, height, (unsigned long long)bytes,
                        has_mips ? " with mips" : "", CT_WORKER_IMAGE_MAX_BYTES);
}

bool ct_worker_image_truncated(const ct_worker_image_file *file, const char *what,
                               ct_error *error) {
    return ct_error_set(error, "%s is truncated: it ends at byte %llu, inside %s", file->path,
                        (unsigned long long)file->size_bytes, what);
}

// A format, by what its files have at a place. No TGA begins with any of these.
typedef struct marked_format {
    ct_worker_image_format format;
    uint32_t at, mark_bytes;
    const char *mark;
} marked_format;

static const marked_format marked_formats[] = {
    {{"PNG", "png"}, 0, 8, "\x89PNG\r\n\x1a\n"},
    {{"JPEG", "jpg"}, 0, 2, "\xff\xd8"},
    {{"WebP", NULL}, 8, 4, "WEBP"},
    {{"GIF", NULL}, 0, 4, "GIF8"},
    {{"BMP", NULL}, 0, 2, "BM"},
    {{"DDS", NULL}, 0, 4, "DDS "},
    {{"KTX2", NULL}, 0, 7, "\xabKTX 20"},
    {{"KTX", NULL}, 0, 4, "\xabKTX"},
    {{"TIFF", NULL}, 0, 4, "II*\0"},
    {{"TIFF", NULL}, 0, 4, "MM\0*"},
    {{"PSD", NULL}, 0, 4, "8BPS"},
    {{"AVIF", NULL}, 4, 8, "ftypavif"},
    {{"Radiance", NULL}, 0, 10, "#?RADIANCE"},
    {{"OpenEXR", NULL}, 0, 4, "v/1\x01"},
};

const ct_worker_image_format *ct_worker_image_format_of(const char *path, const void *bytes,
                                                        uint64_t size_bytes) {
    static const ct_worker_image_format tga = {"TGA", "tga"};
    for (uint32_t i = 0; i < CT_COUNT_OF(marked_formats); ++i) {
        const marked_format *const f = &marked_formats[i];
        if (size_bytes >= f->at + f->mark_bytes &&
            memcmp((const char *)bytes + f->at, f->mark, f->mark_bytes) == 0)
            return &f->format;
    }
    return strcasecmp(ct_path_extension(path), "tga") == 0 ? &tga : NULL;
}

bool ct_worker_image_decode(ct_allocator *a, const void *bytes, uint64_t size_bytes,
                            const char *path, bool has_mips, ct_worker_image *image,
                            ct_error *error) {
    const ct_worker_image_file file = {a, bytes, size_bytes, path, has_mips};
    const ct_worker_image_format *const format = ct_worker_image_format_of(path, bytes, size_bytes);
    if (!format)
        return ct_error_set(error, "%s is neither a PNG nor a JPEG file (%llu bytes)", path,
                            (unsigned long long)size_bytes);
    if (!format->extension)
        return ct_error_set(
            error, "%s is a %s image, which is not supported; save it as a PNG, JPEG or TGA file",
            path, format->name);
    if (strcmp(format->extension, "png") == 0)
        return ct_worker_png_decode(&file, image, error);
    if (strcmp(format->extension, "jpg") == 0)
        return ct_worker_jpeg_decode(&file, image, error);
    return ct_worker_tga_decode(&file, image, error);
}
