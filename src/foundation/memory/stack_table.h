// stack_table.h: call stacks by number, each kept once.
//
// Stacks stay until the table ends: there are only as many as there are ways to reach a call. It
// has one lock and takes memory from one allocator, in two arrays that double.
#pragma once
#include "foundation/memory/allocator.h"

enum { CT_STACK_TABLE_FRAMES = 30 };

// Start and end the table of the process; within ct_memory_init and _shutdown.
void ct_stack_table_init(ct_allocator *memory);
void ct_stack_table_shutdown(void);

// Returns the number, from 1, of the stack of `count` return addresses (at least 1; those past
// CT_STACK_TABLE_FRAMES are cut off). Any thread.
uint32_t ct_stack_table_add(const uint64_t *frames, uint32_t count);

// Writes the frames of stack number `stack`; returns how many. Any thread.
uint32_t ct_stack_table_get(uint32_t stack, uint64_t frames[CT_STACK_TABLE_FRAMES]);

// Returns the number of stacks; their numbers go from 1 to this.
uint32_t ct_stack_table_count(void);

// Lock and unlock the table around a fork.
void ct_stack_table_lock(void);
void ct_stack_table_unlock(void);
