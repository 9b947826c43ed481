#include "compiler/types/flow/flow_compiler_fixture.h"

#define START "{ id = \"start\" type = \"unit_spawned\" }\n"
#define LINK(link, from, out, to, in)                                                              \
    "{ id = \"" link "\" from = \"" from "\" out = \"" out "\" to = \"" to "\" in = \"" in "\" "   \
    "}\n"

static void links_events_and_reads_constants(void **state) {
    (void)state;
    compile_case t;
    const ct_flow_resource *const r = flow_blob(
        &t, "nodes = [\n" START "{ id = \"wait\" type = \"delay\" inputs = { time = 2.5 } }\n"
            "{ id = \"say\" type = \"debug_print\" inputs = { text = \"now\" } }\n"
            "]\nlinks = [\n" LINK("1", "start", "out", "wait", "in")
                LINK("2", "wait", "out", "say", "in") "]");
    assert_int_equal(flow_num_nodes(r), 3);
    const uint32_t start = flow_find(r, "unit_spawned");
    const uint32_t wait = flow_find(r, "delay");
    const uint32_t say = flow_find(r, "debug_print");
    assert_string_equal(flow_targets(r, start, 0), "wait");
    assert_string_equal(flow_targets(r, wait, 0), "say");
    assert_float_equal(flow_number(r, wait, 0), 2.5, 0);
    assert_string_equal(flow_text(r, say, 1), "now");
    assert_string_equal(flow_text(r, say, 0), "");
    assert_int_equal(r->entries.count, 1);
    assert_int_equal(flow_entries(r)[0].kind.value, ct_string_id32_of("unit_spawned").value);
    assert_int_equal(flow_node_at(r, flow_entries(r)[0].node), start);
    assert_int_equal(r->flags, 0);
    assert_int_equal(r->dynamic_bytes % 16, 0);
    const ct_flow_node_info *const infos = ct_blob_at(r, r->infos.offset);
    assert_string_equal(ct_blob_at(r, infos[wait].path.offset), "g: delay wait");
    assert_int_equal(infos[wait].num_bytes % 16, 0);
    assert_int_equal(flow_node(r, wait)->state, infos[wait].first_byte);
    assert_int_equal(t.answer.warnings.count, 0);
    compile_case_free(&t);
}

static void orders_events_by_position(void **state) {
    (void)state;
    compile_case t;
    const ct_flow_resource *const r =
        flow_blob(&t, "nodes = [\n" START "{ id = \"a\" type = \"once\" position = [0 300] }\n"
                      "{ id = \"c\" type = \"once\" position = [10 100] }\n"
                      "{ id = \"b\" type = \"once\" position = [10 100] }\n"
                      "{ id = \"d\" type = \"once\" position = [5 100] }\n"
                      "{ id = \"e\" type = \"unit_spawned\" position = [0 -1] }\n"
                      "]\nlinks = [\n" LINK("1", "start", "out", "a", "in")
                          LINK("2", "start", "out", "b", "in") LINK("3", "start", "out", "c", "in")
                              LINK("4", "start", "out", "d", "in") "]");
    assert_string_equal(flow_type_of(r, 0), "unit_spawned");
    assert_string_equal(flow_targets(r, 1, 0), "d b c a");
    assert_int_equal(r->entries.count, 2);
    assert_int_equal(flow_entries(r)[0].node, 0); // e is above
    assert_true(flow_entries(r)[1].node > 0);
    compile_case_free(&t);
}

static void shares_places_of_linked_nodes(void **state) {
    (void)state;
    compile_case t;
    const ct_flow_resource *const r = flow_blob(
        &t, "nodes = [\n" START "{ id = \"count\" type = \"counter\" }\n"
            "{ id = \"add\" type = \"numeric_addition\" inputs = { b = 3 } }\n"
            "{ id = \"wait\" type = \"delay\" }\n"
            "]\nlinks = [\n" LINK("1", "start", "out", "count", "increase")
                LINK("2", "count", "changed", "wait", "in") LINK("3", "count", "value", "add", "a")
                    LINK("4", "add", "value", "wait", "time") "]");
    const uint32_t count = flow_find(r, "counter");
    const uint32_t add = flow_find(r, "numeric_addition");
    const uint32_t wait = flow_find(r, "delay");
    assert_int_equal(flow_offset(r, add, 0), flow_output(r, count, 0));
    assert_int_equal(flow_offset(r, wait, 0), flow_output(r, add, 0));
    const uint32_t *const pures = ct_blob_at(r, r->pures.offset);
    const uint32_t list = flow_node(r, wait)->pures;
    assert_int_equal(pures[list], 1);
    assert_int_equal(flow_node_at(r, pures[list + 1]), add);
    assert_int_equal(flow_node(r, add)->pures, CT_FLOW_NONE);
    assert_int_equal(flow_node(r, count)->pures, CT_FLOW_NONE);
    compile_case_free(&t);
}

static void folds_constants(void **state) {
    (void)state;
    compile_case t;
    const ct_flow_resource *const r = flow_blob(
        &t, "nodes = [\n" START "{ id = \"two\" type = \"numeric_data\" inputs = { value = 2 } }\n"
            "{ id = \"add\" type = \"numeric_addition\" inputs = { b = 3 } }\n"
            "{ id = \"twice\" type = \"numeric_multiplication\" inputs = { b = 2 } }\n"
            "{ id = \"say\" type = \"debug_print\" }\n"
            "]\nlinks = [\n" LINK("1", "start", "out", "say", "in")
                LINK("2", "two", "value", "add", "a") LINK("3", "add", "value", "twice", "a")
                    LINK("4", "twice", "value", "say", "text") "]");
    assert_int_equal(flow_num_nodes(r), 2);
    assert_string_equal(flow_text(r, flow_find(r, "debug_print"), 1), "10");
    assert_int_equal(t.answer.warnings.count, 0);
    compile_case_free(&t);
}

static void puts_in_conversions(void **state) {
    (void)state;
    compile_case t;
    const ct_flow_resource *const r =
        flow_blob(&t, "nodes = [\n" START "{ id = \"count\" type = \"counter\" }\n"
                      "{ id = \"say\" type = \"debug_print\" }\n"
                      "]\nlinks = [\n" LINK("1", "start", "out", "say", "in")
                          LINK("2", "start", "out", "count", "increase")
                              LINK("3", "count", "value", "say", "text") "]");
    const uint32_t convert = flow_find(r, "numeric_to_string");
    const uint32_t say = flow_find(r, "debug_print");
    assert_int_equal(flow_offset(r, convert, 0), flow_output(r, flow_find(r, "counter"), 0));
    assert_int_equal(flow_offset(r, say, 1), flow_output(r, convert, 0));
    const ct_flow_node_info *const infos = ct_blob_at(r, r->infos.offset);
    assert_int_equal(infos[convert].num_bytes, CT_FLOW_VALUE_BYTES + CT_FLOW_STRING_BYTES);
    compile_case_free(&t);
}

static void binds_variables_to_places(void **state) {
    (void)state;
    compile_case t;
    const ct_flow_resource *const r = flow_blob(
        &t, "variables = [ { id = \"1\" name = \"score\" type = \"number\" value = 7 }\n"
            "  { id = \"2\" name = \"label\" type = \"string\" value = \"x\" }\n"
            "  { id = \"3\" name = \"zero\" type = \"vector3\" } ]\n"
            "nodes = [\n" START
            "{ id = \"get\" type = \"get_numeric_variable\" inputs = { name = \"score\" } }\n"
            "{ id = \"set\" type = \"set_numeric_variable\" inputs = { name = \"score\" } }\n"
            "{ id = \"add\" type = \"numeric_addition\" inputs = { b = 3 } }\n"
            "]\nlinks = [\n" LINK("1", "start", "out", "set", "set")
                LINK("2", "get", "numeric", "add", "a")
                    LINK("3", "add", "value", "set", "numeric") "]");
    const ct_flow_variable *const score = flow_variable(r, "score");
    const uint32_t set = flow_find(r, "set_numeric_variable");
    assert_int_equal(flow_num_nodes(r), 3);
    assert_int_equal(score->type, CT_FLOW_TYPE_NUMBER);
    assert_int_equal(flow_output(r, set, 0), score->offset);
    assert_int_equal(flow_offset(r, flow_find(r, "numeric_addition"), 0), score->offset);
    assert_int_equal(r->initials.count, 2);
    assert_int_equal(flow_variable(r, "label")->type, CT_FLOW_TYPE_STRING);
    compile_case_free(&t);
}

static void leaves_out_dead_nodes_with_a_warning(void **state) {
    (void)state;
    compile_case t;
    const ct_flow_resource *const r =
        flow_blob(&t, "nodes = [\n" START "{ id = \"w\" type = \"delay\" }\n"
                      "{ id = \"a\" type = \"numeric_addition\" }\n]\n"
                      "links = [ " LINK("1", "a", "value", "w", "time") " ]");
    assert_int_equal(flow_num_nodes(r), 1);
    assert_int_equal(t.answer.warnings.count, 2);
    assert_int_equal(t.answer.warnings.items[0].line, 3);
    assert_string_equal(t.answer.warnings.items[0].message,
                        "node delay w: no event can reach it and nothing reads it, so it is left "
                        "out; link it or remove it");
    compile_case_free(&t);
}

static void gives_objects_without_a_link_the_unit_or_zeros(void **state) {
    (void)state;
    compile_case t;
    const ct_flow_resource *const r = flow_blob(
        &t, "nodes = [\n" START "{ id = \"cmp\" type = \"compare_objects\" }\n"
            "{ id = \"set\" type = \"set_unit_variable\" inputs = { name = \"u\" } }\n"
            "]\nvariables = [ { id = \"1\" name = \"u\" type = \"unit\" } ]\n"
            "links = [\n" LINK("1", "start", "out", "cmp", "compare")
                LINK("2", "start", "unit", "cmp", "a") LINK("3", "cmp", "equal", "set", "set") "]");
    const uint32_t cmp = flow_find(r, "compare_objects");
    assert_int_equal(flow_node(r, cmp)->slots[1], CT_FLOW_TYPE_UNIT);
    assert_int_equal(flow_offset(r, cmp, 1), CT_FLOW_ZEROS);
    assert_int_equal(flow_node(r, cmp)->slots[3], CT_FLOW_TYPE_EVENT);
    assert_int_equal(flow_offset(r, flow_find(r, "set_unit_variable"), 0), 0);
    compile_case_free(&t);
}

static void has_units_of_the_level_as_initial_values(void **state) {
    (void)state;
    compile_case t;
    const ct_flow_resource *const r = flow_blob(
        &t, "nodes = [\n{ id = \"start\" type = \"level_update\" }\n"
            "{ id = \"one\" type = \"level_unit\" inputs = { unit = \"door\" } }\n"
            "{ id = \"same\" type = \"entity_instance\" inputs = { entity = \"door\" } }\n"
            "{ id = \"cmp\" type = \"compare_objects\" }\n"
            "]\nlinks = [\n" LINK("1", "start", "out", "cmp", "compare")
                LINK("2", "one", "unit", "cmp", "a") LINK("3", "same", "entity", "cmp", "b") "]");
    const ct_flow_initial *const initials = ct_blob_at(r, r->initials.offset);
    const uint32_t cmp = flow_find(r, "compare_objects");
    assert_int_equal(r->flags, CT_FLOW_UPDATES);
    assert_int_equal(r->initials.count, 1);
    assert_int_equal(initials[0].level_unit, ct_string_id32_of("door").value);
    assert_int_equal(flow_offset(r, cmp, 0), initials[0].offset);
    assert_int_equal(flow_offset(r, cmp, 1), initials[0].offset);
    compile_case_free(&t);
}

static void makes_external_slots_of_the_whole_variables_and_entries(void **state) {
    (void)state;
    compile_case t;
    const ct_flow_resource *const r = flow_blob(
        &t,
        "nodes = [\n"
        "{ id = \"in\" type = \"external_in_event\" inputs = { name = \"open\" } }\n"
        "{ id = \"speed\" type = \"external_input_numeric\" inputs = { name = \"speed\" } }\n"
        "{ id = \"twice\" type = \"numeric_multiplication\" inputs = { b = 2 } }\n"
        "{ id = \"count\" type = \"counter\" }\n"
        "{ id = \"n\" type = \"external_output_numeric\" inputs = { name = \"count\" } }\n"
        "{ id = \"m\" type = \"external_output_numeric\" inputs = { name = \"double\" } }\n"
        "{ id = \"k\" type = \"external_output_numeric\" inputs = { name = \"k\" numeric = 9 } }\n"
        "{ id = \"out\" type = \"external_out_event\" inputs = { name = \"opened\" } }\n"
        "]\nlinks = [\n" LINK("1", "in", "out", "count", "increase")
            LINK("2", "count", "changed", "out", "in") LINK("3", "speed", "numeric", "twice", "a")
                LINK("4", "count", "value", "n", "numeric")
                    LINK("5", "twice", "value", "m", "numeric") "]");
    const uint32_t count = flow_find(r, "counter");
    assert_int_equal(r->entries.count, 2);
    uint32_t num_outputs = 0;
    for (uint32_t i = 0; i < r->entries.count; ++i) {
        const ct_flow_entry *const e = &flow_entries(r)[i];
        if (e->kind.value == ct_string_id32_of("external_output_numeric").value) {
            assert_int_equal(e->key.value, ct_string_id32_of("double").value);
            ++num_outputs;
        } else {
            assert_int_equal(e->kind.value, ct_string_id32_of("external_in_event").value);
            assert_int_equal(e->key.value, ct_string_id32_of("open").value);
        }
    }
    assert_int_equal(num_outputs, 1);
    assert_int_equal(flow_variable(r, "speed")->flags, CT_FLOW_VARIABLE_INPUT);
    assert_int_equal(flow_variable(r, "count")->offset, flow_output(r, count, 0));
    assert_int_equal(flow_variable(r, "count")->flags,
                     CT_FLOW_VARIABLE_OUTPUT | CT_FLOW_VARIABLE_SHARED);
    assert_int_equal(flow_variable(r, "double")->offset,
                     flow_output(r, flow_find(r, "numeric_multiplication"), 0));
    assert_int_equal(flow_variable(r, "k")->flags, CT_FLOW_VARIABLE_OUTPUT);
    assert_int_equal(r->initials.count, 1);
    compile_case_free(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(links_events_and_reads_constants),
        cmocka_unit_test(orders_events_by_position),
        cmocka_unit_test(shares_places_of_linked_nodes),
        cmocka_unit_test(folds_constants),
        cmocka_unit_test(puts_in_conversions),
        cmocka_unit_test(binds_variables_to_places),
        cmocka_unit_test(leaves_out_dead_nodes_with_a_warning),
        cmocka_unit_test(gives_objects_without_a_link_the_unit_or_zeros),
        cmocka_unit_test(has_units_of_the_level_as_initial_values),
        cmocka_unit_test(makes_external_slots_of_the_whole_variables_and_entries),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
