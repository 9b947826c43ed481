// Random graphs do in the engine, as blobs, what a naive interpreter of their sources does: node for
// node, and value for value.
#include "compiler/compile_case.h"
#include "flow/compiled/flow_interpreter_nodes.h"
#include "flow/compiled/random_graph.h"
#include "flow/flow_fixture.h"

enum { LEVEL = 77, NUM_SOURCES = 3 };

static trace traced;
static random_graph graphs[NUM_SOURCES]; // the whole first
static interpreter sources;

// --- What the engine does ------------------------------------------------------------------------

static ct_flow_function originals[256]; // by used type
static ct_flow_instance instances[NUM_INSTANCES];

static uint32_t number_of_instance(uint32_t id) {
    uint32_t i = 0;
    while (i < NUM_INSTANCES && instances[i].id != id)
        ++i;
    return i;
}

// `place`: of a ct_flow_value; words among the constants are aligned to 4 bytes.
static source_value value_at(const void *place, ct_flow_type type, const char *text) {
    source_value value = {.type = type};
    ct_flow_value v = {.is_true = 0};
    switch (type) {
    case CT_FLOW_TYPE_BOOL:
        memcpy(&v, place, sizeof(v.is_true));
        return value_bool(v.is_true != 0);
    case CT_FLOW_TYPE_NUMBER:
        memcpy(&v, place, sizeof(v.number));
        return value_number(v.number);
    case CT_FLOW_TYPE_STRING:
        memcpy(&v, place, sizeof(v.string));
        assert_int_equal(strlen(text), v.string.length);
        return value_text(text);
    case CT_FLOW_TYPE_ID:
        memcpy(&v, place, sizeof(v.id));
        return value_id(v.id);
    case CT_FLOW_TYPE_VECTOR3:
        memcpy(value.floats, place, 3 * sizeof(float));
        return value;
    case CT_FLOW_TYPE_QUATERNION:
        memcpy(value.floats, place, sizeof(value.floats));
        return value;
    default:
        return value;
    }
}

static source_value input_at(const ct_flow_call *c, uint32_t number) {
    const ct_flow_type type = ct_flow_input_type(c, number);
    return value_at(ct_flow_input(c, number), type,
                    type == CT_FLOW_TYPE_STRING ? ct_flow_text(c, number) : "");
}

static void *with_room(void *items, uint32_t count, uint32_t *most, uint32_t item_bytes) {
    if (count < *most)
        return items;
    const uint64_t old = (uint64_t)*most * item_bytes;
    *most = 2 * *most + 1024;
    void *const grown = ct_alloc(test_heap(), (uint64_t)*most * item_bytes);
    if (old > 0)
        memcpy(grown, items, old);
    ct_free(test_heap(), items);
    return grown;
}

// Takes the place of the functions of all nodes with events.
static uint32_t run_traced(ct_flow_call *c, uint32_t event) {
    const ct_flow_node *const node = c->node;
    const uint32_t count = node->first_output / 2, at = traced.num_nodes++;
    assert_in_range(count, 0, MOST_INPUTS);
    traced.nodes = with_room(traced.nodes, at, &traced.max_nodes, sizeof(*traced.nodes));
    traced_node *const t = &traced.nodes[at];
    *t = (traced_node){.path = ct_flow_node_path(c->graph, ct_flow_position_of(c)),
                       .instance = number_of_instance(c->instance),
                       .event = event,
                       .num_inputs = count};
    for (uint32_t i = 0; i < count; ++i) {
        const source_value v = input_at(c, i);
        t->inputs[i] = traced_of(&v);
    }
    const uint32_t out = originals[node->type](c, event);
    traced.nodes[at].out = out;
    return out;
}

static uint32_t run_drawn(ct_flow_call *c, uint32_t event) {
    const ct_flow_node *const node = c->node;
    const uint32_t out = originals[node->type](c, event);
    const char *const path = ct_flow_node_path(c->graph, ct_flow_position_of(c));
    const uint32_t at = traced.num_draws++;
    traced.draws = with_room(traced.draws, at, &traced.max_draws, sizeof(*traced.draws));
    traced.draws[at] = (traced_draw){
        .path = path,
        .instance = number_of_instance(c->instance),
        .value = value_at(
            ct_flow_output(c, 0),
            strstr(path, "random_numeric ") ? CT_FLOW_TYPE_NUMBER : CT_FLOW_TYPE_VECTOR3, "")};
    return out;
}

static void trace_graph(const flow_fixture *f, const char *name) {
    ct_flow_graph *const g = ct_flow_find_graph(f->system, ct_string_id64_of(name));
    assert_true(g && g->num_types <= CT_COUNT_OF(originals));
    for (uint32_t i = 0; i < g->num_types; ++i) {
        const char *const type = ct_blob_at(g->resource, g->types[i].name.offset);
        originals[i] = g->functions[i];
        if (strncmp(type, "random_", 7) == 0)
            g->functions[i] = run_drawn;
        else if (ct_flow_find_node_type(type)->kind != CT_FLOW_NODE_PURE)
            g->functions[i] = run_traced;
    }
}

static uint32_t num_sent; // events to scripts

static void take_level_event(void *user, ct_world *w, ct_level level, const char *name) {
    (void)user, (void)w;
    assert_int_equal(level.id, LEVEL);
    assert_true(strncmp(name, "out_", 4) == 0 || strncmp(name, "sent_", 5) == 0);
    ++num_sent;
}

// --- What both do --------------------------------------------------------------------------------

static void expect_end_of_trace(void) {
    uint32_t sent = 0;
    if (sources.at < traced.num_nodes)
        fail_msg("the engine ran %s, which shall not run", traced.nodes[sources.at].path);
    assert_int_equal(traced.num_used_draws, traced.num_draws);
    for (uint32_t i = 0; i < traced.num_nodes; ++i)
        sent += strstr(traced.nodes[i].path, "external_out_event") ||
                strstr(traced.nodes[i].path, "level_event");
    assert_int_equal(num_sent, sent);
    num_sent = sources.at = traced.num_nodes = 0;
    traced.num_draws = traced.num_used_draws = traced.first_unused = 0;
}

static void expect_variable(flow_fixture *f, const source_variable *v, uint32_t instance) {
    ct_flow_type type;
    const ct_flow_value *const found =
        ct_flow_find_variable(f->flow, instances[instance], ct_string_id32_of(v->name), &type);
    if (!found)
        fail_msg("there is no variable %s", v->name);
    const char *const text =
        type == CT_FLOW_TYPE_STRING ? ct_flow_value_text(f->flow, instances[instance], found) : "";
    const source_value value = value_at(found, type, text);
    source_value expected = v->values[instance];
    if (v->output) {
        const ct_flow_slot *const s = nth_input(v->output, 1);
        sources.instance = instance;
        ++sources.stamp;
        expected = input_value(&sources, v->output, s->name, (ct_flow_type)s->type, s);
    }
    const traced_value a = traced_of(&value), b = traced_of(&expected);
    if (memcmp(&a, &b, sizeof(a)) != 0)
        fail_msg("the variable %s of instance %u: the engine has %.17g, [%.9g %.9g %.9g %.9g], "
                 "\"%s\"; expected %.17g, [%.9g %.9g %.9g %.9g], \"%s\"",
                 v->name, instance, value.number, (double)value.floats[0], (double)value.floats[1],
                 (double)value.floats[2], (double)value.floats[3], value.text, expected.number,
                 (double)expected.floats[0], (double)expected.floats[1], (double)expected.floats[2],
                 (double)expected.floats[3], expected.text);
}

static void expect_variables(flow_fixture *f) {
    for (uint32_t i = 0; i < sources.num_variables; ++i) {
        for (uint32_t k = 0; k < NUM_INSTANCES; ++k)
            expect_variable(f, &sources.variables[i], k);
    }
}

static void start_in_both(flow_fixture *f, uint32_t instance, const char *type, const char *name) {
    const ct_string_id32 key = name[0] ? ct_string_id32_of(name) : (ct_string_id32){0};
    ct_flow_start(f->flow, instances[instance], ct_string_id32_of(type), key, NULL, NULL);
    start_source_events(&sources, instance, type, name, name[0] != 0);
}

// Sets a number or a text from outside, as scripts do.
static void set_in_both(flow_fixture *f, uint32_t instance, uint32_t *random) {
    static const char *const names[] = {"number", "string", "input_0", "input_4"};
    const char *const name = names[test_random(random) % CT_COUNT_OF(names)];
    source_variable *const v = find_source_variable(&sources, &sources.scopes[0], name);
    ct_flow_type type;
    if (!v)
        return;
    ct_flow_value *const found =
        ct_flow_find_variable(f->flow, instances[instance], ct_string_id32_of(name), &type);
    if (type == CT_FLOW_TYPE_NUMBER) {
        found->number = (int)(test_random(random) % 9) - 2;
        v->values[instance] = value_number(found->number);
    } else {
        assert_true(ct_flow_set_variable_text(f->flow, instances[instance], ct_string_id32_of(name),
                                              "from a script"));
        v->values[instance] = value_text("from a script");
    }
}

static void step_both(flow_fixture *f, double dt) {
    advance(f, dt);
    step_source(&sources, ct_world_time(f->world.world));
}

static void play(flow_fixture *f, uint32_t *random) {
    static const double steps[] = {0, 0.1, 0.25, 0.5, 1, 1.0 / 60};
    enum { NUM_ACTS = 20 };
    for (uint32_t i = 0; i < NUM_ACTS && sources.num_cut < 2; ++i) { // cut ones are slow
        const uint32_t choice = test_random(random) % 10, of = test_random(random) % NUM_INSTANCES;
        if (choice < 5)
            start_in_both(f, of, "external_in_event", choice < 3 ? "in_0" : "in_1");
        else if (choice == 5)
            start_in_both(f, of, "level_loaded", "");
        else if (choice == 6)
            set_in_both(f, of, random);
        else
            step_both(f, steps[test_random(random) % CT_COUNT_OF(steps)]);
        expect_end_of_trace();
        expect_variables(f);
        expect_end_of_trace();
    }
}

// --- Rounds --------------------------------------------------------------------------------------

// Graph `s1` may use `s0`, and `g` both.
static void make_sources(compile_case *t, uint32_t number, uint32_t *random) {
    static const char *const names[NUM_SOURCES] = {"g", "s1", "s0"};
    for (uint32_t i = NUM_SOURCES; i-- > 0;) {
        random_graph *const g = &graphs[i];
        char file[16];
        memset(g, 0, sizeof(*g));
        g->random = random;
        g->number = number;
        g->is_inner = i > 0;
        for (uint32_t k = i + 1; k < NUM_SOURCES; ++k) {
            g->inner_names[g->num_inner] = names[k];
            g->inner[g->num_inner++] = &graphs[k];
        }
        random_make(g, i == 0 ? 8 + test_random(random) % 32 : 6 + test_random(random) % 10);
        snprintf(file, sizeof(file), "%s.flow", names[i]);
        compile_case_text(t, file, g->source);
    }
    memset(&sources, 0, sizeof(sources));
    for (uint32_t i = 0; i < NUM_SOURCES; ++i)
        load_source(&sources, names[i], graphs[i].source);
}

static void run_round(flow_fixture *f, uint32_t number) {
    uint32_t random = number * 7919 + 12345;
    ct_error error = {0};
    compile_case t = compile_case_make();
    make_sources(&t, number, &random);
    start_interpreter(&sources, &traced);
    const void *const blob = compile_case_blob(&t, "flow", "g");
    ct_flow_graph_online(f->system, ct_string_id64_of("g"), blob);
    trace_graph(f, "g");
    if (!ct_flow_create(f->flow, ct_string_id64_of("g"), NULL, (ct_level){LEVEL}, NUM_INSTANCES,
                        instances, &error))
        fail_msg("%s", error.message);
    sources.now = ct_world_time(f->world.world);
    for (uint32_t i = 0; i < NUM_INSTANCES; ++i)
        sources.order[i] = instances[i].id & ((1u << CT_FLOW_INDEX_BITS) - 1);
    play(f, &random);
    ct_flow_graph_offline(f->system, ct_string_id64_of("g"), blob);
    compile_case_free(&t);
}

static uint32_t failing_round; // plus 1; 0: none

// Says which graphs a failure is about.
static int print_sources(void **state) {
    (void)state;
    for (uint32_t i = 0; failing_round && i < NUM_SOURCES; ++i)
        fprintf(stderr, "round %u, graph %u:\n%s\n", failing_round - 1, i, graphs[i].source);
    return 0;
}

// Fails unless all nodes that this test is about ran.
static void expect_all_types(void) {
    static const char *const modules[] = {"math", "convert", "string", "control"};
    uint32_t num_tables;
    const ct_flow_node_table *const tables = ct_flow_node_tables(&num_tables);
    for (uint32_t i = 0; i < num_tables * CT_COUNT_OF(modules); ++i) {
        const ct_flow_node_table *const table = &tables[i / CT_COUNT_OF(modules)];
        if (strcmp(table->module, modules[i % CT_COUNT_OF(modules)]) != 0)
            continue;
        for (uint32_t k = 0; k < table->num_nodes; ++k)
            if (count_of_type(&table->nodes[k])->count == 0)
                fail_msg("no %s ran", table->nodes[k].name);
    }
}

static void runs_as_the_source_says(void **state) {
    (void)state;
    flow_fixture f = start_flow();
    ct_flow_system_set_lua(f.system, &(ct_flow_lua){.level_event = take_level_event});
    const uint32_t rounds = test_rounds(1000, 10000);
    uint32_t num_cut = 0;
    for (uint32_t i = 0; i < rounds; ++i) {
        failing_round = i + 1;
        run_round(&f, i);
        num_cut += sources.num_cut;
        end_interpreter(&sources);
    }
    failing_round = 0;
    expect_all_types();
    assert_in_range(num_cut, 1, rounds / 4); // some, not most
    ct_free(test_heap(), traced.nodes);
    ct_free(test_heap(), traced.draws);
    stop_flow(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(runs_as_the_source_says, print_sources),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
