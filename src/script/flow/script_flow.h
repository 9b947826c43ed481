// script_flow.h: Flow and Lua: values between them, and what graphs call.
#pragma once
#include "flow/flow.h"
#include "script/script_private.h"

// Raises an error about `argument`, a world, while an event of its flow graphs runs: it can then neither
// advance nor end.
void ct_check_no_flow_event(lua_State *L, int argument, const ct_world *w);

// Lets the nodes of the system call this environment's Lua.
void ct_script_connect_flow(ct_script *s, ct_flow_system *flow);

// --- Values --------------------------------------------------------------------------------------

// Pushes the value of Flow at a place: a boolean, a number, a Vector3, a Quaternion, a string (`text`), an
// IdString64, a Unit, or a part of one: an Actor, a Camera, a Light, a Material, a Mesh or a Mover.
// Pushes nil for no unit and no part, for a part that has been destroyed, and for type EVENT.
void ct_push_flow_value(lua_State *L, const ct_world *world, ct_flow_type type, const void *place,
                        const char *text);

// Reads the value at `index` as one of `type`; units and parts must be alive and of this world, nil and false
// are no unit and no part. Of STRING sets `text`, borrowed from Lua, which is short enough for Flow. Returns
// false when it is something else. Raises no error.
bool ct_read_flow_value(lua_State *L, int index, const ct_world *world, ct_flow_type type,
                        ct_flow_value *value, const char **text);

// Returns what ct_read_flow_value expects, for messages: "number".
const char *ct_flow_value_in_lua(ct_flow_type type);

// Same as ct_read_flow_value, but raises the error about `argument`. Returns the text of STRING,
// and leaves the value then.
const char *ct_check_flow_value(lua_State *L, int argument, const ct_world *world,
                                ct_flow_type type, ct_flow_value *value);

// --- Nodes in Lua (script_flow_node.c) -----------------------------------------------------------

// Pushes the function of a name such as "MyGame.open_door", or raises an error.
void ct_push_flow_function(lua_State *L, const char *name);

// The `call_node` of ct_flow_lua; `user` is the ct_script.
uint32_t ct_script_call_node(void *user, ct_flow_call *c, const ct_flow_used_type *type,
                             uint32_t event);

// Runs `function` with `data` (ct_lua_run) for a node. Returns false after logging its error as one of the node,
// with Lua's traceback.
bool ct_script_run_node(ct_script *s, ct_flow_call *c, lua_CFunction function, void *data);

// --- Events and variables of instances (api_flow.c) ----------------------------------------------

// Start an external in event of an instance of a world, push a variable, or set one to the value behind
// its name; the name is at `argument`. Return the number of results. Raise errors about the arguments.
int ct_start_flow_event(lua_State *L, ct_world *w, ct_flow_instance i, int argument);
int ct_push_flow_variable(lua_State *L, ct_world *w, ct_flow_instance i, int argument);
int ct_take_flow_variable(lua_State *L, ct_world *w, ct_flow_instance i, int argument);

// --- Events (script_flow_events.c) ---------------------------------------------------------------

// The `unit_event` and `level_event` of ct_flow_lua: call `flow_event(self, name)` of the unit's behaviours,
// or `level_event(self, level, name)` of all behaviours of the world. `user` is the ct_script. Errors are
// logged.
void ct_script_send_unit_event(void *user, ct_world *w, ct_entity unit, const char *name);
void ct_script_send_level_event(void *user, ct_world *w, ct_level level, const char *name);

// --- Functions of Unit, Level and Application (api_flow.c) ---------------------------------------

int ct_unit_flow_event(lua_State *L);
int ct_unit_flow_variable(lua_State *L);
int ct_unit_set_flow_variable(lua_State *L);
int ct_levels_flow_variable(lua_State *L);
int ct_levels_set_flow_variable(lua_State *L);
int ct_levels_trigger_event(lua_State *L);
int ct_application_flow_entity(lua_State *L);
int ct_application_flow_level(lua_State *L);
int ct_application_flow_unit(lua_State *L);
int ct_application_flow_world(lua_State *L);
