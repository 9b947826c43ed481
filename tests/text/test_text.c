// Layouts: lines, alignment, order, fallbacks, bad input.
#include "foundation/log.h"
#include "support/test_font.h"
#include "support/test_support.h"
#include "text/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define ALEF "\xd7\x90"
#define BET "\xd7\x91"
#define GIMEL "\xd7\x92"

static ct_text *engine;
static ct_font_resource *fonts[16];
static uint32_t num_fonts;

static const ct_string_id64 latin = {1}, hebrew = {2}, cjk = {3}, bitmap = {4};

static void add_font(ct_string_id64 name, const char *path, ct_string_id64 fallback) {
    fonts[num_fonts] = test_font_of(test_heap(), path, &fallback, fallback.value != 0);
    ct_text_set_font(engine, name, fonts[num_fonts++]);
}

static int set_up(void **state) {
    (void)state;
    engine = ct_text_create(test_heap());
    add_font(latin, TEST_FONT_DEJAVU, (ct_string_id64){0});
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    ct_text_destroy(engine);
    while (num_fonts > 0)
        ct_free(test_heap(), fonts[--num_fonts]);
    return 0;
}

static ct_text_desc desc_of(const char *text) {
    return (ct_text_desc){.text = text,
                          .num_bytes = (uint32_t)strlen(text),
                          .style = {.font = latin, .size = 32, .color = 0xffffffff}};
}

static const ct_text_layout *lay_out(const char *text) {
    const ct_text_desc desc = desc_of(text);
    return ct_text_layout_of(engine, &desc);
}

static const ct_text_layout *lay_out_in(const char *text, float width, ct_text_align align) {
    ct_text_desc desc = desc_of(text);
    desc.width = width;
    desc.align = align;
    return ct_text_layout_of(engine, &desc);
}

static void assert_near(float value, float expected) {
    if (!(fabsf(value - expected) < 0.01f))
        fail_msg("%g, expected %g", (double)value, (double)expected);
}

// --- Lines ---------------------------------------------------------------------------------------

static void lays_out_from_left_to_right(void **state) {
    (void)state;
    const ct_text_layout *const l = lay_out("Hello");
    assert_int_equal(l->num_glyphs, 5);
    assert_int_equal(l->num_lines, 1);
    assert_int_equal(l->num_clusters, 5);
    assert_string_equal(l->plain, "Hello");
    for (uint32_t i = 1; i < 5; ++i)
        assert_true(l->glyphs[i].x > l->glyphs[i - 1].x);
    assert_true(l->glyphs[0].x == 0 && l->lines[0].y == 0);
    assert_true(l->advance == l->lines[0].width && l->right == l->advance);
    assert_near(l->top, fonts[0]->ascent / 2);
    assert_near(l->bottom, -fonts[0]->descent / 2);
}

static void scales_with_size(void **state) {
    (void)state;
    ct_text_desc desc = desc_of("Hello");
    const float width = ct_text_layout_of(engine, &desc)->advance;
    desc.style.size = 96;
    assert_near(ct_text_layout_of(engine, &desc)->advance, width * 3);
    assert_int_equal(ct_text_get_stats(engine).num_runs, 1);
}

static void ends_lines_at_line_breaks(void **state) {
    (void)state;
    fonts[0]->line_gap = 7;
    const ct_text_layout *l = lay_out("a\nb\r\nc\xe2\x80\xa8"
                                      "d\n");
    assert_int_equal(l->num_lines, 5);
    static const uint32_t bytes[] = {0, 2, 5, 9, 11};
    for (uint32_t i = 0; i < 5; ++i) {
        assert_int_equal(l->lines[i].byte, bytes[i]);
        assert_int_equal(l->lines[i].byte + l->lines[i].num_bytes, i < 4 ? bytes[i + 1] : 11);
    }
    assert_int_equal(l->lines[4].num_glyphs, 0);
    assert_int_equal(l->num_glyphs, 4);
    assert_int_equal(l->num_clusters, 8); // line breaks are clusters, too
    const float height = (fonts[0]->ascent + fonts[0]->descent + fonts[0]->line_gap) / 2;
    for (uint32_t i = 1; i < 5; ++i)
        assert_near(l->lines[i].y, -height * (float)i);
    ct_text_desc desc = desc_of("a\nb");
    desc.line_height = 1.5f;
    assert_near(ct_text_layout_of(engine, &desc)->lines[1].y, -height * 1.5f);
    l = lay_out("");
    assert_int_equal(l->num_lines, 1);
    assert_int_equal(l->num_glyphs, 0);
    assert_near(l->lines[0].ascent, fonts[0]->ascent / 2);
}

static void wraps_lines_at_words(void **state) {
    (void)state;
    const char *const text = "The quick brown fox jumps over the lazy dog";
    const float width = lay_out("quick brown")->advance;
    const ct_text_layout *const l = lay_out_in(text, width, CT_TEXT_ALIGN_START);
    assert_int_equal(l->num_lines, 5);
    static const char *const lines[] = {"The quick ", "brown fox ", "jumps over ", "the lazy ",
                                        "dog"};
    uint32_t byte = 0;
    for (uint32_t i = 0; i < 5; ++i) {
        assert_int_equal(l->lines[i].byte, byte);
        assert_int_equal(l->lines[i].num_bytes, strlen(lines[i]));
        assert_memory_equal(text + byte, lines[i], strlen(lines[i]));
        assert_true(l->lines[i].width <= width);
        byte += l->lines[i].num_bytes;
    }
    assert_near(l->lines[0].width, lay_out("The quick")->advance); // blanks hang
    ct_text_desc desc = desc_of(text);
    desc.width = width;
    desc.is_single_line = true;
    assert_int_equal(ct_text_layout_of(engine, &desc)->num_lines, 1);
}

static void fits_the_width_that_it_was_measured_with(void **state) {
    (void)state;
    static const char *const texts[] = {"one two", "AVAVAV To", "fi ffi fl", "W. \xce\x91 x"};
    for (uint32_t i = 0; i < CT_COUNT_OF(texts); ++i)
        assert_int_equal(
            lay_out_in(texts[i], lay_out(texts[i])->advance, CT_TEXT_ALIGN_START)->num_lines, 1);
}

static void breaks_long_words_at_clusters(void **state) {
    (void)state;
    const float width = lay_out("mmm")->advance;
    const ct_text_layout *l = lay_out_in("mmmmmmmm", width, CT_TEXT_ALIGN_START);
    assert_int_equal(l->num_lines, 3);
    assert_int_equal(l->lines[2].num_clusters, 2);
    l = lay_out_in("mm", 1, CT_TEXT_ALIGN_START); // at least one for each line
    assert_int_equal(l->num_lines, 2);
    l = lay_out_in("e\xcc\x81"
                   "e\xcc\x81",
                   1, CT_TEXT_ALIGN_START);
    assert_int_equal(l->num_lines, 2);
    assert_int_equal(l->lines[0].num_bytes, 3);
}

static void shapes_again_where_a_line_cuts_a_ligature(void **state) {
    (void)state;
    const ct_text_layout *l = lay_out("fi");
    assert_int_equal(l->num_glyphs, 1);
    assert_int_equal(l->num_clusters, 2);
    l = lay_out_in("fi", 1, CT_TEXT_ALIGN_START);
    assert_int_equal(l->num_lines, 2);
    assert_int_equal(l->num_glyphs, 2);
    const uint32_t f = lay_out("f")->glyphs[0].glyph, i = lay_out("i")->glyphs[0].glyph;
    l = lay_out_in("fi", 1, CT_TEXT_ALIGN_START);
    assert_true(l->glyphs[0].glyph == f && l->glyphs[1].glyph == i);
    assert_near(l->glyphs[1].x, 0);
}

// --- Alignment -----------------------------------------------------------------------------------

static void aligns_lines(void **state) {
    (void)state;
    const float w = lay_out("word")->advance;
    static const struct {
        ct_text_align align;
        float of_room;
    } cases[] = {{CT_TEXT_ALIGN_START, 0},
                 {CT_TEXT_ALIGN_LEFT, 0},
                 {CT_TEXT_ALIGN_CENTER, 0.5f},
                 {CT_TEXT_ALIGN_END, 1},
                 {CT_TEXT_ALIGN_RIGHT, 1}};
    for (uint32_t i = 0; i < CT_COUNT_OF(cases); ++i) {
        const ct_text_layout *l = lay_out_in("word", 500, cases[i].align);
        assert_near(l->lines[0].x, (500 - w) * cases[i].of_room);
        assert_near(l->glyphs[0].x, l->lines[0].x);
        assert_near(l->clusters[0].start_x, l->lines[0].x);
        assert_near(l->left, l->lines[0].x);
        assert_near(l->advance, w);
        l = lay_out_in("word", 0, cases[i].align);
        assert_near(l->lines[0].x, -w * cases[i].of_room);
    }
}

static void aligns_lines_from_right_to_left(void **state) {
    (void)state;
    const float w = lay_out(ALEF BET)->advance;
    assert_near(lay_out_in(ALEF BET, 500, CT_TEXT_ALIGN_START)->lines[0].x, 500 - w);
    assert_near(lay_out_in(ALEF BET, 500, CT_TEXT_ALIGN_END)->lines[0].x, 0);
    assert_near(lay_out_in(ALEF BET, 500, CT_TEXT_ALIGN_LEFT)->lines[0].x, 0);
    assert_near(lay_out(ALEF BET)->lines[0].x, 0);
    const ct_text_layout *const l = lay_out(ALEF BET GIMEL "\n" ALEF);
    assert_near(l->lines[1].x + l->lines[1].width, l->lines[0].width);
    assert_true(l->lines[0].is_right_to_left);
}

static void justifies_all_but_the_last_line(void **state) {
    (void)state;
    const float width = lay_out("aa bb cc d")->advance;
    const ct_text_layout *const l = lay_out_in("aa bb cc ddd eee", width, CT_TEXT_ALIGN_JUSTIFY);
    assert_int_equal(l->num_lines, 2);
    assert_near(l->lines[0].width, width);
    assert_near(l->lines[1].width, lay_out("ddd eee")->advance);
    const ct_text_cluster *const last = &l->clusters[7]; // the second c
    assert_near(last->end_x, width);
    const float space = l->clusters[2].end_x - l->clusters[2].start_x;
    assert_near(l->clusters[5].end_x - l->clusters[5].start_x, space);
    assert_true(space > lay_out(" ")->advance);
    assert_near(l->glyphs[3].x, l->clusters[3].start_x);
}

static void justifies_between_wide_characters(void **state) {
    (void)state;
    add_font(cjk, TEST_FONT_CJK, (ct_string_id64){0});
    ct_text_set_fallbacks(engine, &cjk, 1);
    const ct_text_layout *const l = lay_out_in("\xe6\x97\xa5\xe6\x9c\xac\xe8\xaa\x9e\xe5\xad\x97",
                                               32 * 3 + 8, CT_TEXT_ALIGN_JUSTIFY);
    assert_int_equal(l->num_lines, 2);
    assert_near(l->lines[0].width, 32 * 3 + 8);
    assert_near(l->glyphs[1].x, 32 + 4);
}

// --- Ellipsis ------------------------------------------------------------------------------------

static void ends_a_single_line_in_an_ellipsis(void **state) {
    (void)state;
    ct_text_desc desc = desc_of("A long label");
    const uint32_t sign = lay_out("\xe2\x80\xa6")->glyphs[0].glyph;
    desc.is_single_line = desc.has_ellipsis = true;
    desc.width = lay_out("A long l")->advance;
    const ct_text_layout *l = ct_text_layout_of(engine, &desc);
    assert_int_equal(l->num_lines, 1);
    assert_int_equal(l->glyphs[l->num_glyphs - 1].glyph, sign);
    assert_true(l->lines[0].width <= desc.width + 0.01f);
    assert_true(l->num_clusters >= 4 && l->num_clusters < 8);
    desc.width = 1000;
    assert_int_equal(ct_text_layout_of(engine, &desc)->num_glyphs, 12);
    desc.width = 1;
    assert_int_equal(ct_text_layout_of(engine, &desc)->num_glyphs, 1);
    desc.width = 0;
    assert_int_equal(ct_text_layout_of(engine, &desc)->num_glyphs, 12);
}

static void ends_the_last_of_max_lines_in_an_ellipsis(void **state) {
    (void)state;
    ct_text_desc desc = desc_of("one two three four five six");
    const uint32_t sign = lay_out("\xe2\x80\xa6")->glyphs[0].glyph;
    desc.width = lay_out("one two")->advance;
    desc.max_lines = 2;
    const ct_text_layout *l = ct_text_layout_of(engine, &desc);
    assert_int_equal(l->num_lines, 2);
    assert_true(l->glyphs[l->num_glyphs - 1].glyph != sign);
    desc.has_ellipsis = true;
    l = ct_text_layout_of(engine, &desc);
    assert_int_equal(l->num_lines, 2);
    assert_int_equal(l->glyphs[l->num_glyphs - 1].glyph, sign);
    assert_true(l->lines[1].width <= desc.width + 0.01f);
    desc = desc_of("one\n");
    desc.max_lines = 1;
    desc.has_ellipsis = true;
    assert_int_equal(ct_text_layout_of(engine, &desc)->num_glyphs, 3); // nothing is cut off
    desc = desc_of("one\ntwo");
    desc.max_lines = 1;
    desc.has_ellipsis = true;
    assert_int_equal(ct_text_layout_of(engine, &desc)->num_glyphs, 4);
}

static void fits_ellipses_of_other_sizes(void **state) {
    (void)state;
    ct_text_desc desc = desc_of("ab<size=90>cdefg</>hijkl");
    desc.is_single_line = desc.has_ellipsis = desc.has_markup = true;
    for (float width = 20; width < 400; width += 7) {
        desc.width = width;
        const ct_text_layout *const l = ct_text_layout_of(engine, &desc);
        assert_true(l->lines[0].width <= width + 0.02f || l->num_glyphs == 1);
    }
}

static void cuts_whole_clusters_for_an_ellipsis(void **state) {
    (void)state;
    ct_text_desc desc = desc_of("e\xcc\x81"
                                "e\xcc\x81"
                                "e\xcc\x81"
                                "e\xcc\x81");
    desc.is_single_line = desc.has_ellipsis = true;
    for (float width = 20; width < 80; width += 1) {
        desc.width = width;
        const ct_text_layout *const l = ct_text_layout_of(engine, &desc);
        assert_int_equal(l->lines[0].num_bytes % 3, 0);
    }
}

static void puts_the_ellipsis_at_the_logical_end(void **state) {
    (void)state;
    ct_text_desc desc = desc_of(ALEF BET GIMEL ALEF BET GIMEL);
    desc.is_single_line = desc.has_ellipsis = true;
    desc.width = lay_out(ALEF BET GIMEL ALEF)->advance;
    const ct_text_layout *const l = ct_text_layout_of(engine, &desc);
    assert_int_equal(l->glyphs[0].glyph, lay_out("\xe2\x80\xa6")->glyphs[0].glyph);
    assert_near(l->lines[0].x + l->lines[0].width, desc.width);
}

// --- Order ---------------------------------------------------------------------------------------

static void orders_text_of_both_directions(void **state) {
    (void)state;
    const ct_text_layout *l = lay_out("ab " ALEF BET " cd");
    static const uint32_t bytes[] = {0, 1, 2, 5, 3, 7, 8, 9};
    assert_int_equal(l->num_glyphs, CT_COUNT_OF(bytes));
    for (uint32_t i = 0; i < CT_COUNT_OF(bytes); ++i)
        assert_int_equal(l->glyphs[i].byte, bytes[i]);
    assert_true(l->clusters[3].start_x > l->clusters[3].end_x);
    assert_near(l->clusters[3].end_x, l->clusters[4].start_x);
    ct_text_desc desc = desc_of("ab " ALEF);
    desc.direction = CT_TEXT_DIRECTION_RIGHT_TO_LEFT;
    l = ct_text_layout_of(engine, &desc);
    assert_int_equal(l->glyphs[0].byte, 3);
    assert_true(l->lines[0].is_right_to_left);
    desc = desc_of(ALEF " ab");
    desc.direction = CT_TEXT_DIRECTION_LEFT_TO_RIGHT;
    l = ct_text_layout_of(engine, &desc);
    assert_int_equal(l->glyphs[0].byte, 0);
    assert_false(l->lines[0].is_right_to_left);
}

static void hangs_blanks_at_the_end_of_each_line(void **state) {
    (void)state;
    // The blank that ends the first line goes to the left, at the paragraph's level.
    const float width = lay_out(ALEF BET "ab")->advance;
    const ct_text_layout *const l = lay_out_in(ALEF BET "ab " ALEF, width, CT_TEXT_ALIGN_START);
    assert_int_equal(l->num_lines, 2);
    assert_int_equal(l->glyphs[0].byte, 6);
    assert_true(l->glyphs[0].x < 0);
    assert_near(l->lines[0].x, 0);
    assert_near(l->clusters[4].start_x, 0);
}

static void gives_blanks_at_the_end_the_level_of_the_paragraph(void **state) {
    (void)state;
    // The blank between words from left to right is on their right, but at the end of a line on the
    // left.
    const float width = lay_out(ALEF BET " ab")->advance;
    const ct_text_layout *const l = lay_out_in(ALEF BET " ab cd", width, CT_TEXT_ALIGN_START);
    assert_int_equal(l->num_lines, 2);
    assert_int_equal(l->glyphs[0].byte, 7);
    assert_true(l->glyphs[0].x < 0);
    assert_near(l->clusters[3].start_x, 0); // a
    assert_near(l->clusters[5].start_x, 0); // the blank
    assert_true(l->clusters[5].end_x < 0);
}

static void shapes_scripts_on_their_own(void **state) {
    (void)state;
    assert_int_equal(lay_out("a, \xd0\xb1!")->num_glyphs, 5);
    assert_int_equal(ct_text_get_stats(engine).num_runs, 2);
    lay_out("1, a"); // what has no script goes with what follows
    assert_int_equal(ct_text_get_stats(engine).num_runs, 3);
}

static void takes_unpaired_controls(void **state) {
    (void)state;
    static const char *const texts[] = {
        "a\xe2\x80\xae"
        "b", // override without an end
        "a\xe2\x80\xac\xe2\x81\xa9"
        "b", // ends without starts
        "\xe2\x81\xa6\xe2\x81\xa7\xe2\x81\xa8",
    };
    for (uint32_t i = 0; i < CT_COUNT_OF(texts); ++i) {
        const ct_text_layout *const l = lay_out(texts[i]);
        assert_int_equal(l->num_lines, 1);
        assert_false(l->has_missing);
    }
}

// --- Characters ----------------------------------------------------------------------------------

static void replaces_invalid_bytes(void **state) {
    (void)state;
    const uint64_t warnings = ct_log_warning_count("invalid_utf8");
    const ct_text_layout *const l = lay_out("a\xff"
                                            "b\xe2\x80");
    assert_string_equal(l->plain, "a\xef\xbf\xbd"
                                  "b\xef\xbf\xbd\xef\xbf\xbd");
    assert_int_equal(l->num_clusters, 5);
    assert_int_equal(ct_log_warning_count("invalid_utf8"), warnings + 1);
}

static void hides_control_characters(void **state) {
    (void)state;
    assert_near(lay_out("a\x01\x7f\xc2\x80"
                        "b")
                    ->advance,
                lay_out("ab")->advance);
    assert_near(lay_out("a\tb")->advance, lay_out("a    b")->advance);
    const ct_text_desc desc = {.text = "a\0b", .num_bytes = 3, .style = {.font = latin, .size = 8}};
    assert_int_equal(ct_text_layout_of(engine, &desc)->num_plain_bytes, 3);
}

static void lays_out_nothing_of_impossible_sizes(void **state) {
    (void)state;
    const float sizes[] = {0, -1, NAN, INFINITY, 10001};
    for (uint32_t i = 0; i < CT_COUNT_OF(sizes); ++i) {
        const uint64_t warnings = ct_log_warning_count("text_size");
        ct_text_desc desc = desc_of("abc");
        desc.style.size = sizes[i];
        const ct_text_layout *const l = ct_text_layout_of(engine, &desc);
        assert_int_equal(l->num_lines, 1);
        assert_int_equal(l->num_glyphs, 0);
        assert_int_equal(ct_log_warning_count("text_size"), warnings + 1);
        ct_text_layout_of(engine, &desc);
        assert_int_equal(ct_log_warning_count("text_size"), warnings + 1);
    }
    ct_text_desc desc = desc_of("abc");
    desc.style.size = 10000;
    assert_int_equal(ct_text_layout_of(engine, &desc)->num_glyphs, 3);
    const uint64_t warnings = ct_log_warning_count("text_length");
    desc = desc_of("a b");
    desc.width = NAN;
    desc.line_height = -1;
    assert_near(ct_text_layout_of(engine, &desc)->advance, lay_out("a b")->advance);
    assert_int_equal(ct_log_warning_count("text_length"), warnings + 2);
}

static void lays_out_a_million_characters(void **state) {
    (void)state;
    enum { MANY = 1000000 };
    char *const text = ct_alloc(test_heap(), MANY);
    for (uint32_t i = 0; i < MANY; ++i)
        text[i] = i % 7 == 6 ? ' ' : (char)('a' + i % 26);
    ct_text_desc desc = desc_of("");
    desc.text = text;
    desc.num_bytes = MANY;
    assert_int_equal(ct_text_layout_of(engine, &desc)->num_clusters, MANY);
    desc.width = 400;
    const ct_text_layout *l = ct_text_layout_of(engine, &desc);
    assert_int_equal(l->num_clusters, MANY);
    assert_true(l->num_lines > 10000);
    memset(text, 'm', MANY); // one word
    l = ct_text_layout_of(engine, &desc);
    assert_int_equal(l->num_clusters, MANY);
    assert_true(l->num_lines > 10000);
    memset(text, '\n', MANY);
    assert_int_equal(ct_text_layout_of(engine, &desc)->num_lines, MANY + 1);
    ct_text_end_frame(engine);
    ct_text_end_frame(engine);
    assert_true(ct_text_get_stats(engine).cache_bytes < 33 << 20);
    ct_free(test_heap(), text);
}

static void cuts_texts_at_the_limit(void **state) {
    (void)state;
    const uint32_t bytes = CT_TEXT_MAX_BYTES + 100;
    char *const text = ct_alloc(test_heap(), bytes);
    for (uint32_t i = 0; i < bytes; ++i)
        text[i] = "\xc3\xa9"[(i + 1) % 2]; // the limit is inside a character
    text[0] = 'a';
    const uint64_t warnings = ct_log_warning_count("text_too_long");
    ct_text_desc desc = desc_of("");
    desc.text = text;
    desc.num_bytes = bytes;
    const ct_text_layout *const l = ct_text_layout_of(engine, &desc);
    assert_int_equal(l->num_plain_bytes, CT_TEXT_MAX_BYTES - 1);
    assert_int_equal(ct_log_warning_count("text_too_long"), warnings + 1);
    ct_free(test_heap(), text);
}

// --- Fonts ---------------------------------------------------------------------------------------

static void falls_back_for_whole_clusters(void **state) {
    (void)state;
    add_font(cjk, TEST_FONT_CJK, (ct_string_id64){0});
    add_font(hebrew, TEST_FONT_HEBREW, cjk);
    ct_text_set_fallbacks(engine, (const ct_string_id64[]){{99}, hebrew}, 2);
    const ct_text_layout *const l = lay_out("a\xe6\x97\xa5"
                                            "b");
    assert_int_equal(l->num_glyphs, 3);
    assert_int_equal(ct_text_font_name(engine, l->glyphs[0].font).value, latin.value);
    assert_int_equal(ct_text_font_name(engine, l->glyphs[1].font).value, cjk.value);
    assert_int_equal(ct_text_font_name(engine, l->glyphs[2].font).value, latin.value);
    assert_ptr_equal(ct_text_font_blob(engine, l->glyphs[1].font), fonts[1]);
    assert_false(l->has_missing);
    assert_true(ct_text_has_all_glyphs(engine, latin, "a\xe6\x97\xa5\n", 5));
    ct_text_set_fallbacks(engine, NULL, 0);
    assert_false(ct_text_has_all_glyphs(engine, latin, "a\xe6\x97\xa5\n", 5));
    assert_true(lay_out("a\xe6\x97\xa5"
                        "b")
                    ->has_missing);
    assert_false(ct_text_has_all_glyphs(engine, (ct_string_id64){99}, "a", 1));
}

static void ends_cycles_of_fallbacks(void **state) {
    (void)state;
    add_font(cjk, TEST_FONT_CJK, hebrew);
    add_font(hebrew, TEST_FONT_HEBREW, cjk);
    ct_text_desc desc = desc_of("\xf0\x90\x8e\xa0"); // Old Persian, in no font
    desc.style.font = hebrew;
    const ct_text_layout *const l = ct_text_layout_of(engine, &desc);
    assert_true(l->has_missing);
    assert_int_equal(l->num_glyphs, 1);
    assert_int_equal(l->glyphs[0].glyph, 0);
    assert_int_equal(ct_text_font_name(engine, l->glyphs[0].font).value, hebrew.value);
}

static void warns_once_of_a_missing_glyph(void **state) {
    (void)state;
    const uint64_t warnings = ct_log_warning_count("missing_glyph");
    assert_true(lay_out("\xf0\x90\x8e\xa0\xf0\x90\x8e\xa0")->has_missing);
    lay_out("\xf0\x90\x8e\xa0\xf0\x90\x8e\xa0");
    assert_int_equal(ct_log_warning_count("missing_glyph"), warnings + 1);
}

static void lays_out_nothing_without_the_font(void **state) {
    (void)state;
    ct_text_desc desc = desc_of("abc");
    desc.style.font = (ct_string_id64){77};
    const uint64_t warnings = ct_log_warning_count("unknown_font");
    const ct_text_layout *const l = ct_text_layout_of(engine, &desc);
    assert_int_equal(l->num_glyphs, 0);
    assert_int_equal(l->num_lines, 1);
    assert_int_equal(ct_log_warning_count("unknown_font"), warnings + 1);
    add_font(desc.style.font, TEST_FONT_NOTO, (ct_string_id64){0});
    assert_int_equal(ct_text_layout_of(engine, &desc)->num_glyphs, 3);
}

static void lays_out_again_when_a_font_is_replaced(void **state) {
    (void)state;
    const float width = lay_out("Hello")->advance;
    const uint16_t index = lay_out("Hello")->glyphs[0].font;
    add_font(latin, TEST_FONT_NOTO, (ct_string_id64){0});
    assert_true(fabsf(lay_out("Hello")->advance - width) > 0.5f);
    assert_int_equal(lay_out("Hello")->glyphs[0].font, index);
    ct_text_set_font(engine, latin, NULL);
    assert_int_equal(lay_out("Hello")->num_glyphs, 0);
    assert_int_equal(ct_text_font_name(engine, index).value, 0);
    assert_null(ct_text_font_blob(engine, index));
    assert_null(ct_text_font_blob(engine, 1000));
}

static void shapes_for_the_language(void **state) {
    (void)state;
    const char *const be = "\xd0\xb1";
    const uint32_t glyph = lay_out(be)->glyphs[0].glyph;
    ct_text_set_language(engine, "sr");
    assert_true(lay_out(be)->glyphs[0].glyph != glyph);
    ct_text_set_language(engine, NULL);
    assert_int_equal(lay_out(be)->glyphs[0].glyph, glyph);
    const uint64_t warnings = ct_log_warning_count("language_too_long");
    char tag[100];
    memset(tag, 'a', sizeof(tag));
    tag[99] = '\0';
    ct_text_set_language(engine, tag);
    assert_int_equal(ct_log_warning_count("language_too_long"), warnings + 1);
}

static void breaks_lines_by_the_language(void **state) {
    (void)state;
    add_font(cjk, TEST_FONT_CJK, (ct_string_id64){0});
    ct_text_set_fallbacks(engine, &cjk, 1);
    const char *const text = "\xe3\x82\xab\xe3\x83\x83\xe3\x82\xab"; // small tsu in the middle
    const float width = 32 * 1.5f;
    assert_int_equal(lay_out_in(text, width, CT_TEXT_ALIGN_START)->lines[0].num_clusters, 1);
    ct_text_set_language(engine, "ja");
    assert_int_equal(lay_out_in(text, width, CT_TEXT_ALIGN_START)->num_lines, 3);
    ct_text_set_language(engine, "zh-hant-TW");
    assert_true(lay_out_in(text, width, CT_TEXT_ALIGN_START)->num_lines >= 2);
    ct_text_set_language(engine, "not a language");
    assert_true(lay_out_in(text, width, CT_TEXT_ALIGN_START)->num_lines >= 2);
}

static void breaks_thai_by_its_dictionary(void **state) {
    (void)state;
    static const ct_string_id64 thai = {5};
    add_font(thai, TEST_FONT_THAI, (ct_string_id64){0});
    ct_text_set_fallbacks(engine, &thai, 1);
    // Two words without a space: "language" and "Thai".
    const char *const word = "\xe0\xb8\xa0\xe0\xb8\xb2\xe0\xb8\xa9\xe0\xb8\xb2";
    char text[64];
    snprintf(text, sizeof(text), "%s\xe0\xb9\x84\xe0\xb8\x97\xe0\xb8\xa2", word);
    const ct_text_layout *const l =
        lay_out_in(text, lay_out(word)->advance + 20, CT_TEXT_ALIGN_START);
    assert_int_equal(l->num_lines, 2);
    assert_int_equal(l->lines[0].num_bytes, strlen(word));
}

static void joins_letters_of_several_items(void **state) {
    (void)state;
    const char *const beh = "\xd8\xa8";
    ct_text_desc desc = desc_of("\xd8\xa8\xd8\xa8");
    const ct_text_layout *const whole = ct_text_layout_of(engine, &desc);
    const uint32_t left = whole->glyphs[0].glyph, right = whole->glyphs[1].glyph;
    desc = desc_of("\xd8\xa8<size=40>\xd8\xa8</>");
    desc.has_markup = true;
    const ct_text_layout *const l = ct_text_layout_of(engine, &desc);
    assert_int_equal(l->glyphs[0].glyph, left);
    assert_int_equal(l->glyphs[1].glyph, right);
    assert_true(left != right && left != lay_out(beh)->glyphs[0].glyph);
}

static void justifies_lines_from_right_to_left(void **state) {
    (void)state;
    const float width = lay_out(ALEF " " BET " " GIMEL)->advance;
    const ct_text_layout *const l =
        lay_out_in(ALEF " " BET " " GIMEL GIMEL GIMEL, width, CT_TEXT_ALIGN_JUSTIFY);
    assert_int_equal(l->num_lines, 2);
    assert_near(l->lines[0].width, width);
    assert_near(l->clusters[0].start_x, width);
    assert_near(l->clusters[2].end_x, 0);
    // Glyphs are where their clusters are; that of the blank that hangs is first.
    assert_near(l->glyphs[1].x, l->clusters[2].end_x);
    assert_near(l->glyphs[3].x, l->clusters[0].end_x);
}

static void shapes_fonts_without_outlines(void **state) {
    (void)state;
    static const test_bitmap_glyph glyphs[] = {{' ', 4}, {'.', 3}, {'A', 10}, {'V', 9}};
    static const ct_font_kerning kerning[] = {{3, 4, -2}};
    fonts[num_fonts] = test_bitmap_font_of(test_heap(), glyphs, 4, kerning, 1);
    ct_text_set_font(engine, bitmap, fonts[num_fonts++]);
    ct_text_desc desc = desc_of("AV VA");
    desc.style.font = bitmap;
    desc.style.size = 16;
    const ct_text_layout *l = ct_text_layout_of(engine, &desc);
    static const float places[] = {0, 8, 17, 21, 30};
    static const uint32_t numbers[] = {3, 4, 1, 4, 3};
    assert_int_equal(l->num_glyphs, 5);
    for (uint32_t i = 0; i < 5; ++i) {
        assert_int_equal(l->glyphs[i].glyph, numbers[i]);
        assert_near(l->glyphs[i].x, places[i]);
    }
    assert_near(l->top, 12);
    desc.is_single_line = desc.has_ellipsis = true;
    desc.width = 30;
    l = ct_text_layout_of(engine, &desc);
    for (uint32_t i = l->num_glyphs - 3; i < l->num_glyphs; ++i)
        assert_int_equal(l->glyphs[i].glyph, 2); // three full stops
    assert_true(l->lines[0].width <= 30);
}

int main(void) {
#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(lays_out_from_left_to_right),
        TEST(scales_with_size),
        TEST(ends_lines_at_line_breaks),
        TEST(wraps_lines_at_words),
        TEST(fits_the_width_that_it_was_measured_with),
        TEST(breaks_long_words_at_clusters),
        TEST(shapes_again_where_a_line_cuts_a_ligature),
        TEST(aligns_lines),
        TEST(aligns_lines_from_right_to_left),
        TEST(justifies_all_but_the_last_line),
        TEST(justifies_between_wide_characters),
        TEST(ends_a_single_line_in_an_ellipsis),
        TEST(ends_the_last_of_max_lines_in_an_ellipsis),
        TEST(fits_ellipses_of_other_sizes),
        TEST(cuts_whole_clusters_for_an_ellipsis),
        TEST(puts_the_ellipsis_at_the_logical_end),
        TEST(orders_text_of_both_directions),
        TEST(hangs_blanks_at_the_end_of_each_line),
        TEST(gives_blanks_at_the_end_the_level_of_the_paragraph),
        TEST(shapes_scripts_on_their_own),
        TEST(takes_unpaired_controls),
        TEST(replaces_invalid_bytes),
        TEST(hides_control_characters),
        TEST(lays_out_nothing_of_impossible_sizes),
        TEST(lays_out_a_million_characters),
        TEST(cuts_texts_at_the_limit),
        TEST(falls_back_for_whole_clusters),
        TEST(ends_cycles_of_fallbacks),
        TEST(warns_once_of_a_missing_glyph),
        TEST(lays_out_nothing_without_the_font),
        TEST(lays_out_again_when_a_font_is_replaced),
        TEST(shapes_for_the_language),
        TEST(breaks_lines_by_the_language),
        TEST(breaks_thai_by_its_dictionary),
        TEST(joins_letters_of_several_items),
        TEST(justifies_lines_from_right_to_left),
        TEST(shapes_fonts_without_outlines),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
