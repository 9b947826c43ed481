#include "foundation/container/hash_map.h"

#include <string.h>

#include "foundation/error.h"

enum { SMALLEST_CAPACITY = 8, CACHE_LINE_BYTES = 64, LOOKUPS_IN_FLIGHT = 128 };

static const uint64_t max_capacity = UINT64_C(1) << 31;

static uint64_t table_bytes(uint32_t capacity) {
    return capacity ? ((uint64_t)capacity + 1) * sizeof(ct_hash_map_entry) : 0;
}

// The place of `key` (not 0), or the empty place where it belongs.
static ct_hash_map_entry *probe(const ct_hash_map *map, uint64_t key) {
    const uint32_t mask = map->capacity - 1;
    uint32_t i = ct_hash_map_home(map, key);
    while (map->entries[i].key != key && map->entries[i].key != 0)
        i = (i + 1) & mask;
    return &map->entries[i];
}

static void rehash(ct_hash_map *map, uint32_t capacity) {
    const ct_hash_map old = *map;
    map->entries = ct_alloc_aligned(map->allocator, table_bytes(capacity), CACHE_LINE_BYTES);
    memset(map->entries, 0, table_bytes(capacity));
    map->capacity = capacity;
    map->shift = 64 - (uint32_t)__builtin_ctz(capacity);
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
    CT_ASSERT(capacity <= max_capacity, "%u entries are too many for a hash map", count);
    if (capacity != map->capacity)
        rehash(map, (uint32_t)capacity);
}

void ct_hash_map_get_many(const ct_hash_map *map, const uint64_t *keys, uint32_t count,
                          uint64_t otherwise, uint64_t *values) {
    for (uint32_t begin = 0, end; begin < count; begin = end) {
        end = count - begin < LOOKUPS_IN_FLIGHT ? count : begin + LOOKUPS_IN_FLIGHT;
        for (uint32_t i = begin; map->capacity && i < end; ++i)
            __builtin_prefetch(&map->entries[ct_hash_map_home(map, keys[i])]);
        for (uint32_t i = begin; i < end; ++i)
            values[i] = ct_hash_map_get(map, keys[i], otherwise);
    }
}

static ct_hash_map_entry *entry_of(const ct_hash_map *map, uint64_t key) {
    return key ? probe(map, key) : &map->entries[map->capacity];
}

static bool is_used(const ct_hash_map *map, const ct_hash_map_entry *entry) {
    return entry == &map->entries[map->capacity] ? map->has_zero_key : entry->key != 0;
}

// The entry of a key; where there is none, a new one, and `is_new` is set.
static ct_hash_map_entry *take_entry(ct_hash_map *map, uint64_t key, bool *is_new) {
    ct_hash_map_entry *entry = map->capacity ? entry_of(map, key) : NULL;
    *is_new = !entry || !is_used(map, entry);
    if (!*is_new)
        return entry;
    const ct_hash_map_entry *const entries = map->entries;
    ct_hash_map_reserve(map, map->count + 1);
    if (map->entries != entries)
        entry = entry_of(map, key);
    entry->key = key;
    map->has_zero_key |= key == 0;
    ++map->count;
    return entry;
}

void ct_hash_map_set(ct_hash_map *map, uint64_t key, uint64_t value) {
    bool is_new;
    take_entry(map, key, &is_new)->value = value;
}

bool ct_hash_map_add(ct_hash_map *map, uint64_t key, uint64_t value) {
    bool is_new;
    ct_hash_map_entry *const entry = take_entry(map, key, &is_new);
    if (is_new)
        entry->value = value;
    return is_new;
}

// Empties place `hole` and moves later entries of the same run back, each no further than its home,
// so that every entry can be reached from its home without a gap.
static void close_hole(ct_hash_map *map, uint32_t hole) {
    const uint32_t mask = map->capacity - 1;
    for (uint32_t i = (hole + 1) & mask; map->entries[i].key != 0; i = (i + 1) & mask) {
        const uint32_t home = ct_hash_map_home(map, map->entries[i].key);
        if (((i - home) & mask) < ((i - hole) & mask))
            continue;
        map->entries[hole] = map->entries[i];
        hole = i;
    }
    map->entries[hole] = (ct_hash_map_entry){0};
}

bool ct_hash_map_erase(ct_hash_map *map, uint64_t key) {
    if (map->count == 0)
        return false;
    ct_hash_map_entry *const entry = entry_of(map, key);
    if (!is_used(map, entry))
        return false;
    if (key)
        close_hole(map, (uint32_t)(entry - map->entries));
    else
        map->has_zero_key = false;
    --map->count;
    return true;
}

ct_hash_map_entry *ct_hash_map_next(const ct_hash_map *map, uint32_t *cursor) {
    while (*cursor < map->capacity) {
        ct_hash_map_entry *const entry = &map->entries[(*cursor)++];
        if (entry->key != 0)
            return entry;
    }
    if (*cursor > map->capacity || !map->has_zero_key)
        return NULL;
    ++*cursor;
    return &map->entries[map->capacity];
}
