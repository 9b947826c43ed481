// mixer_reverb.h: a room's reverberation, as a network of eight delay lines that feed each other.
//
// After J.-M. Jot and A. Chaigne, "Digital delay networks for designing artificial reverberators"
// (1991): a matrix that keeps energy mixes the lines, the gain of each follows from its length and the
// time in which the room falls by 60 dB, and a filter of one pole in each shortens that for high
// notes. Memory is fixed when it is made.
#pragma once
#include "sound/mixer/sound_mixer.h"

typedef struct ct_mixer_reverb ct_mixer_reverb;

// Makes one for a room; `seconds` and `damping` are where it begins.
ct_mixer_reverb *ct_mixer_reverb_create(ct_allocator *a, const ct_sound_reverb *room);
void ct_mixer_reverb_destroy(ct_mixer_reverb *r, ct_allocator *a);

// Returns whether a room has the same delays: then this one can go on with it.
bool ct_mixer_reverb_fits(const ct_mixer_reverb *r, const ct_sound_reverb *room);

// Sets width and dry of a room that fits; they move there over the next block.
void ct_mixer_reverb_set(ct_mixer_reverb *r, const ct_sound_reverb *room);

// Puts a block through it, in place. Time and damping move over the block. At 0 seconds all passes
// beside.
void ct_mixer_reverb_block(ct_mixer_reverb *r, float seconds, float damping, float *left,
                           float *right);

// Lets a new one take the place of another (NULL: of none) in a bus that sounds: it fades in over the
// next block.
void ct_mixer_reverb_follow(ct_mixer_reverb *r, const ct_mixer_reverb *before);

// Makes it silent.
void ct_mixer_reverb_clear(ct_mixer_reverb *r);

// Returns whether all that it would put out for silence is silent.
bool ct_mixer_reverb_is_quiet(const ct_mixer_reverb *r);
