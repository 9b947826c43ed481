// nodes.h: transports in one process over a net of arrays, under virtual time.
#pragma once
#include "support/test_support.h"

#include "foundation/container/array.h"
#include "foundation/error.h"
#include "network/transport/network_transport.h"

#include <stdio.h>
#include <string.h>

enum { MAX_NODES = 80, STEP_MS = 10 };

// An event, with its bytes.
typedef struct seen {
    ct_network_transport_event event;
    uint8_t *bytes; // owned
} seen;

typedef struct node {
    ct_network_wire *wire;
    ct_network_transport *transport; // NULL: ended
    ct_network_link link;
    CT_ARRAY(seen) seen;
} node;

typedef struct nodes {
    ct_network_wire_net *net;
    uint64_t now_ns;
    uint32_t count;
    node items[MAX_NODES];
    ct_network_conditions conditions; // of wires that are added
    uint64_t seed;
} nodes;

static inline void nodes_start(nodes *n) {
    memset(n, 0, sizeof(*n));
    n->net = ct_network_wire_net_create(test_heap());
    n->now_ns = 5000000000;
}

static inline ct_datagram_address address_of(uint32_t i) {
    return (ct_datagram_address){.ip = 0x0a000001 + i, .port = 4000};
}

static inline ct_peer_id id_of(uint32_t i) {
    return 0x1000 + i;
}

// Adds node i, at address_of(i), with id_of(i) and the other fields of `desc` (NULL: defaults).
static inline node *nodes_add(nodes *n, const ct_network_transport_desc *desc) {
    const uint32_t i = n->count++;
    assert_true(i < MAX_NODES);
    node *const added = &n->items[i];
    ct_error error = {0};
    added->wire = ct_network_wire_in_net(n->net, address_of(i), &error);
    assert_non_null(added->wire);
    ct_network_wire_set_conditions(added->wire, &n->conditions, n->seed);
    ct_network_transport_desc own = desc ? *desc : (ct_network_transport_desc){0};
    own.allocator = test_heap();
    own.wire = added->wire;
    own.self = own.self ? own.self : id_of(i);
    added->transport = ct_network_transport_create(&own);
    added->link = ct_network_transport_link(added->transport);
    ct_array_init(&added->seen, test_heap());
    return added;
}

static inline void node_take_events(node *at) {
    ct_network_transport_event event;
    while (ct_network_transport_next(at->transport, &event)) {
        seen s = {.event = event};
        if (event.size > 0) {
            s.bytes = ct_alloc(test_heap(), event.size);
            memcpy(s.bytes, event.bytes, event.size);
        }
        ct_array_push(&at->seen, s);
    }
}

// Updates all nodes once and takes their events.
static inline void nodes_step(nodes *n, uint32_t ms) {
    n->now_ns += ms * UINT64_C(1000000);
    for (uint32_t i = 0; i < n->count; ++i) {
        if (!n->items[i].transport)
            continue;
        ct_network_transport_update(n->items[i].transport, n->now_ns);
        node_take_events(&n->items[i]);
        ct_network_transport_flush(n->items[i].transport);
    }
}

static inline void nodes_run(nodes *n, uint32_t ms) {
    for (uint32_t at = 0; at < ms; at += STEP_MS)
        nodes_step(n, STEP_MS);
}

static inline void node_forget(node *at) {
    for (uint32_t i = 0; i < at->seen.count; ++i)
        ct_free(test_heap(), at->seen.items[i].bytes);
    at->seen.count = 0;
}

static inline void node_end(node *at) {
    ct_network_transport_destroy(at->transport);
    ct_network_wire_destroy(at->wire);
    at->transport = NULL;
    at->wire = NULL;
}

static inline void nodes_end(nodes *n) {
    for (uint32_t i = 0; i < n->count; ++i) {
        node_end(&n->items[i]);
        node_forget(&n->items[i]);
        ct_array_free(&n->items[i].seen);
    }
    ct_network_wire_net_destroy(n->net);
}

static inline uint32_t count_events(const node *at, ct_network_transport_event_kind kind) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < at->seen.count; ++i)
        count += at->seen.items[i].event.kind == kind;
    return count;
}

// The last event of a kind, or {0}.
static inline ct_network_transport_event last_event(const node *at,
                                                    ct_network_transport_event_kind kind) {
    ct_network_transport_event event = {0};
    for (uint32_t i = 0; i < at->seen.count; ++i) {
        if (at->seen.items[i].event.kind == kind)
            event = at->seen.items[i].event;
    }
    return event;
}

static inline ct_network_transport_stats stats_of(const node *at) {
    return ct_network_transport_stats_of(at->transport);
}

// Node `from` connects to node `to`, and both know.
static inline void nodes_connect(nodes *n, uint32_t from, uint32_t to) {
    ct_network_transport_connect(n->items[from].transport, id_of(to), address_of(to));
    nodes_run(n, 300);
    assert_int_equal(last_event(&n->items[from], CT_NETWORK_TRANSPORT_CONNECTED).peer, id_of(to));
    assert_int_equal(last_event(&n->items[to], CT_NETWORK_TRANSPORT_CONNECTED).peer, id_of(from));
}

static inline bool send_text(const node *from, ct_peer_id to, ct_network_channel channel,
                             const char *text) {
    return from->link.send(from->link.data, to, channel, channel != CT_NETWORK_STATE, text,
                           (uint32_t)strlen(text));
}

// The texts that have come, with commas between.
static inline const char *texts_of(const node *at, char *text, size_t bytes) {
    text[0] = 0;
    for (uint32_t i = 0; i < at->seen.count; ++i) {
        const seen *const s = &at->seen.items[i];
        const size_t used = strlen(text);
        if (s->event.kind == CT_NETWORK_TRANSPORT_PACKET)
            snprintf(text + used, bytes - used, "%s%.*s", used > 0 ? "," : "", (int)s->event.size,
                     s->bytes ? (const char *)s->bytes : "");
    }
    return text;
}
