// sort.h: radix sorts of unsigned keys, stable, with an index beside each key.
//
// Sort small records of key and index instead of the things themselves, then go through the things
// by `index`. Least significant digit first, a byte at a time, and only the bytes in which the keys
// differ: n records of one byte's worth of different keys cost one pass. Few records are sorted by
// insertion. All functions are linear in `count`; only the ct_sort_order ones allocate, from the
// allocator that they are given.
//
// For floats, make keys with ct_sort_key_of_float; to sort downwards, complement the keys.
#pragma once
#include <string.h>

#include "foundation/types.h"

// What the sorts work on: a key and the index of the thing that it belongs to.
typedef struct ct_sort_item32 {
    uint32_t key, index;
} ct_sort_item32;

typedef struct ct_sort_item64 {
    uint64_t key;
    uint64_t index; // or whatever else of 64 bits
} ct_sort_item64;

// Sorts `count` items by key, smallest first; items of the same key keep their order. `scratch` has
// room for as many items and is overwritten.
void ct_sort_items32(ct_sort_item32 *items, ct_sort_item32 *scratch, uint32_t count);
void ct_sort_items64(ct_sort_item64 *items, ct_sort_item64 *scratch, uint32_t count);

// As ct_sort_items64 for records of any kind that start with a 64-bit key; `record_bytes` is a
// multiple of 8 from 8 to 64. Returns where the result is: `records` or `scratch`.
void *ct_sort_records64(void *records, void *scratch, uint32_t count, uint32_t record_bytes);

// Fills `order` with the indices 0 to count - 1 in the order of `keys`, smallest first, equal keys
// in their own order; `keys` stays as it is. `scratch` is for the memory that it takes meanwhile,
// 16 bytes an item (32 for 64-bit keys).
void ct_sort_order32(const uint32_t *keys, uint32_t *order, uint32_t count, ct_allocator *scratch);
void ct_sort_order64(const uint64_t *keys, uint32_t *order, uint32_t count, ct_allocator *scratch);

// Sorts plain keys, smallest first. `scratch` has room for as many and is overwritten.
void ct_sort_u32(uint32_t *keys, uint32_t *scratch, uint32_t count);
void ct_sort_u64(uint64_t *keys, uint64_t *scratch, uint32_t count);

// Returns a key that grows with `value` from -infinity to infinity; -0 comes before 0, NaNs at
// the ends.
static inline uint32_t ct_sort_key_of_float(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof(bits));
    return bits & UINT32_C(0x80000000) ? ~bits : bits | UINT32_C(0x80000000);
}

// As ct_sort_key_of_float, for doubles.
static inline uint64_t ct_sort_key_of_double(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof(bits));
    return bits >> 63 ? ~bits : bits | UINT64_C(1) << 63;
}
