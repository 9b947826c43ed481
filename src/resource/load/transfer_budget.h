// transfer_budget.h: how many bytes a second may be read in the background.
//
// Each read pushes the time at which the next one may begin by what its bytes take at the rate, so
// a large read is followed by a long pause, and bytes that were not read are not saved up. Knows no
// clock: times are given, in nanoseconds. One thread.
#pragma once
#include "foundation/types.h"

typedef struct ct_transfer_budget {
    uint64_t bytes_per_second; // 0: no limit
    uint64_t ready_ns;         // when the next read may begin
} ct_transfer_budget;

// How long to wait until a read may begin; 0: it may.
uint64_t ct_transfer_budget_wait_ns(const ct_transfer_budget *b, uint64_t now_ns);

// Notes a read of `bytes` that began at `now_ns`.
void ct_transfer_budget_spend(ct_transfer_budget *b, uint64_t bytes, uint64_t now_ns);
