// network.c: the parts of a program's network, and what goes from one to another.
#include "network/network.h"
#include "foundation/error.h"
#include "foundation/log.h"
#include "foundation/memory/allocator.h"
#include "foundation/os/os.h"
#include "network/network_private.h"

enum { DEFAULT_PEERS = 64 };

static bool open_wire(ct_network *n, ct_error *error) {
    if (n->desc.is_replay)
        return true;
    n->wire = n->desc.wire;
    if (n->wire)
        return true;
    const ct_datagram_desc desc = {.address = n->desc.address, .receive_buffer_bytes = 1 << 20};
    n->wire = n->own_wire = ct_network_wire_open(n->desc.allocator, &desc, error);
    return n->wire != NULL;
}

ct_network *ct_network_create(const ct_network_desc *desc, ct_error *error) {
    ct_network *const n = CT_NEW(desc->allocator, ct_network);
    n->desc = *desc;
    while (!n->desc.self)
        ct_os_random_bytes(&n->desc.self, sizeof(n->desc.self));
    ct_array_init(&n->peers, desc->allocator);
    if (!open_wire(n, error)) {
        ct_free(desc->allocator, n);
        return NULL;
    }
    n->transport = ct_network_transport_create(&(ct_network_transport_desc){
        .allocator = desc->allocator,
        .wire = n->wire,
        .self = n->desc.self,
        .max_peers = desc->max_peers ? desc->max_peers : DEFAULT_PEERS,
        .key = desc->key,
        .is_plain = desc->is_plain,
        .bandwidth = desc->bandwidth,
        .tap = desc->tap,
        .tap_data = desc->tap_data,
    });
    n->link = ct_network_transport_link(n->transport);
    return n;
}

void ct_network_destroy(ct_network *n) {
    if (!n)
        return;
    ct_network_destroy_session(n);
    ct_network_leave_lobby(n);
    ct_network_transport_flush(n->transport);
    ct_network_browser_destroy(n->browser);
    ct_network_wire_destroy(n->browser_wire);
    ct_network_transport_destroy(n->transport);
    ct_network_wire_destroy(n->own_wire);
    for (uint32_t i = 0; i < n->peers.count; ++i)
        ct_array_free(&n->peers.items[i].held);
    ct_array_free(&n->peers);
    ct_free(n->desc.allocator, n);
}

// Lobby and session learn that a connection has ended, or could not be made.
static void take_end(ct_network *n, const ct_network_transport_event *event) {
    const ct_peer_id peer = event->peer;
    ct_network_forget_peer(n, peer);
    if (peer)
        n->ended[n->num_ended++ % REMEMBERED] =
            (network_ended){.peer = peer, .reason = event->reason};
    if (n->lobby) {
        // The host that is being joined may not be known by its number yet.
        const bool is_joined = !ct_network_lobby_host_peer(n->lobby) &&
                               ct_network_lobby_state_of(n->lobby) == CT_NETWORK_LOBBY_JOINING &&
                               ct_datagram_address_equal(event->address, n->lobby_address);
        ct_network_lobby_disconnected(
            n->lobby, is_joined ? ct_network_lobby_host_peer(n->lobby) : peer, event->reason);
    }
    if (n->session && peer)
        ct_network_session_disconnected(n->session, peer, event->reason, ct_network_seconds(n));
}

static void tend_lobby(ct_network *n);

void ct_network_update(ct_network *n, uint64_t now_ns) {
    n->now_ns = now_ns;
    ct_network_transport_update(n->transport, now_ns);
    ct_network_transport_event event;
    while (ct_network_transport_next(n->transport, &event)) {
        if (event.kind == CT_NETWORK_TRANSPORT_CONNECTED)
            ct_network_greet(n, &event);
        else if (event.kind == CT_NETWORK_TRANSPORT_PACKET)
            ct_network_take_packet(n, &event);
        else
            take_end(n, &event);
    }
    ct_network_tend_greetings(n);
    ct_network_tend_session(n);
    if (n->lobby)
        tend_lobby(n);
    if (n->announcer)
        ct_network_announcer_update(n->announcer, n->lobby, now_ns);
    if (n->browser)
        ct_network_browser_update(n->browser, now_ns);
    if (n->session)
        ct_network_session_update(n->session, ct_network_seconds(n));
}

void ct_network_transmit(ct_network *n, uint64_t now_ns) {
    if (n->session)
        ct_network_session_transmit(n->session, (double)now_ns * 1e-9);
    ct_network_transport_flush(n->transport);
}

void ct_network_play(ct_network *n, const ct_network_tap *what) {
    ct_network_transport_play(n->transport, what);
}

void ct_network_set_timeouts(ct_network *n, bool are_on) {
    n->has_no_timeouts = !are_on;
    for (uint32_t i = 0; i < n->peers.count; ++i)
        n->peers.items[i].begun_ns = n->now_ns;
    ct_network_transport_set_timeouts(n->transport, are_on);
    if (n->lobby)
        ct_network_lobby_set_timeouts(n->lobby, are_on);
    if (n->session)
        ct_network_session_set_timeouts(n->session, are_on);
}

bool ct_network_has_timeouts(const ct_network *n) {
    return !n->has_no_timeouts;
}

void ct_network_simulate(ct_network *n, const ct_network_conditions *conditions, uint64_t seed) {
    if (n->wire)
        ct_network_wire_set_conditions(n->wire, conditions, seed);
}

void ct_network_set_bandwidth(ct_network *n, uint32_t bytes_per_second) {
    ct_network_transport_set_bandwidth(n->transport, bytes_per_second);
}

ct_peer_id ct_network_self(const ct_network *n) {
    return n->desc.self;
}

ct_datagram_address ct_network_address(const ct_network *n) {
    return n->wire ? ct_network_wire_address(n->wire) : (ct_datagram_address){0};
}

ct_network_transport *ct_network_transport_of(ct_network *n) {
    return n->transport;
}

const ct_network_config_resource *ct_network_config(const ct_network *n) {
    return n->desc.config;
}

uint32_t ct_network_connections(const ct_network *n, ct_peer_id *peers, uint32_t most) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < n->peers.count; ++i) {
        if (!n->peers.items[i].has_greeted)
            continue;
        if (count < most)
            peers[count] = n->peers.items[i].peer;
        ++count;
    }
    return count;
}

ct_network_reason ct_network_broken(const ct_network *n, ct_peer_id peer) {
    for (uint32_t i = 0; i < n->peers.count; ++i)
        if (n->peers.items[i].peer == peer)
            return CT_NETWORK_REASON_NONE;
    const uint32_t count = n->num_ended < REMEMBERED ? n->num_ended : REMEMBERED;
    for (uint32_t i = 1; i <= count; ++i) {
        const network_ended *const ended = &n->ended[(n->num_ended - i) % REMEMBERED];
        if (ended->peer == peer)
            return ended->reason;
    }
    return CT_NETWORK_REASON_NONE;
}

void ct_network_connect(ct_network *n, ct_peer_id peer, ct_datagram_address address) {
    ct_network_transport_connect(n->transport, peer, address);
}

void ct_network_disconnect(ct_network *n, ct_peer_id peer, ct_network_reason reason) {
    n->link.disconnect(n->link.data, peer, reason);
}

// --- Lobby ---------------------------------------------------------------------------------------

static bool make_lobby(ct_network *n, uint32_t max_members, uint16_t port, ct_error *error) {
    if (n->lobby)
        return ct_error_set(error, "there is a lobby already; leave it first");
    if (max_members > CT_NETWORK_LOBBY_MAX_MEMBERS)
        return ct_error_set(error, "a lobby of %u members; at most %d", max_members,
                            CT_NETWORK_LOBBY_MAX_MEMBERS);
    n->lobby = ct_network_lobby_create(&(ct_network_lobby_desc){
        .allocator = n->desc.allocator, .link = n->link, .max_members = max_members, .port = port});
    ct_network_lobby_set_timeouts(n->lobby, !n->has_no_timeouts);
    return true;
}

// Announces the lobby at a port of the local network.
static bool announce(ct_network *n, uint16_t port, ct_error *error) {
    const ct_datagram_desc desc = {.address = {.port = port}, .is_shared = true};
    n->announcer_wire = ct_network_wire_open(n->desc.allocator, &desc, error);
    if (!n->announcer_wire)
        return false;
    const ct_datagram_address at = ct_network_address(n);
    n->announcer =
        ct_network_announcer_create(n->desc.allocator, n->announcer_wire, at.port,
                                    at.ip == CT_DATAGRAM_IP_LOOPBACK, n->desc.config->hash);
    return true;
}

// A member that has become the host goes on announcing the lobby.
static void tend_lobby(ct_network *n) {
    ct_error error = {0};
    ct_network_lobby_update(n->lobby, ct_network_seconds(n));
    const bool is_host = ct_network_lobby_is_host(n->lobby) &&
                         ct_network_lobby_state_of(n->lobby) == CT_NETWORK_LOBBY_JOINED;
    const uint16_t port = ct_network_lobby_port(n->lobby);
    if (is_host && port && n->own_wire && !n->announcer && !n->has_no_announcer &&
        !announce(n, port, &error)) {
        n->has_no_announcer = true;
        ct_log_warning("network", "network_announcer", "the lobby is not announced any more: %s",
                       error.message);
    }
}

bool ct_network_host_lobby(ct_network *n, uint16_t lobby_port, uint32_t max_members,
                           ct_error *error) {
    if (!make_lobby(n, max_members, lobby_port, error))
        return false;
    if (lobby_port && n->own_wire && !announce(n, lobby_port, error)) {
        ct_network_leave_lobby(n);
        return false;
    }
    ct_network_lobby_host(n->lobby);
    return true;
}

bool ct_network_join_lobby(ct_network *n, ct_datagram_address address, ct_error *error) {
    if (!make_lobby(n, 0, 0, error))
        return false;
    ct_peer_id host = 0; // known where it is connected already
    for (uint32_t i = 0; i < n->peers.count; ++i)
        if (n->peers.items[i].has_greeted &&
            ct_datagram_address_equal(n->peers.items[i].address, address))
            host = n->peers.items[i].peer;
    char text[CT_DATAGRAM_ADDRESS_BYTES];
    n->lobby_address = address;
    ct_network_lobby_join(n->lobby, host, ct_datagram_address_print(&address, text),
                          ct_network_seconds(n));
    return true;
}

void ct_network_leave_lobby(ct_network *n) {
    if (!n->lobby)
        return;
    ct_network_lobby_leave(n->lobby);
    ct_network_lobby_destroy(n->lobby);
    n->lobby = NULL;
    n->has_no_announcer = false;
    ct_network_announcer_destroy(n->announcer);
    n->announcer = NULL;
    ct_network_wire_destroy(n->announcer_wire);
    n->announcer_wire = NULL;
}

ct_network_lobby *ct_network_lobby_of(ct_network *n) {
    return n->lobby;
}

ct_network_browser *ct_network_browser_of(ct_network *n, ct_error *error) {
    if (!n->browser && !n->own_wire) {
        ct_error_set(error, "lobbies are not looked for in a replay or over a given wire");
    } else if (!n->browser) {
        const ct_datagram_desc desc = {.can_broadcast = true};
        n->browser_wire = ct_network_wire_open(n->desc.allocator, &desc, error);
        if (n->browser_wire)
            n->browser =
                ct_network_browser_create(n->desc.allocator, n->browser_wire, n->desc.config->hash);
    }
    return n->browser;
}

// --- Session -------------------------------------------------------------------------------------

bool ct_network_create_session(ct_network *n, const ct_network_session_desc *desc,
                               ct_error *error) {
    if (n->session)
        return ct_error_set(error, "there is a game session already; shut it down first");
    ct_network_session_desc own = *desc;
    own.allocator = n->desc.allocator;
    own.config = n->desc.config;
    own.link = ct_network_session_link(n);
    own.observer = ct_network_observer_of(n);
    n->session = ct_network_session_create(&own);
    ct_network_session_set_timeouts(n->session, !n->has_no_timeouts);
    for (uint32_t i = 0; i < n->peers.count; ++i)
        if (n->peers.items[i].has_greeted)
            ct_network_join_session(n, &n->peers.items[i]);
    return true;
}

void ct_network_destroy_session(ct_network *n) {
    if (!n->session)
        return;
    ct_network_session_leave(n->session, ct_network_seconds(n));
    ct_network_session_destroy(n->session);
    n->session = NULL;
    for (uint32_t i = 0; i < n->peers.count; ++i)
        n->peers.items[i].is_in_session = n->peers.items[i].is_session_due = false;
}

ct_network_session *ct_network_session_of(ct_network *n) {
    return n->session;
}
