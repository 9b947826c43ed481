// Fields, sending: which objects changed for a peer, the most urgent first, in packets.
//
// A packet of fields, in bits: 8 kind, 8 epoch, 16 number, 1 whether it acknowledges, 16 the last
// number received, 10 for how many ms that waited for this packet, 32 which of the 32 up to it were
// taken (the lowest: the last), 16 reliable packets received, 32 time of the session, entries in
// groups of 6 bits. An entry, in the order of ids: the difference to the last id in groups of 5,
// 1 whether its base is reliable words; then 4 of the owner's version, or the difference of the
// packet's number to the base's in groups of 4; then the changes of the record.
//
// The receiver keeps the base that was used last and the last CT_NETWORK_HISTORY words of each
// object. So what was acknowledged becomes the base unless it was sent as often since.
#include <math.h>
#include <string.h>

#include "foundation/error.h"
#include "network/session/network_session_private.h"

enum {
    HEADER_BITS = 8 + 8 + 16 + 1 + 16 + 10 + 32 + 16 + 32,
    ID_GROUP = 5,
    BASE_GROUP = 4,
    OWNER_BITS = 4,
    COUNT_GROUP = CT_NETWORK_COUNT_GROUP,
    MOST_PACKETS = 8,    // in a transmit
    MOST_ENTRIES = 1000, // in a packet
    BODIES_BYTES = 2 * CT_NETWORK_MAX_UNRELIABLE,
    MOST_ID_BITS = 7 * (ID_GROUP + 1),
    LEAST_ROOM = 64,
    MOST_HELD = 1023,
};

_Static_assert(HEADER_BITS + COUNT_GROUP + 1 + MOST_ID_BITS + 1 + 8 * (BASE_GROUP + 1) + 1 +
                       CT_NETWORK_MAX_FIELDS * 3 + CT_NETWORK_MAX_WORDS * 32 <=
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

// Returns the words that an object is coded against for a stream.
static const uint32_t *base_of(const ct_network_session *s, const ct_network_stream *stream,
                               uint32_t place) {
    const ct_network_session_object *const o = &s->objects.items.items[place];
    return stream->base_words[o->type].items + (uint64_t)o->row * s->types[o->type].num_words;
}

static void write_body(ct_network_session *s, const ct_network_stream *stream, uint32_t place,
                       const uint32_t *words, ct_bit_writer *w) {
    const ct_network_session_object *const o = &s->objects.items.items[place];
    const ct_network_record_type *const type = &s->types[o->type];
    const uint32_t base = stream->objects.items[place].base;
    ct_bits_write(w, base == 0, 1);
    if (base == 0)
        ct_bits_write(w, o->owner_version & ((1 << OWNER_BITS) - 1), OWNER_BITS);
    else
        ct_bits_write_groups(w, stream->next_number - base, BASE_GROUP);
    ct_network_record_write(s->desc.config, type, base_of(s, stream, place), words, w);
}

// Chooses from `*next` on what fits a packet of `bytes`.
static void choose(ct_network_session *s, const ct_network_stream *stream, uint32_t bytes,
                   uint32_t *next) {
    const uint32_t most_bits = bytes * 8 - HEADER_BITS - 2 * (COUNT_GROUP + 1);
    ct_array_resize(&s->bodies, BODIES_BYTES);
    ct_bit_writer w = ct_bits_write_to(s->bodies.items, BODIES_BYTES);
    s->chosen.count = s->chosen_words.count = 0;
    uint32_t used = 0;
    for (; *next < s->urgent.count && s->chosen.count < MOST_ENTRIES; ++*next) {
        const uint32_t place = s->urgent.items[*next].index;
        const uint32_t num_words = s->types[s->objects.items.items[place].type].num_words;
        ct_network_candidate c = {.place = place,
                                  .first_bit = (uint32_t)ct_bits_written(&w),
                                  .first_word = s->chosen_words.count};
        const uint32_t *const words = ct_network_objects_words(s, place);
        const ct_bit_writer before = w;
        write_body(s, stream, place, words, &w);
        c.num_bits = (uint32_t)ct_bits_written(&w) - c.first_bit;
        // The first id is the longest; the others are near to it, and those that are not are left.
        if (w.is_full || used + c.num_bits + (used ? ID_GROUP + 1 : MOST_ID_BITS) > most_bits) {
            w = before;
            break;
        }
        used += c.num_bits + (used ? ID_GROUP + 1 : MOST_ID_BITS);
        ct_array_push(&s->chosen, c);
        ct_array_push_many(&s->chosen_words, words, num_words);
    }
    ct_bits_end(&w);
}

// Puts what was chosen in the order of ids, without the last, least urgent, ones that do not fit.
static void order_by_id(ct_network_session *s, uint32_t bytes, uint32_t *next) {
    for (; s->chosen.count > 0; --s->chosen.count, --*next) {
        const uint32_t count = s->chosen.count;
        ct_array_resize(&s->urgent_scratch, 2 * count);
        ct_sort_item32 *const items = s->urgent_scratch.items;
        for (uint32_t i = 0; i < count; ++i) {
            const uint32_t id = s->objects.items.items[s->chosen.items[i].place].id;
            items[i] = (ct_sort_item32){id, i};
        }
        ct_sort_items32(items, items + count, count);
        uint64_t bits = HEADER_BITS + group_bits(count, COUNT_GROUP);
        for (uint32_t i = 0; i < count; ++i)
            bits += s->chosen.items[items[i].index].num_bits +
                    group_bits(items[i].key - (i ? items[i - 1].key : 0), ID_GROUP);
        if (bits <= (uint64_t)bytes * 8)
            return;
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
    stream->sent.items[c->place] = version;
    sent->last_sent = s->now;
    ++sent->num_sends;
    ct_array_push(&packet->entries, (ct_network_sent_entry){.id = o->id,
                                                            .place = c->place,
                                                            .version = version,
                                                            .owner_version = o->owner_version,
                                                            .num_sends = sent->num_sends,
                                                            .first_word = packet->words.count});
    if (s->types[o->type].num_words > 0)
        ct_array_push_many(&packet->words, s->chosen_words.items + c->first_word,
                           s->types[o->type].num_words);
    ++s->counts.entries;
}

static void lose_packet(ct_network_session *s, ct_network_stream *stream,
                        ct_network_sent_packet *packet);

static void send_packet(ct_network_session *s, ct_network_stream *stream) {
    uint8_t bytes[CT_NETWORK_MAX_UNRELIABLE];
    const uint32_t number = stream->next_number, count = s->chosen.count;
    ct_network_sent_packet *const packet = &stream->packets[number % CT_NETWORK_SENT];
    if (packet->number)
        lose_packet(s, stream, packet); // it was open for too long
    packet->number = number;
    packet->sent_at = s->now;
    const double held = (s->now - stream->received_at) * 1000;
    ct_bit_writer w = ct_bits_write_to(bytes, sizeof(bytes));
    ct_bits_write(&w, CT_NETWORK_PACKET_FIELDS, 8);
    ct_bits_write(&w, s->epoch & 0xff, 8);
    ct_bits_write(&w, number & 0xffff, 16);
    ct_bits_write(&w, stream->received != 0, 1);
    ct_bits_write(&w, stream->received & 0xffff, 16);
    ct_bits_write(&w, held < MOST_HELD ? (uint32_t)held : MOST_HELD, 10);
    ct_bits_write(&w, stream->received_bits, 32);
    ct_bits_write(&w, stream->reliable_received & 0xffff, 16);
    ct_bits_write(&w, ct_network_session_time(s, s->now), 32);
    ct_bits_write_groups(&w, count, COUNT_GROUP);
    uint32_t last = 0;
    for (uint32_t i = 0; i < count; ++i) {
        const ct_network_candidate *const c = &s->chosen.items[s->urgent_scratch.items[i].index];
        ct_bits_write_groups(&w, s->urgent_scratch.items[i].key - last, ID_GROUP);
        last = s->urgent_scratch.items[i].key;
        copy_bits(s, c, &w);
        ct_network_observe_fields(s, stream, CT_NETWORK_OBSERVED_SENT, c->place,
                                  base_of(s, stream, c->place),
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

void ct_network_fields_send(ct_network_session *s, ct_network_stream *stream) {
    const double waited = s->now - stream->last_packet;
    if (waited < 0.999 / s->desc.rate)
        return;
    collect(s, stream);
    bool must_send =
        stream->must_answer || waited >= (stream->num_open > 0 ? HEARTBEAT_OPEN : HEARTBEAT);
    uint32_t next = 0;
    for (uint32_t i = 0; i < MOST_PACKETS && (must_send || next < s->urgent.count); ++i) {
        const uint32_t room = s->desc.link.room(s->desc.link.data, stream->peer);
        const uint32_t bytes = room < CT_NETWORK_MAX_UNRELIABLE ? room : CT_NETWORK_MAX_UNRELIABLE;
        if (bytes < LEAST_ROOM)
            return;
        choose(s, stream, bytes, &next);
        order_by_id(s, bytes, &next);
        if (s->chosen.count == 0 && !must_send)
            return;
        must_send = false;
        send_packet(s, stream);
    }
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
        ct_network_sent_object *const sent = &stream->objects.items[e->place];
        if (o->id != e->id || o->owner_version != e->owner_version ||
            sent->num_sends - e->num_sends >= CT_NETWORK_HISTORY || packet->number <= sent->base)
            continue;
        const uint32_t num_words = s->types[o->type].num_words;
        sent->base = packet->number;
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
