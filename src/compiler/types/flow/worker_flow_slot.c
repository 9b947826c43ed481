// Slots of nodes by name, also of graphs that are used as nodes.
#include <string.h>

#include "compiler/types/flow/worker_flow.h"

uint32_t ct_worker_flow_passing_input(const ct_flow_node_type *type) {
    uint32_t number = 0;
    uint32_t first_constant = CT_WORKER_FLOW_NONE;
    for (const ct_flow_slot *s = type->slots; s && s->name; ++s) {
        if (s->kind != CT_FLOW_SLOT_INPUT)
            continue;
        if (!s->is_constant)
            return number;
        if (first_constant == CT_WORKER_FLOW_NONE && strcmp(s->name, "name") != 0)
            first_constant = number;
        ++number;
    }
    return first_constant;
}

uint32_t ct_worker_flow_find_input(const ct_flow_node_type *type, const char *name) {
    uint32_t number = 0;
    const ct_flow_slot *const s = ct_flow_find_slot(type, false, name, &number);
    return s && s->kind == CT_FLOW_SLOT_INPUT ? number : CT_WORKER_FLOW_NONE;
}

// The slot that an external node of a graph is to the graph around. False: none in this direction.
static bool end_of_external(const ct_worker_flow *b, uint32_t node, bool is_out,
                            ct_worker_flow_end *end) {
    const ct_flow_node_type *const t = b->nodes.items[node].type;
    *end = (ct_worker_flow_end){.node = node};
    switch ((ct_flow_node_role)t->role) {
    case CT_FLOW_ROLE_GRAPH_INPUT:
        end->kind = CT_FLOW_SLOT_INPUT;
        end->number = ct_flow_count_slots(t, CT_FLOW_SLOT_INPUT);
        end->type = (ct_flow_type)ct_flow_slot_at(t, CT_FLOW_SLOT_OUTPUT, 0)->type;
        return !is_out;
    case CT_FLOW_ROLE_GRAPH_OUTPUT:
        end->kind = CT_FLOW_SLOT_OUTPUT;
        end->type =
            (ct_flow_type)ct_flow_slot_at(t, CT_FLOW_SLOT_INPUT, ct_worker_flow_passing_input(t))
                ->type;
        return is_out;
    case CT_FLOW_ROLE_GRAPH_EVENT_IN:
        end->kind = CT_FLOW_SLOT_EVENT_IN;
        return !is_out;
    case CT_FLOW_ROLE_GRAPH_EVENT_OUT:
        end->kind = CT_FLOW_SLOT_EVENT_OUT;
        return is_out;
    default:
        return false;
    }
}

static bool find_external(const ct_worker_flow *b, uint32_t scope, bool is_out, const char *name,
                          uint32_t *next, ct_worker_flow_end *end) {
    const ct_u32_array *const externals = &b->scopes.items[scope].externals;
    while (*next < externals->count) {
        const uint32_t node = externals->items[(*next)++];
        const char *const other = b->nodes.items[node].name;
        if (other && strcmp(other, name) == 0 && end_of_external(b, node, is_out, end))
            return true;
    }
    return false;
}

bool ct_worker_flow_find_end(const ct_worker_flow *b, uint32_t node, bool is_out, const char *name,
                             uint32_t *next, ct_worker_flow_end *end) {
    const ct_worker_flow_node *const n = &b->nodes.items[node];
    const bool is_first = *next == 0;
    if (n->type->role == CT_FLOW_ROLE_GRAPH && n->inner_scope == CT_WORKER_FLOW_NONE)
        return false;
    if (n->type->role == CT_FLOW_ROLE_GRAPH &&
        find_external(b, n->inner_scope, is_out, name, next, end))
        return true;
    ++*next;
    uint32_t number = 0;
    const ct_flow_slot *const s =
        is_first ? ct_flow_find_slot(n->type, is_out, name, &number) : NULL;
    if (!s)
        return false;
    *end = (ct_worker_flow_end){.node = node,
                                .number = number,
                                .kind = (ct_flow_slot_kind)s->kind,
                                .type = (ct_flow_type)s->type,
                                .is_constant = s->is_constant,
                                .slot = s};
    return true;
}

static bool goes_out(const ct_flow_slot *s) {
    return s->kind == CT_FLOW_SLOT_OUTPUT || s->kind == CT_FLOW_SLOT_EVENT_OUT;
}

const char *ct_worker_flow_slot_advice(ct_worker_flow *b, uint32_t node, bool is_out,
                                       const char *name) {
    const ct_worker_flow_node *const n = &b->nodes.items[node];
    const char *names[4 * CT_FLOW_MAX_SLOTS];
    uint32_t count = 0;
    if (!ct_worker_flow_advises(b))
        return "";
    for (const ct_flow_slot *s = n->type->slots; s && s->name && count < CT_COUNT_OF(names); ++s) {
        if (goes_out(s) == is_out)
            names[count++] = s->name;
    }
    if (n->inner_scope != CT_WORKER_FLOW_NONE) {
        const ct_u32_array *const externals = &b->scopes.items[n->inner_scope].externals;
        ct_worker_flow_end end;
        for (uint32_t i = 0; i < externals->count && count < CT_COUNT_OF(names); ++i) {
            const ct_worker_flow_node *const e = &b->nodes.items[externals->items[i]];
            if (e->name && end_of_external(b, externals->items[i], is_out, &end))
                names[count++] = e->name;
        }
    }
    return ct_worker_flow_advice(b, name, names, count);
}
