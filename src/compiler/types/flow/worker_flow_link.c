// Reads the links of all scopes. Values that have another type than the slot go through a conversion.
#include <string.h>

#include "compiler/types/flow/worker_flow.h"

// Where a link is, for messages.
typedef struct link_place {
    const ct_sjson *doc;
    ct_flow_link_source source;
    ct_sjson_value value;
} link_place;

// --- Conversions ---------------------------------------------------------------------------------

// The node type that converts; NULL: none does. Units are entities already.
static const ct_flow_node_type *conversion(ct_flow_type from, ct_flow_type to) {
    static const struct {
        ct_flow_type from, to;
        const char *name;
    } rows[] = {
        {CT_FLOW_TYPE_BOOL, CT_FLOW_TYPE_NUMBER, "bool_to_numeric"},
        {CT_FLOW_TYPE_BOOL, CT_FLOW_TYPE_STRING, "bool_to_string"},
        {CT_FLOW_TYPE_ID, CT_FLOW_TYPE_STRING, "id_to_string"},
        {CT_FLOW_TYPE_NUMBER, CT_FLOW_TYPE_BOOL, "numeric_to_bool"},
        {CT_FLOW_TYPE_NUMBER, CT_FLOW_TYPE_STRING, "numeric_to_string"},
        {CT_FLOW_TYPE_NUMBER, CT_FLOW_TYPE_VECTOR3, "numeric_to_vector"},
        {CT_FLOW_TYPE_QUATERNION, CT_FLOW_TYPE_STRING, "rotation_to_string"},
        {CT_FLOW_TYPE_STRING, CT_FLOW_TYPE_ID, "string_to_id"},
        {CT_FLOW_TYPE_VECTOR3, CT_FLOW_TYPE_STRING, "vector_to_string"},
    };
    for (uint32_t i = 0; i < CT_COUNT_OF(rows); ++i) {
        if (rows[i].from == from && rows[i].to == to)
            return ct_flow_find_node_type(rows[i].name);
    }
    return NULL;
}

static bool fits(ct_flow_type from, ct_flow_type to) {
    return from == to || to == CT_FLOW_TYPE_ANY ||
           (from == CT_FLOW_TYPE_UNIT && to == CT_FLOW_TYPE_ENTITY);
}

// --- One link ------------------------------------------------------------------------------------

// Returns false after reporting that there are too many.
static bool link_events(ct_worker_flow *b, const link_place *p, const ct_worker_flow_end *from,
                        const ct_worker_flow_end *to) {
    if (b->events.count == CT_WORKER_FLOW_MAX_LINKS)
        return ct_compile_error(b->c, p->doc, p->value,
                                "found more than %d links of events, as this one goes from and to "
                                "all external nodes of a name; split the graph",
                                (int)CT_WORKER_FLOW_MAX_LINKS);
    ct_array_push(&b->events, (ct_worker_flow_event){.from = from->node,
                                                     .out = from->number,
                                                     .to = to->node,
                                                     .in = to->number,
                                                     .value = p->value});
    return true;
}

static const char *article(ct_flow_type type) {
    return type == CT_FLOW_TYPE_ID || type == CT_FLOW_TYPE_ENTITY || type == CT_FLOW_TYPE_ACTOR
               ? "an"
               : "a";
}

// `node`: the one that the link names.
static void link_values(ct_worker_flow *b, const link_place *p, uint32_t node,
                        const ct_worker_flow_end *from, const ct_worker_flow_end *to) {
    const uint32_t input = b->nodes.items[to->node].first_input + to->number;
    if (to->is_constant) {
        ct_compile_error(b->c, p->doc, p->source.in_value,
                         "%s: the input %.64s is part of the graph and cannot be linked; give it "
                         "in `inputs`",
                         ct_worker_flow_title(b, node), p->source.in);
        return;
    }
    if (b->inputs.items[input].is_linked) {
        ct_compile_error(b->c, p->doc, p->source.in_value,
                         "%s: the input %.64s has another link already; an input has one: remove "
                         "one of them",
                         ct_worker_flow_title(b, node), p->source.in);
        return;
    }
    ct_worker_flow_source source = {.kind = CT_WORKER_FLOW_SOURCE_NODE,
                                    .type = from->type,
                                    .index = from->node,
                                    .output = from->number};
    b->inputs.items[input].is_linked = true;
    if (!fits(from->type, to->type)) {
        const ct_flow_node_type *const type = conversion(from->type, to->type);
        if (!type) {
            ct_compile_error(b->c, p->doc, p->value,
                             "%s: the input %.64s is %s %s, but the output %.64s of %s is %s %s; "
                             "no node converts it",
                             ct_worker_flow_title(b, node), p->source.in, article(to->type),
                             ct_flow_type_name(to->type), p->source.out,
                             ct_worker_flow_title(b, from->node), article(from->type),
                             ct_flow_type_name(from->type));
            return;
        }
        const uint32_t added = ct_worker_flow_add_node(b, type, to->node, to->number);
        ct_worker_flow_input *const inner = &b->inputs.items[b->nodes.items[added].first_input];
        inner->is_linked = true;
        inner->link = source;
        source = (ct_worker_flow_source){
            .kind = CT_WORKER_FLOW_SOURCE_NODE, .type = to->type, .index = added};
    }
    b->inputs.items[input].link = source;
}

// A node by its id; NONE after reporting.
static uint32_t find_node(ct_worker_flow *b, uint32_t scope, const link_place *p, ct_sjson_value at,
                          const char *id) {
    const ct_worker_flow_scope *const s = &b->scopes.items[scope];
    const uint64_t *const found = ct_hash_map_find(&s->ids, ct_string_id64_of(id).value);
    if (found)
        return (uint32_t)*found;
    enum { MOST_NAMES = 1000 }; // for advice
    const char *names[MOST_NAMES];
    uint32_t count = 0;
    for (; ct_worker_flow_advises(b) && count < s->num_nodes && count < MOST_NAMES; ++count)
        names[count] = b->nodes.items[s->first_node + count].id;
    const char *const nearest = ct_nearest_name(id, names, count);
    ct_compile_error(b->c, p->doc, at, "a link names the node \"%.64s\", which does not exist%s",
                     id,
                     nearest ? ct_compile_text(b->c, "; did you mean \"%.64s\"?", nearest)
                             : "; remove the link, or add the node");
    return CT_WORKER_FLOW_NONE;
}

// Finds an end; several external nodes of one name are several ends. False after reporting.
static bool find_first_end(ct_worker_flow *b, const link_place *p, uint32_t node, bool is_out,
                           ct_worker_flow_end *end) {
    const char *const name = is_out ? p->source.out : p->source.in;
    uint32_t next = 0, next_other = 0;
    if (ct_worker_flow_find_end(b, node, is_out, name, &next, end))
        return true;
    ct_worker_flow_end other;
    const bool is_other_way = ct_worker_flow_find_end(b, node, !is_out, name, &next_other, &other);
    return ct_compile_error(b->c, p->doc, is_out ? p->source.out_value : p->source.in_value,
                            "%s has no %s \"%.64s\"%s%s", ct_worker_flow_title(b, node),
                            is_out ? "output or event out" : "input or event in", name,
                            is_other_way ? " (it is on the other side)" : "",
                            ct_worker_flow_slot_advice(b, node, is_out, name));
}

static bool is_event(const ct_worker_flow_end *end) {
    return end->kind == CT_FLOW_SLOT_EVENT_IN || end->kind == CT_FLOW_SLOT_EVENT_OUT;
}

// Links an end to all ends that the link names. Returns false when there are too many.
static bool link_to_all(ct_worker_flow *b, const link_place *p, const ct_worker_flow_end *from,
                        uint32_t to_node) {
    ct_worker_flow_end to;
    uint32_t next = 0;
    while (ct_worker_flow_find_end(b, to_node, false, p->source.in, &next, &to)) {
        if (is_event(from) != is_event(&to))
            ct_worker_flow_error(b, to.node,
                                 "an external node of another kind has the name "
                                 "\"%.64s\"",
                                 p->source.in);
        else if (!is_event(from))
            link_values(b, p, to_node, from, &to);
        else if (!link_events(b, p, from, &to))
            return false;
    }
    return true;
}

static void link_ends(ct_worker_flow *b, const link_place *p, uint32_t from_node,
                      uint32_t to_node) {
    ct_worker_flow_end from, to;
    uint32_t next = 0;
    if (!find_first_end(b, p, from_node, true, &from) || !find_first_end(b, p, to_node, false, &to))
        return;
    if (is_event(&from) != is_event(&to)) {
        ct_compile_error(b->c, p->doc, p->value,
                         "%s: %.64s is %s, but %.64s of %s is %s; link events to events and values "
                         "to values",
                         ct_worker_flow_title(b, to_node), p->source.in,
                         is_event(&to) ? "an event" : "a value", p->source.out,
                         ct_worker_flow_title(b, from_node),
                         is_event(&from) ? "an event" : "a value");
        return;
    }
    for (uint32_t i = 0; ct_worker_flow_find_end(b, from_node, true, p->source.out, &next, &from);
         ++i) {
        if (i && !is_event(&from)) {
            ct_worker_flow_error(b, from.node, "another external output has the name \"%.64s\"",
                                 p->source.out);
            return;
        }
        if (!link_to_all(b, p, &from, to_node))
            return;
    }
}

// --- All -----------------------------------------------------------------------------------------

static void read_link(ct_worker_flow *b, uint32_t scope, ct_sjson_value v) {
    link_place p = {.doc = b->scopes.items[scope].doc, .value = v};
    if (!ct_schema_read(&ct_flow_link_schema, p.doc, v, &p.source, &b->listener))
        return;
    const uint32_t from = find_node(b, scope, &p, p.source.from_value, p.source.from);
    const uint32_t to = find_node(b, scope, &p, p.source.to_value, p.source.to);
    if (from != CT_WORKER_FLOW_NONE && to != CT_WORKER_FLOW_NONE)
        link_ends(b, &p, from, to);
}

void ct_worker_flow_links(ct_worker_flow *b) {
    for (uint32_t s = 0; s < b->scopes.count; ++s) {
        const ct_sjson *const doc = b->scopes.items[s].doc;
        const ct_sjson_value links = b->scopes.items[s].source.links;
        for (ct_sjson_value v = ct_sjson_first(doc, links); v.entry; v = ct_sjson_next(doc, v))
            read_link(b, s, v);
    }
}
