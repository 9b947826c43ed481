// text_cache.h: what the text engine has made, found again by all that it was made from.
//
// Entries start with a ct_text_cache_entry and are blocks of the cache's allocator. When each was
// last asked for is in an array of its own, so that the sweep at the end of a frame reads four
// bytes of each.
#pragma once
#include <string.h>

#include "foundation/container/array.h"
#include "foundation/container/hash_map.h"

typedef struct ct_text_cache_entry {
    uint64_t hash;    // its key in the map
    uint64_t bytes;   // of its block
    uint32_t variant; // of the cache, when it was added
} ct_text_cache_entry;

typedef struct ct_text_cache {
    ct_hash_map map; // from hashes to indices of entries
    CT_ARRAY(ct_text_cache_entry *) entries;
    ct_u32_array used; // the frame in which each was last asked for
    uint64_t bytes;
    uint32_t variant; // a part of all keys: the number of the language
    ct_allocator *allocator;
} ct_text_cache;

// Returns whether an entry was made from this key.
typedef bool (*ct_text_cache_is_equal)(const ct_text_cache_entry *entry, const void *key);

// Makes an empty cache.
void ct_text_cache_init(ct_text_cache *c, ct_allocator *a);

// Frees all entries; the cache is empty and usable afterwards.
void ct_text_cache_clear(ct_text_cache *c);

// Returns the entry of a key, or NULL; marks it as asked for in `frame`. `*hash` is the key's hash,
// and becomes the one to add it with.
ct_text_cache_entry *ct_text_cache_find(ct_text_cache *c, uint64_t *hash, const void *key,
                                        ct_text_cache_is_equal is_equal, uint32_t frame);

// Adds an entry that was not found. The cache owns its block.
void ct_text_cache_add(ct_text_cache *c, ct_text_cache_entry *entry, uint32_t frame);

// Frees the entries that were not asked for since `frame - max_age`; then, while there are more
// than `max_bytes`, the oldest that were not asked for in `frame`.
void ct_text_cache_sweep(ct_text_cache *c, uint32_t frame, uint32_t max_age, uint64_t max_bytes);

__extension__ typedef unsigned __int128 ct_text_product;

// Mixes a number into a hash: the two halves of a product (wyhash, Wang Yi).
static inline uint64_t ct_text_hash_mix(uint64_t hash, uint64_t value) {
    const ct_text_product product = (ct_text_product)(hash ^ UINT64_C(0x9e3779b97f4a7c15)) *
                                    (value ^ UINT64_C(0xe7037ed1a0b428db));
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

// Reads eight bytes.
static inline uint64_t ct_text_load(const void *bytes) {
    uint64_t value;
    memcpy(&value, bytes, sizeof(value));
    return value;
}

// Mixes bytes into a hash, 16 at a time.
uint64_t ct_text_hash_bytes(uint64_t hash, const void *bytes, uint32_t num_bytes);
