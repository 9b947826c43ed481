// task_ring.c: the queue that any thread may use.
#include "foundation/memory/allocator.h"
#include "foundation/task/task_private.h"

enum { LEAST_CAPACITY = 64 };

void ct_task_ring_init(ct_task_ring *r) {
    ct_mutex_init(&r->mutex);
}

void ct_task_ring_shutdown(ct_task_ring *r, ct_allocator *a) {
    ct_free_sized(a, r->ids, r->capacity * sizeof(uint64_t));
    ct_mutex_shutdown(&r->mutex);
}

// --- With the lock held --------------------------------------------------------------------------

static uint32_t count_of(const ct_task_ring *r) {
    return atomic_load_explicit(&r->count, memory_order_relaxed);
}

static uint64_t *at(const ct_task_ring *r, uint32_t i) {
    return &r->ids[(r->first + i) & (r->capacity - 1)];
}

static uint64_t pop(ct_task_ring *r) {
    const uint64_t id = *at(r, 0);
    ++r->first;
    atomic_store(&r->count, count_of(r) - 1);
    return id;
}

static void drop_stale(const ct_task_manager *m, ct_task_ring *r) {
    const uint32_t count = count_of(r);
    uint32_t num_kept = 0;
    for (uint32_t i = 0; i < count; ++i) {
        const uint64_t id = *at(r, i);
        if (ct_task_is_claimable(m, id))
            *at(r, num_kept++) = id;
    }
    atomic_store(&r->count, num_kept);
}

static void grow(ct_task_manager *m, ct_task_ring *r) {
    const uint32_t capacity = r->capacity ? 2 * r->capacity : (uint32_t)LEAST_CAPACITY;
    uint64_t *const ids = ct_alloc(m->allocator, capacity * sizeof(uint64_t));
    for (uint32_t i = 0; i < count_of(r); ++i)
        ids[i] = *at(r, i);
    ct_free_sized(m->allocator, r->ids, r->capacity * sizeof(uint64_t));
    r->ids = ids;
    r->first = 0;
    r->capacity = capacity;
}

// --- Any thread ----------------------------------------------------------------------------------

void ct_task_ring_push(ct_task_manager *m, ct_task_ring *r, uint64_t id) {
    ct_mutex_lock(&r->mutex);
    if (count_of(r) == r->capacity) {
        drop_stale(m, r);
        if (count_of(r) >= r->capacity / 2)
            grow(m, r);
    }
    *at(r, count_of(r)) = id;
    atomic_store(&r->count, count_of(r) + 1);
    ct_mutex_unlock(&r->mutex);
}

uint32_t ct_task_ring_take(ct_task_manager *m, ct_task_ring *r) {
    uint32_t slot = 0;
    if (atomic_load(&r->count) == 0)
        return 0;
    ct_mutex_lock(&r->mutex);
    while (!slot && count_of(r)) {
        const uint64_t id = pop(r);
        if (ct_task_claim(m, id))
            slot = ct_task_slot_of((ct_task_id){id});
    }
    ct_mutex_unlock(&r->mutex);
    return slot;
}

uint32_t ct_task_ring_take_allowed(ct_task_manager *m, ct_task_ring *r,
                                   const ct_task_wait_desc *wait) {
    uint32_t slot = 0;
    if (atomic_load(&r->count) == 0)
        return 0;
    ct_mutex_lock(&r->mutex);
    for (uint32_t i = 0; !slot && i < count_of(r); ++i)
        slot = ct_task_claim_allowed(m, wait, *at(r, i));
    // What was claimed here is stale now.
    while (count_of(r) && !ct_task_is_claimable(m, *at(r, 0)))
        pop(r);
    ct_mutex_unlock(&r->mutex);
    return slot;
}
