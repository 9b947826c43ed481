// task.h: tasks with parents, dependencies and priorities.
//
// A task is done when its own work has run and all its children are done; `open_work_items` of each
// open task counts both. A task may wait for one other task (its dependency). To wait for many,
// open an empty task (ct_task_open) with those as children and depend on that. An id is a slot and
// a generation: a task whose id is no longer open is done; nothing else is known about it.
//
// Threads: the manager starts its workers; main threads (update, render) register and run tasks
// while they wait. Other threads may call every function too, but their tasks go through a shared
// queue. Do not use tasks for work that blocks or may take over a millisecond.
//
// While a thread waits for a task, it runs tasks that the awaited task needs (itself, its
// descendants, what these depend on, and so on) and tasks that never wait; among these, highest
// priority first. So unrelated work does not pile up on a stack, and no thread runs a task that
// waits for a task below it on the stack, or for what the thread does next. One exception: outside
// any task, when there are no workers and nothing else to run, a wait runs any task, because there
// may be no other thread to run it. Idle workers, and waits for events outside tasks, run any task;
// waits for events inside tasks run tasks that never wait.
//
// Inside: one cache line per task. Each registered thread has a queue per priority level. The
// thread takes from its queues last in first out; other threads lock them and take first in first
// out ("The Implementation of the Cilk-5 Multithreaded Language", Frigo, Leiserson, Randall 1998).
// Entries are hints: the thread that claims a task's slot runs it.
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
    // The most tasks open at a time. Threads that are awake may keep up to a quarter of the free
    // slots to themselves until no other is left; sleeping threads keep none.
    CT_TASK_MAX_OPEN = 15360,
    CT_TASK_MAX_AFFINITY = 15,
    CT_TASK_MAX_PRIORITIES = 128, // the four levels and the named classes
};

typedef struct ct_task_manager ct_task_manager;

typedef struct ct_task_id {
    uint64_t value; // {0}: no task; counts as done
} ct_task_id;

// A level, or a class from ct_task_priority_class, which maps to a level. CRITICAL runs first, then
// HIGH, NORMAL, LOW. Among equals a thread prefers the task it added last; only tasks added by
// unregistered threads, and tasks with an affinity, start in the order they were added.
typedef enum ct_task_priority {
    CT_TASK_PRIORITY_NORMAL,
    CT_TASK_PRIORITY_LOW,
    CT_TASK_PRIORITY_HIGH,
    CT_TASK_PRIORITY_CRITICAL,
    CT_TASK_PRIORITY_LAST = CT_TASK_MAX_PRIORITIES - 1,
} ct_task_priority;

// A task to add. Zero selects the default where one is given.
typedef struct ct_task_desc {
    const char *name;        // for profiler and reports; borrowed for the program's life
    void (*run)(void *data); // NULL: an empty task, done once its dependency is
    void *data;              // borrowed until the task is done
    ct_task_id parent;       // must be open; the new task becomes its child
    ct_task_id dependency;   // must be done before the task starts; never an ancestor
    ct_task_priority priority;
    uint32_t affinity; // 0: any thread; else only the thread registered with this number
    // Its work never calls ct_task_wait or ct_task_wait_event (ct_task_parallel_for is fine), so
    // any thread in any wait may run it. Needed for tasks that must run while a thread waits for
    // others.
    bool never_waits;
} ct_task_desc;

// How to make a manager.
typedef struct ct_task_manager_desc {
    ct_allocator *allocator;
    uint32_t num_workers; // 0 is fine: waiting threads do the work
} ct_task_manager_desc;

// An event that a thread waits for while it runs tasks. Any thread may signal it. {0} is not
// signalled.
typedef struct ct_task_event {
    _Atomic uint32_t is_signalled;
} ct_task_event;

// --- Life cycle ----------------------------------------------------------------------------------

// Makes a manager and starts its workers. Allocates one block of 1.3 MB, of which only the used
// part is touched, and 65 KB for each thread.
ct_task_manager *ct_task_manager_create(const ct_task_manager_desc *desc);

// Ends the workers and frees the manager. No task may be open, and no thread may be inside a
// function of this manager.
void ct_task_manager_destroy(ct_task_manager *m);

// Makes the calling thread run tasks of `affinity` (1 to CT_TASK_MAX_AFFINITY) while it waits,
// and gives it queues of its own. A thread belongs to one manager: the one it registered with
// last. An affinity belongs to one living thread: the one that registered with it last.
void ct_task_register_thread(ct_task_manager *m, uint32_t affinity);

// Returns how many workers the manager has. Any thread.
uint32_t ct_task_num_workers(const ct_task_manager *m);

// --- Priorities ----------------------------------------------------------------------------------

// Returns the class `name` ("render_cull"; copied). A new class is made at `level`, one of the
// four; a level from the game's settings stays. Any thread; look the class up once, not per task.
ct_task_priority ct_task_priority_class(ct_task_manager *m, const char *name,
                                        ct_task_priority level);

// Sets `level` to the level `name` ("critical", "high", "normal", "low"); returns false when there
// is no such level.
bool ct_task_level_named(const char *name, ct_task_priority *level);

// Returns the name of class number `index` among those that were set but never requested with
// ct_task_priority_class; NULL when there are fewer. It lives as long as the manager. Any thread.
const char *ct_task_unused_class(ct_task_manager *m, uint32_t index);

// Sets the level of the new or existing class `name` for tasks added from now on. Returns false
// and changes nothing when the name is empty or is a level's ("critical", "high", "normal",
// "low"), or when there are already CT_TASK_MAX_PRIORITIES. Any thread.
bool ct_task_set_priority(ct_task_manager *m, const char *name, ct_task_priority level);

// --- Adding --------------------------------------------------------------------------------------

// Adds `count` tasks that may start at once; sets ids[i] (`ids` may be NULL). Any thread.
// When CT_TASK_MAX_OPEN tasks are open, it makes room: it runs a task that a wait for the
// dependency may run here, or runs the added task itself before it returns, or lets other threads
// run theirs. It is a bug when no task at all has ended for about a second, because the wait may
// then never end.
void ct_task_add_array(ct_task_manager *m, const ct_task_desc *descs, uint32_t count,
                       ct_task_id *ids);

// Adds one task.
ct_task_id ct_task_add(ct_task_manager *m, const ct_task_desc *desc);

// Adds an empty task that stays open until ct_task_complete: a parent that collects children, or a
// placeholder for work done elsewhere (GPU, service threads).
ct_task_id ct_task_open(ct_task_manager *m, const char *name, ct_task_id parent);

// Completes the own work item of a task made by ct_task_open. Call it once, from any thread.
void ct_task_complete(ct_task_manager *m, ct_task_id task);

// --- Waiting -------------------------------------------------------------------------------------

// Returns whether the task is done; also works for ids from long ago.
bool ct_task_is_done(const ct_task_manager *m, ct_task_id task);

// Returns when `task` is done; runs tasks meanwhile (see above). A task must not wait for one
// that needs it. When the task that completes an open task (ct_task_complete) itself waits, a
// thread that does not wait for a task must run it.
void ct_task_wait(ct_task_manager *m, ct_task_id task);

// Returns when `event` is signalled; runs tasks meanwhile (inside a task, only those that never
// wait).
void ct_task_wait_event(ct_task_manager *m, ct_task_event *event);

// Signals `event` and wakes the threads that wait for it. Does not access the event once it is
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
    uint32_t count; // number of indices, from 0
    uint32_t grain; // the most indices in a call of `run`; at least 1
    ct_task_priority priority;
} ct_task_loop_desc;

// Calls `run` for all indices, on all threads and this one, and returns when all calls have
// returned. `run` may itself loop in parallel, but must not call any other function that waits for
// tasks or events.
void ct_task_loop(ct_task_manager *m, const ct_task_loop_desc *desc);

// ct_task_loop at high priority.
void ct_task_parallel_for(ct_task_manager *m, uint32_t count, uint32_t grain,
                          void (*run)(void *data, uint32_t begin, uint32_t end), void *data);

// --- What runs here ------------------------------------------------------------------------------

// Returns the task that the calling thread runs (the innermost), to add children to it; {0}
// outside of tasks.
ct_task_id ct_task_current(void);

// Returns the name of that task, or NULL outside of tasks. Reads only this thread's own memory, so
// a signal handler may call it.
const char *ct_task_current_name(void);
