#include "lua/lua_machine.h"

#include "foundation/crash/crash.h"
#include "foundation/error.h"
#include "foundation/memory/proxy_allocator.h"
#include "lua/lua_array.h"
#include "lua/lua_guards.h"
#include "lua/lua_interrupt.h"
#include "lua/lua_watch.h"

enum { FIRST_TEMPORARIES = 4096 };

static const uint64_t DEFAULT_MEMORY_LIMIT_BYTES = 2ull << 30;

_Thread_local ct_lua_newest ct_lua_newest_here;

static void link_worker(ct_lua *m) {
    if (!m->parent)
        return;
    m->next_worker = m->parent->first_worker;
    m->parent->first_worker = m;
}

static void unlink_worker(ct_lua *m) {
    if (!m->parent)
        return;
    ct_lua **at = &m->parent->first_worker;
    while (*at != m)
        at = &(*at)->next_worker;
    *at = m->next_worker;
}

// An error outside protected calls is a bug of ours.
static int panic(lua_State *L) {
    // The traceback takes memory. If a lack of memory is the reason for the panic, it panics again.
    static bool has_panicked;
    const bool is_first = !has_panicked;
    has_panicked = true;
    if (is_first)
        luaL_traceback(L, L, lua_tostring(L, -1), 1);
    const char *const message = lua_tostring(L, -1);
    ct_crash_end("Lua panic", message ? message : "(an error without a message)", NULL, 0, 1);
}

static int open_environment(lua_State *L) {
    const ct_lua *const m = ct_lua_of(L);
    const ct_lua_desc *const desc = ct_lua_run_data(L);
    ct_lua_open_libraries(L, m->is_unsafe);
    ct_lua_open_modules(L);
    ct_lua_open_metatable(L);
    ct_lua_open_arrays(L);
    return desc->open ? desc->open(L) : 0;
}

static void init_values(ct_lua *m) {
    m->max_temporaries = FIRST_TEMPORARIES;
    m->temporaries = ct_alloc(m->allocator, (uint64_t)FIRST_TEMPORARIES * CT_TEMPORARY_SLOT_BYTES);
    ct_string_builder_init(&m->error_message, m->allocator);
    ct_string_builder_init(&m->error_traceback, m->allocator);
    ct_objects_init(m);
    ct_lua_scripts_init(m);
}

void ct_lua_init(ct_lua *m, const ct_lua_desc *desc) {
    m->allocator = desc->allocator;
    m->lua_allocator =
        desc->parent ? desc->parent->lua_allocator : ct_proxy_allocator_create(m->allocator, "lua");
    m->worlds_allocator = desc->worlds_allocator;
    m->physics_allocator = desc->physics_allocator;
    m->entities = desc->entities;
    m->debug_names = desc->debug_names;
    m->resources = desc->resources;
    m->modules = desc->modules;
    m->num_modules = desc->num_modules;
    m->parent = desc->parent;
    m->opens = desc->opens;
    m->is_unsafe = desc->is_unsafe;
    m->loads_scripts = desc->loads_scripts;
    link_worker(m);
    init_values(m);
    ct_lua_find_stack_end(m);
    m->memory.limit_bytes =
        desc->memory_limit_bytes ? desc->memory_limit_bytes : DEFAULT_MEMORY_LIMIT_BYTES;
    m->memory.error_bytes = m->memory.limit_bytes;
    m->memory.setting = desc->memory_setting ? desc->memory_setting : "lua.memory_limit_mb";
    m->lua = lua_newstate(ct_lua_allocate, m);
    CT_ASSERT(m->lua, "cannot make a Lua state%s", "");
    lua_atpanic(m->lua, panic);
    ct_lua_open_globals(m->lua);
    if (!m->parent) {
        m->maker = &ct_lua_newest_here;
        *m->maker = (ct_lua_newest){m->lua, m};
    }
    if (desc->stops_long_calls)
        ct_lua_make_interruptible(m);
    ct_lua_open_calls(m);
    ct_lua_desc open = *desc;
    const bool is_open = ct_lua_run(m, open_environment, &open);
    CT_ASSERT(is_open, "%s", ct_string_builder_text(&m->error_message));
    if (desc->time_limit_seconds > 0)
        m->watch = ct_lua_watch_create(m, (uint64_t)(desc->time_limit_seconds * 1e9),
                                       desc->stops_long_calls);
}

void ct_lua_shutdown(ct_lua *m) {
    CT_ASSERT(!m->maker || m->maker == &ct_lua_newest_here,
              "Lua was closed by another thread than the one that made it%s", "");
    lua_close(m->lua);
    unlink_worker(m);
    if (m->maker && m->maker->machine == m)
        *m->maker = (ct_lua_newest){0};
    if (!m->parent)
        ct_proxy_allocator_destroy(m->lua_allocator);
    ct_lua_scripts_free(m);
    ct_objects_free(m);
    ct_string_builder_free(&m->error_message);
    ct_string_builder_free(&m->error_traceback);
    ct_free(m->allocator, m->temporaries);
    ct_free(m->allocator, m->scratch);
}

ct_lua_newest ct_lua_enter(ct_lua *m) {
    const ct_lua_newest before = ct_lua_newest_here;
    ct_lua_newest_here = (ct_lua_newest){m->lua, m};
    ct_lua_find_stack_end(m);
    ct_lua_watch_follow(m->watch);
    return before;
}

void ct_lua_leave(ct_lua_newest before) {
    ct_lua_newest_here = before;
}

void ct_lua_prefer(ct_lua *m, lua_State *L) {
    ct_lua_newest_here = (ct_lua_newest){L, m};
}

void ct_lua_begin_frame(ct_lua *m) {
    ++m->frame_count;
    m->frame = m->frame_count & ((1u << CT_TEMPORARY_FRAME_BITS) - 1);
    m->num_temporaries = 0;
    ct_lua_settle_errors(m);
}
