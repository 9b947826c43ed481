// content_hash.h: the 64-bit hash of file contents and blobs: XXH3-64, seed 0.
//
// The same on every platform and thread. For keys and checks, not for security.
#pragma once
#include "foundation/types.h"

// Returns the hash of `size_bytes` at `data`, which may be NULL when `size_bytes` is 0. Any thread;
// some 10 GB/s.
uint64_t ct_content_hash(const void *data, uint64_t size_bytes);
