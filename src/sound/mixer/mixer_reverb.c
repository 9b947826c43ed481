#include "sound/mixer/mixer_reverb.h"

#include <math.h>
#include <string.h>

#include "foundation/math/math_lanes.h"

enum { NUM_LINES = 8 };
static const float SPEED_OF_SOUND = 343.3f; // m/s
static const float LEAST_SECONDS = 0.05f;
static const float LEAST_GAIN = 0.25f;
static const float QUIET = 1e-6f;
static const float STEP = 1.0f / CT_MIXER_BLOCK;

// What eight lines have, as two columns.
typedef struct ct_mixer_eight {
    ct_column low, high;
} ct_mixer_eight;

// A delay of some frames.
typedef struct ct_mixer_delay {
    float *frames;
    uint32_t length, at; // `at`: the oldest frame, and where the next goes
} ct_mixer_delay;

struct ct_mixer_reverb {
    ct_mixer_eight fed, kept; // of the filter in each line: factors of what comes, and what was
    ct_mixer_eight filtered;  // what the filters hold
    ct_mixer_delay lines[NUM_LINES];
    ct_mixer_delay before[CT_MIXER_CHANNELS]; // length 0: none
    ct_sound_reverb room;
    float wet, dry, width; // at the end of the last block
    bool fades_in;         // what comes in the next block
    uint32_t longest;      // frames after which all that is silent stays so
    uint32_t quiet_frames; // for how long it was
    float *memory;
    uint32_t memory_floats;
};

// --- The room ------------------------------------------------------------------------------------

static bool is_prime(uint32_t n) {
    for (uint32_t i = 2; i * i <= n; ++i)
        if (n % i == 0)
            return false;
    return true;
}

static float clamped(float x, float low, float high) {
    return x > low ? (x < high ? x : high) : low; // NaN: low
}

static ct_sound_reverb checked(const ct_sound_reverb *room) {
    return (ct_sound_reverb){.seconds = clamped(room->seconds, 0, 60),
                             .size = clamped(room->size, 1, 100),
                             .damping = clamped(room->damping, 0, 1),
                             .pre_delay = clamped(room->pre_delay, 0, 1),
                             .width = clamped(room->width, 0, 1),
                             .dry = clamped(room->dry, 0, 1)};
}

// Sets the lengths of the lines: about as long as sound takes through the room, and without a common
// factor, so that their echoes do not fall together.
static void set_lengths(ct_mixer_reverb *r) {
    static const float shares[NUM_LINES] = {0.61f, 0.69f, 0.8f, 0.91f, 1.03f, 1.17f, 1.32f, 1.49f};
    const float frames = r->room.size / SPEED_OF_SOUND * CT_MIXER_RATE;
    uint32_t last = 0;
    for (uint32_t i = 0; i < NUM_LINES; ++i) {
        uint32_t length = (uint32_t)(frames * shares[i]);
        length = length > last ? length : last + 1;
        while (!is_prime(length))
            ++length;
        r->lines[i].length = last = length;
    }
    const uint32_t before = (uint32_t)(r->room.pre_delay * CT_MIXER_RATE);
    for (uint32_t c = 0; c < CT_MIXER_CHANNELS; ++c)
        r->before[c].length = before;
    r->longest = last + before;
}

static float gain_of(uint32_t length, float seconds) {
    return powf(10, -3 * (float)length / (CT_MIXER_RATE * seconds)); // 60 dB are a factor of 1000
}

// Computes the filters of all lines. Jot and Chaigne: the pole for which high notes fall in `share` of
// the time of low ones.
static void compute_filters(const ct_mixer_reverb *r, float seconds, float damping,
                            ct_mixer_eight *fed, ct_mixer_eight *kept) {
    const float share = 1 - 0.9f * damping;
    const float least = seconds > LEAST_SECONDS ? seconds : LEAST_SECONDS;
    for (uint32_t i = 0; i < NUM_LINES; ++i) {
        const float gain = gain_of(r->lines[i].length, least);
        const float pole = 0.25f * logf(10) * log10f(gain) * (1 - 1 / (share * share));
        const float kept_share = clamped(pole, 0, 0.98f);
        float *const columns[] = {(float *)(i < 4 ? &fed->low : &fed->high) + i % 4,
                                  (float *)(i < 4 ? &kept->low : &kept->high) + i % 4};
        *columns[0] = gain * (1 - kept_share);
        *columns[1] = kept_share;
    }
}

// Returns the factor of what comes out, for which a long sound is about as loud as it went in.
static float wet_of(const ct_mixer_reverb *r, float seconds) {
    if (!(seconds > 0))
        return 0;
    // Each turn through the lines leaves gain * gain of the energy: a geometric series.
    const float gain = gain_of(r->lines[NUM_LINES / 2].length, fmaxf(seconds, LEAST_SECONDS));
    return sqrtf((1 - gain * gain) * 0.5f) / fmaxf(gain, LEAST_GAIN);
}

static float dry_of(const ct_mixer_reverb *r, float seconds) {
    return seconds > 0 ? r->room.dry : 1;
}

// --- Life ----------------------------------------------------------------------------------------

ct_mixer_reverb *ct_mixer_reverb_create(ct_allocator *a, const ct_sound_reverb *room) {
    ct_mixer_reverb *const r = CT_NEW(a, ct_mixer_reverb);
    r->room = checked(room);
    set_lengths(r);
    for (uint32_t i = 0; i < NUM_LINES; ++i)
        r->memory_floats += r->lines[i].length;
    r->memory_floats += CT_MIXER_CHANNELS * r->before[0].length;
    r->memory = CT_NEW_ARRAY(a, float, r->memory_floats);
    float *next = r->memory;
    for (uint32_t i = 0; i < NUM_LINES; ++i) {
        r->lines[i].frames = next;
        next += r->lines[i].length;
    }
    for (uint32_t c = 0; c < CT_MIXER_CHANNELS; ++c) {
        r->before[c].frames = next;
        next += r->before[c].length;
    }
    compute_filters(r, r->room.seconds, r->room.damping, &r->fed, &r->kept);
    r->wet = wet_of(r, r->room.seconds);
    r->dry = dry_of(r, r->room.seconds);
    r->width = r->room.width;
    r->quiet_frames = r->longest + 1;
    return r;
}

void ct_mixer_reverb_destroy(ct_mixer_reverb *r, ct_allocator *a) {
    if (!r)
        return;
    ct_free(a, r->memory);
    ct_free(a, r);
}

bool ct_mixer_reverb_fits(const ct_mixer_reverb *r, const ct_sound_reverb *room) {
    const ct_sound_reverb other = checked(room);
    return other.size == r->room.size && other.pre_delay == r->room.pre_delay;
}

void ct_mixer_reverb_set(ct_mixer_reverb *r, const ct_sound_reverb *room) {
    r->room = checked(room);
}

void ct_mixer_reverb_follow(ct_mixer_reverb *r, const ct_mixer_reverb *before) {
    r->wet = 0;
    r->dry = before ? before->dry : 1;
    r->fades_in = true;
}

void ct_mixer_reverb_clear(ct_mixer_reverb *r) {
    memset(r->memory, 0, sizeof(float) * r->memory_floats);
    r->filtered = (ct_mixer_eight){0};
    r->quiet_frames = r->longest + 1;
}

bool ct_mixer_reverb_is_quiet(const ct_mixer_reverb *r) {
    return r->quiet_frames > r->longest;
}

// --- Mixing --------------------------------------------------------------------------------------

// Delays a channel, in place.
static void delay(ct_mixer_delay *d, float *x, uint32_t count) {
    for (uint32_t i = 0; d->length && i < count; ++i) {
        const float oldest = d->frames[d->at];
        d->frames[d->at] = x[i];
        x[i] = oldest;
        d->at = d->at + 1 < d->length ? d->at + 1 : 0;
    }
}

static inline float sum(ct_column x) {
    return (x[0] + x[1]) + (x[2] + x[3]);
}

// What a run of frames needs, in registers.
typedef struct ct_mixer_run {
    ct_mixer_eight fed, kept, fed_step, kept_step, filtered;
} ct_mixer_run;

// Puts `count` frames through the lines, none of which wraps around meanwhile; `left` and `right` get
// what comes out.
static void run_lines(ct_mixer_run *run, const ct_mixer_delay *lines, float *left, float *right,
                      uint32_t count) {
    static const ct_column left_signs = {1, 1, -1, -1}, right_signs = {1, -1, -1, 1};
    float *at[NUM_LINES];
    for (uint32_t k = 0; k < NUM_LINES; ++k)
        at[k] = lines[k].frames + lines[k].at;
    ct_mixer_run r = *run;
    for (uint32_t i = 0; i < count; ++i) {
        r.fed.low += r.fed_step.low;
        r.fed.high += r.fed_step.high;
        r.kept.low += r.kept_step.low;
        r.kept.high += r.kept_step.high;
        const ct_column low = {at[0][i], at[1][i], at[2][i], at[3][i]};
        const ct_column high = {at[4][i], at[5][i], at[6][i], at[7][i]};
        const ct_column f = r.filtered.low = r.fed.low * low + r.kept.low * r.filtered.low;
        const ct_column g = r.filtered.high = r.fed.high * high + r.kept.high * r.filtered.high;
        // Householder's matrix: each line gets what it had, less a quarter of all.
        const float all = 0.25f * sum(f + g), l = 0.5f * left[i], c = 0.5f * right[i];
        const ct_column in = {l - all, c - all, l - all, c - all};
        const ct_column to_low = f + in, to_high = g + in;
        for (uint32_t k = 0; k < 4; ++k) {
            at[k][i] = to_low[k];
            at[k + 4][i] = to_high[k];
        }
        left[i] = sum((f + g) * left_signs);
        right[i] = sum((f + g) * right_signs);
    }
    *run = r;
}

static void step_lines(ct_mixer_delay *lines, uint32_t count) {
    for (uint32_t k = 0; k < NUM_LINES; ++k) {
        lines[k].at += count;
        if (lines[k].at == lines[k].length)
            lines[k].at = 0;
    }
}

static void reverberate(ct_mixer_reverb *r, float seconds, float damping, float *left,
                        float *right) {
    ct_mixer_eight fed, kept;
    compute_filters(r, seconds, damping, &fed, &kept);
    ct_mixer_run run = {r->fed,
                        r->kept,
                        {(fed.low - r->fed.low) * STEP, (fed.high - r->fed.high) * STEP},
                        {(kept.low - r->kept.low) * STEP, (kept.high - r->kept.high) * STEP},
                        r->filtered};
    for (uint32_t done = 0; done < CT_MIXER_BLOCK;) {
        uint32_t count = CT_MIXER_BLOCK - done;
        for (uint32_t k = 0; k < NUM_LINES; ++k) {
            const uint32_t left_in_line = r->lines[k].length - r->lines[k].at;
            count = left_in_line < count ? left_in_line : count;
        }
        run_lines(&run, r->lines, left + done, right + done, count);
        step_lines(r->lines, count);
        done += count;
    }
    r->fed = fed;
    r->kept = kept;
    r->filtered = run.filtered;
}

static void fade_in(float *x) {
    for (uint32_t i = 0; i < CT_MIXER_BLOCK; ++i)
        x[i] *= (float)(i + 1) * STEP;
}

static float peak_of(const float *x) {
    float peak = 0;
    for (uint32_t i = 0; i < CT_MIXER_BLOCK; ++i)
        peak = fmaxf(peak, fabsf(x[i]));
    return peak;
}

void ct_mixer_reverb_block(ct_mixer_reverb *r, float seconds, float damping, float *left,
                           float *right) {
    float wet[CT_MIXER_CHANNELS][CT_MIXER_BLOCK];
    memcpy(wet[0], left, sizeof(wet[0]));
    memcpy(wet[1], right, sizeof(wet[1]));
    const float in = fmaxf(peak_of(left), peak_of(right));
    for (uint32_t c = 0; c < CT_MIXER_CHANNELS; ++c) {
        if (r->fades_in)
            fade_in(wet[c]);
        delay(&r->before[c], wet[c], CT_MIXER_BLOCK);
    }
    r->fades_in = false;
    reverberate(r, clamped(seconds, 0, 60), clamped(damping, 0, 1), wet[0], wet[1]);
    const bool is_quiet = in < QUIET && peak_of(wet[0]) < QUIET && peak_of(wet[1]) < QUIET;
    r->quiet_frames = is_quiet ? r->quiet_frames + CT_MIXER_BLOCK : 0;

    const float wet_to = wet_of(r, seconds), dry_to = dry_of(r, seconds);
    const float wet_step = (wet_to - r->wet) * STEP, dry_step = (dry_to - r->dry) * STEP;
    const float width_step = (r->room.width - r->width) * STEP;
    for (uint32_t i = 0; i < CT_MIXER_BLOCK; ++i) {
        const float frame = (float)(i + 1);
        const float wet_gain = r->wet + wet_step * frame, dry_gain = r->dry + dry_step * frame;
        const float middle = 0.5f * (wet[0][i] + wet[1][i]);
        const float side = 0.5f * (wet[0][i] - wet[1][i]) * (r->width + width_step * frame);
        left[i] = left[i] * dry_gain + (middle + side) * wet_gain;
        right[i] = right[i] * dry_gain + (middle - side) * wet_gain;
    }
    r->wet = wet_to;
    r->dry = dry_to;
    r->width = r->room.width;
}
