#include "sound/mixer/mixer_queue.h"

#include <string.h>

void ct_mixer_queue_init(ct_mixer_queue *q, ct_allocator *a, uint32_t item_bytes,
                         uint32_t least_capacity) {
    uint32_t capacity = 1;
    while (capacity < least_capacity)
        capacity *= 2;
    q->items = ct_alloc(a, (uint64_t)item_bytes * capacity);
    q->item_bytes = item_bytes;
    q->capacity = capacity;
    atomic_init(&q->num_pushed, 0);
    atomic_init(&q->num_popped, 0);
}

void ct_mixer_queue_free(ct_mixer_queue *q, ct_allocator *a) {
    ct_free(a, q->items);
    q->items = NULL;
}

static uint8_t *item_at(const ct_mixer_queue *q, uint32_t number) {
    return q->items + (size_t)(number & (q->capacity - 1)) * q->item_bytes;
}

bool ct_mixer_queue_push(ct_mixer_queue *q, const void *item) {
    const uint32_t pushed = atomic_load_explicit(&q->num_pushed, memory_order_relaxed);
    if (pushed - atomic_load_explicit(&q->num_popped, memory_order_acquire) == q->capacity)
        return false;
    memcpy(item_at(q, pushed), item, q->item_bytes);
    atomic_store_explicit(&q->num_pushed, pushed + 1, memory_order_release);
    return true;
}

bool ct_mixer_queue_pop(ct_mixer_queue *q, void *item) {
    const uint32_t popped = atomic_load_explicit(&q->num_popped, memory_order_relaxed);
    if (popped == atomic_load_explicit(&q->num_pushed, memory_order_acquire))
        return false;
    memcpy(item, item_at(q, popped), q->item_bytes);
    atomic_store_explicit(&q->num_popped, popped + 1, memory_order_release);
    return true;
}
