// loaded_blob.h: a blob in memory, by itself or in a block with others.
//
// Data that is together in an archive is unpacked together, to one block, and stays there: without
// a copy and an allocation for each blob. The block counts its users and is freed with the last
// one. So a blob keeps the others of its block in memory. A block is as large as a chunk of an
// archive, and is used only when much of it is wanted (resource_store.h).
#pragma once
#include <stdatomic.h>

#include "foundation/memory/allocator.h"

// The start of a block; the contents follow, aligned to CT_BLOB_ALIGN.
typedef struct ct_blob_block {
    ct_allocator *allocator; // of the block
    _Atomic uint32_t num_users;
    uint32_t padding;
} ct_blob_block;

typedef struct ct_loaded_blob {
    void *data;           // NULL: no blob
    ct_blob_block *block; // the block that contains it; NULL: it has memory of its own
} ct_loaded_blob;

// Makes a block for `size_bytes` from `a`, which must be safe to use on any thread that releases
// the block. It has one user: the caller.
ct_blob_block *ct_blob_block_create(ct_allocator *a, uint64_t size_bytes);

// Adds a user. The caller must be a user itself, or hold something that keeps one.
void ct_blob_block_hold(ct_blob_block *block);

// Removes a user; frees the block after the last one. NULL is fine. Any thread.
void ct_blob_block_release(ct_blob_block *block);

// Returns the memory of the block.
static inline void *ct_blob_block_bytes(ct_blob_block *block) {
    return block + 1;
}

// Frees a blob: its own memory, which is from `a`, or its use of the block. Any thread.
void ct_loaded_blob_free(ct_allocator *a, ct_loaded_blob blob);
