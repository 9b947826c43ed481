// api_level.h: functions of the module Level outside the file of its table (api_level.c).
#pragma once
#include "script/api_check.h"

// --- api_level_members.c: volumes, splines and markers -------------------------------------------

int ct_levels_draw_members(lua_State *L);
int ct_levels_has_marker(lua_State *L);
int ct_levels_has_spline(lua_State *L);
int ct_levels_has_volume(lua_State *L);
int ct_levels_is_point_inside_volume(lua_State *L);
int ct_levels_markers(lua_State *L);
int ct_levels_splines(lua_State *L);
int ct_levels_volumes(lua_State *L);
int ct_levels_marker_pose(lua_State *L);
int ct_levels_next_random_point_inside_volume(lua_State *L);
int ct_levels_num_splines(lua_State *L);
int ct_levels_random_point_inside_volume(lua_State *L);
int ct_levels_spline(lua_State *L);
int ct_levels_spline_by_index(lua_State *L);
int ct_levels_spline_length(lua_State *L);
int ct_levels_spline_nearest(lua_State *L);
int ct_levels_spline_point(lua_State *L);
int ct_levels_volume_box(lua_State *L);
