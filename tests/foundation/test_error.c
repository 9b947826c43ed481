#include "foundation/error.h"
#include "foundation/os/os.h"
#include "support/test_support.h"

#include <string.h>

static void set_fills_and_returns_false(void **state) {
    (void)state;
    ct_error error;
    assert_false(ct_error_set(&error, "expected %d, got %s", 3, "four"));
    assert_string_equal(error.message, "expected 3, got four");
    assert_string_equal(error.file, "");
    assert_int_equal(error.line, 0);
    assert_int_equal(error.column, 0);
}

static void nobody_may_want_the_error(void **state) {
    (void)state;
    assert_false(ct_error_set(NULL, "x"));
    assert_false(ct_error_set_at(NULL, "f", 1, 2, "x"));
}

static void wraps_its_own_message(void **state) {
    (void)state;
    ct_error error;
    ct_error_set_at(&error, "a.unit", 3, 4, "inner");
    ct_error_set_at(&error, error.file, error.line, 5, "outer: %s", error.message);
    assert_string_equal(error.message, "outer: inner");
    assert_string_equal(error.file, "a.unit");
    assert_int_equal(error.line, 3);
    assert_int_equal(error.column, 5);
}

static void cuts_long_messages_between_characters(void **state) {
    (void)state;
    char text[2 * CT_ERROR_MESSAGE_BYTES];
    memset(text, 'x', sizeof(text));
    memcpy(text + CT_ERROR_MESSAGE_BYTES - 2, "\xc3\xa4", 2); // the cut falls into it
    text[sizeof(text) - 1] = 0;
    ct_error error;
    ct_error_set(&error, "%s", text);
    assert_int_equal(strlen(error.message), CT_ERROR_MESSAGE_BYTES - 2);
    assert_int_equal(error.message[CT_ERROR_MESSAGE_BYTES - 3], 'x');
}

static void format_leaves_out_what_is_unknown(void **state) {
    (void)state;
    char text[256];
    ct_error error;
    ct_error_set_at(&error, "units/a.unit", 3, 14, "bad");
    ct_error_format(&error, text, sizeof(text));
    assert_string_equal(text, "units/a.unit:3:14: error: bad");
    ct_error_set_at(&error, "units/a.unit", 3, 0, "bad");
    ct_error_format(&error, text, sizeof(text));
    assert_string_equal(text, "units/a.unit:3: error: bad");
    ct_error_set_at(&error, "units/a.unit", 0, 0, "bad");
    ct_error_format(&error, text, sizeof(text));
    assert_string_equal(text, "units/a.unit: error: bad");
    ct_error_set_at(&error, NULL, 2, 1, "bad");
    ct_error_format(&error, text, sizeof(text));
    assert_string_equal(text, "2:1: error: bad");
    ct_error_set(&error, "bad");
    ct_error_format(&error, text, sizeof(text));
    assert_string_equal(text, "error: bad");
    ct_error_format_warning(&error, text, sizeof(text));
    assert_string_equal(text, "warning: bad");
    ct_error_set_at(&error, "units/a.unit", 3, 14, "odd");
    ct_error_format_warning(&error, text, sizeof(text));
    assert_string_equal(text, "units/a.unit:3:14: warning: odd");
    ct_error_set(&error, "bad");
    ct_error_format(&error, text, 8);
    assert_string_equal(text, "error: ");
}

static void contexts_hold_for_their_scope(void **state) {
    (void)state;
    uint32_t count = 0;
    {
        CT_ERROR_CONTEXT("spawning level", "big_world");
        {
            CT_ERROR_CONTEXT("spawning unit", "big_bird");
            const ct_error_context *const contexts = ct_error_contexts(&count);
            assert_int_equal(count, 2);
            assert_string_equal(contexts[0].what, "spawning level");
            assert_string_equal(contexts[0].name, "big_world");
            assert_string_equal(contexts[1].what, "spawning unit");
            assert_string_equal(contexts[1].name, "big_bird");
        }
        assert_int_equal(ct_error_context_depth(), 1);
    }
    ct_error_contexts(&count);
    assert_int_equal(count, 0);
}

static void restore_pops_what_unwinding_left(void **state) {
    (void)state;
    const uint32_t before = ct_error_context_depth();
    ct_error_context_push("a", "1");
    ct_error_context_push("b", "2");
    ct_error_context_restore(&before);
    assert_int_equal(ct_error_context_depth(), before);
}

static void contexts_beyond_the_limit_are_counted(void **state) {
    (void)state;
    const uint32_t before = ct_error_context_depth();
    for (uint32_t i = 0; i < CT_ERROR_MAX_CONTEXTS + 10; ++i)
        assert_int_equal(ct_error_context_push("deep", "er"), before + i);
    uint32_t count = 0;
    ct_error_contexts(&count);
    assert_int_equal(count, CT_ERROR_MAX_CONTEXTS);
    assert_int_equal(ct_error_context_depth(), CT_ERROR_MAX_CONTEXTS + 10);
    ct_error_context_restore(&before);
    assert_int_equal(ct_error_context_depth(), before);
}

static void note_depth(void *data) {
    *(uint32_t *)data = ct_error_context_depth();
    ct_error_context_push("of another", "thread");
}

static void each_thread_has_its_own_contexts(void **state) {
    (void)state;
    CT_ERROR_CONTEXT("on the", "main thread");
    uint32_t depth = 99;
    ct_thread_join(ct_thread_start("other", note_depth, &depth));
    assert_int_equal(depth, 0);
    assert_int_equal(ct_error_context_depth(), 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(set_fills_and_returns_false),
        cmocka_unit_test(nobody_may_want_the_error),
        cmocka_unit_test(wraps_its_own_message),
        cmocka_unit_test(cuts_long_messages_between_characters),
        cmocka_unit_test(format_leaves_out_what_is_unknown),
        cmocka_unit_test(contexts_hold_for_their_scope),
        cmocka_unit_test(restore_pops_what_unwinding_left),
        cmocka_unit_test(contexts_beyond_the_limit_are_counted),
        cmocka_unit_test(each_thread_has_its_own_contexts),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
