// soa.h: a structure of arrays in one allocation.
//
// A manager keeps a typed pointer for each array in its own struct and says in a constant table
// where those pointers are. All arrays have the same count and double together (from 16); each
// starts on a cache line of its own. Item 0 of every array is zero and means none. Growing moves
// the arrays and brings the pointers up to date, so pointers to items do not outlive ct_soa_add.
// From "Building a Data-Oriented Entity System, part 2" (Bitsquid blog, 2014-09-08).
#pragma once
#include "foundation/allocator.h"

// One array: where its pointer stands in the manager's struct, and the size of an item.
typedef struct ct_soa_column {
    uint32_t offset;
    uint32_t item_bytes;
} ct_soa_column;

// The column of the array `member` of the struct `type`.
#define CT_SOA_COLUMN(type, member)                                                                \
    { offsetof(type, member), sizeof(*((type *)0)->member) }

typedef struct ct_soa {
    uint32_t count; // items, the none at 0 included
    uint32_t capacity;
    char *block;
    uint64_t block_bytes;
    char *owner; // the manager's struct
    const ct_soa_column *columns;
    uint32_t num_columns;
    ct_allocator *allocator;
} ct_soa;

// Starts the arrays of `owner`, which must not move, with item 0. `columns` is borrowed.
void ct_soa_init(ct_soa *soa, ct_allocator *a, void *owner, const ct_soa_column *columns,
                 uint32_t num_columns);

// Frees the arrays.
void ct_soa_free(ct_soa *soa);

// Makes room for `count` items in all, item 0 included.
void ct_soa_reserve(ct_soa *soa, uint32_t count);

// Appends an item that is zero in all arrays; returns its place.
uint32_t ct_soa_add(ct_soa *soa);

// Removes item `i` (not 0) by moving the last one into its place.
void ct_soa_swap_erase(ct_soa *soa, uint32_t i);
