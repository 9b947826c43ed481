// allocator_counters.h: counts for an allocator that many threads use, without contention.
//
// Each thread counts in a cell of its own (a cache line, plain loads and stores). When the live
// bytes of a cell change by more than CT_COUNTERS_FLUSH_BYTES up or down, the cell is emptied into
// the shared numbers of its allocator and of all the allocator's ancestors, which also raises their
// peaks. So a block is counted once, however deep proxies nest. Reading sums the shared numbers and
// the cells of the allocator and of all its descendants (memory_tree.h).
//
// At rest the numbers are exact; while other threads allocate, they may come from slightly
// different moments. The peak is exact for one thread on an allocator without children; otherwise
// it is off by at most CT_COUNTERS_FLUSH_BYTES for each other thread and each allocator over it.
//
// The first 32 threads alive at a time have cells; further threads share one, with atomic
// additions. When a thread ends, another may get its cell number.
#pragma once
#include <stdatomic.h>

#include "foundation/memory/allocator.h"

enum { CT_COUNTERS_THREADS = 32, CT_COUNTERS_FLUSH_BYTES = 16384 };

// Written by one thread (except the shared cell, cells[0]), read by all.
typedef struct ct_counter_cell {
    _Alignas(64) _Atomic int64_t live_bytes; // below 0 after freeing other threads' blocks
    _Atomic int64_t peak_bytes;              // the most since the cell was emptied; at least 0
    _Atomic uint64_t num_taken, num_given;   // blocks
} ct_counter_cell;

// A zeroed struct has counted nothing.
typedef struct ct_allocator_counters {
    struct ct_allocator_counters *parent; // of the allocator below this one, or NULL
    _Atomic int64_t live_bytes, peak_bytes;
    _Atomic uint64_t num_taken, num_given;
    ct_counter_cell cells[1 + CT_COUNTERS_THREADS];
} ct_allocator_counters;

// The sum over the cells of several allocators.
typedef struct ct_counter_sum {
    int64_t live_bytes;
    uint64_t num_taken, num_given;
} ct_counter_sum;

// The offset of this thread's cell in `cells`, in bytes; 0 when it has no cell (yet).
extern _Thread_local uint32_t ct_counters_cell_offset;

// The slow paths of the inline functions: threads without a cell (yet), new peaks, full cells.
void ct_allocator_counters_add_slow(ct_allocator_counters *c, uint64_t size_bytes);
void ct_allocator_counters_remove_slow(ct_allocator_counters *c, uint64_t size_bytes);

// Read and write a counter with relaxed ordering. A get followed by a set is not atomic.
static inline int64_t ct_counter_get(const _Atomic int64_t *counter) {
    return atomic_load_explicit(counter, memory_order_relaxed);
}
static inline void ct_counter_set(_Atomic int64_t *counter, int64_t value) {
    atomic_store_explicit(counter, value, memory_order_relaxed);
}

// Adds 1 to a counter that only this thread writes.
static inline void ct_counter_increment(_Atomic uint64_t *counter) {
    const uint64_t value = atomic_load_explicit(counter, memory_order_relaxed);
    atomic_store_explicit(counter, value + 1, memory_order_relaxed);
}

// Counts an allocated block of `size_bytes`, when this thread has a cell with room. Otherwise
// returns false and changes nothing: call ct_allocator_counters_add_slow instead.
static inline bool ct_allocator_counters_try_add(ct_allocator_counters *c, uint64_t size_bytes) {
    const uint64_t offset = ct_counters_cell_offset;
    ct_counter_cell *const cell = (ct_counter_cell *)((char *)c->cells + offset);
    const int64_t live = ct_counter_get(&cell->live_bytes) + (int64_t)size_bytes;
    // A full cell is always at a new peak.
    if (__builtin_expect(offset == 0 || live > ct_counter_get(&cell->peak_bytes), 0))
        return false;
    ct_counter_set(&cell->live_bytes, live);
    ct_counter_increment(&cell->num_taken);
    return true;
}

// Like ct_allocator_counters_try_add, for a freed block.
static inline bool ct_allocator_counters_try_remove(ct_allocator_counters *c, uint64_t size_bytes) {
    const uint64_t offset = ct_counters_cell_offset;
    ct_counter_cell *const cell = (ct_counter_cell *)((char *)c->cells + offset);
    const int64_t live = ct_counter_get(&cell->live_bytes) - (int64_t)size_bytes;
    if (__builtin_expect(offset == 0 || live < -CT_COUNTERS_FLUSH_BYTES, 0))
        return false;
    ct_counter_set(&cell->live_bytes, live);
    ct_counter_increment(&cell->num_given);
    return true;
}

// Counts an allocated block of `size_bytes`. Any thread.
static inline void ct_allocator_counters_add(ct_allocator_counters *c, uint64_t size_bytes) {
    if (!ct_allocator_counters_try_add(c, size_bytes))
        ct_allocator_counters_add_slow(c, size_bytes);
}

// Counts a freed block of `size_bytes`, whichever thread allocated it. Any thread.
static inline void ct_allocator_counters_remove(ct_allocator_counters *c, uint64_t size_bytes) {
    if (!ct_allocator_counters_try_remove(c, size_bytes))
        ct_allocator_counters_remove_slow(c, size_bytes);
}

// Counts that a live block grew by `more_bytes` (below 0: shrank).
void ct_allocator_counters_change(ct_allocator_counters *c, int64_t more_bytes);

// Empties all cells. No other thread may be counting in `c`.
void ct_allocator_counters_flush_all(ct_allocator_counters *c);

// Adds the numbers in the cells of `c` to `sum`.
void ct_allocator_counters_add_cells(const ct_allocator_counters *c, ct_counter_sum *sum);

// Returns the numbers of `c`, given the sum of its own cells and those of all its descendants.
// While threads count, live bytes and blocks may be below 0 for a moment.
ct_allocator_stats ct_allocator_counters_stats(const ct_allocator_counters *c,
                                               const ct_counter_sum *sum);
