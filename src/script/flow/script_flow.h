// script_flow.h: Flow and Lua: values between them, and what graphs call.
#pragma once
#include "flow/flow.h"
#include "script/script_private.h"

// Raises an error about `argument`, a world, while an event of its flow graphs runs: it can then neither
// advance nor end.
void ct_check_no_flow_event(lua_State *L, int argument, const ct_world *w);

// Lets the nodes of the system call this environment's Lua.
void ct_script_connect_flow(ct_script *s, ct_flow_system *flow);

// Pushes a value of Flow: a boolean, a number, a Vector3, a Quaternion, a string, an IdString64, a Unit
// or an Entity. Pushes nil for other types.
void ct_push_flow_value(lua_State *L, ct_flow_type type, const ct_flow_value *value,
                        const char *text);

// Raises the error about `argument` when it is not of `type`; otherwise sets the value, unless `type` is
// STRING, for which it returns the text.
const char *ct_check_flow_value(lua_State *L, int argument, ct_flow_type type,
                                ct_flow_value *value);

// --- Events and variables of instances (api_flow.c) ----------------------------------------------

// Start an external in event of an instance of a world, push a variable, or set one to the value behind
// its name; the name is at `argument`. Return the number of results. Raise errors about the arguments.
int ct_start_flow_event(lua_State *L, ct_world *w, ct_flow_instance i, int argument);
int ct_push_flow_variable(lua_State *L, ct_world *w, ct_flow_instance i, int argument);
int ct_take_flow_variable(lua_State *L, ct_world *w, ct_flow_instance i, int argument);

// --- Functions of Unit and Level (api_flow.c) ----------------------------------------------------

int ct_unit_flow_event(lua_State *L);
int ct_unit_flow_variable(lua_State *L);
int ct_unit_set_flow_variable(lua_State *L);
int ct_levels_flow_variable(lua_State *L);
int ct_levels_set_flow_variable(lua_State *L);
int ct_levels_trigger_event(lua_State *L);
