// Messages: of the game, to one peer or all, forwarded by the host.
//
// A message is a slot, a type and words against the type's defaults. To the host the slot is the
// receiver's (0: all others), from it the sender's. Unreliable ones share packets: the epoch, then
// for each message two bytes with its size, and the message.
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

void ct_network_messages_flush(ct_network_session *s, ct_network_stream *stream) {
    if (stream->unreliable_out.count == 0)
        return;
    s->desc.link.send(s->desc.link.data, stream->peer, CT_NETWORK_STATE, false,
                      stream->unreliable_out.items, stream->unreliable_out.count);
    s->counts.state_bytes += stream->unreliable_out.count;
    stream->unreliable_out.count = 0;
}

_Static_assert(8 * (4 + 3) + 1 + CT_NETWORK_MAX_FIELDS * 4 + CT_NETWORK_MAX_WORDS * 32 <=
                   CT_NETWORK_MAX_UNRELIABLE * 8,
               "any message fits an unreliable packet");

static void append_unreliable(ct_network_session *s, ct_network_stream *stream, uint32_t size) {
    if (stream->unreliable_out.count + 2 + size > CT_NETWORK_MAX_UNRELIABLE)
        ct_network_messages_flush(s, stream);
    if (stream->unreliable_out.count == 0) {
        ct_array_push(&stream->unreliable_out, CT_NETWORK_PACKET_MESSAGES);
        ct_array_push(&stream->unreliable_out, (uint8_t)s->epoch);
    }
    ct_array_push(&stream->unreliable_out, (uint8_t)size);
    ct_array_push(&stream->unreliable_out, (uint8_t)(size >> 8));
    ct_array_push_many(&stream->unreliable_out, s->message, size);
    ct_network_observe_message(s, stream, CT_NETWORK_OBSERVED_SENT, CT_NETWORK_SAY_MESSAGE,
                               s->message, size);
}

// Sends the message of `w` over a stream.
static void pass(ct_network_session *s, ct_network_stream *stream, uint32_t type,
                 const ct_bit_writer *w) {
    ct_bit_writer end = *w;
    if (s->messages[type].is_reliable)
        ct_network_said(s, stream, CT_NETWORK_SAY_MESSAGE, &end);
    else
        append_unreliable(s, stream, ct_bits_end(&end));
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
