// soa_block.h: a structure of arrays in one allocation.
//
// The owner keeps a typed pointer for each array in its own struct and says in a constant table
// where those pointers are, how large items are and how they are aligned. All arrays have the same
// count and double together (from 16); growing moves each and brings its pointer up to date, so
// pointers to items do not outlive ct_soa_block_add. A caller that wants item 0 for nil adds it
// first. One thread.
// From "Building a Data-Oriented Entity System, part 2" (Bitsquid blog, 2014-09-08) and "Allocation
// Adventures 1: The DataComponent" (2015-06-12), step 4.
#pragma once
#include "foundation/memory/allocator.h"

// One array: where its pointer is in the owner's struct, and the layout of its items.
typedef struct ct_soa_array {
    uint32_t pointer_offset;
    uint32_t item_bytes;
    uint32_t align; // of the array's start, a power of two
} ct_soa_array;

// The array `member` of the struct `type`; the second form starts it at a multiple of `alignment`,
// say 64 for a cache line of its own.
#define CT_SOA_ARRAY(type, member)                                                                 \
    { offsetof(type, member), sizeof(*((type *)0)->member), __alignof__(*((type *)0)->member) }
#define CT_SOA_ARRAY_ALIGNED(type, member, alignment)                                              \
    { offsetof(type, member), sizeof(*((type *)0)->member), (alignment) }

// The arrays of one owner; read `count`, leave the rest alone.
typedef struct ct_soa_block {
    uint32_t count, capacity;
    char *memory;
    uint64_t memory_bytes;
    char *owner;
    const ct_soa_array *arrays;
    uint32_t num_arrays;
    ct_allocator *allocator;
} ct_soa_block;

// Makes the arrays of `owner`, which must not move, empty; allocates nothing yet. `arrays` is
// borrowed.
void ct_soa_block_init(ct_soa_block *soa, ct_allocator *a, void *owner, const ct_soa_array *arrays,
                       uint32_t num_arrays);

// Frees the arrays; they are empty and usable afterwards.
void ct_soa_block_free(ct_soa_block *soa);

// Makes room for `count` items in all.
void ct_soa_block_reserve(ct_soa_block *soa, uint32_t count);

// Appends `count` items that are zero in all arrays; returns the place of the first.
uint32_t ct_soa_block_add(ct_soa_block *soa, uint32_t count);

// Removes item `i` by moving the last one into its place.
void ct_soa_block_swap_erase(ct_soa_block *soa, uint32_t i);

// Prefetches item `i` of all arrays, to be written soon.
void ct_soa_block_prefetch(const ct_soa_block *soa, uint32_t i);

// Swaps items `i` and `k`.
void ct_soa_block_swap(ct_soa_block *soa, uint32_t i, uint32_t k);

// Moves `count` items to place `to`, at most `from`; ranges may overlap. What is left behind keeps
// its values.
void ct_soa_block_move_down(ct_soa_block *soa, uint32_t to, uint32_t from, uint32_t count);

// Removes all items, keeps the memory.
void ct_soa_block_clear(ct_soa_block *soa);

// The bytes that arrays of this capacity take.
uint64_t ct_soa_block_bytes(const ct_soa_block *soa, uint32_t capacity);
