// The state of instances: saved, restored, hashed, and kept when a graph is reloaded.
#include <math.h>

#include "flow/flow_fixture.h"

static flow_builder b;

static uint64_t hash_of(const flow_fixture *f) {
    ct_state_hash hash = {0};
    ct_flow_hash(f->flow, &hash);
    return hash.value;
}

// A graph with all kinds of state: a delay, a timer, a counter, random numbers and a text. `shift` nodes
// that do nothing come first, so that all has other places.
static flow_builder *graph_with_state(uint32_t shift, double seconds) {
    start_graph(&b);
    const uint32_t text = add_variable(&b, "name", CT_FLOW_TYPE_STRING);
    for (uint32_t i = 0; i < shift; ++i) {
        add_variable(&b, i ? "a" : "b", CT_FLOW_TYPE_STRING);
        b.nodes[add_node(&b, "counter")].id = 1000 + i;
    }
    const uint32_t go = add_entry(&b, "external_in_event", "go");
    const uint32_t delay = add_node(&b, "delay");
    give_number(&b, delay, "time", seconds);
    link_event(&b, go, "out", delay, "in");
    const uint32_t counter = add_node(&b, "counter");
    give_number(&b, counter, "increment", 1);
    link_event(&b, delay, "out", counter, "increase");
    const uint32_t note = add_note(&b, counter, "changed", 0);
    link_value(&b, counter, "value", note, "value");
    const uint32_t concatenate = add_node(&b, "string_concatenate");
    read_variable(&b, text, concatenate, "a");
    give_text(&b, concatenate, "b", "+");
    const uint32_t set = add_setter(&b, "set_string_variable", text);
    link_value(&b, concatenate, "value", set, "string");
    link_event(&b, note, "out", set, "set");
    for (uint32_t n = 1 + shift; n <= b.num_nodes; ++n)
        b.nodes[n].id = n - shift;
    return &b;
}

static const char *text_of(flow_fixture *f, ct_flow_instance i, const char *name) {
    return ct_flow_value_text(f->flow, i, variable_of(f, i, name));
}

static void saved_state_goes_on_in_the_same_way(void **state) {
    (void)state;
    flow_fixture f = start_flow();
    const ct_flow_instance i = make_graph(&f, graph_with_state(0, 2));
    start_event(&f, i, "go");
    advance(&f, 1);
    start_event(&f, i, "go");
    advance(&f, 1);
    ASSERT_NOTES(1);
    assert_string_equal(text_of(&f, i, "name"), "+");
    uint32_t num_bytes;
    const void *const data = ct_flow_save(f.flow, i, &num_bytes);
    void *const copy = ct_alloc(test_heap(), num_bytes);
    memcpy(copy, data, num_bytes);
    const uint64_t hash = hash_of(&f);
    advance(&f, 1);
    ASSERT_NOTES(2);
    const uint64_t last_hash = hash_of(&f);
    assert_int_not_equal(last_hash, hash);

    // In another run, up to the same time of the world.
    stop_flow(&f);
    flow_fixture other = start_flow();
    const ct_flow_instance k = make_graph(&other, graph_with_state(0, 2));
    assert_int_equal(k.id, i.id);
    advance(&other, 2);
    ct_error error = {0};
    if (!ct_flow_restore(other.flow, k, copy, num_bytes, &error))
        fail_msg("%s", error.message);
    assert_int_equal(hash_of(&other), hash);
    assert_string_equal(text_of(&other, k, "name"), "+");
    advance(&other, 1);
    ASSERT_NOTES(2);
    assert_string_equal(text_of(&other, k, "name"), "++");
    assert_int_equal(hash_of(&other), last_hash);
    advance(&other, 10);
    assert_no_notes();
    ct_free(test_heap(), copy);
    stop_flow(&other);
}

// Restoring over what waits leaves nothing of it.
static void restored_state_replaces_what_waits(void **state) {
    (void)state;
    flow_fixture f = start_flow();
    const ct_flow_instance i = make_graph(&f, graph_with_state(0, 2));
    uint32_t num_bytes;
    const void *const data = ct_flow_save(f.flow, i, &num_bytes);
    void *const copy = ct_alloc(test_heap(), num_bytes);
    memcpy(copy, data, num_bytes);
    start_event(&f, i, "go");
    ct_error error = {0};
    assert_true(ct_flow_restore(f.flow, i, copy, num_bytes, &error));
    advance(&f, 10);
    assert_no_notes();
    ct_free(test_heap(), copy);
    stop_flow(&f);
}

// As games do that go back in time again and again.
static void restoring_often_takes_no_memory(void **state) {
    (void)state;
    flow_fixture f = start_flow();
    const ct_flow_instance i = make_graph(&f, graph_with_state(0, 2));
    uint32_t num_bytes;
    const void *const data = ct_flow_save(f.flow, i, &num_bytes);
    void *const before = ct_alloc(test_heap(), num_bytes);
    void *const after = ct_alloc(test_heap(), num_bytes);
    memcpy(before, data, num_bytes);
    start_event(&f, i, "go");
    memcpy(after, data, num_bytes);
    ct_error error = {0};
    for (uint32_t k = 0; k < 20000; ++k)
        assert_true(ct_flow_restore(f.flow, i, k % 2 ? after : before, num_bytes, &error));
    assert_in_range(f.flow->waiting.count, 1, 2048);
    advance(&f, 3);
    ASSERT_NOTES(1); // once
    ct_free(test_heap(), before);
    ct_free(test_heap(), after);
    stop_flow(&f);
}

static void refuses_state_that_does_not_fit(void **state) {
    (void)state;
    flow_fixture f = start_flow();
    const ct_flow_instance i = make_graph(&f, graph_with_state(0, 2));
    start_event(&f, i, "go");
    uint32_t num_bytes;
    const void *const data = ct_flow_save(f.flow, i, &num_bytes);
    uint8_t *const copy = ct_alloc(test_heap(), num_bytes);
    const uint64_t hash = hash_of(&f);
    ct_error error = {0};
    memcpy(copy, data, num_bytes);
    assert_false(ct_flow_restore(f.flow, i, copy, num_bytes - 16, &error));
    assert_non_null(strstr(error.message, "bytes of the state of a flow graph; expected"));
    ct_flow_head *const head = (void *)copy;
    const uint32_t waiting = head->waiting;
    assert_int_not_equal(waiting, 0);
    const uint32_t bad[] = {waiting + 1, waiting + 8, num_bytes, UINT32_MAX - 7, 64};
    for (uint32_t k = 0; k < CT_COUNT_OF(bad); ++k) {
        head->waiting = bad[k];
        assert_false(ct_flow_restore(f.flow, i, copy, num_bytes, &error));
        assert_non_null(strstr(error.message, "found a node that waits at"));
    }
    head->waiting = waiting;
    ct_flow_wait_state *const wait = ct_flow_wait_at(copy, waiting);
    wait->next = waiting; // it leads back to itself
    assert_false(ct_flow_restore(f.flow, i, copy, num_bytes, &error));
    assert_non_null(strstr(error.message, "does not end"));
    wait->next = 0;
    wait->due[3] = NAN;
    assert_false(ct_flow_restore(f.flow, i, copy, num_bytes, &error));
    assert_non_null(strstr(error.message, "found a time of"));
    memcpy(copy, data, num_bytes);
    const uint32_t offset =
        (uint32_t)((const uint8_t *)variable_of(&f, i, "name") - (const uint8_t *)data);
    ct_flow_string *const text = (void *)(copy + offset);
    *text = (ct_flow_string){(offset + 16) | CT_FLOW_STRING_IS_DYNAMIC, CT_FLOW_STRING_BYTES};
    assert_false(ct_flow_restore(f.flow, i, copy, num_bytes, &error));
    assert_int_equal(hash_of(&f), hash); // nothing has changed
    assert_false(ct_flow_restore(f.flow, (ct_flow_instance){0}, copy, num_bytes, &error));
    ct_free(test_heap(), copy);
    stop_flow(&f);
}

static void restore_keeps_the_place_of_zeros(void **state) {
    (void)state;
    flow_fixture f = start_flow();
    const ct_flow_instance i = make_graph(&f, graph_with_state(0, 2));
    uint32_t num_bytes;
    const uint8_t *const data = ct_flow_save(f.flow, i, &num_bytes);
    uint8_t *const copy = ct_alloc(test_heap(), num_bytes);
    memcpy(copy, data, num_bytes);
    memset(copy + CT_FLOW_ZEROS, 0xff, CT_FLOW_VALUE_BYTES);
    ct_error error = {0};
    assert_true(ct_flow_restore(f.flow, i, copy, num_bytes, &error));
    for (uint32_t k = 0; k < CT_FLOW_VALUE_BYTES; ++k)
        assert_int_equal(data[CT_FLOW_ZEROS + k], 0);
    ct_free(test_heap(), copy);
    stop_flow(&f);
}

// Bytes of saved data change: it is refused, or the graph runs with it.
static void survives_damaged_state(void **state) {
    (void)state;
    flow_fixture f = start_flow();
    const ct_flow_instance i = make_graph(&f, graph_with_state(1, 0.5));
    start_event(&f, i, "go");
    advance(&f, 1);
    start_event(&f, i, "go");
    uint32_t num_bytes, random = 1, num_restored = 0;
    const void *const data = ct_flow_save(f.flow, i, &num_bytes);
    uint8_t *const good = ct_alloc(test_heap(), num_bytes);
    uint8_t *const bad = ct_alloc(test_heap(), num_bytes);
    memcpy(good, data, num_bytes);
    const uint32_t rounds = test_rounds(500, 50000);
    for (uint32_t k = 0; k < rounds; ++k) {
        memcpy(bad, good, num_bytes);
        for (uint32_t n = test_random(&random) % 4 + 1; n > 0; --n)
            bad[test_random(&random) % num_bytes] = (uint8_t)test_random(&random);
        ct_error error = {0};
        if (ct_flow_restore(f.flow, i, bad, num_bytes, &error))
            ++num_restored;
        else
            assert_true(error.message[0] != 0);
        start_event(&f, i, "go");
        advance(&f, 0.25);
        text_of(&f, i, "name");
    }
    assert_in_range(num_restored, rounds / 8, rounds - 1);
    notes.count = 0;
    ct_free(test_heap(), good);
    ct_free(test_heap(), bad);
    stop_flow(&f);
}

// --- Reload --------------------------------------------------------------------------------------

static void reload_keeps_states_by_node_and_variables_by_name(void **state) {
    (void)state;
    flow_fixture f = start_flow();
    const ct_flow_instance i = make_graph(&f, graph_with_state(0, 2));
    start_event(&f, i, "go");
    advance(&f, 1);
    start_event(&f, i, "go");
    advance(&f, 1);
    ASSERT_NOTES(1);
    assert_true(ct_flow_set_variable_text(f.flow, i, ct_string_id32_of("name"), "lamp"));
    load_graph(&f, "test", graph_with_state(2, 7)); // all is elsewhere
    assert_true(ct_flow_is_alive(f.flow, i));
    assert_string_equal(text_of(&f, i, "name"), "lamp");
    assert_string_equal(text_of(&f, i, "a"), "");
    start_event(&f, i, "go");
    advance(&f, 1); // the delay of before
    ASSERT_NOTES(2);
    assert_string_equal(text_of(&f, i, "name"), "lamp+");
    advance(&f, 5.5);
    assert_no_notes();
    advance(&f, 1);
    ASSERT_NOTES(3);
    uint32_t num_bytes;
    const void *const data = ct_flow_save(f.flow, i, &num_bytes);
    ct_error error = {0};
    if (!ct_flow_restore(f.flow, i, data, num_bytes, &error)) // texts are at their places
        fail_msg("%s", error.message);
    stop_flow(&f);
}

// They show places of others, which have their own values.
static void reload_moves_no_external_output(void **state) {
    (void)state;
    flow_fixture f = start_flow();
    ct_flow_instance i = {0};
    for (uint32_t k = 0; k < 2; ++k) {
        start_graph(&b);
        const uint32_t counters[] = {add_node(&b, "counter"), add_node(&b, "counter")};
        for (uint32_t n = 0; n < 2; ++n)
            give_number(&b, counters[n], "increment", 1);
        link_event(&b, add_entry(&b, "external_in_event", "go"), "out", counters[0], "increase");
        add_output(&b, "count", counters[k], "value");
        load_graph(&f, "test", &b);
        if (k == 0)
            i = make_instance(&f, "test");
        start_event(&f, i, "go");
        assert_true(variable_of(&f, i, "count")->number == (k == 0 ? 1 : 0));
    }
    stop_flow(&f);
}

// As where a new version of a Lua node has a text in the place of another output.
static void reload_clears_texts_that_are_none(void **state) {
    (void)state;
    flow_fixture f = start_flow();
    const ct_flow_instance i = make_graph(&f, graph_with_state(0, 2));
    static const ct_flow_string wrong[] = {{0x9999999a, 0x3fb99999}, {0x80000000, 239}};
    for (uint32_t k = 0; k < CT_COUNT_OF(wrong); ++k) {
        ct_flow_value *const value = variable_of(&f, i, "name");
        memset((uint8_t *)value + CT_FLOW_VALUE_BYTES, 'x', CT_FLOW_STRING_BYTES);
        value->string = wrong[k];
        load_graph(&f, "test", graph_with_state(0, 2));
        assert_int_equal(variable_of(&f, i, "name")->string.length, 0);
        assert_string_equal(text_of(&f, i, "name"), "");
    }
    stop_flow(&f);
}

static void reload_drops_what_waits_in_nodes_that_are_gone(void **state) {
    (void)state;
    flow_fixture f = start_flow();
    const ct_flow_instance i = make_graph(&f, graph_with_state(0, 2));
    const ct_flow_instance other = make_instance(&f, "test");
    start_event(&f, i, "go");
    start_event(&f, other, "go");
    graph_with_state(0, 2);
    for (uint32_t n = 1; n <= b.num_nodes; ++n)
        b.nodes[n].id += 100; // all are others
    load_graph(&f, "test", &b);
    advance(&f, 10);
    assert_no_notes();
    assert_true(ct_flow_is_alive(f.flow, i));
    start_event(&f, i, "go");
    advance(&f, 10);
    ASSERT_NOTES(1);
    stop_flow(&f);
}

static void reload_may_add_updates(void **state) {
    (void)state;
    flow_fixture f = start_flow();
    start_graph(&b);
    add_note(&b, add_entry(&b, "external_in_event", "go"), "out", 1);
    make_graph(&f, &b);
    advance(&f, 1);
    assert_no_notes();
    start_graph(&b);
    add_note(&b, add_entry(&b, "level_update", ""), "out", 2);
    load_graph(&f, "test", &b);
    advance(&f, 1);
    ASSERT_NOTES(2);
    start_graph(&b);
    add_note(&b, add_entry(&b, "level_update", ""), "out", 2);
    load_graph(&f, "test", &b);
    advance(&f, 1);
    ASSERT_NOTES(2); // once
    stop_flow(&f);
}

// Updates that a graph lost and got back run once in a step, for instances of before too.
static void reload_may_take_updates_away_and_give_them_back(void **state) {
    (void)state;
    flow_fixture f = start_flow();
    for (uint32_t k = 0; k < 3; ++k) {
        start_graph(&b);
        const uint32_t update = add_entry(&b, k == 1 ? "level_loaded" : "level_update", "");
        add_note(&b, update, "out", 2);
        load_graph(&f, "test", &b);
        if (k == 0)
            make_instance(&f, "test");
    }
    advance(&f, 1);
    ASSERT_NOTES(2);
    stop_flow(&f);
}

// --- Variables that graphs share -----------------------------------------------------------------

// A graph that adds to a shared number, and puts a "+" behind a shared text.
static flow_builder *graph_with_globals(void) {
    start_graph(&b);
    const uint32_t go = add_entry(&b, "external_in_event", "go");
    const uint32_t score = add_node(&b, "get_numeric_variable_of_scope");
    const uint32_t sum = add_node(&b, "numeric_addition");
    const uint32_t set = add_node(&b, "set_numeric_variable_of_scope");
    give_number(&b, sum, "b", 5);
    link_value(&b, score, "numeric", sum, "a");
    link_value(&b, sum, "value", set, "numeric");
    const uint32_t title = add_node(&b, "get_string_variable_of_scope");
    const uint32_t longer = add_node(&b, "string_concatenate");
    const uint32_t rename = add_node(&b, "set_string_variable_of_scope");
    give_text(&b, longer, "b", "+");
    link_value(&b, title, "string", longer, "a");
    link_value(&b, longer, "value", rename, "string");
    const uint32_t nodes[] = {score, set, title, rename};
    for (uint32_t i = 0; i < CT_COUNT_OF(nodes); ++i) {
        give_text(&b, nodes[i], "name", i < 2 ? "score" : "title");
        give_text(&b, nodes[i], "scope", "global");
    }
    link_event(&b, go, "out", set, "set");
    link_event(&b, set, "out", rename, "set");
    const uint32_t note = add_note(&b, rename, "out", 0);
    link_value(&b, score, "numeric", note, "value");
    return &b;
}

static const char *title_of(ct_flow_world *w) {
    const ct_flow_global *const title =
        ct_flow_global_of(w, ct_string_id32_of("title"), CT_FLOW_TYPE_STRING);
    return ct_flow_text_at(title, "", &title->value.string);
}

static void shared_variables_are_saved_and_hashed(void **state) {
    (void)state;
    uint32_t num_bytes;
    flow_fixture f = start_flow();
    ct_flow_save_globals(f.flow, &num_bytes);
    assert_int_equal(num_bytes, 0);
    const ct_flow_instance i = make_graph(&f, graph_with_globals());
    start_event(&f, i, "go");
    start_event(&f, i, "go");
    ASSERT_NOTES(5, 10);
    const void *const data = ct_flow_save_globals(f.flow, &num_bytes);
    void *const copy = ct_alloc(test_heap(), num_bytes);
    memcpy(copy, data, num_bytes);
    ct_state_hash hash = {0}, last_hash = {0};
    ct_flow_hash(f.flow, &hash);
    const ct_flow_instance all[] = {i};
    ct_flow_destroy(f.flow, all, 1);
    const uint64_t of_variables = hash_of(&f); // they outlive instances
    assert_int_not_equal(of_variables, 0);
    stop_flow(&f);

    flow_fixture other = start_flow();
    ct_error error = {0};
    if (!ct_flow_restore_globals(other.flow, copy, num_bytes, &error))
        fail_msg("%s", error.message);
    assert_int_equal(hash_of(&other), of_variables);
    assert_string_equal(title_of(other.flow), "++");
    start_event(&other, make_graph(&other, graph_with_globals()), "go");
    ASSERT_NOTES(15);
    assert_string_equal(title_of(other.flow), "+++");
    ct_flow_hash(other.flow, &last_hash);
    assert_int_not_equal(last_hash.value, hash.value);
    assert_true(ct_flow_restore_globals(other.flow, NULL, 0, &error));
    assert_string_equal(title_of(other.flow), "");
    ct_free(test_heap(), copy);
    stop_flow(&other);
}

static void worlds_share_no_variables(void **state) {
    (void)state;
    flow_fixture f = start_flow();
    const ct_flow_instance i = make_graph(&f, graph_with_globals());
    start_event(&f, i, "go");
    ct_world *const world = ct_world_create(f.world.system);
    uint32_t num_bytes;
    ct_flow_save_globals(ct_flow_world_of(f.system, world), &num_bytes);
    assert_int_equal(num_bytes, 0);
    assert_string_equal(title_of(f.flow), "+");
    ct_world_destroy(world);
    stop_flow(&f);
}

static void refuses_shared_variables_that_were_damaged(void **state) {
    (void)state;
    flow_fixture f = start_flow();
    start_event(&f, make_graph(&f, graph_with_globals()), "go");
    uint32_t num_bytes;
    const void *const data = ct_flow_save_globals(f.flow, &num_bytes);
    ct_flow_global globals[2];
    assert_int_equal(num_bytes, sizeof(globals));
    const uint64_t hash = hash_of(&f);
    ct_error error = {0};
    assert_false(ct_flow_restore_globals(f.flow, data, num_bytes - 8, &error));
    assert_non_null(strstr(error.message, "bytes of variables; expected a multiple of"));
    memcpy(globals, data, num_bytes);
    globals[1].name = globals[0].name;
    assert_false(ct_flow_restore_globals(f.flow, globals, num_bytes, &error));
    assert_non_null(strstr(error.message, "found two variables with the name"));
    static const uint32_t types[] = {CT_FLOW_TYPE_EVENT, CT_FLOW_TYPE_ANY, 1000};
    for (uint32_t k = 0; k < CT_COUNT_OF(types); ++k) {
        memcpy(globals, data, num_bytes);
        globals[0].type = types[k];
        assert_false(ct_flow_restore_globals(f.flow, globals, num_bytes, &error));
        assert_non_null(strstr(error.message, "expected a type of values"));
    }
    static const ct_flow_string texts[] = {{16, 1},
                                           {0, 1},
                                           {16 | CT_FLOW_STRING_IS_DYNAMIC, 240},
                                           {24 | CT_FLOW_STRING_IS_DYNAMIC, 1}};
    for (uint32_t k = 0; k < CT_COUNT_OF(texts); ++k) {
        memcpy(globals, data, num_bytes);
        for (uint32_t g = 0; g < 2; ++g)
            if (globals[g].type == CT_FLOW_TYPE_STRING)
                globals[g].value.string = texts[k];
        assert_false(ct_flow_restore_globals(f.flow, globals, num_bytes, &error));
        assert_non_null(strstr(error.message, "text does not end in its place"));
    }
    assert_int_equal(hash_of(&f), hash);
    assert_true(ct_flow_restore_globals(f.flow, data, num_bytes, &error)); // its own
    assert_int_equal(hash_of(&f), hash);
    stop_flow(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(saved_state_goes_on_in_the_same_way),
        cmocka_unit_test(restored_state_replaces_what_waits),
        cmocka_unit_test(restoring_often_takes_no_memory),
        cmocka_unit_test(refuses_state_that_does_not_fit),
        cmocka_unit_test(restore_keeps_the_place_of_zeros),
        cmocka_unit_test(survives_damaged_state),
        cmocka_unit_test(reload_keeps_states_by_node_and_variables_by_name),
        cmocka_unit_test(reload_moves_no_external_output),
        cmocka_unit_test(reload_clears_texts_that_are_none),
        cmocka_unit_test(reload_drops_what_waits_in_nodes_that_are_gone),
        cmocka_unit_test(reload_may_add_updates),
        cmocka_unit_test(reload_may_take_updates_away_and_give_them_back),
        cmocka_unit_test(shared_variables_are_saved_and_hashed),
        cmocka_unit_test(worlds_share_no_variables),
        cmocka_unit_test(refuses_shared_variables_that_were_damaged),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
