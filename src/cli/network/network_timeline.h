// network_timeline.h: a network log as moments, one after the other: what happened, when, with which peer.
#pragma once
#include "network/log/network_log.h"
#include "network/log/network_seen.h"
#include "network/network.h"

typedef enum ct_network_direction {
    CT_NETWORK_IN,
    CT_NETWORK_OUT,
    CT_NETWORK_DIRECTIONS,
    CT_NETWORK_INSIDE = CT_NETWORK_DIRECTIONS, // neither sent nor received
} ct_network_direction;

// In brackets: the members of the moment that are set beside kind, seconds and frame.
typedef enum ct_network_moment_kind {
    CT_NETWORK_MOMENT_NONE,
    CT_NETWORK_MOMENT_FRAME,      // [step]
    CT_NETWORK_MOMENT_PACKET,     // [peer, direction, channel, is_reliable, is_refused, size, text]
    CT_NETWORK_MOMENT_SEEN,       // [peer, direction, seen] what the session had in its packets
    CT_NETWORK_MOMENT_DATAGRAM,   // [peer (0: unknown), direction, size]
    CT_NETWORK_MOMENT_CONNECT,    // [peer (0: any), address] the program asked to connect
    CT_NETWORK_MOMENT_CONNECTED,  // [peer, address]
    CT_NETWORK_MOMENT_DISCONNECT, // [peer, reason] the program asked to disconnect
    CT_NETWORK_MOMENT_DISCONNECTED, // [peer, address, reason]
    CT_NETWORK_MOMENT_STATS,        // [peer, stats]
    CT_NETWORK_MOMENT_NOTE,         // [text] of the game
    CT_NETWORK_MOMENT_KINDS,
} ct_network_moment_kind;

// Something that happened.
typedef struct ct_network_moment {
    ct_network_moment_kind kind;
    double seconds; // since the first frame; not below 0
    uint32_t frame; // from 1; 0: before the first
    ct_peer_id peer;
    ct_network_direction direction;
    double step; // seconds
    ct_network_channel channel;
    bool is_reliable;
    bool is_refused; // sent, but the transport did not take it
    uint32_t size;   // bytes
    ct_network_reason reason;
    ct_datagram_address address;
    const char
        *text; // what a packet is that is not of the session, ""; a note: borrowed as `seen` is
    ct_network_seen seen; // its pointers are valid until the next moment
    ct_network_log_stats stats;
} ct_network_moment;

// A peer and where it was.
typedef struct ct_network_place {
    ct_peer_id peer;
    ct_datagram_address address;
} ct_network_place;

// A log that is read.
typedef struct ct_network_timeline {
    ct_allocator *allocator;
    ct_network_log_reader reader;
    ct_network_config_resource
        *config; // of the log; NULL: `config_error` says why, nothing is seen
    ct_error config_error;
    bool has_first;
    uint64_t first_ns;
    uint32_t frame;
    uint64_t entry_at; // byte of the last entry
    ct_network_log_entry entry;
    ct_network_seen_reader seen;
    CT_ARRAY(ct_network_place) places;
    ct_byte_array note;
    char text[CT_NETWORK_DESCRIBED_BYTES];
} ct_network_timeline;

// Opens a log. Returns false with `error` when it cannot be read, or is no log of this version.
bool ct_network_timeline_open(ct_network_timeline *t, ct_allocator *a, const char *path,
                              ct_error *error);
// As ct_network_timeline_open, of bytes in memory, which are borrowed.
bool ct_network_timeline_open_bytes(ct_network_timeline *t, ct_allocator *a, const void *bytes,
                                    uint64_t size, const char *path, ct_error *error);
// Reads the next moment. Returns false at the end: `error->message` is empty when the log ends with a
// whole entry, else it says at which byte it is damaged.
bool ct_network_timeline_next(ct_network_timeline *t, ct_network_moment *moment, ct_error *error);
// Frees what was read.
void ct_network_timeline_close(ct_network_timeline *t);
