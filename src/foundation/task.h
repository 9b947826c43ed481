// task.h: tasks with parents, dependencies and priorities.
//
// A task is done when its own work has run and all its children are done; each open task counts
// both in `open_work_items`. A task may wait for one other task (its dependency); to wait for many,
// open an empty task (ct_task_open) with those as children and depend on that. Ids are slot and
// generation: an id that is no longer open is done, and nothing else is ever known about it.
//
// Threads: the manager starts its workers; main threads (update, render) register and run tasks
// while they wait. Work that blocks or may take over a millisecond does not belong here. A thread
// that waits inside a task runs others on top of it, so a task must not wait for one that may stand
// below it on the same stack: depend, or be a child, instead.
//
// Inside: slots for CT_TASK_MAX_OPEN tasks, one first-in first-out queue for each priority and
// affinity, all under one lock.
// From "Task Management: A Practical Example" (Bitsquid blog, 2010-03-25).
#pragma once
#include "foundation/types.h"

enum {
    CT_TASK_MAX_OPEN = 4095, // open tasks at a time
    CT_TASK_MAX_AFFINITY = 15,
};

typedef struct ct_task_manager ct_task_manager;

typedef struct ct_task_id {
    uint32_t value; // {0} is none, and done
} ct_task_id;

// CRITICAL runs first, then HIGH, NORMAL, LOW; in the order they came among equals.
typedef enum ct_task_priority {
    CT_TASK_PRIORITY_NORMAL,
    CT_TASK_PRIORITY_LOW,
    CT_TASK_PRIORITY_HIGH,
    CT_TASK_PRIORITY_CRITICAL,
} ct_task_priority;

typedef struct ct_task_desc {
    const char *name;        // for the profiler; borrowed for the program's life
    void (*run)(void *data); // NULL: an empty task, done once its dependency is
    void *data;              // borrowed until the task is done
    ct_task_id parent;       // this task becomes a child of it; it must be open
    ct_task_id dependency;   // does not start before this is done; never an ancestor
    ct_task_priority priority;
    uint32_t affinity; // 0: any thread; else only the thread registered with this number
} ct_task_desc;

typedef struct ct_task_manager_desc {
    ct_allocator *allocator;
    uint32_t num_workers; // 0 is fine: waiting threads do the work
} ct_task_manager_desc;

// An event that a thread waits for while it does tasks. Signalled once, from any thread.
typedef struct ct_task_event {
    uint32_t is_signalled; // atomic
} ct_task_event;

ct_task_manager *ct_task_manager_create(const ct_task_manager_desc *desc);

// Waits for the workers; no task may be open.
void ct_task_manager_destroy(ct_task_manager *m);

// Makes the calling thread one that runs tasks of `affinity` (1 to CT_TASK_MAX_AFFINITY) while it
// waits. A thread belongs to one manager: the one it registered with last.
void ct_task_register_thread(ct_task_manager *m, uint32_t affinity);

// Adds a task that may start at once. When no slot is free, runs tasks until one is. Any thread.
ct_task_id ct_task_add(ct_task_manager *m, const ct_task_desc *desc);

// Adds an empty task that stays open until ct_task_complete: the parent to collect children under,
// or the stand-in for work done elsewhere (GPU, service threads).
ct_task_id ct_task_open(ct_task_manager *m, const char *name, ct_task_id parent);

// Completes the own work item of a task made by ct_task_open. Once; any thread.
void ct_task_complete(ct_task_manager *m, ct_task_id task);

// True when the task is done (also for ids of long ago).
bool ct_task_is_done(const ct_task_manager *m, ct_task_id task);

// Returns when `task` is done; runs tasks meanwhile.
void ct_task_wait(ct_task_manager *m, ct_task_id task);

// Returns when `event` is signalled; runs tasks meanwhile.
void ct_task_wait_event(ct_task_manager *m, ct_task_event *event);

// Signals `event` and wakes who waits for it. Any thread.
void ct_task_signal(ct_task_manager *m, ct_task_event *event);

// Calls run(data, begin, end) over [0, count) in pieces of at most `grain` (1 and up), on all
// threads and this one, and returns when all are done.
void ct_task_parallel_for(ct_task_manager *m, uint32_t count, uint32_t grain,
                          void (*run)(void *data, uint32_t begin, uint32_t end), void *data);
