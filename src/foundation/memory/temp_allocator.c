#include "foundation/memory/temp_allocator.h"

#include "foundation/error.h"
#include "foundation/memory/bump_block.h"
#include "foundation/memory/poison.h"

enum { FIRST_CHUNK_BYTES = 4096, MAX_CHUNK_BYTES = 256 * 1024 };

// At the start of what a spilled chunk takes from the backing allocator.
typedef struct temp_spill {
    struct temp_spill *next;
    uint64_t total_bytes;
} temp_spill;

static temp_spill *add_spill(ct_temp_allocator *t, uint64_t bytes) {
    const uint64_t total_bytes = sizeof(temp_spill) + bytes;
    temp_spill *const s = ct_alloc(t->backing, total_bytes);
    *s = (temp_spill){t->first_spill, total_bytes};
    t->first_spill = s;
    ct_poison(s + 1, bytes);
    return s;
}

// A block in the chunk at hand, in the next one, or, when it is large, in one of its own.
static void *spill(ct_temp_allocator *t, uint64_t size_bytes, uint64_t align) {
    char *p = t->chunk_begin ? ct_bump_block_place(t->chunk_begin, t->chunk_end, size_bytes, align,
                                                   &t->counters)
                             : NULL;
    const uint64_t needed_bytes = ct_bump_block_max_bytes(size_bytes, align);
    if (!p && needed_bytes > t->chunk_bytes / 4) {
        char *const begin = (char *)(add_spill(t, needed_bytes) + 1);
        return ct_bump_block_place(begin, begin + needed_bytes, size_bytes, align, &t->counters);
    }
    if (!p) {
        t->chunk_begin = (char *)(add_spill(t, t->chunk_bytes) + 1);
        t->chunk_end = t->chunk_begin + t->chunk_bytes;
        t->chunk_bytes = t->chunk_bytes < MAX_CHUNK_BYTES ? t->chunk_bytes * 2 : MAX_CHUNK_BYTES;
        p = ct_bump_block_place(t->chunk_begin, t->chunk_end, size_bytes, align, &t->counters);
    }
    t->chunk_begin = p + size_bytes;
    return p;
}

static void *temp_allocate(ct_allocator *a, uint64_t size_bytes, uint64_t align) {
    ct_temp_allocator *const t = (ct_temp_allocator *)a;
    char *const p = ct_bump_block_place(t->buffer + t->used_bytes, t->buffer + CT_TEMP_BUFFER_BYTES,
                                        size_bytes, align, &t->counters);
    if (!p)
        return spill(t, size_bytes, align);
    t->used_bytes = (uint64_t)(p + size_bytes - t->buffer);
    return p;
}

#ifdef CT_BUILD_DEV
static bool is_within(const void *p, const void *begin, uint64_t size_bytes) {
    return (uint64_t)p - (uint64_t)begin < size_bytes;
}

// Takes the caller's word where that would mean a long search.
static bool may_own(const ct_temp_allocator *t, const void *p) {
    enum { MAX_SEARCHED = 256 };
    const temp_spill *s = t->first_spill;
    for (uint32_t i = 0; s && i < MAX_SEARCHED && !is_within(p, s, s->total_bytes); ++i)
        s = s->next;
    return s || is_within(p, t->buffer, t->used_bytes);
}
#endif

static void temp_free(ct_allocator *a, void *p, uint64_t size_bytes) {
#ifdef CT_BUILD_DEV
    CT_ASSERT(may_own((ct_temp_allocator *)a, p), "allocator \"%s\": %p is not one of its blocks",
              a->name, p);
#endif
    ct_bump_block_free(p, size_bytes, &((ct_temp_allocator *)a)->counters, a->name);
}

static uint64_t temp_allocated_size(ct_allocator *a, const void *p) {
    (void)a;
    return ct_bump_block_size(p);
}

static void temp_stats(ct_allocator *a, ct_allocator_stats *stats) {
    *stats = ((ct_temp_allocator *)a)->counters;
}

void ct_temp_allocator_init(ct_temp_allocator *t, ct_allocator *backing) {
    t->interface = (ct_allocator){.allocate = temp_allocate,
                                  .free = temp_free,
                                  .allocated_size = temp_allocated_size,
                                  .stats = temp_stats,
                                  .name = "temp"};
    t->backing = backing;
    t->first_spill = NULL;
    t->chunk_begin = t->chunk_end = NULL;
    t->chunk_bytes = FIRST_CHUNK_BYTES;
    t->used_bytes = 0;
    t->counters = (ct_allocator_stats){0};
    ct_poison(t->buffer, CT_TEMP_BUFFER_BYTES);
}

void ct_temp_allocator_shutdown(ct_temp_allocator *t) {
    for (temp_spill *s = t->first_spill; s;) {
        temp_spill *const next = s->next;
        ct_unpoison(s, s->total_bytes);
        ct_free_sized(t->backing, s, s->total_bytes);
        s = next;
    }
    t->first_spill = NULL;
    t->chunk_begin = t->chunk_end = NULL;
    t->chunk_bytes = FIRST_CHUNK_BYTES;
    t->used_bytes = 0;
    t->counters.live_bytes = t->counters.live_blocks = 0;
    // The buffer is a piece of the stack, which others use next.
    ct_unpoison(t->buffer, CT_TEMP_BUFFER_BYTES);
}
