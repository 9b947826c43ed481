#include "foundation/container/sparse_set.h"

#include <string.h>

#include "foundation/container/array.h"
#include "foundation/error.h"

void ct_sparse_set_init(ct_sparse_set *set, ct_allocator *a) {
    *set = (ct_sparse_set){.allocator = a};
}

void ct_sparse_set_free(ct_sparse_set *set) {
    ct_free_sized(set->allocator, set->dense, sizeof(uint32_t) * (uint64_t)set->capacity);
    ct_free_sized(set->allocator, set->sparse, sizeof(uint32_t) * (uint64_t)set->universe);
    ct_sparse_set_init(set, set->allocator);
}

void ct_sparse_set_reserve(ct_sparse_set *set, uint32_t universe, uint32_t count) {
    const uint32_t old_universe = set->universe;
    set->dense =
        ct_array_grown(set->allocator, set->dense, sizeof(uint32_t), &set->capacity, count);
    set->sparse =
        ct_array_grown(set->allocator, set->sparse, sizeof(uint32_t), &set->universe, universe);
    // Any value would do, but reading one that was never written is no way to get it.
    if (set->universe > old_universe)
        memset(set->sparse + old_universe, 0,
               sizeof(uint32_t) * (uint64_t)(set->universe - old_universe));
}

bool ct_sparse_set_add(ct_sparse_set *set, uint32_t member) {
    CT_REQUIRE(member < UINT32_C(1) << 31, "%u is too large for a member of a sparse set", member);
    if (ct_sparse_set_has(set, member))
        return false;
    ct_sparse_set_reserve(set, member + 1, set->count + 1);
    set->sparse[member] = set->count;
    set->dense[set->count++] = member;
    return true;
}

bool ct_sparse_set_remove(ct_sparse_set *set, uint32_t member) {
    const uint32_t position = ct_sparse_set_position(set, member);
    if (position == UINT32_MAX)
        return false;
    const uint32_t last = set->dense[--set->count];
    set->dense[position] = last;
    set->sparse[last] = position;
    return true;
}
