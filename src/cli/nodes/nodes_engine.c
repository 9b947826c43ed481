#include "cli/nodes/nodes_engine.h"

#include <stdio.h>
#include <string.h>

#include "cli/prompt/console_token.h"
#include "foundation/sjson/sjson_writer.h"

enum { MAX_MESSAGE_BYTES = 64 << 20, RECEIVE_BYTES = 65536 };
static const uint64_t connect_limit_ns = 300000000;
static const uint64_t connect_every_ns = 100000000;
static const uint64_t crash_limit_ns = 5000000000; // a crash report takes up to 3 s

void ct_nodes_engine_init(ct_nodes_engine *e, ct_allocator *a, const ct_nodes_node *node,
                          const char *token) {
    memset(e, 0, sizeof(*e));
    e->allocator = a;
    e->node = node;
    e->token = token;
    e->socket = -1;
    ct_array_init(&e->unsent, a);
    ct_array_init(&e->picture, a);
    ct_string_builder_init(&e->answer, a);
}

static void disconnect(ct_nodes_engine *e) {
    if (e->socket < 0)
        return;
    ct_socket_close(e->socket);
    ct_message_reader_free(&e->reader);
    e->socket = -1;
    e->unsent.count = e->num_sent = 0;
    e->is_asked = false;
}

void ct_nodes_engine_free(ct_nodes_engine *e) {
    ct_nodes_engine_kill(e);
    ct_array_free(&e->unsent);
    ct_array_free(&e->picture);
    ct_string_builder_free(&e->answer);
}

// --- Starting and ending -------------------------------------------------------------------------

bool ct_nodes_engine_start(ct_nodes_engine *e, const char *const *words, const char *log,
                           ct_error *error) {
    if (words[0] && !ct_nodes_process_start(&e->process, words, log, error))
        return false;
    e->state = CT_NODES_ENGINE_STATE_STARTING;
    // A game that finds its port taken listens at the next one. Elsewhere only the plan knows.
    const bool is_here = e->node->launch.count == 0 && !e->node->is_detached;
    e->port = is_here ? 0 : (uint16_t)e->node->port;
    e->next_ns = e->deadline_ns = 0;
    e->has_answer = e->was_killed = e->is_refused = false;
    ++e->num_starts;
    return true;
}

void ct_nodes_engine_kill(ct_nodes_engine *e) {
    disconnect(e);
    ct_nodes_process_kill(&e->process);
    e->state = CT_NODES_ENGINE_STATE_OFF;
}

void ct_nodes_engine_quit(ct_nodes_engine *e, uint64_t limit_ns) {
    if (e->state == CT_NODES_ENGINE_STATE_OFF)
        return;
    if (e->state != CT_NODES_ENGINE_STATE_READY || e->socket < 0) {
        ct_nodes_engine_kill(e);
        return;
    }
    e->is_asked = false;
    ct_nodes_engine_send_command(e, "quit");
    e->state = CT_NODES_ENGINE_STATE_ENDING;
    e->deadline_ns = ct_os_time_ns() + limit_ns;
}

// `reason` may be e->lost.
static void lose(ct_nodes_engine *e, const char *reason) {
    disconnect(e);
    ct_nodes_process_kill(&e->process);
    if (reason != e->lost)
        snprintf(e->lost, sizeof(e->lost), "%s", reason);
    e->state = CT_NODES_ENGINE_STATE_LOST;
}

// The program has ended.
static void take_end(ct_nodes_engine *e) {
    char reason[64];
    if (e->state == CT_NODES_ENGINE_STATE_ENDING) {
        disconnect(e);
        e->state = CT_NODES_ENGINE_STATE_OFF;
        return;
    }
    ct_nodes_process_describe_end(&e->process, reason, sizeof(reason));
    lose(e, reason);
}

// --- Messages to the engine ----------------------------------------------------------------------

static void send(ct_nodes_engine *e, const char *type, const char *text) {
    ct_string_builder json CT_CLEANUP(ct_string_builder_free);
    ct_sjson_writer w;
    ct_string_builder_init(&json, e->allocator);
    ct_sjson_writer_init(&w, &json, CT_SJSON_STYLE_JSON);
    ct_sjson_begin_object(&w);
    ct_sjson_member_string(&w, "type", type);
    ct_sjson_member_number(&w, "id", ++e->request);
    if (text)
        ct_sjson_member_string(&w, type, text);
    ct_sjson_end_object(&w);
    ct_message_write(&e->unsent, ct_string_builder_text(&json), json.length, NULL, 0);
    e->is_asked = true;
    e->has_answer = e->has_failed = false;
    e->picture.count = 0;
    ct_string_builder_clear(&e->answer);
}

void ct_nodes_engine_send_script(ct_nodes_engine *e, const char *lua) {
    send(e, "script", lua);
}

void ct_nodes_engine_send_command(ct_nodes_engine *e, const char *command) {
    send(e, "command", command);
}

// Sends as much as the socket takes. A failure shows when the socket is read.
static void flush(ct_nodes_engine *e) {
    while (e->socket >= 0 && e->num_sent < e->unsent.count) {
        const int64_t sent =
            ct_socket_send(e->socket, e->unsent.items + e->num_sent, e->unsent.count - e->num_sent);
        if (sent <= 0)
            return;
        e->num_sent += (uint32_t)sent;
    }
    e->unsent.count = e->num_sent = 0;
}

// --- Messages from the engine --------------------------------------------------------------------

static void add_string(ct_nodes_engine *e, const ct_sjson *doc, ct_sjson_value value) {
    ct_string_builder_add_bytes(&e->answer, ct_sjson_string(doc, value, ""),
                                ct_sjson_string_bytes(doc, value));
}

// Takes the answer to the last request; skips other messages.
static void take_message(ct_nodes_engine *e, const ct_message *message, const ct_sjson *doc) {
    const ct_sjson_value root = ct_sjson_root(doc);
    const double id = ct_sjson_number(doc, ct_sjson_find(doc, root, "id"), 0);
    const char *const type = ct_sjson_string(doc, ct_sjson_find(doc, root, "type"), "");
    if (e->state == CT_NODES_ENGINE_STATE_CONNECTING && id == 0 && strcmp(type, "error") == 0) {
        snprintf(e->lost, sizeof(e->lost), "its console refused the connection: %.200s",
                 ct_sjson_string(doc, ct_sjson_find(doc, root, "message"), ""));
        e->is_refused = true;
    }
    if (!e->is_asked || id != e->request)
        return;
    e->is_asked = false;
    if (e->state == CT_NODES_ENGINE_STATE_CONNECTING) {
        e->state = CT_NODES_ENGINE_STATE_READY;
        return;
    }
    const bool is_refused = strcmp(type, "error") == 0;
    const ct_sjson_value error = ct_sjson_find(doc, root, is_refused ? "message" : "error");
    e->has_answer = true;
    e->has_failed = error.entry != 0;
    add_string(e, doc, e->has_failed ? error : ct_sjson_find(doc, root, "result"));
    const ct_sjson_value traceback = ct_sjson_find(doc, root, "traceback");
    if (e->has_failed && ct_sjson_string_bytes(doc, traceback) != 0) {
        ct_string_builder_add_char(&e->answer, '\n');
        add_string(e, doc, traceback);
    }
    if (message->binary_bytes != 0)
        ct_array_push_many(&e->picture, message->binary, message->binary_bytes);
}

// Returns false with `error` when the engine sends what is no message.
static bool take_messages(ct_nodes_engine *e, ct_error *error) {
    for (;;) {
        ct_message message;
        const ct_message_result result = ct_message_reader_next(&e->reader, &message, error);
        if (result != CT_MESSAGE_RESULT_MESSAGE)
            return result == CT_MESSAGE_RESULT_NONE;
        ct_sjson *const doc = ct_sjson_parse(e->allocator, message.json, message.json_bytes,
                                             "the engine's message", NULL, error);
        if (!doc)
            return false;
        take_message(e, &message, doc);
        ct_sjson_free(doc);
    }
}

// The connection has ended. An engine that crashes or quits still writes its log.
static void cut(ct_nodes_engine *e, const char *reason) {
    const bool was_connecting = e->state == CT_NODES_ENGINE_STATE_CONNECTING;
    disconnect(e);
    if (was_connecting && e->is_refused) {
        lose(e, e->lost);
        return;
    }
    if (was_connecting) { // such as a tunnel whose other end does not listen yet
        e->next_ns = ct_os_time_ns() + connect_every_ns;
        return;
    }
    snprintf(e->lost, sizeof(e->lost), "%.255s", reason);
    if (e->node->is_detached && e->state == CT_NODES_ENGINE_STATE_ENDING)
        ct_nodes_engine_kill(e);
    else if (e->node->is_detached)
        lose(e, reason);
    else if (e->deadline_ns == 0)
        e->deadline_ns = ct_os_time_ns() + crash_limit_ns;
}

static void receive(ct_nodes_engine *e) {
    char bytes[RECEIVE_BYTES];
    ct_error error = {.message = "its console closed the connection"};
    const int64_t count = ct_socket_receive(e->socket, bytes, sizeof(bytes));
    if (count > 0)
        ct_message_reader_add(&e->reader, bytes, (uint64_t)count);
    if (count < 0 || !take_messages(e, &error))
        cut(e, error.message);
}

// --- Moving on -----------------------------------------------------------------------------------

static void send_token(ct_nodes_engine *e) {
    if (!e->token)
        return;
    CT_CLEANUP(ct_string_builder_free) ct_string_builder json;
    ct_string_builder_init(&json, e->allocator);
    ct_console_token_write(e->token, &json);
    ct_message_write(&e->unsent, ct_string_builder_text(&json), json.length, NULL, 0);
}

static void try_to_connect(ct_nodes_engine *e, uint64_t now_ns) {
    if (now_ns < e->next_ns)
        return;
    e->next_ns = now_ns + connect_every_ns;
    const int socket = ct_socket_connect(e->node->host, e->port, connect_limit_ns, NULL);
    if (socket < 0)
        return;
    e->socket = socket;
    ct_socket_set_blocking(socket, false);
    ct_message_reader_init(&e->reader, e->allocator, MAX_MESSAGE_BYTES);
    send_token(e);
    send(e, "ping", NULL);
}

// What time brings; messages come from `receive`.
static void move_on(ct_nodes_engine *e) {
    if (e->state == CT_NODES_ENGINE_STATE_OFF || e->state == CT_NODES_ENGINE_STATE_LOST)
        return;
    const uint64_t now_ns = ct_os_time_ns();
    const bool has_ended =
        e->process.process.pid != 0 && ct_nodes_process_has_ended(&e->process, 0);
    if (has_ended && (!e->node->is_detached || e->process.exit_code != 0)) {
        take_end(e);
        return;
    }
    if (e->deadline_ns != 0 && now_ns >= e->deadline_ns) {
        e->was_killed = e->state == CT_NODES_ENGINE_STATE_ENDING;
        if (e->was_killed)
            ct_nodes_engine_kill(e);
        else
            lose(e, e->lost);
        return;
    }
    if (e->state == CT_NODES_ENGINE_STATE_STARTING && e->port == 0 &&
        ct_nodes_process_find_port(&e->process))
        e->port = e->process.port;
    if (e->state == CT_NODES_ENGINE_STATE_STARTING && e->port != 0)
        e->state = CT_NODES_ENGINE_STATE_CONNECTING;
    if (e->state == CT_NODES_ENGINE_STATE_CONNECTING && e->socket < 0)
        try_to_connect(e, now_ns);
    flush(e);
}

void ct_nodes_engines_poll(ct_nodes_engine *engines, uint32_t count, uint64_t timeout_ns) {
    int sockets[CT_NODES_MAX_NODES] = {0};
    bool readable[CT_NODES_MAX_NODES] = {false};
    for (uint32_t i = 0; i < count; ++i) {
        flush(&engines[i]);
        sockets[i] = engines[i].socket;
    }
    ct_socket_wait(sockets, count, readable, timeout_ns);
    for (uint32_t i = 0; i < count; ++i) {
        if (readable[i] && engines[i].socket >= 0)
            receive(&engines[i]);
        move_on(&engines[i]);
    }
}
