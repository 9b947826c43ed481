#include "foundation/memory/heap_allocator.h"

#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#include "foundation/error.h"
#include "foundation/memory/counted_allocator.h"
#include "foundation/memory/poison.h"
#include "foundation/os/os.h"

typedef struct heap_allocator {
    ct_counted_allocator counted;
    ct_allocator *backing; // of this struct alone
} heap_allocator;

// From here on blocks ask for large pages.
enum { LARGE_BYTES = 4 << 20 };

// Larger requests cannot be met, and sanitizers end the program over them.
static const uint64_t max_bytes = UINT64_C(1) << 46;

// --- malloc --------------------------------------------------------------------------------------

static bool is_mimalloc; // has taken malloc over

// What to ask malloc for. mimalloc (2.0.9) aligns up to 8 bytes to 8 bytes only.
static uint64_t plain_bytes(uint64_t size_bytes) {
    return is_mimalloc && size_bytes < CT_DEFAULT_ALIGN ? CT_DEFAULT_ALIGN : size_bytes;
}

// What to ask posix_memalign for. mimalloc (2.0.9) takes blocks of 256, 512 and 1,024 bytes to be
// aligned to their size, which they are not.
static uint64_t aligned_bytes(uint64_t size_bytes) {
    const bool is_power_of_two = (size_bytes & (size_bytes - 1)) == 0;
    return is_mimalloc && size_bytes <= 1024 && is_power_of_two ? size_bytes + 1 : size_bytes;
}

// Each page is a fault when it is first used, and an address to look up: large blocks want few of
// them (docs/decisions/0020).
static void *with_large_pages(void *p, uint64_t size_bytes) {
    if (is_mimalloc && p && size_bytes >= LARGE_BYTES)
        ct_os_pages_prefer_large(p, size_bytes);
    return p;
}

// posix_memalign and not aligned_alloc: that wants the size rounded up to the alignment, which
// would hide overruns from the sanitizer.
static void *heap_source_allocate(ct_memory_source *s, uint64_t size_bytes, uint64_t align) {
    (void)s;
    if (size_bytes > max_bytes || align > max_bytes)
        return NULL;
    if (align <= CT_DEFAULT_ALIGN)
        return with_large_pages(malloc(plain_bytes(size_bytes)), size_bytes);
    void *p = NULL;
    const int result = posix_memalign(&p, align, aligned_bytes(size_bytes));
    return result == 0 ? with_large_pages(p, size_bytes) : NULL;
}

static void heap_source_free(ct_memory_source *s, void *p, uint64_t size_bytes) {
    (void)s, (void)size_bytes;
    free(p);
}

static uint64_t heap_source_allocated_size(ct_memory_source *s, const void *p) {
    (void)s;
    return malloc_usable_size((void *)p);
}

// --- The short way -------------------------------------------------------------------------------

// mimalloc's usable size of a small block depends on the size that was asked for alone. Known here,
// it need not be asked for, which takes a fifth of the time of an allocation.
static uint16_t usable_bytes[1 + CT_COUNTED_SMALL_BYTES];

// The functions of ct_allocator: a way without calls but to malloc or free, which leaves everything
// else to others, so that little must be kept over calls. What is counted first and then not to be
// had ends the program anyway.

__attribute__((noinline)) static void *allocate_otherwise(ct_allocator *a, uint64_t size_bytes,
                                                          uint64_t align) {
    ct_counted_allocator *const c = (ct_counted_allocator *)a;
    if (!ct_counted_is_small(c, size_bytes) || align > CT_DEFAULT_ALIGN)
        return ct_counted_allocate(a, size_bytes, align);
    ct_allocator_counters_add(&c->counters, usable_bytes[size_bytes]);
    void *const p = malloc(size_bytes);
    if (!p)
        ct_allocator_out_of_memory(a, size_bytes);
    return p;
}

static void *heap_allocate_small(ct_allocator *a, uint64_t size_bytes, uint64_t align) {
    ct_counted_allocator *const c = (ct_counted_allocator *)a;
    const bool is_small = ct_counted_is_small(c, size_bytes) && align <= CT_DEFAULT_ALIGN;
    if (__builtin_expect(
            !is_small || !ct_allocator_counters_try_add(&c->counters, usable_bytes[size_bytes]), 0))
        return allocate_otherwise(a, size_bytes, align);
    void *const p = malloc(size_bytes);
    if (__builtin_expect(!p, 0))
        ct_allocator_out_of_memory(a, size_bytes);
    return p;
}

__attribute__((noinline)) static void free_otherwise(ct_allocator *a, void *p,
                                                     uint64_t size_bytes) {
    ct_counted_allocator *const c = (ct_counted_allocator *)a;
    if (!ct_counted_is_small(c, size_bytes)) {
        ct_counted_free(a, p, size_bytes);
        return;
    }
    ct_allocator_counters_remove(&c->counters, usable_bytes[size_bytes]);
    free(p);
}

static void heap_free_small(ct_allocator *a, void *p, uint64_t size_bytes) {
    ct_counted_allocator *const c = (ct_counted_allocator *)a;
    if (__builtin_expect(
            !ct_counted_is_small(c, size_bytes) ||
                !ct_allocator_counters_try_remove(&c->counters, usable_bytes[size_bytes]),
            0)) {
        free_otherwise(a, p, size_bytes);
        return;
    }
    free(p);
}

// Returns false when there is no memory for it.
static bool learn_usable_bytes(void) {
    for (uint32_t size_bytes = CT_COUNTED_LEAST_BYTES; size_bytes <= CT_COUNTED_SMALL_BYTES;
         ++size_bytes) {
        void *const p = malloc(size_bytes);
        if (!p)
            return false;
        usable_bytes[size_bytes] = (uint16_t)malloc_usable_size(p);
        free(p);
    }
    return true;
}

// --- The allocator -------------------------------------------------------------------------------

static ct_memory_source heap_source = {
    .allocate = heap_source_allocate,
    .free = heap_source_free,
    .allocated_size = heap_source_allocated_size,
#ifdef CT_ADDRESS_SANITIZER
    .is_exact = true,
#endif
};

// There when mimalloc has taken malloc over.
extern int mi_version(void) __attribute__((weak));

// Once; ct_memory_init makes the first heap, on the main thread.
static void look_at_malloc(void) {
    static bool has_looked;
    if (has_looked)
        return;
    has_looked = true;
    is_mimalloc = mi_version != NULL;
    if (!is_mimalloc || !learn_usable_bytes())
        return;
    heap_source.allocate_small = heap_allocate_small;
    heap_source.free_small = heap_free_small;
}

ct_allocator *ct_heap_allocator_create(ct_allocator *a, const char *name) {
    look_at_malloc();
    heap_allocator *const h = ct_alloc_aligned(a, sizeof(*h), _Alignof(heap_allocator));
    memset(h, 0, sizeof(*h));
    h->backing = a;
    ct_counted_allocator_init(&h->counted, &heap_source, NULL, name);
    return &h->counted.interface;
}

void ct_heap_allocator_destroy(ct_allocator *heap) {
    heap_allocator *const h = (heap_allocator *)heap;
    ct_counted_allocator_shutdown(&h->counted);
    ct_free_sized(h->backing, h, sizeof(*h));
}
