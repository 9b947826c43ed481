// content_hash.h: hashes of file contents and blobs: XXH3-64 and XXH3-128, seed 0.
//
// The same on every platform and thread. For keys and checks, not for security.
#pragma once
#include "foundation/types.h"

// Returns the hash of `size_bytes` at `data`, which may be NULL when `size_bytes` is 0. Any thread;
// some 10 GB/s.
uint64_t ct_content_hash(const void *data, uint64_t size_bytes);

// Hashes bytes that come piece by piece, to 128 bits: enough to name what is stored by its content.
typedef struct ct_content_hasher ct_content_hasher;

ct_content_hasher *ct_content_hasher_create(ct_allocator *a);
void ct_content_hasher_destroy(ct_content_hasher *hasher); // NULL is fine

// Adds the next bytes.
void ct_content_hasher_add(ct_content_hasher *hasher, const void *data, uint64_t size_bytes);

// Writes the hash of what was added, most significant byte first, and starts again from nothing.
void ct_content_hasher_finish(ct_content_hasher *hasher, uint8_t hash[16]);
