// clip_fit.h: fits Hermite segments to the samples of one track, with quantised keys.
//
// Segments are made from the first frame to the last. Each starts at a key that is already rounded,
// so that the error of rounding is part of what the next keys correct. Its end is the best by least
// squares over the segment and some frames behind it; the longest segment whose samples are within
// the tolerance is taken. The time is linear in the number of frames.
#pragma once
#include "foundation/container/array.h"
#include "resource/types/animation_resource.h"

// A key: whole numbers of the track's steps.
typedef struct ct_clip_key {
    uint32_t frame;
    int32_t values[4], tangents[4];
} ct_clip_key;

// A track before it is written.
typedef struct ct_clip_track {
    uint32_t kind;   // ct_animation_track_kind
    uint32_t number; // the joint or the curve
    uint32_t num_numbers;
    bool exists;      // differs from the rest pose
    bool is_relative; // a rotation of three numbers
    bool is_stepped;
    float reference[4]; // of a relative rotation
    float constant[4];  // the evaluated numbers of a track without keys
    float *samples;     // num_frames + 1 times num_numbers; owned by the compressor
    float value_quality, tangent_quality; // steps for a tolerance of 1
    // The fit.
    float base[4], value_step, tangent_step;
    uint32_t value_bits[4], tangent_bits[4], duration_bits;
    CT_ARRAY(ct_clip_key) keys; // empty: constant
} ct_clip_track;

typedef struct ct_clip_fitter ct_clip_fitter;

// Makes a fitter: tables that all tracks use. Used by one thread at a time.
ct_clip_fitter *ct_clip_fitter_create(ct_allocator *a);
void ct_clip_fitter_destroy(ct_clip_fitter *f);

// Fits keys to the samples of a track that is not stepped. `tolerance` is that of the numbers, for
// rotations in radians. Values stay within CT_ANIMATION_MAX_VALUE_BITS, so that very small
// tolerances may be missed.
void ct_clip_fit(ct_clip_fitter *f, ct_clip_track *track, uint32_t num_frames, float tolerance);

// Makes a key for each change of a stepped track.
void ct_clip_fit_steps(ct_clip_track *track, uint32_t num_frames);

// Returns the bits of the track's keys in the stream.
uint64_t ct_clip_track_bits(const ct_clip_track *track);
