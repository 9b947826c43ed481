#include "foundation/error.h"
#include "foundation/os/file.h"
#include "foundation/sjson/sjson.h"
#include "foundation/sjson/sjson_number.h"
#include "foundation/string/string_builder.h"
#include "support/test_support.h"

#include <float.h>
#include <limits.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static ct_sjson *parse(const char *text) {
    ct_error error = {0};
    ct_sjson *const doc = ct_sjson_parse(test_heap(), text, strlen(text), "t.sjson", NULL, &error);
    if (!doc)
        fail_msg("%s:%u:%u: %s", error.file, error.line, error.column, error.message);
    return doc;
}

static ct_sjson_value member(const ct_sjson *doc, const char *key) {
    const ct_sjson_value v = ct_sjson_find(doc, ct_sjson_root(doc), key);
    if (!v.entry)
        fail_msg("there is no %s", key);
    return v;
}

static void expect_error(const char *text, uint64_t bytes, uint32_t line, uint32_t column,
                         const char *message) {
    ct_error error = {0};
    ct_sjson *const doc = ct_sjson_parse(test_heap(), text, bytes, "t.sjson", NULL, &error);
    assert_null(doc);
    assert_string_equal(error.file, "t.sjson");
    if (!strstr(error.message, message))
        fail_msg("got \"%s\", expected \"%s\"", error.message, message);
    assert_int_equal(error.line, line);
    assert_int_equal(error.column, column);
}

static void reads_each_type(void **state) {
    (void)state;
    ct_sjson *const doc =
        parse("a = null b = true c = false d = -2.5 e = \"x\" f = [1 2] g = {h=1}");
    assert_int_equal(ct_sjson_type_of(doc, member(doc, "a")), CT_SJSON_TYPE_NULL);
    assert_true(ct_sjson_bool(doc, member(doc, "b"), false));
    assert_false(ct_sjson_bool(doc, member(doc, "c"), true));
    assert_true(ct_sjson_number(doc, member(doc, "d"), 0) == -2.5);
    assert_string_equal(ct_sjson_string(doc, member(doc, "e"), ""), "x");
    assert_int_equal(ct_sjson_string_bytes(doc, member(doc, "e")), 1);
    assert_int_equal(ct_sjson_count(doc, member(doc, "f")), 2);
    assert_int_equal(ct_sjson_type_of(doc, member(doc, "g")), CT_SJSON_TYPE_OBJECT);
    assert_int_equal(ct_sjson_type_of(doc, ct_sjson_root(doc)), CT_SJSON_TYPE_OBJECT);
    assert_int_equal(ct_sjson_count(doc, ct_sjson_root(doc)), 7);
    assert_string_equal(ct_sjson_file(doc), "t.sjson");
    ct_sjson_free(doc);
}

static void gives_the_default_for_other_types(void **state) {
    (void)state;
    ct_sjson *const doc = parse("a = 1 b = \"x\"");
    const ct_sjson_value a = member(doc, "a"), b = member(doc, "b"), none = {0};
    assert_true(ct_sjson_bool(doc, a, true));
    assert_string_equal(ct_sjson_string(doc, a, "otherwise"), "otherwise");
    assert_int_equal(ct_sjson_string_bytes(doc, a), 0);
    assert_true(ct_sjson_number(doc, b, 7) == 7);
    assert_true(ct_sjson_number(doc, none, 8) == 8);
    assert_int_equal(ct_sjson_count(doc, b), 0);
    assert_int_equal(ct_sjson_first(doc, b).entry, 0);
    assert_int_equal(ct_sjson_next(doc, none).entry, 0);
    assert_null(ct_sjson_key(doc, none));
    assert_int_equal(ct_sjson_find(doc, a, "x").entry, 0);
    assert_int_equal(ct_sjson_find(doc, ct_sjson_root(doc), "c").entry, 0);
    assert_int_equal(ct_sjson_type_of(doc, none), CT_SJSON_TYPE_NONE);
    ct_sjson_free(doc);
}

static void names_types_as_errors_do(void **state) {
    (void)state;
    assert_string_equal(ct_sjson_type_name(CT_SJSON_TYPE_NONE), "nothing");
    assert_string_equal(ct_sjson_type_name(CT_SJSON_TYPE_NUMBER), "a number");
    assert_string_equal(ct_sjson_type_name(CT_SJSON_TYPE_OBJECT), "an object");
}

static void steps_over_children_in_order(void **state) {
    (void)state;
    ct_sjson *const doc = parse("a = [ {x=[1 [2] 3] y={}} [] 4 ] b = {} c = [[[5]]] d = 6");
    static const char *const keys[] = {"a", "b", "c", "d"};
    uint32_t i = 0;
    for (ct_sjson_value v = ct_sjson_first(doc, ct_sjson_root(doc)); v.entry;
         v = ct_sjson_next(doc, v))
        assert_string_equal(ct_sjson_key(doc, v), keys[i++]);
    assert_int_equal(i, 4);
    ct_sjson_value v = ct_sjson_first(doc, member(doc, "a"));
    assert_null(ct_sjson_key(doc, v));
    assert_int_equal(ct_sjson_count(doc, v), 2);
    v = ct_sjson_next(doc, v);
    assert_int_equal(ct_sjson_type_of(doc, v), CT_SJSON_TYPE_ARRAY);
    v = ct_sjson_next(doc, v);
    assert_true(ct_sjson_number(doc, v, 0) == 4);
    assert_int_equal(ct_sjson_next(doc, v).entry, 0);
    ct_sjson_free(doc);
}

static void knows_where_values_stand(void **state) {
    (void)state;
    ct_sjson *const doc = parse("a = 1\n\n  bb =\n    [ 2\n 3 ]\r\nc=4");
    uint32_t line, column;
    ct_sjson_position(doc, member(doc, "bb"), &line, &column);
    assert_int_equal(line, 3);
    assert_int_equal(column, 3);
    const ct_sjson_value two = ct_sjson_first(doc, member(doc, "bb"));
    ct_sjson_position(doc, two, &line, &column);
    assert_int_equal(line, 4);
    assert_int_equal(column, 7);
    ct_sjson_position(doc, ct_sjson_next(doc, two), &line, &column);
    assert_int_equal(line, 5);
    assert_int_equal(column, 2);
    ct_sjson_position(doc, member(doc, "c"), &line, &column);
    assert_int_equal(line, 6);
    assert_int_equal(column, 1);
    ct_sjson_position(doc, (ct_sjson_value){0}, &line, &column);
    assert_int_equal(line, 0);
    ct_sjson_free(doc);
}

static void columns_count_bytes_after_a_byte_order_mark(void **state) {
    (void)state;
    ct_sjson *const doc = parse("\xef\xbb\xbf\"\xc3\xa4\"=1 b=2");
    uint32_t line, column;
    ct_sjson_position(doc, member(doc, "b"), &line, &column);
    assert_int_equal(line, 1);
    assert_int_equal(column, 8);
    ct_sjson_free(doc);
    expect_error("\xef\xbb\xbf}", 4, 1, 1, "found \"}\"");
}

static void errors_of_values_carry_their_place(void **state) {
    (void)state;
    ct_sjson *const doc = parse("\n  mesh = 5");
    ct_error error;
    const ct_sjson_value v = member(doc, "mesh");
    assert_false(ct_sjson_error(doc, v, &error, "expected a string, got %s",
                                ct_sjson_type_name(ct_sjson_type_of(doc, v))));
    assert_string_equal(error.message, "expected a string, got a number");
    assert_string_equal(error.file, "t.sjson");
    assert_int_equal(error.line, 2);
    assert_int_equal(error.column, 3);
    ct_sjson_free(doc);
}

static void raw_strings_keep_their_lines(void **state) {
    (void)state;
    ct_sjson *const doc = parse("a =\n\"\"\"\nline \\n \"one\"\n\n two\n\"\"\"\nb = \"\"\"x\"\"\" "
                                "c = \"\"\"\r\ny\r\n\"\"\" d = \"\"\"\"\"\" e = \"z\"");
    assert_string_equal(ct_sjson_string(doc, member(doc, "a"), ""), "line \\n \"one\"\n\n two\n");
    assert_string_equal(ct_sjson_string(doc, member(doc, "b"), ""), "x");
    assert_string_equal(ct_sjson_string(doc, member(doc, "c"), ""), "y\r\n");
    assert_string_equal(ct_sjson_string(doc, member(doc, "d"), "-"), "");
    assert_int_equal(ct_sjson_content_line(doc, member(doc, "a")), 3);
    assert_int_equal(ct_sjson_content_line(doc, member(doc, "b")), 7);
    assert_int_equal(ct_sjson_content_line(doc, member(doc, "c")), 8);
    assert_int_equal(ct_sjson_content_line(doc, member(doc, "e")), 9);
    ct_sjson_free(doc);
}

static void resolves_escapes(void **state) {
    (void)state;
    ct_sjson *const doc =
        parse("a=\"\\\"\\\\\\/\\b\\f\\n\\r\\t\" b=\"\\u0041\\u00e9\\u20AC\\ud83d\\ude00!\""
              "c=\"\\\\\" \"d\\u0065\"=1 f=\"a\\u0000b\"");
    assert_string_equal(ct_sjson_string(doc, member(doc, "a"), ""), "\"\\/\b\f\n\r\t");
    assert_string_equal(ct_sjson_string(doc, member(doc, "b"), ""),
                        "A\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80!");
    assert_string_equal(ct_sjson_string(doc, member(doc, "c"), ""), "\\");
    assert_true(ct_sjson_number(doc, member(doc, "de"), 0) == 1);
    assert_int_equal(ct_sjson_string_bytes(doc, member(doc, "f")), 3);
    assert_memory_equal(ct_sjson_string(doc, member(doc, "f"), ""), "a\0b", 4);
    ct_sjson_free(doc);
}

static double number_of(const char *digits) {
    char text[512];
    snprintf(text, sizeof(text), "a = %s", digits);
    ct_sjson *const doc = parse(text);
    const double value = ct_sjson_number(doc, member(doc, "a"), NAN);
    ct_sjson_free(doc);
    return value;
}

static void rounds_numbers_to_the_nearest_double(void **state) {
    (void)state;
    assert_true(number_of("0.1") == 0.1);
    assert_true(signbit(number_of("-0")));
    assert_true(number_of("9007199254740993") == 9007199254740992.0);
    assert_true(number_of("9007199254740992.99999999999999999999") == 9007199254740992.0);
    assert_true(number_of("9007199254740993.00000000000000000001") == 9007199254740994.0);
    assert_true(number_of("123456789012345678901234567890") == 123456789012345678901234567890.0);
    assert_true(number_of("1.7976931348623157e308") == DBL_MAX);
    assert_true(number_of("5e-324") == 5e-324);
    assert_true(number_of("2.4703282292062327e-324") == 0);
    assert_true(number_of("2.4703282292062328e-324") == 5e-324);
    assert_true(number_of("1e-400") == 0);
    assert_true(number_of("0e999999999999") == 0);
    assert_true(number_of("1e22") == 1e22);
    assert_true(number_of("1e23") == 1e23);
    assert_true(number_of("0.000001e6") == 1);
    assert_true(number_of("1E+2") == 100);
}

static void random_doubles_read_back(void **state) {
    (void)state;
    uint32_t random = 7;
    for (uint32_t i = 0; i < test_rounds(20000, 2000000); ++i) {
        const uint64_t high = test_random(&random), bits = high << 32 | test_random(&random);
        double value;
        memcpy(&value, &bits, 8);
        if (!isfinite(value))
            continue;
        char text[64];
        snprintf(text, sizeof(text), "%.*g", 17 + (int)(i % 4), value);
        if (number_of(text) != value)
            fail_msg("%s reads as %a", text, number_of(text));
    }
}

// Compiles a locale that has nothing but a decimal comma and switches to it; false where no
// localedef is installed.
static bool use_comma_locale(void) {
    const char *const folder = test_scratch_folder();
    char path[PATH_MAX], command[3 * PATH_MAX];
    snprintf(path, sizeof(path), "%s/comma", folder);
    FILE *const source = fopen(path, "w");
    assert_non_null(source);
    fputs("comment_char %\nescape_char /\nLC_NUMERIC\ndecimal_point \",\"\nthousands_sep \"\"\n"
          "grouping -1\nEND LC_NUMERIC\n",
          source);
    assert_int_equal(fclose(source), 0);
    // It warns, and so ends with 1, because all other categories are missing.
    snprintf(command, sizeof(command), "localedef -c -i '%s' '%s/xx_XX' >'%s/log' 2>&1", path,
             folder, folder);
    (void)!system(command);
    setenv("LOCPATH", folder, 1);
    const bool is_there = setlocale(LC_ALL, "xx_XX") != NULL;
    unsetenv("LOCPATH");
    return is_there;
}

static void numbers_do_not_depend_on_the_locale(void **state) {
    (void)state;
    if (!use_comma_locale())
        skip(); // no localedef here
    char by_the_locale[16], text[CT_SJSON_NUMBER_BYTES], small[CT_SJSON_NUMBER_BYTES];
    snprintf(by_the_locale, sizeof(by_the_locale), "%g", 0.5);
    const double value = number_of("0.12345678901234567890");
    const uint32_t length = ct_sjson_number_format(-0.125, text);
    ct_sjson_number_format(1.5e-10, small);
    setlocale(LC_ALL, "C");
    assert_string_equal(by_the_locale, "0,5");
    assert_true(value == 0.12345678901234567890);
    assert_string_equal(text, "-0.125");
    assert_int_equal(length, 6);
    assert_string_equal(small, "1.5e-10");
}

static void a_key_twice_is_an_error_at_any_size(void **state) {
    (void)state;
    static const uint32_t sizes[] = {1, 2, 15, 16, 17, 18, 40};
    for (uint32_t n = 0; n < CT_COUNT_OF(sizes); ++n) {
        for (uint32_t doubled = 0; doubled < sizes[n]; ++doubled) {
            ct_string_builder b;
            ct_string_builder_init(&b, test_heap());
            for (uint32_t i = 0; i < sizes[n]; ++i)
                ct_string_builder_addf(&b, "k%u = {k0=1 k1=2}\n", i);
            ct_string_builder_addf(&b, "  k%u = 1", doubled);
            char message[128];
            snprintf(message, sizeof(message),
                     "the key \"k%u\" appears twice in one object (first in line %u, column 1)",
                     doubled, doubled + 1);
            expect_error(b.text, b.length, sizes[n] + 1, 3, message);
            ct_string_builder_free(&b);
        }
    }
}

static void equal_keys_in_different_objects_are_fine(void **state) {
    (void)state;
    ct_string_builder b;
    ct_string_builder_init(&b, test_heap());
    ct_string_builder_add(&b, "list = [");
    for (uint32_t i = 0; i < 50; ++i) {
        ct_string_builder_add(&b, "{");
        for (uint32_t k = 0; k < 40; ++k)
            ct_string_builder_addf(&b, "key%u = %u,", k, i);
        ct_string_builder_add(&b, "}");
    }
    ct_string_builder_add(&b, "]");
    ct_sjson *const doc = parse(b.text);
    assert_int_equal(ct_sjson_count(doc, member(doc, "list")), 50);
    ct_sjson_free(doc);
    ct_string_builder_free(&b);
}

static void a_hundred_thousand_keys_are_read(void **state) {
    (void)state;
    ct_string_builder b;
    ct_string_builder_init(&b, test_heap());
    for (uint32_t i = 0; i < 100000; ++i)
        ct_string_builder_addf(&b, "key_%u=%u\n", i, i);
    ct_sjson *const doc = parse(b.text);
    assert_int_equal(ct_sjson_count(doc, ct_sjson_root(doc)), 100000);
    assert_true(ct_sjson_number(doc, member(doc, "key_99999"), 0) == 99999);
    ct_sjson_free(doc);
    ct_string_builder_add(&b, "key_77777=0");
    expect_error(b.text, b.length, 100001, 1, "first in line 77778, column 1");
    ct_string_builder_free(&b);
}

// Values stand close together first and then far apart, or the other way round, or alike.
static void reads_many_values_however_dense(void **state) {
    (void)state;
    enum { COUNT = 30000 };
    static const char far[] = "                         // far from the next one";
    for (uint32_t kind = 0; kind < 4; ++kind) {
        ct_string_builder text;
        ct_string_builder_init(&text, test_heap());
        ct_string_builder_add(&text, "[");
        for (uint32_t i = 0; i < COUNT; ++i)
            ct_string_builder_addf(&text, "%u%s\n", i, ((i < COUNT / 3) ^ kind) & 1 ? "" : far);
        ct_string_builder_add(&text, kind < 2 ? "]" : "{ x = [");
        for (uint32_t i = 0; i < COUNT && kind >= 2; ++i)
            ct_string_builder_add(&text, "[]");
        ct_string_builder_add(&text, kind < 2 ? "" : "] } ]");
        ct_error error = {0};
        ct_sjson *const doc =
            ct_sjson_parse_value(test_heap(), text.text, text.length, "dense", NULL, &error);
        assert_non_null(doc);
        assert_int_equal(ct_sjson_count(doc, ct_sjson_root(doc)), COUNT + (kind >= 2));
        ct_sjson_value v = ct_sjson_first(doc, ct_sjson_root(doc));
        for (uint32_t i = 0; i < COUNT; ++i, v = ct_sjson_next(doc, v))
            assert_true(ct_sjson_number(doc, v, -1) == i);
        assert_int_equal(ct_sjson_count(doc, ct_sjson_find(doc, v, "x")), kind < 2 ? 0 : COUNT);
        ct_sjson_free(doc);
        ct_string_builder_free(&text);
    }
}

static void refuses_deep_nesting(void **state) {
    (void)state;
    enum { DEPTH = 100000 };
    char *const text = ct_alloc(test_heap(), DEPTH + 2);
    memset(text, '[', DEPTH + 2);
    memcpy(text, "a=", 2);
    // The root counts, so the 512th bracket after it is one too many.
    expect_error(text, DEPTH + 2, 1, 2 + 512, "objects and arrays are nested more than 512 deep");
    ct_free(test_heap(), text);
}

static void a_caller_may_set_the_limits(void **state) {
    (void)state;
    ct_error error;
    const ct_sjson_limits shallow = {.max_depth = 2}, small = {.max_bytes = 5};
    ct_sjson *doc = ct_sjson_parse(test_heap(), "a=[]", 4, "t", &shallow, &error);
    assert_non_null(doc);
    ct_sjson_free(doc);
    assert_null(ct_sjson_parse(test_heap(), "a=[[]]", 6, "t", &shallow, &error));
    assert_non_null(strstr(error.message, "more than 2"));
    assert_null(ct_sjson_parse(test_heap(), "a=[[]]", 6, "t", &small, &error));
    assert_non_null(strstr(error.message, "6 bytes; at most 5"));
    const ct_sjson_limits array = {.takes_array = true};
    doc = ct_sjson_parse(test_heap(), "[1 [2]]", 7, "t", &array, &error);
    assert_int_equal(ct_sjson_type_of(doc, ct_sjson_root(doc)), CT_SJSON_TYPE_ARRAY);
    assert_int_equal(ct_sjson_count(doc, ct_sjson_root(doc)), 2);
    ct_sjson_free(doc);
    const ct_sjson_limits deep = {.max_depth = 200000};
    char *const text = ct_alloc(test_heap(), 200002);
    memcpy(text, "a=", 2);
    memset(text + 2, '[', 100000);
    memset(text + 100002, ']', 100000);
    doc = ct_sjson_parse(test_heap(), text, 200002, "t", &deep, &error);
    assert_non_null(doc);
    ct_sjson_free(doc);
    ct_free(test_heap(), text);
}

static void an_empty_text_is_an_empty_object(void **state) {
    (void)state;
    ct_error error;
    ct_sjson *const doc = ct_sjson_parse(test_heap(), NULL, 0, "t", NULL, &error);
    assert_non_null(doc);
    assert_int_equal(ct_sjson_type_of(doc, ct_sjson_root(doc)), CT_SJSON_TYPE_OBJECT);
    assert_int_equal(ct_sjson_count(doc, ct_sjson_root(doc)), 0);
    ct_sjson_free(doc);
    ct_sjson_free(NULL);
}

static const char document[] =
    "\xef\xbb\xbf// a unit\n"
    "inherit = \"units/b\\u00f6x\\ud83d\\ude00\" /* com\nment */\r\n"
    "\"two words\" : [ 1, -2.5e+3 0.125 true false null ],\n"
    "source = \"\"\"\nvoid main() {}\n\"\"\"\n"
    "components = [ { id = \"5b1f\"  values = { health = 100, \xc3\xa4 = [[] {}] } } ]\n";

// Cuts in a block of just the size, so that a sanitizer sees a byte read past the end.
static void a_document_cut_anywhere_is_an_error_or_a_document(void **state) {
    (void)state;
    uint32_t num_errors = 0;
    for (uint32_t bytes = 0; bytes < sizeof(document); ++bytes) {
        char *const text = ct_alloc(test_heap(), bytes);
        if (bytes)
            memcpy(text, document, bytes);
        ct_error error = {0};
        ct_sjson *const doc = ct_sjson_parse(test_heap(), text, bytes, "cut", NULL, &error);
        if (!doc) {
            ++num_errors;
            assert_true(error.message[0] && error.line > 0 && error.column > 0);
        }
        ct_sjson_free(doc);
        ct_free(test_heap(), text);
    }
    assert_true(num_errors > sizeof(document) / 2);
}

static void a_document_with_any_byte_changed_does_not_crash(void **state) {
    (void)state;
    static const char bytes[] = "\0\x01\n\"\\{}[]=:,/*'0-\x80\xff";
    char text[sizeof(document)];
    for (uint32_t at = 0; at + 1 < sizeof(document); ++at) {
        for (uint32_t i = 0; i < sizeof(bytes); ++i) {
            memcpy(text, document, sizeof(document));
            text[at] = bytes[i];
            ct_error error = {0};
            ct_sjson *const doc =
                ct_sjson_parse(test_heap(), text, sizeof(document) - 1, "changed", NULL, &error);
            assert_true(doc || error.message[0]);
            ct_sjson_free(doc);
        }
    }
}

static void reads_files_and_names_them(void **state) {
    (void)state;
    char path[1024];
    snprintf(path, sizeof(path), "%s/a.unit", test_scratch_folder());
    ct_error error = {0};
    assert_null(ct_sjson_read(test_heap(), path, "units/a.unit", &error));
    assert_true(error.message[0]);
    assert_true(ct_file_write(path, "a = 1\nb", 7, false, &error));
    assert_null(ct_sjson_read(test_heap(), path, "units/a.unit", &error));
    assert_string_equal(error.file, "units/a.unit");
    assert_int_equal(error.line, 2);
    assert_int_equal(error.column, 2);
    assert_true(ct_file_write(path, "a = 1", 5, false, &error));
    ct_sjson *const doc = ct_sjson_read(test_heap(), path, "units/a.unit", &error);
    assert_non_null(doc);
    assert_string_equal(ct_sjson_file(doc), "units/a.unit");
    ct_sjson_free(doc);
}

static void long_tokens_are_shortened_in_errors(void **state) {
    (void)state;
    char text[4000];
    memset(text, 'x', sizeof(text));
    memcpy(text, "a=", 2);
    ct_error error;
    assert_null(ct_sjson_parse(test_heap(), text, sizeof(text), "t", NULL, &error));
    assert_non_null(strstr(error.message, "xxx…\""));
    assert_true(strlen(error.message) < 200);
    assert_null(ct_sjson_parse(test_heap(), text, sizeof(text), "t", NULL, NULL));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_each_type),
        cmocka_unit_test(gives_the_default_for_other_types),
        cmocka_unit_test(names_types_as_errors_do),
        cmocka_unit_test(steps_over_children_in_order),
        cmocka_unit_test(knows_where_values_stand),
        cmocka_unit_test(columns_count_bytes_after_a_byte_order_mark),
        cmocka_unit_test(errors_of_values_carry_their_place),
        cmocka_unit_test(raw_strings_keep_their_lines),
        cmocka_unit_test(resolves_escapes),
        cmocka_unit_test(rounds_numbers_to_the_nearest_double),
        cmocka_unit_test(random_doubles_read_back),
        cmocka_unit_test(numbers_do_not_depend_on_the_locale),
        cmocka_unit_test(a_key_twice_is_an_error_at_any_size),
        cmocka_unit_test(equal_keys_in_different_objects_are_fine),
        cmocka_unit_test(a_hundred_thousand_keys_are_read),
        cmocka_unit_test(reads_many_values_however_dense),
        cmocka_unit_test(refuses_deep_nesting),
        cmocka_unit_test(a_caller_may_set_the_limits),
        cmocka_unit_test(an_empty_text_is_an_empty_object),
        cmocka_unit_test(a_document_cut_anywhere_is_an_error_or_a_document),
        cmocka_unit_test(a_document_with_any_byte_changed_does_not_crash),
        cmocka_unit_test(reads_files_and_names_them),
        cmocka_unit_test(long_tokens_are_shortened_in_errors),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
