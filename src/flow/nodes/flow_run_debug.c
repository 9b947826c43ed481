// Debug: texts for developers, and assertions.
#include <stdio.h>
#include <string.h>

#include "flow/flow_private.h"
#include "flow/nodes/flow_functions.h"
#include "flow/nodes/flow_values.h"
#include "foundation/log.h"

enum { VALUE_BYTES = 256, LINE_BYTES = 4096 };

// --- Texts ---------------------------------------------------------------------------------------

// Logs the texts of two inputs, a label and what follows it. `line` gets what the log has.
static void print(const ct_flow_call *c, uint32_t label_input, char line[LINE_BYTES]) {
    const char *const label = ct_flow_text(c, label_input);
    snprintf(line, LINE_BYTES, "%s%s%s", label, label[0] ? ": " : "",
             ct_flow_text(c, label_input + 1));
    ct_log_info("flow", "%s", line);
}

static uint32_t run_debug_print(ct_flow_call *c, uint32_t event) {
    char line[LINE_BYTES];
    (void)event;
    print(c, 0, line);
    return 0;
}

static uint32_t run_print_to_screen(ct_flow_call *c, uint32_t event) {
    const ct_flow_lua *const lua = &c->world->system->lua;
    char line[LINE_BYTES];
    (void)event;
    print(c, 1, line);
    if (lua->print_to_screen)
        lua->print_to_screen(lua->user, ct_flow_vector3(c, 0), line);
    return 0;
}

// --- Assertions ----------------------------------------------------------------------------------

enum { ASSERT, A, B }; // inputs

// Only numbers have an order.
static bool is_as_expected(const ct_flow_call *c, const char *comparison) {
    if (strcmp(comparison, "equal") == 0)
        return ct_flow_inputs_equal(c, A, B);
    if (strcmp(comparison, "unequal") == 0)
        return !ct_flow_inputs_equal(c, A, B);
    if (ct_flow_input_type(c, A) != CT_FLOW_TYPE_NUMBER ||
        ct_flow_input_type(c, B) != CT_FLOW_TYPE_NUMBER)
        return false;
    const double a = ct_flow_number(c, A), b = ct_flow_number(c, B);
    return strcmp(comparison, "less") == 0            ? a < b
           : strcmp(comparison, "less_or_equal") == 0 ? a <= b
           : strcmp(comparison, "greater") == 0       ? a > b
                                                      : a >= b;
}

static bool check(ct_flow_call *c) {
    const char *const comparison = ct_flow_text(c, ASSERT);
    char a[VALUE_BYTES], b[VALUE_BYTES];
    if (is_as_expected(c, comparison))
        return true;
    ct_flow_write_input(c, A, a, sizeof(a));
    ct_flow_write_input(c, B, b, sizeof(b));
    ct_flow_error(c, "found %s and %s; expected the first to be %s to the second", a, b,
                  comparison);
    return false;
}

static uint32_t run_assert(ct_flow_call *c, uint32_t event) {
    (void)event;
    check(c);
    return 0;
}

static uint32_t run_test_assert(ct_flow_call *c, uint32_t event) {
    (void)event;
    c->world->num_failed_asserts += !check(c);
    return 0;
}

static uint32_t run_test(ct_flow_call *c, uint32_t event) {
    enum { START, COMPLETED, SUCCESS };
    const uint64_t num_failed = c->world->num_failed_asserts;
    (void)event;
    if (!ct_flow_fire(c, START) || !ct_flow_fire(c, COMPLETED))
        return CT_FLOW_STOP;
    return c->world->num_failed_asserts == num_failed ? SUCCESS : CT_FLOW_STOP;
}

static const ct_flow_function_row rows[] = {
    {"assert", run_assert},
    {"debug_print", run_debug_print},
    {"print_to_screen", run_print_to_screen},
    {"run_test", run_test},
    {"test_assert", run_test_assert},
};

const ct_flow_functions ct_flow_run_debug = {rows, CT_COUNT_OF(rows)};
