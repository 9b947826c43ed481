// network_traffic.h: sums over a log: by peer, by what was sent, by object, over time.
//
// A row is what of one kind went one way with one peer: a field of an object type, a message, what
// packets need around that. The rows of a connection add up to the bytes of its packets but for
// `other`, which is what the session did not take.
#pragma once
#include "cli/network/network_filter.h"
#include "foundation/container/hash_map.h"

typedef enum ct_network_row_kind {
    CT_NETWORK_ROW_FIELD,   // values of a field [record, field]
    CT_NETWORK_ROW_OBJECT,  // of objects in packets, beside values: base, which fields [record]
    CT_NETWORK_ROW_CREATE,  // created, or with a new owner, with all values [record]
    CT_NETWORK_ROW_GIVE,    // asked for another owner [record]
    CT_NETWORK_ROW_DESTROY, // [record]
    CT_NETWORK_ROW_MESSAGE, // [record]
    CT_NETWORK_ROW_PACKET,  // heads of packets of fields: numbers, acknowledgements, ids
    CT_NETWORK_ROW_CONTROL, // of the session: joining, peers, hosts [name]
    CT_NETWORK_ROW_LOBBY,
    CT_NETWORK_ROW_GREETING, // and ends of parts in a session
    CT_NETWORK_ROW_OTHER,
    CT_NETWORK_ROW_KINDS,
} ct_network_row_kind;

// Bits in a stretch of time.
typedef struct ct_network_bucket {
    uint32_t index;
    uint64_t bits;
} ct_network_bucket;
typedef CT_ARRAY(ct_network_bucket) ct_network_bucket_array; // in the order of the log

// What of one kind went one way with one peer.
typedef struct ct_network_row {
    ct_network_row_kind kind;
    ct_network_direction direction;
    ct_peer_id peer;
    uint32_t record, field; // UINT32_MAX: not of the kind
    char name[CT_NETWORK_SEEN_TEXT_BYTES];
    uint64_t count, bits;
    ct_network_bucket_array buckets;
} ct_network_row;

// One way of a connection.
typedef struct ct_network_way {
    uint64_t packets, bytes, refused; // that the transport took; did not take
    uint64_t datagrams, datagram_bytes;
    uint64_t peak_bytes; // in a second
    uint64_t session_bits, seen_bits;
    uint32_t second;
    uint64_t second_bytes;
    ct_network_bucket_array buckets;
} ct_network_way;

// A peer, and the quality of the connection with it.
typedef struct ct_network_peer_traffic {
    ct_peer_id peer; // 0: datagrams of addresses that are not connected
    ct_datagram_address address;
    double connected_at, ended_at; // seconds; negative: not in the log
    ct_network_reason reason;
    ct_network_way ways[CT_NETWORK_DIRECTIONS];
    uint64_t fields_sent, fields_lost; // packets of fields
    uint64_t num_round_trips;
    double round_trip_sum, round_trip_most; // of acknowledgements
    uint32_t num_stats;
    ct_network_log_stats last, sum; // of stats; the last one, and all of them
} ct_network_peer_traffic;

// One object, with all peers.
typedef struct ct_network_object_traffic {
    ct_network_object_id id;
    uint32_t record;
    uint64_t counts[CT_NETWORK_DIRECTIONS], bits[CT_NETWORK_DIRECTIONS];
} ct_network_object_traffic;

// All of the sums.
typedef struct ct_network_traffic {
    ct_allocator *allocator;
    const ct_network_filter *filter;
    double bucket_seconds;
    double seconds, step_sum; // of the log: its last frame; sum of steps
    double begin, end;        // of what was counted
    uint32_t frames;
    uint64_t num_moments;
    uint64_t num_notes;
    CT_ARRAY(ct_network_row) rows;
    CT_ARRAY(ct_network_peer_traffic) peers;
    CT_ARRAY(ct_network_object_traffic) objects;
    ct_hash_map rows_by_hash, peers_by_id, objects_by_id;
} ct_network_traffic;

enum { CT_NETWORK_MAX_BUCKETS = 1000000 };

// Begins. The filter is borrowed.
void ct_network_traffic_init(ct_network_traffic *t, ct_allocator *a,
                             const ct_network_filter *filter, double bucket_seconds);
// Counts a moment, if the filter takes it.
void ct_network_traffic_add(ct_network_traffic *t, const ct_network_moment *m);
// Ends: adds the rows of kind `other`, sorts rows and objects, those with the most bits first.
void ct_network_traffic_end(ct_network_traffic *t);
// Frees the memory.
void ct_network_traffic_free(ct_network_traffic *t);

// Returns a kind's name for JSON: "field".
const char *ct_network_row_kind_name(ct_network_row_kind kind);
// Writes what a row is: "player.position", "message done".
void ct_network_row_name(const ct_network_row *row, const ct_network_config_resource *config,
                         char *text, uint32_t bytes);
// Returns how long it was counted, in seconds.
double ct_network_traffic_seconds(const ct_network_traffic *t);
