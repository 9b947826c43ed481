// websocket_client.c: the update thread's side: slots, ids, queues.
#include "web/websocket/websocket_client.h"

#include <string.h>

#include "foundation/log.h"
#include "foundation/memory/proxy_allocator.h"
#include "web/websocket/websocket_private.h"

enum { SLOT_BITS = 16 };

// --- Messages ------------------------------------------------------------------------------------

// Room that libwebsockets wants before what it sends.
static const uint64_t before = (LWS_PRE + 15) / 16 * 16;

void ct_websocket_push(ct_websocket_queue *queue, ct_websocket_message *message) {
    message->next = NULL;
    *(queue->last ? &queue->last->next : &queue->first) = message;
    queue->last = message;
    ++queue->count;
    queue->bytes += message->bytes;
}

ct_websocket_message *ct_websocket_pop(ct_websocket_queue *queue) {
    ct_websocket_message *const message = queue->first;
    if (!message)
        return NULL;
    queue->first = message->next;
    if (!queue->first)
        queue->last = NULL;
    --queue->count;
    queue->bytes -= message->bytes;
    message->next = NULL;
    return message;
}

// The struct itself is larger than LWS_PRE, but what is before the data would be written over.
ct_websocket_message *ct_websocket_make_message(ct_websockets *w, ct_websocket_type type,
                                                uint64_t bytes) {
    char *const block = ct_alloc_aligned(
        w->allocator, before + sizeof(ct_websocket_message) + bytes + 1, CT_DEFAULT_ALIGN);
    ct_websocket_message *const message = (ct_websocket_message *)(void *)(block + before);
    *message = (ct_websocket_message){.type = type, .bytes = bytes};
    message->data[bytes] = '\0';
    return message;
}

void ct_websocket_free_message(ct_websockets *w, ct_websocket_message *message) {
    if (message)
        ct_free(w->allocator, (char *)message - before);
}

void ct_websocket_free_queue(ct_websockets *w, ct_websocket_queue *queue) {
    for (ct_websocket_message *m = ct_websocket_pop(queue); m; m = ct_websocket_pop(queue))
        ct_websocket_free_message(w, m);
}

// --- Life cycle ----------------------------------------------------------------------------------

static ct_websocket_limits with_defaults(ct_websocket_limits limits) {
    const ct_websocket_limits defaults = {.max_message_bytes = 16 << 20,
                                          .max_unread = 1024,
                                          .max_unread_bytes = 32 << 20,
                                          .max_unsent = 1024,
                                          .max_unsent_bytes = CT_WEBSOCKET_MAX_SENT_BYTES,
                                          .max_all_unread_bytes = 256 << 20,
                                          .max_all_unsent_bytes = 128 << 20,
                                          .max_part_bytes = 128 << 20};
#define CT_DEFAULT(member) limits.member = limits.member ? limits.member : defaults.member
    CT_DEFAULT(max_message_bytes);
    CT_DEFAULT(max_unread);
    CT_DEFAULT(max_unread_bytes);
    CT_DEFAULT(max_unsent);
    CT_DEFAULT(max_unsent_bytes);
    CT_DEFAULT(max_all_unread_bytes);
    CT_DEFAULT(max_all_unsent_bytes);
    CT_DEFAULT(max_part_bytes);
#undef CT_DEFAULT
    return limits;
}

ct_websockets *ct_websockets_create(const ct_websockets_desc *desc) {
    ct_allocator *const a = ct_proxy_allocator_create(desc->allocator, "websocket");
    ct_websockets *const w = CT_NEW(a, ct_websockets);
    w->allocator = a;
    w->rules = desc->rules;
    w->limits = with_defaults(desc->limits);
    w->ca_path = desc->ca_path ? ct_copy_string(a, desc->ca_path) : NULL;
    w->lws = ct_lws_load(&w->load_error);
    w->is_broken = !w->lws;
    ct_mutex_init(&w->mutex);
    return w;
}

// Call it with the mutex locked: the service thread frees the context under it.
static void wake(ct_websockets *w) {
    if (w->context)
        w->lws->lws_cancel_service(w->context);
}

// Frees what is left of a connection that is over.
static void free_slot(ct_websockets *w, ct_websocket_slot *slot) {
    ct_mutex_lock(&w->mutex);
    w->unread_bytes -= slot->link->unread_bytes;
    w->unsent_bytes -= slot->link->to_send.bytes;
    wake(w); // connections that are paused may go on
    ct_mutex_unlock(&w->mutex);
    ct_websocket_free_queue(w, &slot->taken);
    ct_websocket_free_link(slot->link);
    *slot = (ct_websocket_slot){.generation = slot->generation};
}

void ct_websockets_destroy(ct_websockets *w) {
    if (!w)
        return;
    ct_mutex_lock(&w->mutex);
    w->is_ending = true;
    wake(w);
    ct_mutex_unlock(&w->mutex);
    if (w->is_started)
        ct_thread_join(w->thread);
    for (uint32_t i = 1; i <= CT_WEBSOCKET_MAX_CONNECTIONS; ++i)
        if (w->slots[i].link)
            free_slot(w, &w->slots[i]);
    ct_allocator *const a = w->allocator;
    ct_mutex_shutdown(&w->mutex);
    ct_free(a, w->ca_path);
    ct_free_sized(a, w, sizeof(*w));
    ct_proxy_allocator_destroy(a);
}

// --- Slots ---------------------------------------------------------------------------------------

static ct_websocket_slot *slot_of(ct_websockets *w, ct_websocket_id id) {
    const uint64_t place = id.value & ((1u << SLOT_BITS) - 1);
    if (place == 0 || place > CT_WEBSOCKET_MAX_CONNECTIONS)
        return NULL;
    ct_websocket_slot *const slot = &w->slots[place];
    return slot->link && slot->generation == id.value >> SLOT_BITS ? slot : NULL;
}

// Returns a free slot; without one, that of the connection that has been closed for the longest time,
// which is forgotten. NULL: all are open.
static ct_websocket_slot *take_slot(ct_websockets *w, ct_websocket_id *forgotten) {
    ct_websocket_slot *oldest = NULL;
    for (uint32_t i = 1; i <= CT_WEBSOCKET_MAX_CONNECTIONS; ++i) {
        ct_websocket_slot *const slot = &w->slots[i];
        if (!slot->link)
            return slot;
        if (slot->close_number && (!oldest || slot->close_number < oldest->close_number))
            oldest = slot;
    }
    if (!oldest)
        return NULL;
    *forgotten = oldest->link->id;
    free_slot(w, oldest);
    return oldest;
}

// Returns false when the service thread has ended, since libwebsockets does not start.
static bool hand_over(ct_websockets *w, ct_websocket_link *link) {
    ct_mutex_lock(&w->mutex);
    const bool is_broken = w->is_broken;
    if (!is_broken) {
        link->next = w->inbox;
        w->inbox = link;
        wake(w);
    }
    ct_mutex_unlock(&w->mutex);
    if (is_broken)
        return false;
    if (!w->is_started)
        w->thread = ct_thread_start("websocket", ct_websocket_run, w);
    w->is_started = true;
    return true;
}

// Starts to connect. Returns false when the link has failed: the library is missing, or the host is not
// allowed.
static bool begin(ct_websockets *w, ct_websocket_link *link) {
    ct_error why = {0};
    const bool is_allowed =
        w->lws && ct_web_rules_check_host(w->rules, &link->host, link->is_secure ? 443 : 80, &why);
    if (is_allowed && hand_over(w, link))
        return true;
    if (!w->lws)
        why = w->load_error;
    else if (is_allowed)
        ct_error_set(&why, "libwebsockets does not start; reinstall the package libwebsockets17");
    ct_log_warning("web", "web_connection", "a connection fails: %s", why.message);
    ct_websocket_end(link, "%s", why.message);
    return false;
}

static void close_at_once(ct_websockets *w, ct_websocket_slot *slot) {
    slot->link->is_over = true;
    slot->state = CT_WEBSOCKET_STATE_CLOSED;
    slot->close_number = ++w->num_closed;
}

ct_websocket_id ct_websocket_open(ct_websockets *w, const ct_websocket_request *request,
                                  ct_websocket_id *forgotten, ct_error *error) {
    *forgotten = (ct_websocket_id){0};
    ct_websocket_link *const link = ct_websocket_make_link(w, request, error);
    if (!link)
        return (ct_websocket_id){0};
    ct_websocket_slot *const slot = take_slot(w, forgotten);
    if (!slot) {
        ct_websocket_free_link(link);
        ct_error_set(error, "%d connections are open, which is the most; close some",
                     (int)CT_WEBSOCKET_MAX_CONNECTIONS);
        return (ct_websocket_id){0};
    }
    *slot = (ct_websocket_slot){
        .link = link, .generation = slot->generation + 1, .state = CT_WEBSOCKET_STATE_CONNECTING};
    link->id =
        (ct_websocket_id){(uint64_t)slot->generation << SLOT_BITS | (uint64_t)(slot - w->slots)};
    if (!begin(w, link))
        close_at_once(w, slot);
    return link->id;
}

// --- Use -----------------------------------------------------------------------------------------

// Appends all messages of `from`, which is then empty.
static void move_all(ct_websocket_queue *queue, ct_websocket_queue *from) {
    if (!from->first)
        return;
    *(queue->last ? &queue->last->next : &queue->first) = from->first;
    queue->last = from->last;
    queue->count += from->count;
    queue->bytes += from->bytes;
    *from = (ct_websocket_queue){0};
}

// A link whose end is not handed back yet is as it was.
static ct_websocket_state visible_state(const ct_websocket_slot *slot) {
    const ct_websocket_link *const link = slot->link;
    if (link->is_over)
        return CT_WEBSOCKET_STATE_CLOSED;
    if (link->wants_close)
        return CT_WEBSOCKET_STATE_CLOSING;
    return link->state == CT_WEBSOCKET_STATE_CLOSED ? slot->state : link->state;
}

void ct_websockets_update(ct_websockets *w) {
    ct_mutex_lock(&w->mutex);
    for (uint32_t i = 1; i <= CT_WEBSOCKET_MAX_CONNECTIONS; ++i) {
        ct_websocket_slot *const slot = &w->slots[i];
        if (!slot->link)
            continue;
        move_all(&slot->taken, &slot->link->received);
        slot->num_unsent = slot->link->to_send.count;
        slot->state = visible_state(slot);
        memcpy(slot->protocol, slot->link->protocol, sizeof(slot->protocol));
        if (slot->link->is_over && !slot->close_number)
            slot->close_number = ++w->num_closed;
    }
    ct_mutex_unlock(&w->mutex);
}

ct_websocket_info ct_websocket_info_of(ct_websockets *w, ct_websocket_id id) {
    const ct_websocket_slot *const slot = slot_of(w, id);
    if (!slot)
        return (ct_websocket_info){.protocol = "", .close_reason = ""};
    // Once it is closed, the service thread does not change these any more.
    const ct_websocket_link *const link = slot->link;
    const bool is_open = slot->state >= CT_WEBSOCKET_STATE_OPEN;
    const bool is_closed = slot->close_number != 0;
    return (ct_websocket_info){.state = slot->state,
                               .protocol = is_open ? slot->protocol : "",
                               .error = is_closed && link->has_error ? link->error.message : NULL,
                               .close_code = is_closed ? link->close_code : 0,
                               .close_reason = is_closed ? link->close_reason : "",
                               .num_unread = slot->taken.count,
                               .num_unsent = slot->num_unsent};
}

// Whether a message can be sent. The service thread only makes more room.
static bool has_room(ct_websockets *w, const ct_websocket_link *link, uint64_t bytes) {
    ct_mutex_lock(&w->mutex);
    const bool has_room = link->state != CT_WEBSOCKET_STATE_CLOSED &&
                          link->to_send.count < w->limits.max_unsent &&
                          link->to_send.bytes + bytes <= w->limits.max_unsent_bytes &&
                          w->unsent_bytes + bytes <= w->limits.max_all_unsent_bytes;
    ct_mutex_unlock(&w->mutex);
    return has_room;
}

bool ct_websocket_send(ct_websockets *w, ct_websocket_id id, ct_websocket_type type,
                       const void *data, uint64_t bytes) {
    ct_websocket_slot *const slot = slot_of(w, id);
    if (!slot || slot->state >= CT_WEBSOCKET_STATE_CLOSING || !has_room(w, slot->link, bytes))
        return false;
    ct_websocket_message *const message = ct_websocket_make_message(w, type, bytes);
    if (bytes > 0)
        memcpy(message->data, data, bytes);
    ct_mutex_lock(&w->mutex);
    ct_websocket_link *const link = slot->link;
    ct_websocket_push(&link->to_send, message);
    w->unsent_bytes += bytes;
    slot->num_unsent = link->to_send.count;
    wake(w);
    ct_mutex_unlock(&w->mutex);
    return true;
}

ct_websocket_message *ct_websocket_poll(ct_websockets *w, ct_websocket_id id) {
    ct_websocket_slot *const slot = slot_of(w, id);
    ct_websocket_message *const message = slot ? ct_websocket_pop(&slot->taken) : NULL;
    if (!message)
        return NULL;
    ct_mutex_lock(&w->mutex);
    ct_websocket_link *const link = slot->link;
    const bool was_full = w->unread_bytes >= w->limits.max_all_unread_bytes;
    --link->num_unread;
    link->unread_bytes -= message->bytes;
    w->unread_bytes -= message->bytes;
    // Connections that are paused go on.
    if (slot->taken.count == 0 || (was_full && w->unread_bytes < w->limits.max_all_unread_bytes))
        wake(w);
    ct_mutex_unlock(&w->mutex);
    return message;
}

void ct_websocket_close(ct_websockets *w, ct_websocket_id id, uint16_t code, const char *reason) {
    ct_websocket_slot *const slot = slot_of(w, id);
    if (!slot || slot->state >= CT_WEBSOCKET_STATE_CLOSING)
        return;
    slot->state = CT_WEBSOCKET_STATE_CLOSING;
    ct_mutex_lock(&w->mutex);
    ct_websocket_link *const link = slot->link;
    link->wants_close = true;
    link->own_code = code;
    const size_t bytes = strlen(reason);
    memcpy(link->own_reason, reason,
           bytes < sizeof(link->own_reason) ? bytes : sizeof(link->own_reason) - 1);
    wake(w);
    ct_mutex_unlock(&w->mutex);
}
