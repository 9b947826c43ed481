#include "compiler/types/font/angelcode_convert.h"

#include <stdio.h>
#include <string.h>

#include "compiler/types/font/angelcode_pages.h"
#include "compiler/types/texture/worker_image_write.h"
#include "foundation/os/message.h"
#include "foundation/os/path.h"
#include "foundation/sjson/sjson_writer.h"
#include "text/distance_field.h"

typedef struct converter {
    ct_compile *c;
    const ct_compile_distance_font *desc;
    ct_angelcode font;
    ct_byte_array files; // one behind the other
    ct_u32_array ends;   // of the pages in `files`
} converter;

// --- Measurements --------------------------------------------------------------------------------

// Rounds to the nearest, halves up.
static int32_t divided(int32_t value, int32_t scale) {
    const int32_t doubled = 2 * value + scale, step = 2 * scale;
    return doubled >= 0 ? doubled / step : -((-doubled + step - 1) / step);
}

static int32_t divided_up(int32_t value, int32_t scale) {
    return (value + scale - 1) / scale;
}

// Rounds to the nearest that is not 0.
static int32_t divided_size(int32_t value, int32_t scale) {
    const int32_t magnitude = divided(value < 0 ? -value : value, scale);
    const int32_t size = magnitude > 0 || value == 0 ? magnitude : 1;
    return value < 0 ? -size : size;
}

static void scale_info(ct_angelcode_info *info, int32_t scale) {
    info->size = divided_size(info->size, scale);
    for (uint32_t i = 0; i < 4; ++i)
        info->padding[i] = divided(info->padding[i], scale);
    for (uint32_t i = 0; i < 2; ++i)
        info->spacing[i] = divided(info->spacing[i], scale);
    info->outline = divided(info->outline, scale);
}

static void scale_common(ct_angelcode_common *common, int32_t scale) {
    common->line_height = divided(common->line_height, scale);
    common->base = divided(common->base, scale);
    common->scale_width = divided_up(common->scale_width, scale);
    common->scale_height = divided_up(common->scale_height, scale);
    // The pages are grey: the character in all colours, and opaque.
    common->alpha_channel = 4;
    common->red_channel = common->green_channel = common->blue_channel = 0;
}

// Returns whether the picture moved.
static bool scale_char(ct_angelcode_char *c, int32_t scale) {
    const int32_t x = c->x / scale, y = c->y / scale;
    const int32_t left = c->x_offset - (c->x - x * scale);
    const int32_t top = c->y_offset - (c->y - y * scale);
    c->x_advance = divided(c->x_advance, scale);
    c->channel = 15;
    if (c->width == 0 || c->height == 0) {
        c->x = x;
        c->y = y;
        c->width = c->height = 0;
        c->x_offset = divided(c->x_offset, scale);
        c->y_offset = divided(c->y_offset, scale);
        return false;
    }
    c->width = divided_up(c->x + c->width, scale) - x;
    c->height = divided_up(c->y + c->height, scale) - y;
    c->x = x;
    c->y = y;
    c->x_offset = divided(left, scale);
    c->y_offset = divided(top, scale);
    return left % scale != 0 || top % scale != 0;
}

uint32_t ct_angelcode_scale(ct_angelcode *font, uint32_t scale) {
    uint32_t num_moved = 0;
    scale_info(&font->info, (int32_t)scale);
    scale_common(&font->common, (int32_t)scale);
    for (uint32_t i = 0; i < font->chars.count; ++i)
        num_moved += scale_char(&font->chars.items[i], (int32_t)scale);
    for (uint32_t i = 0; i < font->kernings.count; ++i)
        font->kernings.items[i].amount = divided(font->kernings.items[i].amount, (int32_t)scale);
    return num_moved;
}

// --- Checks --------------------------------------------------------------------------------------

static bool check(const converter *v) {
    ct_compile *const c = v->c;
    const ct_compile_distance_font *const desc = v->desc;
    const ct_angelcode_common *const common = &v->font.common;
    if (desc->scale > CT_DISTANCE_FIELD_MAX_SCALE || desc->spread > CT_DISTANCE_FIELD_MAX_SPREAD)
        return ct_compile_error_at(c, NULL, 0, 0, "scale %u or spread %u is too large", desc->scale,
                                   desc->spread);
    if (common->packed)
        return ct_compile_error_at(
            c, NULL, 0, 0,
            "the font is packed: characters share pixels in several "
            "channels; export it without \"pack chars in multiple channels\"");
    if (common->scale_width > CT_DISTANCE_FIELD_MAX_SIZE ||
        common->scale_height > CT_DISTANCE_FIELD_MAX_SIZE)
        return ct_compile_error_at(
            c, NULL, 0, 0, "the pages are %d x %d pixels; expected at most %d on a side",
            common->scale_width, common->scale_height, CT_DISTANCE_FIELD_MAX_SIZE);
    return true;
}

// Fields reach `spread` target pixels beyond the outline.
static void warn_of_padding(const converter *v) {
    const int32_t needed = (int32_t)(v->desc->scale * v->desc->spread);
    const int32_t *const padding = v->font.info.padding;
    int32_t least = padding[0];
    for (uint32_t i = 1; i < 4; ++i)
        least = padding[i] < least ? padding[i] : least;
    if (least < needed)
        ct_compile_warning_at(v->c, NULL, 0, 0,
                              "the padding around characters is %d pixels; a spread of %u at scale "
                              "%u needs %d: fields end at the edges of rectangles, or run into "
                              "those beside them. Export the font with padding %d, or use a "
                              "smaller spread",
                              least, v->desc->spread, v->desc->scale, needed, needed);
}

static void warn_of_offsets(const converter *v, uint32_t num_moved) {
    if (num_moved > 0)
        ct_compile_warning_at(v->c, NULL, 0, 0,
                              "%u of %u characters move by up to half a pixel of the new pages: "
                              "their offsets, from the corner of the grown rectangle, are not "
                              "multiples of the scale (%u) and were rounded",
                              num_moved, v->font.chars.count, v->desc->scale);
}

// --- Files ---------------------------------------------------------------------------------------

static bool convert_page(converter *v, uint32_t page) {
    ct_allocator *const a = v->files.allocator;
    const ct_compile_distance_font *const desc = v->desc;
    ct_angelcode_coverage coverage = {0};
    if (!ct_angelcode_open_page(v->c, a, v->c->path, &v->font, page, &coverage))
        return false;
    const uint32_t width = ct_distance_field_size(coverage.width, desc->scale);
    const uint32_t height = ct_distance_field_size(coverage.height, desc->scale);
    uint8_t *const field = ct_alloc(a, (uint64_t)width * height);
    ct_distance_field(a, coverage.pixels, coverage.width, coverage.height, desc->scale,
                      desc->spread, field);
    if (strcmp(desc->page_format, "tga") == 0)
        ct_worker_tga_write_grey(field, width, height, &v->files);
    else
        ct_worker_png_write_grey(field, width, height, &v->files);
    ct_array_push(&v->ends, v->files.count);
    ct_free(a, field);
    ct_free(a, coverage.pixels);
    return true;
}

// Names a page after the output: big.fnt has big_0.png. All names have the same length, as the
// binary format wants it.
static bool name_page(converter *v, uint32_t page) {
    const char *const output = v->desc->output, *const extension = ct_path_extension(output);
    const int stem = (int)(strlen(output) - strlen(extension) - (*extension ? 1 : 0));
    const uint32_t count = v->font.pages.count;
    const int num_digits = count > 100 ? 3 : count > 10 ? 2 : 1;
    const int length =
        snprintf(v->font.pages.items[page].file, CT_ANGELCODE_NAME_BYTES, "%.*s_%0*u.%s", stem,
                 output, num_digits, page, v->desc->page_format);
    return length < CT_ANGELCODE_NAME_BYTES ||
           ct_compile_error_at(v->c, NULL, 0, 0, "the name \"%s\" is too long for pages", output);
}

static bool convert_pages(converter *v) {
    const uint32_t count = v->font.pages.count;
    for (uint32_t i = 0; i < count; ++i) {
        if (!convert_page(v, i))
            return false;
    }
    return true;
}

static ct_angelcode_format output_format(const converter *v) {
    for (uint32_t i = 0; v->desc->format && ct_angelcode_format_names[i]; ++i) {
        if (strcmp(v->desc->format, ct_angelcode_format_names[i]) == 0)
            return (ct_angelcode_format)i;
    }
    return v->font.format;
}

static bool convert_font(converter *v) {
    ct_error error = {0};
    warn_of_padding(v);
    warn_of_offsets(v, ct_angelcode_scale(&v->font, v->desc->scale));
    for (uint32_t i = 0; i < v->font.pages.count; ++i) {
        if (!name_page(v, i))
            return false;
    }
    return ct_angelcode_write(&v->font, output_format(v), &v->files, &error) ||
           ct_compile_error_at(v->c, NULL, 0, 0, "%s", error.message);
}

static void write_file(ct_sjson_writer *w, const char *name, uint32_t num_bytes) {
    ct_sjson_begin_object(w);
    ct_sjson_member_string(w, "name", name);
    ct_sjson_member_number(w, "size", num_bytes);
    ct_sjson_end_object(w);
}

// The pages come first, so that a new font never names pages that are not there.
static void write_message(const converter *v, const ct_string_array *sources, ct_byte_array *out) {
    const uint32_t num_pages = v->font.pages.count;
    ct_string_builder text;
    ct_sjson_writer w;
    ct_string_builder_init(&text, v->c->allocator);
    ct_sjson_writer_init(&w, &text, CT_SJSON_STYLE_JSON);
    ct_sjson_begin_object(&w);
    ct_sjson_write_key(&w, "sources");
    ct_sjson_begin_array(&w);
    for (uint32_t i = 0; i < sources->count; ++i)
        ct_sjson_write_string(&w, sources->items[i]);
    ct_sjson_end_array(&w);
    ct_sjson_write_key(&w, "files");
    ct_sjson_begin_array(&w);
    uint32_t at = 0;
    for (uint32_t i = 0; i < num_pages; at = v->ends.items[i++])
        write_file(&w, v->font.pages.items[i].file, v->ends.items[i] - at);
    write_file(&w, v->desc->output, v->files.count - at);
    ct_sjson_end_array(&w);
    ct_sjson_member_number(&w, "binary_size", v->files.count);
    ct_sjson_end_object(&w);
    ct_message_write(out, ct_string_builder_text(&text), text.length, v->files.items,
                     v->files.count);
}

bool ct_angelcode_convert(ct_compile *c, const ct_compile_distance_font *desc, ct_byte_array *out) {
    converter v = {.c = c, .desc = desc};
    ct_string_array sources;
    ct_array_init(&v.files, out->allocator);
    ct_array_init(&v.ends, c->allocator);
    ct_array_init(&sources, c->allocator);
    if (!ct_angelcode_open(c, c->path, NULL, (ct_sjson_value){0}, &v.font))
        return false;
    for (uint32_t i = 0; i < v.font.pages.count; ++i)
        ct_array_push(&sources, ct_copy_string(c->allocator, v.font.pages.items[i].file));
    const bool is_good = check(&v) && convert_pages(&v) && convert_font(&v);
    if (is_good)
        write_message(&v, &sources, out);
    ct_array_free(&v.files);
    return is_good;
}
