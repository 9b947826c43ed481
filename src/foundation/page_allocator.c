#include "foundation/page_allocator.h"

#include <inttypes.h>

#include "foundation/allocator_counters.h"
#include "foundation/error.h"
#include "foundation/memory_tree.h"
#include "foundation/os.h"
#include "foundation/poison.h"

typedef struct page_allocator {
    ct_allocator interface;
    ct_allocator *backing; // of this struct alone
    uint64_t page_bytes;
    ct_allocator_counters counters;
    ct_memory_node node;
} page_allocator;

// At the start of the page before a block.
typedef struct page_header {
    void *base; // what the operating system gave, with its size
    uint64_t total_bytes;
    uint64_t size_bytes; // as asked for
} page_header;

// Larger requests cannot be met, and smaller ones do not overflow when rounded up.
static const uint64_t max_bytes = UINT64_C(1) << 62;

static uint64_t round_up(uint64_t value, uint64_t align) {
    return (value + align - 1) & ~(align - 1);
}

static page_header *header_of(const page_allocator *pages, const void *p) {
    return (page_header *)((char *)p - pages->page_bytes);
}

static void *pages_allocate(ct_allocator *a, uint64_t size_bytes, uint64_t align) {
    page_allocator *pages = (page_allocator *)a;
    const uint64_t largest_align = align > pages->page_bytes ? align : pages->page_bytes;
    const bool is_possible = size_bytes <= max_bytes && largest_align <= max_bytes;
    const uint64_t total_bytes = round_up(size_bytes, pages->page_bytes) + largest_align;
    char *base = is_possible ? ct_os_pages_allocate(total_bytes) : NULL;
    CT_ASSERT(base,
              "out of memory: allocator \"%s\" holds %" PRIu64 " bytes and cannot get %" PRIu64
              " more",
              a->name, ct_allocator_stats_of(a).live_bytes, size_bytes);
    char *p = (char *)round_up((uint64_t)base + pages->page_bytes, largest_align);
    *header_of(pages, p) = (page_header){base, total_bytes, size_bytes};
    ct_poison(base, total_bytes);
    ct_unpoison(p, size_bytes);
    ct_allocator_counters_add(&pages->counters, size_bytes);
    return p;
}

CT_NO_ADDRESS_SANITIZER static page_header read_header(const page_allocator *pages, const void *p) {
    return *header_of(pages, p);
}

static void pages_free(ct_allocator *a, void *p, uint64_t size_bytes) {
    page_allocator *pages = (page_allocator *)a;
    const page_header header = read_header(pages, p);
    CT_ASSERT(size_bytes == 0 || size_bytes == header.size_bytes,
              "allocator \"%s\": a block of %" PRIu64 " bytes is freed as one of %" PRIu64, a->name,
              header.size_bytes, size_bytes);
    ct_allocator_counters_remove(&pages->counters, header.size_bytes, a->name);
    ct_unpoison(header.base, header.total_bytes);
    ct_os_pages_free(header.base, header.total_bytes);
}

static uint64_t pages_allocated_size(ct_allocator *a, const void *p) {
    return read_header((page_allocator *)a, p).size_bytes;
}

static void pages_stats(ct_allocator *a, ct_allocator_stats *stats) {
    ct_allocator_counters_read(&((page_allocator *)a)->counters, stats);
}

ct_allocator *ct_page_allocator_create(ct_allocator *a, const char *name) {
    page_allocator *pages = CT_NEW(a, page_allocator);
    pages->interface = (ct_allocator){.allocate = pages_allocate,
                                      .free = pages_free,
                                      .allocated_size = pages_allocated_size,
                                      .stats = pages_stats,
                                      .name = name};
    pages->backing = a;
    pages->page_bytes = ct_os_page_bytes();
    ct_memory_tree_add(&pages->node, &pages->interface, NULL);
    return &pages->interface;
}

void ct_page_allocator_destroy(ct_allocator *allocator) {
    page_allocator *pages = (page_allocator *)allocator;
    ct_memory_tree_remove(&pages->node);
    ct_allocator_assert_empty(allocator);
    ct_free_sized(pages->backing, pages, sizeof(*pages));
}
