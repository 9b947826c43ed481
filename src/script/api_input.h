// api_input.h: the functions of the module Input, which stand in two files: events, and actions.
#pragma once
#include "script/script_module.h"

// The list of a frame's events, and feeding it (api_input_events.c).
int ct_api_input_event_queue(lua_State *L);
int ct_api_input_add_remote_events(lua_State *L);
int ct_api_input_last_device(lua_State *L);
