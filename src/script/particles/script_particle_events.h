// script_particle_events.h: ends of particle effects, to behaviours.
#pragma once
#include "script/script_private.h"

// Calls `particles_ended(self, effect)` of the behaviours of entities whose linked effects, or those
// of whose components, ended by themselves in the world's last step. Raises errors like
// ct_behaviours_dispatch.
void ct_script_send_particle_events(lua_State *L, ct_world *world);
