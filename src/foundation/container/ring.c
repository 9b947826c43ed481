#include "foundation/container/ring.h"

#include <string.h>

#include "foundation/error.h"

static char *place(const ct_ring *ring, uint32_t position) {
    const uint32_t i = (ring->head + position) & (ring->capacity - 1);
    return ring->items + (uint64_t)i * ring->item_bytes;
}

static uint64_t buffer_bytes(const ct_ring *ring) {
    return (uint64_t)ring->capacity * ring->item_bytes;
}

void ct_ring_init(ct_ring *ring, ct_allocator *a, uint32_t item_bytes) {
    *ring = (ct_ring){.allocator = a, .item_bytes = item_bytes};
}

void ct_ring_free(ct_ring *ring) {
    ct_free_sized(ring->allocator, ring->items, buffer_bytes(ring));
    ct_ring_init(ring, ring->allocator, ring->item_bytes);
}

// Makes room for `count` items, doubling, the oldest item first. Returns the old buffer, which the
// pushed item may lie in, for the caller to free.
static char *grow(ct_ring *ring, uint64_t count) {
    CT_REQUIRE(count <= UINT32_C(1) << 31, "a ring of %u items cannot grow any more", ring->count);
    char *const old_items = ring->items;
    const uint64_t old_bytes = buffer_bytes(ring);
    const uint64_t head_bytes = (uint64_t)ring->head * ring->item_bytes;
    ring->capacity = ring->capacity ? ring->capacity : 8;
    while (ring->capacity < count)
        ring->capacity *= 2;
    ring->items = ct_alloc(ring->allocator, buffer_bytes(ring));
    if (old_items) {
        memcpy(ring->items, old_items + head_bytes, old_bytes - head_bytes);
        memcpy(ring->items + (old_bytes - head_bytes), old_items, head_bytes);
    }
    ring->head = 0;
    return old_items;
}

void ct_ring_reserve(ct_ring *ring, uint32_t count) {
    if (count <= ring->capacity)
        return;
    const uint64_t old_bytes = buffer_bytes(ring);
    char *const old_items = grow(ring, count);
    ct_free_sized(ring->allocator, old_items, old_bytes);
}

void ct_ring_push(ct_ring *ring, const void *item) {
    const uint64_t old_bytes = buffer_bytes(ring);
    char *const old_items =
        ring->count == ring->capacity ? grow(ring, (uint64_t)ring->count + 1) : NULL;
    memcpy(place(ring, ring->count++), item, ring->item_bytes);
    ct_free_sized(ring->allocator, old_items, old_bytes);
}

// How many of `count` places from `position` on lie before the end of the buffer.
static uint32_t count_before_end(const ct_ring *ring, uint32_t position, uint32_t count) {
    const uint32_t left = ring->capacity - ((ring->head + position) & (ring->capacity - 1));
    return count < left ? count : left;
}

void ct_ring_push_many(ct_ring *ring, const void *items, uint32_t count) {
    if (count == 0)
        return;
    const uint64_t old_bytes = buffer_bytes(ring), new_count = (uint64_t)ring->count + count;
    char *const old_items = new_count > ring->capacity ? grow(ring, new_count) : NULL;
    const uint32_t first = count_before_end(ring, ring->count, count);
    const uint64_t first_bytes = (uint64_t)first * ring->item_bytes;
    const uint64_t rest_bytes = (uint64_t)(count - first) * ring->item_bytes;
    memcpy(place(ring, ring->count), items, first_bytes);
    memcpy(ring->items, (const char *)items + first_bytes, rest_bytes);
    ring->count += count;
    ct_free_sized(ring->allocator, old_items, old_bytes);
}

void ct_ring_pop_many(ct_ring *ring, void *items, uint32_t count) {
    CT_ASSERT(count <= ring->count, "cannot pop %u items: the ring has %u", count, ring->count);
    if (count == 0)
        return;
    const uint32_t first = count_before_end(ring, 0, count);
    const uint64_t first_bytes = (uint64_t)first * ring->item_bytes;
    memcpy(items, place(ring, 0), first_bytes);
    memcpy((char *)items + first_bytes, ring->items, (uint64_t)(count - first) * ring->item_bytes);
    ring->head = (ring->head + count) & (ring->capacity - 1);
    ring->count -= count;
}

bool ct_ring_pop(ct_ring *ring, void *item) {
    if (ring->count == 0)
        return false;
    if (item)
        memcpy(item, place(ring, 0), ring->item_bytes);
    ring->head = (ring->head + 1) & (ring->capacity - 1);
    --ring->count;
    return true;
}

void *ct_ring_at(const ct_ring *ring, uint32_t position) {
    CT_ASSERT(position < ring->count, "position %u is out of range: the ring has %u items",
              position, ring->count);
    return place(ring, position);
}
