#include "content/value_compare.h"

#include <stdio.h>
#include <string.h>

#include "support/test_support.h"

static ct_sjson *parse(const char *text) {
    ct_error error = {0};
    ct_sjson *const doc =
        ct_sjson_parse_value(test_heap(), text, strlen(text), "value", NULL, &error);
    if (!doc)
        fail_msg("%s in %s", error.message, text);
    return doc;
}

static ct_content_value root_of(const ct_sjson *doc) {
    return (ct_content_value){doc, ct_sjson_root(doc)};
}

static bool is_equal(const char *a, const char *b) {
    ct_sjson *const x = parse(a), *const y = parse(b);
    const bool equal = ct_value_is_equal(test_heap(), root_of(x), root_of(y));
    assert_int_equal(equal, ct_value_is_equal(test_heap(), root_of(y), root_of(x)));
    assert_int_equal(equal, ct_value_hash(root_of(x)) == ct_value_hash(root_of(y)));
    ct_sjson_free(x);
    ct_sjson_free(y);
    return equal;
}

static void compares_what_values_say(void **state) {
    (void)state;
    static const char *const groups[][3] = {
        {"1", "1.0", "10e-1"},
        {"0", "0.0", "0e5"},
        {"-0", "-0.0", NULL},
        {"\"a\"", "\"\\u0061\"", "\"\"\"a\"\"\""},
        {"\"\"", NULL, NULL},
        {"true", NULL, NULL},
        {"false", NULL, NULL},
        {"null", NULL, NULL},
        {"[]", "[ /* none */ ]", NULL},
        {"{}", "{ }", NULL},
        {"[1 2]", "[1, 2]", "[\n1 2.0 // two\n]"},
        {"[2 1]", NULL, NULL},
        {"[1 2 3]", NULL, NULL},
        {"[[1] 2]", NULL, NULL},
        {"[[1 2]]", NULL, NULL},
        {"{ a = 1 b = [] }", "{\"b\": [], \"a\": 1}", NULL},
        {"{ a = 1 b = {} }", NULL, NULL},
        {"{ a = 1 c = [] }", NULL, NULL},
        {"{ a = 1 }", NULL, NULL},
        {"\"1\"", NULL, NULL},
    };
    for (uint32_t i = 0; i < CT_COUNT_OF(groups); ++i) {
        for (uint32_t k = 0; k < CT_COUNT_OF(groups); ++k) {
            for (uint32_t n = 0; n < 3 && groups[k][n]; ++n)
                assert_int_equal(is_equal(groups[i][0], groups[k][n]), i == k);
        }
    }
}

// The difference of two texts, in which it begins with the word "here".
static void expect_difference(const char *a, const char *b) {
    ct_sjson *const x = parse(a), *const y = parse(b);
    const ct_value_difference d = ct_value_find_difference(test_heap(), root_of(x), root_of(y));
    const ct_sjson_entry *const in_a = ct_sjson_entry_of(x, d.a);
    const ct_sjson_entry *const in_b = ct_sjson_entry_of(y, d.b);
    assert_int_equal(in_a->key ? in_a->key_source : in_a->source, strstr(a, "/**/") + 4 - a);
    assert_int_equal(in_b->key ? in_b->key_source : in_b->source, strstr(b, "/**/") + 4 - b);
    ct_sjson_free(x);
    ct_sjson_free(y);
}

static void finds_where_values_differ(void **state) {
    (void)state;
    expect_difference("/**/1", "/**/2");
    expect_difference("/**/[1]", "/**/{ a = 1 }");
    expect_difference("[1 2 [3 /**/4] 5]", "[1 2 [3 /**/5] 6]");
    expect_difference("[1 /**/[3 4 5]]", "[1 /**/[3 4]]");
    expect_difference("{ a = 1 /**/b = 2 c = 3 }", "{ a = 1 c = 3 /**/b = 1 }");
    expect_difference("[{ a = 1 /**/b = 2 }]", "[/**/{ a = 1 d = 2 }]");
    expect_difference("{ a = { x = 1 y = [1 /**/2] } b = 2 }",
                      "{ b = 3 a = { y = [1 /**/3] x = 1 } }");
}

static void hashes_all_that_is_in_a_value(void **state) {
    (void)state;
    ct_sjson *const doc = parse("[1 [2 [\"a\" { b = [true null 3] c = { } }] []] { d = -0 } 7]");
    const ct_content_value whole = root_of(doc);
    for (uint32_t i = 1; i < doc->entries.count; ++i) {
        const ct_content_value of = {doc, {i}};
        if (ct_content_value_type(of) < CT_SJSON_TYPE_ARRAY)
            continue;
        ct_value_hashes hashes, none = {0};
        ct_value_hashes_make(&hashes, test_heap(), of);
        for (uint32_t k = whole.value.entry; k < doc->entries.count; ++k) {
            const ct_content_value v = {doc, {k}};
            assert_true(ct_value_hashes_of(&hashes, v) == ct_value_hash(v));
            assert_true(ct_value_hashes_of(&none, v) == ct_value_hash(v));
        }
        ct_value_hashes_free(&hashes);
    }
    ct_sjson_free(doc);
}

static void nothing_equals_only_nothing(void **state) {
    (void)state;
    ct_sjson *const doc = parse("null");
    assert_true(ct_value_is_equal(test_heap(), (ct_content_value){0}, (ct_content_value){0}));
    assert_false(ct_value_is_equal(test_heap(), root_of(doc), (ct_content_value){0}));
    assert_false(ct_value_is_equal(test_heap(), (ct_content_value){0}, root_of(doc)));
    ct_sjson_free(doc);
}

// An object of `count` members, from `first` on, in rising or falling order.
static void write_members(char *out, uint32_t bytes, uint32_t count, bool is_falling) {
    uint32_t used = (uint32_t)snprintf(out, bytes, "{");
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t n = is_falling ? count - 1 - i : i;
        used += (uint32_t)snprintf(out + used, bytes - used, " k%u = %u", n, n);
    }
    snprintf(out + used, bytes - used, " }");
}

static void finds_members_in_any_order(void **state) {
    (void)state;
    char rising[4096], falling[4096];
    for (uint32_t count = 0; count < 60; ++count) {
        write_members(rising, sizeof(rising), count, false);
        write_members(falling, sizeof(falling), count, true);
        assert_true(is_equal(rising, falling));
        ct_sjson *const doc = parse(rising);
        ct_member_finder f;
        ct_member_finder_init(&f, test_heap(), root_of(doc));
        for (uint32_t i = 0; i < count; ++i) {
            char key[16];
            snprintf(key, sizeof(key), "k%u", i * 7 % count);
            const ct_content_value v = ct_member_finder_find(&f, key);
            assert_string_equal(ct_sjson_key(v.doc, v.value), key);
        }
        assert_false(ct_content_value_is(ct_member_finder_find(&f, "k")));
        ct_member_finder_free(&f);
        ct_sjson_free(doc);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(compares_what_values_say),
        cmocka_unit_test(finds_where_values_differ),
        cmocka_unit_test(hashes_all_that_is_in_a_value),
        cmocka_unit_test(nothing_equals_only_nothing),
        cmocka_unit_test(finds_members_in_any_order),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
