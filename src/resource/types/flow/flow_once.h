// flow_once.h: sorts the constant tables of Flow when they are first read.
#pragma once
#include <stdatomic.h>
#include <stdint.h>

enum { CT_FLOW_ONCE_NEVER, CT_FLOW_ONCE_RUNS, CT_FLOW_ONCE_DONE };

// Runs `prepare` when `state`, which is 0 at the start, is first passed here. Other threads wait until
// it has ended, which takes microseconds. Any thread; cheap afterwards. libc only.
static inline void ct_flow_once(_Atomic uint32_t *state, void (*prepare)(void)) {
    if (atomic_load_explicit(state, memory_order_acquire) == CT_FLOW_ONCE_DONE)
        return;
    uint32_t expected = CT_FLOW_ONCE_NEVER;
    if (atomic_compare_exchange_strong(state, &expected, CT_FLOW_ONCE_RUNS)) {
        prepare();
        atomic_store_explicit(state, CT_FLOW_ONCE_DONE, memory_order_release);
    }
    while (atomic_load_explicit(state, memory_order_acquire) != CT_FLOW_ONCE_DONE) {
    }
}
