// api_input.h: the functions of the module Input, from two files: events and actions.
#pragma once
#include "lua/lua_module.h"

// The list of a frame's events, and adding to it (api_input_events.c).
int ct_api_input_event_queue(lua_State *L);
int ct_api_input_add_remote_events(lua_State *L);
int ct_api_input_last_device(lua_State *L);

// Actions (api_input_actions.c).
int ct_api_input_actions(lua_State *L);
int ct_api_input_bind(lua_State *L);
int ct_api_input_bindings(lua_State *L);
int ct_api_input_captured(lua_State *L);
int ct_api_input_control_name(lua_State *L);
int ct_api_input_held(lua_State *L);
int ct_api_input_is_active(lua_State *L);
int ct_api_input_pressed(lua_State *L);
int ct_api_input_released(lua_State *L);
int ct_api_input_reset(lua_State *L);
int ct_api_input_save(lua_State *L);
int ct_api_input_set_active(lua_State *L);
int ct_api_input_sets(lua_State *L);
int ct_api_input_start_capture(lua_State *L);
int ct_api_input_stop_capture(lua_State *L);
int ct_api_input_unbind(lua_State *L);
int ct_api_input_value(lua_State *L);
