#include "foundation/memory/pool_allocator.h"

#include <inttypes.h>
#include <string.h>

#include "foundation/container/bitset.h"
#include "foundation/error.h"
#include "foundation/memory/allocator_counters.h"
#include "foundation/memory/memory_leak.h"

enum { DEFAULT_CHUNK_BYTES = 65536 };

// Before the blocks of a chunk. In `dev` a bit for each block says whether it is taken.
typedef struct ct_pool_chunk {
    struct ct_pool_chunk *older;
    char *blocks;
    uint64_t chunk_bytes;
#ifdef CT_BUILD_DEV
    uint64_t taken[];
#endif
} chunk;

#ifdef CT_ADDRESS_SANITIZER
static const uint64_t gap_bytes = 16;
#else
static const uint64_t gap_bytes = 0;
#endif

// --- Chunks --------------------------------------------------------------------------------------

static uint64_t used_header_bytes(const ct_pool_allocator *pool) {
    uint64_t bytes = sizeof(chunk);
#ifdef CT_BUILD_DEV
    bytes += ct_bits_num_words(pool->num_blocks_in_chunk) * sizeof(uint64_t);
#else
    (void)pool;
#endif
    return bytes;
}

static uint64_t header_bytes(const ct_pool_allocator *pool) {
    return ct_round_up(used_header_bytes(pool) + gap_bytes, pool->align);
}

static uint64_t blocks_bytes(const ct_pool_allocator *pool) {
    return pool->stride_bytes * pool->num_blocks_in_chunk;
}

void *ct_pool_take_from_new_chunk(ct_pool_allocator *pool) {
    const uint64_t chunk_bytes = header_bytes(pool) + blocks_bytes(pool);
    chunk *const c = ct_alloc_aligned(pool->backing, chunk_bytes, pool->align);
    memset(c, 0, used_header_bytes(pool));
    *c = (chunk){.older = pool->newest_chunk,
                 .blocks = (char *)c + header_bytes(pool),
                 .chunk_bytes = chunk_bytes};
    ct_poison((char *)c + used_header_bytes(pool), chunk_bytes - used_header_bytes(pool));
    pool->newest_chunk = c;
    ++pool->num_chunks;
    pool->uncarved = c->blocks + pool->stride_bytes;
    pool->chunk_end = c->blocks + blocks_bytes(pool);
    return c->blocks;
}

// --- What callers may do wrong -------------------------------------------------------------------

#ifdef CT_BUILD_DEV
// The number of the block `p` in its chunk, which is set.
static uint32_t block_number(const ct_pool_allocator *pool, const char *p, chunk **of) {
    chunk *c = pool->newest_chunk;
    while (c && (p < c->blocks || p >= c->blocks + blocks_bytes(pool)))
        c = c->older;
    CT_ASSERT(c, "allocator \"%s\": %p is not one of its blocks", pool->interface.name,
              (const void *)p);
    const uint64_t offset = (uint64_t)(p - c->blocks);
    CT_ASSERT(offset % pool->stride_bytes == 0,
              "allocator \"%s\": %p is %" PRIu64 " bytes inside a block", pool->interface.name,
              (const void *)p, offset % pool->stride_bytes);
    *of = c;
    return (uint32_t)(offset / pool->stride_bytes);
}

void ct_pool_check_taken(ct_pool_allocator *pool, void *p) {
    chunk *c;
    const uint32_t i = block_number(pool, p, &c);
    CT_ASSERT(!ct_bits_test(c->taken, i),
              "allocator \"%s\": a block was written to after it was freed", pool->interface.name);
    ct_bits_set(c->taken, i);
}

void ct_pool_check_given(ct_pool_allocator *pool, void *p) {
    chunk *c;
    const uint32_t i = block_number(pool, p, &c);
    CT_ASSERT(ct_bits_test(c->taken, i), "allocator \"%s\": block %p is freed twice",
              pool->interface.name, p);
    ct_bits_clear(c->taken, i);
}
#endif

// --- The interface -------------------------------------------------------------------------------

static void *pool_allocate(ct_allocator *a, uint64_t size_bytes, uint64_t align) {
    ct_pool_allocator *const pool = (ct_pool_allocator *)a;
    CT_ASSERT(size_bytes <= pool->block_bytes && align <= pool->align,
              "allocator \"%s\" has blocks of %" PRIu64 " bytes aligned to %" PRIu64
              "; found a request for %" PRIu64 " bytes aligned to %" PRIu64,
              a->name, pool->block_bytes, pool->align, size_bytes, align);
    void *const p = ct_pool_take(pool);
    ct_poison(p, pool->block_bytes);
    ct_unpoison(p, size_bytes);
    return p;
}

static void pool_free(ct_allocator *a, void *p, uint64_t size_bytes) {
    ct_pool_allocator *const pool = (ct_pool_allocator *)a;
    CT_ASSERT(size_bytes <= pool->block_bytes,
              "allocator \"%s\": a block of %" PRIu64 " bytes is freed with a size of %" PRIu64,
              a->name, pool->block_bytes, size_bytes);
    ct_pool_give(pool, p);
}

static uint64_t pool_allocated_size(ct_allocator *a, const void *p) {
    (void)p;
    return ((ct_pool_allocator *)a)->block_bytes;
}

static uint64_t num_carved(const ct_pool_allocator *pool) {
    const uint64_t num_uncarved = (uint64_t)(pool->chunk_end - pool->uncarved) / pool->stride_bytes;
    return (uint64_t)pool->num_blocks_in_chunk * pool->num_chunks - num_uncarved;
}

static void pool_stats(ct_allocator *a, ct_allocator_stats *stats) {
    const ct_pool_allocator *const pool = (ct_pool_allocator *)a;
    uint64_t live_blocks = num_carved(pool);
    const uint64_t peak_bytes = live_blocks * pool->block_bytes;
    for (const ct_pool_free_block *f = pool->first_free; f; f = ct_pool_next_free(f))
        --live_blocks;
    *stats = (ct_allocator_stats){.live_bytes = live_blocks * pool->block_bytes,
                                  .live_blocks = live_blocks,
                                  .peak_bytes = peak_bytes,
                                  .total_blocks = pool->num_taken};
}

// --- Life ----------------------------------------------------------------------------------------

void ct_pool_init(ct_pool_allocator *pool, ct_allocator *backing,
                  const ct_pool_allocator_desc *desc) {
    const uint64_t align = desc->align ? desc->align : CT_DEFAULT_ALIGN;
    CT_ASSERT((align & (align - 1)) == 0 && desc->block_bytes > 0 &&
                  desc->block_bytes <= UINT32_MAX && align <= UINT32_MAX,
              "pool \"%s\": cannot make blocks of %" PRIu64 " bytes aligned to %" PRIu64,
              desc->name, desc->block_bytes, align);
    *pool = (ct_pool_allocator){.interface = {.allocate = pool_allocate,
                                              .free = pool_free,
                                              .allocated_size = pool_allocated_size,
                                              .stats = pool_stats,
                                              .name = desc->name},
                                .block_bytes = desc->block_bytes,
                                .align = align > sizeof(void *) ? align : sizeof(void *),
                                .num_blocks_in_chunk = desc->num_blocks,
                                .backing = backing};
    const uint64_t least_bytes = desc->block_bytes > sizeof(ct_pool_free_block)
                                     ? desc->block_bytes
                                     : sizeof(ct_pool_free_block);
    pool->stride_bytes = ct_round_up(least_bytes + gap_bytes, pool->align);
    if (pool->num_blocks_in_chunk == 0)
        pool->num_blocks_in_chunk = (uint32_t)(DEFAULT_CHUNK_BYTES / pool->stride_bytes) + 1;
    CT_ASSERT(pool->stride_bytes <= (UINT64_C(1) << 62) / pool->num_blocks_in_chunk,
              "pool \"%s\": a chunk of %u blocks of %" PRIu64 " bytes is too large", desc->name,
              pool->num_blocks_in_chunk, pool->stride_bytes);
}

void ct_pool_shutdown(ct_pool_allocator *pool) {
    ct_allocator_assert_empty(&pool->interface);
    while (pool->newest_chunk) {
        chunk *const c = pool->newest_chunk;
        pool->newest_chunk = c->older;
        ct_unpoison(c, c->chunk_bytes);
        ct_free_sized(pool->backing, c, c->chunk_bytes);
    }
    *pool = (ct_pool_allocator){0};
}
