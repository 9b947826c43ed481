// api_actor_box.h: boxes of actors in Lua.
#pragma once
#include <lua.h>

// Gives boxes their metatable.
void ct_script_open_actor_boxes(lua_State *L);
