// sound_curves.h: what the curves of events give for parameters. Pure functions; any thread, as long
// as no other one sets parameters meanwhile.
#pragma once
#include "resource/types/sound_event_resource.h"
#include "sound/event/sound_parameters.h"

// Where curves find parameters: the instance's set, then the global one, then the built-in ones. What is
// in none of them is as the event declares it.
typedef struct ct_sound_scope {
    const ct_sound_parameters *parameters;
    ct_sound_parameter_set instance, global;
    float built_in[CT_SOUND_BUILT_IN_COUNT];
} ct_sound_scope;

// What the values of a path give together.
typedef struct ct_sound_levels {
    float volume;   // dB
    float gain;     // factor
    float pitch;    // semitones
    float low_pass; // Hz
    float send;     // dB; CT_SOUND_SILENCE_DB: nothing is sent
} ct_sound_levels;

// Returns levels that change nothing; `send` is silent, and the first SEND value replaces it.
static inline ct_sound_levels ct_sound_levels_neutral(void) {
    return (ct_sound_levels){.gain = 1, .low_pass = CT_SOUND_OPEN_HZ, .send = CT_SOUND_SILENCE_DB};
}

// Whether the engine sets a parameter with this key.
bool ct_sound_is_built_in(ct_string_id32 key);

// Finds a parameter in the sets of `scope`, then among the built-in ones, which are numbers. Returns
// false and leaves `value` unchanged when there is none.
bool ct_sound_scope_find(const ct_sound_scope *scope, ct_string_id32 key,
                         ct_sound_parameter_value *value);

// Returns y of a curve at x: that of the first point below it, of the last one above it. NaN counts as
// below. The same time for all curves of up to 8 points.
float ct_sound_curve_at(const ct_sound_event_resource *e, const ct_sound_curve *curve, float x);

// Adds a value to levels, as ct_sound_target says.
void ct_sound_levels_add(ct_sound_levels *levels, ct_sound_target target, float value);

// Adds all curves of a leaf (a SOUND node) of a valid event to levels.
void ct_sound_levels_add_curves(ct_sound_levels *levels, const ct_sound_event_resource *e,
                                const ct_sound_node *leaf, const ct_sound_scope *scope);

// Return the factor of the gain for dB, 0 from CT_SOUND_SILENCE_DB down (and for NaN), and the factor of
// the pitch for semitones. At most 1.5 millionths of it off from -96 to 96; exact for 0. The result is
// always finite.
float ct_sound_gain_of_db(float db);
float ct_sound_pitch_of_semitones(float semitones);
