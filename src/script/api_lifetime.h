// api_lifetime.h: ends worlds that Lua knows.
//
// The table of engine objects (lua/lua_machine.h) is the only list of them; their types define
// which object owns which. A world ends with everything that belongs to it; the rest ends with the
// environment.
#pragma once
#include "script/script_private.h"

// Ends a world with everything in it and everything that belongs to it.
void ct_script_end_world(lua_State *L, ct_world *world);

// Ends all worlds, and everything that Lua made and did not end. Call it before the Lua state
// closes.
void ct_script_api_shutdown(ct_script *s);
