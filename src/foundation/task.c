#include "foundation/task.h"

#include "foundation/allocator.h"
#include "foundation/error.h"
#include "foundation/os.h"

enum {
    SLOT_BITS = 12,
    NUM_SLOTS = 1 << SLOT_BITS,
    MAX_GENERATION = (1 << (32 - SLOT_BITS)) - 1,
    NUM_PRIORITIES = CT_TASK_PRIORITY_CRITICAL + 1,
};
_Static_assert(CT_TASK_MAX_OPEN == NUM_SLOTS - 1, "slot 0 is never used");

// A first-in first-out list of slots, linked by slot.next.
typedef struct slot_list {
    uint32_t first, last; // 0 when empty
} slot_list;

typedef struct slot {
    const char *name;
    void (*run)(void *data);
    void *data;
    bool is_open;
    bool is_completed_by_hand; // made by ct_task_open, not completed yet
    bool is_awaited;           // a thread sleeps until it is done
    uint8_t priority;
    uint32_t affinity;
    uint32_t parent; // slot
    uint32_t open_work_items;
    slot_list dependents; // tasks that start when this one is done
    uint32_t next;        // in whichever list it stands
} slot;

struct ct_task_manager {
    ct_allocator *allocator;
    ct_mutex mutex;               // guards all below but generations
    ct_condition work_condition;  // for workers without work
    ct_condition state_condition; // for threads in a wait
    uint32_t idle_workers;
    uint32_t sleeping_waiters;
    uint32_t sleeping_for_slot; // among them
    bool is_stopping;
    uint32_t serial; // tells this manager from earlier ones at its address
    uint32_t num_open;
    uint32_t num_workers;
    uint32_t num_registered;
    ct_thread *workers;
    slot_list free_slots; // first in, first out, so that generations last long
    slot_list ready[NUM_PRIORITIES][CT_TASK_MAX_AFFINITY + 1];
    slot slots[NUM_SLOTS];
    uint32_t generations[NUM_SLOTS]; // atomic; of a slot's open task, or of its next one
};

// What this thread registered as, and with which manager.
static _Thread_local uint32_t thread_serial, thread_affinity;
static uint32_t last_serial; // atomic

// --- Lists and ids -------------------------------------------------------------------------------

static void push_last(ct_task_manager *m, slot_list *list, uint32_t s) {
    m->slots[s].next = 0;
    if (list->last)
        m->slots[list->last].next = s;
    else
        list->first = s;
    list->last = s;
}

static uint32_t pop_first(ct_task_manager *m, slot_list *list) {
    const uint32_t s = list->first;
    if (s) {
        list->first = m->slots[s].next;
        if (!list->first)
            list->last = 0;
    }
    return s;
}

static ct_task_id id_of(const ct_task_manager *m, uint32_t s) {
    const uint32_t generation = __atomic_load_n(&m->generations[s], __ATOMIC_RELAXED);
    return (ct_task_id){generation << SLOT_BITS | s};
}

// The slot of an open task, 0 for one that is done. Call with the lock held.
static uint32_t open_slot(const ct_task_manager *m, ct_task_id task) {
    const uint32_t s = task.value & (NUM_SLOTS - 1);
    return s && m->slots[s].is_open && id_of(m, s).value == task.value ? s : 0;
}

static uint32_t affinity_here(const ct_task_manager *m) {
    return thread_serial == m->serial ? thread_affinity : 0;
}

// --- Running; everything here is called with the lock held ---------------------------------------

static void make_ready(ct_task_manager *m, uint32_t s) {
    const uint32_t affinity = m->slots[s].affinity;
    push_last(m, &m->ready[m->slots[s].priority][affinity], s);
    if (affinity == 0 && m->idle_workers)
        ct_condition_signal(&m->work_condition);
    if (m->sleeping_waiters)
        ct_condition_broadcast(&m->state_condition);
}

static void end_task(ct_task_manager *m, uint32_t s) {
    slot *const task = &m->slots[s];
    uint32_t dependent;
    while ((dependent = pop_first(m, &task->dependents)))
        make_ready(m, dependent);
    if (task->is_awaited || m->sleeping_for_slot)
        ct_condition_broadcast(&m->state_condition);
    task->is_open = false;
    // Whoever sees the new generation also sees what the task did.
    const uint32_t generation = m->generations[s];
    __atomic_store_n(&m->generations[s], generation == MAX_GENERATION ? 0 : generation + 1,
                     __ATOMIC_RELEASE);
    push_last(m, &m->free_slots, s);
    --m->num_open;
}

static void complete_work_item(ct_task_manager *m, uint32_t s) {
    while (s && --m->slots[s].open_work_items == 0) {
        const uint32_t parent = m->slots[s].parent;
        end_task(m, s);
        s = parent;
    }
}

static uint32_t take_ready(ct_task_manager *m) {
    static const ct_task_priority order[] = {CT_TASK_PRIORITY_CRITICAL, CT_TASK_PRIORITY_HIGH,
                                             CT_TASK_PRIORITY_NORMAL, CT_TASK_PRIORITY_LOW};
    const uint32_t affinity = affinity_here(m);
    for (uint32_t i = 0; i < CT_COUNT_OF(order); ++i) {
        uint32_t s = affinity ? pop_first(m, &m->ready[order[i]][affinity]) : 0;
        if (!s)
            s = pop_first(m, &m->ready[order[i]][0]);
        if (s)
            return s;
    }
    return 0;
}

static void run_unlocked(ct_task_manager *m, const slot *task) {
    ct_mutex_unlock(&m->mutex);
    {
        CT_ERROR_CONTEXT("running task", task->name);
        task->run(task->data);
    }
    ct_mutex_lock(&m->mutex);
}

// Runs one task, without the lock; returns false when none is ready for this thread.
static bool run_one(ct_task_manager *m) {
    const uint32_t s = take_ready(m);
    if (!s)
        return false;
    if (m->slots[s].run)
        run_unlocked(m, &m->slots[s]);
    complete_work_item(m, s);
    return true;
}

static void sleep_until_change(ct_task_manager *m) {
    ++m->sleeping_waiters;
    ct_condition_wait(&m->state_condition, &m->mutex);
    --m->sleeping_waiters;
}

static void run_worker(void *data) {
    ct_task_manager *const m = data;
    ct_mutex_lock(&m->mutex);
    while (!m->is_stopping) {
        if (run_one(m))
            continue;
        ++m->idle_workers;
        ct_condition_wait(&m->work_condition, &m->mutex);
        --m->idle_workers;
    }
    ct_mutex_unlock(&m->mutex);
}

// --- Life cycle ----------------------------------------------------------------------------------

ct_task_manager *ct_task_manager_create(const ct_task_manager_desc *desc) {
    ct_task_manager *const m = CT_NEW(desc->allocator, ct_task_manager);
    m->allocator = desc->allocator;
    m->num_workers = desc->num_workers;
    m->serial = __atomic_add_fetch(&last_serial, 1, __ATOMIC_RELAXED);
    ct_mutex_init(&m->mutex);
    ct_condition_init(&m->work_condition);
    ct_condition_init(&m->state_condition);
    for (uint32_t s = 1; s < NUM_SLOTS; ++s)
        push_last(m, &m->free_slots, s);
    m->workers = CT_NEW_ARRAY(m->allocator, ct_thread, m->num_workers);
    for (uint32_t i = 0; i < m->num_workers; ++i)
        m->workers[i] = ct_thread_start("worker", run_worker, m);
    return m;
}

void ct_task_manager_destroy(ct_task_manager *m) {
    ct_mutex_lock(&m->mutex);
    CT_ASSERT(m->num_open == 0, "%u tasks are still open", m->num_open);
    m->is_stopping = true;
    ct_condition_broadcast(&m->work_condition);
    ct_mutex_unlock(&m->mutex);
    for (uint32_t i = 0; i < m->num_workers; ++i)
        ct_thread_join(m->workers[i]);
    ct_condition_shutdown(&m->state_condition);
    ct_condition_shutdown(&m->work_condition);
    ct_mutex_shutdown(&m->mutex);
    ct_free_sized(m->allocator, m->workers, sizeof(ct_thread) * (uint64_t)m->num_workers);
    ct_free_sized(m->allocator, m, sizeof(*m));
}

void ct_task_register_thread(ct_task_manager *m, uint32_t affinity) {
    CT_ASSERT(affinity >= 1 && affinity <= CT_TASK_MAX_AFFINITY, "affinity %u; 1 to %d are there",
              affinity, CT_TASK_MAX_AFFINITY);
    if (thread_serial != m->serial) {
        ct_mutex_lock(&m->mutex);
        ++m->num_registered;
        ct_mutex_unlock(&m->mutex);
    }
    thread_serial = m->serial;
    thread_affinity = affinity;
}

// --- Adding --------------------------------------------------------------------------------------

// Takes a slot, running tasks until one is free.
static uint32_t acquire_slot(ct_task_manager *m) {
    uint32_t s;
    while (!(s = pop_first(m, &m->free_slots))) {
        if (run_one(m))
            continue;
        ++m->sleeping_for_slot;
        sleep_until_change(m);
        --m->sleeping_for_slot;
    }
    return s;
}

static uint32_t open_task(ct_task_manager *m, const ct_task_desc *desc) {
    CT_ASSERT((uint32_t)desc->priority < NUM_PRIORITIES, "priority %d", (int)desc->priority);
    CT_ASSERT(desc->affinity <= CT_TASK_MAX_AFFINITY, "affinity %u", desc->affinity);
    const uint32_t s = acquire_slot(m);
    const uint32_t parent = open_slot(m, desc->parent);
    CT_ASSERT(parent || !desc->parent.value, "the parent of the task %s is done already",
              desc->name ? desc->name : "");
    m->slots[s] = (slot){.name = desc->name ? desc->name : "",
                         .run = desc->run,
                         .data = desc->data,
                         .is_open = true,
                         .priority = (uint8_t)desc->priority,
                         .affinity = desc->affinity,
                         .parent = parent,
                         .open_work_items = 1};
    if (parent)
        ++m->slots[parent].open_work_items;
    ++m->num_open;
    return s;
}

static void assert_no_ancestor(const ct_task_manager *m, uint32_t s, uint32_t dependency) {
    for (uint32_t a = m->slots[s].parent; a; a = m->slots[a].parent)
        CT_ASSERT(a != dependency, "the task %s depends on its ancestor %s", m->slots[s].name,
                  m->slots[a].name);
}

ct_task_id ct_task_add(ct_task_manager *m, const ct_task_desc *desc) {
    ct_mutex_lock(&m->mutex);
    const uint32_t s = open_task(m, desc);
    const ct_task_id id = id_of(m, s);
    const uint32_t dependency = open_slot(m, desc->dependency);
    if (dependency) {
        assert_no_ancestor(m, s, dependency);
        push_last(m, &m->slots[dependency].dependents, s);
    } else {
        make_ready(m, s);
    }
    ct_mutex_unlock(&m->mutex);
    return id;
}

ct_task_id ct_task_open(ct_task_manager *m, const char *name, ct_task_id parent) {
    ct_mutex_lock(&m->mutex);
    const uint32_t s = open_task(m, &(ct_task_desc){.name = name, .parent = parent});
    m->slots[s].is_completed_by_hand = true;
    const ct_task_id id = id_of(m, s);
    ct_mutex_unlock(&m->mutex);
    return id;
}

void ct_task_complete(ct_task_manager *m, ct_task_id task) {
    ct_mutex_lock(&m->mutex);
    const uint32_t s = open_slot(m, task);
    CT_ASSERT(s && m->slots[s].is_completed_by_hand,
              "task %u was not made by ct_task_open, or is completed already", task.value);
    m->slots[s].is_completed_by_hand = false;
    complete_work_item(m, s);
    ct_mutex_unlock(&m->mutex);
}

// --- Waiting -------------------------------------------------------------------------------------

bool ct_task_is_done(const ct_task_manager *m, ct_task_id task) {
    const uint32_t s = task.value & (NUM_SLOTS - 1);
    // A slot's generation changes when its task ends, so equal means open.
    return s == 0 ||
           __atomic_load_n(&m->generations[s], __ATOMIC_ACQUIRE) != task.value >> SLOT_BITS;
}

void ct_task_wait(ct_task_manager *m, ct_task_id task) {
    if (ct_task_is_done(m, task))
        return;
    ct_mutex_lock(&m->mutex);
    uint32_t s;
    while ((s = open_slot(m, task))) {
        if (run_one(m))
            continue;
        m->slots[s].is_awaited = true;
        sleep_until_change(m);
    }
    ct_mutex_unlock(&m->mutex);
}

static bool is_signalled(const ct_task_event *event) {
    return __atomic_load_n(&event->is_signalled, __ATOMIC_ACQUIRE) != 0;
}

void ct_task_wait_event(ct_task_manager *m, ct_task_event *event) {
    ct_mutex_lock(&m->mutex);
    while (!is_signalled(event)) {
        if (!run_one(m))
            sleep_until_change(m);
    }
    ct_mutex_unlock(&m->mutex);
}

void ct_task_signal(ct_task_manager *m, ct_task_event *event) {
    ct_mutex_lock(&m->mutex);
    __atomic_store_n(&event->is_signalled, 1, __ATOMIC_RELEASE);
    ct_condition_broadcast(&m->state_condition);
    ct_mutex_unlock(&m->mutex);
}

// --- Parallel for --------------------------------------------------------------------------------

typedef struct parallel_loop {
    void (*run)(void *data, uint32_t begin, uint32_t end);
    void *data;
    uint64_t next; // atomic; the first index that nobody has taken
    uint32_t count, grain;
} parallel_loop;

static void run_pieces(void *data) {
    parallel_loop *const loop = data;
    for (;;) {
        const uint64_t begin = __atomic_fetch_add(&loop->next, loop->grain, __ATOMIC_RELAXED);
        if (begin >= loop->count)
            return;
        const uint64_t end = begin + loop->grain;
        loop->run(loop->data, (uint32_t)begin, (uint32_t)(end < loop->count ? end : loop->count));
    }
}

void ct_task_parallel_for(ct_task_manager *m, uint32_t count, uint32_t grain,
                          void (*run)(void *data, uint32_t begin, uint32_t end), void *data) {
    CT_ASSERT(grain > 0, "pieces of no size");
    if (count == 0)
        return;
    parallel_loop loop = {.run = run, .data = data, .count = count, .grain = grain};
    // One task for each other thread; each takes pieces until there are no more.
    const uint32_t other_pieces = (count - 1) / grain;
    ct_mutex_lock(&m->mutex);
    const uint32_t num_threads = m->num_workers + m->num_registered;
    ct_mutex_unlock(&m->mutex);
    const uint32_t num_tasks = other_pieces < num_threads ? other_pieces : num_threads;
    const ct_task_id all = ct_task_open(m, "parallel for", (ct_task_id){0});
    for (uint32_t i = 0; i < num_tasks; ++i) {
        ct_task_add(m, &(ct_task_desc){.name = "parallel for",
                                       .run = run_pieces,
                                       .data = &loop,
                                       .parent = all,
                                       .priority = CT_TASK_PRIORITY_HIGH});
    }
    run_pieces(&loop);
    ct_task_complete(m, all);
    ct_task_wait(m, all);
}
