// dap_protocol.h: what clients of the Debug Adapter Protocol send: messages, their members, and columns.
//
// A message is header lines that end with CR LF, an empty line, and JSON. Of the headers only
// `Content-Length: N`, the bytes of the JSON, has a meaning. Names of headers are tokens as in HTTP, so that
// a request of a web page (`POST /a:b HTTP/1.1`) is refused at its first line.
#pragma once
#include "foundation/container/array.h"
#include "foundation/sjson/sjson.h"

// --- Messages ------------------------------------------------------------------------------------

enum {
    CT_DAP_MAX_MESSAGE_BYTES = 16 << 20, // of the JSON
    CT_DAP_MAX_HEADER_BYTES = 4096,      // of all lines of one message
};

// Collects the bytes of one client.
typedef struct ct_dap_reader {
    ct_byte_array bytes;
    uint32_t num_taken;  // bytes at the front that belong to messages already returned
    uint32_t num_lines;  // bytes of header lines read behind them
    bool has_length;     // the header line was there
    uint32_t json_bytes; // what it says
    bool is_in_json;     // the empty line was there
} ct_dap_reader;

typedef enum ct_dap_result {
    CT_DAP_RESULT_NONE, // not complete yet
    CT_DAP_RESULT_MESSAGE,
    CT_DAP_RESULT_ERROR, // nothing more can be read
} ct_dap_result;

// Makes an empty reader.
void ct_dap_reader_init(ct_dap_reader *r, ct_allocator *a);
void ct_dap_reader_free(ct_dap_reader *r);

// Adds received bytes. Take the messages out before you add more.
void ct_dap_reader_add(ct_dap_reader *r, const void *bytes, uint64_t count);

// Sets `json` and `json_bytes` to the next message, borrowed until the next call. Returns ERROR with an
// `error` that says what was found in the headers and what was expected; a length over the limit is one
// before the message arrives.
ct_dap_result ct_dap_reader_next(ct_dap_reader *r, const char **json, uint32_t *json_bytes,
                                 ct_error *error);

// Returns whether the bytes so far end within a message.
bool ct_dap_reader_is_within(const ct_dap_reader *r);

// Appends a message with its header to `out`.
void ct_dap_frame_write(ct_byte_array *out, const char *json, uint32_t json_bytes);

// --- Members -------------------------------------------------------------------------------------

// The functions below return false with an `error` that names the member, what was found and what was
// expected. A member that is null is as one that is not there.

// An object of a request.
typedef struct ct_dap_object {
    const ct_sjson *doc;
    ct_sjson_value value;
} ct_dap_object;

// Reads a whole number from 0 to 2^31 - 1. Without the member: an error, or (`optional`) `number` stays.
bool ct_dap_number(ct_dap_object o, const char *name, uint32_t *number, ct_error *error);
bool ct_dap_optional_number(ct_dap_object o, const char *name, uint32_t *number, ct_error *error);

// Reads a boolean; without the member `value` stays.
bool ct_dap_optional_bool(ct_dap_object o, const char *name, bool *value, ct_error *error);

// Reads a string without zero bytes, borrowed from the document. Without the member: an error, or
// (`optional`) `text` stays.
bool ct_dap_string(ct_dap_object o, const char *name, const char **text, ct_error *error);
bool ct_dap_optional_string(ct_dap_object o, const char *name, const char **text, ct_error *error);

// Sets `found` to a member that is an array or an object, or {0} without one.
bool ct_dap_optional_array(ct_dap_object o, const char *name, ct_sjson_value *found,
                           ct_error *error);
bool ct_dap_optional_object(ct_dap_object o, const char *name, ct_sjson_value *found,
                            ct_error *error);

// --- Columns -------------------------------------------------------------------------------------

// Clients measure columns in UTF-16 code units.

// Returns the byte of a UTF-8 text at `units` UTF-16 code units from its start: at most `bytes`, and at the
// start of a character.
uint32_t ct_dap_byte_at(const char *text, uint32_t bytes, uint64_t units);

// Returns how many UTF-16 code units the first `bytes` bytes of a UTF-8 text are.
uint32_t ct_dap_units_of(const char *text, uint32_t bytes);
