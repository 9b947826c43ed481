#include "foundation/profiler/profiler.h"
#include "plugin/plugin_interfaces.h"
#include "plugin/plugin_private.h"

// Work of a plugin: crash reports name the plugin while it runs.
typedef struct plugin_loop {
    cuttle_plugin *plugin;
    void (*run)(void *data, uint32_t begin, uint32_t end);
    void *data;
} plugin_loop;

static void run_loop(void *data, uint32_t begin, uint32_t end) {
    const plugin_loop *const loop = data;
    const uint32_t entered = ct_plugin_enter(loop->plugin);
    loop->run(loop->data, begin, end);
    ct_plugin_leave(entered);
}

static void parallel_for(cuttle_plugin *self, const char *name, uint32_t count, uint32_t grain,
                         void (*run)(void *data, uint32_t begin, uint32_t end), void *data) {
    ct_task_manager *const tasks = self->host->desc.tasks;
    plugin_loop own = {.plugin = self, .run = run, .data = data};
    const ct_task_loop_desc loop = {.name = ct_profiler_name(name),
                                    .run = run_loop,
                                    .data = &own,
                                    .count = count,
                                    .grain = grain > 0 ? grain : 1,
                                    .priority = CT_TASK_PRIORITY_HIGH};
    if (tasks)
        ct_task_loop(tasks, &loop);
    else if (count > 0)
        run_loop(&own, 0, count);
}

typedef struct plugin_task {
    cuttle_plugin *plugin;
    void (*run)(void *data);
    void *data;
} plugin_task;

static void run_task(void *data) {
    const plugin_task task = *(const plugin_task *)data;
    ct_free_sized(task.plugin->host->allocator, data, sizeof(task));
    const uint32_t entered = ct_plugin_enter(task.plugin);
    task.run(task.data);
    ct_plugin_leave(entered);
}

// All tasks of a plugin are children of one, so that a reload can wait for them.
static cuttle_task add(cuttle_plugin *self, const char *name, void (*run)(void *data), void *data,
                       cuttle_task dependency) {
    ct_task_manager *const tasks = self->host->desc.tasks;
    plugin_task *const task = CT_NEW(self->host->allocator, plugin_task);
    *task = (plugin_task){.plugin = self, .run = run, .data = data};
    if (!tasks) {
        run_task(task);
        return (cuttle_task){0};
    }
    ct_mutex_lock(&self->blocks_lock);
    if (self->tasks.value == 0)
        self->tasks = ct_task_open(tasks, "plugin", (ct_task_id){0});
    ct_mutex_unlock(&self->blocks_lock);
    const ct_task_desc desc = {.name = ct_profiler_name(name),
                               .run = run_task,
                               .data = task,
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
