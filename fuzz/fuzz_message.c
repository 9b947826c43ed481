// Message framing: any bytes, in pieces of any size, give messages or an error, and the pieces make
// no difference. The first byte of the input seeds their sizes.
#include "foundation/error.h"
#include "foundation/memory/memory.h"
#include "foundation/os/message.h"
#include "foundation/string/string_id.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MAX_MESSAGE_BYTES = 4096 };

// What came out: how many messages, a hash of them, and whether it ended in an error.
typedef struct outcome {
    uint64_t messages, hash;
    bool failed;
} outcome;

static void take_messages(ct_message_reader *r, outcome *out) {
    ct_message message;
    ct_error error = {0};
    ct_message_result result = CT_MESSAGE_RESULT_NONE;
    while ((result = ct_message_reader_next(r, &message, &error)) == CT_MESSAGE_RESULT_MESSAGE) {
        CT_ASSERT(message.json[message.json_bytes] == 0, "no zero after %u bytes",
                  message.json_bytes);
        CT_ASSERT(
            message.json_bytes <= MAX_MESSAGE_BYTES && message.binary_bytes <= MAX_MESSAGE_BYTES,
            "%u and %llu bytes", message.json_bytes, (unsigned long long)message.binary_bytes);
        ++out->messages;
        out->hash =
            out->hash * 31 + ct_string_id64_of_bytes(message.json, message.json_bytes).value;
        if (message.binary_bytes > 0)
            out->hash ^= ct_string_id64_of_bytes(message.binary, message.binary_bytes).value;
    }
    out->failed = result == CT_MESSAGE_RESULT_ERROR;
    CT_ASSERT(!out->failed || error.message[0], "an error without a message%s", "");
}

// Reads the bytes in pieces of 1 to `largest` bytes.
static outcome read_in_pieces(const uint8_t *data, size_t size, uint32_t random, uint32_t largest) {
    ct_message_reader reader;
    ct_message_reader_init(&reader, ct_memory_heap(), MAX_MESSAGE_BYTES);
    outcome out = {0};
    for (size_t at = 0; at < size && !out.failed;) {
        random = random * 1664525u + 1013904223u;
        size_t piece = (random >> 16) % largest + 1;
        piece = piece < size - at ? piece : size - at;
        ct_message_reader_add(&reader, data + at, piece);
        at += piece;
        take_messages(&reader, &out);
    }
    ct_message_reader_free(&reader);
    return out;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0)
        return 0;
    ct_memory_init();
    const outcome small = read_in_pieces(data + 1, size - 1, data[0], 7);
    const outcome large = read_in_pieces(data + 1, size - 1, data[0], 1 << 16);
    CT_ASSERT(small.messages == large.messages && small.hash == large.hash &&
                  small.failed == large.failed,
              "%llu messages in small pieces, %llu in large ones",
              (unsigned long long)small.messages, (unsigned long long)large.messages);
    ct_memory_shutdown(); // asserts that nothing is left
    return 0;
}
