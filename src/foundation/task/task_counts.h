// task_counts.h: what the threads of a task manager have done, for tools.
#pragma once
#include "foundation/task/task.h"

// What a registered thread has done since it was registered.
typedef struct ct_task_thread_counts {
    uint32_t affinity;  // 0: a worker
    uint64_t num_run;   // tasks that it ran
    uint64_t num_waits; // waits for tasks and events that were not over yet
    uint64_t num_idle;  // how often it had no task to run: it then spins, and sleeps
} ct_task_thread_counts;

// Writes the counts of up to `most` threads, in the order in which they were registered, and returns how many
// threads there are. What is loops' own work on the thread that loops is not among its tasks. Any thread; the counts
// are those of about now.
uint32_t ct_task_counts(const ct_task_manager *m, ct_task_thread_counts *counts, uint32_t most);
