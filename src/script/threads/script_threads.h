// script_threads.h: LuaThreads: jobs in Lua states of their own, on several threads.
//
// A game's environment has one ct_script_threads, made by the first run. It has as many workers as
// the settings say. Each worker is an environment with a Lua state, whose globals are pure modules;
// it shares the worlds, the engine's objects and Lua's allocator with the game. The game's state
// waits while jobs run: nothing but jobs touches the engine meanwhile.
//
// A run has three parts. On the update thread, the workers run scripts that changed and those of the
// jobs that they do not have yet: what loads resources happens here. Then one task for each worker
// takes jobs, one after the other, from the run; each job is a coroutine. A coroutine that waits for
// a lock yields, and the worker goes on with another, or sleeps. Last, the update
// thread reads the results. Tasks never end while a job of theirs waits, so whatever a job waits for
// is a job of a task that runs: without worker threads the tasks run one after the other on the
// update thread, and only jobs of the same worker can wait for each other.
#pragma once
#include "script/script_private.h"

// What a run takes beside its jobs.
typedef struct ct_script_run_options {
    uint32_t most_states; // that it may use; 0: all
    bool returns_errors;  // instead of raising one
} ct_script_run_options;

// Runs the array of jobs at `jobs`, and pushes the array of results, and that of errors: a table by the
// number of the job with texts, or nil. Raises an error for jobs that are wrong, before any has run,
// and, unless the options say otherwise, when jobs failed, after all have run. Update thread, with
// the game's state.
int ct_script_run_jobs(lua_State *L, int jobs, const ct_script_run_options *options);

// Returns how many states run jobs.
uint32_t ct_script_num_workers(const ct_script *s);

// Returns whether `L` belongs to a worker.
bool ct_script_is_worker(lua_State *L);

// In a worker, notes the name of the scope that a job opens, the `place`th from 0 of the machine: jobs
// that wait leave theirs, and enter them again. `name` is ct_profiler_name's, or NULL when the
// profiler is off. Elsewhere does nothing. The thread that runs `L`.
void ct_script_note_profiler_scope(lua_State *L, uint32_t place, const char *name);

// Notes that a script changed: the workers that ran it run it again before the next jobs.
void ct_script_threads_note_changed(ct_script *s, ct_string_id64 script);

// Ends all workers; fine when there are none. Update thread, before the game's machine ends.
void ct_script_threads_free(ct_script *s);
