#include "script/script.h"

#include <string.h>

#include "foundation/error.h"
#include "foundation/memory/proxy_allocator.h"
#include "foundation/os/os.h"
#include "foundation/profiler/profiler.h"
#include "lua/lua_watch.h"
#include "physics/bullet/bullet.h"
#include "script/api_lifetime.h"
#include "script/entity/api_data.h"
#include "script/flow/script_flow.h"
#include "script/network/script_network.h"
#include "script/physics/api_actor_box.h"
#include "script/plugin/script_plugins.h"
#include "script/save/script_saves.h"
#include "script/script_modules.h"
#include "script/script_private.h"
#include "script/sound/api_sound.h"
#include "script/threads/script_threads.h"
#include "script/web/script_web.h"

static int open_more(lua_State *L) {
    ct_script_open_boxes(L);
    ct_script_open_actor_boxes(L);
    return 0;
}

// Joins the engine's modules and those of higher floors, with room for those of plugins; `count` is set.
static const ct_lua_module **all_modules(const ct_script_desc *desc, uint32_t *count) {
    uint32_t num_own;
    const ct_lua_module *const *const own = ct_script_modules(&num_own);
    *count = num_own + desc->num_modules;
    const ct_lua_module **const all =
        ct_alloc(desc->allocator, sizeof(*all) * (uint64_t)(*count + CT_SCRIPT_MAX_PLUGIN_MODULES));
    memcpy(all, own, sizeof(*all) * num_own);
    if (desc->num_modules > 0)
        memcpy(all + num_own, desc->modules, sizeof(*all) * desc->num_modules);
    return all;
}

ct_script *ct_script_create(const ct_script_desc *desc) {
    ct_script *const s = CT_NEW(desc->allocator, ct_script);
    s->backing = desc->allocator;
    s->worlds = desc->worlds;
    s->input = desc->input;
    s->actions = desc->actions;
    s->gui = desc->gui;
    if (desc->flow)
        ct_script_connect_flow(s, desc->flow);
    s->host = *desc->host;
    s->threads_desc.num_worker_states = desc->num_worker_states;
    s->threads_desc.worker_memory_limit_bytes = desc->worker_memory_limit_bytes;
    s->threads_desc.time_limit_seconds = desc->time_limit_seconds;
    s->threads_desc.stops_long_calls = desc->stops_long_calls;
    ct_lua_desc lua = {.allocator = ct_proxy_allocator_create(desc->allocator, "script"),
                       .entities = ct_world_system_entities(s->worlds),
                       .debug_names = ct_world_system_debug_names(s->worlds),
                       .resources = ct_world_system_resources(s->worlds),
                       .open = open_more,
                       .is_unsafe = desc->is_unsafe,
                       .loads_scripts = desc->loads_scripts,
                       .time_limit_seconds = desc->time_limit_seconds,
                       .stops_long_calls = desc->stops_long_calls,
                       .memory_limit_bytes = desc->memory_limit_bytes,
                       .worlds_allocator = ct_world_system_allocator(s->worlds),
                       .physics_allocator = ct_bullet_allocator()};
    s->modules = all_modules(desc, &lua.num_modules);
    lua.modules = s->modules;
    ct_array_init(&s->chunks, lua.allocator);
    ct_hash_map_init(&s->missing_texts, lua.allocator);
    ct_array_init(&s->logged_characters, lua.allocator);
    ct_lua_init(&s->lua, &lua);
    ct_script_network_start(s, desc->network);
    ct_script_web_start(s, desc->web);
    ct_script_register_reloads(s);
    return s;
}

void ct_script_destroy(ct_script *s) {
    if (!s)
        return;
    ct_allocator *const allocator = s->lua.allocator;
    ct_script_api_shutdown(s); // flow graphs of levels and units that end may call Lua
    ct_script_threads_free(s);
    ct_lua_watch_destroy(s->lua.watch);
    ct_lua_forget_errors(&s->lua);
    ct_lua_shutdown(&s->lua);
    ct_script_saves_shutdown(s); // values of Lua have ended
    ct_hash_map_free(&s->missing_texts);
    ct_array_free(&s->logged_characters);
    ct_free(allocator, s->boot_name);
    ct_free(allocator, s->user_folder);
    ct_proxy_allocator_destroy(allocator);
    ct_script_plugins_free(s);
    ct_free(s->backing, s->modules);
    ct_free_sized(s->backing, s, sizeof(*s));
}

ct_lua *ct_script_lua(ct_script *s) {
    return &s->lua;
}

uint64_t ct_script_memory_bytes(const ct_script *s) {
    return s->lua.memory.bytes;
}

// --- The game's functions ------------------------------------------------------------------------

static int run_boot_chunk(lua_State *L) {
    const char *const name = ct_script_of(L)->boot_name;
    ct_lua_push_chunk(L, name);
    lua_pushstring(L, name);
    lua_call(L, 1, 0);
    return 0;
}

bool ct_script_run_boot(ct_script *s) {
    s->is_booted = ct_lua_run(&s->lua, run_boot_chunk, NULL);
    s->has_boot_failed = !s->is_booted;
    if (!s->is_booted) {
        ct_lua_log_error(&s->lua);
        return false;
    }
    return !s->is_init_due || ct_script_init(s);
}

static int apply_sound_volumes(lua_State *L) {
    ct_script_apply_sound_volumes(L);
    return 0;
}

bool ct_script_boot(ct_script *s, const char *name) {
    CT_ERROR_CONTEXT("booting script", name);
    char *const copy = ct_copy_string(s->lua.allocator, name);
    ct_free(s->lua.allocator, s->boot_name);
    s->boot_name = copy;
    if (!ct_lua_run(&s->lua, apply_sound_volumes, NULL))
        ct_lua_log_error(&s->lua);
    return ct_script_run_boot(s);
}

typedef struct global_call {
    const char *name;
    const double *argument; // or NULL
} global_call;

static int call_global(lua_State *L) {
    const global_call *const call = ct_lua_run_data(L);
    lua_pushstring(L, call->name);
    lua_rawget(L, LUA_GLOBALSINDEX); // scripts may make reading others an error
    if (lua_isnil(L, -1))
        return 0;
    if (!lua_isfunction(L, -1))
        return luaL_error(L, "expected the global \"%s\" to be a function, found a %s", call->name,
                          ct_value_type_name(L, -1));
    if (call->argument)
        lua_pushnumber(L, *call->argument);
    lua_call(L, call->argument ? 1 : 0, 0);
    return 0;
}

bool ct_script_call_global(ct_script *s, const char *name, const double *argument) {
    if (!s->is_booted)
        return true; // that it failed was logged
    global_call call = {name, argument};
    if (ct_lua_run(&s->lua, call_global, &call))
        return true;
    ct_lua_log_error(&s->lua);
    return false;
}

bool ct_script_init(ct_script *s) {
    CT_PROFILER_SCOPE("lua init");
    s->is_init_due = true;
    const bool has_run = ct_script_call_global(s, "init", NULL);
    s->is_init_due = !has_run || !s->is_booted;
    return has_run;
}

// Gives the tables of units that died back to Lua, and collects garbage for as long as the game
// asked for in each frame.
static int collect_garbage(lua_State *L) {
    CT_PROFILER_SCOPE("lua garbage collection");
    const ct_script *const s = ct_script_of(L);
    ct_script_collect_data(L);
    const uint64_t end = ct_os_time_ns() + (uint64_t)(s->collect_seconds * 1e9);
    while (s->collect_seconds > 0 && ct_os_time_ns() < end) {
        if (lua_gc(L, LUA_GCSTEP, 1))
            break; // a cycle has ended
    }
    return 0;
}

void ct_script_begin_frame(ct_script *s) {
    ct_lua_begin_frame(&s->lua);
    ct_script_web_update(s);
    if (!ct_lua_run(&s->lua, collect_garbage, NULL))
        ct_lua_log_error(&s->lua);
    ct_profiler_counter("lua memory", (double)s->lua.memory.bytes);
    if (s->lua.first_worker)
        ct_profiler_counter("lua worker memory", (double)ct_lua_worker_bytes(&s->lua));
}

bool ct_script_update(ct_script *s, double dt) {
    CT_PROFILER_SCOPE("lua update");
    ct_script_begin_frame(s);
    return ct_script_call_global(s, "update", &dt);
}

bool ct_script_render(ct_script *s) {
    CT_PROFILER_SCOPE("lua render");
    return ct_script_call_global(s, "render", NULL);
}

bool ct_script_shutdown(ct_script *s) {
    CT_PROFILER_SCOPE("lua shutdown");
    return ct_script_call_global(s, "shutdown", NULL);
}
