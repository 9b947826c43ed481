// network_transport.h: connections of one program to its peers, over datagrams that are sealed.
//
// A transport is one end: it has a peer id, accepts connections and makes them, and implements
// ct_network_link for session and lobby. ENet (network_enet.h) makes reliable and ordered packets
// from the datagrams of a wire (network_wire.h); what a stranger sends never gets to it. All that
// happens is in a queue of events, which the owner takes after each update and hands to session and
// lobby. Time is given. One thread for each transport; several in a program do not touch each
// other, except that wires of one net share the net.
//
// The protocol
//
// Numbers are little-endian; each datagram begins with its kind. `key` is the password's key
// (network_seal.h), {0} without one. The pattern is NNpsk0 of "The Noise Protocol Framework"
// (Perrin 2018), with labelled BLAKE2b hashes of its inputs in place of Noise's chain of hashes;
// the cookie is that of DTLS (RFC 6347, 4.2.1), the window that of IPsec (RFC 4303, 3.4.3), the ids
// of receivers are those of "WireGuard" (Donenfeld 2017).
//
//     connector                                      acceptor
//     HELLO  versions, id, its public key, padding ->
//                                                    <- COOKIE  a hash of address, key and a secret
//     BEGIN  versions, id, its public key, cookie,
//            sealed(peer id, wanted peer id)       ->
//                                                    <- ACCEPT  id, its public key, sealed(peer id)
//     DATA   id of the receiver, number, sealed(ENet's datagram), both ways
//
// The acceptor keeps nothing before BEGIN, whose cookie proves that the address receives what is
// sent to it; no answer is longer than what it answers. BEGIN's sealed part proves the key before
// any slow arithmetic. The keys of DATA, one each way, come from the ephemeral keys of both and
// `key`: what was recorded stays closed when the password gets known later. The first DATA proves
// that the connector has its secret, and not only a recorded BEGIN. The number of a datagram is its
// nonce and is 64 bits, from 1; what came before, or is more than about 1,000 older than the
// newest, is dropped. REFUSE (with the connector's public key, and a reason) answers HELLO and
// BEGIN in the clear.
//
// Its limits. There is no identity beyond the password: all with the key are alike, may claim any
// peer id that is not connected, and one of them between two others can read what they send.
// Without a password, anyone between can. A connection stays with its two addresses: when one
// changes, the peer has to connect again. A weak password can be guessed from a recorded handshake,
// at the price of ct_network_key_of_password for each guess. Someone who sees HELLO can forge a
// REFUSE, and someone who can drop datagrams can end a connection. Sizes and times of datagrams show.
#pragma once
#include "network/network_link.h"
#include "network/transport/network_seal.h"
#include "network/transport/network_wire.h"

typedef struct ct_network_transport ct_network_transport;

enum {
    CT_NETWORK_PROTOCOL = 1,     // of what is above; ends with different ones refuse each other
    CT_NETWORK_MAX_PEERS = 4095, // of a transport
};

// --- What is seen of a transport -----------------------------------------------------------------

typedef enum ct_network_transport_event_kind {
    CT_NETWORK_TRANSPORT_NONE,
    CT_NETWORK_TRANSPORT_CONNECTED,
    // After CONNECTED exactly once, also after the link's disconnect; without it, a connection that
    // was begun here has failed.
    CT_NETWORK_TRANSPORT_DISCONNECTED,
    CT_NETWORK_TRANSPORT_PACKET,
} ct_network_transport_event_kind;

// Something that happened. Fields of other kinds are 0.
typedef struct ct_network_transport_event {
    ct_network_transport_event_kind kind;
    ct_peer_id peer;             // 0 when a connection has failed whose peer id was not known
    ct_datagram_address address; // where the peer is, or should have been
    bool is_incoming;            // connected: the other end began
    ct_network_reason reason;    // disconnected
    ct_network_channel channel;  // packet
    bool is_reliable;            // packet
    const uint8_t *bytes;        // packet: borrowed until the next event is taken
    uint32_t size;
} ct_network_transport_event;

// What a tap sees, in the order in which it happens.
typedef enum ct_network_tap_kind {
    CT_NETWORK_TAP_NONE,
    CT_NETWORK_TAP_EVENT, // ct_network_transport_next returned `event`
    // The link was asked; peer, and:
    CT_NETWORK_TAP_SENT,       // channel, is_reliable, bytes, size; the answer in `is_ok`
    CT_NETWORK_TAP_ROOM,       // the answer in `size`
    CT_NETWORK_TAP_ROUND_TRIP, // the answer in `seconds`
    CT_NETWORK_TAP_ADDRESS,    // the answer in `address`, `is_ok`
    CT_NETWORK_TAP_CONNECT,    // address ({0}: what was given is no address)
    CT_NETWORK_TAP_DISCONNECT, // reason
    // A datagram as it is on the wire, sealed: address, bytes, size.
    CT_NETWORK_TAP_DATAGRAM_IN,
    CT_NETWORK_TAP_DATAGRAM_OUT,
} ct_network_tap_kind;

// One thing that a tap sees. Bytes are borrowed for the call.
typedef struct ct_network_tap {
    ct_network_tap_kind kind;
    uint64_t now_ns; // the time of the last update
    ct_network_transport_event event;
    ct_peer_id peer;
    ct_network_channel channel;
    ct_network_reason reason;
    bool is_reliable, is_ok;
    float seconds;
    ct_datagram_address address;
    const uint8_t *bytes;
    uint32_t size;
} ct_network_tap;

// --- Life ----------------------------------------------------------------------------------------

// How to make a transport; 0 is each number's default.
typedef struct ct_network_transport_desc {
    ct_allocator *allocator;
    // Borrowed, and used by this transport alone. NULL: a replay, which has what is given to
    // ct_network_transport_play.
    ct_network_wire *wire;
    ct_peer_id self;    // not 0
    uint32_t max_peers; // connected at a time; default 64, at most CT_NETWORK_MAX_PEERS
    uint32_t version;   // of the program's own protocol; other ends must have the same
    ct_network_key key; // of the password; {0}: none
    // Sends DATA unsealed to ends that want this, too: for looking at it on the wire. Logs the
    // warning `plain_network` each time that a transport is made with it.
    bool is_plain;
    // Bytes a second of unreliable packets to each peer, default no limit. A tenth of a second's can
    // be sent at once, but at least 2,400.
    uint32_t bandwidth;
    // Reliable packets that wait for a peer, 128 more for each: more ends the connection. Default
    // 4 MiB.
    uint32_t max_waiting_bytes;
    float timeout_seconds;          // of silence until a connection ends; default 10
    float connect_seconds;          // until a connection that is being made has failed; default 5
    float linger_seconds;           // that what was sent before a disconnect is tried; default 5
    float keep_alive_seconds;       // between signs of life; default 0.25
    uint32_t handshakes_per_second; // of all strangers with the key together; default 400
    // Called with what happens, if not NULL. It must not call the transport.
    void (*tap)(void *data, const ct_network_tap *what);
    void *tap_data;
} ct_network_transport_desc;

// Makes a transport; memory is from the desc's allocator, all of it until the end, ENet's included.
ct_network_transport *ct_network_transport_create(const ct_network_transport_desc *desc);
// Ends it (NULL is fine). Connected peers are sent, once, that it has left.
void ct_network_transport_destroy(ct_network_transport *t);

// Receives, sends and looks for what is over time. `now_ns` is of the wire's clock and does not go
// back. Until the next call, that is the time.
void ct_network_transport_update(ct_network_transport *t, uint64_t now_ns);
// Takes the next event. Returns false when there is none. Take all after each update.
bool ct_network_transport_next(ct_network_transport *t, ct_network_transport_event *event);
// Sends what was given to the link since the last update or flush: call it at the end of a frame.
void ct_network_transport_flush(ct_network_transport *t);

// Returns the functions that session and lobby call; valid while the transport is. Addresses are
// those of ct_datagram_address_parse; with another text, connecting fails.
ct_network_link ct_network_transport_link(ct_network_transport *t);
// Begins to connect to an address. `peer` must be there then; 0: any peer, its id comes with the
// event. CONNECTED or DISCONNECTED follows (none of them when `peer` is connected or being
// connected).
void ct_network_transport_connect(ct_network_transport *t, ct_peer_id peer,
                                  ct_datagram_address address);

// --- Settings ------------------------------------------------------------------------------------

// Turns all timeouts off (false) or on (at first): of silence, of connecting and of lingering. For
// debugging: an end that has stopped stays connected. What strangers begin and do not complete
// gives way to others all the same. When they come on again, each begins from the next update.
void ct_network_transport_set_timeouts(ct_network_transport *t, bool is_on);
// Sets whether connections are accepted, as they are at first; others get UNREACHED.
void ct_network_transport_set_accepting(ct_network_transport *t, bool is_on);
// Set timeout_seconds and keep_alive_seconds (more than 0) of the desc. No effect in a replay.
void ct_network_transport_set_silence(ct_network_transport *t, float seconds);
void ct_network_transport_set_keep_alive(ct_network_transport *t, float seconds);
// Sets the longest wait until a reliable packet that is not acknowledged is sent again (more than 0;
// 1 at first). The first wait follows the measured round trip, each further one is twice as long, up to
// this. No effect in a replay.
void ct_network_transport_set_resend(ct_network_transport *t, float seconds);
// Sets the bandwidth to each peer as in the desc.
void ct_network_transport_set_bandwidth(ct_network_transport *t, uint32_t bytes_per_second);

// Bandwidths that adapt to what a connection carries: bytes a second of unreliable packets.
typedef struct ct_network_rates {
    uint32_t least;   // to a peer, at least 1
    uint32_t initial; // to a peer that has just connected
    uint32_t total;   // the most to one peer, and to all of them together; the least has precedence
} ct_network_rates;

// Gives each peer a bandwidth of its own, which grows while it is used and falls when packets get
// lost or the round trip grows (network_rate.h); connected peers begin with the initial one. NULL:
// all have that of the desc, as at first.
void ct_network_transport_set_rates(ct_network_transport *t, const ct_network_rates *rates);
// Leaves a connected peer out of these (false), so that it has the desc's, or not. Returns false when
// it is not connected.
bool ct_network_transport_set_adapting(ct_network_transport *t, ct_peer_id peer, bool is_on);

// --- Numbers -------------------------------------------------------------------------------------

// Of one peer, since it was connected.
typedef struct ct_network_peer_stats {
    ct_datagram_address address;
    float round_trip;       // seconds, smoothed; 0: unknown
    float loss_in;          // of its datagrams, 0 to 1, over the last seconds
    float loss_out;         // of ours: how many reliable packets had to be sent again
    float silence;          // seconds since it was heard
    uint32_t waiting_bytes; // reliable, sent and not acknowledged
    bool is_plain;
    uint64_t datagrams_in, datagrams_out, datagram_bytes_in, datagram_bytes_out;
    uint64_t packets_in[CT_NETWORK_CHANNELS], bytes_in[CT_NETWORK_CHANNELS];
    uint64_t packets_out[CT_NETWORK_CHANNELS], bytes_out[CT_NETWORK_CHANNELS];
    uint64_t held_back; // unreliable packets that the bandwidth had no room for
    uint32_t bandwidth; // bytes a second of unreliable packets now; 0: no limit
} ct_network_peer_stats;

// Fills `stats`; returns false when the peer is not connected.
bool ct_network_transport_peer_stats(const ct_network_transport *t, ct_peer_id peer,
                                     ct_network_peer_stats *stats);

// Datagrams that were dropped, by why, since the transport was made.
typedef struct ct_network_transport_stats {
    uint64_t malformed;     // of no kind, or with a wrong size
    uint64_t unknown;       // for no connection, or from another address than its own
    uint64_t replayed;      // came before, or are too old
    uint64_t not_opened;    // sealed with another key, or damaged
    uint64_t guarded;       // of more handshakes than are accepted in a second
    uint64_t refused;       // handshakes that got a REFUSE
    uint32_t num_peers;     // connected now
    uint32_t num_half_open; // accepted, and not proven yet
    uint64_t
        divergences; // of a replay: questions that got another answer than was recorded, or none
} ct_network_transport_stats;

// Returns the numbers of dropped datagrams, and how many peers there are now.
ct_network_transport_stats ct_network_transport_stats_of(const ct_network_transport *t);

// --- Replays -------------------------------------------------------------------------------------

// Gives a replay (a transport without a wire) what a tap saw: events are returned by
// ct_network_transport_next, and the answers to questions (SENT, ROOM, ROUND_TRIP, ADDRESS) by the
// link, each kind in its order; other kinds do nothing. Give it all up to the next update's time,
// then let session and lobby do what they did. Bytes are copied.
void ct_network_transport_play(ct_network_transport *t, const ct_network_tap *what);
