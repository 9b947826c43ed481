// serve_channel.h: one end of a connection between file server and engine, without its socket.
//
// Messages are framed as the console's (foundation/os/message.h). Once both ends have proved that
// they know the token, the framed bytes travel in sealed records: a big-endian uint32, the length
// of what follows, then up to 64 KiB, sealed (serve_token.h). A channel holds what was received and
// is not whole, and what is to be sent; callers bound the latter by ct_serve_channel_unsent. One
// thread at a time.
#pragma once
#include "dev/serve/serve_token.h"
#include "foundation/os/message.h"

typedef struct ct_serve_channel {
    ct_message_reader reader;
    ct_byte_array received; // of a sealed record that is not whole
    ct_byte_array plain;    // buffer
    ct_byte_array out;      // to be sent from `sent` on
    uint32_t sent;
    bool is_in_sealed, is_out_sealed;
    ct_serve_key in_key, out_key;
    uint64_t in_number, out_number; // of the next record
} ct_serve_channel;

// Makes a channel that takes messages of up to `max_bytes` of JSON and as much binary data.
void ct_serve_channel_init(ct_serve_channel *c, ct_allocator *a, uint64_t max_bytes);
void ct_serve_channel_free(ct_serve_channel *c);

// Changes the limit of messages that have not begun to arrive.
void ct_serve_channel_set_limit(ct_serve_channel *c, uint64_t max_bytes);

// From now on what arrives must be sealed. Returns false with `error` when bytes have arrived
// already that are not.
bool ct_serve_channel_seal_in(ct_serve_channel *c, const ct_serve_key *key, ct_error *error);

// From now on what is sent is sealed.
void ct_serve_channel_seal_out(ct_serve_channel *c, const ct_serve_key *key);

// Takes bytes that arrived. Returns false with `error` when they are not sealed as they must be.
bool ct_serve_channel_receive(ct_serve_channel *c, const void *bytes, uint32_t count,
                              ct_error *error);

// Returns the next message, as ct_message_reader_next does.
ct_message_result ct_serve_channel_next(ct_serve_channel *c, ct_message *message, ct_error *error);

// Queues a message. With `binary_bytes` > 0, `json` must contain `binary_size`.
void ct_serve_channel_send(ct_serve_channel *c, const char *json, const void *binary,
                           uint32_t binary_bytes);

// Returns how many bytes wait to be sent.
static inline uint32_t ct_serve_channel_unsent(const ct_serve_channel *c) {
    return c->out.count - c->sent;
}

// Sends what a socket takes without blocking. Returns false when the connection has ended.
bool ct_serve_channel_flush(ct_serve_channel *c, int socket);

// Receives what a socket has without blocking, at most 256 KiB, and adds its size to `*num_bytes`.
// Returns false with `error` when the connection has ended or what came is not sealed right.
bool ct_serve_channel_fill(ct_serve_channel *c, int socket, uint64_t *num_bytes, ct_error *error);
