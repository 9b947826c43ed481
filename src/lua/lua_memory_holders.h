// lua_memory_holders.h: finds the largest holders of Lua's memory.
#pragma once
#include <lua.h>

#include "foundation/string/string_builder.h"

// Appends "; most of it in the global Game (1.2 GiB), …": the three largest holders among the
// globals and the local variables of running functions, each with everything reachable from it and
// not from an earlier one. Small holders are left out. Sizes are estimates from the contents of
// tables. Visits at most two million objects, which takes about a second, and uses the engine's
// memory.
void ct_lua_append_memory_holders(lua_State *L, ct_string_builder *out);
