// hash_map.h: from 64-bit keys to 64-bit values, in one allocation.
//
// Open addressing with linear probing over a power-of-two table that grows past 70 % load; erased
// places are closed by moving later entries back, so there are no tombstones. Any key is allowed.
// A key's home is the top bits of its hash: two multiplications by 2^64 over the golden ratio with
// a fold between them. One (Knuth's multiplicative hashing) was measured and is no faster to speak
// of, but pairs of small numbers in one key fall into lumps.
//
// Keys and values lie side by side, four entries to a cache line: a lookup costs one cache miss
// where the table is larger than the caches, and those of ct_hash_map_get_many overlap. Metadata
// beside the table (SwissTable) and buckets compared by SIMD were measured and lose at every size.
// One thread; threads may read a map together while none of them changes it.
#pragma once
#include "foundation/memory/allocator.h"

// A key and its value. Change the value only.
typedef struct ct_hash_map_entry {
    uint64_t key, value;
} ct_hash_map_entry;

// {.allocator = a} is a valid empty map.
typedef struct ct_hash_map {
    ct_hash_map_entry *entries; // capacity + 1 places; the last holds the value of key 0
    uint32_t count;             // live entries, key 0 included
    uint32_t capacity;          // 0 or a power of two from 8
    uint32_t shift;             // 64 - log2(capacity)
    bool has_zero_key;
    ct_allocator *allocator;
} ct_hash_map;

// Makes an empty map; nothing is allocated before the first entry.
void ct_hash_map_init(ct_hash_map *map, ct_allocator *a);

// Frees the map's memory; it is empty and usable afterwards.
void ct_hash_map_free(ct_hash_map *map);

// Removes all entries, keeps the memory.
void ct_hash_map_clear(ct_hash_map *map);

// Makes room for `count` entries in all without growing.
void ct_hash_map_reserve(ct_hash_map *map, uint32_t count);

// Returns the home of `key`: where its search begins. For the functions here; the map has
// memory.
static inline uint32_t ct_hash_map_home(const ct_hash_map *map, uint64_t key) {
    const uint64_t product = key * UINT64_C(0x9e3779b97f4a7c15);
    return (uint32_t)(((product ^ product >> 32) * UINT64_C(0x9e3779b97f4a7c15)) >> map->shift);
}

// Returns the place of the value of `key`, or NULL. Valid until the map next changes.
static inline uint64_t *ct_hash_map_find(const ct_hash_map *map, uint64_t key) {
    if (map->capacity == 0)
        return NULL;
    if (key == 0)
        return map->has_zero_key ? &map->entries[map->capacity].value : NULL;
    for (uint32_t i = ct_hash_map_home(map, key);; i = (i + 1) & (map->capacity - 1)) {
        ct_hash_map_entry *entry = &map->entries[i];
        if (entry->key == key)
            return &entry->value;
        if (entry->key == 0)
            return NULL;
    }
}

// Prefetches the entry of `key` for a lookup a few keys later.
static inline void ct_hash_map_prefetch(const ct_hash_map *map, uint64_t key) {
    if (map->capacity > 0)
        __builtin_prefetch(&map->entries[ct_hash_map_home(map, key)], 1);
}

// Returns the value of `key`, or `otherwise` when there is none.
static inline uint64_t ct_hash_map_get(const ct_hash_map *map, uint64_t key, uint64_t otherwise) {
    const uint64_t *value = ct_hash_map_find(map, key);
    return value ? *value : otherwise;
}

// Sets values[i] to the value of keys[i], or to `otherwise`, for all `count` keys. The arrays may
// be the same. About half the time of single lookups when the table does not fit the caches.
void ct_hash_map_get_many(const ct_hash_map *map, const uint64_t *keys, uint32_t count,
                          uint64_t otherwise, uint64_t *values);

// Sets the value of `key`; adds the key when it is new.
void ct_hash_map_set(ct_hash_map *map, uint64_t key, uint64_t value);

// Adds an entry. Returns false and changes nothing when the key is there already.
bool ct_hash_map_add(ct_hash_map *map, uint64_t key, uint64_t value);

// Removes `key`; returns false when it was not there.
bool ct_hash_map_erase(ct_hash_map *map, uint64_t key);

// Walks all entries in no particular order: start with *cursor 0; returns NULL at the end. The map
// must not change meanwhile, except for values.
ct_hash_map_entry *ct_hash_map_next(const ct_hash_map *map, uint32_t *cursor);
