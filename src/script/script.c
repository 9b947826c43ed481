#include "foundation/crash/crash.h"
#include "foundation/error.h"
#include "foundation/memory/proxy_allocator.h"
#include "foundation/os/os.h"
#include "foundation/profiler/profiler.h"
#include "script/api_lifetime.h"
#include "script/entity/api_data.h"
#include "script/script_array.h"
#include "script/script_guards.h"
#include "script/script_interrupt.h"
#include "script/script_private.h"
#include "script/script_watch.h"

#include <lualib.h>

enum { FIRST_TEMPORARIES = 4096 };

static const uint64_t DEFAULT_MEMORY_LIMIT_BYTES = 2ull << 30;

// An error outside protected calls is a bug of ours.
static int panic(lua_State *L) {
    // The traceback takes memory, whose lack may be what brought us here; then we come again.
    static bool has_panicked;
    const bool is_first = !has_panicked;
    has_panicked = true;
    if (is_first)
        luaL_traceback(L, L, lua_tostring(L, -1), 1);
    const char *const message = lua_tostring(L, -1);
    ct_crash_end("Lua panic", message ? message : "(an error without a message)", NULL, 0, 1);
}

static int open_environment(lua_State *L) {
    struct ct_script *const s = ct_script_of(L);
    ct_script_open_libraries(L, s->is_unsafe);
    ct_script_open_modules(L);
    ct_script_open_metatable(L);
    ct_script_open_boxes(L);
    ct_script_open_arrays(L);
    return 0;
}

static void init_values(struct ct_script *s) {
    s->max_temporaries = FIRST_TEMPORARIES;
    s->temporaries = ct_alloc(s->allocator, (uint64_t)FIRST_TEMPORARIES * CT_TEMPORARY_SLOT_BYTES);
    ct_string_builder_init(&s->error_message, s->allocator);
    ct_string_builder_init(&s->error_traceback, s->allocator);
    ct_objects_init(s);
    ct_scripts_init(s);
}

_Thread_local ct_script_newest ct_script_newest_here;

ct_script *ct_script_create(const ct_script_desc *desc) {
    ct_script *s = CT_NEW(desc->allocator, ct_script);
    s->backing = desc->allocator;
    s->allocator = ct_proxy_allocator_create(desc->allocator, "script");
    s->lua_allocator = ct_proxy_allocator_create(s->allocator, "lua");
    s->worlds = desc->worlds;
    s->input = desc->input;
    s->actions = desc->actions;
    s->host = *desc->host;
    s->is_unsafe = desc->is_unsafe;
    s->loads_scripts = desc->loads_scripts;
    s->entities = ct_world_system_entities(s->worlds);
    s->resources = ct_world_system_resources(s->worlds);
    init_values(s);
    ct_script_find_stack_end(s);
    s->memory.limit_bytes =
        desc->memory_limit_bytes ? desc->memory_limit_bytes : DEFAULT_MEMORY_LIMIT_BYTES;
    s->memory.error_bytes = s->memory.limit_bytes;
    s->lua = lua_newstate(ct_script_allocate, s);
    CT_ASSERT(s->lua, "no Lua state could be made%s", "");
    lua_atpanic(s->lua, panic);
    ct_script_open_globals(s->lua);
    s->maker = &ct_script_newest_here;
    *s->maker = (ct_script_newest){s->lua, s};
    if (desc->stops_long_calls)
        ct_script_make_interruptible(s);
    ct_script_open_calls(s);
    const bool is_open = ct_script_run(s, open_environment, NULL);
    CT_ASSERT(is_open, "%s", ct_string_builder_text(&s->error_message));
    if (desc->time_limit_seconds > 0)
        s->watch = ct_script_watch_create(s, (uint64_t)(desc->time_limit_seconds * 1e9),
                                          desc->stops_long_calls);
    ct_scripts_register(s);
    return s;
}

void ct_script_destroy(ct_script *s) {
    if (!s)
        return;
    CT_ASSERT(s->maker == &ct_script_newest_here, "a script ends on another thread than made it%s",
              "");
    ct_script_watch_destroy(s->watch);
    ct_script_forget_errors(s);
    ct_script_api_shutdown(s);
    lua_close(s->lua);
    if (s->maker->script == s)
        *s->maker = (ct_script_newest){0};
    ct_proxy_allocator_destroy(s->lua_allocator);
    ct_scripts_free(s);
    ct_objects_free(s);
    ct_string_builder_free(&s->error_message);
    ct_string_builder_free(&s->error_traceback);
    ct_free(s->allocator, s->temporaries);
    ct_free(s->allocator, s->scratch);
    ct_free(s->allocator, s->boot_name);
    ct_free(s->allocator, s->user_folder);
    ct_proxy_allocator_destroy(s->allocator);
    ct_free_sized(s->backing, s, sizeof(*s));
}

uint64_t ct_script_memory_bytes(const ct_script *s) {
    return s->memory.bytes;
}

// --- The game's functions ------------------------------------------------------------------------

static int run_boot_chunk(lua_State *L) {
    const char *const name = ct_script_of(L)->boot_name;
    ct_script_push_chunk(L, name);
    lua_pushstring(L, name);
    lua_call(L, 1, 0);
    return 0;
}

bool ct_script_run_boot(ct_script *s) {
    s->is_booted = ct_script_run(s, run_boot_chunk, NULL);
    s->has_boot_failed = !s->is_booted;
    if (!s->is_booted) {
        ct_script_log_error(s);
        return false;
    }
    return !s->is_init_due || ct_script_init(s);
}

bool ct_script_boot(ct_script *s, const char *name) {
    CT_ERROR_CONTEXT("booting script", name);
    char *const copy = ct_copy_string(s->allocator, name);
    ct_free(s->allocator, s->boot_name);
    s->boot_name = copy;
    return ct_script_run_boot(s);
}

typedef struct global_call {
    const char *name;
    const double *argument; // or NULL
} global_call;

static int call_global(lua_State *L) {
    const global_call *const call = ct_script_run_data(L);
    lua_pushstring(L, call->name);
    lua_rawget(L, LUA_GLOBALSINDEX); // scripts may make reading others an error
    if (lua_isnil(L, -1))
        return 0;
    if (!lua_isfunction(L, -1))
        return luaL_error(L, "the global \"%s\" is to be a function, but is a %s", call->name,
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
    if (ct_script_run(s, call_global, &call))
        return true;
    ct_script_log_error(s);
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
    const struct ct_script *const s = ct_script_of(L);
    ct_script_collect_data(L);
    const uint64_t end = ct_os_time_ns() + (uint64_t)(s->collect_seconds * 1e9);
    while (s->collect_seconds > 0 && ct_os_time_ns() < end) {
        if (lua_gc(L, LUA_GCSTEP, 1))
            break; // a cycle has ended
    }
    return 0;
}

void ct_script_begin_frame(ct_script *s) {
    ++s->frame_count;
    s->frame = s->frame_count & ((1u << CT_TEMPORARY_FRAME_BITS) - 1);
    s->num_temporaries = 0;
    ct_script_settle_errors(s);
    if (!ct_script_run(s, collect_garbage, NULL))
        ct_script_log_error(s);
    ct_profiler_counter("lua memory", (double)s->memory.bytes);
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
