// The nodes of Variable, External, Debug, Event and Time.
#include "flow/flow_fixture.h"

static flow_builder b;

static const struct {
    const char *slot; // also a name for variables
    ct_flow_type type;
    const char *set, *get_of_scope, *set_of_scope;
} kinds[] = {
    {"bool", CT_FLOW_TYPE_BOOL, "set_bool_variable", "get_bool_variable_of_scope",
     "set_bool_variable_of_scope"},
    {"entity", CT_FLOW_TYPE_ENTITY, "set_entity_variable", "get_entity_variable_of_scope",
     "set_entity_variable_of_scope"},
    {"id", CT_FLOW_TYPE_ID, "set_id_variable", "get_id_variable_of_scope",
     "set_id_variable_of_scope"},
    {"numeric", CT_FLOW_TYPE_NUMBER, "set_numeric_variable", "get_numeric_variable_of_scope",
     "set_numeric_variable_of_scope"},
    {"string", CT_FLOW_TYPE_STRING, "set_string_variable", "get_string_variable_of_scope",
     "set_string_variable_of_scope"},
    {"unit", CT_FLOW_TYPE_UNIT, "set_unit_variable", "get_unit_variable_of_scope",
     "set_unit_variable_of_scope"},
    {"vector", CT_FLOW_TYPE_VECTOR3, "set_vector_variable", "get_vector_variable_of_scope",
     "set_vector_variable_of_scope"},
    {"rotation", CT_FLOW_TYPE_QUATERNION, "set_rotation_variable", "get_rotation_variable_of_scope",
     "set_rotation_variable_of_scope"},
};

// Something of each type that is not zero.
static const ct_flow_value samples[] = {
    {.is_true = 1},           {.object = {7, 8, 9}}, {.id = 0x123456789abcdef0},
    {.number = 2.5},          {.number = 0}, // its text is set apart
    {.object = {10, 11, 12}}, {.floats = {1, 2, 3}}, {.floats = {0.5f, 0.5f, 0.5f, 0.5f}}};

static bool is_same(const ct_flow_value *a, const ct_flow_value *sample) {
    return memcmp(a, sample, sizeof(*a)) == 0;
}

// Copies variable `from` to `to` of the same graph, by the place that the compiler gives the node.
static void sets_variables_of_its_graph(void **state) {
    (void)state;
    for (uint32_t k = 0; k < CT_COUNT_OF(kinds); ++k) {
        flow_fixture f = start_flow();
        start_graph(&b);
        const uint32_t go = add_entry(&b, "external_in_event", "go");
        const uint32_t from = add_variable(&b, "from", kinds[k].type);
        const uint32_t to = add_variable(&b, "to", kinds[k].type);
        const uint32_t set = add_setter(&b, kinds[k].set, to);
        read_variable(&b, from, set, kinds[k].slot);
        link_event(&b, go, "out", set, "set");
        add_note(&b, set, "out", k);
        const ct_flow_instance i = make_graph(&f, &b);
        if (kinds[k].type == CT_FLOW_TYPE_STRING)
            ct_flow_set_variable_text(f.flow, i, ct_string_id32_of("from"), "lamp");
        else
            *variable_of(&f, i, "from") = samples[k];
        start_event(&f, i, "go");
        ASSERT_NOTES(k);
        if (kinds[k].type == CT_FLOW_TYPE_STRING)
            assert_string_equal(ct_flow_value_text(f.flow, i, variable_of(&f, i, "to")), "lamp");
        else
            assert_true(is_same(variable_of(&f, i, "to"), &samples[k]));
        stop_flow(&f);
    }
}

static void variables_start_with_their_values(void **state) {
    (void)state;
    flow_fixture f = start_flow();
    start_graph(&b);
    const uint32_t yes = 1;
    const float turn[4] = {0.5f, 0.5f, 0.5f, 0.5f};
    start_variable(&b, add_variable(&b, "number", CT_FLOW_TYPE_NUMBER), constant_number(&b, 2.5));
    start_variable(&b, add_variable(&b, "text", CT_FLOW_TYPE_STRING), constant_text(&b, "lamp"));
    start_variable(&b, add_variable(&b, "bool", CT_FLOW_TYPE_BOOL), constant_words(&b, &yes, 1));
    start_variable(&b, add_variable(&b, "turn", CT_FLOW_TYPE_QUATERNION),
                   constant_words(&b, turn, 4));
    start_variable(&b, add_variable(&b, "place", CT_FLOW_TYPE_VECTOR3),
                   constant_words(&b, turn, 3));
    const ct_flow_instance i = make_graph(&f, &b);
    assert_true(variable_of(&f, i, "number")->number == 2.5);
    assert_string_equal(ct_flow_value_text(f.flow, i, variable_of(&f, i, "text")), "lamp");
    assert_int_equal(variable_of(&f, i, "bool")->is_true, 1);
    assert_true(variable_of(&f, i, "turn")->floats[3] == 0.5f);
    assert_true(variable_of(&f, i, "place")->floats[2] == 0.5f);
    assert_true(variable_of(&f, i, "place")->floats[3] == 0);
    stop_flow(&f);
}

// Sets a variable of a scope and reads it back into one of the graph.
static void build_scope(uint32_t k, const char *scope) {
    start_graph(&b);
    const uint32_t go = add_entry(&b, "external_in_event", "go");
    const uint32_t from = add_variable(&b, "from", kinds[k].type);
    const uint32_t to = add_variable(&b, "to", kinds[k].type);
    const uint32_t set = add_node(&b, kinds[k].set_of_scope);
    read_variable(&b, from, set, kinds[k].slot);
    give_text(&b, set, "name", kinds[k].slot);
    give_text(&b, set, "scope", scope);
    const uint32_t get = add_node(&b, kinds[k].get_of_scope);
    give_text(&b, get, "name", kinds[k].slot);
    give_text(&b, get, "scope", scope);
    const uint32_t copy = add_setter(&b, kinds[k].set, to);
    link_value(&b, get, kinds[k].slot, copy, kinds[k].slot);
    link_event(&b, go, "out", set, "set");
    link_event(&b, set, "out", copy, "set");
}

static void check_scope(flow_fixture *f, uint32_t k) {
    const ct_flow_instance i = make_graph(f, &b);
    if (kinds[k].type == CT_FLOW_TYPE_STRING)
        ct_flow_set_variable_text(f->flow, i, ct_string_id32_of("from"), "lamp");
    else
        *variable_of(f, i, "from") = samples[k];
    const uint64_t errors = num_errors();
    start_event(f, i, "go");
    assert_int_equal(num_errors(), errors);
    if (kinds[k].type == CT_FLOW_TYPE_STRING)
        assert_string_equal(ct_flow_value_text(f->flow, i, variable_of(f, i, "to")), "lamp");
    else
        assert_true(is_same(variable_of(f, i, "to"), &samples[k]));
}

static void sets_variables_of_all_graphs(void **state) {
    (void)state;
    for (uint32_t k = 0; k < CT_COUNT_OF(kinds); ++k) {
        flow_fixture f = start_flow();
        build_scope(k, "global");
        check_scope(&f, k);
        stop_flow(&f);
    }
}

static void a_global_variable_has_one_type(void **state) {
    (void)state;
    flow_fixture f = start_flow();
    build_scope(0, "global");
    const ct_flow_instance i = make_graph(&f, &b);
    assert_non_null(ct_flow_global_of(f.flow, ct_string_id32_of("bool"), CT_FLOW_TYPE_NUMBER));
    const uint64_t errors = num_errors();
    start_event(&f, i, "go");
    assert_int_equal(num_errors(), errors + 2); // of both nodes
    stop_flow(&f);
}

static ct_level spawn_level_with(flow_fixture *f, const char *graph) {
    level_flow = ct_string_id64_of(graph);
    load_level(&f->world, "yard", NULL, 0, NULL, 0, (ct_string_id64){0});
    level_flow = (ct_string_id64){0};
    ct_error error = {0};
    const ct_level level =
        ct_world_spawn_level(f->world.world, "yard", (ct_vec3){{0, 0, 0}}, (ct_quat){{0, 0, 0, 1}},
                             (ct_vec3){{1, 1, 1}}, &error);
    assert_int_not_equal(level.id, 0);
    return level;
}

// A graph of a level, and another instance of the same level.
static void sets_variables_of_the_level(void **state) {
    (void)state;
    for (uint32_t k = 0; k < CT_COUNT_OF(kinds); ++k) {
        flow_fixture f = start_flow();
        start_graph(&b);
        add_variable(&b, kinds[k].slot, kinds[k].type);
        load_graph(&f, "yard", &b);
        const ct_level level = spawn_level_with(&f, "yard");
        build_scope(k, "level");
        load_graph(&f, "test", &b);
        ct_flow_instance i;
        ct_error error = {0};
        const ct_entity unit = ct_world_create_entity(f.world.world);
        assert_true(ct_flow_create(f.flow, ct_string_id64_of("test"), &unit, level, 1, &i, &error));
        if (kinds[k].type == CT_FLOW_TYPE_STRING)
            ct_flow_set_variable_text(f.flow, i, ct_string_id32_of("from"), "lamp");
        else
            *variable_of(&f, i, "from") = samples[k];
        start_event(&f, i, "go");
        const ct_flow_instance of_level = ct_flow_of_level(f.flow, level);
        const ct_flow_value *const value = variable_of(&f, of_level, kinds[k].slot);
        if (kinds[k].type == CT_FLOW_TYPE_STRING)
            assert_string_equal(ct_flow_value_text(f.flow, of_level, value), "lamp");
        else
            assert_true(is_same(value, &samples[k]));
        stop_flow(&f);
    }
}

static void variables_of_no_level_are_errors(void **state) {
    (void)state;
    flow_fixture f = start_flow();
    build_scope(3, "level");
    const ct_flow_instance i = make_graph(&f, &b);
    const uint64_t errors = num_errors();
    start_event(&f, i, "go");
    assert_int_equal(num_errors(), errors + 2);
    stop_flow(&f);
}

static void texts_that_are_too_long_are_not_set(void **state) {
    (void)state;
    char text[CT_FLOW_STRING_BYTES + 1];
    memset(text, 'a', sizeof(text));
    text[CT_FLOW_STRING_BYTES] = 0;
    flow_fixture f = start_flow();
    start_graph(&b);
    add_variable(&b, "name", CT_FLOW_TYPE_STRING);
    add_variable(&b, "number", CT_FLOW_TYPE_NUMBER);
    const ct_flow_instance i = make_graph(&f, &b);
    const ct_string_id32 name = ct_string_id32_of("name");
    assert_false(ct_flow_set_variable_text(f.flow, i, name, text));
    assert_string_equal(ct_flow_value_text(f.flow, i, variable_of(&f, i, "name")), "");
    text[CT_FLOW_STRING_BYTES - 1] = 0;
    assert_true(ct_flow_set_variable_text(f.flow, i, name, text));
    assert_string_equal(ct_flow_value_text(f.flow, i, variable_of(&f, i, "name")), text);
    assert_false(ct_flow_set_variable_text(f.flow, i, ct_string_id32_of("number"), ""));
    assert_false(ct_flow_set_variable_text(f.flow, i, ct_string_id32_of("none"), ""));
    ct_flow_type type;
    assert_null(ct_flow_find_variable(f.flow, i, ct_string_id32_of("none"), &type));
    stop_flow(&f);
}

// --- External ------------------------------------------------------------------------------------

static struct sent {
    char name[32];
    uint32_t level, unit, count;
} sent;

static void level_event(void *user, ct_world *w, ct_level level, const char *name) {
    (void)user, (void)w;
    snprintf(sent.name, sizeof(sent.name), "%s", name);
    sent.level = level.id;
    ++sent.count;
}

static void unit_event(void *user, ct_world *w, ct_entity unit, const char *name) {
    (void)user, (void)w;
    snprintf(sent.name, sizeof(sent.name), "%s", name);
    sent.unit = unit.id;
    ++sent.count;
}

static void sends_events_to_scripts(void **state) {
    (void)state;
    flow_fixture f = start_flow();
    sent = (struct sent){.count = 0};
    start_graph(&b);
    const char *const types[] = {"external_out_event", "level_event"};
    for (uint32_t k = 0; k < CT_COUNT_OF(types); ++k) {
        const uint32_t send = add_node(&b, types[k]);
        give_text(&b, send, "name", "opened");
        link_event(&b, add_entry(&b, "external_in_event", types[k]), "out", send, "in");
    }
    load_graph(&f, "yard", &b);
    const ct_level level = spawn_level_with(&f, "yard");
    const ct_flow_instance of_level = ct_flow_of_level(f.flow, level);
    const uint64_t errors = num_errors();
    start_event(&f, of_level, "level_event"); // there are no scripts
    assert_int_equal(num_errors(), errors + 1);
    ct_flow_system_set_lua(f.system,
                           &(ct_flow_lua){.level_event = level_event, .unit_event = unit_event});
    start_event(&f, of_level, "level_event");
    start_event(&f, of_level, "external_out_event");
    assert_int_equal(sent.count, 2);
    assert_int_equal(sent.level, level.id);
    assert_string_equal(sent.name, "opened");
    ct_flow_instance of_unit;
    ct_error error = {0};
    const ct_entity unit = ct_world_create_entity(f.world.world);
    assert_true(
        ct_flow_create(f.flow, ct_string_id64_of("yard"), &unit, level, 1, &of_unit, &error));
    start_event(&f, of_unit, "external_out_event");
    assert_int_equal(sent.unit, unit.id);
    assert_int_equal(sent.count, 3);
    stop_flow(&f);
}

// What pure nodes give is worked out when it is read.
static void external_outputs_are_read_when_asked_for(void **state) {
    (void)state;
    flow_fixture f = start_flow();
    start_graph(&b);
    const uint32_t score = add_variable(&b, "score", CT_FLOW_TYPE_NUMBER);
    const uint32_t sum = add_node(&b, "numeric_addition");
    read_variable(&b, score, sum, "a");
    give_number(&b, sum, "b", 1);
    add_output(&b, "result", sum, "value");
    const ct_flow_instance i = make_graph(&f, &b);
    assert_true(variable_of(&f, i, "result")->number == 1);
    variable_of(&f, i, "score")->number = 41;
    assert_true(variable_of(&f, i, "result")->number == 42);
    stop_flow(&f);
}

// --- Debug ---------------------------------------------------------------------------------------

static char last_line[1024];

static void keep_line(void *user, ct_log_level level, const char *system, const char *message) {
    (void)user, (void)level;
    if (strcmp(system, "flow") == 0)
        snprintf(last_line, sizeof(last_line), "%s", message);
}

static void prints_to_the_log(void **state) {
    (void)state;
    const char *const types[] = {"debug_print", "print_to_screen"};
    flow_fixture f = start_flow();
    ct_log_add_sink(&(ct_log_sink){.write = keep_line, .least = CT_LOG_LEVEL_INFO});
    for (uint32_t k = 0; k < CT_COUNT_OF(types); ++k) {
        start_graph(&b);
        const uint32_t print = add_node(&b, types[k]);
        give_text(&b, print, "label", "door");
        give_text(&b, print, "text", "50% open");
        link_event(&b, add_entry(&b, "external_in_event", "go"), "out", print, "in");
        add_note(&b, print, "out", 1);
        load_graph(&f, types[k], &b);
        start_event(&f, make_instance(&f, types[k]), "go");
        ASSERT_NOTES(1);
        assert_string_equal(last_line, "door: 50% open");
        last_line[0] = '\0';
    }
    ct_log_remove_sink(keep_line, NULL);
    stop_flow(&f);
}

static char shown[256];

static void show(void *user, ct_vec3 color, const char *text) {
    assert_ptr_equal(user, shown);
    snprintf(shown, sizeof(shown), "%g %g %g %s", (double)color.x, (double)color.y, (double)color.z,
             text);
}

static void prints_to_the_screen(void **state) {
    (void)state;
    flow_fixture f = start_flow();
    ct_flow_system_set_lua(f.system, &(ct_flow_lua){.user = shown, .print_to_screen = show});
    start_graph(&b);
    const uint32_t print = add_node(&b, "print_to_screen");
    give_text(&b, print, "text", "50% open");
    const float orange[] = {1, 0.5f, 0};
    give(&b, print, "color", CT_FLOW_TYPE_VECTOR3, constant_words(&b, orange, 3));
    link_event(&b, add_entry(&b, "external_in_event", "go"), "out", print, "in");
    start_event(&f, make_graph(&f, &b), "go");
    assert_string_equal(shown, "1 0.5 0 50% open");
    stop_flow(&f);
}

static uint32_t add_assert(const char *type, const char *comparison, double a, double other) {
    const uint32_t node = add_node(&b, type);
    give_text(&b, node, "assert", comparison);
    give_number(&b, node, "a", a);
    give_number(&b, node, "b", other);
    return node;
}

static void asserts_log_what_is_not_as_expected(void **state) {
    (void)state;
    static const struct {
        const char *comparison;
        double a, b;
        bool is_good;
    } rows[] = {{"equal", 1, 1, true},
                {"equal", 1, 2, false},
                {"unequal", 1, 2, true},
                {"unequal", 1, 1, false},
                {"less", 1, 2, true},
                {"less", 2, 2, false},
                {"less_or_equal", 2, 2, true},
                {"less_or_equal", 3, 2, false},
                {"greater", 3, 2, true},
                {"greater", 2, 2, false},
                {"greater_or_equal", 2, 2, true},
                {"greater_or_equal", 1, 2, false}};
    for (uint32_t k = 0; k < CT_COUNT_OF(rows); ++k) {
        flow_fixture f = start_flow();
        start_graph(&b);
        const uint32_t node = add_assert("assert", rows[k].comparison, rows[k].a, rows[k].b);
        link_event(&b, add_entry(&b, "external_in_event", "go"), "out", node, "in");
        add_note(&b, node, "out", k);
        const ct_flow_instance i = make_graph(&f, &b);
        const uint64_t errors = num_errors();
        start_event(&f, i, "go");
        ASSERT_NOTES(k);
        assert_int_equal(num_errors() - errors, !rows[k].is_good);
        stop_flow(&f);
    }
}

static void tests_succeed_without_failed_asserts(void **state) {
    (void)state;
    for (uint32_t fails = 0; fails < 2; ++fails) {
        flow_fixture f = start_flow();
        start_graph(&b);
        const uint32_t test = add_node(&b, "run_test");
        link_event(&b, add_entry(&b, "external_in_event", "go"), "out", test, "start");
        const uint32_t first = add_assert("test_assert", "equal", 1, 1);
        const uint32_t second = add_assert("test_assert", "equal", 1, 1 + fails);
        link_event(&b, test, "start", first, "in");
        link_event(&b, first, "out", second, "in");
        add_note(&b, second, "out", 1);
        add_note(&b, test, "completed", 2);
        add_note(&b, test, "success", 3);
        const ct_flow_instance i = make_graph(&f, &b);
        start_event(&f, i, "go");
        if (fails)
            ASSERT_NOTES(1, 2);
        else
            ASSERT_NOTES(1, 2, 3);
        stop_flow(&f);
    }
}

// --- All -----------------------------------------------------------------------------------------

// Nodes that the compiler resolves have no functions, but all others have one.
static void each_node_has_a_function(void **state) {
    (void)state;
    static const char *const modules[] = {"control",  "debug", "event",
                                          "external", "time",  "variable"};
    flow_fixture f = start_flow();
    uint32_t num_tables, num_nodes = 0;
    const ct_flow_node_table *const tables = ct_flow_node_tables(&num_tables);
    for (uint32_t t = 0; t < num_tables; ++t) {
        bool is_own = false;
        for (uint32_t m = 0; m < CT_COUNT_OF(modules); ++m)
            is_own |= strcmp(tables[t].module, modules[m]) == 0;
        for (uint32_t n = 0; is_own && n < tables[t].num_nodes; ++n) {
            const ct_flow_node_type *const type = &tables[t].nodes[n];
            if (type->role == CT_FLOW_ROLE_GRAPH_INPUT || type->role == CT_FLOW_ROLE_GRAPH)
                continue;
            if (!ct_hash_map_find(&f.system->functions, ct_string_id64_of(type->name).value))
                fail_msg("%s has no function", type->name);
            ++num_nodes;
        }
    }
    assert_in_range(num_nodes, 13 + 5 + 11 + 17 + 1 + 32, 200);
    stop_flow(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sets_variables_of_its_graph),
        cmocka_unit_test(variables_start_with_their_values),
        cmocka_unit_test(sets_variables_of_all_graphs),
        cmocka_unit_test(a_global_variable_has_one_type),
        cmocka_unit_test(sets_variables_of_the_level),
        cmocka_unit_test(variables_of_no_level_are_errors),
        cmocka_unit_test(texts_that_are_too_long_are_not_set),
        cmocka_unit_test(sends_events_to_scripts),
        cmocka_unit_test(external_outputs_are_read_when_asked_for),
        cmocka_unit_test(prints_to_the_log),
        cmocka_unit_test(prints_to_the_screen),
        cmocka_unit_test(asserts_log_what_is_not_as_expected),
        cmocka_unit_test(tests_succeed_without_failed_asserts),
        cmocka_unit_test(each_node_has_a_function),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
