// network_log.h: what went over a program's network, as a file, and read back: to look at it (cuttle
// network log), and to play it into a network again (ct_network_play).
//
// A log holds what the transport's tap saw, in order, with the bytes of packets; of datagrams, which
// are sealed, only their sizes. Beside that it has the network_config, and what the session's
// observer saw: so it can be read without the project, by a program that codes packets in another
// way. Frames of the game are marked, with their step in time. Each entry has a checksum of its own,
// and a program that ends without warning loses at most the last second: a log is good up to its
// end, wherever that is. Format: little-endian, entry_head of network_log.c, network_seen.h.
#pragma once
#include "network/session/network_observer.h"
#include "network/transport/network_transport.h"

typedef struct ct_network_log ct_network_log;

enum {
    CT_NETWORK_LOG_VERSION = 2,
    // Kinds beside those of ct_network_tap_kind: a frame begins.
    CT_NETWORK_LOG_FRAME = 200,
    CT_NETWORK_LOG_NOTE = 201,   // a text of the game
    CT_NETWORK_LOG_CONFIG = 202, // the network_config, as its blob: the first entry
    CT_NETWORK_LOG_SEEN = 203,   // what the session sent to or received from a peer: network_seen.h
    CT_NETWORK_LOG_STATS = 204,  // how good the connection to a peer is
    // The most bytes of these.
    CT_NETWORK_LOG_NOTE_BYTES = 65536,
    CT_NETWORK_LOG_SEEN_BYTES = 65536,
    CT_NETWORK_LOG_CONFIG_BYTES = 64 << 20,
};

// What the start of a log has.
typedef struct ct_network_log_head {
    ct_peer_id self;      // whose log it is
    uint64_t config_hash; // of its network_config
    int64_t begun_ns;     // when it was begun, by the wall clock: since 1970; 0 of create: now
} ct_network_log_head;

// How good a connection is; zeros are unknown.
typedef struct ct_network_log_stats {
    float round_trip;       // seconds, smoothed
    float loss_in;          // of datagrams, 0 to 1, over the last seconds
    float loss_out;         // of ours: how many reliable packets had to be sent again
    uint32_t waiting_bytes; // reliable, sent and not acknowledged
    uint32_t held_back;     // unreliable packets that the bandwidth had no room for, so far
} ct_network_log_stats;

// --- Writing -------------------------------------------------------------------------------------

// Begins a log at `path`, which is emptied, with the config (NULL: without one; then what an observer
// sees is not logged), which is borrowed until the log ends. Returns NULL with `error` when it cannot
// be written.
ct_network_log *ct_network_log_create(ct_allocator *a, const char *path,
                                      const ct_network_log_head *head,
                                      const ct_network_config_resource *config, ct_error *error);
// Adds what a tap sees: ct_network_desc.tap, with the log as its data. When the disk does not take
// it, the log ends there, with an error in the game's log; the game goes on.
void ct_network_log_tap(void *log, const ct_network_tap *what);
// Adds what an observer sees: ct_network_desc.observer, with the log as its data.
void ct_network_log_seen(void *log, const ct_network_seen *what);
// Adds how good the connection to a peer is.
void ct_network_log_add_stats(ct_network_log *log, uint64_t now_ns, ct_peer_id peer,
                              const ct_network_log_stats *stats);
// Adds a frame: the game goes on by `step_seconds`. Writes to the file about once a second.
void ct_network_log_frame(ct_network_log *log, uint64_t now_ns, double step_seconds);
// Adds a text of the game, cut at CT_NETWORK_LOG_NOTE_BYTES: a replay passes over it.
void ct_network_log_note(ct_network_log *log, uint64_t now_ns, const char *text);
// Writes the rest and closes the file; NULL is fine. Returns false with `error` when something could
// not be written.
bool ct_network_log_end(ct_network_log *log, ct_error *error);

// --- Reading -------------------------------------------------------------------------------------

// A log that is read: all of it is in memory.
typedef struct ct_network_log_reader {
    ct_network_log_head head;
    const uint8_t *bytes;
    uint64_t at, size;
    ct_allocator *allocator; // of `owned`
    char *owned;             // the bytes, if they were read from a file
} ct_network_log_reader;

// One entry.
typedef struct ct_network_log_entry {
    uint32_t kind; // ct_network_tap_kind, or one of CT_NETWORK_LOG
    // As the tap saw it; of datagrams `bytes` is NULL. Of a note, a config (aligned to nothing) and
    // what was seen: bytes and size; of the last and of stats, too: peer. Bytes are borrowed from the
    // reader.
    ct_network_tap tap;
    uint64_t now_ns;
    double step_seconds; // of a frame
    ct_network_log_stats stats;
} ct_network_log_entry;

// Reads a log into memory. Returns false with `error` when it is no log, or of another version.
bool ct_network_log_open(ct_allocator *a, const char *path, ct_network_log_reader *reader,
                         ct_error *error);
// As ct_network_log_open, of bytes in memory, which are borrowed; `path` is what errors name.
bool ct_network_log_open_bytes(const void *bytes, uint64_t size, const char *path,
                               ct_network_log_reader *reader, ct_error *error);
// Reads the next entry. Returns false at the end: `error->message` is empty when the log ends with a
// whole entry, else it says at which byte it is damaged or cut.
bool ct_network_log_next(ct_network_log_reader *reader, ct_network_log_entry *entry,
                         ct_error *error);
// Returns whether an entry is one that ct_network_play takes.
bool ct_network_log_is_tap(const ct_network_log_entry *entry);
// Begins again with the first entry.
void ct_network_log_rewind(ct_network_log_reader *reader);
// Frees the bytes that were read.
void ct_network_log_close(ct_network_log_reader *reader);
