// console_server.h: tools talk to the running engine: length-prefixed JSON over TCP.
//
// Listens on 127.0.0.1. Messages are handled on the update thread at a frame boundary; log messages
// go to every client. A client that sends an oversized, malformed or half message (with a time
// limit) is closed with a reason; nobody else notices. Protocol: docs/formats/console_protocol.md.
#pragma once
#include "app/app.h"
#include "dev/hot_reload.h"

typedef struct ct_console_server ct_console_server;

// Listens at `port` or the next free one of 64. NULL with `error` when none is free.
ct_console_server *ct_console_server_create(ct_allocator *a, uint16_t port, ct_error *error);
void ct_console_server_destroy(ct_console_server *c);

uint16_t ct_console_server_port(const ct_console_server *c);

// At a frame boundary: takes connections and messages, answers them, sends what was logged. Never
// blocks. `reload` may be NULL.
void ct_console_server_serve(ct_console_server *c, ct_app *app, ct_hot_reload *reload);

// Sends a JSON object to every client.
void ct_console_server_send_all(ct_console_server *c, const char *json);
