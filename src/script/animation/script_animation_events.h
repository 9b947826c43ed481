// script_animation_events.h: events of characters to behaviours, their names, and the log of state
// machines.
//
// Events come out of clips and states as ids. After each step of a world, `animation_event(self,
// event, time)` is called of the behaviours of the character's entity, in the order of the manager
// and then of time. The texts of ids are looked up once in the loaded clips and state machines, and
// kept in a Lua table. Update thread.
#pragma once
#include "script/script_private.h"

// Calls the behaviours of characters for the events of the world's last step, and logs what
// happened to those that are logged. Raises errors like ct_behaviours_dispatch.
void ct_script_send_animation_events(lua_State *L, ct_world *world);

// Pushes the text of an event or a state; "#5e43bd96" when no loaded resource has it.
void ct_push_animation_name(lua_State *L, ct_string_id32 name);

// Starts or stops the log of a character's state machine.
void ct_script_set_animation_logging(lua_State *L, ct_entity e, bool is_on);

// Logs an event that was sent to a character's state machine, when it is logged.
void ct_script_log_animation_event(lua_State *L, ct_entity e, ct_string_id32 event);
