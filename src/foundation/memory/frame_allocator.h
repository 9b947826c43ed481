// frame_allocator.h: pointer-bump memory that is given back all at once or to a mark.
//
// Blocks come one after the other from chunks of the backing allocator; chunks are kept for reuse
// until the allocator is destroyed, so a loop that resets each round allocates nothing once warm.
// Freeing a single block does nothing but count. Each block carries its size. One thread.
#pragma once
#include "foundation/container/array.h"
#include "foundation/memory/allocator.h"
#include "foundation/memory/bump_block.h"
#include "foundation/memory/poison.h"

// A piece of memory from the backing allocator.
typedef struct ct_frame_chunk {
    char *memory;
    uint64_t size_bytes;
    uint64_t used_bytes; // once a later chunk is in use
} ct_frame_chunk;

// Private but for `interface`. Chunks 0 to `current` are in use; later ones wait to be used again.
// Headers follow one another, a block's next one at the first multiple of 16 past it, so
// that of all bytes passed only headers and padding are not asked for. Addresses are numbers: the
// compiler may then keep them in registers while a caller's loop stores pointers.
typedef struct ct_frame_allocator {
    ct_allocator interface;
    uint64_t next, end;     // the addresses of what is left of the current chunk
    uint64_t total_blocks;  // ever taken
    uint64_t padding_bytes; // of all blocks ever taken
    uint64_t passed_bytes;  // by `next`, in all, but for the current chunk since `counted_from`
    uint64_t counted_from;  // an address in the current chunk
    uint64_t ended_blocks, ended_bytes; // of those ever taken
    uint64_t peak_bytes;                // without what was taken since it was last looked at
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

// The interface to allocate through; lives as long as `f`.
ct_allocator *ct_frame_allocator_interface(ct_frame_allocator *f);

// The current position.
ct_frame_mark ct_frame_allocator_mark(const ct_frame_allocator *f);

// Frees all blocks allocated since `mark`, which must not lie past the current position. O(chunks),
// unless a single block was freed since: then O(blocks since the mark).
void ct_frame_allocator_reset(ct_frame_allocator *f, ct_frame_mark mark);

// Whether `p` lies in what was handed out and not given back by a reset. O(chunks).
bool ct_frame_allocator_owns(const ct_frame_allocator *f, const void *p);

// Behind ct_frame_take: as it, when the chunk is used up.
void *ct_frame_take_from_next_chunk(ct_frame_allocator *f, uint64_t size_bytes);

// Behind ct_frame_take: writes the size in front of a block, into memory that may be poisoned.
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
