#include <string.h>

#include "lua/lua_check.h"
#include "script/threads/script_threads_private.h"

extern const ct_lua_module ct_api_lua_threads, ct_api_lock_type;

static void refuse_game(lua_State *L) {
    if (!ct_script_is_worker(L))
        ct_function_error(L, "only jobs of LuaThreads.run can call it: the game's own state uses "
                             "modules without locks");
}

static int is_worker(lua_State *L) {
    lua_pushboolean(L, ct_script_is_worker(L));
    return 1;
}

static int lock_api(lua_State *L) {
    refuse_game(L);
    return ct_script_lock_api(L);
}

static int unlock_api(lua_State *L) {
    refuse_game(L);
    return ct_script_unlock_api(L);
}

static int num_states(lua_State *L) {
    const ct_script *const s = ct_script_of(L);
    lua_pushnumber(
        L, ct_script_num_workers(s->lua.parent ? ct_script_worker_of(L)->threads->game : s));
    return 1;
}

static void set_number(lua_State *L, const char *name, double value) {
    lua_pushnumber(L, value);
    lua_setfield(L, -2, name);
}

static int lock_statistics(lua_State *L) {
    const struct ct_script_threads *const t = ct_script_of(L)->threads;
    uint32_t count;
    ct_lockable_modules(&count);
    lua_createtable(L, 0, (int)count);
    for (uint32_t i = 0; t && i < count; ++i) {
        const ct_api_lock_counts counts = ct_api_locks_counts(t->locks, i);
        lua_createtable(L, 0, 4);
        set_number(L, "taken", (double)counts.num_taken);
        set_number(L, "waited", (double)counts.num_waited);
        set_number(L, "wait_seconds", (double)counts.waited_ns / 1e9);
        set_number(L, "deadlocks", (double)counts.num_deadlocks);
        lua_setfield(L, -2, ct_lockable_names()[i]);
    }
    return 1;
}

// What is shown of a wrong option.
static const char *shown(lua_State *L, int index) {
    if (lua_type(L, index) != LUA_TNUMBER && lua_type(L, index) != LUA_TSTRING)
        return ct_push_value_description(L, index);
    lua_pushvalue(L, index);
    return lua_tostring(L, -1);
}

// The option whose key and value are on top, of the table at 2.
static void take_option(lua_State *L, ct_script_run_options *options) {
    const char *const key = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : "";
    if (strcmp(key, "states") == 0) {
        const double states = lua_type(L, -1) == LUA_TNUMBER ? lua_tonumber(L, -1) : 0;
        if (!(states >= 1 && states <= CT_SCRIPT_MAX_WORKERS) || states != (uint32_t)states)
            ct_argument_error(L, 2, "expected states from 1 to %d, got %.64s",
                              CT_SCRIPT_MAX_WORKERS, shown(L, -1));
        options->most_states = (uint32_t)states;
    } else if (strcmp(key, "return_errors") == 0) {
        if (!lua_isboolean(L, -1))
            ct_argument_error(L, 2, "expected true or false as return_errors, got %.64s",
                              shown(L, -1));
        options->returns_errors = lua_toboolean(L, -1);
    } else {
        ct_argument_error(L, 2, "expected the options states and return_errors, got %.64s",
                          shown(L, -2));
    }
}

static int run(lua_State *L) {
    ct_script_run_options options = {0};
    if (!lua_isnoneornil(L, 2)) {
        if (!lua_istable(L, 2))
            return ct_argument_type_error(L, 2, "table or nil");
        lua_settop(L, 2);
        lua_pushnil(L);
        while (lua_next(L, 2)) {
            take_option(L, &options);
            lua_pop(L, 1);
        }
    }
    lua_settop(L, 2);
    return ct_script_run_jobs(L, 1, &options);
}

static const ct_lua_function functions[] = {
    {"is_worker", is_worker, "() -> boolean",
     "Returns whether the script runs in a state for jobs, not in the game's own."},
    {"lock_api", lock_api,
     "(api: string, scope: any(Unit,World)?, mode: any(integer,string)?) -> table",
     "In a job: waits until no other job uses the module `api` in a way that would disturb, and "
     "returns its table. The scope is a unit (with what is linked to it), a world, or nil for all; "
     "the mode \"read\" or \"write\" (if left out), or one of LockType. The lock is held until "
     "unlock_api, or the job's end."},
    {"lock_statistics", lock_statistics, "() -> table",
     "Returns for each module that can be locked, by its name, how many locks were taken "
     "(`taken`), "
     "how many of these had to wait (`waited`), for how long in all (`wait_seconds`), and how many "
     "would have waited for ever (`deadlocks`), since the start."},
    {"num_states", num_states, "() -> integer",
     "Returns how many Lua states run jobs (settings: lua = { worker_states = 4 })."},
    {"run", run, "(jobs: table[], options: table?) -> any[], table?",
     "Runs jobs in Lua states of their own, on several threads, and returns when all have ended: "
     "an array with what each returned, one value or nil. A job is a table with `script`, "
     "`function` "
     "(the name of a function in the table that the script returns, or of a global), its arguments "
     "as elements 1, 2, …, and a `name` for errors and the profiler (made of these if left out). "
     "Arguments and results are copied; arrays are moved. When jobs fail, all others still run; "
     "then that is an error, or with the option `return_errors` (false) their texts are the second "
     "result, by the job's index. The option `states` limits how many states are used."},
    {"unlock_api", unlock_api, "(api: table) -> nil",
     "Gives back what lock_api returned, in the job that called it."},
};

const ct_lua_module ct_api_lua_threads = {
    .name = "LuaThreads",
    .doc = "Runs functions of scripts on several threads.",
    .functions = functions,
    .num_functions = CT_COUNT_OF(functions),
};

static const ct_lua_constant lock_types[] = {
    {"READ", CT_API_LOCK_MODE_READ, "Others may read at the same time."},
    {"WRITE", CT_API_LOCK_MODE_WRITE, "No other job has a lock of the same at the same time."},
};

const ct_lua_module ct_api_lock_type = {
    .name = "LockType",
    .doc = "Modes of LuaThreads.lock_api.",
    .constants = lock_types,
    .num_constants = CT_COUNT_OF(lock_types),
};
