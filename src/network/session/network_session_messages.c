// Messages: of the game, to one peer or all, forwarded by the host.
//
// A message is a slot, a type and words against the type's defaults. To the host the slot is the
// receiver's (0: all others), from it the sender's. Unreliable ones wait until the session transmits,
// and share packets: the epoch, then for each message two bytes with its size, and the message.
#include <string.h>

#include "foundation/error.h"
#include "network/session/network_session_private.h"

static void write_message(ct_network_session *s, uint32_t slot, uint32_t type,
                          const uint32_t *words, ct_bit_writer *w) {
    const ct_network_record_type *const record = &s->messages[type];
    ct_bits_write(w, slot, CT_NETWORK_SLOT_BITS);
    ct_bits_write(w, type, CT_NETWORK_TYPE_BITS);
    ct_network_record_write(s->desc.config, record,
                            ct_network_record_defaults(s->desc.config, record), words, w);
}

// --- Sending -------------------------------------------------------------------------------------

_Static_assert(8 * (4 + 3) + 1 + CT_NETWORK_MAX_FIELDS * 4 + CT_NETWORK_MAX_WORDS * 32 <=
                   CT_NETWORK_MAX_UNRELIABLE * 8,
               "any message fits an unreliable packet");

enum {
    HEAD_BYTES = 2,              // of a packet: its kind, the epoch
    MOST_WAITING_BYTES = 64000,  // of a stream
    MOST_WAITING_MESSAGES = 8192 // of a stream
};

static const double most_wait = 0.25; // seconds of an unreliable message

// Puts those that can go now into `urgent`, the most urgent first; forgets those that are too late.
static void collect(ct_network_session *s, ct_network_stream *stream, float least) {
    s->urgent.count = 0;
    for (uint32_t i = 0; i < stream->waiting.count; ++i) {
        ct_network_waiting_message *const m = &stream->waiting.items[i];
        if (m->epoch != s->epoch || s->now - m->since > most_wait) {
            ++s->counts.held_messages;
            m->size = 0;
        } else if (m->priority >= least) {
            ct_array_push(&s->urgent, (ct_sort_item32){~ct_sort_key_of_float(m->priority), i});
        }
    }
    ct_array_resize(&s->urgent_scratch, s->urgent.count);
    ct_sort_items32(s->urgent.items, s->urgent_scratch.items, s->urgent.count);
}

// Sends what fits one packet of `room` bytes, from `*next` on; the first one always does.
static void send_one_packet(ct_network_session *s, ct_network_stream *stream, uint32_t room,
                            uint32_t *next) {
    uint8_t packet[CT_NETWORK_MAX_UNRELIABLE] = {CT_NETWORK_PACKET_MESSAGES, (uint8_t)s->epoch};
    const uint32_t first = *next;
    uint32_t bytes = HEAD_BYTES;
    for (; *next < s->urgent.count; ++*next) {
        ct_network_waiting_message *const m = &stream->waiting.items[s->urgent.items[*next].index];
        const uint32_t end = bytes + 2 + m->size;
        if (end > sizeof(packet) || (end > room && *next > first))
            break;
        packet[bytes] = (uint8_t)m->size;
        packet[bytes + 1] = (uint8_t)(m->size >> 8);
        memcpy(packet + bytes + 2, stream->waiting_bytes.items + m->first, m->size);
        ct_network_observe_message(s, stream, CT_NETWORK_OBSERVED_SENT, CT_NETWORK_SAY_MESSAGE,
                                   packet + bytes + 2, m->size);
        bytes = end;
        m->size = 0;
    }
    s->desc.link.send(s->desc.link.data, stream->peer, CT_NETWORK_STATE, false, packet, bytes);
    s->counts.state_bytes += bytes;
}

// Removes those that went, with their bytes.
static void close_gaps(ct_network_stream *stream) {
    uint32_t count = 0, bytes = 0;
    for (uint32_t i = 0; i < stream->waiting.count; ++i) {
        ct_network_waiting_message m = stream->waiting.items[i];
        if (m.size == 0)
            continue;
        memmove(stream->waiting_bytes.items + bytes, stream->waiting_bytes.items + m.first, m.size);
        m.first = bytes;
        bytes += m.size;
        stream->waiting.items[count++] = m;
    }
    stream->waiting.count = count;
    stream->waiting_bytes.count = bytes;
}

void ct_network_messages_flush(ct_network_session *s, ct_network_stream *stream, float least) {
    if (stream->waiting.count == 0)
        return;
    // Those below 1 leave a packet's room for the next fields.
    const uint32_t left = least < 1 ? CT_NETWORK_MAX_UNRELIABLE : 0;
    collect(s, stream, least);
    for (uint32_t next = 0; next < s->urgent.count;) {
        const uint32_t room = s->desc.link.room(s->desc.link.data, stream->peer);
        if (room <= left)
            break;
        send_one_packet(s, stream, room - left, &next);
    }
    close_gaps(stream);
}

static bool is_full(const ct_network_stream *stream, uint32_t size) {
    return stream->waiting.count >= MOST_WAITING_MESSAGES ||
           stream->waiting_bytes.count + size > MOST_WAITING_BYTES;
}

// Makes place for a message of the scratch. Returns false when those that wait are as urgent.
static bool make_place(ct_network_session *s, ct_network_stream *stream, float priority,
                       uint32_t size) {
    if (is_full(stream, size))
        ct_network_messages_flush(s, stream, 0);
    if (!is_full(stream, size))
        return true;
    for (uint32_t i = 0; i < stream->waiting.count; ++i) {
        if (stream->waiting.items[i].priority >= priority)
            continue;
        stream->waiting.items[i].size = 0;
        ++s->counts.held_messages;
    }
    close_gaps(stream);
    return !is_full(stream, size);
}

static void append_unreliable(ct_network_session *s, ct_network_stream *stream, float priority,
                              uint32_t size) {
    if (!make_place(s, stream, priority, size)) {
        ++s->counts.held_messages;
        return;
    }
    ct_array_push(&stream->waiting,
                  (ct_network_waiting_message){.first = stream->waiting_bytes.count,
                                               .size = size,
                                               .epoch = s->epoch,
                                               .priority = priority,
                                               .since = s->now});
    ct_array_push_many(&stream->waiting_bytes, s->message, size);
}

// Sends the message of `w` over a stream.
static void pass(ct_network_session *s, ct_network_stream *stream, uint32_t type,
                 const ct_bit_writer *w) {
    ct_bit_writer end = *w;
    if (s->messages[type].is_reliable)
        ct_network_said(s, stream, CT_NETWORK_SAY_MESSAGE, &end);
    else
        append_unreliable(s, stream, s->messages[type].priority, ct_bits_end(&end));
}

// As the host: sends it to a slot, or to all but the sender's (0).
static void forward(ct_network_session *s, uint32_t from, uint32_t to, uint32_t type,
                    const uint32_t *words) {
    ct_bit_writer w = ct_network_say(s);
    write_message(s, from, type, words, &w);
    for (uint32_t i = 0; i < s->streams.count; ++i) {
        ct_network_stream *const stream = s->streams.items[i];
        if (ct_network_stream_has_objects(stream) && stream->slot != from &&
            (to == 0 || stream->slot == to))
            pass(s, stream, type, &w);
    }
}

bool ct_network_session_send(ct_network_session *s, ct_peer_id to, uint32_t message,
                             const uint32_t *words, ct_error *error) {
    CT_ASSERT(message < s->num_messages, "message type %u of %u", message, s->num_messages);
    if (s->state != CT_NETWORK_SESSION_IN)
        return ct_error_set(error, "this peer is not in a session, or the session is moving to "
                                   "another host: try again when it is in");
    const ct_network_session_peer *const peer = to ? ct_network_peer_find(s, to) : NULL;
    if (to && (!peer || peer->slot == s->slot || peer->is_absent))
        return ct_error_set(error, "peer %016llx is not another peer of the session",
                            (unsigned long long)to);
    ct_bit_writer w = ct_network_say(s);
    write_message(s, peer ? peer->slot : 0, message, words, &w);
    if (s->host_slot == s->slot)
        forward(s, s->slot, peer ? peer->slot : 0, message, words);
    else
        pass(s, ct_network_stream_of_host(s), message, &w);
    return true;
}

// --- Receiving -----------------------------------------------------------------------------------

static const char *take_message(ct_network_session *s, uint32_t from, uint32_t type) {
    const uint32_t num_words = s->messages[type].num_words;
    if (s->events.count >= CT_NETWORK_MAX_EVENTS ||
        s->event_words.count + num_words > CT_NETWORK_MAX_WORDS_HELD)
        return "it sends more messages than an update can hold";
    ct_network_event *const e = ct_network_session_event(s, CT_NETWORK_EVENT_MESSAGE);
    e->peer = ct_network_peer_id_of_slot(s, from);
    e->record = type;
    e->num_words = num_words;
    ct_array_push_many(&s->event_words, s->words, num_words);
    return NULL;
}

static const char *read_one(ct_network_session *s, ct_network_stream *stream, bool is_reliable,
                            ct_bit_reader *r) {
    const uint32_t slot = ct_bits_read(r, CT_NETWORK_SLOT_BITS);
    const uint32_t type = ct_bits_read(r, CT_NETWORK_TYPE_BITS);
    if (r->is_over || type >= s->num_messages)
        return "a message has an unknown type";
    const ct_network_record_type *const record = &s->messages[type];
    if ((record->is_reliable != 0) != is_reliable)
        return "a message comes over the wrong channel";
    ct_network_record_read(s->desc.config, record,
                           ct_network_record_defaults(s->desc.config, record), s->words, r);
    if (!ct_bits_is_done(r) || !ct_network_record_check(s->desc.config, record, s->words))
        return "the arguments of a message do not fit its type";
    if (stream->stage == CT_NETWORK_STAGE_HOST) {
        if (slot == s->slot || (is_reliable && !ct_network_peer_of_slot(s, slot)))
            return "a message is from an unknown peer";
        return ct_network_peer_of_slot(s, slot) ? take_message(s, slot, type) : NULL;
    }
    const char *const wrong =
        slot == 0 || slot == s->slot ? take_message(s, stream->slot, type) : NULL;
    if (!wrong && slot != s->slot)
        forward(s, stream->slot, slot, type, s->words);
    return wrong;
}

const char *ct_network_read_message(ct_network_session *s, ct_network_stream *stream,
                                    ct_bit_reader *r) {
    return read_one(s, stream, true, r);
}

const char *ct_network_messages_read(ct_network_session *s, ct_network_stream *stream,
                                     const uint8_t *bytes, uint32_t size) {
    if (size == 0)
        return "a packet of messages is cut short";
    if (bytes[0] != (uint8_t)s->epoch) {
        ++s->counts.dropped_packets;
        return NULL;
    }
    for (uint32_t at = 1; at < size;) {
        const uint32_t left = size - at;
        const uint32_t body = left >= 2 ? bytes[at] | (uint32_t)bytes[at + 1] << 8 : 0;
        if (left < 2 || body > left - 2)
            return "a packet of messages is cut short";
        ct_network_observe_message(s, stream, CT_NETWORK_OBSERVED_RECEIVED, CT_NETWORK_SAY_MESSAGE,
                                   bytes + at + 2, body);
        ct_bit_reader r = ct_bits_read_from(bytes + at + 2, body);
        const char *const wrong = read_one(s, stream, false, &r);
        if (wrong)
            return wrong;
        at += 2 + body;
    }
    return NULL;
}
