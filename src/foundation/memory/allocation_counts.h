// allocation_counts.h: how many blocks each named allocator has handed out so far.
//
// Two snapshots show which allocators were used in between, for games that want frames without
// allocations.
#pragma once
#include "foundation/types.h"

enum { CT_ALLOCATION_COUNTS_MAX = 256, CT_ALLOCATION_COUNTS_NAME_BYTES = 64 };

typedef struct ct_allocation_count {
    char name[CT_ALLOCATION_COUNTS_NAME_BYTES];
    uint32_t depth;      // in the tree of allocators; parents come first
    uint64_t num_blocks; // its own, without those of its children
} ct_allocation_count;

// Holds the first CT_ALLOCATION_COUNTS_MAX allocators; further ones are counted in their parents.
typedef struct ct_allocation_counts {
    ct_allocation_count items[CT_ALLOCATION_COUNTS_MAX];
    uint32_t count;
    uint64_t num_blocks; // of all
} ct_allocation_counts;

// Fills `c`; the `num_but` allocators that `but` names count 0 blocks. Allocates nothing; takes
// some 10 us. Exact while no other thread allocates. Any thread.
void ct_allocation_counts_take(ct_allocation_counts *c, const char *const *but, uint32_t num_but);

// Returns how many blocks the allocator `c->items[i]` handed out since `before`.
uint64_t ct_allocation_counts_since(const ct_allocation_counts *c, uint32_t i,
                                    const ct_allocation_counts *before);
