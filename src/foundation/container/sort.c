#include "foundation/container/sort.h"

#include "foundation/error.h"
#include "foundation/memory/allocator.h"

// One implementation for all kinds of item: a key of 4 or 8 bytes at the front of an item of
// `item_bytes`. Both sizes are constants wherever it is inlined, so that keys are plain loads and
// items plain moves.
#define INLINE static inline __attribute__((always_inline))

enum { FEW_ITEMS = 48, MAX_ITEM_BYTES = 64, DIGITS = 256 };

INLINE uint64_t key_at(const unsigned char *items, uint64_t i, uint32_t item_bytes,
                       uint32_t key_bytes) {
    if (key_bytes == 4) {
        uint32_t key;
        memcpy(&key, items + i * item_bytes, sizeof(key));
        return key;
    }
    uint64_t key;
    memcpy(&key, items + i * item_bytes, sizeof(key));
    return key;
}

INLINE void sort_few(unsigned char *items, uint32_t count, uint32_t item_bytes,
                     uint32_t key_bytes) {
    for (uint64_t i = 1; i < count; ++i) {
        const uint64_t key = key_at(items, i, item_bytes, key_bytes);
        unsigned char item[MAX_ITEM_BYTES];
        memcpy(item, items + i * item_bytes, item_bytes);
        uint64_t at = i;
        for (; at > 0 && key_at(items, at - 1, item_bytes, key_bytes) > key; --at)
            memcpy(items + at * item_bytes, items + (at - 1) * item_bytes, item_bytes);
        memcpy(items + at * item_bytes, item, item_bytes);
    }
}

// Moves the items to `to` in the order of the byte of their keys at `shift`.
INLINE void sort_by_byte(const unsigned char *from, unsigned char *to, uint32_t count,
                         uint32_t item_bytes, uint32_t key_bytes, uint32_t shift) {
    uint32_t begin[DIGITS] = {0};
    for (uint64_t i = 0; i < count; ++i)
        ++begin[key_at(from, i, item_bytes, key_bytes) >> shift & 0xff];
    uint32_t sum = 0;
    for (uint32_t digit = 0; digit < DIGITS; ++digit) {
        const uint32_t n = begin[digit];
        begin[digit] = sum;
        sum += n;
    }
    for (uint64_t i = 0; i < count; ++i) {
        const uint64_t at = begin[key_at(from, i, item_bytes, key_bytes) >> shift & 0xff]++;
        memcpy(to + at * item_bytes, from + i * item_bytes, item_bytes);
    }
}

// Returns where the result is: `items` or `scratch`.
INLINE void *sort(void *items, void *scratch, uint32_t count, uint32_t item_bytes,
                  uint32_t key_bytes) {
    if (count <= FEW_ITEMS) {
        sort_few(items, count, item_bytes, key_bytes);
        return items;
    }
    uint64_t differing = 0;
    const uint64_t first = key_at(items, 0, item_bytes, key_bytes);
    for (uint64_t i = 1; i < count; ++i)
        differing |= key_at(items, i, item_bytes, key_bytes) ^ first;
    unsigned char *from = items, *to = scratch;
    for (uint32_t shift = 0; shift < key_bytes * 8; shift += 8) {
        if (!(differing >> shift & 0xff))
            continue;
        sort_by_byte(from, to, count, item_bytes, key_bytes, shift);
        unsigned char *const swap = from;
        from = to;
        to = swap;
    }
    return from;
}

INLINE void sort_in_place(void *items, void *scratch, uint32_t count, uint32_t item_bytes,
                          uint32_t key_bytes) {
    const void *const sorted = sort(items, scratch, count, item_bytes, key_bytes);
    if (sorted != items)
        memcpy(items, sorted, (uint64_t)count * item_bytes);
}

void ct_sort_items32(ct_sort_item32 *items, ct_sort_item32 *scratch, uint32_t count) {
    sort_in_place(items, scratch, count, sizeof(*items), sizeof(items->key));
}

void ct_sort_items64(ct_sort_item64 *items, ct_sort_item64 *scratch, uint32_t count) {
    sort_in_place(items, scratch, count, sizeof(*items), sizeof(items->key));
}

void ct_sort_u32(uint32_t *keys, uint32_t *scratch, uint32_t count) {
    sort_in_place(keys, scratch, count, sizeof(*keys), sizeof(*keys));
}

void ct_sort_u64(uint64_t *keys, uint64_t *scratch, uint32_t count) {
    sort_in_place(keys, scratch, count, sizeof(*keys), sizeof(*keys));
}

void *ct_sort_records64(void *records, void *scratch, uint32_t count, uint32_t record_bytes) {
    const uint32_t key_bytes = sizeof(uint64_t);
    switch (record_bytes) {
    case 8:
        return sort(records, scratch, count, 8, key_bytes);
    case 16:
        return sort(records, scratch, count, 16, key_bytes);
    case 24:
        return sort(records, scratch, count, 24, key_bytes);
    case 32:
        return sort(records, scratch, count, 32, key_bytes);
    case 40:
        return sort(records, scratch, count, 40, key_bytes);
    case 48:
        return sort(records, scratch, count, 48, key_bytes);
    case 56:
        return sort(records, scratch, count, 56, key_bytes);
    case 64:
        return sort(records, scratch, count, 64, key_bytes);
    }
    CT_ASSERT(false, "the size of a record must be a multiple of 8 from 8 to 64 bytes, found %u",
              record_bytes);
    return NULL;
}

void ct_sort_order32(const uint32_t *keys, uint32_t *order, uint32_t count, ct_allocator *scratch) {
    if (count == 0)
        return;
    const uint64_t bytes = sizeof(ct_sort_item32) * 2 * (uint64_t)count;
    ct_sort_item32 *const items = ct_alloc(scratch, bytes);
    for (uint32_t i = 0; i < count; ++i)
        items[i] = (ct_sort_item32){keys[i], i};
    ct_sort_items32(items, items + count, count);
    for (uint32_t i = 0; i < count; ++i)
        order[i] = items[i].index;
    ct_free_sized(scratch, items, bytes);
}

void ct_sort_order64(const uint64_t *keys, uint32_t *order, uint32_t count, ct_allocator *scratch) {
    if (count == 0)
        return;
    const uint64_t bytes = sizeof(ct_sort_item64) * 2 * (uint64_t)count;
    ct_sort_item64 *const items = ct_alloc(scratch, bytes);
    for (uint32_t i = 0; i < count; ++i)
        items[i] = (ct_sort_item64){keys[i], i};
    ct_sort_items64(items, items + count, count);
    for (uint32_t i = 0; i < count; ++i)
        order[i] = (uint32_t)items[i].index;
    ct_free_sized(scratch, items, bytes);
}
