#include "foundation/profiler/profiler.h"
#include "plugin/plugin_interfaces.h"
#include "plugin/plugin_private.h"

static void parallel_for(cuttle_plugin *self, const char *name, uint32_t count, uint32_t grain,
                         void (*run)(void *data, uint32_t begin, uint32_t end), void *data) {
    ct_task_manager *const tasks = self->host->desc.tasks;
    const ct_task_loop_desc loop = {.name = ct_profiler_name(name),
                                    .run = run,
                                    .data = data,
                                    .count = count,
                                    .grain = grain > 0 ? grain : 1,
                                    .priority = CT_TASK_PRIORITY_HIGH};
    if (tasks)
        ct_task_loop(tasks, &loop);
    else if (count > 0)
        run(data, 0, count);
}

// All tasks of a plugin are children of one, so that a reload can wait for them.
static cuttle_task add(cuttle_plugin *self, const char *name, void (*run)(void *data), void *data,
                       cuttle_task dependency) {
    ct_task_manager *const tasks = self->host->desc.tasks;
    if (!tasks) {
        run(data);
        return (cuttle_task){0};
    }
    ct_mutex_lock(&self->blocks_lock);
    if (self->tasks.value == 0)
        self->tasks = ct_task_open(tasks, "plugin", (ct_task_id){0});
    ct_mutex_unlock(&self->blocks_lock);
    const ct_task_desc desc = {.name = ct_profiler_name(name),
                               .run = run,
                               .data = data,
                               .parent = self->tasks,
                               .dependency = {dependency.value}};
    return (cuttle_task){ct_task_add(tasks, &desc).value};
}

static void wait(cuttle_plugin *self, cuttle_task task) {
    if (self->host->desc.tasks)
        ct_task_wait(self->host->desc.tasks, (ct_task_id){task.value});
}

static bool is_done(cuttle_plugin *self, cuttle_task task) {
    return !self->host->desc.tasks ||
           ct_task_is_done(self->host->desc.tasks, (ct_task_id){task.value});
}

const cuttle_tasks_api_1 ct_plugin_tasks_api_1 = {
    .parallel_for = parallel_for,
    .add = add,
    .wait = wait,
    .is_done = is_done,
};
