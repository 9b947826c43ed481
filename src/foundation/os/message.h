// message.h: frames messages of the console protocol and of the compiler's workers.
//
// A message on the wire is two big-endian uint32, the kind (0 JSON, 1 JSON with binary data) and
// the length of the JSON, followed by the JSON. With kind 1 the binary data follows; its length is
// `binary_size` in the JSON. The wire format of "Scripted Network Debugging" (Bitsquid blog,
// 2013-09-25).
#pragma once
#include "foundation/container/array.h"

// The kinds of messages on the wire.
typedef enum ct_message_kind {
    CT_MESSAGE_KIND_JSON = 0,
    CT_MESSAGE_KIND_JSON_WITH_BINARY = 1,
} ct_message_kind;

// A whole message. The reader owns the data, which is valid until its next call. A zero byte
// follows `json`.
typedef struct ct_message {
    const char *json;
    uint32_t json_bytes;
    const uint8_t *binary;
    uint64_t binary_bytes;
} ct_message;

// Collects the bytes of one connection and splits them into messages.
typedef struct ct_message_reader {
    ct_byte_array bytes;
    uint32_t consumed_bytes; // at the front, of messages already returned
    uint32_t json_bytes;     // of the incoming message, once expected_bytes is known
    uint64_t expected_bytes; // of the incoming message with its header; 0 until known
    uint64_t max_bytes;      // limit for the JSON of a message, and for its binary data
} ct_message_reader;

typedef enum ct_message_result {
    CT_MESSAGE_RESULT_NONE,    // not complete yet
    CT_MESSAGE_RESULT_MESSAGE, // `message` is filled
    CT_MESSAGE_RESULT_ERROR,   // malformed or too big: close the connection
} ct_message_result;

// Makes a reader that accepts up to `max_bytes` (at most 1 GiB) of JSON and as much binary data in
// a message.
void ct_message_reader_init(ct_message_reader *r, ct_allocator *a, uint64_t max_bytes);
void ct_message_reader_free(ct_message_reader *r);

// Adds received bytes. Before adding more, take the messages out with ct_message_reader_next, or
// they accumulate.
void ct_message_reader_add(ct_message_reader *r, const void *bytes, uint64_t count);

// Returns the next message; `error` says what is wrong with a malformed one. A length over
// max_bytes is an error as soon as the header has arrived, before the body.
ct_message_result ct_message_reader_next(ct_message_reader *r, ct_message *message,
                                         ct_error *error);

// Finds a whole message among those that ct_message_reader_next will return: the one that begins `*offset`
// bytes behind the next (0: the next itself), and moves `*offset` behind it. Returns false when it is not
// complete, or malformed. Changes nothing in the reader; no zero follows `json`.
bool ct_message_reader_peek(const ct_message_reader *r, uint32_t *offset, ct_message *message);

// Appends a framed message to `out`. With `binary_bytes` > 0, `json` must contain `binary_size`.
void ct_message_write(ct_byte_array *out, const char *json, uint32_t json_bytes, const void *binary,
                      uint64_t binary_bytes);
