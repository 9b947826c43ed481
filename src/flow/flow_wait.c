// What waits: a heap by time. Entries of what no longer waits stay until they are due, or until they are
// more than the others, when the heap is made again from the states of the nodes. An entry is valid while
// the state of its node has the same time.
#include <math.h>

#include "flow/flow_private.h"

enum {
    INDEX_MASK = (1 << CT_FLOW_INDEX_BITS) - 1,
    MOST_STALE = 1024, // entries that need not be in the heap, besides some for each instance
};

// --- The heap ------------------------------------------------------------------------------------

// The order does not depend on when the waiting began, so that a saved state goes on in the same way.
static bool is_before(const ct_flow_waiting *a, const ct_flow_waiting *b) {
    if (a->due != b->due)
        return a->due < b->due;
    if ((a->instance & INDEX_MASK) != (b->instance & INDEX_MASK))
        return (a->instance & INDEX_MASK) < (b->instance & INDEX_MASK);
    if (a->node != b->node)
        return a->node < b->node;
    return a->slot < b->slot;
}

static void push(ct_flow_world *w, ct_flow_waiting entry) {
    ct_array_push(&w->waiting, entry);
    ct_flow_waiting *const heap = w->waiting.items;
    uint32_t at = w->waiting.count - 1;
    for (; at > 0 && is_before(&entry, &heap[(at - 1) / 2]); at = (at - 1) / 2)
        heap[at] = heap[(at - 1) / 2];
    heap[at] = entry;
}

// Moves the entry at a place down to where it belongs.
static void sink(ct_flow_waiting *heap, uint32_t count, uint32_t at) {
    const ct_flow_waiting entry = heap[at];
    for (;;) {
        uint32_t below = 2 * at + 1;
        if (below >= count)
            break;
        below += below + 1 < count && is_before(&heap[below + 1], &heap[below]);
        if (!is_before(&heap[below], &entry))
            break;
        heap[at] = heap[below];
        at = below;
    }
    heap[at] = entry;
}

static ct_flow_waiting pop(ct_flow_world *w) {
    const ct_flow_waiting first = w->waiting.items[0];
    w->waiting.items[0] = w->waiting.items[--w->waiting.count];
    if (w->waiting.count > 0)
        sink(w->waiting.items, w->waiting.count, 0);
    return first;
}

static ct_flow_wait_state *state_of(const ct_flow_world *w, const ct_flow_waiting *entry) {
    const ct_flow_record *const r = ct_flow_record_of(w, (ct_flow_instance){entry->instance});
    if (!r)
        return NULL;
    const ct_flow_node *const node = ct_flow_node_at(ct_flow_graph_of(w, r), entry->node);
    ct_flow_wait_state *const state = ct_flow_wait_at(r->data, node->state);
    return state->due[entry->slot] == entry->due ? state : NULL;
}

static void restore_order(ct_flow_world *w) {
    for (uint32_t i = w->waiting.count / 2; i-- > 0;)
        sink(w->waiting.items, w->waiting.count, i);
    w->num_waiting_tidied = w->waiting.count;
}

// Entries are stale, or double where a state was restored that had waited before.
void ct_flow_tidy_waiting(ct_flow_world *w) {
    if (w->waiting.count < 2 * w->num_waiting_tidied + w->num_instances + MOST_STALE)
        return;
    w->waiting.count = 0;
    for (uint32_t i = 1; i < w->records.count; ++i) {
        if (w->records.items[i].data && !w->records.items[i].is_ended)
            ct_flow_add_waiting(w, i);
    }
    w->num_waiting_tidied = w->waiting.count;
}

void ct_flow_forget_waiting(ct_flow_world *w, const ct_flow_graph *g) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < w->waiting.count; ++i) {
        const ct_flow_record *const r =
            ct_flow_record_of(w, (ct_flow_instance){w->waiting.items[i].instance});
        if (r && r->graph != g->index)
            w->waiting.items[count++] = w->waiting.items[i];
    }
    w->waiting.count = count;
    restore_order(w);
}

void ct_flow_add_waiting(ct_flow_world *w, uint32_t index) {
    const ct_flow_record *const r = &w->records.items[index];
    const ct_flow_head *const head = ct_flow_head_of(r);
    for (uint32_t at = head->waiting; at;) {
        const ct_flow_wait_state *const state = ct_flow_wait_at(r->data, at);
        for (uint32_t slot = 0; slot < CT_COUNT_OF(state->due); ++slot) {
            if (state->due[slot] > 0)
                push(w,
                     (ct_flow_waiting){state->due[slot], head->instance, state->node - 1, slot, 0});
        }
        at = state->next;
    }
}

// --- Waiting -------------------------------------------------------------------------------------

void ct_flow_wait(ct_flow_call *c, uint32_t slot, double seconds, uint32_t event) {
    ct_flow_world *const w = c->world;
    ct_flow_wait_state *const state = ct_flow_state(c);
    ct_flow_head *const head = (void *)c->bases[CT_FLOW_REGION_DYNAMIC];
    CT_ASSERT(slot < CT_COUNT_OF(state->due), "slot %u of what waits", slot);
    CT_ASSERT(c->node->state, "a node that waits has a state");
    if (!(seconds >= 0)) {
        ct_flow_error(c, "found a time of %g seconds; expected 0 or more", seconds);
        seconds = 0;
    }
    const double now = ct_world_time(w->world);
    const double next_step = nextafter(now, INFINITY);
    const uint32_t position = ct_flow_position_of(c);
    ct_flow_tidy_waiting(w);
    state->due[slot] = fmax(now + seconds, next_step);
    state->events[slot] = event;
    if (!state->node) {
        state->node = position + 1;
        state->next = head->waiting;
        head->waiting = c->node->state;
    }
    push(w, (ct_flow_waiting){state->due[slot], c->instance, position, slot, 0});
}

void ct_flow_stop_waiting(ct_flow_call *c, uint32_t slot) {
    ct_flow_wait_state *const state = ct_flow_state(c);
    CT_ASSERT(slot < CT_COUNT_OF(state->due), "slot %u of what waits", slot);
    state->due[slot] = 0;
}

void ct_flow_run_due(ct_flow_world *w) {
    const double now = ct_world_time(w->world);
    while (w->waiting.count > 0 && w->waiting.items[0].due <= now) {
        const ct_flow_waiting entry = pop(w);
        ct_flow_wait_state *const state = state_of(w, &entry);
        ++w->num_waits_looked;
        if (!state)
            continue;
        state->due[entry.slot] = 0;
        ct_flow_run_event(w, entry.instance & INDEX_MASK, entry.node, state->events[entry.slot],
                          NULL, NULL);
    }
    if (w->waiting.count < w->num_waiting_tidied)
        w->num_waiting_tidied = w->waiting.count;
}
