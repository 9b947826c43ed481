// lua_guards.h: keeps functions of Lua's own from harming the program.
//
// LuaJIT limits the depth of Lua's stack, but not of the C stack below it. What takes much of that
// for each call that goes back into Lua (gsub: 8 KiB; a coroutine in a coroutine: a new Lua stack
// with a depth of its own) looks first how much is left.
#pragma once
#include <lua.h>

typedef struct ct_lua ct_lua;

// Notes where the calling thread's stack ends; before anything is run.
void ct_lua_find_stack_end(ct_lua *s);

// Raises the error "C stack overflow" when much of the C stack is used. For C functions that call
// Lua.
void ct_lua_check_c_stack(lua_State *L);

// Puts functions that check in place of Lua's, in the global tables. `xpcall` gets handlers that do
// not run for errors that stop a long call: LuaJIT calls no hooks in them, so that they could not
// be stopped themselves.
void ct_lua_open_guards(lua_State *L);
