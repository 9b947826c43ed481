// sound_spatial.h: how loud and from where a source is heard. Pure functions; any thread.
//
// World space: metres, right-handed, Z up; a listener looks along its Y axis, X is to its right.
#pragma once
#include "foundation/math/math.h"
#include "resource/types/sound_event_resource.h"

#define CT_SPEED_OF_SOUND 343.3f // m/s, in air at 20 degrees Celsius

typedef struct ct_sound_listener {
    ct_vec3 position;
    ct_quat rotation;
    ct_vec3 velocity; // m/s
} ct_sound_listener;

typedef struct ct_sound_emitter {
    ct_vec3 position;
    ct_vec3 forward; // length 1
    ct_vec3 velocity;
    float occlusion; // 0 to 1
} ct_sound_emitter;

typedef struct ct_sound_heard {
    float gains[2]; // left, right
    float pitch;    // Doppler
    float low_pass; // Hz
    float distance; // m
    float angle;    // degrees, between the source's forward axis and the listener
} ct_sound_heard;

// What one listener hears. Equal power: the squares of the gains add up to that of the attenuation,
// whatever the direction. Pan is the sine of the direction to the right, so that what is behind sounds
// as in front. Doppler after (c + listener) / (c + source), along the line between them, at most a
// factor of 4 either way.
ct_sound_heard ct_sound_hear(const ct_sound_spatial *s, const ct_sound_listener *listener,
                             const ct_sound_emitter *source);

// What the one of `count` listeners hears that hears it loudest. Without listeners: as at the source.
ct_sound_heard ct_sound_hear_loudest(const ct_sound_spatial *s, const ct_sound_listener *listeners,
                                     uint32_t count, const ct_sound_emitter *source);

// Returns the factor at a distance; 1 for CURVE.
float ct_sound_attenuation_at(const ct_sound_spatial *s, float distance);
