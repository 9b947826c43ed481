// Compiles textures: decodes the image and makes its mip chain.
//
// Each level is the one above it averaged over the area that a pixel covers (also when a side is
// odd), in linear light. Levels below the first are kept as floats while the next is made, so
// rounding does not add up.
#include "compiler/compiler_types.h"
#include "compiler/worker_image.h"
#include "foundation/error.h"
#include "resource/texture_resource.h"

enum { CHANNELS = 4 };

// From bytes to linear light and back.
typedef struct color_tables {
    float to_linear[256];
    float thresholds[255]; // of linear light: byte i + 1 begins at thresholds[i]
    bool is_srgb;
} color_tables;

// One level: either bytes (the decoded image) or floats.
typedef struct level {
    uint32_t width, height;
    const uint8_t *bytes;
    float *floats;
} level;

static void init_tables(color_tables *t, bool is_srgb) {
    t->is_srgb = is_srgb;
    for (uint32_t i = 0; i < 256; i++) {
        const float value = (float)i / 255.0f;
        t->to_linear[i] = is_srgb ? ct_srgb_to_linear(value) : value;
    }
    for (uint32_t i = 0; i < 255; i++) {
        const float value = ((float)i + 0.5f) / 255.0f;
        t->thresholds[i] = is_srgb ? ct_srgb_to_linear(value) : value;
    }
}

static uint8_t byte_of_color(const color_tables *t, float linear) {
    uint32_t first = 0, last = 255;
    while (first < last) {
        const uint32_t middle = (first + last) / 2;
        if (linear >= t->thresholds[middle])
            first = middle + 1;
        else
            last = middle;
    }
    return (uint8_t)first;
}

static uint8_t byte_of_alpha(float alpha) {
    return (uint8_t)(alpha * 255.0f + 0.5f);
}

// Adds `weight` times row `y` to `sum`.
static void add_row(const level *source, uint32_t y, float weight, const color_tables *t,
                    float *sum) {
    const uint64_t count = (uint64_t)source->width * CHANNELS;
    if (source->floats) {
        const float *row = source->floats + y * count;
        for (uint64_t i = 0; i < count; i++)
            sum[i] += weight * row[i];
        return;
    }
    const uint8_t *row = source->bytes + y * count;
    for (uint64_t i = 0; i < count; i += CHANNELS) {
        for (uint32_t c = 0; c < 3; c++)
            sum[i + c] += weight * t->to_linear[row[i + c]];
        sum[i + 3] += weight * ((float)row[i + 3] / 255.0f);
    }
}

// How much of pixel `j` of `old_size` lies in pixel `i` of `new_size`, as a share of the latter.
static float coverage(uint32_t i, uint32_t new_size, uint32_t j, uint32_t old_size) {
    const uint64_t begin = (uint64_t)i * old_size, end = begin + old_size;
    const uint64_t pixel_begin = (uint64_t)j * new_size, pixel_end = pixel_begin + new_size;
    const uint64_t from = begin > pixel_begin ? begin : pixel_begin;
    const uint64_t to = end < pixel_end ? end : pixel_end;
    return (float)(to - from) / (float)old_size;
}

// The first pixel of `old_size` that pixel `i` of `new_size` covers, and the one after the last.
static void covered(uint32_t i, uint32_t new_size, uint32_t old_size, uint32_t *first,
                    uint32_t *end) {
    *first = (uint32_t)((uint64_t)i * old_size / new_size);
    *end = (uint32_t)((((uint64_t)i + 1) * old_size + new_size - 1) / new_size);
}

static void narrow_row(const float *row, uint32_t old_width, float *out, uint32_t new_width) {
    for (uint32_t x = 0; x < new_width; x++) {
        uint32_t first, end;
        covered(x, new_width, old_width, &first, &end);
        float sum[CHANNELS] = {0};
        for (uint32_t j = first; j < end; j++) {
            const float weight = coverage(x, new_width, j, old_width);
            for (uint32_t c = 0; c < CHANNELS; c++)
                sum[c] += weight * row[(uint64_t)j * CHANNELS + c];
        }
        for (uint32_t c = 0; c < CHANNELS; c++)
            out[(uint64_t)x * CHANNELS + c] = sum[c];
    }
}

// Makes the level below `source`.
static level half_level(ct_allocator *a, const level *source, const color_tables *t) {
    level l = {.width = source->width > 1 ? source->width / 2 : 1,
               .height = source->height > 1 ? source->height / 2 : 1};
    l.floats = ct_alloc(a, (uint64_t)l.width * l.height * CHANNELS * sizeof(float));
    const uint64_t row_floats = (uint64_t)source->width * CHANNELS;
    float *row = ct_alloc(a, row_floats * sizeof(float));
    for (uint32_t y = 0; y < l.height; y++) {
        uint32_t first, end;
        covered(y, l.height, source->height, &first, &end);
        for (uint64_t i = 0; i < row_floats; i++)
            row[i] = 0.0f;
        for (uint32_t j = first; j < end; j++)
            add_row(source, j, coverage(y, l.height, j, source->height), t, row);
        narrow_row(row, source->width, l.floats + (uint64_t)y * l.width * CHANNELS, l.width);
    }
    ct_free(a, row);
    return l;
}

static uint32_t write_pixels(ct_compile *c, const level *l, const color_tables *t) {
    const uint64_t count = (uint64_t)l->width * l->height * CHANNELS;
    ct_blob_writer_align(&c->blob, CT_BLOB_ALIGN);
    if (l->bytes)
        return ct_blob_write_bytes(&c->blob, l->bytes, count);
    uint8_t *bytes = ct_alloc(c->allocator, count);
    for (uint64_t i = 0; i < count; i += CHANNELS) {
        for (uint32_t channel = 0; channel < 3; channel++)
            bytes[i + channel] = byte_of_color(t, l->floats[i + channel]);
        bytes[i + 3] = byte_of_alpha(l->floats[i + 3]);
    }
    const uint32_t offset = ct_blob_write_bytes(&c->blob, bytes, count);
    ct_free(c->allocator, bytes);
    return offset;
}

static uint32_t mip_count(uint32_t width, uint32_t height) {
    uint32_t count = 1;
    for (uint32_t side = width > height ? width : height; side > 1; side /= 2)
        count++;
    return count;
}

static void write_mips(ct_compile *c, const ct_worker_image *image, uint32_t num_mips,
                       uint32_t mips_at, const color_tables *t) {
    ct_blob_writer *w = &c->blob;
    uint32_t pixels_at[CT_TEXTURE_MAX_MIPS];
    ct_blob_patch_array(w, mips_at, ct_blob_writer_offset(w), num_mips);
    for (uint32_t i = 0; i < num_mips; i++) {
        ct_blob_write_u32(w, image->width >> i ? image->width >> i : 1);
        ct_blob_write_u32(w, image->height >> i ? image->height >> i : 1);
        pixels_at[i] = ct_blob_write_array_field(w);
    }
    level l = {.width = image->width, .height = image->height, .bytes = image->pixels};
    for (uint32_t i = 0; i < num_mips; i++) {
        if (i > 0) {
            const level next = half_level(c->allocator, &l, t);
            ct_free(c->allocator, l.floats);
            l = next;
        }
        ct_blob_patch_array(w, pixels_at[i], write_pixels(c, &l, t), l.width * l.height * CHANNELS);
    }
}

bool ct_compile_texture(ct_compile *c) {
    const ct_sjson_value root = ct_sjson_root(c->doc);
    const ct_schema_listener listener = ct_compile_listener(c);
    ct_texture_source source;
    if (!ct_schema_read(&ct_texture_schema, c->doc, root, &source, &listener))
        return false;
    const ct_sjson_value at = ct_sjson_find(c->doc, root, "source");
    uint64_t size_bytes = 0;
    const char *bytes = ct_compile_read(c, source.source, &size_bytes, c->doc, at);
    if (!bytes)
        return false;
    ct_worker_image image = {0};
    ct_error error = {0};
    if (!ct_worker_image_decode(c->allocator, bytes, size_bytes, source.source,
                                source.generate_mips, &image, &error))
        return ct_compile_error(c, c->doc, at, "%s", error.message);

    color_tables tables;
    init_tables(&tables, source.color_space == 0);
    ct_blob_writer *w = &c->blob;
    ct_blob_write_u32(w, tables.is_srgb ? CT_TEXTURE_FORMAT_RGBA8_SRGB : CT_TEXTURE_FORMAT_RGBA8);
    ct_blob_write_u32(w, source.filter);
    ct_blob_write_u32(w, source.wrap);
    ct_blob_write_u32(w, image.width);
    ct_blob_write_u32(w, image.height);
    ct_blob_write_u32(w, 0);
    const uint32_t mips_at = ct_blob_write_array_field(w);
    const uint32_t num_mips = source.generate_mips ? mip_count(image.width, image.height) : 1;
    write_mips(c, &image, num_mips, mips_at, &tables);
    return true;
}
