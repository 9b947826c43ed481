// animation_fixture.h: a skeleton and clips, made of numbers, for tests of characters. After
// script/api_fixture.h; include once in a program.
//
// The skeleton models/stick has the joints n1, n2 and n3 in a chain, a metre apart along z: the
// nodes of the unit units/robot. Clips of 1 second with 10 frames:
//   clips/idle  loops; nothing moves
//   clips/walk  loops; the root moves 2 metres along y; the events "left" at 0.25 s and "right" at
//               0.75 s; the curve "face", "smile" from 0 to 1
//   clips/wave  ends; n3 moves a metre up
#pragma once
#include "animation/clip/clip_compress.h"
#include "foundation/math/math.h"
#include "script/api_fixture.h"

enum { STICK_JOINTS = 3, CLIP_FRAMES = 10 };

static const char *const stick_names[STICK_JOINTS] = {"n1", "n2", "n3"};

// A skeleton as models/stick, whose clips fit if its hash is the same.
static inline void load_stick_as(script_fixture *s, const char *name, uint64_t hash) {
    ct_blob_writer w;
    ct_skeleton_resource skeleton = {.hash = hash, .shell = 0.03f};
    ct_skeleton_joint joints[STICK_JOINTS];
    memset(joints, 0, sizeof(joints));
    ct_blob_writer_init(&w, test_heap(), CT_BYTE_ORDER_LITTLE, "skeleton", CT_SKELETON_VERSION);
    ct_blob_begin(&w, &ct_skeleton_layout);
    for (uint32_t i = 0; i < STICK_JOINTS; ++i) {
        joints[i].name_text = ct_blob_write_string(&w, stick_names[i], strlen(stick_names[i]));
        joints[i].name = ct_string_id32_of(stick_names[i]);
        joints[i].parent = i ? i - 1 : CT_SKELETON_NO_PARENT;
        joints[i].position[2] = 1;
        joints[i].rotation[3] = 1;
        joints[i].scale[0] = joints[i].scale[1] = joints[i].scale[2] = 1;
    }
    skeleton.joints =
        ct_blob_write_items(&w, &ct_skeleton_joint_layout, joints, CT_COUNT_OF(joints));
    ct_blob_end(&w, &ct_skeleton_layout, &skeleton);
    ct_blob_writer_finish(&w);
    load_blob(s, &w, "skeleton", name);
}

// A clip in which n3 moves `rise` metres up and the root `way` metres along y. An additive clip has
// no place of its own.
static inline void load_stick_clip(script_fixture *s, const char *name, uint32_t flags, float rise,
                                   float way, const ct_raw_event *events, uint32_t num_events,
                                   const ct_raw_curve *curve) {
    ct_joint_pose samples[(CLIP_FRAMES + 1) * STICK_JOINTS];
    ct_animation_root_pose root[CLIP_FRAMES + 1] = {{{0}, 0}};
    const float place = flags & CT_ANIMATION_ADDITIVE ? 0 : 1;
    for (uint32_t k = 0; k <= CLIP_FRAMES; ++k) {
        const float t = (float)k / CLIP_FRAMES;
        root[k].position[1] = way * t;
        for (uint32_t i = 0; i < STICK_JOINTS; ++i)
            samples[k * STICK_JOINTS + i] = (ct_joint_pose){
                ct_quat_identity(), ct_vec3_make(0, 0, place + (i == 2 ? rise * t : 0)),
                ct_vec3_make(1, 1, 1)};
    }
    const ct_raw_clip raw = {.skeleton = ct_resource_manager_get(s->world.resources, "skeleton",
                                                                 ct_string_id64_of("models/stick")),
                             .skeleton_name = ct_string_id64_of("models/stick"),
                             .rate = CLIP_FRAMES,
                             .num_frames = CLIP_FRAMES,
                             .samples = samples,
                             .root = flags & CT_ANIMATION_HAS_ROOT ? root : NULL,
                             .flags = flags,
                             .tolerance = 1e-4f,
                             .jump_interval = 0.5f,
                             .num_curves = curve ? 1 : 0,
                             .num_events = num_events,
                             .curves = curve,
                             .events = events};
    ct_blob_writer w;
    ct_blob_writer_init(&w, test_heap(), CT_BYTE_ORDER_LITTLE, "animation", CT_ANIMATION_VERSION);
    ct_clip_compress(&raw, test_heap(), &w, NULL);
    ct_blob_writer_finish(&w);
    load_blob(s, &w, "animation", name);
}

static inline void load_animations(script_fixture *s) {
    float smiles[CLIP_FRAMES + 1];
    for (uint32_t k = 0; k <= CLIP_FRAMES; ++k)
        smiles[k] = (float)k / CLIP_FRAMES;
    const ct_raw_curve curve = {.object = "face", .parameter = "smile", .values = smiles};
    const ct_raw_event steps[] = {{"left", 0.25f}, {"right", 0.75f}};
    load_stick_as(s, "models/stick", 7);
    load_stick_clip(s, "clips/idle", CT_ANIMATION_LOOPS, 0, 0, NULL, 0, NULL);
    load_stick_clip(s, "clips/walk", CT_ANIMATION_LOOPS | CT_ANIMATION_HAS_ROOT, 0, 2, steps, 2,
                    &curve);
    load_stick_clip(s, "clips/wave", 0, 1, 0, NULL, 0, NULL);
}
