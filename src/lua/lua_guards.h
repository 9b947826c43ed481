// lua_guards.h: keeps Lua's own functions from crashing the program.
//
// LuaJIT limits the depth of Lua's stack, but not of the C stack below it. Functions that use much
// of the C stack for each call back into Lua (gsub: 8 KiB; a coroutine in a coroutine: a new Lua
// stack with its own depth) first check how much is left.
#pragma once
#include <lua.h>

typedef struct ct_lua ct_lua;

// Stores where the calling thread's stack ends. Call it before running anything.
void ct_lua_find_stack_end(ct_lua *s);

// Raises the error "C stack overflow" when much of the C stack is used. For C functions that call
// Lua.
void ct_lua_check_c_stack(lua_State *L);

// Replaces Lua's functions in the global tables by functions that check. `xpcall` gets handlers
// that do not run for errors that stop a long call: LuaJIT calls no hooks in handlers, so they
// could not be stopped themselves.
void ct_lua_open_guards(lua_State *L);
