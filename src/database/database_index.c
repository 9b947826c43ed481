#include "database/database_index.h"

#include <string.h>

#include "foundation/error.h"

enum { LEAST_CAPACITY = 16 };

void ct_database_index_free(ct_database_index *index) {
    ct_free_sized(index->allocator, index->entries, sizeof(*index->entries) * index->capacity);
    *index = (ct_database_index){.allocator = index->allocator};
}

static void put(ct_database_index *index, ct_database_index_entry entry) {
    uint32_t place = entry.hash >> index->shift;
    while (index->entries[place].number)
        place = (place + 1) & (index->capacity - 1);
    index->entries[place] = entry;
}

void ct_database_index_reserve(ct_database_index *index, uint32_t count) {
    uint64_t capacity = index->capacity ? index->capacity : LEAST_CAPACITY;
    while ((uint64_t)count * 4 > capacity * 3)
        capacity *= 2;
    if (capacity == index->capacity)
        return;
    CT_REQUIRE(capacity <= UINT32_C(1) << 31, "an index of a database with %u entries", count);
    const ct_database_index old = *index;
    index->capacity = (uint32_t)capacity;
    index->shift = (uint32_t)__builtin_clz(index->capacity) + 1;
    index->entries = CT_NEW_ARRAY(index->allocator, ct_database_index_entry, capacity);
    for (uint32_t i = 0; i < old.capacity; ++i)
        if (old.entries[i].number)
            put(index, old.entries[i]);
    ct_free_sized(index->allocator, old.entries, sizeof(*old.entries) * old.capacity);
}

void ct_database_index_add(ct_database_index *index, uint64_t hash, uint32_t number) {
    ct_database_index_reserve(index, ++index->count);
    put(index, (ct_database_index_entry){(uint32_t)(hash >> 32), number});
}

void ct_database_index_remove(ct_database_index *index, uint64_t hash, uint32_t number) {
    const uint32_t mask = index->capacity - 1;
    CT_ASSERT(index->count > 0, "the index is empty");
    uint32_t hole = (uint32_t)(hash >> 32) >> index->shift;
    for (; index->entries[hole].number != number; hole = (hole + 1) & mask)
        CT_ASSERT(index->entries[hole].number, "number %u is not under this hash", number);
    // Entries behind it move back to the hole unless their search begins after it.
    for (uint32_t i = (hole + 1) & mask; index->entries[i].number; i = (i + 1) & mask) {
        const uint32_t home = index->entries[i].hash >> index->shift;
        if (((i - home) & mask) >= ((i - hole) & mask)) {
            index->entries[hole] = index->entries[i];
            hole = i;
        }
    }
    index->entries[hole] = (ct_database_index_entry){0};
    --index->count;
}
