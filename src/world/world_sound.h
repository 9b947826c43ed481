// world_sound.h: what sounds of a world meet: walls between them and listeners, and rooms with reverb.
//
// Occlusion: from the nearest listener, CT_WORLD_SOUND_RAYS rays go to points around a source, up to
// its radius away from it; what share of them hits bodies of the world's physics is how much is
// hidden. A body that makes a sound does not hide it as long as it is smaller than the radius.
//
// Reverb: of all volumes of spawned levels that have a `reverb`, and all listeners, the strongest
// counts: all of it inside, less and less up to the volume's fade distance. What the world sends to
// the reverb of the place follows within CT_WORLD_SOUND_FADE seconds. Update thread.
#pragma once
#include "world/world.h"

enum { CT_WORLD_SOUND_RAYS = 5 };

#define CT_WORLD_SOUND_FADE 0.5f // seconds from nothing to all

// A ct_sound_occlude whose `user` is the world.
void ct_world_occlude_sounds(void *user, ct_vec3 listener, const ct_vec3 *sources,
                             const float *radii, uint32_t count, float *occlusion);

// Returns the factor that volumes give for listeners at `positions`; 0 where no volume reaches.
float ct_world_reverb_at(const ct_world *w, const ct_vec3 *positions, uint32_t count);

// Sends to the reverb of the place as volumes say, in a step of `dt` seconds.
void ct_world_send_to_reverb(ct_world *w, double dt);

// Sets how much of the world's sounds goes to the reverb of the place, as a factor, in place of what
// volumes in levels say; without `has_own`, volumes say it again. Fades there.
void ct_world_set_reverb(ct_world *w, bool has_own, float gain);
