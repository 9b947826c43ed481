// dap_frame.h: splits what a client of the Debug Adapter Protocol sends into messages.
//
// A message is header lines that end with CR LF, an empty line, and JSON. Of the headers only
// `Content-Length: N`, the bytes of the JSON, has a meaning. Names of headers are tokens as in HTTP, so that
// a request of a web page (`POST /a:b HTTP/1.1`) is refused at its first line.
#pragma once
#include "foundation/container/array.h"

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
