// network.h: the network of one program: a transport, and on it a lobby and a game session.
//
// Two programs that connect greet each other first: they compare their network_configs. Lobby and
// session see a peer when it has the same; a peer with another one is disconnected, with a line in
// the log that names the first difference.
//
//     ct_network_update(n, now);        // receives; lobby, session and browser are up to date
//     ... the game reads events, changes objects, sends ...
//     ct_network_transmit(n, now);      // sends
//
// Times are nanoseconds of one clock that does not go back. One thread.
#pragma once
#include "network/lobby/network_discovery.h"
#include "network/session/network_session.h"
#include "network/transport/network_transport.h"

typedef struct ct_network ct_network;

enum { CT_NETWORK_DESCRIBED_BYTES = 768 }; // of a packet as a text, with its terminator

// How to make a network; 0 is each number's default.
typedef struct ct_network_desc {
    ct_allocator *allocator;
    const ct_network_config_resource *config; // borrowed until the network is destroyed
    // Where datagrams go, borrowed; then lobbies are neither announced nor found. NULL: sockets.
    ct_network_wire *wire;
    ct_datagram_address address; // without a wire: where it receives, {0}: all networks, any port
    bool is_replay;              // no wire and no sockets: what ct_network_play gives happens
    ct_peer_id self;             // 0: a random one
    ct_network_key key;          // of the password or token; {0}: none
    bool is_plain;               // unsealed, for looking at it
    uint32_t max_peers;          // connected at a time; default 64
    uint32_t bandwidth;          // bytes a second of unreliable packets to each peer; 0: no limit
    // What is seen of the transport (for logs), if not NULL; it must not call the network.
    void (*tap)(void *data, const ct_network_tap *what);
    void *tap_data;
    ct_network_observer observer; // of sessions; {0}: none
} ct_network_desc;

// Makes a network. Returns NULL with `error` when its socket cannot be opened.
ct_network *ct_network_create(const ct_network_desc *desc, ct_error *error);
// Ends it (NULL is fine): leaves session and lobby; connected peers get word of it.
void ct_network_destroy(ct_network *n);

// Receives, and brings lobby, session and browser up to date.
void ct_network_update(ct_network *n, uint64_t now_ns);
// Sends what session and lobby have.
void ct_network_transmit(ct_network *n, uint64_t now_ns);
// Gives a replay what a log has, up to the next update's time (ct_network_transport_play).
void ct_network_play(ct_network *n, const ct_network_tap *what);

// Writes what a packet is that the network's own parts have sent: a greeting, one of a lobby, or the
// end of a part in a session; for logs. Returns false, with an empty text, for packets of the session,
// which its observer sees, and for what is not of the protocol.
bool ct_network_describe(ct_network_channel channel, const uint8_t *bytes, uint32_t size,
                         char text[CT_NETWORK_DESCRIBED_BYTES]);

// --- Settings ------------------------------------------------------------------------------------

// The one switch for all timeouts: of transport, greetings, lobby and session. For debugging.
void ct_network_set_timeouts(ct_network *n, bool are_on);
// Returns whether they are on, as they are at first.
bool ct_network_has_timeouts(const ct_network *n);
// Simulates a bad network for what is sent from now on; NULL: none. No effect in a replay.
void ct_network_simulate(ct_network *n, const ct_network_conditions *conditions, uint64_t seed);
// Sets the bandwidth to each peer as in the desc.
void ct_network_set_bandwidth(ct_network *n, uint32_t bytes_per_second);

// --- What it is ----------------------------------------------------------------------------------

// Return this program's peer; where it receives ({0} in a replay).
ct_peer_id ct_network_self(const ct_network *n);
ct_datagram_address ct_network_address(const ct_network *n);
// Returns the transport, for statistics. Borrowed.
ct_network_transport *ct_network_transport_of(ct_network *n);
// Returns the config that it was made with. Borrowed.
const ct_network_config_resource *ct_network_config(const ct_network *n);

// Writes up to `most` peers that are connected and have greeted. Returns how many there are.
uint32_t ct_network_connections(const ct_network *n, ct_peer_id *peers, uint32_t most);
// Returns why the connection to a peer ended, CT_NETWORK_REASON_NONE while it is connected or when
// it never was. The last 64 are remembered.
ct_network_reason ct_network_broken(const ct_network *n, ct_peer_id peer);
// Begins to connect to an address; `peer` 0: whichever peer is there.
void ct_network_connect(ct_network *n, ct_peer_id peer, ct_datagram_address address);
// Ends a connection.
void ct_network_disconnect(ct_network *n, ct_peer_id peer, ct_network_reason reason);

// --- Lobby ---------------------------------------------------------------------------------------

// Makes a lobby whose host this program is. With a port, and sockets, it is announced on the local
// network there. Returns false with `error` when there is a lobby already, or the port cannot be
// had.
bool ct_network_host_lobby(ct_network *n, uint16_t lobby_port, uint32_t max_members,
                           ct_error *error);
// Begins to join the lobby of a host at an address. Returns false with `error` when there is a lobby
// already.
bool ct_network_join_lobby(ct_network *n, ct_datagram_address address, ct_error *error);
// Leaves the lobby and frees it; nothing without one. Connections stay. A lobby that this program
// hosts goes on without it.
void ct_network_leave_lobby(ct_network *n);
// Returns the lobby, or NULL. Borrowed until it is left.
ct_network_lobby *ct_network_lobby_of(ct_network *n);
// Returns the browser of lobbies, which is made by the first call. Returns NULL with `error` when it
// cannot open its socket, and in a replay or over a wire of the caller.
ct_network_browser *ct_network_browser_of(ct_network *n, ct_error *error);

// --- Session -------------------------------------------------------------------------------------

// Makes an idle session; zeros in `desc` are defaults, its allocator, config and link are set here.
// Returns false with `error` when there is a session already.
bool ct_network_create_session(ct_network *n, const ct_network_session_desc *desc, ct_error *error);
// Leaves the session and frees it; nothing without one. Members of the lobby stay connected.
void ct_network_destroy_session(ct_network *n);
// Returns the session, or NULL. Borrowed until it is destroyed.
ct_network_session *ct_network_session_of(ct_network *n);
