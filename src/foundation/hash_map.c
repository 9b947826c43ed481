#include "foundation/hash_map.h"

#include <string.h>

#include "foundation/error.h"

enum { SMALLEST_CAPACITY = 8 };

static const uint64_t max_capacity = UINT64_C(1) << 31;

// The place where `key` wants to be: the top bits of its product with 2^64 over the golden ratio
// (Knuth's multiplicative hashing), so that keys that follow each other spread.
static uint32_t home_of(uint64_t key, uint32_t capacity) {
    return (uint32_t)((key * UINT64_C(0x9e3779b97f4a7c15)) >> (64 - __builtin_ctz(capacity)));
}

static uint64_t table_bytes(uint32_t capacity) {
    return capacity ? ((uint64_t)capacity + 1) * sizeof(ct_hash_map_entry) : 0;
}

// The place of `key` (not 0), or the empty place where it belongs.
static ct_hash_map_entry *probe(const ct_hash_map *map, uint64_t key) {
    const uint32_t mask = map->capacity - 1;
    uint32_t i = home_of(key, map->capacity);
    while (map->entries[i].key != key && map->entries[i].key != 0)
        i = (i + 1) & mask;
    return &map->entries[i];
}

static void rehash(ct_hash_map *map, uint32_t capacity) {
    const ct_hash_map old = *map;
    map->entries = ct_alloc_zero(map->allocator, table_bytes(capacity));
    map->capacity = capacity;
    for (uint32_t i = 0; i < old.capacity; ++i)
        if (old.entries[i].key != 0)
            *probe(map, old.entries[i].key) = old.entries[i];
    if (old.has_zero_key)
        map->entries[capacity] = old.entries[old.capacity];
    ct_free_sized(map->allocator, old.entries, table_bytes(old.capacity));
}

void ct_hash_map_init(ct_hash_map *map, ct_allocator *a) {
    *map = (ct_hash_map){.allocator = a};
}

void ct_hash_map_free(ct_hash_map *map) {
    ct_free_sized(map->allocator, map->entries, table_bytes(map->capacity));
    ct_hash_map_init(map, map->allocator);
}

void ct_hash_map_clear(ct_hash_map *map) {
    if (map->capacity)
        memset(map->entries, 0, table_bytes(map->capacity));
    map->count = 0;
    map->has_zero_key = false;
}

void ct_hash_map_reserve(ct_hash_map *map, uint32_t count) {
    uint64_t capacity = map->capacity ? map->capacity : SMALLEST_CAPACITY;
    while ((uint64_t)count * 10 > capacity * 7)
        capacity *= 2;
    CT_ASSERT(capacity <= max_capacity, "a hash map of %u entries", count);
    if (capacity != map->capacity)
        rehash(map, (uint32_t)capacity);
}

uint64_t ct_hash_map_get(const ct_hash_map *map, uint64_t key, uint64_t otherwise) {
    const uint64_t *value = ct_hash_map_find(map, key);
    return value ? *value : otherwise;
}

uint64_t *ct_hash_map_find(const ct_hash_map *map, uint64_t key) {
    if (key == 0)
        return map->has_zero_key ? &map->entries[map->capacity].value : NULL;
    if (map->capacity == 0)
        return NULL;
    ct_hash_map_entry *entry = probe(map, key);
    return entry->key == key ? &entry->value : NULL;
}

void ct_hash_map_set(ct_hash_map *map, uint64_t key, uint64_t value) {
    uint64_t *present = ct_hash_map_find(map, key);
    if (present) {
        *present = value;
        return;
    }
    ct_hash_map_reserve(map, map->count + 1);
    ct_hash_map_entry *entry = key ? probe(map, key) : &map->entries[map->capacity];
    *entry = (ct_hash_map_entry){key, value};
    map->has_zero_key |= key == 0;
    map->count++;
}

// Empties place `hole` and moves later entries of the same run back, each no further than its home,
// so that every entry can be reached from its home without a gap.
static void close_hole(ct_hash_map *map, uint32_t hole) {
    const uint32_t mask = map->capacity - 1;
    for (uint32_t i = (hole + 1) & mask; map->entries[i].key != 0; i = (i + 1) & mask) {
        const uint32_t home = home_of(map->entries[i].key, map->capacity);
        if (((i - home) & mask) < ((i - hole) & mask))
            continue;
        map->entries[hole] = map->entries[i];
        hole = i;
    }
    map->entries[hole] = (ct_hash_map_entry){0};
}

bool ct_hash_map_erase(ct_hash_map *map, uint64_t key) {
    if (!ct_hash_map_find(map, key))
        return false;
    if (key)
        close_hole(map, (uint32_t)(probe(map, key) - map->entries));
    else
        map->has_zero_key = false;
    map->count--;
    return true;
}

ct_hash_map_entry *ct_hash_map_next(const ct_hash_map *map, uint32_t *cursor) {
    while (*cursor < map->capacity) {
        ct_hash_map_entry *entry = &map->entries[(*cursor)++];
        if (entry->key != 0)
            return entry;
    }
    if (*cursor > map->capacity || !map->has_zero_key)
        return NULL;
    ++*cursor;
    return &map->entries[map->capacity];
}
