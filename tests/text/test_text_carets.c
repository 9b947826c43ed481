// Carets, hit tests and word wrap.
#include "support/test_font.h"
#include "support/test_support.h"
#include "text/text.h"

#include <math.h>
#include <string.h>

#define ALEF "\xd7\x90"
#define BET "\xd7\x91"

static ct_text *engine;
static ct_font_resource *font;

static int set_up(void **state) {
    (void)state;
    engine = ct_text_create(test_heap());
    font = test_font_of(test_heap(), TEST_FONT_DEJAVU, NULL, 0);
    ct_text_set_font(engine, (ct_string_id64){1}, font);
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    ct_text_destroy(engine);
    ct_free(test_heap(), font);
    return 0;
}

static const ct_text_layout *lay_out(const char *text, float width) {
    const ct_text_desc desc = {.text = text,
                               .num_bytes = (uint32_t)strlen(text),
                               .style = {.font = {1}, .size = 32},
                               .width = width};
    return ct_text_layout_of(engine, &desc);
}

static void assert_near(float value, float expected) {
    if (!(fabsf(value - expected) < 0.01f))
        fail_msg("%g, expected %g", (double)value, (double)expected);
}

// --- Carets --------------------------------------------------------------------------------------

static void puts_carets_before_clusters(void **state) {
    (void)state;
    const ct_text_layout *const l = lay_out("ae\xcc\x81"
                                            "b",
                                            0); // e and an accent
    assert_int_equal(l->num_clusters, 3);
    assert_near(ct_text_caret_at(l, 0).x, 0);
    assert_near(ct_text_caret_at(l, 1).x, l->clusters[1].start_x);
    assert_near(ct_text_caret_at(l, 2).x, l->clusters[1].start_x); // inside a cluster
    assert_near(ct_text_caret_at(l, 3).x, l->clusters[1].start_x);
    assert_near(ct_text_caret_at(l, 4).x, l->clusters[2].start_x);
    assert_near(ct_text_caret_at(l, 5).x, l->advance);
    assert_near(ct_text_caret_at(l, 100).x, l->advance);
    assert_near(ct_text_caret_at(l, 0).top, font->ascent / 2);
    assert_near(ct_text_caret_at(l, 0).bottom, -font->descent / 2);
}

static void divides_ligatures_evenly(void **state) {
    (void)state;
    const ct_text_layout *const l = lay_out("ffi", 0);
    assert_int_equal(l->num_glyphs, 1);
    for (uint32_t i = 0; i < 3; ++i)
        assert_near(ct_text_caret_at(l, i).x, l->advance * (float)i / 3);
}

static void puts_carets_on_empty_lines(void **state) {
    (void)state;
    const ct_text_layout *l = lay_out("a\n\nb\n", 0);
    static const uint32_t lines[] = {0, 0, 1, 2, 2, 3};
    for (uint32_t i = 0; i < 6; ++i)
        assert_int_equal(ct_text_caret_at(l, i).line, lines[i]);
    assert_near(ct_text_caret_at(l, 1).x, l->lines[0].width);
    assert_near(ct_text_caret_at(l, 2).x, 0);
    l = lay_out("", 0);
    assert_near(ct_text_caret_at(l, 0).x, 0);
    assert_int_equal(ct_text_hit(l, 100, 100), 0);
}

static void goes_left_in_text_from_right_to_left(void **state) {
    (void)state;
    const ct_text_layout *const l = lay_out(ALEF BET, 0);
    assert_near(ct_text_caret_at(l, 0).x, l->lines[0].width);
    assert_true(ct_text_caret_at(l, 2).x < l->lines[0].width);
    assert_near(ct_text_caret_at(l, 4).x, 0);
    assert_int_equal(ct_text_hit(l, 1000, 0), 0);
    assert_int_equal(ct_text_hit(l, -1000, 0), 4);
}

static void hits_the_nearest_caret(void **state) {
    (void)state;
    const ct_text_layout *const l = lay_out("Hello " ALEF BET " world", 0);
    for (uint32_t i = 0; i < l->num_clusters; ++i) {
        const ct_text_cluster *const c = &l->clusters[i];
        const float inside = c->start_x + (c->end_x - c->start_x) * 0.25f;
        const uint32_t byte = ct_text_hit(l, inside, 0);
        assert_near(ct_text_caret_at(l, byte).x, c->start_x);
    }
    assert_int_equal(ct_text_hit(l, -5, 0), 0);
    assert_int_equal(ct_text_hit(l, 1000, 0), l->num_plain_bytes);
}

static void hits_lines(void **state) {
    (void)state;
    const ct_text_layout *const l = lay_out("aa bb cc", lay_out("aa ", 0)->advance);
    assert_int_equal(l->num_lines, 3);
    assert_int_equal(ct_text_hit(l, 0, 1000), 0);
    for (uint32_t i = 0; i < 3; ++i)
        assert_int_equal(ct_text_hit(l, -1, l->lines[i].y + 1), 3 * i);
    assert_int_equal(ct_text_hit(l, 1000, l->lines[0].y), 2); // before the blank that hangs
    assert_int_equal(ct_text_hit(l, 1000, -1000), 8);
}

// --- Word wrap -----------------------------------------------------------------------------------

typedef struct wrap_case {
    const char *text, *whitespace, *soft, *hard;
    const char *width_of; // a text of the width
    const char *lines;    // with | between them
} wrap_case;

static void check_wrap(const wrap_case *c) {
    const ct_text_wrap_desc desc = {.text = c->text,
                                    .num_bytes = (uint32_t)strlen(c->text),
                                    .font = {1},
                                    .size = 32,
                                    .width = lay_out(c->width_of, 0)->advance + 0.1f,
                                    .whitespace = c->whitespace,
                                    .soft_dividers = c->soft,
                                    .return_dividers = c->hard};
    const char *plain;
    uint32_t count;
    const ct_text_range *const ranges = ct_text_word_wrap(engine, &desc, &plain, &count);
    char lines[256] = "";
    for (uint32_t i = 0; i < count; ++i) {
        strncat(lines, plain + ranges[i].byte, ranges[i].num_bytes);
        strcat(lines, i + 1 < count ? "|" : "");
    }
    assert_string_equal(lines, c->lines);
}

static void wraps_words_by_dividers(void **state) {
    (void)state;
    static const wrap_case cases[] = {
        {"one two three", " ", "", "\n", "one two", "one two|three"},
        {"one  two", " ", "", "\n", "one", "one|two"},
        {"one-two three", " ", "-", "\n", "one-two", "one-two|three"},
        {"one-two", " ", "-", "\n", "one-", "one-|two"},
        {"one\ntwo\n\nthree", " ", "", "\n", "one two three", "one|two||three"},
        {"abcdefgh", " ", "", "\n", "abc", "abc|def|gh"},
        {"", " ", "", "\n", "a", ""},
        {"a b\n", " ", "", "\n", "a b", "a b|"},
        {"one;two", NULL, NULL, ";", "one two three", "one|two"},
        {"\xc3\xa4\xc3\xb6\xc3\xa4", NULL, NULL, "\xc3\xb6", "aaaaaaa", "\xc3\xa4|\xc3\xa4"},
        {"a\xff", " ", "", "\n", "aaaaaa", "a\xef\xbf\xbd"},
    };
    for (uint32_t i = 0; i < CT_COUNT_OF(cases); ++i)
        check_wrap(&cases[i]);
}

int main(void) {
#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(puts_carets_before_clusters), TEST(divides_ligatures_evenly),
        TEST(puts_carets_on_empty_lines),  TEST(goes_left_in_text_from_right_to_left),
        TEST(hits_the_nearest_caret),      TEST(hits_lines),
        TEST(wraps_words_by_dividers),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
