#include "entity/soa.h"

#include <string.h>

#include "foundation/error.h"

enum { FIRST_CAPACITY = 16, CACHE_LINE_BYTES = 64 };

static uint64_t column_bytes(const ct_soa_column *column, uint32_t capacity) {
    const uint64_t bytes = (uint64_t)column->item_bytes * capacity;
    return (bytes + CACHE_LINE_BYTES - 1) & ~(uint64_t)(CACHE_LINE_BYTES - 1);
}

static char *column_items(const ct_soa *soa, const ct_soa_column *column) {
    char *items;
    memcpy(&items, soa->owner + column->offset, sizeof items);
    return items;
}

static void grow(ct_soa *soa, uint32_t capacity) {
    uint64_t bytes = 0;
    for (uint32_t c = 0; c < soa->num_columns; ++c)
        bytes += column_bytes(&soa->columns[c], capacity);
    char *const block = ct_alloc_aligned(soa->allocator, bytes, CACHE_LINE_BYTES);
    char *items = block;
    for (uint32_t c = 0; c < soa->num_columns; ++c) {
        const ct_soa_column *column = &soa->columns[c];
        if (soa->count)
            memcpy(items, column_items(soa, column), (uint64_t)column->item_bytes * soa->count);
        memcpy(soa->owner + column->offset, &items, sizeof items);
        items += column_bytes(column, capacity);
    }
    ct_free_sized(soa->allocator, soa->block, soa->block_bytes);
    soa->block = block;
    soa->block_bytes = bytes;
    soa->capacity = capacity;
}

void ct_soa_init(ct_soa *soa, ct_allocator *a, void *owner, const ct_soa_column *columns,
                 uint32_t num_columns) {
    *soa = (ct_soa){.owner = owner, .columns = columns, .num_columns = num_columns, .allocator = a};
    grow(soa, FIRST_CAPACITY);
    ct_soa_add(soa);
}

void ct_soa_free(ct_soa *soa) {
    ct_free_sized(soa->allocator, soa->block, soa->block_bytes);
    soa->block = NULL;
    soa->block_bytes = 0;
    soa->count = soa->capacity = 0;
}

void ct_soa_reserve(ct_soa *soa, uint32_t count) {
    uint32_t capacity = soa->capacity;
    while (capacity < count) {
        CT_ASSERT(capacity < UINT32_C(1) << 31, "%u items are too many", count);
        capacity *= 2;
    }
    if (capacity > soa->capacity)
        grow(soa, capacity);
}

uint32_t ct_soa_add(ct_soa *soa) {
    ct_soa_reserve(soa, soa->count + 1);
    const uint32_t i = soa->count++;
    for (uint32_t c = 0; c < soa->num_columns; ++c) {
        const ct_soa_column *column = &soa->columns[c];
        memset(column_items(soa, column) + (uint64_t)i * column->item_bytes, 0, column->item_bytes);
    }
    return i;
}

void ct_soa_swap_erase(ct_soa *soa, uint32_t i) {
    CT_ASSERT(i != 0 && i < soa->count, "item %u of %u", i, soa->count);
    const uint32_t last = --soa->count;
    if (i == last)
        return;
    for (uint32_t c = 0; c < soa->num_columns; ++c) {
        const uint64_t bytes = soa->columns[c].item_bytes;
        char *const items = column_items(soa, &soa->columns[c]);
        memcpy(items + i * bytes, items + last * bytes, bytes);
    }
}
