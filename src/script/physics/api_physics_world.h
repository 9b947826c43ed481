// api_physics_world.h: functions of PhysicsWorld outside the file of its table (api_physics_world.c).
#pragma once
#include <lua.h>

// --- api_raycast.c -------------------------------------------------------------------------------

int ct_physics_make_raycast(lua_State *L);

// --- api_physics_bulk.c --------------------------------------------------------------------------

int ct_physics_raycast_many(lua_State *L);

// --- api_physics_spawn.c -------------------------------------------------------------------------

int ct_physics_spawn_box(lua_State *L);
int ct_physics_spawn_plane(lua_State *L);
int ct_physics_spawn_sphere(lua_State *L);

// --- script_physics_events.c ---------------------------------------------------------------------

int ct_physics_events(lua_State *L);
