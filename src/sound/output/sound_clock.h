// sound_clock.h: the pace of outputs without a device: blocks are due as time goes on.
//
// When nothing is written for a while (a debugger, a long load), the blocks of that time are
// dropped.
#pragma once
#include "foundation/types.h"

enum {
    CT_SOUND_CLOCK_LEAD = 2,       // blocks that are taken ahead of time
    CT_SOUND_CLOCK_MAX_BEHIND = 8, // blocks
};

typedef struct ct_sound_clock {
    uint64_t start_ns;
    uint64_t num_written; // blocks since then
} ct_sound_clock;

// Starts the clock at `now_ns` (ct_os_time_ns).
void ct_sound_clock_start(ct_sound_clock *c, uint64_t now_ns);

// Returns how many blocks are due at `now_ns`: at most CT_SOUND_CLOCK_MAX_BEHIND.
uint32_t ct_sound_clock_due(ct_sound_clock *c, uint64_t now_ns);

// Counts a block as written.
void ct_sound_clock_write(ct_sound_clock *c);
