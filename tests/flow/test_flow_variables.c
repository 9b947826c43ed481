// Variables of instances by name, which scripts and nodes read and set.
#include "flow/flow_fixture.h"

static flow_builder b;

static void external_outputs_are_read_but_not_set(void **state) {
    (void)state;
    flow_fixture f = start_flow();
    start_graph(&b);
    add_variable(&b, "score", CT_FLOW_TYPE_NUMBER);
    add_output(&b, "ticks", add_node(&b, "tick"), "value");
    const ct_flow_instance i = make_graph(&f, &b);
    assert_true(variable_of(&f, i, "ticks")->number == 1); // the pure node runs once
    assert_true(variable_of(&f, i, "ticks")->number == 2);
    assert_true(ct_flow_can_set_variable(f.flow, i, ct_string_id32_of("score")));
    assert_false(ct_flow_can_set_variable(f.flow, i, ct_string_id32_of("ticks")));
    assert_false(ct_flow_can_set_variable(f.flow, i, ct_string_id32_of("other")));
    assert_false(
        ct_flow_can_set_variable(f.flow, (ct_flow_instance){0}, ct_string_id32_of("score")));
    stop_flow(&f);
}

// By a node that finds the variable by its name when it runs.
static void nodes_set_no_external_output(void **state) {
    (void)state;
    flow_fixture f = start_flow();
    start_graph(&b);
    add_output(&b, "ticks", add_node(&b, "tick"), "value");
    const uint32_t set = add_node(&b, "set_numeric_variable_of_scope");
    give_number(&b, set, "numeric", 50);
    give_text(&b, set, "name", "ticks");
    give_text(&b, set, "scope", "unit");
    link_event(&b, add_entry(&b, "external_in_event", "go"), "out", set, "set");
    add_note(&b, set, "out", 1);
    const ct_flow_instance i = make_graph(&f, &b);
    const uint64_t errors = num_errors();
    start_event(&f, i, "go");
    ASSERT_NOTES(1);
    assert_int_equal(num_errors(), errors + 1);
    assert_true(variable_of(&f, i, "ticks")->number < 50);
    stop_flow(&f);
}

static void texts_that_are_too_long_are_cut_with_an_error(void **state) {
    (void)state;
    char text[CT_FLOW_STRING_BYTES + 1] = {0};
    memset(text, 'a', CT_FLOW_STRING_BYTES);
    flow_fixture f = start_flow();
    start_graph(&b);
    const uint32_t name = add_variable(&b, "name", CT_FLOW_TYPE_STRING);
    const uint32_t set = add_setter(&b, "set_string_variable", name);
    give_text(&b, set, "string", text);
    link_event(&b, add_entry(&b, "external_in_event", "go"), "out", set, "set");
    const ct_flow_instance i = make_graph(&f, &b);
    const uint64_t errors = num_errors();
    start_event(&f, i, "go");
    assert_int_equal(num_errors(), errors + 1);
    const ct_flow_value *const value = variable_of(&f, i, "name");
    assert_int_equal(strlen(ct_flow_value_text(f.flow, i, value)), CT_FLOW_STRING_BYTES - 1);
    assert_false(ct_flow_set_variable_text(f.flow, i, ct_string_id32_of("name"), text));
    assert_true(ct_flow_set_variable_text(f.flow, i, ct_string_id32_of("name"), text + 1));
    stop_flow(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(external_outputs_are_read_but_not_set),
        cmocka_unit_test(nodes_set_no_external_output),
        cmocka_unit_test(texts_that_are_too_long_are_cut_with_an_error),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
