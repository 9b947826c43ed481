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
// All keys of the clip but the first of each lane are in one stream of bits, sorted by the time at
// which they are needed: a key is needed at the frame at which the active segment of its lane ends,
// and the first ones at frame 0. A player has these ends, so keys hold no lane and no time: at each
// frame, the lanes whose segments end there read one key each, in the order of groups and lanes. A
// key is the new segment's duration - 1, then the values and the tangents (for each frame) at the
// segment's end. From "Low Level Animation -- Part 2" (Bitsquid blog, 2011-10-23).
//
// Jump frames, at multiples of `jump_frames`, are where players start to read: at frame 0 and after
// seeks. They hold the place in the stream behind the keys that are needed at the frame, and bits
// for each lane with keys, in the order of groups and lanes: the frames since its active segment
// started, where the key at the segment's end is (bits before the place), and the values and the
// tangents at the segment's start.
//
// Values are whole numbers of the lane's `value_step` above `base`; tangents are whole numbers,
// negative too, of the lane's `tangent_step`, which is `value_step` / 2^tangent_shift. In the stream
// a value is the difference to where the tangent of the key before leads. Tangents are in the stream
// too, or are derived: 1.5 times the slope of the segment less half the tangent at its start. A
// rotation is either x, y and z relative to the lane's `reference`, with a w that is not negative,
// or (CT_ANIMATION_GROUP_QUATERNION) all four numbers, made length 1 when evaluated.
//
// animation_stream.h reads keys and jump frames.
#pragma once
#include "resource/types/skeleton_resource.h"

enum {
    CT_ANIMATION_VERSION = 2,
    CT_ANIMATION_MAX_FRAMES = 1 << 20,
    CT_ANIMATION_MAX_CURVES = 256,
    CT_ANIMATION_MAX_EVENTS = 1024,
    CT_ANIMATION_LANES = 4,             // of a group
    CT_ANIMATION_MAX_DURATION_BITS = 8, // a segment has 1 to 256 frames
    CT_ANIMATION_MAX_VALUE_BITS = 26,   // of a difference, with the sign
    CT_ANIMATION_MAX_TANGENT_BITS = 16, // with the sign
    CT_ANIMATION_STREAM_END_BYTES = 8,  // zeroes at the end: bits are read 8 bytes at a time
    // Rotations of four joints may be in two groups, one of relative ones and one of quaternions.
    CT_ANIMATION_MAX_GROUPS = 4 * CT_SKELETON_MAX_JOINTS / 4 + CT_ANIMATION_MAX_CURVES / 4,
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

typedef enum ct_animation_group_flag {
    CT_ANIMATION_GROUP_WIDE = 1,       // active values have 32 bits, not 16
    CT_ANIMATION_GROUP_QUATERNION = 2, // rotations have four numbers
} ct_animation_group_flag;

// Four numbers, one for each lane.
typedef struct ct_animation_row {
    _Alignas(16) float lanes[CT_ANIMATION_LANES];
} ct_animation_row;

// How the keys of a lane are read; all 0: the lane has no keys.
typedef struct ct_animation_lane {
    uint8_t value_bits[4], tangent_bits[4]; // of each number, with signs; 0: always 0
    uint8_t duration_bits;                  // 1 to 8; 0: no keys
    uint8_t is_stepped;                     // values hold until the segment's end
    uint8_t has_derived_tangents;           // they are not in the stream
    uint8_t tangent_shift;                  // 0 to 15
    // Of each number in jump frames, tangents with signs; and of the place of a key.
    uint8_t jump_value_bits[4], jump_tangent_bits[4], jump_place_bits;
} ct_animation_lane;

// Four tracks of one kind. `first_row` is the group's first in the array `rows`. Of a group with
// keys: the rows `base` (one for each number), `value_step`, `tangent_step`, and for rotations that
// are relative four rows of `reference`. Of a group without keys: the rows of the evaluated number.
typedef struct ct_animation_group {
    uint32_t kind;      // ct_animation_track_kind
    uint32_t number;    // joints or curves 4 * number to 4 * number + 3
    uint32_t flags;     // ct_animation_group_flag
    uint32_t tracks;    // bit l: lane l has a track; others get the rest pose
    uint32_t first_row; // in `rows`
    ct_animation_lane lanes[CT_ANIMATION_LANES];
} ct_animation_group;

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
    ct_blob_array groups;    // ct_animation_group; those with keys come first
    ct_blob_array rows;      // ct_animation_row
    ct_blob_array stream;    // bytes; bits are counted from the lowest of the first byte
    ct_blob_array jump_bits; // uint32_t: the place in the stream of each jump frame
    // Bytes: `jump_bytes` for each jump frame, counted and ended as the stream is. Empty without keys.
    ct_blob_array jump_states;
    uint32_t num_keyed_groups; // the groups with keys
    uint32_t jump_frames;      // from one jump frame to the next; at least 1
    // For tools: what the clip was compressed with, and how much its poses differ from the media's.
    float tolerance;               // metres at the skeleton's shell, in model space
    float worst_error, mean_error; // the same, over all joints and frames
    float worst_time;              // seconds
    uint32_t worst_joint;
    uint32_t jump_bytes; // of a jump frame
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
    float jump_interval;     // seconds between jump frames at most; 0: only the first
    ct_sjson_value events;   // array of ct_animation_event_source with ids
    ct_sjson_value curves;   // array of ct_animation_curve_source with ids
} ct_animation_source;

typedef struct ct_animation_event_source {
    const char *name;
    float time; // seconds
} ct_animation_event_source;

typedef struct ct_animation_curve_source {
    const char *object;
    const char *parameter;
    ct_sjson_value keys; // [[time value] ...], times in seconds, ascending
    uint32_t step;       // bool: values hold until the next key
} ct_animation_curve_source;

extern const ct_schema ct_animation_schema, ct_animation_event_schema, ct_animation_curve_schema;
extern const ct_blob_layout ct_animation_layout, ct_animation_event_layout,
    ct_animation_curve_layout, ct_animation_root_key_layout, ct_animation_lane_layout,
    ct_animation_group_layout, ct_animation_row_layout;

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
