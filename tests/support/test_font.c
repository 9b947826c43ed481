#include "support/test_font.h"

#include <string.h>

#include "foundation/error.h"
#include "foundation/os/file.h"

enum { FONT_SIZE = 64, BITMAP_SIZE = 16 };

static uint32_t read_u32(const uint8_t *at) {
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

static float read_i16(const uint8_t *at) {
    return (float)(int16_t)((uint16_t)at[0] << 8 | at[1]);
}

// Returns a table of a TrueType file.
static const uint8_t *table_of(const uint8_t *file, const char *tag) {
    const uint32_t count = (uint32_t)file[4] << 8 | file[5];
    for (uint32_t i = 0; i < count; ++i) {
        const uint8_t *const entry = file + 12 + 16 * i;
        if (memcmp(entry, tag, 4) == 0)
            return file + read_u32(entry + 8);
    }
    CT_FAIL("a table of the font", "%s", tag);
}

static void set_metrics(ct_font_resource *font, const uint8_t *file) {
    const uint8_t *const head = table_of(file, "head"), *const hhea = table_of(file, "hhea");
    const uint8_t *const os2 = table_of(file, "OS/2"), *const post = table_of(file, "post");
    const float scale = FONT_SIZE / read_i16(head + 18);
    font->size = FONT_SIZE;
    font->ascent = read_i16(hhea + 4) * scale;
    font->descent = -read_i16(hhea + 6) * scale;
    font->line_gap = read_i16(hhea + 8) * scale;
    font->underline_position = read_i16(post + 8) * scale;
    font->underline_thickness = read_i16(post + 10) * scale;
    font->x_height = read_i16(os2 + 86) * scale;
    font->cap_height = read_i16(os2 + 88) * scale;
}

// Copies an array behind what the blob has.
static ct_blob_array add_array(ct_font_resource *font, uint32_t *at, const void *items,
                               uint32_t count, uint32_t item_bytes) {
    const ct_blob_array array = {count > 0 ? *at : 0, count};
    if (count > 0)
        memcpy((char *)font + *at, items, (uint64_t)count * item_bytes);
    *at += (uint32_t)ct_round_up((uint64_t)count * item_bytes, CT_BLOB_ALIGN);
    return array;
}

ct_font_resource *test_font_of(ct_allocator *a, const char *path, const ct_string_id64 *fallbacks,
                               uint32_t num_fallbacks) {
    uint64_t bytes = 0;
    ct_error error = {0};
    uint8_t *const file = (uint8_t *)ct_file_read(a, path, &bytes, &error);
    CT_REQUIRE(file, "%s", error.message);
    uint32_t at = (uint32_t)ct_round_up(sizeof(ct_font_resource), CT_BLOB_ALIGN);
    ct_font_resource *const font =
        ct_alloc_zero(a, at + 2 * CT_BLOB_ALIGN + num_fallbacks * sizeof(*fallbacks) + bytes);
    set_metrics(font, file);
    font->fallbacks = add_array(font, &at, fallbacks, num_fallbacks, sizeof(*fallbacks));
    font->outlines = add_array(font, &at, file, (uint32_t)bytes, 1);
    ct_free(a, file);
    return font;
}

ct_font_resource *test_bitmap_font_of(ct_allocator *a, const test_bitmap_glyph *glyphs,
                                      uint32_t num_glyphs, const ct_font_kerning *kerning,
                                      uint32_t num_kerning) {
    const uint64_t bytes = sizeof(ct_font_resource) +
                           num_glyphs * (sizeof(ct_font_glyph) + sizeof(ct_font_character)) +
                           num_kerning * sizeof(ct_font_kerning) + 4 * CT_BLOB_ALIGN;
    ct_font_resource *const font = ct_alloc_zero(a, bytes);
    font->size = BITMAP_SIZE;
    font->ascent = 12;
    font->descent = 4;
    uint32_t at = (uint32_t)ct_round_up(sizeof(ct_font_resource), CT_BLOB_ALIGN);
    font->kerning = add_array(font, &at, kerning, num_kerning, sizeof(*kerning));
    font->glyphs = (ct_blob_array){at, num_glyphs};
    ct_font_glyph *const placed = (ct_font_glyph *)((char *)font + at);
    for (uint32_t i = 0; i < num_glyphs; ++i)
        placed[i] = (ct_font_glyph){.glyph = i + 1, .advance = glyphs[i].advance};
    at += (uint32_t)ct_round_up(num_glyphs * sizeof(*placed), CT_BLOB_ALIGN);
    font->characters = (ct_blob_array){at, num_glyphs};
    ct_font_character *const characters = (ct_font_character *)((char *)font + at);
    for (uint32_t i = 0; i < num_glyphs; ++i)
        characters[i] = (ct_font_character){glyphs[i].codepoint, i + 1};
    return font;
}
