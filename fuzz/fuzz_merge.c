// Merges of three documents. The first byte says what is checked and by which schema, the next four
// are a seed; the rest is up to three texts, parted by a byte 0xfe. Those that are missing are random
// edits of the first; without any the first is random_tree_sample.
// Broken texts are errors with words; otherwise the result is SJSON (JSON stays JSON), the report
// is JSON, and merging what one side changed gives that side.
#include <stdlib.h>
#include <string.h>

#include "content/json_check.h"
#include "content/merge/merge.h"
#include "content/value_compare.h"
#include "foundation/error.h"
#include "foundation/memory/memory.h"
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
    const ct_sjson_limits limits = {.takes_array = true};
    ct_error error = {0};
    return ct_sjson_parse(ct_memory_heap(), ct_string_builder_text(text), text->length, "fuzz",
                          &limits, &error);
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

// A text with a comment after it: other bytes that say the same.
static ct_string_builder with_comment(const ct_string_builder *of) {
    ct_string_builder text;
    ct_string_builder_init(&text, ct_memory_heap());
    ct_string_builder_add_bytes(&text, ct_string_builder_text(of), of->length);
    ct_string_builder_add(&text, "\n// the end\n");
    return text;
}

// Merges theirs into base with a comment at its end, which must give theirs.
static void check_theirs(const ct_string_builder texts[3], const char *path,
                         ct_string_builder *result) {
    ct_string_builder mine = with_comment(&texts[0]);
    const ct_string_builder three[] = {texts[0], texts[1], mine};
    // Of a set the order may be mine's; without a schema there is none.
    if (merge(three, path, false, result) && !path)
        CT_ASSERT(is_same_value(result, &texts[1]), "base\n%s\ntheirs\n%s\nresult\n%s",
                  texts[0].text, texts[1].text, result->text);
    ct_string_builder_free(&mine);
}

// Merges base with a comment at its end into mine, which must stay as it is.
static void check_mine(const ct_string_builder texts[3], const char *path,
                       ct_string_builder *result) {
    ct_string_builder theirs = with_comment(&texts[0]);
    const ct_string_builder three[] = {texts[0], theirs, texts[2]};
    const bool is_base =
        texts[2].length == texts[0].length &&
        strcmp(ct_string_builder_text(&texts[2]), ct_string_builder_text(&texts[0])) == 0;
    if (merge(three, path, false, result) && !is_base) // else it is theirs
        CT_ASSERT(result->length == texts[2].length && strcmp(result->text, texts[2].text) == 0,
                  "base\n%s\nmine\n%s\nresult\n%s", texts[0].text, texts[2].text, result->text);
    ct_string_builder_free(&theirs);
}

// Fills the texts that are empty with edits of the first, if that is SJSON.
static void edit(ct_string_builder texts[3], uint32_t num_given, uint32_t *random) {
    ct_sjson *const base = parse(&texts[0]);
    for (uint32_t i = num_given; i < 3 && base; ++i)
        random_tree_write_edited(random, 4, base, &texts[i]);
    ct_sjson_free(base);
}

static void check(const ct_string_builder texts[3], uint32_t what) {
    static const char *const paths[] = {NULL, "fuzz.level", "fuzz.package", NULL};
    const char *const path = paths[what / 4 % CT_COUNT_OF(paths)];
    ct_string_builder result;
    ct_string_builder_init(&result, ct_memory_heap());
    if (what % 4 == 0)
        merge(texts, path, false, &result);
    else if (what % 4 == 1)
        merge(texts, path, true, &result);
    else if (what % 4 == 2)
        check_theirs(texts, path, &result);
    else
        check_mine(texts, path, &result);
    ct_string_builder_free(&result);
}

// Fills the texts that the input has, and returns their number.
static uint32_t read_texts(const uint8_t *at, const uint8_t *end, ct_string_builder texts[3]) {
    uint32_t num_given = 0;
    for (; num_given < 3 && at < end; ++num_given) {
        const uint8_t *const part = memchr(at, 0xfe, (size_t)(end - at));
        const uint8_t *const stop = part ? part : end;
        ct_string_builder_add_bytes(&texts[num_given], (const char *)at, (uint32_t)(stop - at));
        at = stop + 1;
    }
    return num_given;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    enum { HEAD_BYTES = 5 };
    if (size < HEAD_BYTES)
        return 0;
    uint32_t random;
    memcpy(&random, data + 1, sizeof(random));
    random |= 1;
    ct_string_builder texts[3];
    for (uint32_t i = 0; i < 3; ++i)
        ct_string_builder_init(&texts[i], ct_memory_heap());
    uint32_t num_given = read_texts(data + HEAD_BYTES, data + size, texts);
    if (num_given == 0) {
        ct_string_builder_add(&texts[0], random_tree_sample);
        num_given = 1;
    }
    edit(texts, num_given, &random);
    check(texts, data[0]);
    for (uint32_t i = 0; i < 3; ++i)
        ct_string_builder_free(&texts[i]);
    CT_ASSERT(ct_allocator_stats_of(ct_memory_heap()).live_blocks == 0, "the heap is not empty");
    return 0;
}
