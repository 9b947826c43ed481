#include "database/database_pages.h"

#include <string.h>

#include "foundation/error.h"

enum { FIRST_PAGES = 8 };

void ct_database_pages_init(ct_database_pages *pages, ct_allocator *a, uint32_t item_bytes) {
    CT_ASSERT(item_bytes >= 8 && item_bytes % 8 == 0, "items of %u bytes", item_bytes);
    *pages = (ct_database_pages){.item_bytes = item_bytes, .end = 1, .allocator = a};
}

static uint64_t page_bytes(const ct_database_pages *pages) {
    return (uint64_t)CT_DATABASE_PAGE_ITEMS * pages->item_bytes;
}

void ct_database_pages_free(ct_database_pages *pages) {
    for (uint32_t i = 0; i < pages->num_pages; ++i)
        ct_free_sized(pages->allocator, pages->pages[i], page_bytes(pages));
    ct_free_sized(pages->allocator, pages->pages, sizeof(*pages->pages) * pages->max_pages);
    ct_database_pages_init(pages, pages->allocator, pages->item_bytes);
}

static void add_page(ct_database_pages *pages) {
    if (pages->num_pages == pages->max_pages) {
        const uint32_t wanted = pages->max_pages ? 2 * pages->max_pages : FIRST_PAGES;
        pages->pages =
            ct_realloc(pages->allocator, pages->pages, sizeof(*pages->pages) * pages->max_pages,
                       sizeof(*pages->pages) * wanted);
        pages->max_pages = wanted;
    }
    pages->pages[pages->num_pages++] = ct_alloc(pages->allocator, page_bytes(pages));
}

uint32_t ct_database_pages_take(ct_database_pages *pages) {
    uint32_t number = pages->free;
    ++pages->count;
    if (number) {
        memcpy(&pages->free, ct_database_pages_at(pages, number), sizeof(pages->free));
    } else {
        CT_REQUIRE(pages->end < UINT32_MAX, "more than 2^32 - 2 items in a database");
        number = pages->end++;
        if (((number - 1) & (CT_DATABASE_PAGE_ITEMS - 1)) == 0)
            add_page(pages);
    }
    memset(ct_database_pages_at(pages, number), 0, pages->item_bytes);
    return number;
}

void ct_database_pages_release(ct_database_pages *pages, uint32_t number) {
    memcpy(ct_database_pages_at(pages, number), &pages->free, sizeof(pages->free));
    pages->free = number;
    --pages->count;
}
