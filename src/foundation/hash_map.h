// hash_map.h: from 64-bit keys to 64-bit values, in one allocation.
//
// Open addressing with linear probing over a power-of-two table that grows past 70 % load; erased
// places are closed by moving later entries back, so there are no tombstones. Any key is allowed.
// Keys that are hashes already cost one multiplication more. One thread; readers may share a map
// that nobody changes.
#pragma once
#include "foundation/allocator.h"

typedef struct ct_hash_map_entry {
    uint64_t key, value;
} ct_hash_map_entry;

// {.allocator = a} is a valid empty map.
typedef struct ct_hash_map {
    ct_hash_map_entry *entries; // capacity + 1 places; the last holds the value of key 0
    uint32_t count;             // live entries, key 0 included
    uint32_t capacity;          // 0 or a power of two
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

// Returns the value of `key`, or `otherwise` when there is none.
uint64_t ct_hash_map_get(const ct_hash_map *map, uint64_t key, uint64_t otherwise);

// Returns the place of the value of `key`, or NULL. Valid until the map next changes.
uint64_t *ct_hash_map_find(const ct_hash_map *map, uint64_t key);

// Sets the value of `key`, which may be new.
void ct_hash_map_set(ct_hash_map *map, uint64_t key, uint64_t value);

// Removes `key`; returns false when it was not there.
bool ct_hash_map_erase(ct_hash_map *map, uint64_t key);

// Walks all entries in no particular order: start with *cursor 0; returns NULL at the end. The map
// must not change meanwhile, except for values.
ct_hash_map_entry *ct_hash_map_next(const ct_hash_map *map, uint32_t *cursor);
