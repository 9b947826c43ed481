#include "foundation/container/buddy_pool.h"

#include <string.h>

#include "foundation/error.h"

enum { PAGE_BYTES = 4096 };

void ct_buddy_pool_init(ct_buddy_pool *pool, ct_allocator *a, const char *name,
                        uint32_t leaf_bytes) {
    pool->count = 0;
    pool->leaf_bytes = leaf_bytes;
    pool->name = name;
    pool->allocator = a;
}

static void free_buffer(ct_buddy_pool *pool, uint32_t i) {
    ct_buddy_allocator *const b = &pool->buddies[i];
    void *const buffer = b->buffer;
    const uint64_t bytes = b->buffer_bytes;
    ct_buddy_shutdown(b);
    ct_free_sized(pool->allocator, buffer, bytes);
    --pool->count;
    memmove(b, b + 1, sizeof(*b) * (pool->count - i));
}

void ct_buddy_pool_free(ct_buddy_pool *pool) {
    while (pool->count > 0)
        free_buffer(pool, pool->count - 1);
}

// Adds a buffer of which one half is at least a block for `size_bytes`: the other has the index.
static ct_buddy_allocator *add_buffer(ct_buddy_pool *pool, uint64_t size_bytes) {
    CT_REQUIRE(pool->count < CT_BUDDY_POOL_MAX_BUFFERS,
               "out of memory: pool \"%s\" has %u buffers, which is the maximum", pool->name,
               pool->count);
    uint64_t bytes = CT_BUDDY_POOL_FIRST_BYTES;
    const uint64_t all_bytes = ct_buddy_pool_total_bytes(pool);
    while (bytes < all_bytes || bytes < 2 * size_bytes)
        bytes *= 2;
    void *const buffer = ct_alloc_aligned(pool->allocator, bytes, PAGE_BYTES);
    ct_buddy_allocator *const b = &pool->buddies[pool->count++];
    ct_buddy_init(b, pool->name, buffer, bytes, pool->leaf_bytes);
    return b;
}

void *ct_buddy_pool_take(ct_buddy_pool *pool, uint64_t size_bytes) {
    for (uint32_t i = pool->count; i-- > 0;) {
        void *const p = ct_buddy_try_take(&pool->buddies[i], size_bytes);
        if (p)
            return p;
    }
    return ct_buddy_take(add_buffer(pool, size_bytes), size_bytes);
}

void ct_buddy_pool_give(ct_buddy_pool *pool, void *p, uint64_t size_bytes) {
    uint32_t i = pool->count;
    while (i-- > 0 && ((uint64_t)p < pool->buddies[i].begin || (uint64_t)p >= pool->buddies[i].end))
        ;
    CT_ASSERT(i < pool->count, "pool \"%s\": %p is not one of its blocks", pool->name, p);
    ct_buddy_give_sized(&pool->buddies[i], p, size_bytes);
    if (pool->buddies[i].counters.live_blocks == 0 && i + 1 < pool->count)
        free_buffer(pool, i);
}

uint64_t ct_buddy_pool_rounded_bytes(const ct_buddy_pool *pool, uint64_t size_bytes) {
    uint64_t bytes = pool->leaf_bytes;
    while (bytes < size_bytes)
        bytes *= 2;
    return bytes;
}

uint64_t ct_buddy_pool_used_bytes(const ct_buddy_pool *pool) {
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < pool->count; ++i)
        bytes += pool->buddies[i].counters.live_bytes;
    return bytes;
}

uint64_t ct_buddy_pool_total_bytes(const ct_buddy_pool *pool) {
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < pool->count; ++i)
        bytes += pool->buddies[i].buffer_bytes;
    return bytes;
}
