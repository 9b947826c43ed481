// api_sound.h: sounds of worlds in Lua: what its modules share.
//
// An instance is a whole number. One that has ended is stale: functions do nothing with it, nor with nil,
// which play returns where an event may not start. Functions
// that check raise a Lua error, which names function and argument, and do not return.
#pragma once
#include "script/api_check.h"

// Returns what the sounds of all worlds share; raises an error when worlds have no sound.
ct_sound_system *ct_check_sound(lua_State *L);

// Returns the components and links of the sounds of a world; raises an error when worlds have no sound.
ct_sound_source_components *ct_check_sounds(lua_State *L, const ct_world *world);

// Returns an instance, which may be stale; {0} for nil.
ct_sound_instance ct_check_sound_instance(lua_State *L, int argument);

// Returns an instance that plays in the world of `m` or is stale; raises an error for one of another
// world.
ct_sound_instance ct_check_sound_instance_of(lua_State *L, int argument,
                                             const ct_sound_source_components *m);

// Pushes an instance that was just started and returns 1; nil for {0}.
int ct_push_sound_instance(lua_State *L, ct_sound_instance instance);

// What numbers from scripts may be: metres from the origin, factors of volumes, and of pitches: those
// of the mixer.
#define CT_SOUND_REACH 1e7
#define CT_SOUND_MOST_FACTOR 16
#define CT_SOUND_LEAST_PITCH ((double)CT_MIXER_MIN_STEP)
#define CT_SOUND_MOST_PITCH ((double)CT_MIXER_MAX_STEP)

// Returns a position within CT_SOUND_REACH metres of the origin.
ct_vec3 ct_check_sound_position(lua_State *L, int argument);

// Returns seconds of a fade; `otherwise` when the argument is absent.
float ct_check_fade(lua_State *L, int argument, float otherwise);

// Returns a parameter of the name at `argument` with the value behind it, a number or a string, which
// the event must declare as such. `event` NULL: it is not loaded, and declares all.
ct_sound_source_parameter ct_check_sound_parameter(lua_State *L, int argument,
                                                   const ct_sound_event_resource *event);

// Returns such a parameter from a table at `argument`, whose key and value are on top of the stack.
ct_sound_source_parameter ct_check_sound_member(lua_State *L, int argument,
                                                const ct_sound_event_resource *event);

// Applies the volumes of buses that are in the player's settings.
void ct_script_apply_sound_volumes(lua_State *L);

// --- Functions of SoundWorld (api_sound_play.c) --------------------------------------------------

int ct_sound_world_play(lua_State *L);
int ct_sound_world_transition(lua_State *L);
