// Events: their order, limits, and instances that end in the middle of one.
#include <math.h>

#include "flow/flow_fixture.h"

static flow_builder b;

static void events_run_depth_first_in_the_order_of_links(void **state) {
    (void)state;
    flow_fixture f = start_flow();
    start_graph(&b);
    const uint32_t go = add_entry(&b, "external_in_event", "go");
    const uint32_t one = add_note(&b, go, "out", 1);
    const uint32_t two = add_note(&b, one, "out", 2);
    add_note(&b, two, "out", 3);
    add_note(&b, two, "out", 4);
    add_note(&b, one, "out", 5);
    add_note(&b, go, "out", 6);
    const uint32_t again = add_entry(&b, "external_in_event", "go"); // entries in their order, too
    add_note(&b, again, "out", 7);
    const ct_flow_instance i = make_graph(&f, &b);
    assert_int_equal(start_event(&f, i, "go"), 2);
    ASSERT_NOTES(1, 2, 3, 4, 5, 6, 7);
    stop_flow(&f);
}

// What two others read runs once for each action, and again for the next one.
static void pure_nodes_run_once_for_an_action(void **state) {
    (void)state;
    flow_fixture f = start_flow();
    start_graph(&b);
    const uint32_t go = add_entry(&b, "external_in_event", "go");
    const uint32_t tick = add_node(&b, "tick");
    const uint32_t sum = add_node(&b, "numeric_addition");
    link_value(&b, tick, "value", sum, "a");
    link_value(&b, tick, "value", sum, "b");
    const uint32_t first = add_note(&b, go, "out", 0);
    const uint32_t second = add_note(&b, first, "out", 0);
    link_value(&b, sum, "value", first, "value");
    link_value(&b, sum, "value", second, "value");
    const ct_flow_instance i = make_graph(&f, &b);
    start_event(&f, i, "go");
    ASSERT_NOTES(2, 4);
    stop_flow(&f);
}

// --- Limits --------------------------------------------------------------------------------------

static char last_error[2048];

static void keep_error(void *user, ct_log_level level, const char *system, const char *message) {
    (void)user, (void)level;
    if (strcmp(system, "flow") == 0)
        snprintf(last_error, sizeof(last_error), "%s", message);
}

static void listen_to_errors(void) {
    last_error[0] = '\0';
    ct_log_add_sink(&(ct_log_sink){.write = keep_error, .least = CT_LOG_LEVEL_ERROR});
}

static void assert_error_has(const char *text) {
    ct_log_remove_sink(keep_error, NULL);
    if (!strstr(last_error, text))
        fail_msg("\"%s\" is not in \"%s\"", text, last_error);
}

static void loop_of_events_is_cut_and_named(void **state) {
    (void)state;
    flow_fixture f = start_flow();
    start_graph(&b);
    const uint32_t go = add_entry(&b, "external_in_event", "go");
    const uint32_t one = add_note(&b, go, "out", 1);
    const uint32_t two = add_note(&b, one, "out", 2);
    const uint32_t three = add_note(&b, two, "out", 3);
    link_event(&b, three, "out", two, "in");
    const ct_flow_instance i = make_graph(&f, &b);
    listen_to_errors();
    start_event(&f, i, "go");
    assert_int_equal(notes.count, CT_FLOW_MAX_STEPS - 1); // the entry is a step, too
    assert_error_has("cut after 100000 nodes; the loop: "
                     "test: note 4 -> test: note 3 -> test: note 4");
    assert_true(ct_flow_is_alive(f.flow, i));
    stop_flow(&f);
}

// Of a loop with more nodes than are kept, those are named.
static void long_loop_is_named_in_part(void **state) {
    (void)state;
    enum { COUNT = 20 };
    flow_fixture f = start_flow();
    start_graph(&b);
    uint32_t nodes[COUNT];
    const uint32_t go = add_entry(&b, "external_in_event", "go");
    for (uint32_t k = 0; k < COUNT; ++k)
        nodes[k] = add_note(&b, k ? nodes[k - 1] : go, "out", k);
    link_event(&b, nodes[COUNT - 1], "out", nodes[0], "in");
    const ct_flow_instance i = make_graph(&f, &b);
    listen_to_errors();
    start_event(&f, i, "go");
    char text[1024];
    int length = snprintf(text, sizeof(text), "the loop: … -> ");
    for (uint32_t k = CT_FLOW_MAX_STEPS - CT_FLOW_NUM_RECENT; k < CT_FLOW_MAX_STEPS; ++k)
        length += snprintf(text + length, sizeof(text) - (size_t)length, "test: note %u%s",
                           (k - 1) % COUNT + 2, k + 1 < CT_FLOW_MAX_STEPS ? " -> " : "");
    assert_error_has(text);
    stop_flow(&f);
}

static void loop_nodes_are_cut_and_named(void **state) {
    (void)state;
    flow_fixture f = start_flow();
    const char *const types[] = {"while_loop", "for_loop"};
    for (uint32_t k = 0; k < CT_COUNT_OF(types); ++k) {
        start_graph(&b);
        const uint32_t go = add_entry(&b, "external_in_event", "go");
        const uint32_t outer = add_node(&b, "for_loop");
        give_number(&b, outer, "end_value", 3);
        give_number(&b, outer, "increment", 1);
        link_event(&b, go, "out", outer, "in");
        const uint32_t loop = add_node(&b, types[k]);
        link_event(&b, outer, "loop_body", loop, "in");
        if (k == 0)
            give_bool(&b, loop, "condition", true);
        else {
            give_number(&b, loop, "end_value", INFINITY);
            give_number(&b, loop, "increment", 1);
            add_note(&b, loop, "loop_body", 1);
        }
        add_note(&b, loop, "completed", 2);
        load_graph(&f, types[k], &b);
        const ct_flow_instance i = make_instance(&f, types[k]);
        notes.count = 0;
        listen_to_errors();
        start_event(&f, i, "go");
        char expected[128];
        snprintf(expected, sizeof(expected), "test: %s %u: the event was cut", types[k], loop);
        assert_error_has(expected);
        assert_int_equal(k == 0 ? 0 : notes.count < CT_FLOW_MAX_STEPS, k);
    }
    stop_flow(&f);
}

// Each time around there is one more event within events, as another link waits for its turn.
static void deep_events_are_cut(void **state) {
    (void)state;
    flow_fixture f = start_flow();
    start_graph(&b);
    const uint32_t go = add_entry(&b, "external_in_event", "go");
    const uint32_t one = add_note(&b, go, "out", 1);
    link_event(&b, one, "out", one, "in");
    add_note(&b, one, "out", 2);
    const uint32_t other = add_entry(&b, "external_in_event", "go");
    add_note(&b, other, "out", 3);
    const ct_flow_instance i = make_graph(&f, &b);
    listen_to_errors();
    start_event(&f, i, "go");
    assert_error_has("more than 200 events within events");
    // The next entry is another event.
    assert_int_equal(notes.count, CT_FLOW_MAX_DEPTH + 2);
    stop_flow(&f);
}

// --- Events in events ----------------------------------------------------------------------------

static flow_fixture *fixture;
static ct_flow_instance instances[2];

static void start_the_other(ct_flow_call *c, double value) {
    (void)value;
    const bool is_first = c->instance == instances[0].id;
    start_event(fixture, instances[is_first], "go");
}

static flow_builder *one_note(void) {
    start_graph(&b);
    add_note(&b, add_entry(&b, "external_in_event", "go"), "out", 1);
    return &b;
}

static void instances_that_start_each_other_are_cut(void **state) {
    (void)state;
    flow_fixture f = start_flow();
    fixture = &f;
    instances[0] = make_graph(&f, one_note());
    instances[1] = make_instance(&f, "test");
    note_also = start_the_other;
    listen_to_errors();
    start_event(&f, instances[0], "go");
    assert_error_has("more than 200 events within events");
    assert_int_equal(notes.count, CT_FLOW_MAX_DEPTH + 1);
    notes.count = 0;
    note_also = NULL;
    start_event(&f, instances[1], "go");
    ASSERT_NOTES(1);
    stop_flow(&f);
}

static void end_itself(ct_flow_call *c, double value) {
    const ct_flow_instance own = {c->instance};
    if (value != 1)
        return;
    ct_flow_destroy(fixture->flow, &own, 1);
    ct_flow_destroy(fixture->flow, &own, 1); // it is stale
    assert_false(ct_flow_is_alive(fixture->flow, own));
    assert_int_equal(start_event(fixture, own, "go"), 0);
    // Its data is not given to another one while it runs.
    const ct_flow_instance other = make_instance(fixture, "test");
    assert_ptr_not_equal(ct_flow_record_of(fixture->flow, other)->data,
                         c->bases[CT_FLOW_REGION_DYNAMIC]);
}

static void nothing_follows_when_an_instance_ends_itself(void **state) {
    (void)state;
    flow_fixture f = start_flow();
    fixture = &f;
    start_graph(&b);
    const uint32_t go = add_entry(&b, "external_in_event", "go");
    const uint32_t sequence = add_node(&b, "sequence");
    link_event(&b, go, "out", sequence, "in");
    const uint32_t one = add_note(&b, sequence, "out_1", 1);
    add_note(&b, one, "out", 2);
    add_note(&b, sequence, "out_2", 3);
    add_note(&b, add_entry(&b, "external_in_event", "go"), "out", 4);
    const ct_flow_instance i = make_graph(&f, &b);
    note_also = end_itself;
    start_event(&f, i, "go");
    ASSERT_NOTES(1);
    assert_int_equal(ct_flow_num_instances(f.flow), 1); // the other one
    stop_flow(&f);
}

static void end_the_first(ct_flow_call *c, double value) {
    (void)value;
    if (c->instance == instances[1].id)
        ct_flow_destroy(fixture->flow, &instances[0], 1);
    else
        start_event(fixture, instances[1], "go");
}

// The event of the second one goes on; that of the first, around it, does not.
static void instances_may_end_those_around_them(void **state) {
    (void)state;
    flow_fixture f = start_flow();
    fixture = &f;
    start_graph(&b);
    const uint32_t one = add_note(&b, add_entry(&b, "external_in_event", "go"), "out", 1);
    add_note(&b, one, "out", 2);
    instances[0] = make_graph(&f, &b);
    instances[1] = make_instance(&f, "test");
    note_also = end_the_first;
    start_event(&f, instances[0], "go");
    ASSERT_NOTES(1, 1, 2);
    assert_false(ct_flow_is_alive(f.flow, instances[0]));
    assert_true(ct_flow_is_alive(f.flow, instances[1]));
    stop_flow(&f);
}

// --- Instances -----------------------------------------------------------------------------------

static void many_instances_take_few_allocations(void **state) {
    (void)state;
    enum { COUNT = 10000 };
    flow_fixture f = start_flow();
    load_graph(&f, "test", one_note());
    ct_flow_instance *const all = CT_NEW_ARRAY(test_heap(), ct_flow_instance, COUNT);
    const uint64_t before = ct_allocator_stats_of(f.world.allocator).total_blocks;
    ct_error error = {0};
    assert_true(
        ct_flow_create(f.flow, ct_string_id64_of("test"), NULL, (ct_level){0}, COUNT, all, &error));
    const uint64_t blocks = ct_allocator_stats_of(f.world.allocator).total_blocks - before;
    assert_in_range(blocks, 1, 8);
    const uint8_t *const first = ct_flow_record_of(f.flow, all[0])->data;
    const uint8_t *const last = ct_flow_record_of(f.flow, all[COUNT - 1])->data;
    assert_int_equal(
        last - first,
        (COUNT - 1) *
            ct_flow_find_graph(f.system, ct_string_id64_of("test"))->dynamic_bytes); // side by side
    ct_flow_destroy(f.flow, all, COUNT);
    assert_int_equal(ct_flow_num_instances(f.flow), 0);
    const uint64_t later = ct_allocator_stats_of(f.world.allocator).total_blocks;
    assert_true(
        ct_flow_create(f.flow, ct_string_id64_of("test"), NULL, (ct_level){0}, COUNT, all, &error));
    assert_int_equal(ct_allocator_stats_of(f.world.allocator).total_blocks, later);
    ct_free(test_heap(), all);
    stop_flow(&f);
}

static void ids_go_stale(void **state) {
    (void)state;
    flow_fixture f = start_flow();
    const ct_flow_instance first = make_graph(&f, one_note());
    ct_flow_destroy(f.flow, &first, 1);
    const ct_flow_instance second = make_instance(&f, "test");
    assert_int_not_equal(first.id, second.id);
    assert_false(ct_flow_is_alive(f.flow, first));
    assert_true(ct_flow_is_alive(f.flow, second));
    assert_false(ct_flow_is_alive(f.flow, (ct_flow_instance){0}));
    assert_false(ct_flow_is_alive(f.flow, (ct_flow_instance){UINT32_MAX}));
    assert_false(ct_flow_listens(f.flow, first, ct_string_id32_of("external_in_event")));
    assert_true(ct_flow_listens(f.flow, second, ct_string_id32_of("external_in_event")));
    assert_false(ct_flow_listens(f.flow, second, ct_string_id32_of("unit_spawned")));
    stop_flow(&f);
}

static const ct_flow_node_type unknown = {
    .name = "fly", .kind = CT_FLOW_NODE_ACTION, .slots = CT_FLOW_SLOTS(CT_FLOW_EVENT_IN("in", ""))};

static void refuses_what_it_cannot_run(void **state) {
    (void)state;
    flow_fixture f = start_flow();
    ct_flow_instance i;
    ct_error error = {0};
    assert_false(ct_flow_create(f.flow, ct_string_id64_register("walls"), NULL, (ct_level){0}, 1,
                                &i, &error));
    assert_string_equal(error.message, "the flow graph \"walls\" is not loaded");
    start_graph(&b);
    b.nodes[add_node(&b, "note")].type = &unknown;
    load_graph(&f, "bird", &b);
    assert_false(ct_flow_create(f.flow, ct_string_id64_register("bird"), NULL, (ct_level){0}, 1, &i,
                                &error));
    assert_string_equal(error.message, "the flow graph \"bird\" has nodes of the type \"fly\", "
                                       "which this program does not know");
    stop_flow(&f);
}

static void instances_end_when_their_graph_is_unloaded(void **state) {
    (void)state;
    flow_fixture f = start_flow();
    const ct_flow_instance i = make_graph(&f, one_note());
    ct_flow_graph_offline(f.system, ct_string_id64_of("test"), f.blobs[0]);
    assert_false(ct_flow_is_alive(f.flow, i));
    assert_int_equal(start_event(&f, i, "go"), 0);
    ct_flow_graph_online(f.system, ct_string_id64_of("test"), f.blobs[0]);
    start_event(&f, make_instance(&f, "test"), "go");
    ASSERT_NOTES(1);
    stop_flow(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(events_run_depth_first_in_the_order_of_links),
        cmocka_unit_test(pure_nodes_run_once_for_an_action),
        cmocka_unit_test(loop_of_events_is_cut_and_named),
        cmocka_unit_test(long_loop_is_named_in_part),
        cmocka_unit_test(loop_nodes_are_cut_and_named),
        cmocka_unit_test(deep_events_are_cut),
        cmocka_unit_test(instances_that_start_each_other_are_cut),
        cmocka_unit_test(nothing_follows_when_an_instance_ends_itself),
        cmocka_unit_test(instances_may_end_those_around_them),
        cmocka_unit_test(many_instances_take_few_allocations),
        cmocka_unit_test(ids_go_stale),
        cmocka_unit_test(refuses_what_it_cannot_run),
        cmocka_unit_test(instances_end_when_their_graph_is_unloaded),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
