// clip_model.h: where the joints of a clip are in model space: raw, and as far as they are fitted.
//
// Joints are fitted parents first. Each is fitted to what turns it, below parents that are not
// exactly where they should be, so that its points come nearest to the raw ones: errors do not add
// up along a chain. Its points are those at the shell on its axes, and the origins of its children;
// the same of children whose rotations have no keys.
#pragma once
#include "animation/clip/clip_error.h"
#include "animation/clip/clip_fit.h"

// The arrays are owned; joints are borrowed from the raw clip's skeleton.
typedef struct ct_clip_model {
    const ct_raw_clip *raw;
    ct_allocator *allocator;
    const ct_skeleton_joint *joints;
    uint32_t num_joints;
    uint64_t num_samples; // of a joint
    bool *is_turning;     // by joint: the rotation has keys; set by the caller
    // In model space, joint by joint: num_samples each.
    ct_quat *raw_turns, *turns;
    ct_vec3 *raw_origins, *origins;
    ct_clip_points points; // of the joint that is fitted
    uint32_t *linked;      // the joints that the points belong to
    uint32_t num_linked;
    ct_vec3 *centers; // for each offset, the origin of the joint that the point belongs to
} ct_clip_model;

// Makes the raw arrays. `m` keeps the clip and the allocator.
void ct_clip_model_init(ct_clip_model *m, const ct_raw_clip *raw, ct_allocator *a);

// Frees the arrays.
void ct_clip_model_free(ct_clip_model *m);

// Sets the origins of a joint, whose parents are fitted. `track` is its position's; `samples` is
// room for num_samples of three numbers.
void ct_clip_model_place(ct_clip_model *m, const ct_clip_track *track, const float *still,
                         float *samples);

// Writes the samples that a joint's rotation is fitted to, and sets track->points: the joint's
// points may be `tolerance` metres, the origins of its children `child_tolerance` from the raw ones.
void ct_clip_model_aim(ct_clip_model *m, ct_clip_track *track, float tolerance,
                       float child_tolerance, float *samples);

// Sets the rotations of a joint that is fitted. `still` is the rotation of a track without keys.
void ct_clip_model_turn(ct_clip_model *m, const ct_clip_track *track, const float *still,
                        float *samples);
