// clip_error.h: how far the poses of a clip are from the raw ones.
//
// The error of a joint at a frame is the distance between where both poses have three points: those
// at the skeleton's shell on the joint's three axes, in model space, through the whole hierarchy.
// Poses of additive clips are added to the rest pose first. From the Animation Compression Library
// (N. Frechette).
#pragma once
#include "animation/clip/clip_compress.h"

// What joints can do to the points of their descendants; one for each joint, over sampled frames.
typedef struct ct_clip_lever {
    float reach;        // metres: the distance of the farthest point below a joint, and its own
    float parent_scale; // metres in model space for one metre of the joint's position
    uint32_t chain;     // joints in the longest chain through this one
} ct_clip_lever;

// Writes the levers of the raw clip's joints. Temporary memory is from `a`.
void ct_clip_levers(const ct_raw_clip *raw, ct_allocator *a, ct_clip_lever *levers);

// Plays `clip` at all frames and compares. Sets `worst`, one for each joint: the largest error in
// metres of the joint and all below it. Returns the error of the whole clip.
ct_clip_error ct_clip_measure(const ct_raw_clip *raw, const ct_animation_resource *clip,
                              ct_allocator *a, float *worst);
