// Flow Control: each node, in graphs made by hand.
#include <math.h>

#include "flow/flow_fixture.h"

static flow_builder b;

static void branch_goes_one_way(void **state) {
    (void)state;
    flow_fixture f = start_flow();
    start_graph(&b);
    const uint32_t condition = add_variable(&b, "is_open", CT_FLOW_TYPE_BOOL);
    const uint32_t go = add_entry(&b, "external_in_event", "go");
    const uint32_t branch = add_node(&b, "branch");
    read_variable(&b, condition, branch, "condition");
    link_event(&b, go, "out", branch, "in");
    add_note(&b, branch, "true", 1);
    add_note(&b, branch, "false", 2);
    const ct_flow_instance i = make_graph(&f, &b);
    assert_int_equal(start_event(&f, i, "go"), 1);
    variable_of(&f, i, "is_open")->is_true = 1;
    start_event(&f, i, "go");
    ASSERT_NOTES(2, 1);
    assert_int_equal(start_event(&f, i, "other"), 0);
    assert_no_notes();
    stop_flow(&f);
}

static void compare_numerics_goes_all_ways_that_are_true(void **state) {
    (void)state;
    flow_fixture f = start_flow();
    start_graph(&b);
    const uint32_t a = add_variable(&b, "a", CT_FLOW_TYPE_NUMBER);
    const uint32_t go = add_entry(&b, "external_in_event", "go");
    const uint32_t compare = add_node(&b, "compare_numerics");
    read_variable(&b, a, compare, "a");
    give_number(&b, compare, "b", 5);
    link_event(&b, go, "out", compare, "compare");
    const char *const outs[] = {"less", "less_or_equal", "equal", "greater_or_equal", "greater"};
    for (uint32_t k = 0; k < CT_COUNT_OF(outs); ++k)
        add_note(&b, compare, outs[k], k + 1);
    const ct_flow_instance i = make_graph(&f, &b);
    const double values[] = {4, 5, 6, NAN};
    for (uint32_t k = 0; k < CT_COUNT_OF(values); ++k) {
        variable_of(&f, i, "a")->number = values[k];
        start_event(&f, i, "go");
    }
    ASSERT_NOTES(1, 2, 2, 3, 4, 4, 5);
    stop_flow(&f);
}

static void compare_objects_compares_any_type(void **state) {
    (void)state;
    flow_fixture f = start_flow();
    start_graph(&b);
    const uint32_t go = add_entry(&b, "external_in_event", "go");
    uint32_t nodes[6];
    for (uint32_t k = 0; k < CT_COUNT_OF(nodes); ++k) {
        nodes[k] = add_node(&b, "compare_objects");
        link_event(&b, go, "out", nodes[k], "compare");
        add_note(&b, nodes[k], "equal", k);
        add_note(&b, nodes[k], "unequal", k + 10);
    }
    give_text(&b, nodes[0], "a", "rose"); // equal texts at two places
    give_text(&b, nodes[0], "b", "rose");
    give_text(&b, nodes[1], "a", "rose");
    give_text(&b, nodes[1], "b", "roses");
    give_number(&b, nodes[2], "a", 1); // other types
    give_bool(&b, nodes[2], "b", true);
    give_number(&b, nodes[3], "a", 0.0);
    give_number(&b, nodes[3], "b", -0.0);
    give_number(&b, nodes[4], "a", NAN);
    give_number(&b, nodes[4], "b", NAN);
    // The last has no values.
    const ct_flow_instance i = make_graph(&f, &b);
    start_event(&f, i, "go");
    ASSERT_NOTES(0, 11, 12, 3, 14, 5);
    stop_flow(&f);
}

static void counter_counts_from_its_start(void **state) {
    (void)state;
    flow_fixture f = start_flow();
    start_graph(&b);
    const uint32_t counter = add_node(&b, "counter");
    give_number(&b, counter, "start_value", 10);
    give_number(&b, counter, "increment", 2);
    const char *const events[] = {"increase", "decrease", "reset"};
    for (uint32_t k = 0; k < CT_COUNT_OF(events); ++k)
        link_event(&b, add_entry(&b, "external_in_event", events[k]), "out", counter, events[k]);
    const uint32_t note = add_note(&b, counter, "changed", 0);
    link_value(&b, counter, "value", note, "value");
    const ct_flow_instance i = make_graph(&f, &b);
    start_event(&f, i, "increase");
    start_event(&f, i, "increase");
    start_event(&f, i, "decrease");
    start_event(&f, i, "reset");
    start_event(&f, i, "decrease");
    ASSERT_NOTES(12, 14, 12, 10, 8);
    stop_flow(&f);
}

static void for_loop_includes_its_end(void **state) {
    (void)state;
    flow_fixture f = start_flow();
    start_graph(&b);
    const uint32_t increment = add_variable(&b, "increment", CT_FLOW_TYPE_NUMBER);
    const uint32_t go = add_entry(&b, "external_in_event", "go");
    const uint32_t loop = add_node(&b, "for_loop");
    link_event(&b, go, "out", loop, "in");
    give_number(&b, loop, "start_value", 1);
    give_number(&b, loop, "end_value", 3);
    read_variable(&b, increment, loop, "increment");
    const uint32_t note = add_note(&b, loop, "loop_body", 0);
    link_value(&b, loop, "current_value", note, "value");
    add_note(&b, loop, "completed", 100);
    const ct_flow_instance i = make_graph(&f, &b);
    variable_of(&f, i, "increment")->number = 1;
    start_event(&f, i, "go");
    ASSERT_NOTES(1, 2, 3, 100);
    variable_of(&f, i, "increment")->number = -1; // away from the end
    start_event(&f, i, "go");
    ASSERT_NOTES(100);
    const uint64_t errors = num_errors();
    variable_of(&f, i, "increment")->number = 0;
    start_event(&f, i, "go");
    ASSERT_NOTES(100);
    assert_int_equal(num_errors(), errors + 1);
    stop_flow(&f);
}

static void while_loop_looks_at_its_condition_each_time(void **state) {
    (void)state;
    flow_fixture f = start_flow();
    start_graph(&b);
    const uint32_t go = add_entry(&b, "external_in_event", "go");
    const uint32_t tick = add_node(&b, "tick"); // 1, 2, 3 … each time that it is read
    const uint32_t less = add_node(&b, "numeric_less_than");
    link_value(&b, tick, "value", less, "a");
    give_number(&b, less, "b", 4);
    const uint32_t loop = add_node(&b, "while_loop");
    link_value(&b, less, "value", loop, "condition");
    link_event(&b, go, "out", loop, "in");
    const uint32_t note = add_note(&b, loop, "loop_body", 0);
    link_value(&b, loop, "loop_count", note, "value");
    const uint32_t end = add_note(&b, loop, "completed", 0);
    link_value(&b, loop, "loop_count", end, "value");
    const ct_flow_instance i = make_graph(&f, &b);
    start_event(&f, i, "go");
    ASSERT_NOTES(0, 1, 2, 3);
    stop_flow(&f);
}

static void once_relay_and_toggle_keep_their_state(void **state) {
    (void)state;
    flow_fixture f = start_flow();
    start_graph(&b);
    const uint32_t go = add_entry(&b, "external_in_event", "go");
    const uint32_t once = add_node(&b, "once");
    const uint32_t toggle = add_node(&b, "toggle");
    const uint32_t relay = add_node(&b, "relay");
    link_event(&b, go, "out", once, "in");
    link_event(&b, go, "out", toggle, "in");
    link_event(&b, go, "out", relay, "in");
    add_note(&b, once, "out", 1);
    add_note(&b, toggle, "even", 2);
    add_note(&b, toggle, "odd", 3);
    add_note(&b, relay, "out", 4);
    const char *const events[] = {"enable", "disable", "toggle"};
    for (uint32_t k = 0; k < CT_COUNT_OF(events); ++k)
        link_event(&b, add_entry(&b, "external_in_event", events[k]), "out", relay, events[k]);
    const ct_flow_instance i = make_graph(&f, &b);
    start_event(&f, i, "go");
    ASSERT_NOTES(1, 2, 4);
    start_event(&f, i, "disable");
    start_event(&f, i, "go");
    ASSERT_NOTES(3);
    start_event(&f, i, "toggle");
    start_event(&f, i, "go");
    ASSERT_NOTES(2, 4);
    start_event(&f, i, "toggle");
    start_event(&f, i, "enable");
    start_event(&f, i, "go");
    ASSERT_NOTES(3, 4);
    stop_flow(&f);
}

static void sequence_ends_each_way_before_the_next(void **state) {
    (void)state;
    flow_fixture f = start_flow();
    start_graph(&b);
    const uint32_t go = add_entry(&b, "external_in_event", "go");
    const uint32_t sequence = add_node(&b, "sequence");
    link_event(&b, go, "out", sequence, "in");
    const uint32_t first = add_note(&b, sequence, "out_1", 1);
    add_note(&b, first, "out", 2);
    add_note(&b, sequence, "out_8", 5); // the ones between are not linked
    add_note(&b, sequence, "out_3", 3);
    add_note(&b, sequence, "out_3", 4);
    const ct_flow_instance i = make_graph(&f, &b);
    start_event(&f, i, "go");
    ASSERT_NOTES(1, 2, 3, 4, 5);
    stop_flow(&f);
}

static void randomize_takes_only_ways_that_are_linked(void **state) {
    (void)state;
    flow_fixture f = start_flow();
    start_graph(&b);
    const uint32_t go = add_entry(&b, "external_in_event", "go");
    const uint32_t randomize = add_node(&b, "randomize");
    link_event(&b, go, "out", randomize, "in");
    add_note(&b, randomize, "out_2", 2);
    add_note(&b, randomize, "out_7", 7);
    const ct_flow_instance i = make_graph(&f, &b);
    uint32_t counts[2] = {0, 0};
    for (uint32_t k = 0; k < 64; ++k)
        start_event(&f, i, "go");
    assert_int_equal(notes.count, 64);
    for (uint32_t k = 0; k < 64; ++k)
        ++counts[notes.values[k] == 7];
    assert_in_range(counts[0], 16, 48);
    stop_flow(&f);
}

static void delay_waits_in_the_time_of_the_world(void **state) {
    (void)state;
    flow_fixture f = start_flow();
    start_graph(&b);
    const uint32_t go = add_entry(&b, "external_in_event", "go");
    const uint32_t delay = add_node(&b, "delay");
    give_number(&b, delay, "time", 1);
    link_event(&b, go, "out", delay, "in");
    add_note(&b, delay, "out", 1);
    const ct_flow_instance i = make_graph(&f, &b);
    start_event(&f, i, "go");
    advance(&f, 0.5);
    start_event(&f, i, "go");
    assert_no_notes();
    advance(&f, 0.5);
    ASSERT_NOTES(1);
    advance(&f, 0.5);
    ASSERT_NOTES(1);
    advance(&f, 10);
    assert_no_notes();
    stop_flow(&f);
}

static void delay_keeps_eight_events(void **state) {
    (void)state;
    flow_fixture f = start_flow();
    start_graph(&b);
    const uint32_t go = add_entry(&b, "external_in_event", "go");
    const uint32_t delay = add_node(&b, "delay");
    give_number(&b, delay, "time", 1);
    link_event(&b, go, "out", delay, "in");
    add_note(&b, delay, "out", 1);
    const ct_flow_instance i = make_graph(&f, &b);
    const uint64_t errors = num_errors();
    for (uint32_t k = 0; k < 8; ++k)
        start_event(&f, i, "go");
    assert_int_equal(num_errors(), errors);
    start_event(&f, i, "go");
    start_event(&f, i, "go"); // in the same second: it is not logged again
    assert_int_equal(num_errors(), errors + 1);
    advance(&f, 1);
    assert_int_equal(notes.count, 8);
    stop_flow(&f);
}

static void bad_times_are_errors_and_the_next_step(void **state) {
    (void)state;
    flow_fixture f = start_flow();
    start_graph(&b);
    const uint32_t time = add_variable(&b, "time", CT_FLOW_TYPE_NUMBER);
    const uint32_t go = add_entry(&b, "external_in_event", "go");
    const uint32_t delay = add_node(&b, "delay");
    read_variable(&b, time, delay, "time");
    link_event(&b, go, "out", delay, "in");
    add_note(&b, delay, "out", 1);
    const ct_flow_instance i = make_graph(&f, &b);
    const double times[] = {NAN, -1, -INFINITY};
    for (uint32_t k = 0; k < CT_COUNT_OF(times); ++k) {
        const uint64_t errors = num_errors();
        variable_of(&f, i, "time")->number = times[k];
        start_event(&f, i, "go");
        assert_int_equal(num_errors(), errors + 1);
        assert_no_notes();
        advance(&f, 2);
        ASSERT_NOTES(1);
    }
    variable_of(&f, i, "time")->number = 0; // no error
    const uint64_t errors = num_errors();
    start_event(&f, i, "go");
    advance(&f, 1e-9);
    ASSERT_NOTES(1);
    assert_int_equal(num_errors(), errors);
    stop_flow(&f);
}

// A delay of 0 that starts itself runs once in a step, not for ever.
static void delay_of_nothing_takes_a_step(void **state) {
    (void)state;
    flow_fixture f = start_flow();
    start_graph(&b);
    const uint32_t go = add_entry(&b, "external_in_event", "go");
    const uint32_t delay = add_node(&b, "delay");
    link_event(&b, go, "out", delay, "in");
    const uint32_t note = add_note(&b, delay, "out", 1);
    link_event(&b, note, "out", delay, "in");
    const ct_flow_instance i = make_graph(&f, &b);
    start_event(&f, i, "go");
    for (uint32_t k = 0; k < 3; ++k) {
        advance(&f, 0.1);
        ASSERT_NOTES(1);
    }
    stop_flow(&f);
}

static flow_builder *timer_graph(bool loops) {
    start_graph(&b);
    const uint32_t timer = add_node(&b, "timer");
    give_number(&b, timer, "time", 1);
    give_bool(&b, timer, "loop", loops);
    const char *const events[] = {"in", "enable", "disable"};
    for (uint32_t k = 0; k < CT_COUNT_OF(events); ++k)
        link_event(&b, add_entry(&b, "external_in_event", events[k]), "out", timer, events[k]);
    const uint32_t note = add_note(&b, timer, "out", 0);
    link_value(&b, timer, "loop_count", note, "value");
    return &b;
}

static void timer_stops_and_goes_on(void **state) {
    (void)state;
    flow_fixture f = start_flow();
    const ct_flow_instance i = make_graph(&f, timer_graph(false));
    start_event(&f, i, "in");
    advance(&f, 0.75);
    start_event(&f, i, "disable");
    advance(&f, 10);
    assert_no_notes();
    start_event(&f, i, "enable");
    advance(&f, 0.2);
    assert_no_notes();
    advance(&f, 0.1);
    ASSERT_NOTES(1);
    advance(&f, 10); // it does not loop
    assert_no_notes();
    start_event(&f, i, "in");
    advance(&f, 0.5);
    start_event(&f, i, "in"); // from the beginning
    advance(&f, 0.75);
    assert_no_notes();
    advance(&f, 0.25);
    ASSERT_NOTES(1);
    stop_flow(&f);
}

static void timer_loops_without_drift(void **state) {
    (void)state;
    flow_fixture f = start_flow();
    const ct_flow_instance i = make_graph(&f, timer_graph(true));
    start_event(&f, i, "in");
    for (uint32_t k = 0; k < 40; ++k) // steps of 3/4 s: 30 s in all, each end up to a step late
        advance(&f, 0.75);
    assert_int_equal(notes.count, 30);
    assert_true(notes.values[29] == 30);
    notes.count = 0;
    start_event(&f, i, "disable");
    advance(&f, 10);
    assert_no_notes();
    stop_flow(&f);
}

// It reads its time before it sets its outputs.
static void timer_waits_for_what_it_counted_before(void **state) {
    (void)state;
    flow_fixture f = start_flow();
    start_graph(&b);
    const uint32_t go = add_entry(&b, "external_in_event", "go");
    const uint32_t timer = add_node(&b, "timer");
    link_value(&b, timer, "loop_count", timer, "time");
    link_event(&b, go, "out", timer, "in");
    add_note(&b, timer, "out", 1);
    const ct_flow_instance i = make_graph(&f, &b);
    start_event(&f, i, "go"); // 0 seconds
    advance(&f, 0.1);
    ASSERT_NOTES(1);
    start_event(&f, i, "go"); // 1 second
    advance(&f, 0.5);
    assert_no_notes();
    advance(&f, 0.5);
    ASSERT_NOTES(1);
    stop_flow(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(branch_goes_one_way),
        cmocka_unit_test(compare_numerics_goes_all_ways_that_are_true),
        cmocka_unit_test(compare_objects_compares_any_type),
        cmocka_unit_test(counter_counts_from_its_start),
        cmocka_unit_test(for_loop_includes_its_end),
        cmocka_unit_test(while_loop_looks_at_its_condition_each_time),
        cmocka_unit_test(once_relay_and_toggle_keep_their_state),
        cmocka_unit_test(sequence_ends_each_way_before_the_next),
        cmocka_unit_test(randomize_takes_only_ways_that_are_linked),
        cmocka_unit_test(delay_waits_in_the_time_of_the_world),
        cmocka_unit_test(delay_keeps_eight_events),
        cmocka_unit_test(bad_times_are_errors_and_the_next_step),
        cmocka_unit_test(delay_of_nothing_takes_a_step),
        cmocka_unit_test(timer_stops_and_goes_on),
        cmocka_unit_test(timer_loops_without_drift),
        cmocka_unit_test(timer_waits_for_what_it_counted_before),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
