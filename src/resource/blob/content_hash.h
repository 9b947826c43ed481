// content_hash.h: the 64-bit hash of file contents and blobs: XXH3-64, seed 0.
//
// The same on every platform and thread. For keys and checks, not for security.
#pragma once
#include "foundation/types.h"

// Returns the hash of `size_bytes` at `data`, which may be NULL when `size_bytes` is 0. Any thread;
// some 10 GB/s.
uint64_t ct_content_hash(const void *data, uint64_t size_bytes);

// Hashes bytes that come in pieces, to 128 bits: XXH3-128, seed 0.
typedef struct ct_content_hasher ct_content_hasher;
ct_content_hasher *ct_content_hasher_create(ct_allocator *a);
void ct_content_hasher_add(ct_content_hasher *hasher, const void *data, uint64_t size_bytes);
// Writes the hash in the canonical order of bytes, and frees the hasher.
void ct_content_hasher_finish(ct_content_hasher *hasher, uint8_t hash[16]);
