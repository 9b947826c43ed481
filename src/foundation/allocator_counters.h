// allocator_counters.h: what an allocator that many threads use counts.
//
// Plain relaxed atomics, shared by all threads. While others allocate, the four numbers may be of
// slightly different moments; at rest they are exact.
#pragma once
#include <stdatomic.h>

#include "foundation/allocator.h"

// A zeroed struct has counted nothing.
typedef struct ct_allocator_counters {
    _Atomic uint64_t live_bytes, live_blocks, peak_bytes, total_blocks;
} ct_allocator_counters;

// Counts a block of `size_bytes` that was handed out.
void ct_allocator_counters_add(ct_allocator_counters *c, uint64_t size_bytes);

// Counts a block that came back. More than was handed out is a bug of the allocator named `name`.
void ct_allocator_counters_remove(ct_allocator_counters *c, uint64_t size_bytes, const char *name);

void ct_allocator_counters_read(ct_allocator_counters *c, ct_allocator_stats *stats);

// Fails when `a` holds a block: the report names it, the number of blocks and their bytes.
void ct_allocator_assert_empty(ct_allocator *a);
