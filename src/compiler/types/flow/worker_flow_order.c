// The order of events, which is that of the nodes as the graph shows them, and that of values.
#include <stdlib.h>
#include <string.h>

#include "compiler/types/flow/worker_flow.h"

// --- Ranks ---------------------------------------------------------------------------------------

typedef struct placed_node {
    float x, y;
    const char *id;
    uint32_t node;
} placed_node;

// From top to bottom, then from left to right, then by id.
static int compare_places(const void *a, const void *b) {
    const placed_node *const left = a;
    const placed_node *const right = b;
    if (left->y != right->y)
        return left->y < right->y ? -1 : 1;
    if (left->x != right->x)
        return left->x < right->x ? -1 : 1;
    return strcmp(left->id, right->id);
}

static placed_node *sorted_scope(const ct_worker_flow *b, uint32_t scope) {
    const ct_worker_flow_scope *const s = &b->scopes.items[scope];
    placed_node *const placed =
        CT_NEW_ARRAY(b->c->allocator, placed_node, (uint64_t)s->num_nodes + 1);
    for (uint32_t i = 0; i < s->num_nodes; ++i) {
        const ct_worker_flow_node *const n = &b->nodes.items[s->first_node + i];
        placed[i] = (placed_node){n->position[0], n->position[1], n->id, s->first_node + i};
    }
    qsort(placed, s->num_nodes, sizeof(*placed), compare_places);
    return placed;
}

// The nodes of a graph come directly behind the node that uses it. Depth is limited by the reader.
static void rank_scope(ct_worker_flow *b, uint32_t scope, uint32_t *rank) {
    const placed_node *const placed = sorted_scope(b, scope);
    for (uint32_t i = 0; i < b->scopes.items[scope].num_nodes; ++i) {
        ct_worker_flow_node *const n = &b->nodes.items[placed[i].node];
        n->rank = (*rank)++;
        if (n->inner_scope != CT_WORKER_FLOW_NONE)
            rank_scope(b, n->inner_scope, rank);
    }
}

// --- Links of events -----------------------------------------------------------------------------

typedef struct sorted_event {
    uint32_t rank, position; // of its target; in the source
    ct_worker_flow_event event;
} sorted_event;

#define COMPARE(left, right)                                                                       \
    if ((left) != (right))                                                                         \
    return (left) < (right) ? -1 : 1

static int compare_events(const void *a, const void *b) {
    const sorted_event *const left = a;
    const sorted_event *const right = b;
    COMPARE(left->event.from, right->event.from);
    COMPARE(left->event.out, right->event.out);
    COMPARE(left->rank, right->rank);
    COMPARE(left->event.in, right->event.in);
    COMPARE(left->position, right->position);
    return 0;
}

static bool is_same(const ct_worker_flow_event *a, const ct_worker_flow_event *b) {
    return a->from == b->from && a->out == b->out && a->to == b->to && a->in == b->in;
}

// Sorts the links and drops those that are there twice, with a warning.
static void sort_events(ct_worker_flow *b) {
    const uint32_t count = b->events.count;
    sorted_event *const sorted = CT_NEW_ARRAY(b->c->allocator, sorted_event, (uint64_t)count + 1);
    for (uint32_t i = 0; i < count; ++i) {
        const ct_worker_flow_event *const e = &b->events.items[i];
        sorted[i] = (sorted_event){b->nodes.items[e->to].rank, i, *e};
    }
    qsort(sorted, count, sizeof(*sorted), compare_events);
    b->events.count = 0;
    for (uint32_t i = 0; i < count; ++i) {
        const ct_worker_flow_event *const e = &sorted[i].event;
        const ct_worker_flow_node *const from = &b->nodes.items[e->from];
        if (i && is_same(e, &sorted[i - 1].event)) {
            if (from->scope == 0 && b->nodes.items[e->to].scope == 0)
                ct_compile_warning(b->c, b->c->doc, e->value,
                                   "another link has the same ends: this one is left out; "
                                   "remove it");
            continue;
        }
        ct_array_push(&b->events, *e);
    }
    ct_array_resize(&b->first_events, (uint64_t)b->nodes.count + 1);
    uint32_t at = 0;
    for (uint32_t i = 0; i <= b->nodes.count; ++i) {
        while (at < b->events.count && b->events.items[at].from < i)
            ++at;
        b->first_events.items[i] = at;
    }
}

void ct_worker_flow_rank(ct_worker_flow *b) {
    uint32_t rank = 0;
    rank_scope(b, 0, &rank);
    for (uint32_t i = 0; i < b->nodes.count; ++i) { // conversions have that of their node
        ct_worker_flow_node *const n = &b->nodes.items[i];
        const ct_worker_flow_scope *const s = &b->scopes.items[n->scope];
        const bool is_added = i - s->first_node >= s->num_nodes;
        if (is_added)
            n->rank = b->nodes.items[n->rank].rank;
    }
    sort_events(b);
}

// --- Values --------------------------------------------------------------------------------------

bool ct_worker_flow_is_evaluated(const ct_worker_flow *b, uint32_t node) {
    const ct_worker_flow_node *const n = &b->nodes.items[node];
    return n->is_passage || n->type->kind == CT_FLOW_NODE_PURE;
}

typedef struct visit {
    uint32_t node, next_input;
} visit;

typedef CT_ARRAY(visit) visit_array;

enum { NEW, OPEN, DONE };

static bool report_cycle(ct_worker_flow *b, const visit_array *path, uint32_t node) {
    enum { MOST_NAMED = 8 };
    uint32_t first = 0;
    while (path->items[first].node != node)
        ++first;
    const uint32_t count = path->count - first;
    const char *text = "";
    for (uint32_t i = 0; i < count && i < MOST_NAMED; ++i) {
        const ct_worker_flow_node *const n = &b->nodes.items[path->items[path->count - 1 - i].node];
        text = ct_compile_text(b->c, "%s%s%.40s %.40s", text, i ? ", " : "", n->type->name, n->id);
    }
    return ct_worker_flow_error(b, node,
                                "its value depends on itself, through %u node%s without an event: "
                                "%s%s; put a variable or a node with an event between them",
                                count, count == 1 ? "" : "s", text,
                                count > MOST_NAMED ? ", …" : "");
}

// Visits a node and, first, all that it needs. The path is a list, as it may be long.
static bool visit_from(ct_worker_flow *b, uint8_t *states, visit_array *path, uint32_t node) {
    if (states[node] != NEW)
        return true;
    states[node] = OPEN;
    ct_array_push(path, (visit){node, 0});
    while (path->count > 0) {
        visit *const last = &path->items[path->count - 1];
        const ct_worker_flow_node *const n = &b->nodes.items[last->node];
        if (last->next_input == n->num_inputs) {
            states[last->node] = DONE;
            ct_array_push(&b->order, last->node);
            --path->count;
            continue;
        }
        const ct_worker_flow_source *const s =
            &b->inputs.items[n->first_input + last->next_input++].link;
        if (s->kind != CT_WORKER_FLOW_SOURCE_NODE || !ct_worker_flow_is_evaluated(b, s->index))
            continue;
        if (states[s->index] == OPEN)
            return report_cycle(b, path, s->index);
        if (states[s->index] == NEW) {
            states[s->index] = OPEN;
            ct_array_push(path, (visit){s->index, 0});
        }
    }
    return true;
}

bool ct_worker_flow_sort_values(ct_worker_flow *b) {
    uint8_t *const states = CT_NEW_ARRAY(b->c->allocator, uint8_t, (uint64_t)b->nodes.count + 1);
    visit_array path;
    ct_array_init(&path, b->c->allocator);
    for (uint32_t i = 0; i < b->nodes.count; ++i) {
        if (ct_worker_flow_is_evaluated(b, i) && !visit_from(b, states, &path, i))
            return false;
    }
    for (uint32_t i = 0; i < b->nodes.count; ++i) {
        if (!ct_worker_flow_is_evaluated(b, i))
            ct_array_push(&b->order, i);
    }
    return true;
}
