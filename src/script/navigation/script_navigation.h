// script_navigation.h: what World.update does for navigation in Lua, and what an environment keeps of
// it.
//
// After each step of a world, behaviours of units whose agents arrived, failed, started a link or are
// stuck are called (script_navigation_events.c); then the functions of paths that were answered, in the
// order of asking (script_navigation_queries.c). Update thread.
#pragma once
#include "script/navigation/api_navigation.h"

// Calls behaviours for the agents' events of the world's last step, in their order. Raises errors like
// ct_behaviours_dispatch.
void ct_script_send_navigation_events(lua_State *L, ct_world *world);

// Calls the functions of the world's paths that were answered, or whose mesh is gone: their status is
// "over" then. Errors of the functions are logged. Ends handles of meshes that are gone. The world may
// have ended afterwards.
void ct_script_answer_paths(lua_State *L, ct_world *world);

// Forgets a world that is about to end: its functions are not called.
void ct_script_end_navigation(lua_State *L, const ct_world *world);

// Frees what is kept. All worlds have ended.
void ct_script_navigation_shutdown(ct_script *s);
