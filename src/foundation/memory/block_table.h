// block_table.h: every live block of the allocators that are checked or traced, by address.
//
// Finds blocks that come back twice, to the wrong allocator or with a wrong size, says which blocks
// are left, and knows the call stack of those of traced allocators. Open addressing in shards, each
// with a lock; some 40 bytes a block, from one allocator. Any thread.
#pragma once
#include "foundation/memory/counted_allocator.h"

typedef struct ct_block {
    uint64_t address;
    ct_counted_allocator *owner;
    uint64_t size_bytes; // as asked for
    uint32_t stack;      // of stack_table.h; 0: not traced when it was handed out
} ct_block;

// Starts and ends the table of the process; within ct_memory_init and _shutdown. The allocator
// `memory` must not be checked or traced itself.
void ct_block_table_init(ct_allocator *memory);
void ct_block_table_shutdown(void);
bool ct_block_table_is_started(void);

// Keeps a block that `owner` handed out, with the call stack when `owner` is traced.
void ct_block_table_add(ct_counted_allocator *owner, const void *p, uint64_t size_bytes);

// Forgets a block that is given back to `owner`; call this before its memory is free for others.
// `size_bytes` is 0 or must be what was asked for. When `owner` is checked and the block is not its
// own, the report says what `p` is. One that is traced only may be given older blocks.
void ct_block_table_remove(ct_counted_allocator *owner, const void *p, uint64_t size_bytes);

// Forgets all blocks of `owner`.
void ct_block_table_forget(const ct_counted_allocator *owner);

// Calls `visit` for every block, shard by shard under its lock: it must neither take nor give
// blocks.
void ct_block_table_visit(void (*visit)(void *user, const ct_block *block), void *user);
