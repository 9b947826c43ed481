// What `cuttle import` reads from outside: descriptions of models, from which sources are written;
// requests for them; and sources that people have edited, into which it merges. The first byte says
// which. Merging the same once more must change nothing.
#include <stdio.h>
#include <string.h>

#include "compiler/import/import_merge.h"
#include "compiler/import/import_sources.h"
#include "compiler/protocol/compiler_protocol.h"
#include "foundation/memory/memory.h"
#include "foundation/memory/temp_allocator.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc;
    (void)argv;
    ct_memory_init();
    return 0;
}

static void write_sources(ct_allocator *a, const ct_import_model *model) {
    ct_import_sources sources;
    ct_import_sources_list(a, model, "models", "fuzz", NULL, NULL, &sources);
    for (uint32_t i = 0; i < sources.outputs.count; ++i) {
        ct_import_output *o = &sources.outputs.items[i];
        char path[64];
        CT_ASSERT(o->stem[0], "output %u has no name", i);
        snprintf(path, sizeof(path), "models/%u.%s", i, o->extension);
        o->path = ct_copy_string(a, path);
    }
    sources.model_path = "models/fuzz.glb";
    ct_import_sources_write(&sources);
}

static void read_raw(ct_allocator *a, const uint8_t *data, size_t size) {
    ct_import_model model;
    ct_error error = {0};
    if (ct_import_model_read(a, data, size, &model, &error))
        write_sources(a, &model);
    const ct_message message = {.json = (const char *)data, .json_bytes = (uint32_t)size};
    uint32_t num_requests = 0;
    ct_compile_request_read(a, &message, &num_requests, &error);
}

// JSON, and behind a zero byte the binary.
static void read_framed(ct_allocator *a, const uint8_t *data, size_t size) {
    const uint8_t *end = memchr(data, 0, size);
    const size_t json_bytes = end ? (size_t)(end - data) : size;
    ct_byte_array message;
    ct_array_init(&message, a);
    ct_message_write(&message, (const char *)data, (uint32_t)json_bytes, end ? end + 1 : NULL,
                     end ? size - json_bytes - 1 : 0);
    read_raw(a, message.items, message.count);
}

static const char *written(ct_allocator *a, const ct_sjson_document *doc) {
    ct_string_builder text;
    ct_string_builder_init(&text, a);
    ct_sjson_document_write(doc, &text);
    return ct_string_builder_text(&text);
}

// Three texts with zero bytes between: the file, what the last import wrote, what this one wants.
static void merge(ct_allocator *a, const uint8_t *data, size_t size) {
    ct_sjson *tapes[3] = {NULL};
    ct_error error = {0};
    char *text = ct_alloc(a, size + 1);
    memcpy(text, data, size);
    text[size] = 0;
    const char *texts[3], *p = text;
    for (uint32_t i = 0; i < 3; ++i) {
        texts[i] = p;
        p += strlen(p) + (p + strlen(p) < text + size);
        tapes[i] = ct_sjson_parse(a, texts[i], strlen(texts[i]), "fuzz", NULL, &error);
        if (!tapes[i])
            return;
    }
    ct_sjson_document *doc =
        ct_sjson_document_parse(a, texts[0], strlen(texts[0]), "fuzz", NULL, &error);
    CT_ASSERT(doc, "only one reader accepts the text%s", "");
    ct_string_array notes;
    ct_array_init(&notes, a);
    if (!ct_import_merge(a, doc, tapes[1], tapes[2], &notes, &error))
        return;
    const char *first = written(a, doc);
    CT_ASSERT(ct_sjson_parse(a, first, strlen(first), "merged", NULL, &error),
              "the merged text is damaged: %s\n%s", error.message, first);
    CT_ASSERT(ct_import_merge(a, doc, tapes[2], tapes[2], &notes, &error), "%s", error.message);
    CT_ASSERT(strcmp(first, written(a, doc)) == 0, "the same once more changed the file:\n%s\n%s",
              first, written(a, doc));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0)
        return 0;
    CT_TEMP_ALLOCATOR(a, ct_memory_heap());
    if (data[0] % 3 == 0)
        merge(a, data + 1, size - 1);
    else if (data[0] % 3 == 1)
        read_framed(a, data + 1, size - 1);
    else
        read_raw(a, data + 1, size - 1);
    return 0;
}
