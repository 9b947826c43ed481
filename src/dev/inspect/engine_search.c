#include "dev/inspect/engine_search.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "foundation/os/local_socket.h"
#include "foundation/os/message.h"
#include "foundation/os/os.h"

enum { MAX_WAITING = 64, MAX_TEXT = 512, MAX_ANSWER_BYTES = 1 << 20 };
static const uint64_t connect_limit_ns = 200000000, answer_limit_ns = 500000000, look_ns = 2000000;

typedef struct found_engine {
    uint16_t port;
    double process;                           // 0: unknown
    char project[MAX_TEXT], folder[MAX_TEXT]; // "": unknown
} found_engine;

typedef struct waiting_client {
    ct_console_client_id client;
    char *id; // as JSON
} waiting_client;

struct ct_engine_search {
    ct_allocator *allocator;
    waiting_client waiting[MAX_WAITING];
    uint32_t num_waiting,
        num_begun; // those before `num_begun` get the answer of the thread that runs
    bool is_running;
    ct_thread thread;
    uint16_t own_port;
    // Of the thread, until it is through.
    atomic_bool is_through, is_cancelled;
    found_engine found[CT_ENGINE_SEARCH_NUM_PORTS];
    uint32_t num_found;
};

// --- The thread ----------------------------------------------------------------------------------

// Reads what the answer says. Returns false for other messages.
static bool take_answer(ct_allocator *a, const ct_message *message, found_engine *engine) {
    ct_error ignored = {0};
    ct_sjson *const doc =
        ct_sjson_parse(a, message->json, message->json_bytes, "answer", NULL, &ignored);
    const ct_sjson_value root = doc ? ct_sjson_root(doc) : (ct_sjson_value){0};
    const bool is_answer = doc && ct_sjson_find(doc, root, "id").entry != 0;
    if (is_answer) {
        const char *const project = ct_sjson_string(doc, ct_sjson_find(doc, root, "project"), "");
        const char *const folder = ct_sjson_string(doc, ct_sjson_find(doc, root, "folder"), "");
        snprintf(engine->project, sizeof(engine->project), "%.*s", MAX_TEXT - 1, project);
        snprintf(engine->folder, sizeof(engine->folder), "%.*s", MAX_TEXT - 1, folder);
        engine->process = ct_sjson_number(doc, ct_sjson_find(doc, root, "process"), 0);
    }
    ct_sjson_free(doc);
    return is_answer;
}

// Waits until the other end has taken the connection, which a game does between two frames. Only then is something
// sent: a game that takes a connection with a message whose sender has left by then warns of it.
static bool wait_until_taken(const ct_engine_search *s, int socket, uint64_t end_ns) {
    uint32_t user = 0;
    ct_error ignored = {0};
    while (!ct_socket_peer_user(socket, &user, &ignored)) {
        if (atomic_load(&s->is_cancelled) || ct_os_time_ns() >= end_ns)
            return false;
        ct_os_sleep_ns(look_ns);
    }
    return true;
}

// Waits for the answer. Returns false when what is there does not speak as a console does.
static bool receive_answer(ct_engine_search *s, int socket, uint64_t end_ns, found_engine *engine) {
    ct_message_reader reader;
    bool is_console = true, is_over = false;
    uint8_t bytes[4096];
    ct_message_reader_init(&reader, s->allocator, MAX_ANSWER_BYTES);
    while (!is_over && !atomic_load(&s->is_cancelled) && ct_os_time_ns() < end_ns) {
        bool readable = false;
        ct_message message;
        ct_error ignored = {0};
        if (ct_socket_wait(&socket, 1, &readable, 20000000) == 0)
            continue;
        const int64_t count = ct_socket_receive(socket, bytes, sizeof(bytes));
        if (count < 0)
            break;
        ct_message_reader_add(&reader, bytes, (uint64_t)count);
        ct_message_result result;
        while ((result = ct_message_reader_next(&reader, &message, &ignored)) ==
               CT_MESSAGE_RESULT_MESSAGE)
            is_over |= take_answer(s->allocator, &message, engine);
        is_console = result != CT_MESSAGE_RESULT_ERROR;
        is_over |= !is_console;
    }
    ct_message_reader_free(&reader);
    return is_console;
}

// Asks which game is at the other end. Returns false when that is no console.
static bool ask(ct_engine_search *s, int socket, found_engine *engine) {
    static const char question[] = "{\"type\": \"engine_info\", \"id\": 1}";
    const uint64_t end_ns = ct_os_time_ns() + answer_limit_ns;
    if (!wait_until_taken(s, socket, end_ns))
        return true; // it is busy
    ct_byte_array out;
    ct_array_init(&out, s->allocator);
    ct_message_write(&out, question, sizeof(question) - 1, NULL, 0);
    const bool is_console = ct_socket_send(socket, out.items, out.count) == (int64_t)out.count &&
                            receive_answer(s, socket, end_ns, engine);
    ct_array_free(&out);
    return is_console;
}

static void ask_port(ct_engine_search *s, uint16_t port) {
    found_engine engine = {.port = port};
    const int socket = ct_socket_connect("127.0.0.1", port, connect_limit_ns, NULL);
    if (socket < 0)
        return;
    if (ct_socket_is_listener_of(NULL, port, ct_os_user()) && ask(s, socket, &engine))
        s->found[s->num_found++] = engine;
    ct_socket_close(socket);
}

static void run(void *data) {
    ct_engine_search *const s = data;
    for (uint32_t i = 0; i < CT_ENGINE_SEARCH_NUM_PORTS && !atomic_load(&s->is_cancelled); ++i) {
        if (CT_ENGINE_SEARCH_FIRST_PORT + i != s->own_port)
            ask_port(s, (uint16_t)(CT_ENGINE_SEARCH_FIRST_PORT + i));
    }
    atomic_store(&s->is_through, true);
}

// --- The update thread ---------------------------------------------------------------------------

ct_engine_search *ct_engine_search_create(ct_allocator *a) {
    ct_engine_search *const s = CT_NEW(a, ct_engine_search);
    s->allocator = a;
    return s;
}

void ct_engine_search_destroy(ct_engine_search *s) {
    if (!s)
        return;
    atomic_store(&s->is_cancelled, true);
    if (s->is_running)
        ct_thread_join(s->thread);
    for (uint32_t i = 0; i < s->num_waiting; ++i)
        ct_free(s->allocator, s->waiting[i].id);
    ct_free_sized(s->allocator, s, sizeof(*s));
}

static void begin(ct_engine_search *s) {
    s->num_begun = s->num_waiting;
    s->num_found = 0;
    s->is_running = true;
    atomic_store(&s->is_through, false);
    s->thread = ct_thread_start("engine_search", run, s);
}

bool ct_engine_search_ask(ct_engine_search *s, ct_console_request *r, uint16_t own_port) {
    if (s->num_waiting == MAX_WAITING)
        return ct_error_set(&r->error, "%d such messages are waiting for their answer",
                            (int)MAX_WAITING);
    CT_CLEANUP(ct_string_builder_free) ct_string_builder id;
    ct_sjson_writer w;
    ct_string_builder_init(&id, s->allocator);
    ct_sjson_writer_init(&w, &id, CT_SJSON_STYLE_JSON);
    if (r->id.entry != 0)
        ct_sjson_write_value(&w, r->doc, r->id);
    else
        ct_sjson_write_null(&w);
    s->waiting[s->num_waiting++] = (waiting_client){
        r->target->client, ct_copy_string(s->allocator, ct_string_builder_text(&id))};
    s->own_port = own_port;
    if (!s->is_running)
        begin(s);
    return true;
}

static void write_engines(const ct_engine_search *s, ct_sjson_writer *w) {
    ct_sjson_write_key(w, "engines");
    ct_sjson_begin_array(w);
    for (uint32_t i = 0; i < s->num_found; ++i) {
        const found_engine *const e = &s->found[i];
        ct_sjson_begin_object(w);
        ct_sjson_member_number(w, "port", e->port);
        if (e->project[0])
            ct_sjson_member_string(w, "project", e->project);
        if (e->folder[0])
            ct_sjson_member_string(w, "folder", e->folder);
        if (e->process > 0)
            ct_sjson_member_number(w, "process", e->process);
        ct_sjson_end_object(w);
    }
    ct_sjson_end_array(w);
}

static void answer(const ct_engine_search *s, ct_console_server *server,
                   const waiting_client *waiting) {
    CT_CLEANUP(ct_string_builder_free) ct_string_builder members;
    CT_CLEANUP(ct_string_builder_free) ct_string_builder json;
    ct_sjson_writer w;
    ct_string_builder_init(&members, s->allocator);
    ct_string_builder_init(&json, s->allocator);
    ct_sjson_writer_init(&w, &members, CT_SJSON_STYLE_JSON);
    ct_sjson_begin_object(&w);
    write_engines(s, &w);
    ct_sjson_end_object(&w);
    ct_string_builder_addf(&json, "{\"type\":\"result\",\"id\":%s,%s", waiting->id,
                           ct_string_builder_text(&members) + 1);
    ct_console_server_send_to(server, waiting->client, ct_string_builder_text(&json), json.length);
}

void ct_engine_search_update(ct_engine_search *s, ct_console_server *server) {
    if (!s->is_running || !atomic_load(&s->is_through))
        return;
    ct_thread_join(s->thread);
    s->is_running = false;
    for (uint32_t i = 0; i < s->num_begun; ++i) {
        answer(s, server, &s->waiting[i]);
        ct_free(s->allocator, s->waiting[i].id);
    }
    s->num_waiting -= s->num_begun;
    memmove(s->waiting, s->waiting + s->num_begun, sizeof(s->waiting[0]) * s->num_waiting);
    if (s->num_waiting > 0)
        begin(s);
}
