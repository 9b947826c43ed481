#include "foundation/memory/page_allocator.h"

#include <string.h>

#include "foundation/error.h"
#include "foundation/memory/counted_allocator.h"
#include "foundation/memory/memory_settings.h"
#include "foundation/memory/poison.h"
#include "foundation/os/os.h"

typedef struct page_allocator {
    ct_counted_allocator counted;
    ct_allocator *backing; // of this struct alone
} page_allocator;

// At the start of the page before a block.
typedef struct page_header {
    void *base; // what the operating system gave, with its size
    uint64_t total_bytes;
    uint64_t size_bytes; // as asked for
} page_header;

// Larger requests cannot be met, and smaller ones do not overflow when rounded up.
static const uint64_t max_bytes = UINT64_C(1) << 62;

// --- The operating system's pages ----------------------------------------------------------------

static page_header *header_of(const void *p) {
    return (page_header *)((char *)p - ct_os_page_bytes());
}

CT_NO_ADDRESS_SANITIZER static page_header read_header(const void *p) {
    return *header_of(p);
}

static void *page_source_allocate(ct_memory_source *s, uint64_t size_bytes, uint64_t align) {
    (void)s;
    const uint64_t page_bytes = ct_os_page_bytes();
    const uint64_t largest_align = align > page_bytes ? align : page_bytes;
    if (size_bytes > max_bytes || largest_align > max_bytes)
        return NULL;
    const uint64_t total_bytes = ct_round_up(size_bytes, page_bytes) + largest_align;
    char *const base = ct_os_pages_allocate(total_bytes);
    if (!base)
        return NULL;
    char *const p = (char *)ct_round_up((uint64_t)base + page_bytes, largest_align);
    *header_of(p) = (page_header){base, total_bytes, size_bytes};
    ct_poison(base, total_bytes);
    ct_unpoison(p, size_bytes);
    return p;
}

static void page_source_free(ct_memory_source *s, void *p, uint64_t size_bytes) {
    (void)s, (void)size_bytes;
    const page_header header = read_header(p);
    ct_unpoison(header.base, header.total_bytes);
    ct_os_pages_free(header.base, header.total_bytes);
}

static uint64_t page_source_allocated_size(ct_memory_source *s, const void *p) {
    (void)s;
    return read_header(p).size_bytes;
}

static ct_memory_source page_source = {
    .allocate = page_source_allocate,
    .free = page_source_free,
    .allocated_size = page_source_allocated_size,
    .is_exact = true,
};

// --- The allocator -------------------------------------------------------------------------------

ct_allocator *ct_page_allocator_create(ct_allocator *a, const char *name) {
    page_allocator *const pages = ct_alloc_aligned(a, sizeof(*pages), _Alignof(page_allocator));
    memset(pages, 0, sizeof(*pages));
    pages->backing = a;
    ct_counted_allocator_init(&pages->counted, &page_source, NULL, name);
    return &pages->counted.interface;
}

void ct_page_allocator_destroy(ct_allocator *allocator) {
    page_allocator *const pages = (page_allocator *)allocator;
    ct_counted_allocator_shutdown(&pages->counted);
    ct_free_sized(pages->backing, pages, sizeof(*pages));
}

// --- Reserved blocks -----------------------------------------------------------------------------

static ct_allocator_counters *counters_of(ct_allocator *pages) {
    ct_counted_allocator *const c = ct_counted_allocator_of(pages);
    CT_ASSERT(c && c->source == &page_source,
              "allocator \"%s\" is not a page allocator or a proxy over one", pages->name);
    return &c->counters;
}

void *ct_pages_reserve(ct_allocator *pages, uint64_t size_bytes) {
    ct_allocator_counters *const counters = counters_of(pages);
    void *const p = ct_memory_settings_fails_now() ? NULL : ct_os_pages_reserve(size_bytes);
    if (!p)
        ct_allocator_out_of_memory(pages, size_bytes);
    ct_allocator_counters_add(counters, 0);
    return p;
}

void ct_pages_commit(ct_allocator *pages, void *p, uint64_t size_bytes) {
    ct_allocator_counters *const counters = counters_of(pages);
    if (ct_memory_settings_fails_now() || !ct_os_pages_commit(p, size_bytes))
        ct_allocator_out_of_memory(pages, size_bytes);
    ct_allocator_counters_change(counters, (int64_t)ct_round_up(size_bytes, ct_os_page_bytes()));
}

void ct_pages_decommit(ct_allocator *pages, void *p, uint64_t size_bytes) {
    ct_allocator_counters *const counters = counters_of(pages);
    ct_os_pages_decommit(p, size_bytes);
    ct_allocator_counters_change(counters, -(int64_t)ct_round_up(size_bytes, ct_os_page_bytes()));
}

void ct_pages_release(ct_allocator *pages, void *p, uint64_t size_bytes, uint64_t committed_bytes) {
    ct_allocator_counters *const counters = counters_of(pages);
    ct_os_pages_free(p, size_bytes);
    ct_allocator_counters_change(counters,
                                 -(int64_t)ct_round_up(committed_bytes, ct_os_page_bytes()));
    ct_allocator_counters_remove(counters, 0);
}
