// What sources of every type mention, scripts, GLSL and models too; and the blob of the index of
// references. The first byte says which: mentions lie in the text and name something, what an edit
// of the name's bytes leaves is read again, and a blob is refused or walked whole.
#include <string.h>

#include "content/move/moved_files.h"
#include "content/references/known_modules.h"
#include "content/references/reference_environment.h"
#include "content/references/reference_index.h"
#include "content/references/reference_reach.h"
#include "foundation/error.h"
#include "foundation/memory/memory.h"
#include "foundation/memory/temp_allocator.h"
#include "resource/blob/content_hash.h"
#include "script/script_modules.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc;
    (void)argv;
    ct_memory_init();
    uint32_t num_modules;
    const ct_lua_module *const *const modules = ct_script_modules(&num_modules);
    ct_known_modules_set(modules, num_modules);
    return 0;
}

static void check_mention(const ct_mentions *mentions, const ct_mention *m, size_t size) {
    const char *const name = ct_mention_name(mentions, m);
    const bool has_type = m->kind == CT_MENTION_KIND_RESOURCE || m->kind == CT_MENTION_KIND_PATTERN;
    CT_ASSERT(name[0] && strlen(name) < CT_PATH_BYTES, "a mention of nothing%s", "");
    CT_ASSERT(m->begin <= m->end && m->end <= size, "bytes %u to %u of %zu", m->begin, m->end,
              size);
    CT_ASSERT(m->kind < CT_NUM_MENTION_KINDS && has_type == (m->type != NULL), "kind %u", m->kind);
    CT_ASSERT(m->line > 0 && m->column > 0, "a mention without place%s", "");
}

// Writes another name over the bytes of mention `i`, and finds it there.
static void replace(ct_allocator *a, ct_content_kind kind, const char *path, const uint8_t *text,
                    size_t size, const ct_mentions *mentions, uint32_t i) {
    static const char name[] = "units/other_name";
    const ct_mention *const m = &mentions->items.items[i];
    const size_t length = strlen(name), bytes = size - (m->end - m->begin) + length;
    char *const edited = ct_alloc(a, bytes + 1);
    memcpy(edited, text, m->begin);
    memcpy(edited + m->begin, name, length);
    memcpy(edited + m->begin + length, text + m->end, size - m->end);
    ct_mentions again;
    ct_error error = {0};
    ct_mentions_init(&again, a);
    CT_ASSERT(ct_content_references_read(a, kind, path, edited, bytes, &again, &error),
              "what was whole is broken: %s", error.message);
    bool is_found = false;
    for (uint32_t k = 0; k < again.items.count; ++k)
        is_found |=
            again.items.items[k].begin == m->begin && again.items.items[k].end == m->begin + length;
    CT_ASSERT(is_found || (m->flags & CT_MENTION_RELATIVE), "the new name is not found%s", "");
    ct_mentions_free(&again);
    ct_free(a, edited);
}

static void read_text(ct_content_kind kind, const char *path, const uint8_t *text, size_t size) {
    ct_allocator *const a = ct_memory_heap();
    ct_mentions mentions;
    ct_error error = {0};
    ct_mentions_init(&mentions, a);
    if (!ct_content_references_read(a, kind, path, (const char *)text, size, &mentions, &error))
        CT_ASSERT(error.message[0] && mentions.items.count == 0, "an error without words%s", "");
    for (uint32_t i = 0; i < mentions.items.count; ++i)
        check_mention(&mentions, &mentions.items.items[i], size);
    // Binary glTF tells the length of its JSON; the new name has another.
    if (mentions.items.count > 0 && kind != CT_CONTENT_KIND_GLB)
        replace(a, kind, path, text, size, &mentions, size % mentions.items.count);
    ct_mentions_free(&mentions);
}

// Mends the parts of a header that a fuzzer will not hit, so that it gets behind them.
static void read_index(const uint8_t *data, size_t size) {
    ct_allocator *const a = ct_memory_heap();
    if (size < sizeof(ct_reference_index))
        return;
    uint8_t *const bytes = ct_alloc_aligned(a, size, CT_BLOB_ALIGN);
    memcpy(bytes, data, size);
    ct_blob_header *const header = (ct_blob_header *)(void *)bytes;
    *header = (ct_blob_header){.magic = CT_BLOB_MAGIC,
                               .version = CT_REFERENCE_INDEX_VERSION,
                               .type = ct_string_id64_of(CT_REFERENCE_INDEX_TYPE),
                               .size_bytes = size};
    const uint64_t environment = ct_reference_environment();
    memcpy(bytes + sizeof(*header), &environment, sizeof(environment));
    header->checksum = ct_content_hash(bytes + sizeof(*header), size - sizeof(*header));
    ct_error error = {0};
    const ct_reference_index *const index = ct_reference_index_check(bytes, size, &error);
    if (index) {
        CT_TEMP_ALLOCATOR(scratch, a);
        ct_reference_graph graph;
        ct_reference_reach reach;
        ct_moved_files moved;
        ct_reference_graph_make(&graph, scratch, index, (ct_source_roots){"/nowhere", NULL});
        ct_reference_reach_find(&reach, scratch, &graph);
        ct_moved_files_find(&moved, scratch, a, &graph);
        for (uint32_t i = 0; i < moved.files.count; ++i)
            CT_ASSERT(moved.files.items[i].first_candidate + moved.files.items[i].num_candidates <=
                          moved.candidates.count,
                      "lost file %u has candidates that are not there", i);
        for (uint32_t i = 0; i < graph.missing.count && i < 4; ++i)
            ct_reference_graph_meant(&graph,
                                     &ct_reference_mentions(index)[graph.missing.items[i].mention]);
    } else {
        CT_ASSERT(error.message[0], "a blob is refused without words%s", "");
    }
    ct_free(a, bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const struct {
        ct_content_kind kind;
        const char *path;
    } files[] = {
        {CT_CONTENT_KIND_GLSL, "a.glsl"}, {CT_CONTENT_KIND_GLTF, "m/a.gltf"},
        {CT_CONTENT_KIND_GLB, "m/a.glb"}, {CT_CONTENT_KIND_OBJ, "m/a.obj"},
        {CT_CONTENT_KIND_MTL, "m/a.mtl"}, {CT_CONTENT_KIND_SOURCE, "settings.config"},
    };
    uint32_t num_types = 0;
    const ct_resource_type *const types = ct_resource_types(&num_types);
    if (size == 0)
        return 0;
    const uint32_t what = data[0] % (num_types + CT_COUNT_OF(files) + 1);
    if (what < num_types) {
        char path[64] = "a.";
        strcat(path, types[what].name);
        read_text(CT_CONTENT_KIND_SOURCE, path, data + 1, size - 1);
    } else if (what < num_types + CT_COUNT_OF(files)) {
        read_text(files[what - num_types].kind, files[what - num_types].path, data + 1, size - 1);
    } else {
        read_index(data + 1, size - 1);
    }
    CT_ASSERT(ct_allocator_stats_of(ct_memory_heap()).live_blocks == 0, "the heap is not empty%s",
              "");
    return 0;
}
