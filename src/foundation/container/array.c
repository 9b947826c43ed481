#include "foundation/container/array.h"

#include <string.h>

#include "foundation/error.h"

void *ct_array_grown(ct_allocator *a, void *items, uint64_t item_bytes, uint32_t *capacity,
                     uint64_t wanted) {
    if (wanted <= *capacity)
        return items;
    CT_REQUIRE(wanted <= UINT32_MAX, "%llu items are too many for an array",
               (unsigned long long)wanted);
    uint64_t grown = *capacity ? *capacity : 8;
    while (grown < wanted)
        grown *= 2;
    if (grown > UINT32_MAX)
        grown = UINT32_MAX;
    items = ct_realloc(a, items, *capacity * item_bytes, grown * item_bytes);
    *capacity = (uint32_t)grown;
    return items;
}

void *ct_array_resized(ct_allocator *a, void *items, uint64_t item_bytes, uint32_t *count,
                       uint32_t *capacity, uint64_t new_count) {
    char *const resized = ct_array_grown(a, items, item_bytes, capacity, new_count);
    if (new_count > *count)
        memset(resized + *count * item_bytes, 0, (new_count - *count) * item_bytes);
    *count = (uint32_t)new_count;
    return resized;
}

void ct_array_copy(void *items, uint64_t at, const void *source, uint64_t item_bytes, uint64_t n) {
    if (n)
        memcpy((char *)items + at * item_bytes, source, n * item_bytes);
}

void ct_array_open(void *items, uint64_t item_bytes, uint32_t count, uint64_t at) {
    CT_ASSERT(at <= count, "index %llu is out of range: the array has %u items",
              (unsigned long long)at, count);
    char *const place = (char *)items + at * item_bytes;
    memmove(place + item_bytes, place, (count - at) * item_bytes);
}

void ct_array_close(void *items, uint64_t item_bytes, uint32_t count, uint64_t at, uint64_t n) {
    CT_ASSERT(at <= count && n <= count - at,
              "items %llu to %llu are out of range: the array has %u items", (unsigned long long)at,
              (unsigned long long)(at + n), count);
    if (n == 0)
        return;
    char *const place = (char *)items + at * item_bytes;
    memmove(place, place + n * item_bytes, (count - at - n) * item_bytes);
}
