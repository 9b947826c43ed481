// test_font.h: fonts for tests, made from the files of Debian's packages.
#pragma once
#include "foundation/memory/allocator.h"
#include "resource/types/font_resource.h"

#define TEST_FONT_DEJAVU "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"
#define TEST_FONT_NOTO "/usr/share/fonts/truetype/noto/NotoSans-Regular.ttf"
#define TEST_FONT_ARABIC "/usr/share/fonts/truetype/noto/NotoSansArabic-Regular.ttf"
#define TEST_FONT_HEBREW "/usr/share/fonts/truetype/noto/NotoSansHebrew-Regular.ttf"
#define TEST_FONT_DEVANAGARI "/usr/share/fonts/truetype/noto/NotoSansDevanagari-Regular.ttf"
#define TEST_FONT_THAI "/usr/share/fonts/truetype/noto/NotoSansThai-Regular.ttf"
#define TEST_FONT_CJK "/usr/share/fonts/truetype/droid/DroidSansFallbackFull.ttf"

// Makes the blob of a TrueType file without pages, with 64 pixels to an em and the file's own
// metrics. Free it with ct_free. Ends the program when the file cannot be read.
ct_font_resource *test_font_of(ct_allocator *a, const char *path, const ct_string_id64 *fallbacks,
                               uint32_t num_fallbacks);

// A glyph of an AngelCode font for test_bitmap_font_of.
typedef struct test_bitmap_glyph {
    uint32_t codepoint;
    float advance;
} test_bitmap_glyph;

// Makes the blob of an AngelCode font of 16 pixels without pages: the glyphs of these characters,
// numbered from 1, and kerning. `glyphs` are sorted by their characters. Free it with ct_free.
ct_font_resource *test_bitmap_font_of(ct_allocator *a, const test_bitmap_glyph *glyphs,
                                      uint32_t num_glyphs, const ct_font_kerning *kerning,
                                      uint32_t num_kerning);
