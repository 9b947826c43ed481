#include "sound/mixer/mixer_read.h"

#include <math.h>
#include <string.h>

#include "foundation/math/math_lanes.h"

// --- Reading -------------------------------------------------------------------------------------

static void convert(const int16_t *in, uint32_t num_channels, uint32_t count, float *const *out,
                    uint32_t at) {
    float *const left = out[0] + at;
    if (num_channels == 1) {
        for (uint32_t i = 0; i < count; ++i)
            left[i] = ct_sound_of_sample(in[i]);
        return;
    }
    float *const right = out[1] + at;
    for (uint32_t i = 0; i < count; ++i) {
        left[i] = ct_sound_of_sample(in[2 * i]);
        right[i] = ct_sound_of_sample(in[2 * i + 1]);
    }
}

static void silence(uint32_t num_channels, uint32_t count, float *const *out, uint32_t at) {
    for (uint32_t c = 0; c < num_channels; ++c)
        memset(out[c] + at, 0, sizeof(float) * count);
}

static inline uint32_t smaller(uint64_t a, uint32_t b) {
    return a < b ? (uint32_t)a : b;
}

void ct_mixer_read_memory(const ct_sound_media *media, const ct_mixer_region *region, int64_t first,
                          uint32_t count, float *const *out) {
    const uint32_t num_channels = media->num_channels;
    uint32_t done = 0;
    if (first < 0) {
        done = smaller((uint64_t)-first, count);
        silence(num_channels, done, out, 0);
    }
    const uint64_t end = region->end >> 32;
    while (done < count) {
        const uint64_t frame = (uint64_t)(first + done);
        if (region->end != CT_MIXER_NEVER && frame >= end) {
            silence(num_channels, count - done, out, done);
            return;
        }
        const uint32_t at = ct_mixer_fold(region, frame);
        const uint32_t run_end =
            region->length ? region->begin + region->length : media->num_frames;
        uint32_t run = smaller(run_end - at, count - done);
        if (region->end != CT_MIXER_NEVER)
            run = smaller(end - frame, run);
        convert(media->samples + (size_t)at * num_channels, num_channels, run, out, done);
        done += run;
    }
}

// --- Resampling ----------------------------------------------------------------------------------

// Four floats anywhere in memory.
typedef float four_floats __attribute__((vector_size(16), aligned(4), may_alias));

static inline ct_column load(const float *from) {
    return (ct_column) * (const four_floats *)from;
}

static inline void store(float *to, ct_column value) {
    *(four_floats *)to = (four_floats)value;
}

// Returns how much of a filter with neighbours `distance` away sounds need that are read with this step.
static float strength_of(uint64_t step, uint32_t distance) {
    const float speed = (float)step / (float)CT_MIXER_ONE / (float)distance;
    return fminf(fmaxf((speed - 1.25f) / 0.75f, 0), 1);
}

// Moves each frame towards the mean of itself and the mean of two neighbours; all the way for `strength`
// 1, which changes by `change` with each frame.
static void average(const float *in, uint32_t distance, uint32_t count, float strength,
                    float change, float *out) {
    memcpy(out, in, sizeof(float) * distance);
    uint32_t i = distance;
    for (; i + 4 + distance <= count; i += 4) {
        const ct_column place = {(float)i, (float)i + 1, (float)i + 2, (float)i + 3};
        const ct_column x = load(in + i);
        const ct_column sides = load(in + i - distance) + load(in + i + distance);
        store(out + i, x + (strength + change * place) * (0.25f * sides - 0.5f * x));
    }
    for (; i < count; ++i) {
        const float sides = i + distance < count ? in[i - distance] + in[i + distance] : 2 * in[i];
        out[i] = in[i] + (strength + change * (float)i) * (0.25f * sides - 0.5f * in[i]);
    }
}

const float *ct_mixer_soften(const ct_mixer_motion *v, const float *frames, uint32_t count,
                             float softened[2][CT_MIXER_SOURCE_FRAMES]) {
    for (uint32_t pass = 0; pass < 3; ++pass) { // 1, 2 and 4 frames away
        const uint32_t distance = 1u << pass;
        const float from = strength_of(v->step, distance);
        const float to = strength_of(v->step_target, distance);
        if (from == 0 && to == 0)
            break;
        average(frames, distance, count, from, (to - from) / (float)count, softened[pass % 2]);
        frames = softened[pass % 2];
    }
    return frames;
}

void ct_mixer_resample(const ct_mixer_motion *v, uint64_t first, const float *source,
                       uint32_t count, float *out) {
    const uint64_t slope = (uint64_t)ct_mixer_slope(v);
    uint64_t at = v->position - (first << 32), step = v->step;
    if (step == CT_MIXER_ONE && !slope && !(uint32_t)at) {
        memcpy(out, source + (at >> 32), sizeof(float) * count);
        return;
    }
    const ct_column half = ct_column_all(0.5f);
    for (uint32_t i = 0; i < count; i += 4) {
        ct_column x[4];
        ct_column_bits fractions;
        for (uint32_t lane = 0; lane < 4; ++lane) {
            // Lanes after the last frame read what the last one reads.
            x[lane] = load(source + (at >> 32) - 1);
            fractions[lane] = (int32_t)((uint32_t)at >> 8);
            if (i + lane + 1 < count) {
                step += slope;
                at += step;
            }
        }
        ct_columns_transpose(&x[0], &x[1], &x[2], &x[3]);
        const ct_column t = __builtin_convertvector(fractions, ct_column) * 0x1p-24f;
        const ct_column c1 = half * (x[2] - x[0]);
        const ct_column c3 = half * (x[3] - x[0]) + 1.5f * (x[1] - x[2]);
        const ct_column c2 = x[0] - x[1] + c1 - c3;
        store(out + i, ((c3 * t + c2) * t + c1) * t + x[1]);
    }
}

void ct_mixer_add(float *out, const float *in, uint32_t first, uint32_t count, float from,
                  float step) {
    if (from == 0 && step == 0)
        return;
    const float at = (float)(first + 1);
    ct_column frame = {at, at + 1, at + 2, at + 3};
    uint32_t i = 0;
    for (; i + 4 <= count; i += 4) {
        store(out + i, load(out + i) + load(in + i) * (from + step * frame));
        frame += 4;
    }
    for (; i < count; ++i)
        out[i] += in[i] * (from + step * (float)(first + i + 1));
}
