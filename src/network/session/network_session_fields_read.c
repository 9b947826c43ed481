// Fields, receiving: entries against the base that the sender names.
#include <string.h>

#include "network/session/network_session_fields_private.h"

// What the head of a packet says.
typedef struct packet_head {
    uint32_t number, usual_base, usual_older; // numbers; bases 0: none
    uint64_t ticks;
    bool has_ages;
} packet_head;

// What an entry says before its changes.
typedef struct entry_head {
    ct_network_object_id id;
    uint32_t age;
    bool is_reliable;
    uint32_t owner_version; // of reliable words
    uint32_t base, older;   // numbers; older 0: not moved on
    uint64_t left;          // bits of the packet before what the words are written against
} entry_head;

// The host's answer to a packet of this peer is a ping.
static void follow_clock(ct_network_session *s, const ct_network_stream *stream, uint32_t number,
                         uint32_t held, uint64_t ticks) {
    const ct_network_sent_packet *const packet = &stream->packets[number % CT_NETWORK_SENT];
    if (stream->stage == CT_NETWORK_STAGE_HOST && packet->number == number &&
        held < CT_NETWORK_MOST_HELD)
        ct_network_clock_add(&s->clock, packet->sent_at + held / 1000.0,
                             (double)ticks / (1000 * CT_NETWORK_TICKS), s->now);
}

// --- Bases ---------------------------------------------------------------------------------------

// The history of an object: the base used last, then a ring.
typedef struct history {
    uint32_t *numbers, *times, *words;
    uint32_t num_words;
} history;

static history history_of(const ct_network_session *s, uint32_t place) {
    const ct_network_session_object *const o = &s->objects.items.items[place];
    const ct_network_session_rows *const rows = &s->objects.rows[o->type];
    const uint32_t first = o->history * (CT_NETWORK_HISTORY + 1);
    return (history){rows->history_numbers.items + first, rows->history_times.items + first,
                     rows->history_words.items + (uint64_t)first * rows->num_words,
                     rows->num_words};
}

// Returns the place of a number in the ring, 0: it is not there.
static uint32_t find_number(const history *h, uint32_t number) {
    for (uint32_t i = 1; i <= CT_NETWORK_HISTORY; ++i)
        if (h->numbers[i] == number)
            return i;
    return 0;
}

// Makes what has a number the base that was used last. Returns false when it is not there.
static bool use_base(const history *h, uint32_t number) {
    if (h->numbers[0] == number)
        return true;
    const uint32_t i = number != 0 ? find_number(h, number) : 0;
    if (i == 0)
        return false;
    h->numbers[0] = number;
    h->times[0] = h->times[i];
    if (h->num_words > 0)
        memcpy(h->words, h->words + (uint64_t)i * h->num_words, sizeof(uint32_t) * h->num_words);
    return true;
}

// Writes the base, moved on where the entry says so, to the session's `predicted`. Sets `is_stale` where
// older words are not there.
static const char *predict(ct_network_session *s, uint32_t place, const entry_head *e,
                           uint32_t time, bool *is_stale) {
    const history h = history_of(s, place);
    const uint32_t older = e->older ? find_number(&h, e->older) : 0;
    *is_stale = e->older && !older;
    if (!older) {
        memcpy(s->predicted, h.words, sizeof(uint32_t) * h.num_words);
        return NULL;
    }
    const uint32_t gap = h.times[0] - h.times[older], ticks = time - h.times[0];
    if (gap == 0 || gap > CT_NETWORK_MOST_MOVED || ticks > CT_NETWORK_MOST_MOVED)
        return "an entry is moved on over too long a time";
    ct_network_record_extrapolate(s->desc.config, &s->types[s->objects.items.items[place].type],
                                  h.words + (uint64_t)older * h.num_words, gap, h.words, ticks,
                                  s->predicted);
    return NULL;
}

static void keep(ct_network_session *s, uint32_t place, uint32_t number, uint32_t time,
                 const uint32_t *words) {
    const history h = history_of(s, place);
    const ct_network_session_object *const o = &s->objects.items.items[place];
    uint32_t *const cursor = &s->objects.rows[o->type].cursors.items[o->history];
    const uint32_t i = 1 + *cursor;
    *cursor = (*cursor + 1) % CT_NETWORK_HISTORY;
    h.numbers[i] = number;
    h.times[i] = time;
    if (h.num_words > 0)
        memcpy(h.words + (uint64_t)i * h.num_words, words, sizeof(uint32_t) * h.num_words);
}

// --- Entries -------------------------------------------------------------------------------------

// Returns false when what follows the id of the last entry is no id.
static bool read_id(ct_network_object_id *id, ct_bit_reader *r) {
    uint64_t slot = *id >> CT_NETWORK_COUNT_BITS, count = *id & CT_NETWORK_MAX_COUNT;
    if (ct_bits_read(r, 1)) {
        ++count;
    } else if (!ct_bits_read(r, 1)) {
        count += (uint64_t)ct_bits_read_groups(r, CT_NETWORK_ID_GROUP) + 2;
    } else {
        slot += (uint64_t)ct_bits_read_groups(r, CT_NETWORK_SLOT_GROUP) + 1;
        count = (uint64_t)ct_bits_read_groups(r, CT_NETWORK_ID_GROUP) + 1;
    }
    if (r->is_over || slot >= CT_NETWORK_SESSION_MAX_SLOTS || count > CT_NETWORK_MAX_COUNT)
        return false;
    *id = (uint32_t)(slot << CT_NETWORK_COUNT_BITS | count);
    return true;
}

// Returns the number that is `back` before another; 0: there is none.
static uint32_t before(uint32_t number, uint32_t back) {
    return back > 0 && back < number ? number - back : 0;
}

static uint32_t read_before(uint32_t number, ct_bit_reader *r) {
    return before(number, ct_bits_read_groups(r, CT_NETWORK_BASE_GROUP));
}

static const char *read_source(const packet_head *head, entry_head *e, ct_bit_reader *r) {
    static const char *const wrong = "an entry has no base";
    if (ct_bits_read(r, 1)) {
        e->base = head->usual_base;
        e->older = head->usual_older;
        return e->older ? NULL : wrong;
    }
    const ct_network_source_kind kind = (ct_network_source_kind)ct_bits_read(r, 2);
    if (kind == CT_NETWORK_SOURCE_RELIABLE) {
        e->is_reliable = true;
        e->owner_version = ct_bits_read(r, CT_NETWORK_OWNER_BITS);
        return r->is_over ? wrong : NULL;
    }
    e->base = kind == CT_NETWORK_SOURCE_USUAL ? head->usual_base : read_before(head->number, r);
    if (kind == CT_NETWORK_SOURCE_PREDICTED)
        e->older = read_before(e->base, r);
    return r->is_over || e->base == 0 || (kind == CT_NETWORK_SOURCE_PREDICTED && e->older == 0)
               ? wrong
               : NULL;
}

// Reads the changes of an entry. Sets `is_stale` when it is of no use, as what it is about changed
// meanwhile; how long it is is then unknown.
static const char *read_changes(ct_network_session *s, const ct_network_stream *stream,
                                const packet_head *head, const entry_head *e, ct_bit_reader *r,
                                bool *is_stale) {
    const uint32_t place = ct_network_objects_find(s, e->id);
    *is_stale = true;
    if (place == UINT32_MAX)
        return NULL;
    const ct_network_session_object *const o = &s->objects.items.items[place];
    const bool is_from_owner =
        stream->stage == CT_NETWORK_STAGE_HOST ? o->owner != s->slot : o->owner == stream->slot;
    const uint32_t own_version = o->owner_version & ((1 << CT_NETWORK_OWNER_BITS) - 1);
    if (!is_from_owner || o->history == UINT32_MAX ||
        (e->is_reliable && e->owner_version != own_version))
        return NULL;
    const history h = history_of(s, place);
    if (!use_base(&h, e->base))
        return NULL;
    const ct_network_record_type *const type = &s->types[o->type];
    const uint64_t ticks = head->ticks > e->age ? head->ticks - e->age : 0;
    const char *const wrong = predict(s, place, e, (uint32_t)ticks, is_stale);
    if (wrong || *is_stale)
        return wrong;
    ct_network_record_read(s->desc.config, type, s->predicted, s->words, r);
    if (r->is_over)
        return "an entry is cut short";
    if (!ct_network_record_check(s->desc.config, type, s->words))
        return "a field is out of its range";
    if (s->events.count >= CT_NETWORK_MAX_EVENTS)
        return "it sends more changes than an update can hold";
    ct_network_observe_fields(s, stream, CT_NETWORK_OBSERVED_RECEIVED, place, s->predicted,
                              s->words, e->left - ct_bits_left(r));
    keep(s, place, head->number, (uint32_t)ticks, s->words);
    ct_network_objects_take_words(s, place, s->words, ticks);
    return NULL;
}

static const char *read_entries(ct_network_session *s, ct_network_stream *stream,
                                const packet_head *head, ct_bit_reader *r, bool *is_stale) {
    const uint32_t count = ct_bits_read_groups(r, CT_NETWORK_COUNT_GROUP);
    stream->must_answer |= count > 0;
    entry_head e = {0};
    for (uint32_t i = 0; i < count && !*is_stale; ++i) {
        e = (entry_head){.id = e.id, .age = e.age};
        if (!read_id(&e.id, r))
            return "the entries of a packet are cut short, or have no ids";
        if (head->has_ages && ct_bits_read(r, 1))
            e.age = ct_bits_read(r, CT_NETWORK_AGE_BITS);
        e.left = ct_bits_left(r);
        const char *wrong = read_source(head, &e, r);
        if (!wrong)
            wrong = read_changes(s, stream, head, &e, r, is_stale);
        if (wrong)
            return wrong;
    }
    return *is_stale || ct_bits_is_done(r) ? NULL : "a packet of fields has a wrong size";
}

// --- Packets -------------------------------------------------------------------------------------

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
    h.ticks = (uint64_t)h.time * CT_NETWORK_TICKS + ct_bits_read(r, 4);
    h.has_ages = ct_bits_read(r, 1);
    h.usual_back = ct_bits_read_groups(r, CT_NETWORK_BASE_GROUP);
    h.older_back = h.usual_back ? ct_bits_read_groups(r, CT_NETWORK_BASE_GROUP) : 0;
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
    const uint32_t number = stream->received + step, base = before(number, h.usual_back);
    const packet_head head = {.number = number,
                              .usual_base = base,
                              .usual_older = before(base, h.older_back),
                              .ticks = h.ticks,
                              .has_ages = h.has_ages};
    if (h.has_received) {
        const uint32_t last = stream->next_number - 1;
        const uint32_t back = (last - h.received) & 0xffff;
        if (back >= last)
            return "it acknowledges a packet that was not sent";
        follow_clock(s, stream, last - back, h.held, h.ticks);
        ct_network_fields_acknowledged(s, stream, last - back, h.received_bits);
    }
    const uint32_t missing = (stream->reliable_sent - h.reliable) & 0xffff;
    if (missing > stream->reliable_sent)
        return "it has received more messages than were sent";
    const uint32_t known = stream->reliable_sent - missing;
    if ((int32_t)(known - stream->reliable_known) > 0)
        stream->reliable_known = known;
    bool is_stale = false;
    const char *const wrong = read_entries(s, stream, &head, r, &is_stale);
    if (wrong)
        return wrong;
    s->counts.dropped_packets += is_stale;
    note_received(stream, head.number, !is_stale, s->now);
    return NULL;
}
