// network_transport_private.h: what the files of the transport share; no other file includes it.
#pragma once
#include "foundation/container/array.h"
#include "foundation/container/hash_map.h"
#include "foundation/container/ring.h"
#include "network/transport/network_enet.h"
#include "network/transport/network_guard.h"
#include "network/transport/network_rate.h"
#include "network/transport/network_transport.h"

enum {
    DATA_HEAD_BYTES = 13, // kind, id of the receiver, number
    SLOT_BITS = 12,
};
#define NO_SLOT UINT64_MAX // in maps of slots

// A peer that was heard so long ago is there: no other connection takes its place.
#define FRESH_NS UINT64_C(2000000000)

// The first byte of each datagram.
typedef enum datagram_kind {
    DATAGRAM_HELLO = 1,
    DATAGRAM_COOKIE,
    DATAGRAM_BEGIN,
    DATAGRAM_ACCEPT,
    DATAGRAM_REFUSE,
    DATAGRAM_DATA,
    DATAGRAM_PLAIN, // DATA that is not sealed
} datagram_kind;

typedef enum connection_state {
    CONNECTION_FREE,
    CONNECTION_HELLO,     // we wait for a cookie
    CONNECTION_BEGIN,     // we wait to be accepted
    CONNECTION_HALF,      // we have accepted; the other end has not proven itself
    CONNECTION_SEALED,    // keys are proven; ENet connects
    CONNECTION_CONNECTED, // the owner knows
    CONNECTION_LINGER,    // ended here; what was sent is being delivered
} connection_state;

// A connection, in a slot of its own. Ours has been begun here.
typedef struct connection {
    connection_state state;
    uint32_t generation; // of the slot, 20 bits, never 0
    bool is_ours, is_plain;
    bool is_known;    // `by_peer` has it
    bool is_wanted;   // accepted, and we were to connect to the peer as well
    bool is_enet_due; // ours: accepted, ENet is to connect after its receiving
    uint64_t serial;  // never twice in a transport
    ct_peer_id peer;  // ours: the wanted one, 0 until known
    ct_datagram_address address;
    uint32_t other_id;                  // the other end's id of this connection
    ct_network_key secret;              // ours, until the session's keys are made
    ct_network_key connector, acceptor; // public keys
    uint64_t map_key;                   // in `by_key`, of accepted ones
    uint8_t cookie[CT_NETWORK_COOKIE_BYTES];
    ct_network_session_keys keys;
    uint64_t num_sent; // datagrams of DATA
    ct_network_window window;
    uint64_t begun_ns, heard_ns, ended_ns;
    uint64_t asked_ns, ask_again_ns, cookie_ns; // of the handshake
    double budget;                              // bytes of unreliable packets
    // The bandwidth that adapts, what is allowed of it beside the others', and what was measured when
    // it was last adapted.
    bool has_fixed_rate;
    ct_network_rate rate;
    double allowed, used_bytes;
    uint64_t adapted_ns;
    uint32_t sent_packets, lost_packets;
    // Loss over spans of time: where the window was when the last began.
    uint64_t span_ns, span_newest, span_received;
    float loss_in;
    ct_network_peer_stats stats;
} connection;

typedef struct queued_event {
    ct_network_transport_event event;
    uint64_t serial;
    uint32_t offset; // of a packet's bytes
    bool is_void;
} queued_event;

// A recorded answer of the link.
typedef struct answer {
    ct_peer_id peer;
    ct_datagram_address address;
    float seconds;
    uint32_t size;
    bool is_ok;
} answer;

struct ct_network_transport {
    ct_network_transport_desc desc;
    ct_allocator *allocator;
    ct_network_enet *enet; // NULL in a replay
    uint64_t now_ns, begun_ns;
    bool has_time; // the first update was
    bool restarts; // all waits begin from the next update
    bool has_no_timeouts, refuses;
    ct_network_rates rates; // total 0: bandwidths do not adapt
    uint64_t num_serials;

    connection *connections;
    uint32_t num_slots;
    ct_u32_array free_slots;
    ct_hash_map by_peer; // those being made by us for a known peer, and those that are connected
    ct_hash_map by_key;  // accepted ones, by the start of the connector's key
    uint32_t num_connected, num_half_open, num_ours; // ours: being made

    ct_network_key cookie_secret;
    ct_network_guard hellos, begins;
    uint32_t budget_left; // datagrams of this update
    uint8_t received[CT_NETWORK_WIRE_BYTES + 1];

    ct_ring events;            // queued_event
    ct_byte_array event_bytes; // of packets that are queued
    ct_byte_array given;       // the bytes of the event that was given out last
    ct_ring answers[CT_NETWORK_TAP_DATAGRAM_OUT + 1]; // of a replay
    ct_network_transport_stats stats;
};

// --- network_connection.c ------------------------------------------------------------------------

// Takes a free slot for a connection that begins now, or returns NULL.
connection *ct_network_connection_begin(ct_network_transport *t, ct_datagram_address address);
// Returns the slot of a connection.
uint32_t ct_network_connection_slot(const ct_network_transport *t, const connection *c);
// Returns the id that the other end writes into what it sends.
uint32_t ct_network_connection_id(const ct_network_transport *t, const connection *c);
// Returns the connection with an id, or NULL.
connection *ct_network_connection_of_id(const ct_network_transport *t, uint32_t id);
// Ends a connection at once: nothing is sent or reported.
void ct_network_connection_free(ct_network_transport *t, connection *c);
// Ends a connection that could not be made: reports it when it was wanted here, and frees it.
void ct_network_connection_fail(ct_network_transport *t, connection *c, ct_network_reason reason);
// Returns what we are connecting to at an address, whatever peer is there; NULL when nothing.
connection *ct_network_connection_by_address(const ct_network_transport *t,
                                             ct_datagram_address address);
// Returns the connection of a peer in `by_peer`, or NULL.
connection *ct_network_connection_of_peer(const ct_network_transport *t, ct_peer_id peer);
// Adds a connection to `by_peer`, in place of another.
void ct_network_connection_know(ct_network_transport *t, connection *c);
// Changes the state, keeping count.
void ct_network_connection_set_state(ct_network_transport *t, connection *c,
                                     connection_state state);
// Ends a connected one: reports it, here and to the other end.
void ct_network_connection_end(ct_network_transport *t, connection *c, ct_network_reason reason,
                               ct_network_enet_ending ending);
// Returns the bandwidth of a connection in bytes a second; 0: no limit.
double ct_network_connection_bandwidth(const ct_network_transport *t, const connection *c);
// Begins with the initial bandwidth.
void ct_network_connection_start_rate(const ct_network_transport *t, connection *c);
// What ENet reports, for its desc.
void ct_network_connection_connected(void *data, uint32_t slot);
void ct_network_connection_disconnected(void *data, uint32_t slot, ct_network_reason reason);
// Does what is due: asks again, ends what was silent for too long, counts budgets and losses.
void ct_network_connections_tend(ct_network_transport *t, uint64_t passed_ns);

// --- network_transport.c -------------------------------------------------------------------------

// Sends a datagram, past the tap.
void ct_network_transport_send_datagram(ct_network_transport *t, ct_datagram_address to,
                                        const uint8_t *bytes, uint32_t size);

// --- network_handshake.c -------------------------------------------------------------------------

// Takes a datagram of the handshake from anywhere.
void ct_network_handshake_take(ct_network_transport *t, ct_datagram_address from,
                               const uint8_t *bytes, uint32_t size);
// Sends what a connection of ours waits for an answer to, if it is time.
void ct_network_handshake_ask(ct_network_transport *t, connection *c);

// --- network_events.c ----------------------------------------------------------------------------

// Queues an event of a connection; a packet's bytes are copied.
void ct_network_events_push(ct_network_transport *t, const connection *c,
                            const ct_network_transport_event *event);
// Drops the packets of a connection that are queued.
void ct_network_events_drop_packets(ct_network_transport *t, const connection *c);
// Calls the tap, if there is one, with the time set.
void ct_network_events_tap(const ct_network_transport *t, ct_network_tap *what);
// Takes the next answer that a replay has for a question, or one of zeros.
answer ct_network_events_answer(ct_network_transport *t, ct_network_tap_kind kind, ct_peer_id peer);

// --- network_channel.c ---------------------------------------------------------------------------

// What ENet calls for its datagrams, for its desc.
int32_t ct_network_channel_receive(void *data, uint32_t *slot, uint8_t *bytes, uint32_t capacity);
void ct_network_channel_send(void *data, uint32_t slot, const uint8_t *bytes, uint32_t size);
