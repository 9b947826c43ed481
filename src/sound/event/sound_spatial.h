// sound_spatial.h: how loud and from where a source is heard. Pure functions; any thread.
//
// World space: metres, right-handed, Z up; a listener looks along its Y axis, X is to its right.
#pragma once
#include "foundation/math/math_types.h"
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

// Returns what one listener hears.
//
// Gains have equal power: their squares add up to that of attenuation, cone and occlusion together,
// whatever the direction: cos and sin of (1 + pan) * 45 degrees. Pan is the sine of the direction to
// the right, so that what is behind sounds as in front; spread draws it to the middle. What is not
// spatial has gains of 1. Decibels of the cone rise linearly with the angle, from none at half of the
// inner angle; those of occlusion with the share of blocked rays, while the logarithm of the low-pass
// frequency falls. Doppler after (c + listener) / (c + source), along the line between them, at most a
// factor of 4 either way. At the place of the listener there is no direction: pan 0, angle 0, pitch 1.
ct_sound_heard ct_sound_hear(const ct_sound_spatial *s, const ct_sound_listener *listener,
                             const ct_sound_emitter *source);

// Returns what the one of `count` listeners hears that hears it loudest; of two that hear it as loud,
// the nearer. Without listeners: as at the source, and nothing is between.
ct_sound_heard ct_sound_hear_loudest(const ct_sound_spatial *s, const ct_sound_listener *listeners,
                                     uint32_t count, const ct_sound_emitter *source);

// Returns the factor at a distance (m); 1 for CURVE.
float ct_sound_attenuation_at(const ct_sound_spatial *s, float distance);
