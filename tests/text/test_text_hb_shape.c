// Glyphs and positions equal those of HarfBuzz's own program, hb-shape, for names of languages and
// countries from the CLDR: at least 200 in eight scripts.
#include "foundation/error.h"
#include "foundation/os/file.h"
#include "foundation/string/string_builder.h"
#include "foundation/string/utf8.h"
#include "support/test_font.h"
#include "support/test_support.h"
#include "text/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAMES_OF_EACH = 80 };

static const struct {
    const char *locale, *script, *direction, *font;
    float units; // to an em
} groups[] = {
    {"en", "Latn", "ltr", TEST_FONT_DEJAVU, 2048},
    {"vi", "Latn", "ltr", TEST_FONT_NOTO, 1000},
    {"tr", "Latn", "ltr", TEST_FONT_NOTO, 1000},
    {"el", "Grek", "ltr", TEST_FONT_NOTO, 1000},
    {"ru", "Cyrl", "ltr", TEST_FONT_NOTO, 1000},
    {"sr", "Cyrl", "ltr", TEST_FONT_DEJAVU, 2048},
    {"ar", "Arab", "rtl", TEST_FONT_ARABIC, 1000},
    {"fa", "Arab", "rtl", TEST_FONT_DEJAVU, 2048},
    {"he", "Hebr", "rtl", TEST_FONT_HEBREW, 1000},
    {"hi", "Deva", "ltr", TEST_FONT_DEVANAGARI, 1000},
    {"th", "Thai", "ltr", TEST_FONT_THAI, 1000},
    {"ja", "Kana", "ltr", TEST_FONT_CJK, 256},
};

static uint32_t num_compared;

// --- Names ---------------------------------------------------------------------------------------

// Returns whether all of a name is of its script, or a space: not of several levels.
static bool is_pure(const char *name, bool is_latin) {
    const uint64_t length = strlen(name);
    for (uint64_t i = 0; i < length; i += ct_utf8_length(name + i, length - i)) {
        const uint32_t c = ct_utf8_decode(name + i);
        if (c == '&' || c == '/' || (c >= 0x200e && c <= 0x200f) || (c >= 0x30 && c < 0x3a))
            return false;
        if (c != ' ' && (is_latin ? c < 'A' : c < 0x100))
            return false;
    }
    return length > 0;
}

// Adds up to NAMES_OF_EACH names in a locale to `out`, one a line.
static void read_names(const char *locale, bool is_latin, ct_string_builder *out) {
    char path[256];
    snprintf(path, sizeof(path), "/usr/share/unicode/cldr/common/main/%s.xml", locale);
    uint64_t bytes = 0;
    ct_error error = {0};
    char *const xml = ct_file_read(test_heap(), path, &bytes, &error);
    assert_non_null(xml);
    char *const text = ct_alloc_zero(test_heap(), bytes + 1);
    memcpy(text, xml, bytes);
    uint32_t count = 0;
    for (char *at = text; count < NAMES_OF_EACH;) {
        char *const language = strstr(at, "<language type="), *const country =
                                                                  strstr(at, "<territory type=");
        char *const next = count < NAMES_OF_EACH / 2 && language ? language : country;
        if (!next)
            break;
        char *const name = strchr(next, '>') + 1;
        char *const end = strchr(name, '<');
        at = end + 1;
        *end = '\0';
        if (!is_pure(name, is_latin))
            continue;
        ct_string_builder_addf(out, "%s\n", name);
        ++count;
    }
    ct_free(test_heap(), text);
    ct_free(test_heap(), xml);
    assert_true(count >= 20);
}

// --- Comparing -----------------------------------------------------------------------------------

// Reads a number behind `mark`, if that comes next.
static double number_behind(const char **at, char mark, double otherwise) {
    if (**at != mark)
        return otherwise;
    char *end;
    const double result = strtod(*at + 1, &end);
    *at = end;
    return result;
}

// Compares a layout with what hb-shape writes: [glyph=cluster@x,y+advance|...]
static void compare(const ct_text_layout *layout, const char *shaped, const char *name) {
    const char *at = shaped;
    double pen = 0;
    for (uint32_t i = 0; i < layout->num_glyphs; ++i) {
        const ct_text_glyph *const g = &layout->glyphs[i];
        ++at; // [ or |
        const uint32_t glyph = (uint32_t)strtoul(at, (char **)(uintptr_t)&at, 10);
        const uint32_t cluster = (uint32_t)number_behind(&at, '=', -1);
        const double x = number_behind(&at, '@', 0), y = number_behind(&at, ',', 0);
        if (glyph != g->glyph || cluster != g->byte)
            fail_msg("%s: glyph %u of cluster %u, expected %u of %u in %s", name, g->glyph, g->byte,
                     glyph, cluster, shaped);
        if (g->x < pen + x - 0.01 || g->x > pen + x + 0.01 || g->y < y - 0.01 || g->y > y + 0.01)
            fail_msg("%s: glyph %u is at %g %g, expected %g %g", name, i, (double)g->x,
                     (double)g->y, pen + x, y);
        pen += number_behind(&at, '+', 0);
    }
    assert_int_equal(*at, ']');
    assert_true(layout->advance > pen - 0.01 && layout->advance < pen + 0.01);
    ++num_compared;
}

static void compare_group(uint32_t g, ct_text *engine, const char *names) {
    char path[512], command[1024], shaped[8192];
    snprintf(path, sizeof(path), "%s/names.txt", test_scratch_folder());
    assert_true(ct_file_write(path, names, strlen(names), false, NULL));
    snprintf(command, sizeof(command),
             "hb-shape --no-glyph-names --utf8-clusters --script=%s --direction=%s --language=%s "
             "--text-file=%s %s",
             groups[g].script, groups[g].direction, groups[g].locale, path, groups[g].font);
    FILE *const program = popen(command, "r");
    assert_non_null(program);
    for (const char *name = names; *name != '\0';) {
        const char *const end = strchr(name, '\n');
        char copy[512];
        snprintf(copy, sizeof(copy), "%.*s", (int)(end - name), name);
        name = end + 1;
        assert_non_null(fgets(shaped, sizeof(shaped), program));
        const ct_text_desc desc = {.text = copy,
                                   .num_bytes = (uint32_t)strlen(copy),
                                   .style = {.font = {1}, .size = groups[g].units}};
        compare(ct_text_layout_of(engine, &desc), shaped, copy);
    }
    assert_int_equal(pclose(program), 0);
}

static void equals_hb_shape(void **state) {
    (void)state;
    for (uint32_t g = 0; g < CT_COUNT_OF(groups); ++g) {
        ct_string_builder names;
        ct_string_builder_init(&names, test_heap());
        read_names(groups[g].locale, strcmp(groups[g].script, "Latn") == 0, &names);
        ct_text *const engine = ct_text_create(test_heap());
        ct_font_resource *const font = test_font_of(test_heap(), groups[g].font, NULL, 0);
        ct_text_set_language(engine, groups[g].locale);
        ct_text_set_font(engine, (ct_string_id64){1}, font);
        compare_group(g, engine, ct_string_builder_text(&names));
        ct_text_destroy(engine);
        ct_free(test_heap(), font);
        ct_string_builder_free(&names);
    }
    print_message("%u names compared\n", num_compared);
    assert_true(num_compared >= 200);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(equals_hb_shape)};
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
