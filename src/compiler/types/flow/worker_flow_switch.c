// Graphs that are switched: a relay before each of the events that lead into them.
#include "compiler/types/flow/worker_flow.h"

// What switches graphs: links to their nodes, not to nodes inside.
typedef CT_ARRAY(ct_worker_flow_event) switching_events;

static uint32_t event_of_relay(const ct_worker_flow *b, uint32_t relay, bool is_out,
                               const char *name) {
    ct_worker_flow_end end;
    uint32_t next = 0;
    const bool is_there = ct_worker_flow_find_end(b, relay, is_out, name, &next, &end);
    CT_ASSERT(is_there, "the node type relay has no %s", name);
    return end.number;
}

// Leads all links of an external event through a relay. Those of the relay come behind `count`.
static void add_relay(ct_worker_flow *b, const switching_events *switching, uint32_t graph,
                      uint32_t external, uint32_t count) {
    const uint32_t relay = ct_worker_flow_add_node(b, ct_flow_find_node_type("relay"), external, 0);
    const uint32_t in = event_of_relay(b, relay, false, "in");
    for (uint32_t i = 0; i < count; ++i) {
        ct_worker_flow_event *const event = &b->events.items[i];
        if (event->to == external)
            event->to = relay, event->in = in;
    }
    ct_array_push(&b->events, (ct_worker_flow_event){
                                  .from = relay,
                                  .out = event_of_relay(b, relay, true, "out"),
                                  .to = external,
                                  .value = b->nodes.items[external].value,
                              });
    for (uint32_t i = 0; i < switching->count; ++i) {
        ct_worker_flow_event event = switching->items[i];
        if (event.to != graph)
            continue;
        const ct_flow_node_type *const type = b->nodes.items[graph].type;
        event.in = event_of_relay(b, relay, false,
                                  ct_flow_slot_at(type, CT_FLOW_SLOT_EVENT_IN, event.in)->name);
        event.to = relay;
        ct_array_push(&b->events, event);
    }
}

static void switch_graph(ct_worker_flow *b, const switching_events *switching, uint32_t graph) {
    const uint32_t scope = b->nodes.items[graph].inner_scope;
    const uint32_t count = b->events.count;
    for (uint32_t i = 0; i < b->scopes.items[scope].externals.count; ++i) {
        const uint32_t external = b->scopes.items[scope].externals.items[i];
        if (b->nodes.items[external].type->role == CT_FLOW_ROLE_GRAPH_EVENT_IN)
            add_relay(b, switching, graph, external, count);
    }
}

void ct_worker_flow_switches(ct_worker_flow *b) {
    switching_events switching;
    ct_array_init(&switching, b->c->allocator);
    uint32_t num_kept = 0;
    for (uint32_t i = 0; i < b->events.count; ++i) {
        const ct_worker_flow_event event = b->events.items[i];
        if (b->nodes.items[event.to].type->role == CT_FLOW_ROLE_GRAPH)
            ct_array_push(&switching, event);
        else
            b->events.items[num_kept++] = event;
    }
    b->events.count = num_kept;
    ct_hash_map done;
    ct_hash_map_init(&done, b->c->allocator);
    for (uint32_t i = 0; i < switching.count; ++i) {
        if (ct_hash_map_add(&done, switching.items[i].to, 1))
            switch_graph(b, &switching, switching.items[i].to);
    }
}
