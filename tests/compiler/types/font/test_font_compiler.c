#include "compiler/compile_case.h"
#include "resource/types/font_resource.h"
#include "text/font_files.h"
#include "text/glyph_raster.h"

// A case with the font of core as fonts/a.ttf.
static compile_case make_case(void) {
    compile_case t = compile_case_make();
    font_file f = font_file_core();
    compile_case_file(&t, "fonts/a.ttf", f.bytes, f.count);
    font_file_free(&f);
    return t;
}

static const ct_font_resource *compile(compile_case *t, const char *settings) {
    char text[512];
    snprintf(text, sizeof(text), "source = \"fonts/a.ttf\"\n%s", settings);
    compile_case_text(t, "fonts/a.font", text);
    return compile_case_blob(t, "font", "fonts/a");
}

static void refuse(compile_case *t, const char *settings, uint32_t line, const char *message) {
    char text[512];
    snprintf(text, sizeof(text), "source = \"fonts/a.ttf\"\n%s", settings);
    compile_case_text(t, "fonts/a.font", text);
    compile_case_run(t, "font", "fonts/a");
    compile_case_expect(t, "fonts/a.font", line, message);
}

static void expect_the_warning(const compile_case *t, uint32_t line, const char *message) {
    assert_int_equal(t->answer.warnings.count, 1);
    const ct_compile_fault *const w = &t->answer.warnings.items[0];
    if (!strstr(w->message, message))
        fail_msg("found \"%s\", expected \"%s\"", w->message, message);
    assert_int_equal(w->line, line);
}

static const ct_font_glyph *glyphs_of(const ct_font_resource *f) {
    return ct_blob_at(f, f->glyphs.offset);
}

static const ct_font_page *pages_of(const ct_font_resource *f) {
    return ct_blob_at(f, f->pages.offset);
}

static bool has_character(const ct_font_resource *f, uint32_t codepoint) {
    ct_glyph_raster *const r = ct_glyph_raster_create(
        test_heap(), ct_blob_at(f, f->outlines.offset), f->outlines.count, f->face_index, NULL);
    const uint32_t glyph = ct_glyph_raster_glyph_of(r, codepoint);
    ct_glyph_raster_destroy(r);
    return glyph != 0 && ct_font_find_glyph(f, glyph) != NULL;
}

static void has_ascii_and_latin_1_by_default(void **state) {
    (void)state;
    compile_case t = make_case();
    const ct_font_resource *const f = compile(&t, "");
    assert_int_equal(f->flags, CT_FONT_DISTANCE_FIELD);
    assert_true(f->size == 32 && f->spread == 4);
    assert_true(f->ascent > 34 && f->ascent < 35 && f->descent > 9 && f->descent < 10);
    assert_true(f->underline_position < 0 && f->x_height > 17 && f->cap_height > 22);
    assert_int_equal(glyphs_of(f)[0].glyph, 0);
    assert_true(has_character(f, '!') && has_character(f, '~') && has_character(f, 0xff));
    assert_false(has_character(f, 0x100) || has_character(f, 0x416));
    assert_true(has_character(f, 0xfb01)); // fi, which shaping makes of f and i
    assert_in_range(f->glyphs.count, 192, 230);
    assert_true(compile_case_has_include(&t, "fonts/a.ttf"));
    compile_case_free(&t);
}

static void keeps_the_file_for_shaping(void **state) {
    (void)state;
    compile_case t = make_case();
    font_file file = font_file_core();
    const ct_font_resource *const f = compile(&t, "characters = [\"A\"]");
    assert_int_equal(f->outlines.count, file.count);
    assert_memory_equal(ct_blob_at(f, f->outlines.offset), file.bytes, file.count);
    font_file_free(&file);
    compile_case_free(&t);
}

static void takes_ranges_sets_and_characters(void **state) {
    (void)state;
    compile_case t = make_case();
    const ct_font_resource *f =
        compile(&t, "characters = [\"0x41-0x43\" \"U+61-U+62\" \"u+7A\" \"äß\" \"greek\"]");
    static const uint32_t there[] = {'A', 'C', 'a', 'b', 'z', 0xe4, 0xdf, 0x3b1, 0x3a9};
    for (uint32_t i = 0; i < CT_COUNT_OF(there); ++i)
        assert_true(has_character(f, there[i]));
    assert_false(has_character(f, 'D') || has_character(f, 'c') || has_character(f, 0x416));
    f = compile(&t, "characters = []");
    assert_int_equal(f->glyphs.count, 1); // what stands for missing ones
    assert_true(glyphs_of(f)[0].width > 0);
    assert_int_equal(pages_of(f)[0].height % 4, 0);
    compile_case_free(&t);
}

// Rectangles are apart by a pixel, and their pixels are those of the rasteriser.
static void packs_pictures_into_pages(void **state) {
    (void)state;
    compile_case t = make_case();
    const ct_font_resource *const f = compile(&t, "size = 96 spread = 8\ncharacters = [\"latin\"]");
    const ct_font_glyph *const g = glyphs_of(f);
    assert_true(f->pages.count > 1);
    for (uint32_t i = 0; i < f->glyphs.count; ++i) {
        for (uint32_t k = 0; g[i].width > 0 && k < i; ++k) {
            const bool are_apart =
                g[k].width == 0 || g[k].page != g[i].page || g[k].x + g[k].width + 1 <= g[i].x ||
                g[i].x + g[i].width + 1 <= g[k].x || g[k].y + g[k].height + 1 <= g[i].y ||
                g[i].y + g[i].height + 1 <= g[k].y;
            assert_true(are_apart);
        }
    }
    ct_glyph_raster *const r = ct_glyph_raster_create(
        test_heap(), ct_blob_at(f, f->outlines.offset), f->outlines.count, 0, NULL);
    const ct_font_glyph *const a = ct_font_find_glyph(f, ct_glyph_raster_glyph_of(r, 'a'));
    ct_byte_array pixels;
    ct_glyph_picture p;
    ct_array_init(&pixels, test_heap());
    assert_true(ct_glyph_raster_draw(r, a->glyph, 96, 8, &pixels, &p, NULL));
    assert_true(a->width == p.width && a->height == p.height && a->left == p.left &&
                a->top == p.top && a->advance == p.advance);
    const uint8_t *const page = ct_blob_at(f, pages_of(f)[a->page].pixels.offset);
    for (uint32_t y = 0; y < p.height; ++y)
        assert_memory_equal(page + (a->y + y) * pages_of(f)[a->page].width + a->x,
                            pixels.items + y * p.width, p.width);
    ct_array_free(&pixels);
    ct_glyph_raster_destroy(r);
    compile_case_free(&t);
}

static void draws_coverage_without_a_field(void **state) {
    (void)state;
    compile_case t = make_case();
    const ct_font_resource *const f =
        compile(&t, "size = 16\ndistance_field = false\ncharacters = [\"Il\"]");
    assert_int_equal(f->flags, 0);
    assert_true(f->spread == 0 && f->size == 16);
    uint32_t most = 0;
    const uint8_t *const page = ct_blob_at(f, pages_of(f)[0].pixels.offset);
    for (uint32_t i = 0; i < pages_of(f)[0].pixels.count; ++i)
        most = page[i] > most ? page[i] : most;
    assert_int_equal(most, 255);
    compile(&t, "distance_field = false\nspread = 3\ncharacters = [\"I\"]");
    expect_the_warning(&t, 3, "`spread` has no effect without a distance field");
    compile_case_free(&t);
}

static void takes_the_characters_of_all_languages(void **state) {
    (void)state;
    compile_case t = make_case();
    compile_case_text(&t, "texts/menu.strings", "language = \"qq\" a = \"Hi {count}\"");
    compile_case_text(&t, "texts/menu.fr.strings", "g = { b = \"ça\" }");
    compile_case_text(&t, "texts/menu.mobile.ru.strings", "a = { one = \"Ж\" other = \"Щ\" }");
    compile_case_text(&t, "texts/menus.strings", "a = \"Ω\"");
    const ct_font_resource *const f = compile(&t, "characters = []\nstrings = [\"texts/menu\"]");
    static const uint32_t there[] = {'H', 'i', ' ', '0', '9', 0xe7, 'a', 0x416, 0x429};
    for (uint32_t i = 0; i < CT_COUNT_OF(there); ++i)
        assert_true(has_character(f, there[i]));
    assert_false(has_character(f, 0x3a9) || has_character(f, 'q') || has_character(f, 'u'));
    assert_true(compile_case_has_include(&t, "texts/menu.strings"));
    assert_true(compile_case_has_include(&t, "texts/menu.fr.strings"));
    assert_true(compile_case_has_include(&t, "texts/menu.mobile.ru.strings"));
    assert_true(compile_case_has_include(&t, "texts/menu.*.strings"));
    assert_int_equal(t.answer.references.count, 1);
    assert_string_equal(t.answer.references.items[0].type, "strings");
    compile_case_text(&t, "texts/menu.fr.strings", "g = {");
    compile_case_run(&t, "font", "fonts/a");
    compile_case_expect(&t, "texts/menu.fr.strings", 1, "");
    compile_case_free(&t);
}

static void refers_to_its_fallbacks(void **state) {
    (void)state;
    compile_case t = make_case();
    const ct_font_resource *const f =
        compile(&t, "characters = []\nfallback = [\"fonts/b\" \"fonts/c\"]");
    const uint64_t *const names = ct_blob_at(f, f->fallbacks.offset);
    assert_int_equal(f->fallbacks.count, 2);
    assert_true(names[0] == ct_string_id64_of("fonts/b").value);
    assert_true(names[1] == ct_string_id64_of("fonts/c").value);
    assert_int_equal(t.answer.references.count, 2);
    assert_string_equal(t.answer.references.items[1].type, "font");
    assert_string_equal(t.answer.references.items[1].name, "fonts/c");
    refuse(&t, "fallback = [\"fonts/b\"\n\"fonts/a\"]", 3,
           "the font \"fonts/a\" cannot be its own fallback");
    compile_case_free(&t);
}

static void warns_of_characters_that_are_not_there(void **state) {
    (void)state;
    compile_case t = make_case();
    compile(&t, "characters = [\"a\"\n\"漢\"]");
    expect_the_warning(&t, 3, "fonts/a.ttf does not have the character U+6F22");
    compile(&t, "characters = [\"Greek\"]");
    expect_the_warning(&t, 2, "\"Greek\" adds its letters; did you mean the set \"greek\"?");
    compile_case_free(&t);
}

static void refuses_characters_that_make_no_sense(void **state) {
    (void)state;
    compile_case t = make_case();
    refuse(&t, "characters = [\"0x20-\"]", 2, "\"0x20-\" is not a range of characters; write");
    refuse(&t, "characters = [\"U+zz\"]", 2, "is not a range of characters");
    refuse(&t, "characters = [\"0x7e-0x20\"]", 2, "ends before it starts");
    refuse(&t, "characters = [\"U+20-U+110000\"]", 2, "goes beyond U+10FFFF");
    refuse(&t, "characters = [\"a\"\n65]", 3, "found a number, expected a string");
    refuse(&t, "characters = \"abc\"", 2, "characters");
    compile_case_free(&t);
}

static void refuses_settings_out_of_range(void **state) {
    (void)state;
    compile_case t = make_case();
    refuse(&t, "size = 3", 2, "size");
    refuse(&t, "size = 257", 2, "size");
    refuse(&t, "spread = 0", 2, "spread");
    refuse(&t, "spread = 33", 2, "spread");
    refuse(&t, "face = -1", 2, "face");
    refuse(&t, "face = 1", 1, "fonts/a.ttf: found face 1, but the file has 1: 0 to 0");
    refuse(&t, "fallbacks = []", 2, "did you mean");
    compile_case_free(&t);
}

static void refuses_files_that_are_no_fonts(void **state) {
    (void)state;
    compile_case t = make_case();
    compile_case_text(&t, "fonts/b.font", "\nsource = \"fonts/none.ttf\"");
    compile_case_run(&t, "font", "fonts/b");
    compile_case_expect(&t, "fonts/b.font", 2, "the file \"fonts/none.ttf\" is not there");
    compile_case_text(&t, "fonts/b.font", "\nsource = \"fonts/b.png\"");
    compile_case_run(&t, "font", "fonts/b");
    compile_case_expect(&t, "fonts/b.font", 2, "expected a .ttf, .otf, .ttc or .fnt file");
    compile_case_text(&t, "fonts/b.ttf", "not a font");
    compile_case_text(&t, "fonts/b.font", "\nsource = \"fonts/b.ttf\"");
    compile_case_run(&t, "font", "fonts/b");
    compile_case_expect(&t, "fonts/b.font", 2,
                        "fonts/b.ttf: this is not a TrueType or OpenType font");
    font_file f = font_file_core();
    compile_case_file(&t, "fonts/b.ttf", f.bytes, f.count / 2);
    font_file_free(&f);
    compile_case_run(&t, "font", "fonts/b");
    compile_case_expect(&t, "fonts/b.font", 2, "fonts/b.ttf: the font is damaged");
    compile_case_free(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(has_ascii_and_latin_1_by_default),
        cmocka_unit_test(keeps_the_file_for_shaping),
        cmocka_unit_test(takes_ranges_sets_and_characters),
        cmocka_unit_test(packs_pictures_into_pages),
        cmocka_unit_test(draws_coverage_without_a_field),
        cmocka_unit_test(takes_the_characters_of_all_languages),
        cmocka_unit_test(refers_to_its_fallbacks),
        cmocka_unit_test(warns_of_characters_that_are_not_there),
        cmocka_unit_test(refuses_characters_that_make_no_sense),
        cmocka_unit_test(refuses_settings_out_of_range),
        cmocka_unit_test(refuses_files_that_are_no_fonts),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
