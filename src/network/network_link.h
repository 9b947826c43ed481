// network_link.h: what the session and the lobby have of the network: a way to send bytes to peers.
//
// The transport implements it in games (network.h), arrays in tests, a file in a replay. What
// arrives is not part of it: the owner of the link calls ct_network_session_receive and the like
// with it, in the order in which it came. One thread.
#pragma once
#include "foundation/types.h"

// A peer is a random number of 64 bits that a program picks when it starts; 0 is no peer.
typedef uint64_t ct_peer_id;

// Channels. Reliable packets of one channel arrive once each, in the order in which they were sent,
// or the connection ends. Unreliable ones may be lost, but a packet never arrives after a newer one
// of its channel, and never twice.
typedef enum ct_network_channel {
    CT_NETWORK_GREETING, // before all else: versions and configs (network.h)
    CT_NETWORK_LOBBY,
    CT_NETWORK_SESSION, // peers, objects and reliable messages: one order for all of them
    CT_NETWORK_STATE,   // unreliable: fields of objects, acknowledgements, unreliable messages
    CT_NETWORK_CHANNELS,
} ct_network_channel;

// Why a connection ended.
typedef enum ct_network_reason {
    CT_NETWORK_REASON_NONE,
    CT_NETWORK_REASON_LEFT,      // the other end ended it in order
    CT_NETWORK_REASON_TIMEOUT,   // nothing came for too long
    CT_NETWORK_REASON_KICKED,    // by the host
    CT_NETWORK_REASON_FULL,      // the host has no room
    CT_NETWORK_REASON_VERSION,   // the other end has another version of the protocol
    CT_NETWORK_REASON_CONFIG,    // the other end has another network_config
    CT_NETWORK_REASON_PASSWORD,  // the keys differ
    CT_NETWORK_REASON_UNREACHED, // no answer to connecting
    CT_NETWORK_REASON_BROKEN,    // it sent what is not of the protocol
    CT_NETWORK_REASON_OVERFLOW,  // it does not take what is sent to it
    CT_NETWORK_REASONS,
} ct_network_reason;

enum {
    CT_NETWORK_MAX_UNRELIABLE = 1100,    // bytes of an unreliable packet: one datagram
    CT_NETWORK_MAX_RELIABLE = 256 << 10, // bytes of a reliable packet; it is cut and put together
    CT_NETWORK_ADDRESS_BYTES = 64,       // of an address as text, with its terminator
};

// Functions that a session or lobby calls; `data` is handed back to each.
typedef struct ct_network_link {
    void *data;
    ct_peer_id self;
    // Sends `size` bytes (at most the maximum above, more is a bug) to a connected peer; they are
    // copied. Returns false when the peer is not connected, or when what waits for it is full
    // (reliable: the connection then ends with CT_NETWORK_REASON_OVERFLOW).
    bool (*send)(void *data, ct_peer_id peer, ct_network_channel channel, bool reliable,
                 const void *bytes, uint32_t size);
    // Returns how many bytes of unreliable packets the bandwidth of the peer allows now; 0: none.
    uint32_t (*room)(void *data, ct_peer_id peer);
    // Begins to connect to a peer at an address ("10.0.0.2:4000"). The result comes later, as
    // ct_network_session_connected or _disconnected. Already connected or connecting: nothing.
    void (*connect)(void *data, ct_peer_id peer, const char *address);
    // Ends a connection after the reliable packets that were sent. `reason` reaches the other end.
    void (*disconnect)(void *data, ct_peer_id peer, ct_network_reason reason);
    // Writes the address under which a connected peer is seen; false when it is not connected.
    bool (*address)(void *data, ct_peer_id peer, char text[CT_NETWORK_ADDRESS_BYTES]);
    // Returns the round trip to a connected peer in seconds, smoothed; 0 when it is unknown.
    float (*round_trip)(void *data, ct_peer_id peer);
} ct_network_link;

// Returns a reason as text for people and Lua: "left", "timeout", "kicked", "full", "version",
// "config", "password", "unreached", "broken", "overflow"; "" for CT_NETWORK_REASON_NONE.
const char *ct_network_reason_name(ct_network_reason reason);
