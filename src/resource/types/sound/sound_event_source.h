// sound_event_source.h: the fields that the schemas read from the source of a sound event
// (docs/formats/sound_event.md).
//
// Where a source may have the name of a sound or a node, tools follow both: ct_sound_event_schema
// has a field for each, of the same name. The schemas for reading end before those fields, and leave
// the value to the compiler.
#pragma once
#include "resource/types/sound_event_resource.h"

// A place for a node, or the name of a sound.
typedef struct ct_sound_play_source {
    ct_sjson_value value;
    ct_string_id64 sound; // for tools
    ct_sjson_value node;  // for tools
} ct_sound_play_source;

// The root.
typedef struct ct_sound_event_source {
    const char *bus; // NULL: the root
    ct_sjson_value bus_value;
    int32_t priority, limit;
    uint32_t steal; // ct_sound_steal
    float cooldown, fade_in, fade_out;
    ct_sjson_value steal_value, parameters, spatial, music, markers;
    ct_sound_play_source play;
} ct_sound_event_source;

// A node. Members of a kind alone keep their place, so that they are refused in others.
typedef struct ct_sound_node_source {
    uint32_t type; // ct_sound_node_kind
    uint32_t loop, follow;
    int32_t avoid, repeats;
    float fade, delay, weight, at;
    const char *parameter;
    ct_sjson_value sound, sounds, nodes, cases;
    ct_sjson_value loop_value, avoid_value, parameter_value, follow_value, fade_value, at_value,
        repeats_value, weight_value;
    ct_string_id64 sound_name;                    // for tools
    ct_sjson_value values[CT_SOUND_TARGET_COUNT]; // number, range or curve
    ct_sound_play_source play;                    // of an element of a blend
} ct_sound_node_source;

// An element of `cases`.
typedef struct ct_sound_case_source {
    ct_sjson_value value, low_value, high_value;
    float low, high;
    ct_sound_play_source play;
} ct_sound_case_source;

// `volume` and others, when they follow a parameter.
typedef struct ct_sound_curve_source {
    const char *parameter;
    uint32_t shape; // ct_sound_curve_shape
    ct_sjson_value parameter_value, points;
} ct_sound_curve_source;

// `spatial` of the root.
typedef struct ct_sound_spatial_source {
    uint32_t attenuation; // ct_sound_attenuation
    float least_distance, most_distance, rolloff, doppler;
    ct_sjson_value attenuation_value, most_distance_value, cone, spread, occlusion;
} ct_sound_spatial_source;

// `cone` of `spatial`.
typedef struct ct_sound_cone_source {
    float inner, outer, volume;
    ct_sjson_value outer_value;
} ct_sound_cone_source;

// `occlusion` of `spatial`.
typedef struct ct_sound_occlusion_source {
    float volume, low_pass, radius;
} ct_sound_occlusion_source;

// `music` of the root.
typedef struct ct_sound_music_source {
    float tempo, first_beat;
    int32_t beats;
} ct_sound_music_source;

// An element of `markers`.
typedef struct ct_sound_marker_source {
    float at;
    const char *name; // NULL: none
    ct_string_id64 event;
    ct_sjson_value event_value;
} ct_sound_marker_source;

extern const ct_schema ct_sound_event_read_schema, ct_sound_node_read_schema,
    ct_sound_case_read_schema, ct_sound_curve_schema, ct_sound_spatial_schema, ct_sound_cone_schema,
    ct_sound_occlusion_schema, ct_sound_music_schema, ct_sound_marker_schema;

// The names of kinds of nodes and of targets in sources; NULL-terminated.
extern const char *const ct_sound_node_names[CT_SOUND_NODE_COUNT + 1];
extern const char *const ct_sound_target_names[CT_SOUND_TARGET_COUNT + 1];
