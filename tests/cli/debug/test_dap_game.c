// Lines that are printed and sent over the console.
#include "cli/debug/dap_game.h"

#include <string.h>

#include "support/test_support.h"

static const uint64_t second_ns = 1000000000;

static void printed(ct_dap_echo *e, const char *line, uint64_t now_ns) {
    ct_dap_echo_printed(e, line, (uint32_t)strlen(line), now_ns);
}

static void sent(ct_dap_echo *e, const char *level, const char *message, uint64_t now_ns) {
    ct_dap_echo_sent(e, level, "lua", message, (uint32_t)strlen(message), now_ns);
}

// Asserts the lines that come out, with `|` behind each.
static void expect(ct_dap_echo *e, uint64_t now_ns, bool is_end, const char *expected) {
    ct_string_builder line, all;
    ct_string_builder_init(&line, test_heap());
    ct_string_builder_init(&all, test_heap());
    while (ct_dap_echo_next(e, now_ns, is_end, &line))
        ct_string_builder_addf(&all, "%s|", ct_string_builder_text(&line));
    assert_string_equal(ct_string_builder_text(&all), expected);
    ct_string_builder_free(&line);
    ct_string_builder_free(&all);
}

static void drops_what_comes_twice_in_any_order(void **state) {
    (void)state;
    ct_dap_echo e;
    ct_dap_echo_init(&e, test_heap());
    printed(&e, "[lua] hello", 0);
    printed(&e, "[lua] error: no", 0);
    printed(&e, "stack:\\x1b", 0);
    sent(&e, "error", "no\nstack:\x1b", 0);
    sent(&e, "info", "later", 0);
    sent(&e, "info", "hello", 0);
    printed(&e, "[lua] later", second_ns);
    expect(&e, 10 * second_ns, true, "");
    ct_dap_echo_free(&e);
}

static void keeps_what_is_printed_only(void **state) {
    (void)state;
    ct_dap_echo e;
    ct_dap_echo_init(&e, test_heap());
    printed(&e, "driver: hello", 0);
    printed(&e, "[lua] twice", 0);
    printed(&e, "[lua] twice", 0);
    sent(&e, "info", "twice", 0);
    expect(&e, second_ns / 10, false, ""); // it may still be sent
    expect(&e, second_ns, false, "driver: hello|[lua] twice|");
    printed(&e, "last", second_ns);
    expect(&e, second_ns, true, "last|");
    ct_dap_echo_free(&e);
}

static void forgets_what_is_never_printed(void **state) {
    (void)state;
    ct_dap_echo e;
    ct_dap_echo_init(&e, test_heap());
    sent(&e, "info", "old", 0);
    expect(&e, 6 * second_ns, false, "");
    printed(&e, "[lua] old", 6 * second_ns);
    expect(&e, 7 * second_ns, false, "[lua] old|");
    for (uint32_t i = 0; i < CT_DAP_ECHO_MAX_LINES + 10; ++i)
        sent(&e, "info", "x", 8 * second_ns);
    assert_int_equal(e.sent.count, CT_DAP_ECHO_MAX_LINES);
    ct_dap_echo_free(&e);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(drops_what_comes_twice_in_any_order),
        cmocka_unit_test(keeps_what_is_printed_only),
        cmocka_unit_test(forgets_what_is_never_printed),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
