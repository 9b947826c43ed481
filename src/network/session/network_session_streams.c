// Streams: what is kept of each peer that this one sends to, and reliable messages in packets.
//
// A packet of reliable messages: for each, a byte with its kind, two with the size of its body
// (little-endian), the body.
#include <string.h>

#include "foundation/error.h"
#include "network/session/network_session_private.h"

// --- Life cycle ----------------------------------------------------------------------------------

ct_network_stream *ct_network_stream_find(const ct_network_session *s, ct_peer_id peer) {
    for (uint32_t i = 0; i < s->streams.count; ++i)
        if (s->streams.items[i]->peer == peer)
            return s->streams.items[i];
    return NULL;
}

ct_network_stream *ct_network_stream_of_host(const ct_network_session *s) {
    return ct_network_stream_find(s, s->host);
}

bool ct_network_stream_has_objects(const ct_network_stream *stream) {
    return stream->stage == CT_NETWORK_STAGE_SYNCING || stream->stage == CT_NETWORK_STAGE_IN ||
           stream->stage == CT_NETWORK_STAGE_HOST;
}

ct_network_stream *ct_network_stream_add(ct_network_session *s, ct_peer_id peer,
                                         ct_network_stage stage) {
    ct_network_stream *const stream = CT_NEW(s->allocator, ct_network_stream);
    stream->peer = peer;
    stream->stage = stage;
    stream->next_number = stream->first_open = 1;
    stream->last_packet = -1;
    ct_array_init(&stream->out, s->allocator);
    ct_array_init(&stream->waiting, s->allocator);
    ct_array_init(&stream->waiting_bytes, s->allocator);
    ct_array_init(&stream->sent, s->allocator);
    ct_array_init(&stream->objects, s->allocator);
    stream->packets = CT_NEW_ARRAY(s->allocator, ct_network_sent_packet, CT_NETWORK_SENT);
    for (uint32_t i = 0; i < CT_NETWORK_SENT; ++i) {
        ct_array_init(&stream->packets[i].entries, s->allocator);
        ct_array_init(&stream->packets[i].words, s->allocator);
    }
    stream->base_words = CT_NEW_ARRAY(s->allocator, ct_u32_array, s->num_types);
    stream->acked = CT_NEW_ARRAY(s->allocator, ct_network_acked_array, s->num_types);
    for (uint32_t i = 0; i < s->num_types; ++i) {
        ct_array_init(&stream->base_words[i], s->allocator);
        ct_array_init(&stream->acked[i], s->allocator);
    }
    ct_array_push(&s->streams, stream);
    return stream;
}

void ct_network_stream_remove(ct_network_session *s, ct_network_stream *stream) {
    for (uint32_t i = 0; i < s->streams.count; ++i)
        if (s->streams.items[i] == stream) {
            ct_array_erase(&s->streams, i, 1);
            break;
        }
    for (uint32_t i = 0; i < CT_NETWORK_SENT; ++i) {
        ct_array_free(&stream->packets[i].entries);
        ct_array_free(&stream->packets[i].words);
    }
    for (uint32_t i = 0; i < s->num_types; ++i) {
        ct_array_free(&stream->base_words[i]);
        ct_array_free(&stream->acked[i]);
    }
    ct_free(s->allocator, stream->acked);
    ct_array_free(&stream->out);
    ct_array_free(&stream->waiting);
    ct_array_free(&stream->waiting_bytes);
    ct_array_free(&stream->sent);
    ct_array_free(&stream->objects);
    ct_free(s->allocator, stream->packets);
    ct_free(s->allocator, stream->base_words);
    ct_free(s->allocator, stream);
}

void ct_network_stream_disconnect(ct_network_session *s, ct_network_stream *stream,
                                  ct_network_reason reason) {
    const ct_peer_id peer = stream->peer;
    ct_network_stream_flush(s, stream);
    ct_network_stream_remove(s, stream);
    for (uint32_t i = 0; i < s->connected.count; ++i)
        if (s->connected.items[i] == peer) {
            ct_array_swap_erase(&s->connected, i);
            break;
        }
    s->desc.link.disconnect(s->desc.link.data, peer, reason);
}

void ct_network_stream_grow(const ct_network_session *s, ct_network_stream *stream) {
    if (!ct_network_stream_has_objects(stream))
        return;
    const ct_network_session_objects_table *const t = &s->objects;
    const uint32_t count = stream->objects.count;
    if (count < t->items.count) {
        ct_array_resize(&stream->objects, t->items.count);
        ct_array_resize(&stream->sent, t->items.count);
        for (uint32_t i = count; i < t->items.count; ++i)
            stream->objects.items[i] = (ct_network_sent_object){.priority = 1, .last_sent = -1e9};
    }
    for (uint32_t i = 0; i < s->num_types; ++i) {
        if (stream->base_words[i].count < t->rows[i].words.count)
            ct_array_resize(&stream->base_words[i], t->rows[i].words.count);
        const uint32_t num_acked = t->rows[i].moves ? t->rows[i].num_rows * CT_NETWORK_ACKED : 0;
        if (stream->acked[i].count < num_acked)
            ct_array_resize(&stream->acked[i], num_acked);
    }
}

void ct_network_stream_forget(ct_network_stream *stream, uint32_t place) {
    if (place >= stream->objects.count)
        return;
    stream->objects.items[place] = (ct_network_sent_object){.priority = 1, .last_sent = -1e9};
    stream->sent.items[place] = 0;
}

// --- Sending -------------------------------------------------------------------------------------

void ct_network_write_u64(ct_bit_writer *w, uint64_t value) {
    ct_bits_write(w, (uint32_t)value, 32);
    ct_bits_write(w, (uint32_t)(value >> 32), 32);
}

uint64_t ct_network_read_u64(ct_bit_reader *r) {
    const uint64_t low = ct_bits_read(r, 32);
    return low | (uint64_t)ct_bits_read(r, 32) << 32;
}

ct_bit_writer ct_network_say(ct_network_session *s) {
    return ct_bits_write_to(s->message, sizeof(s->message));
}

static void append(ct_network_session *s, ct_network_stream *stream,
                   ct_network_kind_of_message kind, uint32_t size) {
    if (stream->out.count + 3 + size > CT_NETWORK_BATCH_BYTES)
        ct_network_stream_flush(s, stream);
    ct_array_push(&stream->out, (uint8_t)kind);
    ct_array_push(&stream->out, (uint8_t)size);
    ct_array_push(&stream->out, (uint8_t)(size >> 8));
    ct_array_push_many(&stream->out, s->message, size);
    ct_network_observe_message(
        s, stream, (ct_network_observed)(CT_NETWORK_OBSERVED_SENT | CT_NETWORK_OBSERVED_RELIABLE),
        kind, s->message, size);
}

void ct_network_said(ct_network_session *s, ct_network_stream *stream,
                     ct_network_kind_of_message kind, ct_bit_writer *w) {
    const uint32_t size = ct_bits_end(w);
    CT_ASSERT(!w->is_full, "a message of kind %d does not fit", (int)kind);
    append(s, stream, kind, size);
}

void ct_network_said_to_all(ct_network_session *s, const ct_network_stream *except,
                            ct_network_kind_of_message kind, ct_bit_writer *w) {
    const uint32_t size = ct_bits_end(w);
    CT_ASSERT(!w->is_full, "a message of kind %d does not fit", (int)kind);
    for (uint32_t i = 0; i < s->streams.count; ++i) {
        ct_network_stream *const stream = s->streams.items[i];
        if (stream != except && ct_network_stream_has_objects(stream))
            append(s, stream, kind, size);
    }
}

void ct_network_stream_flush(ct_network_session *s, ct_network_stream *stream) {
    if (stream->out.count == 0)
        return;
    // Where it fails the connection ends, and with it the stream.
    s->desc.link.send(s->desc.link.data, stream->peer, CT_NETWORK_SESSION, true, stream->out.items,
                      stream->out.count);
    s->counts.reliable_bytes += stream->out.count;
    ++stream->reliable_sent;
    stream->out.count = 0;
}

// --- Receiving -----------------------------------------------------------------------------------

// The stages of the sender's stream in which a kind has a meaning.
enum {
    FROM_VISITOR = 1 << CT_NETWORK_STAGE_VISITOR,
    FROM_CLAIMING = 1 << CT_NETWORK_STAGE_CLAIMING,
    FROM_SYNCING = 1 << CT_NETWORK_STAGE_SYNCING,
    FROM_IN = 1 << CT_NETWORK_STAGE_IN,
    FROM_HOST = 1 << CT_NETWORK_STAGE_HOST,
    FROM_CANDIDATE = 1 << CT_NETWORK_STAGE_CANDIDATE,
    FROM_WAITING = 1 << CT_NETWORK_STAGE_ASKED | 1 << CT_NETWORK_STAGE_HELLO,
};

static const struct {
    ct_network_reader *read;
    uint32_t stages;
} readers[CT_NETWORK_SAYS] = {
    [CT_NETWORK_SAY_ASK] = {ct_network_read_ask, FROM_VISITOR},
    [CT_NETWORK_SAY_GOT_ALL] = {ct_network_read_got_all, FROM_SYNCING},
    [CT_NETWORK_SAY_LEAVE] = {ct_network_read_leave,
                              FROM_WAITING | FROM_CLAIMING | FROM_SYNCING | FROM_IN},
    [CT_NETWORK_SAY_GIVE] = {ct_network_read_give, FROM_SYNCING | FROM_IN},
    [CT_NETWORK_SAY_HELLO] = {ct_network_read_hello, FROM_VISITOR},
    [CT_NETWORK_SAY_KNOWN] = {ct_network_read_known, FROM_CLAIMING},
    [CT_NETWORK_SAY_CLAIMED] = {ct_network_read_claimed, FROM_CLAIMING},
    [CT_NETWORK_SAY_OBJECT] = {ct_network_read_object,
                               FROM_CLAIMING | FROM_SYNCING | FROM_IN | FROM_HOST},
    [CT_NETWORK_SAY_DESTROY] = {ct_network_read_destroy, FROM_SYNCING | FROM_IN | FROM_HOST},
    [CT_NETWORK_SAY_MESSAGE] = {ct_network_read_message, FROM_SYNCING | FROM_IN | FROM_HOST},
    [CT_NETWORK_SAY_WELCOME] = {ct_network_read_welcome, FROM_CANDIDATE},
    [CT_NETWORK_SAY_PEER] = {ct_network_read_peer, FROM_HOST},
    [CT_NETWORK_SAY_PEER_LEFT] = {ct_network_read_peer_left, FROM_HOST},
    [CT_NETWORK_SAY_ALL_SENT] = {ct_network_read_all_sent, FROM_HOST},
    [CT_NETWORK_SAY_REFUSED] = {ct_network_read_refused, FROM_HOST},
    [CT_NETWORK_SAY_ENDED] = {ct_network_read_ended, FROM_HOST | FROM_CANDIDATE},
    [CT_NETWORK_SAY_MIGRATE] = {ct_network_read_migrate, FROM_HOST},
    [CT_NETWORK_SAY_ACCEPT] = {ct_network_read_accept, FROM_CANDIDATE},
    [CT_NETWORK_SAY_NOT_HOST] = {ct_network_read_not_host, FROM_CANDIDATE},
};

// Returns whether a packet is from before this stream: from a time when the two peers had other
// parts. The first packet of a stream says what its sender wants, or answers that.
static bool is_stale(const ct_network_stream *stream, const uint8_t *bytes, uint32_t size) {
    const uint32_t kind = size > 0 ? bytes[0] : 0;
    return (stream->stage == CT_NETWORK_STAGE_VISITOR ||
            stream->stage == CT_NETWORK_STAGE_CANDIDATE) &&
           kind < CT_NETWORK_SAYS && readers[kind].read &&
           !(readers[kind].stages & 1u << stream->stage);
}

static const char *read_message(ct_network_session *s, ct_network_stream *stream, uint32_t kind,
                                const uint8_t *bytes, uint32_t size) {
    if (kind >= CT_NETWORK_SAYS || !readers[kind].read)
        return "a message has an unknown kind";
    if (!(readers[kind].stages & 1u << stream->stage))
        return "a message comes at a time when it has no meaning";
    ct_network_observe_message(s, stream, CT_NETWORK_OBSERVED_RELIABLE, kind, bytes, size);
    ct_bit_reader r = ct_bits_read_from(bytes, size);
    return readers[kind].read(s, stream, &r);
}

void ct_network_stream_receive(ct_network_session *s, ct_peer_id peer, const uint8_t *bytes,
                               uint32_t size) {
    ct_network_stream *stream = ct_network_stream_find(s, peer);
    if (!stream || is_stale(stream, bytes, size)) {
        ++s->counts.dropped_packets;
        return;
    }
    ++stream->reliable_received;
    const char *wrong = size == 0 ? "a packet of messages is empty" : NULL;
    for (uint32_t at = 0; stream && !wrong && at < size;) {
        const uint32_t left = size - at;
        const uint32_t body = left >= 3 ? bytes[at + 1] | (uint32_t)bytes[at + 2] << 8 : 0;
        if (left < 3 || body > left - 3)
            wrong = "a packet of messages is cut short";
        else
            wrong = read_message(s, stream, bytes[at], bytes + at + 3, body);
        at += 3 + body;
        if (!wrong)
            stream = ct_network_stream_find(s, peer);
    }
    if (wrong)
        ct_network_session_break(s, peer, wrong);
}
