// Compiles clips: samples a model file's clip at frames and compresses it (clip_compress.h).
#include <string.h>

#include "animation/clip/clip_compress.h"
#include "compiler/protocol/compiler_types.h"
#include "compiler/types/animation/worker_clip.h"
#include "compiler/types/skeleton/worker_skeleton.h"
#include "foundation/math/math.h"

static bool open_source(ct_worker_clip_reader *r) {
    ct_compile *const c = r->c;
    const ct_schema_listener listener = ct_compile_listener(c);
    const ct_sjson_value root = ct_sjson_root(c->doc);
    if (!ct_schema_read(&ct_animation_schema, c->doc, root, &r->source, &listener))
        return false;
    r->source.clip = r->source.clip ? r->source.clip : "";
    r->source.root_joint = r->source.root_joint ? r->source.root_joint : "";
    const ct_sjson_value at = ct_sjson_find(c->doc, root, "skeleton");
    r->skeleton = ct_worker_skeleton_read(c, ct_sjson_string(c->doc, at, ""), at);
    if (!r->skeleton)
        return false;
    r->joints = ct_skeleton_joints(r->skeleton, &r->num_joints);
    const ct_sjson_value media = ct_sjson_find(c->doc, root, "source");
    ct_worker_model_files files;
    ct_worker_model_files_init(&files, c, media, false);
    return ct_worker_scene_open(c, &files, r->source.source, (ct_mesh_up_axis)r->source.up_axis,
                                media, &r->scene) &&
           ct_worker_clip_open(r) && ct_worker_clip_find_root(r);
}

// --- Additive clips ------------------------------------------------------------------------------

static void to_groups(const ct_joint_pose *poses, uint32_t count, ct_pose_group *groups) {
    ct_pose_identity(groups, ct_pose_num_groups(count));
    for (uint32_t i = 0; i < count; ++i)
        ct_pose_set_joint(groups, i, &poses[i]);
}

// The pose that the clip's poses become differences to.
static bool find_reference(ct_worker_clip_reader *r, const ct_joint_pose *first,
                           ct_pose_group *reference) {
    if (r->source.additive == CT_ANIMATION_ADDITIVE_REST) {
        ct_pose_rest(r->skeleton, reference);
        return true;
    }
    const double most = (double)r->clip->end - (double)r->clip->start;
    if ((double)r->source.additive_time > most + 1e-4)
        return ct_compile_error(r->c, r->c->doc,
                                ct_sjson_find(r->c->doc, ct_sjson_root(r->c->doc), "additive_time"),
                                "additive_time: found %g, but clip \"%s\" has only %g seconds",
                                (double)r->source.additive_time, r->clip_name, most);
    ct_joint_pose *const poses = CT_NEW_ARRAY(r->c->allocator, ct_joint_pose, r->num_joints);
    const double seconds = (double)r->clip->start + (double)r->source.additive_time;
    if (!ct_worker_clip_sample(r, seconds, poses))
        return false;
    if (r->source.root_motion != CT_ANIMATION_ROOT_NONE)
        ct_worker_clip_take_root(r, first, poses);
    to_groups(poses, r->num_joints, reference);
    return true;
}

static bool make_additive(ct_worker_clip_reader *r, const ct_joint_pose *first,
                          ct_joint_pose *samples) {
    const uint32_t num_groups = ct_pose_num_groups(r->num_joints);
    ct_pose_group *const groups =
        ct_alloc(r->c->allocator, (uint64_t)num_groups * 2 * sizeof(ct_pose_group));
    ct_pose_group *const reference = groups + num_groups;
    if (!find_reference(r, first, reference))
        return false;
    for (uint32_t frame = 0; frame <= r->num_frames; ++frame) {
        ct_joint_pose *const poses = samples + (uint64_t)frame * r->num_joints;
        to_groups(poses, r->num_joints, groups);
        ct_pose_make_delta(groups, reference, num_groups);
        for (uint32_t i = 0; i < r->num_joints; ++i)
            poses[i] = ct_pose_joint(groups, i);
    }
    return true;
}

// --- Samples -------------------------------------------------------------------------------------

// q and -q are one rotation: the one nearer to that of the frame before is kept.
static void join_rotations(const ct_worker_clip_reader *r, ct_joint_pose *samples) {
    for (uint64_t i = r->num_joints; i < (r->num_frames + 1ull) * r->num_joints; ++i) {
        ct_quat *const q = &samples[i].rotation;
        if (ct_quat_dot(*q, samples[i - r->num_joints].rotation) < 0)
            *q = (ct_quat){{-q->x, -q->y, -q->z, -q->w}};
    }
}

static bool sample_all(ct_worker_clip_reader *r, ct_raw_clip *raw) {
    const uint64_t num_joints = r->num_joints;
    ct_joint_pose *const samples =
        CT_NEW_ARRAY(r->c->allocator, ct_joint_pose, (r->num_frames + 1ull) * num_joints);
    ct_joint_pose *const first = CT_NEW_ARRAY(r->c->allocator, ct_joint_pose, num_joints);
    ct_animation_root_pose *const root =
        CT_NEW_ARRAY(r->c->allocator, ct_animation_root_pose, r->num_frames + 1ull);
    const bool has_root = r->source.root_motion != CT_ANIMATION_ROOT_NONE;
    for (uint32_t frame = 0; frame <= r->num_frames; ++frame) {
        ct_joint_pose *const poses = samples + frame * num_joints;
        const double part = (double)frame / r->num_frames;
        if (!ct_worker_clip_sample(r, (double)r->start + (double)r->length * part, poses))
            return false;
        if (frame == 0)
            memcpy(first, poses, num_joints * sizeof(*first));
        if (has_root)
            root[frame] = ct_worker_clip_take_root(r, first, poses);
    }
    raw->samples = samples;
    raw->root = has_root ? root : NULL;
    raw->flags =
        (r->source.loops ? CT_ANIMATION_LOOPS : 0u) | (has_root ? CT_ANIMATION_HAS_ROOT : 0u);
    if (r->source.additive != CT_ANIMATION_ADDITIVE_NONE) {
        raw->flags |= CT_ANIMATION_ADDITIVE;
        if (!make_additive(r, first, samples))
            return false;
    }
    join_rotations(r, samples);
    return true;
}

bool ct_compile_animation(ct_compile *c) {
    ct_worker_clip_reader r = {.c = c};
    if (!open_source(&r))
        return false;
    ct_raw_clip raw = {.skeleton = r.skeleton,
                       .skeleton_name = r.source.skeleton,
                       .rate = r.rate,
                       .num_frames = r.num_frames,
                       .tolerance = r.source.tolerance,
                       .jump_interval = r.source.jump_interval};
    if (!sample_all(&r, &raw) || !ct_worker_clip_events(&r, &raw) ||
        !ct_worker_clip_curves(&r, &raw))
        return false;
    ct_clip_compress(&raw, c->allocator, &c->blob, NULL);
    return true;
}
