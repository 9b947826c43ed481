// network_log.h: what went over a program's network, as a file, and read back: to look at it, and to
// play it into a network again (ct_network_play).
//
// A log holds what the transport's tap saw, in order, with the bytes of packets; of datagrams, which
// are sealed, only their sizes. Frames of the game are marked, with their step in time. Each entry
// has a checksum of its own, and a program that ends without warning loses at most the last second:
// a log is good up to its end, wherever that is. Format: little-endian, entry_head of network_log.c.
#pragma once
#include "network/transport/network_transport.h"

typedef struct ct_network_log ct_network_log;

enum {
    CT_NETWORK_LOG_VERSION = 1,
    // Kinds beside those of ct_network_tap_kind: a frame begins.
    CT_NETWORK_LOG_FRAME = 200,
    CT_NETWORK_LOG_NOTE = 201,         // a text of the game
    CT_NETWORK_LOG_NOTE_BYTES = 65536, // the most of it
};

// What the start of a log has.
typedef struct ct_network_log_head {
    ct_peer_id self;      // whose log it is
    uint64_t config_hash; // of its network_config
} ct_network_log_head;

// --- Writing -------------------------------------------------------------------------------------

// Begins a log at `path`, which is emptied. Returns NULL with `error` when it cannot be written.
ct_network_log *ct_network_log_create(ct_allocator *a, const char *path,
                                      const ct_network_log_head *head, ct_error *error);
// Adds what a tap sees: ct_network_desc.tap, with the log as its data. When the disk does not take
// it, the log ends there, with an error in the game's log; the game goes on.
void ct_network_log_tap(void *log, const ct_network_tap *what);
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
    uint32_t kind; // ct_network_tap_kind, CT_NETWORK_LOG_FRAME or CT_NETWORK_LOG_NOTE
    // As the tap saw it; of datagrams `bytes` is NULL. Of a note: bytes and size alone. Bytes are borrowed from the reader.
    ct_network_tap tap;
    uint64_t now_ns;
    double step_seconds; // of a frame
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
// Begins again with the first entry.
void ct_network_log_rewind(ct_network_log_reader *reader);
// Frees the bytes that were read.
void ct_network_log_close(ct_network_log_reader *reader);
