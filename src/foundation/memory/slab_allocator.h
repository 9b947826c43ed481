// slab_allocator.h: small blocks of many sizes, packed by size.
//
// Sizes up to 1,024 bytes are rounded up to one of 20 classes (16, 32, 48, 64, … in steps of a
// quarter to an eighth). A class carves its blocks from slabs of 64 KiB, aligned to their size.
// Masking a block's address gives its slab, whose header holds the class: blocks need no headers of
// their own. Free blocks are linked in place. Larger blocks go to the backing allocator; where the
// size does not distinguish the two, a hash set of the slabs does. Each class keeps one empty slab;
// others that become empty go back to the backing allocator. One thread.
// From "Allocation Adventures 2: Arrays of Arrays" (Bitsquid blog, 2015-06-22), which points to the
// slab allocators of system software.
//
// Blocks are aligned to the largest power of two in their class. In `dev` builds double frees and
// pointers into blocks are caught. Under AddressSanitizer only the requested bytes are accessible.
#pragma once
#include "foundation/container/hash_map.h"
#include "foundation/memory/allocator.h"

enum {
    CT_SLAB_BYTES = 65536,
    CT_SLAB_MAX_BLOCK_BYTES = 1024,
    CT_SLAB_NUM_CLASSES = 20,
};

// Slabs of one block size: those with room, and an empty one that is kept.
typedef struct ct_slab_class {
    struct ct_slab *open, *empty;
} ct_slab_class;

// Private except for `interface`.
typedef struct ct_slab_allocator {
    ct_allocator interface;
    ct_allocator *backing;
    ct_slab_class classes[CT_SLAB_NUM_CLASSES];
    ct_hash_map slabs; // the addresses of all slabs, without the low bits
    ct_allocator_stats counters;
} ct_slab_allocator;

// Starts an empty allocator in place. `name` is borrowed.
void ct_slab_init(ct_slab_allocator *s, ct_allocator *backing, const char *name);

// Frees the slabs; asserts that all blocks were freed.
void ct_slab_shutdown(ct_slab_allocator *s);
