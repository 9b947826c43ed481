// console_request.h: what is typed at a console, as a message to an engine.
#pragma once
#include "foundation/string/string_builder.h"

// Reads "HOST:PORT". False with `error` when it is none.
bool ct_console_parse_address(const char *text, char *host, uint32_t host_bytes, uint16_t *port,
                              ct_error *error);

// Whether the text can only be meant as an address, be it right or wrong: what stands before its
// last colon could name a host, and a number stands behind it.
bool ct_console_is_like_address(const char *text);

// Writes the message for words whose first is the name of an engine's command, or Lua as the only
// one; the answer will bear `id`.
void ct_console_write_request(const char *const *words, uint32_t count, const char *id,
                              ct_string_builder *json);

// As ct_console_write_request for a line: when it begins with the name of a command it is cut into
// words at blanks (those in quotes stay together), else all of it is Lua.
void ct_console_write_line(const char *line, const char *id, ct_string_builder *json);

// Sends a message whole. False with `error` when the connection has ended.
bool ct_console_send(ct_allocator *a, int socket, const ct_string_builder *json, ct_error *error);
