// api_lifetime.h: how worlds end that Lua knows.
//
// The table of engine objects (lua/lua_machine.h) is the one list of them, and says by their types
// what belongs to what. A world ends with all that belongs to it; what is left ends with the
// environment.
#pragma once
#include "script/script_private.h"

// Ends a world with all in it and all that belongs to it.
void ct_script_end_world(lua_State *L, ct_world *world);

// Ends all worlds, and what Lua made and did not end. Before the Lua state closes.
void ct_script_api_shutdown(ct_script *s);
