// clip_error.h: how far the poses of a clip are from the raw ones.
//
// The error of a joint at a frame is the distance between where both poses have three points: those
// at the skeleton's shell on the joint's three axes, in model space, through the whole hierarchy.
// Poses of additive clips are added to the rest pose first. From the Animation Compression Library
// (N. Frechette).
#pragma once
#include "animation/clip/clip_compress.h"

// What the tracks of a joint can do to points, over sampled frames.
typedef struct ct_clip_lever {
    float reach;        // metres: from the joint to the farthest point of it and all below it
    float link;         // metres: the same down to the next joints that make up for its rotation
    float parent_scale; // metres in model space for one metre of the joint's position
} ct_clip_lever;

// Writes the levers of the raw clip's joints. `turns` are the joints whose rotations have keys:
// they make up for errors of the rotations above them. Temporary memory is from `a`.
void ct_clip_levers(const ct_raw_clip *raw, const bool *turns, ct_allocator *a,
                    ct_clip_lever *levers);

// Writes where the raw joints are in model space: num_frames + 1 for each joint.
void ct_clip_raw_origins(const ct_raw_clip *raw, ct_allocator *a, ct_vec3 *origins);

// Plays `clip` at all frames and compares. Sets `worst`, one for each joint: the largest error in
// metres of the joint and all below it. Returns the error of the whole clip.
ct_clip_error ct_clip_measure(const ct_raw_clip *raw, const ct_animation_resource *clip,
                              ct_allocator *a, float *worst);
