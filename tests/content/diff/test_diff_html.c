#include "content/diff/diff_html.h"

#include "content/diff/diff_html_lines.h"
#include "support/random_tree.h"
#include "support/test_support.h"

#include <stdio.h>
#include <string.h>

// Rows as `1=1 2~2 3- -3 4/4`: equal, alike, on one side only, unlike in one row.
static void expect_rows(const char *from, const char *to, const char *expected) {
    ct_text_line_array a, b;
    ct_line_row_array rows;
    ct_array_init(&a, test_heap());
    ct_array_init(&b, test_heap());
    ct_array_init(&rows, test_heap());
    ct_text_lines(from, strlen(from), &a);
    ct_text_lines(to, strlen(to), &b);
    ct_line_rows(&a, &b, test_heap(), &rows);
    char text[512] = "";
    for (uint32_t i = 0; i < rows.count; ++i) {
        const ct_line_row r = rows.items[i];
        char *const end = text + strlen(text);
        const size_t left = sizeof(text) - strlen(text);
        if (r.from == CT_NO_LINE)
            snprintf(end, left, "-%u ", r.to + 1);
        else if (r.to == CT_NO_LINE)
            snprintf(end, left, "%u- ", r.from + 1);
        else
            snprintf(end, left, "%u%c%u ", r.from + 1,
                     r.is_equal   ? '='
                     : r.is_alike ? '~'
                                  : '/',
                     r.to + 1);
    }
    assert_string_equal(text, expected);
    ct_array_free(&a);
    ct_array_free(&b);
    ct_array_free(&rows);
}

static void puts_lines_beside_those_that_are_alike(void **state) {
    (void)state;
    expect_rows("", "", "");
    expect_rows("a\nb\n", "a\nb", "1=1 2=2 ");
    expect_rows("\xef\xbb\xbf"
                "a\r\nb",
                "a\nb\n", "1=1 2=2 ");
    expect_rows("a\nc\n", "a\nb\nc\n", "1=1 -2 2=3 ");
    expect_rows("a\nposition = [1 2 3]\nz", "a\n// new\n    position = [1 2 4]\nz",
                "1=1 -2 2~3 3=4 ");
    expect_rows("a\nname = \"x\"\nz", "a\nlight\nz", "1=1 2/2 3=3 ");
    expect_rows("", "a\nb", "-1 -2 ");
}

static void expect_words(const char *line, const char *other, const char *expected) {
    ct_word_run_array runs;
    ct_array_init(&runs, test_heap());
    ct_word_runs((ct_text_line){line, (uint32_t)strlen(line)},
                 (ct_text_line){other, (uint32_t)strlen(other)}, test_heap(), &runs);
    char text[512] = "";
    for (uint32_t i = 0; i < runs.count; ++i)
        snprintf(text + strlen(text), sizeof(text) - strlen(text),
                 runs.items[i].is_common ? "%.*s" : "<%.*s>", (int)runs.items[i].bytes,
                 line + runs.items[i].begin);
    assert_string_equal(text, expected);
    ct_array_free(&runs);
}

static void marks_the_words_that_differ(void **state) {
    (void)state;
    expect_words("position = [1 2.5 3]", "position = [1 2.75 3]", "position = [1 <2.5> 3]");
    expect_words("a = \"é\" // x", "a = \"è\"", "a = \"<é>\"< // x>");
    expect_words("same", "same", "same");
    expect_words("", "x", "");
    expect_words("x", "", "<x>");
}

static uint32_t count_of(const char *text, const char *what) {
    uint32_t count = 0;
    for (const char *at = strstr(text, what); at; at = strstr(at + 1, what))
        ++count;
    return count;
}

static const ct_sjson_limits limits = {.takes_array = true};

static void has_every_line_whatever_the_texts_are(void **state) {
    (void)state;
    uint32_t random = 23;
    for (uint32_t round = 0; round < test_rounds(60, 5000); ++round) {
        ct_string_builder from, to, page;
        ct_string_builder_init(&from, test_heap());
        ct_string_builder_init(&to, test_heap());
        ct_string_builder_init(&page, test_heap());
        random_tree_write(&random, &from);
        ct_sjson *const a = ct_sjson_parse(test_heap(), ct_string_builder_text(&from), from.length,
                                           "", &limits, NULL);
        random_tree_write_edited(&random, 5, a, &to);
        ct_sjson *const b =
            ct_sjson_parse(test_heap(), ct_string_builder_text(&to), to.length, "", &limits, NULL);
        const ct_diff_html_side sides[] = {{"a", ct_string_builder_text(&from), from.length, a},
                                           {"b", ct_string_builder_text(&to), to.length, b}};
        ct_diff diff;
        ct_diff_make(&diff, test_heap(), a, b, NULL);
        ct_diff_write_html(&diff, &sides[0], &sides[1], &page);
        ct_text_line_array lines;
        ct_array_init(&lines, test_heap());
        ct_text_lines(sides[0].text, sides[0].size_bytes, &lines);
        ct_text_lines(sides[1].text, sides[1].size_bytes, &lines);
        // Two cells a row, those without a line marked as such.
        assert_int_equal(count_of(page.text, "<div class=row>") * 2 -
                             count_of(page.text, "<code class=n>"),
                         lines.count);
        assert_int_equal(count_of(page.text, "<li "), diff.operations.count);
        assert_int_equal(count_of(page.text, "<details"), count_of(page.text, "</details"));
        ct_array_free(&lines);
        ct_diff_free(&diff);
        ct_sjson_free(a);
        ct_sjson_free(b);
        ct_string_builder_free(&from);
        ct_string_builder_free(&to);
        ct_string_builder_free(&page);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(puts_lines_beside_those_that_are_alike),
        cmocka_unit_test(marks_the_words_that_differ),
        cmocka_unit_test(has_every_line_whatever_the_texts_are),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
