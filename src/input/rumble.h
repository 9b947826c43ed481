// rumble.h: the motors of a pad, as levels and as effects that play for a while.
//
// A motor's level is the level that was set, plus all effects that play on it, from 0 to 1. An
// effect rises to its attack level, falls to its sustain level, stays there and fades out; a
// frequency makes it swing. This module does not touch the hardware: the app gives the levels to
// the pad once a frame. A motor's number is below CT_RUMBLE_NUM_MOTORS. Update thread.
#pragma once
#include "foundation/types.h"

enum {
    CT_RUMBLE_NUM_MOTORS = 2,   // "left" is the heavy one, "right" the light one
    CT_RUMBLE_MAX_EFFECTS = 16, // on one motor at once
};

// Times in seconds (not negative), levels from 0 to 1, frequency in Hz.
typedef struct ct_rumble_effect {
    float attack, attack_level; // rises to this level in this time
    float decay, sustain_level; // then falls (or rises) to this one
    float sustain;              // then stays there for this time
    float release;              // then fades to 0 in this time
    float frequency;            // of swings between `offset` and the level; 0: no swings
    float offset;               // the part of the level that a swing keeps, 0 to 1
} ct_rumble_effect;

typedef struct ct_rumble_playing {
    ct_rumble_effect effect;
    float age_seconds;
    uint32_t id; // 0: the place is free
} ct_rumble_playing;

// The motors of one pad. Zeroed: at rest.
typedef struct ct_rumble {
    float levels[CT_RUMBLE_NUM_MOTORS]; // as set
    ct_rumble_playing effects[CT_RUMBLE_NUM_MOTORS][CT_RUMBLE_MAX_EFFECTS];
    uint32_t last_id;
    bool is_off; // levels read as 0; effects still advance
} ct_rumble;

// Returns "left" or "right"; NULL for other numbers.
const char *ct_rumble_motor_name(uint32_t motor);

// Returns the number of the motor of this name, or -1.
int32_t ct_rumble_motor_id(const char *name);

// Returns the level of an effect at an age; 0 before it begins and after it ended.
float ct_rumble_effect_level(const ct_rumble_effect *effect, float age_seconds);

// Starts an effect, which is copied, and returns its id, never 0. Ends the oldest effect of the
// motor when CT_RUMBLE_MAX_EFFECTS play already.
uint32_t ct_rumble_play(ct_rumble *r, uint32_t motor, const ct_rumble_effect *effect);

// Returns true while the effect plays on this motor.
bool ct_rumble_is_playing(const ct_rumble *r, uint32_t motor, uint32_t id);

// Ends one effect; an unknown id does nothing.
void ct_rumble_stop(ct_rumble *r, uint32_t motor, uint32_t id);

// Ends all effects of a motor. The level that was set stays.
void ct_rumble_stop_all(ct_rumble *r, uint32_t motor);

// Advances all effects by `seconds`; effects that are over end.
void ct_rumble_advance(ct_rumble *r, float seconds);

// Returns the level to send to the motor now, from 0 to 1.
float ct_rumble_level(const ct_rumble *r, uint32_t motor);
