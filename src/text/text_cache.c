#include "text/text_cache.h"

// Two keys of one hash: the second one is found under the next hash.
static const uint64_t next_hash = UINT64_C(0x2545f4914f6cdd1d);

void ct_text_cache_init(ct_text_cache *c, ct_allocator *a) {
    *c = (ct_text_cache){.allocator = a};
    ct_hash_map_init(&c->map, a);
    ct_array_init(&c->entries, a);
    ct_array_init(&c->used, a);
}

static void free_entry(ct_text_cache *c, ct_text_cache_entry *entry) {
    c->bytes -= entry->bytes;
    ct_free_sized(c->allocator, entry, entry->bytes);
}

void ct_text_cache_clear(ct_text_cache *c) {
    for (uint32_t i = 0; i < c->entries.count; ++i)
        free_entry(c, c->entries.items[i]);
    ct_hash_map_free(&c->map);
    ct_array_free(&c->entries);
    ct_array_free(&c->used);
}

ct_text_cache_entry *ct_text_cache_find(ct_text_cache *c, uint64_t *hash, const void *key,
                                        ct_text_cache_is_equal is_equal, uint32_t frame) {
    *hash ^= c->variant * next_hash;
    for (;; *hash += next_hash) {
        const uint64_t *const index = ct_hash_map_find(&c->map, *hash);
        if (!index)
            return NULL;
        ct_text_cache_entry *const entry = c->entries.items[*index];
        if (entry->variant == c->variant && is_equal(entry, key)) {
            c->used.items[*index] = frame;
            return entry;
        }
    }
}

void ct_text_cache_add(ct_text_cache *c, ct_text_cache_entry *entry, uint32_t frame) {
    entry->variant = c->variant;
    ct_hash_map_set(&c->map, entry->hash, c->entries.count);
    ct_array_push(&c->entries, entry);
    ct_array_push(&c->used, frame);
    c->bytes += entry->bytes;
}

static void erase(ct_text_cache *c, uint32_t i) {
    ct_hash_map_erase(&c->map, c->entries.items[i]->hash);
    free_entry(c, c->entries.items[i]);
    ct_array_swap_erase(&c->entries, i);
    ct_array_swap_erase(&c->used, i);
    if (i < c->entries.count)
        ct_hash_map_set(&c->map, c->entries.items[i]->hash, i);
}

static void erase_older(ct_text_cache *c, uint32_t frame, uint32_t max_age, uint64_t least_bytes) {
    for (uint32_t i = c->entries.count; i-- > 0 && c->bytes > least_bytes;) {
        if (frame - c->used.items[i] > max_age)
            erase(c, i);
    }
}

void ct_text_cache_sweep(ct_text_cache *c, uint32_t frame, uint32_t max_age, uint64_t max_bytes) {
    erase_older(c, frame, max_age, 0);
    for (uint32_t age = max_age; c->bytes > max_bytes; age /= 4) {
        erase_older(c, frame, age, max_bytes);
        if (age == 0)
            return;
    }
}

uint64_t ct_text_hash_bytes(uint64_t hash, const void *bytes, uint32_t num_bytes) {
    const uint8_t *const at = bytes;
    hash ^= num_bytes;
    if (num_bytes >= 16) {
        for (uint32_t i = 0; i + 16 < num_bytes; i += 16)
            hash = ct_text_hash_mix(hash ^ ct_text_load(at + i), ct_text_load(at + i + 8));
        // The last 16 bytes, some of them again.
        return ct_text_hash_mix(hash ^ ct_text_load(at + num_bytes - 16),
                                ct_text_load(at + num_bytes - 8));
    }
    if (num_bytes >= 8)
        return ct_text_hash_mix(hash ^ ct_text_load(at), ct_text_load(at + num_bytes - 8));
    uint64_t rest = 0;
    for (uint32_t i = 0; i < num_bytes; ++i)
        rest |= (uint64_t)at[i] << (8 * i);
    return ct_text_hash_mix(hash ^ rest, num_bytes);
}
