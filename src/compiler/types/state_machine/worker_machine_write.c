// Writes a state machine that was read to its blob.
#include <string.h>

#include "compiler/types/state_machine/worker_state_machine.h"

// --- The structure -------------------------------------------------------------------------------

static void add_u32(ct_byte_array *bytes, uint32_t value) {
    const uint8_t parts[4] = {(uint8_t)value, (uint8_t)(value >> 8), (uint8_t)(value >> 16),
                              (uint8_t)(value >> 24)};
    ct_array_push_many(bytes, parts, 4);
}

// The hash of what the numbers of a saved state mean, the same on every platform.
static uint64_t structure_hash(const ct_worker_machine *b) {
    ct_byte_array bytes;
    ct_array_init(&bytes, b->c->allocator);
    add_u32(&bytes, b->layers.count);
    for (uint32_t i = 0; i < b->layers.count; ++i) {
        add_u32(&bytes, b->layers.items[i].name.value);
        add_u32(&bytes, b->layers.items[i].num_states);
    }
    for (uint32_t i = 0; i < b->states.count; ++i) {
        add_u32(&bytes, b->states.items[i].name.value);
        add_u32(&bytes, b->states.items[i].num_leaves);
    }
    add_u32(&bytes, b->transitions.count);
    for (uint32_t i = 0; i < b->variables.count; ++i)
        add_u32(&bytes, b->variables.items[i].name.value);
    return ct_string_id64_of_bytes(bytes.items, bytes.count).value;
}

// --- Arrays --------------------------------------------------------------------------------------

static ct_blob_string write_name(ct_blob_writer *w, const char *name) {
    return ct_blob_write_string(w, name, strlen(name));
}

static ct_blob_array write_clips(const ct_worker_machine *b, ct_blob_writer *w) {
    ct_resource_id *const ids =
        CT_NEW_ARRAY(b->c->allocator, ct_resource_id, (uint64_t)b->clips.count + 1);
    for (uint32_t i = 0; i < b->clips.count; ++i)
        ids[i] = ct_resource_id_of("animation", b->clips.items[i].name);
    return ct_blob_write_items(w, &ct_blob_resource_id_layout, ids, b->clips.count);
}

static ct_blob_array write_layers(ct_worker_machine *b, ct_blob_writer *w) {
    const ct_blob_array array =
        ct_blob_reserve_items(w, &ct_state_machine_layer_layout, b->layers.count);
    for (uint32_t i = 0; i < b->layers.count; ++i)
        b->layers.items[i].name_text = write_name(w, b->layer_names.items[i]);
    ct_blob_fill_items(w, &ct_state_machine_layer_layout, array, b->layers.items);
    return array;
}

static ct_blob_array write_states(ct_worker_machine *b, ct_blob_writer *w) {
    const ct_blob_array array =
        ct_blob_reserve_items(w, &ct_state_machine_state_layout, b->states.count);
    for (uint32_t i = 0; i < b->states.count; ++i) {
        ct_state_machine_state *const s = &b->states.items[i];
        s->name_text = write_name(w, b->state_names.items[i]);
        s->enter_event_text = write_name(w, b->enter_events.items[i]);
        s->leave_event_text = write_name(w, b->leave_events.items[i]);
    }
    ct_blob_fill_items(w, &ct_state_machine_state_layout, array, b->states.items);
    return array;
}

static ct_blob_array write_variables(ct_worker_machine *b, ct_blob_writer *w) {
    const ct_blob_array array =
        ct_blob_reserve_items(w, &ct_state_machine_variable_layout, b->variables.count);
    for (uint32_t i = 0; i < b->variables.count; ++i)
        b->variables.items[i].name_text = write_name(w, b->variable_names.items[i]);
    ct_blob_fill_items(w, &ct_state_machine_variable_layout, array, b->variables.items);
    return array;
}

static ct_blob_array write_numbers(ct_blob_writer *w, const void *items, uint32_t count) {
    return ct_blob_write_items(w, &ct_blob_u32_layout, items, count);
}

void ct_worker_machine_write(ct_worker_machine *b) {
    ct_blob_writer *const w = &b->c->blob;
    ct_state_machine_resource r = {.skeleton = b->source.skeleton,
                                   .structure_hash = structure_hash(b),
                                   .num_mask_joints = b->joints.count};
    ct_blob_begin(w, &ct_state_machine_layout);
    r.clips = write_clips(b, w);
    r.layers = write_layers(b, w);
    r.masks = write_numbers(w, b->mask_weights.items, b->mask_weights.count);
    r.variables = write_variables(b, w);
    r.states = write_states(b, w);
    r.leaves =
        ct_blob_write_items(w, &ct_state_machine_leaf_layout, b->leaves.items, b->leaves.count);
    r.nodes = ct_blob_write_items(w, &ct_state_machine_node_layout, b->nodes.items, b->nodes.count);
    r.children = write_numbers(w, b->children.items, b->children.count);
    r.triangles = ct_blob_write_items(w, &ct_state_machine_triangle_layout, b->triangles.items,
                                      b->triangles.count);
    r.edges = ct_blob_write_items(w, &ct_state_machine_edge_layout, b->edges.items, b->edges.count);
    r.transitions = ct_blob_write_items(w, &ct_state_machine_transition_layout,
                                        b->transitions.items, b->transitions.count);
    r.exits = write_numbers(w, b->exits.items, b->exits.count);
    r.events = write_numbers(w, b->events.items, b->events.count);
    r.expressions = ct_blob_write_items(w, &ct_state_machine_expression_layout, b->programs.items,
                                        b->programs.count);
    r.words = write_numbers(w, b->expressions.words.items, b->expressions.words.count);
    r.constants = write_numbers(w, b->expressions.constants.items, b->expressions.constants.count);
    ct_blob_end(w, &ct_state_machine_layout, &r);
}
