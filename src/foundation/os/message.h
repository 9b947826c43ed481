// message.h: the framing of the console protocol and of the compiler's workers.
//
// A message on the wire is two big-endian uint32, kind (0 JSON, 1 JSON with binary) and length of
// the JSON, then the JSON; with kind 1 the binary follows, whose length is in the JSON as
// `binary_size`. The wire format of "Scripted Network Debugging" (Bitsquid blog, 2013-09-25).
#pragma once
#include "foundation/container/array.h"

// The kind that a message has on the wire.
typedef enum ct_message_kind {
    CT_MESSAGE_KIND_JSON = 0,
    CT_MESSAGE_KIND_JSON_WITH_BINARY = 1,
} ct_message_kind;

// A whole message. Pointers are borrowed from the reader until its next call. `json` is followed by
// a zero byte.
typedef struct ct_message {
    const char *json;
    uint32_t json_bytes;
    const uint8_t *binary;
    uint64_t binary_bytes;
} ct_message;

// Collects bytes of one connection and cuts them into messages.
typedef struct ct_message_reader {
    ct_byte_array bytes;
    uint32_t consumed_bytes; // at the front, of messages that have been handed out
    uint32_t json_bytes;     // of the message that is coming, once expected_bytes is known
    uint64_t expected_bytes; // of that message with its header; 0 until known
    uint64_t max_bytes;      // of one message's JSON and of its binary
} ct_message_reader;

typedef enum ct_message_result {
    CT_MESSAGE_RESULT_NONE,    // not complete yet
    CT_MESSAGE_RESULT_MESSAGE, // `message` is filled
    CT_MESSAGE_RESULT_ERROR,   // malformed or too big: close the connection
} ct_message_result;

// Makes a reader of messages whose JSON and whose binary have at most `max_bytes` each (up to 1
// GiB).
void ct_message_reader_init(ct_message_reader *r, ct_allocator *a, uint64_t max_bytes);
void ct_message_reader_free(ct_message_reader *r);

// Adds received bytes. Take the messages out with ct_message_reader_next before adding more, or
// they pile up.
void ct_message_reader_add(ct_message_reader *r, const void *bytes, uint64_t count);

// Hands out the next message; `error` says what was wrong with a malformed one. A length over
// max_bytes is refused as soon as the header is there, before any body.
ct_message_result ct_message_reader_next(ct_message_reader *r, ct_message *message,
                                         ct_error *error);

// Appends a framed message to `out`. `json` must carry `binary_size` when `binary_bytes` > 0.
void ct_message_write(ct_byte_array *out, const char *json, uint32_t json_bytes, const void *binary,
                      uint64_t binary_bytes);
