#include "foundation/error.h"
#include "foundation/sjson/sjson.h"
#include "foundation/sjson/sjson_writer.h"
#include "support/test_support.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static ct_string_builder out;
static ct_sjson_writer writer;

static ct_sjson_writer *start(ct_sjson_style style) {
    ct_string_builder_init(&out, test_heap());
    ct_sjson_writer_init(&writer, &out, style);
    return &writer;
}

static void expect(const char *text) {
    if (strcmp(ct_string_builder_text(&out), text) != 0)
        fail_msg("got:\n%s\nexpected:\n%s", ct_string_builder_text(&out), text);
    ct_string_builder_free(&out);
}

// Parses `text` and writes it in `style`.
static void rewrite(const char *text, ct_sjson_style style) {
    ct_error error = {0};
    ct_sjson *const doc = ct_sjson_parse(test_heap(), text, strlen(text), "t", NULL, &error);
    if (!doc)
        fail_msg("%u:%u: %s in\n%s", error.line, error.column, error.message, text);
    ct_sjson_write_value(start(style), doc, ct_sjson_root(doc));
    ct_sjson_free(doc);
}

static void writes_json_on_one_line(void **state) {
    (void)state;
    ct_sjson_writer *const w = start(CT_SJSON_STYLE_JSON);
    ct_sjson_begin_object(w);
    ct_sjson_member_string(w, "type", "message");
    ct_sjson_member_number(w, "x", 1.5);
    ct_sjson_member_bool(w, "ok", true);
    ct_sjson_write_key(w, "list");
    ct_sjson_begin_array(w);
    ct_sjson_write_null(w);
    ct_sjson_begin_object(w);
    ct_sjson_end_object(w);
    ct_sjson_begin_array(w);
    ct_sjson_end_array(w);
    ct_sjson_end_array(w);
    ct_sjson_end_object(w);
    expect("{\"type\":\"message\",\"x\":1.5,\"ok\":true,\"list\":[null,{},[]]}");
}

static void starts_at_the_end_of_the_text(void **state) {
    (void)state;
    ct_sjson_writer *const w = start(CT_SJSON_STYLE_JSON);
    ct_string_builder_add(&out, "x\n");
    ct_sjson_begin_array(w);
    ct_sjson_write_number(w, 1);
    ct_sjson_end_array(w);
    expect("x\n[1]");
}

static void indents_json_by_four(void **state) {
    (void)state;
    rewrite("a=1 b={c=[1 2 3] d={}} e=[{f=\"\"\"\nx\n\"\"\"}]", CT_SJSON_STYLE_PRETTY_JSON);
    expect("{\n"
           "    \"a\": 1,\n"
           "    \"b\": {\n"
           "        \"c\": [1, 2, 3],\n"
           "        \"d\": {}\n"
           "    },\n"
           "    \"e\": [\n"
           "        {\n"
           "            \"f\": \"x\\n\"\n"
           "        }\n"
           "    ]\n"
           "}\n");
}

static void writes_sjson_as_people_do(void **state) {
    (void)state;
    static const char text[] =
        "inherit = \"units/box\"\n"
        "components = [\n"
        "    { id = \"5b1f0c3e\"  type = \"transform\" }\n"
        "    { id = \"9a77d210\"  type = \"mesh\"  materials = [\"materials/wood\"] }\n"
        "    { id = \"c0ffee11\"  type = \"data\"  values = { health = 100 } }\n"
        "    {\n"
        "        id = \"77aa01c2\"\n"
        "        position = [0 0 1.2]\n"
        "        overrides = [\n"
        "            { id = \"1d2e3f40\"  intensity = 2.5 }\n"
        "        ]\n"
        "    }\n"
        "]\n"
        "empty = []\n"
        "none = {}\n"
        "matrix = [[1 0] [0 1]]\n"
        "source = \"\"\"\n"
        "void main() {\n"
        "    \"x\" \\ y;\n"
        "}\n"
        "\"\"\"\n";
    rewrite(text, CT_SJSON_STYLE_SJSON);
    expect(text);
}

static void an_empty_root_is_an_empty_sjson_text(void **state) {
    (void)state;
    rewrite("{}", CT_SJSON_STYLE_SJSON);
    expect("");
}

static void breaks_lines_past_100_columns(void **state) {
    (void)state;
    ct_string_builder long_line, broken;
    ct_string_builder_init(&long_line, test_heap());
    ct_string_builder_init(&broken, test_heap());
    ct_string_builder_add(&long_line, "a = [1000");
    ct_string_builder_add(&broken, "a = [\n    1000\n");
    // 9 columns so far; 18 elements of 5 and the bracket make 100.
    for (uint32_t i = 0; i < 18; ++i) {
        ct_string_builder_add(&long_line, " 1000");
        ct_string_builder_add(&broken, "    1000\n");
    }
    ct_string_builder_add(&long_line, "]\n");
    rewrite(long_line.text, CT_SJSON_STYLE_SJSON);
    expect(long_line.text);
    long_line.length -= 2;
    ct_string_builder_add(&long_line, " 1000]\n");
    ct_string_builder_add(&broken, "    1000\n]\n");
    rewrite(long_line.text, CT_SJSON_STYLE_SJSON);
    expect(broken.text);
    ct_string_builder_free(&long_line);
    ct_string_builder_free(&broken);
}

static void quotes_keys_that_need_it(void **state) {
    (void)state;
    static const char *const keys[] = {"",    "a b", "a=b", "a:b",      "\"",           "[",
                                       "]",   "{",   "}",   ",",        "//x",          "/*x",
                                       "a\n", "'",   "\t",  "\xc3\xa4", "\xef\xbb\xbf", "a\\b"};
    for (uint32_t i = 0; i < CT_COUNT_OF(keys); ++i) {
        ct_sjson_writer *const w = start(CT_SJSON_STYLE_SJSON);
        ct_sjson_begin_object(w);
        ct_sjson_member_number(w, keys[i], 1);
        ct_sjson_end_object(w);
        assert_int_equal(out.text[0], '"');
        ct_error error = {0};
        ct_sjson *const doc = ct_sjson_parse(test_heap(), out.text, out.length, "t", NULL, &error);
        if (!doc)
            fail_msg("key %u: %s", i, error.message);
        assert_string_equal(ct_sjson_key(doc, ct_sjson_first(doc, ct_sjson_root(doc))), keys[i]);
        ct_sjson_free(doc);
        ct_string_builder_free(&out);
    }
    ct_sjson_writer *const w = start(CT_SJSON_STYLE_SJSON);
    ct_sjson_begin_object(w);
    ct_sjson_member_number(w, "buttons.fr-x_1", 1);
    ct_sjson_end_object(w);
    expect("buttons.fr-x_1 = 1\n");
}

static void escapes_strings(void **state) {
    (void)state;
    ct_sjson_writer *const w = start(CT_SJSON_STYLE_JSON);
    ct_sjson_begin_array(w);
    ct_sjson_write_string(w, "\"\\/\b\f\n\r\t\x01\x1f\x7f");
    ct_sjson_write_string_bytes(w, "a\0b", 3);
    ct_sjson_write_string(w, "\xe2\x82\xac");
    ct_sjson_end_array(w);
    expect("[\"\\\"\\\\/\\b\\f\\n\\r\\t\\u0001\\u001f\x7f\",\"a\\u0000b\",\"\xe2\x82\xac\"]");
}

// The writer looks at eight characters at once where it can.
static void escapes_at_every_place(void **state) {
    (void)state;
    for (uint32_t c = 0; c < 256; ++c) {
        for (uint32_t at = 0; at < 17; ++at) {
            char text[18] = "aaaaaaaaaaaaaaaaa", expected[32], one[8];
            text[at] = (char)c;
            if (c == '"' || c == '\\')
                snprintf(one, sizeof(one), "\\%c", (char)c);
            else if (c >= 0x20)
                snprintf(one, sizeof(one), "%c", (char)c);
            else
                snprintf(one, sizeof(one), "\\u%04x", c);
            for (uint32_t i = 0; i < 5; ++i)
                if (c == (uint8_t) "\b\f\n\r\t"[i])
                    snprintf(one, sizeof(one), "\\%c", "bfnrt"[i]);
            snprintf(expected, sizeof(expected), "\"%.*s%s%s\"", (int)at, text,
                     c < 0x80 ? one : "\xef\xbf\xbd", text + at + 1);
            ct_sjson_write_string_bytes(start(CT_SJSON_STYLE_JSON), text, 17);
            expect(expected);
        }
    }
}

static void bytes_that_are_not_utf8_become_the_replacement_character(void **state) {
    (void)state;
    ct_sjson_writer *const w = start(CT_SJSON_STYLE_JSON);
    ct_sjson_write_string(w, "a\xff\xc3(\xe2\x82");
    expect("\"a\xef\xbf\xbd\xef\xbf\xbd(\xef\xbf\xbd\xef\xbf\xbd\"");
}

static void raw_strings_only_where_they_read_back(void **state) {
    (void)state;
    static const char *const texts[] = {"a\n\"", "a\n\"\"\"b", "a\r\nb", "a\n\x01",
                                        "\n",    "\nx\n\n",    "a\n\"b", "x\n\xff"};
    for (uint32_t i = 0; i < CT_COUNT_OF(texts); ++i) {
        ct_sjson_writer *const w = start(CT_SJSON_STYLE_SJSON);
        ct_sjson_begin_object(w);
        ct_sjson_member_string(w, "a", texts[i]);
        ct_sjson_end_object(w);
        ct_error error = {0};
        ct_sjson *const doc = ct_sjson_parse(test_heap(), out.text, out.length, "t", NULL, &error);
        if (!doc)
            fail_msg("text %u: %s in\n%s", i, error.message, out.text);
        const char *const back =
            ct_sjson_string(doc, ct_sjson_find(doc, ct_sjson_root(doc), "a"), "");
        assert_string_equal(back, i == 7 ? "x\n\xef\xbf\xbd" : texts[i]);
        ct_sjson_free(doc);
        ct_string_builder_free(&out);
    }
}

static void expect_number(double value, const char *text) {
    ct_sjson_write_number(start(CT_SJSON_STYLE_JSON), value);
    expect(text);
}

static void writes_numbers_shortest(void **state) {
    (void)state;
    expect_number(0, "0");
    expect_number(-0.0, "-0");
    expect_number(1, "1");
    expect_number(-100, "-100");
    expect_number(0.1, "0.1");
    expect_number(1.0 / 3, "0.3333333333333333");
    expect_number(0.1 + 0.2, "0.30000000000000004");
    expect_number(1e15, "1000000000000000");
    expect_number(9007199254740992.0, "9007199254740992");
    expect_number(-9007199254740992.0, "-9007199254740992");
    expect_number(1e300, "1e300");
    expect_number(1.5e-10, "1.5e-10");
    expect_number(DBL_MAX, "1.7976931348623157e308");
    expect_number(5e-324, "5e-324");
    expect_number((double)0.1f, "0.10000000149011612");
}

static void what_is_not_finite_becomes_null(void **state) {
    (void)state;
    expect_number(NAN, "null");
    expect_number(INFINITY, "null");
    expect_number(-INFINITY, "null");
}

static void random_doubles_read_back(void **state) {
    (void)state;
    uint32_t random = 11;
    for (uint32_t i = 0; i < test_rounds(20000, 2000000); ++i) {
        const uint64_t high = test_random(&random), bits = high << 32 | test_random(&random);
        double value;
        memcpy(&value, &bits, 8);
        if (!isfinite(value))
            continue;
        ct_sjson_write_number(start(CT_SJSON_STYLE_JSON), value);
        if (strtod(out.text, NULL) != value)
            fail_msg("%a is written as %s", value, out.text);
        ct_string_builder_free(&out);
    }
}

// Documents of random shape, written to `b`.
static void add_random_value(ct_sjson_writer *w, uint32_t *random, uint32_t depth);

static void add_random_container(ct_sjson_writer *w, uint32_t *random, uint32_t depth,
                                 bool is_array) {
    if (is_array)
        ct_sjson_begin_array(w);
    else
        ct_sjson_begin_object(w);
    const uint32_t count = test_random(random) % 6;
    for (uint32_t i = 0; i < count; ++i) {
        char key[16];
        snprintf(key, sizeof(key), i % 2 ? "key_%u" : "key %u", i);
        if (!is_array)
            ct_sjson_write_key(w, key);
        add_random_value(w, random, depth + 1);
    }
    if (is_array)
        ct_sjson_end_array(w);
    else
        ct_sjson_end_object(w);
}

static void add_random_value(ct_sjson_writer *w, uint32_t *random, uint32_t depth) {
    static const char *const strings[] = {
        "",         "x y",      "a\nb\n", "\"\"\"\n",
        "\x01\t\\", "\xc3\xa4", "]}",     "a string that makes lines somewhat long"};
    const uint32_t kind = test_random(random) % (depth < 6 ? 8 : 5);
    if (kind == 0)
        ct_sjson_write_null(w);
    else if (kind == 1)
        ct_sjson_write_bool(w, test_random(random) % 2);
    else if (kind == 2)
        ct_sjson_write_number(w, (double)(test_random(random) % 1000) / 8);
    else if (kind <= 4)
        ct_sjson_write_string(w, strings[test_random(random) % CT_COUNT_OF(strings)]);
    else
        add_random_container(w, random, depth, kind % 2);
}

static void every_style_means_the_same(void **state) {
    (void)state;
    uint32_t random = 5;
    for (uint32_t i = 0; i < test_rounds(500, 50000); ++i) {
        add_random_container(start(CT_SJSON_STYLE_JSON), &random, 0, false);
        ct_string_builder first = out;
        for (uint32_t style = CT_SJSON_STYLE_JSON; style <= CT_SJSON_STYLE_SJSON; ++style) {
            rewrite(first.text, (ct_sjson_style)style);
            ct_string_builder styled = out;
            rewrite(ct_string_builder_text(&styled), CT_SJSON_STYLE_JSON);
            if (strcmp(out.text, first.text) != 0)
                fail_msg("%s\nwas written as\n%s", first.text, styled.text);
            ct_string_builder_free(&out);
            ct_string_builder_free(&styled);
        }
        ct_string_builder_free(&first);
    }
}

static void sjson_written_again_does_not_change(void **state) {
    (void)state;
    uint32_t random = 6;
    for (uint32_t i = 0; i < test_rounds(200, 20000); ++i) {
        add_random_container(start(CT_SJSON_STYLE_SJSON), &random, 0, false);
        ct_string_builder first = out;
        rewrite(ct_string_builder_text(&first), CT_SJSON_STYLE_SJSON);
        expect(ct_string_builder_text(&first));
        ct_string_builder_free(&first);
    }
}

static void value_without_key(void *user) {
    (void)user;
    ct_sjson_writer *const w = start(CT_SJSON_STYLE_JSON);
    ct_sjson_begin_object(w);
    ct_sjson_write_null(w);
}

static void key_in_array(void *user) {
    (void)user;
    ct_sjson_writer *const w = start(CT_SJSON_STYLE_JSON);
    ct_sjson_begin_array(w);
    ct_sjson_write_key(w, "a");
}

static void end_of_another(void *user) {
    (void)user;
    ct_sjson_writer *const w = start(CT_SJSON_STYLE_JSON);
    ct_sjson_begin_array(w);
    ct_sjson_end_object(w);
}

static void key_without_value(void *user) {
    (void)user;
    ct_sjson_writer *const w = start(CT_SJSON_STYLE_JSON);
    ct_sjson_begin_object(w);
    ct_sjson_write_key(w, "a");
    ct_sjson_end_object(w);
}

static void too_deep(void *user) {
    (void)user;
    ct_sjson_writer *const w = start(CT_SJSON_STYLE_JSON);
    for (uint32_t i = 0; i <= CT_SJSON_WRITER_MAX_DEPTH; ++i)
        ct_sjson_begin_array(w);
}

static void wrong_order_is_a_bug(void **state) {
    (void)state;
    test_expect_death(value_without_key, NULL, "a value without a key in an object");
    test_expect_death(key_in_array, NULL, "the key \"a\" outside of an object");
    test_expect_death(end_of_another, NULL, "an end without a matching begin");
    test_expect_death(key_without_value, NULL, "a key without a value");
    test_expect_death(too_deep, NULL, "nested more than 600 deep");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(writes_json_on_one_line),
        cmocka_unit_test(starts_at_the_end_of_the_text),
        cmocka_unit_test(indents_json_by_four),
        cmocka_unit_test(writes_sjson_as_people_do),
        cmocka_unit_test(an_empty_root_is_an_empty_sjson_text),
        cmocka_unit_test(breaks_lines_past_100_columns),
        cmocka_unit_test(quotes_keys_that_need_it),
        cmocka_unit_test(escapes_strings),
        cmocka_unit_test(escapes_at_every_place),
        cmocka_unit_test(bytes_that_are_not_utf8_become_the_replacement_character),
        cmocka_unit_test(raw_strings_only_where_they_read_back),
        cmocka_unit_test(writes_numbers_shortest),
        cmocka_unit_test(what_is_not_finite_becomes_null),
        cmocka_unit_test(random_doubles_read_back),
        cmocka_unit_test(every_style_means_the_same),
        cmocka_unit_test(sjson_written_again_does_not_change),
        cmocka_unit_test(wrong_order_is_a_bug),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
