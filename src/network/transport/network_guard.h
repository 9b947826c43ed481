// network_guard.h: how many handshakes, or answers, strangers get in a second.
//
// One bucket of tokens for all, and one for each of 256 hashes of an IPv4 address, so that one
// machine does not use up what is for all. Two addresses may share a bucket. One thread.
#pragma once
#include "foundation/types.h"

enum { CT_NETWORK_GUARD_BUCKETS = 256 };

// Tokens come with time, up to a second's worth.
typedef struct ct_network_bucket {
    double tokens;
    uint64_t filled_ns;
} ct_network_bucket;

typedef struct ct_network_guard {
    double per_second, per_address; // tokens
    uint64_t salt; // of the hash: no one outside picks which addresses share a bucket
    ct_network_bucket all;
    ct_network_bucket buckets[CT_NETWORK_GUARD_BUCKETS];
} ct_network_guard;

// Begins with full buckets.
void ct_network_guard_init(ct_network_guard *guard, double per_second, double per_address,
                           uint64_t salt, uint64_t now_ns);
// Takes a token of an address. Returns false and takes nothing when there is none.
bool ct_network_guard_pass(ct_network_guard *guard, uint32_t ip, uint64_t now_ns);
