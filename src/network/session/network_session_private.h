// network_session_private.h: the data of a session, and what its files call of each other.
//
// Objects are places in arrays, kept while they live. Their words are rows of one block for each
// type. What differs by peer is in the stream of that peer: arrays by the same places, blocks by the
// same rows. A client has one stream, to the host; a host has one for each other peer.
//
// A version is a number of an object's words at this node; it changes with them and is never 0. A
// stream has sent the words of `sent[place]`: where that is the object's version, nothing is to do.
#pragma once
#include "foundation/container/array.h"
#include "foundation/container/hash_map.h"
#include "foundation/container/sort.h"
#include "network/fields/network_clock.h"
#include "network/session/network_session.h"

enum {
    CT_NETWORK_PROTOCOL = 2, // of session packets; both ends must have the same
    CT_NETWORK_COUNT_BITS = 20,
    CT_NETWORK_SLOT_BITS = 12,
    CT_NETWORK_MAX_COUNT = (1 << CT_NETWORK_COUNT_BITS) - 1,
    CT_NETWORK_HISTORY = 32, // received words that are kept of an object, beside the base
    CT_NETWORK_KEPT = 32,    // words that were sent, kept of an object of a type that moves
    CT_NETWORK_ACKED = 16,   // of them, that a stream knows to have arrived
    CT_NETWORK_SENT = 128,   // packets of fields whose fate is open
    CT_NETWORK_TICKS = 16,   // times of words are in sixteenths of a millisecond
    CT_NETWORK_ACK_BITS = 32,
    CT_NETWORK_MESSAGE_BYTES = 2048,     // of one reliable message; a record needs 1,100
    CT_NETWORK_BATCH_BYTES = 16384,      // of reliable messages in a packet
    CT_NETWORK_MAX_EVENTS = 65536,       // in an update
    CT_NETWORK_MAX_WORDS_HELD = 4 << 20, // of messages in an update
    CT_NETWORK_MAX_VISITORS = 32,        // connected peers that ask for something
    CT_NETWORK_TYPE_BITS = 10,
    CT_NETWORK_COUNT_GROUP = 6, // bits of the number of objects in a packet
};

// Kinds of reliable messages, each in a direction: to the host, from it, both.
typedef enum ct_network_kind_of_message {
    CT_NETWORK_SAY_NONE,
    // To the host.
    CT_NETWORK_SAY_ASK,     // version: wants to join
    CT_NETWORK_SAY_GOT_ALL, // has the snapshot
    CT_NETWORK_SAY_LEAVE,
    CT_NETWORK_SAY_GIVE,    // object, its owner's version, slot of the new owner, words
    CT_NETWORK_SAY_HELLO,   // session, slot: of a peer that lost the host
    CT_NETWORK_SAY_KNOWN,   // object that another owns, its owner's version
    CT_NETWORK_SAY_CLAIMED, // all claims were sent; next count, next slot
    // Both ways.
    CT_NETWORK_SAY_OBJECT,  // object, type, owner, its version, words
    CT_NETWORK_SAY_DESTROY, // object, its owner's version
    CT_NETWORK_SAY_MESSAGE, // slot (to, or from), type, words
    // From the host.
    CT_NETWORK_SAY_WELCOME, // session, epoch, slot, slot of the host, next slot, flags, time
    CT_NETWORK_SAY_PEER,    // slot, peer, flags, address
    CT_NETWORK_SAY_PEER_LEFT,
    CT_NETWORK_SAY_ALL_SENT, // end of the snapshot
    CT_NETWORK_SAY_REFUSED,  // object whose owner stays
    CT_NETWORK_SAY_ENDED,    // reason: the session is over for the receiver
    CT_NETWORK_SAY_MIGRATE,  // slot of the next host, whether the sender stays
    CT_NETWORK_SAY_ACCEPT,   // to a HELLO: send claims
    CT_NETWORK_SAY_NOT_HOST, // to a HELLO: ask another
    CT_NETWORK_SAYS,
} ct_network_kind_of_message;

// Kinds of packets of CT_NETWORK_STATE: the first byte.
enum { CT_NETWORK_PACKET_FIELDS = 1, CT_NETWORK_PACKET_MESSAGES = 2 };

// --- Objects -------------------------------------------------------------------------------------

typedef struct ct_network_session_object {
    ct_network_object_id id; // 0: the place is free
    uint32_t owner_version;  // counts changes of the owner
    uint32_t row;            // in the rows of its type
    uint32_t history;        // row of what was received; UINT32_MAX: this peer owns it
    uint32_t kept;           // row of what was sent; UINT32_MAX: nothing yet
    uint64_t time;           // of another's words: ticks of the session at their owner
    uint16_t type, owner;    // the slot of the owner
    bool is_giving;          // the host was asked for another owner
    bool is_unsent;          // created while the session migrates
    bool is_doomed;          // destroyed while the session migrates
    bool is_seen;            // in the snapshot that is being received, or claimed by its owner
} ct_network_session_object;

// The words of all objects of a type. A history is CT_NETWORK_HISTORY + 1 rows of words and as many
// numbers and times of packets: first the base that the sender used last (number 0: reliable
// words), then a ring; `cursors` is the next place in it. What was sent to any peer is a ring of
// CT_NETWORK_KEPT words; `kept_counts` is how many there were, `kept_versions` the last's version.
typedef struct ct_network_session_rows {
    uint32_t num_words;
    ct_u32_array words, free_rows;
    ct_u32_array history_words, history_numbers, history_times, cursors, free_histories;
    ct_u32_array kept_words, kept_counts, kept_versions, free_kept;
    uint32_t num_rows, num_histories, num_kept;
    bool moves; // has fields that a base can be moved on with
} ct_network_session_rows;

typedef struct ct_network_session_objects_table {
    CT_ARRAY(ct_network_session_object) items;
    ct_u32_array versions; // 0: free
    ct_u32_array free_places;
    ct_hash_map by_id;
    ct_network_session_rows *rows; // of each type
    uint32_t count;
    uint32_t num_owned[CT_NETWORK_SESSION_MAX_SLOTS]; // by slot of the owner
} ct_network_session_objects_table;

// --- Streams -------------------------------------------------------------------------------------

// What a stream knows of one object. The base is words that the other end has.
typedef struct ct_network_sent_object {
    uint32_t base;      // number of the packet with the base; 0: reliable words
    uint32_t num_sends; // in packets
    uint32_t known_at;  // number of the reliable packet after which the other end has it
    uint32_t num_acked; // since the base was reliable words; the last is the base
    float priority;
    double last_sent;
} ct_network_sent_object;

// Words that the other end has got.
typedef struct ct_network_acked {
    uint32_t number; // of the packet
    uint32_t kept;   // count in the object's ring of what was sent
    uint32_t time;   // ticks, the lowest 32 bits
    uint32_t num_sends;
} ct_network_acked;

typedef CT_ARRAY(ct_network_acked) ct_network_acked_array;

// An object in a packet that is on its way; its words are in `words` of the packet.
typedef struct ct_network_sent_entry {
    ct_network_object_id id;
    uint32_t place, version, owner_version, num_sends, first_word;
    uint32_t kept, time;
} ct_network_sent_entry;

// What the words of an entry are written against: words that arrived with a packet, moved on from
// older ones if there are any; number 0: reliable words.
typedef struct ct_network_source {
    ct_network_acked base, older; // number 0: none
} ct_network_source;

typedef struct ct_network_sent_packet {
    uint32_t number; // 0: its fate is known
    double sent_at;
    CT_ARRAY(ct_network_sent_entry) entries;
    ct_u32_array words;
} ct_network_sent_packet;

// An unreliable message that waits for bandwidth.
typedef struct ct_network_waiting_message {
    uint32_t first, size; // in the bytes; size 0: it went
    uint32_t epoch;       // of the session, when it was sent
    float priority;
    double since;
} ct_network_waiting_message;

typedef enum ct_network_stage {
    CT_NETWORK_STAGE_VISITOR,   // connected, has not asked
    CT_NETWORK_STAGE_ASKED,     // waits to be let in
    CT_NETWORK_STAGE_HELLO,     // lost its host, waits that this peer is the next
    CT_NETWORK_STAGE_CLAIMING,  // says what it owns
    CT_NETWORK_STAGE_SYNCING,   // gets the snapshot
    CT_NETWORK_STAGE_IN,        // of the session
    CT_NETWORK_STAGE_HOST,      // this peer's host
    CT_NETWORK_STAGE_CANDIDATE, // may become this peer's host
} ct_network_stage;

typedef struct ct_network_stream {
    ct_peer_id peer;
    ct_network_stage stage;
    uint32_t slot;     // of the peer; 0: not of the session
    double give_up_at; // patience at which it is ended; 0: never
    // Reliable messages.
    ct_network_state_bytes out;                                // not sent yet
    uint32_t reliable_sent, reliable_received, reliable_known; // packets; known: the other has them
    // Unreliable messages that wait, and their bodies.
    CT_ARRAY(ct_network_waiting_message) waiting;
    ct_network_state_bytes waiting_bytes;
    // Fields, sending.
    uint32_t next_number, first_open; // of packets
    uint32_t num_open;                // with entries, whose fate is open
    ct_network_sent_packet *packets;  // CT_NETWORK_SENT, by number
    ct_u32_array sent;                // by place: version
    CT_ARRAY(ct_network_sent_object) objects;
    ct_u32_array *base_words; // by type, rows as the type's
    // By type, those that move: rings of CT_NETWORK_ACKED, rows as the type's.
    ct_network_acked_array *acked;
    double last_packet;
    bool has_interest;
    ct_vec3 interest;
    // Fields, receiving.
    uint32_t received;      // number of the last packet
    uint32_t received_bits; // which were taken; the lowest is the last
    double received_at;     // the last packet
    bool must_answer;
} ct_network_stream;

// --- Session -------------------------------------------------------------------------------------

typedef struct ct_network_session_peer {
    ct_peer_id id;
    uint32_t slot;
    uint32_t last_count; // of the ids that it made, at the host
    bool is_synchronized;
    bool is_absent; // in the session, but not connected to the new host yet
    bool is_lost;   // absent, and not expected
    bool is_tried;  // was asked to be the next host
    bool is_seen;   // in the snapshot that is being received
    char address[CT_NETWORK_ADDRESS_BYTES];
} ct_network_session_peer;

typedef struct ct_network_candidate {
    uint32_t place;
    uint32_t first_bit, num_bits; // in the bodies
    uint32_t first_word;          // in the words
    uint32_t age;                 // ticks
    ct_network_source source;     // that its body is written against
} ct_network_candidate;

typedef CT_ARRAY(ct_network_event) ct_network_session_events_array;
typedef CT_ARRAY(ct_sort_item32) ct_network_urgent_array;

struct ct_network_session {
    ct_allocator *allocator;
    ct_network_session_desc desc;
    const ct_network_record_type *types, *messages;
    uint32_t num_types, num_messages;
    ct_network_session_state state;
    ct_network_reason end_reason;
    double now, updated_at;
    double patience;        // a clock that rests while timeouts are off
    double host_clock;      // as the host: the session's time less this program's
    ct_network_clock clock; // as a client: the session's time
    bool has_timeouts, has_migration;
    uint32_t num_hosted;
    // The session that it is in.
    uint64_t session;
    uint32_t epoch; // counts hosts
    uint32_t slot, host_slot, next_slot, last_count;
    ct_peer_id host; // known from joining on
    char host_address[CT_NETWORK_ADDRESS_BYTES];
    double give_up_at;       // patience at which joining, or a candidate, is given up; 0: never
    double gather_until;     // patience at which a new host stops to wait for peers; 0: it does not
    uint32_t preferred_slot; // of the next host; 0: the lowest
    CT_ARRAY(ct_network_session_peer) peers; // in the order of slots
    CT_ARRAY(ct_network_stream *) streams;
    ct_u64_array connected, allowed;
    ct_network_session_objects_table objects;
    // What happened: of this update, and what the game reads.
    ct_network_session_events_array events, read_events;
    ct_u32_array event_words, read_event_words; // a message's `num_words` words, in order
    // Scratch.
    uint8_t message[CT_NETWORK_MESSAGE_BYTES];
    uint32_t words[CT_NETWORK_MAX_WORDS], predicted[CT_NETWORK_MAX_WORDS];
    ct_network_state_bytes bodies;
    ct_network_urgent_array urgent, urgent_scratch;
    CT_ARRAY(ct_network_candidate) chosen;
    ct_u32_array chosen_words;
    uint64_t ticks;          // of the packets that are being sent
    ct_network_source usual; // of most of their entries
    ct_network_session_counts counts;
    uint64_t observed_bits; // of objects in the packet of fields that is read or written
};

// What a packet of fields has before its objects; numbers are their lowest 16 bits.
typedef struct ct_network_fields_header {
    bool has_received, has_ages;
    uint32_t epoch, number, received, held, received_bits, reliable, time; // time: ms
    uint64_t ticks;                                                        // the time in ticks
    uint32_t usual_back, older_back; // of the usual base, and of the older one from that; 0: none
} ct_network_fields_header;

// Reads one kind of message. Returns NULL, or what is wrong with it: the stream is then broken. The
// stream may be gone afterwards.
typedef const char *ct_network_reader(ct_network_session *s, ct_network_stream *stream,
                                      ct_bit_reader *r);

// --- network_session.c ---------------------------------------------------------------------------

// Returns the time of the session in ticks: CT_NETWORK_TICKS a millisecond.
uint64_t ct_network_session_ticks(ct_network_session *s, double now);
// Appends an event; the pointer is valid until the next.
ct_network_event *ct_network_session_event(ct_network_session *s, ct_network_event_type type);
// Ends the session for this program: drops all streams, keeps the objects to be read.
void ct_network_session_end(ct_network_session *s, ct_network_reason reason);
// Logs why a peer's bytes are refused, disconnects it, and lets the session go on without it.
void ct_network_session_break(ct_network_session *s, ct_peer_id peer, const char *why);

// --- network_session_streams.c -------------------------------------------------------------------

// Returns the stream of a peer; NULL: it has none.
ct_network_stream *ct_network_stream_find(const ct_network_session *s, ct_peer_id peer);
// As a client that is in: returns the stream to the host.
ct_network_stream *ct_network_stream_of_host(const ct_network_session *s);
// Makes a stream for a peer, and frees one; nothing is sent.
ct_network_stream *ct_network_stream_add(ct_network_session *s, ct_peer_id peer,
                                         ct_network_stage stage);
void ct_network_stream_remove(ct_network_session *s, ct_network_stream *stream);
// Sends what waits, then ends the connection and frees the stream.
void ct_network_stream_disconnect(ct_network_session *s, ct_network_stream *stream,
                                  ct_network_reason reason);
// Returns whether objects are sent over a stream: to the host, or to peers of the session.
bool ct_network_stream_has_objects(const ct_network_stream *stream);
// Makes place for all objects and rows that there are.
void ct_network_stream_grow(const ct_network_session *s, ct_network_stream *stream);
// Forgets what a stream sent of a place that becomes free.
void ct_network_stream_forget(ct_network_stream *stream, uint32_t place);

// Begin a message in the session's scratch; end it and append it to a stream's; or to those of all
// peers of the session but `except` (NULL: none), as the host.
ct_bit_writer ct_network_say(ct_network_session *s);
void ct_network_said(ct_network_session *s, ct_network_stream *stream,
                     ct_network_kind_of_message kind, ct_bit_writer *w);
void ct_network_said_to_all(ct_network_session *s, const ct_network_stream *except,
                            ct_network_kind_of_message kind, ct_bit_writer *w);
// Sends a stream's reliable messages that wait.
void ct_network_stream_flush(ct_network_session *s, ct_network_stream *stream);
// Reads a packet of reliable messages.
void ct_network_stream_receive(ct_network_session *s, ct_peer_id peer, const uint8_t *bytes,
                               uint32_t size);

// Write and read numbers of 64 bits.
void ct_network_write_u64(ct_bit_writer *w, uint64_t value);
uint64_t ct_network_read_u64(ct_bit_reader *r);

// --- network_session_objects.c -------------------------------------------------------------------

// Makes empty tables, and frees them.
void ct_network_objects_init(ct_network_session *s);
void ct_network_objects_free(ct_network_session *s);
// Removes all objects, without events.
void ct_network_objects_clear(ct_network_session *s);
// Returns the place of an object, UINT32_MAX: unknown.
uint32_t ct_network_objects_find(const ct_network_session *s, ct_network_object_id id);
uint32_t *ct_network_objects_words(const ct_network_session *s, uint32_t place);
// Adds an object with words; another's has a history. No events, nothing is sent.
uint32_t ct_network_objects_add(ct_network_session *s, ct_network_object_id id, uint32_t type,
                                uint32_t owner, uint32_t owner_version, const uint32_t *words);
void ct_network_objects_remove(ct_network_session *s, uint32_t place);
// Says that words changed, which is a new version.
void ct_network_objects_touch(ct_network_session *s, uint32_t place);
// Takes words of another peer; makes an event of the fields that differ.
void ct_network_objects_take_words(ct_network_session *s, uint32_t place, const uint32_t *words,
                                   uint64_t ticks);
// Makes reliable words the base of what will be received of it, by its owner.
void ct_network_objects_reset_source(ct_network_session *s, uint32_t place);
// Appends an event about an object.
ct_network_event *ct_network_objects_event(ct_network_session *s, ct_network_event_type type,
                                           uint32_t place);
// Makes a slot the owner, with a version of that; nothing else changes.
void ct_network_objects_set_owner(ct_network_session *s, uint32_t place, uint32_t slot,
                                  uint32_t owner_version);
// Sends an object reliably over a stream, whose base it is then; or over all but one, as the host.
void ct_network_objects_announce(ct_network_session *s, ct_network_stream *stream, uint32_t place);
void ct_network_objects_announce_to_all(ct_network_session *s, const ct_network_stream *except,
                                        uint32_t place);
// As the host: give an object to a slot; destroy it for all. With events.
void ct_network_objects_change_owner(ct_network_session *s, uint32_t place, uint32_t slot);
void ct_network_objects_destroy_for_all(ct_network_session *s, uint32_t place,
                                        const ct_network_stream *except);

// --- Readers of messages, by file ----------------------------------------------------------------

// network_session_objects_read.c
ct_network_reader ct_network_read_object, ct_network_read_destroy, ct_network_read_give,
    ct_network_read_refused;
// network_session_peers.c
ct_network_reader ct_network_read_ask, ct_network_read_got_all, ct_network_read_leave,
    ct_network_read_welcome, ct_network_read_peer, ct_network_read_peer_left,
    ct_network_read_all_sent, ct_network_read_ended;
// network_session_migration.c
ct_network_reader ct_network_read_hello, ct_network_read_known, ct_network_read_claimed,
    ct_network_read_migrate, ct_network_read_accept, ct_network_read_not_host;
// network_session_messages.c
ct_network_reader ct_network_read_message;

// --- network_session_peers.c ---------------------------------------------------------------------

// Returns the peer of a slot or id, NULL: unknown. Valid until peers change.
ct_network_session_peer *ct_network_peer_of_slot(const ct_network_session *s, uint32_t slot);
ct_network_session_peer *ct_network_peer_find(const ct_network_session *s, ct_peer_id id);
ct_peer_id ct_network_peer_id_of_slot(const ct_network_session *s, uint32_t slot);
// Adds a peer in the order of slots, without an event.
ct_network_session_peer *ct_network_peer_add(ct_network_session *s, ct_peer_id id, uint32_t slot);
void ct_network_peer_erase(ct_network_session *s, ct_network_session_peer *peer);
// As the host: removes a peer, with its objects, for all.
void ct_network_peer_remove(ct_network_session *s, uint32_t slot, ct_network_reason reason);
// As the host: says a peer, or that it changed, to all that are in the session, or to one.
void ct_network_peer_announce(ct_network_session *s, const ct_network_session_peer *peer,
                              ct_network_stream *to);
// As the host: sends all peers and objects. Gives a slot to those that asked.
void ct_network_peer_send_snapshot(ct_network_session *s, ct_network_stream *stream);
void ct_network_peer_admit(ct_network_session *s, ct_network_stream *stream);
// Lets those in that have asked meanwhile.
void ct_network_peer_admit_waiting(ct_network_session *s);
// Returns whether a peer is connected.
bool ct_network_peer_is_connected(const ct_network_session *s, ct_peer_id peer);

// --- network_session_migration.c -----------------------------------------------------------------

// The host is gone: finds another, or ends the session.
void ct_network_migration_lose_host(ct_network_session *s, ct_network_reason reason);
// A connection to a candidate came about; or failed.
void ct_network_migration_connected(ct_network_session *s, ct_peer_id peer);
void ct_network_migration_try_next(ct_network_session *s);
// Goes on with what waits.
void ct_network_migration_update(ct_network_session *s);
// After the snapshot of the new host: sends what was held back.
void ct_network_migration_done(ct_network_session *s);

// --- network_session_fields_send.c, …_read.c, …_base.c -------------------------------------------

// Sends changes of fields over a stream as far as its rate and bandwidth allow. Returns whether it
// was their turn, and none is left.
bool ct_network_fields_send(ct_network_session *s, ct_network_stream *stream);
// Learns that a packet arrived, or that it did not.
void ct_network_fields_acknowledged(ct_network_session *s, ct_network_stream *stream,
                                    uint32_t number, uint32_t bits);
// Keeps the words of an object that are being sent. Returns their count, UINT32_MAX where the type
// does not move.
uint32_t ct_network_fields_keep(ct_network_session *s, uint32_t place, const uint32_t *words);
// Learns that words of an object arrived, which are the base from now on.
void ct_network_fields_arrived(ct_network_session *s, ct_network_stream *stream, uint32_t place,
                               uint32_t number, const ct_network_sent_entry *e);
// Returns what an object's words of a time are to be written against.
ct_network_source ct_network_fields_source(const ct_network_session *s,
                                           const ct_network_stream *stream, uint32_t place,
                                           uint32_t time);
// Returns the words of a source: its base, or that moved on to a time, in the session's `predicted`.
const uint32_t *ct_network_fields_base(ct_network_session *s, const ct_network_stream *stream,
                                       uint32_t place, const ct_network_source *source,
                                       uint32_t time);
// Reads what a packet of fields has behind its first byte and before the number of objects, which is
// in groups of CT_NETWORK_COUNT_GROUP bits.
ct_network_fields_header ct_network_fields_read_header(ct_bit_reader *r);
// Reads a packet of fields behind its first byte.
const char *ct_network_fields_read(ct_network_session *s, ct_network_stream *stream,
                                   ct_bit_reader *r);

// --- network_session_messages.c ------------------------------------------------------------------

// Sends, as far as the bandwidth allows, the unreliable messages that wait and have a priority of at
// least `least`; forgets those that waited too long.
void ct_network_messages_flush(ct_network_session *s, ct_network_stream *stream, float least);
// Reads a packet of unreliable messages behind its first byte.
const char *ct_network_messages_read(ct_network_session *s, ct_network_stream *stream,
                                     const uint8_t *bytes, uint32_t size);

// --- network_session_observe.c -------------------------------------------------------------------

// How something is reported to the observer: bits.
typedef enum ct_network_observed {
    CT_NETWORK_OBSERVED_RECEIVED = 0,
    CT_NETWORK_OBSERVED_SENT = 1,
    CT_NETWORK_OBSERVED_RELIABLE = 2,
    CT_NETWORK_OBSERVED_DROPPED = 4,
} ct_network_observed;

// Report, to the observer if there is one: a message by its body; an object in a packet of fields,
// with the base that its words are coded against; the packet behind its objects, with its first byte;
// a packet that did not arrive.
void ct_network_observe_message(const ct_network_session *s, const ct_network_stream *stream,
                                ct_network_observed how, uint32_t kind, const uint8_t *bytes,
                                uint32_t size);
void ct_network_observe_fields(ct_network_session *s, const ct_network_stream *stream,
                               ct_network_observed how, uint32_t place, const uint32_t *base,
                               const uint32_t *words, uint64_t bits);
void ct_network_observe_packet(ct_network_session *s, const ct_network_stream *stream,
                               ct_network_observed how, const uint8_t *bytes, uint32_t size);
void ct_network_observe_loss(const ct_network_session *s, const ct_network_stream *stream,
                             const ct_network_sent_packet *packet);
