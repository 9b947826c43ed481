// Markup: tags to styles, escapes, what is shown as it is.
#include "foundation/log.h"
#include "support/test_font.h"
#include "support/test_support.h"
#include "text/text_markup.h"

#include <string.h>

static ct_byte_array plain;
static ct_text_styles styles;
static ct_text_spans spans;

static int set_up(void **state) {
    (void)state;
    ct_array_init(&plain, test_heap());
    ct_array_init(&styles, test_heap());
    ct_array_init(&spans, test_heap());
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    ct_array_free(&plain);
    ct_array_free(&styles);
    ct_array_free(&spans);
    return 0;
}

static void read_markup(const char *text) {
    plain.count = styles.count = spans.count = 0;
    ct_array_push(&styles, (ct_text_style){.font = {1}, .size = 20, .color = 0x80ffffff});
    ct_text_read_markup((const uint8_t *)text, (uint32_t)strlen(text), &plain, &styles, &spans);
    assert_int_equal(spans.items[spans.count - 1].end, UINT32_MAX);
}

static void assert_plain(const char *expected) {
    assert_int_equal(plain.count, strlen(expected));
    assert_memory_equal(plain.items, expected, plain.count);
}

// Returns the style of a byte of the plain text.
static const ct_text_style *style_at(uint32_t byte) {
    uint32_t span = 0;
    while (spans.items[span].end <= byte)
        ++span;
    return &styles.items[spans.items[span].style];
}

static void assert_shown(const char *text) {
    const uint64_t warnings = ct_log_warning_count("wrong_markup");
    read_markup(text);
    assert_plain(text);
    assert_int_equal(ct_log_warning_count("wrong_markup"), warnings + 1);
}

static void reads_each_tag(void **state) {
    (void)state;
    read_markup("<color=#ff8000>a</color><color=#01020304>b</color><size=24>c</size>"
                "<size=150%>d</size><font=fonts/title>e</font><outline=2>f</outline>"
                "<outline=1.5 #000102>g</outline><shadow=2,-2 #00000080>h</shadow>"
                "<shadow=1,1,3>i</shadow><glow=3 #ffcc00>j</glow><u>k</u><s>l</s>m");
    assert_plain("abcdefghijklm");
    assert_int_equal(style_at(0)->color, 0x800080ff);
    assert_int_equal(style_at(1)->color, 0x04030201);
    assert_true(style_at(2)->size == 24);
    assert_true(style_at(3)->size == 30);
    assert_int_equal(style_at(4)->font.value, ct_string_id64_of("fonts/title").value);
    assert_true(style_at(5)->outline == 2 && style_at(5)->outline_color == 0xff000000);
    assert_true(style_at(6)->outline == 1.5f && style_at(6)->outline_color == 0xff020100);
    assert_true(style_at(7)->shadow_x == 2 && style_at(7)->shadow_y == -2);
    assert_int_equal(style_at(7)->shadow_color, 0x80000000);
    assert_true(style_at(8)->shadow_blur == 3 && style_at(8)->shadow_color == 0x80000000);
    assert_true(style_at(9)->glow == 3 && style_at(9)->glow_color == 0xff00ccff);
    assert_true(style_at(10)->is_underlined && !style_at(10)->is_struck);
    assert_true(style_at(11)->is_struck && !style_at(11)->is_underlined);
    assert_memory_equal(style_at(12), &styles.items[0], sizeof(ct_text_style));
}

static void nests_tags(void **state) {
    (void)state;
    read_markup("<u>a<size=200%>b<size=50%>c</>d</size>e</>f");
    assert_plain("abcdef");
    static const float sizes[] = {20, 40, 20, 40, 20, 20};
    for (uint32_t i = 0; i < 6; ++i) {
        assert_true(style_at(i)->size == sizes[i]);
        assert_int_equal(style_at(i)->is_underlined, i < 5);
    }
    read_markup("<u>open");
    assert_plain("open");
    assert_true(style_at(3)->is_underlined);
}

static void reads_escapes(void **state) {
    (void)state;
    read_markup("&lt;u&gt; &amp;amp; &nbsp; & 1 < 2 <3 <");
    assert_plain("<u> &amp; &nbsp; & 1 < 2 <3 <");
}

static void shows_wrong_tags_as_they_are(void **state) {
    (void)state;
    static const char *const wrong[] = {"<colour=#ffffff>a",
                                        "<color=red>a",
                                        "<color=#fff>a",
                                        "<color>a",
                                        "<u=1>a",
                                        "<size=0>a",
                                        "<size=-4>a",
                                        "<size=20000>a",
                                        "<size=24px>a",
                                        "<size=>a",
                                        "<font=>a",
                                        "<outline=a>",
                                        "<outline=-1>a",
                                        "<shadow=2>a",
                                        "</u>a",
                                        "</>a",
                                        "<u",
                                        "<u\n>",
                                        "<b>bold",
                                        "<glow=1 red>a",
                                        "<size=99999999999>",
                                        "<shadow=1,>",
                                        "<color=#1234567>"};
    for (uint32_t i = 0; i < CT_COUNT_OF(wrong); ++i)
        assert_shown(wrong[i]);
    const uint64_t warnings = ct_log_warning_count("wrong_markup");
    read_markup("<u>a</s>b</u>c<x><y>");
    assert_plain("a</s>bc<x><y>");
    assert_true(style_at(5)->is_underlined && !style_at(6)->is_underlined);
    assert_int_equal(ct_log_warning_count("wrong_markup"), warnings + 1);
}

static void limits_tags_that_are_open(void **state) {
    (void)state;
    char text[3 * (CT_TEXT_MAX_TAGS + 1) + 1];
    for (uint32_t i = 0; i <= CT_TEXT_MAX_TAGS; ++i)
        memcpy(text + 3 * i, "<u>", 4);
    const uint64_t warnings = ct_log_warning_count("wrong_markup");
    read_markup(text);
    assert_plain("<u>");
    assert_int_equal(ct_log_warning_count("wrong_markup"), warnings + 1);
}

static void escapes_what_markup_reads(void **state) {
    (void)state;
    const char *const text = "a <u> & &lt; </> b";
    ct_string_builder escaped;
    ct_string_builder_init(&escaped, test_heap());
    ct_text_escape(text, (uint32_t)strlen(text), &escaped);
    assert_string_equal(ct_string_builder_text(&escaped), "a &lt;u&gt; &amp; &amp;lt; &lt;/&gt; b");
    read_markup(ct_string_builder_text(&escaped));
    assert_plain(text);
    ct_string_builder_free(&escaped);
}

// --- In layouts ----------------------------------------------------------------------------------

static void gives_glyphs_their_styles(void **state) {
    (void)state;
    ct_text *const engine = ct_text_create(test_heap());
    ct_font_resource *const font = test_font_of(test_heap(), TEST_FONT_DEJAVU, NULL, 0);
    ct_text_set_font(engine, (ct_string_id64){1}, font);
    const char *const text = "a<color=#ff0000>b</><size=200%><u>cd</u></> <font=none>e";
    const ct_text_desc desc = {.text = text,
                               .num_bytes = (uint32_t)strlen(text),
                               .style = {.font = {1}, .size = 32, .color = 0xffffffff},
                               .has_markup = true};
    const uint64_t warnings = ct_log_warning_count("unknown_font");
    const ct_text_layout *const l = ct_text_layout_of(engine, &desc);
    assert_string_equal(l->plain, "abcd e");
    assert_int_equal(l->num_glyphs, 6);
    assert_int_equal(l->styles[l->glyphs[0].style].color, 0xffffffff);
    assert_int_equal(l->styles[l->glyphs[1].style].color, 0xff0000ff);
    assert_true(l->styles[l->glyphs[2].style].size == 64);
    assert_int_equal(l->num_rules, 1);
    assert_true(l->rules[0].x == l->clusters[2].start_x);
    assert_true(l->rules[0].x + l->rules[0].width > l->clusters[3].end_x - 0.01f);
    assert_true(l->rules[0].y < 0 && l->rules[0].height > 0);
    assert_true(l->lines[0].ascent == font->ascent); // of the larger size
    assert_int_equal(ct_log_warning_count("unknown_font"), warnings + 1);
    ct_text_destroy(engine);
    ct_free(test_heap(), font);
}

int main(void) {
#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(reads_each_tag),
        TEST(nests_tags),
        TEST(reads_escapes),
        TEST(shows_wrong_tags_as_they_are),
        TEST(limits_tags_that_are_open),
        TEST(escapes_what_markup_reads),
        cmocka_unit_test(gives_glyphs_their_styles),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
