// What a worker does while jobs run: one coroutine for each, in turn when they wait.

#include <string.h>

#include "foundation/error.h"
#include "foundation/profiler/profiler.h"
#include "lua/lua_watch.h"
#include "script/threads/script_threads_private.h"

// --- Errors --------------------------------------------------------------------------------------

void ct_script_fail_job(ct_script_job *job, const ct_lua *m) {
    const char *const traceback = ct_string_builder_text(&m->error_traceback);
    ct_string_builder_clear(&job->error);
    ct_string_builder_add_bytes(&job->error, ct_string_builder_text(&m->error_message),
                                m->error_message.length);
    if (traceback[0])
        ct_string_builder_addf(&job->error, "\n%s", traceback);
}

// The error on top of the coroutine, which has ended.
static void take_error(lua_State *L, ct_script_job *job, int status) {
    ct_lua *const m = ct_lua_of(L);
    lua_State *const co = job->coroutine;
    ct_string_builder_clear(&job->error);
    if (status == LUA_ERRMEM) {
        ct_lua_describe_refusal(m, &job->error);
        job->worker->is_spent = true;
    } else if (lua_type(co, -1) == LUA_TSTRING || lua_type(co, -1) == LUA_TNUMBER) {
        lua_xmove(co, L, 1);
        size_t bytes;
        const char *const text = lua_tolstring(L, -1, &bytes);
        ct_string_builder_add_bytes(&job->error, text, (uint32_t)bytes);
    } else {
        lua_xmove(co, L, 1);
        const bool has_text = luaL_callmeta(L, -1, "__tostring") && lua_type(L, -1) == LUA_TSTRING;
        if (has_text)
            ct_string_builder_add(&job->error, lua_tostring(L, -1));
        else
            ct_string_builder_addf(&job->error, "(an error value of type %s)",
                                   ct_value_type_name(L, -1));
    }
    const char *const where = ct_lua_watch_traceback(m->watch);
    ct_string_builder_add(&job->error, "\n");
    if (where) {
        ct_string_builder_add(&job->error, where);
        return;
    }
    CT_CLEANUP(ct_string_builder_free) ct_string_builder traceback;
    ct_string_builder_init(&traceback, m->allocator);
    ct_lua_append_traceback_of(L, job->coroutine, &traceback);
    ct_string_builder_add(&job->error, ct_string_builder_text(&traceback));
}

// --- Profiler scopes -----------------------------------------------------------------------------

void ct_script_note_profiler_scope(lua_State *L, uint32_t place, const char *name) {
    if (ct_script_is_worker(L))
        ct_script_worker_of(L)->scope_names[place] = name;
}

// A job that yields has its scopes open still, but others run now.
static void leave_scopes(ct_lua *m, ct_script_job *job) {
    const uint32_t first = m->first_profiler_scope;
    for (uint32_t i = first; i < m->num_profiler_scopes; ++i)
        ct_array_push(&job->scopes, job->worker->scope_names[i]);
    while (m->num_profiler_scopes > first)
        ct_lua_leave_profiler_scope(m);
}

static void enter_scopes(ct_lua *m, ct_script_job *job) {
    for (uint32_t i = 0; i < job->scopes.count; ++i) {
        const char *const name = job->scopes.items[i];
        job->worker->scope_names[m->num_profiler_scopes] = name;
        m->profiler_scopes[m->num_profiler_scopes++] = name && ct_profiler_enter(name);
    }
    job->scopes.count = 0;
}

// --- Coroutines ----------------------------------------------------------------------------------

// Pushes the job's function: a member of what its script returned, or a global.
static void push_function(lua_State *L, const ct_script_job *job) {
    lua_getfield(L, LUA_REGISTRYINDEX, "_LOADED");
    lua_getfield(L, -1, job->script);
    lua_remove(L, -2);
    if (lua_istable(L, -1)) {
        lua_getfield(L, -1, job->function);
        lua_remove(L, -2);
    } else {
        lua_pop(L, 1);
        lua_getglobal(L, job->function);
    }
    if (!lua_isfunction(L, -1))
        luaL_error(L,
                   "the script \"%s\" has no function \"%s\": expected one in the table that it "
                   "returns, or a global, got %s",
                   job->script, job->function, ct_value_type_name(L, -1));
}

// Makes the coroutine, with the function and its arguments on its stack; returns their number.
static int begin_coroutine(lua_State *L, ct_script_job *job) {
    job->coroutine_reference = LUA_NOREF; // either line may fail for memory
    job->coroutine = lua_newthread(L);
    job->coroutine_reference = luaL_ref(L, LUA_REGISTRYINDEX);
    push_function(L, job);
    const int count = ct_lua_message_push(L, &job->arguments);
    if (!lua_checkstack(job->coroutine, count + 8))
        luaL_error(L, "too many arguments");
    lua_xmove(L, job->coroutine, count + 1);
    return count;
}

static void free_check(ct_lua_message_check *check) {
    ct_array_free(&check->seen);
}

// Keeps the job's result; those of a run together are limited as one message is.
static int take_result(lua_State *L, ct_script_job *job) {
    CT_CLEANUP(free_check)
    ct_lua_message_check check = {.seen = {.allocator = ct_lua_of(L)->allocator}};
    lua_settop(job->coroutine, 1);
    lua_xmove(job->coroutine, L, 1);
    ct_lua_message_check_value(L, -1, "the result", &check);
    _Atomic uint64_t *const sum = &job->worker->threads->result_bytes;
    if (atomic_fetch_add(sum, check.bytes) + check.bytes > CT_LUA_MESSAGE_MAX_BYTES) {
        atomic_fetch_sub(sum, check.bytes);
        luaL_error(L, "the result makes those of the run larger than 256 MiB; return less, or "
                      "arrays");
    }
    if (!ct_lua_message_add(L, -1, &job->result))
        luaL_error(L, "the result changed while it was sent");
    return 0;
}

typedef struct step {
    ct_script_job *job;
    int status; // of the coroutine
} step;

// Runs the job until it yields or ends.
static int resume(lua_State *L) {
    step *const s = ct_lua_run_data(L);
    ct_script_job *const job = s->job;
    int count = 0;
    if (!job->coroutine) {
        count = begin_coroutine(L, job);
    } else if (job->waits_for_lock) {
        lua_rawgeti(job->coroutine, LUA_REGISTRYINDEX, job->grant->table);
        count = 1;
    }
    job->waits_for_lock = false;
    ct_lua_watch_continue(ct_lua_of(L)->watch, job->ran_ns);
    ct_lua_prefer(ct_lua_of(L), job->coroutine);
    enter_scopes(ct_lua_of(L), job);
    s->status = lua_resume(job->coroutine, count);
    if (s->status == LUA_YIELD)
        leave_scopes(ct_lua_of(L), job);
    if (s->status == 0)
        return take_result(L, job);
    if (s->status != LUA_YIELD)
        take_error(L, job, s->status);
    return 0;
}

static int drop_coroutine(lua_State *L) {
    const ct_script_job *const job = ct_lua_run_data(L);
    luaL_unref(L, LUA_REGISTRYINDEX, job->coroutine_reference);
    return 0;
}

// How many temporaries jobs that are open may have, without those of `but`.
static uint32_t most_temporaries(const ct_script_worker *w, const ct_script_job *but) {
    uint32_t most = 0;
    for (uint32_t i = 0; i < w->num_open; ++i) {
        const ct_script_job *const job = w->open[i];
        if (job != but && job->num_temporaries > most)
            most = job->num_temporaries;
    }
    return most;
}

// Ends the temporaries of a job that ended. A new frame has those that it kept seen as old.
static void end_temporaries(ct_script_worker *w) {
    ct_lua *const m = &w->script.lua;
    const uint32_t kept = most_temporaries(w, NULL);
    if (kept == 0)
        ct_lua_begin_frame(m);
    else if (m->num_temporaries > kept)
        m->num_temporaries = kept;
}

static void end_job(ct_script_worker *w, ct_script_job *job) {
    ct_script_end_grants(job);
    if (job->coroutine)
        ct_lua_run(&w->script.lua, drop_coroutine, job);
    job->coroutine = NULL;
    uint32_t place = 0;
    while (w->open[place] != job)
        ++place;
    w->open[place] = w->open[--w->num_open];
    end_temporaries(w);
}

static void add_yielded(ct_script_worker *w, ct_script_job *job) {
    job->next = NULL;
    if (w->last_yielded)
        w->last_yielded->next = job;
    else
        w->first_yielded = job;
    w->last_yielded = job;
}

// Jobs that yield for ever, by themselves or for locks, end, too.
static bool took_too_long(const ct_script_worker *w, ct_script_job *job) {
    const double limit = w->time_limit_seconds;
    if (limit <= 0 || (double)job->ran_ns < limit * 1e9)
        return false;
    ct_string_builder_clear(&job->error);
    ct_string_builder_addf(&job->error,
                           "stopped after %.1f s, in which it %s again and again; expected at most "
                           "%g s (lua.time_limit_seconds)",
                           (double)job->ran_ns / 1e9,
                           job->waits_for_lock ? "waited for locks" : "yielded", limit);
    return true;
}

static void run_step(ct_script_worker *w, ct_script_job *job) {
    CT_PROFILER_SCOPE(job->profiler_name);
    step s = {.job = job, .status = LUA_ERRRUN};
    const ct_script_debug_hooks *const hooks = &w->threads->game->debug_hooks;
    if (hooks->job_runs)
        hooks->job_runs(hooks->user, w->number + 1);
    const uint64_t start = ct_os_time_ns(), stopped_before = w->stopped_ns;
    w->running = job;
    w->script.lua.least_temporaries = most_temporaries(w, job);
    w->script.lua.random_state = job->random_state;
    const bool has_run = ct_lua_run(&w->script.lua, resume, &s);
    job->random_state = w->script.lua.random_state;
    w->running = NULL;
    job->num_temporaries = w->script.lua.num_temporaries;
    ct_lua_prefer(&w->script.lua, w->script.lua.lua);
    job->ran_ns += ct_os_time_ns() - start - (w->stopped_ns - stopped_before);
    if (!has_run)
        ct_script_fail_job(job, &w->script.lua);
    if (w->script.lua.memory.bytes > w->script.lua.memory.limit_bytes)
        w->is_spent = true;
    const bool has_yielded = has_run && s.status == LUA_YIELD;
    if (has_yielded && job->waits_for_lock)
        return;
    if (has_yielded && !took_too_long(w, job))
        add_yielded(w, job);
    else
        end_job(w, job);
}

// --- Which job is next ---------------------------------------------------------------------------

static ct_script_job *take_woken(ct_script_worker *w) {
    ct_mutex_lock(&w->mutex);
    ct_script_job *const job = w->first_woken;
    if (job)
        w->first_woken = job->next;
    if (!w->first_woken)
        w->last_woken = NULL;
    ct_mutex_unlock(&w->mutex);
    return job;
}

static ct_script_job *take_new(ct_script_worker *w) {
    struct ct_script_threads *const t = w->threads;
    while (w->num_open < CT_SCRIPT_MAX_OPEN_JOBS) {
        const uint32_t place = atomic_fetch_add(&t->next_job, 1);
        if (place >= t->num_jobs) {
            atomic_store(&t->next_job, t->num_jobs);
            return NULL;
        }
        ct_script_job *const job = t->jobs.items[place];
        if (job->error.length > 0)
            continue; // its script failed
        job->worker = w;
        w->open[w->num_open++] = job;
        return job;
    }
    return NULL;
}

static ct_script_job *take_yielded(ct_script_worker *w) {
    ct_script_job *const job = w->first_yielded;
    if (job)
        w->first_yielded = job->next;
    if (!w->first_yielded)
        w->last_yielded = NULL;
    return job;
}

void ct_script_work(void *worker) {
    ct_script_worker *const w = worker;
    const ct_lua_newest before = ct_lua_enter(&w->script.lua);
    for (;;) {
        ct_task_event_clear(&w->event); // what is woken from here on signals it again
        ct_script_job *job = take_woken(w);
        job = job ? job : take_new(w);
        job = job ? job : take_yielded(w);
        if (job && job->waits_for_lock && took_too_long(w, job))
            end_job(w, job); // with the lock that it just got
        else if (job)
            run_step(w, job);
        else if (w->num_open == 0)
            break;
        else // all wait for jobs of others
            ct_task_wait_event(w->threads->tasks, &w->event);
    }
    ct_lua_leave(before);
    atomic_fetch_sub(&w->threads->num_working, 1);
}
