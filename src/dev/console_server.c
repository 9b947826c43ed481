#include "dev/console_server.h"

#include <stdio.h>
#include <string.h>

#include "dev/console_messages.h"
#include "foundation/array.h"
#include "foundation/error.h"
#include "foundation/log.h"
#include "foundation/message.h"
#include "foundation/os.h"
#include "foundation/proxy_allocator.h"
#include "foundation/sjson.h"
#include "foundation/sjson_writer.h"

enum {
    MAX_CLIENTS = 64,
    MAX_MESSAGE_BYTES = 16 << 20,
    MAX_PENDING_BYTES = 32 << 20, // that a client has not read
    MAX_STREAM_BYTES = 8 << 20,   // of it, when a stream adds to it
    NUM_PORTS = 64,
    RECEIVE_BYTES = 65536,
    MAX_LOG_BYTES = 1 << 20, // of one message; what is longer is cut
};
static const uint64_t half_message_limit_ns = 5000000000ull;

typedef struct client {
    ct_console_client_id id;
    int socket;
    ct_message_reader reader;
    ct_byte_array pending;       // framed, not sent yet
    uint64_t half_message_since; // 0: between messages
} client;

struct ct_console_server {
    ct_allocator *allocator;
    int listener;
    uint16_t port;
    client clients[MAX_CLIENTS];
    uint32_t num_clients;
    uint32_t last_client_id;
    uint8_t *receive_buffer;

    ct_mutex mutex;       // of what follows
    ct_byte_array logged; // framed log messages since the last serve
    uint32_t num_lost;    // log messages that did not fit
};

// --- Sending -------------------------------------------------------------------------------------

static void send_json(client *c, const char *json, uint32_t bytes) {
    // Past the limit the connection is closed after this frame; what it would not read is not kept.
    if (c->pending.count < MAX_PENDING_BYTES)
        ct_message_write(&c->pending, json, bytes, NULL, 0);
}

// Sends what the socket takes; false when the connection has ended.
static bool send_pending(client *c) {
    uint32_t sent = 0;
    while (sent < c->pending.count) {
        const int64_t count =
            ct_socket_send(c->socket, c->pending.items + sent, c->pending.count - sent);
        if (count < 0)
            return false;
        if (count == 0)
            break;
        sent += (uint32_t)count;
    }
    memmove(c->pending.items, c->pending.items + sent, c->pending.count - sent);
    c->pending.count -= sent;
    return c->pending.count < MAX_PENDING_BYTES;
}

// Runs with the log locked, on any thread: frames the message for the next serve.
static void queue_log(void *user, ct_log_level level, const char *system, const char *message) {
    ct_console_server *s = user;
    ct_mutex_lock(&s->mutex);
    if (s->logged.count > MAX_PENDING_BYTES / 4) {
        ++s->num_lost;
    } else {
        ct_string_builder json;
        ct_string_builder_init(&json, s->allocator);
        ct_sjson_writer w;
        ct_sjson_writer_init(&w, &json, CT_SJSON_STYLE_JSON);
        ct_sjson_begin_object(&w);
        ct_sjson_member_string(&w, "type", "message");
        ct_sjson_member_string(&w, "level", ct_log_level_name(level));
        ct_sjson_member_string(&w, "system", system);
        const size_t bytes = strlen(message);
        ct_sjson_write_key(&w, "message");
        ct_sjson_write_string_bytes(&w, message,
                                    (uint32_t)(bytes < MAX_LOG_BYTES ? bytes : MAX_LOG_BYTES));
        ct_sjson_end_object(&w);
        ct_message_write(&s->logged, ct_string_builder_text(&json), json.length, NULL, 0);
        ct_string_builder_free(&json);
    }
    ct_mutex_unlock(&s->mutex);
}

static void send_logged(ct_console_server *s) {
    ct_mutex_lock(&s->mutex);
    for (uint32_t i = 0; i < s->num_clients; ++i)
        ct_array_push_many(&s->clients[i].pending, s->logged.items, s->logged.count);
    s->logged.count = 0;
    const uint32_t num_lost = s->num_lost;
    s->num_lost = 0;
    ct_mutex_unlock(&s->mutex);
    if (num_lost != 0)
        ct_log_warning("console", "console_overflow", "%u log messages did not reach the console",
                       num_lost);
}

void ct_console_server_send_all(ct_console_server *s, const char *json) {
    for (uint32_t i = 0; i < s->num_clients; ++i)
        send_json(&s->clients[i], json, (uint32_t)strlen(json));
}

static client *find_client(const ct_console_server *s, ct_console_client_id id) {
    for (uint32_t i = 0; i < s->num_clients; ++i) {
        if (s->clients[i].id.value == id.value)
            return (client *)&s->clients[i];
    }
    return NULL;
}

bool ct_console_server_has_client(const ct_console_server *s, ct_console_client_id id) {
    return find_client(s, id) != NULL;
}

bool ct_console_server_send(ct_console_server *s, ct_console_client_id id, const char *json,
                            const void *binary, uint64_t binary_bytes) {
    client *const c = find_client(s, id);
    const uint64_t bytes = strlen(json) + binary_bytes;
    if (c == NULL || bytes > MAX_STREAM_BYTES || c->pending.count > MAX_STREAM_BYTES - bytes)
        return false;
    ct_message_write(&c->pending, json, (uint32_t)strlen(json), binary, binary_bytes);
    return true;
}

// --- Clients -------------------------------------------------------------------------------------

static void close_client(ct_console_server *s, uint32_t index) {
    client *c = &s->clients[index];
    ct_socket_close(c->socket);
    ct_message_reader_free(&c->reader);
    ct_array_free(&c->pending);
    s->clients[index] = s->clients[--s->num_clients];
}

// Tells the client why, as far as the socket takes it.
static void tell_reason(ct_allocator *a, client *c, const char *reason) {
    ct_string_builder json;
    ct_string_builder_init(&json, a);
    ct_console_write_error(&json, reason);
    send_json(c, ct_string_builder_text(&json), json.length);
    ct_string_builder_free(&json);
    send_pending(c);
}

static void accept_clients(ct_console_server *s) {
    int socket;
    while ((socket = ct_socket_accept(s->listener)) >= 0) {
        if (s->num_clients == MAX_CLIENTS) {
            ct_socket_close(socket);
            ct_log_warning("console", "console_full", "more than %d console clients", MAX_CLIENTS);
            continue;
        }
        client *c = &s->clients[s->num_clients++];
        *c = (client){.id = {++s->last_client_id}, .socket = socket};
        ct_message_reader_init(&c->reader, s->allocator, MAX_MESSAGE_BYTES);
        ct_array_init(&c->pending, s->allocator);
    }
}

// Handles the messages that have come whole; false with `reason` when the client broke the rules.
static bool handle_messages(ct_console_server *s, client *c, ct_console_target *target,
                            ct_error *reason) {
    for (;;) {
        ct_message message;
        const ct_message_result result = ct_message_reader_next(&c->reader, &message, reason);
        if (result == CT_MESSAGE_RESULT_ERROR)
            return false;
        if (result == CT_MESSAGE_RESULT_NONE)
            break;
        c->half_message_since = 0;
        ct_string_builder answer;
        ct_string_builder_init(&answer, s->allocator);
        const bool is_right =
            ct_console_handle(target, message.json, message.json_bytes, &answer, reason);
        if (is_right && answer.length != 0)
            send_json(c, ct_string_builder_text(&answer), answer.length);
        ct_string_builder_free(&answer);
        if (!is_right)
            return false;
    }
    return true;
}

// False with `reason` when a message has been half there for too long. Only once the socket holds no
// more: a game that stood still has not read what was sent.
static bool check_half_message(client *c, ct_error *reason) {
    const bool is_half = c->reader.bytes.count > c->reader.consumed_bytes;
    const uint64_t now = ct_os_time_ns();
    if (!is_half)
        c->half_message_since = 0;
    else if (c->half_message_since == 0)
        c->half_message_since = now;
    else if (now - c->half_message_since > half_message_limit_ns)
        return ct_error_set(reason, "a message was not complete after %g seconds",
                            (double)half_message_limit_ns * 1e-9);
    return true;
}

// Returns false when the connection is over.
static bool serve_client(ct_console_server *s, client *c, ct_console_target *target) {
    bool has_ended = false;
    // A bounded amount in one frame, so that a flooding client does not stop the game.
    for (uint32_t received = 0; received < MAX_MESSAGE_BYTES / 4;) {
        const int64_t count = ct_socket_receive(c->socket, s->receive_buffer, RECEIVE_BYTES);
        has_ended = count < 0;
        if (count <= 0)
            break;
        ct_message_reader_add(&c->reader, s->receive_buffer, (uint64_t)count);
        received += (uint32_t)count;
        ct_error reason = {0};
        if (!handle_messages(s, c, target, &reason)) {
            ct_log_info("console", "closed a connection: %s", reason.message);
            tell_reason(s->allocator, c, reason.message);
            return false;
        }
    }
    ct_error reason = {0};
    if (!has_ended && !check_half_message(c, &reason)) {
        ct_log_info("console", "closed a connection: %s", reason.message);
        tell_reason(s->allocator, c, reason.message);
        return false;
    }
    return send_pending(c) && !has_ended;
}

void ct_console_server_serve(ct_console_server *s, ct_app *app, ct_hot_reload *reload) {
    accept_clients(s);
    ct_console_target target = {
        .allocator = s->allocator, .app = app, .reload = reload, .server = s};
    send_logged(s);
    for (uint32_t i = s->num_clients; i > 0; --i) {
        target.client = s->clients[i - 1].id;
        if (!serve_client(s, &s->clients[i - 1], &target))
            close_client(s, i - 1);
    }
}

// --- Life cycle ----------------------------------------------------------------------------------

ct_console_server *ct_console_server_create(ct_allocator *a, uint16_t port, ct_error *error) {
    uint16_t bound_port = 0;
    const int listener = ct_socket_listen(port, NUM_PORTS, &bound_port, error);
    if (listener < 0)
        return NULL;
    ct_allocator *allocator = ct_proxy_allocator_create(a, "console");
    ct_console_server *s = CT_NEW(allocator, ct_console_server);
    s->allocator = allocator;
    s->listener = listener;
    s->port = bound_port;
    s->receive_buffer = CT_NEW_ARRAY(allocator, uint8_t, RECEIVE_BYTES);
    ct_mutex_init(&s->mutex);
    ct_array_init(&s->logged, allocator);
    const ct_log_sink sink = {.write = queue_log, .user = s, .least = CT_LOG_LEVEL_INFO};
    ct_log_add_sink(&sink);
    return s;
}

void ct_console_server_destroy(ct_console_server *s) {
    if (s == NULL)
        return;
    ct_log_remove_sink(queue_log, s);
    // The last messages ("why the game ended") still go out.
    send_logged(s);
    while (s->num_clients != 0) {
        send_pending(&s->clients[s->num_clients - 1]);
        close_client(s, s->num_clients - 1);
    }
    ct_socket_close(s->listener);
    ct_array_free(&s->logged);
    ct_mutex_shutdown(&s->mutex);
    ct_allocator *allocator = s->allocator;
    ct_free_sized(allocator, s->receive_buffer, RECEIVE_BYTES);
    ct_free_sized(allocator, s, sizeof(*s));
    ct_proxy_allocator_destroy(allocator);
}

uint16_t ct_console_server_port(const ct_console_server *s) {
    return s->port;
}
