#include "cli/debug/dap_server.h"

#include <stdio.h>
#include <string.h>

#include "cli/debug/dap_events.h"
#include "cli/debug/dap_lifecycle.h"
#include "cli/debug/dap_requests.h"
#include "cli/nodes/nodes_process.h"
#include "foundation/error.h"

enum { MAX_SESSIONS = 16, RECEIVE_BYTES = 65536, NUM_FILES = 5 };
static const uint64_t wait_ns = 1000000000;
static const uint64_t short_wait_ns = 20000000; // while something has no file to wait for
static const uint64_t crash_limit_ns =
    10000000000; // from the end of the connection to that of the game

// What a session waits for, as places of an array of files.
enum { INPUT, OUTPUT, LINK, GAME };

// --- What the game prints ------------------------------------------------------------------------

// The lines of the log without a level are infos.
static bool is_info(const char *line, uint32_t bytes) {
    char head[128];
    snprintf(head, sizeof(head), "%.*s", (int)bytes, line);
    const char *const end = head[0] == '[' ? strstr(head, "] ") : NULL;
    return end && strncmp(end, "] error: ", 9) != 0 && strncmp(end, "] warning: ", 11) != 0;
}

static void take_line(ct_dap_session *s, uint32_t stream, const char *line, uint32_t bytes) {
    static const char console[] = "[console] ";
    static const char no_console[] = "[console] warning: cannot start the console";
    char text[256];
    snprintf(text, sizeof(text), "%.*s", (int)bytes, line);
    if (stream == 1 && s->port == 0 && strncmp(text, console, strlen(console)) == 0)
        s->port = ct_nodes_port_in(text);
    if (stream == 1 && s->link.socket >= 0)
        ct_dap_echo_printed(&s->echo, line, bytes, ct_os_time_ns());
    else
        ct_dap_output(s, stream == 0 || is_info(line, bytes) ? "stdout" : "stderr", line, bytes,
                      NULL, 0);
    if (s->state == CT_DAP_STATE_STARTING && s->port == 0 &&
        strncmp(text, no_console, strlen(no_console)) == 0)
        ct_dap_start_fail(s, text); // `line` is gone then
}

static void take_lines(ct_dap_session *s) {
    for (uint32_t i = 0; i < 2; ++i) {
        const char *line = NULL;
        uint32_t bytes = 0;
        while (ct_dap_game_next_line(&s->game, i, &line, &bytes))
            take_line(s, i, line, bytes);
    }
}

// Sends lines that were printed only.
static void send_held_lines(ct_dap_session *s, uint64_t now_ns) {
    ct_string_builder line CT_CLEANUP(ct_string_builder_free);
    ct_string_builder_init(&line, s->allocator);
    while (ct_dap_echo_next(&s->echo, now_ns, s->link.socket < 0, &line)) {
        const char *const text = ct_string_builder_text(&line);
        ct_dap_output(s, is_info(text, line.length) ? "stdout" : "stderr", text, line.length, NULL,
                      0);
    }
}

// --- The end of games ----------------------------------------------------------------------------

static void take_game_end(ct_dap_session *s) {
    char text[128];
    const int code = s->game.exit_code;
    take_lines(s);
    if (s->link.socket >= 0) { // what it sent last
        ct_error ignored;
        while (s->link.socket >= 0 && ct_dap_events_receive(s, &ignored)) {
            bool is_readable = false;
            if (ct_socket_wait(&s->link.socket, 1, &is_readable, 0) == 0)
                break;
        }
    }
    ct_dap_link_close(&s->link);
    send_held_lines(s, ct_os_time_ns());
    snprintf(text, sizeof(text),
             code < 0 ? "the game was ended by signal %d" : "the game has ended with exit code %d",
             code < 0 ? -code : code);
    if (s->state != CT_DAP_STATE_READY)
        ct_dap_game_over(s, text);
}

// The connection to the game has ended.
static void take_link_end(ct_dap_session *s, const char *reason) {
    if (s->link.socket < 0) // closed by us meanwhile
        return;
    if (!s->is_launched) {
        ct_dap_game_over(s, reason);
        return;
    }
    // A game that crashes still writes a report; its end comes from the process.
    ct_dap_link_close(&s->link);
    ct_dap_fail_pending(s, reason);
    ct_dap_game_limit(&s->game, ct_os_time_ns() + crash_limit_ns);
}

// --- One session ---------------------------------------------------------------------------------

// Fills `files`, NUM_FILES of them, with what the session waits for.
static void want(const ct_dap_session *s, ct_socket_poll *files) {
    const bool is_full = s->unsent.count - s->num_sent > CT_DAP_MAX_UNSENT_BYTES;
    const bool has_unsent = s->num_sent < s->unsent.count;
    const bool reads = !s->is_closing && !is_full;
    for (uint32_t i = 0; i < NUM_FILES; ++i)
        files[i] = (ct_socket_poll){.socket = -1};
    if (reads)
        files[INPUT] = (ct_socket_poll){.socket = s->input, .wants_to_read = true};
    if (has_unsent)
        files[OUTPUT] = (ct_socket_poll){.socket = s->output, .wants_to_send = true};
    if (s->link.socket >= 0 && (!is_full || s->link.num_sent < s->link.unsent.count))
        files[LINK] = (ct_socket_poll){.socket = s->link.socket,
                                       .wants_to_read = !is_full,
                                       .wants_to_send = s->link.num_sent < s->link.unsent.count};
    for (uint32_t i = 0; i < 2 && !is_full; ++i)
        files[GAME + i] =
            (ct_socket_poll){.socket = s->game.streams[i].socket, .wants_to_read = true};
}

static bool fail_client(ct_dap_session *s, const char *message) {
    fprintf(stderr, "cuttle debug: %s\n", message);
    s->has_failed = true;
    return false;
}

// Handles the messages of the client that are whole.
static bool take_requests(ct_dap_session *s) {
    ct_error error = {0};
    char text[CT_ERROR_MESSAGE_BYTES + CT_ERROR_FILE_BYTES + 64];
    const char *json = NULL;
    uint32_t bytes = 0;
    ct_dap_result result = CT_DAP_RESULT_NONE;
    while (!s->is_closing && (result = ct_dap_reader_next(&s->reader, &json, &bytes, &error)) ==
                                 CT_DAP_RESULT_MESSAGE) {
        if (!ct_dap_dispatch(s, json, bytes, &error)) {
            ct_error_format(&error, text, sizeof(text));
            return fail_client(s, text);
        }
    }
    return s->is_closing || result != CT_DAP_RESULT_ERROR || fail_client(s, error.message);
}

// Reads from the client. Returns false when it has gone, or sends what is no message.
static bool read_client(ct_dap_session *s) {
    char bytes[RECEIVE_BYTES];
    int64_t count = s->is_socket ? ct_socket_receive(s->input, bytes, sizeof(bytes))
                                 : ct_os_file_read(s->input, bytes, sizeof(bytes));
    if (s->is_socket && count == 0)
        return true;
    if (count <= 0)
        return !ct_dap_reader_is_within(&s->reader)
                   ? false
                   : fail_client(s, "the client went in the middle of a message");
    ct_dap_reader_add(&s->reader, bytes, (uint64_t)count);
    return take_requests(s);
}

// Does what the files of the session say. Returns false when the session is over.
static bool move_on(ct_dap_session *s, const ct_socket_poll *files) {
    ct_error error = {0};
    if (files[INPUT].is_readable && !read_client(s))
        return false;
    const bool is_read = files[LINK].is_readable && s->link.socket == files[LINK].socket;
    if (is_read && !ct_dap_events_receive(s, &error))
        take_link_end(s, error.message);
    for (uint32_t i = 0; i < 2; ++i) {
        const int socket = s->game.streams[i].socket;
        if (files[GAME + i].is_readable && socket >= 0 && socket == files[GAME + i].socket)
            ct_dap_game_read(&s->game, i);
    }
    take_lines(s);
    const uint64_t now_ns = ct_os_time_ns();
    if (ct_dap_game_ends(&s->game, now_ns))
        take_game_end(s);
    ct_dap_lifecycle_step(s, now_ns);
    send_held_lines(s, now_ns);
    ct_dap_link_flush(&s->link);
    return ct_dap_flush(s) && !(s->is_closing && s->unsent.count == 0);
}

// Whether the session must look again soon.
static bool is_busy(const ct_dap_session *s) {
    const bool has_process = s->game.was_started && !s->game.has_ended;
    return has_process || s->state == CT_DAP_STATE_STARTING || s->leaving.doc;
}

// --- Serving -------------------------------------------------------------------------------------

bool ct_dap_serve_standard(ct_allocator *a, const char *project) {
    ct_dap_session *const s = CT_NEW(a, ct_dap_session);
    ct_dap_session_init(s, a, 0, 1, false);
    s->project = project;
    ct_os_catch_interrupts();
    ct_socket_poll files[NUM_FILES];
    do {
        want(s, files);
        ct_socket_poll_many(files, NUM_FILES, is_busy(s) ? short_wait_ns : wait_ns);
    } while (move_on(s, files) && !ct_os_take_interrupt());
    const bool has_failed = s->has_failed;
    ct_dap_session_free(s);
    ct_free_sized(a, s, sizeof(*s));
    return !has_failed;
}

typedef struct server {
    ct_allocator *allocator;
    const char *project;
    ct_dap_session *sessions[MAX_SESSIONS];
    uint32_t count;
} server;

// Takes a client: of this user, since `launch` starts programs.
static void accept_client(server *v, int socket) {
    uint32_t user = 0;
    ct_error error = {0};
    const bool is_known = ct_socket_peer_user(socket, &user, &error);
    if (is_known && user != ct_os_user() && user != 0)
        ct_error_set(&error, "its user is not ours");
    else if (is_known && v->count == MAX_SESSIONS)
        ct_error_set(&error, "there are %d clients already", MAX_SESSIONS);
    if (error.message[0] != '\0') {
        fprintf(stderr, "cuttle debug: refused a client: %s\n", error.message);
        ct_socket_close(socket);
        return;
    }
    ct_dap_session *const s = CT_NEW(v->allocator, ct_dap_session);
    ct_dap_session_init(s, v->allocator, socket, socket, true);
    s->project = v->project;
    v->sessions[v->count++] = s;
}

static void end_session(server *v, uint32_t i) {
    ct_dap_session *const s = v->sessions[i];
    const int socket = s->input;
    ct_dap_session_free(s);
    ct_socket_close(socket);
    ct_free_sized(v->allocator, s, sizeof(*s));
    v->sessions[i] = v->sessions[--v->count];
}

// Waits once and moves all sessions on.
static void serve(server *v, int listener) {
    ct_socket_poll files[1 + MAX_SESSIONS * NUM_FILES];
    bool are_busy = false;
    files[0] = (ct_socket_poll){.socket = listener, .wants_to_read = true};
    for (uint32_t i = 0; i < v->count; ++i) {
        want(v->sessions[i], files + 1 + i * NUM_FILES);
        are_busy |= is_busy(v->sessions[i]);
    }
    ct_socket_poll_many(files, 1 + v->count * NUM_FILES, are_busy ? short_wait_ns : wait_ns);
    for (uint32_t i = v->count; i-- > 0;) { // the last one takes the place of one that ends
        if (!move_on(v->sessions[i], files + 1 + i * NUM_FILES))
            end_session(v, i);
    }
    const int socket = files[0].is_readable ? ct_socket_accept(listener) : -1;
    if (socket >= 0)
        accept_client(v, socket);
}

bool ct_dap_serve_port(ct_allocator *a, const char *project, uint16_t port, ct_error *error) {
    server v = {.allocator = a, .project = project};
    uint16_t bound = 0;
    const int listener = ct_socket_listen(port, 1, &bound, error);
    if (listener < 0)
        return false;
    ct_os_catch_interrupts();
    printf("listening on 127.0.0.1:%u\n", bound);
    fflush(stdout);
    while (!ct_os_take_interrupt())
        serve(&v, listener);
    while (v.count != 0)
        end_session(&v, v.count - 1);
    ct_socket_close(listener);
    return true;
}
