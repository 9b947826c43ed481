// console_server.h: tools talk to the running engine: length-prefixed JSON over TCP.
//
// Listens on 127.0.0.1. In each frame clients take turns, a message each, for at most 4 ms, 256
// messages and 8 MiB; what is left waits, so a flood of messages stalls no frame and no other
// client, and queues are bounded. A single message is handled to its end, however long that takes:
// a script that never returns, or 16 MiB of JSON, holds the frame. Messages are handled on the
// update thread at a frame boundary; log messages go to every client. A client that sends an
// oversized, malformed or half message (with a time limit) is closed with a reason; nobody else
// notices. Protocol: docs/formats/console_protocol.md.
#pragma once
#include "dev/console_commands.h"

// Listens at `port` or the next free one of 64. NULL with `error` when none is free.
ct_console_server *ct_console_server_create(ct_allocator *a, uint16_t port, ct_error *error);
void ct_console_server_destroy(ct_console_server *c);

uint16_t ct_console_server_port(const ct_console_server *c);

// At a frame boundary: takes connections and messages, answers them, sends what was logged. Never
// blocks. `reload` may be NULL.
void ct_console_server_serve(ct_console_server *c, ct_app *app, ct_hot_reload *reload);

// Sends a JSON object to every client.
void ct_console_server_send_all(ct_console_server *c, const char *json);

// Sends a JSON object to one client, with `binary_bytes` of binary behind it (then the JSON says
// `binary_size`). For streams: false, and nothing is sent, when the client is gone or has not yet
// read much of what was sent before.
bool ct_console_server_send(ct_console_server *c, ct_console_client_id client, const char *json,
                            const void *binary, uint64_t binary_bytes);

// False once the client's connection has ended.
bool ct_console_server_has_client(ct_console_server *c, ct_console_client_id client);
