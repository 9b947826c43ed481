// Merges of three documents. The first byte says what the rest is:
// - up to three texts, parted by a byte 0xfe; those that are missing are random edits of the first;
// - a seed for a random document and two random edits of it.
// Broken texts are errors with words; otherwise the result is SJSON (JSON stays JSON), the report
// is JSON, and merging what one side changed gives that side.
#include <stdlib.h>
#include <string.h>

#include "content/json_check.h"
#include "content/merge.h"
#include "content/value_compare.h"
#include "foundation/error.h"
#include "foundation/memory.h"
#include "support/random_tree.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc;
    (void)argv;
    ct_memory_init();
    return 0;
}

static ct_sjson *parse(const ct_string_builder *text) {
    ct_error error = {0};
    return ct_sjson_parse(ct_memory_heap(), ct_string_builder_text(text), text->length, "fuzz",
                          NULL, &error);
}

static ct_merge_text text_of(const ct_string_builder *text, const char *file) {
    return (ct_merge_text){
        .text = ct_string_builder_text(text), .size_bytes = text->length, .file = file};
}

// Merges and checks what must hold of the result. False when a text is broken.
static bool merge(const ct_string_builder texts[3], const char *path, bool is_json,
                  ct_string_builder *result) {
    const ct_merge_desc desc = {.base = text_of(&texts[0], "base"),
                                .theirs = text_of(&texts[1], "theirs"),
                                .mine = text_of(&texts[2], "mine"),
                                .path = path,
                                .is_json = is_json};
    ct_string_builder report;
    ct_string_builder_init(&report, ct_memory_heap());
    ct_merge_summary summary;
    ct_error error = {0};
    const bool ok = ct_merge_texts(ct_memory_heap(), &desc, result, &report, &summary, &error);
    CT_ASSERT(ok || error.message[0], "an error without words%s", "");
    CT_ASSERT(ok || result->length + report.length == 0, "something was appended%s", "");
    ct_sjson *const doc = ok ? parse(result) : NULL;
    CT_ASSERT(!ok || doc, "the result is no SJSON:\n%s", ct_string_builder_text(result));
    ct_sjson_free(doc);
    error = (ct_error){0};
    CT_ASSERT(!ok || ct_json_check(report.text, report.length, "report", &error),
              "the report is no JSON: %s:\n%s", error.message, report.text);
    ct_string_builder_free(&report);
    return ok;
}

static bool is_same_value(const ct_string_builder *a, const ct_string_builder *b) {
    ct_sjson *const x = parse(a), *const y = parse(b);
    const bool same = ct_value_is_equal(ct_memory_heap(), (ct_content_value){x, ct_sjson_root(x)},
                                        (ct_content_value){y, ct_sjson_root(y)});
    ct_sjson_free(x);
    ct_sjson_free(y);
    return same;
}

// Merges theirs into base with a comment at its end, which must give theirs.
static void check_one_sided(const ct_string_builder texts[3], const char *path) {
    ct_string_builder result, mine;
    ct_string_builder_init(&result, ct_memory_heap());
    ct_string_builder_init(&mine, ct_memory_heap());
    ct_string_builder_add_bytes(&mine, ct_string_builder_text(&texts[0]), texts[0].length);
    ct_string_builder_add(&mine, "\n// mine\n");
    const ct_string_builder three[] = {texts[0], texts[1], mine};
    // Of a set the order may be mine's; without a schema there is none.
    if (merge(three, path, false, &result) && !path)
        CT_ASSERT(is_same_value(&result, &texts[1]), "base\n%s\ntheirs\n%s\nresult\n%s",
                  texts[0].text, texts[1].text, result.text);
    ct_string_builder_free(&result);
    ct_string_builder_free(&mine);
}

// Fills the texts that are empty with edits of the first, if that is SJSON.
static void edit(ct_string_builder texts[3], uint32_t num_given, uint32_t *random) {
    ct_sjson *const base = parse(&texts[0]);
    for (uint32_t i = num_given; i < 3 && base; ++i)
        random_tree_write_edited(random, 4, base, &texts[i]);
    ct_sjson_free(base);
}

static void check(ct_string_builder texts[3], uint32_t random) {
    static const char *const paths[] = {NULL, "fuzz.level", "fuzz.package"};
    const char *const path = paths[random % CT_COUNT_OF(paths)];
    ct_string_builder result;
    ct_string_builder_init(&result, ct_memory_heap());
    if (merge(texts, path, false, &result))
        check_one_sided(texts, path);
    ct_string_builder_clear(&result);
    merge(texts, path, true, &result);
    ct_string_builder_free(&result);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    ct_string_builder texts[3];
    uint32_t random = 2463534242u, num_given = 0;
    for (size_t i = 0; i < size; ++i)
        random = (random ^ data[i]) * 16777619u | 1;
    for (uint32_t i = 0; i < 3; ++i)
        ct_string_builder_init(&texts[i], ct_memory_heap());
    if (size > 0 && data[0] % 2 == 0) {
        const uint8_t *at = data + 1, *const end = data + size;
        for (; num_given < 3 && at <= end; ++num_given) {
            const uint8_t *const part = at < end ? memchr(at, 0xfe, (size_t)(end - at)) : NULL;
            const uint8_t *const stop = part ? part : end;
            ct_string_builder_add_bytes(&texts[num_given], (const char *)at, (uint32_t)(stop - at));
            at = stop + 1;
        }
    } else {
        random_tree_write(&random, &texts[0]);
        num_given = 1;
    }
    edit(texts, num_given, &random);
    check(texts, random);
    for (uint32_t i = 0; i < 3; ++i)
        ct_string_builder_free(&texts[i]);
    CT_ASSERT(ct_allocator_stats_of(ct_memory_heap()).live_blocks == 0, "the heap is not empty");
    return 0;
}
