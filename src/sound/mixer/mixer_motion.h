// mixer_motion.h: where a voice is in its sound: whole numbers only, so that a voice that is not heard
// moves to exactly the same places as one that is.
//
// Positions and steps are fixed point, 32.32, in frames of the sound. Positions count on over loops.
// Inside a block the step changes by the same amount with each frame, so that a position any number of
// frames ahead has a closed form. Pure functions; any thread.
#pragma once
#include "sound/mixer/sound_mixer.h"

#define CT_MIXER_ONE ((uint64_t)1 << 32)
#define CT_MIXER_NEVER UINT64_MAX

// What of a sound repeats, and where it ends.
typedef struct ct_mixer_region {
    uint32_t begin, length; // frames that repeat; length 0: none
    uint64_t end;           // 32.32, counted on; CT_MIXER_NEVER: it loops
} ct_mixer_region;

// Returns the region of a voice. With `loops` the loop of the sound repeats, else (or when it has none)
// all of it; the sound ends after `repeats` of them (0: never). A streamed sound repeats its own loop
// always: that is what its stream does.
static inline ct_mixer_region ct_mixer_region_of(const ct_sound_media *media, bool loops,
                                                 uint32_t repeats) {
    const bool has_loop = media->loop_begin < media->loop_end;
    const bool is_own = has_loop && (loops || (!media->samples && repeats != 1));
    const uint32_t begin = is_own ? media->loop_begin : 0;
    const uint32_t end =
        is_own && media->loop_end < media->num_frames ? media->loop_end : media->num_frames;
    const uint32_t length = end > begin && repeats != 1 ? end - begin : 0;
    const uint64_t frames = begin + (uint64_t)repeats * length;
    if (!length)
        return (ct_mixer_region){.begin = begin, .end = (uint64_t)end << 32};
    const bool is_endless = repeats == 0 || frames > INT32_MAX;
    return (ct_mixer_region){begin, length, is_endless ? CT_MIXER_NEVER : frames << 32};
}

// Returns the frame of the sound for a frame that is counted on.
static inline uint32_t ct_mixer_fold(const ct_mixer_region *r, uint64_t frame) {
    if (!r->length || frame < (uint64_t)r->begin + r->length)
        return (uint32_t)frame;
    return r->begin + (uint32_t)((frame - r->begin) % r->length);
}

// Returns the step of a sound of `rate` frames a second.
static inline uint64_t ct_mixer_step_of(float pitch, uint32_t rate) {
    const double step = (double)pitch * rate / CT_MIXER_RATE;
    if (!(step > (double)CT_MIXER_MIN_STEP)) // NaN, too
        return (uint64_t)(CT_MIXER_MIN_STEP * (float)CT_MIXER_ONE);
    if (step > (double)CT_MIXER_MAX_STEP)
        return (uint64_t)(CT_MIXER_MAX_STEP * (float)CT_MIXER_ONE);
    return (uint64_t)(step * (double)CT_MIXER_ONE + 0.5);
}

typedef struct ct_mixer_motion {
    uint64_t position;
    uint64_t step;        // at the end of the last block
    uint64_t step_target; // at the end of this one
} ct_mixer_motion;

// Returns by how much the step changes with each frame of a block.
static inline int64_t ct_mixer_slope(const ct_mixer_motion *v) {
    return ((int64_t)v->step_target - (int64_t)v->step) / CT_MIXER_BLOCK;
}

// Returns the position `frames` of output from now on, at most a block.
static inline uint64_t ct_mixer_position_after(const ct_mixer_motion *v, uint32_t frames) {
    const int64_t ramp = ct_mixer_slope(v) * (int64_t)(frames * (frames + 1) / 2);
    return v->position + frames * v->step + (uint64_t)ramp;
}

// Returns after how many frames of output the position has reached `end`; `frames` + 1 when it has not
// after `frames`.
static inline uint32_t ct_mixer_frames_until(const ct_mixer_motion *v, uint64_t end,
                                             uint32_t frames) {
    if (ct_mixer_position_after(v, frames) < end)
        return frames + 1;
    uint32_t low = 0, high = frames; // the answer is in [low, high]
    while (low < high) {
        const uint32_t middle = (low + high) / 2;
        if (ct_mixer_position_after(v, middle) < end)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// Takes whole loops off a position that has become so high that it could overflow, but for the last one:
// the frames before it are those of the loop, too. Returns how many frames.
static inline uint64_t ct_mixer_unwind(ct_mixer_motion *v, const ct_mixer_region *r) {
    if (v->position < (uint64_t)1 << 62 || r->end != CT_MIXER_NEVER)
        return 0;
    const uint64_t frame = v->position >> 32, loops = frame - ct_mixer_fold(r, frame);
    const uint64_t taken = loops > r->length ? loops - r->length : 0;
    v->position -= taken << 32;
    return taken;
}
