// lobby_fixture.h: some lobbies in one process, joined by links that are arrays.
#pragma once
#include "network/lobby/network_lobby.h"
#include "support/test_support.h"
#include <stdio.h>
#include <string.h>

enum { LOBBIES = 6, LOBBY_PACKETS = 4096 };

typedef struct lobby_net_packet {
    uint32_t from, to, size;
    bool is_end; // the connection ended, with `reason`
    ct_network_reason reason;
    uint8_t bytes[512];
} lobby_net_packet;

typedef struct lobby_net lobby_net;

// A program: its lobby, and what it is connected to.
typedef struct lobby_node {
    lobby_net *net;
    uint32_t number; // its peer is number + 1, its address "node NUMBER"
    ct_network_lobby *lobby;
    bool is_connected[LOBBIES];
    bool is_dead; // does not answer
} lobby_node;

struct lobby_net {
    lobby_node nodes[LOBBIES];
    lobby_net_packet packets[LOBBY_PACKETS]; // a ring
    uint32_t first, end;
    double now;
};

static inline ct_peer_id lobby_peer(uint32_t node) {
    return node + UINT64_C(0xa000000000000001);
}

static inline void lobby_net_push(lobby_net *net, const lobby_net_packet *packet) {
    assert_true(net->end - net->first < LOBBY_PACKETS);
    net->packets[net->end++ % LOBBY_PACKETS] = *packet;
}

static inline bool lobby_link_send(void *data, ct_peer_id peer, ct_network_channel channel,
                                   bool reliable, const void *bytes, uint32_t size) {
    lobby_node *const node = data;
    const uint32_t to = (uint32_t)(peer - lobby_peer(0));
    assert_true(channel == CT_NETWORK_LOBBY && reliable && size <= 512);
    if (to >= LOBBIES || !node->is_connected[to])
        return false;
    lobby_net_packet packet = {.from = node->number, .to = to, .size = size};
    memcpy(packet.bytes, bytes, size);
    lobby_net_push(node->net, &packet);
    return true;
}

static inline void lobby_link_connect(void *data, ct_peer_id peer, const char *address) {
    lobby_node *const node = data;
    uint32_t to = LOBBIES;
    if (sscanf(address, "node %u", &to) != 1 || to >= LOBBIES || node->net->nodes[to].is_dead ||
        (peer && peer != lobby_peer(to)))
        return; // no answer
    lobby_node *const other = &node->net->nodes[to];
    node->is_connected[to] = other->is_connected[node->number] = true;
    ct_network_lobby_connected(other->lobby, lobby_peer(node->number), node->net->now);
    ct_network_lobby_connected(node->lobby, lobby_peer(to), node->net->now);
}

static inline void lobby_link_disconnect(void *data, ct_peer_id peer, ct_network_reason reason) {
    lobby_node *const node = data;
    const uint32_t to = (uint32_t)(peer - lobby_peer(0));
    if (to >= LOBBIES || !node->is_connected[to])
        return;
    node->is_connected[to] = false;
    lobby_net_push(
        node->net,
        &(lobby_net_packet){.from = node->number, .to = to, .is_end = true, .reason = reason});
}

static inline bool lobby_link_address(void *data, ct_peer_id peer,
                                      char text[CT_NETWORK_ADDRESS_BYTES]) {
    lobby_node *const node = data;
    const uint32_t to = (uint32_t)(peer - lobby_peer(0));
    if (to >= LOBBIES || !node->is_connected[to])
        return false;
    snprintf(text, CT_NETWORK_ADDRESS_BYTES, "node %u", to);
    return true;
}

static inline void lobby_net_begin(lobby_net *net, uint32_t max_members) {
    *net = (lobby_net){.now = 100};
    for (uint32_t i = 0; i < LOBBIES; ++i) {
        lobby_node *const node = &net->nodes[i];
        *node = (lobby_node){.net = net, .number = i};
        node->lobby = ct_network_lobby_create(
            &(ct_network_lobby_desc){.allocator = test_heap(),
                                     .max_members = max_members,
                                     .link = {.data = node,
                                              .self = lobby_peer(i),
                                              .send = lobby_link_send,
                                              .connect = lobby_link_connect,
                                              .disconnect = lobby_link_disconnect,
                                              .address = lobby_link_address}});
    }
}

static inline void lobby_net_end(lobby_net *net) {
    for (uint32_t i = 0; i < LOBBIES; ++i)
        ct_network_lobby_destroy(net->nodes[i].lobby);
}

// Delivers all packets, and those that follow from them.
static inline void lobby_net_run(lobby_net *net) {
    while (net->first != net->end) {
        const lobby_net_packet packet = net->packets[net->first++ % LOBBY_PACKETS];
        lobby_node *const to = &net->nodes[packet.to];
        if (to->is_dead || !to->is_connected[packet.from])
            continue;
        if (packet.is_end) {
            to->is_connected[packet.from] = false;
            ct_network_lobby_disconnected(to->lobby, lobby_peer(packet.from), packet.reason);
        } else {
            ct_network_lobby_receive(to->lobby, lobby_peer(packet.from), packet.bytes, packet.size);
        }
    }
    for (uint32_t i = 0; i < LOBBIES; ++i)
        ct_network_lobby_update(net->nodes[i].lobby, net->now);
}

// Makes node 0 the host, and the next ones up to `count` members.
static inline void lobby_net_fill(lobby_net *net, uint32_t count) {
    ct_network_lobby_host(net->nodes[0].lobby);
    for (uint32_t i = 1; i < count; ++i) {
        ct_network_lobby_join(net->nodes[i].lobby, 0, "node 0", net->now);
        lobby_net_run(net);
        assert_int_equal(ct_network_lobby_state_of(net->nodes[i].lobby), CT_NETWORK_LOBBY_JOINED);
    }
}
