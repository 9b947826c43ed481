// The formats of AngelCode fonts: all three hold the same; what is wrong is named with its place.
#include "compiler/types/font/angelcode.h"
#include "compiler/types/font/angelcode_convert.h"
#include "compiler/types/font/font_angelcode_fields.h"
#include "support/test_support.h"

#include <stdio.h>
#include <string.h>

#define INFO                                                                                       \
    "info face=\"A & <B>\" size=-32 bold=1 italic=0 charset=\"\" unicode=1 stretchH=90 smooth=1 "  \
    "aa=4 padding=1,2,3,4 spacing=5,6 outline=7\n"
#define COMMON                                                                                     \
    "common lineHeight=40 base=30 scaleW=64 scaleH=32 pages=2 packed=0 alphaChnl=1 redChnl=0 "     \
    "greenChnl=2 blueChnl=3\n"
#define PAGES "page id=0 file=\"a b_0.png\"\npage id=1 file=\"a b_1.png\"\n"
#define CHARS                                                                                      \
    "chars count=3\n"                                                                              \
    "char id=66 x=0 y=1 width=10 height=20 xoffset=-2 yoffset=3 xadvance=11 page=1 chnl=15\n"      \
    "char id=-1 x=20 y=1 width=9 height=9 xoffset=0 yoffset=3 xadvance=12 page=0 chnl=15\n"        \
    "char id=65   x=54    y=12   width=10     height=20   xoffset=1   yoffset=-3 xadvance=13 "     \
    "page=0 chnl=15\n"
#define KERNINGS                                                                                   \
    "kernings count=2\nkerning first=66 second=65 amount=-1\n"                                     \
    "kerning first=65 second=66 amount=-3\n"
#define FONT INFO COMMON PAGES CHARS KERNINGS

static bool read_font(const void *bytes, uint64_t num_bytes, ct_angelcode *font, ct_error *error) {
    *error = (ct_error){0};
    return ct_angelcode_read(test_heap(), "a.fnt", bytes, num_bytes, font, error);
}

static ct_angelcode read_text(const char *text) {
    ct_angelcode font;
    ct_error error;
    if (!read_font(text, strlen(text), &font, &error))
        fail_msg("%u: %s", error.line, error.message);
    return font;
}

static ct_byte_array written(const ct_angelcode *font, ct_angelcode_format format) {
    ct_byte_array bytes;
    ct_error error = {0};
    ct_array_init(&bytes, test_heap());
    if (!ct_angelcode_write(font, format, &bytes, &error))
        fail_msg("%s", error.message);
    return bytes;
}

// Fails unless `bytes` are refused, with the place and the text in the error.
static void expect_refused(const void *bytes, uint64_t num_bytes, uint32_t line,
                           const char *message) {
    ct_angelcode font;
    ct_error error;
    assert_false(read_font(bytes, num_bytes, &font, &error));
    assert_string_equal(error.file, "a.fnt");
    if (!strstr(error.message, message) || error.line != line)
        fail_msg("%u: %s; expected line %u: %s", error.line, error.message, line, message);
    assert_null(font.chars.items);
}

static void expect_text_refused(const char *text, uint32_t line, const char *message) {
    expect_refused(text, strlen(text), line, message);
}

// --- Reading -------------------------------------------------------------------------------------

static void reads_all_that_a_text_file_has(void **state) {
    (void)state;
    ct_angelcode font = read_text(FONT);
    assert_int_equal(font.format, CT_ANGELCODE_FORMAT_TEXT);
    assert_string_equal(font.info.face, "A & <B>");
    assert_int_equal(font.info.size, -32);
    assert_int_equal(font.info.bold, 1);
    assert_int_equal(font.info.stretch_height, 90);
    assert_int_equal(font.info.anti_aliasing, 4);
    assert_int_equal(font.info.padding[3], 4);
    assert_int_equal(font.info.spacing[1], 6);
    assert_int_equal(font.info.outline, 7);
    assert_int_equal(font.common.line_height, 40);
    assert_int_equal(font.common.blue_channel, 3);
    assert_int_equal(font.pages.count, 2);
    assert_string_equal(font.pages.items[1].file, "a b_1.png");
    assert_int_equal(font.chars.count, 3);
    assert_int_equal(font.chars.items[0].id, CT_ANGELCODE_MISSING);
    assert_int_equal(font.chars.items[1].id, 65);
    assert_int_equal(font.chars.items[1].y_offset, -3);
    assert_int_equal(font.chars.items[2].page, 1);
    assert_int_equal(font.kernings.items[0].amount, -3);
    assert_int_equal(font.warnings.count, 0);
    ct_angelcode_free(&font);
}

static void every_format_holds_the_same(void **state) {
    (void)state;
    ct_angelcode font = read_text(FONT);
    font.info.fixed_height = 1;
    ct_byte_array text = written(&font, CT_ANGELCODE_FORMAT_TEXT);
    for (uint32_t i = 0; ct_angelcode_format_names[i]; ++i) {
        ct_byte_array bytes = written(&font, (ct_angelcode_format)i);
        ct_angelcode again;
        ct_error error;
        if (!read_font(bytes.items, bytes.count, &again, &error))
            fail_msg("%s: %u: %s", ct_angelcode_format_names[i], error.line, error.message);
        assert_int_equal(again.format, i);
        ct_byte_array same = written(&again, CT_ANGELCODE_FORMAT_TEXT);
        assert_int_equal(same.count, text.count);
        assert_memory_equal(same.items, text.items, text.count);
        ct_array_free(&same);
        ct_array_free(&bytes);
        ct_angelcode_free(&again);
    }
    ct_array_free(&text);
    ct_angelcode_free(&font);
}

static void reads_a_mark_and_lines_of_windows(void **state) {
    (void)state;
    ct_angelcode font = read_text("\xef\xbb\xbf"
                                  "info face=\"\" size=8\r\n"
                                  "common lineHeight=8 base=8 scaleW=8 scaleH=8\r\n\r\n"
                                  "page id=0 file=\"x.png\"\r\n"
                                  "char id=4294967295 x=0 y=0 width=0 height=0 xoffset=0 "
                                  "yoffset=0 xadvance=4\r\nkernings count=-1\r\n");
    assert_int_equal(font.chars.items[0].id, CT_ANGELCODE_MISSING);
    assert_int_equal(font.chars.items[0].channel, 15);
    assert_int_equal(font.info.stretch_height, 100);
    ct_angelcode_free(&font);
}

static void warns_once_of_what_it_does_not_know(void **state) {
    (void)state;
    ct_angelcode font = read_text(
        "info face=\"\" size=8 glow=3\ncommon lineHeight=8 base=8 scaleW=8 scaleH=8\n"
        "sparkle a=1\npage id=0 file=\"x.png\"\n"
        "char id=1 x=0 y=0 width=0 height=0 xoffset=0 yoffset=0 xadvance=4 letter=\"a\"\n"
        "char id=2 x=0 y=0 width=0 height=0 xoffset=0 yoffset=0 xadvance=4 letter=\"b\"\n");
    assert_int_equal(font.warnings.count, 3);
    assert_string_equal(font.warnings.items[0].message,
                        "the value \"info glow\" is unknown and is left out");
    assert_string_equal(font.warnings.items[1].message,
                        "the record \"sparkle\" is unknown and is left out");
    assert_int_equal(font.warnings.items[2].line, 5);
    ct_angelcode_free(&font);
}

// --- What is wrong -------------------------------------------------------------------------------

static void refuses_text_that_is_no_font(void **state) {
    (void)state;
    expect_text_refused("", 0, "the file is empty");
    expect_text_refused("Hello, world\n", 1, "found \"Hello,\"");
    expect_text_refused(INFO "common lineHeight\n", 2, "found \"lineHeight\"; expected key=value");
    expect_text_refused("info face=\"x\n", 1, "no closing quote");
    expect_text_refused(INFO, 0, "the file has no \"common\"");
    expect_refused(INFO "\0\n", sizeof(INFO "\0\n") - 1, 2, "zero byte");
}

static void refuses_numbers_that_are_wrong(void **state) {
    (void)state;
    expect_text_refused("info size=big\n", 1, "info size is \"big\"; expected a whole number");
    expect_text_refused("info size=1.5\n", 1, "info size is \"1.5\"");
    expect_text_refused("info size=40000\n", 1, "expected a number from -32768 to 32767");
    expect_text_refused("info size=9 padding=1,2,3\n", 1, "expected 4 whole numbers with commas");
    expect_text_refused("info size=9 size=9\n", 1, "info has size twice");
    expect_text_refused("info bold=1\n", 1, "info does not have \"size\"");
    expect_text_refused(INFO COMMON COMMON, 3, "common is there twice");
    expect_text_refused(INFO "common lineHeight=8 base=8 scaleW=0 scaleH=8\n", 2,
                        "common scaleW is 0; expected a number from 1");
    expect_text_refused(INFO COMMON PAGES "char id=1114112", 5, "expected a number from -1");
}

static void refuses_pages_that_are_wrong(void **state) {
    (void)state;
    expect_text_refused(INFO COMMON CHARS, 0, "the font has no pages");
    expect_text_refused(INFO COMMON "page id=0 file=\"a\"\n" CHARS, 0, "there are 2 pages");
    expect_text_refused(INFO COMMON "page id=0 file=\"a\"\npage id=0 file=\"b\"\n" CHARS, 4,
                        "page 0 is there twice");
    expect_text_refused(INFO COMMON "page id=0 file=\"a\"\npage id=2 file=\"b\"\n" CHARS, 4,
                        "found page 2, but no page 1");
    expect_text_refused(INFO COMMON "page id=0 file=\"\"\n", 3, "empty file name");
}

static void refuses_characters_that_are_wrong(void **state) {
    (void)state;
    const char *const start = INFO COMMON PAGES;
    char text[2048];
#define EXPECT(line, rest, message)                                                                \
    snprintf(text, sizeof(text), "%s%s", start, rest);                                             \
    expect_text_refused(text, line, message)
    EXPECT(5, "char id=5 x=60 y=0 width=5 height=1 xoffset=0 yoffset=0 xadvance=1\n",
           "the rectangle of character 5 (x 60, y 0, width 5, height 1) is not inside of its page "
           "of 64 x 32 pixels");
    EXPECT(5, "char id=5 x=0 y=0 width=5 height=1 xoffset=0 yoffset=0 xadvance=1 page=2\n",
           "character 5 is on page 2; expected 0 to 1");
    EXPECT(6,
           "char id=5 x=0 y=0 width=5 height=1 xoffset=0 yoffset=0 xadvance=1\n"
           "char id=5 x=0 y=0 width=5 height=1 xoffset=0 yoffset=0 xadvance=1\n",
           "character 5 is there twice");
    EXPECT(5, "chars count=2\nchar id=5 x=0 y=0 width=5 height=1 xoffset=0 yoffset=0 xadvance=1\n",
           "chars count is 2, but the file has 1 characters; is it cut short?");
    EXPECT(0, "", "the font has no characters");
    EXPECT(9, CHARS "kernings count=1\n", "kernings count is 1, but the file has 0 pairs");
    EXPECT(11,
           CHARS "kerning first=1 second=2 amount=1\nkerning first=2 second=1 amount=1\n"
                 "kerning first=1 second=2 amount=1\n",
           "the kerning of characters 1 and 2 is there twice");
#undef EXPECT
}

static void refuses_xml_that_is_wrong(void **state) {
    (void)state;
    expect_text_refused("<font>\n<info size=\"8\"/>\n", 3, "the XML cannot be read: no element");
    expect_text_refused("<html/>", 1, "found <html>; expected an AngelCode font: <font>");
    expect_text_refused("<font>\n<info size=\"x\"/></font>", 2, "info size is \"x\"");
    expect_text_refused("<!DOCTYPE font [<!ENTITY a \"b\">]>\n<font/>", 1, "found <!DOCTYPE>");
    expect_text_refused("<font/>", 0, "the file has no \"info\"");
}

static void refuses_binary_files_cut_anywhere(void **state) {
    (void)state;
    ct_angelcode font = read_text(FONT);
    ct_byte_array bytes = written(&font, CT_ANGELCODE_FORMAT_BINARY);
    const uint32_t kernings = 5 + 2 * 10;
    for (uint32_t i = 3; i < bytes.count; ++i) {
        ct_angelcode cut;
        ct_error error;
        if (i == bytes.count - kernings)
            continue; // a font without kerning
        if (read_font(bytes.items, i, &cut, &error))
            fail_msg("cut at %u", i);
        assert_true(error.message[0]);
    }
    expect_refused(bytes.items, bytes.count - 1, 0, "the file ends inside of the block of kerning");
    bytes.items[3] = 2;
    expect_refused(bytes.items, bytes.count, 0, "at byte 3: found version 2");
    bytes.items[3] = 3;
    bytes.items[4] = 9;
    expect_refused(bytes.items, bytes.count, 0, "at byte 4: found a block of type 9");
    ct_array_free(&bytes);
    ct_angelcode_free(&font);
}

static void names_the_byte_of_a_wrong_character(void **state) {
    (void)state;
    ct_angelcode font = read_text(FONT);
    font.chars.items[1].page = 7;
    ct_byte_array bytes = written(&font, CT_ANGELCODE_FORMAT_BINARY);
    ct_angelcode again;
    ct_error error;
    assert_false(read_font(bytes.items, bytes.count, &again, &error));
    unsigned place = 0;
    assert_int_equal(sscanf(error.message, "at byte %u: character 65 is on page 7", &place), 1);
    assert_int_equal(bytes.items[place], 65);
    ct_array_free(&bytes);
    ct_angelcode_free(&font);
}

static void refuses_to_write_what_a_format_cannot_hold(void **state) {
    (void)state;
    ct_angelcode font = read_text(FONT);
    ct_byte_array bytes;
    ct_error error = {0};
    ct_array_init(&bytes, test_heap());
    strcpy(font.info.face, "a \"b\"");
    assert_false(ct_angelcode_write(&font, CT_ANGELCODE_FORMAT_TEXT, &bytes, &error));
    assert_non_null(strstr(error.message, "cannot hold the quote in info face"));
    assert_true(ct_angelcode_write(&font, CT_ANGELCODE_FORMAT_XML, &bytes, &error));
    strcpy(font.pages.items[1].file, "longer name.png");
    assert_false(ct_angelcode_write(&font, CT_ANGELCODE_FORMAT_BINARY, &bytes, &error));
    assert_non_null(strstr(error.message, "several lengths"));
    strcpy(font.info.charset, "Klingon");
    assert_false(ct_angelcode_write(&font, CT_ANGELCODE_FORMAT_BINARY, &bytes, &error));
    assert_non_null(strstr(error.message, "no number for the charset \"Klingon\""));
    ct_array_free(&bytes);
    ct_angelcode_free(&font);
}

// --- Scaling and content -------------------------------------------------------------------------

static void scales_rectangles_to_cover_and_keeps_pictures_in_place(void **state) {
    (void)state;
    ct_angelcode font = read_text(FONT);
    assert_int_equal(ct_angelcode_scale(&font, 8), 3);
    const ct_angelcode_char *const a = &font.chars.items[1];
    // 54 to 64 becomes 48 to 64, whose corner is 6 pixels to the left: 1 - 6 = -5 is -1 of 8.
    assert_int_equal(a->x, 6);
    assert_int_equal(a->width, 2);
    assert_int_equal(a->x_offset, -1);
    assert_int_equal(a->y, 1);
    assert_int_equal(a->height, 3);
    assert_int_equal(a->y_offset, -1);
    assert_int_equal(a->x_advance, 2);
    assert_int_equal(font.info.size, -4);
    assert_int_equal(font.common.line_height, 5);
    assert_int_equal(font.common.scale_width, 8);
    assert_int_equal(font.kernings.items[0].amount, 0);
    ct_angelcode_free(&font);
}

static void numbers_glyphs_by_code_point(void **state) {
    (void)state;
    ct_angelcode font = read_text(INFO COMMON PAGES CHARS "kernings count=3\n"
                                                          "kerning first=66 second=65 amount=-1\n"
                                                          "kerning first=65 second=66 amount=-3\n"
                                                          "kerning first=1 second=66 amount=5\n");
    ct_font_content content;
    ct_error error = {0};
    uint32_t num_dropped = 0;
    const ct_font_angelcode_source source = {
        .path = "a.fnt", .distance_field = true, .scale = 4, .spread = 2};
    ct_font_content_init(&content, test_heap());
    assert_true(ct_font_angelcode_build(&font, &source, &content, &num_dropped, &error));
    assert_int_equal(num_dropped, 1);
    assert_int_equal(content.resource.flags, CT_FONT_DISTANCE_FIELD);
    assert_float_equal(content.resource.size, 8, 0);
    assert_float_equal(content.resource.spread, 2, 0);
    assert_float_equal(content.resource.ascent, 7.5f, 0);
    assert_float_equal(content.resource.descent, 2.5f, 0);
    assert_int_equal(content.glyphs.count, 3);
    assert_float_equal(content.glyphs.items[0].advance, 3, 0);
    assert_int_equal(content.characters.items[0].codepoint, 65);
    assert_int_equal(content.characters.items[0].glyph, 1);
    assert_float_equal(content.glyphs.items[1].advance, 13 / 4.0f, 0);
    assert_int_equal(content.kerning.count, 2);
    assert_int_equal(content.kerning.items[0].first, 1);
    assert_float_equal(content.kerning.items[0].amount, -0.75f, 0);
    ct_font_content_free(&content);
    ct_angelcode_free(&font);
}

static void has_an_empty_missing_glyph_without_a_character_for_it(void **state) {
    (void)state;
    ct_angelcode font =
        read_text("info size=8\ncommon lineHeight=8 base=8 scaleW=8 scaleH=8\n"
                  "page id=0 file=\"x.png\"\n"
                  "char id=9 x=0 y=0 width=1 height=1 xoffset=0 yoffset=0 xadvance=4\n");
    ct_font_content content;
    ct_error error = {0};
    uint32_t num_dropped = 0;
    ct_font_angelcode_source source = {.path = "a.fnt", .scale = 1};
    ct_font_content_init(&content, test_heap());
    assert_true(ct_font_angelcode_build(&font, &source, &content, &num_dropped, &error));
    assert_int_equal(content.resource.flags, 0);
    assert_int_equal(content.glyphs.count, 2);
    assert_int_equal(content.glyphs.items[0].width, 0);
    ct_font_content_free(&content);
    ct_font_content_init(&content, test_heap());
    font.info.size = 10000;
    assert_false(ct_font_angelcode_build(&font, &source, &content, &num_dropped, &error));
    assert_string_equal(error.message,
                        "the size of the font is 10000, at a scale of 1; expected 1 to 256");
    font.info.size = 8;
    font.common.scale_width = 2048;
    assert_false(ct_font_angelcode_build(&font, &source, &content, &num_dropped, &error));
    assert_non_null(strstr(error.message, "the pages have 2048 x 8 pixels"));
    ct_font_content_free(&content);
    ct_angelcode_free(&font);
}

static void draws_each_field_on_its_own(void **state) {
    (void)state;
    // B's rectangle is 10 x 20 and holds a block of 4 x 8; a neighbour touches the rectangle.
    ct_angelcode font = read_text(FONT);
    ct_font_content content;
    ct_font_shelves shelves = {0};
    ct_error error = {0};
    uint32_t num_dropped = 0;
    uint8_t pixels[64 * 32] = {0};
    const ct_angelcode_coverage coverage = {64, 32, pixels};
    const ct_font_angelcode_source source = {
        .path = "a.fnt", .distance_field = true, .scale = 2, .spread = 3};
    for (uint32_t y = 0; y < 32; ++y)
        pixels[y * 64 + 10] = 255;
    for (uint32_t y = 5; y < 13; ++y)
        memset(pixels + y * 64 + 3, 255, 4);
    ct_font_content_init(&content, test_heap());
    assert_true(ct_font_angelcode_build(&font, &source, &content, &num_dropped, &error));
    assert_true(
        ct_font_angelcode_add_fields(&font, &source, 1, &coverage, &shelves, &content, &error));
    ct_font_angelcode_finish_fields(&content);
    const ct_font_glyph *const g = &content.glyphs.items[2];
    assert_int_equal(content.pages.count, 1);
    assert_int_equal(content.pages.items[0].height, 10);
    assert_int_equal(g->width, 2 + 6);
    assert_int_equal(g->height, 4 + 6);
    // The block is 3 to the right of a rectangle at -2, and 4 below one at 3; the line's base is 30.
    assert_float_equal(g->left, (3 - 2) / 2.0f - 3, 0);
    assert_float_equal(g->top, (30 - 3 - 4) / 2.0f + 3, 0);
    const uint8_t *const field = content.pages.items[0].pixels;
    // Half a pixel inside, half a pixel outside.
    assert_int_equal(field[5 * CT_FONT_PAGE_SIZE + 3], 149);
    assert_int_equal(field[5 * CT_FONT_PAGE_SIZE + 2], 107);
    assert_int_equal(field[5 * CT_FONT_PAGE_SIZE + 5], 107);
    assert_int_equal(field[5 * CT_FONT_PAGE_SIZE + 7], 22);
    assert_int_equal(field[5 * CT_FONT_PAGE_SIZE + 8], 0);
    ct_font_content_free(&content);
    ct_angelcode_free(&font);
}

static void starts_a_new_page_when_one_is_full(void **state) {
    (void)state;
    static uint8_t pixels[1600 * 900];
    char text[512];
    snprintf(text, sizeof(text),
             "info size=9\ncommon lineHeight=900 base=800 scaleW=1600 scaleH=900\n"
             "page id=0 file=\"x.png\"\n"
             "char id=1 x=0 y=0 width=800 height=900 xoffset=0 yoffset=0 xadvance=4\n"
             "char id=2 x=800 y=0 width=800 height=900 xoffset=0 yoffset=0 xadvance=4\n");
    ct_angelcode font = read_text(text);
    ct_font_content content;
    ct_font_shelves shelves = {0};
    ct_error error = {0};
    uint32_t num_dropped = 0;
    const ct_angelcode_coverage coverage = {1600, 900, pixels};
    ct_font_angelcode_source source = {
        .path = "a.fnt", .distance_field = true, .scale = 1, .spread = 4};
    memset(pixels, 255, sizeof(pixels));
    ct_font_content_init(&content, test_heap());
    assert_true(ct_font_angelcode_build(&font, &source, &content, &num_dropped, &error));
    assert_true(
        ct_font_angelcode_add_fields(&font, &source, 0, &coverage, &shelves, &content, &error));
    assert_int_equal(content.pages.count, 2);
    assert_int_equal(content.glyphs.items[2].page, 1);
    assert_int_equal(content.glyphs.items[2].y, 0);
    source.spread = 64;
    assert_false(
        ct_font_angelcode_add_fields(&font, &source, 0, &coverage, &shelves, &content, &error));
    assert_string_equal(error.message, "a character has a field of 928 x 1028 pixels; expected at "
                                       "most 1024 on a side: use a larger scale");
    ct_font_content_free(&content);
    ct_angelcode_free(&font);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_all_that_a_text_file_has),
        cmocka_unit_test(every_format_holds_the_same),
        cmocka_unit_test(reads_a_mark_and_lines_of_windows),
        cmocka_unit_test(warns_once_of_what_it_does_not_know),
        cmocka_unit_test(refuses_text_that_is_no_font),
        cmocka_unit_test(refuses_numbers_that_are_wrong),
        cmocka_unit_test(refuses_pages_that_are_wrong),
        cmocka_unit_test(refuses_characters_that_are_wrong),
        cmocka_unit_test(refuses_xml_that_is_wrong),
        cmocka_unit_test(refuses_binary_files_cut_anywhere),
        cmocka_unit_test(names_the_byte_of_a_wrong_character),
        cmocka_unit_test(refuses_to_write_what_a_format_cannot_hold),
        cmocka_unit_test(scales_rectangles_to_cover_and_keeps_pictures_in_place),
        cmocka_unit_test(numbers_glyphs_by_code_point),
        cmocka_unit_test(has_an_empty_missing_glyph_without_a_character_for_it),
        cmocka_unit_test(draws_each_field_on_its_own),
        cmocka_unit_test(starts_a_new_page_when_one_is_full),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
