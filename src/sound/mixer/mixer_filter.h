// mixer_filter.h: low-pass filters of two poles whose frequency may change with each frame.
//
// State variable filters with trapezoidal integrators: after V. Zavalishin, "The Art of VA Filter
// Design", and A. Simper, "Solving the continuous SVF equations using trapezoidal integration". They
// are stable however fast the frequency moves. Butterworth.
#pragma once
#include "sound/mixer/sound_mixer.h"

typedef struct ct_mixer_filter {
    float band, low; // what its two integrators hold
} ct_mixer_filter;

// Filters of some channels. Open ones let everything through and cost nothing.
typedef struct ct_mixer_low_pass {
    float hz;    // at the end of the last block
    float slope; // g, for it
    bool is_open;
    ct_mixer_filter filters[CT_MIXER_CHANNELS];
} ct_mixer_low_pass;

// Sets a frequency at once. CT_SOUND_OPEN_HZ and more is open.
void ct_mixer_low_pass_reset(ct_mixer_low_pass *f, float hz);

// Filters `count` frames from frame `first` of a block on, in place; the frequency moves to `hz` over
// the block. A filter that opens or closes is faded over by what it gets.
void ct_mixer_low_pass_block(ct_mixer_low_pass *f, float hz, float *const *channels,
                             uint32_t num_channels, uint32_t first, uint32_t count);
