#include "network/transport/network_transport.h"

#include "foundation/error.h"
#include "foundation/log.h"
#include "foundation/os/os.h"
#include "network/transport/network_transport_private.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
    MAX_DATAGRAMS = 16384,    // that one update receives; more wait for the next
    HELLOS_PER_SECOND = 5000, // an answer is a hash and a datagram
    ROOM_WITHOUT_LIMIT = 1 << 16,
    PACKET_OVERHEAD = 128, // of memory, beside its bytes
};

// --- Life ----------------------------------------------------------------------------------------

static float or_default(float value, float otherwise) {
    return value > 0 ? value : otherwise;
}

static void set_defaults(ct_network_transport_desc *desc) {
    desc->max_peers = desc->max_peers > 0 ? desc->max_peers : 64;
    desc->max_waiting_bytes = desc->max_waiting_bytes > 0 ? desc->max_waiting_bytes : 4 << 20;
    desc->timeout_seconds = or_default(desc->timeout_seconds, 10);
    desc->connect_seconds = or_default(desc->connect_seconds, 5);
    desc->linger_seconds = or_default(desc->linger_seconds, 5);
    desc->keep_alive_seconds = or_default(desc->keep_alive_seconds, 0.25f);
    if (desc->handshakes_per_second == 0)
        desc->handshakes_per_second = 400;
}

static void packet_came(void *data, uint32_t slot, ct_network_channel channel, bool is_reliable,
                        const uint8_t *bytes, uint32_t size) {
    ct_network_transport *const t = data;
    connection *const c = &t->connections[slot];
    if (c->state != CONNECTION_CONNECTED || size > CT_NETWORK_MAX_RELIABLE)
        return;
    ++c->stats.packets_in[channel];
    c->stats.bytes_in[channel] += size;
    ct_network_events_push(t, c,
                           &(ct_network_transport_event){.kind = CT_NETWORK_TRANSPORT_PACKET,
                                                         .channel = channel,
                                                         .is_reliable = is_reliable,
                                                         .bytes = bytes,
                                                         .size = size});
}

static uint32_t milliseconds_of(float seconds) {
    const double milliseconds = (double)seconds * 1000;
    return milliseconds < 1 ? 1 : milliseconds > 1e6 ? 1000000 : (uint32_t)milliseconds;
}

// More slots than peers, for those that are being accepted and those that linger.
static void make_connections(ct_network_transport *t) {
    t->num_slots = t->desc.max_peers + t->desc.max_peers / 4 + 32;
    t->num_slots = t->num_slots < CT_NETWORK_ENET_SLOTS ? t->num_slots : CT_NETWORK_ENET_SLOTS;
    t->connections = CT_NEW_ARRAY(t->allocator, connection, t->num_slots);
    for (uint32_t i = t->num_slots; i-- > 0;)
        ct_array_push(&t->free_slots, i);
    t->enet = ct_network_enet_create(&(ct_network_enet_desc){
        .allocator = t->allocator,
        .num_slots = t->num_slots,
        .keep_alive_ms = milliseconds_of(t->desc.keep_alive_seconds),
        .data = t,
        .receive = ct_network_channel_receive,
        .send = ct_network_channel_send,
        .connected = ct_network_connection_connected,
        .disconnected = ct_network_connection_disconnected,
        .packet = packet_came,
    });
    t->cookie_secret = ct_network_key_random();
    uint64_t salt = 0;
    ct_os_random_bytes(&salt, sizeof(salt));
    const double begins = t->desc.handshakes_per_second;
    ct_network_guard_init(&t->hellos, HELLOS_PER_SECOND, HELLOS_PER_SECOND / 4.0, salt, 0);
    ct_network_guard_init(&t->begins, begins, begins < 8 ? begins : begins / 4, salt, 0);
}

ct_network_transport *ct_network_transport_create(const ct_network_transport_desc *desc) {
    CT_ASSERT(desc->self != 0, "a transport needs a peer id%s", "");
    CT_ASSERT(desc->max_peers <= CT_NETWORK_MAX_PEERS, "%u peers: at most %d", desc->max_peers,
              CT_NETWORK_MAX_PEERS);
    ct_network_transport *const t = CT_NEW(desc->allocator, ct_network_transport);
    t->desc = *desc;
    t->allocator = desc->allocator;
    set_defaults(&t->desc);
    ct_array_init(&t->free_slots, t->allocator);
    ct_array_init(&t->event_bytes, t->allocator);
    ct_array_init(&t->given, t->allocator);
    ct_hash_map_init(&t->by_peer, t->allocator);
    ct_hash_map_init(&t->by_key, t->allocator);
    ct_ring_init(&t->events, t->allocator, sizeof(queued_event));
    for (uint32_t i = 0; i < CT_COUNT_OF(t->answers); ++i)
        ct_ring_init(&t->answers[i], t->allocator, sizeof(answer));
    if (desc->is_plain)
        ct_log_warning("network", "plain_network",
                       "the network of peer %016" PRIx64 " may send what others can read and "
                       "change: is_plain is for debugging only",
                       desc->self);
    if (desc->wire)
        make_connections(t);
    return t;
}

void ct_network_transport_destroy(ct_network_transport *t) {
    if (!t)
        return;
    for (uint32_t i = 0; i < t->num_slots; ++i) {
        connection *const c = &t->connections[i];
        if (c->state == CONNECTION_CONNECTED)
            ct_network_connection_end(t, c, CT_NETWORK_REASON_LEFT, CT_NETWORK_ENET_ENDING_NOW);
        else if (c->state != CONNECTION_FREE)
            ct_network_connection_free(t, c);
    }
    ct_network_enet_destroy(t->enet);
    ct_network_key_wipe(&t->cookie_secret);
    ct_network_key_wipe(&t->desc.key);
    ct_free(t->allocator, t->connections);
    ct_array_free(&t->free_slots);
    ct_array_free(&t->event_bytes);
    ct_array_free(&t->given);
    ct_hash_map_free(&t->by_peer);
    ct_hash_map_free(&t->by_key);
    ct_ring_free(&t->events);
    for (uint32_t i = 0; i < CT_COUNT_OF(t->answers); ++i)
        ct_ring_free(&t->answers[i]);
    ct_free_sized(t->allocator, t, sizeof(*t));
}

// --- Update --------------------------------------------------------------------------------------

void ct_network_transport_update(ct_network_transport *t, uint64_t now_ns) {
    const uint64_t passed_ns = t->has_time && now_ns > t->now_ns ? now_ns - t->now_ns : 0;
    if (!t->has_time) {
        t->begun_ns = now_ns;
        t->restarts = true;
    }
    t->has_time = true;
    t->now_ns = now_ns > t->now_ns ? now_ns : t->now_ns;
    if (!t->enet)
        return;
    t->budget_left = MAX_DATAGRAMS;
    ct_network_wire_pump(t->desc.wire, t->now_ns);
    ct_network_enet_service(t->enet, (t->now_ns - t->begun_ns) / 1000000 + 1000);
    ct_network_connections_tend(t, passed_ns);
    ct_network_enet_flush(t->enet);
}

void ct_network_transport_flush(ct_network_transport *t) {
    if (t->enet)
        ct_network_enet_flush(t->enet);
}

void ct_network_transport_send_datagram(ct_network_transport *t, ct_datagram_address to,
                                        const uint8_t *bytes, uint32_t size) {
    ct_network_events_tap(
        t, &(ct_network_tap){
               .kind = CT_NETWORK_TAP_DATAGRAM_OUT, .address = to, .bytes = bytes, .size = size});
    ct_network_wire_send(t->desc.wire, t->now_ns, to, bytes, size);
}

// --- Connecting ----------------------------------------------------------------------------------

static void report_failure(ct_network_transport *t, ct_peer_id peer, ct_datagram_address address,
                           ct_network_reason reason) {
    ct_network_events_push(
        t, &(connection){.peer = peer, .address = address},
        &(ct_network_transport_event){.kind = CT_NETWORK_TRANSPORT_DISCONNECTED, .reason = reason});
}

// A peer that is connecting to us right now; NULL when it is not.
static connection *incoming(const ct_network_transport *t, ct_peer_id peer) {
    for (uint32_t i = 0; peer != 0 && i < t->num_slots; ++i) {
        connection *const c = &t->connections[i];
        if (!c->is_ours && c->peer == peer &&
            (c->state == CONNECTION_HALF || c->state == CONNECTION_SEALED))
            return c;
    }
    return NULL;
}

static void begin_to_connect(ct_network_transport *t, ct_peer_id peer,
                             ct_datagram_address address) {
    if (peer == t->desc.self) {
        report_failure(t, peer, address, CT_NETWORK_REASON_UNREACHED);
        return;
    }
    connection *const c = t->num_connected + t->num_ours < t->desc.max_peers
                              ? ct_network_connection_begin(t, address)
                              : NULL;
    if (!c) {
        report_failure(t, peer, address, CT_NETWORK_REASON_FULL);
        return;
    }
    c->is_ours = true;
    c->peer = peer;
    ct_network_key_pair(&c->secret, &c->connector);
    ct_network_connection_set_state(t, c, CONNECTION_HELLO);
    if (peer != 0)
        ct_network_connection_know(t, c);
    c->asked_ns = c->ask_again_ns = t->now_ns;
    if (t->has_time)
        ct_network_handshake_ask(t, c);
}

void ct_network_transport_connect(ct_network_transport *t, ct_peer_id peer,
                                  ct_datagram_address address) {
    ct_network_events_tap(
        t, &(ct_network_tap){.kind = CT_NETWORK_TAP_CONNECT, .peer = peer, .address = address});
    if (!t->enet)
        return;
    connection *const coming = incoming(t, peer);
    if (coming)
        coming->is_wanted = true;
    else if (!ct_network_connection_of_peer(t, peer))
        begin_to_connect(t, peer, address);
}

// --- The link ------------------------------------------------------------------------------------

// Returns the connection of a peer that is connected, or NULL.
static connection *connected(const ct_network_transport *t, ct_peer_id peer) {
    connection *const c = ct_network_connection_of_peer(t, peer);
    return c && c->state == CONNECTION_CONNECTED ? c : NULL;
}

static bool send_packet(ct_network_transport *t, ct_peer_id peer, ct_network_channel channel,
                        bool is_reliable, const void *bytes, uint32_t size) {
    connection *const c = connected(t, peer);
    if (!c)
        return false;
    const uint32_t slot = ct_network_connection_slot(t, c);
    const ct_network_enet_stats enet = ct_network_enet_stats_of(t->enet, slot);
    const uint64_t waiting =
        enet.waiting_bytes + size + (enet.waiting_packets + UINT64_C(1)) * PACKET_OVERHEAD;
    if (is_reliable && waiting > t->desc.max_waiting_bytes) {
        ct_network_connection_end(t, c, CT_NETWORK_REASON_OVERFLOW, CT_NETWORK_ENET_ENDING_SOON);
        return false;
    }
    if (!is_reliable && c->budget <= 0 && ct_network_connection_bandwidth(t, c) > 0) {
        ++c->stats.held_back;
        return false;
    }
    if (!ct_network_enet_send(t->enet, slot, channel, is_reliable, bytes, size))
        return false;
    c->budget -= is_reliable ? 0 : size;
    c->used_bytes += is_reliable ? 0 : size;
    ++c->stats.packets_out[channel];
    c->stats.bytes_out[channel] += size;
    return true;
}

static bool link_send(void *data, ct_peer_id peer, ct_network_channel channel, bool reliable,
                      const void *bytes, uint32_t size) {
    ct_network_transport *const t = data;
    const uint32_t most = reliable ? CT_NETWORK_MAX_RELIABLE : CT_NETWORK_MAX_UNRELIABLE;
    CT_ASSERT(size <= most && channel < CT_NETWORK_CHANNELS,
              "a packet of %u bytes on channel %u: at most %u", size, (uint32_t)channel, most);
    ct_network_tap what = {.kind = CT_NETWORK_TAP_SENT,
                           .peer = peer,
                           .channel = channel,
                           .is_reliable = reliable,
                           .bytes = bytes,
                           .size = size};
    what.is_ok = t->enet ? send_packet(t, peer, channel, reliable, bytes, size)
                         : ct_network_events_answer(t, CT_NETWORK_TAP_SENT, peer).is_ok;
    ct_network_events_tap(t, &what);
    return what.is_ok;
}

static uint32_t room_of(const ct_network_transport *t, ct_peer_id peer) {
    const connection *const c = connected(t, peer);
    if (!c || ct_network_connection_bandwidth(t, c) <= 0)
        return c ? ROOM_WITHOUT_LIMIT : 0;
    return c->budget > 0 ? (uint32_t)c->budget : 0;
}

static uint32_t link_room(void *data, ct_peer_id peer) {
    ct_network_transport *const t = data;
    ct_network_tap what = {.kind = CT_NETWORK_TAP_ROOM, .peer = peer};
    what.size =
        t->enet ? room_of(t, peer) : ct_network_events_answer(t, CT_NETWORK_TAP_ROOM, peer).size;
    ct_network_events_tap(t, &what);
    return what.size;
}

static void link_connect(void *data, ct_peer_id peer, const char *address) {
    ct_network_transport *const t = data;
    ct_datagram_address parsed = {0};
    ct_error error = {0};
    if (ct_datagram_address_parse(address, 0, &parsed, &error)) {
        ct_network_transport_connect(t, peer, parsed);
        return;
    }
    ct_network_events_tap(t, &(ct_network_tap){.kind = CT_NETWORK_TAP_CONNECT, .peer = peer});
    if (!t->enet)
        return;
    ct_log_warning("network", "network_address", "%s", error.message);
    report_failure(t, peer, parsed, CT_NETWORK_REASON_UNREACHED);
}

static void link_disconnect(void *data, ct_peer_id peer, ct_network_reason reason) {
    ct_network_transport *const t = data;
    ct_network_events_tap(
        t, &(ct_network_tap){.kind = CT_NETWORK_TAP_DISCONNECT, .peer = peer, .reason = reason});
    connection *const c = ct_network_connection_of_peer(t, peer);
    const ct_network_reason given =
        reason == CT_NETWORK_REASON_NONE ? CT_NETWORK_REASON_LEFT : reason;
    if (!c)
        return;
    ct_network_events_drop_packets(t, c);
    if (c->state == CONNECTION_CONNECTED)
        ct_network_connection_end(t, c, given, CT_NETWORK_ENET_ENDING_LATER);
    else
        ct_network_connection_fail(t, c, given);
}

static bool link_address(void *data, ct_peer_id peer, char text[CT_NETWORK_ADDRESS_BYTES]) {
    ct_network_transport *const t = data;
    const connection *const c = connected(t, peer);
    ct_network_tap what = {.kind = CT_NETWORK_TAP_ADDRESS, .peer = peer, .is_ok = c != NULL};
    if (c)
        what.address = c->address;
    if (!t->enet) {
        const answer a = ct_network_events_answer(t, CT_NETWORK_TAP_ADDRESS, peer);
        what.address = a.address;
        what.is_ok = a.is_ok;
    }
    ct_network_events_tap(t, &what);
    _Static_assert((int)CT_NETWORK_ADDRESS_BYTES >= (int)CT_DATAGRAM_ADDRESS_BYTES,
                   "an address fits");
    if (what.is_ok)
        ct_datagram_address_print(&what.address, text);
    return what.is_ok;
}

static float link_round_trip(void *data, ct_peer_id peer) {
    ct_network_transport *const t = data;
    const connection *const c = connected(t, peer);
    ct_network_tap what = {.kind = CT_NETWORK_TAP_ROUND_TRIP, .peer = peer};
    if (c)
        what.seconds =
            ct_network_enet_stats_of(t->enet, ct_network_connection_slot(t, c)).round_trip;
    if (!t->enet)
        what.seconds = ct_network_events_answer(t, CT_NETWORK_TAP_ROUND_TRIP, peer).seconds;
    ct_network_events_tap(t, &what);
    return what.seconds;
}

ct_network_link ct_network_transport_link(ct_network_transport *t) {
    return (ct_network_link){
        .data = t,
        .self = t->desc.self,
        .send = link_send,
        .room = link_room,
        .connect = link_connect,
        .disconnect = link_disconnect,
        .address = link_address,
        .round_trip = link_round_trip,
    };
}

// --- Settings and numbers ------------------------------------------------------------------------

void ct_network_transport_set_timeouts(ct_network_transport *t, bool is_on) {
    t->restarts = t->restarts || (is_on && t->has_no_timeouts);
    t->has_no_timeouts = !is_on;
}

void ct_network_transport_set_accepting(ct_network_transport *t, bool is_on) {
    t->refuses = !is_on;
}

void ct_network_transport_set_silence(ct_network_transport *t, float seconds) {
    t->desc.timeout_seconds = seconds;
}

void ct_network_transport_set_keep_alive(ct_network_transport *t, float seconds) {
    t->desc.keep_alive_seconds = seconds;
    if (t->enet)
        ct_network_enet_set_keep_alive(t->enet, milliseconds_of(seconds));
}

void ct_network_transport_set_resend(ct_network_transport *t, float seconds) {
    if (t->enet)
        ct_network_enet_set_resend(t->enet, milliseconds_of(seconds));
}

void ct_network_transport_set_bandwidth(ct_network_transport *t, uint32_t bytes_per_second) {
    t->desc.bandwidth = bytes_per_second;
}

void ct_network_transport_set_rates(ct_network_transport *t, const ct_network_rates *rates) {
    CT_ASSERT(!rates || (rates->least > 0 && rates->total > 0), "rates of 0 bytes a second%s", "");
    t->rates = rates ? *rates : (ct_network_rates){0};
    for (uint32_t i = 0; i < t->num_slots; ++i)
        ct_network_connection_start_rate(t, &t->connections[i]);
}

bool ct_network_transport_set_adapting(ct_network_transport *t, ct_peer_id peer, bool is_on) {
    connection *const c = connected(t, peer);
    if (c && c->has_fixed_rate == is_on) {
        c->has_fixed_rate = !is_on;
        ct_network_connection_start_rate(t, c);
    }
    return c != NULL;
}

bool ct_network_transport_peer_stats(const ct_network_transport *t, ct_peer_id peer,
                                     ct_network_peer_stats *stats) {
    const connection *const c = connected(t, peer);
    if (!c)
        return false;
    const ct_network_enet_stats enet =
        ct_network_enet_stats_of(t->enet, ct_network_connection_slot(t, c));
    *stats = c->stats;
    stats->address = c->address;
    stats->round_trip = enet.round_trip;
    stats->loss_out = enet.loss;
    stats->loss_in = c->loss_in;
    stats->silence = (float)((double)(t->now_ns - c->heard_ns) * 1e-9);
    stats->waiting_bytes = enet.waiting_bytes;
    stats->is_plain = c->is_plain;
    stats->bandwidth = (uint32_t)ct_network_connection_bandwidth(t, c);
    return true;
}

ct_network_transport_stats ct_network_transport_stats_of(const ct_network_transport *t) {
    ct_network_transport_stats stats = t->stats;
    stats.num_peers = t->num_connected;
    stats.num_half_open = t->num_half_open;
    return stats;
}
