#include "dev/web/web_bridge.h"

#include <string.h>

#include "foundation/error.h"
#include "foundation/sjson/sjson.h"
#include "foundation/string/utf8.h"

enum {
    LENGTH_BYTES = 4,     // before the JSON of a binary message
    MAX_BEFORE_BYTES = 8, // kind and length of the raw framing
    KEPT_BYTES = 1 << 20, // of memory that is not used
    MAX_OUT_BYTES = 1 << 30,
    MAX_ERROR_BYTES = 4096, // of a message that is looked at as a reason
    START_BYTES = 24,       // of it, which have its type
};

static void write_big_endian(uint8_t *p, uint32_t value) {
    for (uint32_t i = 0; i < 4; ++i)
        p[i] = (uint8_t)(value >> (24 - 8 * i));
}

void ct_web_write_reason(const char *reason, char text[CT_WEB_REASON_BYTES]) {
    const size_t length = strlen(reason);
    size_t used = 0;
    while (used < length) {
        const uint32_t next = ct_utf8_length(reason + used, length - used);
        if (next == 0 || used + next >= CT_WEB_REASON_BYTES)
            break;
        used += next;
    }
    memmove(text, reason, used);
    text[used] = '\0';
}

// --- From a page ---------------------------------------------------------------------------------

void ct_web_inbox_init(ct_web_inbox *in, ct_allocator *a) {
    *in = (ct_web_inbox){.is_open = false};
    ct_array_init(&in->framed, a);
}

void ct_web_inbox_free(ct_web_inbox *in) {
    ct_array_free(&in->framed);
}

void ct_web_inbox_clear(ct_web_inbox *in) {
    in->framed.count = 0;
    in->is_open = in->is_whole = false;
    if (in->framed.capacity > KEPT_BYTES)
        ct_array_free(&in->framed);
}

// What the raw framing has in front of the message: of a binary one, its own length comes next.
static uint32_t bytes_before(bool is_binary) {
    return is_binary ? MAX_BEFORE_BYTES - LENGTH_BYTES : MAX_BEFORE_BYTES;
}

// Checks that the raw framing, read as the console reads it, is one message and nothing behind it.
static bool check_binary(const ct_byte_array *framed, ct_error *reason) {
    ct_message_reader reader;
    ct_message message;
    ct_error why = {0};
    ct_message_reader_init(&reader, framed->allocator, CT_WEB_MAX_MESSAGE_BYTES);
    ct_message_reader_add(&reader, framed->items, framed->count);
    const ct_message_result result = ct_message_reader_next(&reader, &message, &why);
    const bool is_whole = result == CT_MESSAGE_RESULT_MESSAGE;
    const bool is_right = is_whole && reader.consumed_bytes == reader.bytes.count;
    ct_message_reader_free(&reader);
    if (result == CT_MESSAGE_RESULT_ERROR)
        return ct_error_set(reason, "%s", why.message);
    return is_right || ct_error_set(reason,
                                    "a binary message has too %s bytes for its "
                                    "`binary_size` and the length of its JSON",
                                    is_whole ? "many" : "few");
}

static ct_web_close finish(ct_web_inbox *in, ct_error *reason) {
    uint8_t *const start = in->framed.items;
    write_big_endian(start,
                     in->is_binary ? CT_MESSAGE_KIND_JSON_WITH_BINARY : CT_MESSAGE_KIND_JSON);
    if (!in->is_binary)
        write_big_endian(start + 4, in->framed.count - MAX_BEFORE_BYTES);
    else if (!check_binary(&in->framed, reason))
        return CT_WEB_CLOSE_INVALID;
    in->is_whole = true;
    return CT_WEB_CLOSE_NONE;
}

ct_web_close ct_web_inbox_add(ct_web_inbox *in, bool is_binary, const void *data, uint64_t bytes,
                              bool is_last, ct_error *reason) {
    CT_ASSERT(!in->is_whole, "a message of a page was not passed on");
    if (!in->is_open) {
        static const uint8_t before[MAX_BEFORE_BYTES];
        in->is_open = true;
        in->is_binary = is_binary;
        ct_array_push_many(&in->framed, before, bytes_before(is_binary));
    }
    const uint64_t have = in->framed.count - bytes_before(in->is_binary);
    if (have + bytes > CT_WEB_MAX_MESSAGE_BYTES) {
        ct_error_set(reason, "a message is longer than %d MiB", CT_WEB_MAX_MESSAGE_BYTES >> 20);
        return CT_WEB_CLOSE_TOO_LONG;
    }
    if (bytes > 0)
        ct_array_push_many(&in->framed, (const uint8_t *)data, (uint32_t)bytes);
    return is_last ? finish(in, reason) : CT_WEB_CLOSE_NONE;
}

// --- To a page -----------------------------------------------------------------------------------

void ct_web_outbox_init(ct_web_outbox *out, ct_allocator *a) {
    *out = (ct_web_outbox){.has_message = false};
    ct_message_reader_init(&out->reader, a, MAX_OUT_BYTES);
    ct_array_init(&out->repaired, a);
}

void ct_web_outbox_free(ct_web_outbox *out) {
    ct_message_reader_free(&out->reader);
    ct_array_free(&out->repaired);
}

void ct_web_outbox_add(ct_web_outbox *out, const void *data, uint64_t bytes) {
    CT_ASSERT(!out->has_message, "a message for a page was not sent");
    ct_message_reader_add(&out->reader, data, bytes);
}

// Browsers end a connection whose text is not valid: bytes that are not become U+FFFD.
static void repair(ct_web_outbox *out) {
    static const uint8_t replacement[] = {0xef, 0xbf, 0xbd};
    ct_message *const m = &out->message;
    out->repaired.count = 0;
    for (uint32_t at = 0; at < m->json_bytes;) {
        const uint32_t length = ct_utf8_length(m->json + at, m->json_bytes - at);
        if (length > 0)
            ct_array_push_many(&out->repaired, (const uint8_t *)m->json + at, length);
        else
            ct_array_push_many(&out->repaired, replacement, sizeof(replacement));
        at += length > 0 ? length : 1;
    }
    m->json = (const char *)out->repaired.items;
    m->json_bytes = out->repaired.count;
}

// Keeps the message of an error, which may be why the connection is closed next.
static void note_error(ct_web_outbox *out) {
    const ct_message *const m = &out->message;
    static const char type_is_error[] = "\"error\"";
    out->last_error[0] = '\0';
    if (m->binary_bytes > 0 || m->json_bytes > MAX_ERROR_BYTES ||
        !memmem(m->json, m->json_bytes < START_BYTES ? m->json_bytes : START_BYTES, type_is_error,
                sizeof(type_is_error) - 1))
        return;
    ct_error ignored = {0};
    ct_sjson *const doc = ct_sjson_parse(out->reader.bytes.allocator, m->json, m->json_bytes,
                                         "message", NULL, &ignored);
    if (!doc)
        return;
    const ct_sjson_value root = ct_sjson_root(doc);
    const char *const type = ct_sjson_string(doc, ct_sjson_find(doc, root, "type"), "");
    const char *const text = ct_sjson_string(doc, ct_sjson_find(doc, root, "message"), "");
    if (strcmp(type, "error") == 0 && ct_sjson_find(doc, root, "id").entry == 0)
        ct_web_write_reason(text, out->last_error);
    ct_sjson_free(doc);
}

// Takes the next message from the reader.
static bool take_message(ct_web_outbox *out, ct_error *error) {
    if (ct_message_reader_next(&out->reader, &out->message, error) != CT_MESSAGE_RESULT_MESSAGE)
        return false;
    out->has_message = true;
    out->sent_bytes = 0;
    if (!ct_utf8_is_valid(out->message.json, out->message.json_bytes))
        repair(out);
    note_error(out);
    return true;
}

// Copies the bytes [from, from + count) of the message as it goes to the page.
static void copy_part(const ct_message *m, uint64_t from, uint8_t *to, uint64_t count) {
    uint8_t length[LENGTH_BYTES];
    write_big_endian(length, m->json_bytes);
    const struct {
        const void *data;
        uint64_t bytes;
    } parts[] = {{length, m->binary ? LENGTH_BYTES : 0},
                 {m->json, m->json_bytes},
                 {m->binary, m->binary_bytes}};
    for (uint32_t i = 0; i < CT_COUNT_OF(parts) && count > 0; ++i) {
        if (from < parts[i].bytes) {
            const uint64_t left = parts[i].bytes - from;
            const uint64_t part = left < count ? left : count;
            memcpy(to, (const uint8_t *)parts[i].data + from, part);
            to += part;
            count -= part;
            from = 0;
        } else {
            from -= parts[i].bytes;
        }
    }
}

bool ct_web_outbox_next(ct_web_outbox *out, uint8_t *data, uint32_t capacity, ct_web_chunk *chunk,
                        ct_error *error) {
    if (!out->has_message && !take_message(out, error))
        return false;
    const ct_message *const m = &out->message;
    const bool is_binary = m->binary != NULL;
    const uint64_t all = (is_binary ? LENGTH_BYTES : 0) + (uint64_t)m->json_bytes + m->binary_bytes;
    const uint64_t left = all - out->sent_bytes;
    *chunk = (ct_web_chunk){.bytes = (uint32_t)(left < capacity ? left : capacity),
                            .is_binary = is_binary,
                            .is_first = out->sent_bytes == 0,
                            .is_last = left <= capacity};
    copy_part(m, out->sent_bytes, data, chunk->bytes);
    out->sent_bytes += chunk->bytes;
    out->has_message = !chunk->is_last;
    if (chunk->is_last && out->repaired.capacity > KEPT_BYTES)
        ct_array_free(&out->repaired);
    return true;
}

bool ct_web_outbox_wants_more(ct_web_outbox *out) {
    ct_error ignored = {0};
    if (!out->has_message)
        take_message(out, &ignored);
    const bool is_empty = !out->has_message;
    if (is_empty && out->reader.bytes.count == out->reader.consumed_bytes &&
        out->reader.bytes.capacity > KEPT_BYTES)
        ct_message_reader_free(&out->reader);
    return is_empty;
}
