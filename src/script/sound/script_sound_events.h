// script_sound_events.h: markers and ends of sounds, to behaviours.
#pragma once
#include "script/script_private.h"

// Calls `sound_marker(self, instance, name)` and `sound_ended(self, instance)` of the behaviours of
// entities for what happened in the world's last step to the instances that are linked to them, or that
// their components play. `name` is an IdString32. Raises errors like ct_behaviours_dispatch.
void ct_script_send_sound_events(lua_State *L, ct_world *world);
