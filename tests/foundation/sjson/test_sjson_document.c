#include "support/test_support.h"

#include "foundation/os/file.h"
#include "foundation/sjson/sjson_document.h"
#include "foundation/sjson/sjson_random_edits.h"

#include <stdio.h>
#include <stdlib.h>

static const ct_sjson_node none = {0};

static ct_sjson_document *parse_bytes(const char *text, uint64_t bytes) {
    ct_error error = {0};
    ct_sjson_document *const doc =
        ct_sjson_document_parse(test_heap(), text, bytes, "t.sjson", NULL, &error);
    if (!doc)
        fail_msg("%s:%u:%u: %s", error.file, error.line, error.column, error.message);
    return doc;
}

static ct_sjson_document *parse(const char *text) {
    return parse_bytes(text, strlen(text));
}

// Follows keys and element numbers, separated by slashes: "units/0/id".
static ct_sjson_node at(const ct_sjson_document *doc, const char *path) {
    ct_sjson_node node = ct_sjson_document_root(doc);
    char part[64];
    while (*path) {
        const size_t bytes = strcspn(path, "/");
        snprintf(part, sizeof(part), "%.*s", (int)bytes, path);
        path += bytes + (path[bytes] == '/');
        node = ct_sjson_document_type(doc, node) == CT_SJSON_TYPE_ARRAY
                   ? ct_sjson_document_element(doc, node, (uint32_t)atoi(part))
                   : ct_sjson_document_find(doc, node, part);
        if (!node.index)
            fail_msg("there is no %s", part);
    }
    return node;
}

static void expect_text(const ct_sjson_document *doc, const char *text) {
    ct_string_builder out;
    ct_string_builder_init(&out, test_heap());
    ct_sjson_document_write(doc, &out);
    if (strcmp(ct_string_builder_text(&out), text) != 0)
        fail_msg("got:\n%s|\nexpected:\n%s|", ct_string_builder_text(&out), text);
    ct_string_builder_free(&out);
}

// Ends a test: the text is that, and the tree fits it.
static void expect(ct_sjson_document *doc, const char *text) {
    expect_text(doc, text);
    const sjson_edit nothing = {0};
    ct_string_builder json;
    sjson_edit_json(test_heap(), doc, 1, &nothing, &json);
    sjson_edit_check(test_heap(), doc, &json, "the edits");
    ct_string_builder_free(&json);
    ct_sjson_document_free(doc);
}

static void set(ct_sjson_document *doc, const char *path, const char *value) {
    ct_error error = {0};
    if (!ct_sjson_document_set(doc, at(doc, path), value, strlen(value), &error))
        fail_msg("%s", error.message);
}

static ct_sjson_node insert_member(ct_sjson_document *doc, const char *object, const char *before,
                                   const char *key, const char *value) {
    ct_error error = {0};
    const ct_sjson_node node = ct_sjson_document_insert_member(
        doc, at(doc, object), before ? at(doc, before) : none, key, value, strlen(value), &error);
    if (!node.index)
        fail_msg("%s", error.message);
    return node;
}

static ct_sjson_node insert_element(ct_sjson_document *doc, const char *array, const char *before,
                                    const char *value) {
    ct_error error = {0};
    const ct_sjson_node node = ct_sjson_document_insert_element(
        doc, at(doc, array), before ? at(doc, before) : none, value, strlen(value), &error);
    if (!node.index)
        fail_msg("%s", error.message);
    return node;
}

static void move(ct_sjson_document *doc, const char *path, const char *container,
                 const char *before) {
    ct_error error = {0};
    if (!ct_sjson_document_move(doc, at(doc, path), at(doc, container),
                                before ? at(doc, before) : none, &error))
        fail_msg("%s", error.message);
}

static void remove_at(ct_sjson_document *doc, const char *path) {
    ct_sjson_document_remove(doc, at(doc, path));
}

// --- Reading and writing -------------------------------------------------------------------------

static void writes_what_it_read(void **state) {
    (void)state;
    static const char *const texts[] = {
        "",
        "\n",
        "// only a comment",
        "\xef\xbb\xbf",
        "\xef\xbb\xbf// mark\r\na = 1\r\n",
        "a=1",
        "a = 1\n\n\n",
        "\t a\t=\t1 ,\r\n\"b\" : \"\\u0041\\/\" /* x */ , // y\n",
        "{\"a\":[1,2,{\"b\":null}]}",
        "// head\n{ a = [ ] }\n// tail",
        "a = \"\"\"\n  raw \\ \"text\"\n\"\"\"  b=[[[]]]c={d={}}",
        "a = 1e2 b = 0.10 c = -0",
    };
    for (uint32_t i = 0; i < CT_COUNT_OF(texts); ++i)
        expect(parse(texts[i]), texts[i]);
}

static void finds_its_way_in_all_directions(void **state) {
    (void)state;
    ct_sjson_document *const doc =
        parse("a = [ 1 {x=2} [3] ] \"b c\" = \"x\\n\" d = true e = null");
    const ct_sjson_node root = ct_sjson_document_root(doc), a = at(doc, "a");
    assert_int_equal(ct_sjson_document_type(doc, root), CT_SJSON_TYPE_OBJECT);
    assert_int_equal(ct_sjson_document_count(doc, root), 4);
    assert_int_equal(ct_sjson_document_first(doc, root).index, a.index);
    assert_int_equal(ct_sjson_document_parent(doc, a).index, root.index);
    assert_int_equal(ct_sjson_document_parent(doc, root).index, 0);
    assert_string_equal(ct_sjson_document_key(doc, ct_sjson_document_next(doc, a)), "b c");
    assert_string_equal(ct_sjson_document_key(doc, ct_sjson_document_last(doc, root)), "e");
    assert_int_equal(ct_sjson_document_previous(doc, a).index, 0);
    assert_null(ct_sjson_document_key(doc, at(doc, "a/0")));
    assert_int_equal(ct_sjson_document_previous(doc, at(doc, "a/2")).index, at(doc, "a/1").index);
    assert_int_equal(ct_sjson_document_element(doc, a, 3).index, 0);
    assert_int_equal(ct_sjson_document_element(doc, root, 0).index, 0);
    assert_int_equal(ct_sjson_document_find(doc, a, "x").index, 0);
    assert_int_equal(ct_sjson_document_find(doc, root, "x").index, 0);
    assert_true(ct_sjson_document_number(doc, at(doc, "a/1/x"), 0) == 2);
    assert_string_equal(ct_sjson_document_string(doc, at(doc, "b c"), ""), "x\n");
    assert_int_equal(ct_sjson_document_string_bytes(doc, at(doc, "b c")), 2);
    assert_true(ct_sjson_document_bool(doc, at(doc, "d"), false));
    assert_int_equal(ct_sjson_document_type(doc, at(doc, "e")), CT_SJSON_TYPE_NULL);
    assert_string_equal(ct_sjson_document_file(doc), "t.sjson");
    ct_sjson_document_free(doc);
}

static void gives_the_default_for_other_types(void **state) {
    (void)state;
    ct_sjson_document *const doc = parse("a = 1 b = \"x\"");
    assert_true(ct_sjson_document_number(doc, at(doc, "b"), 7) == 7);
    assert_string_equal(ct_sjson_document_string(doc, at(doc, "a"), "-"), "-");
    assert_true(ct_sjson_document_bool(doc, at(doc, "a"), true));
    assert_int_equal(ct_sjson_document_string_bytes(doc, at(doc, "a")), 0);
    assert_int_equal(ct_sjson_document_count(doc, at(doc, "a")), 0);
    assert_int_equal(ct_sjson_document_type(doc, none), CT_SJSON_TYPE_NONE);
    assert_int_equal(ct_sjson_document_next(doc, none).index, 0);
    assert_null(ct_sjson_document_key(doc, none));
    ct_sjson_document_free(doc);
}

static void expect_position(const ct_sjson_document *doc, ct_sjson_node node, uint32_t line,
                            uint32_t column) {
    uint32_t l, c;
    ct_sjson_document_position(doc, node, &l, &c);
    assert_int_equal(l, line);
    assert_int_equal(c, column);
}

static void knows_where_nodes_stood_in_the_source(void **state) {
    (void)state;
    ct_sjson_document *const doc = parse("\n a = 1\n  b = [\n 2 ]\n");
    expect_position(doc, at(doc, "b"), 3, 3);
    expect_position(doc, at(doc, "b/0"), 4, 2);
    set(doc, "a", "[1\n2\n3]");
    set(doc, "b/0", "{}");
    move(doc, "a", "", NULL);
    expect_position(doc, at(doc, "a"), 2, 2);
    expect_position(doc, at(doc, "b/0"), 4, 2);
    expect_position(doc, at(doc, "a/1"), 0, 0);
    expect_position(doc, insert_member(doc, "", NULL, "c", "1"), 0, 0);
    expect_position(doc, none, 0, 0);
    ct_error error = {0};
    assert_false(ct_sjson_document_error(doc, at(doc, "b"), &error, "no %s", "good"));
    assert_string_equal(error.message, "no good");
    assert_string_equal(error.file, "t.sjson");
    assert_int_equal(error.line, 3);
    ct_sjson_document_free(doc);
}

static void writes_single_values(void **state) {
    (void)state;
    ct_sjson_document *const doc = parse("a = { b = [1  2] // c\n}");
    ct_string_builder out;
    ct_string_builder_init(&out, test_heap());
    ct_sjson_document_write_value(doc, at(doc, "a/b"), &out);
    assert_string_equal(out.text, "[1  2]");
    ct_string_builder_clear(&out);
    set(doc, "a/b/1", "3");
    ct_sjson_document_write_value(doc, at(doc, "a"), &out);
    assert_string_equal(out.text, "{ b = [1  3] // c\n}");
    ct_string_builder_free(&out);
    ct_sjson_document_free(doc);
}

static void reads_files_and_names_them(void **state) {
    (void)state;
    char path[1024];
    ct_error error = {0};
    snprintf(path, sizeof(path), "%s/a.unit", test_scratch_folder());
    assert_null(ct_sjson_document_read(test_heap(), path, "units/a.unit", NULL, &error));
    assert_true(error.message[0]);
    assert_true(ct_file_write(path, "a = 1\nb", 7, false, &error));
    assert_null(ct_sjson_document_read(test_heap(), path, "units/a.unit", NULL, &error));
    assert_string_equal(error.file, "units/a.unit");
    assert_int_equal(error.line, 2);
    assert_true(ct_file_write(path, "a = 1", 5, false, &error));
    ct_sjson_document *const doc =
        ct_sjson_document_read(test_heap(), path, "units/a.unit", NULL, &error);
    expect(doc, "a = 1");
}

// --- Replacing values ----------------------------------------------------------------------------

static void sets_a_value_and_leaves_the_rest(void **state) {
    (void)state;
    ct_sjson_document *const doc =
        parse("a   =  1 // one\n/* b */ b:[ 1, 2 ] , c = { d = \"x\" }\n");
    set(doc, "a", "2.5");
    set(doc, "b/1", "\"two\"");
    set(doc, "c/d", "[true null]");
    expect(doc, "a   =  2.5 // one\n/* b */ b:[ 1, \"two\" ] , c = { d = [true null] }\n");
}

static void sets_numbers_and_strings(void **state) {
    (void)state;
    ct_error error;
    ct_sjson_document *const doc = parse("a = 1\nb = 2\nc = 3\n");
    assert_true(ct_sjson_document_set_number(doc, at(doc, "a"), 0.1, &error));
    assert_true(ct_sjson_document_set_string(doc, at(doc, "b"), "q\"\0x", 4, &error));
    assert_true(ct_sjson_document_set_string(doc, at(doc, "c"), "two\nlines", 9, &error));
    assert_int_equal(ct_sjson_document_string_bytes(doc, at(doc, "b")), 4);
    expect(doc, "a = 0.1\nb = \"q\\\"\\u0000x\"\nc = \"\"\"\ntwo\nlines\"\"\"\n");
}

static void a_set_node_stays_and_what_was_below_it_goes(void **state) {
    (void)state;
    ct_sjson_document *const doc = parse("a = { b = [1 [2]] }\n");
    const ct_sjson_node a = at(doc, "a"), b = at(doc, "a/b"), two = at(doc, "a/b/1/0");
    set(doc, "a", "[5 6]");
    assert_int_equal(at(doc, "a").index, a.index);
    assert_string_equal(ct_sjson_document_key(doc, a), "a");
    assert_int_equal(ct_sjson_document_count(doc, a), 2);
    assert_int_equal(ct_sjson_document_type(doc, b), CT_SJSON_TYPE_NONE);
    assert_int_equal(ct_sjson_document_type(doc, two), CT_SJSON_TYPE_NONE);
    assert_int_equal(ct_sjson_document_parent(doc, two).index, 0);
    expect(doc, "a = [5 6]\n");
}

static void values_that_touch_are_kept_apart(void **state) {
    (void)state;
    ct_sjson_document *doc = parse("a=[1\"b\"2]b=\"x\"c=\"y\"");
    set(doc, "a/1", "3");
    set(doc, "b", "4");
    set(doc, "c", "\"\"");
    expect(doc, "a=[1 3 2]b=4 c=\"\"");
    doc = parse("a=[\"b\"\"c\"[]\"d\"]");
    set(doc, "a/0", "\"\"");
    set(doc, "a/2", "\"\"");
    expect(doc, "a=[\"\" \"c\" \"\" \"d\"]");
}

static void a_new_value_takes_the_documents_indent(void **state) {
    (void)state;
    ct_sjson_document *const doc = parse("a = {\n\tb = {\n\t\tc = 1\n\t}\n}\n");
    set(doc, "a/b/c", "{\n  x = [ // list\n  1\n 2\n  ]\n\n  // y\n    y = 2\n}");
    expect(doc, "a = {\n\tb = {\n\t\tc = {\n\t\t\tx = [ // list\n\t\t\t\t1\n\t\t\t\t2\n\t\t\t]\n\n"
                "\t\t\t// y\n\t\t\ty = 2\n\t\t}\n\t}\n}\n");
}

static void a_new_value_takes_json_or_sjson_style(void **state) {
    (void)state;
    ct_sjson_document *doc = parse("{\n  \"a\": 1,\n  \"b\": [1, 2]\n}\n");
    set(doc, "a", "{ x = [1 2 3] y = \"\"\"\nraw\"\"\" \"z w\" = {\nq = 1\nr = 2\n} }");
    expect(doc, "{\n  \"a\": { \"x\": [1, 2, 3], \"y\": \"raw\", \"z w\": {\n    \"q\": 1,\n    "
                "\"r\": 2\n  } },\n  \"b\": [1, 2]\n}\n");
    doc = parse("a = 1\nb = [1 2]\nc = { d = 1  e = 2 }\n");
    set(doc, "a", "{ \"x\": [1, 2,], \"y z\" : 2 }");
    expect(doc, "a = { x = [1 2]  \"y z\" = 2 }\nb = [1 2]\nc = { d = 1  e = 2 }\n");
}

static void a_new_value_takes_the_line_ends(void **state) {
    (void)state;
    ct_sjson_document *const doc = parse("a = 1\r\nb = 2\r\n");
    set(doc, "a", "[\n1\n]");
    insert_member(doc, "", NULL, "c", "3");
    expect(doc, "a = [\r\n    1\r\n]\r\nb = 2\r\nc = 3\r\n");
}

// --- Inserting -----------------------------------------------------------------------------------

static const char unit[] = "// A crate.\n"
                           "\n"
                           "inherit = \"units/box\" // the base\n"
                           "components = [\n"
                           "    { id = \"5b1f\"  type = \"transform\" } // first\n"
                           "    // the mesh\n"
                           "    { id = \"9a77\"  type = \"mesh\" }\n"
                           "]\n";

static void appends_like_the_siblings(void **state) {
    (void)state;
    ct_sjson_document *const doc = parse(unit);
    insert_element(doc, "components", NULL, "{\"id\": \"c0ff\", \"values\": [1, 2]}");
    insert_member(doc, "", NULL, "position", "[0 0 1.2]");
    insert_member(doc, "components/0", NULL, "last", "true");
    expect(doc, "// A crate.\n"
                "\n"
                "inherit = \"units/box\" // the base\n"
                "components = [\n"
                "    { id = \"5b1f\"  type = \"transform\"  last = true } // first\n"
                "    // the mesh\n"
                "    { id = \"9a77\"  type = \"mesh\" }\n"
                "    {id = \"c0ff\"  values = [1 2]}\n"
                "]\n"
                "position = [0 0 1.2]\n");
}

static void inserts_before_a_value_and_its_comments(void **state) {
    (void)state;
    ct_sjson_document *const doc = parse(unit);
    insert_element(doc, "components", "components/1", "1");
    insert_element(doc, "components", "components/0", "0");
    insert_member(doc, "", "inherit", "first", "1");
    insert_member(doc, "components/3", "components/3/id", "key", "2");
    expect(doc, "// A crate.\n"
                "\n"
                "first = 1\n"
                "inherit = \"units/box\" // the base\n"
                "components = [\n"
                "    0\n"
                "    { id = \"5b1f\"  type = \"transform\" } // first\n"
                "    1\n"
                "    // the mesh\n"
                "    { key = 2  id = \"9a77\"  type = \"mesh\" }\n"
                "]\n");
}

static void inserts_into_json_with_commas(void **state) {
    (void)state;
    ct_sjson_document *const doc =
        parse("{\n\t\"a\": 1,\n\t\"b\": [1, 2],\n\t\"c\": {\"d\": {}, \"e\": []}\n}\n");
    insert_element(doc, "b", NULL, "3");
    insert_element(doc, "b", "b/0", "0");
    insert_element(doc, "b", "b/2", "1.5");
    insert_element(doc, "c/e", NULL, "[]");
    insert_member(doc, "c/d", NULL, "x", "1");
    insert_member(doc, "c/d", NULL, "y", "2");
    insert_member(doc, "", "a", "first", "{ k = 1 }");
    insert_member(doc, "", NULL, "last", "null");
    expect(doc, "{\n\t\"first\": { \"k\": 1 },\n\t\"a\": 1,\n\t\"b\": [0, 1, 1.5, 2, 3],\n"
                "\t\"c\": {\"d\": { \"x\": 1, \"y\": 2 }, \"e\": [[]]},\n\t\"last\": null\n}\n");
}

static void a_comma_after_the_last_stays_a_custom(void **state) {
    (void)state;
    ct_sjson_document *const doc = parse("a = [\n    1, // one\n    2, // two\n]\nb = [3,]\n");
    insert_element(doc, "a", NULL, "3");
    insert_element(doc, "b", NULL, "4");
    expect(doc, "a = [\n    1, // one\n    2, // two\n    3,\n]\nb = [3, 4,]\n");
}

static void a_comma_stands_before_the_comment_of_its_line(void **state) {
    (void)state;
    ct_sjson_document *const doc = parse("{\n  \"a\": 1, // one\n  \"b\": 2 // two\n}");
    insert_member(doc, "", NULL, "c", "3");
    expect(doc, "{\n  \"a\": 1, // one\n  \"b\": 2, // two\n  \"c\": 3\n}");
}

static void fills_empty_containers(void **state) {
    (void)state;
    ct_sjson_document *const doc = parse("a = []\nb = {}\nc = {\n}\nd = [ // list\n]\n"
                                         "e = {\n    f = []\n    g = { /* none */ }\n}\nh = []");
    insert_element(doc, "a", NULL, "1");
    insert_member(doc, "b", NULL, "x", "1");
    insert_member(doc, "c", NULL, "x", "1");
    insert_element(doc, "d", NULL, "1");
    insert_element(doc, "e/f", NULL, "{ x = 1 }");
    insert_member(doc, "e/g", NULL, "x", "1");
    insert_element(doc, "h", NULL, "[\n1\n]");
    expect(doc, "a = [1]\nb = { x = 1 }\nc = {\n    x = 1\n}\nd = [ // list\n    1\n]\n"
                "e = {\n    f = [\n        { x = 1 }\n    ]\n    g = { /* none */ x = 1 }\n}\n"
                "h = [\n    [\n        1\n    ]\n]");
}

static void fills_an_empty_text(void **state) {
    (void)state;
    ct_sjson_document *doc = parse("");
    insert_member(doc, "", NULL, "a", "1");
    insert_member(doc, "", NULL, "b", "2");
    expect(doc, "a = 1\nb = 2\n");
    doc = parse("\xef\xbb\xbf// nothing yet");
    insert_member(doc, "", NULL, "a", "1");
    expect(doc, "\xef\xbb\xbf// nothing yet\na = 1\n");
    doc = parse("{}");
    insert_member(doc, "", NULL, "a", "1");
    expect(doc, "{ a = 1 }");
}

static void a_missing_line_end_at_the_end_stays_missing(void **state) {
    (void)state;
    ct_sjson_document *doc = parse("a = 1");
    insert_member(doc, "", NULL, "b", "2");
    expect(doc, "a = 1\nb = 2");
    doc = parse("a = 1 // one");
    insert_member(doc, "", NULL, "b", "2");
    expect(doc, "a = 1 // one\nb = 2");
}

static void a_text_on_one_line_stays_on_one_line(void **state) {
    (void)state;
    ct_sjson_document *const doc = parse("a=1 b=2");
    insert_member(doc, "", NULL, "d", "4");
    insert_member(doc, "", "b", "between", "3");
    insert_member(doc, "", "a", "first", "0");
    expect(doc, "first=0 a=1 between=3 b=2 d=4");
}

// Copies all members of a text to `a` of another.
static void expect_copy(const char *members, const char *text, const char *expected) {
    ct_error error;
    ct_sjson_document *const from = parse(members), *const doc = parse(text);
    ct_sjson_node v = ct_sjson_document_first(from, ct_sjson_document_root(from));
    for (; v.index; v = ct_sjson_document_next(from, v))
        assert_true(ct_sjson_document_copy(doc, at(doc, "a"), none, from, v, &error).index);
    expect(doc, expected);
    ct_sjson_document_free(from);
}

// On one line they would be those of the value before.
static void comments_before_a_copy_stay_with_it(void **state) {
    (void)state;
    expect_copy(
        "    // long\n    y = { b = 1 }\n    // two\n    // lines\n    z = 2\n",
        "a = { x = 2 } b = 1",
        "a = { x = 2\n    // long\n    y = { b = 1 }\n    // two\n    // lines\n    z = 2 } "
        "b = 1");
    expect_copy("/* short */ y = 1", "a = {}", "a = {\n    /* short */ y = 1\n}");
    expect_copy("y = 1", "a = { x = 2 }", "a = { x = 2  y = 1 }");
}

static void keys_get_quotes_where_they_need_them(void **state) {
    (void)state;
    ct_sjson_document *const doc = parse("a = 1\n");
    insert_member(doc, "", NULL, "two words", "1");
    insert_member(doc, "", NULL, "", "2");
    insert_member(doc, "", NULL, "//", "3");
    expect(doc, "a = 1\n\"two words\" = 1\n\"\" = 2\n\"//\" = 3\n");
}

static void ten_thousand_elements_are_inserted_in_order(void **state) {
    (void)state;
    ct_sjson_document *const doc = parse("a = []\n");
    for (uint32_t i = 0; i < 10000; ++i) {
        char value[16];
        snprintf(value, sizeof(value), "%u", i);
        insert_element(doc, "a", NULL, value);
    }
    ct_sjson_node node = ct_sjson_document_first(doc, at(doc, "a"));
    for (uint32_t i = 0; i < 10000; ++i, node = ct_sjson_document_next(doc, node))
        assert_true(ct_sjson_document_number(doc, node, -1) == i);
    assert_int_equal(node.index, 0);
    ct_sjson_document_free(doc);
}

// --- Removing ------------------------------------------------------------------------------------

static void removes_values_with_their_comments(void **state) {
    (void)state;
    ct_sjson_document *const doc = parse(unit);
    remove_at(doc, "components/1");
    remove_at(doc, "inherit");
    expect(doc, "// A crate.\n"
                "\n"
                "components = [\n"
                "    { id = \"5b1f\"  type = \"transform\" } // first\n"
                "]\n");
}

static void comments_apart_from_a_removed_value_stay(void **state) {
    (void)state;
    ct_sjson_document *const doc =
        parse("a = { // group\n    // section\n\n    // of b\n    b = 1 // b\n"
              "    // of c\n    c = 2\n    // the end\n}\n");
    remove_at(doc, "a/b");
    expect_text(doc,
                "a = { // group\n    // section\n\n    // of c\n    c = 2\n    // the end\n}\n");
    remove_at(doc, "a/c");
    expect(doc, "a = { // group\n    // section\n\n    // the end\n}\n");
}

static void commas_go_with_removed_values(void **state) {
    (void)state;
    ct_sjson_document *const doc =
        parse("{\n  \"a\": [1, 2, 3],\n  \"b\": [1, 2,],\n  \"c\": [1],\n  \"d\": 1\n}\n");
    remove_at(doc, "a/1");
    remove_at(doc, "a/0");
    remove_at(doc, "b/1");
    remove_at(doc, "c/0");
    remove_at(doc, "d");
    expect(doc, "{\n  \"a\": [3],\n  \"b\": [1,],\n  \"c\": []\n}\n");
}

static void removing_leaves_no_gaps_on_a_line(void **state) {
    (void)state;
    ct_sjson_document *const doc = parse("a = [1 2 3]\nb = { c = 1  d = 2  e = 3 }\nf = { g = 1 }\n"
                                         "h = [1\"x\"2]\n");
    remove_at(doc, "a/0");
    remove_at(doc, "a/1");
    remove_at(doc, "b/d");
    remove_at(doc, "b/c");
    remove_at(doc, "f/g");
    remove_at(doc, "h/1");
    expect(doc, "a = [2]\nb = { e = 3 }\nf = { }\nh = [1 2]\n");
}

static void a_line_comment_never_swallows_what_follows(void **state) {
    (void)state;
    ct_sjson_document *const doc =
        parse("a = [ 1 // one\n    2 ]\nb = { c = 1 // c\n d = 2 } e = 3\n");
    remove_at(doc, "a/1");
    remove_at(doc, "b/d");
    expect(doc, "a = [ 1 // one\n ]\nb = { c = 1 // c\n } e = 3\n");
}

static void removes_the_first_and_the_only_member_of_a_text(void **state) {
    (void)state;
    ct_sjson_document *const doc = parse("a = 1\nb = 2\n");
    remove_at(doc, "a");
    expect_text(doc, "b = 2\n");
    remove_at(doc, "b");
    expect(doc, "");
}

static void a_removed_node_reads_as_none(void **state) {
    (void)state;
    ct_sjson_document *const doc = parse("a = { b = [1] } c = 2\n");
    const ct_sjson_node a = at(doc, "a"), one = at(doc, "a/b/0");
    ct_sjson_document_remove(doc, a);
    assert_int_equal(ct_sjson_document_type(doc, a), CT_SJSON_TYPE_NONE);
    assert_int_equal(ct_sjson_document_type(doc, one), CT_SJSON_TYPE_NONE);
    assert_null(ct_sjson_document_key(doc, a));
    expect_position(doc, a, 0, 0);
    expect(doc, "c = 2\n");
}

// --- Keys, moves, copies -------------------------------------------------------------------------

static void renames_keys(void **state) {
    (void)state;
    ct_error error;
    ct_sjson_document *const doc = parse("a   = 1 // one\n\"b\" : 2\nc = 3\n");
    assert_true(ct_sjson_document_rename(doc, at(doc, "a"), "alpha", &error));
    assert_true(ct_sjson_document_rename(doc, at(doc, "b"), "beta", &error));
    assert_true(ct_sjson_document_rename(doc, at(doc, "c"), "c d", &error));
    assert_true(ct_sjson_document_rename(doc, at(doc, "alpha"), "alpha", &error));
    expect(doc, "alpha   = 1 // one\n\"beta\" : 2\n\"c d\" = 3\n");
}

static void a_key_of_the_document_can_be_given_to_another_member(void **state) {
    (void)state;
    ct_error error;
    ct_sjson_document *const doc = parse("a = { b = 1 }\nc = { d = 1 }\n");
    assert_true(ct_sjson_document_rename(doc, at(doc, "a/b"), "a long key", &error));
    for (uint32_t i = 0; i < 5; ++i) {
        const char *const key = ct_sjson_document_key(doc, at(doc, "a/a long key"));
        assert_true(ct_sjson_document_rename(doc, at(doc, "c/d"), key, &error));
        assert_true(ct_sjson_document_rename(doc, at(doc, "c/a long key"), "d", &error));
        insert_member(doc, "c", NULL, ct_sjson_document_key(doc, at(doc, "a/a long key")), "2");
        remove_at(doc, "c/a long key");
    }
    expect(doc, "a = { \"a long key\" = 1 }\nc = { \"d\" = 1 }\n");
}

// Both found by fuzzing.
static void edits_do_not_turn_text_into_something_else(void **state) {
    (void)state;
    ct_error error;
    ct_sjson_document *doc = parse("a=\"\"b=1");
    assert_true(ct_sjson_document_rename(doc, at(doc, "b"), "", &error));
    expect(doc, "a=\"\" \"\"=1"); // not a raw string
    doc = parse("a=1\n\xef\xbb\xbf"
                "b=2\n");
    move(doc,
         "\xef\xbb\xbf"
         "b",
         "", "a");
    expect(doc, " \xef\xbb\xbf"
                "b=2\na=1\n"); // not a byte order mark
    doc = parse("a=1\n\xef\xbb\xbf"
                "b=2\n");
    remove_at(doc, "a");
    expect(doc, " \xef\xbb\xbf"
                "b=2\n");
}

static void moves_within_a_container_with_comments(void **state) {
    (void)state;
    ct_sjson_document *const doc = parse(unit);
    const ct_sjson_node mesh = at(doc, "components/1"), id = at(doc, "components/1/id");
    move(doc, "components/1", "components", "components/0");
    assert_int_equal(at(doc, "components/0").index, mesh.index);
    assert_int_equal(at(doc, "components/0/id").index, id.index);
    move(doc, "inherit", "", NULL);
    move(doc, "components", "", "components"); // to where it is
    expect(doc, "// A crate.\n"
                "\n"
                "components = [\n"
                "    // the mesh\n"
                "    { id = \"9a77\"  type = \"mesh\" }\n"
                "    { id = \"5b1f\"  type = \"transform\" } // first\n"
                "]\n"
                "inherit = \"units/box\" // the base\n");
}

static void moves_to_another_container_with_a_new_indent(void **state) {
    (void)state;
    ct_sjson_document *const doc =
        parse("a = {\n    // of b\n    b = { // open\n        c = 1\n    } // b\n"
              "    x = 1\n}\nd = 2\n");
    const ct_sjson_node b = at(doc, "a/b");
    move(doc, "a/b", "", "d");
    assert_int_equal(at(doc, "b").index, b.index);
    assert_int_equal(ct_sjson_document_parent(doc, b).index, 1);
    expect(doc, "a = {\n    x = 1\n}\n// of b\nb = { // open\n    c = 1\n} // b\nd = 2\n");
}

static void moving_keeps_json_valid(void **state) {
    (void)state;
    ct_sjson_document *const doc = parse("{\n  \"a\": [1, 2, 3],\n  \"b\": []\n}\n");
    move(doc, "a/2", "a", "a/0");
    move(doc, "a/1", "b", NULL);
    move(doc, "b", "", "a");
    expect(doc, "{\n  \"b\": [1],\n  \"a\": [3, 2]\n}\n");
}

static void copies_from_another_document_in_its_own_style(void **state) {
    (void)state;
    ct_error error;
    ct_sjson_document *const from =
        parse("{\n\t\"lights\": [\n\t\t// the lamp\n\t\t{ \"id\": 1,\n"
              "\t\t\t\"x\": [1, 2] }, // lit\n\t\t2\n\t],\n\t\"k\": 1\n}\n");
    ct_sjson_document *const doc = parse("units = [\n    { id = 0  y = 1 }\n]\n");
    assert_true(
        ct_sjson_document_copy(doc, at(doc, "units"), none, from, at(from, "lights/0"), &error)
            .index);
    assert_true(
        ct_sjson_document_copy(doc, at(doc, ""), at(doc, "units"), from, at(from, "k"), &error)
            .index);
    assert_true(
        ct_sjson_document_copy(doc, at(doc, "units"), none, doc, at(doc, "units/0"), &error).index);
    ct_sjson_document_free(from);
    expect(doc, "k = 1\nunits = [\n    { id = 0  y = 1 }\n    // the lamp\n    { id = 1\n"
                "        x = [1 2] } // lit\n    { id = 0  y = 1 }\n]\n");
}

static void edits_as_the_description_of_the_format_shows(void **state) {
    (void)state;
    ct_sjson_document *const doc =
        parse("a = [\n    1\n    // the second\n    2\n    3\n]\nb = true // set in the editor\n");
    remove_at(doc, "a/1");
    insert_element(doc, "a", NULL, "4");
    move(doc, "b", "", "a");
    expect(doc, "b = true // set in the editor\na = [\n    1\n    3\n    4\n]\n");
}

// --- Bad input and bugs --------------------------------------------------------------------------

static void a_wrong_value_is_refused_with_its_place(void **state) {
    (void)state;
    ct_error error = {0};
    ct_sjson_document *const doc = parse("a = [1]\n");
    assert_false(ct_sjson_document_set(doc, at(doc, "a"), "[1\n x]", 6, &error));
    assert_string_equal(error.file, "the new value");
    assert_int_equal(error.line, 2);
    assert_int_equal(error.column, 2);
    assert_non_null(strstr(error.message, "expected a value (strings need quotes), found \"x\""));
    assert_false(ct_sjson_document_set(doc, at(doc, "a"), "1 2", 3, &error));
    assert_non_null(strstr(error.message, "expected the end of the file, found \"2\""));
    assert_false(ct_sjson_document_set(doc, at(doc, "a"), "", 0, &error));
    assert_non_null(strstr(error.message, "expected a value, found the end of the file"));
    assert_false(ct_sjson_document_set(doc, at(doc, "a"), "]", 1, &error));
    assert_non_null(strstr(error.message, "found \"]\""));
    assert_int_equal(
        ct_sjson_document_insert_element(doc, at(doc, "a"), none, "\"", 1, &error).index, 0);
    assert_non_null(strstr(error.message, "no closing quote"));
    expect(doc, "a = [1]\n");
}

static void a_key_that_is_there_is_refused(void **state) {
    (void)state;
    ct_error error = {0};
    ct_sjson_document *const doc = parse("a = 1\nb = { a = 2 }\n");
    assert_int_equal(
        ct_sjson_document_insert_member(doc, at(doc, ""), none, "b", "1", 1, &error).index, 0);
    assert_string_equal(error.message, "the object has a key \"b\" already");
    assert_int_equal(error.line, 2);
    assert_int_equal(error.column, 1);
    assert_false(ct_sjson_document_rename(doc, at(doc, "b"), "a", &error));
    assert_int_equal(error.line, 1);
    assert_false(ct_sjson_document_move(doc, at(doc, "b/a"), at(doc, ""), none, &error));
    assert_non_null(strstr(error.message, "a key \"a\" already"));
    assert_int_equal(
        ct_sjson_document_copy(doc, at(doc, "b"), none, doc, at(doc, "a"), &error).index, 0);
    assert_false(ct_sjson_document_rename(doc, at(doc, "b"), "\xff", &error));
    assert_string_equal(error.message, "the new key is not UTF-8");
    expect(doc, "a = 1\nb = { a = 2 }\n");
}

static void edits_keep_the_limits(void **state) {
    (void)state;
    ct_error error = {0};
    const ct_sjson_limits limits = {.max_depth = 3, .max_bytes = 3000};
    static const char text[] = "a = [[]] b = [1] c = {}";
    ct_sjson_document *const doc =
        ct_sjson_document_parse(test_heap(), text, strlen(text), "t", &limits, &error);
    assert_false(ct_sjson_document_set(doc, at(doc, "b/0"), "[[]]", 4, &error));
    assert_non_null(strstr(error.message, "objects and arrays are nested more than 3 deep"));
    assert_true(ct_sjson_document_set(doc, at(doc, "b/0"), "[]", 2, &error));
    assert_int_equal(
        ct_sjson_document_insert_element(doc, at(doc, "a/0"), none, "[]", 2, &error).index, 0);
    assert_non_null(strstr(error.message, "nested more than 3 deep"));
    assert_false(ct_sjson_document_move(doc, at(doc, "a"), at(doc, "c"), none, &error));
    assert_non_null(strstr(error.message, "nested more than 3 deep"));
    char large[2900];
    memset(large, ' ', sizeof(large));
    memset(large, '"', 1);
    memset(large + sizeof(large) - 1, '"', 1);
    assert_false(ct_sjson_document_set(doc, at(doc, "a"), large, sizeof(large), &error));
    assert_non_null(strstr(error.message, "at most 3000 are allowed"));
    expect_text(doc, "a = [[]] b = [[]] c = {}");
    ct_sjson_document_free(doc);
    assert_null(ct_sjson_document_parse(test_heap(), "a=[[[]]]", 8, "t", &limits, &error));
    assert_non_null(strstr(error.message, "nested more than 3 deep"));
}

static void expect_new_root(const char *text, const char *value, const char *expected) {
    const ct_sjson_limits limits = {.takes_array = true};
    ct_error error = {0};
    ct_sjson_document *const doc =
        ct_sjson_document_parse(test_heap(), text, strlen(text), "t.json", &limits, &error);
    assert_non_null(doc);
    const ct_sjson_node root = ct_sjson_document_root(doc);
    assert_true(ct_sjson_document_set(doc, root, value, strlen(value), &error));
    expect_text(doc, expected);
    // It can be edited like any other.
    const bool is_array = ct_sjson_document_type(doc, root) == CT_SJSON_TYPE_ARRAY;
    const ct_sjson_node added =
        is_array ? ct_sjson_document_insert_element(doc, root, none, "7", 1, &error)
                 : ct_sjson_document_insert_member(doc, root, none, "z", "7", 1, &error);
    assert_int_not_equal(added.index, 0);
    ct_sjson_document_remove(doc, added);
    expect_text(doc, expected);
    ct_sjson_document_free(doc);
}

static void the_root_may_become_another_container(void **state) {
    (void)state;
    expect_new_root("// head\n[1, 2] // end\n", "[1 3]", "// head\n[1, 3] // end\n");
    expect_new_root("{\"a\": 1, \"b\": 2}\n", "[\"a\" 2]", "[\"a\", 2]\n");
    expect_new_root("\xef\xbb\xbf[1]\r\n", "{ a = 1 }", "\xef\xbb\xbf{ a = 1 }\r\n");
    expect_new_root("a = 1\n", "[1]", "[1]");
    expect_new_root("", "[1]", "[1]");
}

static void an_array_may_be_the_root(void **state) {
    (void)state;
    const ct_sjson_limits limits = {.takes_array = true};
    const char text[] = "\xef\xbb\xbf// head\n[\n  1, // one\n  {\"a\": 2}\n] // end";
    ct_error error = {0};
    ct_sjson_document *const doc =
        ct_sjson_document_parse(test_heap(), text, strlen(text), "t.json", &limits, &error);
    assert_non_null(doc);
    expect_text(doc, text);
    const ct_sjson_node root = ct_sjson_document_root(doc);
    assert_int_equal(ct_sjson_document_count(doc, root), 2);
    assert_true(ct_sjson_document_insert_element(doc, root, none, "{ b = [3] }", 11, &error).index);
    assert_true(
        ct_sjson_document_set_number(doc, ct_sjson_document_element(doc, root, 0), 9, &error));
    expect_text(doc, "\xef\xbb\xbf// head\n[\n  9, // one\n  {\"a\": 2},\n  { \"b\": [3] }\n] "
                     "// end");
    ct_sjson_document_remove(doc, ct_sjson_document_element(doc, root, 0));
    expect_text(doc, "\xef\xbb\xbf// head\n[\n  {\"a\": 2},\n  { \"b\": [3] }\n] // end");
    ct_sjson_document_free(doc);
    assert_null(ct_sjson_document_parse(test_heap(), "[1", 2, "t", &limits, &error));
    assert_null(ct_sjson_document_parse(test_heap(), "[1] 2", 5, "t", &limits, &error));
    assert_null(ct_sjson_document_parse(test_heap(), "[1]", 3, "t", NULL, &error));
}

static void set_the_root(void *doc) {
    ct_sjson_document_set(doc, ct_sjson_document_root(doc), "1", 1, NULL);
}

static void remove_none(void *doc) {
    ct_sjson_document_remove(doc, none);
}

static void move_into_itself(void *doc) {
    ct_sjson_document_move(doc, at(doc, "a"), at(doc, "a"), none, NULL);
}

static void insert_an_element_into_an_object(void *doc) {
    ct_sjson_document_insert_element(doc, at(doc, "a"), none, "1", 1, NULL);
}

static void use_a_foreign_node(void *doc) {
    ct_sjson_document_type(doc, (ct_sjson_node){1000});
}

static void remove_the_root(void *doc) {
    ct_sjson_document_remove(doc, ct_sjson_document_root(doc));
}

static void senseless_edits_are_bugs(void **state) {
    (void)state;
    ct_sjson_document *const doc = parse("a = { b = 1 }");
    test_expect_death(set_the_root, doc, "cannot be a scalar");
    test_expect_death(remove_the_root, doc, "is the root or does not exist");
    test_expect_death(remove_none, doc, "is the root or does not exist");
    test_expect_death(move_into_itself, doc, "would move into itself");
    test_expect_death(insert_an_element_into_an_object, doc, "is not an array");
    test_expect_death(use_a_foreign_node, doc, "is not a node of the document");
    ct_sjson_document_free(doc);
}

// --- Properties ----------------------------------------------------------------------------------

static void random_edits_lead_to_the_expected_values(void **state) {
    (void)state;
    static const char *const texts[] = {
        unit,
        "{\n\t\"a\": 1, // one\n\t\"b\": [1, 2, [3, {\"c\": null}]],\n\t\"c\": {\"d\": {}}\n}\n",
        "a=[1\"x\"2]b=\"\"c={}d=[[]]",
        "\xef\xbb\xbf// head\r\n\r\n// of a\r\na = [ // list\r\n  1 /* x */, 2 // two\r\n]\r\n",
        "",
    };
    uint32_t random = 20100603, num_changes = 0;
    for (uint32_t i = 0; i < test_rounds(300, 20000); ++i) {
        ct_sjson_document *const doc = parse(texts[i % CT_COUNT_OF(texts)]);
        for (uint32_t k = 0; k < 20; ++k)
            num_changes += sjson_edit_once(test_heap(), doc, &random);
        ct_sjson_document_free(doc);
    }
    assert_true(num_changes > 1000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(writes_what_it_read),
        cmocka_unit_test(finds_its_way_in_all_directions),
        cmocka_unit_test(gives_the_default_for_other_types),
        cmocka_unit_test(knows_where_nodes_stood_in_the_source),
        cmocka_unit_test(writes_single_values),
        cmocka_unit_test(reads_files_and_names_them),
        cmocka_unit_test(sets_a_value_and_leaves_the_rest),
        cmocka_unit_test(sets_numbers_and_strings),
        cmocka_unit_test(a_set_node_stays_and_what_was_below_it_goes),
        cmocka_unit_test(values_that_touch_are_kept_apart),
        cmocka_unit_test(a_new_value_takes_the_documents_indent),
        cmocka_unit_test(a_new_value_takes_json_or_sjson_style),
        cmocka_unit_test(a_new_value_takes_the_line_ends),
        cmocka_unit_test(appends_like_the_siblings),
        cmocka_unit_test(inserts_before_a_value_and_its_comments),
        cmocka_unit_test(inserts_into_json_with_commas),
        cmocka_unit_test(a_comma_after_the_last_stays_a_custom),
        cmocka_unit_test(a_comma_stands_before_the_comment_of_its_line),
        cmocka_unit_test(fills_empty_containers),
        cmocka_unit_test(fills_an_empty_text),
        cmocka_unit_test(a_missing_line_end_at_the_end_stays_missing),
        cmocka_unit_test(a_text_on_one_line_stays_on_one_line),
        cmocka_unit_test(comments_before_a_copy_stay_with_it),
        cmocka_unit_test(keys_get_quotes_where_they_need_them),
        cmocka_unit_test(ten_thousand_elements_are_inserted_in_order),
        cmocka_unit_test(removes_values_with_their_comments),
        cmocka_unit_test(comments_apart_from_a_removed_value_stay),
        cmocka_unit_test(commas_go_with_removed_values),
        cmocka_unit_test(removing_leaves_no_gaps_on_a_line),
        cmocka_unit_test(a_line_comment_never_swallows_what_follows),
        cmocka_unit_test(removes_the_first_and_the_only_member_of_a_text),
        cmocka_unit_test(a_removed_node_reads_as_none),
        cmocka_unit_test(renames_keys),
        cmocka_unit_test(a_key_of_the_document_can_be_given_to_another_member),
        cmocka_unit_test(edits_do_not_turn_text_into_something_else),
        cmocka_unit_test(moves_within_a_container_with_comments),
        cmocka_unit_test(moves_to_another_container_with_a_new_indent),
        cmocka_unit_test(moving_keeps_json_valid),
        cmocka_unit_test(copies_from_another_document_in_its_own_style),
        cmocka_unit_test(edits_as_the_description_of_the_format_shows),
        cmocka_unit_test(a_wrong_value_is_refused_with_its_place),
        cmocka_unit_test(a_key_that_is_there_is_refused),
        cmocka_unit_test(edits_keep_the_limits),
        cmocka_unit_test(the_root_may_become_another_container),
        cmocka_unit_test(an_array_may_be_the_root),
        cmocka_unit_test(senseless_edits_are_bugs),
        cmocka_unit_test(random_edits_lead_to_the_expected_values),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
