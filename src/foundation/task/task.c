// task.c: the manager's life, adding tasks and finishing them.
#include "foundation/task/task.h"

#include <string.h>

#include "foundation/memory/allocator.h"
#include "foundation/profiler/profiler.h"
#include "foundation/task/task_private.h"

_Thread_local ct_task_context ct_task_here;

static _Atomic uint32_t last_serial;

static const uint64_t slot_poll_ns = 50000;

// Without a task that ends. What a poll takes counts up to a limit, so that a program that was
// stopped meanwhile is not blamed.
static const uint64_t max_full_ns = 1000000000, max_poll_ns = 20000000;

// --- Life cycle ----------------------------------------------------------------------------------

static ct_task_thread *add_thread(ct_task_manager *m, uint32_t affinity) {
    const uint32_t index = atomic_load(&m->num_threads);
    CT_REQUIRE(index < CT_TASK_MAX_THREADS, "too many threads: a task manager has at most %d",
               CT_TASK_MAX_THREADS);
    ct_task_thread *const t =
        ct_alloc_aligned(m->allocator, sizeof(ct_task_thread), CT_TASK_LINE_BYTES);
    for (uint32_t level = 0; level < CT_TASK_NUM_LEVELS; ++level)
        ct_task_deque_init(&t->deques[level]);
    t->manager = m;
    t->affinity = affinity;
    t->index = index;
    t->num_free_slots = 0;
    atomic_init(&t->num_run, 0);
    atomic_init(&t->num_waits, 0);
    atomic_init(&t->num_idle, 0);
    atomic_store(&m->threads[index], t);
    atomic_store(&m->num_threads, index + 1);
    return t;
}

static void run_worker(void *data) {
    ct_task_thread *const t = data;
    ct_task_manager *const m = t->manager;
    ct_task_here = (ct_task_context){.serial = m->serial, .thread = t};
    t->system_id = ct_thread_system_id();
    t->cores = ct_thread_cores();
    ct_task_wait_until(
        m, &(ct_task_wait_desc){.event = &m->stop, .runs_anything = true, .scope = "idle"});
}

static void init_rings(ct_task_manager *m) {
    for (uint32_t level = 0; level < CT_TASK_NUM_LEVELS; ++level) {
        ct_task_ring_init(&m->shared[level]);
        for (uint32_t affinity = 1; affinity <= CT_TASK_MAX_AFFINITY; ++affinity)
            ct_task_ring_init(&m->affine[affinity][level]);
    }
}

ct_task_manager *ct_task_manager_create(const ct_task_manager_desc *desc) {
    CT_ASSERT(desc->num_workers <= CT_TASK_MAX_THREADS - CT_TASK_MAX_AFFINITY,
              "%u workers are too many", desc->num_workers);
    ct_task_manager *const m =
        ct_alloc_aligned(desc->allocator, sizeof(ct_task_manager), CT_TASK_LINE_BYTES);
    // Slots and what belongs to them are set up when they are first used: memory is touched late.
    memset(m, 0, offsetof(ct_task_manager, free_slots));
    m->allocator = desc->allocator;
    m->num_workers = desc->num_workers;
    m->serial = atomic_fetch_add(&last_serial, 1) + 1;
    m->first_unused = 1;
    ct_mutex_init(&m->register_mutex);
    ct_mutex_init(&m->sleep_mutex);
    ct_mutex_init(&m->slot_mutex);
    ct_mutex_init(&m->graph_mutex);
    ct_task_priorities_init(m);
    init_rings(m);
    for (uint32_t i = 0; i < m->num_workers; ++i)
        add_thread(m, 0);
    m->workers = CT_NEW_ARRAY(m->allocator, ct_thread, m->num_workers);
    for (uint32_t i = 0; i < m->num_workers; ++i)
        m->workers[i] = ct_thread_start("worker", run_worker, atomic_load(&m->threads[i]));
    return m;
}

static uint32_t count_open(const ct_task_manager *m) {
    uint32_t num_free = m->num_free;
    for (uint32_t i = 0; i < atomic_load(&m->num_threads); ++i)
        num_free += atomic_load(&m->threads[i])->num_free_slots;
    return m->first_unused - 1 - num_free;
}

static void free_thread(ct_task_manager *m, ct_task_thread *t) {
    for (uint32_t level = 0; level < CT_TASK_NUM_LEVELS; ++level)
        ct_task_deque_shutdown(&t->deques[level]);
    ct_free_sized(m->allocator, t, sizeof(*t));
}

static void free_parts(ct_task_manager *m) {
    for (uint32_t i = 0; i < atomic_load(&m->num_threads); ++i)
        free_thread(m, atomic_load(&m->threads[i]));
    for (uint32_t level = 0; level < CT_TASK_NUM_LEVELS; ++level) {
        ct_task_ring_shutdown(&m->shared[level], m->allocator);
        for (uint32_t affinity = 1; affinity <= CT_TASK_MAX_AFFINITY; ++affinity)
            ct_task_ring_shutdown(&m->affine[affinity][level], m->allocator);
    }
    ct_task_priorities_shutdown(m);
    ct_mutex_shutdown(&m->graph_mutex);
    ct_mutex_shutdown(&m->slot_mutex);
    ct_mutex_shutdown(&m->sleep_mutex);
    ct_mutex_shutdown(&m->register_mutex);
    ct_free_sized(m->allocator, m->workers, sizeof(ct_thread) * (uint64_t)m->num_workers);
}

void ct_task_manager_destroy(ct_task_manager *m) {
    ct_task_signal(m, &m->stop);
    for (uint32_t i = 0; i < m->num_workers; ++i)
        ct_thread_join(m->workers[i]);
    const uint32_t num_open = count_open(m);
    CT_ASSERT(num_open == 0, "%u tasks are still open", num_open);
    free_parts(m);
    ct_free_sized(m->allocator, m, sizeof(*m));
}

uint32_t ct_task_num_workers(const ct_task_manager *m) {
    return m->num_workers;
}

void ct_task_register_thread(ct_task_manager *m, uint32_t affinity) {
    CT_ASSERT(affinity >= 1 && affinity <= CT_TASK_MAX_AFFINITY,
              "affinity %u is invalid: expected 1 to %d", affinity, CT_TASK_MAX_AFFINITY);
    CT_ASSERT(!ct_task_here.frame, "a thread cannot register inside a task");
    ct_task_thread *const before = ct_task_thread_here(m);
    CT_ASSERT(!before || before->affinity, "a worker thread cannot register again");
    if (before)
        ct_task_give_back_slots(m, before, before->num_free_slots);
    ct_mutex_lock(&m->register_mutex);
    if (!m->main_threads[affinity])
        m->main_threads[affinity] = add_thread(m, affinity);
    ct_task_here.thread = m->main_threads[affinity];
    ct_task_here.serial = m->serial;
    ct_mutex_unlock(&m->register_mutex);
}

// --- Making ready --------------------------------------------------------------------------------

void ct_task_queue(ct_task_manager *m, ct_task_id task, ct_task_batch *batch) {
    const uint32_t traits =
        atomic_load_explicit(&m->slots[ct_task_slot_of(task)].traits, memory_order_relaxed);
    const uint32_t affinity = traits >> CT_TASK_AFFINITY_SHIFT;
    const uint32_t level = traits & CT_TASK_LEVEL_MASK;
    if (affinity) {
        ct_task_ring_push(m, &m->affine[affinity][level], task.value);
        batch->affinities |= 1u << affinity;
        return;
    }
    ++batch->count;
    ct_task_thread *const t = ct_task_thread_here(m);
    if (t && ct_task_deque_push(&t->deques[level], task.value))
        batch->levels |= 1u << level;
    else
        ct_task_ring_push(m, &m->shared[level], task.value);
}

void ct_task_make_ready(ct_task_manager *m, ct_task_id task, ct_task_batch *batch) {
    ct_task_slot *const s = &m->slots[ct_task_slot_of(task)];
    const uint32_t level =
        atomic_load_explicit(&s->traits, memory_order_relaxed) & CT_TASK_LEVEL_MASK;
    if (!(atomic_load_explicit(&m->used_levels, memory_order_relaxed) >> level & 1))
        atomic_fetch_or(&m->used_levels, 1u << level);
    atomic_store_explicit(&s->ready, ct_task_generation_of(task), memory_order_release);
    ct_task_queue(m, task, batch);
}

void ct_task_publish(ct_task_manager *m, const ct_task_batch *batch) {
    ct_task_thread *const t = ct_task_thread_here(m);
    for (uint32_t levels = batch->levels; levels; levels &= levels - 1)
        ct_task_deque_publish(&t->deques[__builtin_ctz(levels)]);
    if (batch->count)
        ct_task_notify(m, batch->count);
    if (batch->affinities)
        ct_task_notify_affine(m, batch->affinities);
}

// --- Finishing -----------------------------------------------------------------------------------

// What finishing a task leaves to do.
typedef struct ending {
    ct_task_batch batch;
    uint32_t empties; // tasks without work whose dependency is done; linked by next_dependent
} ending;

static void release_dependents(ct_task_manager *m, uint32_t slot, ending *e) {
    uint32_t next;
    for (uint32_t d = ct_task_take_dependents(m, slot); d; d = next) {
        ct_task_slot *const s = &m->slots[d];
        next = s->next_dependent;
        if (atomic_load_explicit(&s->traits, memory_order_relaxed) & CT_TASK_IS_EMPTY) {
            s->next_dependent = e->empties;
            e->empties = d;
        } else {
            ct_task_make_ready(m, ct_task_make_id(d, ct_task_generation(s)), &e->batch);
        }
    }
}

// The task's last work item is done. Returns its parent's slot.
static uint32_t end_task(ct_task_manager *m, uint32_t slot, ending *e) {
    ct_task_slot *const s = &m->slots[slot];
    const uint32_t parent = atomic_load_explicit(&s->parent, memory_order_relaxed);
    const uint32_t generation = ct_task_generation(s);
    const uint32_t next = generation == UINT32_MAX ? 1 : generation + 1;
    // Whoever sees the new generation also sees what the task did.
    const uint64_t state = atomic_exchange(&s->state, (uint64_t)next << 32);
    if (state & CT_TASK_HAS_DEPENDENTS)
        release_dependents(m, slot, e);
    if (state & CT_TASK_IS_AWAITED)
        ct_task_notify_done(m, ct_task_make_id(slot, generation));
    ct_task_free_slot(m, slot);
    return parent;
}

// True when these were the last work items.
static bool take_work_items(ct_task_slot *s, int32_t amount) {
    // When all that is open is taken here, nobody else may add or take any more.
    return atomic_load_explicit(&s->open_work_items, memory_order_acquire) == amount ||
           atomic_fetch_sub(&s->open_work_items, amount) == amount;
}

static void finish_upwards(ct_task_manager *m, uint32_t slot, int32_t amount, ending *e) {
    while (slot && take_work_items(&m->slots[slot], amount)) {
        slot = end_task(m, slot, e);
        amount = 1;
    }
}

static void finish_rest(ct_task_manager *m, ending *e) {
    while (e->empties) {
        const uint32_t slot = e->empties;
        e->empties = m->slots[slot].next_dependent;
        finish_upwards(m, slot, CT_TASK_OWN_WORK, e);
    }
    ct_task_publish(m, &e->batch);
}

// Books one done child of `parent`, now or late.
static void book_child(ct_task_manager *m, uint32_t parent) {
    ct_task_context *const here = &ct_task_here;
    ct_task_frame *const f = here->frame;
    if (f && f->manager == m && ct_task_slot_of(f->task) == parent) {
        --f->children;
        return;
    }
    if (here->num_done && (here->done_parent != parent || here->done_manager != m))
        ct_task_book_done();
    here->done_manager = m;
    here->done_parent = parent;
    ++here->num_done;
}

void ct_task_finish(ct_task_manager *m, uint32_t slot, int32_t amount) {
    if (!take_work_items(&m->slots[slot], amount))
        return;
    ending e = {0};
    const uint32_t parent = end_task(m, slot, &e);
    if (parent)
        book_child(m, parent);
    finish_rest(m, &e);
}

void ct_task_book_done(void) {
    ct_task_context *const here = &ct_task_here;
    const uint32_t num_done = here->num_done;
    if (!num_done)
        return;
    here->num_done = 0;
    ending e = {0};
    finish_upwards(here->done_manager, here->done_parent, (int32_t)num_done, &e);
    finish_rest(here->done_manager, &e);
}

// --- Adding --------------------------------------------------------------------------------------

// True while `task` is open.
static bool is_open(const ct_task_manager *m, ct_task_id task) {
    return !ct_task_is_done(m, task);
}

// Counts new children of the open task `parent`.
static void count_children(ct_task_manager *m, ct_task_id parent, const char *name,
                           uint32_t count) {
    if (!parent.value)
        return;
    CT_ASSERT(is_open(m, parent), "the parent of the task %s is already done", name ? name : "");
    ct_task_frame *const f = ct_task_here.frame;
    if (f && f->manager == m && f->task.value == parent.value)
        f->children += (int32_t)count;
    else
        atomic_fetch_add(&m->slots[ct_task_slot_of(parent)].open_work_items, (int32_t)count);
}

static uint32_t traits_of(const ct_task_manager *m, const ct_task_desc *desc) {
    CT_ASSERT((uint32_t)desc->priority < atomic_load(&m->num_priorities), "unknown priority %d",
              (int)desc->priority);
    CT_ASSERT(desc->affinity <= CT_TASK_MAX_AFFINITY, "affinity %u is invalid", desc->affinity);
    return atomic_load_explicit(&m->levels[desc->priority], memory_order_relaxed) |
           (desc->never_waits ? (uint32_t)CT_TASK_NEVER_WAITS : 0u) |
           (desc->run ? 0u : (uint32_t)CT_TASK_IS_EMPTY) | desc->affinity << CT_TASK_AFFINITY_SHIFT;
}

// Opens a task, which its parent has counted, that is not ready yet.
static void open_slot(ct_task_manager *m, uint32_t slot, const ct_task_desc *desc,
                      uint32_t traits) {
    ct_task_slot *const s = &m->slots[slot];
    s->run = desc->run;
    s->data = desc->data;
    s->name = desc->name ? desc->name : "";
    atomic_store_explicit(&s->open_work_items, CT_TASK_OWN_WORK, memory_order_relaxed);
    atomic_store_explicit(&s->traits, traits, memory_order_relaxed);
    // Released: a walk that comes by an old child of this slot finds a parent that is set up.
    atomic_store_explicit(&s->parent, ct_task_slot_of(desc->parent), memory_order_release);
}

// True when nothing keeps the task from being over before it is added: it is empty, or may run on
// this thread now. Outside tasks such as may wait are left to the workers, as in waits.
static bool needs_no_queue(const ct_task_manager *m, const ct_task_desc *desc) {
    const ct_task_thread *const t = ct_task_thread_here(m);
    const bool may_wait_here = ct_task_here.frame || m->num_workers == 0;
    const bool is_for_here = (desc->never_waits || may_wait_here) &&
                             (desc->affinity == 0 || (t && t->affinity == desc->affinity));
    return !desc->run || (is_for_here && ct_task_is_done(m, desc->dependency));
}

// The time polled since a slot came free.
typedef struct slot_poll {
    uint32_t num_given_back;
    uint64_t full_ns;
} slot_poll;

// Waits a little for another thread to end a task.
static void poll_for_slot(ct_task_manager *m, const char *name, slot_poll *poll) {
    CT_PROFILER_SCOPE("wait");
    const uint32_t num_given_back = atomic_load(&m->num_given_back);
    if (poll->num_given_back != num_given_back)
        *poll = (slot_poll){.num_given_back = num_given_back};
    if (poll->full_ns >= max_full_ns)
        ct_task_report_full(m, name);
    const uint64_t start_ns = ct_os_time_ns();
    ct_os_sleep_ns(slot_poll_ns);
    const uint64_t passed_ns = ct_os_time_ns() - start_ns;
    poll->full_ns += passed_ns < max_poll_ns ? passed_ns : max_poll_ns;
}

// A slot when there is no free one: runs tasks until there is, or takes one of the reserve for a
// task that then must not be queued (`*is_reserved`).
static uint32_t wait_for_slot(ct_task_manager *m, const ct_task_desc *desc, ct_task_batch *batch,
                              bool *is_reserved) {
    ct_task_publish(m, batch);
    *batch = (ct_task_batch){0};
    slot_poll poll = {0};
    for (;;) {
        const bool is_outside = !ct_task_here.frame;
        bool has_run = is_outside && ct_task_run_for_slot(m, desc->dependency);
        uint32_t slot = ct_task_take_slot(m);
        if (!slot && !has_run && needs_no_queue(m, desc)) {
            slot = ct_task_take_reserved_slot(m);
            *is_reserved = slot != 0;
        }
        if (slot)
            return slot;
        if (!is_outside)
            has_run = ct_task_run_for_slot(m, desc->dependency);
        if (!has_run)
            poll_for_slot(m, desc->name, &poll);
    }
}

static ct_task_id add_task(ct_task_manager *m, const ct_task_desc *desc, ct_task_batch *batch) {
    const uint32_t traits = traits_of(m, desc);
    bool is_reserved = false;
    uint32_t slot = ct_task_take_slot(m);
    if (!slot)
        slot = wait_for_slot(m, desc, batch, &is_reserved);
    open_slot(m, slot, desc, traits);
    const ct_task_id id = ct_task_make_id(slot, ct_task_generation(&m->slots[slot]));
    if (is_open(m, desc->dependency)) {
        ct_task_assert_no_cycle(m, m->slots[slot].name, ct_task_slot_of(desc->parent),
                                desc->dependency);
        if (ct_task_block(m, slot, desc->dependency))
            return id;
    }
    if (desc->run && !is_reserved) {
        ct_task_make_ready(m, id, batch);
        return id;
    }
    if (desc->run)
        ct_task_run(m, slot);
    else
        ct_task_finish(m, slot, CT_TASK_OWN_WORK);
    ct_task_book_done();
    return id;
}

// How many of these, from the first on, have the same parent.
static uint32_t count_siblings(const ct_task_desc *descs, uint32_t count) {
    uint32_t i = 1;
    while (i < count && descs[i].parent.value == descs[0].parent.value)
        ++i;
    return i;
}

void ct_task_add_array(ct_task_manager *m, const ct_task_desc *descs, uint32_t count,
                       ct_task_id *ids) {
    ct_task_batch batch = {0};
    uint32_t num_counted = 0;
    for (uint32_t i = 0; i < count; ++i) {
        if (i == num_counted) {
            const uint32_t num_siblings = count_siblings(&descs[i], count - i);
            count_children(m, descs[i].parent, descs[i].name, num_siblings);
            num_counted += num_siblings;
        }
        const ct_task_id id = add_task(m, &descs[i], &batch);
        if (ids)
            ids[i] = id;
    }
    ct_task_publish(m, &batch);
}

ct_task_id ct_task_add(ct_task_manager *m, const ct_task_desc *desc) {
    ct_task_id id;
    ct_task_add_array(m, desc, 1, &id);
    return id;
}

ct_task_id ct_task_open(ct_task_manager *m, const char *name, ct_task_id parent) {
    const ct_task_desc desc = {.name = name, .parent = parent};
    ct_task_batch batch = {0};
    bool is_reserved = false;
    count_children(m, parent, name, 1);
    uint32_t slot = ct_task_take_slot(m);
    if (!slot)
        slot = wait_for_slot(m, &desc, &batch, &is_reserved);
    open_slot(m, slot, &desc, CT_TASK_IS_BY_HAND | CT_TASK_IS_EMPTY);
    return ct_task_make_id(slot, ct_task_generation(&m->slots[slot]));
}

void ct_task_complete(ct_task_manager *m, ct_task_id task) {
    ct_task_slot *const s = &m->slots[ct_task_slot_of(task)];
    const bool was_open_by_hand =
        is_open(m, task) &&
        atomic_fetch_and(&s->traits, ~(uint32_t)CT_TASK_IS_BY_HAND) & CT_TASK_IS_BY_HAND;
    CT_ASSERT(was_open_by_hand, "task %u.%u was not made by ct_task_open, or is already completed",
              ct_task_slot_of(task), ct_task_generation_of(task));
    ct_task_finish(m, ct_task_slot_of(task), CT_TASK_OWN_WORK);
    ct_task_book_done();
}

// --- What runs here ------------------------------------------------------------------------------

bool ct_task_is_done(const ct_task_manager *m, ct_task_id task) {
    // A slot's generation changes when its task ends, so equal means open.
    return ct_task_slot_of(task) == 0 ||
           ct_task_generation(&m->slots[ct_task_slot_of(task)]) != ct_task_generation_of(task);
}

ct_task_id ct_task_current(void) {
    const ct_task_frame *const f = ct_task_here.frame;
    return f ? f->task : (ct_task_id){0};
}

const char *ct_task_current_name(void) {
    const ct_task_frame *const f = ct_task_here.frame;
    return f ? f->name : NULL;
}
