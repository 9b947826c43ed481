// Objects: places, rows of words, what the game asks of them, what it says to the others.
#include <string.h>

#include "foundation/error.h"
#include "network/session/network_session_private.h"

// --- Tables --------------------------------------------------------------------------------------

void ct_network_objects_init(ct_network_session *s) {
    ct_network_session_objects_table *const t = &s->objects;
    ct_array_init(&t->items, s->allocator);
    ct_array_init(&t->versions, s->allocator);
    ct_array_init(&t->free_places, s->allocator);
    ct_hash_map_init(&t->by_id, s->allocator);
    t->rows = CT_NEW_ARRAY(s->allocator, ct_network_session_rows, s->num_types);
    for (uint32_t i = 0; i < s->num_types; ++i) {
        ct_network_session_rows *const rows = &t->rows[i];
        rows->num_words = s->types[i].num_words;
        rows->moves = ct_network_record_moves(s->desc.config, &s->types[i]);
        ct_array_init(&rows->words, s->allocator);
        ct_array_init(&rows->free_rows, s->allocator);
        ct_array_init(&rows->history_words, s->allocator);
        ct_array_init(&rows->history_numbers, s->allocator);
        ct_array_init(&rows->history_times, s->allocator);
        ct_array_init(&rows->kept_words, s->allocator);
        ct_array_init(&rows->kept_counts, s->allocator);
        ct_array_init(&rows->kept_versions, s->allocator);
        ct_array_init(&rows->free_kept, s->allocator);
        ct_array_init(&rows->cursors, s->allocator);
        ct_array_init(&rows->free_histories, s->allocator);
    }
}

static void free_rows(ct_network_session_rows *rows) {
    ct_array_free(&rows->words);
    ct_array_free(&rows->free_rows);
    ct_array_free(&rows->history_words);
    ct_array_free(&rows->history_numbers);
    ct_array_free(&rows->history_times);
    ct_array_free(&rows->kept_words);
    ct_array_free(&rows->kept_counts);
    ct_array_free(&rows->kept_versions);
    ct_array_free(&rows->free_kept);
    ct_array_free(&rows->cursors);
    ct_array_free(&rows->free_histories);
    rows->num_rows = rows->num_histories = rows->num_kept = 0;
}

void ct_network_objects_clear(ct_network_session *s) {
    ct_network_session_objects_table *const t = &s->objects;
    ct_array_free(&t->items);
    ct_array_free(&t->versions);
    ct_array_free(&t->free_places);
    ct_hash_map_clear(&t->by_id);
    for (uint32_t i = 0; i < s->num_types; ++i)
        free_rows(&t->rows[i]);
    t->count = 0;
    memset(t->num_owned, 0, sizeof(t->num_owned));
}

void ct_network_objects_free(ct_network_session *s) {
    ct_network_objects_clear(s);
    ct_hash_map_free(&s->objects.by_id);
    ct_free(s->allocator, s->objects.rows);
}

uint32_t ct_network_objects_find(const ct_network_session *s, ct_network_object_id id) {
    return (uint32_t)ct_hash_map_get(&s->objects.by_id, id, UINT32_MAX);
}

uint32_t *ct_network_objects_words(const ct_network_session *s, uint32_t place) {
    const ct_network_session_object *const o = &s->objects.items.items[place];
    const ct_network_session_rows *const rows = &s->objects.rows[o->type];
    return rows->words.items + (uint64_t)o->row * rows->num_words;
}

static uint32_t take_row(ct_network_session_rows *rows) {
    if (rows->free_rows.count > 0)
        return rows->free_rows.items[--rows->free_rows.count];
    // A type without words gets one, so that the block is not NULL.
    ct_array_resize(&rows->words, rows->words.count + (rows->num_words ? rows->num_words : 1));
    return rows->num_rows++;
}

static uint32_t take_history(ct_network_session_rows *rows) {
    if (rows->free_histories.count > 0)
        return rows->free_histories.items[--rows->free_histories.count];
    const uint32_t size = CT_NETWORK_HISTORY + 1;
    ct_array_resize(&rows->history_words,
                    rows->history_words.count + size * (rows->num_words ? rows->num_words : 1));
    ct_array_resize(&rows->history_numbers, rows->history_numbers.count + size);
    ct_array_resize(&rows->history_times, rows->history_times.count + size);
    ct_array_push(&rows->cursors, 0);
    return rows->num_histories++;
}

void ct_network_objects_reset_source(ct_network_session *s, uint32_t place) {
    ct_network_session_object *const o = &s->objects.items.items[place];
    ct_network_session_rows *const rows = &s->objects.rows[o->type];
    if (o->owner == s->slot) {
        if (o->history != UINT32_MAX)
            ct_array_push(&rows->free_histories, o->history);
        o->history = UINT32_MAX;
        return;
    }
    if (o->history == UINT32_MAX)
        o->history = take_history(rows);
    const uint32_t first = o->history * (CT_NETWORK_HISTORY + 1);
    memset(rows->history_numbers.items + first, 0, sizeof(uint32_t) * (CT_NETWORK_HISTORY + 1));
    rows->cursors.items[o->history] = 0;
    if (rows->num_words > 0)
        memcpy(rows->history_words.items + (uint64_t)first * rows->num_words,
               ct_network_objects_words(s, place), sizeof(uint32_t) * rows->num_words);
}

void ct_network_objects_touch(ct_network_session *s, uint32_t place) {
    uint32_t *const version = &s->objects.versions.items[place];
    *version = *version == UINT32_MAX ? 1 : *version + 1;
}

uint32_t ct_network_objects_add(ct_network_session *s, ct_network_object_id id, uint32_t type,
                                uint32_t owner, uint32_t owner_version, const uint32_t *words) {
    ct_network_session_objects_table *const t = &s->objects;
    uint32_t place;
    if (t->free_places.count > 0) {
        place = t->free_places.items[--t->free_places.count];
    } else {
        place = t->items.count;
        ct_array_resize(&t->items, place + 1);
        ct_array_resize(&t->versions, place + 1);
    }
    t->items.items[place] = (ct_network_session_object){.id = id,
                                                        .owner_version = owner_version,
                                                        .row = take_row(&t->rows[type]),
                                                        .history = UINT32_MAX,
                                                        .kept = UINT32_MAX,
                                                        .time = ct_network_session_ticks(s, s->now),
                                                        .type = (uint16_t)type,
                                                        .owner = (uint16_t)owner};
    t->versions.items[place] = 1;
    ct_hash_map_set(&t->by_id, id, place);
    ++t->count;
    ++t->num_owned[owner];
    if (t->rows[type].num_words > 0)
        memcpy(ct_network_objects_words(s, place), words,
               sizeof(uint32_t) * t->rows[type].num_words);
    ct_network_objects_reset_source(s, place);
    for (uint32_t i = 0; i < s->streams.count; ++i)
        ct_network_stream_grow(s, s->streams.items[i]);
    return place;
}

void ct_network_objects_remove(ct_network_session *s, uint32_t place) {
    ct_network_session_objects_table *const t = &s->objects;
    ct_network_session_object *const o = &t->items.items[place];
    ct_network_session_rows *const rows = &t->rows[o->type];
    ct_array_push(&rows->free_rows, o->row);
    if (o->history != UINT32_MAX)
        ct_array_push(&rows->free_histories, o->history);
    if (o->kept != UINT32_MAX)
        ct_array_push(&rows->free_kept, o->kept);
    const uint32_t owner = o->owner;
    ct_hash_map_erase(&t->by_id, o->id);
    *o = (ct_network_session_object){0};
    t->versions.items[place] = 0;
    ct_array_push(&t->free_places, place);
    --t->count;
    --t->num_owned[owner];
    for (uint32_t i = 0; i < s->streams.count; ++i)
        ct_network_stream_forget(s->streams.items[i], place);
}

void ct_network_objects_set_owner(ct_network_session *s, uint32_t place, uint32_t slot,
                                  uint32_t owner_version) {
    ct_network_session_object *const o = &s->objects.items.items[place];
    --s->objects.num_owned[o->owner];
    ++s->objects.num_owned[slot];
    o->owner = (uint16_t)slot;
    o->owner_version = owner_version;
}

// --- What others are sent ------------------------------------------------------------------------

ct_network_event *ct_network_objects_event(ct_network_session *s, ct_network_event_type type,
                                           uint32_t place) {
    const ct_network_session_object *const o = &s->objects.items.items[place];
    ct_network_event *const e = ct_network_session_event(s, type);
    e->object = o->id;
    e->record = o->type;
    e->peer = ct_network_peer_id_of_slot(s, o->owner);
    return e;
}

void ct_network_objects_take_words(ct_network_session *s, uint32_t place, const uint32_t *words,
                                   uint64_t ticks) {
    ct_network_session_object *const o = &s->objects.items.items[place];
    const ct_network_record_type *const type = &s->types[o->type];
    uint32_t *const own = ct_network_objects_words(s, place);
    o->time = ticks;
    if (type->num_words == 0 || memcmp(own, words, sizeof(uint32_t) * type->num_words) == 0)
        return;
    const ct_network_field *const fields = ct_network_record_fields(s->desc.config, type);
    uint64_t changed = 0;
    for (uint32_t i = 0; i < type->num_fields; ++i)
        if (memcmp(own + fields[i].first_word, words + fields[i].first_word,
                   sizeof(uint32_t) * fields[i].num_words) != 0)
            changed |= UINT64_C(1) << i;
    memcpy(own, words, sizeof(uint32_t) * type->num_words);
    ct_network_objects_touch(s, place);
    ct_network_event *const e = ct_network_objects_event(s, CT_NETWORK_EVENT_FIELDS, place);
    e->fields = changed;
    e->time = (uint32_t)(ticks / CT_NETWORK_TICKS);
}

static void write_object(ct_network_session *s, uint32_t place, ct_bit_writer *w) {
    const ct_network_session_object *const o = &s->objects.items.items[place];
    const ct_network_record_type *const type = &s->types[o->type];
    ct_bits_write(w, o->id, 32);
    ct_bits_write(w, o->type, CT_NETWORK_TYPE_BITS);
    ct_bits_write(w, o->owner, CT_NETWORK_SLOT_BITS);
    ct_bits_write_groups(w, o->owner_version, 5);
    ct_network_record_write(s->desc.config, type, ct_network_record_defaults(s->desc.config, type),
                            ct_network_objects_words(s, place), w);
}

// The other end has the words when it has got the stream's next packet.
static void make_base(ct_network_session *s, ct_network_stream *stream, uint32_t place) {
    const ct_network_session_object *const o = &s->objects.items.items[place];
    const uint32_t num_words = s->types[o->type].num_words;
    ct_network_sent_object *const sent = &stream->objects.items[place];
    sent->base = 0;
    sent->num_acked = 0;
    sent->known_at = stream->reliable_sent + 1;
    stream->sent.items[place] = s->objects.versions.items[place];
    if (num_words > 0)
        memcpy(stream->base_words[o->type].items + (uint64_t)o->row * num_words,
               ct_network_objects_words(s, place), sizeof(uint32_t) * num_words);
}

void ct_network_objects_announce(ct_network_session *s, ct_network_stream *stream, uint32_t place) {
    ct_bit_writer w = ct_network_say(s);
    write_object(s, place, &w);
    ct_network_said(s, stream, CT_NETWORK_SAY_OBJECT, &w);
    make_base(s, stream, place);
}

void ct_network_objects_announce_to_all(ct_network_session *s, const ct_network_stream *except,
                                        uint32_t place) {
    for (uint32_t i = 0; i < s->streams.count; ++i) {
        ct_network_stream *const stream = s->streams.items[i];
        if (stream != except && ct_network_stream_has_objects(stream))
            ct_network_objects_announce(s, stream, place);
    }
}

void ct_network_objects_change_owner(ct_network_session *s, uint32_t place, uint32_t slot) {
    ct_network_objects_set_owner(s, place, slot, s->objects.items.items[place].owner_version + 1);
    ct_network_objects_reset_source(s, place);
    ct_network_objects_announce_to_all(s, NULL, place);
    ct_network_objects_event(s, CT_NETWORK_EVENT_OWNER, place);
}

void ct_network_objects_destroy_for_all(ct_network_session *s, uint32_t place,
                                        const ct_network_stream *except) {
    const ct_network_session_object *const o = &s->objects.items.items[place];
    ct_bit_writer w = ct_network_say(s);
    ct_bits_write(&w, o->id, 32);
    ct_bits_write_groups(&w, o->owner_version, 5);
    ct_network_said_to_all(s, except, CT_NETWORK_SAY_DESTROY, &w);
    if (o->owner != s->slot)
        ct_network_objects_event(s, CT_NETWORK_EVENT_DESTROYED, place);
    ct_network_objects_remove(s, place);
}

// --- What the game asks --------------------------------------------------------------------------

static bool has_objects(const ct_network_session *s) {
    return s->state == CT_NETWORK_SESSION_IN || s->state == CT_NETWORK_SESSION_MIGRATING;
}

ct_network_object_id ct_network_session_create_object(ct_network_session *s, uint32_t type,
                                                      const uint32_t *words, ct_error *error) {
    CT_ASSERT(type < s->num_types, "object type %u of %u", type, s->num_types);
    if (!has_objects(s)) {
        ct_error_set(error, "this peer is not in a session: wait until it is synchronized");
        return 0;
    }
    if (s->last_count == CT_NETWORK_MAX_COUNT) {
        ct_error_set(error, "this peer has created %u objects, which is as many as there are ids",
                     s->last_count);
        return 0;
    }
    if (s->objects.num_owned[s->slot] >= s->desc.max_objects_of_peer) {
        ct_error_set(error, "this peer owns %u objects: destroy some, or raise max_objects_of_peer",
                     s->desc.max_objects_of_peer);
        return 0;
    }
    const ct_network_object_id id = s->slot << CT_NETWORK_COUNT_BITS | ++s->last_count;
    if (!words)
        words = ct_network_record_defaults(s->desc.config, &s->types[type]);
    const uint32_t place = ct_network_objects_add(s, id, type, s->slot, 0, words);
    if (s->state == CT_NETWORK_SESSION_MIGRATING)
        s->objects.items.items[place].is_unsent = true;
    else
        ct_network_objects_announce_to_all(s, NULL, place);
    return id;
}

// Returns the place of an object that this peer may change, UINT32_MAX with `error`.
static uint32_t find_own(const ct_network_session *s, ct_network_object_id id, ct_error *error) {
    const uint32_t place = ct_network_objects_find(s, id);
    if (place == UINT32_MAX) {
        ct_error_set(error, "unknown object %u.%u", id >> CT_NETWORK_COUNT_BITS,
                     id & CT_NETWORK_MAX_COUNT);
        return UINT32_MAX;
    }
    const ct_network_session_object *const o = &s->objects.items.items[place];
    const char *wrong = NULL;
    if (!has_objects(s))
        wrong = "belongs to a session that has ended";
    else if (o->owner != s->slot)
        wrong = "belongs to another peer: only its owner may change it";
    else if (o->is_giving)
        wrong = "is being given to another peer: wait for the event";
    else if (o->is_doomed)
        wrong = "was destroyed";
    if (!wrong)
        return place;
    ct_error_set(error, "object %u.%u of type %s %s", id >> CT_NETWORK_COUNT_BITS,
                 id & CT_NETWORK_MAX_COUNT,
                 (const char *)ct_blob_at(s->desc.config, s->types[o->type].name.offset), wrong);
    return UINT32_MAX;
}

bool ct_network_session_destroy_object(ct_network_session *s, ct_network_object_id id,
                                       ct_error *error) {
    const uint32_t place = find_own(s, id, error);
    if (place == UINT32_MAX)
        return false;
    ct_network_session_object *const o = &s->objects.items.items[place];
    if (s->state == CT_NETWORK_SESSION_MIGRATING && !o->is_unsent)
        o->is_doomed = true;
    else if (o->is_unsent)
        ct_network_objects_remove(s, place);
    else
        ct_network_objects_destroy_for_all(s, place, NULL);
    return true;
}

static bool ask_for_owner(ct_network_session *s, uint32_t place, uint32_t slot, ct_error *error) {
    ct_network_session_object *const o = &s->objects.items.items[place];
    if (find_own(s, o->id, error) == UINT32_MAX)
        return false;
    if (s->state != CT_NETWORK_SESSION_IN)
        return ct_error_set(error, "the session is moving to another host: try again afterwards");
    if (slot == s->slot)
        return true;
    const ct_network_record_type *const type = &s->types[o->type];
    ct_bit_writer w = ct_network_say(s);
    ct_bits_write(&w, o->id, 32);
    ct_bits_write_groups(&w, o->owner_version, 5);
    ct_bits_write(&w, slot, CT_NETWORK_SLOT_BITS);
    ct_network_record_write(s->desc.config, type, ct_network_record_defaults(s->desc.config, type),
                            ct_network_objects_words(s, place), &w);
    ct_network_said(s, ct_network_stream_of_host(s), CT_NETWORK_SAY_GIVE, &w);
    o->is_giving = true;
    return true;
}

bool ct_network_session_give_object(ct_network_session *s, ct_network_object_id id, ct_peer_id to,
                                    ct_error *error) {
    const uint32_t place = ct_network_objects_find(s, id);
    const ct_network_session_peer *const peer = ct_network_peer_find(s, to);
    if (place == UINT32_MAX || !has_objects(s))
        return ct_error_set(error, "unknown object %u.%u", id >> CT_NETWORK_COUNT_BITS,
                            id & CT_NETWORK_MAX_COUNT);
    if (!peer || peer->is_absent)
        return ct_error_set(error, "peer %016llx is not in the session", (unsigned long long)to);
    if (s->state != CT_NETWORK_SESSION_IN || s->host_slot != s->slot)
        return ask_for_owner(s, place, peer->slot, error);
    const ct_network_session_object *const o = &s->objects.items.items[place];
    const ct_network_session_peer *const owner = ct_network_peer_of_slot(s, o->owner);
    if (owner && owner->is_absent)
        return ct_error_set(error, "the session is moving to this host: try again afterwards");
    if (o->owner == peer->slot)
        return true;
    if (s->objects.num_owned[peer->slot] >= s->desc.max_objects_of_peer)
        return ct_error_set(error, "peer %016llx owns %u objects, which is the most",
                            (unsigned long long)to, s->desc.max_objects_of_peer);
    ct_network_objects_change_owner(s, place, peer->slot);
    return true;
}

bool ct_network_session_set_field(ct_network_session *s, ct_network_object_id id, uint32_t field,
                                  uint32_t element, const ct_network_value *value,
                                  ct_error *error) {
    const uint32_t place = find_own(s, id, error);
    if (place == UINT32_MAX)
        return false;
    const ct_network_record_type *const type = &s->types[s->objects.items.items[place].type];
    CT_ASSERT(field < type->num_fields, "field %u of %u", field, type->num_fields);
    const ct_network_field *const f = &ct_network_record_fields(s->desc.config, type)[field];
    uint32_t *const words = ct_network_objects_words(s, place);
    uint32_t before[CT_NETWORK_MAX_WORDS];
    memcpy(before, words + f->first_word, sizeof(uint32_t) * f->num_words);
    if (!ct_network_record_set(s->desc.config, type, field, element, value, words, error))
        return false;
    if (memcmp(before, words + f->first_word, sizeof(uint32_t) * f->num_words) != 0)
        ct_network_objects_touch(s, place);
    return true;
}

bool ct_network_session_set_words(ct_network_session *s, ct_network_object_id id,
                                  const uint32_t *words, ct_error *error) {
    const uint32_t place = find_own(s, id, error);
    if (place == UINT32_MAX)
        return false;
    const uint32_t num_words = s->types[s->objects.items.items[place].type].num_words;
    uint32_t *const own = ct_network_objects_words(s, place);
    if (num_words > 0 && memcmp(own, words, sizeof(uint32_t) * num_words) != 0) {
        memcpy(own, words, sizeof(uint32_t) * num_words);
        ct_network_objects_touch(s, place);
    }
    return true;
}

const uint32_t *ct_network_session_words(const ct_network_session *s, ct_network_object_id id) {
    const uint32_t place = ct_network_objects_find(s, id);
    return place == UINT32_MAX ? NULL : ct_network_objects_words(s, place);
}

uint32_t ct_network_session_object_type(const ct_network_session *s, ct_network_object_id id) {
    const uint32_t place = ct_network_objects_find(s, id);
    return place == UINT32_MAX ? UINT32_MAX : s->objects.items.items[place].type;
}

ct_peer_id ct_network_session_object_owner(const ct_network_session *s, ct_network_object_id id) {
    const uint32_t place = ct_network_objects_find(s, id);
    return place == UINT32_MAX ? 0
                               : ct_network_peer_id_of_slot(s, s->objects.items.items[place].owner);
}

uint32_t ct_network_session_objects(const ct_network_session *s, ct_peer_id owner,
                                    ct_network_object_id *ids, uint32_t most) {
    const ct_network_session_peer *const peer = ct_network_peer_find(s, owner);
    if (owner && !peer)
        return 0;
    ct_u32_array found, scratch;
    ct_array_init(&found, s->allocator);
    ct_array_init(&scratch, s->allocator);
    for (uint32_t i = 0; i < s->objects.items.count; ++i) {
        const ct_network_session_object *const o = &s->objects.items.items[i];
        if (o->id && (!owner || o->owner == peer->slot))
            ct_array_push(&found, o->id);
    }
    const uint32_t count = found.count;
    ct_array_resize(&scratch, count);
    ct_sort_u32(found.items, scratch.items, count);
    if (count > 0 && most > 0)
        memcpy(ids, found.items, sizeof(uint32_t) * (count < most ? count : most));
    ct_array_free(&found);
    ct_array_free(&scratch);
    return count;
}

bool ct_network_session_set_priority(ct_network_session *s, ct_network_object_id id,
                                     ct_peer_id peer, float priority) {
    const uint32_t place = ct_network_objects_find(s, id);
    ct_network_stream *const stream = ct_network_stream_find(s, peer);
    if (place == UINT32_MAX || !stream || !ct_network_stream_has_objects(stream))
        return false;
    stream->objects.items[place].priority = priority > 0 ? priority : 0;
    return true;
}
