// Finds what events can reach and what is read. The rest is not in the program.
#include "compiler/types/flow/worker_flow.h"

// --- What is used in the source ------------------------------------------------------------------

static void use(ct_worker_flow *b, ct_u32_array *waiting, uint32_t node) {
    ct_worker_flow_node *const n = &b->nodes.items[node];
    if (n->is_used)
        return;
    n->is_used = true;
    ct_array_push(waiting, node);
    for (uint32_t s = n->scope; s != CT_WORKER_FLOW_NONE && !b->scopes.items[s].is_used;
         s = b->scopes.items[s].parent)
        b->scopes.items[s].is_used = true;
}

static bool is_output_of_whole(const ct_worker_flow_node *n) {
    return n->type->role == CT_FLOW_ROLE_GRAPH_OUTPUT && n->scope == 0;
}

// Whether the engine starts or reads the node.
static bool is_root(const ct_worker_flow_node *n) {
    return is_output_of_whole(n) || (n->type->kind == CT_FLOW_NODE_ENTRY && !n->is_passage);
}

static void mark_used(ct_worker_flow *b) {
    ct_u32_array waiting;
    ct_array_init(&waiting, b->c->allocator);
    for (uint32_t i = 0; i < b->nodes.count; ++i) {
        if (is_root(&b->nodes.items[i]))
            use(b, &waiting, i);
    }
    while (waiting.count > 0) {
        const uint32_t node = waiting.items[--waiting.count];
        const ct_worker_flow_node *const n = &b->nodes.items[node];
        for (uint32_t i = b->first_events.items[node]; i < b->first_events.items[node + 1]; ++i)
            use(b, &waiting, b->events.items[i].to);
        for (uint32_t i = n->first_input; i < n->first_input + n->num_inputs; ++i) {
            if (b->inputs.items[i].link.kind == CT_WORKER_FLOW_SOURCE_NODE)
                use(b, &waiting, b->inputs.items[i].link.index);
        }
    }
}

// Graphs that are used as nodes warn when they are compiled on their own.
static void warn(ct_worker_flow *b) {
    const ct_worker_flow_scope *const s = &b->scopes.items[0];
    for (uint32_t i = s->first_node; i < s->first_node + s->num_nodes; ++i) {
        const ct_worker_flow_node *const n = &b->nodes.items[i];
        const bool is_used = n->inner_scope == CT_WORKER_FLOW_NONE
                                 ? n->is_used
                                 : b->scopes.items[n->inner_scope].is_used;
        if (!is_used)
            ct_compile_warning(b->c, s->doc, n->value,
                               "%s: no event can reach it and nothing reads it, so it is left out; "
                               "link it or remove it",
                               ct_worker_flow_title(b, i));
    }
}

// --- What remains --------------------------------------------------------------------------------

static bool is_in_program(const ct_worker_flow *b, uint32_t node) {
    const ct_worker_flow_node *const n = &b->nodes.items[node];
    if (n->is_passage || n->first_folded != CT_WORKER_FLOW_NONE ||
        n->type->role == CT_FLOW_ROLE_GRAPH)
        return false;
    if (!is_output_of_whole(n))
        return true;
    // A node only where reading must run others first; otherwise the variable shares their place.
    const ct_worker_flow_source *const s =
        &b->inputs.items[n->first_input + ct_worker_flow_passing_input(n->type)].source;
    return s->kind == CT_WORKER_FLOW_SOURCE_NODE && ct_worker_flow_is_evaluated(b, s->index);
}

static void keep(ct_worker_flow *b, ct_u32_array *waiting, uint32_t node) {
    ct_worker_flow_node *const n = &b->nodes.items[node];
    if (n->is_kept)
        return;
    n->is_kept = true;
    ct_array_push(waiting, node);
}

// What a node that stays needs: nodes whose values it reads, and those that its events start.
static void mark_kept(ct_worker_flow *b) {
    ct_u32_array waiting;
    ct_array_init(&waiting, b->c->allocator);
    for (uint32_t i = 0; i < b->nodes.count; ++i) {
        if (is_root(&b->nodes.items[i]))
            keep(b, &waiting, i);
    }
    while (waiting.count > 0) {
        const uint32_t node = waiting.items[--waiting.count];
        const ct_worker_flow_node *const n = &b->nodes.items[node];
        for (uint32_t i = b->first_events.items[node]; i < b->first_events.items[node + 1]; ++i)
            keep(b, &waiting, b->events.items[i].to);
        for (uint32_t i = n->first_input; !n->is_passage && i < n->first_input + n->num_inputs;
             ++i) {
            if (b->inputs.items[i].source.kind == CT_WORKER_FLOW_SOURCE_NODE)
                keep(b, &waiting, b->inputs.items[i].source.index);
        }
    }
}

// --- The list ------------------------------------------------------------------------------------

void ct_worker_flow_reach(ct_worker_flow *b) {
    mark_used(b);
    warn(b);
    mark_kept(b);
    // By rank; nodes of the same rank (conversions, before their node) by their position, downwards.
    ct_u32_array keys;
    ct_array_init(&keys, b->c->allocator);
    const uint32_t count = b->nodes.count;
    uint32_t *const places = CT_NEW_ARRAY(b->c->allocator, uint32_t, (uint64_t)count + 2);
    for (uint32_t i = 0; i < count; ++i)
        ++places[b->nodes.items[i].rank + 1];
    for (uint32_t i = 0; i < count; ++i)
        places[i + 1] += places[i];
    ct_array_resize(&keys, count);
    for (uint32_t i = count; i-- > 0;)
        keys.items[places[b->nodes.items[i].rank]++] = i;
    for (uint32_t i = 0; i < count; ++i) {
        ct_worker_flow_node *const n = &b->nodes.items[keys.items[i]];
        n->is_kept = n->is_kept && is_in_program(b, keys.items[i]);
        if (n->is_kept)
            ct_array_push(&b->kept, keys.items[i]);
    }
}
