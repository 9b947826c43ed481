#include "foundation/sjson/sjson_document.h"

#include <string.h>

#include "support/test_support.h"

static const char *const texts[] = {
    "",
    "// only\n",
    "a = 1",
    "{}",
    " { a = [] } // end",
    "{\n\t\"a\": 1, // one\n\t\"b\": [1, 2, [3, {\"c\": null}]],\n\t\"c\": {\"d\": {}}\n}\n",
    "a=[1\"x\"2]b=\"\"c={}d=[[]]",
    "a = [[1 [2]] [[[]] /* x */] // y\n ] b = { c = { d = [{} { e = \"\"\"z\"\"\" }] } }\n\n",
    "\xef\xbb\xbf// head\r\n\r\n// of a\r\na = [ // list\r\n  [1, 2,], /* x */ [], // two\r\n]\r\n",
    "// A crate.\nunits = [\n    // first\n    { id = \"a\"  position = [0 0 1] }\n\n    { id = "
    "\"b\" }"
    " // second\n    { id = \"c\"\n      children = [ { id = \"d\" } ]\n    }\n]\nname = \"x\"",
};

// Opens what the bits say, one after the other.
static bool is_open(void *user, ct_sjson_value container) {
    (void)container;
    uint32_t *const bits = user;
    const bool open = *bits & 1;
    *bits = *bits >> 1 | *bits << 31;
    return open;
}

static ct_sjson *parse(const char *text) {
    ct_error error = {0};
    ct_sjson *const tape = ct_sjson_parse(test_heap(), text, strlen(text), "test", NULL, &error);
    if (!tape)
        fail_msg("%s in %s", error.message, text);
    return tape;
}

static ct_sjson_document *outline(const char *text, uint32_t bits) {
    return ct_sjson_document_outline(parse(text), text, strlen(text), NULL, is_open, &bits);
}

static ct_sjson_document *document(const char *text) {
    ct_error error = {0};
    return ct_sjson_document_parse(test_heap(), text, strlen(text), "test", NULL, &error);
}

// What is to be the same of a document and its outline: the text, or that of a node.
static void expect_same(const ct_sjson_document *a, ct_sjson_node x, const ct_sjson_document *b,
                        ct_sjson_node y) {
    ct_string_builder one, two;
    ct_string_builder_init(&one, test_heap());
    ct_string_builder_init(&two, test_heap());
    if (x.index) {
        ct_sjson_document_write_value(a, x, &one);
        ct_sjson_document_write_value(b, y, &two);
    } else {
        ct_sjson_document_write(a, &one);
        ct_sjson_document_write(b, &two);
    }
    assert_string_equal(ct_string_builder_text(&one), ct_string_builder_text(&two));
    ct_string_builder_free(&one);
    ct_string_builder_free(&two);
}

typedef void (*edit)(ct_sjson_document *doc, ct_sjson_node node);

static void set_it(ct_sjson_document *doc, ct_sjson_node node) {
    ct_error error = {0};
    assert_true(ct_sjson_document_set(doc, node, "[1]", 3, &error));
}

static void move_it_first(ct_sjson_document *doc, ct_sjson_node node) {
    ct_error error = {0};
    const ct_sjson_node parent = ct_sjson_document_parent(doc, node);
    assert_true(
        ct_sjson_document_move(doc, node, parent, ct_sjson_document_first(doc, parent), &error));
}

static void leave_it(ct_sjson_document *doc, ct_sjson_node node) {
    (void)doc;
    (void)node;
}

// Nodes of a document are the entries of its tape.
static void expect_same_edit(const char *text, uint32_t bits, uint32_t entry, edit make) {
    ct_sjson_document *const part = outline(text, bits), *const whole = document(text);
    const ct_sjson_node node = ct_sjson_document_outlined(part, (ct_sjson_value){entry});
    if (node.index) {
        const ct_sjson_node other = {entry};
        assert_int_equal(ct_sjson_document_type(part, node), ct_sjson_document_type(whole, other));
        uint32_t line, column, other_line, other_column;
        ct_sjson_document_position(part, node, &line, &column);
        ct_sjson_document_position(whole, other, &other_line, &other_column);
        assert_int_equal(line, other_line);
        assert_int_equal(column, other_column);
        expect_same(part, node, whole, other);
        make(part, node);
        make(whole, other);
        expect_same(part, (ct_sjson_node){0}, whole, (ct_sjson_node){0});
    }
    ct_sjson_document_free(part);
    ct_sjson_document_free(whole);
}

static void is_the_document_where_it_is_open(void **state) {
    (void)state;
    const edit edits[] = {leave_it, set_it, move_it_first, ct_sjson_document_remove};
    uint32_t random = 20100603;
    for (uint32_t i = 0; i < CT_COUNT_OF(texts); ++i) {
        ct_sjson *const tape = parse(texts[i]);
        const uint32_t count = tape->entries.count;
        ct_sjson_free(tape);
        for (uint32_t k = 0; k < 40; ++k) {
            const uint32_t bits = k == 0 ? 0 : k == 1 ? UINT32_MAX : test_random(&random);
            for (uint32_t entry = 2; entry < count; ++entry) {
                for (uint32_t n = 0; n < CT_COUNT_OF(edits); ++n)
                    expect_same_edit(texts[i], bits, entry, edits[n]);
            }
        }
    }
}

static void has_nodes_only_where_it_is_open(void **state) {
    (void)state;
    ct_sjson_document *const doc = outline("a = [1 [2 3]] b = { c = 1 }", 1);
    const ct_sjson_node a = ct_sjson_document_outlined(doc, (ct_sjson_value){2});
    const ct_sjson_node inner = ct_sjson_document_outlined(doc, (ct_sjson_value){4});
    assert_string_equal(ct_sjson_document_key(doc, a), "a");
    assert_int_equal(ct_sjson_document_count(doc, inner), 2);
    assert_int_equal(ct_sjson_document_first(doc, inner).index, 0);
    assert_int_equal(ct_sjson_document_outlined(doc, (ct_sjson_value){5}).index, 0);
    const ct_sjson_node b = ct_sjson_document_next(doc, a);
    assert_int_equal(ct_sjson_document_first(doc, b).index, 0);
    assert_int_equal(ct_sjson_document_outlined(doc, (ct_sjson_value){7}).index, b.index);
    ct_sjson_document_free(doc);
}

static void may_be_edited_like_a_document(void **state) {
    (void)state;
    ct_error error = {0};
    ct_sjson_document *const doc =
        outline("units = [\n    { id = \"a\" }\n    { id = \"b\" x = [1] }\n]\n", 1);
    const ct_sjson_node units = ct_sjson_document_first(doc, ct_sjson_document_root(doc));
    const ct_sjson_node node = ct_sjson_document_insert_element(
        doc, units, ct_sjson_document_last(doc, units), "{ y = [2] }", 11, &error);
    assert_int_not_equal(node.index, 0);
    assert_int_equal(ct_sjson_document_count(doc, node), 1);
    ct_sjson_document *const expected =
        document("units = [\n    { id = \"a\" }\n    { y = [2] }\n    { id = \"b\" x = [1] }\n]\n");
    expect_same(doc, (ct_sjson_node){0}, expected, (ct_sjson_node){0});
    ct_sjson_document_free(doc);
    ct_sjson_document_free(expected);
}

static void copy_a_closed_one(void *doc) {
    ct_error error = {0};
    const ct_sjson_node a = ct_sjson_document_first(doc, ct_sjson_document_root(doc));
    ct_sjson_document *const other = document("");
    ct_sjson_document_copy(other, ct_sjson_document_root(other), (ct_sjson_node){0}, doc, a,
                           &error);
}

static void copying_what_is_closed_is_a_bug(void **state) {
    (void)state;
    ct_sjson_document *const doc = outline("a = [1]", 0);
    test_expect_death(copy_a_closed_one, doc, "is not open");
    ct_sjson_document_free(doc);
}

// Writes the outline of each text whose memory was taken away after `keep`.
static void expect_kept(void (*keep)(ct_sjson_document *doc)) {
    for (uint32_t i = 0; i < CT_COUNT_OF(texts); ++i) {
        uint32_t bits = 5;
        char *const text = ct_copy_string(test_heap(), texts[i]);
        ct_sjson_document *const doc =
            ct_sjson_document_outline(parse(text), text, strlen(text), NULL, is_open, &bits);
        ct_sjson_document *const whole = document(text);
        expect_same(doc, (ct_sjson_node){0}, whole, (ct_sjson_node){0});
        keep(doc);
        keep(whole);
        memset(text, 'x', strlen(text));
        ct_free(test_heap(), text);
        expect_same(doc, (ct_sjson_node){0}, whole, (ct_sjson_node){0});
        ct_sjson_document_free(doc);
        ct_sjson_document_free(whole);
    }
}

static void insert_at_end(ct_sjson_document *doc) {
    ct_error error = {0};
    assert_true(ct_sjson_document_insert_member(doc, ct_sjson_document_root(doc),
                                                (ct_sjson_node){0}, "new", "[1]", 3, &error)
                    .index);
}

static void borrows_its_text_until_told_or_edited(void **state) {
    (void)state;
    expect_kept(ct_sjson_document_own_text);
    expect_kept(insert_at_end);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_the_document_where_it_is_open),
        cmocka_unit_test(has_nodes_only_where_it_is_open),
        cmocka_unit_test(may_be_edited_like_a_document),
        cmocka_unit_test(copying_what_is_closed_is_a_bug),
        cmocka_unit_test(borrows_its_text_until_told_or_edited),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
