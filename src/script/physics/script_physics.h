// script_physics.h: what World.update does for physics in Lua, and what an environment keeps of it.
//
// After each step of a world, behaviours of units that touch something, or enter or leave a trigger,
// are called (script_physics_events.c), and then the functions of rays and overlaps that were asked
// for before (script_physics_pending.c). Update thread.
#pragma once
#include "script/script_private.h"

// Calls behaviours for the events of the world's last step, in their order: touch_begin,
// touch_persist, touch_end, trigger_enter and trigger_leave of both units. Raises errors like
// ct_behaviours_dispatch.
void ct_script_send_physics_events(lua_State *L, ct_world *world);

// Does the queries of a world that wait, and calls their functions in the order of asking. Those
// that these ask for wait for the next step. Errors of the functions are logged. The world may have
// ended afterwards.
void ct_script_answer_pending(lua_State *L, const ct_world *world);

// Forgets a world that is about to end.
void ct_script_end_physics(lua_State *L, const ct_world *world);

// Gives `to`, a worker of `from`'s, the numbers that worlds have in handles of actors. Allocates only
// the first time.
void ct_script_copy_physics(ct_script *to, ct_script *from);

// Frees what is kept. All worlds have ended.
void ct_script_physics_shutdown(ct_script *s);
