#include "foundation/container/soa_block.h"

#include <string.h>

#include "foundation/error.h"

enum { FIRST_CAPACITY = 16 };

static char *items_of(const ct_soa_block *soa, const ct_soa_array *array) {
    char *items;
    memcpy(&items, soa->owner + array->pointer_offset, sizeof(items));
    return items;
}

static void set_items(ct_soa_block *soa, const ct_soa_array *array, char *items) {
    memcpy(soa->owner + array->pointer_offset, &items, sizeof(items));
}

static uint64_t largest_align(const ct_soa_block *soa) {
    uint64_t align = CT_DEFAULT_ALIGN;
    for (uint32_t i = 0; i < soa->num_arrays; ++i)
        if (align < soa->arrays[i].align)
            align = soa->arrays[i].align;
    return align;
}

uint64_t ct_soa_block_bytes(const ct_soa_block *soa, uint32_t capacity) {
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < soa->num_arrays; ++i)
        bytes = ct_round_up(bytes, soa->arrays[i].align) +
                (uint64_t)soa->arrays[i].item_bytes * capacity;
    return bytes;
}

static void grow(ct_soa_block *soa, uint32_t capacity) {
    const uint64_t memory_bytes = ct_soa_block_bytes(soa, capacity);
    char *const memory = ct_alloc_aligned(soa->allocator, memory_bytes, largest_align(soa));
    uint64_t offset = 0;
    for (uint32_t i = 0; i < soa->num_arrays; ++i) {
        const ct_soa_array *const array = &soa->arrays[i];
        offset = ct_round_up(offset, array->align);
        if (soa->count)
            memcpy(memory + offset, items_of(soa, array), (uint64_t)array->item_bytes * soa->count);
        set_items(soa, array, memory + offset);
        offset += (uint64_t)array->item_bytes * capacity;
    }
    ct_free_sized(soa->allocator, soa->memory, soa->memory_bytes);
    soa->memory = memory;
    soa->memory_bytes = memory_bytes;
    soa->capacity = capacity;
}

void ct_soa_block_init(ct_soa_block *soa, ct_allocator *a, void *owner, const ct_soa_array *arrays,
                       uint32_t num_arrays) {
    *soa =
        (ct_soa_block){.owner = owner, .arrays = arrays, .num_arrays = num_arrays, .allocator = a};
    for (uint32_t i = 0; i < num_arrays; ++i) {
        const uint32_t align = arrays[i].align;
        CT_ASSERT(arrays[i].item_bytes && align && (align & (align - 1)) == 0,
                  "array %u: cannot have items of %u bytes aligned to %u", i, arrays[i].item_bytes,
                  align);
        set_items(soa, &arrays[i], NULL);
    }
}

void ct_soa_block_free(ct_soa_block *soa) {
    ct_free_sized(soa->allocator, soa->memory, soa->memory_bytes);
    soa->memory = NULL;
    soa->memory_bytes = 0;
    soa->count = soa->capacity = 0;
    for (uint32_t i = 0; i < soa->num_arrays; ++i)
        set_items(soa, &soa->arrays[i], NULL);
}

static void reserve(ct_soa_block *soa, uint64_t count) {
    uint64_t capacity = soa->capacity ? soa->capacity : FIRST_CAPACITY;
    while (capacity < count)
        capacity *= 2;
    CT_REQUIRE(capacity <= UINT64_C(1) << 31, "%llu items are too many for one block",
               (unsigned long long)count);
    if (capacity > soa->capacity)
        grow(soa, (uint32_t)capacity);
}

void ct_soa_block_reserve(ct_soa_block *soa, uint32_t count) {
    if (count > soa->capacity)
        reserve(soa, count);
}

uint32_t ct_soa_block_add(ct_soa_block *soa, uint32_t count) {
    const uint64_t new_count = (uint64_t)soa->count + count;
    if (new_count > soa->capacity)
        reserve(soa, new_count);
    const uint32_t first = soa->count;
    for (uint32_t i = 0; count && i < soa->num_arrays; ++i) {
        const uint64_t item_bytes = soa->arrays[i].item_bytes;
        memset(items_of(soa, &soa->arrays[i]) + first * item_bytes, 0, count * item_bytes);
    }
    soa->count += count;
    return first;
}

// Copies an item; those of usual sizes without a call.
static void copy_item(char *to, const char *from, uint32_t bytes) {
    switch (bytes) {
    case 4:
        memcpy(to, from, 4);
        return;
    case 8:
        memcpy(to, from, 8);
        return;
    case 12:
        memcpy(to, from, 12);
        return;
    case 16:
        memcpy(to, from, 16);
        return;
    default:
        memcpy(to, from, bytes);
    }
}

void ct_soa_block_swap_erase(ct_soa_block *soa, uint32_t i) {
    CT_ASSERT(i < soa->count, "item %u is out of range: there are %u items", i, soa->count);
    const uint32_t last = --soa->count;
    for (uint32_t c = 0; i != last && c < soa->num_arrays; ++c) {
        const uint32_t item_bytes = soa->arrays[c].item_bytes;
        char *const items = items_of(soa, &soa->arrays[c]);
        copy_item(items + i * (uint64_t)item_bytes, items + last * (uint64_t)item_bytes,
                  item_bytes);
    }
}

void ct_soa_block_prefetch(const ct_soa_block *soa, uint32_t i) {
    for (uint32_t c = 0; c < soa->num_arrays; ++c)
        __builtin_prefetch(items_of(soa, &soa->arrays[c]) + i * (uint64_t)soa->arrays[c].item_bytes,
                           1);
}

static void swap_bytes(char *a, char *b, uint64_t bytes) {
    char kept[64];
    while (bytes > 0) {
        const uint64_t part = bytes < sizeof(kept) ? bytes : sizeof(kept);
        memcpy(kept, a, part);
        memmove(a, b, part); // they may be the same
        memcpy(b, kept, part);
        a += part, b += part, bytes -= part;
    }
}

void ct_soa_block_swap(ct_soa_block *soa, uint32_t i, uint32_t k) {
    CT_ASSERT(i < soa->count && k < soa->count,
              "items %u and %u are out of range: there are %u items", i, k, soa->count);
    for (uint32_t c = 0; c < soa->num_arrays; ++c) {
        const uint64_t item_bytes = soa->arrays[c].item_bytes;
        char *const items = items_of(soa, &soa->arrays[c]);
        swap_bytes(items + i * item_bytes, items + k * item_bytes, item_bytes);
    }
}

void ct_soa_block_move_down(ct_soa_block *soa, uint32_t to, uint32_t from, uint32_t count) {
    CT_ASSERT(to <= from && count <= soa->count - from,
              "cannot move items %u to %u of %u down to %u", from, from + count, soa->count, to);
    for (uint32_t i = 0; to != from && count && i < soa->num_arrays; ++i) {
        const uint64_t item_bytes = soa->arrays[i].item_bytes;
        char *const items = items_of(soa, &soa->arrays[i]);
        memmove(items + to * item_bytes, items + from * item_bytes, count * item_bytes);
    }
}

void ct_soa_block_clear(ct_soa_block *soa) {
    soa->count = 0;
}
