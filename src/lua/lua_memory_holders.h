// lua_memory_holders.h: who holds Lua's memory.
#pragma once
#include <lua.h>

#include "foundation/string/string_builder.h"

// Appends "; most of it in the global Game (1.2 GiB), …": the three that hold most among the
// globals and the local variables of the functions that run, each with all that can be reached from
// it and not from one before; those that hold little are left out. Sizes are guesses from what is
// in tables. Looks at two million objects at most, about a second, with memory of the engine's.
void ct_lua_append_memory_holders(lua_State *L, ct_string_builder *out);
