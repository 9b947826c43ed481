#include "dev/entrance/console_authorize.h"

#include <inttypes.h>
#include <string.h>

#include "dev/protocol/protocol_areas.h"
#include "foundation/error.h"
#include "foundation/os/address.h"

bool ct_console_refuse_token_bytes(const char *option, uint64_t bytes, ct_error *error) {
    return ct_error_set(error, "the token of --%s has %" PRIu64 " characters; expected %d to %d",
                        option, bytes, CT_CONSOLE_LEAST_TOKEN_BYTES, CT_CONSOLE_MOST_TOKEN_BYTES);
}

bool ct_console_check_token(const char *option, const char *token, ct_error *error) {
    const size_t bytes = strlen(token);
    if (bytes < CT_CONSOLE_LEAST_TOKEN_BYTES || bytes > CT_CONSOLE_MOST_TOKEN_BYTES)
        return ct_console_refuse_token_bytes(option, bytes, error);
    for (size_t i = 0; i < bytes; ++i) {
        if (token[i] <= ' ' || token[i] > '~')
            return ct_error_set(error,
                                "character %zu of the token of --%s is not a letter, a digit or a "
                                "sign of ASCII",
                                i + 1, option);
    }
    return true;
}

bool ct_console_check_address(const char *address, const char *token, ct_error *error) {
    ct_address ip;
    if (token && !ct_console_check_token("console-token", token, error))
        return false;
    if (!address)
        return true;
    if (!ct_address_parse(address, &ip))
        return ct_error_set(error,
                            "--console-address is \"%.64s\"; expected an IP address of this "
                            "machine, such as 192.168.1.5, or 0.0.0.0 for all of them",
                            address);
    return token || ct_address_is_loopback(&ip) ||
           ct_error_set(
               error,
               "--console-address %s lets other machines connect: give a token of at least "
               "%d characters with --console-token-file (or --console-token)",
               address, CT_CONSOLE_LEAST_TOKEN_BYTES);
}

// Compares in a time that does not depend on where the texts differ.
static bool is_token(const char *token, const char *given) {
    uint8_t right[CT_CONSOLE_MOST_TOKEN_BYTES + 1] = {0};
    uint8_t found[CT_CONSOLE_MOST_TOKEN_BYTES + 1] = {0};
    strncpy((char *)right, token, CT_CONSOLE_MOST_TOKEN_BYTES);
    strncpy((char *)found, given, CT_CONSOLE_MOST_TOKEN_BYTES);
    volatile uint8_t difference = 0;
    for (size_t i = 0; i < sizeof(right); ++i)
        difference = difference | (right[i] ^ found[i]);
    return difference == 0 && strlen(given) <= CT_CONSOLE_MOST_TOKEN_BYTES;
}

static void write_answer(ct_console_request *r, ct_string_builder *answer) {
    ct_sjson_writer_init(&r->w, answer, CT_SJSON_STYLE_JSON);
    ct_console_begin_answer(r, "result");
    ct_sjson_end_object(&r->w);
}

bool ct_console_authorize(ct_allocator *a, const char *token, const char *json, uint32_t bytes,
                          ct_string_builder *answer, ct_error *reason) {
    ct_sjson *const doc = ct_sjson_parse(a, json, bytes, "message", NULL, reason);
    if (!doc)
        return false;
    ct_console_request r = {.doc = doc, .root = ct_sjson_root(doc)};
    r.id = ct_sjson_find(doc, r.root, "id");
    const char *const type = ct_console_text(&r, "type");
    const char *const given = ct_console_text(&r, "token");
    bool result = false;
    if (!type || strcmp(type, "authorize") != 0)
        ct_error_set(reason,
                     "the first message of a connection that is not of this machine's user "
                     "must be authorize, with the token of the game (cuttle console --token-file)");
    else if (!token || !given || !is_token(token, given))
        ct_error_set(reason, "the token is wrong");
    else
        result = true;
    if (result && r.id.entry != 0)
        write_answer(&r, answer);
    ct_sjson_free(doc);
    return result;
}

// --- The area ------------------------------------------------------------------------------------

// Connections that must send it are checked before messages are handled.
static bool run_authorize(ct_console_request *r) {
    (void)r;
    return true;
}

static const ct_protocol_message messages[] = {
    {.type = "authorize",
     .summary =
         "proves that the sender may use the console: the first message of a connection that is "
         "not of this machine's user. With a wrong token the connection is closed. Other "
         "connections need none, and may send any",
     .members = CT_PROTOCOL_MEMBERS(
         {"token", "string", "of `cuttle run --console-token-file`, 16 to 255 characters"}),
     .answer = ct_protocol_no_members,
     .works_stopped = true,
     .run = run_authorize},
};

const ct_protocol_area ct_authorize_area = {
    .name = "authorize",
    .summary = "Connections from other machines.",
    .messages = messages,
    .num_messages = CT_COUNT_OF(messages),
};
