// api_unit_physics.h: functions of Unit for actors (api_unit_actors.c) and movers (api_unit_movers.c).
#pragma once
#include <lua.h>

int ct_unit_actor(lua_State *L);
int ct_unit_create_actor(lua_State *L);
int ct_unit_destroy_actor(lua_State *L);
int ct_unit_disable_physics(lua_State *L);
int ct_unit_enable_physics(lua_State *L);
int ct_unit_find_actor(lua_State *L);
int ct_unit_num_actors(lua_State *L);

int ct_unit_find_mover(lua_State *L);
int ct_unit_mover(lua_State *L);
int ct_unit_mover_fits_at(lua_State *L);
int ct_unit_num_movers(lua_State *L);
int ct_unit_set_mover(lua_State *L);
