// block_table.h: every live block of the allocators that are checked or traced, by address.
//
// Finds blocks that are freed twice, to the wrong allocator or with a wrong size, lists the blocks
// that are left, and keeps the call stacks of blocks of traced allocators. Open addressing in
// shards, each with a lock; some 40 bytes a block, from one allocator. Any thread.
#pragma once
#include "foundation/memory/counted_allocator.h"

typedef struct ct_block {
    uint64_t address;
    ct_counted_allocator *owner;
    uint64_t size_bytes; // as requested
    uint32_t stack;      // of stack_table.h; 0: not traced when it was handed out
} ct_block;

// Start and end the table of the process; within ct_memory_init and _shutdown. The allocator
// `memory` must not be checked or traced itself.
void ct_block_table_init(ct_allocator *memory);
void ct_block_table_shutdown(void);
bool ct_block_table_is_started(void);

// Adds a block that `owner` handed out, with the call stack when `owner` is traced.
void ct_block_table_add(ct_counted_allocator *owner, const void *p, uint64_t size_bytes);

// Removes a block that is freed to `owner`; call this before others can get its memory.
// `size_bytes` is 0 or must be the requested size. When `owner` is checked and the block is not its
// own, the report says what `p` is. An `owner` that is only traced may get older blocks back.
void ct_block_table_remove(ct_counted_allocator *owner, const void *p, uint64_t size_bytes);

// Removes all blocks of `owner`.
void ct_block_table_forget(const ct_counted_allocator *owner);

// Calls `visit` for every block, shard by shard under the shard's lock: it must not allocate or
// free blocks.
void ct_block_table_visit(void (*visit)(void *user, const ct_block *block), void *user);
