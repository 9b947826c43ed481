// Statements, numbers and names in the text of OBJ and MTL files.
#include "project/obj_text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "foundation/error.h"
#include "support/test_support.h"

static const char *span_text(ct_obj_span span) {
    static char texts[4][128];
    static uint32_t at;
    char *const text = texts[at++ % 4];
    ct_obj_span_copy(span, text, sizeof(texts[0]));
    return text;
}

static float number(const char *text) {
    float value = 0;
    ct_obj_text t = ct_obj_text_open(text, strlen(text));
    if (ct_obj_text_number(&t, &value) != CT_OBJ_NUMBER_FOUND || t.at != t.end)
        fail_msg("%s is no number", text);
    return value;
}

static void numbers_are_the_nearest_floats(void **state) {
    (void)state;
    static const char *const formats[] = {"%.9g", "%.20f", "%.3f", "%e", "%.17g", "%+.30e"};
    uint32_t seed = 1;
    for (uint32_t i = 0; i < 60000; ++i) {
        char text[128];
        seed = seed * 1664525 + 1013904223;
        const double scale = pow(10, (int)(seed >> 20 & 63) - 40);
        const double value = ((double)seed - 2e9) * scale;
        snprintf(text, sizeof(text), formats[i % CT_COUNT_OF(formats)], value);
        const float expected = (float)strtod(text, NULL), found = number(text);
        if (memcmp(&expected, &found, sizeof(found)) != 0)
            fail_msg("%s: found %.9g, expected %.9g", text, (double)found, (double)expected);
    }
}

static void numbers_may_have_any_length(void **state) {
    (void)state;
    static char text[1 << 20];
    memset(text, '0', sizeof(text));
    memcpy(text + sizeof(text) - 3, ".5", 3);
    assert_true(number(text) == 0.5f);
    text[1] = '.';
    memcpy(text + sizeof(text) - 12, "1e1048564", 10); // as many places as zeros before it
    assert_true(isfinite(number(text)) && number(text) > 0);
    memset(text, '9', sizeof(text) - 1);
    text[sizeof(text) - 1] = 0;
    assert_true(isinf(number(text)));
    assert_true(number("1e99999999999999999999") == INFINITY);
    assert_true(number("1e-99999999999999999999") == 0);
}

static void words_that_are_no_numbers_stay_where_they_are(void **state) {
    (void)state;
    static const char *const words[] = {"+",   "-",     ".",   "e5", "1e",     "1e+", "1,5",
                                        "0x1", "1.2.3", "--1", "ni", "1.#XYZ", "1/2", "on"};
    for (uint32_t i = 0; i < CT_COUNT_OF(words); ++i) {
        float value;
        ct_obj_text t = ct_obj_text_open(words[i], strlen(words[i]));
        assert_int_equal(ct_obj_text_number(&t, &value), CT_OBJ_NUMBER_BAD);
        assert_ptr_equal(t.at, words[i]);
    }
}

static void statements_have_their_lines(void **state) {
    (void)state;
    static const char text[] = "\xef\xbb\xbf# x\\\r\n\r\n  a 1 \\\n 2 # \\\rb\n\tc\\\n\0\0";
    static const struct {
        const char *name;
        uint32_t line, column;
    } expected[] = {{"a", 3, 3}, {"b", 5, 1}, {"c", 6, 2}};
    ct_obj_text t = ct_obj_text_open(text, sizeof(text));
    ct_obj_span name;
    for (uint32_t i = 0; i < CT_COUNT_OF(expected); ++i) {
        assert_true(ct_obj_text_next(&t, &name));
        assert_string_equal(span_text(name), expected[i].name);
        assert_int_equal(t.line, expected[i].line);
        assert_int_equal(ct_obj_text_column(&t, name.begin), expected[i].column);
    }
    assert_false(ct_obj_text_next(&t, &name));
}

static void refuses_what_is_no_text(void **state) {
    (void)state;
    static const struct {
        const char *text;
        uint64_t bytes;
        uint32_t line, column; // 0: it is a text
    } cases[] = {{"", 0, 0, 0},
                 {"\0", 1, 0, 0},
                 {"v\0", 2, 0, 0},
                 {"v 1\n\0\0\0", 7, 0, 0},
                 {"v 1\r\nv \0 1", 9, 2, 3},
                 {"\xff\xfev\0", 4, 1, 1},
                 {"\xfe\xff\0v", 4, 1, 1},
                 {"v\0\n\0v\0", 6, 1, 1}};
    for (uint32_t i = 0; i < CT_COUNT_OF(cases); ++i) {
        ct_error error = {0};
        assert_int_equal(ct_obj_text_check(cases[i].text, cases[i].bytes, &error),
                         cases[i].line == 0);
        assert_int_equal(error.line, cases[i].line);
        assert_int_equal(error.column, cases[i].column);
    }
}

static void splits_names_of_libraries(void **state) {
    (void)state;
    static const struct {
        const char *names, *split;
    } cases[] = {{"a.mtl", "a.mtl|"},
                 {"a.mtl\tb c.MTL  d", "a.mtl|b c.MTL|d|"},
                 {"a b", "a b|"},
                 {" ", ""},
                 {"a.mtl \\\n b.mtl", "a.mtl|b.mtl|"},
                 {".mtl a.mtlx b.mtl", ".mtl|a.mtlx b.mtl|"}};
    for (uint32_t i = 0; i < CT_COUNT_OF(cases); ++i) {
        char split[128] = "";
        ct_obj_span names = {cases[i].names, cases[i].names + strlen(cases[i].names)}, name;
        while (ct_obj_text_library(&names, &name)) {
            strcat(split, span_text(name));
            strcat(split, "|");
        }
        assert_string_equal(split, cases[i].split);
    }
}

static void options_end_where_names_begin(void **state) {
    (void)state;
    static const struct {
        const char *text, *name;
        uint32_t num_options;
    } cases[] = {{"-s 1 2 3 4.png", "4.png", 1},
                 {"-o 1 -s 2 2 a b.png", "a b.png", 2},
                 {"-clamp a.png", "a.png", 1},
                 {"-clamp on -cc off a.png", "a.png", 2},
                 {"-mm 0 1 2 a.png", "2 a.png", 1},
                 {"-imfchan m m.png", "m.png", 1},
                 {"-type sphere sphere.png", "sphere.png", 1},
                 {"-unknown a.png", "-unknown a.png", 0},
                 {"- a.png", "- a.png", 0},
                 {"a -s b.png", "a -s b.png", 0},
                 {"a.png -s 1", "a.png", 0},
                 {"-o 1", "", 1},
                 {"", "", 0}};
    for (uint32_t i = 0; i < CT_COUNT_OF(cases); ++i) {
        ct_obj_text t = ct_obj_text_open(cases[i].text, strlen(cases[i].text));
        ct_obj_option option;
        uint32_t num_options = 0;
        while (ct_obj_text_option(&t, &option))
            ++num_options;
        assert_int_equal(num_options, cases[i].num_options);
        assert_string_equal(span_text(ct_obj_text_file(&t)), cases[i].name);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_the_nearest_floats),
        cmocka_unit_test(numbers_may_have_any_length),
        cmocka_unit_test(words_that_are_no_numbers_stay_where_they_are),
        cmocka_unit_test(statements_have_their_lines),
        cmocka_unit_test(refuses_what_is_no_text),
        cmocka_unit_test(splits_names_of_libraries),
        cmocka_unit_test(options_end_where_names_begin),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
