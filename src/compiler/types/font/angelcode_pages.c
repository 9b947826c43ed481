#include "compiler/types/font/angelcode_pages.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "compiler/types/texture/worker_image.h"
#include "foundation/os/path.h"

bool ct_angelcode_report(ct_compile *c, const char *path, const ct_angelcode *font, uint32_t place,
                         const char *message, ...) {
    char text[CT_ERROR_MESSAGE_BYTES];
    ct_error error = {0};
    va_list arguments;
    va_start(arguments, message);
    vsnprintf(text, sizeof(text), message, arguments);
    va_end(arguments);
    ct_angelcode_fail(font->format, path, place, &error, "%s", text);
    return ct_compile_error_at(c, path, error.line, 0, "%s", error.message);
}

bool ct_angelcode_open(ct_compile *c, const char *path, const ct_sjson *doc, ct_sjson_value at,
                       ct_angelcode *font) {
    uint64_t num_bytes = 0;
    ct_error error = {0};
    // A font of a project has a project path; others may have any.
    const char *const bytes =
        doc ? ct_compile_read(c, path, &num_bytes, doc, at) : ct_compile_find(c, path, &num_bytes);
    if (!bytes)
        return doc ? false : ct_compile_error_at(c, path, 0, 0, "the file cannot be read");
    if (!ct_angelcode_read(c->allocator, path, bytes, num_bytes, font, &error))
        return ct_compile_error_at(c, path, error.line, 0, "%s", error.message);
    for (uint32_t i = 0; i < font->warnings.count; ++i)
        ct_compile_warning_at(c, path, font->warnings.items[i].line, 0, "%s",
                              font->warnings.items[i].message);
    return true;
}

// --- Pages ---------------------------------------------------------------------------------------

static bool has_varied_alpha(const ct_worker_image *image) {
    const uint64_t num_pixels = (uint64_t)image->width * image->height;
    for (uint64_t i = 1; i < num_pixels; ++i) {
        if (image->pixels[4 * i + 3] != image->pixels[3])
            return true;
    }
    return false;
}

static uint8_t brightness_of(const uint8_t *pixel) {
    return (uint8_t)((pixel[0] * 77u + pixel[1] * 150u + pixel[2] * 29u + 128u) >> 8);
}

static void take_coverage(ct_allocator *a, const ct_worker_image *image,
                          ct_angelcode_coverage *coverage) {
    const uint64_t num_pixels = (uint64_t)image->width * image->height;
    const bool is_alpha = has_varied_alpha(image);
    uint8_t *const pixels = ct_alloc(a, num_pixels);
    for (uint64_t i = 0; i < num_pixels; ++i)
        pixels[i] = is_alpha ? image->pixels[4 * i + 3] : brightness_of(image->pixels + 4 * i);
    *coverage = (ct_angelcode_coverage){image->width, image->height, pixels};
}

bool ct_angelcode_open_page(ct_compile *c, ct_allocator *a, const char *path,
                            const ct_angelcode *font, uint32_t page,
                            ct_angelcode_coverage *coverage) {
    const ct_angelcode_page *const p = &font->pages.items[page];
    const ct_angelcode_common *const common = &font->common;
    char folder[CT_PATH_BYTES], place[CT_PATH_BYTES];
    uint64_t num_bytes = 0;
    ct_worker_image image = {0};
    ct_error error = {0};
    ct_path_folder(folder, path);
    if (!ct_path_try_join(place, folder, p->file))
        return ct_angelcode_report(c, path, font, p->place, "the path of page %u is too long",
                                   page);
    const char *const bytes = ct_compile_find(c, place, &num_bytes);
    if (!bytes)
        return ct_angelcode_report(
            c, path, font, p->place,
            "the image of page %u, %s, is missing; expected it in the folder of the font", page,
            p->file);
    if (!ct_worker_image_decode(a, bytes, num_bytes, place, false, &image, &error))
        return ct_angelcode_report(c, path, font, p->place, "page %u: %s", page, error.message);
    const bool is_good = image.width == (uint32_t)common->scale_width &&
                         image.height == (uint32_t)common->scale_height;
    if (is_good)
        take_coverage(a, &image, coverage);
    ct_free(a, image.pixels);
    return is_good || ct_angelcode_report(c, path, font, p->place,
                                          "the image of page %u, %s, is %u x %u pixels; expected "
                                          "%d x %d, as scaleW and scaleH of the font say",
                                          page, p->file, image.width, image.height,
                                          common->scale_width, common->scale_height);
}
