// pool_allocator.h: blocks of one size, allocated and freed in a few instructions.
//
// Blocks are carved one after the other from the newest chunk of the backing allocator. Freed
// blocks are linked in place and handed out first, newest first. So the number of carved blocks is
// the peak of live ones, and only allocations are counted; reading the counters walks the free
// blocks. Chunks are kept until the pool ends. One thread.
//
// In `dev` builds a bit for each block finds double frees and foreign pointers. Under
// AddressSanitizer free blocks are poisoned, and so are 16 bytes between blocks.
#pragma once
#include "foundation/memory/allocator.h"
#include "foundation/memory/poison.h"

// How to make a pool. Zero selects the default where one is given.
typedef struct ct_pool_allocator_desc {
    const char *name; // borrowed
    uint64_t block_bytes;
    uint64_t align;      // of every block, a power of two; 0: CT_DEFAULT_ALIGN
    uint32_t num_blocks; // of each chunk; 0: about 64 KiB of them
} ct_pool_allocator_desc;

// The start of a free block.
typedef struct ct_pool_free_block {
    struct ct_pool_free_block *next;
} ct_pool_free_block;

// Private except for `interface`.
typedef struct ct_pool_allocator {
    ct_allocator interface; // for sizes up to block_bytes
    ct_pool_free_block *first_free;
    char *uncarved, *chunk_end; // of the newest chunk
    uint64_t stride_bytes;
    uint64_t num_taken;
    uint64_t block_bytes, align;
    struct ct_pool_chunk *newest_chunk;
    uint32_t num_blocks_in_chunk, num_chunks;
    ct_allocator *backing;
} ct_pool_allocator;

// Starts an empty pool in place. Nothing is allocated before the first block.
void ct_pool_init(ct_pool_allocator *pool, ct_allocator *backing,
                  const ct_pool_allocator_desc *desc);

// Frees the chunks; asserts that all blocks were freed.
void ct_pool_shutdown(ct_pool_allocator *pool);

// For ct_pool_take and ct_pool_give: the case of a used-up newest chunk, and the checks of `dev`
// builds.
void *ct_pool_take_from_new_chunk(ct_pool_allocator *pool);
#ifdef CT_BUILD_DEV
void ct_pool_check_taken(ct_pool_allocator *pool, void *p);
void ct_pool_check_given(ct_pool_allocator *pool, void *p);
#endif

// For ct_pool_take and ct_pool_give: read and write the link in a free block, which is poisoned.
CT_NO_ADDRESS_SANITIZER static inline ct_pool_free_block *
ct_pool_next_free(const ct_pool_free_block *block) {
    return block->next;
}
CT_NO_ADDRESS_SANITIZER static inline void ct_pool_link_free(ct_pool_free_block *block,
                                                             ct_pool_free_block *next) {
    block->next = next;
}

// Returns a block of the pool's size.
static inline void *ct_pool_take(ct_pool_allocator *pool) {
    void *p = pool->first_free;
    if (__builtin_expect(p != NULL, 1)) {
        pool->first_free = ct_pool_next_free(pool->first_free);
    } else if (pool->uncarved != pool->chunk_end) {
        p = pool->uncarved;
        pool->uncarved += pool->stride_bytes;
    } else {
        p = ct_pool_take_from_new_chunk(pool);
    }
    ++pool->num_taken;
#ifdef CT_BUILD_DEV
    ct_pool_check_taken(pool, p);
#endif
    ct_unpoison(p, pool->block_bytes);
    return p;
}

// Frees the block `p`.
static inline void ct_pool_give(ct_pool_allocator *pool, void *p) {
#ifdef CT_BUILD_DEV
    ct_pool_check_given(pool, p);
#endif
    ct_poison(p, pool->block_bytes);
    ct_pool_link_free(p, pool->first_free);
    pool->first_free = p;
}
