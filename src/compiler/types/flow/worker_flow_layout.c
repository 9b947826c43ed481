// Gives everything that changes its place in the dynamic data: behind the head one place of zeros, for
// inputs without a value; then variables, units of the level, and for each node its state and outputs.
#include "compiler/types/flow/worker_flow.h"

// Takes room for a value. Returns its offset.
static uint32_t add_place(uint64_t *end, ct_flow_type type) {
    const uint64_t offset = *end;
    *end += CT_FLOW_VALUE_BYTES + (type == CT_FLOW_TYPE_STRING ? CT_FLOW_STRING_BYTES : 0);
    return (uint32_t)offset;
}

static ct_worker_flow_source output_source(const ct_worker_flow *b,
                                           const ct_worker_flow_variable *v) {
    const ct_worker_flow_node *const n = &b->nodes.items[v->node];
    return b->inputs.items[n->first_input + ct_worker_flow_passing_input(n->type)].source;
}

// Whether a variable has a place of its own. External outputs share that of what they read, if it
// is in the dynamic data.
static bool has_place(const ct_worker_flow_variable *v) {
    return v->node == CT_WORKER_FLOW_NONE || v->source.kind == CT_WORKER_FLOW_SOURCE_CONSTANT;
}

static void place_variables(ct_worker_flow *b, uint64_t *end) {
    for (uint32_t i = 0; i < b->variables.count; ++i) {
        ct_worker_flow_variable *const v = &b->variables.items[i];
        if (v->node != CT_WORKER_FLOW_NONE)
            v->source = output_source(b, v);
        if (v->source.kind == CT_WORKER_FLOW_SOURCE_CONSTANT)
            v->constant = v->source.index;
        if (has_place(v))
            v->offset = add_place(end, v->type);
    }
}

static void place_units(ct_worker_flow *b, uint64_t *end) {
    for (uint32_t i = 0; i < b->kept.count; ++i) {
        const ct_worker_flow_node *const n = &b->nodes.items[b->kept.items[i]];
        for (uint32_t k = n->first_input; k < n->first_input + n->num_inputs; ++k)
            if (b->inputs.items[k].source.kind == CT_WORKER_FLOW_SOURCE_UNIT)
                ct_worker_flow_unit_offset(b, b->inputs.items[k].source.index);
    }
    for (uint32_t i = 0; i < b->variables.count; ++i)
        if (b->variables.items[i].source.kind == CT_WORKER_FLOW_SOURCE_UNIT)
            ct_worker_flow_unit_offset(b, b->variables.items[i].source.index);
    for (uint32_t i = 0; i < b->units.count; ++i)
        b->units.items[i].offset = add_place(end, CT_FLOW_TYPE_UNIT);
}

uint32_t ct_worker_flow_unit_offset(ct_worker_flow *b, uint32_t id) {
    for (uint32_t i = 0; i < b->units.count; ++i) {
        if (b->units.items[i].id == id)
            return b->units.items[i].offset;
    }
    ct_array_push(&b->units, (ct_worker_flow_unit){.id = id});
    return 0;
}

static void place_node(ct_worker_flow *b, ct_worker_flow_node *n, uint64_t *end) {
    const uint64_t first = *end;
    n->first_place = b->places.count;
    if (n->type->state_bytes) {
        n->state = (uint32_t)first;
        *end += ct_round_up(n->type->state_bytes, CT_FLOW_VALUE_BYTES);
    }
    for (const ct_flow_slot *s = n->type->slots; s && s->name; ++s) {
        if (s->kind == CT_FLOW_SLOT_OUTPUT)
            ct_array_push(&b->places, add_place(end, (ct_flow_type)s->type));
    }
    n->num_bytes = (uint32_t)(*end - first);
    n->first_byte = (uint32_t)first;
    if (n->type->role == CT_FLOW_ROLE_SET_VARIABLE)
        ct_array_push(&b->places, b->variables.items[n->variable].offset);
}

// Offsets of external outputs that share a place.
static void share_places(ct_worker_flow *b) {
    for (uint32_t i = 0; i < b->variables.count; ++i) {
        ct_worker_flow_variable *const v = &b->variables.items[i];
        if (has_place(v))
            continue;
        v->flags |= CT_FLOW_VARIABLE_SHARED;
        v->offset = ct_worker_flow_dynamic_offset(b, &v->source);
    }
}

uint32_t ct_worker_flow_dynamic_offset(ct_worker_flow *b, const ct_worker_flow_source *source) {
    switch (source->kind) {
    case CT_WORKER_FLOW_SOURCE_NODE:
        return b->places.items[b->nodes.items[source->index].first_place + source->output];
    case CT_WORKER_FLOW_SOURCE_VARIABLE:
        return b->variables.items[source->index].offset;
    case CT_WORKER_FLOW_SOURCE_UNIT:
        return ct_worker_flow_unit_offset(b, source->index);
    default: // the graph's own unit, or zeros
        return source->type == CT_FLOW_TYPE_UNIT || source->type == CT_FLOW_TYPE_ENTITY
                   ? 0
                   : CT_FLOW_ZEROS;
    }
}

bool ct_worker_flow_lay_out(ct_worker_flow *b) {
    uint64_t end = CT_FLOW_ZEROS + CT_FLOW_VALUE_BYTES;
    if (b->kept.count > CT_FLOW_MAX_NODES)
        return ct_compile_error(b->c, b->c->doc, b->scopes.items[0].source.nodes,
                                "found %u nodes, with those that convert values between slots; "
                                "expected at most %d: split the graph",
                                b->kept.count, (int)CT_FLOW_MAX_NODES);
    place_variables(b, &end);
    place_units(b, &end);
    uint32_t num_strings = 0;
    for (uint32_t i = 0; i < b->kept.count && end <= CT_FLOW_MAX_DYNAMIC_BYTES; ++i)
        place_node(b, &b->nodes.items[b->kept.items[i]], &end);
    if (end > CT_FLOW_MAX_DYNAMIC_BYTES) {
        for (uint32_t i = 0; i < b->kept.count; ++i) {
            const ct_flow_slot *s = b->nodes.items[b->kept.items[i]].type->slots;
            for (; s && s->name; ++s)
                num_strings += s->kind == CT_FLOW_SLOT_OUTPUT && s->type == CT_FLOW_TYPE_STRING;
        }
        return ct_compile_error(b->c, b->c->doc, b->scopes.items[0].source.nodes,
                                "an instance of the graph takes more than %d bytes: found %u nodes "
                                "and %u variables; %u of the outputs are strings of %d bytes each: "
                                "split the graph",
                                (int)CT_FLOW_MAX_DYNAMIC_BYTES, b->kept.count, b->variables.count,
                                num_strings, CT_FLOW_VALUE_BYTES + CT_FLOW_STRING_BYTES);
    }
    share_places(b);
    b->dynamic_bytes = (uint32_t)ct_round_up(end, CT_FLOW_VALUE_BYTES);
    return true;
}
