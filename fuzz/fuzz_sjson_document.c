// Reads any bytes with both readers: they must agree, on errors too, and the document must be
// written as it was read. Then edits it at random; tree and text must hold the values that each
// edit leads to.
#include "../tests/foundation/sjson/sjson_random_edits.h"
#include "foundation/memory/memory.h"
#include "foundation/sjson/sjson.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { NUM_EDITS = 12 };

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc;
    (void)argv;
    ct_memory_init();
    return 0;
}

static void check_agreement(const ct_sjson *tape, const ct_error *tape_error,
                            const ct_sjson_document *doc, const ct_error *error) {
    CT_ASSERT(!tape == !doc, "only one reader accepts the text: %s%s", tape_error->message,
              error->message);
    CT_ASSERT(doc || (strcmp(error->message, tape_error->message) == 0 &&
                      error->line == tape_error->line && error->column == tape_error->column),
              "different errors: %s, %s", tape_error->message, error->message);
}

static void check_unedited(ct_allocator *a, const ct_sjson_document *doc, const uint8_t *data,
                           size_t size) {
    ct_string_builder text;
    ct_string_builder_init(&text, a);
    ct_sjson_document_write(doc, &text);
    CT_ASSERT(text.length == size && (size == 0 || memcmp(text.text, data, size) == 0),
              "written otherwise than read:\n%s", ct_string_builder_text(&text));
    ct_string_builder_free(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    ct_allocator *const a = ct_memory_heap();
    const char *const text = (const char *)data;
    ct_error tape_error = {0}, error = {0};
    ct_sjson *const tape = ct_sjson_parse(a, text, size, "fuzz", NULL, &tape_error);
    ct_sjson_document *const doc = ct_sjson_document_parse(a, text, size, "fuzz", NULL, &error);
    check_agreement(tape, &tape_error, doc, &error);
    if (doc) {
        check_unedited(a, doc, data, size);
        uint32_t random = 2463534242u;
        for (size_t i = 0; i < size; ++i)
            random = (random ^ data[i]) * 16777619u | 1;
        // Long texts would take long: every edit is checked over the whole of it.
        for (uint32_t i = 0; i < NUM_EDITS && size < 4096; ++i)
            sjson_edit_once(a, doc, &random);
    }
    ct_sjson_free(tape);
    ct_sjson_document_free(doc);
    CT_ASSERT(ct_allocator_stats_of(a).live_blocks == 0, "the heap is not empty");
    return 0;
}
