#include "resource/load/loaded_blob.h"

#include "foundation/error.h"
#include "resource/blob/blob.h"

_Static_assert(sizeof(ct_blob_block) % CT_BLOB_ALIGN == 0, "what follows is aligned");

ct_blob_block *ct_blob_block_create(ct_allocator *a, uint64_t size_bytes) {
    ct_blob_block *const block = ct_alloc_aligned(a, sizeof(*block) + size_bytes, CT_BLOB_ALIGN);
    block->allocator = a;
    atomic_init(&block->num_users, 1);
    return block;
}

void ct_blob_block_hold(ct_blob_block *block) {
    atomic_fetch_add_explicit(&block->num_users, 1, memory_order_relaxed);
}

void ct_blob_block_release(ct_blob_block *block) {
    if (!block)
        return;
    const uint32_t before = atomic_fetch_sub_explicit(&block->num_users, 1, memory_order_acq_rel);
    CT_ASSERT(before > 0, "a block is released more often than it was held");
    if (before == 1)
        ct_free(block->allocator, block);
}

void ct_loaded_blob_free(ct_allocator *a, ct_loaded_blob blob) {
    if (blob.block)
        ct_blob_block_release(blob.block);
    else
        ct_free(a, blob.data);
}
