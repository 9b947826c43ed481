// console_authorize.h: the token that programs must send which are not this machine's own user.
//
// With an address of its own (`cuttle run --console-address`) the console also hears other machines. The
// first message of such a connection must be `authorize` with the token; until then it gets nothing.
#pragma once
#include "dev/protocol/protocol_request.h"

enum {
    CT_CONSOLE_LEAST_TOKEN_BYTES = 16,
    CT_CONSOLE_MOST_TOKEN_BYTES = 255,
    CT_CONSOLE_MAX_AUTHORIZE_BYTES = 4096, // of the first message
};

// Checks the characters of a token. Returns false with an `error` that names the option it came with, without
// its dashes.
bool ct_console_check_token(const char *option, const char *token, ct_error *error);

// Sets the error for a token that is too short or too long. Returns false.
bool ct_console_refuse_token_bytes(const char *option, uint64_t bytes, ct_error *error);

// Checks where a console may listen. `address` is an IP address of this machine, or NULL: 127.0.0.1;
// `token` is NULL without one. Returns false with an `error` that names the option.
bool ct_console_check_address(const char *address, const char *token, ct_error *error);

// Checks the first message of a connection, and appends its answer to `answer`. Returns false with the
// `reason` to close the connection with. Takes the same time for every token. `token` may be NULL: then
// nothing is right.
bool ct_console_authorize(ct_allocator *a, const char *token, const char *json, uint32_t bytes,
                          ct_string_builder *answer, ct_error *reason);
