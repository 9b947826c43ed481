// ring.h: a growing first-in first-out queue of plain values of one size.
//
// A power-of-two buffer with head and count; pushing to a full ring doubles it. One thread.
#pragma once
#include "foundation/memory/allocator.h"

typedef struct ct_ring {
    char *items;
    uint32_t item_bytes;
    uint32_t head;     // position of the oldest item
    uint32_t count;    // items in the queue
    uint32_t capacity; // 0 or a power of two
    ct_allocator *allocator;
} ct_ring;

// Makes an empty ring of items of `item_bytes`.
void ct_ring_init(ct_ring *ring, ct_allocator *a, uint32_t item_bytes);

// Frees the memory; the ring is empty and usable afterwards.
void ct_ring_free(ct_ring *ring);

// Makes room for `count` items in all.
void ct_ring_reserve(ct_ring *ring, uint32_t count);

// Appends a copy of `item`.
void ct_ring_push(ct_ring *ring, const void *item);

// Moves the oldest item to `item` (may be NULL); returns false and leaves `item` when empty.
bool ct_ring_pop(ct_ring *ring, void *item);

// Appends copies of `count` items, in their order.
void ct_ring_push_many(ct_ring *ring, const void *items, uint32_t count);

// Moves the `count` oldest items, which must be there, to `items`.
void ct_ring_pop_many(ct_ring *ring, void *items, uint32_t count);

// The item at `position` counted from the oldest (0) to the newest (count - 1).
void *ct_ring_at(const ct_ring *ring, uint32_t position);
