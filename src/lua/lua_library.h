// lua_library.h: checks that Lua is the library that the engine was built with.
//
// libcuttle uses the shared LuaJIT, and its functions have the names of every other Lua's: where the
// program has linked one of these first, the loader takes that one for both.
#pragma once
#include "foundation/types.h"

// Returns whether the functions of Lua are those of LuaJIT. Otherwise fills `error`, which names the
// library that they are of. Any thread.
bool ct_lua_library_check(ct_error *error);
