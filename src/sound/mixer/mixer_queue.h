// mixer_queue.h: a ring of items of one size, from one thread to another, without locks.
//
// One thread pushes, one pops. An item is copied in and out; what was written before a push is seen
// after its pop.
#pragma once
#include <stdatomic.h>

#include "foundation/memory/allocator.h"

enum { CT_MIXER_CACHE_LINE = 64 };

typedef struct ct_mixer_queue {
    uint8_t *items;
    uint32_t item_bytes;
    uint32_t capacity; // a power of two
    // Counted on for ever; each on a cache line of its own, as each has another writer.
    _Alignas(CT_MIXER_CACHE_LINE) _Atomic uint32_t num_pushed;
    _Alignas(CT_MIXER_CACHE_LINE) _Atomic uint32_t num_popped;
} ct_mixer_queue;

// Makes a queue for at least `least_capacity` items (1 to 2^30). The struct must be aligned to a cache
// line.
void ct_mixer_queue_init(ct_mixer_queue *q, ct_allocator *a, uint32_t item_bytes,
                         uint32_t least_capacity);
void ct_mixer_queue_free(ct_mixer_queue *q, ct_allocator *a);

// Copies an item to the end. Returns false and changes nothing when the queue is full.
bool ct_mixer_queue_push(ct_mixer_queue *q, const void *item);

// Copies the first item to `item` and removes it. Returns false when there is none.
bool ct_mixer_queue_pop(ct_mixer_queue *q, void *item);
