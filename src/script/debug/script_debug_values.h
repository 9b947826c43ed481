// script_debug_values.h: what a debugger shows of engine values (lua/debugger/lua_debugger.h).
//
// A Unit has its name, place, resource, pose, data, behaviours and components with their fields; worlds
// have their units and levels, levels their units; handles of components and actors have their unit and
// fields. Long lists are in pages of 100. Parts that have parts, but are no values of Lua (a component,
// a page), are full userdata of one private metatable: the debugger passes these to the same functions.
//
// Everything reads only, may be called at any moment inside a call of Lua, runs nothing of scripts, and
// copes with handles of what has ended. Vectors and 64-bit ids among the parts are temporaries of the
// frame. No part is nil. A worker's machine has texts of ids only: the game may be using the rest.
#pragma once
#include "lua/debugger/lua_debugger.h"
#include "script/script.h"

// Returns the functions for debuggers of the game's machine and of workers, which borrow `s`.
ct_lua_debugger_values ct_script_debug_values(ct_script *s);

// For the scope "Behaviour" of a frame: `frame` is of `coroutine`, filled by lua_getstack. If its function
// runs for an instance of a behaviour, which is its first local, `self`, pushes an array of names and
// values on `L` as ct_lua_debugger_values.expand does ("self", "unit", "script", "enabled"), and returns
// true. Otherwise pushes nothing. Both states are of one machine; with a worker's, false. Needs room for
// a few values on both stacks.
bool ct_script_debug_behaviour(ct_script *s, lua_State *L, lua_State *coroutine, lua_Debug *frame);
