#include "compiler/types/height_field/worker_heights.h"

#include <math.h>
#include <string.h>

#include "compiler/types/texture/worker_png.h"

static bool read_image(ct_compile *c, const ct_height_field_source *source,
                       ct_worker_grey_image *image) {
    static const uint8_t signature[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    ct_error error = {0};
    uint64_t bytes;
    const char *const file =
        ct_compile_read(c, source->source, &bytes, c->doc, source->source_value);
    if (!file)
        return false;
    if (bytes < sizeof(signature) || memcmp(file, signature, sizeof(signature)) != 0)
        return ct_compile_error(c, c->doc, source->source_value,
                                "%s is not a PNG file; expected a grey .png of 8 or 16 bits",
                                source->source);
    const ct_worker_image_file png = {.allocator = c->allocator,
                                      .bytes = (const uint8_t *)file,
                                      .size_bytes = bytes,
                                      .path = source->source};
    return ct_worker_png_decode_grey(&png, 2, CT_HEIGHT_FIELD_MAX_SIDE, image, &error) ||
           ct_compile_error(c, c->doc, source->source_value, "%s", error.message);
}

// The top row of the picture becomes the last one.
static void set_heights(const ct_worker_grey_image *image, float height, float *heights,
                        ct_height_field_resource *h) {
    h->least = INFINITY;
    h->most = -INFINITY;
    for (uint32_t y = 0; y < image->height; ++y) {
        const uint16_t *const from =
            image->pixels + (uint64_t)(image->height - 1 - y) * image->width;
        float *const to = heights + (uint64_t)y * image->width;
        for (uint32_t x = 0; x < image->width; ++x) {
            to[x] = (float)from[x] / 65535 * height;
            h->least = fminf(h->least, to[x]);
            h->most = fmaxf(h->most, to[x]);
        }
    }
}

bool ct_worker_heights_read(ct_compile *c, const ct_height_field_source *source,
                            ct_height_field_resource *h, float **heights) {
    ct_worker_grey_image image;
    if (!read_image(c, source, &image))
        return false;
    *h = (ct_height_field_resource){.columns = image.width,
                                    .rows = image.height,
                                    .spacing = {source->size[0] / (float)(image.width - 1),
                                                source->size[1] / (float)(image.height - 1)}};
    *heights = ct_alloc(c->allocator, 4ull * image.width * image.height);
    set_heights(&image, source->size[2], *heights, h);
    return true;
}
