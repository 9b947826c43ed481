#include "resource/types/font_resource.h"

#include <math.h>
#include <stddef.h>

#include "foundation/error.h"

#define AT(member)                                                                                 \
    .offset = offsetof(ct_font_source, member), .size_bytes = sizeof(((ct_font_source *)0)->member)

static const ct_field fields[] = {
    {.name = "source",
     .type = CT_FIELD_TYPE_MEDIA,
     AT(source),
     .flags = CT_FIELD_REQUIRED,
     .doc = "The font: a .ttf, .otf or .ttc file with outlines, or an AngelCode .fnt file."},
    {.name = "source",
     .type = CT_FIELD_TYPE_VALUE,
     AT(source_value),
     .doc = "The font: a .ttf, .otf or .ttc file with outlines, or an AngelCode .fnt file."},
    {.name = "face",
     .type = CT_FIELD_TYPE_INT,
     AT(face),
     .doc = "The position of the font in a collection (.ttc), from 0.",
     .most = 65535},
    {.name = "size",
     .type = CT_FIELD_TYPE_FLOAT,
     AT(size),
     .doc = "The size of an em in the pages. Distance fields are sharp at any size on the screen; "
            "a larger size keeps finer detail.",
     .unit = "px",
     .least = 4,
     .most = CT_FONT_MAX_SIZE,
     .default_value = {32}},
    {.name = "spread",
     .type = CT_FIELD_TYPE_INT,
     AT(spread),
     .doc = "How far the distance field reaches around outlines: the room for outlines, shadows "
            "and glows, in pixels of the pages.",
     .unit = "px",
     .least = 1,
     .most = CT_FONT_MAX_SPREAD,
     .default_value = {4}},
    {.name = "spread",
     .type = CT_FIELD_TYPE_VALUE,
     AT(spread_value),
     .doc = "Whether the source sets it."},
    {.name = "distance_field",
     .type = CT_FIELD_TYPE_BOOL,
     AT(distance_field),
     .doc = "Whether the pages hold distances to outlines. false: plain pictures for text that is "
            "drawn at exactly `size`, as pixel fonts are.",
     .default_value = {1}},
    {.name = "pages_are_distance_fields",
     .type = CT_FIELD_TYPE_BOOL,
     AT(pages_are_distance_fields),
     .doc =
         "Whether the pages of an AngelCode font already are distance fields with this `spread`, "
         "as `cuttle font` writes them."},
    {.name = "scale",
     .type = CT_FIELD_TYPE_INT,
     AT(scale),
     .doc = "How many pixels of an AngelCode font make one pixel of the distance field: 8 for a "
            "font that was drawn 8 times as large.",
     .least = 1,
     .most = 64,
     .default_value = {1}},
    {.name = "characters",
     .type = CT_FIELD_TYPE_ARRAY,
     AT(characters),
     .flags = CT_FIELD_SET,
     .doc = "The characters in the pages: ranges (\"0x20-0x7e\", \"U+A0-U+17F\"), names of sets "
            "(latin, latin_1, greek, cyrillic, hebrew, punctuation), or the characters "
            "themselves. Others are drawn while the game runs. Default: ASCII and Latin-1."},
    {.name = "strings",
     .type = CT_FIELD_TYPE_REFERENCES,
     AT(strings),
     .flags = CT_FIELD_SET,
     .doc = "Tables of strings, whose characters in all languages are added to the pages.",
     .reference_type = "strings"},
    {.name = "strings",
     .type = CT_FIELD_TYPE_VALUE,
     AT(strings_value),
     .doc = "Tables of strings, whose characters in all languages are added to the pages."},
    {.name = "fallback",
     .type = CT_FIELD_TYPE_REFERENCES,
     AT(fallback),
     .doc = "Fonts that are tried in order for characters that this one does not have.",
     .reference_type = "font"},
    {.name = "fallback",
     .type = CT_FIELD_TYPE_VALUE,
     AT(fallback_value),
     .doc = "Fonts that are tried in order for characters that this one does not have."},
};

const ct_schema ct_font_schema = {
    .name = "font",
    .doc = "A font: pictures of its glyphs, and what text needs to be laid out.",
    .size_bytes = sizeof(ct_font_source),
    .num_fields = CT_COUNT_OF(fields),
    .fields = fields,
};

// --- The blob ------------------------------------------------------------------------------------

const ct_blob_layout ct_font_glyph_layout =
    CT_BLOB_STRUCT(ct_font_glyph, CT_BLOB_NUMBERS(4, ct_font_glyph, glyph, glyph),
                   CT_BLOB_NUMBERS(2, ct_font_glyph, page, height),
                   CT_BLOB_NUMBERS(2, ct_font_glyph, padding, padding),
                   CT_BLOB_NUMBERS(4, ct_font_glyph, left, advance));

const ct_blob_layout ct_font_character_layout = CT_BLOB_ALL_NUMBERS(ct_font_character, 4);

const ct_blob_layout ct_font_kerning_layout = CT_BLOB_ALL_NUMBERS(ct_font_kerning, 4);

const ct_blob_layout ct_font_page_layout =
    CT_BLOB_STRUCT(ct_font_page, CT_BLOB_NUMBERS(4, ct_font_page, width, height),
                   CT_BLOB_ARRAY(ct_font_page, pixels, ct_blob_pixels_layout));

const ct_blob_layout ct_font_layout =
    CT_BLOB_ROOT(ct_font_resource, "a font", CT_BLOB_NUMBERS(4, ct_font_resource, flags, padding),
                 CT_BLOB_ARRAY(ct_font_resource, glyphs, ct_font_glyph_layout),
                 CT_BLOB_ARRAY(ct_font_resource, characters, ct_font_character_layout),
                 CT_BLOB_ARRAY(ct_font_resource, kerning, ct_font_kerning_layout),
                 CT_BLOB_ARRAY(ct_font_resource, pages, ct_font_page_layout),
                 CT_BLOB_ARRAY(ct_font_resource, outlines, ct_blob_pixels_layout),
                 CT_BLOB_ARRAY(ct_font_resource, fallbacks, ct_blob_u64_layout));

static bool check_numbers(const ct_font_resource *f, ct_error *error) {
    const struct {
        const char *name;
        float value, least, most;
    } numbers[] = {
        {"size", f->size, 1, CT_FONT_MAX_SIZE},
        {"spread", f->spread, 0, CT_FONT_MAX_SPREAD},
        {"ascent", f->ascent, -CT_FONT_MAX_LENGTH, CT_FONT_MAX_LENGTH},
        {"descent", f->descent, -CT_FONT_MAX_LENGTH, CT_FONT_MAX_LENGTH},
        {"line_gap", f->line_gap, 0, CT_FONT_MAX_LENGTH},
        {"underline_position", f->underline_position, -CT_FONT_MAX_LENGTH, CT_FONT_MAX_LENGTH},
        {"underline_thickness", f->underline_thickness, -CT_FONT_MAX_LENGTH, CT_FONT_MAX_LENGTH},
        {"x_height", f->x_height, -CT_FONT_MAX_LENGTH, CT_FONT_MAX_LENGTH},
        {"cap_height", f->cap_height, -CT_FONT_MAX_LENGTH, CT_FONT_MAX_LENGTH},
    };
    for (uint32_t i = 0; i < CT_COUNT_OF(numbers); ++i) {
        if (!(numbers[i].value >= numbers[i].least && numbers[i].value <= numbers[i].most))
            return ct_error_set(error, "%s: found %g, expected %g to %g", numbers[i].name,
                                (double)numbers[i].value, (double)numbers[i].least,
                                (double)numbers[i].most);
    }
    if (f->flags & ~(uint32_t)CT_FONT_DISTANCE_FIELD)
        return ct_error_set(error, "flags: found 0x%x, expected at most 0x%x", f->flags,
                            (unsigned)CT_FONT_DISTANCE_FIELD);
    return ((f->flags & CT_FONT_DISTANCE_FIELD) != 0) == (f->spread > 0) ||
           ct_error_set(error, "found a spread of %g %s a distance field", (double)f->spread,
                        f->flags ? "with" : "without");
}

static bool check_pages(const ct_font_resource *f, ct_error *error) {
    const ct_font_page *const pages = ct_blob_at(f, f->pages.offset);
    if (f->pages.count > CT_FONT_MAX_PAGES)
        return ct_error_set(error, "found %u pages, expected at most %d", f->pages.count,
                            CT_FONT_MAX_PAGES);
    for (uint32_t i = 0; i < f->pages.count; ++i) {
        if (pages[i].width == 0 || pages[i].height == 0 || pages[i].width > CT_FONT_PAGE_SIZE ||
            pages[i].height > CT_FONT_PAGE_SIZE)
            return ct_error_set(error, "pages[%u]: found %u x %u pixels, expected 1 to %d each", i,
                                pages[i].width, pages[i].height, CT_FONT_PAGE_SIZE);
        if (pages[i].pixels.count != pages[i].width * pages[i].height)
            return ct_error_set(error, "pages[%u]: found %u bytes of pixels, expected %u", i,
                                pages[i].pixels.count, pages[i].width * pages[i].height);
    }
    return true;
}

static bool is_length(float value) {
    return fabsf(value) <= CT_FONT_MAX_LENGTH; // not NaN either
}

static bool check_glyph(const ct_font_resource *f, uint32_t i, ct_error *error) {
    const ct_font_page *const pages = ct_blob_at(f, f->pages.offset);
    const ct_font_glyph *const glyphs = ct_blob_at(f, f->glyphs.offset);
    const ct_font_glyph *const g = &glyphs[i];
    if (i > 0 && g->glyph <= glyphs[i - 1].glyph)
        return ct_error_set(error, "glyphs[%u]: out of order; expected glyphs sorted by number", i);
    if (!is_length(g->left) || !is_length(g->top) || !is_length(g->advance))
        return ct_error_set(error,
                            "glyphs[%u]: found left %g, top %g and advance %g, expected "
                            "at most %d pixels",
                            i, (double)g->left, (double)g->top, (double)g->advance,
                            CT_FONT_MAX_LENGTH);
    if (g->width == 0 || g->height == 0)
        return true;
    if (g->page >= f->pages.count)
        return ct_error_set(error, "glyphs[%u]: found page %u of %u", i, g->page, f->pages.count);
    const ct_font_page *const p = &pages[g->page];
    return (g->x + (uint32_t)g->width <= p->width && g->y + (uint32_t)g->height <= p->height) ||
           ct_error_set(error,
                        "glyphs[%u]: its %u x %u pixels at (%u, %u) are not inside of its "
                        "page of %u x %u",
                        i, g->width, g->height, g->x, g->y, p->width, p->height);
}

static bool check_glyphs(const ct_font_resource *f, ct_error *error) {
    for (uint32_t i = 0; i < f->glyphs.count; ++i) {
        if (!check_glyph(f, i, error))
            return false;
    }
    return true;
}

static bool check_characters(const ct_font_resource *f, ct_error *error) {
    const ct_font_character *const c = ct_blob_at(f, f->characters.offset);
    for (uint32_t i = 0; i < f->characters.count; ++i) {
        if (i > 0 && c[i].codepoint <= c[i - 1].codepoint)
            return ct_error_set(error,
                                "characters[%u]: out of order; expected characters sorted "
                                "by code point",
                                i);
        if (!ct_font_find_glyph(f, c[i].glyph))
            return ct_error_set(error, "characters[%u]: there is no glyph %u", i, c[i].glyph);
    }
    return true;
}

static uint64_t key_of_pair(uint32_t first, uint32_t second) {
    return (uint64_t)first << 32 | second;
}

static bool check_kerning(const ct_font_resource *f, ct_error *error) {
    const ct_font_kerning *const k = ct_blob_at(f, f->kerning.offset);
    for (uint32_t i = 0; i < f->kerning.count; ++i) {
        if (i > 0 &&
            key_of_pair(k[i].first, k[i].second) <= key_of_pair(k[i - 1].first, k[i - 1].second))
            return ct_error_set(error,
                                "kerning[%u]: out of order; expected pairs sorted by "
                                "`first`, then `second`",
                                i);
        if (!is_length(k[i].amount))
            return ct_error_set(error, "kerning[%u]: found %g, expected at most %d pixels", i,
                                (double)k[i].amount, CT_FONT_MAX_LENGTH);
    }
    return true;
}

static bool check_fallbacks(const ct_font_resource *f, ct_error *error) {
    const uint64_t *const names = ct_blob_at(f, f->fallbacks.offset);
    if (f->fallbacks.count > CT_FONT_MAX_FALLBACKS)
        return ct_error_set(error, "found %u fallbacks, expected at most %d", f->fallbacks.count,
                            CT_FONT_MAX_FALLBACKS);
    for (uint32_t i = 0; i < f->fallbacks.count; ++i) {
        if (names[i] == 0)
            return ct_error_set(error, "fallbacks[%u]: its name is missing", i);
    }
    return true;
}

bool ct_font_validate(const void *blob, ct_error *error) {
    const ct_font_resource *const f = blob;
    return ct_blob_check_layout(&ct_font_layout, f, error) && check_numbers(f, error) &&
           check_pages(f, error) && check_glyphs(f, error) && check_characters(f, error) &&
           check_kerning(f, error) && check_fallbacks(f, error);
}

// --- Look-up -------------------------------------------------------------------------------------

const ct_font_glyph *ct_font_find_glyph(const ct_font_resource *font, uint32_t glyph) {
    const ct_font_glyph *const glyphs = ct_blob_at(font, font->glyphs.offset);
    uint32_t first = 0, last = font->glyphs.count;
    while (first < last) {
        const uint32_t middle = first + (last - first) / 2;
        if (glyphs[middle].glyph < glyph)
            first = middle + 1;
        else
            last = middle;
    }
    return first < font->glyphs.count && glyphs[first].glyph == glyph ? &glyphs[first] : NULL;
}

uint32_t ct_font_find_character(const ct_font_resource *font, uint32_t codepoint) {
    const ct_font_character *const c = ct_blob_at(font, font->characters.offset);
    uint32_t first = 0, last = font->characters.count;
    while (first < last) {
        const uint32_t middle = first + (last - first) / 2;
        if (c[middle].codepoint < codepoint)
            first = middle + 1;
        else
            last = middle;
    }
    return first < font->characters.count && c[first].codepoint == codepoint ? c[first].glyph : 0;
}

float ct_font_find_kerning(const ct_font_resource *font, uint32_t first, uint32_t second) {
    const ct_font_kerning *const k = ct_blob_at(font, font->kerning.offset);
    const uint64_t key = key_of_pair(first, second);
    uint32_t begin = 0, end = font->kerning.count;
    while (begin < end) {
        const uint32_t middle = begin + (end - begin) / 2;
        if (key_of_pair(k[middle].first, k[middle].second) < key)
            begin = middle + 1;
        else
            end = middle;
    }
    const bool is_found =
        begin < font->kerning.count && k[begin].first == first && k[begin].second == second;
    return is_found ? k[begin].amount : 0;
}
