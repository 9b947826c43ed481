// Sources of strings, and the Lua that looks them up. The first byte says which: what compiles is
// accepted by its loader and finds every key of its own; errors have words.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/worker/worker_compile.h"
#include "content/references/lua_literals.h"
#include "foundation/error.h"
#include "foundation/memory/memory.h"
#include "foundation/os/file.h"
#include "resource/blob/blob_walk.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char folder[] = "/tmp/fuzz_strings.XXXXXX", source[64];

static void remove_folder(void) {
    ct_folder_remove(folder, NULL);
}

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc;
    (void)argv;
    ct_memory_init();
    CT_ASSERT(mkdtemp(folder), "there is no folder %s", folder);
    atexit(remove_folder);
    snprintf(source, sizeof(source), "%s/a.strings", folder);
    return 0;
}

static void check_blob(const ct_strings_resource *s) {
    const ct_strings_entry *const entries = ct_blob_at(s, s->entries.offset);
    ct_error error = {0};
    CT_ASSERT(ct_strings_validate(s, &error), "what compiled is refused: %s", error.message);
    for (uint32_t i = 0; i < s->entries.count; ++i)
        CT_ASSERT(ct_strings_find(s, ct_blob_at(s, entries[i].key.offset), entries[i].key.bytes) ==
                      &entries[i],
                  "entry %u is not found", i);
    walk_blob("strings", s);
}

static void compile(const uint8_t *data, size_t size) {
    ct_error error = {0};
    CT_ASSERT(ct_file_write(source, data, size, false, &error), "%s", error.message);
    const ct_compile_request request = {.type = "strings",
                                        .name = "a",
                                        .path = "a.strings",
                                        .project_folder = folder,
                                        .platform = "linux"};
    ct_compile_answer answer;
    ct_worker_compile(ct_memory_heap(), &request, &answer);
    for (uint32_t i = 0; i < answer.errors.count; ++i)
        CT_ASSERT(answer.errors.items[i].message[0], "error %u has no words", i);
    CT_ASSERT((answer.blob.count > 0) == (answer.errors.count == 0), "a blob beside errors%s", "");
    if (answer.blob.count > 0)
        check_blob((const void *)answer.blob.items);
    ct_compile_answer_free(&answer);
}

static void read_literal(void *user, const ct_lua_literal *literal) {
    uint64_t *const sum = user;
    *sum += strlen(literal->text) + literal->line;
    CT_ASSERT(literal->line > 0 && literal->column > 0, "a literal without place%s", "");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    uint64_t sum = 0;
    if (size == 0)
        return 0;
    if (data[0] % 4 == 0)
        ct_lua_literals(ct_memory_heap(), (const char *)data + 1, size - 1, read_literal, &sum);
    else
        compile(data + 1, size - 1);
    CT_ASSERT(ct_allocator_stats_of(ct_memory_heap()).live_blocks == 0, "the heap is not empty");
    return 0;
}
