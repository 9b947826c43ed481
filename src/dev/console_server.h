// console_server.h: lets tools talk to the running engine: length-prefixed JSON over TCP.
//
// Listens on 127.0.0.1, and accepts only programs of the game's own user and of root; others only with a token
// (console_entrance.h). Requests of HTTP on the same port go to the web thread (web/web_server.h), whose
// WebSockets come back as clients like all others. In each frame, clients take turns, one message each, for at most 4 ms, 256 messages and 8 MiB; the rest
// waits. So a flood of messages does not stall frames or other clients, and queues are bounded. A
// single message is handled to its end, however long that takes: a script that never returns, or 16
// MiB of JSON, holds up the frame. When there are too many clients, the server closes the one that
// was silent for the longest time. Messages are handled on the update thread at a frame boundary;
// log messages go to every client. A client that sends an oversized, malformed or half message
// (with a time limit) is closed with a reason; other clients are not affected. Update thread.
// Protocol: docs/formats/console_protocol.md.
#pragma once
#include "dev/console_commands.h"
#include "dev/entrance/console_entrance.h"

// Listens as ct_console_entrance_open says; `desc` has its allocator, too. Returns NULL with `error`.
ct_console_server *ct_console_server_create(const ct_console_entrance_desc *desc, ct_error *error);

// Sends the last log messages and screenshots as far as sockets take them, closes all connections
// and frees the server; NULL is fine. Destroy the renderer of the served app first.
void ct_console_server_destroy(ct_console_server *c);

// Sets the overlay that clients switch; borrowed; NULL: none, as at the start.
void ct_console_server_set_overlay(ct_console_server *c, ct_overlay *overlay);

// Sets the debugger that clients use; borrowed; NULL: none, as at the start.
void ct_console_server_set_debugger(ct_console_server *c, ct_debugger *debugger);

// Sets the streams of pictures that clients open; borrowed; NULL: none, as at the start.
void ct_console_server_set_frames(ct_console_server *c, ct_frames *frames);

// The same of what clients select.
void ct_console_server_set_selections(ct_console_server *c,
                                      struct ct_inspect_selections *selections);

// Returns the port that the server listens at.
uint16_t ct_console_server_port(const ct_console_server *c);

// Returns the last log messages, and keeps threads that log waiting until they are unlocked. Do not log
// meanwhile. A message that is in the history was sent to the clients of its time, or will be in the next
// serve, unless there were too many.
struct ct_log_history *ct_console_server_lock_history(ct_console_server *c);
void ct_console_server_unlock_history(ct_console_server *c);

// Returns the search for other games of this user.
struct ct_engine_search *ct_console_server_engine_search(ct_console_server *c);

// Returns the history of the game's network, which records only while it is asked for.
struct ct_network_history *ct_console_server_network_history(ct_console_server *c);

// Returns what tools know of the units of worlds.
struct ct_entity_outlines *ct_console_server_outlines(ct_console_server *c);

// Returns the seconds since the server was made, in milliseconds: the clock of its log messages.
double ct_console_server_seconds(const ct_console_server *c);

// Takes connections and messages, answers them, and sends log messages. Call it at a frame
// boundary, or while a debugger has stopped the game, also inside a message that this function handles:
// the client whose message that is stays until it is done. Never blocks. `reload` may be NULL.
void ct_console_server_serve(ct_console_server *c, ct_app *app, ct_hot_reload *reload);

// Sends a JSON object to every client.
void ct_console_server_send_all(ct_console_server *c, const char *json);

// Sends a JSON object to one client, followed by `binary_bytes` of binary (the JSON then has
// `binary_size`). For streams: returns false and sends nothing when the client is gone, or has too
// much unread data (CT_CONSOLE_MAX_STREAM_BYTES).
bool ct_console_server_send(ct_console_server *c, ct_console_client_id client, const char *json,
                            const void *binary, uint64_t binary_bytes);

// Sends a JSON object of `bytes` bytes to one client. Returns false when it is gone; one that has too much
// unread data is closed.
bool ct_console_server_send_to(ct_console_server *c, ct_console_client_id client, const char *json,
                               uint32_t bytes);

// Calls `visit` for each message of a client that has arrived and was not handled yet; they stay where they
// are. `json` has `bytes` bytes and no zero behind them. Callable while another message is handled.
void ct_console_server_peek(ct_console_server *c, ct_console_client_id client,
                            void (*visit)(void *user, const char *json, uint32_t bytes),
                            void *user);

// Sends what waits, as far as the sockets take it.
void ct_console_server_flush(ct_console_server *c);

// Returns false once the client's connection has ended.
bool ct_console_server_has_client(ct_console_server *c, ct_console_client_id client);
