// clip_fixture.h: skeletons and raw clips for tests, and the blobs of clips.
#pragma once
#include <math.h>
#include <string.h>

#include "animation/clip/clip_compress.h"
#include "animation/clip/clip_player.h"
#include "foundation/error.h"
#include "foundation/math/math.h"
#include "foundation/math/random.h"
#include "support/test_support.h"

// How the joints of a raw clip move.
typedef enum clip_motion {
    CLIP_SMOOTH,   // sums of slow waves
    CLIP_NOISE,    // a random rotation near the rest pose at each frame
    CLIP_SPIN,     // turns of up to 170 degrees a frame about one axis
    CLIP_CONSTANT, // another pose than at rest, all the time
    CLIP_REST,
    CLIP_STEPS, // jumps between poses
    CLIP_SCALE, // as smooth, with positions and scales
    CLIP_MIXED, // each joint another of these
    CLIP_MOTION_COUNT,
} clip_motion;

typedef struct clip_fixture {
    ct_blob_writer skeleton;
    ct_joint_pose *samples;
    ct_raw_clip raw;
    uint32_t num_joints;
} clip_fixture;

// Writes a skeleton of joints that each have their parent `back` joints before (1: a chain).
static inline void clip_write_skeleton(ct_blob_writer *w, uint32_t num_joints, uint32_t back) {
    ct_skeleton_resource r = {.hash = 77, .shell = 0.03f};
    ct_skeleton_joint *const joints = ct_alloc_zero(test_heap(), sizeof(*joints) * num_joints);
    ct_blob_writer_init(w, test_heap(), CT_BYTE_ORDER_LITTLE, "skeleton", CT_SKELETON_VERSION);
    ct_blob_begin(w, &ct_skeleton_layout);
    r.joints = ct_blob_reserve_items(w, &ct_skeleton_joint_layout, num_joints);
    for (uint32_t j = 0; j < num_joints; ++j) {
        char name[32];
        snprintf(name, sizeof(name), "joint_%u", j);
        joints[j] = (ct_skeleton_joint){.name_text = ct_blob_write_string(w, name, strlen(name)),
                                        .name = ct_string_id32_of(name),
                                        .parent = j < back ? CT_SKELETON_NO_PARENT : j - back,
                                        .position = {0, 0, j < back ? 1.0f : 0.15f},
                                        .rotation = {0, 0, 0, 1},
                                        .scale = {1, 1, 1}};
    }
    ct_blob_fill_items(w, &ct_skeleton_joint_layout, r.joints, joints);
    ct_blob_end(w, &ct_skeleton_layout, &r);
    ct_blob_writer_finish(w);
    ct_free(test_heap(), joints);
}

static inline float clip_number(ct_random *r) {
    return ct_random_float(r) * 2 - 1;
}

static inline ct_quat clip_near_rotation(ct_random *r, float angle) {
    return ct_quat_axis_angle(ct_random_unit_vec3(r), clip_number(r) * angle);
}

static inline void clip_move_joint(clip_fixture *c, uint32_t joint, clip_motion motion,
                                   ct_random *r) {
    const ct_vec3 axis = ct_random_unit_vec3(r), other = ct_random_unit_vec3(r);
    const float rate = 0.02f + 0.1f * ct_random_float(r), phase = clip_number(r) * 3;
    const float spin = clip_number(r) * 2.9f;
    const ct_quat pose = ct_random_quat(r);
    ct_joint_pose held = {0};
    uint32_t left = 0;
    for (uint32_t f = 0; f <= c->raw.num_frames; ++f) {
        ct_joint_pose *const s = &c->samples[(uint64_t)f * c->num_joints + joint];
        const float wave = sinf((float)f * rate + phase), second = cosf((float)f * rate * 0.37f);
        const ct_quat smooth =
            ct_quat_mul(ct_quat_axis_angle(axis, wave), ct_quat_axis_angle(other, second * 0.5f));
        if (motion == CLIP_SMOOTH || motion == CLIP_SCALE)
            s->rotation = smooth;
        if (motion == CLIP_NOISE)
            s->rotation = clip_near_rotation(r, 0.3f);
        if (motion == CLIP_SPIN)
            s->rotation = ct_quat_mul(ct_quat_axis_angle(axis, spin * (float)f), pose);
        if (motion == CLIP_CONSTANT)
            s->rotation = pose;
        if (motion == CLIP_SCALE) {
            s->position.x += wave;
            s->position.y += second * second;
            s->scale = ct_vec3_make(1 + 0.5f * wave, 1 + 0.2f * second, 1);
        }
        if (motion == CLIP_STEPS) {
            if (left-- == 0) {
                held = *s;
                held.rotation = ct_random_quat(r);
                held.position.y += clip_number(r);
                left = ct_random_below(r, 9);
            }
            *s = held;
        }
        s->rotation = ct_quat_unit(s->rotation);
        if (ct_random_u32(r) % 4 == 0) // the same rotation
            s->rotation = (ct_quat){{-s->rotation.raw[0], -s->rotation.raw[1], -s->rotation.raw[2],
                                     -s->rotation.raw[3]}};
    }
}

// Makes a raw clip of a new skeleton. Change c->raw before compressing.
static inline void clip_make(clip_fixture *c, uint32_t num_joints, uint32_t back,
                             uint32_t num_frames, clip_motion motion, uint64_t seed) {
    memset(c, 0, sizeof(*c));
    clip_write_skeleton(&c->skeleton, num_joints, back);
    const ct_skeleton_resource *const skeleton = (const void *)c->skeleton.bytes.items;
    ct_skeleton_joint const *const joints = ct_skeleton_joints(skeleton, &c->num_joints);
    c->samples = ct_alloc(test_heap(), sizeof(*c->samples) * num_joints * (num_frames + 1ull));
    c->raw = (ct_raw_clip){.skeleton = skeleton,
                           .skeleton_name = {5},
                           .rate = 30,
                           .num_frames = num_frames,
                           .samples = c->samples,
                           .tolerance = 0.001f,
                           .jump_interval = 0.5f};
    for (uint64_t i = 0; i < num_joints * (num_frames + 1ull); ++i) {
        const ct_skeleton_joint *const j = &joints[i % num_joints];
        memcpy(c->samples[i].rotation.raw, j->rotation, sizeof(j->rotation));
        memcpy(c->samples[i].position.raw, j->position, sizeof(j->position));
        memcpy(c->samples[i].scale.raw, j->scale, sizeof(j->scale));
    }
    ct_random r = ct_random_seeded(seed, 0);
    for (uint32_t j = 0; j < num_joints; ++j)
        clip_move_joint(c, j,
                        motion == CLIP_MIXED ? (clip_motion)((j + seed) % CLIP_MIXED) : motion, &r);
}

static inline void clip_free(clip_fixture *c) {
    ct_blob_writer_free(&c->skeleton);
    ct_free(test_heap(), c->samples);
}

// Compresses into `w`, a whole blob that is valid. It lives until ct_blob_writer_free.
static inline const ct_animation_resource *clip_compress(const ct_raw_clip *raw, ct_blob_writer *w,
                                                         ct_clip_error *error) {
    ct_error invalid = {0};
    ct_blob_writer_init(w, test_heap(), CT_BYTE_ORDER_LITTLE, "animation", CT_ANIMATION_VERSION);
    ct_clip_compress(raw, test_heap(), w, error);
    ct_blob_writer_finish(w);
    if (!ct_animation_validate(w->bytes.items, &invalid))
        fail_msg("%s", invalid.message);
    return (const void *)w->bytes.items;
}

static inline ct_clip_player *clip_new_player(const ct_animation_resource *clip) {
    ct_clip_player *const p = ct_alloc(test_heap(), ct_clip_player_bytes(clip));
    ct_clip_player_init(p, clip);
    return p;
}
