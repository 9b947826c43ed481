#include "dev/console_client.h"

#include "dev/console_messages.h"
#include "foundation/error.h"
#include "foundation/log.h"
#include "foundation/os/os.h"

enum {
    KEPT_BYTES = 1 << 20,                        // of a queue's memory that is empty
    PEEKED_BYTES = CT_CONSOLE_MAX_MESSAGE_BYTES, // in the queue; past it, no more is received early
};
// How long a message may be incomplete: a time, and more for what has come of it. A game takes some 200 KB of a page
// a frame, and its frames may be long.
static const uint64_t half_message_limit_ns = 5000000000ull;
static const uint64_t half_message_ns_per_byte = 10000; // 100 KB a second

void ct_console_client_init(ct_console_client *c, ct_allocator *a, ct_console_client_id id,
                            int socket) {
    *c = (ct_console_client){.id = id, .socket = socket};
    ct_message_reader_init(&c->reader, a, CT_CONSOLE_MAX_MESSAGE_BYTES);
    ct_array_init(&c->unsent, a);
}

void ct_console_client_shutdown(ct_console_client *c) {
    if (c->socket >= 0)
        ct_socket_close(c->socket);
    ct_message_reader_free(&c->reader);
    ct_array_free(&c->unsent);
}

// --- Receiving -----------------------------------------------------------------------------------

// Returns false with `reason` when a message has been incomplete for too long. Call it only once
// the socket holds no more data: a game that was stalled has not yet read what was sent.
static bool check_half_message(ct_console_client *c, ct_error *reason) {
    const uint64_t half_bytes = c->reader.bytes.count - c->reader.consumed_bytes;
    const uint64_t limit_ns = half_message_limit_ns + half_bytes * half_message_ns_per_byte;
    const uint64_t now = ct_os_time_ns();
    if (half_bytes == 0)
        c->half_message_since = 0;
    else if (c->half_message_since == 0)
        c->half_message_since = now;
    else if (now - c->half_message_since > limit_ns)
        return ct_error_set(reason, "a message was still incomplete after %.0f seconds",
                            (double)limit_ns * 1e-9);
    return true;
}

ct_message_result ct_console_client_receive(ct_console_client *c, uint8_t *buffer,
                                            uint32_t *budget_bytes, ct_message *message,
                                            ct_error *reason) {
    for (;;) {
        const ct_message_result result = ct_message_reader_next(&c->reader, message, reason);
        if (result != CT_MESSAGE_RESULT_NONE) {
            c->half_message_since = 0;
            return result;
        }
        if (c->has_ended || *budget_bytes == 0)
            return CT_MESSAGE_RESULT_NONE;
        const uint32_t most =
            *budget_bytes < CT_CONSOLE_RECEIVE_BYTES ? *budget_bytes : CT_CONSOLE_RECEIVE_BYTES;
        const int64_t count = ct_socket_receive(c->socket, buffer, most);
        c->has_ended = count < 0;
        if (count <= 0)
            return check_half_message(c, reason) ? CT_MESSAGE_RESULT_NONE : CT_MESSAGE_RESULT_ERROR;
        ct_message_reader_add(&c->reader, buffer, (uint64_t)count);
        *budget_bytes -= (uint32_t)count;
    }
}

void ct_console_client_peek(ct_console_client *c, uint8_t *buffer,
                            void (*visit)(void *user, const char *json, uint32_t bytes),
                            void *user) {
    while (!c->has_ended && c->reader.bytes.count - c->reader.consumed_bytes < PEEKED_BYTES) {
        const int64_t count = ct_socket_receive(c->socket, buffer, CT_CONSOLE_RECEIVE_BYTES);
        c->has_ended = count < 0;
        if (count <= 0)
            break;
        ct_message_reader_add(&c->reader, buffer, (uint64_t)count);
    }
    ct_message message;
    for (uint32_t offset = 0; ct_message_reader_peek(&c->reader, &offset, &message);)
        visit(user, message.json, message.json_bytes);
}

// --- Sending -------------------------------------------------------------------------------------

uint32_t ct_console_client_unread_bytes(const ct_console_client *c) {
    return c->unsent.count - c->sent_bytes;
}

bool ct_console_client_check_unread(ct_console_client *c) {
    const bool is_too_slow = ct_console_client_unread_bytes(c) > CT_CONSOLE_MAX_UNREAD_BYTES;
    c->is_too_slow |= is_too_slow && !c->is_over;
    c->is_over |= is_too_slow;
    return !is_too_slow;
}

void ct_console_client_send(ct_console_client *c, const char *json, uint32_t json_bytes,
                            const void *binary, uint64_t binary_bytes) {
    if (ct_console_client_check_unread(c))
        ct_message_write(&c->unsent, json, json_bytes, binary, binary_bytes);
}

// Moves what is left to the front once that is the smaller part, so that a slow reader's backlog is
// not moved in every frame.
static void drop_sent(ct_console_client *c) {
    const uint32_t left = ct_console_client_unread_bytes(c);
    if (c->sent_bytes == 0 || left > c->sent_bytes)
        return;
    ct_array_erase(&c->unsent, 0, c->sent_bytes);
    c->sent_bytes = 0;
}

static void send_what_fits(ct_console_client *c) {
    while (!c->is_undecided && ct_console_client_unread_bytes(c) != 0) {
        const int64_t count = ct_socket_send(c->socket, c->unsent.items + c->sent_bytes,
                                             ct_console_client_unread_bytes(c));
        c->is_over |= count < 0;
        if (count <= 0)
            break;
        c->sent_bytes += (uint32_t)count;
    }
    drop_sent(c);
}

void ct_console_client_flush(ct_console_client *c) {
    send_what_fits(c);
    if (c->unsent.count == 0 && c->unsent.capacity > KEPT_BYTES)
        ct_array_free(&c->unsent);
    if (c->reader.bytes.count == c->reader.consumed_bytes && c->reader.bytes.capacity > KEPT_BYTES)
        ct_message_reader_free(&c->reader);
}

void ct_console_client_refuse(ct_console_client *c, const char *reason) {
    ct_log_warning("console", "console_closed", "closed a connection: %s", reason);
    ct_string_builder json;
    ct_string_builder_init(&json, c->unsent.allocator);
    ct_console_write_error(&json, reason);
    ct_console_client_send(c, ct_string_builder_text(&json), json.length, NULL, 0);
    ct_string_builder_free(&json);
    c->is_undecided = false;
    send_what_fits(c);
    c->is_over = true;
    c->is_too_slow = false; // the reason is in the log
}
