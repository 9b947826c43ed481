// The state of instances: saved, restored, hashed, and moved to a graph that was reloaded.
#include <math.h>
#include <string.h>

#include "flow/flow_private.h"

enum { INDEX_MASK = (1 << CT_FLOW_INDEX_BITS) - 1 };

// --- Saving --------------------------------------------------------------------------------------

const void *ct_flow_save(const ct_flow_world *w, ct_flow_instance i, uint32_t *num_bytes) {
    const ct_flow_record *const r = ct_flow_record_of(w, i);
    *num_bytes = r ? ct_flow_graph_of(w, r)->dynamic_bytes : 0;
    return r ? r->data : NULL;
}

// Whatever has the entity: the world decides which instances count.
void ct_flow_hash(const ct_flow_world *w, ct_state_hash *hash) {
    ct_state_hash own = {0};
    for (uint32_t i = 1; i < w->records.count; ++i) {
        const ct_flow_record *const r = &w->records.items[i];
        if (r->data && !r->is_ended)
            ct_state_hash_add(&own, (ct_entity){i}, CT_ID32("flow", 0x58837609).value, r->data,
                              ct_flow_graph_of(w, r)->dynamic_bytes);
    }
    for (uint32_t i = 0; i < w->globals.count; ++i) {
        const ct_flow_global *const global = &w->globals.items[i];
        ct_state_hash_add(&own, (ct_entity){global->name}, CT_ID32("flow_global", 0x3706c629).value,
                          global, sizeof(*global));
    }
    hash->value += own.value;
}

// --- The check of saved data ---------------------------------------------------------------------

// Returns the info of the node at a position; NULL when it does not exist.
static const ct_flow_node_info *info_at(const ct_flow_graph *g, uint32_t position) {
    uint32_t first = 0, end = g->num_infos;
    while (first < end) {
        const uint32_t middle = first + (end - first) / 2;
        if (g->infos[middle].node == position)
            return &g->infos[middle];
        if (g->infos[middle].node < position)
            first = middle + 1;
        else
            end = middle;
    }
    return NULL;
}

static bool check_wait(const ct_flow_graph *g, const uint8_t *data, uint32_t offset,
                       ct_error *error) {
    ct_flow_wait_state state;
    if (offset % 8 != 0 || (uint64_t)offset + sizeof(state) > g->dynamic_bytes)
        return ct_error_set(error, "found a node that waits at %u; expected a state", offset);
    memcpy(&state, data + offset, sizeof(state));
    const ct_flow_node_info *const info = info_at(g, state.node - 1);
    const ct_flow_node *const node = info ? ct_flow_node_at(g, info->node) : NULL;
    if (!node || node->state != offset || g->types[node->type].state_bytes < sizeof(state))
        return ct_error_set(error, "found a node that waits at %u; expected the state of a node",
                            offset);
    for (uint32_t i = 0; i < CT_COUNT_OF(state.due); ++i) {
        if (!(state.due[i] >= 0))
            return ct_error_set(error, "found a time of %g; expected 0 or more", state.due[i]);
    }
    return true;
}

static bool check_waiting(const ct_flow_graph *g, const uint8_t *data, ct_error *error) {
    ct_flow_head head;
    memcpy(&head, data, sizeof(head));
    uint32_t num_found = 0;
    for (uint32_t at = head.waiting; at;) {
        ct_flow_wait_state state;
        if (!check_wait(g, data, at, error))
            return false;
        if (++num_found > g->num_infos)
            return ct_error_set(error, "the list of nodes that wait does not end");
        memcpy(&state, data + at, sizeof(state));
        at = state.next;
    }
    return true;
}

bool ct_flow_restore(ct_flow_world *w, ct_flow_instance i, const void *data, uint32_t num_bytes,
                     ct_error *error) {
    const ct_flow_record *const r = ct_flow_record_of(w, i);
    if (!r)
        return ct_error_set(error, "the instance of a flow graph has ended");
    const ct_flow_graph *const g = ct_flow_graph_of(w, r);
    if (num_bytes != g->dynamic_bytes)
        return ct_error_set(error, "found %u bytes of the state of a flow graph; expected %u",
                            num_bytes, g->dynamic_bytes);
    if (!check_waiting(g, data, error) || !ct_flow_check_data(g->resource, data, error))
        return false;
    ct_flow_head *const head = ct_flow_head_of(r);
    const ct_flow_head own = *head;
    memmove(r->data, data, num_bytes);                       // it may be its own
    memset(r->data + CT_FLOW_ZEROS, 0, CT_FLOW_VALUE_BYTES); // whatever the data says
    head->unit = own.unit;
    head->level = own.level;
    head->instance = own.instance;
    if (g->has_level_units)
        ct_flow_write_level_units(w, r);
    ct_flow_tidy_waiting(w);
    ct_flow_add_waiting(w, i.id & INDEX_MASK);
    return true;
}

// --- Reload --------------------------------------------------------------------------------------

// What moves from the dynamic data of an old graph to that of a new one.
typedef struct moved_node {
    uint32_t old_info, new_info;
} moved_node;

typedef struct move_plan {
    const ct_flow_graph *old;
    ct_flow_graph *graph;
    CT_ARRAY(moved_node) nodes;
    ct_u32_array new_infos; // by info of the old graph: that of the new one, plus 1; 0: none
} move_plan;

static const char *type_name_of(const ct_flow_graph *g, const ct_flow_node *node) {
    return ct_blob_at(g->resource, g->types[node->type].name.offset);
}

// Whether outputs hold values of the same types: those of the engine's nodes do when the types have the same
// name, nodes of the project may have changed.
static bool has_same_outputs(const ct_flow_graph *old, const ct_flow_used_type *a,
                             const ct_flow_graph *g, const ct_flow_used_type *b) {
    const ct_flow_used_slot *const left = ct_blob_at(old->resource, a->slots.offset);
    const ct_flow_used_slot *const right = ct_blob_at(g->resource, b->slots.offset);
    uint32_t i = 0, k = 0;
    for (;; ++i, ++k) {
        while (i < a->slots.count && left[i].kind != CT_FLOW_SLOT_OUTPUT)
            ++i;
        while (k < b->slots.count && right[k].kind != CT_FLOW_SLOT_OUTPUT)
            ++k;
        if (i == a->slots.count || k == b->slots.count)
            return i == a->slots.count && k == b->slots.count;
        if (left[i].type != right[k].type)
            return false;
    }
}

// Nodes are the same when they have the same id and type, and as much data.
static bool is_same(const ct_flow_graph *old, const ct_flow_node_info *a, const ct_flow_graph *g,
                    const ct_flow_node_info *b) {
    return memcmp(a->id, b->id, sizeof(a->id)) == 0 && a->num_bytes == b->num_bytes &&
           a->num_bytes > 0 &&
           strcmp(type_name_of(old, ct_flow_node_at(old, a->node)),
                  type_name_of(g, ct_flow_node_at(g, b->node))) == 0 &&
           has_same_outputs(old, &old->types[ct_flow_node_at(old, a->node)->type], g,
                            &g->types[ct_flow_node_at(g, b->node)->type]);
}

static void plan_move(move_plan *plan, ct_allocator *a) {
    ct_array_init(&plan->nodes, a);
    ct_array_init(&plan->new_infos, a);
    ct_array_resize(&plan->new_infos, plan->old->num_infos);
    ct_hash_map places = {.allocator = a}; // of old nodes, by the first half of their ids mixed
    for (uint32_t i = 0; i < plan->old->num_infos; ++i)
        ct_hash_map_add(&places, plan->old->infos[i].id[0] ^ plan->old->infos[i].id[1] * 31, i);
    for (uint32_t i = 0; i < plan->graph->num_infos; ++i) {
        const ct_flow_node_info *const info = &plan->graph->infos[i];
        const uint64_t *const found = ct_hash_map_find(&places, info->id[0] ^ info->id[1] * 31);
        if (!found || !is_same(plan->old, &plan->old->infos[*found], plan->graph, info))
            continue;
        ct_array_push(&plan->nodes, (moved_node){(uint32_t)*found, i});
        plan->new_infos.items[*found] = i + 1;
    }
    ct_hash_map_free(&places);
}

// External outputs show places of others.
static void move_variable(const move_plan *plan, const ct_flow_variable *v, const uint8_t *from,
                          uint8_t *to) {
    const ct_flow_variable *const old = ct_flow_variable_named(plan->old, v->name);
    if (!old || old->type != v->type || (old->flags | v->flags) & CT_FLOW_VARIABLE_OUTPUT)
        return;
    memcpy(to + v->offset, from + old->offset, CT_FLOW_VALUE_BYTES);
    ct_flow_string s;
    memcpy(&s, from + old->offset, sizeof(s));
    if (v->type == CT_FLOW_TYPE_STRING && s.start & CT_FLOW_STRING_IS_DYNAMIC)
        memcpy(to + v->offset + CT_FLOW_VALUE_BYTES, from + old->offset + CT_FLOW_VALUE_BYTES,
               CT_FLOW_STRING_BYTES);
}

// A text that was written is behind its place, which has moved; another one is a text of the old blob. Where
// the outputs of a Lua node have changed places, something else than a text may be there.
static void move_text(const move_plan *plan, uint8_t *to, uint32_t offset) {
    ct_flow_string *const s = (void *)(to + offset);
    const uint32_t start = offset + CT_FLOW_VALUE_BYTES;
    if (s->start & CT_FLOW_STRING_IS_DYNAMIC && s->length < CT_FLOW_STRING_BYTES &&
        to[start + s->length] == 0)
        s->start = start | CT_FLOW_STRING_IS_DYNAMIC;
    else
        memcpy(s, plan->graph->template + offset, sizeof(*s));
}

// All places of texts: variables and outputs.
static void move_texts(const move_plan *plan, uint8_t *to) {
    const ct_flow_graph *const g = plan->graph;
    for (uint32_t i = 0; i < g->num_variables; ++i) {
        if (g->variables[i].type == CT_FLOW_TYPE_STRING)
            move_text(plan, to, g->variables[i].offset);
    }
    for (uint32_t i = 0; i < g->num_infos; ++i) {
        const ct_flow_node *const node = ct_flow_node_at(g, g->infos[i].node);
        for (uint32_t k = node->first_output; k < node->first_event; ++k) {
            if (ct_flow_output_type(g, node, k - node->first_output) == CT_FLOW_TYPE_STRING)
                move_text(plan, to, node->slots[k]);
        }
    }
}

// The list of what waits names nodes by their positions: it is made anew.
static void move_waiting(const move_plan *plan, const uint8_t *from, uint8_t *to) {
    ct_flow_head *const head = (void *)to;
    uint32_t at = head->waiting;
    head->waiting = 0;
    while (at) {
        ct_flow_wait_state old;
        memcpy(&old, from + at, sizeof(old));
        const uint32_t new_info =
            plan->new_infos.items[ct_flow_node_at(plan->old, old.node - 1)->info];
        at = old.next;
        if (!new_info)
            continue;
        const ct_flow_node_info *const info = &plan->graph->infos[new_info - 1];
        const ct_flow_node *const node = ct_flow_node_at(plan->graph, info->node);
        ct_flow_wait_state *const state = ct_flow_wait_at(to, node->state);
        state->node = info->node + 1;
        state->next = head->waiting;
        head->waiting = node->state;
    }
}

static void move_instance(const move_plan *plan, const uint8_t *from, uint8_t *to) {
    memcpy(to, plan->graph->template, plan->graph->dynamic_bytes);
    memcpy(to, from, sizeof(ct_flow_head));
    for (uint32_t i = 0; i < plan->nodes.count; ++i) {
        const ct_flow_node_info *const old = &plan->old->infos[plan->nodes.items[i].old_info];
        const ct_flow_node_info *const info = &plan->graph->infos[plan->nodes.items[i].new_info];
        memcpy(to + info->first_byte, from + old->first_byte, info->num_bytes);
    }
    for (uint32_t i = 0; i < plan->graph->num_variables; ++i)
        move_variable(plan, &plan->graph->variables[i], from, to);
    move_texts(plan, to);
    move_waiting(plan, from, to);
}

void ct_flow_move_to_reloaded(ct_flow_world *w, const ct_flow_graph *old, ct_flow_graph *g) {
    CT_ASSERT(!w->run, "a flow graph was reloaded in the middle of an event");
    if (g->index >= w->pools.count)
        return;
    ct_flow_pool from = w->pools.items[g->index];
    ct_flow_pool *const to = &w->pools.items[g->index];
    *to = (ct_flow_pool){.bytes = g->dynamic_bytes};
    ct_array_init(&to->chunks, w->allocator);
    ct_array_init(&to->free, w->allocator);
    move_plan plan = {.old = old, .graph = g};
    plan_move(&plan, w->allocator);
    ct_flow_forget_waiting(w, g);
    for (uint32_t i = 1; i < w->records.count; ++i) {
        ct_flow_record *const r = &w->records.items[i];
        if (!r->data || r->graph != g->index)
            continue;
        uint8_t *const data = ct_flow_pool_take(w, to);
        move_instance(&plan, r->data, data);
        r->data = data;
        if (g->has_level_units)
            ct_flow_write_level_units(w, r);
        ct_flow_add_waiting(w, i);
        if (g->num_polled)
            ct_flow_start_polling(w, i);
    }
    ct_flow_pool_free(w, &from);
    ct_array_free(&plan.nodes);
    ct_array_free(&plan.new_infos);
}
