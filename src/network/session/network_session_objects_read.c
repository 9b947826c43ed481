// What other peers say of objects: made, destroyed, given.
#include "network/session/network_session_private.h"

// Reads the words of a record that was written against the defaults.
static const char *read_words(const ct_network_session *s, const ct_network_record_type *type,
                              uint32_t *words, ct_bit_reader *r) {
    ct_network_record_read(s->desc.config, type, ct_network_record_defaults(s->desc.config, type),
                           words, r);
    if (!ct_bits_is_done(r))
        return "the words of an object do not fit its type";
    if (!ct_network_record_check(s->desc.config, type, words))
        return "a field of an object is out of its range";
    return NULL;
}

typedef struct object_message {
    ct_network_object_id id;
    uint32_t type, owner, owner_version;
} object_message;

// --- At the host ---------------------------------------------------------------------------------

// Takes what a peer made.
static const char *take_new(ct_network_session *s, ct_network_stream *stream,
                            const object_message *m) {
    ct_network_session_peer *const peer = ct_network_peer_of_slot(s, stream->slot);
    if (m->owner != stream->slot || m->id >> CT_NETWORK_COUNT_BITS != stream->slot)
        return "it created an object with the id or owner of another peer";
    if ((m->id & CT_NETWORK_MAX_COUNT) <= peer->last_count ||
        ct_network_objects_find(s, m->id) != UINT32_MAX)
        return "it created an object with an id that was used before";
    if (m->owner_version != 0)
        return "it created an object that already had owners";
    // It could not know yet what it was given.
    if (s->objects.num_owned[stream->slot] >= 2 * s->desc.max_objects_of_peer)
        return "it owns more objects than one peer may";
    peer->last_count = m->id & CT_NETWORK_MAX_COUNT;
    const uint32_t place =
        ct_network_objects_add(s, m->id, m->type, m->owner, m->owner_version, s->words);
    ct_network_objects_announce_to_all(s, stream, place);
    ct_network_objects_event(s, CT_NETWORK_EVENT_CREATED, place);
    return NULL;
}

// Takes what a peer says that it owned in the session of the lost host. The latest owner counts.
static const char *take_claim(ct_network_session *s, const ct_network_stream *stream,
                              const object_message *m) {
    if (m->owner != stream->slot || m->id >> CT_NETWORK_COUNT_BITS == 0)
        return "it claims an object for another peer";
    uint32_t place = ct_network_objects_find(s, m->id);
    if (place == UINT32_MAX) {
        // A former host may own what others left.
        if (s->objects.count >= s->desc.max_peers * (uint64_t)s->desc.max_objects_of_peer)
            return "it claims more objects than all peers may own";
        place = ct_network_objects_add(s, m->id, m->type, m->owner, m->owner_version, s->words);
        ct_network_objects_event(s, CT_NETWORK_EVENT_CREATED, place);
    } else {
        ct_network_session_object *const o = &s->objects.items.items[place];
        if (o->type != m->type)
            return "it claims an object with another type";
        const bool is_other = o->owner != m->owner;
        if (m->owner_version < o->owner_version ||
            (m->owner_version == o->owner_version && is_other))
            return NULL;
        ct_network_objects_set_owner(s, place, m->owner, m->owner_version);
        o->is_giving = false;
        if (is_other)
            ct_network_objects_event(s, CT_NETWORK_EVENT_OWNER, place);
        ct_network_objects_take_words(s, place, s->words, ct_network_session_ticks(s, s->now));
        ct_network_objects_reset_source(s, place);
    }
    s->objects.items.items[place].is_seen = true;
    ct_network_objects_announce_to_all(s, stream, place);
    return NULL;
}

const char *ct_network_read_give(ct_network_session *s, ct_network_stream *stream,
                                 ct_bit_reader *r) {
    const ct_network_object_id id = ct_bits_read(r, 32);
    const uint32_t owner_version = ct_bits_read_groups(r, 5);
    const uint32_t slot = ct_bits_read(r, CT_NETWORK_SLOT_BITS);
    if (r->is_over)
        return "giving an object is cut short";
    const uint32_t place = ct_network_objects_find(s, id);
    if (place == UINT32_MAX)
        return NULL; // destroyed with a former host, or by it
    const ct_network_session_object *const o = &s->objects.items.items[place];
    const char *const wrong = read_words(s, &s->types[o->type], s->words, r);
    if (wrong)
        return wrong;
    if (o->owner == stream->slot && o->owner_version == owner_version) {
        const ct_network_session_peer *const to = ct_network_peer_of_slot(s, slot);
        if (to && !to->is_absent && slot != stream->slot &&
            s->objects.num_owned[slot] < s->desc.max_objects_of_peer) {
            ct_network_objects_take_words(s, place, s->words, ct_network_session_ticks(s, s->now));
            ct_network_objects_change_owner(s, place, slot);
            return NULL;
        }
    }
    ct_bit_writer w = ct_network_say(s);
    ct_bits_write(&w, id, 32);
    ct_network_said(s, stream, CT_NETWORK_SAY_REFUSED, &w);
    return NULL;
}

// --- At a client ---------------------------------------------------------------------------------

// The base of what this peer sends of its own object is what the host has.
static void take_base(ct_network_session *s, ct_network_stream *stream, uint32_t place) {
    const ct_network_session_object *const o = &s->objects.items.items[place];
    const uint32_t num_words = s->types[o->type].num_words;
    const uint32_t *const own = ct_network_objects_words(s, place);
    uint32_t *const base = stream->base_words[o->type].items + (uint64_t)o->row * num_words;
    bool is_same = true;
    for (uint32_t i = 0; i < num_words; ++i) {
        is_same &= own[i] == s->words[i];
        base[i] = s->words[i];
    }
    stream->objects.items[place].base = 0;
    stream->objects.items[place].num_acked = 0;
    stream->objects.items[place].known_at = 0;
    stream->sent.items[place] = is_same ? s->objects.versions.items[place] : 0;
}

static const char *take_from_host(ct_network_session *s, ct_network_stream *stream,
                                  const object_message *m) {
    const ct_network_session_peer *const owner = ct_network_peer_of_slot(s, m->owner);
    if (!owner || !owner->is_seen)
        return "the owner of an object is not in the session";
    uint32_t place = ct_network_objects_find(s, m->id);
    if (place == UINT32_MAX) {
        if (s->objects.count >=
            CT_NETWORK_SESSION_MAX_PEERS * (uint64_t)s->desc.max_objects_of_peer)
            return "there are more objects than all peers may own";
        place = ct_network_objects_add(s, m->id, m->type, m->owner, m->owner_version, s->words);
        if (m->id >> CT_NETWORK_COUNT_BITS == s->slot &&
            (m->id & CT_NETWORK_MAX_COUNT) > s->last_count)
            s->last_count = m->id & CT_NETWORK_MAX_COUNT;
        ct_network_objects_event(s, CT_NETWORK_EVENT_CREATED, place);
    } else {
        ct_network_session_object *const o = &s->objects.items.items[place];
        if (o->type != m->type)
            return "an object has another type than before";
        const bool is_same = o->owner == m->owner && o->owner_version == m->owner_version;
        const bool is_other = o->owner != m->owner;
        ct_network_objects_set_owner(s, place, m->owner, m->owner_version);
        o->is_giving = o->is_giving && is_same;
        if (is_other)
            ct_network_objects_event(s, CT_NETWORK_EVENT_OWNER, place);
        if (!is_same || m->owner != s->slot) // of its own it has the latest words
            ct_network_objects_take_words(s, place, s->words, ct_network_session_ticks(s, s->now));
        ct_network_objects_reset_source(s, place);
    }
    ct_network_session_object *const o = &s->objects.items.items[place];
    o->is_seen = true;
    o->is_unsent = false;
    if (o->owner == s->slot)
        take_base(s, stream, place);
    return NULL;
}

const char *ct_network_read_refused(ct_network_session *s, ct_network_stream *stream,
                                    ct_bit_reader *r) {
    (void)stream;
    const ct_network_object_id id = ct_bits_read(r, 32);
    if (!ct_bits_is_done(r))
        return "refusing an owner has a wrong size";
    const uint32_t place = ct_network_objects_find(s, id);
    if (place == UINT32_MAX || !s->objects.items.items[place].is_giving)
        return NULL;
    s->objects.items.items[place].is_giving = false;
    ct_network_objects_event(s, CT_NETWORK_EVENT_OWNER_REFUSED, place);
    return NULL;
}

// --- At both -------------------------------------------------------------------------------------

const char *ct_network_read_object(ct_network_session *s, ct_network_stream *stream,
                                   ct_bit_reader *r) {
    object_message m = {.id = ct_bits_read(r, 32)};
    m.type = ct_bits_read(r, CT_NETWORK_TYPE_BITS);
    m.owner = ct_bits_read(r, CT_NETWORK_SLOT_BITS);
    m.owner_version = ct_bits_read_groups(r, 5);
    if (r->is_over)
        return "an object is cut short";
    if (m.type >= s->num_types)
        return "an object has an unknown type";
    if ((m.id & CT_NETWORK_MAX_COUNT) == 0)
        return "an object has no id";
    const char *const wrong = read_words(s, &s->types[m.type], s->words, r);
    if (wrong)
        return wrong;
    if (stream->stage == CT_NETWORK_STAGE_HOST)
        return take_from_host(s, stream, &m);
    return stream->stage == CT_NETWORK_STAGE_CLAIMING ? take_claim(s, stream, &m)
                                                      : take_new(s, stream, &m);
}

const char *ct_network_read_destroy(ct_network_session *s, ct_network_stream *stream,
                                    ct_bit_reader *r) {
    const ct_network_object_id id = ct_bits_read(r, 32);
    const uint32_t owner_version = ct_bits_read_groups(r, 5);
    if (!ct_bits_is_done(r))
        return "destroying an object has a wrong size";
    const uint32_t place = ct_network_objects_find(s, id);
    if (place == UINT32_MAX)
        return NULL;
    const ct_network_session_object *const o = &s->objects.items.items[place];
    if (stream->stage == CT_NETWORK_STAGE_HOST) {
        ct_network_objects_event(s, CT_NETWORK_EVENT_DESTROYED, place);
        ct_network_objects_remove(s, place);
    } else if (o->owner == stream->slot && o->owner_version == owner_version) {
        ct_network_objects_destroy_for_all(s, place, stream);
    } // else the host gave it to another meanwhile
    return NULL;
}
