// The line of the overlay: what is typed, where the caret goes, and what the history gives back.
#include "dev/overlay/overlay_line.h"

#include <stdio.h>
#include <string.h>

#include "support/test_support.h"

static ct_overlay_line line;

static int clear(void **state) {
    (void)state;
    line = (ct_overlay_line){.num_bytes = 0};
    return 0;
}

static void type(const char *text) {
    ct_overlay_line_insert(&line, text);
}

static void edit(ct_overlay_edit what, uint32_t times) {
    for (uint32_t i = 0; i < times; ++i)
        ct_overlay_line_edit(&line, what);
}

static const char *enter(void) {
    static char entered[CT_OVERLAY_LINE_BYTES];
    return ct_overlay_line_enter(&line, entered) ? entered : NULL;
}

static void expect(const char *text, uint32_t caret) {
    assert_string_equal(line.text, text);
    assert_int_equal(line.num_bytes, strlen(text));
    assert_int_equal(line.caret, caret);
}

static void inserts_at_the_caret(void **state) {
    (void)state;
    type("ac");
    edit(CT_OVERLAY_EDIT_LEFT, 1);
    type("b");
    expect("abc", 2);
    edit(CT_OVERLAY_EDIT_HOME, 1);
    type("<");
    edit(CT_OVERLAY_EDIT_END, 1);
    type(">");
    expect("<abc>", 5);
}

static void moves_and_removes_whole_characters(void **state) {
    (void)state;
    type("a\xc3\xa4\xe2\x82\xac\xf0\x9f\x8e\xb2"); // of 1, 2, 3 and 4 bytes
    edit(CT_OVERLAY_EDIT_LEFT, 1);
    assert_int_equal(line.caret, 6);
    edit(CT_OVERLAY_EDIT_LEFT, 2);
    assert_int_equal(line.caret, 1);
    edit(CT_OVERLAY_EDIT_RIGHT, 2);
    edit(CT_OVERLAY_EDIT_BACKSPACE, 1);
    expect("a\xc3\xa4\xf0\x9f\x8e\xb2", 3);
    edit(CT_OVERLAY_EDIT_DELETE, 1);
    expect("a\xc3\xa4", 3);
}

static void stays_at_its_ends(void **state) {
    (void)state;
    edit(CT_OVERLAY_EDIT_LEFT, 1);
    edit(CT_OVERLAY_EDIT_RIGHT, 1);
    edit(CT_OVERLAY_EDIT_BACKSPACE, 1);
    edit(CT_OVERLAY_EDIT_DELETE, 1);
    edit(CT_OVERLAY_EDIT_OLDER, 1);
    edit(CT_OVERLAY_EDIT_NEWER, 1);
    expect("", 0);
    type("x");
    edit(CT_OVERLAY_EDIT_RIGHT, 3);
    edit(CT_OVERLAY_EDIT_DELETE, 1);
    expect("x", 1);
}

static void ignores_what_is_no_text_or_does_not_fit(void **state) {
    (void)state;
    type("a\tb\n\x7f");
    expect("ab", 2);
    type("\xc3"); // half a character
    expect("ab", 2);
    char longest[CT_OVERLAY_LINE_BYTES];
    memset(longest, 'y', sizeof(longest));
    longest[CT_OVERLAY_LINE_BYTES - 1] = '\0';
    type(longest);
    expect("ab", 2);
    edit(CT_OVERLAY_EDIT_BACKSPACE, 2);
    type(longest);
    assert_int_equal(line.num_bytes, CT_OVERLAY_LINE_BYTES - 1);
    type("z");
    assert_int_equal(line.num_bytes, CT_OVERLAY_LINE_BYTES - 1);
}

static void enters_what_is_not_blank(void **state) {
    (void)state;
    assert_null(enter());
    type("  ");
    assert_null(enter());
    type("go()");
    assert_string_equal(enter(), "  go()");
    expect("", 0);
}

static void shows_the_history_and_gives_back_what_was_being_typed(void **state) {
    (void)state;
    type("one"), enter();
    type("two"), enter();
    type("draft");
    edit(CT_OVERLAY_EDIT_OLDER, 1);
    expect("two", 3);
    edit(CT_OVERLAY_EDIT_OLDER, 2);
    expect("one", 3);
    edit(CT_OVERLAY_EDIT_NEWER, 1);
    expect("two", 3);
    edit(CT_OVERLAY_EDIT_NEWER, 2);
    expect("draft", 5);
}

static void enters_a_changed_line_of_the_history_as_a_new_one(void **state) {
    (void)state;
    type("a = 1"), enter();
    edit(CT_OVERLAY_EDIT_OLDER, 1);
    type("0");
    assert_string_equal(enter(), "a = 10");
    edit(CT_OVERLAY_EDIT_OLDER, 1);
    expect("a = 10", 6);
    edit(CT_OVERLAY_EDIT_OLDER, 1);
    expect("a = 1", 5);
}

static void keeps_the_last_lines_and_no_repeats(void **state) {
    (void)state;
    for (uint32_t i = 0; i < CT_OVERLAY_HISTORY + 5; ++i) {
        char text[16];
        snprintf(text, sizeof(text), "%u", i);
        type(text), enter();
        type(text), enter();
    }
    edit(CT_OVERLAY_EDIT_OLDER, CT_OVERLAY_HISTORY + 50);
    expect("5", 1);
    edit(CT_OVERLAY_EDIT_NEWER, CT_OVERLAY_HISTORY - 1);
    expect("68", 2);
    edit(CT_OVERLAY_EDIT_NEWER, 1);
    expect("", 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(inserts_at_the_caret, clear),
        cmocka_unit_test_setup(moves_and_removes_whole_characters, clear),
        cmocka_unit_test_setup(stays_at_its_ends, clear),
        cmocka_unit_test_setup(ignores_what_is_no_text_or_does_not_fit, clear),
        cmocka_unit_test_setup(enters_what_is_not_blank, clear),
        cmocka_unit_test_setup(shows_the_history_and_gives_back_what_was_being_typed, clear),
        cmocka_unit_test_setup(enters_a_changed_line_of_the_history_as_a_new_one, clear),
        cmocka_unit_test_setup(keeps_the_last_lines_and_no_repeats, clear),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
