// sparse_set.h: a set of small numbers, such as the slots of handles, as a dense array.
//
// `dense` holds the members without gaps, in the order of adding until one is removed: the last
// moves into its place. `sparse[n]` is the position of member n in `dense`; for others it holds
// anything. Keep data beside the set in arrays of the same order, and move it along on removal.
// Membership is checked by asking both arrays (Briggs and Torczon, "An Efficient Representation for
// Sparse Sets", 1993), so that clearing costs nothing. Memory is 4 bytes for each number below the
// largest ever added and for each member, in powers of two. One thread.
#pragma once
#include "foundation/memory/allocator.h"

// {.allocator = a} is a valid empty set.
typedef struct ct_sparse_set {
    uint32_t *dense;  // `count` members
    uint32_t *sparse; // `universe` positions
    uint32_t count;
    uint32_t capacity; // of dense
    uint32_t universe; // members are below it
    ct_allocator *allocator;
} ct_sparse_set;

// Makes an empty set; nothing is allocated before the first member.
void ct_sparse_set_init(ct_sparse_set *set, ct_allocator *a);

// Frees the memory; the set is empty and usable afterwards.
void ct_sparse_set_free(ct_sparse_set *set);

// Makes room for `count` members below `universe` without growing.
void ct_sparse_set_reserve(ct_sparse_set *set, uint32_t universe, uint32_t count);

// Removes all members, keeps the memory. O(1).
static inline void ct_sparse_set_clear(ct_sparse_set *set) {
    set->count = 0;
}

// Returns the position of `member` in `dense`, or UINT32_MAX when it is not there. O(1).
static inline uint32_t ct_sparse_set_position(const ct_sparse_set *set, uint32_t member) {
    if (member >= set->universe)
        return UINT32_MAX;
    const uint32_t position = set->sparse[member];
    return position < set->count && set->dense[position] == member ? position : UINT32_MAX;
}

// Returns whether `member` is in the set; any number is allowed. O(1).
static inline bool ct_sparse_set_has(const ct_sparse_set *set, uint32_t member) {
    return ct_sparse_set_position(set, member) != UINT32_MAX;
}

// Adds `member` (below 2^31) at the end; returns false when it was there. O(1) save for growth.
bool ct_sparse_set_add(ct_sparse_set *set, uint32_t member);

// Removes `member`; the last one takes its position. Returns false when it was not there. O(1).
bool ct_sparse_set_remove(ct_sparse_set *set, uint32_t member);
