#include "resource/types/gui/gui_theme_resource.h"

#include <math.h>

#include "resource/blob/blob_fixtures.h"

static ct_gui_theme_resource *make(ct_blob_writer *w) {
    write_gui_theme(w);
    assert_accepted(ct_gui_theme_validate, w->bytes.items);
    return (ct_gui_theme_resource *)(void *)w->bytes.items;
}

static void refuses_numbers_out_of_range(void **state) {
    (void)state;
    ct_blob_writer w;
    ct_gui_theme_resource *const t = make(&w);
    static const float wrong[] = {-1, 10001, INFINITY, NAN};
    for (uint32_t i = 0; i < CT_COUNT_OF(wrong); ++i) {
        t->sizes[14] = wrong[i];
        assert_refused(ct_gui_theme_validate, t, "sizes.caret: found ");
        t->sizes[14] = 0;
        t->times[0] = wrong[i];
        assert_refused(ct_gui_theme_validate, t, "times.tooltip: found ");
        t->times[0] = 60;
    }
    assert_accepted(ct_gui_theme_validate, t);
    ct_blob_writer_free(&w);
}

static void refuses_fonts_without_a_name(void **state) {
    (void)state;
    ct_blob_writer w;
    ct_gui_theme_resource *const t = make(&w);
    t->fonts[1] = t->fonts[0];
    assert_refused(ct_gui_theme_validate, t, "fonts[1]: its id is not that of its name");
    t->font_names[1] = t->font_names[0];
    assert_accepted(ct_gui_theme_validate, t);
    t->font_names[2].offset = 1u << 30;
    assert_refused(ct_gui_theme_validate, t, "font_names[2]: ");
    ct_blob_writer_free(&w);
}

static void reads_colors_as_markup_writes_them(void **state) {
    (void)state;
    uint32_t color = 7;
    assert_true(ct_gui_theme_read_color("#102030", &color));
    assert_int_equal(color, 0xff302010);
    assert_true(ct_gui_theme_read_color("#fFAb0980", &color));
    assert_int_equal(color, 0x8009abff);
    static const char *const wrong[] = {
        "",          "#",          "#12345",  "#1234567", "102030", "#12345g",
        "#1234567 ", "#123456789", "# 12345", "#-12345",  "red",    "#\xc3\xa9\xc3\xa9\xc3\xa9"};
    for (uint32_t i = 0; i < CT_COUNT_OF(wrong); ++i)
        assert_false(ct_gui_theme_read_color(wrong[i], &color));
    assert_int_equal(color, 0x8009abff);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refuses_numbers_out_of_range),
        cmocka_unit_test(refuses_fonts_without_a_name),
        cmocka_unit_test(reads_colors_as_markup_writes_them),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
