// state_machine_fixture.h: a small valid state machine with each kind of state and node.
#pragma once
#include <string.h>

#include "resource/blob/blob_writer.h"
#include "resource/types/state_machine_resource.h"
#include "support/test_support.h"

#define NO CT_STATE_MACHINE_NONE

static inline ct_blob_string state_machine_text(ct_blob_writer *w, const char *text) {
    return ct_blob_write_string(w, text, strlen(text));
}

static inline ct_blob_array write_state_machine_states(ct_blob_writer *w) {
    static const char *const names[] = {"clip", "line", "plane", "tree", "", "above"};
    ct_state_machine_state states[] = {
        {.kind = CT_STATE_MACHINE_STATE_CLIP,
         .loop = CT_STATE_MACHINE_LOOP_YES,
         .moves_root = 1,
         .speed = 1,
         .num_leaves = 1,
         .num_exits = 2,
         .enter_event = {11}},
        {.kind = CT_STATE_MACHINE_STATE_BLEND_1D,
         .loop = CT_STATE_MACHINE_LOOP_AS_CLIP,
         .x = 0,
         .first_leaf = 1,
         .num_leaves = 2,
         .first_exit = 2,
         .num_exits = 1},
        {.kind = CT_STATE_MACHINE_STATE_BLEND_2D,
         .x = 0,
         .y = 1,
         .first_leaf = 3,
         .num_leaves = 4,
         .num_triangles = 2,
         .num_edges = 4,
         .first_exit = 2,
         .num_exits = 2},
        {.kind = CT_STATE_MACHINE_STATE_TREE,
         .first_leaf = 7,
         .num_leaves = 4,
         .num_nodes = 7,
         .first_exit = 3,
         .num_exits = 1},
        {.kind = CT_STATE_MACHINE_STATE_EMPTY, .loop = CT_STATE_MACHINE_LOOP_YES},
        {.kind = CT_STATE_MACHINE_STATE_CLIP, .first_leaf = 0, .num_leaves = 1}};
    const ct_blob_array array =
        ct_blob_reserve_items(w, &ct_state_machine_state_layout, CT_COUNT_OF(states));
    for (uint32_t i = 0; i < CT_COUNT_OF(states); ++i) {
        ct_state_machine_state *const s = &states[i];
        s->name = ct_string_id32_of(names[i]);
        s->name_text = state_machine_text(w, names[i]);
        s->speed = i == 0 ? 1 : NO;
        s->x = i == 1 || i == 2 ? 0 : NO;
        s->y = i == 2 ? 1 : NO;
    }
    ct_blob_fill_items(w, &ct_state_machine_state_layout, array, states);
    return array;
}

static inline ct_blob_array write_state_machine_nodes(ct_blob_writer *w) {
    // add(lerp(leaf 0, select(leaf 1, leaf 2)), leaf 3)
    const ct_state_machine_node nodes[] = {
        {CT_STATE_MACHINE_NODE_ADD, 1, 0, 2},   {CT_STATE_MACHINE_NODE_LERP, 2, 2, 2},
        {CT_STATE_MACHINE_NODE_CLIP, NO, 0, 0}, {CT_STATE_MACHINE_NODE_SELECT, 0, 4, 2},
        {CT_STATE_MACHINE_NODE_CLIP, NO, 1, 0}, {CT_STATE_MACHINE_NODE_CLIP, NO, 2, 0},
        {CT_STATE_MACHINE_NODE_CLIP, NO, 3, 0}};
    return ct_blob_write_items(w, &ct_state_machine_node_layout, nodes, CT_COUNT_OF(nodes));
}

static inline ct_blob_array write_state_machine_layers(ct_blob_writer *w) {
    static const char *const names[] = {"base", "top"};
    ct_state_machine_layer layers[] = {
        {.moves_root = 1, .first_mask = NO, .weight = NO, .num_states = 4},
        {.is_additive = 1,
         .first_mask = 0,
         .weight = 2,
         .first_state = 4,
         .num_states = 2,
         .start = 4}};
    const ct_blob_array array = ct_blob_reserve_items(w, &ct_state_machine_layer_layout, 2);
    for (uint32_t i = 0; i < 2; ++i) {
        layers[i].name = ct_string_id32_of(names[i]);
        layers[i].name_text = state_machine_text(w, names[i]);
    }
    ct_blob_fill_items(w, &ct_state_machine_layer_layout, array, layers);
    return array;
}

static inline ct_blob_array write_state_machine_variables(ct_blob_writer *w) {
    static const char *const names[] = {"speed", "side"};
    ct_state_machine_variable_data variables[] = {
        {.default_value = 1, .least = 0, .most = 5},
        {.least = -1, .most = 1, .curve_object = {7}, .curve_parameter = {8}}};
    const ct_blob_array array = ct_blob_reserve_items(w, &ct_state_machine_variable_layout, 2);
    for (uint32_t i = 0; i < 2; ++i) {
        variables[i].name = ct_string_id32_of(names[i]);
        variables[i].name_text = state_machine_text(w, names[i]);
    }
    ct_blob_fill_items(w, &ct_state_machine_variable_layout, array, variables);
    return array;
}

// Expression 0 is speed, 1 is side, 2 is 0.25 * speed, 3 is speed > 2 and true.
static inline void write_state_machine_expressions(ct_blob_writer *w,
                                                   ct_state_machine_resource *r) {
    const ct_state_machine_expression expressions[] = {{0, 1}, {1, 1}, {2, 3}, {5, 5}};
    const uint32_t words[] = {CT_STATE_MACHINE_WORD(CT_STATE_MACHINE_OP_VARIABLE, 0),
                              CT_STATE_MACHINE_WORD(CT_STATE_MACHINE_OP_VARIABLE, 1),
                              CT_STATE_MACHINE_WORD(CT_STATE_MACHINE_OP_CONSTANT, 0),
                              CT_STATE_MACHINE_WORD(CT_STATE_MACHINE_OP_VARIABLE, 0),
                              CT_STATE_MACHINE_WORD(CT_STATE_MACHINE_OP_MULTIPLY, 0),
                              CT_STATE_MACHINE_WORD(CT_STATE_MACHINE_OP_VARIABLE, 0),
                              CT_STATE_MACHINE_WORD(CT_STATE_MACHINE_OP_CONSTANT, 1),
                              CT_STATE_MACHINE_WORD(CT_STATE_MACHINE_OP_GREATER, 0),
                              CT_STATE_MACHINE_WORD(CT_STATE_MACHINE_OP_CONSTANT, 1),
                              CT_STATE_MACHINE_WORD(CT_STATE_MACHINE_OP_AND, 0)};
    const float constants[] = {0.25f, 2};
    r->expressions = ct_blob_write_items(w, &ct_state_machine_expression_layout, expressions, 4);
    r->words = ct_blob_write_items(w, &ct_blob_u32_layout, words, CT_COUNT_OF(words));
    r->constants = ct_blob_write_items(w, &ct_blob_u32_layout, constants, 2);
}

static inline void write_state_machine(ct_blob_writer *w) {
    const ct_resource_id clips[] = {{{1}, {2}}, {{1}, {3}}, {{1}, {4}}};
    const float masks[] = {0, 1, 0.5f};
    const ct_state_machine_leaf leaves[] = {{.clip = 0, .speed = 1},
                                            {.clip = 0, .speed = 1, .x = 0},
                                            {.clip = 1, .speed = 2, .x = 3},
                                            {.clip = 0, .speed = 1, .x = 0, .y = 0},
                                            {.clip = 1, .speed = 1, .x = 1, .y = 0},
                                            {.clip = 2, .speed = 1, .x = 0, .y = 1},
                                            {.clip = 1, .speed = 1, .x = 1, .y = 1},
                                            {.clip = 0, .speed = 1},
                                            {.clip = 1, .speed = 1},
                                            {.clip = 2, .speed = 0.5f},
                                            {.clip = 2, .is_apart = 1, .is_added = 1, .speed = 1}};
    const uint32_t children[] = {1, 6, 2, 3, 4, 5};
    const ct_state_machine_triangle triangles[] = {{{0, 1, 2}}, {{1, 3, 2}}};
    const ct_state_machine_edge edges[] = {{{0, 1}}, {{1, 3}}, {{3, 2}}, {{2, 0}}};
    const ct_state_machine_transition transitions[] = {
        {.to = 1, .event = {20}, .condition = NO, .duration = 0.2f, .flags = 7},
        {.to = 2, .condition = 3, .duration = 0.1f},
        {.to = 3, .condition = NO, .exit_kind = CT_STATE_MACHINE_EXIT_PHASE, .exit = 1.5f},
        {.to = 0,
         .event = {21},
         .condition = NO,
         .exit_kind = CT_STATE_MACHINE_EXIT_SECONDS,
         .exit = 0.5f,
         .duration = 1,
         .offset = 0.5f}};
    const uint32_t exits[] = {0, 1, 2, 3}, events[] = {20, 21};
    ct_state_machine_resource r = {.skeleton = {9}, .structure_hash = 77, .num_mask_joints = 3};
    ct_blob_writer_init(w, test_heap(), CT_BYTE_ORDER_LITTLE, "state_machine",
                        CT_STATE_MACHINE_VERSION);
    ct_blob_begin(w, &ct_state_machine_layout);
    r.clips = ct_blob_write_items(w, &ct_blob_resource_id_layout, clips, 3);
    r.layers = write_state_machine_layers(w);
    r.masks = ct_blob_write_items(w, &ct_blob_u32_layout, masks, 3);
    r.variables = write_state_machine_variables(w);
    r.states = write_state_machine_states(w);
    r.leaves = ct_blob_write_items(w, &ct_state_machine_leaf_layout, leaves, CT_COUNT_OF(leaves));
    r.nodes = write_state_machine_nodes(w);
    r.children = ct_blob_write_items(w, &ct_blob_u32_layout, children, CT_COUNT_OF(children));
    r.triangles = ct_blob_write_items(w, &ct_state_machine_triangle_layout, triangles, 2);
    r.edges = ct_blob_write_items(w, &ct_state_machine_edge_layout, edges, 4);
    r.transitions = ct_blob_write_items(w, &ct_state_machine_transition_layout, transitions, 4);
    r.exits = ct_blob_write_items(w, &ct_blob_u32_layout, exits, 4);
    r.events = ct_blob_write_items(w, &ct_blob_u32_layout, events, 2);
    write_state_machine_expressions(w, &r);
    ct_blob_end(w, &ct_state_machine_layout, &r);
    ct_blob_writer_finish(w);
}
