// Nodes in Lua as the graph sees them, with a function of C in the place of scripts.
#include "flow/flow_fixture.h"

#include <stdio.h>

static flow_builder b;

static const ct_flow_node_type door = {
    .name = "door",
    .function = "Game.door",
    .kind = CT_FLOW_NODE_ACTION,
    .role = CT_FLOW_ROLE_LUA,
    .slots = CT_FLOW_SLOTS(CT_FLOW_IN("speed", NUMBER, ""), CT_FLOW_EVENT_IN("open", ""),
                           CT_FLOW_EVENT_IN("close", ""), CT_FLOW_OUT("height", NUMBER, ""),
                           CT_FLOW_OUT("label", STRING, ""), CT_FLOW_EVENT_OUT("opened", ""),
                           CT_FLOW_EVENT_OUT("closed", ""))};

// The same, but an output has another type with as many bytes.
static const ct_flow_node_type other_door = {
    .name = "door",
    .function = "Game.door",
    .kind = CT_FLOW_NODE_ACTION,
    .role = CT_FLOW_ROLE_LUA,
    .slots = CT_FLOW_SLOTS(CT_FLOW_IN("speed", NUMBER, ""), CT_FLOW_EVENT_IN("open", ""),
                           CT_FLOW_EVENT_IN("close", ""), CT_FLOW_OUT("height", BOOL, ""),
                           CT_FLOW_OUT("label", STRING, ""), CT_FLOW_EVENT_OUT("opened", ""),
                           CT_FLOW_EVENT_OUT("closed", ""))};

static const ct_flow_node_type score = {.name = "score",
                                        .function = "score",
                                        .kind = CT_FLOW_NODE_PURE,
                                        .role = CT_FLOW_ROLE_LUA,
                                        .slots = CT_FLOW_SLOTS(CT_FLOW_OUT("points", NUMBER, ""))};

static char calls[256];     // "Game.door 1; …"
static ct_flow_world *ends; // the function `score` ends its instance there; NULL: it does not

static uint32_t call_node(void *user, ct_flow_call *c, const ct_flow_used_type *type,
                          uint32_t event) {
    const char *const function = ct_blob_at(ct_flow_call_graph(c), type->function.offset);
    assert_ptr_equal(user, calls);
    snprintf(calls + strlen(calls), sizeof(calls) - strlen(calls), "%s %u; ", function, event);
    if (strcmp(function, "score") == 0) {
        if (ends)
            ct_flow_destroy(ends, &(ct_flow_instance){c->instance}, 1);
        ct_flow_set_number(c, 0, (double)strlen(calls));
        return CT_FLOW_STOP;
    }
    ct_flow_set_number(c, 0, 2 * ct_flow_number(c, 0));
    assert_true(ct_flow_set_text(c, 1, "wide", 4));
    return event;
}

static flow_fixture start(void) {
    const flow_fixture f = start_flow();
    ct_flow_system_set_lua(f.system, &(ct_flow_lua){.user = calls, .call_node = call_node});
    calls[0] = '\0';
    ends = NULL;
    return f;
}

static uint32_t add_lua(const ct_flow_node_type *type) {
    const uint32_t node = add_node(&b, "note");
    b.nodes[node].type = type;
    return node;
}

// Events open and close, each with a note of the height.
static void build_door(const ct_flow_node_type *type) {
    start_graph(&b);
    const uint32_t node = add_lua(type);
    give_number(&b, node, "speed", 4);
    link_event(&b, add_entry(&b, "external_in_event", "open"), "out", node, "open");
    link_event(&b, add_entry(&b, "external_in_event", "close"), "out", node, "close");
    const uint32_t opened = add_note(&b, node, "opened", 0),
                   closed = add_note(&b, node, "closed", 7);
    (void)closed;
    if (type == &door)
        link_value(&b, node, "height", opened, "value");
}

static void runs_the_function_of_the_script(void **state) {
    (void)state;
    flow_fixture f = start();
    build_door(&door);
    const ct_flow_instance i = make_graph(&f, &b);
    start_event(&f, i, "open");
    ASSERT_NOTES(8);
    start_event(&f, i, "close");
    ASSERT_NOTES(7);
    assert_string_equal(calls, "Game.door 0; Game.door 1; ");
    stop_flow(&f);
}

static void pure_ones_run_before_what_reads_them(void **state) {
    (void)state;
    flow_fixture f = start();
    start_graph(&b);
    const uint32_t note = add_note(&b, add_entry(&b, "external_in_event", "go"), "out", 0);
    link_value(&b, add_lua(&score), "points", note, "value");
    const ct_flow_instance i = make_graph(&f, &b);
    start_event(&f, i, "go");
    start_event(&f, i, "go");
    ASSERT_NOTES(9, 18);
    assert_string_equal(calls, "score 0; score 0; ");
    stop_flow(&f);
}

// A note after the pure node, and an external output of it.
static ct_flow_instance make_score(flow_fixture *f) {
    start_graph(&b);
    const uint32_t node = add_lua(&score);
    const uint32_t note = add_note(&b, add_entry(&b, "external_in_event", "go"), "out", 0);
    link_value(&b, node, "points", note, "value");
    add_output(&b, "points", node, "points");
    return make_graph(f, &b);
}

static void nothing_follows_a_pure_one_that_ends_its_instance(void **state) {
    (void)state;
    flow_fixture f = start();
    const ct_flow_instance i = make_score(&f);
    ends = f.flow;
    start_event(&f, i, "go");
    assert_no_notes();
    assert_string_equal(calls, "score 0; ");
    assert_false(ct_flow_is_alive(f.flow, i));
    stop_flow(&f);
}

static void an_output_of_which_reading_ends_the_instance(void **state) {
    (void)state;
    flow_fixture f = start();
    const ct_flow_instance i = make_score(&f);
    ct_flow_type type;
    assert_true(variable_of(&f, i, "points")->number == 9);
    ends = f.flow;
    assert_null(ct_flow_find_variable(f.flow, i, ct_string_id32_of("points"), &type));
    assert_int_equal(ct_flow_num_instances(f.flow), 0);
    assert_false(ct_flow_is_running(f.flow));
    stop_flow(&f);
}

static void an_error_without_scripts(void **state) {
    (void)state;
    flow_fixture f = start();
    build_door(&door);
    const ct_flow_instance i = make_graph(&f, &b);
    ct_flow_system_set_lua(f.system, &(ct_flow_lua){0});
    const uint64_t before = num_errors();
    start_event(&f, i, "open");
    assert_no_notes();
    assert_int_equal(num_errors(), before + 1);
    stop_flow(&f);
}

// The dynamic data behind the variables: the node's outputs, which no other node has.
static double height_of(flow_fixture *f, ct_flow_instance i) {
    uint32_t num_bytes;
    const uint8_t *const data = ct_flow_save(f->flow, i, &num_bytes);
    double height;
    memcpy(&height, data + b.nodes[1].offset, sizeof(height));
    return height;
}

static void outputs_outlive_a_reload_unless_their_type_changed(void **state) {
    (void)state;
    flow_fixture f = start();
    build_door(&door);
    const ct_flow_instance i = make_graph(&f, &b);
    start_event(&f, i, "open");
    build_door(&door);
    load_graph(&f, "test", &b);
    assert_true(height_of(&f, i) == 8);
    build_door(&other_door);
    load_graph(&f, "test", &b);
    assert_true(height_of(&f, i) == 0);
    stop_flow(&f);
}

static void saved_state_has_their_outputs(void **state) {
    (void)state;
    flow_fixture f = start();
    ct_error error = {0};
    uint32_t num_bytes;
    build_door(&door);
    const ct_flow_instance i = make_graph(&f, &b);
    start_event(&f, i, "open");
    const void *const data = ct_flow_save(f.flow, i, &num_bytes);
    uint8_t *const copy = malloc(num_bytes);
    memcpy(copy, data, num_bytes);
    const ct_flow_instance other = make_instance(&f, "test");
    assert_true(height_of(&f, other) == 0);
    assert_true(ct_flow_restore(f.flow, other, copy, num_bytes, &error));
    assert_true(height_of(&f, other) == 8);
    // The text of an output that ends outside of its place is refused.
    ct_flow_string *const label = (void *)(copy + b.nodes[1].offset + CT_FLOW_VALUE_BYTES);
    label->length = 300;
    assert_false(ct_flow_restore(f.flow, other, copy, num_bytes, &error));
    free(copy);
    stop_flow(&f);
}

static bool was_running;

static uint32_t look(void *user, ct_flow_call *c, const ct_flow_used_type *type, uint32_t event) {
    was_running = ct_flow_system_is_running(user) &&
                  ct_flow_is_running(ct_flow_world_of(user, ct_flow_call_world(c)));
    return type->num_outputs == 1 ? CT_FLOW_STOP : event;
}

static void says_when_an_event_runs(void **state) {
    (void)state;
    flow_fixture f = start();
    build_door(&door);
    const ct_flow_instance i = make_graph(&f, &b);
    ct_flow_system_set_lua(f.system, &(ct_flow_lua){.user = f.system, .call_node = look});
    assert_false(ct_flow_system_is_running(f.system));
    start_event(&f, i, "close");
    assert_true(was_running);
    assert_false(ct_flow_system_is_running(f.system));
    was_running = false;
    variable_of(&f, make_score(&f), "points");
    assert_true(was_running);
    stop_flow(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_the_function_of_the_script),
        cmocka_unit_test(pure_ones_run_before_what_reads_them),
        cmocka_unit_test(nothing_follows_a_pure_one_that_ends_its_instance),
        cmocka_unit_test(an_output_of_which_reading_ends_the_instance),
        cmocka_unit_test(an_error_without_scripts),
        cmocka_unit_test(outputs_outlive_a_reload_unless_their_type_changed),
        cmocka_unit_test(saved_state_has_their_outputs),
        cmocka_unit_test(says_when_an_event_runs),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
