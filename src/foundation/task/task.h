// task.h: tasks with parents, dependencies and priorities.
//
// A task is done when its own work has run and all its children are done; each open task counts
// both in `open_work_items`. A task may wait for one other task (its dependency); to wait for many,
// open an empty task (ct_task_open) with those as children and depend on that. Ids are slot and
// generation: a task whose id is no longer open is done; nothing else is known about it.
//
// Threads: the manager starts its workers; main threads (update, render) register and run tasks
// while they wait. Other threads may do everything too, but their tasks go through a shared queue.
// Work that blocks or may take over a millisecond does not belong here.
//
// What a wait for a task runs meanwhile: what the awaited task needs (itself, its descendants, what
// these depend on, and so on) and tasks that never wait; among these, highest priority first. So no
// stack piles up unrelated work, and no thread runs a task that waits for what is below it on the
// stack, or for what the thread does next. Only outside any task, when there are no workers and
// nothing else to run, a wait runs any task: there may be no other thread to do it. Idle workers,
// and waits for events outside tasks, run any task; waits for events inside tasks run tasks that
// never wait.
//
// Inside: one cache line per task; each registered thread has a queue per priority level, taken
// from last in first out by itself and first in first out by others, who lock it ("The
// Implementation of the Cilk-5 Multithreaded Language", Frigo, Leiserson, Randall 1998). Entries
// are hints: the thread that claims a task's slot runs it.
// From "Task Management: A Practical Example" (Bitsquid blog, 2010-03-25).
//
// Example (tests/foundation/task/test_task.c):
//
//     ct_task_manager *const m =
//         ct_task_manager_create(&(ct_task_manager_desc){.allocator = a, .num_workers = 2});
//     float heights[1000], highest = 0;
//
//     // A loop on all threads, at most 64 indices in a call; done when it returns.
//     ct_task_parallel_for(m, 1000, 64, raise_heights, heights);
//
//     // A task, and one that starts when it is done. `data` is borrowed until then.
//     const ct_task_id smooth =
//         ct_task_add(m, &(ct_task_desc){.name = "smooth", .run = smooth_all, .data = heights});
//     find_data find = {heights, &highest};
//     const ct_task_desc desc = {
//         .name = "find", .run = find_highest, .data = &find, .dependency = smooth};
//     ct_task_wait(m, ct_task_add(m, &desc)); // runs tasks meanwhile
//     ct_task_manager_destroy(m);
#pragma once
#include <stdatomic.h>

#include "foundation/types.h"

enum {
    // Open tasks at a time. Threads that are awake may keep up to a quarter of the free ones to
    // themselves until there is no other; threads that sleep keep none.
    CT_TASK_MAX_OPEN = 15360,
    CT_TASK_MAX_AFFINITY = 15,
    CT_TASK_MAX_PRIORITIES = 128, // the four levels and the named classes
};

typedef struct ct_task_manager ct_task_manager;

typedef struct ct_task_id {
    uint64_t value; // {0} is no task, and done
} ct_task_id;

// A level, or a class that ct_task_priority_class gave and that stands for a level. CRITICAL runs
// first, then HIGH, NORMAL, LOW. Among equals a thread prefers what it added last; only tasks added
// by unregistered threads, and tasks of an affinity, start in the order they came.
typedef enum ct_task_priority {
    CT_TASK_PRIORITY_NORMAL,
    CT_TASK_PRIORITY_LOW,
    CT_TASK_PRIORITY_HIGH,
    CT_TASK_PRIORITY_CRITICAL,
    CT_TASK_PRIORITY_LAST = CT_TASK_MAX_PRIORITIES - 1,
} ct_task_priority;

// A task to add. Zero means the default where one is named.
typedef struct ct_task_desc {
    const char *name;        // for profiler and reports; borrowed for the program's life
    void (*run)(void *data); // NULL: an empty task, done once its dependency is
    void *data;              // borrowed until the task is done
    ct_task_id parent;       // this task becomes a child of it; it must be open
    ct_task_id dependency;   // does not start before this is done; never an ancestor
    ct_task_priority priority;
    uint32_t affinity; // 0: any thread; else only the thread registered with this number
    // Its work calls neither ct_task_wait nor ct_task_wait_event (ct_task_parallel_for it may): any
    // thread in any wait may run it. Needed for tasks that must run while a thread waits for
    // others.
    bool never_waits;
} ct_task_desc;

// How to make a manager.
typedef struct ct_task_manager_desc {
    ct_allocator *allocator;
    uint32_t num_workers; // 0 is fine: waiting threads do the work
} ct_task_manager_desc;

// An event that a thread waits for while it does tasks. Signalled from any thread. {0} is not
// signalled.
typedef struct ct_task_event {
    _Atomic uint32_t is_signalled;
} ct_task_event;

// --- Life cycle ----------------------------------------------------------------------------------

// Makes a manager and starts its workers. One allocation of 1.3 MB, of which only what is used
// is touched, and 65 KB for each thread.
ct_task_manager *ct_task_manager_create(const ct_task_manager_desc *desc);

// Ends the workers and frees the manager. No task may be open, and no thread inside a function
// of this manager.
void ct_task_manager_destroy(ct_task_manager *m);

// Makes the calling thread run tasks of `affinity` (1 to CT_TASK_MAX_AFFINITY) while it waits,
// and gives it queues of its own. A thread belongs to one manager: the one it registered with
// last. A number belongs to one living thread at a time: the thread that registers last has it.
void ct_task_register_thread(ct_task_manager *m, uint32_t affinity);

// --- Priorities ----------------------------------------------------------------------------------

// Returns the class `name` ("render_cull"; copied). A class that is not known yet is made at
// `level`, one of the four; the level that the game's settings gave stays. Any thread; look it
// up once, not per task.
ct_task_priority ct_task_priority_class(ct_task_manager *m, const char *name,
                                        ct_task_priority level);

// Sets `level` to the one called `name` ("critical", "high", "normal", "low"); false when there
// is no such level.
bool ct_task_level_named(const char *name, ct_task_priority *level);

// Returns the name of class number `index` among those that were set and never asked for with
// ct_task_priority_class; NULL when there are fewer. Lives as long as the manager. Any thread.
const char *ct_task_unused_class(ct_task_manager *m, uint32_t index);

// Sets the level of the class `name`, known or not, for tasks added from now on. Returns false
// and changes nothing when the name is empty or that of a level ("critical", "high", "normal",
// "low"), or when there are CT_TASK_MAX_PRIORITIES already. Any thread.
bool ct_task_set_priority(ct_task_manager *m, const char *name, ct_task_priority level);

// --- Adding --------------------------------------------------------------------------------------

// Adds `count` tasks that may start at once; sets ids[i] (`ids` may be NULL). Any thread.
// When CT_TASK_MAX_OPEN tasks are open, it makes room: it runs a task that a wait for the
// dependency may run here, or the added task itself before it returns, or lets other threads run
// theirs. When no task at all has ended for about a second, so that waiting may take for ever,
// it is a bug.
void ct_task_add_array(ct_task_manager *m, const ct_task_desc *descs, uint32_t count,
                       ct_task_id *ids);

// Adds one task.
ct_task_id ct_task_add(ct_task_manager *m, const ct_task_desc *desc);

// Adds an empty task that stays open until ct_task_complete: the parent to collect children under,
// or the stand-in for work done elsewhere (GPU, service threads).
ct_task_id ct_task_open(ct_task_manager *m, const char *name, ct_task_id parent);

// Completes the own work item of a task made by ct_task_open. Once; any thread.
void ct_task_complete(ct_task_manager *m, ct_task_id task);

// --- Waiting -------------------------------------------------------------------------------------

// Returns whether the task is done (also for ids of long ago).
bool ct_task_is_done(const ct_task_manager *m, ct_task_id task);

// Returns when `task` is done; runs tasks meanwhile (see above). A task must not wait for one
// that needs it. When an open task is completed by a task that itself waits, a thread that does
// not wait for a task must run that one.
void ct_task_wait(ct_task_manager *m, ct_task_id task);

// Returns when `event` is signalled; runs tasks meanwhile (inside a task only such as never wait).
void ct_task_wait_event(ct_task_manager *m, ct_task_event *event);

// Signals `event` and wakes the threads that wait for it. Does not touch the event once it is
// signalled. Any thread.
void ct_task_signal(ct_task_manager *m, ct_task_event *event);

// Makes `event` ready for its next signal. No thread may wait for it.
void ct_task_event_clear(ct_task_event *event);

// --- Loops ---------------------------------------------------------------------------------------

// A loop over indices in pieces.
typedef struct ct_task_loop_desc {
    const char *name; // as in ct_task_desc; NULL: "parallel for"
    void (*run)(void *data, uint32_t begin, uint32_t end);
    void *data;
    uint32_t count; // of indices, from 0 on
    uint32_t grain; // at most so many in a call of `run`; 1 and up
    ct_task_priority priority;
} ct_task_loop_desc;

// Calls `run` for all indices, on all threads and this one, and returns when all calls have
// returned. `run` may loop in parallel itself, but must call no other function that waits for
// tasks or events.
void ct_task_loop(ct_task_manager *m, const ct_task_loop_desc *desc);

// ct_task_loop at high priority.
void ct_task_parallel_for(ct_task_manager *m, uint32_t count, uint32_t grain,
                          void (*run)(void *data, uint32_t begin, uint32_t end), void *data);

// --- What runs here ------------------------------------------------------------------------------

// Returns the task that the calling thread runs (the innermost), to add children to it; {0}
// outside of tasks.
ct_task_id ct_task_current(void);

// Returns its name, or NULL outside of tasks. Reads this thread's own memory only, so it is fine
// in a signal handler.
const char *ct_task_current_name(void);
