#include "foundation/heap_allocator.h"

#include <inttypes.h>
#include <malloc.h>
#include <stdlib.h>

#include "foundation/allocator_counters.h"
#include "foundation/error.h"
#include "foundation/memory_tree.h"
#include "foundation/poison.h"

typedef struct heap_allocator {
    ct_allocator interface;
    ct_allocator *backing; // of this struct alone
    ct_allocator_counters counters;
    ct_memory_node node;
} heap_allocator;

// posix_memalign and not aligned_alloc: that wants the size rounded up to the alignment, which
// would hide overruns from the sanitizer.
static void *allocate_or_null(uint64_t size_bytes, uint64_t align) {
    if (align <= CT_DEFAULT_ALIGN)
        return malloc(size_bytes);
    void *p = NULL;
    return posix_memalign(&p, align, size_bytes) == 0 ? p : NULL;
}

static void *heap_allocate(ct_allocator *a, uint64_t size_bytes, uint64_t align) {
    heap_allocator *h = (heap_allocator *)a;
    void *p = allocate_or_null(size_bytes, align);
    CT_ASSERT(p,
              "out of memory: allocator \"%s\" holds %" PRIu64 " bytes and cannot get %" PRIu64
              " more",
              a->name, ct_allocator_stats_of(a).live_bytes, size_bytes);
    ct_allocator_counters_add(&h->counters, malloc_usable_size(p));
    return p;
}

static void heap_free(ct_allocator *a, void *p, uint64_t size_bytes) {
    heap_allocator *h = (heap_allocator *)a;
    const uint64_t usable_bytes = malloc_usable_size(p);
#ifdef CT_ADDRESS_SANITIZER
    const bool fits = size_bytes == 0 || size_bytes == usable_bytes;
#else
    const bool fits = size_bytes <= usable_bytes;
#endif
    CT_ASSERT(fits, "allocator \"%s\": a block of %" PRIu64 " bytes is freed as one of %" PRIu64,
              a->name, usable_bytes, size_bytes);
    ct_allocator_counters_remove(&h->counters, usable_bytes, a->name);
    free(p);
}

static uint64_t heap_allocated_size(ct_allocator *a, const void *p) {
    (void)a;
    return malloc_usable_size((void *)p);
}

static void heap_stats(ct_allocator *a, ct_allocator_stats *stats) {
    ct_allocator_counters_read(&((heap_allocator *)a)->counters, stats);
}

ct_allocator *ct_heap_allocator_create(ct_allocator *a, const char *name) {
    heap_allocator *h = CT_NEW(a, heap_allocator);
    h->interface = (ct_allocator){.allocate = heap_allocate,
                                  .free = heap_free,
                                  .allocated_size = heap_allocated_size,
                                  .stats = heap_stats,
                                  .name = name};
    h->backing = a;
    ct_memory_tree_add(&h->node, &h->interface, NULL);
    return &h->interface;
}

void ct_heap_allocator_destroy(ct_allocator *heap) {
    heap_allocator *h = (heap_allocator *)heap;
    ct_memory_tree_remove(&h->node);
    ct_allocator_assert_empty(heap);
    ct_free_sized(h->backing, h, sizeof(*h));
}
