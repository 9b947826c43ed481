#include "cli/debug/dap_game.h"

#include <string.h>

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
