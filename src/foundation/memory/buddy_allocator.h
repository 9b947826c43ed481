// buddy_allocator.h: blocks of powers of two from one given buffer, for arrays that double.
//
// The buffer is the end of a tree of blocks: the whole, its halves, and so on down to leaves. It
// may have any size: the tree is the next power of two; its missing head (which is never touched)
// and the index count as taken. The index is at the buffer's start and has two bits for each block
// that is not a leaf: "is split", and "exactly one of the halves is free" (XOR). That is half a bit
// a block for finding sizes and half a bit for merging, side by side, so that a step up the tree
// reads one word. Free blocks are linked in place, newest first. Freeing merges at once: two
// buddies are never both free. One thread.
// From "Allocation Adventures 3: The Buddy Allocator" (Bitsquid blog, 2015-08-04).
//
// Blocks are aligned to their size, as far as the buffer's end is: where that matters, end it on a
// large power of two. Under AddressSanitizer the interface unpoisons the requested bytes, the
// functions here the whole block. `dev` builds catch double frees, foreign pointers and wrong
// sizes.
#pragma once
#include "foundation/memory/allocator.h"

enum { CT_BUDDY_LEAST_LEAF_BYTES = 16, CT_BUDDY_MAX_ORDER = 47 };

// The start of a free block, linked with others of its order.
typedef struct ct_buddy_free_block {
    struct ct_buddy_free_block *next, *previous;
} ct_buddy_free_block;

// Private except for `interface`. The order of a block is log2 of its bytes.
typedef struct ct_buddy_allocator {
    ct_allocator interface;
    uint64_t origin;     // (address - origin) >> order numbers the blocks: 1 is the whole tree
    uint64_t begin, end; // the addresses of the blocks that can be handed out
    uint32_t *index;
    uint32_t leaf_order, top_order;
    uint64_t free_orders; // bit n: there are free blocks of order n
    ct_buddy_free_block *free_blocks[CT_BUDDY_MAX_ORDER + 1];
    ct_allocator_stats counters;
    void *buffer;
    uint64_t buffer_bytes;
} ct_buddy_allocator;

// Starts an allocator over `buffer`, which it borrows until ct_buddy_shutdown. A leaf has
// `leaf_bytes`, a power of two of at least 16. The buffer must hold the index and a leaf. Writes
// only the index and a link into each free block (at most one of each size).
void ct_buddy_init(ct_buddy_allocator *b, const char *name, void *buffer, uint64_t buffer_bytes,
                   uint64_t leaf_bytes);

// Ends `b`; asserts that all blocks were freed. The caller gets the buffer back.
void ct_buddy_shutdown(ct_buddy_allocator *b);

// Returns the bytes of a buffer, aligned to a leaf, that cannot be handed out: one bit for each
// block of the tree, rounded up to leaves, plus the rest after the last whole leaf. With N leaves
// rounded up to a power of two that is max(4, N / 4) bytes: 1.6 % of a buffer of a power of two
// with leaves of 16 bytes, 0.2 % with 128; up to double of that for odd sizes.
uint64_t ct_buddy_overhead_bytes(uint64_t buffer_bytes, uint64_t leaf_bytes);

// Returns a block of at least `size_bytes` > 0, rounded up to a power of two and a leaf. Running
// out of the buffer ends the program. O(levels).
void *ct_buddy_take(ct_buddy_allocator *b, uint64_t size_bytes);

// Like ct_buddy_take, but returns NULL when no block is large enough.
void *ct_buddy_try_take(ct_buddy_allocator *b, uint64_t size_bytes);

// Frees the block `p` of unknown size: finds its size in the index first.
void ct_buddy_give(ct_buddy_allocator *b, void *p);

// Frees the block `p` from ct_buddy_take or ct_buddy_grow. `size_bytes` is any size that rounds up
// to its own.
void ct_buddy_give_sized(ct_buddy_allocator *b, void *p, uint64_t size_bytes);

// Doubles the block `p` of `size_bytes` (as for ct_buddy_give_sized; 0 when unknown) and returns it
// with the old bytes at its start. Merges `p` with its buddy when that is free: in place with a
// right buddy; with a left one the bytes move down. Otherwise allocates, copies and frees.
void *ct_buddy_grow(ct_buddy_allocator *b, void *p, uint64_t size_bytes);

// Returns the bytes of the live block `p`: a power of two.
uint64_t ct_buddy_block_bytes(const ct_buddy_allocator *b, const void *p);

// Returns the size of the block that holds `size_bytes`.
uint64_t ct_buddy_rounded_bytes(const ct_buddy_allocator *b, uint64_t size_bytes);
