// allocation_counts.h: how many blocks each named allocator ever handed out, at one moment.
//
// Two of them tell who allocated in between, for games that want to allocate in no frame.
#pragma once
#include "foundation/types.h"

enum { CT_ALLOCATION_COUNTS_MAX = 256, CT_ALLOCATION_COUNTS_NAME_BYTES = 64 };

typedef struct ct_allocation_count {
    char name[CT_ALLOCATION_COUNTS_NAME_BYTES];
    uint32_t depth;      // in the tree of allocators, whose parents come first
    uint64_t num_blocks; // of its own, without those of allocators that stand on it
} ct_allocation_count;

// Of the first CT_ALLOCATION_COUNTS_MAX allocators; what more there are count as their parent.
typedef struct ct_allocation_counts {
    ct_allocation_count items[CT_ALLOCATION_COUNTS_MAX];
    uint32_t count;
    uint64_t num_blocks; // of all
} ct_allocation_counts;

// Takes the counts, without those of the allocators that `but` names (`num_but`). Allocates
// nothing; some 10 us. Exact while no other thread allocates. Any thread.
void ct_allocation_counts_take(ct_allocation_counts *c, const char *const *but, uint32_t num_but);

// The blocks that the allocator at place `i` of `c` handed out since `before`.
uint64_t ct_allocation_counts_since(const ct_allocation_counts *c, uint32_t i,
                                    const ct_allocation_counts *before);
