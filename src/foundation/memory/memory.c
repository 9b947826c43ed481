#include "foundation/memory/memory.h"

#include <inttypes.h>

#include "foundation/error.h"
#include "foundation/memory/block_table.h"
#include "foundation/memory/bump_block.h"
#include "foundation/memory/guard_allocator.h"
#include "foundation/memory/heap_allocator.h"
#include "foundation/memory/memory_leak.h"
#include "foundation/memory/memory_settings.h"
#include "foundation/memory/page_allocator.h"
#include "foundation/memory/poison.h"

enum { BOOTSTRAP_BYTES = 16384 };

// Holds the structs of the other root allocators; main thread only. Its memory is used again once
// it is empty.
typedef struct bootstrap_allocator {
    ct_allocator interface;
    ct_allocator_stats counters;
    uint64_t used_bytes;
    ct_memory_node node;
    _Alignas(CT_DEFAULT_ALIGN) char buffer[BOOTSTRAP_BYTES];
} bootstrap_allocator;

static bootstrap_allocator bootstrap;
static ct_allocator *trace; // of the block table
static ct_allocator *pages;
static ct_allocator *heap;
static ct_allocator *guard; // NULL when nobody asks for it

static void *bootstrap_allocate(ct_allocator *a, uint64_t size_bytes, uint64_t align) {
    char *const end = bootstrap.buffer + BOOTSTRAP_BYTES;
    char *const p = ct_bump_block_place(bootstrap.buffer + bootstrap.used_bytes, end, size_bytes,
                                        align, &bootstrap.counters);
    CT_REQUIRE(p,
               "out of memory: allocator \"%s\" has used %" PRIu64
               " of %d bytes and cannot allocate "
               "%" PRIu64 " more",
               a->name, bootstrap.used_bytes, (int)BOOTSTRAP_BYTES, size_bytes);
    bootstrap.used_bytes = (uint64_t)(p + size_bytes - bootstrap.buffer);
    return p;
}

static void bootstrap_free(ct_allocator *a, void *p, uint64_t size_bytes) {
    ct_bump_block_free(p, size_bytes, &bootstrap.counters, a->name);
    if (bootstrap.counters.live_blocks == 0)
        bootstrap.used_bytes = 0;
}

static uint64_t bootstrap_allocated_size(ct_allocator *a, const void *p) {
    (void)a;
    return ct_bump_block_size(p);
}

static void bootstrap_stats(ct_allocator *a, ct_allocator_stats *stats) {
    (void)a;
    *stats = bootstrap.counters;
}

static void start_bootstrap(void) {
    bootstrap.interface = (ct_allocator){.allocate = bootstrap_allocate,
                                         .free = bootstrap_free,
                                         .allocated_size = bootstrap_allocated_size,
                                         .stats = bootstrap_stats,
                                         .name = "bootstrap"};
    bootstrap.counters = (ct_allocator_stats){0};
    ct_poison(bootstrap.buffer, BOOTSTRAP_BYTES);
    ct_memory_tree_add(&bootstrap.node, &bootstrap.interface, NULL, NULL);
}

void ct_memory_init(void) {
    CT_ASSERT(!heap, "ct_memory_init is called twice");
    ct_memory_settings_read();
    ct_memory_tree_init();
    start_bootstrap();
    trace = ct_page_allocator_create(&bootstrap.interface, "trace");
    ct_block_table_init(trace); // the allocators from here on can be checked and traced
    pages = ct_page_allocator_create(&bootstrap.interface, "pages");
    heap = ct_heap_allocator_create(&bootstrap.interface, "heap");
    if (ct_memory_settings_guarded_names())
        guard = ct_guard_allocator_create(heap, "guard");
}

void ct_memory_shutdown(void) {
    CT_ASSERT(heap, "ct_memory_shutdown is called without ct_memory_init");
    if (guard)
        ct_guard_allocator_destroy(guard);
    guard = NULL;
    ct_heap_allocator_destroy(heap);
    heap = NULL;
    ct_page_allocator_destroy(pages);
    pages = NULL;
    ct_block_table_shutdown();
    ct_page_allocator_destroy(trace);
    trace = NULL;
    ct_allocator_assert_empty(&bootstrap.interface);
    ct_memory_tree_remove(&bootstrap.node);
    ct_memory_tree_shutdown();
    ct_memory_settings_end();
}

ct_allocator *ct_memory_heap(void) {
    CT_ASSERT(heap, "the heap is used before ct_memory_init or after ct_memory_shutdown");
    return heap;
}

ct_allocator *ct_memory_pages(void) {
    CT_ASSERT(pages, "the pages are used before ct_memory_init or after ct_memory_shutdown");
    return pages;
}

ct_allocator *ct_memory_guard(void) {
    return guard;
}
