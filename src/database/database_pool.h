// database_pool.h: blocks of bytes that come and go, for strings and other values of any size.
//
// Blocks of up to 256 bytes are cut from pages of 32 KiB, with a free list for each multiple of 16; larger ones come
// from the allocator, in a list. Pages are freed at the end only. One thread.
#pragma once
#include "foundation/container/array.h"

enum { CT_DATABASE_POOL_CLASSES = 16 };

typedef struct ct_database_pool {
    void *free[CT_DATABASE_POOL_CLASSES]; // lists of free blocks of 16, 32, … bytes
    CT_ARRAY(void *) pages;
    char *page; // the rest of the last one
    uint32_t left_bytes;
    struct ct_database_pool_block *large; // blocks from the allocator
    ct_allocator *allocator;
} ct_database_pool;

// Makes an empty pool; nothing is allocated yet.
void ct_database_pool_init(ct_database_pool *pool, ct_allocator *a);
// Frees all blocks.
void ct_database_pool_free(ct_database_pool *pool);

// Returns a block, aligned to 8 bytes; NULL for 0 bytes.
void *ct_database_pool_take(ct_database_pool *pool, uint64_t size_bytes);

// Gives a block of that size back. NULL is fine.
void ct_database_pool_release(ct_database_pool *pool, void *block, uint64_t size_bytes);
