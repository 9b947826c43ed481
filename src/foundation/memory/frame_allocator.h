// frame_allocator.h: pointer-bump memory that is freed all at once or back to a mark.
//
// Blocks come one after the other from chunks of the backing allocator; chunks are kept for reuse
// until the allocator is destroyed, so a loop that resets each round allocates nothing once warm.
// Freeing a single block only updates the counts. Each block stores its size. One thread.
#pragma once
#include "foundation/container/array.h"
#include "foundation/memory/allocator.h"
#include "foundation/memory/bump_block.h"
#include "foundation/memory/poison.h"

// A piece of memory from the backing allocator.
typedef struct ct_frame_chunk {
    char *memory;
    uint64_t size_bytes;
    uint64_t used_bytes; // set once a later chunk is in use
} ct_frame_chunk;

// Private except for `interface`. Chunks 0 to `current` are in use; later ones are kept for reuse.
// The next header is at the first multiple of 16 after a block, so all bytes passed are requested
// bytes, headers or padding. Addresses are numbers, so that the compiler may keep them in registers
// while a caller's loop stores pointers.
typedef struct ct_frame_allocator {
    ct_allocator interface;
    uint64_t next, end;     // the addresses of what is left of the current chunk
    uint64_t total_blocks;  // ever taken
    uint64_t padding_bytes; // of all blocks ever taken
    uint64_t passed_bytes;  // by `next` in total, except in the current chunk since `counted_from`
    uint64_t counted_from;  // an address in the current chunk
    uint64_t ended_blocks, ended_bytes; // of those ever taken
    uint64_t peak_bytes;                // without blocks taken since it was last updated
    uint64_t num_single_frees;
    CT_ARRAY(ct_frame_chunk) chunks;
    uint32_t current;
    uint64_t chunk_bytes;
    ct_allocator *backing;
} ct_frame_allocator;

// A position in a frame allocator and what was live there; {0} is its start.
typedef struct ct_frame_mark {
    uint32_t chunk;
    uint64_t offset;
    uint64_t live_blocks, live_bytes;
    uint64_t num_single_frees;
} ct_frame_mark;

// Makes an allocator that takes chunks of `chunk_bytes` (larger for larger blocks) from `backing`.
ct_frame_allocator *ct_frame_allocator_create(ct_allocator *backing, const char *name,
                                              uint64_t chunk_bytes);

// Frees everything (NULL is fine).
void ct_frame_allocator_destroy(ct_frame_allocator *f);

// Returns the interface to allocate through; it lives as long as `f`.
ct_allocator *ct_frame_allocator_interface(ct_frame_allocator *f);

// Returns the current position.
ct_frame_mark ct_frame_allocator_mark(const ct_frame_allocator *f);

// Frees all blocks allocated since `mark`, which must not be past the current position. O(chunks),
// unless a single block was freed since: then O(blocks since the mark).
void ct_frame_allocator_reset(ct_frame_allocator *f, ct_frame_mark mark);

// Returns whether `p` is in memory that was handed out and not freed by a reset. O(chunks).
bool ct_frame_allocator_owns(const ct_frame_allocator *f, const void *p);

// The slow path of ct_frame_take, when the chunk is used up.
void *ct_frame_take_from_next_chunk(ct_frame_allocator *f, uint64_t size_bytes);

// For ct_frame_take: writes the size in front of a block, into memory that may be poisoned.
CT_NO_ADDRESS_SANITIZER static inline void ct_frame_write_header(ct_bump_block *b,
                                                                 uint64_t size_bytes) {
    b->size_and_freed = size_bytes;
}

// Returns `size_bytes` > 0 bytes, aligned to 16, that live until a reset.
static inline void *ct_frame_take(ct_frame_allocator *f, uint64_t size_bytes) {
    const uint64_t room_bytes = f->end - f->next;
    const uint64_t padded_bytes = (size_bytes + 15) & ~UINT64_C(15);
    const uint64_t taken_bytes = padded_bytes + CT_BUMP_BLOCK_BYTES;
    if (__builtin_expect((size_bytes > room_bytes) | (taken_bytes > room_bytes), 0))
        return ct_frame_take_from_next_chunk(f, size_bytes);
    ct_bump_block *b = (ct_bump_block *)f->next;
    f->next += taken_bytes;
    ++f->total_blocks;
    f->padding_bytes += padded_bytes - size_bytes;
    ct_frame_write_header(b, size_bytes);
    ct_unpoison(b + 1, size_bytes);
    return b + 1;
}
