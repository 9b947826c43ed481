// The debug adapter's reader of messages: any bytes, in pieces of any size, give messages or an error, and
// the pieces make no difference. What is read goes through the parser of JSON and the readers of members.
// The first byte of the input seeds the sizes.
#include <string.h>

#include "cli/debug/dap_paths.h"
#include "cli/debug/dap_protocol.h"
#include "foundation/error.h"
#include "foundation/memory/memory.h"
#include "foundation/string/string_id.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// What came out: how many messages, a hash of them, and whether it ended in an error.
typedef struct outcome {
    uint64_t messages, hash;
    bool failed;
} outcome;

// Reads members of a message as requests do.
static void read_members(const char *json, uint32_t bytes) {
    ct_error error = {0};
    ct_sjson *const doc = ct_sjson_parse(ct_memory_heap(), json, bytes, "message", NULL, &error);
    CT_ASSERT(doc || error.message[0], "refused without a message%s", "");
    if (!doc)
        return;
    ct_sjson_value arguments = {0};
    const char *text = "";
    uint32_t number = 0;
    char path[CT_PATH_BYTES], tidy[CT_PATH_BYTES];
    ct_dap_optional_object((ct_dap_object){doc, ct_sjson_root(doc)}, "arguments", &arguments,
                           &error);
    const ct_dap_object o = {doc, arguments};
    ct_dap_optional_number(o, "line", &number, &error);
    ct_dap_optional_string(o, "text", &text, &error);
    const uint32_t length = (uint32_t)strlen(text), at = ct_dap_byte_at(text, length, number);
    CT_ASSERT(at <= length && ct_dap_units_of(text, at) <= number, "byte %u of %u", at, length);
    if (ct_dap_path_of_uri(text, path, &error))
        ct_dap_tidy_path(path, tidy);
    if (ct_dap_tidy_path(text, path)) {
        CT_ASSERT(ct_dap_tidy_path(path, tidy) && strcmp(path, tidy) == 0, "%s is not tidy", path);
        CT_ASSERT(!strstr(path, "//") && !strstr(path, "/../"), "%s is not tidy", path);
    }
    ct_sjson_free(doc);
}

// Reads the bytes in pieces of 1 to `largest` bytes.
static outcome read_in_pieces(const uint8_t *data, size_t size, uint32_t random, uint32_t largest) {
    ct_dap_reader reader;
    ct_dap_reader_init(&reader, ct_memory_heap());
    outcome out = {0};
    for (size_t at = 0; at < size && !out.failed;) {
        random = random * 1664525u + 1013904223u;
        size_t piece = (random >> 16) % largest + 1;
        piece = piece < size - at ? piece : size - at;
        ct_dap_reader_add(&reader, data + at, piece);
        at += piece;
        const char *json = NULL;
        uint32_t bytes = 0;
        ct_error error = {0};
        ct_dap_result result = CT_DAP_RESULT_NONE;
        while ((result = ct_dap_reader_next(&reader, &json, &bytes, &error)) ==
               CT_DAP_RESULT_MESSAGE) {
            read_members(json, bytes);
            ++out.messages;
            out.hash = out.hash * 31 + ct_string_id64_of_bytes(json, bytes).value;
        }
        out.failed = result == CT_DAP_RESULT_ERROR;
        CT_ASSERT(!out.failed || error.message[0], "an error without a message%s", "");
    }
    ct_dap_reader_free(&reader);
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
    // The same bytes as the JSON of a message, so that members are reached without luck.
    ct_byte_array framed;
    ct_array_init(&framed, ct_memory_heap());
    ct_dap_frame_write(&framed, (const char *)data + 1, (uint32_t)size - 1);
    const outcome whole = read_in_pieces(framed.items, framed.count, data[0], 64);
    CT_ASSERT(whole.messages == 1 && !whole.failed, "%llu messages of one",
              (unsigned long long)whole.messages);
    ct_array_free(&framed);
    ct_memory_shutdown(); // asserts that nothing is left
    return 0;
}
