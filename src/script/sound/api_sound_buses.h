// api_sound_buses.h: functions of SoundWorld for buses and snapshots (api_sound_buses.c).
#pragma once
#include <lua.h>

int ct_sound_world_bus_peak(lua_State *L);
int ct_sound_world_bus_volume(lua_State *L);
int ct_sound_world_set_bus_volume(lua_State *L);
int ct_sound_world_set_snapshot(lua_State *L);
int ct_sound_world_snapshot(lua_State *L);
