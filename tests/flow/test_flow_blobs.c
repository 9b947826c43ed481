// Damaged blobs of graphs: they are refused, or run without harm.
#include "flow/flow_fixture.h"

static flow_builder b;

// A graph with links, pure nodes, texts, a variable, states, an output and several kinds of entries.
static flow_builder *graph_of_all(void) {
    start_graph(&b);
    const uint32_t name = add_variable(&b, "name", CT_FLOW_TYPE_STRING);
    const uint32_t score = add_variable(&b, "score", CT_FLOW_TYPE_NUMBER);
    const uint32_t go = add_entry(&b, "external_in_event", "go");
    const uint32_t update = add_entry(&b, "level_update", "");
    const uint32_t touch = add_entry(&b, "physics_collision", "");
    const uint32_t delay = add_node(&b, "delay");
    give_number(&b, delay, "time", 0.25);
    link_event(&b, go, "out", delay, "in");
    link_event(&b, touch, "start_touch", delay, "in");
    const uint32_t sequence = add_node(&b, "sequence");
    link_event(&b, delay, "out", sequence, "in");
    link_event(&b, update, "out", sequence, "in");
    const uint32_t counter = add_node(&b, "counter");
    give_number(&b, counter, "increment", 1);
    link_event(&b, sequence, "out_1", counter, "increase");
    const uint32_t sum = add_node(&b, "numeric_addition");
    link_value(&b, counter, "value", sum, "a");
    read_variable(&b, score, sum, "b");
    const uint32_t set_score = add_setter(&b, "set_numeric_variable", score);
    link_value(&b, sum, "value", set_score, "numeric");
    link_event(&b, counter, "changed", set_score, "set");
    const uint32_t text = add_node(&b, "numeric_to_string");
    link_value(&b, sum, "value", text, "numeric");
    const uint32_t both = add_node(&b, "string_concatenate");
    link_value(&b, text, "value", both, "a");
    give_text(&b, both, "b", "!");
    const uint32_t set_name = add_setter(&b, "set_string_variable", name);
    link_value(&b, both, "value", set_name, "string");
    link_event(&b, sequence, "out_2", set_name, "set");
    add_output(&b, "sum", sum, "value");
    return &b;
}

// As the events of physics do.
static void set_outputs(ct_flow_call *c, void *user) {
    (void)user;
    for (uint32_t i = 0; i < 3; ++i)
        ct_flow_set_object(c, i, (ct_flow_object){UINT64_MAX, i, i});
    ct_flow_set_vector3(c, 3, (ct_vec3){{1, 2, 3}});
    ((ct_flow_physics_state *)ct_flow_state(c))->event_out = 0;
}

static void run(flow_fixture *f, const ct_flow_resource *r) {
    const ct_string_id64 name = ct_string_id64_of("damaged");
    const ct_string_id32 none = {0};
    ct_flow_instance i;
    ct_error error = {0};
    ct_flow_graph_online(f->system, name, r);
    if (ct_flow_create(f->flow, name, NULL, (ct_level){0}, 1, &i, &error)) {
        start_event(f, i, "go");
        ct_flow_start(f->flow, i, ct_string_id32_of("physics_collision"), none, set_outputs, NULL);
        advance(f, 0.5);
        const ct_flow_variable *const v = ct_blob_at(r, r->variables.offset);
        for (uint32_t k = 0; k < r->variables.count; ++k) {
            ct_flow_type type = CT_FLOW_TYPE_COUNT;
            const ct_flow_value *const value = ct_flow_find_variable(f->flow, i, v[k].name, &type);
            if (type == CT_FLOW_TYPE_STRING)
                assert_true(strlen(ct_flow_value_text(f->flow, i, value)) < MOST_TEXT);
        }
    }
    ct_flow_graph_offline(f->system, name, r);
}

static void damaged_blobs_are_refused_or_run(void **state) {
    (void)state;
    flow_fixture f = start_flow();
    ct_flow_resource *const good = build_graph(graph_of_all());
    f.blobs[f.num_blobs++] = good;
    const uint32_t num_bytes = good->header.size_bytes, first = sizeof(ct_blob_header);
    uint8_t *const bad = ct_alloc(test_heap(), num_bytes);
    uint32_t random = 7, num_run = 0;
    const uint32_t rounds = test_rounds(20000, 1000000);
    for (uint32_t k = 0; k < rounds; ++k) {
        memcpy(bad, good, num_bytes);
        for (uint32_t n = test_random(&random) % 3 + 1; n > 0; --n) {
            const uint32_t at = first + test_random(&random) % (num_bytes - first);
            const uint32_t from = first + test_random(&random) % (num_bytes - first - 4);
            if (test_random(&random) % 2) // a word from elsewhere
                memcpy(bad + at / 4 * 4, bad + from / 4 * 4, 4);
            else
                bad[at] = (uint8_t)(bad[at] + test_random(&random) % 5 - 2);
        }
        ct_error error = {0};
        if (ct_flow_validate(bad, &error)) {
            ++num_run;
            run(&f, (const ct_flow_resource *)(const void *)bad);
        }
    }
    assert_in_range(num_run, rounds / 100, rounds - 1);
    ct_free(test_heap(), bad);
    stop_flow(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(damaged_blobs_are_refused_or_run),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
