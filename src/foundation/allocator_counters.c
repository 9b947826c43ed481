#include "foundation/allocator_counters.h"

#include <inttypes.h>

#include "foundation/error.h"

void ct_allocator_counters_add(ct_allocator_counters *c, uint64_t size_bytes) {
    atomic_fetch_add_explicit(&c->live_blocks, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&c->total_blocks, 1, memory_order_relaxed);
    const uint64_t live =
        atomic_fetch_add_explicit(&c->live_bytes, size_bytes, memory_order_relaxed) + size_bytes;
    uint64_t peak = atomic_load_explicit(&c->peak_bytes, memory_order_relaxed);
    while (live > peak &&
           !atomic_compare_exchange_weak_explicit(&c->peak_bytes, &peak, live, memory_order_relaxed,
                                                  memory_order_relaxed)) {
    }
}

void ct_allocator_counters_remove(ct_allocator_counters *c, uint64_t size_bytes, const char *name) {
    const uint64_t blocks = atomic_fetch_sub_explicit(&c->live_blocks, 1, memory_order_relaxed);
    const uint64_t bytes =
        atomic_fetch_sub_explicit(&c->live_bytes, size_bytes, memory_order_relaxed);
    CT_ASSERT(blocks > 0 && bytes >= size_bytes,
              "allocator \"%s\" got back a block of %" PRIu64 " bytes that is not its own", name,
              size_bytes);
}

void ct_allocator_counters_read(ct_allocator_counters *c, ct_allocator_stats *stats) {
    *stats = (ct_allocator_stats){
        .live_bytes = atomic_load_explicit(&c->live_bytes, memory_order_relaxed),
        .live_blocks = atomic_load_explicit(&c->live_blocks, memory_order_relaxed),
        .peak_bytes = atomic_load_explicit(&c->peak_bytes, memory_order_relaxed),
        .total_blocks = atomic_load_explicit(&c->total_blocks, memory_order_relaxed),
    };
}

void ct_allocator_assert_empty(ct_allocator *a) {
    const ct_allocator_stats stats = ct_allocator_stats_of(a);
    CT_ASSERT(stats.live_blocks == 0 && stats.live_bytes == 0,
              "allocator \"%s\" ends but still holds %" PRIu64 " blocks, %" PRIu64 " bytes",
              a->name, stats.live_blocks, stats.live_bytes);
}
