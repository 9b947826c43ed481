// buddy_pool.h: blocks of powers of two from as many buddy allocators as it takes.
//
// A buddy allocator has one buffer of a fixed size. A pool adds another when none has a block, as
// large as all it has, and gives a buffer back when nothing lives in it (all but the newest).
// Blocks never move. For many buffers that double, whose owners know their sizes. One thread.
#pragma once
#include "foundation/memory/buddy_allocator.h"

enum {
    CT_BUDDY_POOL_FIRST_BYTES = 64 * 1024,
    CT_BUDDY_POOL_MAX_BUFFERS = 40,
};

typedef struct ct_buddy_pool {
    ct_buddy_allocator buddies[CT_BUDDY_POOL_MAX_BUFFERS]; // oldest first
    uint32_t count;
    uint32_t leaf_bytes;
    const char *name;
    ct_allocator *allocator;
} ct_buddy_pool;

// Makes an empty pool; allocates nothing yet. A block has at least `leaf_bytes`, a power of two
// from 16 on. `name` is borrowed.
void ct_buddy_pool_init(ct_buddy_pool *pool, ct_allocator *a, const char *name,
                        uint32_t leaf_bytes);

// Frees the buffers; asserts that all blocks came back.
void ct_buddy_pool_free(ct_buddy_pool *pool);

// Returns a block of at least `size_bytes` > 0, rounded up to a power of two and a leaf, and
// aligned to that, up to a page.
void *ct_buddy_pool_take(ct_buddy_pool *pool, uint64_t size_bytes);

// Takes back a block, by any size that rounds up to its own.
void ct_buddy_pool_give(ct_buddy_pool *pool, void *p, uint64_t size_bytes);

// The bytes that a block for `size_bytes` has.
uint64_t ct_buddy_pool_rounded_bytes(const ct_buddy_pool *pool, uint64_t size_bytes);

// The bytes of blocks that were taken, and of all buffers.
uint64_t ct_buddy_pool_used_bytes(const ct_buddy_pool *pool);
uint64_t ct_buddy_pool_total_bytes(const ct_buddy_pool *pool);
