// web_server.h: HTTP and WebSocket on the console's port: a thread of libwebsockets without a listener.
//
// The console's server accepts connections and gives those that speak HTTP to this one. It serves the pages
// of the engine, the project's folder `tools` and, at `/console`, WebSockets. For each WebSocket it makes a
// pair of sockets: one end goes back to the console's server, which sees a client in raw framing, and the
// thread moves messages between the other end and the page (web_bridge.h). Where one side does not take what
// comes, the thread stops reading from the other. Update thread.
#pragma once
#include "foundation/types.h"

enum { CT_WEB_MAX_CONNECTIONS = 64 };

typedef struct ct_web ct_web;

typedef struct ct_web_desc {
    ct_allocator *allocator;
    uint16_t port;              // of the console
    const char *pages_folder;   // copied; NULL: there are no pages
    const char *project_folder; // whose `tools` is served; copied; NULL: none
    // Seconds of silence after which a page is asked for a sign of life, and is gone; 0: 20 and 60.
    uint16_t ping_seconds, hang_up_seconds;
} ct_web_desc;

// Loads libwebsockets and starts the thread. Returns NULL with an `error` that says what to install.
ct_web *ct_web_create(const ct_web_desc *desc, ct_error *error);

// Notes that the game ends: pages whose sockets the console closes from now on get a close that says so. The others
// before did not read what was sent, unless an error says why. Call it before the console closes its sockets.
void ct_web_note_end(ct_web *web);

// Closes all connections, with a close of WebSocket where the other end reads within a second, and ends the
// thread; NULL is fine. Sockets of ct_web_take_page stay the caller's: close them first, so that pages get
// what was sent last.
void ct_web_destroy(ct_web *web);

// Takes a connection of which nothing was read. `is_trusted`: its other end is this machine's own user.
// Returns false with `error` when there are too many connections, or libwebsockets could not start: the socket
// is then still the caller's.
bool ct_web_adopt(ct_web *web, int socket, bool is_trusted, ct_error *error);

// The console's end of a WebSocket. It does not block.
typedef struct ct_web_page_end {
    int socket;
    bool is_trusted;
} ct_web_page_end;

// Takes the end of a WebSocket that was opened since the last call. Returns false when there is no more.
bool ct_web_take_page(ct_web *web, ct_web_page_end *end);
