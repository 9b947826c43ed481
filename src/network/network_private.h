// network_private.h: what the files of network.h share; no other file includes it.
#pragma once
#include "foundation/container/array.h"
#include "network/network.h"

enum {
    HELD_BYTES = 512 << 10, // of packets of a peer that has not greeted yet
    REMEMBERED = 64,        // ended connections
};
#define GREETING_NS UINT64_C(10000000000) // that a peer may take

// Packets of CT_NETWORK_GREETING, the first byte.
enum {
    GREETING_HELLO = 1, // 8 bytes: the hash of the config, the lowest first
    GREETING_SUMMARY,   // where the hashes differ
};

// Packets of CT_NETWORK_SESSION that begin with these are of network_share.c; the session's begin with
// less.
enum {
    SHARE_END = 0xff,   // [reason, number]
    SHARE_ENDED = 0xfe, // [number of the END]
};

// A peer that the transport has connected.
typedef struct network_peer {
    ct_peer_id peer;
    ct_datagram_address address;
    uint64_t begun_ns;
    bool has_greeted;    // with the same config: lobby and session know it
    bool is_different;   // it has another config; its summary is waited for
    bool is_in_session;  // the session sees it as connected
    bool is_session_due; // the session gets to see it with the next update
    bool is_ending;      // an END was sent; what comes before its answer is dropped
    uint8_t num_ends;    // that were sent
    // Reliable packets that came before its greeting: channel, 4 bytes of size, bytes.
    ct_byte_array held;
} network_peer;

// A connection that has ended, and why.
typedef struct network_ended {
    ct_peer_id peer;
    ct_network_reason reason;
} network_ended;

struct ct_network {
    ct_network_desc desc;
    ct_network_wire *wire;     // of the transport; NULL in a replay
    ct_network_wire *own_wire; // `wire`, if it was made here
    ct_network_transport *transport;
    ct_network_link link;
    uint64_t now_ns;
    bool has_no_timeouts;
    CT_ARRAY(network_peer) peers;
    network_ended ended[REMEMBERED]; // a ring
    uint32_t num_ended;

    ct_network_lobby *lobby;
    ct_datagram_address lobby_address; // of the host that is joined
    ct_network_wire *announcer_wire, *browser_wire;
    bool has_no_announcer; // as the new host of a lobby: its port could not be opened
    ct_network_announcer *announcer;
    ct_network_browser *browser;
    ct_network_session *session;
    ct_network_observer watcher; // network_watch.h; {0}: none
};

// Returns what sessions get as their observer (network_watch.c).
ct_network_observer ct_network_observer_of(ct_network *n);

// Returns the time as lobby and session have it.
static inline double ct_network_seconds(const ct_network *n) {
    return (double)n->now_ns * 1e-9;
}

// --- network_share.c -----------------------------------------------------------------------------

// Returns the link of the session, which leaves connections of the lobby open.
ct_network_link ct_network_session_link(ct_network *n);
// Lets the session, if there is one, see a peer that has greeted.
void ct_network_join_session(ct_network *n, network_peer *p);
// Lets the session see the peers that it has asked for.
void ct_network_tend_session(ct_network *n);
// Takes a packet of the session's channels.
void ct_network_take_session_packet(ct_network *n, ct_peer_id peer, ct_network_channel channel,
                                    const uint8_t *bytes, uint32_t size);

// --- network_greeting.c --------------------------------------------------------------------------

// Returns a connected peer, or NULL.
network_peer *ct_network_find_peer(ct_network *n, ct_peer_id peer);
// Begins the greeting of a peer that is connected now.
void ct_network_greet(ct_network *n, const ct_network_transport_event *event);
// Takes any packet: of a greeting, held back until the greeting, or for lobby and session.
void ct_network_take_packet(ct_network *n, const ct_network_transport_event *event);
// Ends greetings that take too long.
void ct_network_tend_greetings(ct_network *n);
// Removes a peer whose connection has ended.
void ct_network_forget_peer(ct_network *n, ct_peer_id peer);
