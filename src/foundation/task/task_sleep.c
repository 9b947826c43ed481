// task_sleep.c: threads without work: they spin for a while, then sleep until there is some.
//
// No wake-up is lost: a thread first counts itself as a sleeper and then looks for work once more;
// a thread that has something new first makes it visible and then looks at the counts. All four are
// sequentially consistent, so at least one of the two sees the other.
//
// A spinning thread will take what is new, so nobody is woken for it. It may stop spinning because
// its wait is over, or because it found other work; then it passes on what it may have been counted
// upon for (stop_spinning). Only threads that run anything count as spinning. Those that wait
// inside a task ("bound") are woken when no other thread can be, to see for themselves.
#include "foundation/profiler/profiler.h"
#include "foundation/task/task_private.h"

static const uint64_t spin_ns = 50000;
static const uint64_t yield_ns =
    5000; // of spinning, after which other threads of this core go first

// The fields of ct_task_manager.idle_counts.
static const uint64_t one_spinner = 1, one_free_sleeper = 1 << 16, one_bound_sleeper = 1ull << 32;

static uint32_t num_spinners(uint64_t counts) {
    return counts & 0xffff;
}

static uint32_t num_bound_sleepers(uint64_t counts) {
    return counts >> 32 & 0xffff;
}

static bool has_sleepers(uint64_t counts) {
    return counts >= one_free_sleeper;
}

static uint64_t counts_of(ct_task_manager *m) {
    return atomic_load(&m->idle_counts);
}

// --- The list of sleepers, under the lock --------------------------------------------------------

static uint64_t count_as(const ct_task_sleeper *s) {
    return s->runs_anything ? one_free_sleeper : one_bound_sleeper;
}

static void enlist(ct_task_manager *m, ct_task_sleeper *s) {
    s->is_listed = true;
    s->previous = NULL;
    s->next = m->first_sleeper;
    if (s->next)
        s->next->previous = s;
    m->first_sleeper = s;
}

static void delist(ct_task_manager *m, ct_task_sleeper *s) {
    s->is_listed = false;
    if (s->previous)
        s->previous->next = s->next;
    else
        m->first_sleeper = s->next;
    if (s->next)
        s->next->previous = s->previous;
}

// Systems that pack threads on few cores may queue a woken thread behind the one that wakes it,
// where it stays while that one is busy. So a worker wakes with one core less to choose from.
static bool keep_off_this_core(const ct_task_thread *worker) {
    ct_core_set cores = worker->cores;
    const uint32_t core = ct_os_current_core();
    uint64_t others = 0;
    if (core < 64 * CT_COUNT_OF(cores.bits))
        cores.bits[core / 64] &= ~(1ull << core % 64);
    for (uint32_t i = 0; i < CT_COUNT_OF(cores.bits); ++i)
        others |= cores.bits[i];
    if (others)
        ct_thread_set_cores(worker->system_id, &cores);
    return others != 0;
}

// `s` may be gone once its word is written.
static void wake(ct_task_manager *m, ct_task_sleeper *s, bool as_spinner) {
    delist(m, s);
    s->is_spinner = as_spinner;
    s->is_kept_off = s->worker && keep_off_this_core(s->worker);
    atomic_fetch_add(&m->idle_counts, (as_spinner ? one_spinner : 0) - count_as(s));
    _Atomic uint32_t *const word = &s->is_asleep;
    atomic_store(word, 0);
    ct_os_futex_wake(word, 1);
}

// --- Waking --------------------------------------------------------------------------------------

static void wake_bound(ct_task_manager *m) {
    ct_task_sleeper *next;
    for (ct_task_sleeper *s = m->first_sleeper; s; s = next) {
        next = s->next;
        if (!s->runs_anything)
            wake(m, s, false);
    }
}

// Returns how many of `count` it did not wake, for want of sleepers.
static uint32_t wake_free(ct_task_manager *m, uint32_t count) {
    ct_task_sleeper *next;
    for (ct_task_sleeper *s = m->first_sleeper; s && count; s = next) {
        next = s->next;
        if (s->runs_anything) {
            wake(m, s, true);
            --count;
        }
    }
    return count;
}

static void notify_sleepers(ct_task_manager *m, uint32_t count) {
    ct_mutex_lock(&m->sleep_mutex);
    const uint32_t spinning = num_spinners(counts_of(m));
    if (count > spinning && wake_free(m, count - spinning))
        wake_bound(m);
    ct_mutex_unlock(&m->sleep_mutex);
}

void ct_task_notify(ct_task_manager *m, uint32_t count) {
    const uint64_t counts = counts_of(m);
    if (has_sleepers(counts) && count > num_spinners(counts))
        notify_sleepers(m, count);
}

void ct_task_notify_affine(ct_task_manager *m, uint32_t affinities) {
    if (!has_sleepers(counts_of(m)))
        return;
    ct_mutex_lock(&m->sleep_mutex);
    ct_task_sleeper *next;
    for (ct_task_sleeper *s = m->first_sleeper; s; s = next) {
        next = s->next;
        if (s->affinity && affinities >> s->affinity & 1)
            wake(m, s, false);
    }
    ct_mutex_unlock(&m->sleep_mutex);
}

void ct_task_notify_bound(ct_task_manager *m) {
    if (!num_bound_sleepers(counts_of(m)))
        return;
    ct_mutex_lock(&m->sleep_mutex);
    wake_bound(m);
    ct_mutex_unlock(&m->sleep_mutex);
}

static void notify_waiters(ct_task_manager *m, ct_task_id task, const ct_task_event *event) {
    if (!has_sleepers(counts_of(m)))
        return;
    ct_mutex_lock(&m->sleep_mutex);
    ct_task_sleeper *next;
    for (ct_task_sleeper *s = m->first_sleeper; s; s = next) {
        next = s->next;
        if (s->task.value == task.value && s->event == event)
            wake(m, s, false);
    }
    ct_mutex_unlock(&m->sleep_mutex);
}

void ct_task_notify_done(ct_task_manager *m, ct_task_id task) {
    notify_waiters(m, task, NULL);
}

void ct_task_notify_event(ct_task_manager *m, const ct_task_event *event) {
    notify_waiters(m, (ct_task_id){0}, event);
}

// --- Spinning ------------------------------------------------------------------------------------

static void pause_a_little(void) {
#if defined(__x86_64__)
    for (uint32_t i = 0; i < 4; ++i)
        __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("isb");
#endif
}

// True when a queue that any thread may take from is not empty, or was not a moment ago.
static bool has_work(ct_task_manager *m) {
    const uint32_t num_threads = atomic_load(&m->num_threads);
    for (uint32_t level = 0; level < CT_TASK_NUM_LEVELS; ++level) {
        if (atomic_load(&m->shared[level].count))
            return true;
        for (uint32_t i = 0; i < num_threads; ++i) {
            if (!ct_task_deque_is_empty(&atomic_load(&m->threads[i])->deques[level]))
                return true;
        }
    }
    return false;
}

static void start_spinning(ct_task_manager *m) {
    atomic_fetch_add(&m->idle_counts, one_spinner);
}

static void stop_spinning(ct_task_manager *m) {
    const uint64_t counts = atomic_fetch_sub(&m->idle_counts, one_spinner);
    if (has_sleepers(counts) && num_spinners(counts) == 1 && has_work(m))
        ct_task_notify(m, 1);
}

bool ct_task_wait_is_over(const ct_task_manager *m, const ct_task_wait_desc *wait) {
    return wait->event ? atomic_load(&wait->event->is_signalled) != 0
                       : ct_task_is_done(m, wait->task);
}

// Looks for work for some time. A task, or 0: then the wait may be over.
static uint32_t spin(ct_task_manager *m, const ct_task_wait_desc *wait) {
    const uint64_t start = ct_os_time_ns();
    uint64_t passed = 0;
    while (passed < spin_ns && !ct_task_wait_is_over(m, wait)) {
        const uint32_t slot = ct_task_find(m, wait);
        if (slot)
            return slot;
        pause_a_little();
        passed = ct_os_time_ns() - start;
        if (passed > yield_ns)
            ct_thread_yield();
    }
    return 0;
}

// --- Sleeping ------------------------------------------------------------------------------------

static void begin_sleep(ct_task_manager *m, ct_task_sleeper *s) {
    ct_mutex_lock(&m->sleep_mutex);
    enlist(m, s);
    // A thread that runs anything was spinning up to now.
    atomic_fetch_add(&m->idle_counts, count_as(s) - (s->runs_anything ? one_spinner : 0));
    ct_mutex_unlock(&m->sleep_mutex);
}

// Leaves the list unless another thread has done that. Afterwards `is_spinner` is right.
static void end_sleep(ct_task_manager *m, ct_task_sleeper *s) {
    ct_mutex_lock(&m->sleep_mutex);
    if (s->is_listed) {
        delist(m, s);
        atomic_fetch_sub(&m->idle_counts, count_as(s));
    }
    ct_mutex_unlock(&m->sleep_mutex);
}

// Asks who ends the awaited task to wake its waiters; false when it is done.
static bool mark_awaited(ct_task_manager *m, ct_task_id task) {
    ct_task_slot *const s = &m->slots[ct_task_slot_of(task)];
    uint64_t state = atomic_load(&s->state);
    do {
        if ((uint32_t)(state >> 32) != ct_task_generation_of(task))
            return false;
    } while (!atomic_compare_exchange_weak(&s->state, &state, state | CT_TASK_IS_AWAITED));
    return true;
}

static void sleep_on(ct_task_manager *m, const ct_task_wait_desc *wait, _Atomic uint32_t *word) {
#ifdef CT_BUILD_DEV
    const ct_task_frame *const f = ct_task_here.frame;
    const bool is_task = wait->task.value && f && f->manager == m;
    ct_task_asleep a = {.by = is_task ? ct_task_slot_of(f->task) : 0, .task = wait->task};
    if (is_task)
        ct_task_begin_asleep(m, &a);
#endif
    while (atomic_load(word))
        ct_os_futex_wait(word, 1);
#ifdef CT_BUILD_DEV
    if (is_task)
        ct_task_end_asleep(m, &a);
#endif
    (void)m;
    (void)wait;
}

// Sleeps until woken; returns a task when one shows up before. Sets whether this thread counts as
// spinning now.
static uint32_t sleep_once(ct_task_manager *m, const ct_task_wait_desc *wait, bool *is_spinner) {
    ct_task_thread *const self = ct_task_thread_here(m);
    if (self && self->num_free_slots)
        ct_task_give_back_slots(m, self, self->num_free_slots);
    ct_task_sleeper s = {.is_asleep = 1,
                         .runs_anything = wait->runs_anything,
                         .affinity = self ? self->affinity : 0,
                         .worker = self && self->affinity == 0 ? self : NULL,
                         .task = wait->task,
                         .event = wait->event};
    begin_sleep(m, &s);
    uint32_t slot = 0;
    const bool is_over =
        ct_task_wait_is_over(m, wait) || (wait->task.value && !mark_awaited(m, wait->task));
    if (!is_over)
        slot = ct_task_find(m, wait);
    if (is_over || slot)
        end_sleep(m, &s);
    else
        sleep_on(m, wait, &s.is_asleep);
    if (s.is_kept_off)
        ct_thread_set_cores(0, &self->cores);
    *is_spinner = s.is_spinner;
    return slot;
}

uint32_t ct_task_idle(ct_task_manager *m, const ct_task_wait_desc *wait) {
    CT_PROFILER_SCOPE(wait->scope);
    bool is_spinner = wait->runs_anything;
    if (is_spinner)
        start_spinning(m);
    for (;;) {
        uint32_t slot = spin(m, wait);
        if (!slot && !ct_task_wait_is_over(m, wait)) {
            slot = sleep_once(m, wait, &is_spinner);
            // Woken for something else than work in general, it looks for work all the same.
            if (wait->runs_anything && !is_spinner) {
                start_spinning(m);
                is_spinner = true;
            }
        }
        if (slot || ct_task_wait_is_over(m, wait)) {
            if (is_spinner)
                stop_spinning(m);
            return slot;
        }
    }
}
