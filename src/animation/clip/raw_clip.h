// raw_clip.h: a clip before compression: the pose of every joint at every frame.
//
// Readers of model files fill it (compiler/types/animation), clip_compress.h makes a clip of it.
#pragma once
#include "animation/pose.h"
#include "foundation/container/array.h"
#include "resource/types/animation_resource.h"

// The values of one float curve at every frame.
typedef struct ct_raw_curve {
    const char *object, *parameter;
    const float *values; // num_frames + 1
    bool is_stepped;     // values hold until the next key
} ct_raw_curve;

typedef struct ct_raw_event {
    const char *name;
    float time; // seconds
} ct_raw_event;

typedef struct ct_raw_clip {
    const ct_skeleton_resource *skeleton;
    ct_string_id64 skeleton_name;
    float rate;          // frames a second
    uint32_t num_frames; // the last frame; at least 1: there are num_frames + 1 samples
    // samples[frame * num_joints + joint], all finite; rotations of length 1. Of an additive clip,
    // already differences (ct_pose_make_delta); with root motion, already without it.
    const ct_joint_pose *samples;
    const ct_animation_root_pose *root; // one for each frame; NULL: no root motion
    uint32_t flags;                     // ct_animation_flag
    float tolerance;                    // metres, at the skeleton's shell
    float jump_interval;                // seconds, at most; 0: none but the first
    uint32_t num_curves, num_events;
    const ct_raw_curve *curves;
    const ct_raw_event *events; // sorted by time
} ct_raw_clip;
