#include "render/render_skeleton.h"

#include <string.h>

#include "foundation/error.h"
#include "render/renderer_private.h"

_Static_assert(sizeof(ct_render_joint_pose) % 16 == 0, "matrices fill payloads without gaps");
_Static_assert(sizeof(ct_render_command_skeletons) % 16 == 0, "matrices are aligned to 16");

ct_render_skeleton_id ct_render_skeleton_create(ct_renderer *r, ct_render_world_id world,
                                                const ct_string_id32 *names, uint32_t count) {
    CT_ASSERT(count >= 1 && count <= CT_RENDER_MAX_SKELETON_JOINTS, "a skeleton has %u joints",
              count);
    const ct_render_skeleton_id skeleton = {ct_renderer_issue_id(r)};
    ct_render_command_skeleton *const x =
        ct_render_stream_push(ct_renderer_recording(r), CT_RENDER_COMMAND_TYPE_SKELETON_CREATE,
                              sizeof(*x) + sizeof(*names) * (uint64_t)count);
    *x = (ct_render_command_skeleton){.world = world, .skeleton = skeleton, .num_joints = count};
    memcpy(x + 1, names, sizeof(*names) * (uint64_t)count);
    return skeleton;
}

void ct_render_skeleton_destroy(ct_renderer *r, ct_render_world_id world,
                                ct_render_skeleton_id skeleton) {
    ct_render_command_skeleton *const x = ct_render_stream_push(
        ct_renderer_recording(r), CT_RENDER_COMMAND_TYPE_SKELETON_DESTROY, sizeof(*x));
    *x = (ct_render_command_skeleton){.world = world, .skeleton = skeleton};
}

ct_render_joint_pose *ct_render_skeletons_pose(ct_renderer *r, ct_render_world_id world,
                                               const ct_render_skeleton_id *skeletons,
                                               const uint32_t *num_joints, uint32_t count) {
    uint64_t total = 0;
    for (uint32_t i = 0; i < count; ++i)
        total += num_joints[i];
    if (!total)
        return NULL;
    const uint64_t pose_bytes = sizeof(ct_render_joint_pose) * total;
    ct_render_command_skeletons *const x = ct_render_stream_push(
        ct_renderer_recording(r), CT_RENDER_COMMAND_TYPE_SKELETONS_SET_POSES,
        sizeof(*x) + pose_bytes + (sizeof(*skeletons) + sizeof(*num_joints)) * (uint64_t)count);
    *x = (ct_render_command_skeletons){.world = world, .count = count, .num_joints = total};
    ct_render_joint_pose *const joints = (ct_render_joint_pose *)(x + 1);
    ct_render_skeleton_id *const ids = (ct_render_skeleton_id *)(joints + total);
    memcpy(ids, skeletons, sizeof(*ids) * (uint64_t)count);
    memcpy(ids + count, num_joints, sizeof(*num_joints) * (uint64_t)count);
    return joints;
}

void ct_render_skeleton_set_pose(ct_renderer *r, ct_render_world_id world,
                                 ct_render_skeleton_id skeleton, const ct_render_joint_pose *joints,
                                 uint32_t num_joints) {
    ct_render_joint_pose *const target =
        ct_render_skeletons_pose(r, world, &skeleton, &num_joints, 1);
    if (target)
        memcpy(target, joints, sizeof(*joints) * (uint64_t)num_joints);
}

void ct_render_object_set_skeleton(ct_renderer *r, ct_render_world_id world,
                                   ct_render_object_id object, ct_render_skeleton_id skeleton) {
    ct_render_command_object_skeleton *const x = ct_render_stream_push(
        ct_renderer_recording(r), CT_RENDER_COMMAND_TYPE_OBJECT_SET_SKELETON, sizeof(*x));
    *x =
        (ct_render_command_object_skeleton){.world = world, .object = object, .skeleton = skeleton};
}
