// network_session.h: a game shared by peers: its objects, their fields, messages, the host.
//
// Each object belongs to one peer, which alone changes its fields; the others get the changes. All
// peers are connected to the session's host, which forwards. Creation, destruction, owners and
// reliable messages come in one order at each peer. Changes of fields come over packets that may be
// lost, against words that the other end has acknowledged, the most urgent first, so that in the
// end all peers have the same words.
//
//     ct_network_session_host(s, now, NULL);                      // or _join
//     ... the owner of the link calls _connected, _disconnected, _receive ...
//     ct_network_session_update(s, now);                          // waits; makes the events ready
//     events = ct_network_session_events(s, &count);
//     ... the game changes fields, creates objects, sends messages ...
//     ct_network_session_transmit(s, now);
//
// Bytes from peers are checked: a peer that sends what is not of the protocol is disconnected with
// CT_NETWORK_REASON_BROKEN and a line in the log. Times are in seconds of one clock of the caller,
// which never goes back. One thread.
#pragma once
#include "foundation/math/math_types.h"
#include "network/fields/network_record.h"
#include "network/network_link.h"
#include "network/session/network_observer.h"

typedef struct ct_network_session ct_network_session;

// The number of an object, the same at all peers and never used twice in a session: 12 bits of the
// slot of the peer that created it, 20 bits of count. 0 is no object.
typedef uint32_t ct_network_object_id;

enum {
    CT_NETWORK_SESSION_MAX_PEERS = 256,
    CT_NETWORK_SESSION_MAX_SLOTS = 4096, // peers that join in the life of a session
};

// What a session needs. Zeros are defaults.
typedef struct ct_network_session_desc {
    ct_allocator *allocator;                  // borrowed, outlives the session
    const ct_network_config_resource *config; // borrowed, outlives the session
    ct_network_link link;                     // its `data` outlives the session
    uint32_t max_peers;                       // with the host; 0: 16
    uint32_t max_objects_of_peer;             // that one peer may own; 0: 4,096
    uint32_t rate;                            // packets of fields a second to each peer; 0: 30
    float wait_seconds;                       // for an answer to joining, for a joiner; 0: 10
    float migration_seconds;                  // for each peer that may be the next host; 0: 5
    bool has_no_migration;                    // of a host: the session ends with it
    bool is_closed;                           // of a host: only peers that were added may join
    ct_network_observer observer;             // of what is sent and received; {0}: none
} ct_network_session_desc;

typedef enum ct_network_session_state {
    CT_NETWORK_SESSION_IDLE,      // neither hosts nor joins
    CT_NETWORK_SESSION_JOINING,   // waits for the host, or for all of its objects
    CT_NETWORK_SESSION_IN,        // has all objects
    CT_NETWORK_SESSION_MIGRATING, // the host is lost, the next is being found
    CT_NETWORK_SESSION_ENDED,     // left, kicked, or the host is gone
} ct_network_session_state;

// What happened, in order. In brackets: the members of the event that are set beside `type`.
typedef enum ct_network_event_type {
    CT_NETWORK_EVENT_NONE,
    CT_NETWORK_EVENT_PEER_ASKS,         // [peer] wants to join a closed session; add or refuse it
    CT_NETWORK_EVENT_PEER_JOINED,       // [peer]
    CT_NETWORK_EVENT_PEER_SYNCHRONIZED, // [peer] has all objects; of itself: the game may begin
    CT_NETWORK_EVENT_PEER_LEFT,         // [peer, reason]
    CT_NETWORK_EVENT_CREATED,           // [object, record, peer: its owner] by another peer
    CT_NETWORK_EVENT_DESTROYED,         // [object, record, peer: its last owner] by another peer
    CT_NETWORK_EVENT_OWNER,             // [object, record, peer: its new owner]
    CT_NETWORK_EVENT_OWNER_REFUSED,     // [object, record] it did not get the owner it was given
    CT_NETWORK_EVENT_FIELDS,            // [object, record, fields, time]
    CT_NETWORK_EVENT_MESSAGE,           // [peer: its sender, record, words, num_words]
    CT_NETWORK_EVENT_HOST,              // [peer: the new host] after a migration
    CT_NETWORK_EVENT_BROKEN,            // [peer, reason, why] the connection with it ended
    CT_NETWORK_EVENT_ENDED,             // [reason] the session is over for this program
    CT_NETWORK_EVENT_TYPES,
} ct_network_event_type;

typedef struct ct_network_event {
    ct_network_event_type type;
    ct_network_reason reason;
    ct_peer_id peer;
    ct_network_object_id object; // may be destroyed by a later event
    uint32_t record;             // index of the object's or message's type in the config
    uint64_t fields;             // a bit for each field that changed, the first is the lowest
    uint32_t time;               // of the session, ms, at which their owner had the fields
    uint32_t num_words;
    const uint32_t *words; // of a message; borrowed as the events are
    const char *why;       // what the peer sent that is not of the protocol; static; or NULL
} ct_network_event;

// What a session has sent and received since it was made.
typedef struct ct_network_session_counts {
    uint64_t reliable_bytes, state_bytes; // sent
    uint64_t state_packets, entries;      // sent; an entry is one object in one packet
    uint64_t lost_entries;                // sent again, as their packet did not arrive
    uint64_t dropped_packets;             // received, and of no use: late, stale, of an old host
    uint64_t held_messages; // unreliable, not sent: the bandwidth had no room for them in time
} ct_network_session_counts;

// --- Life cycle ----------------------------------------------------------------------------------

// Makes an idle session. A limit of the desc that is out of range is a bug.
ct_network_session *ct_network_session_create(const ct_network_session_desc *desc);

// Frees it (NULL is fine), without a word to the other peers: leave first.
void ct_network_session_destroy(ct_network_session *s);

// Makes this program the host of a new session. Returns false with `error` unless the session is
// idle or ended; objects of the ended one are removed.
bool ct_network_session_host(ct_network_session *s, double now, ct_error *error);

// Begins to join the session of a host; its address may be NULL when it is connected. What becomes
// of it are events: CREATED for each object, then PEER_SYNCHRONIZED of this peer; or ENDED. Returns
// false with `error` unless the session is idle or ended.
bool ct_network_session_join(ct_network_session *s, ct_peer_id host, const char *address,
                             double now, ct_error *error);

// Leaves in order, at once. A host gives the session to the next peer if migration is on.
void ct_network_session_leave(ct_network_session *s, double now);

// Ends the session for all peers. Called of a client: as _leave.
void ct_network_session_shut_down(ct_network_session *s, double now);

// As the host: gives the hosting to a synchronized peer (0: that with the lowest slot), and goes on
// as a client. Reliable messages on their way at that time may be lost. Returns false with `error`
// when it is no host, when migration is off, or when there is no such peer.
bool ct_network_session_migrate(ct_network_session *s, ct_peer_id to, double now, ct_error *error);

// As the host: lets a peer in that asks, or will ask, to join a closed session. At most 256 wait.
bool ct_network_session_add_peer(ct_network_session *s, ct_peer_id peer, double now,
                                 ct_error *error);

// As the host: ends a peer's part in the session, or refuses what asked. The peer gets `reason`.
// Returns false when there is no such peer, or it is this one.
bool ct_network_session_kick(ct_network_session *s, ct_peer_id peer, ct_network_reason reason,
                             double now);

// Turns all waits of the session off, as while a program is in a debugger, or on.
void ct_network_session_set_timeouts(ct_network_session *s, bool are_on);

// --- What the owner of the link calls ------------------------------------------------------------

// A peer is connected, whichever end began it; packets that came before this call are dropped.
void ct_network_session_connected(ct_network_session *s, ct_peer_id peer, double now);

// A connection ended or could not be made. Unknown peers: nothing happens.
void ct_network_session_disconnected(ct_network_session *s, ct_peer_id peer,
                                     ct_network_reason reason, double now);

// Takes a packet of CT_NETWORK_SESSION or CT_NETWORK_STATE; any bytes are allowed. May send, and
// may end the peer's connection.
void ct_network_session_receive(ct_network_session *s, ct_peer_id peer, ct_network_channel channel,
                                const void *bytes, uint32_t size, double now);

// --- Each frame ----------------------------------------------------------------------------------

// Ends waits that took too long, goes on with migrations, and makes all that happened since the
// last update readable as events.
void ct_network_session_update(ct_network_session *s, double now);

// Returns what happened, in order; borrowed until the next update.
const ct_network_event *ct_network_session_events(const ct_network_session *s, uint32_t *count);

// Sends what is reliable, and changes of fields as far as rate and bandwidth allow.
void ct_network_session_transmit(ct_network_session *s, double now);

// --- What it is ----------------------------------------------------------------------------------

// Return the state, and why it ended.
ct_network_session_state ct_network_session_state_of(const ct_network_session *s);
ct_network_reason ct_network_session_end_reason(const ct_network_session *s);

// Return the host's peer, this program's, and its slot (0: it has none yet).
ct_peer_id ct_network_session_host_peer(const ct_network_session *s);
ct_peer_id ct_network_session_self(const ct_network_session *s);
uint32_t ct_network_session_slot(const ct_network_session *s);

// Returns whether this program is the host.
bool ct_network_session_is_host(const ct_network_session *s);

// Writes up to `most` peers, in the order of their slots, this one and the host among them. Returns
// how many there are. Filters: all; only those that have all objects; only those that wait for them.
typedef enum ct_network_peer_filter {
    CT_NETWORK_PEERS_ALL,
    CT_NETWORK_PEERS_SYNCHRONIZED,
    CT_NETWORK_PEERS_SYNCHRONIZING,
} ct_network_peer_filter;
uint32_t ct_network_session_peers(const ct_network_session *s, ct_network_peer_filter filter,
                                  ct_peer_id *peers, uint32_t most);

// Returns the time of the session in ms, alike at all peers within the error of the clock. It is
// the time in the events of fields.
uint32_t ct_network_session_time(ct_network_session *s, double now);

// Returns the config that the session was made with, borrowed.
const ct_network_config_resource *ct_network_session_config(const ct_network_session *s);

// Returns what was sent so far.
ct_network_session_counts ct_network_session_counts_of(const ct_network_session *s);

// --- Objects -------------------------------------------------------------------------------------

// Creates an object of type `type` (index in the config) that this peer owns, with `words` (NULL:
// the defaults). Returns 0 with `error` when this peer is not in a session, or has too many.
ct_network_object_id ct_network_session_create_object(ct_network_session *s, uint32_t type,
                                                      const uint32_t *words, ct_error *error);

// Destroys an object of this peer. Returns false with `error` when it is unknown or another's.
// While the session migrates it stays visible until that is done.
bool ct_network_session_destroy_object(ct_network_session *s, ct_network_object_id id,
                                       ct_error *error);

// Gives an object to another peer (or this one). The owner asks the host, and cannot change the
// object until OWNER or OWNER_REFUSED comes; the host decides at once, also about objects of others.
bool ct_network_session_give_object(ct_network_session *s, ct_network_object_id id, ct_peer_id to,
                                    ct_error *error);

// Sets a field of an object of this peer (ct_network_record_set). Returns false with `error` when
// it is another's, is being given away, or does not take the value; nothing has changed then.
bool ct_network_session_set_field(ct_network_session *s, ct_network_object_id id, uint32_t field,
                                  uint32_t element, const ct_network_value *value, ct_error *error);

// Sets all words of an object of this peer at once, under the same conditions.
bool ct_network_session_set_words(ct_network_session *s, ct_network_object_id id,
                                  const uint32_t *words, ct_error *error);

// Returns an object's words, borrowed until the session next changes; NULL: unknown.
const uint32_t *ct_network_session_words(const ct_network_session *s, ct_network_object_id id);

// Return the type (UINT32_MAX: unknown) and the owner (0: unknown) of an object.
uint32_t ct_network_session_object_type(const ct_network_session *s, ct_network_object_id id);
ct_peer_id ct_network_session_object_owner(const ct_network_session *s, ct_network_object_id id);

// Writes up to `most` ids of the objects of a peer (0: of all), smallest first. Returns how many
// there are. O(n log n) of all objects.
uint32_t ct_network_session_objects(const ct_network_session *s, ct_peer_id owner,
                                    ct_network_object_id *ids, uint32_t most);

// Sets how urgent changes of an object are for a peer that this one sends to, beside its type's
// priority: 1 is usual, 0: the peer gets none. Returns false when object or peer is unknown.
bool ct_network_session_set_priority(ct_network_session *s, ct_network_object_id id,
                                     ct_peer_id peer, float priority);

// As the host: sets where a peer looks, for types with a position and a distance: the closer, the
// more urgent; beyond the distance nothing is sent. NULL: everywhere, as before the first call.
bool ct_network_session_set_interest(ct_network_session *s, ct_peer_id peer,
                                     const ct_vec3 *position);

// --- Messages ------------------------------------------------------------------------------------

// Sends a message with its arguments to a peer, or to all others (0). Reliable ones come once, in
// order with objects; others once or never. Where bandwidth is short, unreliable ones wait for a
// fourth of a second at most; those of the highest priority go first, in their order, and those
// below 1 when no field of an object waits. Returns false with `error` when the session is not in
// (also while it migrates), or the peer is unknown or this one.
bool ct_network_session_send(ct_network_session *s, ct_peer_id to, uint32_t message,
                             const uint32_t *words, ct_error *error);

// --- States, for tests of games ------------------------------------------------------------------

// Returns a hash of all objects: ids, owners, types, words. Equal at peers that agree.
uint64_t ct_network_session_state_hash(const ct_network_session *s);

// Appends the state that the hash is of to `out`: for another node, to compare.
typedef CT_ARRAY(uint8_t) ct_network_state_bytes;
void ct_network_session_write_state(const ct_network_session *s, ct_network_state_bytes *out);

// The first difference of two states, in the order of ids.
typedef struct ct_network_state_difference {
    ct_network_object_id object;
    uint32_t type;      // its type; UINT32_MAX: no object differs
    uint32_t field;     // UINT32_MAX: existence, type or owner differ
    char text[2][256];  // of each state: the value, cut
    char message[1024]; // a sentence with all of it
} ct_network_state_difference;

// Compares two states of the same config. Returns true when they are equal; else false, with the
// first difference, or with a message alone when bytes are not a state.
bool ct_network_session_compare(const ct_network_config_resource *config, const void *a,
                                uint64_t a_bytes, const void *b, uint64_t b_bytes,
                                ct_network_state_difference *difference);
