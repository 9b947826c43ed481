#include "foundation/os/message.h"
#include "foundation/error.h"
#include "foundation/sjson/sjson.h"

#include <string.h>

enum { HEADER_BYTES = 8, MAX_READER_BYTES = 1 << 30 };

void ct_message_reader_init(ct_message_reader *r, ct_allocator *a, uint64_t max_bytes) {
    // Header, JSON and binary together must fit the 32-bit count of an array.
    CT_ASSERT(max_bytes > 0 && max_bytes <= MAX_READER_BYTES,
              "invalid limit of a message: %llu bytes", (unsigned long long)max_bytes);
    *r = (ct_message_reader){.max_bytes = max_bytes};
    ct_array_init(&r->bytes, a);
}

void ct_message_reader_free(ct_message_reader *r) {
    ct_array_free(&r->bytes);
    r->consumed_bytes = 0;
    r->expected_bytes = 0;
}

// Drops the messages that were already returned, but only when they are the larger part, so that
// many small messages in one buffer are not moved again and again.
static void drop_consumed(ct_message_reader *r) {
    const uint32_t left = r->bytes.count - r->consumed_bytes;
    if (r->consumed_bytes == 0 || left > r->consumed_bytes)
        return;
    ct_array_erase(&r->bytes, 0, r->consumed_bytes);
    r->consumed_bytes = 0;
}

void ct_message_reader_add(ct_message_reader *r, const void *bytes, uint64_t count) {
    drop_consumed(r);
    CT_REQUIRE(count <= UINT32_MAX - r->bytes.count, "cannot add %llu bytes to %u unread ones",
               (unsigned long long)count, r->bytes.count);
    ct_array_push_many(&r->bytes, (const uint8_t *)bytes, (uint32_t)count);
}

static uint32_t read_big_endian(const uint8_t *p) {
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

// Reads JSON that contains only `binary_size`, as the engine writes it; false for other JSON.
static bool read_sole_size(const uint8_t *json, uint32_t json_bytes, uint64_t *size) {
    static const char before[] = "{\"binary_size\": ";
    const uint32_t begin = sizeof(before) - 1, end = json_bytes - 1;
    if (json_bytes < begin + 2 || json_bytes > begin + 10 || memcmp(json, before, begin) != 0 ||
        json[end] != '}')
        return false;
    *size = 0;
    for (uint32_t i = begin; i < end; ++i) {
        if (json[i] < '0' || json[i] > '9')
            return false;
        *size = *size * 10 + json[i] - '0';
    }
    return json[begin] != '0';
}

// Reads `binary_size` out of a message's JSON.
static bool read_binary_bytes(ct_message_reader *r, const uint8_t *json, uint32_t json_bytes,
                              uint64_t *binary_bytes, ct_error *error) {
    if (read_sole_size(json, json_bytes, binary_bytes) && *binary_bytes <= r->max_bytes)
        return true;
    ct_sjson *const doc =
        ct_sjson_parse(r->bytes.allocator, (const char *)json, json_bytes, "message", NULL, error);
    if (!doc)
        return false;
    const ct_sjson_value value = ct_sjson_find(doc, ct_sjson_root(doc), "binary_size");
    const double size = ct_sjson_number(doc, value, -1);
    bool result = true;
    if (ct_sjson_type_of(doc, value) != CT_SJSON_TYPE_NUMBER || !(size >= 0))
        result = ct_error_set(error,
                              "a message with binary data needs `binary_size`, a number of bytes");
    else if (size > (double)r->max_bytes)
        result = ct_error_set(error, "a message's binary has %.0f bytes; at most %llu are allowed",
                              size, (unsigned long long)r->max_bytes);
    else if (size != (double)(uint64_t)size)
        result = ct_error_set(error, "a message's `binary_size` is not a whole number");
    else
        *binary_bytes = (uint64_t)size;
    ct_sjson_free(doc);
    return result;
}

// Finds the size of the message that starts at `start`. Returns false with `error` when it is
// malformed; r->expected_bytes stays 0 while too few bytes have arrived.
static bool expect_message(ct_message_reader *r, const uint8_t *start, uint32_t available,
                           ct_error *error) {
    if (available < 4)
        return true;
    const uint32_t kind = read_big_endian(start);
    if (kind != CT_MESSAGE_KIND_JSON && kind != CT_MESSAGE_KIND_JSON_WITH_BINARY)
        return ct_error_set(error, "unknown message kind %u; expected 0 (JSON) or 1 (with binary)",
                            kind);
    if (available < HEADER_BYTES)
        return true;
    const uint32_t json_bytes = read_big_endian(start + 4);
    if (json_bytes > r->max_bytes)
        return ct_error_set(error, "a message's JSON has %u bytes; at most %llu are allowed",
                            json_bytes, (unsigned long long)r->max_bytes);
    uint64_t binary_bytes = 0;
    if (kind == CT_MESSAGE_KIND_JSON_WITH_BINARY) {
        if (available - HEADER_BYTES < json_bytes)
            return true;
        if (!read_binary_bytes(r, start + HEADER_BYTES, json_bytes, &binary_bytes, error))
            return false;
    }
    r->json_bytes = json_bytes;
    r->expected_bytes = HEADER_BYTES + json_bytes + binary_bytes;
    return true;
}

ct_message_result ct_message_reader_next(ct_message_reader *r, ct_message *message,
                                         ct_error *error) {
    *message = (ct_message){0};
    const uint32_t available = r->bytes.count - r->consumed_bytes;
    if (available == 0)
        return CT_MESSAGE_RESULT_NONE;
    uint8_t *const start = r->bytes.items + r->consumed_bytes;
    if (r->expected_bytes == 0 && !expect_message(r, start, available, error))
        return CT_MESSAGE_RESULT_ERROR;
    if (r->expected_bytes == 0 || available < r->expected_bytes)
        return CT_MESSAGE_RESULT_NONE;

    // The JSON moves by a byte over its header, which makes room for the zero behind it.
    uint8_t *const json = start + HEADER_BYTES - 1;
    memmove(json, json + 1, r->json_bytes);
    json[r->json_bytes] = 0;
    message->json = (const char *)json;
    message->json_bytes = r->json_bytes;
    message->binary_bytes = r->expected_bytes - HEADER_BYTES - r->json_bytes;
    if (message->binary_bytes > 0)
        message->binary = start + HEADER_BYTES + r->json_bytes;
    r->consumed_bytes += (uint32_t)r->expected_bytes;
    r->expected_bytes = 0;
    return CT_MESSAGE_RESULT_MESSAGE;
}

bool ct_message_reader_peek(const ct_message_reader *r, uint32_t *offset, ct_message *message) {
    const uint32_t place = r->consumed_bytes + *offset, available = r->bytes.count - place;
    if (available == 0)
        return false;
    const uint8_t *const start = r->bytes.items + place;
    ct_message_reader found = *r; // only for what is expected: it has the same bytes
    ct_error error = {0};
    found.expected_bytes = 0;
    if (!expect_message(&found, start, available, &error) || found.expected_bytes == 0 ||
        available < found.expected_bytes)
        return false;
    *message = (ct_message){.json = (const char *)start + HEADER_BYTES,
                            .json_bytes = found.json_bytes,
                            .binary_bytes = found.expected_bytes - HEADER_BYTES - found.json_bytes};
    if (message->binary_bytes > 0)
        message->binary = start + HEADER_BYTES + found.json_bytes;
    *offset += (uint32_t)found.expected_bytes;
    return true;
}

static void write_big_endian(uint8_t *p, uint32_t value) {
    p[0] = (uint8_t)(value >> 24);
    p[1] = (uint8_t)(value >> 16);
    p[2] = (uint8_t)(value >> 8);
    p[3] = (uint8_t)value;
}

void ct_message_write(ct_byte_array *out, const char *json, uint32_t json_bytes, const void *binary,
                      uint64_t binary_bytes) {
    CT_REQUIRE(HEADER_BYTES + (uint64_t)json_bytes + binary_bytes <= UINT32_MAX - out->count,
               "a message of %u bytes of JSON and %llu of binary data is too big", json_bytes,
               (unsigned long long)binary_bytes);
    const bool has_binary = binary_bytes > 0;
    uint8_t header[HEADER_BYTES];
    write_big_endian(header, has_binary ? CT_MESSAGE_KIND_JSON_WITH_BINARY : CT_MESSAGE_KIND_JSON);
    write_big_endian(header + 4, json_bytes);
    ct_array_push_many(out, header, (uint32_t)HEADER_BYTES);
    ct_array_push_many(out, (const uint8_t *)json, json_bytes);
    if (has_binary)
        ct_array_push_many(out, (const uint8_t *)binary, (uint32_t)binary_bytes);
}
