#include "compiler/types/font/font_angelcode.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/types/font/font_angelcode_fields.h"
#include "text/distance_field.h"

// --- Content -------------------------------------------------------------------------------------

void ct_font_content_init(ct_font_content *content, ct_allocator *a) {
    *content = (ct_font_content){0};
    ct_array_init(&content->glyphs, a);
    ct_array_init(&content->characters, a);
    ct_array_init(&content->kerning, a);
    ct_array_init(&content->pages, a);
}

void ct_font_content_free(ct_font_content *content) {
    for (uint32_t i = 0; i < content->pages.count; ++i)
        ct_free(content->pages.allocator, content->pages.items[i].pixels);
    ct_array_free(&content->glyphs);
    ct_array_free(&content->characters);
    ct_array_free(&content->kerning);
    ct_array_free(&content->pages);
}

// --- Metrics -------------------------------------------------------------------------------------

// The height of a letter without its padding; 0 when the font does not have it.
static float height_of(const ct_angelcode *font, int32_t id) {
    for (uint32_t i = 0; i < font->chars.count; ++i) {
        const int32_t height =
            font->chars.items[i].height - font->info.padding[0] - font->info.padding[2];
        if (font->chars.items[i].id == id && height > 0)
            return (float)height;
    }
    return 0;
}

static void set_metrics(const ct_angelcode *font, const ct_font_angelcode_source *source,
                        ct_font_resource *r) {
    const float scale = (float)source->scale;
    const float x_height = height_of(font, 'x'), cap_height = height_of(font, 'H');
    r->flags = source->distance_field ? CT_FONT_DISTANCE_FIELD : 0;
    r->size = (float)abs(font->info.size) / scale;
    r->spread = source->distance_field ? (float)source->spread : 0;
    r->ascent = (float)font->common.base / scale;
    r->descent = (float)(font->common.line_height - font->common.base) / scale;
    r->line_gap = 0;
    // The format has no lines below the text: what most fonts have.
    r->underline_position = -0.1f * r->size;
    r->underline_thickness = fmaxf(0.05f * r->size, 1 / scale);
    r->x_height = x_height > 0 ? x_height / scale : 0.5f * r->size;
    r->cap_height = cap_height > 0 ? cap_height / scale : 0.7f * r->size;
}

static bool check_size(const ct_angelcode *font, const ct_font_angelcode_source *source,
                       ct_error *error) {
    const uint32_t scale = source->scale, size = (uint32_t)abs(font->info.size);
    const ct_angelcode_common *const common = &font->common;
    if (size == 0 || size > CT_FONT_MAX_SIZE * scale)
        return ct_error_set(error, "the size of the font is %d, at a scale of %u; expected 1 to %u",
                            font->info.size, scale, CT_FONT_MAX_SIZE * scale);
    if (common->packed)
        return ct_error_set(error, "the font is packed: characters share pixels in several "
                                   "channels; export it without \"pack chars in multiple "
                                   "channels\"");
    if (ct_font_angelcode_makes_fields(source))
        return true;
    if (common->scale_width > CT_FONT_PAGE_SIZE || common->scale_height > CT_FONT_PAGE_SIZE)
        return ct_error_set(error,
                            "the pages have %d x %d pixels; expected at most %d on a side: export "
                            "the font with smaller pages",
                            common->scale_width, common->scale_height, CT_FONT_PAGE_SIZE);
    return font->pages.count <= CT_FONT_MAX_PAGES ||
           ct_error_set(error, "the font has %u pages; expected at most %d", font->pages.count,
                        CT_FONT_MAX_PAGES);
}

// --- Glyphs --------------------------------------------------------------------------------------

bool ct_font_angelcode_makes_fields(const ct_font_angelcode_source *source) {
    return source->distance_field && !source->pages_are_distance_fields;
}

static void add_glyph(ct_font_content *content, const ct_angelcode *font,
                      const ct_font_angelcode_source *source, const ct_angelcode_char *c,
                      uint32_t glyph) {
    ct_font_glyph g = {.glyph = glyph, .advance = (float)c->x_advance / (float)source->scale};
    if (c->width > 0 && c->height > 0 && !ct_font_angelcode_makes_fields(source)) {
        g.page = (uint16_t)c->page;
        g.x = (uint16_t)c->x;
        g.y = (uint16_t)c->y;
        g.width = (uint16_t)c->width;
        g.height = (uint16_t)c->height;
        g.left = (float)c->x_offset;
        g.top = (float)(font->common.base - c->y_offset);
    }
    ct_array_push(&content->glyphs, g);
}

// The position of the missing glyph's character: -1, or else 0; `count` when there is neither.
static uint32_t find_missing(const ct_angelcode *font) {
    const int32_t first = font->chars.items[0].id; // sorted
    return first == CT_ANGELCODE_MISSING || first == 0 ? 0 : font->chars.count;
}

uint32_t ct_font_angelcode_glyph(const ct_angelcode *font, uint32_t i) {
    const uint32_t missing = find_missing(font);
    return i == missing ? 0 : i + 1 - (missing < i ? 1 : 0);
}

static void add_glyphs(ct_font_content *content, const ct_angelcode *font,
                       const ct_font_angelcode_source *source) {
    const uint32_t missing = find_missing(font);
    if (missing < font->chars.count)
        add_glyph(content, font, source, &font->chars.items[missing], 0);
    else
        ct_array_push(&content->glyphs, (ct_font_glyph){.advance = 0.5f * content->resource.size});
    for (uint32_t i = 0; i < font->chars.count; ++i) {
        const ct_angelcode_char *const c = &font->chars.items[i];
        const uint32_t glyph = ct_font_angelcode_glyph(font, i);
        if (i == missing)
            continue;
        add_glyph(content, font, source, c, glyph);
        ct_array_push(&content->characters, (ct_font_character){(uint32_t)c->id, glyph});
    }
}

// Returns the glyph of a character; 0 when the font does not have the character.
static uint32_t glyph_of(const ct_font_content *content, int32_t id) {
    uint32_t begin = 0, end = content->characters.count;
    while (begin < end) {
        const uint32_t middle = begin + (end - begin) / 2;
        if ((int64_t)content->characters.items[middle].codepoint < id)
            begin = middle + 1;
        else
            end = middle;
    }
    return begin < content->characters.count &&
                   (int64_t)content->characters.items[begin].codepoint == id
               ? content->characters.items[begin].glyph
               : 0;
}

// Kernings are sorted by characters, and glyphs are numbered in the same order.
static uint32_t add_kernings(ct_font_content *content, const ct_angelcode *font, uint32_t scale) {
    uint32_t num_dropped = 0;
    for (uint32_t i = 0; i < font->kernings.count; ++i) {
        const ct_angelcode_kerning *const k = &font->kernings.items[i];
        const uint32_t first = glyph_of(content, k->first), second = glyph_of(content, k->second);
        if (first == 0 || second == 0)
            ++num_dropped;
        else
            ct_array_push(&content->kerning,
                          (ct_font_kerning){first, second, (float)k->amount / (float)scale});
    }
    return num_dropped;
}

bool ct_font_angelcode_build(const ct_angelcode *font, const ct_font_angelcode_source *source,
                             ct_font_content *content, uint32_t *num_dropped, ct_error *error) {
    CT_ASSERT(source->scale == 1 || (source->scale > 1 && ct_font_angelcode_makes_fields(source)),
              "a scale of %u without new fields", source->scale);
    *num_dropped = 0;
    if (!check_size(font, source, error))
        return false;
    set_metrics(font, source, &content->resource);
    add_glyphs(content, font, source);
    *num_dropped = add_kernings(content, font, source->scale);
    return true;
}

// --- Pages ---------------------------------------------------------------------------------------

static bool add_page(ct_compile *c, const ct_font_angelcode_source *source,
                     const ct_angelcode *font, uint32_t page, ct_font_shelves *shelves,
                     ct_font_content *content) {
    ct_allocator *const a = content->pages.allocator;
    ct_angelcode_coverage coverage = {0};
    ct_error error = {0};
    if (!ct_angelcode_open_page(c, a, source->path, font, page, &coverage))
        return false;
    if (!ct_font_angelcode_makes_fields(source)) {
        ct_array_push(&content->pages,
                      (ct_font_content_page){coverage.width, coverage.height, coverage.pixels});
        return true;
    }
    const bool is_good =
        ct_font_angelcode_add_fields(font, source, page, &coverage, shelves, content, &error) ||
        ct_compile_error_at(c, source->path, 0, 0, "%s", error.message);
    ct_free(a, coverage.pixels);
    return is_good;
}

static bool add_pages(ct_compile *c, const ct_font_angelcode_source *source,
                      const ct_angelcode *font, ct_font_content *content) {
    ct_font_shelves shelves = {0};
    for (uint32_t i = 0; i < font->pages.count; ++i) {
        if (!add_page(c, source, font, i, &shelves, content))
            return false;
    }
    if (ct_font_angelcode_makes_fields(source))
        ct_font_angelcode_finish_fields(content);
    return true;
}

bool ct_compile_font_angelcode(ct_compile *c, const ct_font_angelcode_source *source,
                               ct_font_content *content) {
    ct_angelcode font;
    ct_error error = {0};
    uint32_t num_dropped = 0;
    if (!ct_angelcode_open(c, source->path, source->doc, source->at, &font))
        return false;
    const bool is_built = ct_font_angelcode_build(&font, source, content, &num_dropped, &error) ||
                          ct_compile_error_at(c, source->path, 0, 0, "%s", error.message);
    if (num_dropped > 0)
        ct_compile_warning_at(c, source->path, 0, 0,
                              "%u of %u kernings are of characters that the font does not have",
                              num_dropped, font.kernings.count);
    const bool is_good = is_built && add_pages(c, source, &font, content);
    ct_angelcode_free(&font);
    return is_good;
}
