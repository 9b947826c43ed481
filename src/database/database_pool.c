#include "database/database_pool.h"

#include <string.h>

// Before the bytes of a large block.
typedef struct ct_database_pool_block {
    struct ct_database_pool_block *previous, *next;
} block_header;

enum { CLASS_BYTES = 16, PAGE_BYTES = 32 << 10 };

void ct_database_pool_init(ct_database_pool *pool, ct_allocator *a) {
    *pool = (ct_database_pool){.allocator = a};
    ct_array_init(&pool->pages, a);
}

void ct_database_pool_free(ct_database_pool *pool) {
    for (uint32_t i = 0; i < pool->pages.count; ++i)
        ct_free_sized(pool->allocator, pool->pages.items[i], PAGE_BYTES);
    ct_array_free(&pool->pages);
    for (block_header *block = pool->large, *next; block; block = next) {
        next = block->next;
        ct_free(pool->allocator, block);
    }
    ct_database_pool_init(pool, pool->allocator);
}

static uint64_t class_of(uint64_t size_bytes) {
    return (size_bytes - 1) / CLASS_BYTES;
}

static void *take_large(ct_database_pool *pool, uint64_t size_bytes) {
    block_header *const block = ct_alloc(pool->allocator, sizeof(*block) + size_bytes);
    *block = (block_header){.next = pool->large};
    if (pool->large)
        pool->large->previous = block;
    pool->large = block;
    return block + 1;
}

static void release_large(ct_database_pool *pool, void *bytes, uint64_t size_bytes) {
    block_header *const block = (block_header *)bytes - 1;
    if (block->previous)
        block->previous->next = block->next;
    else
        pool->large = block->next;
    if (block->next)
        block->next->previous = block->previous;
    ct_free_sized(pool->allocator, block, sizeof(*block) + size_bytes);
}

void *ct_database_pool_take(ct_database_pool *pool, uint64_t size_bytes) {
    if (size_bytes == 0)
        return NULL;
    const uint64_t class = class_of(size_bytes), bytes = (class + 1) * CLASS_BYTES;
    if (class >= CT_DATABASE_POOL_CLASSES)
        return take_large(pool, size_bytes);
    void *const found = pool->free[class];
    if (found) {
        memcpy(&pool->free[class], found, sizeof(void *));
        return found;
    }
    if (pool->left_bytes < bytes) { // what is left of the page, at most 240 bytes, is not used
        pool->page = ct_alloc(pool->allocator, PAGE_BYTES);
        pool->left_bytes = PAGE_BYTES;
        ct_array_push(&pool->pages, pool->page);
    }
    void *const block = pool->page;
    pool->page += bytes;
    pool->left_bytes -= (uint32_t)bytes;
    return block;
}

void ct_database_pool_release(ct_database_pool *pool, void *block, uint64_t size_bytes) {
    if (!block)
        return;
    const uint64_t class = class_of(size_bytes);
    if (class >= CT_DATABASE_POOL_CLASSES) {
        release_large(pool, block, size_bytes);
        return;
    }
    memcpy(block, &pool->free[class], sizeof(void *));
    pool->free[class] = block;
}
