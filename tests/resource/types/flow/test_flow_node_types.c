#include "support/test_support.h"

#include <string.h>

#include "resource/types/flow/flow_node_types.h"

static void check_name(const char *node, const char *name) {
    for (const char *s = name; *s; ++s)
        if (!(*s >= 'a' && *s <= 'z') && !(*s >= '0' && *s <= '9') && *s != '_')
            fail_msg("%s: the name \"%s\" is not in snake case", node, name);
    assert_true(name[0] >= 'a' && name[0] <= 'z');
}

static void check_sentence(const char *node, const char *text) {
    if (!text || !text[0] || text[strlen(text) - 1] != '.' || strchr(text, '\n'))
        fail_msg("%s: the doc \"%s\" must be one line that ends with a full stop", node,
                 text ? text : "");
}

static void check_input(const char *node, const ct_flow_slot *s) {
    const bool is_text = s->type == CT_FLOW_TYPE_STRING || s->type == CT_FLOW_TYPE_ID;
    if (!is_text && (s->default_text || s->reference))
        fail_msg("%s: %s is no text", node, s->name);
    if (s->type != CT_FLOW_TYPE_STRING && s->names)
        fail_msg("%s: %s is no string, so it has no names to choose from", node, s->name);
    if (s->names && s->default_text) {
        const char *const *name = s->names;
        while (*name && strcmp(*name, s->default_text) != 0)
            ++name;
        if (!*name)
            fail_msg("%s: the default of %s is not one of its names", node, s->name);
    }
    const double *const q = s->default_value;
    const double square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    if (s->type == CT_FLOW_TYPE_QUATERNION && (square < 0.999 || square > 1.001))
        fail_msg("%s: the default of %s is not a rotation", node, s->name);
}

static void check_slots(const ct_flow_node_type *node) {
    uint32_t counts[CT_FLOW_SLOT_KIND_COUNT] = {0};
    for (const ct_flow_slot *s = node->slots; s && s->name; ++s) {
        assert_true(s->kind < CT_FLOW_SLOT_KIND_COUNT && s->type < CT_FLOW_TYPE_COUNT);
        check_name(node->name, s->name);
        check_sentence(node->name, s->doc);
        const bool is_out = s->kind == CT_FLOW_SLOT_OUTPUT || s->kind == CT_FLOW_SLOT_EVENT_OUT;
        const bool is_event = s->kind == CT_FLOW_SLOT_EVENT_IN || s->kind == CT_FLOW_SLOT_EVENT_OUT;
        if (is_event != (s->type == CT_FLOW_TYPE_EVENT))
            fail_msg("%s: %s has the wrong type", node->name, s->name);
        if (s->type == CT_FLOW_TYPE_ANY && s->kind != CT_FLOW_SLOT_INPUT)
            fail_msg("%s: %s: only inputs take any value", node->name, s->name);
        uint32_t number = UINT32_MAX;
        if (ct_flow_find_slot(node, is_out, s->name, &number) != s)
            fail_msg("%s has two slots %s of one direction", node->name, s->name);
        assert_int_equal(number, counts[s->kind]);
        assert_ptr_equal(ct_flow_slot_at(node, (ct_flow_slot_kind)s->kind, number), s);
        ++counts[s->kind];
        if (s->kind == CT_FLOW_SLOT_INPUT)
            check_input(node->name, s);
        else if (s->is_constant || s->is_required || s->reference || s->names)
            fail_msg("%s: %s is no input", node->name, s->name);
    }
    for (uint32_t kind = 0; kind < CT_FLOW_SLOT_KIND_COUNT; ++kind) {
        assert_true(counts[kind] <= CT_FLOW_MAX_SLOTS);
        assert_int_equal(ct_flow_count_slots(node, (ct_flow_slot_kind)kind), counts[kind]);
    }
    const bool has_events = counts[CT_FLOW_SLOT_EVENT_IN] > 0 || counts[CT_FLOW_SLOT_EVENT_OUT] > 0;
    if (node->kind == CT_FLOW_NODE_PURE && has_events)
        fail_msg("%s is pure but has events", node->name);
    // Others have those of another graph, or of a node of the project.
    const bool has_own_slots = node->role != CT_FLOW_ROLE_GRAPH && node->role != CT_FLOW_ROLE_LUA;
    if (has_own_slots && node->kind == CT_FLOW_NODE_ACTION && counts[CT_FLOW_SLOT_EVENT_IN] == 0)
        fail_msg("%s is an action but has no event in", node->name);
}

static void check_node(const ct_flow_node_type *node) {
    check_name(node->name, node->name);
    check_sentence(node->name, node->doc);
    assert_non_null(node->menu);
    if (node->is_foldable && (node->kind != CT_FLOW_NODE_PURE || node->state_bytes > 0))
        fail_msg("%s is foldable, but not pure", node->name);
    assert_true(node->state_bytes <= CT_FLOW_MAX_STATE_BYTES);
    check_slots(node);
}

static void describes_every_node_well(void **state) {
    (void)state;
    uint32_t num_tables;
    const ct_flow_node_table *const tables = ct_flow_node_tables(&num_tables);
    assert_true(num_tables >= 4);
    for (uint32_t t = 0; t < num_tables; ++t) {
        check_name("a table", tables[t].module);
        for (uint32_t other = 0; other < t; ++other)
            assert_string_not_equal(tables[t].module, tables[other].module);
        for (uint32_t i = 0; i < tables[t].num_nodes; ++i)
            check_node(&tables[t].nodes[i]);
    }
}

static void finds_every_node_by_its_name(void **state) {
    (void)state;
    uint32_t num_tables;
    const ct_flow_node_table *const tables = ct_flow_node_tables(&num_tables);
    for (uint32_t t = 0; t < num_tables; ++t)
        for (uint32_t i = 0; i < tables[t].num_nodes; ++i)
            assert_ptr_equal(ct_flow_find_node_type(tables[t].nodes[i].name), &tables[t].nodes[i]);
    assert_null(ct_flow_find_node_type(""));
    assert_null(ct_flow_find_node_type("numeric_additio"));
    assert_null(ct_flow_find_node_type("numeric_additions"));
    assert_null(ct_flow_find_node_type("zzz"));
}

static void has_each_menu_once(void **state) {
    (void)state;
    uint32_t num_tables;
    const ct_flow_node_table *const tables = ct_flow_node_tables(&num_tables);
    const char *menus[1024];
    uint32_t count = 0;
    for (uint32_t t = 0; t < num_tables; ++t) {
        for (uint32_t i = 0; i < tables[t].num_nodes; ++i) {
            menus[count] = tables[t].nodes[i].menu;
            for (uint32_t other = 0; other < count; ++other)
                assert_string_not_equal(menus[other], menus[count]);
            ++count;
        }
    }
}

static void names_types(void **state) {
    (void)state;
    for (uint32_t i = 0; i < CT_FLOW_TYPE_COUNT; ++i)
        assert_int_equal(ct_flow_type_named(ct_flow_type_name((ct_flow_type)i)), i);
    assert_string_equal(ct_flow_type_name(CT_FLOW_TYPE_VECTOR3), "vector3");
    assert_int_equal(ct_flow_type_named("float"), CT_FLOW_TYPE_COUNT);
}

static void finds_slots_by_direction(void **state) {
    (void)state;
    const ct_flow_node_type *const node = ct_flow_find_node_type("numeric_data");
    uint32_t number;
    assert_int_equal(ct_flow_find_slot(node, false, "value", &number)->kind, CT_FLOW_SLOT_INPUT);
    assert_int_equal(ct_flow_find_slot(node, true, "value", &number)->kind, CT_FLOW_SLOT_OUTPUT);
    assert_null(ct_flow_find_slot(node, true, "values", &number));
}

static void ask_for_a_slot_that_does_not_exist(void *user) {
    (void)user;
    ct_flow_slot_at(ct_flow_find_node_type("numeric_data"), CT_FLOW_SLOT_INPUT, 1);
}

static void refuses_slots_that_do_not_exist(void **state) {
    (void)state;
    test_expect_death(ask_for_a_slot_that_does_not_exist, NULL, "numeric_data has no slot 1");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(describes_every_node_well),
        cmocka_unit_test(finds_every_node_by_its_name),
        cmocka_unit_test(has_each_menu_once),
        cmocka_unit_test(names_types),
        cmocka_unit_test(finds_slots_by_direction),
        cmocka_unit_test(refuses_slots_that_do_not_exist),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
