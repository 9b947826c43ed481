// Reads any bytes as markup. Spans and styles must fit the plain text, and what is escaped must be
// read back as it was.
#include "foundation/error.h"
#include "foundation/log.h"
#include "foundation/memory/memory.h"
#include "foundation/memory/proxy_allocator.h"
#include "foundation/string/utf8.h"
#include "text/text_markup.h"

#include <string.h>

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static ct_allocator *heap;

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc;
    (void)argv;
    ct_memory_init();
    ct_log_init(ct_memory_heap()); // without sinks: warnings are not written
    heap = ct_proxy_allocator_create(ct_memory_heap(), "markup");
    return 0;
}

typedef struct result {
    ct_byte_array plain;
    ct_text_styles styles;
    ct_text_spans spans;
} result;

static void start(result *r) {
    ct_array_init(&r->plain, heap);
    ct_array_init(&r->styles, heap);
    ct_array_init(&r->spans, heap);
    ct_array_push(&r->styles, (ct_text_style){.font = {1}, .size = 20, .color = 0xffffffff});
}

static void end(result *r) {
    ct_array_free(&r->plain);
    ct_array_free(&r->styles);
    ct_array_free(&r->spans);
}

static void check(const result *r, uint32_t num_bytes) {
    CT_ASSERT(r->plain.count <= num_bytes, "%u bytes of %u", r->plain.count, num_bytes);
    CT_ASSERT(ct_utf8_is_valid((const char *)r->plain.items, r->plain.count), "not UTF-8%s", "");
    uint32_t before = 0;
    for (uint32_t i = 0; i < r->spans.count; ++i) {
        const ct_text_span span = r->spans.items[i];
        CT_ASSERT(span.end >= before, "span %u ends before it starts", i);
        CT_ASSERT(span.style < r->styles.count, "span %u has style %u", i, span.style);
        before = span.end;
    }
    CT_ASSERT(before == UINT32_MAX, "the last span ends at %u", before);
    for (uint32_t i = 0; i < r->styles.count; ++i) {
        const ct_text_style *const s = &r->styles.items[i];
        CT_ASSERT(s->size > 0 && s->size <= CT_TEXT_MAX_SIZE, "size %g", (double)s->size);
        CT_ASSERT(s->outline >= 0 && s->glow >= 0 && s->shadow_blur >= 0, "style %u", i);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (!ct_utf8_is_valid((const char *)data, size))
        return 0;
    result r, again;
    start(&r);
    ct_text_read_markup(data, (uint32_t)size, &r.plain, &r.styles, &r.spans);
    check(&r, (uint32_t)size);
    ct_string_builder escaped;
    ct_string_builder_init(&escaped, heap);
    ct_text_escape((const char *)data, (uint32_t)size, &escaped);
    start(&again);
    ct_text_read_markup((const uint8_t *)ct_string_builder_text(&escaped), escaped.length,
                        &again.plain, &again.styles, &again.spans);
    CT_ASSERT(again.plain.count == size && again.spans.count == 1, "%u bytes, %u spans",
              again.plain.count, again.spans.count);
    CT_ASSERT(size == 0 || memcmp(again.plain.items, data, size) == 0, "escaped text changed%s",
              "");
    ct_string_builder_free(&escaped);
    end(&r);
    end(&again);
    CT_ASSERT(ct_allocator_stats_of(heap).live_blocks == 0, "the heap is not empty");
    return 0;
}
