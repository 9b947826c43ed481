// script_threads_private.h: what workers, jobs and granted modules are; shared by the files of this
// folder.
#pragma once
#include "foundation/os/os.h"
#include "foundation/task/task.h"
#include "lua/lua_message.h"
#include "script/threads/api_locks.h"
#include "script/threads/script_threads.h"

typedef struct ct_script_worker ct_script_worker;
typedef struct ct_script_job ct_script_job;

enum {
    // Jobs of a worker that have begun and not ended. More would not help: they all wait.
    CT_SCRIPT_MAX_OPEN_JOBS = 32,
    CT_SCRIPT_MAX_WORKERS = 64,
    CT_SCRIPT_MAX_JOBS = 1 << 20,
    CT_SCRIPT_KEPT_MESSAGE_BYTES = 64 << 10, // that a job keeps for the next run
};

// --- Modules that can be locked (script_grants.c, script_lockable.c) ------------------------------

// Which argument of a function of a lockable module says what it works on.
typedef enum ct_lockable_rule {
    CT_LOCKABLE_RULE_NONE,    // nothing: it may be called under any lock of the module
    CT_LOCKABLE_RULE_UNIT_1,  // the unit at argument 1
    CT_LOCKABLE_RULE_UNIT_2,  // the unit at argument 2
    CT_LOCKABLE_RULE_WORLD_1, // the world, or what belongs to it, at argument 1: a unit's lock is
                              // not enough
} ct_lockable_rule;

// A function that jobs may call.
typedef struct ct_lockable_function {
    const char *name;
    uint8_t rule;
    bool writes;
    bool is_shared; // it also changes what others' locks do not cover: one such call at a time
} ct_lockable_function;

// How fine the locks of a module are.
typedef enum ct_lockable_grain {
    CT_LOCKABLE_GRAIN_ALL,   // one for everything
    CT_LOCKABLE_GRAIN_WORLD, // or one for each world
    CT_LOCKABLE_GRAIN_UNIT,  // or one for each unit, with what is linked to it
} ct_lockable_grain;

// A module that can be locked. Modules that work on the same data have the same domain.
typedef struct ct_lockable_module {
    const ct_lua_module *module;
    const ct_lockable_function *functions;
    uint32_t num_functions;
    uint32_t domain;
    ct_lockable_grain grain;
} ct_lockable_module;

// Returns the list of modules that jobs can get, sorted by name, for good; sets `count`. Any thread.
const ct_lockable_module *ct_lockable_modules(uint32_t *count);

// Returns their names in the same order, for the table of locks.
const char *const *ct_lockable_names(void);

// Returns whether workers have a module, and of its members a function, without a lock.
bool ct_lockable_is_pure(const ct_lua_module *module, const ct_lua_function *function);

// A module's table in a worker, with the lock under which its functions may be called. Kept and used
// again for later locks of the module.
typedef struct ct_script_grant {
    ct_script_worker *worker;
    const ct_lockable_module *lockable;
    uint32_t api, place; // in the list of lockable modules; among the worker's grants
    int table;           // reference
    const void *table_pointer;
    ct_api_lock *lock;            // NULL: not in use
    ct_script_job *job;           // that has it
    struct ct_script_grant *next; // of the job, or of the free ones of the module
    ct_api_lock_mode mode;
    ct_api_scope scope; // of the locked world or unit; its root is in the lock
    ct_entity unit;
} ct_script_grant;

// --- Jobs ----------------------------------------------------------------------------------------

struct ct_script_job {
    ct_api_lock_owner owner; // with the job's name
    const char *profiler_name;
    char script[CT_RESOURCE_NAME_BYTES];
    char function[64];
    ct_lua_message arguments, result;
    ct_string_builder error; // "": it did not fail
    ct_script_worker *worker;
    ct_script_job *next; // in a list of ready ones
    lua_State *coroutine;
    int coroutine_reference;
    bool waits_for_lock;    // it yielded for it
    ct_script_grant *grant; // that it waits for
    ct_script_grant *first_grant;
    CT_ARRAY(const char *)
    scopes; // of the profiler that it has open, while it waits; NULL: not recorded
    uint32_t num_temporaries; // of the machine when it yielded: its own are among these
    uint64_t ran_ns;
    uint64_t random_state; // what Math.random begins with: the same whichever worker runs it
};

struct ct_script_worker {
    ct_script script; // first: ct_script_of
    struct ct_script_threads *threads;
    uint32_t number;           // from 0
    double time_limit_seconds; // of a job; 0: no limit
    bool has_changes;          // scripts that it ran changed
    bool is_spent;             // out of memory: made again before the next jobs
    uint64_t stopped_ns;       // for which a debugger had it stopped, of all jobs
    ct_hash_map scripts;       // of this run, by id: 0, or the place from 1 of the job that failed
    CT_ARRAY(ct_script_grant *) grants;
    ct_script_grant *free_grants[CT_API_LOCK_MAX_APIS];

    // While jobs run: its task's thread only, but for what the mutex guards.
    ct_script_job *running;
    ct_script_job *open[CT_SCRIPT_MAX_OPEN_JOBS];
    uint32_t num_open;
    const char *scope_names[CT_MAX_PROFILER_SCOPES]; // of the machine's profiler scopes
    ct_script_job *first_yielded, *last_yielded;
    ct_mutex mutex; // for the next two
    ct_script_job *first_woken, *last_woken;
    ct_task_event event; // something was woken
};

struct ct_script_threads {
    ct_script *game;
    ct_allocator *allocator; // of all but Lua's memory: of workers, jobs and locks
    ct_task_manager *tasks;  // or NULL
    ct_script_worker *workers[CT_SCRIPT_MAX_WORKERS];
    uint32_t num_workers;
    ct_api_locks *locks;
    ct_mutex shared_mutex;          // of calls that change what locks do not cover
    CT_ARRAY(ct_script_job *) jobs; // those of this run first; the rest is kept for others
    uint32_t num_jobs;
    _Atomic uint32_t next_job;
    _Atomic uint32_t num_working;  // workers that run jobs, or are about to
    _Atomic uint64_t result_bytes; // of all jobs of this run
    bool is_running;
};

// Returns the worker that runs `L`, which must be a worker's.
static inline ct_script_worker *ct_script_worker_of(lua_State *L) {
    return (ct_script_worker *)(void *)ct_lua_of(L);
}

// Runs jobs in a worker until there are no more. A task; any thread.
void ct_script_work(void *worker);

// Fails a job with an error that was raised in the worker's machine.
void ct_script_fail_job(ct_script_job *job, const ct_lua *m);

// --- Grants (script_grants.c) --------------------------------------------------------------------

// LuaThreads.lock_api and unlock_api in a worker.
int ct_script_lock_api(lua_State *L);
int ct_script_unlock_api(lua_State *L);

// Gives back all locks of a job that ends.
void ct_script_end_grants(ct_script_job *job);

// Called when a lock that waited is given: its job goes on.
void ct_script_wake_job(void *threads, ct_api_lock *lock);

// Frees the memory of a worker's grants, whose Lua state ends.
void ct_script_free_grants(ct_script_worker *w);
