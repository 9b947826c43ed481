#include "foundation/container/buddy_array.h"

#include <string.h>

#include "foundation/error.h"

void *ct_buddy_array_grown(ct_buddy_allocator *b, void *items, uint64_t item_bytes,
                           uint32_t *capacity, uint64_t wanted) {
    if (wanted <= *capacity)
        return items;
    CT_REQUIRE(wanted <= UINT32_MAX >> 1, "%llu items are too many for a buddy array",
               (unsigned long long)wanted);
    const uint64_t old_bytes = *capacity * item_bytes;
    const uint64_t block_bytes = ct_buddy_rounded_bytes(b, wanted * item_bytes);
    // As many items as fit always take more than half of the block, so that their size names it.
    *capacity = (uint32_t)(block_bytes / item_bytes);
    if (items && block_bytes == 2 * ct_buddy_rounded_bytes(b, old_bytes))
        return ct_buddy_grow(b, items, old_bytes);
    void *const grown = ct_buddy_take(b, block_bytes);
    if (items) {
        memcpy(grown, items, old_bytes);
        ct_buddy_give_sized(b, items, old_bytes);
    }
    return grown;
}

void ct_buddy_array_give(ct_buddy_allocator *b, void *items, uint64_t item_bytes,
                         uint32_t capacity) {
    if (items)
        ct_buddy_give_sized(b, items, capacity * item_bytes);
}

void ct_buddy_array_close_gap(void *items, uint64_t item_bytes, uint32_t i, uint32_t count) {
    CT_ASSERT(i < count, "index %u is out of range: the array has %u items", i, count);
    char *const gap = (char *)items + i * item_bytes;
    memmove(gap, gap + item_bytes, (count - i - 1) * item_bytes);
}
