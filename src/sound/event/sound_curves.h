// sound_curves.h: what the curves of events give for parameters. Pure functions; any thread.
#pragma once
#include "resource/types/sound_event_resource.h"
#include "sound/event/sound_parameters.h"

// Where curves find parameters: the instance's set, then the global one, then the built-in ones.
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

// Levels that change nothing; `send` is silent and the first SEND value starts from 0 dB.
ct_sound_levels ct_sound_levels_neutral(void);

// Returns y of a curve at x.
float ct_sound_curve_at(const ct_sound_event_resource *e, const ct_sound_curve *curve, float x);

// Adds a value to levels.
void ct_sound_levels_add(ct_sound_levels *levels, ct_sound_target target, float value);

// Adds all curves of a leaf (a SOUND node) to levels.
void ct_sound_levels_add_curves(ct_sound_levels *levels, const ct_sound_event_resource *e,
                                const ct_sound_node *leaf, const ct_sound_scope *scope);

// Returns the factor for dB: 0 from CT_SOUND_SILENCE_DB down.
float ct_sound_gain_of_db(float db);

// Returns the factor of the pitch for semitones.
float ct_sound_pitch_of_semitones(float semitones);
