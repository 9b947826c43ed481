#include "content/diff/diff.h"

#include "content/diff/diff_apply.h"
#include "content/diff/diff_json.h"
#include "content/diff/diff_text.h"
#include "support/random_tree.h"
#include "support/test_support.h"

#include <stdio.h>
#include <string.h>

static const ct_sjson_limits limits = {.takes_array = true};

static ct_sjson *parse(const char *text) {
    ct_error error = {0};
    ct_sjson *const doc =
        ct_sjson_parse(test_heap(), text, strlen(text), "t.sjson", &limits, &error);
    if (!doc)
        fail_msg("%s:%u:%u: %s\n%s", error.file, error.line, error.column, error.message, text);
    return doc;
}

// The lines of the diff of two documents of that path (NULL: no schema).
static void expect(const char *path, const char *from, const char *to, const char *expected) {
    ct_sjson *const a = parse(from), *const b = parse(to);
    ct_string_builder text;
    ct_string_builder_init(&text, test_heap());
    ct_diff diff;
    ct_diff_make(&diff, test_heap(), a, b, path);
    for (uint32_t i = 0; i < diff.operations.count; ++i) {
        ct_diff_write_operation(&diff, &diff.operations.items[i], false, &text);
        ct_string_builder_add_char(&text, '\n');
    }
    if (strcmp(ct_string_builder_text(&text), expected) != 0)
        fail_msg("got:\n%s|\nexpected:\n%s|", ct_string_builder_text(&text), expected);
    ct_diff_free(&diff);
    ct_string_builder_free(&text);
    ct_sjson_free(a);
    ct_sjson_free(b);
}

static void tells_members_by_key(void **state) {
    (void)state;
    expect(NULL, "a = 1 b = { c = true }", "b = { c = true } // same\na = 1.0", "");
    expect(NULL, "a = 1 b = { c = true d = 2 }", "a = 2 b = { c = true e = [] }",
           "a = 1 → 2\n- b.d = 2\n+ b.e = []\n");
    expect(NULL, "a = 1", "a = \"1\"", "a = 1 → \"1\"\n");
    expect(NULL, "\"x y\" = { \"a.b\" = 1 }", "\"x y\" = { \"a.b\" = 2 }",
           "[\"x y\"][\"a.b\"] = 1 → 2\n");
    expect(NULL, "a = {}", "a = []", "a = { } → []\n");
}

static void tells_elements_by_id(void **state) {
    (void)state;
    expect(NULL, "units = [ { id = \"8f-1\" position = [1 2 3] } { id = \"9a\" } ]",
           "units = [ { id = \"9a\" x = 1 } { id = \"8f-1\" position = [1 2 4] } ]",
           "units[id=8f-1].position = [1 2 3] → [1 2 4]\n+ units[id=9a].x = 1\n"
           "~ units[id=8f-1] moved to the end\n");
    expect(NULL, "u = [ { Id = 1 } { Id = 2 } ]", "u = [ { Id = 3 } { Id = 1 } ]",
           "- u[Id=2] = { Id = 2 }\n+ u[Id=3] = { Id = 3 }\n");
    expect(NULL, "u = [ { ID = \"12\" } { ID = \"a b\" a = 1 } ]", "u = [ { ID = \"a b\" a = 2 } ]",
           "- u[ID=\"12\"] = { ID = \"12\" }\nu[ID=\"a b\"].a = 1 → 2\n");
}

static void tells_shapes_of_actors_by_id(void **state) {
    (void)state;
    // `half_size` is one value.
    expect(
        "x.unit",
        "components = [ { id = \"a\" type = \"actor\" shapes = [ { id = \"s\" half_size = [1 1 1]"
        " } { id = \"t\" radius = 1 } ] } ]",
        "components = [ { id = \"a\" type = \"actor\" shapes = [ { id = \"t\" radius = 2 }"
        " { id = \"s\" half_size = [1 2 1] } { id = \"u\" } ] } ]",
        "components[id=a].shapes[id=s].half_size = [1 1 1] → [1 2 1]\n"
        "components[id=a].shapes[id=t].radius = 1 → 2\n"
        "~ components[id=a].shapes[id=s] moved to the end\n"
        "+ components[id=a].shapes[id=u] = { id = \"u\" }\n");
    expect("x.unit",
           "components = [ { id = \"a\" type = \"trigger\" shapes = [ { id = \"s\" } { id = \"t\" }"
           " ] } ]",
           "components = [ { id = \"a\" type = \"trigger\" shapes = [ { id = \"t\" } ] } ]",
           "- components[id=a].shapes[id=s] = { id = \"s\" }\n");
}

static void tells_other_elements_by_alignment(void **state) {
    (void)state;
    expect(NULL, "a = [1 2 3 4 5]", "a = [9 1 2 3 4 5]", "+ a[0] = 9\n");
    expect(NULL, "a = [1 2 3 4 5]", "a = [1 2 4 5 6]", "- a[2] = 3\n+ a[4] = 6\n");
    expect(NULL, "a = [1 { x = 1 } 3 4 5]", "a = [1 { x = 2 } 3 4 5]", "a[1].x = 1 → 2\n");
    expect(NULL, "a = [1 2 3 4 5]", "a = [1 7 3 4 5]", "a[1] = 2 → 7\n");
    expect(NULL, "a = [1 2 3 4 5]", "a = [1 7 8 4 5]", "a[1] = 2 → 7\na[2] = 3 → 8\n");
    expect(NULL, "a = [1 2 3 4 5]", "a = [1 7 4 5]", "- a[1] = 2\n- a[2] = 3\n+ a[1] = 7\n");
    // Containers that go and come are moved.
    expect(NULL, "a = [[1] 2 3]", "a = [2 [1] 3 [1]]", "~ a[0] moved before a[2]\n+ a[3] = [1]\n");
    expect(NULL, "a = [{ x = 1 } 2 3 { x = 4 } 5]", "a = [2 3 5 { x = 1 } { x = 4 }]",
           "~ a[0] moved to the end\n~ a[3] moved to the end\n");
    expect(NULL, "a = [0 1 { x = 2 } 3 [] 5]", "a = [[] 0 1 3 5 9]",
           "~ a[4] moved before a[0]\n- a[2] = { x = 2 }\n+ a[5] = 9\n");
    // An id twice: they go by alignment.
    expect(NULL, "a = [{ id = 1 } { id = 1 }]", "a = [{ id = 1 }]", "- a[1] = { id = 1 }\n");
}

static void tells_elements_of_deep_arrays(void **state) {
    (void)state;
    for (uint32_t count = 2; count < 500; count += count < 10 ? 1 : 163) {
        ct_string_builder texts[3]; // two documents, and what is told
        for (uint32_t i = 0; i < CT_COUNT_OF(texts); ++i) {
            ct_string_builder_init(&texts[i], test_heap());
            ct_string_builder_add(&texts[i], i < 2 ? "a = " : "a[0] = true → false\na");
            for (uint32_t k = 0; k < count; ++k)
                ct_string_builder_add(&texts[i], i == 2             ? "[1]"
                                                 : i == 1 && k == 0 ? "[false "
                                                                    : "[true ");
            ct_string_builder_addf(&texts[i], i < 2 ? "%u" : " = 1 → %u\n", i == 0 ? 1 : 2);
            for (uint32_t k = 0; k < count && i < 2; ++k)
                ct_string_builder_add(&texts[i], "]");
        }
        expect(NULL, texts[0].text, texts[1].text, texts[2].text);
        for (uint32_t i = 0; i < CT_COUNT_OF(texts); ++i)
            ct_string_builder_free(&texts[i]);
    }
}

static void tells_vectors_as_one_value(void **state) {
    (void)state;
    expect(NULL, "a = [1 2 3]", "a = [9 2 3]", "a = [1 2 3] → [9 2 3]\n");
    expect(NULL, "a = [1 2 3]", "a = [1 2 3 4]", "+ a[3] = 4\n");
    expect("x/y.level", "units = [{ id = \"a\" position = [1 2 3] }]",
           "units = [{ id = \"a\" position = [1 2] }]", "units[id=a].position = [1 2 3] → [1 2]\n");
}

static void tells_sets_by_value(void **state) {
    (void)state;
    expect("p.package", "texture = [\"a\" \"b\"]", "texture = [\"b\" \"c d\" \"a\"]",
           "+ texture[=\"c d\"] = \"c d\"\n");
    expect("p.package", "texture = [\"a\" \"b\"]", "texture = [\"b\"]", "- texture[=a] = \"a\"\n");
}

static void cuts_long_values_between_characters(void **state) {
    (void)state;
    char text[1200] = "a = \"";
    while (strlen(text) < 1000)
        strcat(text, "é");
    strcat(text, "\"");
    ct_sjson *const doc = parse(text);
    ct_string_builder out;
    for (uint32_t most = 5; most < 9; ++most) {
        ct_string_builder_init(&out, test_heap());
        ct_diff_write_brief((ct_content_value){doc, ct_sjson_find(doc, ct_sjson_root(doc), "a")},
                            most, &out);
        assert_string_equal(out.text, most == 5   ? "\"éé…"
                                      : most == 6 ? "\"éé…"
                                      : most == 7 ? "\"ééé…"
                                                  : "\"ééé…");
        ct_string_builder_free(&out);
    }
    ct_sjson_free(doc);
}

// --- Applying ------------------------------------------------------------------------------------

// Applies a diff and gives the text, or the error.
static void apply(const ct_diff *diff, const char *text, ct_string_builder *out) {
    ct_error error = {0};
    ct_sjson_document *const doc =
        ct_sjson_document_parse(test_heap(), text, strlen(text), "t.sjson", &limits, &error);
    assert_non_null(doc);
    if (ct_diff_apply(diff, doc, test_heap(), &error)) {
        ct_sjson_document_write(doc, out);
    } else {
        char line[2048];
        ct_error_format(&error, line, sizeof(line));
        ct_string_builder_add(out, line);
    }
    ct_sjson_document_free(doc);
}

static void expect_applied(const char *from, const char *to, const char *file,
                           const char *expected) {
    ct_sjson *const a = parse(from), *const b = parse(to);
    ct_diff diff;
    ct_diff_make(&diff, test_heap(), a, b, NULL);
    ct_string_builder out;
    ct_string_builder_init(&out, test_heap());
    apply(&diff, file, &out);
    assert_string_equal(ct_string_builder_text(&out), expected);
    ct_string_builder_free(&out);
    ct_diff_free(&diff);
    ct_sjson_free(a);
    ct_sjson_free(b);
}

static void applies_to_a_file_with_comments(void **state) {
    (void)state;
    expect_applied("a = 1 b = 2", "a = 3 b = 2 c = { d = [1 \"x\"] }",
                   "// head\na = 1 // one\nb = 2\n",
                   "// head\na = 3 // one\nb = 2\nc = { d = [1 \"x\"] }\n");
    expect_applied("u = [{ id = 1 } { id = 2 }]", "u = [{ id = 2 } { id = 3 } { id = 1 }]",
                   "u = [\n  { id = 1 } // first\n  { id = 2 }\n]\n",
                   "u = [\n  { id = 2 }\n  { id = 3 }\n  { id = 1 } // first\n]\n");
    expect_applied("a = [1 2 3 4 5]", "a = [1 3 4 9 5]", "a = [1, 2, 3, 4, 5]",
                   "a = [1, 3, 4, 9, 5]");
    expect_applied("{\"a\": 1, \"z\": 0}", "{\"a\": 1, \"b\": {\"c\": 2}, \"z\": 0}",
                   "{\"a\": 1, \"z\": 0}", "{\"a\": 1, \"b\": { \"c\": 2 }, \"z\": 0}");
}

// A package whose set has `count` elements, each value three times, or half of them.
static void write_large_set(uint32_t count, bool is_half, ct_string_builder *out) {
    ct_string_builder_add(out, "texture = [\n");
    for (uint32_t i = 0; i < count; ++i) {
        if (!is_half || i % 2 == 0)
            ct_string_builder_addf(out, "\"t%u\"\n", i / 3);
    }
    ct_string_builder_add(out, "]\n");
}

// By a walk over the set for each operation it would take minutes.
static void applies_to_large_sets(void **state) {
    (void)state;
    ct_string_builder from, to, result;
    ct_string_builder_init(&from, test_heap());
    ct_string_builder_init(&to, test_heap());
    ct_string_builder_init(&result, test_heap());
    write_large_set(200000, false, &from);
    write_large_set(200000, true, &to);
    ct_sjson *const a = parse(from.text), *const b = parse(to.text);
    ct_diff diff, left;
    ct_diff_make(&diff, test_heap(), a, b, "a.package");
    assert_int_equal(diff.operations.count, 100000);
    apply(&diff, from.text, &result);
    ct_sjson *const c = parse(result.text);
    ct_diff_make(&left, test_heap(), b, c, "a.package");
    assert_int_equal(left.operations.count, 0);
    ct_diff_free(&left);
    ct_diff_free(&diff);
    ct_sjson_free(a);
    ct_sjson_free(b);
    ct_sjson_free(c);
    ct_string_builder_free(&from);
    ct_string_builder_free(&to);
    ct_string_builder_free(&result);
}

static void refuses_what_does_not_fit(void **state) {
    (void)state;
    expect_applied("a = 1 b = 2", "a = 1 b = 3", "b = 7",
                   "t.sjson:1:1: error: operation 1, b: found 7, expected 2");
    expect_applied("u = [{ id = 1 x = 1 }]", "u = [{ id = 1 x = 2 }]", "\nu = [{ id = 2 x = 1 }]",
                   "t.sjson:2:1: error: operation 1, u[id=1].x: u[id=1] is not there");
    expect_applied("u = [{ id = 1 x = 1 }]", "u = [{ id = 1 x = 2 }]",
                   "u = [{ id = 1 x = 1 } { id = 1 }]",
                   "t.sjson:1:1: error: operation 1, u[id=1].x: u[id=1] is there twice");
    expect_applied("a = {}", "a = { b = 1 }", "a = { b = 1 }",
                   "t.sjson:1:7: error: operation 1, a.b: exists already");
    expect_applied("a = {}", "a = { b = 1 }", "a = [1]",
                   "t.sjson:1:1: error: operation 1, a.b: a is not an object");
    expect_applied("a = [1 2 3 4 5]", "a = [1 2 3 4 5 6]", "a = [1 2 3 4]",
                   "t.sjson:1:1: error: operation 1, a[5]: found an array of 4 elements, "
                   "expected 5");
    expect_applied("u = [{ id = 1 }]", "u = [{ id = 1 } { id = 2 }]", "u = [{ id = 2 } { id = 1 }]",
                   "t.sjson:1:6: error: operation 1, u[id=2]: exists already");
}

static void expect_unreadable(const char *text, const char *expected) {
    ct_sjson *const doc = parse(text);
    ct_error error = {0};
    ct_diff diff;
    char line[2048];
    assert_false(ct_diff_read_json(&diff, test_heap(), doc, &error));
    ct_error_format(&error, line, sizeof(line));
    assert_string_equal(line, expected);
    assert_int_equal(diff.operations.count, 0);
    ct_diff_free(&diff);
    ct_sjson_free(doc);
}

static void refuses_what_is_no_diff(void **state) {
    (void)state;
    expect_unreadable("a = 1",
                      "t.sjson:1:1: error: found nothing, expected `operations`, an array, "
                      "as `cuttle diff --json` writes it");
    expect_unreadable("operations = [1]",
                      "t.sjson:1:15: error: found a number, expected an operation (an object)");
    expect_unreadable("operations = [{ operation = \"put\" }]",
                      "t.sjson:1:17: error: expected an `operation`: \"set\", \"add\", \"remove\" "
                      "or \"move\"");
    expect_unreadable("operations = [{ operation = \"add\" path = [] }]",
                      "t.sjson:1:35: error: expected a `path`: an array of 1 to 600 steps");
    expect_unreadable("operations = [{ operation = \"set\" path = [-1] }]",
                      "t.sjson:1:43: error: expected the number of an element, from 0");
    expect_unreadable("operations = [{ operation = \"set\" path = [{ name = 1 }] }]",
                      "t.sjson:1:43: error: expected { id = … } (a string or a number) or { value "
                      "= … } (no container) as a step of a path");
    expect_unreadable("operations = [{ operation = \"set\" path = [\"a\"] new = 1 }]",
                      "t.sjson:1:15: error: this operation needs `old`");
    expect_unreadable("operations = [{ operation = \"add\" path = [\"a\" 1] new = 1 }]",
                      "t.sjson:1:15: error: this operation needs `count`, the number of elements "
                      "that the array had");
    expect_unreadable("operations = [{ operation = \"add\" path = [\"a\"] new = 1 before = 3 }]",
                      "t.sjson:1:56: error: `before` must be a step in the same container as the "
                      "path's last");
}

// Operations that ct_diff_make never makes: an error, and no crash.
static void expect_json_applied(const char *json, const char *file, const char *expected) {
    ct_sjson *const doc = parse(json);
    ct_error error = {0};
    ct_diff diff;
    if (!ct_diff_read_json(&diff, test_heap(), doc, &error))
        fail_msg("%s", error.message);
    ct_string_builder out;
    ct_string_builder_init(&out, test_heap());
    apply(&diff, file, &out);
    assert_string_equal(ct_string_builder_text(&out), expected);
    ct_string_builder_free(&out);
    ct_diff_free(&diff);
    ct_sjson_free(doc);
}

static void refuses_operations_in_each_others_way(void **state) {
    (void)state;
    expect_json_applied(
        "operations = [ { operation = \"remove\" path = [\"a\"] old = { b = 1 } }"
        " { operation = \"set\" path = [\"a\" \"b\"] old = 1 new = 2 } ]",
        "a = { b = 1 }",
        "t.sjson: error: operation 2, a.b: another operation conflicts with this one");
    expect_json_applied(
        "operations = [ { operation = \"move\" path = [\"a\" 1] old = 2 before = 1 } ]",
        "a = [1 2]",
        "t.sjson: error: operation 1, a[1]: another operation conflicts with this one");
    expect_json_applied("operations = [ { operation = \"add\" path = [\"b\"] new = 1 }"
                        " { operation = \"add\" path = [\"b\"] new = 2 } ]",
                        "a = 1",
                        "t.sjson: error: operation 2, b: the object has a key \"b\" already");
    expect_json_applied(
        "operations = [ { operation = \"move\" path = [\"a\" 1] old = 2 before = 0 } ]",
        "a = [1 2]", "a = [2 1]");
    expect_json_applied(
        "operations = [ { operation = \"move\" path = [\"a\" 1] old = 3 before = 0 } ]",
        "a = [1 2]", "t.sjson:1:8: error: operation 1, a[1]: found 2, expected 3");
    // Of a set, one element for each.
    expect_json_applied(
        "operations = [ { operation = \"remove\" path = [\"a\" { value = 1 }] old = 1 }"
        " { operation = \"remove\" path = [\"a\" { value = 1 }] old = 1 } ]",
        "a = [1 2 1]", "a = [2]");
    expect_json_applied(
        "operations = [ { operation = \"remove\" path = [\"a\" { value = 1 }] old = 1 }"
        " { operation = \"remove\" path = [\"a\" { value = 1 }] old = 1 } ]",
        "a = [1 2]", "t.sjson:1:1: error: operation 2, a[=1]: a[=1] is not there");
    expect_json_applied(
        "operations = [ { operation = \"add\" path = [\"a\" { id = 1 }] new = { id = 2 } } ]",
        "a = []", "t.sjson:1:1: error: operation 1, a[id=1]: the added element has another id");
}

// --- Any documents -------------------------------------------------------------------------------

static ct_sjson *parse_built(const ct_string_builder *text) {
    return parse(ct_string_builder_text(text));
}

// The operations, written as JSON and read again, turn the first document into the second.
static void check_round_trip(const ct_sjson *a, const ct_string_builder *text, const ct_sjson *b) {
    ct_diff made, diff;
    ct_error error = {0};
    ct_string_builder json, result;
    ct_string_builder_init(&json, test_heap());
    ct_string_builder_init(&result, test_heap());
    ct_diff_make(&made, test_heap(), a, b, NULL);
    ct_diff_write_json(&made, "a", "b", &json);
    ct_sjson *const doc = parse_built(&json);
    if (!ct_diff_read_json(&diff, test_heap(), doc, &error))
        fail_msg("%u:%u: %s\n%s", error.line, error.column, error.message, json.text);
    apply(&diff, ct_string_builder_text(text), &result);
    ct_sjson *const c = parse_built(&result);
    if (!ct_value_is_equal(test_heap(), (ct_content_value){b, ct_sjson_root(b)},
                           (ct_content_value){c, ct_sjson_root(c)}))
        fail_msg("from\n%s\ngot\n%s\nby\n%s", text->text, result.text, json.text);
    ct_sjson_free(c);
    ct_sjson_free(doc);
    ct_diff_free(&made);
    ct_diff_free(&diff);
    ct_string_builder_free(&json);
    ct_string_builder_free(&result);
}

static void gives_the_second_document_when_applied_to_the_first(void **state) {
    (void)state;
    uint32_t random = 17;
    for (uint32_t round = 0; round < test_rounds(1500, 100000); ++round) {
        ct_string_builder from, to;
        ct_string_builder_init(&from, test_heap());
        ct_string_builder_init(&to, test_heap());
        random_tree_write(&random, &from);
        ct_sjson *const a = parse_built(&from);
        if (round % 8 == 7)
            random_tree_write(&random, &to);
        else
            random_tree_write_edited(&random, 2 + test_random(&random) % 20, a, &to);
        ct_sjson *const b = parse_built(&to);
        check_round_trip(a, &from, b);
        ct_sjson_free(a);
        ct_sjson_free(b);
        ct_string_builder_free(&from);
        ct_string_builder_free(&to);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tells_members_by_key),
        cmocka_unit_test(tells_elements_by_id),
        cmocka_unit_test(tells_shapes_of_actors_by_id),
        cmocka_unit_test(tells_other_elements_by_alignment),
        cmocka_unit_test(tells_elements_of_deep_arrays),
        cmocka_unit_test(tells_vectors_as_one_value),
        cmocka_unit_test(tells_sets_by_value),
        cmocka_unit_test(cuts_long_values_between_characters),
        cmocka_unit_test(applies_to_a_file_with_comments),
        cmocka_unit_test(applies_to_large_sets),
        cmocka_unit_test(refuses_what_does_not_fit),
        cmocka_unit_test(refuses_what_is_no_diff),
        cmocka_unit_test(refuses_operations_in_each_others_way),
        cmocka_unit_test(gives_the_second_document_when_applied_to_the_first),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
