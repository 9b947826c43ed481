// Differences of documents, and their application. The first byte says what the rest is:
// - two texts, parted by a byte 0xfe: the operations, written as JSON and read again, turn the
//   first into the second; the page and the lines are UTF-8 and show no control characters;
// - operations, and the text that they are applied to: what comes out is SJSON, or an error has
//   words;
// - a seed for an edit of a document, and changes to the JSON of their difference: as before.
#include <stdlib.h>
#include <string.h>

#include "content/diff/diff_apply.h"
#include "content/diff/diff_html.h"
#include "content/diff/diff_json.h"
#include "content/diff/diff_text.h"
#include "foundation/error.h"
#include "foundation/memory/memory.h"
#include "foundation/string/utf8.h"
#include "support/random_tree.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc;
    (void)argv;
    ct_memory_init();
    return 0;
}

static const ct_sjson_limits file_limits = {.takes_array = true};

static ct_sjson *parse(const char *text, uint64_t bytes) {
    const ct_sjson_limits limits = {.max_depth = 520, .takes_array = true};
    ct_error error = {0};
    return ct_sjson_parse(ct_memory_heap(), text, bytes, "fuzz", &limits, &error);
}

// Applies what `json` says to the text. True with the result.
static bool apply(const ct_string_builder *json, const char *text, uint64_t bytes,
                  ct_string_builder *result) {
    ct_allocator *const a = ct_memory_heap();
    ct_error error = {0};
    bool is_applied = false;
    ct_sjson *const doc = parse(ct_string_builder_text(json), json->length);
    ct_sjson_document *const file =
        ct_sjson_document_parse(a, text, bytes, "fuzz", &file_limits, &error);
    ct_diff diff;
    if (doc && file) {
        error = (ct_error){0};
        is_applied =
            ct_diff_read_json(&diff, a, doc, &error) && ct_diff_apply(&diff, file, a, &error);
        CT_ASSERT(is_applied || error.message[0], "an error without words%s", "");
        ct_sjson_document_write(file, result);
        ct_diff_free(&diff);
    }
    ct_sjson_document_free(file);
    ct_sjson_free(doc);
    return is_applied;
}

static void check_text(const ct_string_builder *out) {
    CT_ASSERT(ct_utf8_is_valid(ct_string_builder_text(out), out->length), "no UTF-8: %s",
              out->text);
    for (uint32_t i = 0; i < out->length; ++i)
        CT_ASSERT((uint8_t)out->text[i] >= 0x20 || out->text[i] == '\n' || out->text[i] == '\t',
                  "a control character %u", (unsigned)out->text[i]);
}

static void check_telling(const ct_diff *diff, const ct_diff_html_side *from,
                          const ct_diff_html_side *to) {
    ct_string_builder out;
    ct_string_builder_init(&out, ct_memory_heap());
    for (uint32_t i = 0; i < diff->operations.count; ++i)
        ct_diff_write_operation(diff, &diff->operations.items[i], false, &out);
    check_text(&out);
    ct_string_builder_clear(&out);
    ct_diff_write_html(diff, from, to, &out);
    check_text(&out);
    ct_string_builder_free(&out);
}

static void check_pair(const char *text, uint64_t bytes, const char *other, uint64_t other_bytes) {
    ct_allocator *const a = ct_memory_heap();
    ct_sjson *const from = parse(text, bytes), *const to = parse(other, other_bytes);
    ct_string_builder json, result;
    ct_string_builder_init(&json, a);
    ct_string_builder_init(&result, a);
    for (int with_schema = 1; from && to && with_schema >= 0; --with_schema) {
        const ct_diff_html_side sides[] = {{"a", text, bytes, from}, {"b", other, other_bytes, to}};
        ct_diff diff;
        ct_diff_make(&diff, a, from, to, with_schema ? "fuzz.level" : NULL);
        check_telling(&diff, &sides[0], &sides[1]);
        ct_string_builder_clear(&json);
        ct_diff_write_json(&diff, "a", "b", &json);
        ct_diff_free(&diff);
    }
    if (from && to && apply(&json, text, bytes, &result)) {
        ct_sjson *const made = parse(ct_string_builder_text(&result), result.length);
        CT_ASSERT(made && ct_value_is_equal(a, (ct_content_value){to, ct_sjson_root(to)},
                                            (ct_content_value){made, ct_sjson_root(made)}),
                  "got\n%s\nby\n%s", ct_string_builder_text(&result), json.text);
        ct_sjson_free(made);
    } else if (from && to) {
        // Only deeper than documents may be: the two readers have different limits here.
        ct_sjson_document *const doc =
            ct_sjson_document_parse(a, text, bytes, "", &file_limits, NULL);
        ct_sjson_document *const end =
            ct_sjson_document_parse(a, other, other_bytes, "", &file_limits, NULL);
        CT_ASSERT(!doc || !end, "does not apply:\n%s", json.text);
        ct_sjson_document_free(doc);
        ct_sjson_document_free(end);
    }
    ct_string_builder_free(&json);
    ct_string_builder_free(&result);
    ct_sjson_free(from);
    ct_sjson_free(to);
}

static void check_applied(const ct_string_builder *json, const char *text, uint64_t bytes) {
    ct_string_builder result;
    ct_string_builder_init(&result, ct_memory_heap());
    if (apply(json, text, bytes, &result)) {
        ct_sjson *const made = parse(ct_string_builder_text(&result), result.length);
        CT_ASSERT(made, "not SJSON:\n%s\nby\n%s", result.text, json->text);
        ct_sjson_free(made);
    }
    ct_string_builder_free(&result);
}

// Two documents, the other an edit of the one by the first four bytes; the JSON of their difference, in which each following
// four bytes replace, remove or repeat some.
static void check_changed(const uint8_t *data, size_t size) {
    ct_allocator *const a = ct_memory_heap();
    uint32_t random = 1;
    memcpy(&random, data, size < 4 ? size : 4);
    random |= 1;
    ct_string_builder from, to, json, changed;
    ct_string_builder_init(&from, a);
    ct_string_builder_init(&to, a);
    ct_string_builder_init(&json, a);
    ct_string_builder_init(&changed, a);
    ct_string_builder_add(&from, random_tree_sample);
    ct_sjson *const x = parse(ct_string_builder_text(&from), from.length);
    random_tree_write_edited(&random, 4, x, &to);
    ct_sjson *const y = parse(ct_string_builder_text(&to), to.length);
    ct_diff diff;
    ct_diff_make(&diff, a, x, y, NULL);
    ct_diff_write_json(&diff, "a", "b", &json);
    ct_diff_free(&diff);
    for (size_t i = 4; i + 4 <= size && json.length > 0; i += 4) {
        const uint32_t at = (data[i] | (uint32_t)data[i + 1] << 8) % json.length;
        const uint32_t length = data[i + 2] % 16 < json.length - at ? data[i + 2] % 16 : 0;
        ct_string_builder_clear(&changed);
        ct_string_builder_add_bytes(&changed, json.text, at);
        if (data[i + 2] & 16)
            ct_string_builder_add_char(&changed, (char)data[i + 3]);
        if (data[i + 2] & 32)
            ct_string_builder_add_bytes(&changed, json.text + at, length);
        ct_string_builder_add_bytes(&changed, json.text + at + length, json.length - at - length);
        const ct_string_builder swap = json;
        json = changed;
        changed = swap;
    }
    check_applied(&json, ct_string_builder_text(&from), from.length);
    check_pair(ct_string_builder_text(&from), from.length, ct_string_builder_text(&to), to.length);
    ct_sjson_free(x);
    ct_sjson_free(y);
    ct_string_builder_free(&from);
    ct_string_builder_free(&to);
    ct_string_builder_free(&json);
    ct_string_builder_free(&changed);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    ct_allocator *const a = ct_memory_heap();
    if (size == 0)
        return 0;
    const char *const text = (const char *)data + 1;
    const char *const parting = memchr(text, 0xfe, size - 1);
    if (data[0] % 3 == 0) {
        check_changed(data + 1, size - 1);
    } else if (parting) {
        const uint64_t bytes = (uint64_t)(parting - text), rest = size - 2 - bytes;
        if (data[0] % 3 == 1) {
            check_pair(text, bytes, parting + 1, rest);
        } else {
            ct_string_builder json;
            ct_string_builder_init(&json, a);
            ct_string_builder_add_bytes(&json, text, (uint32_t)bytes);
            check_applied(&json, parting + 1, rest);
            ct_string_builder_free(&json);
        }
    }
    CT_ASSERT(ct_allocator_stats_of(a).live_blocks == 0, "the heap is not empty%s", "");
    return 0;
}
