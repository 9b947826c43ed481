// Commits of a database from bytes, as they are and with a right checksum; operations from text. What is read is what
// is written, and a state takes it. Nothing may crash or leak.
#include <string.h>

#include "database/database_commit.h"
#include "database/database_text.h"
#include "database/state/database_state.h"
#include "foundation/memory/memory.h"
#include "resource/blob/content_hash.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_commit(const void *bytes, uint64_t size) {
    ct_allocator *const a = ct_memory_heap();
    ct_database_commit commit;
    ct_byte_array again;
    ct_error error = {0};
    ct_database_commit_init(&commit, a);
    ct_array_init(&again, a);
    if (ct_database_commit_decode(&commit, bytes, size, &error)) {
        CT_REQUIRE(ct_database_commit_encode(&commit, &again, &error), "%s", error.message);
        CT_REQUIRE(again.count == size && memcmp(again.items, bytes, size) == 0,
                   "a commit has two forms");
        ct_database_state *const state = ct_database_state_create(a, (ct_database_removed){0});
        ct_string_builder text;
        ct_string_builder_init(&text, a);
        ct_database_state_apply(state, &commit);
        ct_database_state_dump(state, &text);
        ct_string_builder_free(&text);
        ct_database_state_destroy(state);
    } else {
        CT_REQUIRE(error.message[0] && commit.operations.list.count == 0, "no message");
    }
    ct_array_free(&again);
    ct_database_commit_free(&commit);
}

// Reads the bytes as a commit of their size with a right checksum.
static void read_signed(const uint8_t *data, size_t size) {
    ct_allocator *const a = ct_memory_heap();
    ct_byte_array bytes;
    ct_array_init(&bytes, a);
    ct_array_push_many(&bytes, data, size);
    for (uint32_t i = 0; i < 8 && i + 8 < bytes.count; ++i)
        bytes.items[i + 8] = (uint8_t)((size + 8) >> 8 * i);
    const uint64_t hash = ct_content_hash(bytes.items, bytes.count);
    for (uint32_t i = 0; i < 8; ++i)
        ct_array_push(&bytes, (uint8_t)(hash >> 8 * i));
    read_commit(bytes.items, bytes.count);
    ct_array_free(&bytes);
}

// Operations that are read become a commit, which is read again.
static void read_text(const char *text, size_t size) {
    ct_allocator *const a = ct_memory_heap();
    ct_database_commit commit;
    ct_byte_array bytes;
    ct_string_builder out;
    ct_error error = {0};
    ct_database_commit_init(&commit, a);
    ct_array_init(&bytes, a);
    ct_string_builder_init(&out, a);
    if (ct_database_operations_read(text, size, "input", &commit.operations, &error)) {
        commit.stamp = (ct_database_stamp){1 << 16, {.bytes = {1}}};
        CT_REQUIRE(ct_database_commit_encode(&commit, &bytes, &error), "%s", error.message);
        read_commit(bytes.items, bytes.count);
        for (uint32_t i = 0; i < commit.operations.list.count; ++i) {
            ct_database_operation_write(&commit.operations.list.items[i], &out);
            ct_string_builder_add_char(&out, '\n');
        }
        ct_database_operations again;
        ct_database_operations_init(&again, a);
        CT_REQUIRE(ct_database_operations_read(ct_string_builder_text(&out), out.length, "output",
                                               &again, &error),
                   "%s", error.message);
        ct_database_operations_free(&again);
    }
    ct_string_builder_free(&out);
    ct_array_free(&bytes);
    ct_database_commit_free(&commit);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    ct_memory_init();
    read_commit(data, size);
    read_signed(data, size);
    read_text((const char *)data, size);
    ct_memory_shutdown();
    return 0;
}
