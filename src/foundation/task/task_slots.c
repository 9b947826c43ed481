// task_slots.c: free slots: a few with each thread, the rest for all, and a reserve.
#include <string.h>

#include "foundation/task/task_private.h"

// How many free slots a thread may keep: all threads together a quarter of what there is.
static uint32_t max_cached(const ct_task_manager *m) {
    const uint32_t share =
        CT_TASK_MAX_OPEN / 4 / atomic_load_explicit(&m->num_threads, memory_order_relaxed);
    return share < CT_TASK_CACHED_SLOTS ? share : (uint32_t)CT_TASK_CACHED_SLOTS;
}

// How many it takes and gives back at once.
static uint32_t half_cache(const ct_task_manager *m) {
    const uint32_t max = max_cached(m);
    return max - max / 2;
}

// --- With the lock held --------------------------------------------------------------------------

static uint32_t count_spare(const ct_task_manager *m) {
    return m->num_free + CT_TASK_NUM_SLOTS - m->first_unused;
}

static void note_reserve(ct_task_manager *m) {
    atomic_store_explicit(&m->is_reserve_short, count_spare(m) <= CT_TASK_RESERVE,
                          memory_order_relaxed);
}

// Sets up `count` slots that were never used before, at the end of `free_slots`.
static void use_new_slots(ct_task_manager *m, uint32_t count) {
    for (; count; --count) {
        const uint32_t s = m->first_unused++;
        m->marks[s] = 0;
        m->slots[s] = (ct_task_slot){.state = (uint64_t)1 << 32};
        m->free_slots[m->num_free++] = s;
    }
}

// --- Any thread ----------------------------------------------------------------------------------

static void give_back(ct_task_manager *m, const uint32_t *slots, uint32_t count) {
    ct_mutex_lock(&m->slot_mutex);
    memcpy(&m->free_slots[m->num_free], slots, count * sizeof(uint32_t));
    m->num_free += count;
    atomic_fetch_add_explicit(&m->num_given_back, count, memory_order_relaxed);
    note_reserve(m);
    ct_mutex_unlock(&m->slot_mutex);
}

void ct_task_give_back_slots(ct_task_manager *m, ct_task_thread *t, uint32_t count) {
    t->num_free_slots -= count;
    give_back(m, &t->free_slots[t->num_free_slots], count);
}

// Moves up to `count` free slots to `slots`, leaving `reserve`; returns how many.
static uint32_t take_slots(ct_task_manager *m, uint32_t *slots, uint32_t count, uint32_t reserve) {
    ct_mutex_lock(&m->slot_mutex);
    const uint32_t num_spare = count_spare(m);
    const uint32_t num_left = num_spare > reserve ? num_spare - reserve : 0;
    const uint32_t taken = num_left < count ? num_left : count;
    if (m->num_free < taken)
        use_new_slots(m, taken - m->num_free);
    m->num_free -= taken;
    memcpy(slots, &m->free_slots[m->num_free], taken * sizeof(uint32_t));
    note_reserve(m);
    ct_mutex_unlock(&m->slot_mutex);
    return taken;
}

uint32_t ct_task_take_slot(ct_task_manager *m) {
    ct_task_thread *const t = ct_task_thread_here(m);
    if (!t) {
        uint32_t slot = 0;
        return take_slots(m, &slot, 1, CT_TASK_RESERVE) ? slot : 0;
    }
    if (!t->num_free_slots)
        t->num_free_slots = take_slots(m, t->free_slots, half_cache(m), CT_TASK_RESERVE);
    return t->num_free_slots ? t->free_slots[--t->num_free_slots] : 0;
}

uint32_t ct_task_take_reserved_slot(ct_task_manager *m) {
    uint32_t slot = 0;
    return take_slots(m, &slot, 1, 0) ? slot : 0;
}

void ct_task_free_slot(ct_task_manager *m, uint32_t slot) {
    ct_task_thread *const t = ct_task_thread_here(m);
    const bool is_short = atomic_load_explicit(&m->is_reserve_short, memory_order_relaxed);
    if (!t) {
        give_back(m, &slot, 1);
        return;
    }
    // The limit sinks when threads register: more than half may have to go.
    if (t->num_free_slots >= max_cached(m))
        ct_task_give_back_slots(m, t, t->num_free_slots + 1 - half_cache(m));
    t->free_slots[t->num_free_slots++] = slot;
    if (is_short)
        ct_task_give_back_slots(m, t, t->num_free_slots);
}
