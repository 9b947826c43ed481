// The places of a graph that mean something in one run only: entities and their parts, effects and sounds.
#include <string.h>

#include "flow/flow_private.h"

static const ct_flow_node_type *known_type(const ct_flow_graph *g, const ct_flow_used_type *type) {
    return type->function.offset
               ? NULL
               : ct_flow_find_node_type(ct_blob_at(g->resource, type->name.offset));
}

ct_flow_type ct_flow_output_type(const ct_flow_graph *g, const ct_flow_node *node,
                                 uint32_t number) {
    const ct_flow_used_type *const type = &g->types[node->type];
    const ct_flow_used_slot *const slots = ct_blob_at(g->resource, type->slots.offset);
    const ct_flow_node_type *const known = known_type(g, type);
    if (known)
        return number < ct_flow_count_slots(known, CT_FLOW_SLOT_OUTPUT)
                   ? (ct_flow_type)ct_flow_slot_at(known, CT_FLOW_SLOT_OUTPUT, number)->type
                   : CT_FLOW_TYPE_EVENT;
    for (uint32_t i = 0; i < type->slots.count; ++i) {
        if (slots[i].kind == CT_FLOW_SLOT_OUTPUT && number-- == 0)
            return (ct_flow_type)slots[i].type;
    }
    return CT_FLOW_TYPE_EVENT;
}

// Whether an output is the number of an effect or of a sound.
static bool is_of_run(const ct_flow_graph *g, const ct_flow_node *node, uint32_t number) {
    const ct_flow_node_type *const known = known_type(g, &g->types[node->type]);
    if (!known || number >= ct_flow_count_slots(known, CT_FLOW_SLOT_OUTPUT))
        return false;
    const ct_flow_slot *const slot = ct_flow_slot_at(known, CT_FLOW_SLOT_OUTPUT, number);
    return slot->type == CT_FLOW_TYPE_NUMBER &&
           (strcmp(slot->name, "effect_id") == 0 || strcmp(slot->name, "instance") == 0);
}

static bool is_object(uint32_t type) {
    return type >= CT_FLOW_TYPE_UNIT && type <= CT_FLOW_TYPE_MOVER;
}

typedef CT_ARRAY(ct_flow_reference) reference_list;

static void add_outputs(const ct_flow_graph *g, reference_list *list) {
    for (uint32_t i = 0; i < g->num_infos; ++i) {
        const ct_flow_node *const node = ct_flow_node_at(g, g->infos[i].node);
        for (uint32_t k = node->first_output; k < node->first_event; ++k) {
            const uint32_t number = k - node->first_output;
            const ct_flow_type type = ct_flow_output_type(g, node, number);
            if (is_object(type) || is_of_run(g, node, number))
                ct_array_push(list, (ct_flow_reference){node->slots[k], type});
        }
    }
}

void ct_flow_find_references(ct_allocator *a, ct_flow_graph *g) {
    const ct_flow_initial *const initials = ct_blob_at(g->resource, g->resource->initials.offset);
    reference_list list;
    ct_array_init(&list, a);
    for (uint32_t i = 0; i < g->num_variables; ++i) {
        const ct_flow_variable *const v = &g->variables[i];
        if (is_object(v->type) && !(v->flags & CT_FLOW_VARIABLE_SHARED))
            ct_array_push(&list, (ct_flow_reference){v->offset, v->type});
    }
    for (uint32_t i = 0; i < g->resource->initials.count; ++i) {
        if (initials[i].level_unit)
            ct_array_push(&list, (ct_flow_reference){initials[i].offset, CT_FLOW_TYPE_EVENT});
    }
    add_outputs(g, &list);
    g->num_references = list.count;
    g->references = CT_NEW_ARRAY(a, ct_flow_reference, list.count);
    if (list.count > 0)
        memcpy(g->references, list.items, sizeof(*list.items) * list.count);
    ct_array_free(&list);
}
