// network_greeting.c: peers that connect compare their configs before anything else.
#include <stdio.h>
#include <string.h>

#include "foundation/error.h"
#include "foundation/log.h"
#include "network/fields/network_difference.h"
#include "network/network_private.h"

network_peer *ct_network_find_peer(ct_network *n, ct_peer_id peer) {
    for (uint32_t i = 0; i < n->peers.count; ++i)
        if (n->peers.items[i].peer == peer)
            return &n->peers.items[i];
    return NULL;
}

void ct_network_forget_peer(ct_network *n, ct_peer_id peer) {
    network_peer *const p = ct_network_find_peer(n, peer);
    if (!p)
        return;
    ct_array_free(&p->held);
    ct_array_erase(&n->peers, p - n->peers.items, 1);
}

void ct_network_greet(ct_network *n, const ct_network_transport_event *event) {
    network_peer p = {.peer = event->peer, .address = event->address, .begun_ns = n->now_ns};
    ct_array_init(&p.held, n->desc.allocator);
    ct_array_push(&n->peers, p);
    uint8_t hello[9] = {GREETING_HELLO};
    for (uint32_t i = 0; i < 8; ++i)
        hello[1 + i] = (uint8_t)(n->desc.config->hash >> (8 * i));
    n->link.send(n->link.data, event->peer, CT_NETWORK_GREETING, true, hello, sizeof(hello));
}

// Gives a packet to the lobby or the session.
static void deliver(ct_network *n, ct_peer_id peer, ct_network_channel channel,
                    const uint8_t *bytes, uint32_t size) {
    if (channel == CT_NETWORK_LOBBY) {
        if (n->lobby)
            ct_network_lobby_receive(n->lobby, peer, bytes, size);
    } else {
        ct_network_take_session_packet(n, peer, channel, bytes, size);
    }
}

// Lets lobby and session see a peer, and gives them what it has sent meanwhile.
static void admit(ct_network *n, network_peer *p) {
    const ct_peer_id peer = p->peer;
    p->has_greeted = true;
    ct_byte_array held = p->held; // the array of peers may change below
    ct_array_init(&p->held, n->desc.allocator);
    if (n->lobby)
        ct_network_lobby_connected(n->lobby, peer, ct_network_seconds(n));
    network_peer *const still = ct_network_find_peer(n, peer);
    if (still)
        ct_network_join_session(n, still);
    for (uint32_t at = 0; at < held.count;) {
        uint32_t size;
        memcpy(&size, held.items + at + 1, sizeof(size));
        deliver(n, peer, (ct_network_channel)held.items[at], held.items + at + 5, size);
        at += 5 + size;
    }
    ct_array_free(&held);
}

static void put_out(ct_network *n, network_peer *p, ct_network_reason reason, const char *why) {
    char address[CT_DATAGRAM_ADDRESS_BYTES];
    ct_log_warning("network", "network_greeting", "peer %016llx at %s is disconnected: %s",
                   (unsigned long long)p->peer, ct_datagram_address_print(&p->address, address),
                   why);
    n->link.disconnect(n->link.data, p->peer, reason);
}

static void send_summary(ct_network *n, ct_peer_id peer) {
    ct_byte_array bytes;
    ct_array_init(&bytes, n->desc.allocator);
    ct_array_resize(&bytes, 1 + CT_NETWORK_SUMMARY_BYTES);
    bytes.items[0] = GREETING_SUMMARY;
    const uint32_t size =
        ct_network_config_summary(n->desc.config, bytes.items + 1, CT_NETWORK_SUMMARY_BYTES);
    n->link.send(n->link.data, peer, CT_NETWORK_GREETING, true, bytes.items, 1 + size);
    ct_array_free(&bytes);
}

static void take_summary(ct_network *n, network_peer *p, const uint8_t *bytes, uint32_t size) {
    ct_error error;
    char text[CT_NETWORK_DIFFERENCE_BYTES];
    if (!ct_network_config_difference(n->desc.config, bytes, size, text, &error)) {
        put_out(n, p, CT_NETWORK_REASON_BROKEN, error.message);
        return;
    }
    char why[CT_NETWORK_DIFFERENCE_BYTES + 128];
    snprintf(why, sizeof(why), "it has another network_config; the first difference: %s",
             *text ? text : "beyond what a summary holds");
    put_out(n, p, CT_NETWORK_REASON_CONFIG, why);
}

static void take_greeting(ct_network *n, network_peer *p, const uint8_t *bytes, uint32_t size) {
    if (size == 9 && bytes[0] == GREETING_HELLO && !p->has_greeted && !p->is_different) {
        uint64_t hash = 0;
        for (uint32_t i = 0; i < 8; ++i)
            hash |= (uint64_t)bytes[1 + i] << (8 * i);
        if (hash == n->desc.config->hash) {
            admit(n, p);
        } else {
            p->is_different = true;
            send_summary(n, p->peer);
        }
    } else if (size > 1 && bytes[0] == GREETING_SUMMARY && p->is_different) {
        take_summary(n, p, bytes + 1, size - 1);
    } else {
        put_out(n, p, CT_NETWORK_REASON_BROKEN, "it greets in a way that is not of the protocol");
    }
}

void ct_network_take_packet(ct_network *n, const ct_network_transport_event *event) {
    network_peer *const p = ct_network_find_peer(n, event->peer);
    if (!p)
        return; // it was put out, and the rest of what it sent is still coming
    if (event->channel == CT_NETWORK_GREETING) {
        take_greeting(n, p, event->bytes, event->size);
    } else if (p->has_greeted) {
        deliver(n, event->peer, event->channel, event->bytes, event->size);
    } else if (event->is_reliable) {
        if (p->held.count + event->size + 5 > HELD_BYTES) {
            put_out(n, p, CT_NETWORK_REASON_BROKEN, "it sends too much before its greeting");
            return;
        }
        ct_array_push(&p->held, (uint8_t)event->channel);
        ct_array_push_many(&p->held, (const uint8_t *)&event->size, 4);
        ct_array_push_many(&p->held, event->bytes, event->size);
    } // what is unreliable may get lost
}

void ct_network_tend_greetings(ct_network *n) {
    if (n->has_no_timeouts)
        return;
    for (uint32_t i = 0; i < n->peers.count; ++i) {
        network_peer *const p = &n->peers.items[i];
        if (p->has_greeted || n->now_ns - p->begun_ns < GREETING_NS)
            continue;
        put_out(n, p, CT_NETWORK_REASON_TIMEOUT, "it does not greet");
        p->begun_ns = n->now_ns; // its end is on its way
    }
}
