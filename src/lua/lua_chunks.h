// lua_chunks.h: what is kept of the functions that there are, for a debugger: the texts of scripts, older
// versions of them that are still in use, loops of the engine, and what scripts do not want compiled.
//
// A function's prototype is its code, which closures share. LuaJIT's "jit.util" gives prototypes as values
// of a type of their own; scripts do not get them.
#pragma once
#include <lua.h>

#include "foundation/types.h"

// Registry keys, beside CT_LUA_CHUNKS (lua_machine.h): tables of
// - arrays of the prototypes of earlier versions of a script, by path of the source; weak, so that only
//   what functions still use is there, with gaps;
#define CT_LUA_OLD_CODE "cuttle.old_code"
// - loops of the engine that call functions of scripts: keys, weak;
#define CT_LUA_LOOPS "cuttle.loops"
// - prototypes that a script has switched off with jit.off: keys, weak;
#define CT_LUA_NOT_COMPILED "cuttle.not_compiled"
// - functions that catch errors, by name: `pcall`, `resume` and `wrap`, each with an upvalue of its name,
//   LuaJIT's own, which a debugger exchanges; `xpcall` and `create` (lua_guards.c).
#define CT_LUA_CATCHERS "cuttle.catchers"
//
// CT_LUA_JIT has two functions of "jit.util", too: `funcinfo` and `funck`.

// Makes these tables, and has jit.on and jit.off note what they do. In a protected call, after the
// libraries were opened.
void ct_lua_open_chunks(lua_State *L);

// Keeps the function on top as the text of a script with this path of its source, in the place of an
// earlier one. Returns whether it is the first.
bool ct_lua_keep_chunk(lua_State *L, const char *path);

// Keeps the function on top as a loop of the engine, as long as it is in use.
void ct_lua_keep_loop(lua_State *L);

// Pushes an array of the prototype of the Lua function at `index`, and of all functions in its text, outer
// ones first.
void ct_lua_push_prototypes(lua_State *L, int index);
