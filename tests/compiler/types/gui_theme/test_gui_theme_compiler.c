#include "compiler/compile_case.h"
#include "resource/types/gui/gui_theme_resource.h"

#define COLORS                                                                                     \
    "colors = { text = \"#102030\" text_dim = \"#111111\" text_on_accent = \"#121212\"\n"          \
    "  panel = \"#131313\" panel_border = \"#141414\" control = \"#151515\"\n"                     \
    "  control_hovered = \"#161616\" control_pressed = \"#171717\" control_border = \"#181818\"\n" \
    "  accent = \"#191919\" focus = \"#202020\" selection = \"#21212180\" caret = \"#222222\"\n"   \
    "  shade = \"#23232340\" error = \"#242424\" tooltip = \"#252525\" track = \"#262626\" }\n"
#define FONTS "fonts = { text = \"fonts/a\" title = \"fonts/b\" number = \"fonts/c\" }\n"
#define SIZES                                                                                      \
    "sizes = { text = 20 title = 34 small = 16 padding = 10 gap = 8 radius = 6 border = 1\n"       \
    "  focus = 3 control = 40 check = 22 knob = 21 track = 5 scroll_bar = 7 tooltip = 15\n"        \
    "  caret = 2 }\n"
#define TIMES                                                                                      \
    "times = { tooltip = 0.6 repeat_delay = 0.4 repeat = 0.08 caret = 0.5\n"                       \
    "  double_click = 0.25 }\n"
#define WHOLE COLORS FONTS SIZES TIMES

static compile_case make(void) {
    compile_case t = compile_case_make();
    compile_case_text(&t, "dark.gui_theme", WHOLE);
    return t;
}

static const char *font(const ct_gui_theme_resource *r, uint32_t i) {
    return ct_blob_at(r, r->font_names[i].offset);
}

static void writes_values_in_the_order_of_the_schemas(void **state) {
    (void)state;
    compile_case t = make();
    const ct_gui_theme_resource *const r = compile_case_blob(&t, "gui_theme", "dark");
    assert_int_equal(r->colors[0], 0xff302010);
    assert_int_equal(r->colors[11], 0x80212121);
    assert_int_equal(r->colors[16], 0xff262626);
    assert_string_equal(font(r, 0), "fonts/a");
    assert_string_equal(font(r, 2), "fonts/c");
    assert_float_equal(r->sizes[0], 20, 0);
    assert_float_equal(r->sizes[14], 2, 0);
    assert_float_equal(r->times[0], 0.6f, 0);
    assert_float_equal(r->times[4], 0.25f, 0);
    assert_true(has_reference(&t.answer, "font", "fonts/b"));
    compile_case_free(&t);
}

static void takes_from_its_bases_what_it_leaves_out(void **state) {
    (void)state;
    compile_case t = make();
    compile_case_text(&t, "light.gui_theme",
                      "base = \"dark\" colors = { text = \"#ffffff\" panel = \"#eeeeee\" }\n"
                      "fonts = { title = \"fonts/t\" } sizes = { gap = 0 }");
    compile_case_text(&t, "mine.gui_theme",
                      "base = \"light\" colors = { panel = \"#dddddd\" } times = { caret = 0 }");
    const ct_gui_theme_resource *const r = compile_case_blob(&t, "gui_theme", "mine");
    assert_int_equal(r->colors[0], 0xffffffff);
    assert_int_equal(r->colors[1], 0xff111111);
    assert_int_equal(r->colors[3], 0xffdddddd);
    assert_string_equal(font(r, 0), "fonts/a");
    assert_string_equal(font(r, 1), "fonts/t");
    assert_float_equal(r->sizes[4], 0, 0);
    assert_float_equal(r->sizes[0], 20, 0);
    assert_float_equal(r->times[3], 0, 0);
    assert_true(compile_case_has_include(&t, "dark.gui_theme"));
    assert_true(compile_case_has_include(&t, "light.gui_theme"));
    assert_true(has_reference(&t.answer, "font", "fonts/t"));
    assert_true(has_reference(&t.answer, "gui_theme", "light"));
    compile_case_free(&t);
}

static void refuse(const char *source, uint32_t line, const char *message) {
    compile_case t = make();
    compile_case_text(&t, "bad.gui_theme", source);
    compile_case_run(&t, "gui_theme", "bad");
    compile_case_expect(&t, "bad.gui_theme", line, message);
    compile_case_free(&t);
}

static void names_the_keys_that_are_missing(void **state) {
    (void)state;
    refuse(COLORS FONTS SIZES "times = { tooltip = 0.6 repeat_delay = 0.4\n"
                              "  repeat = 0.08 caret = 0.5 }",
           10, "times: double_click is missing; write it, or name a theme that has it in `base`");
    refuse("\n" COLORS "fonts = { title = \"a\" }\n" SIZES TIMES, 7,
           "fonts: text, number are missing; write them, or name a theme that has them in `base`");
    refuse(COLORS FONTS TIMES, 1, "sizes: text, title, small, padding, ");
    refuse("// Nothing.", 1, "colors: text, text_dim, ");
}

static void refuses_values_that_do_not_fit(void **state) {
    (void)state;
#define BASE "base = \"dark\"\n"
    refuse(BASE "colors = {\n text = 5 }", 3,
           "text: found a number, expected a colour like \"#e8e8f0\" or \"#e8e8f0c0\"");
    refuse(BASE "colors = {\n text = \"#12345\" }", 3, "text: found \"#12345\", expected a colour");
    refuse(BASE "colors = { text = \"#123456\\u0000\" }", 2, "text: found \"#123456\"");
    refuse(BASE "colors = { text_dimm = \"#123456\" }", 2, "did you mean \"text_dim\"?");
    refuse(BASE "colors = 5", 2, "colors: found a number");
    refuse(BASE "fonts = { title = 5 }", 2, "title: found a number");
    refuse(BASE "fonts = { title = \"Not A Name\" }", 2, "title");
    refuse(BASE "sizes = { text = -1 }", 2, "text: found -1");
    refuse(BASE "sizes = { text = \"large\" }", 2, "text: found a string");
    refuse(BASE "sizes = { text = 10001 }", 2, "text: found 10001");
    refuse(BASE "times = { caret = 61 }", 2, "caret: found 61");
    refuse(BASE "times = { caret_ = 1 }", 2, "did you mean \"caret\"?");
    refuse(BASE "color = {}", 2, "did you mean \"colors\"?");
}

static void refuses_bases_that_are_not_there_or_lead_back(void **state) {
    (void)state;
    refuse("base = \"none\"", 1, "none");
    refuse("base = 5", 1, "base");
    refuse("base = \"bad\"", 1, "a theme cannot be its own base: bad: bad");
    compile_case t = make();
    compile_case_text(&t, "a.gui_theme", "base = \"b\"");
    compile_case_text(&t, "b.gui_theme", "\nbase = \"a\"");
    compile_case_run(&t, "gui_theme", "a");
    compile_case_expect(&t, "b.gui_theme", 2, "a theme cannot be its own base: a: b: a");
    compile_case_free(&t);
}

static void reports_errors_of_a_base_at_their_place(void **state) {
    (void)state;
    compile_case t = make();
    compile_case_text(&t, "dusk.gui_theme", "base = \"dark\" sizes = {\n gap = -7 }");
    compile_case_text(&t, "bad.gui_theme", "base = \"dusk\"");
    compile_case_run(&t, "gui_theme", "bad");
    compile_case_expect(&t, "dusk.gui_theme", 2, "gap: found -7");
    compile_case_free(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(writes_values_in_the_order_of_the_schemas),
        cmocka_unit_test(takes_from_its_bases_what_it_leaves_out),
        cmocka_unit_test(names_the_keys_that_are_missing),
        cmocka_unit_test(refuses_values_that_do_not_fit),
        cmocka_unit_test(refuses_bases_that_are_not_there_or_lead_back),
        cmocka_unit_test(reports_errors_of_a_base_at_their_place),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
