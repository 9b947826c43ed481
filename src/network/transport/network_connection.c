// network_connection.c: connections from their first datagram to their last.
#include "network/transport/network_transport_private.h"

#include "foundation/error.h"

#include <string.h>

static const uint64_t span_ns = UINT64_C(2000000000); // over which losses are counted
static const uint64_t adapt_ns = UINT64_C(500000000); // between two changes of a bandwidth
enum { LEAST_BURST = 2400 };                          // bytes that any bandwidth allows at once

// --- Slots ---------------------------------------------------------------------------------------

uint32_t ct_network_connection_slot(const ct_network_transport *t, const connection *c) {
    return (uint32_t)(c - t->connections);
}

uint32_t ct_network_connection_id(const ct_network_transport *t, const connection *c) {
    return c->generation << SLOT_BITS | ct_network_connection_slot(t, c);
}

connection *ct_network_connection_of_id(const ct_network_transport *t, uint32_t id) {
    const uint32_t slot = id & ((1u << SLOT_BITS) - 1);
    if (slot >= t->num_slots)
        return NULL;
    connection *const c = &t->connections[slot];
    return c->state != CONNECTION_FREE && c->generation == id >> SLOT_BITS ? c : NULL;
}

connection *ct_network_connection_of_peer(const ct_network_transport *t, ct_peer_id peer) {
    const uint64_t slot = ct_hash_map_get(&t->by_peer, peer, NO_SLOT);
    return slot != NO_SLOT ? &t->connections[slot] : NULL;
}

connection *ct_network_connection_by_address(const ct_network_transport *t,
                                             ct_datagram_address address) {
    for (uint32_t i = 0; t->num_ours > 0 && i < t->num_slots; ++i) {
        connection *const c = &t->connections[i];
        if (c->is_ours && c->peer == 0 && ct_datagram_address_equal(c->address, address) &&
            (c->state == CONNECTION_HELLO || c->state == CONNECTION_BEGIN))
            return c;
    }
    return NULL;
}

void ct_network_connection_know(ct_network_transport *t, connection *c) {
    connection *const before = ct_network_connection_of_peer(t, c->peer);
    if (before)
        before->is_known = false;
    c->is_known = true;
    ct_hash_map_set(&t->by_peer, c->peer, ct_network_connection_slot(t, c));
}

static void forget(ct_network_transport *t, connection *c) {
    if (c->is_known)
        ct_hash_map_erase(&t->by_peer, c->peer);
    c->is_known = false;
}

static bool is_being_made_by_us(const connection *c) {
    return c->is_ours && c->state != CONNECTION_FREE && c->state < CONNECTION_CONNECTED;
}

void ct_network_connection_set_state(ct_network_transport *t, connection *c,
                                     connection_state state) {
    t->num_connected -= c->state == CONNECTION_CONNECTED;
    t->num_half_open -= c->state == CONNECTION_HALF;
    t->num_ours -= is_being_made_by_us(c);
    c->state = state;
    t->num_connected += c->state == CONNECTION_CONNECTED;
    t->num_half_open += c->state == CONNECTION_HALF;
    t->num_ours += is_being_made_by_us(c);
}

void ct_network_connection_free(ct_network_transport *t, connection *c) {
    const uint32_t slot = ct_network_connection_slot(t, c);
    CT_ASSERT(c->state != CONNECTION_FREE, "slot %u is freed twice", slot);
    if (c->state >= CONNECTION_SEALED)
        ct_network_enet_end(t->enet, slot, CT_NETWORK_REASON_LEFT, CT_NETWORK_ENET_ENDING_SILENT);
    forget(t, c);
    if (!c->is_ours && ct_hash_map_get(&t->by_key, c->map_key, NO_SLOT) == slot)
        ct_hash_map_erase(&t->by_key, c->map_key);
    ct_network_connection_set_state(t, c, CONNECTION_FREE);
    ct_network_key_wipe(&c->secret);
    ct_network_key_wipe(&c->keys.accept);
    ct_network_key_wipe(&c->keys.to_acceptor);
    ct_network_key_wipe(&c->keys.to_connector);
    ct_array_push(&t->free_slots, slot);
}

// What has been accepted longest and is not connected.
static connection *oldest_accepted(const ct_network_transport *t) {
    connection *oldest = NULL;
    for (uint32_t i = 0; i < t->num_slots; ++i) {
        connection *const c = &t->connections[i];
        const bool is_accepted =
            !c->is_ours && (c->state == CONNECTION_HALF || c->state == CONNECTION_SEALED);
        if (is_accepted && (!oldest || c->serial < oldest->serial))
            oldest = c;
    }
    return oldest;
}

connection *ct_network_connection_begin(ct_network_transport *t, ct_datagram_address address) {
    connection *const oldest = t->free_slots.count == 0 ? oldest_accepted(t) : NULL;
    if (oldest)
        ct_network_connection_fail(t, oldest, CT_NETWORK_REASON_UNREACHED);
    if (t->free_slots.count == 0)
        return NULL;
    connection *const c = &t->connections[t->free_slots.items[--t->free_slots.count]];
    const uint32_t generation = (c->generation + 1) & ((1u << (32 - SLOT_BITS)) - 1);
    *c = (connection){
        .generation = generation > 0 ? generation : 1,
        .serial = ++t->num_serials,
        .address = address,
        .begun_ns = t->now_ns,
        .heard_ns = t->now_ns,
        .span_ns = t->now_ns,
    };
    return c;
}

// --- Ends ----------------------------------------------------------------------------------------

static void report_end(ct_network_transport *t, const connection *c, ct_network_reason reason) {
    ct_network_events_push(
        t, c,
        &(ct_network_transport_event){.kind = CT_NETWORK_TRANSPORT_DISCONNECTED, .reason = reason});
}

void ct_network_connection_fail(ct_network_transport *t, connection *c, ct_network_reason reason) {
    if (c->is_ours || c->is_wanted)
        report_end(t, c, reason);
    ct_network_connection_free(t, c);
}

void ct_network_connection_end(ct_network_transport *t, connection *c, ct_network_reason reason,
                               ct_network_enet_ending ending) {
    report_end(t, c, reason);
    forget(t, c);
    ct_network_connection_set_state(t, c, CONNECTION_LINGER);
    c->ended_ns = t->now_ns;
    if (!ct_network_enet_end(t->enet, ct_network_connection_slot(t, c), reason, ending))
        ct_network_connection_free(t, c);
}

void ct_network_connection_disconnected(void *data, uint32_t slot, ct_network_reason reason) {
    ct_network_transport *const t = data;
    connection *const c = &t->connections[slot];
    if (c->state == CONNECTION_CONNECTED) {
        report_end(t, c, reason);
        ct_network_connection_free(t, c);
    } else if (c->state == CONNECTION_LINGER) {
        ct_network_connection_free(t, c);
    } else if (c->state == CONNECTION_SEALED) {
        ct_network_connection_fail(t, c, reason);
    }
}

// --- Bandwidth -----------------------------------------------------------------------------------

static bool has_rate(const ct_network_transport *t, const connection *c) {
    return t->rates.total > 0 && !c->has_fixed_rate;
}

double ct_network_connection_bandwidth(const ct_network_transport *t, const connection *c) {
    return has_rate(t, c) ? c->allowed : t->desc.bandwidth;
}

// What can be sent at once.
static double burst_of(double bandwidth) {
    return bandwidth / 10.0 > LEAST_BURST ? bandwidth / 10.0 : LEAST_BURST;
}

void ct_network_connection_start_rate(const ct_network_transport *t, connection *c) {
    if (c->state == CONNECTION_FREE || !has_rate(t, c))
        return;
    ct_network_rate_start(&c->rate, t->rates.initial);
    c->allowed = t->rates.initial;
    c->used_bytes = 0;
    c->adapted_ns = t->now_ns;
}

// Adapts the rate to what was measured since the last time.
static void adapt_rate(const ct_network_transport *t, connection *c) {
    if (!has_rate(t, c) || t->now_ns - c->adapted_ns < adapt_ns)
        return;
    const ct_network_enet_stats now =
        ct_network_enet_stats_of(t->enet, ct_network_connection_slot(t, c));
    const bool restarted = now.sent_packets < c->sent_packets || now.lost_packets < c->lost_packets;
    ct_network_rate_adapt(&c->rate,
                          &(ct_network_rate_sample){
                              .seconds = (double)(t->now_ns - c->adapted_ns) * 1e-9,
                              .used_bytes = c->used_bytes,
                              .allowed = c->allowed,
                              .sent = now.sent_packets - (restarted ? 0 : c->sent_packets),
                              .lost = now.lost_packets - (restarted ? 0 : c->lost_packets),
                              .round_trip = (double)now.round_trip,
                          },
                          t->rates.least, t->rates.total);
    c->sent_packets = now.sent_packets;
    c->lost_packets = now.lost_packets;
    c->used_bytes = 0;
    c->adapted_ns = t->now_ns;
}

// Gives each connection its rate, or less where all rates together are more than the total.
static void share_total(ct_network_transport *t) {
    double sum = 0;
    for (uint32_t i = 0; i < t->num_slots; ++i) {
        const connection *const c = &t->connections[i];
        sum += c->state == CONNECTION_CONNECTED && has_rate(t, c) ? c->rate.bytes : 0;
    }
    const double part = sum > t->rates.total ? t->rates.total / sum : 1;
    for (uint32_t i = 0; i < t->num_slots; ++i) {
        connection *const c = &t->connections[i];
        const double allowed = c->rate.bytes * part;
        c->allowed = allowed > t->rates.least ? allowed : t->rates.least;
    }
}

// --- Connected -----------------------------------------------------------------------------------

// Ends what ENet has connected, though there is no place for it; nothing is reported.
static void send_away(ct_network_transport *t, connection *c, ct_network_reason reason) {
    ct_network_connection_set_state(t, c, CONNECTION_LINGER);
    c->ended_ns = t->now_ns;
    if (!ct_network_enet_end(t->enet, ct_network_connection_slot(t, c), reason,
                             CT_NETWORK_ENET_ENDING_SOON))
        ct_network_connection_free(t, c);
}

// Makes place for a new connection of a peer. Returns false when it has one that lives.
static bool replace(ct_network_transport *t, const connection *c) {
    connection *const known = ct_network_connection_of_peer(t, c->peer);
    connection *const by_address = ct_network_connection_by_address(t, c->address);
    if (by_address && by_address != c)
        ct_network_connection_free(t, by_address); // what it was for is there
    if (!known || known == c)
        return true;
    if (known->state == CONNECTION_CONNECTED) {
        if (t->now_ns - known->heard_ns < FRESH_NS)
            return false;
        ct_network_connection_end(t, known, CT_NETWORK_REASON_TIMEOUT,
                                  CT_NETWORK_ENET_ENDING_SILENT);
    } else {
        ct_network_connection_free(t, known); // we were connecting, and the other end was faster
    }
    return true;
}

void ct_network_connection_connected(void *data, uint32_t slot) {
    ct_network_transport *const t = data;
    connection *const c = &t->connections[slot];
    if (c->state != CONNECTION_SEALED) {
        ct_network_enet_end(t->enet, slot, CT_NETWORK_REASON_BROKEN, CT_NETWORK_ENET_ENDING_SILENT);
        return;
    }
    if (!replace(t, c)) {
        send_away(t, c, CT_NETWORK_REASON_UNREACHED);
        return;
    }
    if (t->num_connected >= t->desc.max_peers) {
        send_away(t, c, CT_NETWORK_REASON_FULL);
        return;
    }
    ct_network_connection_know(t, c);
    ct_network_connection_set_state(t, c, CONNECTION_CONNECTED);
    ct_network_connection_start_rate(t, c);
    c->budget = burst_of(ct_network_connection_bandwidth(t, c));
    ct_network_events_push(t, c,
                           &(ct_network_transport_event){.kind = CT_NETWORK_TRANSPORT_CONNECTED,
                                                         .is_incoming = !c->is_ours});
}

// --- Time ----------------------------------------------------------------------------------------

static void refill(const ct_network_transport *t, connection *c, uint64_t passed_ns) {
    const double bandwidth = ct_network_connection_bandwidth(t, c), most = burst_of(bandwidth);
    c->budget += (double)passed_ns * 1e-9 * bandwidth;
    c->budget = c->budget < most ? c->budget : most;
}

// Numbers that were sent and did not come. Some may come later: over a span that is little.
static void count_losses(const ct_network_transport *t, connection *c) {
    if (t->now_ns - c->span_ns < span_ns)
        return;
    const uint64_t sent = c->window.newest - c->span_newest;
    const uint64_t came = c->window.num_received - c->span_received;
    c->loss_in = came < sent ? 1 - (float)came / (float)sent : 0;
    c->span_ns = t->now_ns;
    c->span_newest = c->window.newest;
    c->span_received = c->window.num_received;
}

static bool is_over(const ct_network_transport *t, uint64_t since_ns, float seconds) {
    return !t->has_no_timeouts && (double)(t->now_ns - since_ns) * 1e-9 >= seconds;
}

static void tend_one(ct_network_transport *t, connection *c, uint64_t passed_ns) {
    const bool is_ask = c->state == CONNECTION_HELLO || c->state == CONNECTION_BEGIN;
    if (c->state == CONNECTION_CONNECTED) {
        refill(t, c, passed_ns);
        adapt_rate(t, c);
        count_losses(t, c);
        if (is_over(t, c->heard_ns, t->desc.timeout_seconds))
            ct_network_connection_end(t, c, CT_NETWORK_REASON_TIMEOUT, CT_NETWORK_ENET_ENDING_NOW);
    } else if (c->state == CONNECTION_LINGER) {
        if (is_over(t, c->ended_ns, t->desc.linger_seconds))
            ct_network_connection_free(t, c);
    } else if (is_over(t, c->begun_ns, t->desc.connect_seconds)) {
        ct_network_connection_fail(t, c, CT_NETWORK_REASON_UNREACHED);
    } else if (is_ask) {
        ct_network_handshake_ask(t, c);
    } else if (c->is_enet_due) {
        c->is_enet_due = false;
        if (!ct_network_enet_connect(t->enet, ct_network_connection_slot(t, c)))
            ct_network_connection_fail(t, c, CT_NETWORK_REASON_FULL);
    }
}

void ct_network_connections_tend(ct_network_transport *t, uint64_t passed_ns) {
    for (uint32_t i = 0; i < t->num_slots; ++i) {
        connection *const c = &t->connections[i];
        if (c->state == CONNECTION_FREE)
            continue;
        if (t->restarts)
            c->begun_ns = c->heard_ns = c->ended_ns = t->now_ns;
        tend_one(t, c, passed_ns);
    }
    t->restarts = false;
    if (t->rates.total > 0)
        share_total(t);
}
