// Parses any bytes. What parses is written as JSON and as SJSON, and both must read back as the
// same document.
#include "foundation/error.h"
#include "foundation/memory/memory.h"
#include "foundation/sjson/sjson.h"
#include "foundation/sjson/sjson_writer.h"

#include <string.h>

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc;
    (void)argv;
    ct_memory_init();
    return 0;
}

static void write(ct_string_builder *out, const ct_sjson *doc, ct_sjson_style style) {
    ct_string_builder_init(out, ct_memory_heap());
    ct_sjson_writer w;
    ct_sjson_writer_init(&w, out, style);
    ct_sjson_write_value(&w, doc, ct_sjson_root(doc));
}

static void check_style(const ct_sjson *doc, const ct_string_builder *json, ct_sjson_style style) {
    ct_string_builder styled, again;
    write(&styled, doc, style);
    ct_error error = {0};
    ct_sjson *const read =
        ct_sjson_parse(ct_memory_heap(), styled.text, styled.length, "written", NULL, &error);
    CT_ASSERT(read, "%u:%u: %s in what was written:\n%s", error.line, error.column, error.message,
              ct_string_builder_text(&styled));
    write(&again, read, CT_SJSON_STYLE_JSON);
    CT_ASSERT(again.length == json->length && memcmp(again.text, json->text, again.length) == 0,
              "style %d changed\n%s\nto\n%s", (int)style, json->text, again.text);
    ct_sjson_free(read);
    ct_string_builder_free(&styled);
    ct_string_builder_free(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    ct_error error = {0};
    ct_sjson *const doc =
        ct_sjson_parse(ct_memory_heap(), (const char *)data, size, "fuzz", NULL, &error);
    if (!doc) {
        CT_ASSERT(error.message[0] && error.line && error.column,
                  "an error without place or words");
        return 0;
    }
    ct_string_builder json;
    write(&json, doc, CT_SJSON_STYLE_JSON);
    for (uint32_t style = CT_SJSON_STYLE_JSON; style <= CT_SJSON_STYLE_SJSON; ++style)
        check_style(doc, &json, (ct_sjson_style)style);
    ct_string_builder_free(&json);
    ct_sjson_free(doc);
    CT_ASSERT(ct_allocator_stats_of(ct_memory_heap()).live_blocks == 0, "the heap is not empty");
    return 0;
}
