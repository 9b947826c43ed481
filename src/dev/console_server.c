#include "dev/console_server.h"

#include <stdio.h>
#include <string.h>

#include "dev/console_client.h"
#include "dev/console_messages.h"
#include "dev/console_screenshot.h"
#include "dev/debugger/debugger.h"
#include "dev/entrance/console_authorize.h"
#include "dev/inspect/engine_search.h"
#include "dev/inspect/entity_outlines.h"
#include "dev/inspect/log_history.h"
#include "dev/inspect/network_history.h"
#include "foundation/container/array.h"
#include "foundation/crash/crash.h"
#include "foundation/log.h"
#include "foundation/memory/proxy_allocator.h"
#include "foundation/os/os.h"
#include "foundation/sjson/sjson_writer.h"

enum {
    MAX_CLIENTS = 64,
    MAX_UNKNOWN = 8,             // clients that must still send the token
    MAX_LOGGED_BYTES = 2 << 20,  // of all messages between two frames
    MAX_QUEUED_BYTES = 64 << 20, // that all clients' queues hold, each way

    // What is done in one frame.
    FRAME_CONNECTIONS = 8, // refused ones included
    FRAME_MESSAGES = 256,
    FRAME_RECEIVED_BYTES = 8 << 20,
};
static const uint64_t frame_limit_ns = 4000000, token_limit_ns = 10000000000;

struct ct_console_server {
    ct_allocator *allocator;
    ct_console_entrance *entrance;
    ct_console_client *clients[MAX_CLIENTS];
    uint32_t num_clients;
    uint32_t first_client; // to be served in the next frame
    uint32_t last_client_id;
    uint64_t num_heard; // connections and messages so far
    uint8_t *receive_buffer;
    ct_console_screenshots *screenshots;
    ct_overlay *overlay;   // or NULL
    ct_debugger *debugger; // or NULL
    ct_frames *frames;     // or NULL
    struct ct_inspect_selections *selections;

    uint64_t start_ns;
    ct_network_history *network;
    ct_engine_search *engines;
    ct_entity_outlines *outlines;
    ct_mutex mutex; // of what follows
    ct_log_history *history;
    ct_byte_array logged; // framed log messages since the last serve
    uint32_t num_lost;    // log messages that did not fit
};

// --- Sending -------------------------------------------------------------------------------------

// Runs with the log locked, on any thread: keeps the message, and frames it for the next serve.
static void queue_log(void *user, ct_log_level level, const char *system, const char *message) {
    ct_console_server *s = user;
    const ct_log_place *const place = ct_log_place_of_message();
    ct_log_entry entry = {.seconds = ct_console_server_seconds(s),
                          .level = level,
                          .line = place ? place->line : 0,
                          .system = system,
                          .message = message,
                          .message_bytes = ct_log_bytes_of_message(),
                          .script = place ? place->script : NULL,
                          .traceback = place ? place->traceback : NULL};
    ct_mutex_lock(&s->mutex);
    entry.number = ct_log_history_add(s->history, &entry);
    if (s->logged.count > MAX_LOGGED_BYTES) {
        ++s->num_lost;
    } else {
        ct_string_builder json;
        ct_string_builder_init(&json, s->allocator);
        ct_sjson_writer w;
        ct_sjson_writer_init(&w, &json, CT_SJSON_STYLE_JSON);
        ct_sjson_begin_object(&w);
        ct_sjson_member_string(&w, "type", "message");
        ct_log_entry_write(&entry, &w);
        ct_sjson_end_object(&w);
        ct_message_write(&s->logged, ct_string_builder_text(&json), json.length, NULL, 0);
        ct_string_builder_free(&json);
    }
    ct_mutex_unlock(&s->mutex);
}

static void send_logged(ct_console_server *s) {
    ct_mutex_lock(&s->mutex);
    for (uint32_t i = 0; i < s->num_clients; ++i) {
        ct_console_client *const c = s->clients[i];
        if (c->needs_token)
            continue;
        if (ct_console_client_check_unread(c))
            ct_array_push_many(&c->unsent, s->logged.items, s->logged.count);
    }
    s->logged.count = 0;
    const uint32_t num_lost = s->num_lost;
    s->num_lost = 0;
    ct_mutex_unlock(&s->mutex);
    if (num_lost != 0)
        ct_log_warning("console", "console_overflow", "%u log messages did not reach the console",
                       num_lost);
}

ct_log_history *ct_console_server_lock_history(ct_console_server *s) {
    ct_mutex_lock(&s->mutex);
    return s->history;
}

void ct_console_server_unlock_history(ct_console_server *s) {
    ct_mutex_unlock(&s->mutex);
}

void ct_console_server_send_all(ct_console_server *s, const char *json) {
    for (uint32_t i = 0; i < s->num_clients; ++i) {
        if (!s->clients[i]->needs_token)
            ct_console_client_send(s->clients[i], json, (uint32_t)strlen(json), NULL, 0);
    }
}

static ct_console_client *find_client(ct_console_server *s, ct_console_client_id id) {
    for (uint32_t i = 0; i < s->num_clients; ++i) {
        if (s->clients[i]->id.value == id.value && !s->clients[i]->is_over)
            return s->clients[i];
    }
    return NULL;
}

bool ct_console_server_has_client(ct_console_server *s, ct_console_client_id id) {
    return find_client(s, id) != NULL;
}

bool ct_console_server_send(ct_console_server *s, ct_console_client_id id, const char *json,
                            const void *binary, uint64_t binary_bytes) {
    ct_console_client *const c = find_client(s, id);
    if (!c || ct_console_client_unread_bytes(c) > CT_CONSOLE_MAX_STREAM_BYTES)
        return false;
    ct_console_client_send(c, json, (uint32_t)strlen(json), binary, binary_bytes);
    return true;
}

bool ct_console_server_send_to(ct_console_server *s, ct_console_client_id id, const char *json,
                               uint32_t bytes) {
    ct_console_client *const c = find_client(s, id);
    if (c)
        ct_console_client_send(c, json, bytes, NULL, 0);
    return c != NULL;
}

void ct_console_server_peek(ct_console_server *s, ct_console_client_id id,
                            void (*visit)(void *user, const char *json, uint32_t bytes),
                            void *user) {
    ct_console_client *const c = find_client(s, id);
    if (c)
        ct_console_client_peek(c, s->receive_buffer, visit, user);
}

void ct_console_server_flush(ct_console_server *s) {
    for (uint32_t i = 0; i < s->num_clients; ++i)
        ct_console_client_flush(s->clients[i]);
}

// Sends the pictures that are drawn; one whose client has left is dropped.
static void send_screenshots(ct_console_server *s) {
    ct_console_screenshot shot;
    while (ct_console_screenshots_take(s->screenshots, &shot)) {
        ct_console_client *const c = find_client(s, shot.client);
        if (c)
            ct_console_client_send(c, ct_string_builder_text(&shot.json), shot.json.length,
                                   shot.png.items, shot.png.count);
        ct_console_screenshot_free(&shot);
    }
}

// --- Clients -------------------------------------------------------------------------------------

static void close_client(ct_console_server *s, uint32_t index) {
    ct_console_client *const c = s->clients[index];
    if (c->socket >= 0)
        ct_crash_remove_console(c->socket);
    ct_console_client_shutdown(c);
    ct_free_sized(s->allocator, c, sizeof(*c));
    s->clients[index] = s->clients[--s->num_clients];
}

// Makes room by closing the client that was silent for the longest time. Returns false when all are
// in the middle of something.
static bool close_most_silent(ct_console_server *s) {
    uint32_t found = MAX_CLIENTS;
    for (uint32_t i = 0; i < s->num_clients; ++i) {
        const ct_console_client *const c = s->clients[i];
        const bool is_unread = !c->is_undecided && ct_console_client_unread_bytes(c) != 0;
        const bool is_busy =
            c->is_held || c->reader.bytes.count > c->reader.consumed_bytes || is_unread;
        if (!is_busy && (found == MAX_CLIENTS || c->last_heard < s->clients[found]->last_heard))
            found = i;
    }
    if (found == MAX_CLIENTS)
        return false;
    char reason[96];
    snprintf(reason, sizeof(reason),
             "more than %d console clients; this one was silent for the longest time", MAX_CLIENTS);
    ct_console_client_refuse(s->clients[found], reason);
    close_client(s, found);
    return true;
}

static uint32_t count_unknown(const ct_console_server *s) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < s->num_clients; ++i)
        count += s->clients[i]->needs_token;
    return count;
}

// Reports of crashes go out between two messages only; to a client that has said nothing yet, before its first.
static void offer_to_crash_reports(const ct_console_client *c) {
    const bool is_between = c->is_undecided || ct_console_client_unread_bytes(c) == 0;
    if (is_between && !c->needs_token)
        ct_crash_add_console(c->socket);
    else
        ct_crash_remove_console(c->socket);
}

static void add_client(ct_console_server *s, const ct_console_arrival *arrival) {
    char full[64];
    if (arrival->needs_token && count_unknown(s) >= MAX_UNKNOWN) {
        ct_console_entrance_refuse(s->entrance, arrival->socket,
                                   "too many connections have not sent the token yet");
        return;
    }
    if (s->num_clients == MAX_CLIENTS && !close_most_silent(s)) {
        snprintf(full, sizeof(full), "more than %d console clients", MAX_CLIENTS);
        ct_console_entrance_refuse(s->entrance, arrival->socket, full);
        return;
    }
    ct_console_client *const c = CT_NEW(s->allocator, ct_console_client);
    s->clients[s->num_clients++] = c;
    ct_console_client_init(c, s->allocator, (ct_console_client_id){++s->last_client_id},
                           arrival->socket);
    c->is_undecided = !arrival->is_decided;
    c->needs_token = arrival->needs_token;
    c->accepted_ns = ct_os_time_ns();
    c->last_heard = ++s->num_heard;
    if (c->needs_token)
        c->reader.max_bytes = CT_CONSOLE_MAX_AUTHORIZE_BYTES;
    offer_to_crash_reports(
        c); // its first answer may be out, and the game crash, before this frame's clients are over
}

static void accept_clients(ct_console_server *s) {
    ct_console_arrival arrival;
    uint32_t num_left = FRAME_CONNECTIONS;
    for (uint32_t i = 0;
         i < MAX_CLIENTS && ct_console_entrance_accept(s->entrance, &num_left, &arrival); ++i)
        add_client(s, &arrival);
}

// Looks which protocol new clients speak; the web takes some of them. Closes those that do not prove who they
// are.
static void decide_clients(ct_console_server *s) {
    const uint64_t now = ct_os_time_ns();
    for (uint32_t i = s->num_clients; i > 0; --i) {
        ct_console_client *const c = s->clients[i - 1];
        const uint64_t waited_ns = now - c->accepted_ns;
        ct_console_speech speech = CT_CONSOLE_SPEECH_RAW;
        if (c->is_undecided && !c->is_over)
            speech = ct_console_entrance_decide(s->entrance, c->socket, c->needs_token, waited_ns);
        c->is_undecided = speech == CT_CONSOLE_SPEECH_UNDECIDED;
        if (speech == CT_CONSOLE_SPEECH_WEB) {
            ct_crash_remove_console(c->socket);
            c->socket = -1;
            close_client(s, i - 1);
        } else if (c->needs_token && !c->is_over && waited_ns > token_limit_ns) {
            ct_console_client_refuse(c, "no token has come within 10 seconds");
        }
    }
}

static void handle(ct_console_client *c, ct_console_target *target, const ct_message *message) {
    ct_string_builder answer;
    ct_string_builder_init(&answer, target->allocator);
    ct_error reason = {0};
    target->client = c->id;
    const bool was_held = c->is_held; // a debugger may serve it inside
    c->is_held = true;
    const bool is_object =
        ct_console_handle(target, message->json, message->json_bytes, &answer, &reason);
    c->is_held = was_held;
    if (!is_object)
        ct_console_client_refuse(c, reason.message);
    else if (answer.length != 0)
        ct_console_client_send(c, ct_string_builder_text(&answer), answer.length, NULL, 0);
    ct_string_builder_free(&answer);
}

// Handles the first message of a client that must send the token.
static void authorize(ct_console_server *s, ct_console_client *c, const ct_message *message) {
    CT_CLEANUP(ct_string_builder_free) ct_string_builder answer;
    ct_string_builder_init(&answer, s->allocator);
    ct_error reason = {0};
    if (!ct_console_authorize(s->allocator, ct_console_entrance_token(s->entrance), message->json,
                              message->json_bytes, &answer, &reason)) {
        ct_console_client_refuse(c, reason.message);
        return;
    }
    c->needs_token = false;
    c->reader.max_bytes = CT_CONSOLE_MAX_MESSAGE_BYTES;
    if (answer.length != 0)
        ct_console_client_send(c, ct_string_builder_text(&answer), answer.length, NULL, 0);
}

// Handles one message of a client, if there is one; returns whether there was.
static bool take_turn(ct_console_server *s, ct_console_client *c, ct_console_target *target,
                      uint32_t *budget_bytes) {
    // The messages of a client that does not read its answers wait.
    if (c->is_over || c->is_undecided ||
        ct_console_client_unread_bytes(c) > CT_CONSOLE_MAX_ANSWER_BYTES)
        return false;
    ct_message message;
    ct_error reason = {0};
    switch (ct_console_client_receive(c, s->receive_buffer, budget_bytes, &message, &reason)) {
    case CT_MESSAGE_RESULT_MESSAGE:
        c->last_heard = ++s->num_heard;
        if (c->needs_token)
            authorize(s, c, &message);
        else
            handle(c, target, &message);
        return true;
    case CT_MESSAGE_RESULT_ERROR:
        ct_console_client_refuse(c, reason.message);
        return false;
    default:
        c->is_over |= c->has_ended;
        return false;
    }
}

// Clients take turns of one message each until the frame's budget is spent or no client has a
// message; the next frame continues with the next client.
static void handle_messages(ct_console_server *s, ct_console_target *target) {
    const uint64_t end_ns = ct_os_time_ns() + frame_limit_ns;
    uint32_t budget_bytes = FRAME_RECEIVED_BYTES, num_messages = 0, num_idle = 0;
    while (num_idle < s->num_clients) {
        ct_console_client *const c = s->clients[s->first_client % s->num_clients];
        s->first_client = (s->first_client + 1) % s->num_clients;
        const bool had_message = take_turn(s, c, target, &budget_bytes);
        num_idle = had_message ? 0 : num_idle + 1;
        num_messages += had_message;
        if (num_messages == FRAME_MESSAGES || ct_os_time_ns() >= end_ns ||
            ct_debugger_is_going_on(s->debugger))
            break;
    }
}

// Returns the client with the longest queues when all queues together are too long, else NULL. Does
// not count clients that are about to be closed.
static ct_console_client *find_too_much(ct_console_server *s) {
    uint64_t in_bytes = 0, out_bytes = 0, most_bytes = 0;
    ct_console_client *largest = NULL;
    for (uint32_t i = 0; i < s->num_clients; ++i) {
        ct_console_client *const c = s->clients[i];
        if (c->is_over)
            continue;
        const uint64_t bytes = (uint64_t)c->reader.bytes.count + c->unsent.count;
        in_bytes += c->reader.bytes.count;
        out_bytes += c->unsent.count;
        if (bytes > most_bytes) {
            most_bytes = bytes;
            largest = c;
        }
    }
    return in_bytes > MAX_QUEUED_BYTES || out_bytes > MAX_QUEUED_BYTES ? largest : NULL;
}

// Closes as many clients as necessary: log messages go to all clients, so all queues may grow at
// once.
static void limit_queues(ct_console_server *s) {
    ct_console_client *largest;
    while ((largest = find_too_much(s)))
        ct_console_client_refuse(largest,
                                 "the queues of all console clients together are too long");
}

// Closes the clients that are over.
static void end_clients(ct_console_server *s) {
    for (uint32_t i = s->num_clients; i > 0; --i) {
        ct_console_client *const c = s->clients[i - 1];
        offer_to_crash_reports(c);
        if (!c->is_over || c->is_held)
            continue;
        if (c->is_too_slow)
            ct_log_warning(
                "console", "console_closed",
                "closed a connection: it did not read, and more than %d MiB waited for it",
                CT_CONSOLE_MAX_UNREAD_BYTES >> 20);
        close_client(s, i - 1);
    }
}

void ct_console_server_serve(ct_console_server *s, ct_app *app, ct_hot_reload *reload) {
    accept_clients(s);
    decide_clients(s);
    ct_console_target target = {.allocator = s->allocator,
                                .app = app,
                                .reload = reload,
                                .server = s,
                                .screenshots = s->screenshots,
                                .overlay = s->overlay,
                                .debugger = s->debugger,
                                .frames = s->frames,
                                .selections = s->selections};
    send_logged(s);
    send_screenshots(s);
    ct_engine_search_update(s->engines, s);
    ct_entity_outlines_tidy(s->outlines);
    handle_messages(s, &target);
    ct_console_server_flush(s);
    limit_queues(s); // what the sockets did not take
    end_clients(s);
}

// --- Life cycle ----------------------------------------------------------------------------------

ct_console_server *ct_console_server_create(const ct_console_entrance_desc *desc, ct_error *error) {
    ct_allocator *const allocator = ct_proxy_allocator_create(desc->allocator, "console");
    ct_console_entrance_desc entrance_desc = *desc;
    entrance_desc.allocator = allocator;
    ct_console_entrance *const entrance = ct_console_entrance_open(&entrance_desc, error);
    if (!entrance) {
        ct_proxy_allocator_destroy(allocator);
        return NULL;
    }
    ct_console_server *const s = CT_NEW(allocator, ct_console_server);
    s->allocator = allocator;
    s->entrance = entrance;
    s->screenshots = ct_console_screenshots_create(allocator);
    s->history = ct_log_history_create(allocator);
    s->network = ct_network_history_create(allocator);
    s->engines = ct_engine_search_create(allocator);
    s->outlines = ct_entity_outlines_create(allocator);
    s->start_ns = ct_os_time_ns();
    s->receive_buffer = CT_NEW_ARRAY(allocator, uint8_t, CT_CONSOLE_RECEIVE_BYTES);
    ct_mutex_init(&s->mutex);
    ct_array_init(&s->logged, allocator);
    const ct_log_sink sink = {.write = queue_log, .user = s, .least = CT_LOG_LEVEL_INFO};
    ct_log_add_sink(&sink);
    return s;
}

void ct_console_server_destroy(ct_console_server *s) {
    if (!s)
        return;
    ct_log_remove_sink(queue_log, s);
    ct_console_entrance_note_end(s->entrance);
    // The last messages ("why the game ended") still go out.
    send_logged(s);
    send_screenshots(s);
    while (s->num_clients != 0) {
        ct_console_client *const c = s->clients[s->num_clients - 1];
        c->is_undecided = false;
        ct_console_client_flush(c);
        close_client(s, s->num_clients - 1);
    }
    ct_console_entrance_close(s->entrance);
    ct_console_screenshots_destroy(s->screenshots);
    ct_log_history_destroy(s->history);
    ct_network_history_destroy(s->network);
    ct_engine_search_destroy(s->engines);
    ct_entity_outlines_destroy(s->outlines);
    ct_array_free(&s->logged);
    ct_mutex_shutdown(&s->mutex);
    ct_allocator *const allocator = s->allocator;
    ct_free_sized(allocator, s->receive_buffer, CT_CONSOLE_RECEIVE_BYTES);
    ct_free_sized(allocator, s, sizeof(*s));
    ct_proxy_allocator_destroy(allocator);
}

void ct_console_server_set_overlay(ct_console_server *s, ct_overlay *overlay) {
    s->overlay = overlay;
}

void ct_console_server_set_debugger(ct_console_server *s, ct_debugger *debugger) {
    s->debugger = debugger;
}

ct_engine_search *ct_console_server_engine_search(ct_console_server *s) {
    return s->engines;
}

ct_entity_outlines *ct_console_server_outlines(ct_console_server *s) {
    return s->outlines;
}

ct_network_history *ct_console_server_network_history(ct_console_server *s) {
    return s->network;
}

double ct_console_server_seconds(const ct_console_server *s) {
    return (double)((ct_os_time_ns() - s->start_ns) / 1000000) / 1000;
}

void ct_console_server_set_frames(ct_console_server *s, ct_frames *frames) {
    s->frames = frames;
}

void ct_console_server_set_selections(ct_console_server *s,
                                      struct ct_inspect_selections *selections) {
    s->selections = selections;
}

uint16_t ct_console_server_port(const ct_console_server *s) {
    return ct_console_entrance_port(s->entrance);
}
