// task_deque.h: one thread's queue of task ids. The owner pushes and pops at the bottom; other
// threads steal from the top, several ids at once.
//
// A ring of fixed size. Ids are hints (task_private.h): a thread that takes one still has to claim
// the task, so entries may be stale, and may also be read without being taken.
// The THE protocol of "The Implementation of the Cilk-5 Multithreaded Language" (Frigo, Leiserson,
// Randall 1998): thieves exclude each other by a lock; owner and thief each move their end first
// and then look at the other end. The owner takes the lock only when the ends have crossed.
#pragma once
#include <stdalign.h>
#include <stdatomic.h>

#include "foundation/os/os.h"

enum {
    CT_TASK_LINE_BYTES = 64,
    CT_TASK_DEQUE_ENTRIES = 2048,
    CT_TASK_DEQUE_MAX_STOLEN = 16,
    // Ids that are being stolen stay in place until they have been read.
    CT_TASK_DEQUE_CAPACITY = CT_TASK_DEQUE_ENTRIES - CT_TASK_DEQUE_MAX_STOLEN,
};

// Each end has its own cache line: thieves read both, and the owner writes the bottom all the time.
typedef struct ct_task_deque {
    alignas(CT_TASK_LINE_BYTES) _Atomic int64_t top; // written under the mutex
    ct_mutex mutex;
    alignas(CT_TASK_LINE_BYTES) _Atomic int64_t bottom; // written by the owner
    alignas(CT_TASK_LINE_BYTES) _Atomic uint64_t ids[CT_TASK_DEQUE_ENTRIES];
} ct_task_deque;

// Makes an empty deque in place.
static inline void ct_task_deque_init(ct_task_deque *d) {
    atomic_init(&d->top, 0);
    atomic_init(&d->bottom, 0);
    ct_mutex_init(&d->mutex);
}

// Ends a deque that no thread uses any more; ids in it are dropped.
static inline void ct_task_deque_shutdown(ct_task_deque *d) {
    ct_mutex_shutdown(&d->mutex);
}

// Reads the id at `index`, which counts all ids ever pushed.
static inline uint64_t ct_task_deque_at(ct_task_deque *d, int64_t index) {
    return atomic_load_explicit(&d->ids[index & (CT_TASK_DEQUE_ENTRIES - 1)], memory_order_relaxed);
}

// Returns whether it looks empty; that may change at once. Any thread.
static inline bool ct_task_deque_is_empty(ct_task_deque *d) {
    return atomic_load(&d->top) >= atomic_load(&d->bottom);
}

// --- For the owner -------------------------------------------------------------------------------

// Pushes `id`; returns false when the deque is full. Others may see the id at once, but only
// ct_task_deque_publish makes sure that a thread about to sleep sees it.
static inline bool ct_task_deque_push(ct_task_deque *d, uint64_t id) {
    const int64_t bottom = atomic_load_explicit(&d->bottom, memory_order_relaxed);
    if (bottom - atomic_load_explicit(&d->top, memory_order_acquire) >= CT_TASK_DEQUE_CAPACITY)
        return false;
    atomic_store_explicit(&d->ids[bottom & (CT_TASK_DEQUE_ENTRIES - 1)], id, memory_order_relaxed);
    atomic_store_explicit(&d->bottom, bottom + 1, memory_order_release);
    return true;
}

// Orders all pushes before what this thread reads next.
static inline void ct_task_deque_publish(ct_task_deque *d) {
    atomic_store(&d->bottom, atomic_load_explicit(&d->bottom, memory_order_relaxed));
}

// Returns the newest id without taking it; 0 when the deque looks empty.
static inline uint64_t ct_task_deque_newest(ct_task_deque *d) {
    const int64_t bottom = atomic_load_explicit(&d->bottom, memory_order_relaxed);
    return atomic_load_explicit(&d->top, memory_order_relaxed) < bottom
               ? ct_task_deque_at(d, bottom - 1)
               : 0;
}

// Takes the newest id; 0 when the deque is empty.
static inline uint64_t ct_task_deque_pop(ct_task_deque *d) {
    const int64_t bottom = atomic_load_explicit(&d->bottom, memory_order_relaxed) - 1;
    // What looks empty costs no write.
    if (bottom < atomic_load_explicit(&d->top, memory_order_relaxed))
        return 0;
    atomic_store(&d->bottom, bottom);
    if (atomic_load(&d->top) <= bottom)
        return ct_task_deque_at(d, bottom);
    // A thief has taken it, or is about to give it back.
    atomic_store(&d->bottom, bottom + 1);
    ct_mutex_lock(&d->mutex);
    uint64_t id = 0;
    if (atomic_load(&d->top) <= bottom) {
        atomic_store(&d->bottom, bottom);
        id = ct_task_deque_at(d, bottom);
    }
    ct_mutex_unlock(&d->mutex);
    return id;
}

// --- For any thread ------------------------------------------------------------------------------

// Moves the top by `count`, if the owner leaves that many. Call it under the lock.
static inline bool ct_task_deque_move_top(ct_task_deque *d, int64_t count) {
    const int64_t top = atomic_load_explicit(&d->top, memory_order_relaxed);
    atomic_store(&d->top, top + count);
    if (atomic_load(&d->bottom) >= top + count)
        return true;
    atomic_store(&d->top, top);
    return false;
}

// Takes the older half of the ids, at most `max` (up to CT_TASK_DEQUE_MAX_STOLEN), oldest first;
// returns how many. Sets `*is_disturbed` when the deque may have looked empty to others for a
// moment.
static inline uint32_t ct_task_deque_steal(ct_task_deque *d, uint64_t *ids, uint32_t max,
                                           bool *is_disturbed) {
    if (ct_task_deque_is_empty(d))
        return 0;
    ct_mutex_lock(&d->mutex);
    const int64_t top = atomic_load_explicit(&d->top, memory_order_relaxed);
    int64_t count = 0;
    for (;;) {
        const int64_t half = (atomic_load(&d->bottom) - top + 1) / 2;
        count = half < (int64_t)max ? half : (int64_t)max;
        if (count <= 0 || ct_task_deque_move_top(d, count))
            break;
        *is_disturbed = true;
    }
    for (int64_t i = 0; i < count; ++i)
        ids[i] = ct_task_deque_at(d, top + i);
    ct_mutex_unlock(&d->mutex);
    return count > 0 ? (uint32_t)count : 0;
}

// Removes the oldest id if it is `id`.
static inline void ct_task_deque_drop(ct_task_deque *d, uint64_t id) {
    ct_mutex_lock(&d->mutex);
    const int64_t top = atomic_load_explicit(&d->top, memory_order_relaxed);
    if (top < atomic_load(&d->bottom) && ct_task_deque_at(d, top) == id)
        ct_task_deque_move_top(d, 1);
    ct_mutex_unlock(&d->mutex);
}
