// Network: settings and figures of the transport.
#include <string.h>

#include "script/network/api_network.h"

enum {
    MOST_WAITING_BYTES = 4 << 20,
    BYTES_OF_KBIT = 125,
    MOST_PEERS = 64,
    LEAST_TOKEN_BYTES = 16,
    MOST_TOKEN_BYTES = 4096,
};

// --- Bandwidth -----------------------------------------------------------------------------------

int ct_networks_enable_qos(lua_State *L) {
    struct ct_script_network *const n = ct_check_network(L);
    const double least = ct_check_number_in(L, 1, 1, 1e6);
    const double initial = ct_check_number_in(L, 2, least, 1e6);
    const double total = ct_check_number_in(L, 3, initial, 1e6);
    ct_network_transport_set_rates(
        ct_network_transport_of(n->network),
        &(ct_network_rates){.least = (uint32_t)(least * BYTES_OF_KBIT),
                            .initial = (uint32_t)(initial * BYTES_OF_KBIT),
                            .total = (uint32_t)(total * BYTES_OF_KBIT)});
    n->quality.is_on = true;
    ct_networks_apply_qos(n);
    return 0;
}

// Returns the place of a peer among those that do not share; their count: it shares.
static uint32_t place_left_out(const ct_script_network_quality *q, ct_peer_id peer) {
    uint32_t i = 0;
    while (i < q->left_out.count && q->left_out.items[i] != peer)
        ++i;
    return i;
}

void ct_networks_apply_qos(struct ct_script_network *n) {
    const ct_script_network_quality *const q = &n->quality;
    if (!q->is_on)
        return;
    ct_peer_id peers[MOST_PEERS];
    const uint32_t count = ct_network_connections(n->network, peers, MOST_PEERS);
    for (uint32_t i = 0; i < count && i < MOST_PEERS; ++i)
        ct_network_transport_set_adapting(ct_network_transport_of(n->network), peers[i],
                                          place_left_out(q, peers[i]) == q->left_out.count);
}

int ct_networks_disable_qos_peer(lua_State *L) {
    struct ct_script_network *const n = ct_check_network(L);
    ct_script_network_quality *const q = &n->quality;
    const ct_peer_id peer = ct_check_peer(L, 1);
    if (place_left_out(q, peer) < q->left_out.count)
        return 0;
    if (q->left_out.count >= MOST_PEERS)
        ct_array_swap_erase(&q->left_out, 0);
    ct_array_push(&q->left_out, peer);
    return 0;
}

int ct_networks_enable_qos_peer(lua_State *L) {
    struct ct_script_network *const n = ct_check_network(L);
    const uint32_t place = place_left_out(&n->quality, ct_check_peer(L, 1));
    if (place < n->quality.left_out.count)
        ct_array_swap_erase(&n->quality.left_out, place);
    return 0;
}

// --- Keys ----------------------------------------------------------------------------------------

static void set_key(struct ct_script_network *n, ct_network_key key) {
    ct_network_key_wipe(&n->key);
    n->key = key;
    n->has_key = true;
}

int ct_networks_set_password(lua_State *L) {
    set_key(ct_script_of(L)->network, ct_network_key_of_password(ct_check_string(L, 1)));
    return 0;
}

int ct_networks_set_token(lua_State *L) {
    size_t size;
    const char *const token = ct_check_text(L, 1, &size);
    if (size < LEAST_TOKEN_BYTES || size > MOST_TOKEN_BYTES)
        ct_argument_error(L, 1, "expected a token of %d to %d bytes, got %d", LEAST_TOKEN_BYTES,
                          MOST_TOKEN_BYTES, (int)size);
    set_key(ct_script_of(L)->network, ct_network_key_of_token(token, (uint32_t)size));
    return 0;
}

// --- Times ---------------------------------------------------------------------------------------

int ct_networks_set_max_transmit_rate(lua_State *L) {
    struct ct_script_network *const n = ct_check_network(L);
    n->transmit_step = ct_check_number_in(L, 1, 0, 10);
    return 0;
}

int ct_networks_set_ping_time(lua_State *L) {
    const struct ct_script_network *const n = ct_check_network(L);
    ct_network_transport_set_keep_alive(ct_network_transport_of(n->network),
                                        (float)ct_check_number_in(L, 1, 0.01, 1000));
    return 0;
}

int ct_networks_set_pong_timeout(lua_State *L) {
    const struct ct_script_network *const n = ct_check_network(L);
    ct_network_transport_set_silence(ct_network_transport_of(n->network),
                                     (float)ct_check_number_in(L, 1, 0.1, 100000));
    return 0;
}

int ct_networks_set_resend_time(lua_State *L) {
    const struct ct_script_network *const n = ct_check_network(L);
    ct_network_transport_set_resend(ct_network_transport_of(n->network),
                                    (float)ct_check_number_in(L, 1, 0.001, 1000));
    return 0;
}

int ct_networks_set_timeouts(lua_State *L) {
    const struct ct_script_network *const n = ct_check_network(L);
    ct_network_set_timeouts(n->network, ct_check_boolean(L, 1));
    return 0;
}

int ct_networks_simulate(lua_State *L) {
    const struct ct_script_network *const n = ct_check_network(L);
    ct_network_conditions conditions;
    ct_error error = {0};
    uint64_t seed = n->options.seed;
    if (!ct_network_conditions_parse(ct_check_string(L, 1), &conditions, &error))
        ct_argument_error(L, 1, "%s", error.message);
    if (!lua_isnoneornil(L, 2))
        seed = (uint64_t)ct_check_integer(L, 2, 0, INT64_C(1) << 53);
    ct_network_simulate(n->network, &conditions, seed);
    return 0;
}

// --- The log -------------------------------------------------------------------------------------

int ct_networks_log(lua_State *L) {
    struct ct_script_network *const n = ct_check_network(L);
    n->level = (ct_script_network_level)ct_check_integer(L, 1, CT_SCRIPT_NETWORK_SILENCE,
                                                         CT_SCRIPT_NETWORK_SPEW);
    return 0;
}

int ct_networks_write_dump_tag(lua_State *L) {
    struct ct_script_network *const n = ct_check_network(L);
    ct_check_string(L, 1);
    lua_pushliteral(L, "tag ");
    lua_pushvalue(L, 1);
    lua_concat(L, 2);
    if (n->log)
        ct_network_log_note(n->log, n->now_ns, lua_tostring(L, -1));
    return 0;
}

// --- Figures -------------------------------------------------------------------------------------

static ct_network_peer_stats check_connected(lua_State *L, const struct ct_script_network *n,
                                             int argument) {
    ct_network_peer_stats stats = {0};
    const ct_peer_id peer = ct_check_peer(L, argument);
    if (!ct_network_transport_peer_stats(ct_network_transport_of(n->network), peer, &stats))
        ct_argument_error(L, argument,
                          "expected a peer that is connected (Network.connections), got %s",
                          lua_tostring(L, argument));
    return stats;
}

int ct_networks_ping(lua_State *L) {
    lua_pushnumber(L, (double)check_connected(L, ct_check_network(L), 1).round_trip);
    return 1;
}

int ct_networks_reliable_send_buffer_left(lua_State *L) {
    const uint32_t waiting = check_connected(L, ct_check_network(L), 1).waiting_bytes;
    lua_pushnumber(L, waiting < MOST_WAITING_BYTES ? MOST_WAITING_BYTES - waiting : 0);
    return 1;
}

static void set_number(lua_State *L, const char *name, double number) {
    lua_pushnumber(L, number);
    lua_setfield(L, -2, name);
}

static int push_peer_figures(lua_State *L, const ct_network_peer_stats *p) {
    double sums[4] = {0};
    for (uint32_t i = 0; i < CT_NETWORK_CHANNELS; ++i) {
        sums[0] += (double)p->packets_in[i];
        sums[1] += (double)p->packets_out[i];
        sums[2] += (double)p->bytes_in[i];
        sums[3] += (double)p->bytes_out[i];
    }
    char text[CT_DATAGRAM_ADDRESS_BYTES];
    lua_newtable(L);
    lua_pushstring(L, ct_datagram_address_print(&p->address, text));
    lua_setfield(L, -2, "address");
    lua_pushboolean(L, p->is_plain);
    lua_setfield(L, -2, "is_plain");
    set_number(L, "round_trip", (double)p->round_trip);
    set_number(L, "loss_in", (double)p->loss_in);
    set_number(L, "loss_out", (double)p->loss_out);
    set_number(L, "silence", (double)p->silence);
    set_number(L, "waiting_bytes", p->waiting_bytes);
    set_number(L, "datagrams_in", (double)p->datagrams_in);
    set_number(L, "datagrams_out", (double)p->datagrams_out);
    set_number(L, "datagram_bytes_in", (double)p->datagram_bytes_in);
    set_number(L, "datagram_bytes_out", (double)p->datagram_bytes_out);
    set_number(L, "packets_in", sums[0]);
    set_number(L, "packets_out", sums[1]);
    set_number(L, "bytes_in", sums[2]);
    set_number(L, "bytes_out", sums[3]);
    set_number(L, "held_back", (double)p->held_back);
    set_number(L, "bandwidth", p->bandwidth);
    return 1;
}

int ct_networks_statistics(lua_State *L) {
    const struct ct_script_network *const n = ct_check_network(L);
    if (!lua_isnoneornil(L, 1)) {
        const ct_network_peer_stats stats = check_connected(L, n, 1);
        return push_peer_figures(L, &stats);
    }
    const ct_network_transport_stats t =
        ct_network_transport_stats_of(ct_network_transport_of(n->network));
    const ct_network_session *const s = ct_network_session_of(n->network);
    const ct_network_session_counts c =
        s ? ct_network_session_counts_of(s) : (ct_network_session_counts){0};
    lua_newtable(L);
    set_number(L, "peers", t.num_peers);
    set_number(L, "half_open", t.num_half_open);
    set_number(L, "malformed", (double)t.malformed);
    set_number(L, "unknown", (double)t.unknown);
    set_number(L, "replayed", (double)t.replayed);
    set_number(L, "not_opened", (double)t.not_opened);
    set_number(L, "guarded", (double)t.guarded);
    set_number(L, "refused", (double)t.refused);
    set_number(L, "divergences", (double)t.divergences);
    set_number(L, "reliable_bytes", (double)c.reliable_bytes);
    set_number(L, "state_bytes", (double)c.state_bytes);
    set_number(L, "state_packets", (double)c.state_packets);
    set_number(L, "entries", (double)c.entries);
    set_number(L, "lost_entries", (double)c.lost_entries);
    set_number(L, "dropped_packets", (double)c.dropped_packets);
    set_number(L, "held_messages", (double)c.held_messages);
    return 1;
}
