// Which functions a script has, and on which lines they have code. LuaJIT's "jit.util" gives the line of
// each instruction of a prototype (lua_chunks.h). Functions of earlier versions of a script that are still
// in use count, too, with the lines that they had.
#include "lua/debugger/lua_debugger_private.h"

#include <luajit.h>
#include <stdlib.h>

#include "lua/debugger/lua_debugger_events.h"
#include "lua/lua_chunks.h"

typedef struct code_search {
    ct_lua_debugger *debugger;
    ct_debugged_script *script;
    uint32_t num_found;
} code_search;

static int compare_u32(const void *a, const void *b) {
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

// Sorts lines, and keeps each once; returns how many are left.
static uint32_t sort_lines(uint32_t *lines, uint32_t count) {
    if (count == 0)
        return 0;
    qsort(lines, count, sizeof(*lines), compare_u32);
    uint32_t kept = 1;
    for (uint32_t i = 1; i < count; ++i) {
        if (lines[i] != lines[kept - 1])
            lines[kept++] = lines[i];
    }
    return kept;
}

static uint32_t number_of(lua_State *L, const char *field) {
    lua_getfield(L, -1, field);
    const uint32_t number = (uint32_t)lua_tointeger(L, -1);
    lua_pop(L, 1);
    return number;
}

// Pushes what is known of the function or prototype at `index` at an instruction.
static void push_info(lua_State *L, const ct_lua_debugger *d, int index, uint32_t instruction) {
    lua_rawgeti(L, LUA_REGISTRYINDEX, d->funcinfo);
    lua_pushvalue(L, index);
    lua_pushinteger(L, (lua_Integer)instruction);
    lua_call(L, 2, 1);
}

// The first instruction is the function's own, for which no line runs.
static void add_lines(lua_State *L, const code_search *s, int index, uint32_t num_instructions) {
    ct_u32_array *const lines = &s->script->lines;
    const uint32_t first = lines->count;
    for (uint32_t i = 1; i < num_instructions; ++i) {
        push_info(L, s->debugger, index, i);
        const uint32_t line = number_of(L, "currentline");
        lua_pop(L, 1);
        if (line > 0 && (lines->count == first || lines->items[lines->count - 1] != line))
            ct_array_push(lines, line);
    }
    lines->count = first + sort_lines(lines->items + first, lines->count - first);
}

// Adds the prototype on top, and takes it off. `functions`: the index of their table.
static void add_function(lua_State *L, code_search *s, int functions, bool is_old) {
    luaL_checkstack(L, 16, NULL);
    const int index = lua_gettop(L);
    push_info(L, s->debugger, index, 0);
    ct_debugged_function function = {.first_line = number_of(L, "linedefined"),
                                     .last_line = number_of(L, "lastlinedefined"),
                                     .first = s->script->lines.count,
                                     .is_old = is_old};
    const uint32_t num_instructions = number_of(L, "bytecodes");
    lua_pop(L, 1);
    add_lines(L, s, index, num_instructions);
    function.count = s->script->lines.count - function.first;
    lua_rawgeti(L, LUA_REGISTRYINDEX, s->debugger->switched_off);
    lua_pushvalue(L, index);
    lua_rawget(L, -2);
    function.is_off = lua_toboolean(L, -1);
    lua_settop(L, index);
    lua_rawseti(L, functions, (int)++s->num_found);
    ct_array_push(&s->script->functions, function);
}

// Adds those in the array on top, which may have gaps, and takes it off.
static void add_functions(lua_State *L, code_search *s, int functions, bool is_old) {
    const int list = lua_gettop(L);
    lua_pushnil(L);
    while (lua_next(L, list)) {
        lua_pushvalue(L, -1);
        add_function(L, s, functions, is_old);
        lua_pop(L, 1);
    }
    lua_settop(L, list - 1);
}

// The table of prototypes is weak: older code that nothing uses any more ends.
static int find_code(lua_State *L) {
    code_search *const s = ct_debugger_data(L);
    lua_settop(L, 0);
    ct_debugger_push_weak_table(L, "v");
    lua_getfield(L, LUA_REGISTRYINDEX, CT_LUA_CHUNKS);
    lua_getfield(L, -1, s->script->path);
    if (lua_isnil(L, -1))
        return 0;
    ct_lua_push_prototypes(L, 3);
    add_functions(L, s, 1, false);
    lua_getfield(L, LUA_REGISTRYINDEX, CT_LUA_OLD_CODE);
    lua_getfield(L, -1, s->script->path);
    if (lua_istable(L, -1))
        add_functions(L, s, 1, true);
    lua_pushvalue(L, 1);
    s->script->functions_reference = luaL_ref(L, LUA_REGISTRYINDEX);
    s->script->is_known = true;
    s->script->is_old_code_sure = false;
    return 0;
}

void ct_debugger_find_code(ct_lua_debugger *d, ct_debugged_script *script) {
    if (script->is_known)
        return;
    code_search search = {.debugger = d, .script = script};
    luaL_unref(d->work, LUA_REGISTRYINDEX, script->functions_reference);
    script->functions_reference = LUA_NOREF;
    script->functions.count = script->lines.count = 0;
    ct_debugger_run(d, find_code, &search, NULL);
}

void ct_lua_debugger_lines(ct_lua_debugger *d, const char *script, uint32_t first, uint32_t last,
                           ct_u32_array *lines) {
    ct_debugged_script *const s = ct_debugger_script(d, script);
    ct_debugger_find_code(d, s);
    const uint32_t start = lines->count;
    for (uint32_t i = 0; i < s->functions.count; ++i) {
        const ct_debugged_function *const f = &s->functions.items[i];
        for (uint32_t k = f->first; !f->is_old && k < f->first + f->count; ++k) {
            const uint32_t line = s->lines.items[k];
            if (line >= first && line <= last)
                ct_array_push(lines, line);
        }
    }
    lines->count = start + sort_lines(lines->items + start, lines->count - start);
}

// --- The compiler --------------------------------------------------------------------------------

typedef struct compiled_update {
    ct_lua_debugger *debugger;
    bool has_removed, has_changed;
} compiled_update;

static void set_mode(lua_State *L, int mode) {
    luaJIT_setmode(L, lua_gettop(L), mode);
}

// Sets a mode for the keys, or for the values, of the table on top, and takes it off.
static void set_modes(lua_State *L, bool is_of_keys, int mode) {
    const int table = lua_gettop(L);
    lua_pushnil(L);
    while (lua_next(L, table)) {
        if (is_of_keys) // what is on top is set
            lua_settop(L, table + 1);
        set_mode(L, mode);
        lua_settop(L, table + 1);
    }
    lua_settop(L, table - 1);
}

// Functions that LuaJIT has given up on, since they call what is not compiled, get another try; but not
// those that a script has switched off.
static void compile_all(lua_State *L) {
    lua_getfield(L, LUA_REGISTRYINDEX, CT_LUA_CHUNKS);
    set_modes(L, false, LUAJIT_MODE_ALLFUNC | LUAJIT_MODE_ON);
    lua_getfield(L, LUA_REGISTRYINDEX, CT_LUA_LOOPS);
    set_modes(L, true, LUAJIT_MODE_FUNC | LUAJIT_MODE_ON);
    lua_getfield(L, LUA_REGISTRYINDEX, CT_LUA_OLD_CODE);
    lua_pushnil(L);
    while (lua_next(L, -2))
        set_modes(L, false, LUAJIT_MODE_FUNC | LUAJIT_MODE_ON);
    lua_pop(L, 1);
    lua_getfield(L, LUA_REGISTRYINDEX, CT_LUA_NOT_COMPILED);
    set_modes(L, true, LUAJIT_MODE_FUNC | LUAJIT_MODE_OFF);
}

// Tables of update_script.
enum { SWITCHED_OFF = 1, NOT_COMPILED, FUNCTIONS };

// Returns whether the prototype on top is a key of a table.
static bool is_in(lua_State *L, int table) {
    lua_pushvalue(L, -1);
    lua_rawget(L, table);
    const bool is_there = lua_toboolean(L, -1);
    lua_pop(L, 1);
    return is_there;
}

// Switches the prototype on top off, or on again.
static void switch_off(lua_State *L, bool is_off) {
    lua_pushvalue(L, -1);
    if (is_off)
        lua_pushboolean(L, 1);
    else
        lua_pushnil(L);
    lua_rawset(L, SWITCHED_OFF);
    if (is_off || !is_in(L, NOT_COMPILED))
        set_mode(L, LUAJIT_MODE_FUNC | (is_off ? LUAJIT_MODE_OFF : LUAJIT_MODE_ON));
}

// A function that a script has switched off is not compiled already.
static void update_script(lua_State *L, compiled_update *u, ct_debugged_script *script) {
    if (!script->is_known)
        return;
    lua_settop(L, NOT_COMPILED);
    lua_rawgeti(L, LUA_REGISTRYINDEX, script->functions_reference);
    for (uint32_t i = 0; i < script->functions.count; ++i) {
        ct_debugged_function *const function = &script->functions.items[i];
        const bool is_off = ct_debugger_bit(&script->function_bits, function->first_line);
        if (!is_off && !function->is_off)
            continue;
        u->has_changed |= is_off != function->is_off;
        function->is_off = is_off;
        lua_rawgeti(L, FUNCTIONS, (int)i + 1);
        if (!lua_isnil(L, -1))
            switch_off(L, is_off);
        lua_pop(L, 1);
    }
}

// While there are breakpoints, coroutines are run by code that calls hooks.
static void update_resume(lua_State *L, const ct_lua_debugger *d) {
    lua_getfield(L, LUA_REGISTRYINDEX, CT_LUA_CHUNKS);
    lua_getfield(L, -1, CT_LUA_RESUME_CHUNK);
    set_mode(L, LUAJIT_MODE_ALLFUNC | (d->num_lines > 0 ? LUAJIT_MODE_OFF : LUAJIT_MODE_ON));
    lua_pop(L, 2);
}

static int update_compiled(lua_State *L) {
    compiled_update *const u = ct_debugger_data(L);
    luaL_checkstack(L, 16, NULL);
    lua_settop(L, 0);
    lua_rawgeti(L, LUA_REGISTRYINDEX, u->debugger->switched_off);
    lua_getfield(L, LUA_REGISTRYINDEX, CT_LUA_NOT_COMPILED);
    if (u->has_removed)
        compile_all(L);
    for (uint32_t i = 0; i < u->debugger->scripts.count; ++i)
        update_script(L, u, &u->debugger->scripts.items[i]);
    update_resume(L, u->debugger);
    return 0;
}

void ct_debugger_update_compiled(ct_lua_debugger *d, bool has_removed) {
    compiled_update update = {.debugger = d, .has_removed = has_removed};
    ct_debugger_run(d, update_compiled, &update, NULL);
    if (update.has_changed || has_removed)
        ct_debugger_flush(d);
}

void ct_lua_debugger_on_modes(ct_lua_debugger *d) {
    if (d && d->num_lines > 0)
        ct_debugger_update_compiled(d, false);
}

bool ct_lua_debugger_on_compiler(ct_lua_debugger *d, bool is_on) {
    if (!d || !d->is_engine_off)
        return false;
    d->was_engine_on = is_on;
    return true;
}
