#include "foundation/log.h"
#include "lua/lua_chunks.h"
#include "lua/lua_guards.h"
#include "lua/lua_machine.h"

#include <lualib.h>
#include <string.h>

enum { NUM_GLOBALS = 512 }; // places for them

// What scripts may use of Lua's own libraries. Not safe is what reads or writes files, ends or
// starts processes, loads machine code or bytecode (which is not checked), or looks under the hood.

static void open_library(lua_State *L, const char *name, lua_CFunction open) {
    lua_pushcfunction(L, open);
    lua_pushstring(L, name);
    lua_call(L, 1, 0);
}

// Sets fields of the global table `name` (the globals themselves for NULL) to nil.
static void remove_fields(lua_State *L, const char *name, const char *const *fields) {
    if (name)
        lua_getglobal(L, name);
    else
        lua_pushvalue(L, LUA_GLOBALSINDEX);
    for (; *fields; ++fields) {
        lua_pushnil(L);
        lua_setfield(L, -2, *fields);
    }
    lua_pop(L, 1);
}

// Replaces the global table `name` by a table of only these fields, for `require` too.
static void keep_fields(lua_State *L, const char *name, const char *const *fields) {
    lua_newtable(L);
    lua_getglobal(L, name);
    for (; *fields; ++fields) {
        lua_getfield(L, -1, *fields);
        lua_setfield(L, -3, *fields);
    }
    lua_pop(L, 1);
    lua_getfield(L, LUA_REGISTRYINDEX, "_LOADED");
    lua_pushvalue(L, -2);
    lua_setfield(L, -2, name);
    lua_pop(L, 1);
    lua_setglobal(L, name);
}

// --- print and load ------------------------------------------------------------------------------

static int print_to_log(lua_State *L) {
    const int count = lua_gettop(L);
    ct_lua_check_c_stack(L);
    lua_getglobal(L, "tostring");
    luaL_Buffer text;
    luaL_buffinit(L, &text);
    for (int i = 1; i <= count; ++i) {
        if (i > 1)
            luaL_addchar(&text, '\t');
        lua_pushvalue(L, count + 1);
        lua_pushvalue(L, i);
        lua_call(L, 1, 1);
        if (lua_type(L, -1) != LUA_TSTRING)
            return luaL_error(L, "print: tostring must return a string");
        luaL_addvalue(&text);
    }
    luaL_pushresult(&text);
    const ct_lua_place at = ct_lua_find_place(L, 1);
    const ct_log_place place = {.script = at.script, .line = at.line};
    size_t bytes;
    const char *const line = lua_tolstring(L, -1, &bytes);
    ct_log_message_from(CT_LOG_LEVEL_INFO, "lua", line, bytes, at.line ? &place : NULL);
    return 0;
}

// Loads the text at `index`; like Lua's own, returns nil and a message when it does not compile.
static int load_text(lua_State *L, int index, const char *chunk_name) {
    size_t length;
    const char *const text = lua_tolstring(L, index, &length);
    if (luaL_loadbufferx(L, text, length, chunk_name, "t") == 0)
        return 1;
    lua_pushnil(L);
    lua_insert(L, -2);
    return 2;
}

// Joins what the function at 1 returns until it returns nil or "", in place of it.
static void join_pieces(lua_State *L) {
    lua_newtable(L);
    const int pieces = lua_gettop(L);
    int count = 0;
    for (;;) {
        lua_pushvalue(L, 1);
        lua_call(L, 0, 1);
        if (lua_isnil(L, -1) || (lua_type(L, -1) == LUA_TSTRING && lua_objlen(L, -1) == 0))
            break;
        if (lua_type(L, -1) != LUA_TSTRING)
            luaL_error(L, "load: the reader function must return a string");
        lua_rawseti(L, pieces, ++count);
    }
    lua_settop(L, pieces);
    luaL_Buffer text;
    luaL_buffinit(L, &text);
    for (int i = 1; i <= count; ++i) {
        lua_rawgeti(L, pieces, i);
        luaL_addvalue(&text);
    }
    luaL_pushresult(&text);
    lua_replace(L, 1);
    lua_settop(L, 4);
}

// load(text or function [, chunk name [, mode [, environment]]]), for text only.
static int load(lua_State *L) {
    ct_lua_check_c_stack(L);
    lua_settop(L, 4);
    const char *const chunk_name = lua_isnoneornil(L, 2) ? NULL : ct_check_string(L, 2);
    if (lua_isfunction(L, 1))
        join_pieces(L);
    else
        luaL_checktype(L, 1, LUA_TSTRING);
    const int results = load_text(L, 1, chunk_name ? chunk_name : lua_tostring(L, 1));
    if (results == 1 && !lua_isnil(L, 4)) {
        luaL_checktype(L, 4, LUA_TTABLE);
        lua_pushvalue(L, 4);
        lua_setfenv(L, -2);
    }
    return results;
}

// --- Opening -------------------------------------------------------------------------------------

// `package` is what `require` has loaded.
static void open_package(lua_State *L) {
    lua_newtable(L);
    lua_getfield(L, LUA_REGISTRYINDEX, "_LOADED");
    lua_setfield(L, -2, "loaded");
    lua_setglobal(L, "package");
}

static void replace_functions(lua_State *L) {
    static const luaL_Reg ours[] = {
        {"print", print_to_log},     {"load", load}, {"loadstring", load},
        {"require", ct_lua_require}, {NULL, NULL},
    };
    lua_pushvalue(L, LUA_GLOBALSINDEX);
    luaL_register(L, NULL, ours);
    lua_pop(L, 1);
}

// Loops over `pairs(t)` and `next, t` have an instruction of their own, and the JIT of this LuaJIT (2022-03)
// breaks it: when it has given up compiling one, as in nested loops, that loop ends early or sees keys
// that are not there, from then on. With functions other than LuaJIT's `next` the parser's guess fails before
// the first round, and the loop is an ordinary one, which the JIT compiles. A round takes 18 ns in place
// of 5.
static const char iteration[] =
    "local builtin_next, builtin_pairs, type = next, pairs, type "
    "local function step(t, key) return builtin_next(t, key) end "
    "function pairs(t) "
    "  if type(t) ~= 'table' then return builtin_pairs(t) end " // its error
    "  return step, t, nil "
    "end "
    "next = step";

static void replace_iteration(lua_State *L) {
    if (luaL_loadbuffer(L, iteration, strlen(iteration), "=[pairs]") != 0)
        lua_error(L);
    lua_call(L, 0, 0);
}

static void close_unsafe(lua_State *L) {
    static const char *const global[] = {"dofile", "loadfile", "newproxy", NULL};
    static const char *const string[] = {"dump", NULL};
    static const char *const os[] = {"time", "clock", "date", "difftime", NULL};
    static const char *const jit[] = {"on",          "off", "flush", "status", "version",
                                      "version_num", "os",  "arch",  NULL};
    remove_fields(L, NULL, global);
    remove_fields(L, "string", string);
    keep_fields(L, "os", os);
    keep_fields(L, "jit", jit);
    // The libraries leave openers of ffi and of the compiler's insides for `require`.
    lua_pushnil(L);
    lua_setfield(L, LUA_REGISTRYINDEX, "_PRELOAD");
}

// LuaJIT's function that empties a table and keeps its room. Its opener makes it a member of
// `table`, where scripts do not find it by itself.
static void keep_table_clear(lua_State *L) {
    static const char *const clear[] = {"clear", NULL};
    lua_getfield(L, LUA_REGISTRYINDEX, "_PRELOAD");
    lua_getfield(L, -1, "table.clear");
    lua_call(L, 0, 1);
    lua_setfield(L, LUA_REGISTRYINDEX, CT_LUA_TABLE_CLEAR);
    lua_pop(L, 1);
    remove_fields(L, LUA_TABLIBNAME, clear);
}

// Copies fields of the table on top to the one at `to`.
static void copy_fields(lua_State *L, int to, const char *const *fields) {
    for (; *fields; ++fields) {
        lua_getfield(L, -1, *fields);
        lua_setfield(L, to, *fields);
    }
}

// What is taken away from scripts below.
static void keep_for_debugger(lua_State *L) {
    static const char *const of_jit[] = {"attach", "status", NULL};
    static const char *const of_util[] = {"funcinfo", "funck", NULL};
    lua_newtable(L);
    const int kept = lua_gettop(L);
    lua_getglobal(L, LUA_JITLIBNAME);
    copy_fields(L, kept, of_jit);
    lua_getfield(L, LUA_REGISTRYINDEX, "_PRELOAD");
    lua_getfield(L, -1, "jit.util");
    lua_pushvalue(L, -1);
    lua_setfield(L, kept, "util");
    lua_call(L, 0, 1);
    copy_fields(L, kept, of_util);
    lua_settop(L, kept);
    lua_setfield(L, LUA_REGISTRYINDEX, CT_LUA_JIT);
    ct_lua_open_chunks(L);
}

// Unlike the others it neither makes a global nor is it known to `require` by itself.
static void open_ffi(lua_State *L) {
    lua_pushcfunction(L, luaopen_ffi);
    lua_call(L, 0, 1);
    lua_getfield(L, LUA_REGISTRYINDEX, "_LOADED");
    lua_pushvalue(L, -2);
    lua_setfield(L, -2, LUA_FFILIBNAME);
    lua_pop(L, 1);
    lua_setglobal(L, LUA_FFILIBNAME);
}

void ct_lua_open_globals(lua_State *L) {
    lua_createtable(L, 0, NUM_GLOBALS);
    lua_replace(L, LUA_GLOBALSINDEX);
}

void ct_lua_open_libraries(lua_State *L, bool is_unsafe) {
    open_library(L, "", luaopen_base);
    open_library(L, LUA_TABLIBNAME, luaopen_table);
    keep_table_clear(L);
    open_library(L, LUA_STRLIBNAME, luaopen_string);
    open_library(L, LUA_MATHLIBNAME, luaopen_math);
    open_library(L, LUA_BITLIBNAME, luaopen_bit);
    open_library(L, LUA_JITLIBNAME, luaopen_jit);
    keep_for_debugger(L);
    open_library(L, LUA_OSLIBNAME, luaopen_os);
    if (is_unsafe) {
        open_library(L, LUA_LOADLIBNAME, luaopen_package);
        open_library(L, LUA_IOLIBNAME, luaopen_io);
        open_library(L, LUA_DBLIBNAME, luaopen_debug);
        open_ffi(L);
    } else {
        close_unsafe(L);
        open_package(L);
    }
    replace_functions(L);
    replace_iteration(L);
    ct_lua_open_guards(L);
}
