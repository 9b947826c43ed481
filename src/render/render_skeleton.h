// render_skeleton.h: skeletons, which pose skinned objects.
//
// A skeleton belongs to a world of the renderer: named joints with a matrix each. Objects of the
// world are given a skeleton; the joints of a skinned mesh follow the skeleton's joints of the same
// names. Many objects may have the same skeleton. The renderer keeps each skeleton's pose of the
// frame before. The object's own pose is the entity's: matrices of joints lead to its space.
//
// A skinned object is drawn in the pose in which its mesh was modelled while it has no skeleton, or
// while the skeleton has no pose. A joint that the skeleton does not have stays where it was
// modelled, and a warning names it. Objects without a skinned mesh ignore the skeleton.
//
// Ids are issued as those of worlds and objects; a change for an id that does not exist is ignored.
// All functions are for the update thread.
#pragma once
#include "render/renderer.h"

// A skeleton of a world; {0} is invalid.
typedef struct ct_render_skeleton_id {
    uint32_t value;
} ct_render_skeleton_id;

// The transform from a joint's space to that of the entity, by rows; the fourth is 0 0 0 1.
typedef struct ct_render_joint_pose {
    float rows[3][4];
} ct_render_joint_pose;

enum { CT_RENDER_MAX_SKELETON_JOINTS = 4096 };

// Adds a skeleton with `count` joints (1 to CT_RENDER_MAX_SKELETON_JOINTS) of these names, which
// are copied, to `world`. It has no pose yet.
ct_render_skeleton_id ct_render_skeleton_create(ct_renderer *r, ct_render_world_id world,
                                                const ct_string_id32 *names, uint32_t count);

// Removes a skeleton from `world`. Objects that have it are drawn as they were modelled.
void ct_render_skeleton_destroy(ct_renderer *r, ct_render_world_id world,
                                ct_render_skeleton_id skeleton);

// Sets the poses of `count` skeletons of `world`, which have `num_joints` joints each, and returns
// where they are: the matrices of all joints of the first, then of the second, and so on, aligned
// to 16 bytes. The caller must fill all of them, with any threads, before it records anything else;
// the memory is borrowed until then. Returns NULL when there is nothing to fill.
ct_render_joint_pose *ct_render_skeletons_pose(ct_renderer *r, ct_render_world_id world,
                                               const ct_render_skeleton_id *skeletons,
                                               const uint32_t *num_joints, uint32_t count);

// Sets the pose of one skeleton of `world`, with this many joints. The matrices are copied.
void ct_render_skeleton_set_pose(ct_renderer *r, ct_render_world_id world,
                                 ct_render_skeleton_id skeleton, const ct_render_joint_pose *joints,
                                 uint32_t num_joints);

// Gives an object of `world` a skeleton of the same world, or with {0} takes it away.
void ct_render_object_set_skeleton(ct_renderer *r, ct_render_world_id world,
                                   ct_render_object_id object, ct_render_skeleton_id skeleton);

// Returns true when the mesh is online and skinned.
bool ct_render_mesh_is_skinned(const ct_renderer *r, ct_string_id64 mesh);
