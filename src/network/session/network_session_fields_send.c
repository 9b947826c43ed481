// Fields, sending: which objects changed for a peer, the most urgent first, in packets.
#include <math.h>
#include <string.h>

#include "foundation/error.h"
#include "network/session/network_session_fields_private.h"

enum {
    HEADER_BITS = 8 + 8 + 16 + 1 + 16 + 10 + 32 + 16 + 32 + 4 + 1,
    MOST_USUAL_BITS = 2 * 4 * (CT_NETWORK_BASE_GROUP + 1),
    MOST_PACKETS = 8,    // in a transmit
    MOST_ENTRIES = 1000, // in a packet
    BODIES_BYTES = 2 * CT_NETWORK_MAX_UNRELIABLE,
    MOST_ID_BITS = 2 + 4 * (CT_NETWORK_SLOT_GROUP + 1) + 5 * (CT_NETWORK_ID_GROUP + 1),
    MOST_AGE_BITS = 1 + CT_NETWORK_AGE_BITS,
    MOST_SOURCE_BITS = 3 + 8 * (CT_NETWORK_BASE_GROUP + 1),
    LEAST_ROOM = 64,
};

_Static_assert(HEADER_BITS + MOST_USUAL_BITS + 2 * (CT_NETWORK_COUNT_GROUP + 1) + MOST_ID_BITS +
                       MOST_AGE_BITS + MOST_SOURCE_BITS + 1 + CT_NETWORK_MAX_FIELDS * 4 +
                       CT_NETWORK_MAX_WORDS * 32 <=
                   CT_NETWORK_MAX_UNRELIABLE * 8,
               "any entry fits a packet");

static const double HEARTBEAT = 0.25, HEARTBEAT_OPEN = 0.1; // seconds

// --- What to send --------------------------------------------------------------------------------

// Returns how near an object is to what the peer looks at, from 1 down to 0: not relevant.
static float relevance(const ct_network_session *s, const ct_network_stream *stream,
                       uint32_t place) {
    const ct_network_record_type *const type = &s->types[s->objects.items.items[place].type];
    if (!stream->has_interest || type->position == UINT32_MAX || type->distance <= 0)
        return 1;
    const ct_network_value v = ct_network_record_get(
        s->desc.config, type, type->position, UINT32_MAX, ct_network_objects_words(s, place));
    const float z = v.kind == CT_NETWORK_VECTOR3 ? v.parts[2] - stream->interest.z : 0;
    const float x = v.parts[0] - stream->interest.x, y = v.parts[1] - stream->interest.y;
    const float distance = sqrtf(x * x + y * y + z * z);
    return distance < type->distance ? 1 - 0.9f * distance / type->distance : 0;
}

static bool is_for(const ct_network_session *s, const ct_network_stream *stream,
                   const ct_network_session_object *o) {
    if (o->is_unsent)
        return false;
    return stream->stage == CT_NETWORK_STAGE_HOST ? o->owner == s->slot : o->owner != stream->slot;
}

static void consider(ct_network_session *s, const ct_network_stream *stream, uint32_t place) {
    const ct_network_session_object *const o = &s->objects.items.items[place];
    const ct_network_sent_object *const sent = &stream->objects.items[place];
    if (!is_for(s, stream, o) || (int32_t)(stream->reliable_known - sent->known_at) < 0)
        return;
    const ct_network_record_type *const type = &s->types[o->type];
    const double waited = s->now - sent->last_sent;
    if (type->rate > 0 && waited < 0.999 / type->rate)
        return;
    const float near = relevance(s, stream, place);
    const float urgency =
        type->priority * sent->priority * near * (float)(waited < 1000 ? waited + 0.001 : 1000);
    if (urgency > 0)
        ct_array_push(&s->urgent, (ct_sort_item32){~ct_sort_key_of_float(urgency), place});
}

static void collect(ct_network_session *s, const ct_network_stream *stream) {
    const uint32_t *const versions = s->objects.versions.items, *const sent = stream->sent.items;
    s->urgent.count = 0;
    for (uint32_t i = 0; i < s->objects.versions.count; ++i)
        if (versions[i] != sent[i])
            consider(s, stream, i);
    ct_array_resize(&s->urgent_scratch, s->urgent.count);
    ct_sort_items32(s->urgent.items, s->urgent_scratch.items, s->urgent.count);
}

// --- A packet ------------------------------------------------------------------------------------

static uint32_t group_bits(uint32_t value, uint32_t group) {
    uint32_t bits = group + 1;
    while (group < 32 && value >> group) {
        value >>= group;
        bits += group + 1;
    }
    return bits;
}

static uint32_t age_of(const ct_network_session *s, uint32_t place) {
    const ct_network_session_object *const o = &s->objects.items.items[place];
    if (o->owner == s->slot || o->time >= s->ticks)
        return 0;
    const uint64_t age = s->ticks - o->time;
    return age < CT_NETWORK_MOST_AGE ? (uint32_t)age : CT_NETWORK_MOST_AGE;
}

static bool is_usual(const ct_network_session *s, const ct_network_source *source) {
    return source->base.number == s->usual.base.number &&
           source->older.number == s->usual.older.number;
}

// Chooses the source that most of what is urgent has (Boyer and Moore 1981).
static void choose_usual(ct_network_session *s, const ct_network_stream *stream) {
    uint32_t lead = 0;
    s->usual = (ct_network_source){0};
    for (uint32_t i = 0; i < s->urgent.count; ++i) {
        const uint32_t place = s->urgent.items[i].index;
        const ct_network_source source =
            ct_network_fields_source(s, stream, place, (uint32_t)s->ticks - age_of(s, place));
        if (source.older.number == 0)
            continue;
        if (lead == 0)
            s->usual = source;
        if (is_usual(s, &source))
            ++lead;
        else
            --lead;
    }
}

static void write_source(const ct_network_session *s, const ct_network_stream *stream,
                         uint32_t place, const ct_network_source *source, ct_bit_writer *w) {
    const uint32_t base = source->base.number, older = source->older.number;
    if (older && is_usual(s, source)) {
        ct_bits_write(w, 1, 1);
        return;
    }
    const ct_network_source_kind kind = base == 0                      ? CT_NETWORK_SOURCE_RELIABLE
                                        : older                        ? CT_NETWORK_SOURCE_PREDICTED
                                        : base == s->usual.base.number ? CT_NETWORK_SOURCE_USUAL
                                                                       : CT_NETWORK_SOURCE_PLAIN;
    ct_bits_write(w, (uint32_t)kind << 1, 3);
    if (kind == CT_NETWORK_SOURCE_RELIABLE)
        ct_bits_write(
            w, s->objects.items.items[place].owner_version & ((1 << CT_NETWORK_OWNER_BITS) - 1),
            CT_NETWORK_OWNER_BITS);
    else if (kind != CT_NETWORK_SOURCE_USUAL)
        ct_bits_write_groups(w, stream->next_number - base, CT_NETWORK_BASE_GROUP);
    if (kind == CT_NETWORK_SOURCE_PREDICTED)
        ct_bits_write_groups(w, base - older, CT_NETWORK_BASE_GROUP);
}

static void write_against(ct_network_session *s, const ct_network_stream *stream,
                          const ct_network_candidate *c, const uint32_t *words, ct_bit_writer *w) {
    const uint32_t time = (uint32_t)s->ticks - c->age;
    write_source(s, stream, c->place, &c->source, w);
    ct_network_record_write(s->desc.config, &s->types[s->objects.items.items[c->place].type],
                            ct_network_fields_base(s, stream, c->place, &c->source, time), words,
                            w);
}

// Writes the shorter of what is against the base and what is against the base moved on.
static void write_body(ct_network_session *s, const ct_network_stream *stream,
                       ct_network_candidate *c, const uint32_t *words, ct_bit_writer *w) {
    const ct_network_source moved =
        ct_network_fields_source(s, stream, c->place, (uint32_t)s->ticks - c->age);
    const ct_network_source plain = {.base = moved.base};
    const ct_bit_writer before = *w;
    c->source = plain;
    write_against(s, stream, c, words, w);
    if (moved.older.number == 0)
        return;
    const ct_bit_writer as_plain = *w;
    *w = before;
    c->source = moved;
    write_against(s, stream, c, words, w);
    if (ct_bits_written(w) <= ct_bits_written(&as_plain) && !w->is_full)
        return;
    *w = before;
    c->source = plain;
    write_against(s, stream, c, words, w);
}

// About how many bits id and age of an entry are; own objects often have ids behind each other.
static uint32_t guess_bits(const ct_network_session *s, uint32_t place) {
    return s->objects.items.items[place].owner == s->slot ? 2 : 10;
}

static uint32_t usual_bits(const ct_network_session *s, const ct_network_stream *stream) {
    const uint32_t base = s->usual.base.number;
    return base == 0 ? group_bits(0, CT_NETWORK_BASE_GROUP)
                     : group_bits(stream->next_number - base, CT_NETWORK_BASE_GROUP) +
                           group_bits(base - s->usual.older.number, CT_NETWORK_BASE_GROUP);
}

// Chooses from `*next` on what fits a packet of `bytes`.
static void choose(ct_network_session *s, const ct_network_stream *stream, uint32_t bytes,
                   uint32_t *next) {
    const uint32_t most_bits = bytes * 8 - HEADER_BITS - usual_bits(s, stream) -
                               2 * (CT_NETWORK_COUNT_GROUP + 1) - MOST_ID_BITS - MOST_AGE_BITS;
    ct_array_resize(&s->bodies, BODIES_BYTES);
    ct_bit_writer w = ct_bits_write_to(s->bodies.items, BODIES_BYTES);
    s->chosen.count = s->chosen_words.count = 0;
    uint32_t used = 0;
    for (; *next < s->urgent.count && s->chosen.count < MOST_ENTRIES; ++*next) {
        const uint32_t place = s->urgent.items[*next].index;
        const uint32_t num_words = s->types[s->objects.items.items[place].type].num_words;
        ct_network_candidate c = {.place = place,
                                  .first_bit = (uint32_t)ct_bits_written(&w),
                                  .first_word = s->chosen_words.count,
                                  .age = age_of(s, place)};
        const uint32_t *const words = ct_network_objects_words(s, place);
        const ct_bit_writer before = w;
        write_body(s, stream, &c, words, &w);
        c.num_bits = (uint32_t)ct_bits_written(&w) - c.first_bit;
        // Those that do not fit after all are left.
        if (w.is_full || used + c.num_bits > most_bits) {
            w = before;
            break;
        }
        used += c.num_bits + guess_bits(s, place);
        ct_array_push(&s->chosen, c);
        ct_array_push_many(&s->chosen_words, words, num_words);
    }
    ct_bits_end(&w);
}

// Writes the id of an entry that follows the one of `last` (0: none).
static void write_id(uint32_t id, uint32_t last, ct_bit_writer *w) {
    const uint32_t slot = id >> CT_NETWORK_COUNT_BITS, last_slot = last >> CT_NETWORK_COUNT_BITS;
    ct_bits_write(w, id == last + 1, 1);
    if (id == last + 1)
        return;
    ct_bits_write(w, slot != last_slot, 1);
    if (slot == last_slot) {
        ct_bits_write_groups(w, id - last - 2, CT_NETWORK_ID_GROUP);
    } else {
        ct_bits_write_groups(w, slot - last_slot - 1, CT_NETWORK_SLOT_GROUP);
        ct_bits_write_groups(w, (id & CT_NETWORK_MAX_COUNT) - 1, CT_NETWORK_ID_GROUP);
    }
}

static void write_age(uint32_t age, uint32_t last, ct_bit_writer *w) {
    ct_bits_write(w, age != last, 1);
    if (age != last)
        ct_bits_write(w, age, CT_NETWORK_AGE_BITS);
}

// Sorts what was chosen by id, into `urgent_scratch`. Returns whether any of it has an age.
static bool sort_chosen(ct_network_session *s) {
    const uint32_t count = s->chosen.count;
    bool has_ages = false;
    ct_array_resize(&s->urgent_scratch, 2 * count);
    ct_sort_item32 *const items = s->urgent_scratch.items;
    for (uint32_t i = 0; i < count; ++i) {
        items[i] = (ct_sort_item32){s->objects.items.items[s->chosen.items[i].place].id, i};
        has_ages |= s->chosen.items[i].age > 0;
    }
    ct_sort_items32(items, items + count, count);
    return has_ages;
}

static uint32_t bits_of_chosen(ct_network_session *s, bool has_ages) {
    uint8_t bytes[16];
    uint32_t bits = group_bits(s->chosen.count, CT_NETWORK_COUNT_GROUP), id = 0, age = 0;
    for (uint32_t i = 0; i < s->chosen.count; ++i) {
        const ct_network_candidate *const c = &s->chosen.items[s->urgent_scratch.items[i].index];
        ct_bit_writer w = ct_bits_write_to(bytes, sizeof(bytes));
        write_id(s->urgent_scratch.items[i].key, id, &w);
        if (has_ages)
            write_age(c->age, age, &w);
        id = s->urgent_scratch.items[i].key;
        age = c->age;
        bits += (uint32_t)ct_bits_written(&w) + c->num_bits;
    }
    return bits;
}

// Puts what was chosen in the order of ids, without the last, least urgent, ones that do not fit.
// Returns whether any of it has an age.
static bool order_by_id(ct_network_session *s, const ct_network_stream *stream, uint32_t bytes,
                        uint32_t *next) {
    const uint32_t most = bytes * 8 - HEADER_BITS - usual_bits(s, stream);
    for (;;) {
        const bool has_ages = sort_chosen(s);
        const uint32_t bits = bits_of_chosen(s, has_ages);
        if (bits <= most)
            return has_ages;
        for (uint32_t left = 0; left < bits - most && s->chosen.count > 0; --*next)
            left += s->chosen.items[--s->chosen.count].num_bits;
    }
}

static void copy_bits(const ct_network_session *s, const ct_network_candidate *c,
                      ct_bit_writer *w) {
    const uint32_t first = c->first_bit / 8;
    ct_bit_reader r = ct_bits_read_from(s->bodies.items + first, s->bodies.count - first);
    ct_bits_read(&r, c->first_bit % 8);
    for (uint32_t left = c->num_bits; left > 0;) {
        const uint32_t width = left < 32 ? left : 32;
        ct_bits_write(w, ct_bits_read(&r, width), width);
        left -= width;
    }
}

// Remembers what a packet has, until it is known whether it arrived.
static void remember(ct_network_session *s, ct_network_stream *stream,
                     ct_network_sent_packet *packet, const ct_network_candidate *c) {
    const ct_network_session_object *const o = &s->objects.items.items[c->place];
    ct_network_sent_object *const sent = &stream->objects.items[c->place];
    const uint32_t version = s->objects.versions.items[c->place];
    const uint32_t kept =
        ct_network_fields_keep(s, c->place, s->chosen_words.items + c->first_word);
    stream->sent.items[c->place] = version;
    sent->last_sent = s->now;
    ++sent->num_sends;
    ct_array_push(&packet->entries, (ct_network_sent_entry){.id = o->id,
                                                            .place = c->place,
                                                            .version = version,
                                                            .owner_version = o->owner_version,
                                                            .num_sends = sent->num_sends,
                                                            .first_word = packet->words.count,
                                                            .kept = kept,
                                                            .time = (uint32_t)s->ticks - c->age});
    if (s->types[o->type].num_words > 0)
        ct_array_push_many(&packet->words, s->chosen_words.items + c->first_word,
                           s->types[o->type].num_words);
    ++s->counts.entries;
}

static void lose_packet(ct_network_session *s, ct_network_stream *stream,
                        ct_network_sent_packet *packet);

static void write_header(const ct_network_session *s, const ct_network_stream *stream,
                         bool has_ages, ct_bit_writer *w) {
    const double held = (s->now - stream->received_at) * 1000;
    const uint32_t number = stream->next_number, base = s->usual.base.number;
    ct_bits_write(w, CT_NETWORK_PACKET_FIELDS, 8);
    ct_bits_write(w, s->epoch & 0xff, 8);
    ct_bits_write(w, number & 0xffff, 16);
    ct_bits_write(w, stream->received != 0, 1);
    ct_bits_write(w, stream->received & 0xffff, 16);
    ct_bits_write(w, held < CT_NETWORK_MOST_HELD ? (uint32_t)held : CT_NETWORK_MOST_HELD, 10);
    ct_bits_write(w, stream->received_bits, 32);
    ct_bits_write(w, stream->reliable_received & 0xffff, 16);
    ct_bits_write(w, (uint32_t)(s->ticks / CT_NETWORK_TICKS), 32);
    ct_bits_write(w, (uint32_t)(s->ticks % CT_NETWORK_TICKS), 4);
    ct_bits_write(w, has_ages, 1);
    ct_bits_write_groups(w, base ? number - base : 0, CT_NETWORK_BASE_GROUP);
    if (base)
        ct_bits_write_groups(w, base - s->usual.older.number, CT_NETWORK_BASE_GROUP);
}

static void send_packet(ct_network_session *s, ct_network_stream *stream, bool has_ages) {
    uint8_t bytes[CT_NETWORK_MAX_UNRELIABLE];
    const uint32_t number = stream->next_number, count = s->chosen.count;
    ct_network_sent_packet *const packet = &stream->packets[number % CT_NETWORK_SENT];
    if (packet->number)
        lose_packet(s, stream, packet); // it was open for too long
    packet->number = number;
    packet->sent_at = s->now;
    ct_bit_writer w = ct_bits_write_to(bytes, sizeof(bytes));
    write_header(s, stream, has_ages, &w);
    ct_bits_write_groups(&w, count, CT_NETWORK_COUNT_GROUP);
    uint32_t id = 0, age = 0;
    for (uint32_t i = 0; i < count; ++i) {
        const ct_network_candidate *const c = &s->chosen.items[s->urgent_scratch.items[i].index];
        write_id(s->urgent_scratch.items[i].key, id, &w);
        if (has_ages)
            write_age(c->age, age, &w);
        id = s->urgent_scratch.items[i].key;
        age = c->age;
        copy_bits(s, c, &w);
        if (s->desc.observer.seen)
            ct_network_observe_fields(s, stream, CT_NETWORK_OBSERVED_SENT, c->place,
                                      ct_network_fields_base(s, stream, c->place, &c->source,
                                                             (uint32_t)s->ticks - c->age),
                                      s->chosen_words.items + c->first_word, c->num_bits);
        remember(s, stream, packet, c);
    }
    const uint32_t size = ct_bits_end(&w);
    CT_ASSERT(!w.is_full, "a packet of %u entries does not fit", count);
    stream->next_number = number + 1;
    stream->num_open += count > 0;
    stream->must_answer = false;
    stream->last_packet = s->now;
    ct_network_observe_packet(s, stream, CT_NETWORK_OBSERVED_SENT, bytes, size);
    s->desc.link.send(s->desc.link.data, stream->peer, CT_NETWORK_STATE, false, bytes, size);
    s->counts.state_bytes += size;
    ++s->counts.state_packets;
}

bool ct_network_fields_send(ct_network_session *s, ct_network_stream *stream) {
    const double waited = s->now - stream->last_packet;
    if (waited < 0.999 / s->desc.rate)
        return false;
    s->ticks = ct_network_session_ticks(s, s->now);
    collect(s, stream);
    choose_usual(s, stream);
    bool must_send =
        stream->must_answer || waited >= (stream->num_open > 0 ? HEARTBEAT_OPEN : HEARTBEAT);
    uint32_t next = 0;
    for (uint32_t i = 0; i < MOST_PACKETS && (must_send || next < s->urgent.count); ++i) {
        const uint32_t room = s->desc.link.room(s->desc.link.data, stream->peer);
        const uint32_t bytes = room < CT_NETWORK_MAX_UNRELIABLE ? room : CT_NETWORK_MAX_UNRELIABLE;
        if (bytes < LEAST_ROOM)
            return false;
        choose(s, stream, bytes, &next);
        const bool has_ages = order_by_id(s, stream, bytes, &next);
        if (s->chosen.count == 0 && !must_send)
            return false;
        must_send = false;
        send_packet(s, stream, has_ages);
    }
    return next >= s->urgent.count;
}

// --- What became of packets ----------------------------------------------------------------------

static void close_packet(ct_network_stream *stream, ct_network_sent_packet *packet) {
    stream->num_open -= packet->entries.count > 0;
    packet->number = 0;
    packet->entries.count = packet->words.count = 0;
}

static void lose_packet(ct_network_session *s, ct_network_stream *stream,
                        ct_network_sent_packet *packet) {
    ct_network_observe_loss(s, stream, packet);
    for (uint32_t i = 0; i < packet->entries.count; ++i) {
        const ct_network_sent_entry *const e = &packet->entries.items[i];
        if (s->objects.items.items[e->place].id != e->id ||
            stream->sent.items[e->place] != e->version)
            continue;
        stream->sent.items[e->place] = 0;
        ++s->counts.lost_entries;
    }
    close_packet(stream, packet);
}

static void arrive(ct_network_session *s, ct_network_stream *stream,
                   ct_network_sent_packet *packet) {
    for (uint32_t i = 0; i < packet->entries.count; ++i) {
        const ct_network_sent_entry *const e = &packet->entries.items[i];
        const ct_network_session_object *const o = &s->objects.items.items[e->place];
        const ct_network_sent_object *const sent = &stream->objects.items[e->place];
        if (o->id != e->id || o->owner_version != e->owner_version ||
            sent->num_sends - e->num_sends >= CT_NETWORK_HISTORY || packet->number <= sent->base)
            continue;
        const uint32_t num_words = s->types[o->type].num_words;
        ct_network_fields_arrived(s, stream, e->place, packet->number, e);
        if (num_words > 0)
            memcpy(stream->base_words[o->type].items + (uint64_t)o->row * num_words,
                   packet->words.items + e->first_word, sizeof(uint32_t) * num_words);
    }
    close_packet(stream, packet);
}

void ct_network_fields_acknowledged(ct_network_session *s, ct_network_stream *stream,
                                    uint32_t number, uint32_t bits) {
    for (; (int32_t)(number - stream->first_open) >= 0; ++stream->first_open) {
        const uint32_t open = stream->first_open, back = number - open;
        ct_network_sent_packet *const packet = &stream->packets[open % CT_NETWORK_SENT];
        if (packet->number != open)
            continue;
        if (back < CT_NETWORK_ACK_BITS && bits >> back & 1)
            arrive(s, stream, packet);
        else
            lose_packet(s, stream, packet);
    }
}
