// array.h: growing arrays of plain values.
//
// `CT_ARRAY(type)` is a struct of {items, count, capacity, allocator}; elements are read and
// written as a.items[i]. Growth doubles the capacity (from 8) and moves the items, so pointers to
// elements do not outlive a push. A zeroed array with its allocator set is a valid empty one.
#pragma once
#include "foundation/memory/allocator.h"

#define CT_ARRAY(type)                                                                             \
    struct {                                                                                       \
        type *items;                                                                               \
        uint32_t count, capacity;                                                                  \
        ct_allocator *allocator;                                                                   \
    }

typedef CT_ARRAY(uint32_t) ct_u32_array;
typedef CT_ARRAY(uint64_t) ct_u64_array;
typedef CT_ARRAY(uint8_t) ct_byte_array;
typedef CT_ARRAY(char *) ct_string_array; // each string is owned by the code that filled the array

// Makes `array` (a pointer to a CT_ARRAY) empty, allocating from `a` when it grows.
#define ct_array_init(array, a)                                                                    \
    ((array)->items = NULL, (array)->count = (array)->capacity = 0, (array)->allocator = (a))

// Frees the items; the array is empty and usable afterwards.
#define ct_array_free(array)                                                                       \
    (ct_free_sized((array)->allocator, (array)->items,                                             \
                   sizeof(*(array)->items) * (uint64_t)(array)->capacity),                         \
     (array)->items = NULL, (array)->count = (array)->capacity = 0)

// Makes room for at least `wanted` items in all.
#define ct_array_reserve(array, wanted)                                                            \
    ((array)->items = ct_array_grown((array)->allocator, (array)->items, sizeof(*(array)->items),  \
                                     &(array)->capacity, (wanted)))

// Sets the count; new items are zero.
#define ct_array_resize(array, new_count)                                                          \
    ((array)->items =                                                                              \
         ct_array_resized((array)->allocator, (array)->items, sizeof(*(array)->items),             \
                          &(array)->count, &(array)->capacity, (new_count)))

// Appends one value (the last argument, so that it may be a compound literal).
#define ct_array_push(array, ...)                                                                  \
    ((array)->count < (array)->capacity                                                            \
         ? (void)0                                                                                 \
         : (void)ct_array_reserve((array), (uint64_t)(array)->count + 1),                          \
     (array)->items[(array)->count++] = __VA_ARGS__)

// Appends `n` items that start at `source`, which must not lie inside the array.
#define ct_array_push_many(array, source, n)                                                       \
    (ct_array_reserve((array), (array)->count + (uint64_t)(n)),                                    \
     ct_array_copy((array)->items, (array)->count, (source), sizeof(*(array)->items), (n)),        \
     (array)->count += (n))

// Removes item `i` by moving the last one into its place.
#define ct_array_swap_erase(array, i) ((array)->items[(i)] = (array)->items[--(array)->count])

// Puts one value (the last argument, none of the array's own) before item `i` (0 to count), moving
// all from there on.
#define ct_array_insert(array, i, ...)                                                             \
    (ct_array_reserve((array), (uint64_t)(array)->count + 1),                                      \
     ct_array_open((array)->items, sizeof(*(array)->items), (array)->count, (i)),                  \
     (array)->items[(i)] = __VA_ARGS__, ++(array)->count)

// Removes the `n` items from item `i` on, keeping the order of the others.
#define ct_array_erase(array, i, n)                                                                \
    (ct_array_close((array)->items, sizeof(*(array)->items), (array)->count, (i), (n)),            \
     (array)->count -= (n))

// Behind the macros: returns `items` with a capacity of at least `wanted`, moved when it had to
// grow; `capacity` is brought up to date. More than 2^32 - 1 items are a bug.
void *ct_array_grown(ct_allocator *a, void *items, uint64_t item_bytes, uint32_t *capacity,
                     uint64_t wanted);

// Behind ct_array_resize: as ct_array_grown, with items from `*count` to `new_count` zero.
void *ct_array_resized(ct_allocator *a, void *items, uint64_t item_bytes, uint32_t *count,
                       uint32_t *capacity, uint64_t new_count);

// Behind ct_array_push_many: copies `n` items to place `at` of `items`; nothing when n is 0.
void ct_array_copy(void *items, uint64_t at, const void *source, uint64_t item_bytes, uint64_t n);

// Behind ct_array_insert: moves the items from `at` to before `count` up by one place.
void ct_array_open(void *items, uint64_t item_bytes, uint32_t count, uint64_t at);

// Behind ct_array_erase: moves the items from at + n to before `count` down by `n` places.
void ct_array_close(void *items, uint64_t item_bytes, uint32_t count, uint64_t at, uint64_t n);
