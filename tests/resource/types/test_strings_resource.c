#include "resource/blob/blob_fixtures.h"

#include <stdio.h>

static const ct_strings_resource *fixture_of(ct_blob_writer *w) {
    write_strings(w);
    assert_accepted(ct_strings_validate, w->bytes.items);
    return (const ct_strings_resource *)(const void *)w->bytes.items;
}

static const char *text_of(const ct_strings_resource *s, const char *key, const double *count) {
    const ct_strings_entry *const entry = ct_strings_find(s, key, strlen(key));
    return entry ? ct_blob_at(s, ct_strings_text(s, entry, count).offset) : NULL;
}

static void finds_texts_by_key(void **state) {
    (void)state;
    ct_blob_writer w;
    const ct_strings_resource *const s = fixture_of(&w);
    assert_string_equal(text_of(s, "title", NULL), "{{Crates}}");
    assert_string_equal(text_of(s, "apples", NULL), "apples");
    assert_null(text_of(s, "appl", NULL));
    assert_null(text_of(s, "", NULL));
    assert_null(ct_strings_find(s, "title\0", 6));
    ct_blob_writer_free(&w);
}

static void picks_the_form_of_a_number(void **state) {
    (void)state;
    ct_blob_writer w;
    const ct_strings_resource *const s = fixture_of(&w);
    const struct {
        double count;
        const char *text;
    } cases[] = {{1, "{count} apple"},   {-1, "{count} apple"}, {3, "{count} apples"},
                 {22, "{count} apples"}, {13, "apples"},        {1.5, "apples"},
                 {2.5, "apples"}};
    for (uint32_t i = 0; i < CT_COUNT_OF(cases); ++i)
        assert_string_equal(text_of(s, "apples", &cases[i].count), cases[i].text);
    // What has one form has it for every number.
    assert_string_equal(text_of(s, "title", &cases[0].count), "{{Crates}}");
    ct_blob_writer_free(&w);
}

// A key that has another's id is not taken for it.
static void compares_the_keys_text(void **state) {
    (void)state;
    ct_blob_writer w;
    const ct_strings_resource *const s = fixture_of(&w);
    ct_strings_entry *const entry = ITEM(ct_strings_entry, w.bytes.items, s->entries, 0);
    const ct_blob_string key = entry->key;
    w.bytes.items[key.offset] ^= 1;
    assert_null(ct_strings_find(s, key.bytes == 5 ? "title" : "apples", key.bytes));
    ct_blob_writer_free(&w);
}

static void refuses_entries_out_of_order(void **state) {
    (void)state;
    ct_blob_writer w;
    const ct_strings_resource *const s = fixture_of(&w);
    ct_strings_entry *const entry = ITEM(ct_strings_entry, w.bytes.items, s->entries, 1);
    entry->id = ITEM(ct_strings_entry, w.bytes.items, s->entries, 0)->id;
    assert_refused(ct_strings_validate, w.bytes.items,
                   "entries[1]: out of order; expected entries sorted by id");
    ct_blob_writer_free(&w);
}

static void refuses_forms_outside_of_the_table(void **state) {
    (void)state;
    ct_blob_writer w;
    const ct_strings_resource *const s = fixture_of(&w);
    ct_strings_entry *const entry = ITEM(ct_strings_entry, w.bytes.items, s->entries, 0);
    const ct_strings_entry before = *entry;
    entry->num_forms = 0;
    assert_refused(ct_strings_validate, w.bytes.items, "entries[0]: found forms");
    entry->num_forms = UINT32_MAX;
    assert_refused(ct_strings_validate, w.bytes.items, "entries[0]: found forms");
    *entry = before;
    entry->first_form = 5;
    assert_refused(ct_strings_validate, w.bytes.items, "entries[0]: found forms 5 +");
    entry->first_form = 1;
    entry->num_forms = 1;
    assert_refused(ct_strings_validate, w.bytes.items, "its first form is not \"other\"");
    ct_blob_writer_free(&w);
}

static void refuses_forms_that_are_wrong(void **state) {
    (void)state;
    ct_blob_writer w;
    const ct_strings_resource *const s = fixture_of(&w);
    ct_strings_form *const form = ITEM(ct_strings_form, w.bytes.items, s->forms, 2);
    form->category = CT_PLURAL_ONE;
    assert_refused(ct_strings_validate, w.bytes.items, "its forms are not sorted");
    form->category = CT_PLURAL_COUNT;
    assert_refused(ct_strings_validate, w.bytes.items, "forms[2]: unknown category 6");
    form->category = CT_PLURAL_FEW;
    form->text.offset = 1 << 30;
    assert_refused(ct_strings_validate, w.bytes.items, "forms[2].text");
    ct_blob_writer_free(&w);
}

static void refuses_rules_that_are_wrong(void **state) {
    (void)state;
    ct_blob_writer w;
    const ct_strings_resource *const s = fixture_of(&w);
    ct_plural_relation *const rule = ITEM(ct_plural_relation, w.bytes.items, s->rules, 4);
    rule->is_last = 0;
    assert_refused(ct_strings_validate, w.bytes.items, "rules[4]: the last group does not end");
    rule->is_last = 1;
    rule->operand = 9;
    assert_refused(ct_strings_validate, w.bytes.items, "rules[4]: unknown category");
    rule->operand = 0;
    rule->first = 2;
    assert_refused(ct_strings_validate, w.bytes.items, "or range from 2 to 0");
    ct_blob_writer_free(&w);
}

// --- Placeholders --------------------------------------------------------------------------------

// Writes the pieces of `text` one after the other: `t:` a text, `p:` a placeholder, `w:` wrong.
static const char *pieces_of(const char *text) {
    static char out[256];
    const char *at = text;
    const char *const end = text + strlen(text);
    ct_strings_piece piece;
    size_t length = 0;
    out[0] = '\0';
    while (ct_strings_next_piece(&at, end, &piece))
        length += (size_t)snprintf(out + length, sizeof(out) - length, "%c:%.*s|",
                                   "?tpw"[piece.kind], (int)piece.bytes, piece.text);
    return out;
}

static void takes_texts_apart(void **state) {
    (void)state;
    assert_string_equal(pieces_of(""), "");
    assert_string_equal(pieces_of("no braces"), "t:no braces|");
    assert_string_equal(pieces_of("{a} of {b_2}"), "p:a|t: of |p:b_2|");
    assert_string_equal(pieces_of("{{a}}"), "t:{|t:a|t:}|");
    assert_string_equal(pieces_of("{{{a}}}"), "t:{|p:a|t:}|");
}

static void tells_braces_that_are_no_placeholder(void **state) {
    (void)state;
    assert_string_equal(pieces_of("{"), "w:{|");
    assert_string_equal(pieces_of("}"), "w:}|");
    assert_string_equal(pieces_of("{}"), "w:{|w:}|");
    assert_string_equal(pieces_of("{a"), "w:{|t:a|");
    assert_string_equal(pieces_of("{1}"), "w:{|t:1|w:}|");
    assert_string_equal(pieces_of("{a b}"), "w:{|t:a b|w:}|");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_texts_by_key),
        cmocka_unit_test(picks_the_form_of_a_number),
        cmocka_unit_test(compares_the_keys_text),
        cmocka_unit_test(refuses_entries_out_of_order),
        cmocka_unit_test(refuses_forms_outside_of_the_table),
        cmocka_unit_test(refuses_forms_that_are_wrong),
        cmocka_unit_test(refuses_rules_that_are_wrong),
        cmocka_unit_test(takes_texts_apart),
        cmocka_unit_test(tells_braces_that_are_no_placeholder),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
