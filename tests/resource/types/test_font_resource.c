#include "resource/blob/blob_fixtures.h"

#include <math.h>

typedef struct fixture_font {
    ct_blob_writer w;
    ct_font_resource *font;
    ct_font_glyph *glyphs;
    ct_font_page *pages;
} fixture_font;

static fixture_font make_font(void) {
    fixture_font f;
    write_font(&f.w);
    f.font = (ct_font_resource *)(void *)f.w.bytes.items;
    f.glyphs = ITEM(ct_font_glyph, f.w.bytes.items, f.font->glyphs, 0);
    f.pages = ITEM(ct_font_page, f.w.bytes.items, f.font->pages, 0);
    assert_accepted(ct_font_validate, f.font);
    return f;
}

static void refuse(fixture_font *f, const char *message) {
    assert_refused(ct_font_validate, f->font, message);
    ct_blob_writer_free(&f->w);
}

static void finds_glyphs(void **state) {
    (void)state;
    fixture_font f = make_font();
    assert_ptr_equal(ct_font_find_glyph(f.font, 0), &f.glyphs[0]);
    assert_ptr_equal(ct_font_find_glyph(f.font, 3), &f.glyphs[1]);
    assert_ptr_equal(ct_font_find_glyph(f.font, 7), &f.glyphs[2]);
    assert_null(ct_font_find_glyph(f.font, 1));
    assert_null(ct_font_find_glyph(f.font, UINT32_MAX));
    f.font->glyphs.count = 0;
    assert_null(ct_font_find_glyph(f.font, 0));
    ct_blob_writer_free(&f.w);
}

static void finds_characters_and_kerning(void **state) {
    (void)state;
    fixture_font f = make_font();
    assert_int_equal(ct_font_find_character(f.font, ' '), 3);
    assert_int_equal(ct_font_find_character(f.font, 'a'), 7);
    assert_int_equal(ct_font_find_character(f.font, 'b'), 0);
    assert_true(ct_font_find_kerning(f.font, 3, 7) == -0.5f);
    assert_true(ct_font_find_kerning(f.font, 7, 3) == 0.25f);
    assert_true(ct_font_find_kerning(f.font, 7, 7) == 1);
    assert_true(ct_font_find_kerning(f.font, 3, 3) == 0);
    assert_true(ct_font_find_kerning(f.font, 8, 0) == 0);
    ct_blob_writer_free(&f.w);
}

static void refuses_arrays_out_of_order(void **state) {
    (void)state;
    fixture_font f = make_font();
    f.glyphs[1].glyph = 0;
    refuse(&f, "glyphs[1]: out of order; expected glyphs sorted by number");
    f = make_font();
    ITEM(ct_font_character, f.w.bytes.items, f.font->characters, 1)->codepoint = ' ';
    refuse(&f, "characters[1]: out of order; expected characters sorted by code point");
    f = make_font();
    ITEM(ct_font_kerning, f.w.bytes.items, f.font->kerning, 1)->first = 3;
    refuse(&f, "kerning[1]: out of order; expected pairs sorted by `first`, then `second`");
    f = make_font();
    ITEM(ct_font_kerning, f.w.bytes.items, f.font->kerning, 2)->second = 3;
    refuse(&f, "kerning[2]: out of order");
}

static void refuses_rectangles_outside_of_their_page(void **state) {
    (void)state;
    fixture_font f = make_font();
    f.glyphs[0].x = 2;
    refuse(&f, "glyphs[0]: its 7 x 4 pixels at (2, 0) are not inside of its page of 8 x 4");
    f = make_font();
    f.glyphs[2].y = 65535;
    refuse(&f, "glyphs[2]: its 4 x 3 pixels at (0, 65535) are not inside of its page of 4 x 4");
    f = make_font();
    f.glyphs[2].page = 2;
    refuse(&f, "glyphs[2]: found page 2 of 2");
    f = make_font();
    f.glyphs[1].page = 9; // blank: nobody looks at it
    assert_accepted(ct_font_validate, f.font);
    f.glyphs[1].advance = NAN;
    refuse(&f, "glyphs[1]: found left 0, top 0 and advance nan");
}

static void refuses_pages_of_another_size(void **state) {
    (void)state;
    fixture_font f = make_font();
    f.pages[0].height = 5;
    refuse(&f, "pages[0]: found 32 bytes of pixels, expected 40");
    f = make_font();
    f.pages[1].width = 0;
    refuse(&f, "pages[1]: found 0 x 4 pixels, expected 1 to 1024 each");
    f = make_font();
    f.pages[1].width = 1025;
    refuse(&f, "pages[1]: found 1025 x 4 pixels");
    f = make_font();
    f.pages[1].pixels.offset = 1 << 30;
    refuse(&f, "pages[1].pixels");
}

static void refuses_numbers_out_of_range(void **state) {
    (void)state;
    fixture_font f = make_font();
    f.font->size = 0;
    refuse(&f, "size: found 0, expected 1 to 256");
    f = make_font();
    f.font->size = NAN;
    refuse(&f, "size: found nan");
    f = make_font();
    f.font->ascent = INFINITY;
    refuse(&f, "ascent: found inf");
    f = make_font();
    f.font->spread = 33;
    refuse(&f, "spread: found 33, expected 0 to 32");
    f = make_font();
    f.font->spread = 0;
    refuse(&f, "found a spread of 0 with a distance field");
    f = make_font();
    f.font->flags = 0;
    refuse(&f, "found a spread of 2 without a distance field");
    f = make_font();
    f.font->flags = 2;
    refuse(&f, "flags: found 0x2, expected at most 0x1");
}

static void refuses_names_that_lead_nowhere(void **state) {
    (void)state;
    fixture_font f = make_font();
    ITEM(ct_font_character, f.w.bytes.items, f.font->characters, 1)->glyph = 8;
    refuse(&f, "characters[1]: there is no glyph 8");
    f = make_font();
    *ITEM(uint64_t, f.w.bytes.items, f.font->fallbacks, 0) = 0;
    refuse(&f, "fallbacks[0]: its name is missing");
    f = make_font();
    ITEM(ct_font_kerning, f.w.bytes.items, f.font->kerning, 0)->amount = -1e9f;
    refuse(&f, "kerning[0]: found -1e+09, expected at most 65536 pixels");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_glyphs),
        cmocka_unit_test(finds_characters_and_kerning),
        cmocka_unit_test(refuses_arrays_out_of_order),
        cmocka_unit_test(refuses_rectangles_outside_of_their_page),
        cmocka_unit_test(refuses_pages_of_another_size),
        cmocka_unit_test(refuses_numbers_out_of_range),
        cmocka_unit_test(refuses_names_that_lead_nowhere),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
