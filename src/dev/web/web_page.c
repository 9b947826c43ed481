// web_page.c: a WebSocket and its end of the pair, each read only as fast as the other takes it.
#include <string.h>

#include "dev/web/web_private.h"
#include "foundation/error.h"
#include "foundation/os/local_socket.h"

enum {
    READ_BYTES = 65536,    // at a time, of the pair
    FRAMES_AT_ONCE = 128,  // to a page, before others have their turn
    MAX_JOINED = 64 << 20, // of the incomplete messages of all pages
    HALF_SECONDS = 30,     // that a message may be incomplete
    CLOSE_SECONDS = 5,     // that a page has to read what was sent before a close
};
static const uint64_t second_ns = 1000000000;

// --- Life ----------------------------------------------------------------------------------------

// Stops and starts reading from the page. While it is to be closed, what it sends is read and forgotten:
// bytes that were not read would take the close with them.
static void read_page(ct_web_connection *c, bool reads) {
    reads |= c->close_code != 0;
    if (!c->wsi || c->is_paused == !reads)
        return;
    c->is_paused = !reads;
    c->web->lws->lws_rx_flow_control(c->wsi, reads);
}

void ct_web_close_page(ct_web_connection *c, ct_web_close code, const char *reason) {
    if (c->close_code != 0)
        return;
    c->close_code = (uint16_t)code;
    ct_web_write_reason(reason, c->close_reason);
    c->close_deadline_ns = ct_os_time_ns() + CLOSE_SECONDS * second_ns;
    read_page(c, true);
    if (c->wsi)
        c->web->lws->lws_callback_on_writable(c->wsi);
}

// Has libwebsockets wait for our end, by a number of its own: it closes that as soon as the console has closed
// the other end, and the rest can still be read from ours.
static bool wait_for_pair(ct_web_connection *c) {
    ct_web *const w = c->web;
    const lws_sock_file_fd_type file = {.filefd = ct_socket_duplicate(c->pair_socket)};
    if (file.filefd < 0)
        return false;
    c->pair = w->lws->lws_adopt_descriptor_vhost(w->vhost, LWS_ADOPT_RAW_FILE_DESC, file,
                                                 CT_WEB_PROTOCOL, NULL);
    if (!c->pair)
        ct_socket_close(file.filefd);
    else
        w->lws->lws_set_opaque_user_data(c->pair, c);
    return c->pair != NULL;
}

// Gives the other end to the console's server, if that has room.
static bool hand_over(ct_web_connection *c, int socket) {
    ct_web *const w = c->web;
    ct_mutex_lock(&w->mutex);
    const bool has_room = w->num_ends < CT_COUNT_OF(w->ends);
    if (has_room)
        w->ends[w->num_ends++] = (ct_web_page_end){.socket = socket, .is_trusted = c->is_trusted};
    ct_mutex_unlock(&w->mutex);
    return has_room;
}

void ct_web_open_page(ct_web_connection *c) {
    int ends[2];
    ct_error why = {0};
    c->is_page = true;
    if (!ct_socket_pair(ends, &why)) {
        ct_web_close_page(c, CT_WEB_CLOSE_FAILED, why.message);
        return;
    }
    c->pair_socket = ends[0];
    if (!wait_for_pair(c) || !hand_over(c, ends[1])) {
        ct_socket_close(ends[1]);
        ct_web_close_page(c, CT_WEB_CLOSE_FAILED, "too many pages connect at once");
    }
}

bool ct_web_step_page(ct_web_connection *c, uint64_t now_ns) {
    // Its answers to pings lie behind what is not read yet: only the game is slow.
    if (c->is_paused && c->wsi)
        c->web->lws->lws_validity_confirmed(c->wsi);
    // From here: libwebsockets forgets what is asked inside of RAW_WRITEABLE_FILE.
    if (c->inbox.is_whole && c->pair)
        c->web->lws->lws_callback_on_writable(c->pair);
    if (c->part_since != 0 && now_ns - c->part_since > HALF_SECONDS * second_ns)
        ct_web_close_page(c, CT_WEB_CLOSE_REFUSED, "a message was incomplete for 30 seconds");
    if (c->close_deadline_ns != 0 && now_ns >= c->close_deadline_ns && c->wsi && !c->is_closing) {
        c->is_closing = true;
        c->web->lws->lws_set_timeout(c->wsi, PENDING_TIMEOUT_USER_OK, LWS_TO_KILL_ASYNC);
    }
    return c->is_paused || c->part_since != 0 || (c->close_deadline_ns != 0 && !c->is_closing);
}

// --- From the page -------------------------------------------------------------------------------

void ct_web_write_pair(ct_web_connection *c) {
    while (c->inbox.is_whole) {
        const int64_t sent = ct_socket_send(c->pair_socket, c->inbox.framed.items + c->passed_bytes,
                                            c->inbox.framed.count - c->passed_bytes);
        if (sent < 0) // the console has closed its end: reading it says why
            ct_web_inbox_clear(&c->inbox);
        if (sent == 0)
            break;
        c->passed_bytes += sent > 0 ? (uint32_t)sent : 0;
        if (c->passed_bytes == c->inbox.framed.count)
            ct_web_inbox_clear(&c->inbox);
    }
    read_page(c, !c->inbox.is_whole);
}

static uint64_t joined_bytes(const ct_web *w) {
    uint64_t bytes = 0;
    for (const ct_web_connection *c = w->connections; c; c = c->next)
        bytes += c->inbox.framed.count;
    return bytes;
}

void ct_web_receive(ct_web_connection *c, const void *data, size_t bytes) {
    const ct_lws_api *const lws = c->web->lws;
    const bool is_last = lws->lws_is_final_fragment(c->wsi);
    ct_error reason = {0};
    lws->lws_validity_confirmed(c->wsi);
    if (c->close_code != 0 || c->page_has_closed)
        return;
    if (joined_bytes(c->web) + bytes > MAX_JOINED) {
        ct_web_close_page(c, CT_WEB_CLOSE_TOO_LONG,
                          "the incomplete messages of all pages together are too long");
        return;
    }
    const bool is_binary = lws->lws_frame_is_binary(c->wsi);
    const ct_web_close code = ct_web_inbox_add(&c->inbox, is_binary, data, bytes, is_last, &reason);
    if (code != CT_WEB_CLOSE_NONE) {
        ct_web_inbox_clear(&c->inbox);
        c->part_since = 0;
        ct_web_close_page(c, code, reason.message);
        return;
    }
    if (is_last) {
        c->part_since = 0;
        c->passed_bytes = 0;
        ct_web_write_pair(c);
    } else if (c->part_since == 0) {
        c->part_since = ct_os_time_ns();
    }
}

// --- To the page ---------------------------------------------------------------------------------

static void read_console(ct_web_connection *c, bool reads) {
    if (!c->pair || c->is_pair_paused == !reads)
        return;
    c->is_pair_paused = !reads;
    c->web->lws->lws_rx_flow_control(c->pair, reads);
}

void ct_web_read_pair(ct_web_connection *c) {
    uint8_t *const buffer = c->web->chunk + LWS_PRE;
    // Once its end is closed, all of it: nothing says so a second time.
    while (!c->has_ended && ct_web_outbox_wants_more(&c->outbox)) {
        const int64_t count = ct_socket_receive(c->pair_socket, buffer, READ_BYTES);
        c->has_ended = count < 0;
        if (count <= 0)
            break;
        ct_web_outbox_add(&c->outbox, buffer, (uint64_t)count);
    }
    read_console(c, !c->has_ended && ct_web_outbox_wants_more(&c->outbox));
    if (c->wsi && (c->has_ended || !ct_web_outbox_wants_more(&c->outbox)))
        c->web->lws->lws_callback_on_writable(c->wsi);
}

// Closes the page as the console has closed its end: with its last error; without one, since the game ends, or the
// queue of what the page had not read was too long (console_client.h).
static void close_as_console(ct_web_connection *c) {
    const char *const why = c->outbox.last_error;
    if (why[0] != '\0')
        ct_web_close_page(c, CT_WEB_CLOSE_REFUSED, why);
    else if (atomic_load(&c->web->has_game_ended))
        ct_web_close_page(c, CT_WEB_CLOSE_GOING_AWAY, "the game has closed the connection");
    else
        ct_web_close_page(c, CT_WEB_CLOSE_REFUSED,
                          "too slow: the game had more to send than it keeps for a page that does "
                          "not read");
}

// Sends the close that was asked for. Returns -1, which makes libwebsockets do so.
static int send_close(ct_web_connection *c) {
    c->is_closing = true;
    c->web->lws->lws_close_reason(c->wsi, (enum lws_close_status)c->close_code,
                                  (unsigned char *)c->close_reason, strlen(c->close_reason));
    return -1;
}

// Sends the next frame. Returns 1, 0 when no frame waits, -1 on failure.
static int send_chunk(ct_web_connection *c) {
    ct_web *const w = c->web;
    ct_web_chunk chunk;
    ct_error error = {0};
    if (!ct_web_outbox_next(&c->outbox, w->chunk + LWS_PRE, CT_WEB_CHUNK_BYTES, &chunk, &error)) {
        if (error.message[0] != '\0')
            ct_web_close_page(c, CT_WEB_CLOSE_FAILED, error.message);
        return 0;
    }
    int kind = LWS_WRITE_CONTINUATION;
    if (chunk.is_first)
        kind = chunk.is_binary ? LWS_WRITE_BINARY : LWS_WRITE_TEXT;
    if (!chunk.is_last)
        kind |= LWS_WRITE_NO_FIN;
    return w->lws->lws_write(c->wsi, w->chunk + LWS_PRE, chunk.bytes,
                             (enum lws_write_protocol)kind) < 0
               ? -1
               : 1;
}

int ct_web_send(ct_web_connection *c) {
    const ct_lws_api *const lws = c->web->lws;
    bool is_choked = false;
    if (c->is_closing)
        return -1;
    for (uint32_t i = 0; i < FRAMES_AT_ONCE && !is_choked && c->close_code == 0; ++i) {
        const int result = send_chunk(c);
        if (result < 0)
            return -1;
        if (result > 0)
            is_choked = lws->lws_send_pipe_choked(c->wsi);
        else if (!c->has_ended)
            ct_web_read_pair(c);
        if (result == 0 && ct_web_outbox_wants_more(&c->outbox))
            break;
    }
    const bool is_all_sent = ct_web_outbox_wants_more(&c->outbox);
    if (c->has_ended && is_all_sent)
        close_as_console(c);
    if (c->close_code != 0)
        return send_close(c);
    read_console(c, is_all_sent);
    if (!is_all_sent || !c->pair) // without it, nothing says that there is more to read
        lws->lws_callback_on_writable(c->wsi);
    return 0;
}
