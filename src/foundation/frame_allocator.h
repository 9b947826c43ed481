// frame_allocator.h: pointer-bump memory that is given back all at once or to a mark.
//
// Blocks come one after the other from chunks of the backing allocator; chunks are kept for reuse
// until the allocator is destroyed, so a loop that resets each round allocates nothing once warm.
// Freeing a single block does nothing but count. Each block carries its size. One thread.
#pragma once
#include "foundation/allocator.h"

typedef struct ct_frame_allocator ct_frame_allocator;

// A position in a frame allocator; {0} is its start.
typedef struct ct_frame_mark {
    uint32_t chunk;
    uint64_t offset;
} ct_frame_mark;

// Makes an allocator that takes chunks of `chunk_bytes` (larger for larger blocks) from `backing`.
ct_frame_allocator *ct_frame_allocator_create(ct_allocator *backing, const char *name,
                                              uint64_t chunk_bytes);

// Frees everything (NULL is fine).
void ct_frame_allocator_destroy(ct_frame_allocator *f);

// The interface to allocate through; lives as long as `f`.
ct_allocator *ct_frame_allocator_interface(ct_frame_allocator *f);

// The current position.
ct_frame_mark ct_frame_allocator_mark(const ct_frame_allocator *f);

// Frees all blocks allocated since `mark`, which must not lie past the current position.
void ct_frame_allocator_reset(ct_frame_allocator *f, ct_frame_mark mark);
