// font_angelcode.h: the content of a font resource from an AngelCode font.
//
// With `distance_field`, each character becomes a distance field on new pages
// (font_angelcode_fields.h); else, and where pages are fields already, the pages stay as they are.
// Characters become glyphs numbered from 1 in the order of their code points; glyph 0 is the missing
// glyph: the character -1, or else 0, of the font, or an empty picture.
#pragma once
#include "compiler/protocol/compile.h"
#include "compiler/types/font/angelcode.h"
#include "resource/types/font_resource.h"

// What a `.font` says about it.
typedef struct ct_font_angelcode_source {
    const char *path;               // project path of the .fnt
    bool distance_field;            // false: the pages stay as they are
    bool pages_are_distance_fields; // already: with `distance_field`, and a scale of 1
    uint32_t scale;                 // source pixels for each pixel of a page; with fields only
    uint32_t spread;                // of the fields, in pixels of a page
    const ct_sjson *doc;            // where `path` is given, for errors
    ct_sjson_value at;
} ct_font_angelcode_source;

typedef struct ct_font_content_page {
    uint32_t width, height;
    uint8_t *pixels; // width * height bytes, owned by the content
} ct_font_content_page;

// All of a font resource, not yet laid out. The arrays of `resource` are not set.
typedef struct ct_font_content {
    ct_font_resource resource;
    CT_ARRAY(ct_font_glyph) glyphs;         // sorted by glyph
    CT_ARRAY(ct_font_character) characters; // sorted by code point
    CT_ARRAY(ct_font_kerning) kerning;      // sorted by first, then second
    CT_ARRAY(ct_font_content_page) pages;
} ct_font_content;

// Makes an empty content with memory from `a`.
void ct_font_content_init(ct_font_content *content, ct_allocator *a);

// Frees the content with its pixels.
void ct_font_content_free(ct_font_content *content);

// Returns the glyph of the character at position `i` of a font.
uint32_t ct_font_angelcode_glyph(const ct_angelcode *font, uint32_t i);

// Returns whether the characters become fields on new pages.
bool ct_font_angelcode_makes_fields(const ct_font_angelcode_source *source);

// Fills `content`, which is empty, from a font that was read: all but the pages and, where fields
// are made, the pictures of glyphs. Returns false with `error` (without a place) when the size of
// the font or of its pages is not one that a font resource can have. `num_dropped` is set to how
// many kernings are of characters that the font does not have.
bool ct_font_angelcode_build(const ct_angelcode *font, const ct_font_angelcode_source *source,
                             ct_font_content *content, uint32_t *num_dropped, ct_error *error);

// Reads the font and its pages and fills `content`, which is empty. Images and pixels come from the
// content's allocator, which should be one that takes memory back. Returns false after reporting.
bool ct_compile_font_angelcode(ct_compile *c, const ct_font_angelcode_source *source,
                               ct_font_content *content);
