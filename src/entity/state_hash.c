#include "entity/state_hash.h"

#include "foundation/string/string_id.h"

// The last step of SplitMix64 (Steele, Lea, Flood: "Fast Splittable Pseudorandom Number
// Generators", 2014).
static uint64_t mixed(uint64_t x) {
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

void ct_state_hash_add(ct_state_hash *h, ct_entity e, uint64_t what, const void *bytes,
                       uint32_t size_bytes) {
    if (h->has && !h->has(h->user, e))
        return;
    const uint64_t value = ct_string_id64_of_bytes(bytes, size_bytes).value;
    h->value += mixed(value ^ mixed(e.id ^ mixed(what)));
}
