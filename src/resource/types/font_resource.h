// font_resource.h: the blob of a font: pictures of glyphs in pages, their metrics, and what shaping
// needs.
//
// A font comes from outlines (TrueType, OpenType) or from an AngelCode font. With outlines the blob
// holds the whole file: HarfBuzz shapes with its tables, and glyphs without a picture are
// rasterised while the game runs. An AngelCode font has tables of characters and kerning instead;
// its glyphs are numbered from 1 in the order of their characters, and glyph 0 is the missing
// glyph.
//
// Lengths are in pixels of the font's `size`, y up, from the pen's position on the baseline.
// Pages hold one byte for each pixel, rows from the top: coverage (255 is inside), or with
// CT_FONT_DISTANCE_FIELD the signed distance to the outline: 128 is on it, 255 is `spread` pixels
// inside, 1 is `spread` pixels outside. libc only.
#pragma once
#include "resource/types/resource_types.h"

enum {
    CT_FONT_VERSION = 1,
    CT_FONT_PAGE_SIZE = 1024, // the width of a page in pixels, and its greatest height
    CT_FONT_MAX_PAGES = 64,
    CT_FONT_MAX_FALLBACKS = 16,
    CT_FONT_MAX_STRINGS = 64, // tables that a source names
    CT_FONT_MAX_SIZE = 256,   // pixels of an em
    CT_FONT_MAX_SPREAD = 32,
    CT_FONT_MAX_LENGTH = 65536, // pixels: of metrics, offsets and advances
    CT_FONT_DISTANCE_FIELD = 1, // a flag
};

// The picture of a glyph.
typedef struct ct_font_glyph {
    uint32_t glyph;         // its number in the outlines
    uint16_t page, x, y;    // the rectangle in the page, from its top left corner, with spread
    uint16_t width, height; // 0: nothing to draw
    uint16_t padding;
    float left, top; // the rectangle's top left corner from the pen: right, and up
    float advance;   // how far the pen moves to the right
} ct_font_glyph;

// The glyph of a character; of an AngelCode font only.
typedef struct ct_font_character {
    uint32_t codepoint, glyph;
} ct_font_character;

// How much farther (or nearer, when negative) the pen moves between two glyphs; of an AngelCode
// font only.
typedef struct ct_font_kerning {
    uint32_t first, second; // glyphs
    float amount;
} ct_font_kerning;

typedef struct ct_font_page {
    uint32_t width, height; // at most CT_FONT_PAGE_SIZE each
    ct_blob_array pixels;   // width * height bytes
} ct_font_page;

typedef struct ct_font_resource {
    ct_blob_header header;
    uint32_t flags;                  // CT_FONT_DISTANCE_FIELD
    float size;                      // pixels of an em in the pages
    float spread;                    // pixels around a glyph's outline; 0 without a distance field
    float ascent, descent, line_gap; // of a line: above, and (positive) below the baseline
    float underline_position;        // of its middle; negative: below the baseline
    float underline_thickness;
    float x_height, cap_height;
    uint32_t face_index; // in the outlines' file
    uint32_t padding;
    ct_blob_array glyphs;     // ct_font_glyph, sorted by `glyph`
    ct_blob_array characters; // ct_font_character, sorted by `codepoint`
    ct_blob_array kerning;    // ct_font_kerning, sorted by `first`, then `second`
    ct_blob_array pages;      // ct_font_page
    ct_blob_array outlines;   // bytes of a TrueType or OpenType file; none in an AngelCode font
    ct_blob_array fallbacks;  // uint64_t: names of fonts (ct_string_id64) that are tried in order
} ct_font_resource;

// The fields that the schema reads from a source.
typedef struct ct_font_source {
    const char *source; // media: .ttf, .otf, .ttc, .fnt
    ct_sjson_value source_value;
    int32_t face; // of a collection
    float size;   // pixels of an em
    int32_t spread;
    ct_sjson_value spread_value; // whether the source sets it
    uint32_t distance_field;
    uint32_t pages_are_distance_fields; // of an AngelCode font
    int32_t scale;                      // the same: its pixels for each pixel of a page
    ct_sjson_value characters; // array of strings: ranges, names of sets, characters themselves
    ct_string_id64 strings[CT_FONT_MAX_STRINGS];
    ct_sjson_value strings_value; // array of their names
    ct_string_id64 fallback[CT_FONT_MAX_FALLBACKS];
    ct_sjson_value fallback_value; // array of their names
} ct_font_source;

extern const ct_schema ct_font_schema;

extern const ct_blob_layout ct_font_layout, ct_font_glyph_layout, ct_font_character_layout,
    ct_font_kerning_layout, ct_font_page_layout;

// Validates a blob of this type after its header was checked: every offset is inside the blob,
// arrays are sorted, rectangles are inside their pages, and values are in range. The outlines are
// not looked at. Returns false with `error`, which names the invalid member. libc only.
bool ct_font_validate(const void *blob, ct_error *error);

// Returns the picture of a glyph; NULL when the pages do not have it. Borrowed from the blob.
// O(log n).
const ct_font_glyph *ct_font_find_glyph(const ct_font_resource *font, uint32_t glyph);

// Returns the glyph of a character of an AngelCode font; 0 when it does not have it. O(log n).
uint32_t ct_font_find_character(const ct_font_resource *font, uint32_t codepoint);

// Returns how much farther the pen moves between two glyphs of an AngelCode font; 0 for most.
// O(log n).
float ct_font_find_kerning(const ct_font_resource *font, uint32_t first, uint32_t second);
