// buddy_array.h: many growing arrays that share one buddy allocator.
//
// `CT_BUDDY_ARRAY(type)` is a struct of {items, count, capacity} of 16 bytes; elements are read and
// written as a.items[i], and a zeroed struct is a valid empty array. An array always fills a block
// of the allocator: it doubles by ct_buddy_grow, which often needs no copy, and wastes nothing
// inside. Pointers to elements do not outlive a push.
// From "Allocation Adventures 2: Arrays of Arrays" and "3" (Bitsquid blog, 2015).
#pragma once
#include "foundation/memory/buddy_allocator.h"

#define CT_BUDDY_ARRAY(type)                                                                       \
    struct {                                                                                       \
        type *items;                                                                               \
        uint32_t count, capacity;                                                                  \
    }

// Frees the items; the array is empty and usable afterwards.
#define ct_buddy_array_free(buddy, array)                                                          \
    (ct_buddy_array_give((buddy), (array)->items, sizeof(*(array)->items), (array)->capacity),     \
     (array)->items = NULL, (array)->count = (array)->capacity = 0)

// Makes room for at least `wanted` items in all.
#define ct_buddy_array_reserve(buddy, array, wanted)                                               \
    ((array)->items = ct_buddy_array_grown((buddy), (array)->items, sizeof(*(array)->items),       \
                                           &(array)->capacity, (wanted)))

// Appends one value (the last argument, so that it may be a compound literal).
#define ct_buddy_array_push(buddy, array, ...)                                                     \
    (ct_buddy_array_reserve((buddy), (array), (uint64_t)(array)->count + 1),                       \
     (array)->items[(array)->count++] = __VA_ARGS__)

// Removes the last item, of which there must be one, and is its value.
#define ct_buddy_array_pop(array) ((array)->items[--(array)->count])

// Removes item `i` by moving the last one into its place; or by moving all later ones down.
#define ct_buddy_array_swap_erase(array, i) ((array)->items[(i)] = (array)->items[--(array)->count])
#define ct_buddy_array_erase(array, i)                                                             \
    (ct_buddy_array_close_gap((array)->items, sizeof(*(array)->items), (i), (array)->count),       \
     --(array)->count)

// --- Behind the macros ---------------------------------------------------------------------------

// Returns `items` in a block with room for `wanted`; `capacity` is brought up to date.
void *ct_buddy_array_grown(ct_buddy_allocator *b, void *items, uint64_t item_bytes,
                           uint32_t *capacity, uint64_t wanted);
void ct_buddy_array_give(ct_buddy_allocator *b, void *items, uint64_t item_bytes,
                         uint32_t capacity);
void ct_buddy_array_close_gap(void *items, uint64_t item_bytes, uint32_t i, uint32_t count);
