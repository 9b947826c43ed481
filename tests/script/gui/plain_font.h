// plain_font.h: a font for tests of GUIs: printable ASCII, each character 10 pixels wide at size 16.
#pragma once
#include "resource/blob/blob_fixtures.h"
#include "resource/types/font_resource.h"

enum { PLAIN_FONT_FIRST = ' ', PLAIN_FONT_GLYPHS = '~' - ' ' + 2 }; // with the missing glyph

static inline void write_plain_font(ct_blob_writer *w) {
    ct_font_glyph glyphs[PLAIN_FONT_GLYPHS];
    ct_font_character characters[PLAIN_FONT_GLYPHS - 1];
    for (uint32_t i = 0; i < PLAIN_FONT_GLYPHS; ++i)
        glyphs[i] = (ct_font_glyph){
            .glyph = i, .width = 8, .height = 8, .left = 1, .top = 8, .advance = 10};
    for (uint32_t i = 0; i + 1 < PLAIN_FONT_GLYPHS; ++i)
        characters[i] = (ct_font_character){PLAIN_FONT_FIRST + i, i + 1};
    start(w, "font", CT_FONT_VERSION, sizeof(ct_font_resource));
    const struct {
        size_t field;
        float value;
    } metrics[] = {{offsetof(ct_font_resource, size), 16},
                   {offsetof(ct_font_resource, ascent), 12},
                   {offsetof(ct_font_resource, descent), 4},
                   {offsetof(ct_font_resource, underline_position), -2},
                   {offsetof(ct_font_resource, underline_thickness), 1},
                   {offsetof(ct_font_resource, x_height), 6},
                   {offsetof(ct_font_resource, cap_height), 8}};
    for (uint32_t i = 0; i < CT_COUNT_OF(metrics); ++i)
        put(w, metrics[i].field, &metrics[i].value, sizeof(float));
    append_array(w, offsetof(ct_font_resource, glyphs), glyphs, sizeof(glyphs[0]),
                 PLAIN_FONT_GLYPHS);
    append_array(w, offsetof(ct_font_resource, characters), characters, sizeof(characters[0]),
                 PLAIN_FONT_GLYPHS - 1);
    const ct_font_page page = {.width = 8, .height = 8};
    append_array(w, offsetof(ct_font_resource, pages), &page, sizeof(page), 1);
    const uint32_t at = ct_blob_writer_offset(w) - (uint32_t)sizeof(page);
    const uint8_t pixels[8 * 8] = {255};
    append_array(w, at + offsetof(ct_font_page, pixels), pixels, 1, sizeof(pixels));
    ct_blob_writer_finish(w);
}
