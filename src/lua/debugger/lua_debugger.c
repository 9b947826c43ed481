#include "lua/debugger/lua_debugger.h"

#include <luajit.h>

#include "foundation/error.h"
#include "foundation/os/os.h"
#include "lua/debugger/lua_debugger_private.h"
#include "lua/lua_interrupt.h"
#include "lua/lua_watch.h"

enum {
    EVENTS = LUA_MASKCALL | LUA_MASKRET | LUA_MASKLINE, // in LuaJIT's mask of hooks
    EVALUATION_TICK_NS = 400000000,                     // the watch looks eight times as often
};

// --- Protected calls -----------------------------------------------------------------------------

bool ct_debugger_run(ct_lua_debugger *d, lua_CFunction function, void *data, ct_error *error) {
    void *const outer = d->run_data;
    d->run_data = data;
    const int status = lua_cpcall(d->work, function, NULL);
    d->run_data = outer;
    if (status == 0)
        return true;
    const char *const message =
        lua_type(d->work, -1) == LUA_TSTRING ? lua_tostring(d->work, -1) : "(an error value)";
    ct_error_set(error, "%s", message);
    lua_pop(d->work, 1);
    return false;
}

void *ct_debugger_data(lua_State *L) {
    return ct_lua_of(L)->debugger->run_data;
}

// --- Hooks and the compiler ----------------------------------------------------------------------

void ct_debugger_update_events(ct_lua_debugger *d) {
    int events = 0;
    if (d->step.kind != CT_LUA_STEP_CONTINUE || d->is_pausing)
        events = EVENTS;
    else if (d->num_lines > 0)
        events = LUA_MASKCALL | (d->watches_lines ? LUA_MASKLINE : 0);
    if (d->is_evaluating)
        events = 0;
    if (d->machine->debugger_events == events)
        return;
    d->machine->debugger_events = events;
    ct_lua_update_hook(d->machine);
}

void ct_debugger_flush(ct_lua_debugger *d) {
    luaJIT_setmode(d->work, 0, LUAJIT_MODE_ENGINE | LUAJIT_MODE_FLUSH);
}

// LuaJIT says that it starts to record a trace, has it, or gives up. A call of a hook ends a recording, so
// it is taken away meanwhile: what is recorded has no breakpoints, as functions with some are not compiled.
static int on_trace(lua_State *L) {
    const char *const what = lua_tostring(L, 1);
    const ct_lua *const m = ct_lua_of(L);
    ct_lua_debugger *const d = m->debugger;
    if (!d || !d->hook_mask || !what || !ct_lua_has_hook(m))
        return 0;
    d->last_coroutine = NULL; // some events have been missed
    if (what[0] == 's' && what[2] == 'a')
        ct_debugger_clear_mask(d, EVENTS);
    else
        ct_debugger_set_mask(d, m->debugger_events);
    return 0;
}

// --- Life cycle ----------------------------------------------------------------------------------

static int keep(lua_State *L) {
    return luaL_ref(L, LUA_REGISTRYINDEX);
}

void ct_debugger_push_weak_table(lua_State *L, const char *mode) {
    lua_newtable(L);
    lua_newtable(L);
    lua_pushstring(L, mode);
    lua_setfield(L, -2, "__mode");
    lua_setmetatable(L, -2);
}

// `mode`: of a weak table, or NULL.
static int keep_table(lua_State *L, const char *mode) {
    if (mode)
        ct_debugger_push_weak_table(L, mode);
    else
        lua_newtable(L);
    return keep(L);
}

static void attach_to_traces(lua_State *L, const ct_lua_debugger *d, bool is_on) {
    lua_rawgeti(L, LUA_REGISTRYINDEX, d->attach);
    lua_rawgeti(L, LUA_REGISTRYINDEX, d->on_trace);
    lua_pushliteral(L, "trace");
    lua_call(L, is_on ? 2 : 1, 0);
}

static void open_jit(lua_State *L, ct_lua_debugger *d) {
    lua_getfield(L, LUA_REGISTRYINDEX, CT_LUA_JIT);
    lua_getfield(L, -1, "attach");
    d->attach = keep(L);
    lua_getfield(L, -1, "status");
    d->status = keep(L);
    lua_getfield(L, -1, "funcinfo");
    d->funcinfo = keep(L);
    lua_pop(L, 1);
    lua_pushcfunction(L, on_trace);
    d->on_trace = keep(L);
}

// Gives the machine's main coroutine the number 1.
static void number_main(lua_State *L, ct_lua_debugger *d) {
    lua_pushthread(d->machine->lua);
    lua_xmove(d->machine->lua, L, 1);
    lua_rawgeti(L, LUA_REGISTRYINDEX, d->coroutines);
    lua_pushvalue(L, -2);
    lua_rawseti(L, -2, 1);
    lua_rawgeti(L, LUA_REGISTRYINDEX, d->numbers);
    lua_pushvalue(L, -3);
    lua_pushinteger(L, 1);
    lua_rawset(L, -3);
    lua_pop(L, 3);
    d->num_coroutines = 1;
}

static int open_tables(lua_State *L) {
    ct_lua_debugger *const d = ct_debugger_data(L);
    luaL_checkstack(L, 20, NULL);
    open_jit(L, d);
    attach_to_traces(L, d, true);
    d->texts = keep_table(L, NULL);
    d->coroutines = keep_table(L, "v");
    d->numbers = keep_table(L, "k");
    d->switched_off = keep_table(L, "k");
    d->values = keep_table(L, NULL);
    d->parts = keep_table(L, NULL);
    number_main(L, d);
    ct_debugger_open_environment(L, d);
    lua_pushliteral(L, CT_LUA_RESUME_CHUNK);
    d->resume_source = lua_tostring(L, -1); // the kept chunk holds the string
    return 0;
}

static int close_tables(lua_State *L) {
    ct_lua_debugger *const d = ct_debugger_data(L);
    const int references[] = {d->funcinfo,     d->status,     d->on_trace, d->texts,
                              d->environment,  d->coroutines, d->numbers,  d->values,
                              d->switched_off, d->parts};
    luaL_checkstack(L, 20, NULL);
    attach_to_traces(L, d, false);
    luaL_unref(L, LUA_REGISTRYINDEX, d->attach);
    for (uint32_t i = 0; i < CT_COUNT_OF(references); ++i)
        luaL_unref(L, LUA_REGISTRYINDEX, references[i]);
    return 0;
}

static void init_arrays(ct_lua_debugger *d, ct_allocator *a) {
    ct_array_init(&d->breakpoints, a);
    ct_array_init(&d->scripts, a);
    ct_hash_map_init(&d->script_paths, a);
    ct_hash_map_init(&d->script_sources, a);
    ct_array_init(&d->frames, a);
    ct_array_init(&d->shown_values, a);
    ct_array_init(&d->hit, a);
    ct_string_builder_init(&d->text, a);
    ct_string_builder_init(&d->last_error, a);
}

static void free_arrays(ct_lua_debugger *d) {
    ct_debugger_free_breakpoints(d);
    ct_debugger_free_scripts(d);
    ct_array_free(&d->breakpoints);
    ct_array_free(&d->scripts);
    ct_hash_map_free(&d->script_paths);
    ct_hash_map_free(&d->script_sources);
    ct_array_free(&d->frames);
    ct_array_free(&d->shown_values);
    ct_array_free(&d->hit);
    ct_string_builder_free(&d->text);
    ct_string_builder_free(&d->last_error);
}

// Compiled code looks for interrupts from here on. Finds LuaJIT's mask of hooks.
static uint8_t *find_hook_mask(ct_lua *m) {
    if (m->hook_mask)
        return m->hook_mask;
    const lua_Hook function = lua_gethook(m->lua);
    const int mask = lua_gethookmask(m->lua), count = lua_gethookcount(m->lua);
    if (!m->is_interruptible)
        ct_lua_make_interruptible(m);
    uint8_t *const found = m->hook_mask ? m->hook_mask : ct_lua_find_hook_mask(m);
    lua_sethook(m->lua, function, mask, count);
    return found;
}

ct_lua_debugger *ct_lua_debugger_create(ct_allocator *a, const ct_lua_debugger_desc *desc) {
    ct_lua *const m = desc->machine;
    CT_ASSERT(!m->debugger, "a machine has one debugger at most%s", "");
    ct_lua_debugger *const d = CT_NEW(a, ct_lua_debugger);
    d->allocator = a;
    d->desc = *desc;
    d->machine = m;
    d->names = d->catchers = LUA_NOREF;
    d->step.coroutine_reference = LUA_NOREF;
    d->first_frame = d->first_value = 1;
    init_arrays(d, a);
    d->work = lua_newthread(m->lua);
    d->work_reference = luaL_ref(m->lua, LUA_REGISTRYINDEX);
    d->has_made_interruptible = !m->is_interruptible;
    d->hook_mask = find_hook_mask(m);
    d->watch = ct_lua_watch_create(m, EVALUATION_TICK_NS, true);
    m->debugger = d;
    ct_error error = {0};
    const bool is_open = ct_debugger_run(d, open_tables, d, &error);
    CT_ASSERT(is_open, "%s", error.message);
    if (!d->hook_mask) // another LuaJIT than this was made for: nothing is compiled
        luaJIT_setmode(d->work, 0, LUAJIT_MODE_ENGINE | LUAJIT_MODE_OFF);
    return d;
}

void ct_lua_debugger_destroy(ct_lua_debugger *d) {
    if (!d)
        return;
    CT_ASSERT(!d->is_stopped, "a debugger ends while its machine is stopped%s", "");
    ct_lua *const m = d->machine;
    ct_lua_debugger_stop_on_errors(d, CT_LUA_STOP_ON_ERRORS_NEVER);
    ct_lua_debugger_set_breakpoints(d, NULL, 0, NULL);
    ct_debugger_end_step(d);
    ct_lua_end_interrupt(m, CT_LUA_INTERRUPT_PAUSE);
    ct_lua_end_interrupt(m, CT_LUA_INTERRUPT_ASK);
    ct_debugger_update_events(d);
    if (!d->hook_mask)
        luaJIT_setmode(d->work, 0, LUAJIT_MODE_ENGINE | LUAJIT_MODE_ON);
    ct_lua_watch_destroy(d->watch);
    ct_debugger_run(d, close_tables, d, NULL);
    if (d->has_made_interruptible)
        ct_lua_end_interruptible(m);
    luaL_unref(d->work, LUA_REGISTRYINDEX, d->work_reference);
    m->debugger = NULL;
    free_arrays(d);
    ct_free_sized(d->allocator, d, sizeof(*d));
}

lua_State *ct_lua_debugger_idle_coroutine(const ct_lua_debugger *d) {
    return d->work;
}

ct_lua *ct_lua_debugger_machine(const ct_lua_debugger *d) {
    return d->machine;
}
