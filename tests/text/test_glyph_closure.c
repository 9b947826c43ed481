#include "text/glyph_closure.h"

#include "text/font_files.h"
#include "text/glyph_raster.h"

static ct_u32_array glyphs_of(const font_file *f, const uint32_t *codepoints, uint32_t count) {
    ct_u32_array glyphs;
    ct_glyph_raster *const r = ct_glyph_raster_create(test_heap(), f->bytes, f->count, 0, NULL);
    ct_array_init(&glyphs, test_heap());
    for (uint32_t i = 0; i < count; ++i)
        ct_array_push(&glyphs, ct_glyph_raster_glyph_of(r, codepoints[i]));
    ct_glyph_raster_destroy(r);
    return glyphs;
}

static bool has(const ct_u32_array *glyphs, uint32_t glyph) {
    for (uint32_t i = 0; i < glyphs->count; ++i) {
        if (glyphs->items[i] == glyph)
            return true;
    }
    return false;
}

static void adds_ligatures(void **state) {
    (void)state;
    font_file f = font_file_core();
    ct_u32_array glyphs = glyphs_of(&f, (const uint32_t[]){'i', 'f'}, 2);
    ct_u32_array ligature = glyphs_of(&f, (const uint32_t[]){0xfb01}, 1);
    assert_true(ct_glyph_closure_add(f.bytes, f.count, 0, &glyphs, NULL));
    assert_true(has(&glyphs, ligature.items[0]));
    ct_array_free(&ligature);
    ct_array_free(&glyphs);
    font_file_free(&f);
}

static void adds_the_joined_forms_of_arabic(void **state) {
    (void)state;
    font_file f = font_file_read(DEJAVU);
    static const uint32_t forms[] = {0xfe90, 0xfe91, 0xfe92}; // of U+0628
    ct_u32_array glyphs = glyphs_of(&f, (const uint32_t[]){0x628}, 1);
    ct_u32_array expected = glyphs_of(&f, forms, CT_COUNT_OF(forms));
    assert_true(ct_glyph_closure_add(f.bytes, f.count, 0, &glyphs, NULL));
    for (uint32_t i = 0; i < CT_COUNT_OF(forms); ++i)
        assert_true(has(&glyphs, expected.items[i]));
    for (uint32_t i = 1; i < glyphs.count; ++i)
        assert_true(glyphs.items[i] > glyphs.items[i - 1]);
    assert_true(glyphs.count < 20);
    ct_array_free(&expected);
    ct_array_free(&glyphs);
    font_file_free(&f);
}

static void sorts_and_drops_what_does_not_exist(void **state) {
    (void)state;
    font_file f = font_file_core();
    ct_u32_array glyphs;
    ct_array_init(&glyphs, test_heap());
    ct_array_push_many(&glyphs, ((const uint32_t[]){60000, 3, 0, 3}), 4);
    assert_true(ct_glyph_closure_add(f.bytes, f.count, 0, &glyphs, NULL));
    assert_int_equal(glyphs.items[0], 0);
    assert_int_equal(glyphs.items[1], 3);
    assert_false(has(&glyphs, 60000));
    ct_array_free(&glyphs);
    font_file_free(&f);
}

static void refuses_what_is_no_font(void **state) {
    (void)state;
    ct_u32_array glyphs;
    ct_error error = {0};
    ct_array_init(&glyphs, test_heap());
    assert_false(ct_glyph_closure_add("nothing", 7, 0, &glyphs, &error));
    assert_string_equal(error.message, "the font has no glyphs that shaping could use");
    ct_array_free(&glyphs);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(adds_ligatures),
        cmocka_unit_test(adds_the_joined_forms_of_arabic),
        cmocka_unit_test(sorts_and_drops_what_does_not_exist),
        cmocka_unit_test(refuses_what_is_no_font),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
