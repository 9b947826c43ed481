#include "dev/serve/serve_channel.h"

#include <string.h>

#include "dev/serve/serve_manifest.h"
#include "foundation/error.h"
#include "foundation/os/os.h"

enum { HEADER_BYTES = 4, RECORD_BYTES = 64 << 10, FILL_BYTES = 64 << 10, MAX_FILLS = 4 };

void ct_serve_channel_init(ct_serve_channel *c, ct_allocator *a, uint64_t max_bytes) {
    *c = (ct_serve_channel){0};
    ct_message_reader_init(&c->reader, a, max_bytes);
    ct_array_init(&c->received, a);
    ct_array_init(&c->plain, a);
    ct_array_init(&c->out, a);
}

void ct_serve_channel_free(ct_serve_channel *c) {
    ct_message_reader_free(&c->reader);
    ct_array_free(&c->received);
    ct_array_free(&c->plain);
    ct_array_free(&c->out);
}

void ct_serve_channel_set_limit(ct_serve_channel *c, uint64_t max_bytes) {
    c->reader.max_bytes = max_bytes;
}

bool ct_serve_channel_seal_in(ct_serve_channel *c, const ct_serve_key *key, ct_error *error) {
    if (c->reader.bytes.count != c->reader.consumed_bytes)
        return ct_error_set(error, "%u bytes arrived that are not sealed",
                            c->reader.bytes.count - c->reader.consumed_bytes);
    c->in_key = *key;
    c->is_in_sealed = true;
    return true;
}

void ct_serve_channel_seal_out(ct_serve_channel *c, const ct_serve_key *key) {
    c->out_key = *key;
    c->is_out_sealed = true;
}

// --- Receiving -----------------------------------------------------------------------------------

// Opens the records that are whole. Returns how many bytes they have, or UINT32_MAX with `error`.
static uint32_t unseal_records(ct_serve_channel *c, ct_error *error) {
    uint32_t done = 0;
    while (c->received.count - done >= HEADER_BYTES) {
        const uint8_t *const record = c->received.items + done;
        const uint32_t bytes = ct_serve_read_u32(record);
        if (bytes <= CT_SERVE_SEAL_BYTES || bytes > RECORD_BYTES + CT_SERVE_SEAL_BYTES) {
            ct_error_set(error, "a sealed record has %u bytes; expected %d to %d", bytes,
                         CT_SERVE_SEAL_BYTES + 1, RECORD_BYTES + CT_SERVE_SEAL_BYTES);
            return UINT32_MAX;
        }
        if (c->received.count - done - HEADER_BYTES < bytes)
            break;
        ct_array_resize(&c->plain, bytes - CT_SERVE_SEAL_BYTES);
        if (!ct_serve_unseal(&c->in_key, c->in_number++, record + HEADER_BYTES, bytes,
                             c->plain.items)) {
            ct_error_set(error, "a message was forged or changed on its way");
            return UINT32_MAX;
        }
        ct_message_reader_add(&c->reader, c->plain.items, c->plain.count);
        done += HEADER_BYTES + bytes;
    }
    return done;
}

bool ct_serve_channel_receive(ct_serve_channel *c, const void *bytes, uint32_t count,
                              ct_error *error) {
    if (!c->is_in_sealed) {
        ct_message_reader_add(&c->reader, bytes, count);
        return true;
    }
    ct_array_push_many(&c->received, (const uint8_t *)bytes, count);
    const uint32_t done = unseal_records(c, error);
    if (done == UINT32_MAX)
        return false;
    ct_array_erase(&c->received, 0, done);
    return true;
}

ct_message_result ct_serve_channel_next(ct_serve_channel *c, ct_message *message, ct_error *error) {
    return ct_message_reader_next(&c->reader, message, error);
}

bool ct_serve_channel_fill(ct_serve_channel *c, int socket, uint64_t *num_bytes, ct_error *error) {
    uint8_t bytes[FILL_BYTES];
    for (uint32_t i = 0; i < MAX_FILLS; ++i) {
        const int64_t got = ct_socket_receive(socket, bytes, sizeof(bytes));
        if (got < 0 && i == 0)
            return ct_error_set(error, "the other end closed the connection");
        if (got <= 0)
            return true; // an end after other bytes is met by the next call
        *num_bytes += (uint64_t)got;
        if (!ct_serve_channel_receive(c, bytes, (uint32_t)got, error))
            return false;
    }
    return true;
}

// --- Sending -------------------------------------------------------------------------------------

// Appends the framed bytes in `plain` to what is to be sent, sealed.
static void seal_plain(ct_serve_channel *c) {
    for (uint32_t done = 0; done < c->plain.count;) {
        const uint32_t left = c->plain.count - done;
        const uint32_t bytes = left < RECORD_BYTES ? left : RECORD_BYTES;
        const uint32_t at = c->out.count;
        ct_array_resize(&c->out, at + HEADER_BYTES + bytes + CT_SERVE_SEAL_BYTES);
        ct_serve_write_u32(bytes + CT_SERVE_SEAL_BYTES, c->out.items + at);
        ct_serve_seal(&c->out_key, c->out_number++, c->plain.items + done, bytes,
                      c->out.items + at + HEADER_BYTES);
        done += bytes;
    }
}

void ct_serve_channel_send(ct_serve_channel *c, const char *json, const void *binary,
                           uint32_t binary_bytes) {
    const uint32_t json_bytes = (uint32_t)strlen(json);
    if (c->sent > 0) {
        ct_array_erase(&c->out, 0, c->sent);
        c->sent = 0;
    }
    if (!c->is_out_sealed) {
        ct_message_write(&c->out, json, json_bytes, binary, binary_bytes);
        return;
    }
    c->plain.count = 0;
    ct_message_write(&c->plain, json, json_bytes, binary, binary_bytes);
    seal_plain(c);
}

bool ct_serve_channel_flush(ct_serve_channel *c, int socket) {
    while (c->sent < c->out.count) {
        const int64_t sent = ct_socket_send(socket, c->out.items + c->sent, c->out.count - c->sent);
        if (sent < 0)
            return false;
        if (sent == 0)
            return true;
        c->sent += (uint32_t)sent;
    }
    c->out.count = c->sent = 0;
    return true;
}
