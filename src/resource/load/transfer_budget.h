// transfer_budget.h: limits the bytes per second of background reads.
//
// Each read delays the next by the time its bytes take at the rate. So a large read is followed by
// a long pause, and unused bytes are not saved up. It has no clock: callers pass times in
// nanoseconds. One thread.
#pragma once
#include "foundation/types.h"

typedef struct ct_transfer_budget {
    uint64_t bytes_per_second; // 0: no limit
    uint64_t ready_ns;         // when the next read may begin
} ct_transfer_budget;

// Returns how long to wait until a read may begin; 0: it may begin now.
uint64_t ct_transfer_budget_wait_ns(const ct_transfer_budget *b, uint64_t now_ns);

// Records a read of `bytes` that began at `now_ns`.
void ct_transfer_budget_spend(ct_transfer_budget *b, uint64_t bytes, uint64_t now_ns);
