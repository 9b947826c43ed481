// sound_event_resource.h: the blob of a sound event: which sounds it plays, and how they depend on
// parameters.
//
// A tree of nodes in one array, a node before its children; siblings are linked by `next`. Leaves are
// sounds. Starting an event walks the tree once and picks leaves: its layers. Each layer plays one
// sound, with the values of all nodes from the root to its leaf: constants and ranges are settled when
// it starts, curves are evaluated again in each update. A leaf lists the curves of its whole path, so
// that an update only reads that list.
//
// Names are ids of 32 bits; nothing at run time compares text. Decibels, semitones, hertz, metres,
// seconds; angles in degrees, as in sources.
#pragma once
#include "resource/types/resource_types.h"

enum {
    CT_SOUND_EVENT_VERSION = 1,
    CT_SOUND_EVENT_MAX_NODES = 256,
    CT_SOUND_EVENT_MAX_DEPTH = 8,
    CT_SOUND_EVENT_MAX_LAYERS = 8, // of an instance at the same time
    CT_SOUND_EVENT_MAX_PARAMETERS = 32,
    CT_SOUND_EVENT_MAX_CURVES = 256,
    CT_SOUND_EVENT_MAX_POINTS = 64,
    CT_SOUND_EVENT_MAX_LEAF_CURVES = 32,
    CT_SOUND_EVENT_MAX_MARKERS = 64,
    CT_SOUND_EVENT_MAX_INSTANCES = 1024, // that `limit` may allow
    CT_SOUND_EVENT_MAX_AVOID = 8,
    CT_SOUND_EVENT_MAX_REPEATS = 10000,
    CT_SOUND_EVENT_MAX_SECONDS = 3600, // of delays, fades, cooldowns, markers
    CT_SOUND_EVENT_MAX_TEMPO = 1000,
    CT_SOUND_EVENT_MAX_BEATS = 64,
};

#define CT_SOUND_SILENCE_DB (-96.0f) // and less is silence
#define CT_SOUND_MAX_DB 24.0f
#define CT_SOUND_MAX_SEMITONES 48.0f // of pitch, up and down
#define CT_SOUND_LEAST_HZ 10.0f      // of low-pass filters
#define CT_SOUND_OPEN_HZ 22000.0f    // low-pass filters from here on let everything through

typedef enum ct_sound_node_kind {
    CT_SOUND_NODE_SOUND,    // a leaf: `sound`
    CT_SOUND_NODE_RANDOM,   // one child, by weight, not one of the last `avoid`
    CT_SOUND_NODE_SEQUENCE, // one child, the next at each start of the event in a world
    CT_SOUND_NODE_CHAIN,    // all children, one after the other without gaps; the last may loop
    CT_SOUND_NODE_LAYERS,   // all children, from the same frame on
    CT_SOUND_NODE_BLEND,    // the same; the compiler gives each a GAIN curve over a parameter
    CT_SOUND_NODE_SWITCH,   // the child of the first case that holds for a parameter
    CT_SOUND_NODE_COUNT,
} ct_sound_node_kind;

typedef enum ct_sound_node_flag {
    CT_SOUND_NODE_FOLLOWS = 1, // SWITCH: changes, with a fade, when the parameter does
    CT_SOUND_NODE_LOOPS = 2,   // SOUND: plays its loop, or all of it, until it is stopped
} ct_sound_node_flag;

#define CT_SOUND_NO_NODE UINT32_MAX

typedef struct ct_sound_node {
    uint32_t kind; // ct_sound_node_kind
    uint32_t flags;
    uint32_t next;        // sibling, NO_NODE: the last
    uint32_t first_child; // NO_NODE: none
    uint32_t num_children;
    uint32_t slot;                    // RANDOM, SEQUENCE: of the event's state (num_slots)
    uint32_t avoid;                   // RANDOM
    float weight;                     // as the child of a RANDOM
    uint32_t repeats;                 // as the child of a CHAIN: how often it plays, at least 1
    ct_string_id32 parameter;         // SWITCH
    uint32_t first_case, num_cases;   // SWITCH; one for each child, in their order
    ct_string_id64 sound;             // SOUND
    float fade;                       // SWITCH: seconds
    float delay;                      // seconds before it starts
    uint32_t first_value, num_values; // its own constants and ranges
    uint32_t first_curve, num_curves; // SOUND: in leaf_curves: those of its whole path
} ct_sound_node;

typedef enum ct_sound_case_kind {
    CT_SOUND_CASE_TEXT,   // the parameter is a string with this hash
    CT_SOUND_CASE_NUMBER, // low <= parameter < high
    CT_SOUND_CASE_ELSE,   // always
    CT_SOUND_CASE_COUNT,
} ct_sound_case_kind;

// A case of a SWITCH: `text` of TEXT, or the numbers of NUMBER.
typedef struct ct_sound_case {
    uint32_t kind;
    ct_string_id32 text;
    float low, high;
} ct_sound_case;

// What a value changes. Those of a path are combined: VOLUME, PITCH and SEND add up, GAIN multiplies,
// of LOW_PASS the lowest counts.
typedef enum ct_sound_target {
    CT_SOUND_TARGET_VOLUME,   // dB
    CT_SOUND_TARGET_GAIN,     // factor, 0 to 1
    CT_SOUND_TARGET_PITCH,    // semitones
    CT_SOUND_TARGET_LOW_PASS, // Hz
    CT_SOUND_TARGET_SEND,     // dB, to the reverb of the place
    CT_SOUND_TARGET_COUNT,
} ct_sound_target;

// A constant (low == high) or a range from which each start takes a number.
typedef struct ct_sound_value {
    uint32_t target;
    float low, high;
} ct_sound_value;

// How y follows x between points.
typedef enum ct_sound_curve_shape {
    CT_SOUND_SHAPE_LINEAR,
    CT_SOUND_SHAPE_STEP,   // the value of the point before
    CT_SOUND_SHAPE_SMOOTH, // 3t^2 - 2t^3
    CT_SOUND_SHAPE_COUNT,
} ct_sound_curve_shape;

typedef struct ct_sound_curve {
    uint32_t target;          // ct_sound_target
    uint32_t shape;           // ct_sound_curve_shape
    ct_string_id32 parameter; // of the instance, else global, else built in (ct_sound_built_in)
    float missing;            // its number when it is not set anywhere: as it is declared
    uint32_t first_point, num_points; // at least 1; constant before the first and after the last
} ct_sound_curve;

typedef struct ct_sound_point {
    float x, y; // x rises strictly
} ct_sound_point;

// Parameters that the engine sets for each instance.
typedef enum ct_sound_built_in {
    CT_SOUND_BUILT_IN_DISTANCE, // metres to the nearest listener
    CT_SOUND_BUILT_IN_ANGLE, // degrees between the source's forward axis and the listener, 0 to 180
    CT_SOUND_BUILT_IN_SPEED, // metres a second, of the source
    CT_SOUND_BUILT_IN_OCCLUSION, // 0 free, 1 all rays blocked
    CT_SOUND_BUILT_IN_TIME,      // seconds since it started
    CT_SOUND_BUILT_IN_COUNT,
} ct_sound_built_in;

// What a declared parameter holds.
typedef enum ct_sound_parameter_kind {
    CT_SOUND_PARAMETER_NUMBER,
    CT_SOUND_PARAMETER_TEXT,
    CT_SOUND_PARAMETER_COUNT,
} ct_sound_parameter_kind;

// A declared parameter with its value while neither the instance has it nor it is global. What is set
// for an instance but not declared is a mistake.
typedef struct ct_sound_parameter_info {
    ct_blob_string name_text; // for messages and tools
    ct_string_id32 name;
    uint32_t kind; // ct_sound_parameter_kind
    float number;
    ct_string_id32 text;
} ct_sound_parameter_info;

typedef enum ct_sound_attenuation {
    CT_SOUND_ATTENUATION_INVERSE, // least / (least + rolloff * (clamp(d) - least))
    CT_SOUND_ATTENUATION_LINEAR,  // from 1 at least to 0 at most
    CT_SOUND_ATTENUATION_CURVE,   // a GAIN or VOLUME curve over `distance` does it
    CT_SOUND_ATTENUATION_COUNT,
} ct_sound_attenuation;

// How the place matters. Without IS_SPATIAL the event sounds the same everywhere.
typedef struct ct_sound_spatial {
    uint32_t is_spatial;
    uint32_t attenuation;                // ct_sound_attenuation
    float least_distance, most_distance; // metres; 0 < least < most
    float rolloff;
    float cone_inner, cone_outer;  // degrees, whole angles around the forward axis; 360: no cone
    float cone_volume;             // dB outside of the outer angle
    float spread_near, spread_far; // 0: a point, 1: all around; at least and at most distance
    float doppler;                 // factor of the velocities; 0: none
    float occlusion_volume;        // dB when all rays are blocked
    float occlusion_low_pass;      // Hz, the same
    float occlusion_radius;        // metres around the source where rays end; 0: no rays
} ct_sound_spatial;

typedef enum ct_sound_steal {
    CT_SOUND_STEAL_NONE, // the new one does not start
    CT_SOUND_STEAL_OLDEST,
    CT_SOUND_STEAL_QUIETEST,
    CT_SOUND_STEAL_FARTHEST,
    CT_SOUND_STEAL_COUNT,
} ct_sound_steal;

typedef struct ct_sound_marker {
    float seconds;        // since the start, without delays
    ct_string_id32 name;  // for scripts; 0: none
    ct_string_id64 event; // plays at the same place; 0: none
} ct_sound_marker;

typedef struct ct_sound_event_resource {
    ct_blob_header header;
    ct_string_id64 name;     // of the resource
    ct_string_id32 bus;      // in the project's buses; 0: the root
    uint32_t priority;       // 0 to 255: of two equally loud ones the higher is real
    uint32_t limit;          // instances in a world at the same time; 0: any
    uint32_t steal;          // ct_sound_steal
    float cooldown;          // seconds after a start in which no other starts
    float fade_in, fade_out; // seconds
    float tempo;             // beats a minute; 0: no music
    uint32_t beats;          // in a bar
    float first_beat;        // seconds
    uint32_t num_slots;      // of RANDOM and SEQUENCE nodes
    uint32_t padding;
    ct_sound_spatial spatial;
    ct_blob_array nodes;       // ct_sound_node; the first is the root
    ct_blob_array cases;       // ct_sound_case
    ct_blob_array values;      // ct_sound_value
    ct_blob_array curves;      // ct_sound_curve
    ct_blob_array points;      // ct_sound_point
    ct_blob_array leaf_curves; // uint32_t, positions in `curves`
    ct_blob_array parameters;  // ct_sound_parameter_info
    ct_blob_array markers;     // ct_sound_marker, by time
} ct_sound_event_resource;

extern const ct_blob_layout ct_sound_event_layout, ct_sound_node_layout, ct_sound_case_layout,
    ct_sound_value_layout, ct_sound_curve_layout, ct_sound_point_layout,
    ct_sound_parameter_info_layout, ct_sound_marker_layout;
extern const ct_schema ct_sound_event_schema; // of the source

// The names of built-in parameters, in the order of ct_sound_built_in, and their ids.
extern const char *const ct_sound_built_in_names[CT_SOUND_BUILT_IN_COUNT];
ct_string_id32 ct_sound_built_in_id(ct_sound_built_in parameter);

// Returns the declaration of a parameter; NULL when the event has none.
const ct_sound_parameter_info *ct_sound_find_parameter(const ct_sound_event_resource *event,
                                                       ct_string_id32 name);

// Fills the parent of each node; CT_SOUND_NO_NODE for the root.
void ct_sound_find_parents(const ct_sound_event_resource *event,
                           uint32_t parents[CT_SOUND_EVENT_MAX_NODES]);

// Sets the least and the most that a value or a curve may give for a target (ct_sound_target), and
// returns false when there is no such target.
bool ct_sound_target_range(uint32_t target, float *least, float *most);

// Validates a blob of this type after its header was checked: all positions are inside their arrays,
// the tree is one (each node has one parent, before it), numbers are finite and in range. Returns
// false with `error`. libc only.
bool ct_sound_event_validate(const void *blob, ct_error *error);
