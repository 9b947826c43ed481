// tasks.h: the interface "tasks": work on all cores.
#ifndef CUTTLE_TASKS_H
#define CUTTLE_TASKS_H
#include <cuttle/types.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CUTTLE_TASKS_API "tasks"

// A task; {0} is no task, and counts as done.
typedef struct cuttle_task {
    uint64_t value;
} cuttle_task;

// Update thread, and tasks of the plugin. Work that blocks, or takes longer than a millisecond or so, does
// not belong into tasks. A reload, and the end of the plugin, wait for all of its tasks, and for those that
// they add.
typedef struct cuttle_tasks_api_1 {
    // Calls `run` for all of `count` indices, at most `grain` in a call, on all threads and this one;
    // returns when all is done.
    void (*parallel_for)(cuttle_plugin *self, const char *name, uint32_t count, uint32_t grain,
                         void (*run)(void *data, uint32_t begin, uint32_t end), void *data);
    // Adds a task that starts when `dependency` is done. `data` is borrowed until it is done.
    cuttle_task (*add)(cuttle_plugin *self, const char *name, void (*run)(void *data), void *data,
                       cuttle_task dependency);
    // Waits for a task; runs others meanwhile.
    void (*wait)(cuttle_plugin *self, cuttle_task task);
    bool (*is_done)(cuttle_plugin *self, cuttle_task task);
} cuttle_tasks_api_1;

#ifdef __cplusplus
}
#endif
#endif
