// allocator.h: the interface that every allocation goes through.
//
// An allocator is a struct of function pointers at the start of a concrete allocator. There is no
// failure value: running out of memory ends the program with a report inside the allocator.
// Blocks may be freed with or without their size; the size, where the caller knows it, is checked:
// it must fit the block, and be exact where the allocator knows exactly. (In `release` the heap
// takes the word of who frees small blocks; a wrong size shows when the allocator ends.)
// From "Custom Memory Allocation in C++" (Bitsquid blog, 2010-09-21).
#pragma once
#include "foundation/types.h"

enum { CT_DEFAULT_ALIGN = 16 };

// What an allocator holds and has done. A block counts as its ct_allocated_size both when it comes
// and when it goes, so live_bytes returns to exactly 0: what was asked for in page, frame and temp
// allocators and under sanitizers; what malloc made of it (a little more) in the heap and over it.
typedef struct ct_allocator_stats {
    uint64_t live_bytes;
    uint64_t live_blocks;
    uint64_t peak_bytes;
    uint64_t total_blocks; // ever allocated
} ct_allocator_stats;

// Plain functions over one allocator. Whether they may be called from several threads at once is
// the concrete allocator's promise.
struct ct_allocator {
    // Returns `size_bytes` > 0 bytes at a multiple of `align` (a power of two).
    void *(*allocate)(ct_allocator *a, uint64_t size_bytes, uint64_t align);
    // Takes back a block of this allocator. `size_bytes` is what was asked for, or 0 when unknown.
    void (*free)(ct_allocator *a, void *p, uint64_t size_bytes);
    // The usable size of a live block, at least what was asked for.
    uint64_t (*allocated_size)(ct_allocator *a, const void *p);
    void (*stats)(ct_allocator *a, ct_allocator_stats *stats);
    const char *name; // borrowed, lives as long as the allocator
};

// The least multiple of `align`, a power of two, that is not below `value`.
static inline uint64_t ct_round_up(uint64_t value, uint64_t align) {
    return (value + align - 1) & ~(align - 1);
}

// Returns `size_bytes` of memory aligned to CT_DEFAULT_ALIGN, or NULL for 0 bytes.
static inline void *ct_alloc(ct_allocator *a, uint64_t size_bytes) {
    return size_bytes ? a->allocate(a, size_bytes, CT_DEFAULT_ALIGN) : NULL;
}

// As ct_alloc, all bytes zero.
void *ct_alloc_zero(ct_allocator *a, uint64_t size_bytes);

// As ct_alloc, aligned to `align`, a power of two.
void *ct_alloc_aligned(ct_allocator *a, uint64_t size_bytes, uint64_t align);

// Returns a block of `new_bytes` that starts with the first min(old_bytes, new_bytes) bytes of `p`,
// and frees `p`. `p` may be NULL when old_bytes is 0; new_bytes 0 frees and returns NULL.
void *ct_realloc(ct_allocator *a, void *p, uint64_t old_bytes, uint64_t new_bytes);

// Frees `p` of which the caller knows the size it asked for; NULL is fine.
static inline void ct_free_sized(ct_allocator *a, void *p, uint64_t size_bytes) {
    if (p)
        a->free(a, p, size_bytes);
}

// Frees `p`; NULL is fine.
static inline void ct_free(ct_allocator *a, void *p) {
    ct_free_sized(a, p, 0);
}

// The usable size of the live block `p`.
uint64_t ct_allocated_size(ct_allocator *a, const void *p);

// What `a` holds now.
ct_allocator_stats ct_allocator_stats_of(ct_allocator *a);

// Returns a copy of the zero-terminated `text`, owned by the caller.
char *ct_copy_string(ct_allocator *a, const char *text);

// `count` zeroed items of `item_bytes`; more than there can be is out of memory. NULL for none.
void *ct_alloc_array_zero(ct_allocator *a, uint64_t item_bytes, uint64_t count);

#define CT_NEW(a, type) ((type *)ct_alloc_zero((a), sizeof(type)))
#define CT_NEW_ARRAY(a, type, count) ((type *)ct_alloc_array_zero((a), sizeof(type), (count)))
