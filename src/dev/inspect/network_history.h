// network_history.h: the last things that a network's session sent and received, for tools.
//
// A ring of 8,192 entries (about 1.7 MB, made with the first); the oldest go. Only while it is asked for: the
// first question begins it, and it ends when no client has asked for 10 seconds, so that a session that no
// tool looks at does no more than before. Update thread.
#pragma once
#include "foundation/memory/allocator.h"
#include "network/session/network_observer.h"
#include "script/network/script_network.h"

enum { CT_NETWORK_HISTORY_ENTRIES = 8192, CT_NETWORK_HISTORY_SECONDS = 10 };

typedef struct ct_network_history ct_network_history;

// What was seen, without values (network_observer.h).
typedef struct ct_network_history_entry {
    double seconds;      // by the clock of the network
    ct_peer_id peer;     // the other end
    uint64_t fields;     // a bit for each field that was sent
    const char *control; // static; NULL: not of the kind CONTROL
    uint32_t bits, object, record;
    uint8_t kind; // ct_network_seen_kind
    bool is_sent, is_reliable, is_dropped;
    uint16_t field_bits[CT_NETWORK_MAX_FIELDS]; // of `fields`, by field
} ct_network_history_entry;

// Makes a history that does not record, and frees it (NULL is fine): once no network is watched by it, or
// the networks have ended.
ct_network_history *ct_network_history_create(ct_allocator *a);
void ct_network_history_destroy(ct_network_history *h);

// Records the network of a script environment, now and for CT_NETWORK_HISTORY_SECONDS more.
void ct_network_history_ask(ct_network_history *h, ct_script *s, uint64_t now_ns);

// Ends the recording when it is time. Call it each frame.
void ct_network_history_update(ct_network_history *h, ct_script *s, uint64_t now_ns);

// Forgets the network without touching it: it has ended.
void ct_network_history_end(ct_network_history *h);

// Returns the number of the oldest entry, from 1, and of the next one.
uint64_t ct_network_history_first(const ct_network_history *h);
uint64_t ct_network_history_next(const ct_network_history *h);

// Returns an entry that is kept, borrowed until the session next sends or receives.
const ct_network_history_entry *ct_network_history_entry_at(const ct_network_history *h,
                                                            uint64_t number);
