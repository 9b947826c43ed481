// script_network_objects.c: what is known of the session's objects beside their words: the owner, as
// the last events left it, and the last records of objects of others, between which they are shown.
#include <string.h>

#include "script/network/script_network_private.h"

// A record that comes with its object's creation is taken to be a bit older than its arrival, so
// that the first change of fields is newer.
#define CREATED_BEFORE 0.05

void ct_script_network_init_objects(struct ct_script_network *n) {
    ct_array_init(&n->objects.items, n->allocator);
    ct_array_init(&n->objects.senders, n->allocator);
    ct_hash_map_init(&n->objects.places, n->allocator);
    n->objects.delay = -1;
}

void ct_script_network_clear_objects(struct ct_script_network *n) {
    for (uint32_t i = 0; i < n->objects.items.count; ++i)
        ct_network_buffer_destroy(n->objects.items.items[i].buffer);
    n->objects.items.count = n->objects.senders.count = 0;
    ct_hash_map_clear(&n->objects.places);
}

void ct_script_network_free_objects(struct ct_script_network *n) {
    ct_script_network_clear_objects(n);
    ct_array_free(&n->objects.items);
    ct_array_free(&n->objects.senders);
    ct_hash_map_free(&n->objects.places);
}

ct_script_network_object *ct_script_network_find_object(struct ct_script_network *n,
                                                        ct_network_object_id id) {
    const uint64_t *const place = ct_hash_map_find(&n->objects.places, id);
    return place ? &n->objects.items.items[*place] : NULL;
}

static ct_script_network_object *note(struct ct_script_network *n, ct_network_object_id id,
                                      uint32_t record, ct_peer_id owner) {
    ct_script_network_object *found = ct_script_network_find_object(n, id);
    if (!found) {
        ct_hash_map_set(&n->objects.places, id, n->objects.items.count);
        ct_array_push(&n->objects.items, (ct_script_network_object){.id = id});
        found = &n->objects.items.items[n->objects.items.count - 1];
    }
    found->record = record;
    found->owner = owner;
    return found;
}

void ct_script_network_note_object(struct ct_script_network *n, ct_network_object_id id,
                                   uint32_t record) {
    note(n, id, record, ct_network_self(n->network));
}

void ct_script_network_forget_object(struct ct_script_network *n, ct_network_object_id id) {
    const uint64_t *const found = ct_hash_map_find(&n->objects.places, id);
    if (!found)
        return;
    const uint32_t place = (uint32_t)*found;
    ct_network_buffer_destroy(n->objects.items.items[place].buffer);
    ct_hash_map_erase(&n->objects.places, id);
    ct_array_swap_erase(&n->objects.items, place);
    if (place < n->objects.items.count)
        ct_hash_map_set(&n->objects.places, n->objects.items.items[place].id, place);
}

// --- Delays --------------------------------------------------------------------------------------

static ct_script_network_sender *find_sender(struct ct_script_network *n, ct_peer_id peer) {
    for (uint32_t i = 0; i < n->objects.senders.count; ++i)
        if (n->objects.senders.items[i].peer == peer)
            return &n->objects.senders.items[i];
    return NULL;
}

static ct_script_network_sender *sender_of(struct ct_script_network *n, ct_peer_id peer) {
    ct_script_network_sender *const found = find_sender(n, peer);
    if (found)
        return found;
    ct_script_network_sender made = {.peer = peer};
    ct_network_delay_set(&made.delay, n->objects.delay);
    ct_array_push(&n->objects.senders, made);
    return &n->objects.senders.items[n->objects.senders.count - 1];
}

void ct_script_network_set_delay(struct ct_script_network *n, double seconds) {
    n->objects.delay = seconds;
    for (uint32_t i = 0; i < n->objects.senders.count; ++i)
        ct_network_delay_set(&n->objects.senders.items[i].delay, seconds);
}

static void set_shown_times(struct ct_script_network *n, double now) {
    for (uint32_t i = 0; i < n->objects.senders.count; ++i) {
        ct_script_network_sender *const sender = &n->objects.senders.items[i];
        if (sender->received > 0)
            ct_network_delay_add(&sender->delay, sender->received, now);
        sender->received = 0;
        sender->shown = ct_network_delay_time(&sender->delay, now);
    }
}

// --- Events --------------------------------------------------------------------------------------

static const ct_network_record_type *record_of(const struct ct_script_network *n, uint32_t record) {
    return &ct_network_config_objects(n->config)[record];
}

// Adds the words that an object has now, as of a time of the session. They are newer than all that came
// before, though clocks may differ a little: else the last words of one that comes to rest would be lost.
static void add_record(struct ct_script_network *n, ct_script_network_object *object, double time) {
    const uint32_t *const words =
        ct_network_session_words(ct_network_session_of(n->network), object->id);
    if (!words)
        return; // a later event destroys it
    if (!object->buffer)
        object->buffer = ct_network_buffer_create(n->allocator, record_of(n, object->record));
    const double least = ct_network_buffer_newest(object->buffer) + 0.001;
    ct_network_buffer_add(object->buffer, time > least ? time : least, words);
}

static void take_created(struct ct_script_network *n, const ct_network_event *e, double now) {
    ct_script_network_object *const object = note(n, e->object, e->record, e->peer);
    const ct_script_network_sender *const sender = find_sender(n, e->peer);
    const double late = sender && sender->delay.late > 0 ? sender->delay.late : 0;
    add_record(n, object, now - late - CREATED_BEFORE);
}

// Puts the old owner, two words, behind all others, at the place that becomes the event's num_words.
static void take_owner(struct ct_script_network *n, ct_network_event *e) {
    ct_script_network_object *const object = ct_script_network_find_object(n, e->object);
    const ct_peer_id old = object ? object->owner : 0;
    e->num_words = n->words.count;
    ct_array_push(&n->words, (uint32_t)old);
    ct_array_push(&n->words, (uint32_t)(old >> 32));
    if (!object)
        return;
    object->owner = e->peer;
    ct_network_buffer_destroy(object->buffer); // the new owner's times are others
    object->buffer = NULL;
}

static void take_fields(struct ct_script_network *n, const ct_network_event *e) {
    ct_script_network_object *const object = ct_script_network_find_object(n, e->object);
    if (!object)
        return;
    ct_script_network_sender *const sender = sender_of(n, object->owner);
    const double time = (double)e->time * 1e-3;
    if (time > sender->received)
        sender->received = time;
    if (!object->has_news && object->buffer && sender->delay.has_shown)
        ct_network_buffer_hold(object->buffer, sender->shown);
    if (!object->has_news)
        add_record(n, object, time);
    object->has_news = true;
}

static void forget_news(struct ct_script_network *n) {
    for (uint32_t i = 0; i < n->objects.items.count; ++i)
        n->objects.items.items[i].has_news = false;
}

void ct_script_network_take_objects(struct ct_script_network *n) {
    ct_network_session *const s = ct_network_session_of(n->network);
    if (!s)
        return;
    const double now = (double)ct_network_session_time(s, ct_script_network_seconds(n)) * 1e-3;
    for (uint32_t i = 0; i < n->events.count; ++i) {
        ct_network_event *const e = &n->events.items[i];
        if (e->type == CT_NETWORK_EVENT_CREATED)
            take_created(n, e, now);
        else if (e->type == CT_NETWORK_EVENT_OWNER)
            take_owner(n, e);
    }
    // Of several changes in one update only the last has its words: it comes first here.
    forget_news(n);
    for (uint32_t i = n->events.count; i-- > 0;)
        if (n->events.items[i].type == CT_NETWORK_EVENT_FIELDS)
            take_fields(n, &n->events.items[i]);
    for (uint32_t i = 0; i < n->events.count; ++i)
        if (n->events.items[i].type == CT_NETWORK_EVENT_DESTROYED)
            ct_script_network_forget_object(n, n->events.items[i].object);
    set_shown_times(n, now);
}

bool ct_script_network_moment(struct ct_script_network *n, ct_network_object_id id,
                              ct_network_moment *moment) {
    const ct_script_network_object *const object = ct_script_network_find_object(n, id);
    if (!object || !object->buffer || object->owner == ct_network_self(n->network))
        return false;
    const ct_script_network_sender *const sender = find_sender(n, object->owner);
    return sender && ct_network_buffer_find(object->buffer, sender->shown, 0, moment);
}
