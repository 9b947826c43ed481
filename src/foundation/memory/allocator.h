// allocator.h: the interface that every allocation goes through.
//
// An allocator is a struct of function pointers at the start of a concrete allocator. There is no
// failure value: running out of memory ends the program with a report inside the allocator.
// Blocks may be freed with or without their size. A size that the caller gives is checked: it must
// fit the block, and be exact where the allocator knows the exact size. (In `release` the heap
// trusts the size given for small blocks; a wrong one shows when the allocator ends.)
// From "Custom Memory Allocation in C++" (Bitsquid blog, 2010-09-21).
#pragma once
#include "foundation/types.h"

enum { CT_DEFAULT_ALIGN = 16 };

// What an allocator holds and has done. A block counts as its ct_allocated_size both when it is
// allocated and when it is freed, so live_bytes returns to exactly 0. That is the requested size in
// page, frame and temp allocators and under sanitizers, and malloc's usable size (a little more) in
// the heap and in allocators over it.
typedef struct ct_allocator_stats {
    uint64_t live_bytes;
    uint64_t live_blocks;
    uint64_t peak_bytes;
    uint64_t total_blocks; // ever allocated
} ct_allocator_stats;

// The functions of one allocator. Each concrete allocator documents whether several threads may
// call them at once.
struct ct_allocator {
    // Returns `size_bytes` > 0 bytes at a multiple of `align` (a power of two).
    void *(*allocate)(ct_allocator *a, uint64_t size_bytes, uint64_t align);
    // Frees a block of this allocator. `size_bytes` is the requested size, or 0 when unknown.
    void (*free)(ct_allocator *a, void *p, uint64_t size_bytes);
    // Returns the usable size of a live block, which is at least the requested size.
    uint64_t (*allocated_size)(ct_allocator *a, const void *p);
    void (*stats)(ct_allocator *a, ct_allocator_stats *stats);
    const char *name; // borrowed, lives as long as the allocator
};

// Rounds `value` up to a multiple of `align`, a power of two.
static inline uint64_t ct_round_up(uint64_t value, uint64_t align) {
    return (value + align - 1) & ~(align - 1);
}

// Returns `size_bytes` of memory aligned to CT_DEFAULT_ALIGN, or NULL for 0 bytes.
static inline void *ct_alloc(ct_allocator *a, uint64_t size_bytes) {
    return size_bytes ? a->allocate(a, size_bytes, CT_DEFAULT_ALIGN) : NULL;
}

// Like ct_alloc, with all bytes zero.
void *ct_alloc_zero(ct_allocator *a, uint64_t size_bytes);

// Like ct_alloc, but aligned to `align`, a power of two.
void *ct_alloc_aligned(ct_allocator *a, uint64_t size_bytes, uint64_t align);

// Returns a block of `new_bytes` that starts with the first min(old_bytes, new_bytes) bytes of `p`,
// and frees `p`. `p` may be NULL when old_bytes is 0; new_bytes 0 frees and returns NULL.
void *ct_realloc(ct_allocator *a, void *p, uint64_t old_bytes, uint64_t new_bytes);

// Frees `p`, whose requested size was `size_bytes` (0: unknown); NULL is fine.
static inline void ct_free_sized(ct_allocator *a, void *p, uint64_t size_bytes) {
    if (p)
        a->free(a, p, size_bytes);
}

// Frees `p`; NULL is fine.
static inline void ct_free(ct_allocator *a, void *p) {
    ct_free_sized(a, p, 0);
}

// Returns the usable size of the live block `p`.
uint64_t ct_allocated_size(ct_allocator *a, const void *p);

// Returns the current numbers of `a`.
ct_allocator_stats ct_allocator_stats_of(ct_allocator *a);

// Returns a copy of the zero-terminated `text`, owned by the caller.
char *ct_copy_string(ct_allocator *a, const char *text);

// Returns `count` zeroed items of `item_bytes` each, or NULL for 0 bytes. An overflow of the total
// is out of memory.
void *ct_alloc_array_zero(ct_allocator *a, uint64_t item_bytes, uint64_t count);

#define CT_NEW(a, type) ((type *)ct_alloc_zero((a), sizeof(type)))
#define CT_NEW_ARRAY(a, type, count) ((type *)ct_alloc_array_zero((a), sizeof(type), (count)))
