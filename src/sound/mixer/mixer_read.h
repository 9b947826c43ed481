// mixer_read.h: reads frames of sounds as floats, and resamples them.
//
// Channels are apart. A frame between two others is on the cubic through its four neighbours
// (Hermite, with slopes as Catmull and Rom's); where a sound is read frame for frame, it is copied.
#pragma once
#include "sound/mixer/mixer_motion.h"

enum {
    CT_MIXER_MARGIN = 8, // frames before the first one and after the last one that are read, too
    // Most frames of a sound that a block needs: its steps, and neighbours.
    CT_MIXER_SOURCE_FRAMES = CT_MIXER_BLOCK * 8 + 8 + 2 * CT_MIXER_MARGIN,
    CT_MIXER_AHEAD_FRAMES = CT_MIXER_SOURCE_FRAMES, // of the next block, which a stream must have
};

// Where frames are read to.
typedef struct ct_mixer_source {
    float frames[CT_MIXER_CHANNELS][CT_MIXER_SOURCE_FRAMES];
    float softened[2][CT_MIXER_SOURCE_FRAMES];
    float streamed[CT_MIXER_CHANNELS * (CT_MIXER_SOURCE_FRAMES + CT_MIXER_AHEAD_FRAMES)];
} ct_mixer_source;

// Reads `count` frames of a sound in memory, from `first` (counted on) on, to `out`: one array for each
// channel. Frames before the first and from the end of the region on are silent.
void ct_mixer_read_memory(const ct_sound_media *media, const ct_mixer_region *region, int64_t first,
                          uint32_t count, float *const *out);

// Takes high notes out of a channel that is read so fast that they would come back as wrong low ones.
// Returns `frames` while its steps are below 1.25, else one of `softened`. Frames nearer than 7 to the
// start and the end are not as they should be.
const float *ct_mixer_soften(const ct_mixer_motion *v, const float *frames, uint32_t count,
                             float softened[2][CT_MIXER_SOURCE_FRAMES]);

// Resamples a channel for `count` frames of output; `first` is the number of the frame source[0]. The
// frames from one before the position to two after the last one must be there. `out` has room for
// `count` rounded up to 4.
void ct_mixer_resample(const ct_mixer_motion *v, uint64_t first, const float *source,
                       uint32_t count, float *out);

// Adds `count` frames to `out`, each multiplied by a factor that moves in a line: from `from` before
// frame 0 of the block by `step` for each frame; `first` is the frame of the block of in[0].
void ct_mixer_add(float *out, const float *in, uint32_t first, uint32_t count, float from,
                  float step);
