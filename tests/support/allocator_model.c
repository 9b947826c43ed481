#include "support/allocator_model.h"

#include <inttypes.h>
#include <string.h>

#include "foundation/error.h"
#include "support/test_support.h"

enum { MAX_LIVE = 1024, WORD_BYTES = 8 };

typedef struct model_block {
    char *p; // NULL: none
    uint64_t size_bytes, allocated_bytes, pattern;
} model_block;

typedef struct model {
    const test_allocator_model_desc *desc;
    ct_allocator *a;
    uint32_t random;
    uint64_t num_patterns;
    ct_allocator_stats before;  // when the model started
    ct_allocator_stats counted; // what was done since
    model_block blocks[MAX_LIVE];
} model;

static uint64_t random_below(model *m, uint64_t limit) {
    const uint64_t high = test_random(&m->random);
    return (high << 32 | test_random(&m->random)) % limit;
}

// --- Contents ------------------------------------------------------------------------------------

static void fill(model_block *b) {
    uint64_t at = 0;
    for (; at + WORD_BYTES <= b->size_bytes; at += WORD_BYTES)
        memcpy(b->p + at, &b->pattern, WORD_BYTES);
    memcpy(b->p + at, &b->pattern, b->size_bytes - at);
}

static void check_pattern(const char *p, uint64_t size_bytes, uint64_t pattern) {
    const uint64_t head_bytes = size_bytes < WORD_BYTES ? size_bytes : WORD_BYTES;
    const bool is_kept =
        memcmp(p, &pattern, head_bytes) == 0 &&
        (size_bytes <= WORD_BYTES || memcmp(p, p + WORD_BYTES, size_bytes - WORD_BYTES) == 0);
    CT_ASSERT(is_kept, "the %" PRIu64 " bytes at %p have changed", size_bytes, (const void *)p);
}

static void check_zero(const char *p, uint64_t size_bytes) {
    check_pattern(p, size_bytes, 0);
}

// --- One block -----------------------------------------------------------------------------------

static void check_overlap(const model *m, const model_block *b) {
    for (uint32_t i = 0; i < m->desc->max_live; ++i) {
        const model_block *const other = &m->blocks[i];
        if (other == b || !other->p)
            continue;
        CT_ASSERT(b->p + b->size_bytes <= other->p || other->p + other->size_bytes <= b->p,
                  "block %p of %" PRIu64 " bytes overlaps block %p of %" PRIu64, (void *)b->p,
                  b->size_bytes, (void *)other->p, other->size_bytes);
    }
}

static void count_taken(model *m, model_block *b) {
    b->allocated_bytes = ct_allocated_size(m->a, b->p);
    CT_ASSERT(b->allocated_bytes >= b->size_bytes,
              "a block of %" PRIu64 " bytes says it has %" PRIu64, b->size_bytes,
              b->allocated_bytes);
    ++m->counted.live_blocks;
    ++m->counted.total_blocks;
    m->counted.live_bytes += b->allocated_bytes;
    if (m->counted.peak_bytes < m->counted.live_bytes)
        m->counted.peak_bytes = m->counted.live_bytes;
}

static void count_given(model *m, const model_block *b) {
    CT_ASSERT(ct_allocated_size(m->a, b->p) == b->allocated_bytes,
              "a block of %" PRIu64 " bytes now says it has %" PRIu64, b->allocated_bytes,
              ct_allocated_size(m->a, b->p));
    --m->counted.live_blocks;
    m->counted.live_bytes -= b->allocated_bytes;
}

static void check_counters(model *m) {
    if (m->desc->is_shared)
        return;
    const ct_allocator_stats now = ct_allocator_stats_of(m->a);
    const uint64_t peak_here = m->before.live_bytes + m->counted.peak_bytes;
    const uint64_t peak_bytes = peak_here > m->before.peak_bytes ? peak_here : m->before.peak_bytes;
    CT_ASSERT(now.live_blocks == m->before.live_blocks + m->counted.live_blocks,
              "live blocks: %" PRIu64 ", expected %" PRIu64, now.live_blocks,
              m->before.live_blocks + m->counted.live_blocks);
    CT_ASSERT(now.live_bytes == m->before.live_bytes + m->counted.live_bytes,
              "live bytes: %" PRIu64 ", expected %" PRIu64, now.live_bytes,
              m->before.live_bytes + m->counted.live_bytes);
    CT_ASSERT(now.total_blocks == m->before.total_blocks + m->counted.total_blocks,
              "total blocks: %" PRIu64 ", expected %" PRIu64, now.total_blocks,
              m->before.total_blocks + m->counted.total_blocks);
    CT_ASSERT(now.peak_bytes == peak_bytes, "peak bytes: %" PRIu64 ", expected %" PRIu64,
              now.peak_bytes, peak_bytes);
}

static uint64_t random_size(model *m) {
    const test_allocator_model_desc *const d = m->desc;
    const uint64_t range = d->max_bytes - d->min_bytes + 1;
    // Mostly small: half of the sizes lie in the lowest quarter.
    const uint64_t limit = random_below(m, 2) ? range : range / 4 + 1;
    return d->min_bytes + random_below(m, limit);
}

static uint64_t random_align(model *m) {
    uint64_t num_aligns = 1;
    while (m->desc->max_align >> num_aligns)
        ++num_aligns;
    return UINT64_C(1) << random_below(m, num_aligns);
}

static bool is_full(const model *m, uint64_t more_bytes) {
    const uint64_t limit = m->desc->max_live_bytes;
    return limit && m->counted.live_bytes + more_bytes > limit;
}

static void take(model *m, model_block *b) {
    const uint64_t size_bytes = random_size(m);
    if (is_full(m, size_bytes))
        return;
    uint64_t align = CT_DEFAULT_ALIGN;
    const bool wants_zeros = random_below(m, 8) == 0;
    *b = (model_block){.size_bytes = size_bytes};
    if (wants_zeros) {
        b->p = ct_alloc_zero(m->a, size_bytes);
        check_zero(b->p, size_bytes);
    } else if (m->desc->max_align) {
        align = random_align(m);
        b->p = ct_alloc_aligned(m->a, size_bytes, align);
    } else {
        b->p = ct_alloc(m->a, size_bytes);
    }
    CT_ASSERT((uintptr_t)b->p % align == 0, "%p is not aligned to %" PRIu64, (void *)b->p, align);
    b->pattern = ++m->num_patterns * UINT64_C(0x9e3779b97f4a7c15);
    check_overlap(m, b);
    count_taken(m, b);
    fill(b);
}

static void give(model *m, model_block *b) {
    check_pattern(b->p, b->size_bytes, b->pattern);
    count_given(m, b);
    const test_model_frees frees = m->desc->frees;
    const bool is_sized = frees == TEST_MODEL_FREES_SIZED ||
                          (frees == TEST_MODEL_FREES_BOTH && random_below(m, 2) == 0);
    if (is_sized)
        ct_free_sized(m->a, b->p, b->size_bytes);
    else
        ct_free(m->a, b->p);
    b->p = NULL;
}

static void resize(model *m, model_block *b) {
    const uint64_t new_bytes = random_size(m);
    // Both blocks live while one is copied to the other.
    if (new_bytes == b->size_bytes || is_full(m, new_bytes) ||
        m->desc->frees == TEST_MODEL_FREES_UNSIZED)
        return;
    const uint64_t kept_bytes = new_bytes < b->size_bytes ? new_bytes : b->size_bytes;
    model_block grown = {.size_bytes = new_bytes, .pattern = b->pattern};
    const uint64_t old_allocated_bytes = b->allocated_bytes;
    grown.p = ct_realloc(m->a, b->p, b->size_bytes, new_bytes);
    *b = grown;
    check_pattern(b->p, kept_bytes, b->pattern);
    check_overlap(m, b);
    count_taken(m, b);
    --m->counted.live_blocks;
    m->counted.live_bytes -= old_allocated_bytes;
    fill(b);
}

static void operate(model *m) {
    model_block *const b = &m->blocks[random_below(m, m->desc->max_live)];
    const uint64_t choice = random_below(m, 16);
    if (!b->p)
        take(m, b);
    else if (choice < 12)
        give(m, b);
    else if (choice < 14)
        resize(m, b);
    else
        check_pattern(b->p, b->size_bytes, b->pattern);
}

void test_allocator_model(const test_allocator_model_desc *desc) {
    CT_ASSERT(desc->max_live > 0 && desc->max_live <= MAX_LIVE && desc->seed &&
                  desc->min_bytes > 0 && desc->min_bytes <= desc->max_bytes,
              "the description of the model is wrong (%u live)", desc->max_live);
    model m = {.desc = desc, .a = desc->allocator, .random = desc->seed};
    if (!desc->is_shared)
        m.before = ct_allocator_stats_of(m.a);
    for (uint32_t i = 0; i < desc->num_operations; ++i) {
        operate(&m);
        if (i % 16 == 0)
            check_counters(&m);
    }
    for (uint32_t i = 0; i < desc->max_live; ++i)
        if (m.blocks[i].p)
            give(&m, &m.blocks[i]);
    check_counters(&m);
}
