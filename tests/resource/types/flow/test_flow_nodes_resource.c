// The blob of a project's nodes: what its validator refuses.
#include "resource/blob/blob_fixtures.h"

static ct_flow_nodes_node *make(ct_blob_writer *w) {
    write_flow_nodes(w);
    const ct_flow_nodes_resource *const r = (const void *)w->bytes.items;
    assert_accepted(ct_flow_nodes_validate, r);
    return (ct_flow_nodes_node *)(uintptr_t)ct_blob_at(r, r->nodes.offset);
}

static ct_flow_used_slot *slots_of(const ct_blob_writer *w, const ct_flow_nodes_node *node) {
    return (ct_flow_used_slot *)(uintptr_t)ct_blob_at(w->bytes.items, node->slots.offset);
}

static void refuses_nodes_without_names(void **state) {
    (void)state;
    ct_blob_writer w;
    ct_flow_nodes_node *const nodes = make(&w);
    nodes[1].name.offset += nodes[1].name.bytes; // its zero
    nodes[1].name.bytes = 0;
    assert_refused(ct_flow_nodes_validate, w.bytes.items,
                   "nodes[1]: its name or its function is missing");
    nodes[1].name = nodes[0].name;
    nodes[0].function = (ct_blob_string){0};
    assert_refused(ct_flow_nodes_validate, w.bytes.items, "nodes[0].function");
    ct_blob_writer_free(&w);
}

static void refuses_slots(void **state) {
    (void)state;
    ct_blob_writer w;
    ct_flow_nodes_node *const nodes = make(&w);
    ct_flow_used_slot *const slots = slots_of(&w, &nodes[0]);
    slots[1].kind = CT_FLOW_SLOT_KIND_COUNT;
    assert_refused(ct_flow_nodes_validate, w.bytes.items,
                   "nodes[0].slots[1]: found kind 4, type 2");
    slots[1].kind = CT_FLOW_SLOT_EVENT_IN;
    assert_refused(ct_flow_nodes_validate, w.bytes.items,
                   "nodes[0].slots[1]: found type 2 in kind 1");
    slots[1].kind = CT_FLOW_SLOT_OUTPUT;
    slots[1].type = CT_FLOW_TYPE_ANY;
    assert_refused(ct_flow_nodes_validate, w.bytes.items,
                   "nodes[0].slots[1]: found type 15 in kind 2");
    slots[1].kind = CT_FLOW_SLOT_INPUT;
    assert_accepted(ct_flow_nodes_validate, w.bytes.items);
    slots[1].type = CT_FLOW_TYPE_COUNT;
    assert_refused(ct_flow_nodes_validate, w.bytes.items,
                   "nodes[0].slots[1]: found kind 0, type 16");
    slots[1].type = CT_FLOW_TYPE_EVENT;
    assert_refused(ct_flow_nodes_validate, w.bytes.items,
                   "nodes[0].slots[1]: found type 0 in kind 0");
    slots[1].type = CT_FLOW_TYPE_BOOL;
    nodes[1].slots.count = 1000000;
    assert_refused(ct_flow_nodes_validate, w.bytes.items, "nodes[1].slots");
    ct_blob_writer_free(&w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refuses_nodes_without_names),
        cmocka_unit_test(refuses_slots),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
