// websocket_events.c: what libwebsockets reports of a connection.
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "web/websocket/websocket_private.h"

enum { CLOSED_WITHOUT_CODE = 1005, CLOSED_WITHOUT_FRAME = 1006, LEAST_PART_BYTES = 256 };

void ct_websocket_end(ct_websocket_link *link, const char *format, ...) {
    ct_websockets *const w = link->owner;
    char message[CT_ERROR_MESSAGE_BYTES] = "";
    if (format) {
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(message, sizeof(message), format, arguments);
        va_end(arguments);
    }
    if (link->is_ended)
        return;
    ct_lookup_drop(link->lookup); // else it calls back when all is gone
    link->lookup = NULL;
    ct_mutex_lock(&w->mutex);
    link->has_error = format != NULL;
    ct_error_set(&link->error, "%s", message);
    link->state = CT_WEBSOCKET_STATE_CLOSED;
    if (link->close_code == 0)
        link->close_code = CLOSED_WITHOUT_FRAME;
    w->unsent_bytes -= link->to_send.bytes;
    ct_websocket_free_queue(w, &link->to_send);
    ct_mutex_unlock(&w->mutex);
    link->is_ended = true;
    link->wsi = NULL;
    if (!link->part)
        return;
    ct_websocket_free_message(w, link->part);
    w->part_bytes -= link->part_capacity;
    link->part = NULL;
    link->part_capacity = 0;
}

bool ct_websocket_is_full(const ct_websocket_link *link) {
    const ct_websockets *const w = link->owner;
    return link->num_unread >= w->limits.max_unread ||
           link->unread_bytes >= w->limits.max_unread_bytes ||
           w->unread_bytes >= w->limits.max_all_unread_bytes;
}

// --- Connecting ----------------------------------------------------------------------------------

// Appends the headers of the game to the request. `at` is where they go, with `bytes` of room.
static int add_headers(ct_websocket_link *link, unsigned char **at, size_t bytes) {
    const size_t length = strlen(link->headers);
    link->is_asked = true;
    if (length >= bytes)
        return -1;
    memcpy(*at, link->headers, length);
    *at += length;
    return 0;
}

static void note_protocol(ct_websocket_link *link, struct lws *wsi) {
    ct_websockets *const w = link->owner;
    char protocol[CT_WEBSOCKET_MAX_PROTOCOLS_BYTES] = "";
    if (w->lws->lws_hdr_copy(wsi, protocol, sizeof(protocol), WSI_TOKEN_PROTOCOL) < 0)
        protocol[0] = '\0';
    ct_mutex_lock(&w->mutex);
    memcpy(link->protocol, protocol, sizeof(protocol));
    ct_mutex_unlock(&w->mutex);
}

static void open_link(ct_websocket_link *link) {
    ct_mutex_lock(&link->owner->mutex);
    link->state = CT_WEBSOCKET_STATE_OPEN;
    ct_mutex_unlock(&link->owner->mutex);
}

// Goes on to the next address, or gives up.
static void fail_to_connect(ct_websocket_link *link, struct lws *wsi, const char *why,
                            size_t bytes) {
    link->owner->lws->lws_set_opaque_user_data(wsi, NULL);
    link->wsi = NULL;
    const char *const text = why ? why : "no one listens there";
    if (link->is_asked || link->next_address >= link->addresses.count)
        ct_websocket_end(link, "cannot connect to %s: %.*s", link->host.name,
                         (int)(why ? bytes : strlen(text)), text);
}

// --- Receiving -----------------------------------------------------------------------------------

// Ends a link for an error of the server, with a code of the protocol. The connection is cut from the
// library's loop, without a close: in libwebsockets 4.1 what ends a connection from inside of RECEIVE lets
// the rest of the frame be written behind a buffer (its issue 3412).
static int refuse(ct_websocket_link *link, struct lws *wsi, enum lws_close_status code,
                  const char *why) {
    const ct_lws_api *const lws = link->owner->lws;
    ct_mutex_lock(&link->owner->mutex);
    link->close_code = (uint16_t)code;
    ct_mutex_unlock(&link->owner->mutex);
    lws->lws_set_opaque_user_data(wsi, NULL);
    lws->lws_rx_flow_control(wsi, 0);
    lws->lws_set_timeout(wsi, PENDING_TIMEOUT_USER_OK, LWS_TO_KILL_ASYNC);
    ct_websocket_end(link, "%s", why);
    return 0;
}

// Makes room for `bytes` more of the message that comes.
static void grow_part(ct_websocket_link *link, ct_websocket_type type, size_t bytes) {
    ct_websockets *const w = link->owner;
    const uint64_t have = link->part ? link->part->bytes : 0;
    if (link->part && have + bytes <= link->part_capacity)
        return;
    uint64_t capacity = link->part_capacity * 2;
    if (capacity < have + bytes)
        capacity = have + bytes;
    if (capacity < LEAST_PART_BYTES)
        capacity = LEAST_PART_BYTES;
    if (capacity > w->limits.max_message_bytes) // which is no less than what has come
        capacity = w->limits.max_message_bytes;
    ct_websocket_message *const larger = ct_websocket_make_message(w, type, capacity);
    larger->bytes = have;
    if (have > 0)
        memcpy(larger->data, link->part->data, have);
    ct_websocket_free_message(w, link->part);
    w->part_bytes += capacity - link->part_capacity;
    link->part = larger;
    link->part_capacity = capacity;
}

// Gives the message that has come to the update thread; stops reading when that has too many. While the
// connection closes, reading goes on for the server's answer, and what is too much is left out.
static void hand_over(ct_websocket_link *link, struct lws *wsi) {
    ct_websockets *const w = link->owner;
    ct_websocket_message *const message = link->part;
    message->data[message->bytes] = '\0';
    link->part = NULL;
    w->part_bytes -= link->part_capacity;
    link->part_capacity = 0;
    ct_mutex_lock(&w->mutex);
    const bool closes = link->wants_close;
    const bool is_left_out = closes && ct_websocket_is_full(link);
    if (!is_left_out) {
        ct_websocket_push(&link->received, message);
        ++link->num_unread;
        link->unread_bytes += message->bytes;
        w->unread_bytes += message->bytes;
    }
    const bool is_full = ct_websocket_is_full(link);
    ct_mutex_unlock(&w->mutex);
    if (is_left_out)
        ct_websocket_free_message(w, message);
    if (is_full && !closes && !link->is_paused) {
        link->is_paused = true;
        w->lws->lws_rx_flow_control(wsi, 0);
    }
}

static int receive(ct_websocket_link *link, struct lws *wsi, const void *data, size_t bytes) {
    ct_websockets *const w = link->owner;
    const ct_lws_api *const lws = w->lws;
    const ct_websocket_type type =
        lws->lws_frame_is_binary(wsi) ? CT_WEBSOCKET_TYPE_BINARY : CT_WEBSOCKET_TYPE_TEXT;
    const uint64_t have = link->part ? link->part->bytes : 0;
    if (have + bytes > w->limits.max_message_bytes)
        return refuse(link, wsi, LWS_CLOSE_STATUS_MESSAGE_TOO_LARGE,
                      "the server has sent a message that is too long");
    if (w->part_bytes + bytes > w->limits.max_part_bytes)
        return refuse(link, wsi, LWS_CLOSE_STATUS_MESSAGE_TOO_LARGE,
                      "the messages that come on all connections together are too long");
    grow_part(link, type, bytes);
    if (bytes > 0)
        memcpy(link->part->data + have, data, bytes);
    link->part->bytes = have + bytes;
    if (lws->lws_is_final_fragment(wsi))
        hand_over(link, wsi);
    return 0;
}

static void note_close(ct_websocket_link *link, const uint8_t *data, size_t bytes) {
    ct_mutex_lock(&link->owner->mutex);
    link->close_code = CLOSED_WITHOUT_CODE;
    if (bytes >= 2) {
        size_t length = bytes - 2;
        if (length > CT_WEBSOCKET_MAX_REASON_BYTES)
            length = CT_WEBSOCKET_MAX_REASON_BYTES;
        link->close_code = (uint16_t)(data[0] << 8 | data[1]);
        memcpy(link->close_reason, data + 2, length);
        link->close_reason[length] = '\0';
    }
    ct_mutex_unlock(&link->owner->mutex);
}

// --- Sending -------------------------------------------------------------------------------------

// Sends the next message, or the close that the game wants once all is sent.
static int send_next(ct_websocket_link *link, struct lws *wsi) {
    ct_websockets *const w = link->owner;
    ct_mutex_lock(&w->mutex);
    ct_websocket_message *const message = ct_websocket_pop(&link->to_send);
    w->unsent_bytes -= message ? message->bytes : 0;
    const bool has_more = link->to_send.count > 0 || link->wants_close;
    const bool closes = !message && link->wants_close;
    if (closes && link->close_code == 0)
        link->close_code = link->own_code;
    ct_mutex_unlock(&w->mutex);
    if (closes) {
        link->is_closing = true;
        w->lws->lws_close_reason(wsi, link->own_code, (unsigned char *)link->own_reason,
                                 strlen(link->own_reason));
        return -1;
    }
    if (!message)
        return 0;
    const enum lws_write_protocol protocol =
        message->type == CT_WEBSOCKET_TYPE_BINARY ? LWS_WRITE_BINARY : LWS_WRITE_TEXT;
    const int sent =
        w->lws->lws_write(wsi, (unsigned char *)message->data, message->bytes, protocol);
    ct_websocket_free_message(w, message);
    if (has_more)
        w->lws->lws_callback_on_writable(wsi);
    return sent < 0 ? -1 : 0;
}

// --- The callback --------------------------------------------------------------------------------

static void end_closed(ct_websocket_link *link, struct lws *wsi) {
    link->owner->lws->lws_set_opaque_user_data(wsi, NULL);
    if (link->close_code == 0)
        ct_websocket_end(link, "the connection is lost, or the server has sent what WebSocket does "
                               "not allow");
    else
        ct_websocket_end(link, NULL);
}

// Which link a wsi belongs to; NULL: none, or one that has given it up. Callbacks without a connection of
// ours have none.
static ct_websocket_link *link_of(struct lws *wsi) {
    ct_error ignored;
    const ct_lws_api *const lws = ct_lws_load(&ignored);
    return wsi && lws ? lws->lws_get_opaque_user_data(wsi) : NULL;
}

int ct_websocket_callback(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
                          size_t bytes) {
    (void)user;
    ct_websocket_link *link = NULL;
    switch (reason) {
    case LWS_CALLBACK_CLIENT_APPEND_HANDSHAKE_HEADER:
    case LWS_CALLBACK_CLIENT_FILTER_PRE_ESTABLISH:
    case LWS_CALLBACK_CLIENT_ESTABLISHED:
    case LWS_CALLBACK_CLIENT_RECEIVE:
    case LWS_CALLBACK_CLIENT_WRITEABLE:
    case LWS_CALLBACK_WS_PEER_INITIATED_CLOSE:
    case LWS_CALLBACK_CLIENT_CONNECTION_ERROR:
    case LWS_CALLBACK_CLIENT_CLOSED:
    case LWS_CALLBACK_WSI_DESTROY:
        link = link_of(wsi);
        break;
    default:
        return 0;
    }
    if (!link) // it was given up; RECEIVE must not say so (see `refuse`)
        return reason == LWS_CALLBACK_CLIENT_ESTABLISHED || reason == LWS_CALLBACK_CLIENT_WRITEABLE
                   ? -1
                   : 0;
    switch (reason) {
    case LWS_CALLBACK_CLIENT_APPEND_HANDSHAKE_HEADER:
        return add_headers(link, in, bytes);
    case LWS_CALLBACK_CLIENT_FILTER_PRE_ESTABLISH:
        note_protocol(link, wsi);
        return 0;
    case LWS_CALLBACK_CLIENT_ESTABLISHED:
        open_link(link);
        return 0;
    case LWS_CALLBACK_CLIENT_RECEIVE:
        return receive(link, wsi, in, bytes);
    case LWS_CALLBACK_CLIENT_WRITEABLE:
        return send_next(link, wsi);
    case LWS_CALLBACK_WS_PEER_INITIATED_CLOSE:
        note_close(link, in, bytes);
        return 0;
    case LWS_CALLBACK_CLIENT_CONNECTION_ERROR:
        fail_to_connect(link, wsi, in, bytes);
        return 0;
    case LWS_CALLBACK_CLIENT_CLOSED:
    case LWS_CALLBACK_WSI_DESTROY:
        // A connect that fails at once is not reported as an error.
        if (link->state == CT_WEBSOCKET_STATE_CONNECTING && !link->is_asked)
            fail_to_connect(link, wsi, NULL, 0);
        else
            end_closed(link, wsi);
        return 0;
    default:
        return 0;
    }
}
