// Fields, receiving: entries against the base that the sender names.
#include <string.h>

#include "network/session/network_session_private.h"

enum { ID_GROUP = 5, BASE_GROUP = 4, OWNER_BITS = 4, MOST_HELD = 1023 };

// The host's answer to a packet of this peer is a ping.
static void follow_clock(ct_network_session *s, const ct_network_stream *stream, uint32_t number,
                         uint32_t held, uint32_t time) {
    const ct_network_sent_packet *const packet = &stream->packets[number % CT_NETWORK_SENT];
    if (stream->stage == CT_NETWORK_STAGE_HOST && packet->number == number && held < MOST_HELD)
        ct_network_clock_add(&s->clock, packet->sent_at + held / 1000.0, time / 1000.0, s->now);
}

// Returns the base of an entry in the history of an object, which becomes the one used last; NULL:
// it is not there.
static const uint32_t *find_base(ct_network_session *s, uint32_t place, uint32_t number) {
    const ct_network_session_object *const o = &s->objects.items.items[place];
    ct_network_session_rows *const rows = &s->objects.rows[o->type];
    const uint32_t first = o->history * (CT_NETWORK_HISTORY + 1);
    uint32_t *const numbers = rows->history_numbers.items + first;
    uint32_t *const words = rows->history_words.items + (uint64_t)first * rows->num_words;
    if (numbers[0] == number)
        return words;
    for (uint32_t i = 1; i <= CT_NETWORK_HISTORY && number != 0; ++i)
        if (numbers[i] == number) {
            numbers[0] = number;
            if (rows->num_words > 0)
                memcpy(words, words + (uint64_t)i * rows->num_words,
                       sizeof(uint32_t) * rows->num_words);
            return words;
        }
    return NULL;
}

static void keep(ct_network_session *s, uint32_t place, uint32_t number, const uint32_t *words) {
    const ct_network_session_object *const o = &s->objects.items.items[place];
    ct_network_session_rows *const rows = &s->objects.rows[o->type];
    const uint32_t i = o->history * (CT_NETWORK_HISTORY + 1) + 1 + rows->cursors.items[o->history];
    rows->cursors.items[o->history] = (rows->cursors.items[o->history] + 1) % CT_NETWORK_HISTORY;
    rows->history_numbers.items[i] = number;
    if (rows->num_words > 0)
        memcpy(rows->history_words.items + (uint64_t)i * rows->num_words, words,
               sizeof(uint32_t) * rows->num_words);
}

// Reads the entry of an object. Sets `is_stale` when it is of no use, as what it is about changed
// meanwhile; how long it is is then unknown.
static const char *read_entry(ct_network_session *s, const ct_network_stream *stream,
                              ct_network_object_id id, uint32_t number, uint32_t time,
                              ct_bit_reader *r, bool *is_stale) {
    const uint64_t left = ct_bits_left(r);
    const bool is_reliable = ct_bits_read(r, 1);
    const uint32_t owner_version = is_reliable ? ct_bits_read(r, OWNER_BITS) : 0;
    const uint32_t back = is_reliable ? 0 : ct_bits_read_groups(r, BASE_GROUP);
    if (r->is_over || (!is_reliable && back == 0))
        return "an entry has no base";
    const uint32_t place = ct_network_objects_find(s, id);
    *is_stale = true;
    if (place == UINT32_MAX || back >= number)
        return NULL;
    const ct_network_session_object *const o = &s->objects.items.items[place];
    const bool is_from_owner =
        stream->stage == CT_NETWORK_STAGE_HOST ? o->owner != s->slot : o->owner == stream->slot;
    if (!is_from_owner || o->history == UINT32_MAX ||
        (is_reliable && owner_version != (o->owner_version & ((1 << OWNER_BITS) - 1))))
        return NULL;
    const uint32_t *const base = find_base(s, place, is_reliable ? 0 : number - back);
    if (!base)
        return NULL;
    *is_stale = false;
    const ct_network_record_type *const type = &s->types[o->type];
    ct_network_record_read(s->desc.config, type, base, s->words, r);
    if (r->is_over)
        return "an entry is cut short";
    if (!ct_network_record_check(s->desc.config, type, s->words))
        return "a field is out of its range";
    if (s->events.count >= CT_NETWORK_MAX_EVENTS)
        return "it sends more changes than an update can hold";
    ct_network_observe_fields(s, stream, CT_NETWORK_OBSERVED_RECEIVED, place, base, s->words,
                              left - ct_bits_left(r));
    keep(s, place, number, s->words);
    ct_network_objects_take_words(s, place, s->words, time);
    return NULL;
}

static const char *read_entries(ct_network_session *s, ct_network_stream *stream, uint32_t number,
                                uint32_t time, ct_bit_reader *r, bool *is_stale) {
    const uint32_t count = ct_bits_read_groups(r, CT_NETWORK_COUNT_GROUP);
    stream->must_answer |= count > 0;
    ct_network_object_id id = 0;
    for (uint32_t i = 0; i < count && !*is_stale; ++i) {
        const uint32_t step = ct_bits_read_groups(r, ID_GROUP);
        if (r->is_over || step == 0 || step > UINT32_MAX - id)
            return "the entries of a packet are cut short, or not in the order of ids";
        id += step;
        const char *const wrong = read_entry(s, stream, id, number, time, r, is_stale);
        if (wrong)
            return wrong;
    }
    return *is_stale || ct_bits_is_done(r) ? NULL : "a packet of fields has a wrong size";
}

// Notes that a packet came, and whether all of it was taken.
static void note_received(ct_network_stream *stream, uint32_t number, bool is_taken, double now) {
    const uint32_t step = number - stream->received;
    stream->received_bits = step < CT_NETWORK_ACK_BITS ? stream->received_bits << step : 0;
    stream->received_bits |= is_taken;
    stream->received = number;
    stream->received_at = now;
}

ct_network_fields_header ct_network_fields_read_header(ct_bit_reader *r) {
    ct_network_fields_header h;
    h.epoch = ct_bits_read(r, 8);
    h.number = ct_bits_read(r, 16);
    h.has_received = ct_bits_read(r, 1);
    h.received = ct_bits_read(r, 16);
    h.held = ct_bits_read(r, 10);
    h.received_bits = ct_bits_read(r, 32);
    h.reliable = ct_bits_read(r, 16);
    h.time = ct_bits_read(r, 32);
    return h;
}

const char *ct_network_fields_read(ct_network_session *s, ct_network_stream *stream,
                                   ct_bit_reader *r) {
    const ct_network_fields_header h = ct_network_fields_read_header(r);
    if (r->is_over)
        return "a packet of fields is cut short";
    const uint32_t step = (h.number - stream->received) & 0xffff;
    if (h.epoch != (s->epoch & 0xff) || step == 0 || step >= 0x8000) {
        ++s->counts.dropped_packets; // of a former host, or later than a newer one
        return NULL;
    }
    const uint32_t number = stream->received + step;
    if (h.has_received) {
        const uint32_t last = stream->next_number - 1;
        const uint32_t back = (last - h.received) & 0xffff;
        if (back >= last)
            return "it acknowledges a packet that was not sent";
        follow_clock(s, stream, last - back, h.held, h.time);
        ct_network_fields_acknowledged(s, stream, last - back, h.received_bits);
    }
    const uint32_t missing = (stream->reliable_sent - h.reliable) & 0xffff;
    if (missing > stream->reliable_sent)
        return "it has received more messages than were sent";
    const uint32_t known = stream->reliable_sent - missing;
    if ((int32_t)(known - stream->reliable_known) > 0)
        stream->reliable_known = known;
    bool is_stale = false;
    const char *const wrong = read_entries(s, stream, number, h.time, r, &is_stale);
    if (wrong)
        return wrong;
    s->counts.dropped_packets += is_stale;
    note_received(stream, number, !is_stale, s->now);
    return NULL;
}
