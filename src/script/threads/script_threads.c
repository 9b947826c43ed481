#include "script/threads/script_threads.h"

#include <stdio.h>
#include <string.h>

#include "foundation/error.h"
#include "foundation/memory/proxy_allocator.h"
#include "foundation/profiler/profiler.h"
#include "lua/lua_check.h"
#include "lua/lua_watch.h"
#include "script/threads/script_workers.h"

// --- All workers ---------------------------------------------------------------------------------

uint32_t ct_script_num_workers(const ct_script *s) {
    const uint32_t wanted = s->threads_desc.num_worker_states;
    return wanted == 0 ? 1 : wanted < CT_SCRIPT_MAX_WORKERS ? wanted : CT_SCRIPT_MAX_WORKERS;
}

bool ct_script_is_worker(lua_State *L) {
    return ct_lua_of(L)->parent != NULL;
}

static struct ct_script_threads *threads_of(ct_script *s) {
    if (s->threads)
        return s->threads;
    struct ct_script_threads *const t = CT_NEW(s->backing, struct ct_script_threads);
    t->game = s;
    t->tasks = ct_world_system_tasks(s->worlds);
    t->allocator = ct_proxy_allocator_create(s->lua.allocator, "lua jobs");
    ct_api_locks_desc locks = {.allocator = t->allocator,
                               .api_names = ct_lockable_names(),
                               .wake = ct_script_wake_job,
                               .user = t};
    ct_lockable_modules(&locks.num_apis);
    t->locks = ct_api_locks_create(&locks);
    ct_mutex_init(&t->shared_mutex);
    ct_array_init(&t->jobs, t->allocator);
    s->threads = t;
    return t;
}

static void free_job(ct_allocator *a, ct_script_job *job) {
    ct_lua_message_free(&job->arguments);
    ct_lua_message_free(&job->result);
    ct_string_builder_free(&job->error);
    ct_array_free(&job->scopes);
    ct_free_sized(a, job, sizeof(*job));
}

void ct_script_threads_free(ct_script *s) {
    struct ct_script_threads *const t = s->threads;
    if (!t)
        return;
    for (uint32_t i = 0; i < t->jobs.count; ++i)
        free_job(t->allocator, t->jobs.items[i]);
    ct_array_free(&t->jobs);
    for (uint32_t i = 0; i < t->num_workers; ++i)
        ct_script_worker_destroy(t->workers[i]);
    ct_api_locks_destroy(t->locks);
    ct_mutex_shutdown(&t->shared_mutex);
    ct_proxy_allocator_destroy(t->allocator);
    ct_free_sized(s->backing, t, sizeof(*t));
    s->threads = NULL;
}

void ct_script_threads_note_changed(ct_script *s, ct_string_id64 script) {
    for (uint32_t i = 0; s->threads && i < s->threads->num_workers; ++i) {
        ct_script_worker *const w = s->threads->workers[i];
        w->has_changes |= ct_lua_note_changed(&w->script.lua, script, false);
    }
}

// --- Debuggers -----------------------------------------------------------------------------------

void ct_script_set_debug_hooks(ct_script *s, const ct_script_debug_hooks *hooks) {
    struct ct_script_threads *const t = s->threads;
    for (uint32_t i = 0; t && i < t->num_workers; ++i)
        ct_script_worker_note_end(t->workers[i]);
    s->debug_hooks = hooks ? *hooks : (ct_script_debug_hooks){0};
    for (uint32_t i = 0; t && i < t->num_workers; ++i)
        ct_script_worker_note_made(t->workers[i]);
}

uint32_t ct_script_num_running_states(const ct_script *s) {
    return s->threads ? atomic_load(&s->threads->num_working) : 0;
}

void ct_script_note_stop(ct_lua *machine, uint64_t stopped_ns) {
    if (machine->parent)
        ct_script_worker_of(machine->lua)->stopped_ns += stopped_ns;
}

// --- Jobs from Lua -------------------------------------------------------------------------------

static ct_script_job *job_at(struct ct_script_threads *t, uint32_t place) {
    if (place < t->jobs.count)
        return t->jobs.items[place];
    ct_allocator *const a = t->allocator;
    ct_script_job *const job = CT_NEW(a, ct_script_job);
    ct_lua_message_init(&job->arguments, a, &t->game->lua);
    ct_lua_message_init(&job->result, a, &t->game->lua);
    ct_string_builder_init(&job->error, a);
    ct_array_init(&job->scopes, a);
    ct_array_push(&t->jobs, job);
    return job;
}

// Copies the text under `key` of the table on top, element `i` from 0 of the argument `jobs`; false
// without one. No metamethod runs: it could change jobs that were checked.
static bool take_text(lua_State *L, int jobs, uint32_t i, const char *key, char *text,
                      size_t bytes) {
    lua_pushstring(L, key);
    lua_rawget(L, -2);
    const bool is_there = !lua_isnil(L, -1);
    if (is_there) {
        const char *const found = lua_type(L, -1) == LUA_TSTRING ? ct_lua_name_at(L, -1) : NULL;
        if (!found)
            ct_argument_error(L, jobs,
                              "expected at index %u a text without zero bytes as %s, got %s", i + 1,
                              key, ct_push_value_description(L, -1));
        if (strlen(found) >= bytes)
            ct_argument_error(L, jobs,
                              "expected at index %u a %s of at most %u bytes, got \"%.40s…\"",
                              i + 1, key, (unsigned)bytes - 1, found);
        memcpy(text, found, strlen(found) + 1);
    }
    lua_pop(L, 1);
    return is_there;
}

// The job on top, number `i` from 0 of the array at `jobs`.
static void take_job(lua_State *L, int jobs, uint32_t i, ct_script_job *job,
                     ct_lua_message_check *check) {
    char path[48];
    ct_lua_message_shrink(&job->arguments, CT_SCRIPT_KEPT_MESSAGE_BYTES);
    ct_lua_message_shrink(&job->result, CT_SCRIPT_KEPT_MESSAGE_BYTES);
    ct_string_builder_clear(&job->error);
    if (!lua_istable(L, -1) || !take_text(L, jobs, i, "script", job->script, sizeof(job->script)) ||
        !take_text(L, jobs, i, "function", job->function, sizeof(job->function)))
        ct_argument_error(L, jobs,
                          "expected at index %u a table with script (\"scripts/x\") and function "
                          "(its name in what the script returns), got %s%s",
                          i + 1, lua_istable(L, -1) ? "another " : "", ct_value_type_name(L, -1));
    memset(&job->owner, 0, sizeof(job->owner));
    job->owner.user = job;
    if (!take_text(L, jobs, i, "name", job->owner.name, sizeof(job->owner.name)))
        snprintf(job->owner.name, sizeof(job->owner.name), "%.40s:%.20s", job->script,
                 job->function);
    job->profiler_name = ct_profiler_is_on() ? ct_profiler_name(job->owner.name) : "job";
    job->coroutine = NULL;
    job->coroutine_reference = LUA_NOREF;
    job->waits_for_lock = false;
    job->first_grant = NULL;
    job->scopes.count = 0;
    job->num_temporaries = 0;
    job->ran_ns = 0;
    job->random_state = UINT64_C(0x9e3779b97f4a7c15) * (i + 1);
    const int top = lua_gettop(L);
    const uint32_t count = (uint32_t)lua_objlen(L, -1);
    for (uint32_t k = 1; k <= count; ++k) {
        snprintf(path, sizeof(path), "jobs[%u][%u]", i + 1, k);
        lua_rawgeti(L, top, (int)k);
        ct_lua_message_check_value(L, -1, path, check);
        lua_pop(L, 1);
    }
}

static void free_check(ct_lua_message_check *check) {
    ct_array_free(&check->seen);
}

// First all are checked: an error moves no array.
static void take_jobs(lua_State *L, struct ct_script_threads *t, int jobs) {
    CT_CLEANUP(free_check)
    ct_lua_message_check check = {.seen = {.allocator = t->allocator}};
    const uint32_t count = ct_check_array(L, jobs);
    if (count > CT_SCRIPT_MAX_JOBS)
        ct_argument_error(L, jobs, "expected at most %d jobs, got %u", CT_SCRIPT_MAX_JOBS, count);
    for (uint32_t i = 0; i < count; ++i) {
        ct_script_job *const job = job_at(t, i);
        lua_rawgeti(L, jobs, (int)i + 1);
        take_job(L, jobs, i, job, &check);
        lua_pop(L, 1);
    }
    for (uint32_t i = 0; i < count; ++i) {
        lua_rawgeti(L, jobs, (int)i + 1);
        const int num_arguments = lua_istable(L, -1) ? (int)lua_objlen(L, -1) : 0;
        for (int k = 1; k <= num_arguments; ++k) {
            lua_rawgeti(L, -1, k);
            if (!ct_lua_message_add(L, -1, &t->jobs.items[i]->arguments))
                ct_argument_error(L, jobs, "the arguments of job %u changed while they were sent",
                                  i + 1);
            lua_pop(L, 1);
        }
        lua_pop(L, 1);
    }
    t->num_jobs = count;
}

// --- Running -------------------------------------------------------------------------------------

// Makes those workers that are not there, or ran out of memory, and has all run the scripts of the
// jobs.
static void prepare_workers(struct ct_script_threads *t, uint32_t count) {
    CT_PROFILER_SCOPE("prepare workers");
    for (uint32_t i = 0; i < count; ++i) {
        if (i < t->num_workers && t->workers[i]->is_spent) {
            ct_script_worker_destroy(t->workers[i]);
            t->workers[i] = ct_script_worker_create(t, i);
        } else if (i == t->num_workers) {
            t->workers[i] = ct_script_worker_create(t, i);
            ++t->num_workers;
        }
        ct_script_worker_prepare(t->workers[i]);
    }
    const uint32_t num_worlds = ct_world_system_num_worlds(t->game->worlds);
    for (uint32_t i = 0; i < num_worlds; ++i) // readers must find the poses of nodes up to date
        ct_scene_graph_update(ct_world_scene_graphs(ct_world_system_world(t->game->worlds, i)));
}

static void run_workers(struct ct_script_threads *t, uint32_t count) {
    CT_PROFILER_SCOPE("lua jobs");
    atomic_store(&t->next_job, 0);
    atomic_store(&t->num_working, count);
    atomic_store(&t->result_bytes, 0);
    ct_api_locks_forget_orders(t->locks); // jobs of different runs cannot wait for each other
    if (!t->tasks || count == 1) {
        for (uint32_t i = 0; i < count; ++i)
            ct_script_work(t->workers[i]);
        return;
    }
    ct_data_manager *const data = ct_world_system_data(t->game->worlds);
    ct_data_share(data, true);
    const ct_task_id all = ct_task_open(t->tasks, "lua workers", (ct_task_id){0});
    for (uint32_t i = 0; i < count; ++i) {
        const ct_task_desc desc = {
            .name = "lua worker", .run = ct_script_work, .data = t->workers[i], .parent = all};
        ct_task_add(t->tasks, &desc);
    }
    ct_task_complete(t->tasks, all);
    // With a debugger the update thread runs no jobs: it must notice when one stops.
    const ct_script_debug_hooks hooks = t->game->debug_hooks;
    while (hooks.wait && ct_task_num_workers(t->tasks) > 0 && !ct_task_is_done(t->tasks, all))
        hooks.wait(hooks.user);
    ct_task_wait(t->tasks, all);
    ct_data_share(data, false);
}

static void count_contention(struct ct_script_threads *t) {
    if (!ct_profiler_is_on())
        return;
    uint32_t num_apis;
    ct_lockable_modules(&num_apis);
    for (uint32_t i = 0; i < num_apis; ++i) {
        const ct_api_lock_counts counts = ct_api_locks_counts(t->locks, i);
        char text[CT_PROFILER_NAME_BYTES];
        if (counts.num_taken == 0)
            continue;
        snprintf(text, sizeof(text), "lua locks %s waits", ct_lockable_names()[i]);
        ct_profiler_counter(ct_profiler_name(text), (double)counts.num_waited);
        snprintf(text, sizeof(text), "lua locks %s waited ms", ct_lockable_names()[i]);
        ct_profiler_counter(ct_profiler_name(text), (double)counts.waited_ns / 1e6);
    }
}

// --- Results -------------------------------------------------------------------------------------

// Pushes the table of results and that of errors, or nil; returns the number of jobs that failed.
static uint32_t push_results(lua_State *L, const struct ct_script_threads *t) {
    uint32_t num_failed = 0;
    lua_createtable(L, (int)t->num_jobs, 0);
    const int results = lua_gettop(L);
    lua_pushnil(L);
    for (uint32_t i = 0; i < t->num_jobs; ++i) {
        ct_script_job *const job = t->jobs.items[i];
        if (job->error.length > 0) {
            if (num_failed++ == 0) {
                lua_newtable(L);
                lua_replace(L, results + 1);
            }
            lua_pushlstring(L, ct_string_builder_text(&job->error), job->error.length);
            lua_rawseti(L, results + 1, (int)i + 1);
        } else if (ct_lua_message_push(L, &job->result) > 0) {
            lua_rawseti(L, results, (int)i + 1);
        }
    }
    return num_failed;
}

static const ct_script_job *first_failed(const struct ct_script_threads *t) {
    uint32_t i = 0;
    while (t->jobs.items[i]->error.length == 0)
        ++i;
    return t->jobs.items[i];
}

// Raises the error of the first job that failed, which may be long.
static int raise_failed(lua_State *L, const struct ct_script_threads *t, uint32_t num_failed) {
    const ct_script_job *const failed = first_failed(t);
    luaL_where(L, 1);
    lua_pushfstring(L, "LuaThreads.run: %d of %d jobs failed, first \"%s\": ", (int)num_failed,
                    (int)t->num_jobs, failed->owner.name);
    lua_pushlstring(L, ct_string_builder_text(&failed->error), failed->error.length);
    lua_concat(L, 3);
    return lua_error(L);
}

static void end_run(struct ct_script_threads **threads) {
    (*threads)->is_running = false;
}

static void resume_watch(ct_lua_watch **watch) {
    ct_lua_watch_resume(*watch);
}

int ct_script_run_jobs(lua_State *L, int jobs, const ct_script_run_options *options) {
    ct_script *const s = ct_script_of(L);
    struct ct_script_threads *const t = threads_of(s);
    const uint32_t all = ct_script_num_workers(s), most = options->most_states;
    if (t->is_running)
        return ct_function_error(L, "jobs run already; they cannot run others");
    CT_CLEANUP(end_run) struct ct_script_threads *running = t;
    running->is_running = true; // also while jobs are read: that may collect garbage, and run Lua
    take_jobs(L, t, jobs);
    uint32_t count = most > 0 && most < all ? most : all;
    count = count < t->num_jobs ? count : t->num_jobs;
    {
        CT_CLEANUP(resume_watch) ct_lua_watch *watch = s->lua.watch;
        ct_lua_watch_pause(watch); // what jobs take is theirs, not the caller's
        prepare_workers(t, count);
        run_workers(t, count);
        count_contention(t);
    }
    const uint32_t num_failed = push_results(L, t);
    if (num_failed == 0 || options->returns_errors)
        return 2;
    return raise_failed(L, t, num_failed);
}
