#include "compiler/types/font/font_angelcode_fields.h"

#include <stdlib.h>
#include <string.h>

#include "text/distance_field.h"

enum { GAP = 1 }; // empty pixels between pictures, for filters

// A character that has something to draw.
typedef struct drawn_char {
    const ct_angelcode_char *c;
    uint32_t glyph;
    uint32_t x, y, width, height; // of its ink in the old page
} drawn_char;

// --- Characters ----------------------------------------------------------------------------------

static bool has_ink(const ct_angelcode_coverage *coverage, uint32_t x, uint32_t y, uint32_t width,
                    uint32_t height) {
    for (uint32_t row = 0; row < height; ++row) {
        const uint8_t *const pixels = coverage->pixels + (uint64_t)(y + row) * coverage->width + x;
        for (uint32_t i = 0; i < width; ++i) {
            if (pixels[i])
                return true;
        }
    }
    return false;
}

// Narrows the rectangle to what is drawn. False when nothing is.
static bool find_ink(const ct_angelcode_coverage *coverage, drawn_char *d) {
    while (d->height > 0 && !has_ink(coverage, d->x, d->y + d->height - 1, d->width, 1))
        --d->height;
    if (d->height == 0 || d->width == 0)
        return false;
    while (!has_ink(coverage, d->x, d->y, d->width, 1)) {
        ++d->y;
        --d->height;
    }
    while (!has_ink(coverage, d->x + d->width - 1, d->y, 1, d->height))
        --d->width;
    while (!has_ink(coverage, d->x, d->y, 1, d->height)) {
        ++d->x;
        --d->width;
    }
    return true;
}

static int compare_heights(const void *p, const void *q) {
    const drawn_char *const a = p, *const b = q;
    return a->height != b->height ? (a->height < b->height) - (a->height > b->height)
                                  : (a->glyph > b->glyph) - (a->glyph < b->glyph);
}

// --- Places --------------------------------------------------------------------------------------

static bool add_page(ct_font_shelves *shelves, ct_font_content *content, ct_error *error) {
    if (content->pages.count == CT_FONT_MAX_PAGES)
        return ct_error_set(error,
                            "the font needs more than %d pages of %d x %d pixels; use a larger "
                            "scale, or fewer characters",
                            CT_FONT_MAX_PAGES, CT_FONT_PAGE_SIZE, CT_FONT_PAGE_SIZE);
    *shelves = (ct_font_shelves){0};
    ct_array_push(&content->pages,
                  (ct_font_content_page){
                      .width = CT_FONT_PAGE_SIZE,
                      .pixels = ct_alloc_zero(content->pages.allocator,
                                              (uint64_t)CT_FONT_PAGE_SIZE * CT_FONT_PAGE_SIZE)});
    return true;
}

// Sets the place of a glyph's picture.
static bool place(ct_font_shelves *shelves, ct_font_content *content, ct_font_glyph *g,
                  ct_error *error) {
    if (g->width > CT_FONT_PAGE_SIZE || g->height > CT_FONT_PAGE_SIZE)
        return ct_error_set(error,
                            "a character has a field of %u x %u pixels; expected at most %d on a "
                            "side: use a larger scale",
                            g->width, g->height, CT_FONT_PAGE_SIZE);
    if (content->pages.count == 0 && !add_page(shelves, content, error))
        return false;
    if (shelves->x + g->width > CT_FONT_PAGE_SIZE) {
        shelves->y += shelves->height + GAP;
        shelves->x = shelves->height = 0;
    }
    if (shelves->y + g->height > CT_FONT_PAGE_SIZE && !add_page(shelves, content, error))
        return false;
    ct_font_content_page *const page = &content->pages.items[content->pages.count - 1];
    g->page = (uint16_t)(content->pages.count - 1);
    g->x = (uint16_t)shelves->x;
    g->y = (uint16_t)shelves->y;
    shelves->x += g->width + GAP;
    shelves->height = g->height > shelves->height ? g->height : shelves->height;
    page->height = g->y + g->height > page->height ? g->y + g->height : page->height;
    return true;
}

// --- Fields --------------------------------------------------------------------------------------

// Draws the field of a character into its place.
static void draw(const drawn_char *d, const ct_font_angelcode_source *source,
                 const ct_angelcode_coverage *coverage, const ct_font_glyph *g,
                 ct_font_content *content) {
    ct_allocator *const a = content->pages.allocator;
    const uint32_t margin = source->spread * source->scale;
    const uint32_t width = g->width * source->scale, height = g->height * source->scale;
    uint8_t *const pixels = ct_alloc_zero(a, (uint64_t)width * height);
    uint8_t *const field = ct_alloc(a, (uint64_t)g->width * g->height);
    for (uint32_t y = 0; y < d->height; ++y)
        memcpy(pixels + (uint64_t)(margin + y) * width + margin,
               coverage->pixels + (uint64_t)(d->y + y) * coverage->width + d->x, d->width);
    ct_distance_field(a, pixels, width, height, source->scale, source->spread, field);
    uint8_t *const page = content->pages.items[g->page].pixels;
    for (uint32_t y = 0; y < g->height; ++y)
        memcpy(page + (uint64_t)(g->y + y) * CT_FONT_PAGE_SIZE + g->x, field + y * g->width,
               g->width);
    ct_free(a, field);
    ct_free(a, pixels);
}

static bool add_field(const ct_angelcode *font, const ct_font_angelcode_source *source,
                      const drawn_char *d, const ct_angelcode_coverage *coverage,
                      ct_font_shelves *shelves, ct_font_content *content, ct_error *error) {
    ct_font_glyph *const g = &content->glyphs.items[d->glyph];
    const uint32_t scale = source->scale, margin = source->spread * scale;
    const int32_t left = d->c->x_offset + (int32_t)d->x - d->c->x - (int32_t)margin;
    const int32_t top = d->c->y_offset + (int32_t)d->y - d->c->y - (int32_t)margin;
    g->width = (uint16_t)ct_distance_field_size(d->width + 2 * margin, scale);
    g->height = (uint16_t)ct_distance_field_size(d->height + 2 * margin, scale);
    g->left = (float)left / (float)scale;
    g->top = (float)(font->common.base - top) / (float)scale;
    if (!place(shelves, content, g, error))
        return false;
    draw(d, source, coverage, g, content);
    return true;
}

bool ct_font_angelcode_add_fields(const ct_angelcode *font, const ct_font_angelcode_source *source,
                                  uint32_t page, const ct_angelcode_coverage *coverage,
                                  ct_font_shelves *shelves, ct_font_content *content,
                                  ct_error *error) {
    CT_ARRAY(drawn_char) drawn;
    ct_array_init(&drawn, content->pages.allocator);
    for (uint32_t i = 0; i < font->chars.count; ++i) {
        const ct_angelcode_char *const c = &font->chars.items[i];
        drawn_char d = {c,
                        ct_font_angelcode_glyph(font, i),
                        (uint32_t)c->x,
                        (uint32_t)c->y,
                        (uint32_t)c->width,
                        (uint32_t)c->height};
        if (c->page == (int32_t)page && find_ink(coverage, &d))
            ct_array_push(&drawn, d);
    }
    if (drawn.count > 0)
        qsort(drawn.items, drawn.count, sizeof(drawn.items[0]), compare_heights);
    bool is_good = true;
    for (uint32_t i = 0; is_good && i < drawn.count; ++i)
        is_good = add_field(font, source, &drawn.items[i], coverage, shelves, content, error);
    ct_array_free(&drawn);
    return is_good;
}

void ct_font_angelcode_finish_fields(ct_font_content *content) {
    for (uint32_t i = 0; i < content->pages.count; ++i) {
        ct_font_content_page *const page = &content->pages.items[i];
        page->pixels = ct_realloc(content->pages.allocator, page->pixels,
                                  (uint64_t)CT_FONT_PAGE_SIZE * CT_FONT_PAGE_SIZE,
                                  (uint64_t)CT_FONT_PAGE_SIZE * page->height);
    }
}
