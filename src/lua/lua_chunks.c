#include "lua/lua_chunks.h"

#include <lauxlib.h>
#include <lualib.h>

#include "lua/debugger/lua_debugger_events.h"
#include "lua/lua_machine.h"

enum { PROTOTYPE_TYPE = LUA_TTHREAD + 1 }; // lua_type of LuaJIT's prototypes

// --- Prototypes ----------------------------------------------------------------------------------

// Where what is needed lies on the stack.
typedef struct prototype_list {
    int found, info, constants; // the array, and functions of LuaJIT
    int count;
} prototype_list;

// Adds the prototype on top, and those inside of it.
static void add_prototype(lua_State *L, prototype_list *list) {
    luaL_checkstack(L, 8, "too many functions inside of each other");
    const int index = lua_gettop(L);
    lua_pushvalue(L, index);
    lua_rawseti(L, list->found, ++list->count);
    for (int i = 1;; ++i) {
        lua_pushvalue(L, list->constants);
        lua_pushvalue(L, index);
        lua_pushinteger(L, -i);
        lua_call(L, 2, 1);
        const bool is_end = lua_isnil(L, -1);
        if (lua_type(L, -1) == PROTOTYPE_TYPE)
            add_prototype(L, list);
        lua_settop(L, index);
        if (is_end)
            return;
    }
}

void ct_lua_push_prototypes(lua_State *L, int index) {
    luaL_checkstack(L, 12, NULL);
    lua_pushvalue(L, index);
    lua_newtable(L);
    const int top = lua_gettop(L);
    prototype_list list = {.found = top, .info = top + 2, .constants = top + 3};
    lua_getfield(L, LUA_REGISTRYINDEX, CT_LUA_JIT);
    lua_getfield(L, top + 1, "funcinfo");
    lua_getfield(L, top + 1, "funck");
    lua_pushvalue(L, list.info);
    lua_pushvalue(L, top - 1);
    lua_call(L, 1, 1);
    lua_getfield(L, -1, "proto");
    if (lua_type(L, -1) == PROTOTYPE_TYPE)
        add_prototype(L, &list);
    lua_settop(L, top);
    lua_remove(L, top - 1);
}

// --- Texts of scripts ----------------------------------------------------------------------------

static void push_weak_table(lua_State *L, const char *mode) {
    lua_newtable(L);
    lua_newtable(L);
    lua_pushstring(L, mode);
    lua_setfield(L, -2, "__mode");
    lua_setmetatable(L, -2);
}

// Appends what is in the array on top to that at `to`, which has `*count`; takes it off.
static void move_elements(lua_State *L, int to, int *count) {
    const int from = lua_gettop(L);
    lua_pushnil(L);
    while (lua_next(L, from))
        lua_rawseti(L, to, ++*count);
    lua_settop(L, from - 1);
}

// Adds the prototypes of the function on top to the older code of a script; takes it off.
static void keep_old_code(lua_State *L, const char *path) {
    const int function = lua_gettop(L);
    int count = 0;
    lua_getfield(L, LUA_REGISTRYINDEX, CT_LUA_OLD_CODE);
    push_weak_table(L, "v");
    lua_getfield(L, function + 1, path);
    if (lua_istable(L, -1))
        move_elements(L, function + 2, &count);
    lua_settop(L, function + 2);
    ct_lua_push_prototypes(L, function);
    move_elements(L, function + 2, &count);
    lua_setfield(L, function + 1, path);
    lua_settop(L, function - 1);
}

bool ct_lua_keep_chunk(lua_State *L, const char *path) {
    luaL_checkstack(L, 12, NULL);
    const int function = lua_gettop(L);
    lua_getfield(L, LUA_REGISTRYINDEX, CT_LUA_CHUNKS);
    lua_getfield(L, -1, path);
    const bool is_new = lua_isnil(L, -1);
    if (is_new)
        lua_pop(L, 1);
    else
        keep_old_code(L, path);
    lua_pushvalue(L, function);
    lua_setfield(L, -2, path);
    lua_settop(L, function);
    return is_new;
}

void ct_lua_keep_loop(lua_State *L) {
    lua_getfield(L, LUA_REGISTRYINDEX, CT_LUA_LOOPS);
    lua_pushvalue(L, -2);
    lua_pushboolean(L, 1);
    lua_rawset(L, -3);
    lua_pop(L, 1);
}

// --- jit.on and jit.off --------------------------------------------------------------------------

// Notes that the prototypes in the array on top are compiled from now on, or not; from the first on, but
// of those at most `most`.
static void note(lua_State *L, bool is_on, int first, int most) {
    const int list = lua_gettop(L);
    lua_getfield(L, LUA_REGISTRYINDEX, CT_LUA_NOT_COMPILED);
    for (int i = first; i < first + most; ++i) {
        lua_rawgeti(L, list, i);
        if (lua_isnil(L, -1))
            break;
        if (is_on)
            lua_pushnil(L);
        else
            lua_pushboolean(L, 1);
        lua_rawset(L, list + 1);
    }
    lua_settop(L, list - 1);
}

// jit.on and jit.off: upvalues are LuaJIT's function, and whether it is jit.on. `true` in the place of a
// function means the one that calls. With a second argument, the functions inside are meant, too (true),
// or only these (false).
static int set_mode(lua_State *L) {
    enum { ALL = 1 << 30 };
    const bool is_on = lua_toboolean(L, lua_upvalueindex(2));
    lua_Debug at;
    struct ct_lua_debugger *const debugger = ct_lua_of(L)->debugger;
    const bool is_for_all = lua_isnoneornil(L, 1);
    if (is_for_all && ct_lua_debugger_on_compiler(debugger, is_on))
        return 0;
    if (lua_isboolean(L, 1) && lua_toboolean(L, 1) && lua_getstack(L, 1, &at)) {
        lua_getinfo(L, "f", &at);
        lua_replace(L, 1);
    }
    lua_settop(L, 2);
    lua_pushvalue(L, lua_upvalueindex(1));
    for (int i = 1; i <= (lua_isnil(L, 2) ? 1 : 2); ++i)
        lua_pushvalue(L, i);
    lua_call(L, lua_isnil(L, 2) ? 1 : 2, 0);
    if (is_for_all)
        return 0;
    const bool has_inner = lua_isboolean(L, 2), is_only_inner = has_inner && !lua_toboolean(L, 2);
    ct_lua_push_prototypes(L, 1);
    note(L, is_on, is_only_inner ? 2 : 1, has_inner ? ALL : 1);
    ct_lua_debugger_on_modes(debugger);
    return 0;
}

// Takes the place of a function of the table on top.
static void replace_mode(lua_State *L, const char *name, bool is_on) {
    lua_getfield(L, -1, name);
    lua_pushboolean(L, is_on);
    lua_pushcclosure(L, set_mode, 2);
    lua_setfield(L, -2, name);
}

void ct_lua_open_chunks(lua_State *L) {
    lua_newtable(L);
    lua_setfield(L, LUA_REGISTRYINDEX, CT_LUA_CHUNKS);
    lua_newtable(L);
    lua_setfield(L, LUA_REGISTRYINDEX, CT_LUA_OLD_CODE);
    push_weak_table(L, "k");
    lua_setfield(L, LUA_REGISTRYINDEX, CT_LUA_LOOPS);
    push_weak_table(L, "k");
    lua_setfield(L, LUA_REGISTRYINDEX, CT_LUA_NOT_COMPILED);
    lua_getglobal(L, LUA_JITLIBNAME);
    replace_mode(L, "on", true);
    replace_mode(L, "off", false);
    lua_pop(L, 1);
}
