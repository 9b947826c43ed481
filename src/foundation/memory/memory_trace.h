// memory_trace.h: what a traced allocator (memory.h) holds, by call stack, for tools.
#pragma once
#include "foundation/memory/allocator.h"

// The blocks that one call stack has allocated. `lines` has a line for each call, innermost first: function,
// file and line.
typedef struct ct_memory_traced_stack {
    uint64_t num_bytes, num_blocks;
    const char *lines; // each ends with a line end; borrowed for the call
} ct_memory_traced_stack;

// The sums over all call stacks of a traced allocator.
typedef struct ct_memory_traced_sums {
    uint64_t num_bytes, num_blocks;
    uint32_t num_stacks;
} ct_memory_traced_sums;

// Fills `sums`, then calls `visit` for up to `most` call stacks of a traced allocator, largest first. Slow: it
// looks up symbols. `name` is as in ct_memory_trace. Returns false and sets `error` when there is no such
// allocator or it is not traced. Any thread.
bool ct_memory_trace_visit(const char *name, uint32_t most, ct_memory_traced_sums *sums,
                           void (*visit)(void *user, const ct_memory_traced_stack *stack),
                           void *user, ct_error *error);

// Calls `visit` for every live named allocator, as ct_memory_visit (memory.h) does, with whether it is traced
// itself. Any thread; under the tree's lock, so `visit` must not make or end a proxy.
void ct_memory_visit_traces(void (*visit)(void *user, const char *name, uint32_t depth,
                                          ct_allocator_stats stats, bool is_traced),
                            void *user);

// Returns whether an allocator of this name is traced. Any thread.
bool ct_memory_is_traced(const char *name);
