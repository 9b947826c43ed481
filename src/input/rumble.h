// rumble.h: the motors of a pad, as levels and as effects that play for a while.
//
// A motor's level is what was set, plus all effects that play on it, from 0 to 1. An effect rises
// to its attack level, falls to its sustain level, stays there and fades out; a frequency makes it
// swing. Nothing here knows hardware: the app gives the levels to the pad once a frame. Update
// thread.
#pragma once
#include "foundation/types.h"

enum {
    CT_RUMBLE_NUM_MOTORS = 2,   // "left" is the heavy one, "right" the light one
    CT_RUMBLE_MAX_EFFECTS = 16, // that play on a motor at once
};

// Times in seconds (not negative), levels from 0 to 1, frequency in Hz.
typedef struct ct_rumble_effect {
    float attack, attack_level; // rises to this level in this time
    float decay, sustain_level; // then falls (or rises) to this one
    float sustain;              // and stays so long
    float release;              // and fades to 0
    float frequency;            // swings so often between `offset` and the level; 0: does not
    float offset;               // the part of the level that a swing keeps, 0 to 1
} ct_rumble_effect;

typedef struct ct_rumble_playing {
    ct_rumble_effect effect;
    float age_seconds;
    uint32_t id; // 0: the place is free
} ct_rumble_playing;

// The motors of one pad. Zeroed is a valid one at rest.
typedef struct ct_rumble {
    float levels[CT_RUMBLE_NUM_MOTORS]; // as set
    ct_rumble_playing effects[CT_RUMBLE_NUM_MOTORS][CT_RUMBLE_MAX_EFFECTS];
    uint32_t last_id;
    bool is_off; // levels read as 0; effects go on
} ct_rumble;

// "left" and "right"; NULL for other numbers. The number of a name, or -1.
const char *ct_rumble_motor_name(uint32_t motor);
int32_t ct_rumble_motor_id(const char *name);

// The level of an effect at an age; 0 before it begins and after it ended.
float ct_rumble_effect_level(const ct_rumble_effect *effect, float age_seconds);

// Starts an effect; the oldest one ends when too many play. Returns its id, never 0.
uint32_t ct_rumble_play(ct_rumble *r, uint32_t motor, const ct_rumble_effect *effect);

// True while it plays. Ids of other motors or of long ago do not.
bool ct_rumble_is_playing(const ct_rumble *r, uint32_t motor, uint32_t id);

// Ends one effect (an unknown id is fine), or all of a motor.
void ct_rumble_stop(ct_rumble *r, uint32_t motor, uint32_t id);
void ct_rumble_stop_all(ct_rumble *r, uint32_t motor);

// Lets time pass; effects that are over end.
void ct_rumble_advance(ct_rumble *r, float seconds);

// What the motor is to do now, from 0 to 1.
float ct_rumble_level(const ct_rumble *r, uint32_t motor);
