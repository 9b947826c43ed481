#include "foundation/memory/allocator.h"

#include <inttypes.h>
#include <string.h>

#include "foundation/error.h"

void *ct_alloc_zero(ct_allocator *a, uint64_t size_bytes) {
    void *const p = ct_alloc(a, size_bytes);
    return p ? memset(p, 0, size_bytes) : NULL;
}

void *ct_alloc_array_zero(ct_allocator *a, uint64_t item_bytes, uint64_t count) {
    uint64_t size_bytes = 0;
    const bool is_absurd = __builtin_mul_overflow(item_bytes, count, &size_bytes);
    CT_REQUIRE(!is_absurd,
               "out of memory: allocator \"%s\" cannot allocate %" PRIu64 " items of %" PRIu64
               " bytes",
               a->name, count, item_bytes);
    return ct_alloc_zero(a, size_bytes);
}

void *ct_alloc_aligned(ct_allocator *a, uint64_t size_bytes, uint64_t align) {
    CT_ASSERT(align && (align & (align - 1)) == 0,
              "the alignment must be a power of two, found %llu", (unsigned long long)align);
    return size_bytes ? a->allocate(a, size_bytes, align) : NULL;
}

void *ct_realloc(ct_allocator *a, void *p, uint64_t old_bytes, uint64_t new_bytes) {
    CT_ASSERT(p || old_bytes == 0, "a block to reallocate is NULL, but its size is %llu bytes",
              (unsigned long long)old_bytes);
    if (new_bytes == old_bytes && p)
        return p;
    void *const grown = ct_alloc(a, new_bytes);
    const uint64_t kept_bytes = old_bytes < new_bytes ? old_bytes : new_bytes;
    if (kept_bytes)
        memcpy(grown, p, kept_bytes);
    ct_free_sized(a, p, old_bytes);
    return grown;
}

uint64_t ct_allocated_size(ct_allocator *a, const void *p) {
    return a->allocated_size(a, p);
}

ct_allocator_stats ct_allocator_stats_of(ct_allocator *a) {
    ct_allocator_stats stats;
    a->stats(a, &stats);
    return stats;
}

char *ct_copy_string(ct_allocator *a, const char *text) {
    const uint64_t size_bytes = strlen(text) + 1;
    return memcpy(ct_alloc(a, size_bytes), text, size_bytes);
}
