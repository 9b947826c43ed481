// block_source.h: what tests of outputs play instead of a mixer's blocks.
#pragma once
#include "sound/mixer/sound_mixer.h"
#include "support/test_support.h"

enum { BLOCK_SAMPLES = CT_MIXER_BLOCK * CT_MIXER_CHANNELS };

// Fills a block with noise up to full scale, the same for each number.
static inline void make_block(uint32_t number, float block[BLOCK_SAMPLES]) {
    uint32_t random = number * 2654435761u + 1;
    for (uint32_t i = 0; i < BLOCK_SAMPLES; ++i)
        block[i] = (float)(int32_t)test_random(&random) / 2147483648.0f;
}
