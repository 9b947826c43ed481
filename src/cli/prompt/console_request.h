// console_request.h: turns text typed at a console into messages to an engine.
#pragma once
#include "foundation/os/message.h"
#include "foundation/os/path.h"
#include "foundation/string/string_builder.h"

// Reads "HOST:PORT". Returns false with `error` when the text is not an address.
bool ct_console_parse_address(const char *text, char *host, uint32_t host_bytes, uint16_t *port,
                              ct_error *error);

// Returns whether the text can only be meant as an address, right or wrong: the part before its
// last colon could name a host, and a number follows.
bool ct_console_is_like_address(const char *text);

// Writes the message for an engine's command (its name, then its arguments), or for Lua as the only
// word, to the end of `json`. The answer will have `id`. Appends to `file` the path that the binary
// of the answer is for, which the engine need not know; nothing when none is expected.
void ct_console_write_request(const char *const *words, uint32_t count, const char *id,
                              ct_string_builder *json, ct_string_builder *file);

// As ct_console_write_request for a line: when it begins with the name of a command it is cut into
// words at blanks (those in quotes stay together), else all of it is Lua.
void ct_console_write_line(const char *line, const char *id, ct_string_builder *json,
                           ct_string_builder *file);

// Writes the binary of an answer to `file`, and to `path` the absolute path of it. Returns false
// with `error` when it cannot be written.
bool ct_console_save_binary(const ct_message *answer, const char *file, char path[CT_PATH_BYTES],
                            ct_error *error);

// Sends the token of a game that wants one, as the first message; sends nothing for NULL or "". Returns false with
// `error` when the connection has ended.
bool ct_console_send_token(ct_allocator *a, int socket, const char *token, ct_error *error);

// Sends a whole message. Returns false with `error` when the connection has ended.
bool ct_console_send(ct_allocator *a, int socket, const ct_string_builder *json, ct_error *error);
