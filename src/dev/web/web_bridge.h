// web_bridge.h: turns messages of a WebSocket into the console's raw framing (foundation/os/message.h), and
// back.
//
// A text message is a JSON. A binary message is a big-endian uint32, the length of the JSON, the JSON and the
// binary data, whose size is `binary_size` in the JSON. Memory only; one thread for each.
#pragma once
#include "foundation/os/message.h"

enum {
    CT_WEB_MAX_MESSAGE_BYTES = 16 << 20, // of a page, with all of its fragments
    CT_WEB_REASON_BYTES = 124,           // of a close, with its terminator
};

// Codes of closes (RFC 6455).
typedef enum ct_web_close {
    CT_WEB_CLOSE_NONE = 0,
    CT_WEB_CLOSE_GOING_AWAY = 1001,
    CT_WEB_CLOSE_INVALID = 1007,  // what comes is not what its type says
    CT_WEB_CLOSE_REFUSED = 1008,  // the console has closed the connection
    CT_WEB_CLOSE_TOO_LONG = 1009, // a message
    CT_WEB_CLOSE_FAILED = 1011,   // by a fault of the engine
} ct_web_close;

// --- From a page ---------------------------------------------------------------------------------

// A message of a page, joined from its fragments. At its end `framed` has it for the console.
typedef struct ct_web_inbox {
    ct_byte_array framed;
    bool is_open;   // a message has begun
    bool is_binary; // that message
    bool is_whole;  // it is ready
} ct_web_inbox;

// Makes an empty inbox; memory grows from `a`.
void ct_web_inbox_init(ct_web_inbox *in, ct_allocator *a);
void ct_web_inbox_free(ct_web_inbox *in);

// Adds a part of a message, the last one with `is_last`, when no message is whole. Returns NONE, or the code to
// close with, and a `reason`: the message is too long, or is not what the format says.
ct_web_close ct_web_inbox_add(ct_web_inbox *in, bool is_binary, const void *data, uint64_t bytes,
                              bool is_last, ct_error *reason);

// Forgets the whole message, which was passed on; frees the memory of long ones.
void ct_web_inbox_clear(ct_web_inbox *in);

// --- To a page -----------------------------------------------------------------------------------

// What the console sends to a page, message by message.
typedef struct ct_web_outbox {
    ct_message_reader reader;
    ct_message message; // being sent
    bool has_message;
    uint64_t sent_bytes;                  // of the message
    ct_byte_array repaired;               // the JSON, where it was not valid UTF-8
    char last_error[CT_WEB_REASON_BYTES]; // of the last message, where that was an error; else ""
} ct_web_outbox;

// Makes an empty outbox; memory grows from `a`.
void ct_web_outbox_init(ct_web_outbox *out, ct_allocator *a);
void ct_web_outbox_free(ct_web_outbox *out);

// Adds what the console has sent, only when ct_web_outbox_wants_more.
void ct_web_outbox_add(ct_web_outbox *out, const void *data, uint64_t bytes);

// A part of a message for a page: one frame.
typedef struct ct_web_chunk {
    uint32_t bytes;
    bool is_binary, is_first, is_last; // of its message
} ct_web_chunk;

// Writes the next part, of up to `capacity` bytes (at least 8), to `data`. Returns false when no whole message
// is there, or the console's framing is broken, with an `error`.
bool ct_web_outbox_next(ct_web_outbox *out, uint8_t *data, uint32_t capacity, ct_web_chunk *chunk,
                        ct_error *error);

// Returns whether all whole messages were sent.
bool ct_web_outbox_wants_more(ct_web_outbox *out);

// Cuts `reason` between two characters to the length that a close may have. `text` and `reason` may be the same.
void ct_web_write_reason(const char *reason, char text[CT_WEB_REASON_BYTES]);
