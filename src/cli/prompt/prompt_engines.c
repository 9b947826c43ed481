#include "cli/prompt/prompt_engines.h"

#include <stdio.h>
#include <string.h>

#include "cli/prompt/console_request.h"
#include "foundation/error.h"

enum { MAX_MESSAGE_BYTES = 64 << 20, FIRST_PORT = 64000, NUM_PORTS = 16 };
static const uint64_t try_every_ns = 1000000000ull;
static const uint64_t connect_limit_ns = 300000000ull;
#define THIS_MACHINE "127.0.0.1"

void ct_prompt_engines_init(ct_prompt_engines *e, ct_allocator *a,
                            const ct_prompt_engines_events *events) {
    memset(e, 0, sizeof(*e));
    e->allocator = a;
    e->events = *events;
    e->is_searching = true;
}

static void disconnect(ct_prompt_engine *engine) {
    ct_socket_close(engine->socket);
    ct_message_reader_free(&engine->reader);
    engine->socket = -1;
}

// Ends a connection; whether an answer was still awaited the event may ask.
static void lose(ct_prompt_engines *e, ct_prompt_engine *engine, const char *reason) {
    disconnect(engine);
    e->events.went(e->events.user, engine, reason);
    engine->is_awaited = false;
}

void ct_prompt_engines_free(ct_prompt_engines *e) {
    for (uint32_t i = 0; i < e->count; ++i) {
        if (e->list[i].socket >= 0)
            disconnect(&e->list[i]);
    }
    e->count = 0;
}

// --- Connecting ----------------------------------------------------------------------------------

static ct_prompt_engine *find(ct_prompt_engines *e, const char *host, uint16_t port) {
    for (uint32_t i = 0; i < e->count; ++i) {
        if (e->list[i].port == port && strcmp(e->list[i].host, host) == 0)
            return &e->list[i];
    }
    return NULL;
}

static ct_prompt_engine *append(ct_prompt_engines *e, const char *host, uint16_t port) {
    ct_prompt_engine *const engine = &e->list[e->count++];
    memset(engine, 0, sizeof(*engine));
    engine->socket = -1;
    engine->port = port;
    snprintf(engine->host, sizeof(engine->host), "%s", host);
    if (strcmp(host, THIS_MACHINE) == 0 || strcmp(host, "localhost") == 0)
        snprintf(engine->name, sizeof(engine->name), "%u", port);
    else
        snprintf(engine->name, sizeof(engine->name), "%s:%u", host, port);
    return engine;
}

bool ct_prompt_engines_add(ct_prompt_engines *e, const char *host, uint16_t port, ct_error *error) {
    if (find(e, host, port))
        return ct_error_set(error, "%s:%u is in the list already", host, port);
    if (e->count == CT_PROMPT_MAX_ENGINES)
        return ct_error_set(error, "more than %d engines", (int)CT_PROMPT_MAX_ENGINES);
    append(e, host, port);
    e->is_searching = false;
    e->next_try_ns = 0;
    return true;
}

static void connect_to(ct_prompt_engines *e, ct_prompt_engine *engine) {
    ct_error ignored;
    const int socket = ct_socket_connect(engine->host, engine->port, connect_limit_ns, &ignored);
    if (socket < 0)
        return;
    if (!e->is_searching && !ct_console_send_token(e->allocator, socket, e->token, &ignored)) {
        ct_socket_close(socket);
        return;
    }
    engine->socket = socket;
    ct_message_reader_init(&engine->reader, e->allocator, MAX_MESSAGE_BYTES);
    e->events.came(e->events.user, engine);
}

// Adds the engines that listen on this machine and are not in the list.
static void search(ct_prompt_engines *e) {
    for (uint16_t port = FIRST_PORT; port < FIRST_PORT + NUM_PORTS; ++port) {
        if (e->count == CT_PROMPT_MAX_ENGINES || find(e, THIS_MACHINE, port))
            continue;
        ct_prompt_engine *const engine = append(e, THIS_MACHINE, port);
        connect_to(e, engine);
        if (engine->socket < 0)
            --e->count;
    }
}

uint32_t ct_prompt_engines_search(uint16_t *port) {
    uint32_t count = 0;
    for (uint16_t next = FIRST_PORT; next < FIRST_PORT + NUM_PORTS; ++next) {
        const int socket = ct_socket_connect(THIS_MACHINE, next, connect_limit_ns, NULL);
        if (socket < 0)
            continue;
        ct_socket_close(socket);
        *port = count++ == 0 ? next : *port;
    }
    return count;
}

void ct_prompt_engines_look(ct_prompt_engines *e) {
    const uint64_t now = ct_os_time_ns();
    if (now < e->next_try_ns)
        return;
    for (uint32_t i = 0; i < e->count; ++i) {
        if (e->list[i].socket < 0)
            connect_to(e, &e->list[i]);
    }
    if (e->is_searching)
        search(e);
    e->next_try_ns = ct_os_time_ns() + try_every_ns;
}

// --- Messages ------------------------------------------------------------------------------------

// Whether it is an error that answers nothing: the last message before the end of a connection.
static bool is_refusal(const ct_sjson *doc) {
    const ct_sjson_value root = ct_sjson_root(doc);
    return strcmp(ct_sjson_string(doc, ct_sjson_find(doc, root, "type"), ""), "error") == 0 &&
           ct_sjson_find(doc, root, "id").entry == 0;
}

// Takes the messages that are whole. False with `error` when they are not what an engine says.
static bool take_messages(ct_prompt_engines *e, ct_prompt_engine *engine, ct_error *error) {
    for (;;) {
        ct_message message;
        const ct_message_result result = ct_message_reader_next(&engine->reader, &message, error);
        if (result != CT_MESSAGE_RESULT_MESSAGE)
            return result == CT_MESSAGE_RESULT_NONE;
        ct_sjson *const doc = ct_sjson_parse(e->allocator, message.json, message.json_bytes,
                                             "the engine's message", NULL, error);
        if (!doc)
            return false;
        engine->is_refused = is_refusal(doc);
        e->events.said(e->events.user, engine, &message, doc);
        ct_sjson_free(doc);
    }
}

static void receive(ct_prompt_engines *e, ct_prompt_engine *engine) {
    char bytes[65536];
    ct_error error = {.message = "the engine has ended"};
    const int64_t count = ct_socket_receive(engine->socket, bytes, sizeof(bytes));
    if (count > 0)
        ct_message_reader_add(&engine->reader, bytes, (uint64_t)count);
    if (count >= 0 && take_messages(e, engine, &error))
        return;
    lose(e, engine, error.message);
}

bool ct_prompt_engines_wait(ct_prompt_engines *e, uint64_t timeout_ns, bool with_input) {
    int sockets[CT_PROMPT_MAX_ENGINES + 1];
    bool readable[CT_PROMPT_MAX_ENGINES + 1] = {false};
    const uint32_t count = e->count;
    for (uint32_t i = 0; i < count; ++i)
        sockets[i] = e->list[i].socket;
    sockets[count] = with_input ? 0 : -1;
    ct_socket_wait(sockets, count + 1, readable, timeout_ns);
    for (uint32_t i = 0; i < count; ++i) {
        if (readable[i] && e->list[i].socket >= 0)
            receive(e, &e->list[i]);
    }
    // Those that were found by searching, or refuse us, leave when they end.
    uint32_t num_left = 0;
    for (uint32_t i = 0; i < e->count; ++i) {
        if (e->list[i].socket >= 0 || !(e->is_searching || e->list[i].is_refused))
            e->list[num_left++] = e->list[i];
    }
    e->count = num_left;
    return readable[count];
}

bool ct_prompt_engine_send(ct_prompt_engines *e, ct_prompt_engine *engine,
                           const ct_string_builder *json) {
    ct_error error = {0};
    if (engine->socket < 0)
        return false;
    if (ct_console_send(e->allocator, engine->socket, json, &error))
        return true;
    lose(e, engine, error.message);
    return false;
}

uint32_t ct_prompt_engines_num_connected(const ct_prompt_engines *e) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < e->count; ++i)
        count += e->list[i].socket >= 0;
    return count;
}

uint32_t ct_prompt_engines_num_awaited(const ct_prompt_engines *e) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < e->count; ++i)
        count += e->list[i].is_awaited;
    return count;
}
