// Workers: environments of their own, which share the engine with the game's.

#include <string.h>

#include "foundation/error.h"
#include "lua/lua_interrupt.h"
#include "lua/lua_watch.h"
#include "script/physics/script_physics.h"
#include "script/script_modules.h"
#include "script/threads/script_workers.h"

static const uint64_t DEFAULT_LIMIT_BYTES = 256ull << 20;

// --- Globals -------------------------------------------------------------------------------------

// What reading a global that is not there gives: nil, or for modules what to do.
static int find_global(lua_State *L) {
    const char *const name = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : "";
    uint32_t count;
    const ct_lockable_module *const lockable = ct_lockable_modules(&count);
    for (uint32_t i = 0; i < count; ++i) {
        if (strcmp(lockable[i].module->name, name) == 0)
            return luaL_error(L,
                              "jobs have no global %s; get it with LuaThreads.lock_api(\"%s\", …)",
                              name, name);
    }
    const ct_lua_module *const *const modules = ct_script_modules(&count);
    for (uint32_t i = 0; i < count; ++i) {
        if (strcmp(modules[i]->name, name) == 0)
            return luaL_error(L, "jobs cannot use the module %s", name);
    }
    return 0;
}

static int open_worker(lua_State *L) {
    ct_script_open_boxes(L);
    lua_createtable(L, 0, 1);
    lua_pushcfunction(L, find_global);
    lua_setfield(L, -2, "__index");
    lua_pushvalue(L, LUA_GLOBALSINDEX);
    lua_insert(L, -2);
    lua_setmetatable(L, -2);
    return 0;
}

// --- Debuggers -----------------------------------------------------------------------------------

void ct_script_worker_note_made(ct_script_worker *w) {
    const ct_script_debug_hooks *const hooks = &w->threads->game->debug_hooks;
    if (!hooks->state_made)
        return;
    const ct_lua_newest before = ct_lua_enter(&w->script.lua);
    hooks->state_made(hooks->user, &w->script.lua, w->number + 1);
    ct_lua_leave(before);
}

void ct_script_worker_note_end(ct_script_worker *w) {
    const ct_script_debug_hooks *const hooks = &w->threads->game->debug_hooks;
    if (!hooks->state_ends)
        return;
    const ct_lua_newest before = ct_lua_enter(&w->script.lua);
    hooks->state_ends(hooks->user, &w->script.lua, w->number + 1);
    ct_lua_leave(before);
}

// --- Life cycle ----------------------------------------------------------------------------------

ct_script_worker *ct_script_worker_create(struct ct_script_threads *t, uint32_t number) {
    ct_script *const game = t->game;
    ct_script_worker *const w = CT_NEW(game->backing, ct_script_worker);
    const ct_lua_desc lua = {.allocator = t->allocator,
                             .entities = game->lua.entities,
                             .debug_names = game->lua.debug_names,
                             .resources = game->lua.resources,
                             .modules = game->lua.modules,
                             .num_modules = game->lua.num_modules,
                             .open = open_worker,
                             .loads_scripts = game->lua.loads_scripts,
                             .time_limit_seconds = game->threads_desc.time_limit_seconds,
                             .stops_long_calls = game->threads_desc.stops_long_calls,
                             .memory_limit_bytes =
                                 game->threads_desc.worker_memory_limit_bytes
                                     ? game->threads_desc.worker_memory_limit_bytes
                                     : DEFAULT_LIMIT_BYTES,
                             .parent = &game->lua,
                             .opens = ct_lockable_is_pure,
                             .memory_setting = "lua.worker_memory_limit_mb"};
    w->script.worlds = game->worlds;
    w->script.backing = game->backing;
    w->script.host = game->host;
    w->threads = t;
    w->number = number;
    w->time_limit_seconds = lua.stops_long_calls ? lua.time_limit_seconds : 0;
    ct_mutex_init(&w->mutex);
    ct_hash_map_init(&w->scripts, t->allocator);
    ct_array_init(&w->grants, t->allocator);
    ct_lua_init(&w->script.lua, &lua);
    ct_script_worker_note_made(w);
    return w;
}

void ct_script_worker_destroy(ct_script_worker *w) {
    ct_script_worker_note_end(w);
    ct_script_physics_shutdown(&w->script);
    ct_lua_watch_destroy(w->script.lua.watch);
    ct_lua_forget_errors(&w->script.lua);
    ct_lua_shutdown(&w->script.lua);
    ct_script_free_grants(w);
    ct_hash_map_free(&w->scripts);
    ct_mutex_shutdown(&w->mutex);
    ct_free_sized(w->script.backing, w, sizeof(*w));
}

// --- Before jobs ---------------------------------------------------------------------------------

static void run_changed(ct_script_worker *w) {
    ct_string_array ran;
    ct_array_init(&ran, w->script.lua.allocator);
    ct_lua_run_changed(&w->script.lua, &ran);
    ct_array_free(&ran);
}

static int require_script(lua_State *L) {
    lua_pushcfunction(L, ct_lua_require);
    lua_pushstring(L, ct_lua_run_data(L));
    lua_call(L, 1, 0);
    return 0;
}

// Has the worker run the script of job `i` when it does not have it: jobs may have taken it out of
// package.loaded. When that fails, the job has, and so have all others of the script.
static void load_script(ct_script_worker *w, uint32_t i) {
    ct_script_job *const job = w->threads->jobs.items[i];
    const uint64_t id = ct_string_id64_of(job->script).value;
    if (job->error.length > 0)
        return;
    const uint64_t *const seen = ct_hash_map_find(&w->scripts, id);
    if (seen && *seen > 0) {
        const ct_string_builder *const error = &w->threads->jobs.items[*seen - 1]->error;
        ct_string_builder_add_bytes(&job->error, ct_string_builder_text(error), error->length);
    } else if (!seen) {
        const bool has_run = ct_lua_run(&w->script.lua, require_script, job->script);
        if (!has_run)
            ct_script_fail_job(job, &w->script.lua);
        ct_hash_map_set(&w->scripts, id, has_run ? 0 : i + 1);
    }
}

void ct_script_worker_prepare(ct_script_worker *w) {
    const struct ct_script_threads *const t = w->threads;
    const ct_lua_newest before = ct_lua_enter(&w->script.lua);
    ct_lua_begin_frame(&w->script.lua);
    ct_script_copy_physics(&w->script, t->game);
    w->script.lua.is_confined = false;
    if (w->has_changes)
        run_changed(w);
    w->has_changes = false;
    ct_hash_map_clear(&w->scripts);
    const char *last = "";
    for (uint32_t i = 0; i < t->num_jobs; ++i) {
        const ct_script_job *const job = t->jobs.items[i];
        if (strcmp(job->script, last) != 0 || job->error.length > 0 || i == 0)
            load_script(w, i);
        last = job->error.length > 0 ? "" : job->script;
    }
    w->script.lua.is_confined = true;
    ct_lua_leave(before);
}
