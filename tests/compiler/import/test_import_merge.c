#include "compiler/import/import_merge.h"

#include <string.h>

#include "foundation/memory/temp_allocator.h"
#include "foundation/string/string_builder.h"
#include "support/test_support.h"

typedef struct merge_case {
    const char *file, *base, *wanted; // base NULL: there was no import before
    const char *result;               // NULL: as `file`
    const char *note;                 // part of the only one; NULL: none
} merge_case;

static const ct_sjson *parse(ct_allocator *a, const char *text) {
    ct_error error = {0};
    const ct_sjson *const doc =
        text ? ct_sjson_parse(a, text, strlen(text), "t", NULL, &error) : NULL;
    if (text && !doc)
        fail_msg("%s", error.message);
    return doc;
}

static void expect(const merge_case *m) {
    CT_TEMP_ALLOCATOR(a, test_heap());
    ct_error error = {0};
    ct_sjson_document *const doc =
        ct_sjson_document_parse(a, m->file, strlen(m->file), "t", NULL, &error);
    ct_string_array notes;
    ct_array_init(&notes, a);
    assert_non_null(doc);
    if (!ct_import_merge(a, doc, parse(a, m->base), parse(a, m->wanted), &notes, &error))
        fail_msg("%s", error.message);
    ct_string_builder out;
    ct_string_builder_init(&out, a);
    ct_sjson_document_write(doc, &out);
    assert_string_equal(ct_string_builder_text(&out), m->result ? m->result : m->file);
    assert_int_equal(notes.count, m->note ? 1 : 0);
    if (m->note && !strstr(notes.items[0], m->note))
        fail_msg("found the note \"%s\", expected one with \"%s\"", notes.items[0], m->note);
}

static void takes_what_nobody_changed(void **state) {
    (void)state;
    expect(&(merge_case){"a = 1 // one\n", "a = 1", "a = 2", "a = 2 // one\n", NULL});
    expect(&(merge_case){"a = { b = [1 2] }\n", "a = { b = [1 2] }", "a = { b = [3] }",
                         "a = { b = [3] }\n", NULL});
    expect(&(merge_case){"a = 1\n", "a = 1", "a = 1\nb = \"x\"", "a = 1\nb = \"x\"\n", NULL});
    expect(&(merge_case){"a = 1\nb = 2\n", "a = 1\nb = 2", "a = 1", "a = 1\n", NULL});
}

static void keeps_what_a_person_changed(void **state) {
    (void)state;
    expect(&(merge_case){"a = 5\n", "a = 1", "a = 1", NULL, NULL});
    expect(&(merge_case){"a = 5\n", "a = 1", "a = 2", NULL,
                         "a: was changed by hand and is kept (the model has 2)"});
    expect(&(merge_case){"a = 2\n", "a = 1", "a = 2", NULL, NULL}); // both the same
    expect(&(merge_case){"a = \"x\"\n", "a = { b = 1 }", "a = { b = 2 }", NULL, "a: was changed"});
    expect(&(merge_case){"a = 5\n", NULL, "a = 1", NULL, "a: was changed"});
}

static void keeps_what_a_person_added_or_removed(void **state) {
    (void)state;
    expect(&(merge_case){"a = 1\nmine = 2\n", "a = 1", "a = 1", NULL, NULL});
    expect(&(merge_case){"b = 1\n", "a = 1\nb = 1", "a = 1\nb = 1", NULL, NULL});
    expect(&(merge_case){"b = 1\n", "a = 1\nb = 1", "a = 2\nb = 1", NULL,
                         "a: was removed by hand and is not restored (the model has 2)"});
}

static void removes_what_vanished_unless_changed(void **state) {
    (void)state;
    expect(
        &(merge_case){"a = 1\nb = { c = 1 }\n", "a = 1\nb = { c = 1 }", "a = 1", "a = 1\n", NULL});
    expect(&(merge_case){"a = 1\nb = { c = 2 }\n", "a = 1\nb = { c = 1 }", "a = 1", NULL,
                         "b: is no longer in the model, but was changed by hand and is kept"});
}

static void compares_elements_by_their_ids(void **state) {
    (void)state;
    const char *const base = "l = [{ id = \"x\"  v = 1 }, { id = \"y\"  v = 1 }]";
    // In another order, one changed by a person, one by the model.
    expect(&(merge_case){"l = [\n    { id = \"y\"  v = 7 }\n    { id = \"x\"  v = 1 }\n]\n", base,
                         "l = [{ id = \"x\"  v = 2 }, { id = \"y\"  v = 1 }]",
                         "l = [\n    { id = \"y\"  v = 7 }\n    { id = \"x\"  v = 2 }\n]\n", NULL});
    expect(&(merge_case){"l = [\n    { id = \"x\"  v = 1 }\n    { id = \"m\" }\n]\n", base,
                         "l = [{ id = \"x\"  v = 1 }, { id = \"y\"  v = 1 }, { id = \"z\" }]",
                         "l = [\n    { id = \"x\"  v = 1 }\n    { id = \"m\" }\n"
                         "    { id = \"z\" }\n]\n",
                         NULL});
    expect(&(merge_case){"l = [\n    { id = \"x\"  v = 1 }\n    { id = \"y\"  v = 1 }\n]\n", base,
                         "l = [{ id = \"y\"  v = 1 }]", "l = [\n    { id = \"y\"  v = 1 }\n]\n",
                         NULL});
}

static void names_elements_in_notes(void **state) {
    (void)state;
    expect(&(merge_case){"l = [{ id = \"x\"  name = \"door\"  v = 7 }]\n",
                         "l = [{ id = \"x\"  name = \"door\"  v = 1 }]",
                         "l = [{ id = \"x\"  name = \"door\"  v = 2 }]", NULL,
                         "l.door.v: was changed by hand"});
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(takes_what_nobody_changed),
        cmocka_unit_test(keeps_what_a_person_changed),
        cmocka_unit_test(keeps_what_a_person_added_or_removed),
        cmocka_unit_test(removes_what_vanished_unless_changed),
        cmocka_unit_test(compares_elements_by_their_ids),
        cmocka_unit_test(names_elements_in_notes),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
