#include "network/transport/network_guard.h"

void ct_network_guard_init(ct_network_guard *guard, double per_second, double per_address,
                           uint64_t salt, uint64_t now_ns) {
    guard->per_second = per_second;
    guard->per_address = per_address;
    guard->salt = salt;
    guard->all = (ct_network_bucket){.tokens = per_second, .filled_ns = now_ns};
    for (uint32_t i = 0; i < CT_NETWORK_GUARD_BUCKETS; ++i)
        guard->buckets[i] = (ct_network_bucket){.tokens = per_address, .filled_ns = now_ns};
}

static bool has_token(ct_network_bucket *bucket, double per_second, uint64_t now_ns) {
    bucket->tokens += (double)(now_ns - bucket->filled_ns) * 1e-9 * per_second;
    bucket->filled_ns = now_ns;
    if (bucket->tokens > per_second)
        bucket->tokens = per_second;
    return bucket->tokens >= 1;
}

bool ct_network_guard_pass(ct_network_guard *guard, uint32_t ip, uint64_t now_ns) {
    const uint64_t hash = (ip ^ guard->salt) * UINT64_C(0x9e3779b97f4a7c15);
    ct_network_bucket *const own = &guard->buckets[(hash ^ hash >> 32) % CT_NETWORK_GUARD_BUCKETS];
    if (!has_token(own, guard->per_address, now_ns) ||
        !has_token(&guard->all, guard->per_second, now_ns))
        return false;
    --own->tokens;
    --guard->all.tokens;
    return true;
}
