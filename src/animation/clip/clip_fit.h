// clip_fit.h: fits Hermite segments to the samples of one track, with quantised keys.
//
// Segments are made from the first frame to the last. Each starts at a key that is already rounded,
// so that the error of rounding is part of what the next keys correct. Its end is the best by least
// squares over the segment and some frames behind it; the longest segment whose samples are within
// the tolerance is taken. The time is linear in the number of frames.
#pragma once
#include <math.h>

#include "foundation/container/array.h"
#include "foundation/math/math_types.h"
#include "resource/types/animation_resource.h"

// A key: whole numbers of the track's steps.
typedef struct ct_clip_key {
    uint32_t frame;
    int32_t values[4], tangents[4];
} ct_clip_key;

enum { CT_CLIP_MOST_POINTS = 32 };

// The points of a joint by which the error of its rotation is measured. A small rotation error d
// moves point k from where it should be by the error of the joint's origin + d x offset.
typedef struct ct_clip_points {
    uint32_t count;
    uint32_t stride;                  // from the offsets of one frame to the next; 0: all the same
    ct_vec3 *offsets;                 // metres of model space, in the joint's rotation
    float most2[CT_CLIP_MOST_POINTS]; // the squares of the tolerances
    ct_quat *wanted;                  // one for each frame: the raw rotation
    ct_vec3 *origin_errors;           // one for each frame, in the joint's rotation
} ct_clip_points;

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
    float *samples;     // num_frames + 1 times num_numbers; borrowed while the track is fitted
    const ct_clip_points *points; // of a rotation
    float value_quality;          // the step for a tolerance of 1; 0: not chosen yet
    bool has_derived_tangents;
    uint32_t tangent_shift;
    // The fit.
    float base[4], value_step, tangent_step;
    uint32_t value_bits[4], tangent_bits[4], duration_bits;
    uint32_t jump_value_bits[4], jump_tangent_bits[4];
    bool is_wide; // values have more than 16 bits; those in the stream are differences
    CT_ARRAY(ct_clip_key) keys; // empty: constant
} ct_clip_track;

typedef struct ct_clip_fitter ct_clip_fitter;

// Makes a fitter: tables that all tracks use. Used by one thread at a time.
ct_clip_fitter *ct_clip_fitter_create(ct_allocator *a);
void ct_clip_fitter_destroy(ct_clip_fitter *f);

// Returns the rotation whose x, y and z are given and whose w is not negative.
static inline ct_quat ct_clip_whole_rotation(const float *v) {
    const float rest = 1 - v[0] * v[0] - v[1] * v[1] - v[2] * v[2];
    return (ct_quat){{v[0], v[1], v[2], rest > 0 ? sqrtf(rest) : 0}};
}

// Fits keys to the samples of a track that is not stepped. `tolerance` is that of the numbers; of
// rotations it is only a measure for the steps, in radians, and the points decide. Values stay within 24 bits, so that very small
// tolerances may be missed.
void ct_clip_fit(ct_clip_fitter *f, ct_clip_track *track, uint32_t num_frames, float tolerance);

// Writes what the keys give at each frame: num_numbers each. For tracks with keys.
void ct_clip_track_play(const ct_clip_track *track, float *samples);

// Makes a key for each change of a stepped track.
void ct_clip_fit_steps(ct_clip_track *track, uint32_t num_frames);

// Writes how far the values of a key that has one before it are from where that leads.
void ct_clip_key_differences(const ct_clip_track *track, const ct_clip_key *key,
                             int32_t differences[4]);

// Returns the bits of the track's keys in the stream.
uint64_t ct_clip_track_bits(const ct_clip_track *track);
