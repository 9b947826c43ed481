// web_server.h: a server on loopback that answers every connection with the same bytes.
#pragma once
#include "support/test_support.h"

#include <stdio.h>
#include <string.h>

#include "foundation/error.h"
#include "foundation/os/os.h"

// Reads what was asked up to the empty line, sends `answer`, and waits for the other end before it closes.
typedef struct web_server {
    const char *answer;
    bool holds; // does not close by itself
    uint16_t port;
    int listener;
    ct_thread thread;
    _Atomic bool is_over;
    _Atomic uint32_t num_connections;
    char asked[4096]; // of the last connection; look at it once the answer has come
} web_server;

static void serve(web_server *s, int socket) {
    uint32_t length = 0;
    bool readable;
    s->asked[0] = '\0';
    while (!s->is_over && !strstr(s->asked, "\r\n\r\n") && length + 1 < sizeof(s->asked)) {
        if (!ct_socket_wait(&socket, 1, &readable, 20000000))
            continue;
        const int64_t got =
            ct_socket_receive(socket, s->asked + length, sizeof(s->asked) - 1 - length);
        if (got < 0)
            return;
        length += (uint32_t)got;
        s->asked[length] = '\0';
    }
    if (s->answer)
        ct_socket_send(socket, s->answer, strlen(s->answer));
    while (!s->is_over && s->holds) {
        char rest[256];
        if (ct_socket_wait(&socket, 1, &readable, 20000000) &&
            ct_socket_receive(socket, rest, sizeof(rest)) < 0)
            break;
    }
}

static void run_server(void *data) {
    web_server *const s = data;
    while (!s->is_over) {
        bool readable;
        if (!ct_socket_wait(&s->listener, 1, &readable, 20000000))
            continue;
        const int socket = ct_socket_accept(s->listener);
        if (socket < 0)
            continue;
        ++s->num_connections;
        ct_socket_set_blocking(socket, true);
        serve(s, socket);
        ct_socket_close(socket);
    }
}

static void start_server(web_server *s, const char *answer, bool holds) {
    *s = (web_server){.answer = answer, .holds = holds};
    ct_error error;
    s->listener = ct_socket_listen(0, 1, &s->port, &error);
    assert_true(s->listener >= 0);
    s->thread = ct_thread_start("web_server", run_server, s);
}

static void stop_server(web_server *s) {
    s->is_over = true;
    ct_thread_join(s->thread);
    ct_socket_close(s->listener);
}

// Writes "http://127.0.0.1:PORT/x" from "http://127.0.0.1:%u/x". Returns `text`.
static inline const char *web_text(char text[256], const char *format, uint32_t port) {
    const char *const at = strstr(format, "%u");
    snprintf(text, 256, "%.*s%u%s", (int)(at - format), format, port, at + 2);
    return text;
}
