// pose.h: local poses of a skeleton's joints, four joints at a time; blending; model matrices.
//
// A pose is an array of groups of four joints: joint j is lane j % 4 of group j / 4. Lanes past the
// last joint hold the identity. Every function works on whole groups with vectors of four floats.
// Blends first clear an accumulator, add poses with weights, and finish: rotations are added with
// the sign of the shorter way and made length 1 at the end. The same input gives the same bits on
// any thread. No allocation. Any thread.
#pragma once
#include "foundation/math/math_types.h"
#include "resource/types/skeleton_resource.h"

// Four floats, one for each joint of a group.
typedef float ct_float4 __attribute__((vector_size(16), aligned(16), may_alias));

typedef struct ct_pose_group {
    ct_float4 rotation[4]; // x, y, z, w of four joints
    ct_float4 position[3]; // metres, in the parents' spaces
    ct_float4 scale[3];
} ct_pose_group;

// A joint's pose, for reading and writing single lanes.
typedef struct ct_joint_pose {
    ct_quat rotation;
    ct_vec3 position, scale;
} ct_joint_pose;

// An affine transform by rows, as shaders take it: the fourth row is 0 0 0 1.
typedef struct ct_affine {
    ct_float4 rows[3];
} ct_affine;

enum { CT_POSE_LANES = 4, CT_POSE_MAX_GROUPS = CT_SKELETON_MAX_JOINTS / CT_POSE_LANES };

// Returns the number of groups of a pose with this many joints.
static inline uint32_t ct_pose_num_groups(uint32_t num_joints) {
    return (num_joints + CT_POSE_LANES - 1) / CT_POSE_LANES;
}

// Return and set the pose of one joint.
ct_joint_pose ct_pose_joint(const ct_pose_group *pose, uint32_t joint);
void ct_pose_set_joint(ct_pose_group *pose, uint32_t joint, const ct_joint_pose *value);

// Writes the rest pose.
void ct_pose_rest(const ct_skeleton_resource *skeleton, ct_pose_group *pose);

// Writes the pose that changes nothing when it is added: no rotation, no move, scale 1.
void ct_pose_identity(ct_pose_group *pose, uint32_t num_groups);

// Writes zeroes: an accumulator for ct_pose_add_weighted.
void ct_pose_clear(ct_pose_group *sum, uint32_t num_groups);

// sum += pose * weight; a rotation on the other side of the sum's is negated first.
void ct_pose_add_weighted(ct_pose_group *sum, const ct_pose_group *pose, float weight,
                          uint32_t num_groups);

// Divides positions and scales by `total_weight` (positive) and makes rotations length 1. With one
// pose of weight 1 in it the result is that pose, to the last bit but for the length of rotations.
void ct_pose_finish(ct_pose_group *sum, float total_weight, uint32_t num_groups);

// pose = pose and `over` blended by `weight` (0 to 1) times the mask's lane. `mask` has one weight
// for each joint lane; NULL: 1 everywhere.
void ct_pose_layer(ct_pose_group *pose, const ct_pose_group *over, const ct_float4 *mask,
                   float weight, uint32_t num_groups);

// Adds the difference `delta` (of an additive clip) by `weight` times the mask's lane: rotations
// after the pose's own in the joint's space, positions added, scales multiplied.
void ct_pose_add_delta(ct_pose_group *pose, const ct_pose_group *delta, const ct_float4 *mask,
                       float weight, uint32_t num_groups);

// Makes `pose` the difference from `reference` to it: what ct_pose_add_delta adds with weight 1.
void ct_pose_make_delta(ct_pose_group *pose, const ct_pose_group *reference, uint32_t num_groups);

// Writes the matrix from each joint's space to the entity's. `models` has num_joints elements;
// `parents` are the joints' (CT_SKELETON_NO_PARENT: the entity), parents first.
void ct_pose_to_model(const ct_pose_group *pose, const uint32_t *parents, uint32_t num_joints,
                      ct_affine *models);
