#include "resource/blob/content_hash.h"

#define XXH_STATIC_LINKING_ONLY // the state's size
#include <xxhash.h>

#include <string.h>

#include "foundation/memory/allocator.h"

uint64_t ct_content_hash(const void *data, uint64_t size_bytes) {
    return XXH3_64bits(data ? data : "", (size_t)size_bytes);
}

struct ct_content_hasher {
    XXH3_state_t state; // aligned to 64 bytes
    ct_allocator *allocator;
};

ct_content_hasher *ct_content_hasher_create(ct_allocator *a) {
    ct_content_hasher *const hasher = ct_alloc_aligned(a, sizeof(ct_content_hasher), 64);
    hasher->allocator = a;
    XXH3_INITSTATE(&hasher->state);
    XXH3_128bits_reset(&hasher->state);
    return hasher;
}

void ct_content_hasher_add(ct_content_hasher *hasher, const void *data, uint64_t size_bytes) {
    XXH3_128bits_update(&hasher->state, data, size_bytes);
}

void ct_content_hasher_finish(ct_content_hasher *hasher, uint8_t hash[16]) {
    XXH128_canonical_t canonical;
    XXH128_canonicalFromHash(&canonical, XXH3_128bits_digest(&hasher->state));
    memcpy(hash, canonical.digest, sizeof(canonical.digest));
    ct_free_sized(hasher->allocator, hasher, sizeof(*hasher));
}
