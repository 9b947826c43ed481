// bump_block.h: the blocks of allocators that only move a pointer (bootstrap, frame, temp).
//
// Right before each block is a 16-byte header: the block's size and whether it was freed. Under
// AddressSanitizer everything in the buffer except the live blocks is poisoned, headers included.
#pragma once
#include "foundation/memory/allocator.h"

typedef struct ct_bump_block {
    uint64_t size_and_freed; // the top bit: freed
    uint64_t unused;         // keeps blocks aligned
} ct_bump_block;

enum { CT_BUMP_BLOCK_BYTES = sizeof(ct_bump_block) };

#define CT_BUMP_BLOCK_FREED (UINT64_C(1) << 63) // the bit in size_and_freed

// Returns the most bytes that a block of this size and alignment takes of a buffer aligned to
// CT_DEFAULT_ALIGN.
uint64_t ct_bump_block_max_bytes(uint64_t size_bytes, uint64_t align);

// Places a block at the first suitable address from `begin` on, counts it in `counters` and returns
// it; NULL when it would reach past `end`.
void *ct_bump_block_place(char *begin, char *end, uint64_t size_bytes, uint64_t align,
                          ct_allocator_stats *counters);

// Returns the header of a block.
ct_bump_block *ct_bump_block_of(const void *p);

// Returns the requested size of a block.
uint64_t ct_bump_block_size(const void *p);

// Marks the block as freed and counts it; `size_bytes` is 0 or the block's size. Freeing it twice
// is a bug, reported with `name`, the allocator's name.
void ct_bump_block_free(void *p, uint64_t size_bytes, ct_allocator_stats *counters,
                        const char *name);
