// worker_clip.h: a clip of a model file as poses of a skeleton's joints, for compression.
//
// A clip is found by its name, its nodes are matched to joints by their keys, and every joint's
// local pose is sampled at frames with the file's own interpolation, in the engine's axes and
// metres. Times count from the first key of the file's clip. Everything is from the job's
// allocator.
#pragma once
#include "animation/clip/raw_clip.h"
#include "compiler/protocol/compile.h"
#include "compiler/types/model/worker_scene.h"

// Samples that a clip may have: frames times joints.
enum { CT_WORKER_CLIP_MAX_SAMPLES = 1 << 24 };

typedef struct ct_worker_clip_reader {
    ct_compile *c;
    ct_animation_source source;
    const ct_skeleton_resource *skeleton;
    const ct_skeleton_joint *joints; // of the skeleton
    uint32_t num_joints;
    ct_worker_scene scene;
    const ct_worker_clip *clip;
    const char *clip_name;       // for messages
    uint32_t *node_of_joint;     // CT_WORKER_SCENE_NO_NODE: the file has none
    const uint32_t (*tracks)[3]; // by joint and kind: channel + 1, or 0
    float start;                 // seconds in the file, of frame 0
    float length;                // seconds
    float rate;                  // frames a second: a whole number of frames in the length
    uint32_t num_frames;         // at least 1
    // Of the last frame, and the frames before it: whether the root joint's motion is taken out.
    uint32_t root_joint;
    ct_animation_root_pose root_before; // where the heading was last, so that it has no jumps
} ct_worker_clip_reader;

// Returns the name by which sources name clip `i`: its name in the file; the second of a name and
// those after it with a number ("walk#2"); those without a name by their number ("clip#1").
const char *ct_worker_clip_key(ct_compile *c, const ct_worker_scene *scene, uint32_t i);

// Finds the clip, the range and the channel of each joint, and checks the keys. Warns of nodes that
// move but are no joints. Returns false after reporting what is wrong.
bool ct_worker_clip_open(ct_worker_clip_reader *r);

// Writes the local poses of all joints at `seconds` of the file's timeline. Returns false after
// reporting a pose that is not finite, or that is too large.
bool ct_worker_clip_sample(const ct_worker_clip_reader *r, double seconds, ct_joint_pose *poses);

// Finds the root joint. Returns false after reporting an unknown one.
bool ct_worker_clip_find_root(ct_worker_clip_reader *r);

// Takes the root motion out of the poses of one frame, relative to the poses `first` of frame 0,
// and returns it. Frames must come in order: the heading goes on from the one before.
ct_animation_root_pose ct_worker_clip_take_root(ct_worker_clip_reader *r,
                                                const ct_joint_pose *first, ct_joint_pose *poses);

// Read the source's events, sorted by time, and its curves, sampled at frames. Return false after
// reporting what is wrong.
bool ct_worker_clip_events(const ct_worker_clip_reader *r, ct_raw_clip *raw);
bool ct_worker_clip_curves(const ct_worker_clip_reader *r, ct_raw_clip *raw);
