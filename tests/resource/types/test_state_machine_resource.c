#include "resource/blob/blob_fixtures.h"

#include <math.h>

#include "resource/types/state_machine_resource.h"

static ct_blob_writer blob;

static ct_state_machine_resource *fresh(void) {
    write_state_machine(&blob);
    return (ct_state_machine_resource *)(void *)blob.bytes.items;
}

static void refuse(const char *text) {
    assert_refused(ct_state_machine_validate, blob.bytes.items, text);
    ct_blob_writer_free(&blob);
}

#define STATE(i) ITEM(ct_state_machine_state, r, r->states, i)
#define LAYER(i) ITEM(ct_state_machine_layer, r, r->layers, i)
#define NODE(i) ITEM(ct_state_machine_node, r, r->nodes, i)
#define TRANSITION(i) ITEM(ct_state_machine_transition, r, r->transitions, i)
#define LEAF(i) ITEM(ct_state_machine_leaf, r, r->leaves, i)
#define NUMBER(array, i) ITEM(uint32_t, r, r->array, i)

static void accepts_what_is_right(void **state) {
    (void)state;
    assert_accepted(ct_state_machine_validate, fresh());
    ct_blob_writer_free(&blob);
}

static void refuses_places_outside(void **state) {
    (void)state;
    fresh()->states.offset = 0xfffff0;
    refuse("states");
    fresh()->words.count = 0xffffff;
    refuse("words");
    ct_state_machine_resource *r = fresh();
    STATE(0)->name_text.offset = 0xfffff0;
    refuse("states[0].name_text");
    r = fresh();
    STATE(1)->num_leaves = 32;
    refuse("states[1]: found leaves 1 + 32");
    r = fresh();
    STATE(1)->first_leaf = 0xffffffff;
    refuse("states[1]: found leaves");
    r = fresh();
    STATE(0)->num_exits = 99;
    refuse("exits 0 + 99");
    r = fresh();
    *NUMBER(exits, 1) = 4;
    refuse("exits[1]: found 4, but there are only 4 transitions");
    r = fresh();
    TRANSITION(0)->to = 6;
    refuse("transitions[0]: found state 6");
    r = fresh();
    TRANSITION(0)->to = 5;
    refuse("layers[0]: state 0 leads to 5, of another layer");
    r = fresh();
    LEAF(3)->clip = 3;
    refuse("leaves[3]: invalid clip 3");
}

static void refuses_wrong_layers(void **state) {
    (void)state;
    ct_state_machine_resource *r = fresh();
    r->layers = (ct_blob_array){0, 0};
    refuse("layers: found 0, expected 1 to 16");
    r = fresh();
    LAYER(0)->start = 4;
    refuse("layers[0]: found states 0 + 4, start 4");
    r = fresh();
    LAYER(1)->first_state = 3;
    refuse("layers[1]: found states 3 + 2");
    r = fresh();
    LAYER(1)->num_states = 1;
    refuse("states: found 6, but layers have 5");
    r = fresh();
    LAYER(1)->weight = 4;
    refuse("layers[1]: found additive 1, root 0, weight 4");
    r = fresh();
    LAYER(1)->first_mask = 1;
    refuse("layers[1]: found the mask 1 of 3 joints, but 3 weights");
    r = fresh();
    r->num_mask_joints = CT_SKELETON_MAX_JOINTS + 1;
    refuse("num_mask_joints: found 1025, expected at most 1024");
    r = fresh();
    *ITEM(float, r, r->masks, 1) = NAN;
    refuse("masks[1]");
    r = fresh();
    ++LAYER(0)->name.value;
    refuse("layers[0]: its id does not match its name");
}

static void refuses_wrong_states(void **state) {
    (void)state;
    ct_state_machine_resource *r = fresh();
    STATE(0)->kind = 5;
    refuse("states[0]: found kind 5");
    r = fresh();
    STATE(0)->num_leaves = 2;
    refuse("states[0]: a clip with 2 leaves");
    r = fresh();
    LEAF(2)->x = 0;
    refuse("states[1]: point 1 does not ascend");
    r = fresh();
    STATE(1)->x = CT_STATE_MACHINE_NONE;
    refuse("states[1]: a blend space with 2 points");
    r = fresh();
    ITEM(ct_state_machine_triangle, r, r->triangles, 1)->points[2] = 4;
    refuse("states[2]: found point 4 of 4");
    r = fresh();
    ITEM(ct_state_machine_edge, r, r->edges, 0)->points[0] = 4;
    refuse("states[2]: found point 4 of 4");
    r = fresh();
    STATE(2)->num_edges = 0;
    refuse("states[2]: found 0 edges");
    r = fresh();
    STATE(4)->num_leaves = 1;
    refuse("states[4]: empty, with leaves");
    r = fresh();
    ++STATE(3)->name.value;
    refuse("states[3]: its id does not match its name");
    r = fresh();
    STATE(3)->speed = 4;
    refuse("states[3]: found expressions 4");
    r = fresh();
    LEAF(0)->speed = 0;
    refuse("leaves[0]: invalid clip 0, speed 0");
}

static void refuses_wrong_trees(void **state) {
    (void)state;
    ct_state_machine_resource *r = fresh();
    *NUMBER(children, 2) = 1;
    refuse("states[3]: node 1: child 1"); // itself
    r = fresh();
    *NUMBER(children, 4) = 1;
    refuse("states[3]: node 3: child 1"); // a circle
    r = fresh();
    *NUMBER(children, 5) = 7;
    refuse("states[3]: node 3: child 7");
    r = fresh();
    NODE(0)->num_children = 1;
    refuse("states[3]: node 0: kind 2 with 1 children");
    r = fresh();
    NODE(2)->first = 4;
    refuse("states[3]: node 2: no leaf 4");
    r = fresh();
    NODE(1)->kind = 4;
    refuse("states[3]: node 1: kind 4");
    r = fresh();
    NODE(1)->value = CT_STATE_MACHINE_NONE;
    refuse("states[3]: node 1");
    r = fresh();
    STATE(3)->num_nodes = 0;
    refuse("states[3]: found nodes 0 + 0");
}

static void refuses_wrong_transitions(void **state) {
    (void)state;
    ct_state_machine_resource *r = fresh();
    TRANSITION(1)->condition = 4;
    refuse("transitions[1]: found state 2 and condition 4");
    r = fresh();
    TRANSITION(1)->exit_kind = 3;
    refuse("transitions[1]: found exit 3");
    r = fresh();
    TRANSITION(1)->flags = 8;
    refuse("transitions[1]");
    r = fresh();
    TRANSITION(1)->duration = NAN;
    refuse("transitions[1]");
    r = fresh();
    TRANSITION(1)->offset = 2;
    refuse("transitions[1]");
    r = fresh();
    *NUMBER(events, 1) = 20;
    refuse("events[1]: they do not ascend");
}

static void refuses_wrong_variables_and_expressions(void **state) {
    (void)state;
    ct_state_machine_resource *r = fresh();
    ITEM(ct_state_machine_variable_data, r, r->variables, 0)->default_value = 6;
    refuse("variables[0]: found 6 from 0 to 5");
    r = fresh();
    ITEM(ct_state_machine_variable_data, r, r->variables, 0)->least = NAN;
    refuse("variables[0]");
    r = fresh();
    *NUMBER(words, 0) = CT_STATE_MACHINE_OP_COUNT;
    refuse("expressions[0]: unknown operation 25");
    r = fresh();
    *NUMBER(words, 0) = CT_STATE_MACHINE_WORD(CT_STATE_MACHINE_OP_VARIABLE, 2);
    refuse("expressions[0]: found the number 2 of 2");
    r = fresh();
    *NUMBER(words, 2) = CT_STATE_MACHINE_WORD(CT_STATE_MACHINE_OP_CONSTANT, 2);
    refuse("expressions[2]: found the number 2 of 2");
    r = fresh();
    *NUMBER(words, 2) = CT_STATE_MACHINE_OP_ADD;
    refuse("expressions[2]: operation 0 leaves the stack");
    r = fresh();
    ITEM(ct_state_machine_expression, r, r->expressions, 2)->num_words = 2;
    refuse("expressions[2]: it leaves 2 values");
    r = fresh();
    ITEM(ct_state_machine_expression, r, r->expressions, 3)->num_words = 6;
    refuse("expressions[3]: found words 5 + 6 of 10");
    r = fresh();
    *ITEM(float, r, r->constants, 0) = INFINITY;
    refuse("constants[0] is not finite");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accepts_what_is_right),
        cmocka_unit_test(refuses_places_outside),
        cmocka_unit_test(refuses_wrong_layers),
        cmocka_unit_test(refuses_wrong_states),
        cmocka_unit_test(refuses_wrong_trees),
        cmocka_unit_test(refuses_wrong_transitions),
        cmocka_unit_test(refuses_wrong_variables_and_expressions),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
