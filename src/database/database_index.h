// database_index.h: from a hash to a number, for things that are compared by their owner.
//
// Open addressing with linear probing; 8 bytes a place, at most 3 of 4 filled: the upper 32 bits of a hash and the
// number side by side. Unlike ct_hash_map, several numbers may have one hash: the owner goes through them and compares
// what they mean, so keys of any length are exact and lie in one place only. {.allocator = a} is a valid
// empty index. One thread.
#pragma once
#include "foundation/memory/allocator.h"

typedef struct ct_database_index_entry {
    uint32_t hash, number; // number 0: empty
} ct_database_index_entry;

typedef struct ct_database_index {
    ct_database_index_entry *entries;
    uint32_t count, capacity; // capacity 0 or a power of two
    uint32_t shift;           // 32 - log2(capacity)
    ct_allocator *allocator;
} ct_database_index;

// Frees the memory; the index is empty and usable afterwards.
void ct_database_index_free(ct_database_index *index);

// Makes room for `count` numbers in all.
void ct_database_index_reserve(ct_database_index *index, uint32_t count);

// Adds a number (not 0) under a hash. The same number may only be added once.
void ct_database_index_add(ct_database_index *index, uint64_t hash, uint32_t number);

// Removes a number that was added under this hash.
void ct_database_index_remove(ct_database_index *index, uint64_t hash, uint32_t number);

// Starts a search: `*place` is then for ct_database_index_next.
static inline void ct_database_index_find(const ct_database_index *index, uint64_t hash,
                                          uint32_t *place) {
    *place = index->capacity ? (uint32_t)(hash >> 32) >> index->shift : 0;
}

// Returns the next number under the hash, or 0 when there are no more.
static inline uint32_t ct_database_index_next(const ct_database_index *index, uint64_t hash,
                                              uint32_t *place) {
    if (index->capacity == 0)
        return 0;
    for (;;) {
        const ct_database_index_entry entry = index->entries[*place];
        if (entry.number == 0)
            return 0;
        *place = (*place + 1) & (index->capacity - 1);
        if (entry.hash == (uint32_t)(hash >> 32))
            return entry.number;
    }
}
