#include "resource/blob/content_hash.h"

#include <string.h>

#define XXH_STATIC_LINKING_ONLY // the layout of its state
#include <xxhash.h>

#include "foundation/error.h"
#include "foundation/memory/allocator.h"

struct ct_content_hasher {
    ct_allocator *allocator;
    XXH3_state_t *state;
};

uint64_t ct_content_hash(const void *data, uint64_t size_bytes) {
    return XXH3_64bits(data ? data : "", (size_t)size_bytes);
}

ct_content_hasher *ct_content_hasher_create(ct_allocator *a) {
    ct_content_hasher *const hasher = ct_alloc(a, sizeof(*hasher));
    *hasher = (ct_content_hasher){
        .allocator = a,
        .state = ct_alloc_aligned(a, sizeof(XXH3_state_t), _Alignof(XXH3_state_t)),
    };
    XXH3_INITSTATE(hasher->state);
    CT_REQUIRE(XXH3_128bits_reset(hasher->state) == XXH_OK, "the hash does not start");
    return hasher;
}

void ct_content_hasher_destroy(ct_content_hasher *hasher) {
    if (!hasher)
        return;
    ct_free(hasher->allocator, hasher->state);
    ct_free(hasher->allocator, hasher);
}

void ct_content_hasher_add(ct_content_hasher *hasher, const void *data, uint64_t size_bytes) {
    CT_REQUIRE(XXH3_128bits_update(hasher->state, data ? data : "", (size_t)size_bytes) == XXH_OK,
               "the hash does not take %llu bytes", (unsigned long long)size_bytes);
}

void ct_content_hasher_finish(ct_content_hasher *hasher, uint8_t hash[16]) {
    XXH128_canonical_t canonical;
    XXH128_canonicalFromHash(&canonical, XXH3_128bits_digest(hasher->state));
    memcpy(hash, canonical.digest, sizeof(canonical.digest));
    CT_REQUIRE(XXH3_128bits_reset(hasher->state) == XXH_OK, "the hash does not start");
}
