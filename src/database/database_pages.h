// database_pages.h: items of one size by number, in pages that stay where they are.
//
// Numbers begin at 1 and are used again, the last one freed first. Pages are freed at the end only. One thread.
#pragma once
#include "foundation/memory/allocator.h"

enum { CT_DATABASE_PAGE_BITS = 10, CT_DATABASE_PAGE_ITEMS = 1 << CT_DATABASE_PAGE_BITS };

typedef struct ct_database_pages {
    char **pages;
    uint32_t num_pages, max_pages;
    uint32_t item_bytes; // a multiple of 8
    uint32_t count;      // items in use
    uint32_t end;        // 1 more than the highest number ever used
    uint32_t free;       // the first free number; the next one is in its first bytes
    ct_allocator *allocator;
} ct_database_pages;

// Make pages without items (nothing is allocated yet), and free them.
void ct_database_pages_init(ct_database_pages *pages, ct_allocator *a, uint32_t item_bytes);
void ct_database_pages_free(ct_database_pages *pages);

// Returns the number of a new item, all zeros.
uint32_t ct_database_pages_take(ct_database_pages *pages);

// Gives a number back; the first 4 bytes of the item are then not its own.
void ct_database_pages_release(ct_database_pages *pages, uint32_t number);

// Returns the item with a number from 1 to end - 1.
static inline void *ct_database_pages_at(const ct_database_pages *pages, uint32_t number) {
    const uint32_t i = number - 1;
    return pages->pages[i >> CT_DATABASE_PAGE_BITS] +
           (uint64_t)(i & (CT_DATABASE_PAGE_ITEMS - 1)) * pages->item_bytes;
}
