// network_observer.h: what a session sends and receives, decoded, for logs (network/log).
//
// A session with an observer reports each message, each object of a packet of fields, and each
// packet of fields behind its objects, at the time at which it writes or reads them. So the report is
// right whatever the coding is: against which base, with which prediction.
#pragma once
#include "network/fields/network_record.h"
#include "network/network_link.h"

// In brackets: the members of ct_network_seen that are set beside kind, peer, is_sent and bits.
typedef enum ct_network_seen_kind {
    CT_NETWORK_SEEN_NONE,
    // An object in a packet of fields [object, record, fields, words, field_bits].
    CT_NETWORK_SEEN_FIELDS,
    // A packet of fields [is_dropped, number, acknowledged, num_entries, time, round_trip]. Its bits
    // are without those of its objects.
    CT_NETWORK_SEEN_PACKET,
    // A packet of fields that was sent has not arrived [number, num_entries]; bits is 0.
    CT_NETWORK_SEEN_LOST,
    // Reliable messages about objects. OBJECT: it was created, has another owner, or is of the first
    // words for a peer that joins [object, record, to: its owner, fields, words, field_bits]. GIVE: its
    // owner asks for another one [the same]. DESTROY [object, record].
    CT_NETWORK_SEEN_OBJECT,
    CT_NETWORK_SEEN_GIVE,
    CT_NETWORK_SEEN_DESTROY,
    // A message of the game [is_reliable, record, from, to, fields, words, field_bits].
    CT_NETWORK_SEEN_MESSAGE,
    // Another reliable message of the session [control].
    CT_NETWORK_SEEN_CONTROL,
    CT_NETWORK_SEEN_KINDS,
} ct_network_seen_kind;

// One thing that was sent to a peer, or received from it. All pointers are borrowed for the call.
typedef struct ct_network_seen {
    ct_network_seen_kind kind;
    ct_peer_id peer; // the other end: of a client always the host
    bool is_sent, is_reliable;
    bool is_dropped;     // received, and of no use: late, or about what has changed meanwhile
    uint32_t bits;       // that it takes in its packet
    uint32_t object;     // ct_network_object_id
    uint32_t record;     // index in the config's objects, or of a message in its messages
    ct_peer_id from, to; // peers of the session; 0: unknown, or `to` all others
    // A bit for each field whose value is sent, the first is the lowest: others are as in the base.
    uint64_t fields;
    const uint32_t *words;      // of the whole record
    const uint16_t *field_bits; // by field; set for `fields` alone
    uint32_t number;            // of the packet, from 1
    uint32_t acknowledged;      // the last packet of the other direction that had arrived; 0: none
    uint32_t num_entries;       // objects of the packet
    uint32_t time;              // of the session, in ms, by the sender's clock
    float round_trip;           // seconds to the acknowledged packet; 0: unknown
    const char *control;        // its kind: "welcome"; static
} ct_network_seen;

// Called with what a session sends and receives; NULL: nothing is reported. It must not call the
// session.
typedef struct ct_network_observer {
    void (*seen)(void *data, const ct_network_seen *what);
    void *data;
} ct_network_observer;
