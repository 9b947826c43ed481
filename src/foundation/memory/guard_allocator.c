#include "foundation/memory/guard_allocator.h"

#include <inttypes.h>
#include <string.h>

#include "foundation/error.h"
#include "foundation/memory/counted_allocator.h"
#include "foundation/os/os.h"

// On a page of its own before the block's first.
typedef struct guard_header {
    uint64_t magic;
    char *base; // of address space: this page, the block's pages, the forbidden one
    uint64_t total_bytes;
    char *p;
    uint64_t size_bytes;
} guard_header;

typedef struct freed_pages {
    void *base;
    uint64_t total_bytes;
} freed_pages;

typedef struct guard_source {
    ct_memory_source source;
    ct_mutex lock; // of what follows
    uint64_t num_freed, first_kept, kept_bytes;
    freed_pages freed[CT_GUARD_FREED_BLOCKS]; // a ring
} guard_source;

typedef struct guard_allocator {
    ct_counted_allocator counted;
    ct_allocator *backing; // of this struct alone
    guard_source source;
} guard_allocator;

static const uint64_t guard_magic = UINT64_C(0x6c7474754364726e);
static const uint64_t max_bytes = UINT64_C(1) << 46;
enum { PATTERN = 0xfd };

static uint64_t round_down(uint64_t value, uint64_t align) {
    return value & ~(align - 1);
}

static char *first_page_of(const void *p) {
    return (char *)p - ((uint64_t)p & (ct_os_page_bytes() - 1));
}

// The end of the block's last page.
static char *end_page_of(const guard_header *h) {
    return h->base + h->total_bytes - ct_os_page_bytes();
}

static guard_header *header_of(const void *p) {
    return (guard_header *)(first_page_of(p) - ct_os_page_bytes());
}

// --- Taking --------------------------------------------------------------------------------------

static void *place_block(char *base, uint64_t total_bytes, uint64_t size_bytes, uint64_t align) {
    const uint64_t page_bytes = ct_os_page_bytes();
    char *const end = base + total_bytes - page_bytes;
    char *const p = base + (round_down((uint64_t)end - size_bytes, align) - (uint64_t)base);
    char *const first = first_page_of(p);
    if (!ct_os_pages_commit(first - page_bytes, (uint64_t)(end - first) + page_bytes))
        return NULL;
    memset(first, PATTERN, (size_t)(p - first));
    memset(p + size_bytes, PATTERN, (size_t)(end - p) - size_bytes);
    *header_of(p) = (guard_header){.magic = guard_magic,
                                   .base = base,
                                   .total_bytes = total_bytes,
                                   .p = p,
                                   .size_bytes = size_bytes};
    return p;
}

static void *guard_allocate(ct_memory_source *s, uint64_t size_bytes, uint64_t align) {
    (void)s;
    if (size_bytes > max_bytes || align > max_bytes)
        return NULL;
    const uint64_t page_bytes = ct_os_page_bytes();
    const uint64_t slack_bytes = align > page_bytes ? align : page_bytes;
    const uint64_t total_bytes =
        page_bytes + slack_bytes + ct_round_up(size_bytes, page_bytes) + page_bytes;
    char *const base = ct_os_pages_reserve(total_bytes);
    if (!base)
        return NULL;
    void *const p = place_block(base, total_bytes, size_bytes, align);
    if (!p)
        ct_os_pages_free(base, total_bytes);
    return p;
}

// --- Giving back ---------------------------------------------------------------------------------

static void check_bytes(const char *begin, const char *end, const guard_header *h) {
    for (const char *at = begin; at < end; ++at)
        CT_ASSERT((unsigned char)*at == PATTERN,
                  "a write went %" PRIu64 " bytes %s the block of %" PRIu64 " bytes at %p",
                  (uint64_t)(at < h->p ? h->p - at : at - h->p) - (at < h->p ? 0 : h->size_bytes),
                  at < h->p ? "before" : "past", h->size_bytes, (void *)h->p);
}

static void check_header(const void *p) {
    const guard_header *const h = header_of(p);
    CT_ASSERT(h->magic == guard_magic && h->p == p, "%p is not a block of the guard allocator", p);
}

// Nobody gets these addresses as long as they are kept.
static void keep_freed(guard_source *g, freed_pages freed) {
    ct_mutex_lock(&g->lock);
    g->freed[g->num_freed++ % CT_GUARD_FREED_BLOCKS] = freed;
    g->kept_bytes += freed.total_bytes;
    while (g->num_freed - g->first_kept == CT_GUARD_FREED_BLOCKS ||
           g->kept_bytes > CT_GUARD_FREED_BYTES) {
        const freed_pages *const oldest = &g->freed[g->first_kept++ % CT_GUARD_FREED_BLOCKS];
        g->kept_bytes -= oldest->total_bytes;
        ct_os_pages_free(oldest->base, oldest->total_bytes);
    }
    ct_mutex_unlock(&g->lock);
}

static void guard_free(ct_memory_source *s, void *p, uint64_t size_bytes) {
    (void)size_bytes;
    check_header(p);
    const guard_header h = *header_of(p);
    check_bytes(first_page_of(p), h.p, &h);
    check_bytes(h.p + h.size_bytes, end_page_of(&h), &h);
    ct_os_pages_decommit(h.base, h.total_bytes);
    keep_freed((guard_source *)s, (freed_pages){h.base, h.total_bytes});
}

static uint64_t guard_allocated_size(ct_memory_source *s, const void *p) {
    (void)s;
    check_header(p);
    return header_of(p)->size_bytes;
}

// --- The allocator -------------------------------------------------------------------------------

ct_allocator *ct_guard_allocator_create(ct_allocator *a, const char *name) {
    guard_allocator *const guard = ct_alloc_aligned(a, sizeof(*guard), _Alignof(guard_allocator));
    memset(guard, 0, sizeof(*guard));
    guard->backing = a;
    ct_mutex_init(&guard->source.lock);
    guard->source.source = (ct_memory_source){.allocate = guard_allocate,
                                              .free = guard_free,
                                              .allocated_size = guard_allocated_size,
                                              .is_exact = true};
    ct_counted_allocator_init(&guard->counted, &guard->source.source, NULL, name);
    return &guard->counted.interface;
}

void ct_guard_allocator_destroy(ct_allocator *allocator) {
    guard_allocator *const guard = (guard_allocator *)allocator;
    ct_counted_allocator_shutdown(&guard->counted);
    guard_source *const g = &guard->source;
    for (; g->first_kept < g->num_freed; ++g->first_kept) {
        const freed_pages *const oldest = &g->freed[g->first_kept % CT_GUARD_FREED_BLOCKS];
        ct_os_pages_free(oldest->base, oldest->total_bytes);
    }
    ct_mutex_shutdown(&g->lock);
    ct_free_sized(guard->backing, guard, sizeof(*guard));
}
