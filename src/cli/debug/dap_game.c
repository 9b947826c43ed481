#include "cli/debug/dap_game.h"

#include <string.h>

#include "foundation/error.h"
#include "foundation/string/utf8.h"

enum { READ_BYTES = 65536, LINE_BYTES = 65536 };
static const uint64_t rest_limit_ns = 500000000; // for output after the process has ended
static const uint64_t polite_limit_ns = 500000000;

void ct_dap_game_init(ct_dap_game *g, ct_allocator *a) {
    memset(g, 0, sizeof(*g));
    for (uint32_t i = 0; i < 2; ++i) {
        g->streams[i].socket = -1;
        ct_array_init(&g->streams[i].bytes, a);
    }
}

static void close_stream(ct_dap_stream *s) {
    if (s->socket >= 0)
        ct_socket_close(s->socket);
    s->socket = -1;
}

void ct_dap_game_free(ct_dap_game *g) {
    if (g->process.pid != 0) {
        ct_process_kill_group(g->process);
        ct_process_wait(g->process);
        g->process.pid = 0;
    }
    for (uint32_t i = 0; i < 2; ++i) {
        close_stream(&g->streams[i]);
        ct_array_free(&g->streams[i].bytes);
    }
}

bool ct_dap_game_start(ct_dap_game *g, const char *const *words, const char *const *environment,
                       ct_error *error) {
    ct_allocator *const a = g->streams[0].bytes.allocator;
    int outputs[2] = {-1, -1};
    const ct_process_desc desc = {
        .arguments = words, .environment = environment, .outputs = outputs, .is_group = true};
    ct_dap_game_free(g);
    ct_dap_game_init(g, a);
    g->process = ct_process_start(&desc, error);
    if (g->process.pid == 0)
        return false;
    g->was_started = true;
    for (uint32_t i = 0; i < 2; ++i)
        g->streams[i].socket = outputs[i];
    return true;
}

// --- Output --------------------------------------------------------------------------------------

void ct_dap_game_read(ct_dap_game *g, uint32_t stream) {
    ct_dap_stream *const s = &g->streams[stream];
    char bytes[READ_BYTES];
    const int64_t count = ct_socket_receive(s->socket, bytes, sizeof(bytes));
    if (count < 0)
        close_stream(s);
    else if (count > 0)
        ct_array_push_many(&s->bytes, (const uint8_t *)bytes, (uint64_t)count);
}

bool ct_dap_game_next_line(ct_dap_game *g, uint32_t stream, const char **line, uint32_t *bytes) {
    ct_dap_stream *const s = &g->streams[stream];
    const uint32_t left = s->bytes.count - s->num_taken;
    const char *const start = left ? (const char *)s->bytes.items + s->num_taken : NULL;
    const char *const end = left ? memchr(start, '\n', left) : NULL;
    const bool is_rest = left >= LINE_BYTES || (s->socket < 0 && left != 0);
    if (!end && !is_rest) {
        ct_array_erase(&s->bytes, 0, s->num_taken);
        s->num_taken = 0;
        return false;
    }
    *line = start;
    *bytes = end ? (uint32_t)(end - start) : left;
    s->num_taken += *bytes + (end != NULL);
    return true;
}

// --- The end -------------------------------------------------------------------------------------

void ct_dap_game_limit(ct_dap_game *g, uint64_t deadline_ns) {
    if (g->deadline_ns == 0 || deadline_ns < g->deadline_ns)
        g->deadline_ns = deadline_ns;
}

static void take_end(ct_dap_game *g, uint64_t now_ns) {
    ct_process_kill_group(g->process);
    g->process.pid = 0;
    g->ended_ns = now_ns;
}

bool ct_dap_game_ends(ct_dap_game *g, uint64_t now_ns) {
    if (!g->was_started || g->has_ended)
        return false;
    if (g->process.pid != 0 && g->deadline_ns != 0 && now_ns >= g->deadline_ns) {
        ct_process_kill_group(g->process);
        g->exit_code = ct_process_wait(g->process);
        take_end(g, now_ns);
    }
    if (g->process.pid != 0 && ct_process_wait_for(g->process, 0, &g->exit_code))
        take_end(g, now_ns);
    const bool is_read = g->streams[0].socket < 0 && g->streams[1].socket < 0;
    if (g->process.pid != 0 || (!is_read && now_ns - g->ended_ns < rest_limit_ns))
        return false;
    g->has_ended = true;
    for (uint32_t i = 0; i < 2; ++i)
        close_stream(&g->streams[i]);
    return true;
}

void ct_dap_game_stop(ct_dap_game *g) {
    if (g->process.pid == 0)
        return;
    ct_process_interrupt_group(g->process);
    if (!ct_process_wait_for(g->process, polite_limit_ns, &g->exit_code)) {
        ct_process_kill_group(g->process);
        g->exit_code = ct_process_wait(g->process);
    }
    take_end(g, ct_os_time_ns());
}

// --- Lines that arrive twice ---------------------------------------------------------------------

static const uint64_t printed_limit_ns = 300000000; // the console sends once a frame
static const uint64_t sent_limit_ns = 5000000000;

void ct_dap_echo_init(ct_dap_echo *e, ct_allocator *a) {
    ct_array_init(&e->printed, a);
    ct_array_init(&e->sent, a);
}

static void drop(ct_dap_line_array *lines, uint32_t i) {
    ct_free(lines->allocator, lines->items[i].text);
    ct_array_erase(lines, i, 1);
}

static void free_lines(ct_dap_line_array *lines) {
    for (uint32_t i = 0; i < lines->count; ++i)
        ct_free(lines->allocator, lines->items[i].text);
    ct_array_free(lines);
}

void ct_dap_echo_free(ct_dap_echo *e) {
    free_lines(&e->printed);
    free_lines(&e->sent);
}

// Drops the first line with this text. Returns whether there was one.
static bool match(ct_dap_line_array *lines, const char *text) {
    for (uint32_t i = 0; i < lines->count; ++i) {
        if (strcmp(lines->items[i].text, text) == 0) {
            drop(lines, i);
            return true;
        }
    }
    return false;
}

// Matches a line with those of the other kind, or keeps it. Takes over `text`.
static void take(ct_dap_line_array *others, ct_dap_line_array *lines, char *text, uint64_t now_ns) {
    if (match(others, text)) {
        ct_free(lines->allocator, text);
        return;
    }
    if (lines->count == CT_DAP_ECHO_MAX_LINES)
        drop(lines, 0);
    ct_array_push(lines, (ct_dap_line){text, now_ns});
}

// Copies a line; what is behind a zero byte is left out.
static char *copy(ct_allocator *a, const char *line, uint32_t bytes) {
    char *const text = ct_alloc(a, (uint64_t)bytes + 1);
    memcpy(text, line, bytes);
    text[bytes] = '\0';
    return text;
}

void ct_dap_echo_printed(ct_dap_echo *e, const char *line, uint32_t bytes, uint64_t now_ns) {
    take(&e->sent, &e->printed, copy(e->printed.allocator, line, bytes), now_ns);
}

void ct_dap_echo_sent(ct_dap_echo *e, const char *level, const char *system, const char *message,
                      uint32_t bytes, uint64_t now_ns) {
    ct_string_builder shown CT_CLEANUP(ct_string_builder_free);
    ct_string_builder_init(&shown, e->sent.allocator);
    const bool is_info = strcmp(level, "info") == 0;
    ct_string_builder_addf(&shown, "[%s] %s%s", system, is_info ? "" : level, is_info ? "" : ": ");
    char part[1024];
    for (uint64_t done = 0; done < bytes;) {
        done += ct_utf8_write_printable_lines(part, sizeof(part), message + done, bytes - done);
        ct_string_builder_add(&shown, part);
    }
    const char *line = ct_string_builder_text(&shown);
    for (const char *end = line; *end != '\0'; line = end + 1) {
        end = line + strcspn(line, "\n");
        take(&e->printed, &e->sent, copy(e->sent.allocator, line, (uint32_t)(end - line)), now_ns);
        if (*end == '\0')
            break;
    }
}

bool ct_dap_echo_next(ct_dap_echo *e, uint64_t now_ns, bool is_end, ct_string_builder *line) {
    while (e->sent.count != 0 && now_ns - e->sent.items[0].time_ns > sent_limit_ns)
        drop(&e->sent, 0);
    ct_string_builder_clear(line);
    const bool is_due = e->printed.count != 0 &&
                        (is_end || now_ns - e->printed.items[0].time_ns > printed_limit_ns);
    if (!is_due)
        return false;
    ct_string_builder_add(line, e->printed.items[0].text);
    drop(&e->printed, 0);
    return true;
}

// --- The connection ------------------------------------------------------------------------------

enum { MAX_MESSAGE_BYTES = 64 << 20, RECEIVE_BYTES = 65536 };
static const uint64_t connect_limit_ns = 500000000;

void ct_dap_link_init(ct_dap_link *l, ct_allocator *a) {
    memset(l, 0, sizeof(*l));
    l->allocator = a;
    l->socket = -1;
    ct_array_init(&l->unsent, a);
}

void ct_dap_link_close(ct_dap_link *l) {
    if (l->socket >= 0) {
        ct_socket_close(l->socket);
        ct_message_reader_free(&l->reader);
    }
    ct_array_free(&l->unsent);
    l->socket = -1;
    l->num_sent = 0;
}

bool ct_dap_link_connect(ct_dap_link *l, const char *host, uint16_t port, ct_error *error) {
    l->socket = ct_socket_connect(host, port, connect_limit_ns, error);
    if (l->socket < 0)
        return false;
    ct_socket_set_blocking(l->socket, false);
    ct_message_reader_init(&l->reader, l->allocator, MAX_MESSAGE_BYTES);
    return true;
}

void ct_dap_link_send(ct_dap_link *l, const char *json, uint32_t bytes) {
    if (l->socket < 0)
        return;
    ct_message_write(&l->unsent, json, bytes, NULL, 0);
    ct_dap_link_flush(l);
}

void ct_dap_link_flush(ct_dap_link *l) {
    while (l->socket >= 0 && l->num_sent < l->unsent.count) {
        const int64_t sent =
            ct_socket_send(l->socket, l->unsent.items + l->num_sent, l->unsent.count - l->num_sent);
        if (sent <= 0)
            return;
        l->num_sent += (uint32_t)sent;
    }
    l->unsent.count = l->num_sent = 0;
}

bool ct_dap_link_receive(ct_dap_link *l, ct_error *error) {
    char bytes[RECEIVE_BYTES];
    const int64_t count = ct_socket_receive(l->socket, bytes, sizeof(bytes));
    if (count > 0)
        ct_message_reader_add(&l->reader, bytes, (uint64_t)count);
    return count >= 0 || ct_error_set(error, "the game has closed the connection");
}

ct_message_result ct_dap_link_next(ct_dap_link *l, ct_message *message, ct_error *error) {
    return l->socket >= 0 ? ct_message_reader_next(&l->reader, message, error)
                          : CT_MESSAGE_RESULT_NONE;
}
