// task_private.h: shared by the task*.c files; no other file includes it.
//
// A task's slot goes through these states: free; blocked (in the list of its dependency) or ready
// (`ready` holds its generation, and some queue its id); claimed (the one compare and exchange that
// won set `ready` back to 0) and run; done (`state` holds the next generation). Queues hold hints:
// an id may be taken from a slot directly, which leaves a stale hint to be skipped later.
#pragma once
#include "foundation/error.h"
#include "foundation/os/os.h"
#include "foundation/task/task.h"
#include "foundation/task/task_deque.h"

enum {
    CT_TASK_NUM_SLOTS = 16384, // slot 0 is never used
    // Slots beyond CT_TASK_MAX_OPEN: for tasks that run at once because no other slot is free, and
    // for empty tasks when there is no task to run that would free a slot.
    CT_TASK_RESERVE = CT_TASK_NUM_SLOTS - 1 - CT_TASK_MAX_OPEN,
    CT_TASK_NUM_LEVELS = 4,
    CT_TASK_CACHED_SLOTS = 128, // the most free slots that a thread keeps to itself
    CT_TASK_MAX_THREADS = 1024 + CT_TASK_MAX_AFFINITY,
};
_Static_assert((CT_TASK_NUM_SLOTS & (CT_TASK_NUM_SLOTS - 1)) == 0, "slots are masked out of ids");

// Flags of ct_task_slot.state, below the generation.
enum {
    CT_TASK_IS_AWAITED = 1,     // a thread sleeps until it is done
    CT_TASK_HAS_DEPENDENTS = 2, // the list is, or is about to be, not empty
};

// Bits of ct_task_slot.traits; fixed while the task is open, except IS_BY_HAND.
enum {
    CT_TASK_LEVEL_MASK = 3, // 0 is critical
    CT_TASK_NEVER_WAITS = 4,
    CT_TASK_IS_BY_HAND = 8, // made by ct_task_open, not completed yet
    CT_TASK_IS_EMPTY = 16,
    CT_TASK_AFFINITY_SHIFT = 8,
};

// The weight of a task's own work item in open_work_items: so large that its children, some of
// which are booked late (ct_task_frame.children), never bring the sum to 0 before it.
enum { CT_TASK_OWN_WORK = 1 << 30 };

typedef struct ct_task_slot {
    alignas(CT_TASK_LINE_BYTES) void (*run)(void *data);
    void *data;
    const char *name;
    _Atomic uint64_t state; // generation << 32 | flags
    _Atomic uint32_t ready; // the generation while ready and not claimed; else 0
    _Atomic int32_t open_work_items;
    _Atomic uint32_t parent; // slot; open as long as this task is
    _Atomic uint32_t traits;
    uint32_t first_dependent; // slot; guarded by graph_mutex; 0 in a free slot
    uint32_t next_dependent;  // in the list that the slot is in
} ct_task_slot;
_Static_assert(sizeof(ct_task_slot) == CT_TASK_LINE_BYTES, "a slot is a cache line");

// A queue for any thread: for tasks that unregistered threads add, that do not fit in a deque, or
// that have an affinity. Grows; first in, first out.
typedef struct ct_task_ring {
    alignas(CT_TASK_LINE_BYTES) _Atomic uint32_t count; // written under the mutex
    uint32_t first, capacity;                           // capacity: 0 or a power of two
    uint64_t *ids;
    ct_mutex mutex;
} ct_task_ring;

// A registered thread: a worker or a main thread. Only the thread itself uses non-atomic fields.
typedef struct ct_task_thread {
    ct_task_deque deques[CT_TASK_NUM_LEVELS];
    alignas(CT_TASK_LINE_BYTES) ct_task_manager *manager;
    uint32_t affinity;                             // 0: a worker
    uint32_t index;                                // in ct_task_manager.threads
    int64_t system_id;                             // of a worker
    ct_core_set cores;                             // of a worker: where it may run
    _Atomic uint64_t num_run, num_waits, num_idle; // ct_task_thread_counts; others only read them
    uint32_t num_free_slots;
    uint32_t free_slots[CT_TASK_CACHED_SLOTS];
} ct_task_thread;

// A thread that sleeps or is about to; on its own stack. Guarded by sleep_mutex, except for
// `is_asleep`.
typedef struct ct_task_sleeper {
    _Atomic uint32_t is_asleep; // the word it sleeps on
    bool runs_anything;
    bool is_listed;
    bool is_spinner;              // woken to look for work: counts as a spinner already
    bool is_kept_off;             // woken with one core less to run on
    const ct_task_thread *worker; // NULL: not a worker
    uint32_t affinity;
    ct_task_id task;            // what it waits for, or
    const ct_task_event *event; // this
    struct ct_task_sleeper *next, *previous;
} ct_task_sleeper;

// A task that sleeps until another is done; on the stack of its thread.
typedef struct ct_task_asleep {
    uint32_t by; // slot of the waiting task
    ct_task_id task;
    struct ct_task_asleep *next, *previous;
} ct_task_asleep;

struct ct_task_manager {
    ct_allocator *allocator;
    uint32_t serial; // distinguishes this manager from earlier ones at its address
    uint32_t num_workers;
    ct_thread *workers;
    ct_task_event stop;
    _Atomic uint32_t num_threads; // grows
    _Atomic uint32_t used_levels; // bits of the levels that ever had a task
    _Atomic(ct_task_thread *) threads[CT_TASK_MAX_THREADS];
    ct_task_thread *main_threads[CT_TASK_MAX_AFFINITY + 1]; // by affinity; register_mutex
    ct_mutex register_mutex;

    // Sleeping: three counts of 16 bits in one word, so that adding a task looks at one place.
    alignas(CT_TASK_LINE_BYTES) _Atomic uint64_t idle_counts;
    alignas(CT_TASK_LINE_BYTES) ct_mutex sleep_mutex;
    ct_task_sleeper *first_sleeper;

    // Free slots: the first num_free of `free_slots`, and all from first_unused on.
    ct_mutex slot_mutex;
    uint32_t num_free, first_unused;
    // Written under the mutex.
    atomic_bool is_reserve_short; // only the reserve is left: threads keep no slots to themselves
    _Atomic uint32_t num_given_back; // slots; wraps

    // Dependencies, and the scratch of walks over them.
    ct_mutex graph_mutex;
    uint32_t last_mark;
    ct_task_asleep *first_asleep; // in dev only

    ct_mutex priority_mutex;
    _Atomic uint32_t num_priorities;
    _Atomic uint8_t levels[CT_TASK_MAX_PRIORITIES]; // of each priority; 0 is critical
    char *priority_names[CT_TASK_MAX_PRIORITIES];
    bool are_used[CT_TASK_MAX_PRIORITIES]; // requested classes; priority_mutex

    ct_task_ring shared[CT_TASK_NUM_LEVELS];
    ct_task_ring affine[CT_TASK_MAX_AFFINITY + 1][CT_TASK_NUM_LEVELS];

    uint32_t free_slots[CT_TASK_NUM_SLOTS];
    uint32_t marks[CT_TASK_NUM_SLOTS]; // the walk that has seen a slot
    uint32_t walk[CT_TASK_NUM_SLOTS];  // slots that a walk has to continue from
    ct_task_slot slots[CT_TASK_NUM_SLOTS];
};

// A task that runs on this thread; on its stack.
typedef struct ct_task_frame {
    struct ct_task_frame *below;
    ct_task_manager *manager;
    const char *name;
    ct_task_id task;
    // Children that this thread added, minus those it finished, while the task was the innermost
    // here. They are booked in open_work_items when the task's own work ends, which saves an atomic
    // operation for each.
    int32_t children;
    bool never_waits;
} ct_task_frame;

// The task state of one thread.
typedef struct ct_task_context {
    uint32_t serial; // of the manager that `thread` belongs to
    ct_task_thread *thread;
    ct_task_frame *frame; // the innermost task; NULL outside
    // Children of one parent that are done but not yet booked there. While it is not 0, this thread
    // is about to run, or runs, another child of that parent.
    ct_task_manager *done_manager;
    uint32_t done_parent, num_done;
    uint32_t num_helping; // tasks on this stack that run to get a free slot
} ct_task_context;

extern _Thread_local ct_task_context ct_task_here;

// The two parts of an id: its slot, and the generation that the slot has while the task is open.
static inline uint32_t ct_task_slot_of(ct_task_id id) {
    return (uint32_t)id.value & (CT_TASK_NUM_SLOTS - 1);
}
static inline uint32_t ct_task_generation_of(ct_task_id id) {
    return (uint32_t)(id.value >> 32);
}

// Makes the id of a slot in a generation.
static inline ct_task_id ct_task_make_id(uint32_t slot, uint32_t generation) {
    return (ct_task_id){(uint64_t)generation << 32 | slot};
}

// Returns the current generation of a slot. Writes made before it changed are visible.
static inline uint32_t ct_task_generation(const ct_task_slot *s) {
    return (uint32_t)(atomic_load_explicit(&s->state, memory_order_acquire) >> 32);
}

// Returns the calling thread's record in `m`; NULL when the thread is not registered there.
static inline ct_task_thread *ct_task_thread_here(const ct_task_manager *m) {
    return ct_task_here.serial == m->serial ? ct_task_here.thread : NULL;
}

// Counts for ct_task_counts what the calling thread did. Only the thread itself writes.
static inline void ct_task_count(_Atomic uint64_t *count) {
    const uint64_t before = atomic_load_explicit(count, memory_order_relaxed);
    atomic_store_explicit(count, before + 1, memory_order_relaxed);
}

// Claims the ready task `id`. Returns true for the one caller that may run it.
static inline bool ct_task_claim(ct_task_manager *m, uint64_t id) {
    ct_task_slot *const s = &m->slots[ct_task_slot_of((ct_task_id){id})];
    uint32_t generation = (uint32_t)(id >> 32);
    return atomic_load_explicit(&s->ready, memory_order_relaxed) == generation &&
           atomic_compare_exchange_strong(&s->ready, &generation, 0);
}

// Returns whether the task `id` is ready and not claimed yet; that may change at once.
static inline bool ct_task_is_claimable(const ct_task_manager *m, uint64_t id) {
    const ct_task_slot *const s = &m->slots[ct_task_slot_of((ct_task_id){id})];
    return atomic_load(&s->ready) == (uint32_t)(id >> 32);
}

// --- task.c --------------------------------------------------------------------------------------

// Tasks made ready one by one and published together. {0} is empty.
typedef struct ct_task_batch {
    uint32_t levels;     // bits of this thread's deques that got tasks
    uint32_t affinities; // bits
    uint32_t count;      // for any thread
} ct_task_batch;

// Makes the claimed or blocked task ready and queues it. It may run before this returns.
void ct_task_make_ready(ct_task_manager *m, ct_task_id task, ct_task_batch *batch);

// Queues the id of a task that is, or a moment ago was, ready.
void ct_task_queue(ct_task_manager *m, ct_task_id task, ct_task_batch *batch);

// Completes ct_task_make_ready for a batch: from here on no thread sleeps past these tasks.
void ct_task_publish(ct_task_manager *m, const ct_task_batch *batch);

// Subtracts `amount` from the open work items of `slot`; ends the task when none are left, and so
// on upwards. `slot`'s own parent is booked late where that is right.
void ct_task_finish(ct_task_manager *m, uint32_t slot, int32_t amount);

// Books the children that this thread has finished but not booked.
void ct_task_book_done(void);

// --- task_slots.c --------------------------------------------------------------------------------

// Takes a free slot; 0 when only the reserve is left.
uint32_t ct_task_take_slot(ct_task_manager *m);

// Takes a slot of the reserve; 0 when the reserve is empty.
uint32_t ct_task_take_reserved_slot(ct_task_manager *m);

// Frees the slot of a done task: to this thread's own free slots where there is room.
void ct_task_free_slot(ct_task_manager *m, uint32_t slot);

// Gives `count` of the thread's own free slots back to the manager.
void ct_task_give_back_slots(ct_task_manager *m, ct_task_thread *t, uint32_t count);

// --- task_run.c ----------------------------------------------------------------------------------

// What a thread waits for, and what it may run meanwhile.
typedef struct ct_task_wait_desc {
    ct_task_id task;      // or
    ct_task_event *event; // this
    bool runs_anything;
    bool runs_never_waits; // besides what `task` needs, unless runs_anything
    bool runs_the_rest;    // but only when there are no such tasks
    const char *scope;     // for the profiler
} ct_task_wait_desc;

// Runs tasks that the wait allows until it is over; sleeps when there are none.
void ct_task_wait_until(ct_task_manager *m, const ct_task_wait_desc *wait);

// Like ct_task_wait, for parallel_for: also allowed inside a task that never waits.
void ct_task_wait_for_pieces(ct_task_manager *m, ct_task_id task);

// Claims a task that the wait may run here; 0 when there is none.
uint32_t ct_task_find(ct_task_manager *m, const ct_task_wait_desc *wait);

// Runs the claimed task and finishes it.
void ct_task_run(ct_task_manager *m, uint32_t slot);

// Called when there is no free slot: to get one, runs a task that a wait for `dependency` may run
// here; returns false when there is no such task.
bool ct_task_run_for_slot(ct_task_manager *m, ct_task_id dependency);

// --- task_sleep.c --------------------------------------------------------------------------------

// Finds a task for the wait as ct_task_find does, spinning for a while and then sleeping until
// there is one; 0 when the wait is over.
uint32_t ct_task_idle(ct_task_manager *m, const ct_task_wait_desc *wait);

// Returns whether the event was signalled or the task is done.
bool ct_task_wait_is_over(const ct_task_manager *m, const ct_task_wait_desc *wait);

// Wakes enough sleepers for `count` new tasks, unless spinning threads will take them.
void ct_task_notify(ct_task_manager *m, uint32_t count);

// Wakes the threads of these affinities.
void ct_task_notify_affine(ct_task_manager *m, uint32_t affinities);

// Wakes the threads that wait inside tasks: what they wait for may need a new task.
void ct_task_notify_bound(ct_task_manager *m);

// Wake the threads that sleep until `task` is done or `event` is signalled.
void ct_task_notify_done(ct_task_manager *m, ct_task_id task);
void ct_task_notify_event(ct_task_manager *m, const ct_task_event *event);

// --- task_graph.c --------------------------------------------------------------------------------

// Adds `slot` to the dependents of `dependency`; returns false when that is already done.
bool ct_task_block(ct_task_manager *m, uint32_t slot, ct_task_id dependency);

// Takes the list of dependents of `slot`, which is done. Returns the slot of the first; the others
// follow by next_dependent, in the order they were added.
uint32_t ct_task_take_dependents(ct_task_manager *m, uint32_t slot);

// Returns whether the task in slot `by` needs the task in `slot`: is it, is its parent, depends on
// it, or needs a task of which that is true. True is certain only if both were open all the time.
bool ct_task_is_needed(ct_task_manager *m, uint32_t slot, uint32_t by);

// Asserts that a new child of the open slot `parent` (0: no parent) may depend on `dependency`.
// Only `dev` builds look for cycles other than over ancestors.
void ct_task_assert_no_cycle(ct_task_manager *m, const char *name, uint32_t parent,
                             ct_task_id dependency);

// In dev builds, the task in slot `a->by` sleeps between these two until `a->task` is done. Asserts
// that `a->task` does not itself need the sleeping task, through such sleeping tasks on other
// threads.
void ct_task_begin_asleep(ct_task_manager *m, ct_task_asleep *a);
void ct_task_end_asleep(ct_task_manager *m, ct_task_asleep *a);

// Fails with a report that names open tasks: the slots are used up for good, because no task has
// ended for long, and there is no slot for the task `name`.
void ct_task_report_full(ct_task_manager *m, const char *name);

// --- task_ring.c ---------------------------------------------------------------------------------

// Init makes an empty ring of zeroed memory; shutdown frees its memory. One thread.
void ct_task_ring_init(ct_task_ring *r);
void ct_task_ring_shutdown(ct_task_ring *r, ct_allocator *a);
// Appends `id`, dropping stale ids or growing when the ring is full. Any thread.
void ct_task_ring_push(ct_task_manager *m, ct_task_ring *r, uint64_t id);

// Claims the oldest task; 0 when there is none.
uint32_t ct_task_ring_take(ct_task_manager *m, ct_task_ring *r);

// Claims the oldest task that the wait may run; 0 when there is none.
uint32_t ct_task_ring_take_allowed(ct_task_manager *m, ct_task_ring *r,
                                   const ct_task_wait_desc *wait);

// Claims the task `id` if the wait may run it; returns its slot, or 0. (task_run.c)
uint32_t ct_task_claim_allowed(ct_task_manager *m, const ct_task_wait_desc *wait, uint64_t id);

// --- task_priority.c -----------------------------------------------------------------------------

// Init sets up the four levels; shutdown frees the names of the classes.
void ct_task_priorities_init(ct_task_manager *m);
void ct_task_priorities_shutdown(ct_task_manager *m);
