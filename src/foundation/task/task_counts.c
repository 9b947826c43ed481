#include "foundation/task/task_counts.h"

#include "foundation/task/task_private.h"

uint32_t ct_task_counts(const ct_task_manager *m, ct_task_thread_counts *counts, uint32_t most) {
    const uint32_t num_threads = atomic_load(&m->num_threads);
    for (uint32_t i = 0; i < num_threads && i < most; ++i) {
        const ct_task_thread *const t = atomic_load(&m->threads[i]);
        counts[i] = (ct_task_thread_counts){
            .affinity = t->affinity,
            .num_run = atomic_load_explicit(&t->num_run, memory_order_relaxed),
            .num_waits = atomic_load_explicit(&t->num_waits, memory_order_relaxed),
            .num_idle = atomic_load_explicit(&t->num_idle, memory_order_relaxed)};
    }
    return num_threads;
}
