// lobby_fixture.h: some lobbies in one process: nodes of a network (network_link.h) without delays.
#pragma once
#include "support/network_link.h"

enum { LOBBIES = 6, MOST_LOBBY_BYTES = 512 };

// The peer of a node, whose address is "node:NUMBER".
static inline ct_peer_id lobby_peer(uint32_t node) {
    return node + UINT64_C(0xa000000000000001);
}

static inline void lobby_net_look(void *user, test_network *net, test_network_item *item) {
    (void)user, (void)net;
    assert_int_equal(item->channel, CT_NETWORK_LOBBY);
    assert_in_range(item->size, 0, MOST_LOBBY_BYTES);
}

static inline void lobby_net_begin(test_network *net, uint32_t max_members) {
    test_network_init(net, 1);
    net->least_delay = net->most_delay = 0;
    net->look = lobby_net_look;
    for (uint32_t i = 0; i < LOBBIES; ++i)
        test_network_add_lobby(net, lobby_peer(i), max_members);
}

// Delivers all packets, and those that follow from them.
static inline void lobby_net_run(test_network *net) {
    test_network_deliver_due(net);
    for (uint32_t i = 0; i < LOBBIES; ++i)
        ct_network_lobby_update(net->nodes[i].lobby, net->now);
}

// Makes node 0 the host, and the next ones up to `count` members.
static inline void lobby_net_fill(test_network *net, uint32_t count) {
    ct_network_lobby_host(net->nodes[0].lobby);
    for (uint32_t i = 1; i < count; ++i) {
        ct_network_lobby_join(net->nodes[i].lobby, 0, "node:0", net->now);
        lobby_net_run(net);
        assert_int_equal(ct_network_lobby_state_of(net->nodes[i].lobby), CT_NETWORK_LOBBY_JOINED);
    }
}
