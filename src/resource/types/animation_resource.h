// animation_resource.h: the blob of a clip: compressed motion of a skeleton's joints, float curves,
// events, and root motion.
//
// Time runs in whole frames (`rate` to the second) from 0 to `num_frames`; every key is at a frame.
// A track is one joint's rotation, position or scale, or a float curve: cubic Hermite segments
// between keys. Tracks are in lanes of groups: a group has four lanes, the tracks of one kind of
// four joints with consecutive numbers (4n to 4n + 3) or of four curves, so that what is evaluated
// is a lane of the pose as animation/pose.h has it. A lane without keys in the stream has one
// constant value; a group without any track that differs from the rest pose is left out.
//
// All keys of the clip are in one stream of bits, sorted by the time at which they are needed: a
// key is needed when the key before the last of its track is passed. A player keeps its place in
// the stream and the active keys (clip/clip_player.h). Jump frames hold the active keys and the
// place in the stream at some frames. From "Low Level Animation -- Part 2" (Bitsquid blog,
// 2011-10-23).
#pragma once
#include "resource/types/skeleton_resource.h"

enum {
    CT_ANIMATION_VERSION = 1,
    CT_ANIMATION_MAX_FRAMES = 1 << 20,
    CT_ANIMATION_MAX_CURVES = 256,
    CT_ANIMATION_MAX_EVENTS = 1024,
};

typedef enum ct_animation_flag {
    CT_ANIMATION_LOOPS = 1,    // the end continues at the start
    CT_ANIMATION_ADDITIVE = 2, // poses are differences to a reference
    CT_ANIMATION_HAS_ROOT = 4, // root motion was taken out of the joints
} ct_animation_flag;

typedef enum ct_animation_track_kind {
    CT_ANIMATION_TRACK_ROTATION, // 4 numbers a lane when evaluated
    CT_ANIMATION_TRACK_POSITION, // 3
    CT_ANIMATION_TRACK_SCALE,    // 3
    CT_ANIMATION_TRACK_CURVE,    // 1
    CT_ANIMATION_TRACK_KIND_COUNT,
} ct_animation_track_kind;

// An event at a time. Sorted by time.
typedef struct ct_animation_event {
    ct_blob_string name_text;
    ct_string_id32 name;
    float time; // seconds, 0 to the clip's length
} ct_animation_event;

// A float curve. Its values are track `number` of kind CURVE in the order of this array.
typedef struct ct_animation_curve {
    ct_blob_string object_text, parameter_text;
    ct_string_id32 object, parameter;
} ct_animation_curve;

// A key of the root's path, at a frame; linear between keys (angle and place). Any time can be
// looked up by binary search, without a player.
typedef struct ct_animation_root_key {
    uint32_t frame;
    float position[3]; // metres, relative to the clip's start
    float heading;     // radians about Z, counter-clockwise, relative to the clip's start; any size
} ct_animation_root_key;

typedef struct ct_animation_resource {
    ct_blob_header header;
    ct_string_id64 skeleton; // the resource it was compiled for
    uint64_t skeleton_hash;  // ct_skeleton_resource.hash at that time
    float rate;              // frames a second
    uint32_t num_frames;     // the last frame; at least 1
    uint32_t flags;          // ct_animation_flag
    uint32_t num_joints;     // of the skeleton
    ct_blob_array events;    // ct_animation_event
    ct_blob_array curves;    // ct_animation_curve
    ct_blob_array root_keys; // ct_animation_root_key, empty without CT_ANIMATION_HAS_ROOT
    // The clip compressor adds groups, lanes (ranges, bits, constants), stream, jump frames.
} ct_animation_resource;

// Which parts of the motion of the root joint become root motion.
typedef enum ct_animation_root {
    CT_ANIMATION_ROOT_NONE,
    CT_ANIMATION_ROOT_HORIZONTAL, // x and y
    CT_ANIMATION_ROOT_GROUND,     // x, y and the heading
    CT_ANIMATION_ROOT_ALL,        // x, y, z and the heading
} ct_animation_root;

// What the poses of an additive clip are differences to.
typedef enum ct_animation_additive {
    CT_ANIMATION_ADDITIVE_NONE, // the clip is not additive
    CT_ANIMATION_ADDITIVE_REST, // the skeleton's rest pose
    CT_ANIMATION_ADDITIVE_TIME, // the pose at `additive_time` of the media's clip
} ct_animation_additive;

// The fields that the schema reads from a source.
typedef struct ct_animation_source {
    const char *source;      // media: .gltf, .glb, .fbx, .bvh
    const char *clip;        // its name in the file; "": the only one
    ct_string_id64 skeleton; // resource
    float start, end;        // seconds in the media's clip; end 0: to its end
    float rate;              // frames a second that keys are placed at
    float tolerance;         // metres, at the skeleton's shell
    float scale;             // of positions; as the mesh's
    uint32_t up_axis;        // ct_mesh_up_axis
    uint32_t loops;          // bool
    uint32_t additive;       // ct_animation_additive
    float additive_time;     // seconds
    uint32_t root_motion;    // ct_animation_root
    const char *root_joint;  // "": the first joint
    float jump_interval;     // seconds between jump frames; 0: none but the first
    ct_sjson_value events;   // [{ id name time }]
    ct_sjson_value curves;   // [{ id object parameter keys = [[time value] ...] step = false }]
} ct_animation_source;

extern const ct_schema ct_animation_schema, ct_animation_event_schema, ct_animation_curve_schema;
extern const ct_blob_layout ct_animation_layout;

// Validates a blob of this type after its header was checked: every offset is inside the blob,
// values are in range, and playing the whole stream stays inside it. Returns false with `error`,
// which names the invalid member. libc only.
bool ct_animation_validate(const void *blob, ct_error *error);

// Returns the clip's length in seconds; positive.
float ct_animation_length(const ct_animation_resource *clip);

// A place on the ground plane and above it, and a heading about Z.
typedef struct ct_animation_root_pose {
    float position[3];
    float heading;
} ct_animation_root_pose;

// Returns the root's pose at `time` seconds, clamped to the clip; zeroes without root motion. Pure.
ct_animation_root_pose ct_animation_root_at(const ct_animation_resource *clip, float time);
