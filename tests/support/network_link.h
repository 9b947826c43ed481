// network_link.h: a network of sessions or lobbies in one process, in virtual time, for tests.
//
//     test_network net;
//     test_network_init(&net, seed);
//     net.loss = 0.2f;
//     test_node *host = test_network_add(&net, &desc); // desc.link is filled in
//     ct_network_session_host(host->session, net.now, NULL);
//     test_network_run(&net, 2, game, user);           // seconds; game(user, node) each frame
//     test_network_free(&net);
//
// State packets are lost and delayed as `loss` and the delays say; of two that change their order
// the older one is lost, as links promise. Reliable ones come in order, later where they would have
// been lost. All of it comes from the seed.
#pragma once
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "foundation/math/random.h"
#include "network/lobby/network_lobby.h"
#include "network/session/network_session.h"
#include "support/test_support.h"

#ifndef TEST_NETWORK_NODES // a test that needs more defines it before it includes this
#define TEST_NETWORK_NODES 24
#endif
enum { TEST_NETWORK_MAX_NODES = TEST_NETWORK_NODES };

typedef struct test_network test_network;

typedef struct test_node {
    test_network *net;
    uint32_t index;
    ct_peer_id peer;
    ct_network_session *session; // or NULL
    ct_network_lobby *lobby;     // or NULL
    bool is_up;
    bool is_deaf; // stays connected, and takes no packets
    void *user;   // the test's
    // Towards each other node.
    uint32_t connection[TEST_NETWORK_MAX_NODES]; // its number; 0: not connected
    double reliable_at[TEST_NETWORK_MAX_NODES];  // the last one sent arrives
    uint64_t newest[TEST_NETWORK_MAX_NODES];     // state packet received
    double room[TEST_NETWORK_MAX_NODES];         // bytes
    uint64_t sent_bytes, sent_packets;
} test_node;

typedef struct test_network_item {
    enum { TEST_ITEM_PACKET, TEST_ITEM_CONNECTED, TEST_ITEM_DISCONNECTED } kind;
    double at;
    uint64_t order;
    uint32_t from, to, connection, size;
    ct_network_channel channel;
    ct_network_reason reason;
    uint8_t *bytes;
} test_network_item;

struct test_network {
    ct_random random;
    double now, frame; // seconds
    float loss, least_delay, most_delay;
    float bytes_per_second; // to each peer; 0: no limit
    float timeout;          // seconds until a lost connection is noticed
    test_node nodes[TEST_NETWORK_MAX_NODES];
    uint32_t num_nodes, num_connections;
    bool is_cut[TEST_NETWORK_MAX_NODES][TEST_NETWORK_MAX_NODES];
    uint64_t order;
    CT_ARRAY(test_network_item) items;
    // Looks at each packet before it is delivered; may change its bytes. NULL: none.
    void (*look)(void *user, test_network *net, test_network_item *item);
    void *look_user;
};

static inline void test_network_init(test_network *net, uint64_t seed) {
    memset(net, 0, sizeof(*net));
    net->random = ct_random_seeded(seed, 54);
    net->frame = 1.0 / 60;
    net->now = 100;
    net->least_delay = 0.01f;
    net->most_delay = 0.02f;
    net->timeout = 2;
    ct_array_init(&net->items, test_heap());
}

static inline void test_network_stop(test_node *node) {
    ct_network_session_destroy(node->session);
    ct_network_lobby_destroy(node->lobby);
    node->session = NULL;
    node->lobby = NULL;
}

static inline void test_network_free(test_network *net) {
    for (uint32_t i = 0; i < net->num_nodes; ++i)
        test_network_stop(&net->nodes[i]);
    for (uint32_t i = 0; i < net->items.count; ++i)
        free(net->items.items[i].bytes);
    ct_array_free(&net->items);
}

static inline test_node *test_network_node(test_network *net, ct_peer_id peer) {
    for (uint32_t i = 0; i < net->num_nodes; ++i)
        if (net->nodes[i].peer == peer)
            return &net->nodes[i];
    return NULL;
}

static inline void test_network_push(test_network *net, test_network_item item) {
    item.order = ++net->order;
    ct_array_push(&net->items, item);
}

static inline double test_network_delay(test_network *net) {
    return (double)ct_random_float_range(&net->random, net->least_delay, net->most_delay);
}

static inline bool test_network_loses(test_network *net) {
    return ct_random_float(&net->random) < net->loss;
}

// --- The functions of the link -------------------------------------------------------------------

static inline bool test_link_send(void *data, ct_peer_id peer, ct_network_channel channel,
                                  bool is_reliable, const void *bytes, uint32_t size) {
    test_node *const node = data;
    test_network *const net = node->net;
    const test_node *const to = test_network_node(net, peer);
    if (!to || node->connection[to->index] == 0)
        return false;
    if (size >
        (is_reliable ? (uint32_t)CT_NETWORK_MAX_RELIABLE : (uint32_t)CT_NETWORK_MAX_UNRELIABLE))
        abort();
    node->sent_bytes += size;
    ++node->sent_packets;
    double at = net->now + test_network_delay(net);
    if (is_reliable) {
        while (test_network_loses(net))
            at += 2 * (double)net->most_delay + 0.05;
        if (at < node->reliable_at[to->index])
            at = node->reliable_at[to->index];
        node->reliable_at[to->index] = at;
    } else {
        node->room[to->index] -= size;
        if (test_network_loses(net))
            return true;
    }
    test_network_item item = {.kind = TEST_ITEM_PACKET,
                              .at = at,
                              .from = node->index,
                              .to = to->index,
                              .connection = node->connection[to->index],
                              .size = size,
                              .channel = channel,
                              .bytes = malloc(size ? size : 1)};
    memcpy(item.bytes, bytes, size);
    test_network_push(net, item);
    return true;
}

static inline uint32_t test_link_room(void *data, ct_peer_id peer) {
    const test_node *const node = data;
    const test_node *const to = test_network_node(node->net, peer);
    if (!to)
        return 0;
    if (node->net->bytes_per_second <= 0)
        return 1 << 20;
    return node->room[to->index] > 0 ? (uint32_t)node->room[to->index] : 0;
}

static inline void test_link_connect(void *data, ct_peer_id peer, const char *address) {
    test_node *const node = data;
    test_network *const net = node->net;
    unsigned number = TEST_NETWORK_MAX_NODES;
    if (sscanf(address, "node:%u", &number) != 1)
        number = TEST_NETWORK_MAX_NODES;
    const test_node *const to = number < net->num_nodes ? &net->nodes[number] : NULL;
    if (to && node->connection[to->index])
        return;
    test_network_item item = {.from = number, .to = node->index, .at = net->now + 1};
    const bool is_other = peer && to && to->peer != peer;
    if (!to || !to->is_up || is_other || net->is_cut[node->index][to->index]) {
        item.kind = TEST_ITEM_DISCONNECTED;
        item.reason = CT_NETWORK_REASON_UNREACHED;
        item.from = to ? number : node->index;
        test_network_push(net, item);
        return;
    }
    item.kind = TEST_ITEM_CONNECTED;
    item.connection = ++net->num_connections;
    item.at = net->now + 2 * (double)net->most_delay;
    test_network_push(net, item);
    item.to = to->index;
    item.from = node->index;
    test_network_push(net, item);
}

static inline void test_link_disconnect(void *data, ct_peer_id peer, ct_network_reason reason) {
    test_node *const node = data;
    test_network *const net = node->net;
    const test_node *const to = test_network_node(net, peer);
    if (!to || node->connection[to->index] == 0)
        return;
    const double soon = net->now + test_network_delay(net), last = node->reliable_at[to->index];
    test_network_push(net, (test_network_item){.kind = TEST_ITEM_DISCONNECTED,
                                               .from = node->index,
                                               .to = to->index,
                                               .connection = node->connection[to->index],
                                               .at = soon > last ? soon : last,
                                               .reason = reason});
    node->connection[to->index] = 0;
}

static inline bool test_link_address(void *data, ct_peer_id peer,
                                     char text[CT_NETWORK_ADDRESS_BYTES]) {
    const test_node *const node = data;
    const test_node *const to = test_network_node(node->net, peer);
    if (!to || node->connection[to->index] == 0)
        return false;
    snprintf(text, CT_NETWORK_ADDRESS_BYTES, "node:%u", to->index);
    return true;
}

static inline float test_link_round_trip(void *data, ct_peer_id peer) {
    (void)peer;
    const test_node *const node = data;
    return node->net->least_delay + node->net->most_delay;
}

// --- Nodes ---------------------------------------------------------------------------------------

// Adds a node with neither session nor lobby.
static inline test_node *test_network_add_node(test_network *net, ct_peer_id peer) {
    if (net->num_nodes == TEST_NETWORK_MAX_NODES)
        fail_msg("more than %d nodes", TEST_NETWORK_MAX_NODES);
    test_node *const node = &net->nodes[net->num_nodes];
    memset(node, 0, sizeof(*node));
    node->net = net;
    node->index = net->num_nodes++;
    node->peer = peer;
    node->is_up = true;
    return node;
}

static inline ct_network_link test_network_link(test_node *node) {
    return (ct_network_link){.data = node,
                             .self = node->peer,
                             .send = test_link_send,
                             .room = test_link_room,
                             .connect = test_link_connect,
                             .disconnect = test_link_disconnect,
                             .address = test_link_address,
                             .round_trip = test_link_round_trip};
}

// Adds a node with a session of `desc`, whose allocator and link are filled in.
static inline test_node *test_network_add(test_network *net, const ct_network_session_desc *desc) {
    test_node *const node = test_network_add_node(net, ct_random_u64(&net->random) | 1);
    ct_network_session_desc d = *desc;
    d.allocator = test_heap();
    d.link = test_network_link(node);
    node->session = ct_network_session_create(&d);
    return node;
}

// Adds a node with a lobby.
static inline test_node *test_network_add_lobby(test_network *net, ct_peer_id peer,
                                                uint32_t max_members) {
    test_node *const node = test_network_add_node(net, peer);
    node->lobby = ct_network_lobby_create(&(ct_network_lobby_desc){
        .allocator = test_heap(), .link = test_network_link(node), .max_members = max_members});
    return node;
}

// Joins the session of another node.
static inline void test_network_join(test_node *node, const test_node *host) {
    char address[CT_NETWORK_ADDRESS_BYTES];
    snprintf(address, sizeof(address), "node:%u", host->index);
    ct_error error = {0};
    if (!ct_network_session_join(node->session, host->peer, address, node->net->now, &error))
        fail_msg("%s", error.message);
}

static inline void test_network_lose(test_network *net, test_node *from, test_node *to) {
    if (to->connection[from->index] == 0)
        return;
    test_network_push(
        net, (test_network_item){.kind = TEST_ITEM_DISCONNECTED,
                                 .from = from->index,
                                 .to = to->index,
                                 .connection = to->connection[from->index],
                                 .at = net->now + (double)net->timeout *
                                                      (1 + 0.2 * ct_random_double(&net->random)),
                                 .reason = CT_NETWORK_REASON_TIMEOUT});
}

// The node is gone without a word: the others notice after the timeout.
static inline void test_network_crash(test_node *node) {
    node->is_up = false;
    for (uint32_t i = 0; i < node->net->num_nodes; ++i) {
        test_network_lose(node->net, node, &node->net->nodes[i]);
        node->connection[i] = 0;
    }
    test_network_stop(node);
}

// Cuts the way between two nodes, or mends it.
static inline void test_network_cut(test_node *a, test_node *b, bool is_cut) {
    test_network *const net = a->net;
    net->is_cut[a->index][b->index] = net->is_cut[b->index][a->index] = is_cut;
    if (!is_cut)
        return;
    test_network_lose(net, a, b);
    test_network_lose(net, b, a);
}

// --- Time ----------------------------------------------------------------------------------------

static inline void test_node_connected(test_node *node, ct_peer_id peer) {
    if (node->session)
        ct_network_session_connected(node->session, peer, node->net->now);
    if (node->lobby)
        ct_network_lobby_connected(node->lobby, peer, node->net->now);
}

static inline void test_node_disconnected(test_node *node, ct_peer_id peer,
                                          ct_network_reason reason) {
    if (node->session)
        ct_network_session_disconnected(node->session, peer, reason, node->net->now);
    if (node->lobby)
        ct_network_lobby_disconnected(node->lobby, peer, reason);
}

static inline void test_network_deliver(test_network *net, test_network_item *item) {
    test_node *const to = &net->nodes[item->to];
    const ct_peer_id from = net->nodes[item->from].peer;
    uint32_t *const connection = &to->connection[item->from];
    if (!to->is_up)
        return;
    if (item->kind == TEST_ITEM_CONNECTED) {
        if (!net->nodes[item->from].is_up)
            return;
        *connection = item->connection;
        to->newest[item->from] = 0;
        to->reliable_at[item->from] = 0;
        test_node_connected(to, from);
        return;
    }
    if (item->kind == TEST_ITEM_DISCONNECTED) {
        if (item->connection != *connection)
            return;
        *connection = 0;
        test_node_disconnected(to, from, item->reason);
        return;
    }
    if (item->connection != *connection || net->is_cut[item->from][item->to] || to->is_deaf)
        return;
    if (item->channel == CT_NETWORK_STATE) {
        if (item->order < to->newest[item->from])
            return;
        to->newest[item->from] = item->order;
    }
    if (net->look)
        net->look(net->look_user, net, item);
    // In a block of its size, so that sanitizers see reads behind its end.
    if (item->channel == CT_NETWORK_LOBBY)
        ct_network_lobby_receive(to->lobby, from, item->bytes, item->size);
    else
        ct_network_session_receive(to->session, from, item->channel, item->bytes, item->size,
                                   net->now);
}

static inline void test_network_deliver_due(test_network *net) {
    for (;;) {
        uint32_t first = UINT32_MAX;
        for (uint32_t i = 0; i < net->items.count; ++i) {
            const test_network_item *const a = &net->items.items[i];
            const test_network_item *const b =
                first == UINT32_MAX ? NULL : &net->items.items[first];
            if (a->at <= net->now &&
                (!b || a->at < b->at || (a->at <= b->at && a->order < b->order)))
                first = i;
        }
        if (first == UINT32_MAX)
            return;
        test_network_item item = net->items.items[first];
        ct_array_swap_erase(&net->items, first);
        test_network_deliver(net, &item);
        free(item.bytes);
    }
}

// Runs all nodes, which have sessions, for some seconds. `game` (NULL: none) is called for each node that is up, between
// its update and its transmit.
static inline void test_network_run(test_network *net, double seconds,
                                    void (*game)(void *user, test_node *node), void *user) {
    for (const double end = net->now + seconds; net->now < end;) {
        net->now += net->frame;
        test_network_deliver_due(net);
        for (uint32_t i = 0; i < net->num_nodes; ++i) {
            test_node *const node = &net->nodes[i];
            if (!node->is_up)
                continue;
            for (uint32_t k = 0; k < net->num_nodes; ++k) {
                node->room[k] += (double)net->bytes_per_second * net->frame;
                if (node->room[k] > 2 * CT_NETWORK_MAX_UNRELIABLE)
                    node->room[k] = 2 * CT_NETWORK_MAX_UNRELIABLE;
            }
            ct_network_session_update(node->session, net->now);
            if (game)
                game(user, node);
            if (node->is_up)
                ct_network_session_transmit(node->session, net->now);
        }
    }
}
