#include "resource/load/transfer_budget.h"

enum { NS_PER_SECOND = 1000000000 };

uint64_t ct_transfer_budget_wait_ns(const ct_transfer_budget *b, uint64_t now_ns) {
    return b->bytes_per_second != 0 && b->ready_ns > now_ns ? b->ready_ns - now_ns : 0;
}

void ct_transfer_budget_spend(ct_transfer_budget *b, uint64_t bytes, uint64_t now_ns) {
    if (b->bytes_per_second == 0)
        return;
    const double pause_ns = (double)bytes / (double)b->bytes_per_second * NS_PER_SECOND;
    const uint64_t start_ns = b->ready_ns > now_ns ? b->ready_ns : now_ns;
    b->ready_ns = start_ns + (uint64_t)pause_ns;
}
