// The schemas of the sources of sound events.
#include <stddef.h>

#include "resource/types/sound/sound_event_source.h"

#define AT(type, member) .offset = offsetof(type, member), .size_bytes = sizeof(((type *)0)->member)

// The position of a field in the source, beside the field.
#define PLACE(source_type, field_name, member)                                                     \
    {                                                                                              \
        .name = (field_name), .type = CT_FIELD_TYPE_VALUE, AT(source_type, member),                \
        .doc = "Position in the source."                                                           \
    }

#define VALUE(source_type, field_name, member, text)                                               \
    { .name = (field_name), .type = CT_FIELD_TYPE_VALUE, AT(source_type, member), .doc = (text) }

// The name of a sound, or a node: as a value, for the compiler; and as what tools follow, at the end
// of the fields.
#define PLAY(source_type) VALUE(source_type, "play", play.value, "The name of a sound, or a node.")
#define PLAY_FOR_TOOLS(source_type)                                                                \
    {.name = "play",                                                                               \
     .type = CT_FIELD_TYPE_REFERENCE,                                                              \
     AT(source_type, play.sound),                                                                  \
     .doc = "The name of a sound.",                                                                \
     .reference_type = "sound"},                                                                   \
    {                                                                                              \
        .name = "play", .type = CT_FIELD_TYPE_OBJECT, AT(source_type, play.node),                  \
        .doc = "A node.", .schema = &node_schema                                                   \
    }

#define SCHEMA(schema_name, text, source_type, schema_fields, left_out, members)                   \
    {                                                                                              \
        .name = (schema_name), .doc = (text), .size_bytes = sizeof(source_type),                   \
        .num_fields = CT_COUNT_OF(schema_fields) - (left_out), .fields = (schema_fields),          \
        .identity = (members),                                                                     \
    }

#define SECONDS .unit = "s", .least = 0, .most = CT_SOUND_EVENT_MAX_SECONDS
#define DECIBELS .unit = "dB", .least = (double)CT_SOUND_SILENCE_DB, .most = (double)CT_SOUND_MAX_DB

const char *const ct_sound_node_names[CT_SOUND_NODE_COUNT + 1] = {
    [CT_SOUND_NODE_SOUND] = "sound",       [CT_SOUND_NODE_RANDOM] = "random",
    [CT_SOUND_NODE_SEQUENCE] = "sequence", [CT_SOUND_NODE_CHAIN] = "chain",
    [CT_SOUND_NODE_LAYERS] = "layers",     [CT_SOUND_NODE_BLEND] = "blend",
    [CT_SOUND_NODE_SWITCH] = "switch",
};
const char *const ct_sound_target_names[CT_SOUND_TARGET_COUNT + 1] = {
    [CT_SOUND_TARGET_VOLUME] = "volume", [CT_SOUND_TARGET_GAIN] = "gain",
    [CT_SOUND_TARGET_PITCH] = "pitch",   [CT_SOUND_TARGET_LOW_PASS] = "low_pass",
    [CT_SOUND_TARGET_SEND] = "send",
};

// --- Nodes ---------------------------------------------------------------------------------------

#define OF_CURVE(member) AT(ct_sound_curve_source, member)

static const char *const shape_names[] = {"linear", "step", "smooth", NULL};

static const ct_field curve_fields[] = {
    {.name = "parameter",
     .type = CT_FIELD_TYPE_STRING,
     OF_CURVE(parameter),
     .flags = CT_FIELD_REQUIRED,
     .doc = "A number among the event's parameters, or distance, angle, speed, occlusion, time."},
    PLACE(ct_sound_curve_source, "parameter", parameter_value),
    {.name = "shape",
     .type = CT_FIELD_TYPE_ENUM,
     OF_CURVE(shape),
     .doc = "What is between points. step: the value of the point before. smooth: flat at points.",
     .enum_names = shape_names},
    {.name = "points",
     .type = CT_FIELD_TYPE_VALUE,
     OF_CURVE(points),
     .flags = CT_FIELD_REQUIRED,
     .doc = "[parameter value], by rising parameter."},
};

const ct_schema ct_sound_curve_schema = SCHEMA("sound_curve", "A value that follows a parameter.",
                                               ct_sound_curve_source, curve_fields, 0, 0);

static const ct_schema node_schema, case_schema;

#define OF_CASE(member) AT(ct_sound_case_source, member)

static const ct_field case_fields[] = {
    VALUE(ct_sound_case_source, "value", value, "The parameter's text."),
    {.name = "low",
     .type = CT_FIELD_TYPE_FLOAT,
     OF_CASE(low),
     .doc = "The least number of the parameter."},
    PLACE(ct_sound_case_source, "low", low_value),
    {.name = "high",
     .type = CT_FIELD_TYPE_FLOAT,
     OF_CASE(high),
     .doc = "The parameter is below this number."},
    PLACE(ct_sound_case_source, "high", high_value),
    PLAY(ct_sound_case_source),
    PLAY_FOR_TOOLS(ct_sound_case_source),
};

static const ct_schema case_schema =
    SCHEMA("sound_case", "A case of a switch; without `value`, `low` and `high`: all others.",
           ct_sound_case_source, case_fields, 0, 0);
const ct_schema ct_sound_case_read_schema =
    SCHEMA("case", "A case of a switch.", ct_sound_case_source, case_fields, 2, 0);

#define OF_NODE(member) AT(ct_sound_node_source, member)
#define NODE_VALUE(target, text)                                                                   \
    {                                                                                              \
        .name = (text), .type = CT_FIELD_TYPE_VALUE,                                               \
        .offset = offsetof(ct_sound_node_source, values) + (target) * sizeof(ct_sjson_value),      \
        .size_bytes = sizeof(ct_sjson_value), .doc = "A number, [low high], or a curve."           \
    }

static const ct_field node_fields[] = {
    {.name = "type",
     .type = CT_FIELD_TYPE_ENUM,
     OF_NODE(type),
     .doc = "random: one of its sounds or nodes. sequence: the next one at each start. chain: one "
            "after the other. layers: all at once. blend: all, by a parameter. switch: that of a "
            "case.",
     .enum_names = ct_sound_node_names},
    NODE_VALUE(CT_SOUND_TARGET_VOLUME, "volume"),
    NODE_VALUE(CT_SOUND_TARGET_GAIN, "gain"),
    NODE_VALUE(CT_SOUND_TARGET_PITCH, "pitch"),
    NODE_VALUE(CT_SOUND_TARGET_LOW_PASS, "low_pass"),
    NODE_VALUE(CT_SOUND_TARGET_SEND, "send"),
    {.name = "delay",
     .type = CT_FIELD_TYPE_FLOAT,
     OF_NODE(delay),
     .doc = "Time before it starts.",
     SECONDS},
    {.name = "weight",
     .type = CT_FIELD_TYPE_FLOAT,
     OF_NODE(weight),
     .doc = "In a random node: how likely it is.",
     .least = 1e-6,
     .most = 1e6,
     .default_value = {1}},
    PLACE(ct_sound_node_source, "weight", weight_value),
    {.name = "repeats",
     .type = CT_FIELD_TYPE_INT,
     OF_NODE(repeats),
     .doc = "In a chain: how often it plays.",
     .least = 1,
     .most = CT_SOUND_EVENT_MAX_REPEATS,
     .default_value = {1}},
    PLACE(ct_sound_node_source, "repeats", repeats_value),
    {.name = "loop",
     .type = CT_FIELD_TYPE_BOOL,
     OF_NODE(loop),
     .doc = "sound: whether it plays on until it is stopped."},
    PLACE(ct_sound_node_source, "loop", loop_value),
    {.name = "sounds",
     .type = CT_FIELD_TYPE_ARRAY,
     OF_NODE(sounds),
     .doc = "random, sequence, chain, layers: names of sounds.",
     .reference_type = "sound",
     .element_type = CT_FIELD_TYPE_REFERENCE},
    {.name = "nodes",
     .type = CT_FIELD_TYPE_ARRAY,
     OF_NODE(nodes),
     .doc = "The same, of nodes. blend: { at play }.",
     .schema = &node_schema},
    {.name = "avoid",
     .type = CT_FIELD_TYPE_INT,
     OF_NODE(avoid),
     .doc = "random: how many that played last do not play.",
     .least = 0,
     .most = CT_SOUND_EVENT_MAX_AVOID},
    PLACE(ct_sound_node_source, "avoid", avoid_value),
    {.name = "parameter",
     .type = CT_FIELD_TYPE_STRING,
     OF_NODE(parameter),
     .doc = "blend, switch: the parameter."},
    PLACE(ct_sound_node_source, "parameter", parameter_value),
    {.name = "cases",
     .type = CT_FIELD_TYPE_ARRAY,
     OF_NODE(cases),
     .doc = "switch: { value play }, { low high play } or { play }. The first that holds plays.",
     .schema = &case_schema},
    {.name = "follow",
     .type = CT_FIELD_TYPE_BOOL,
     OF_NODE(follow),
     .doc = "switch: whether it changes when the parameter does."},
    PLACE(ct_sound_node_source, "follow", follow_value),
    {.name = "fade",
     .type = CT_FIELD_TYPE_FLOAT,
     OF_NODE(fade),
     .doc = "switch: how long such a change takes.",
     SECONDS,
     .default_value = {0.1}},
    PLACE(ct_sound_node_source, "fade", fade_value),
    {.name = "at",
     .type = CT_FIELD_TYPE_FLOAT,
     OF_NODE(at),
     .doc = "In a blend: the parameter at which only this one is heard."},
    PLACE(ct_sound_node_source, "at", at_value),
    VALUE(ct_sound_node_source, "sound", sound, "sound: its name."),
    PLAY(ct_sound_node_source),
    PLAY_FOR_TOOLS(ct_sound_node_source),
    {.name = "sound",
     .type = CT_FIELD_TYPE_REFERENCE,
     OF_NODE(sound_name),
     .doc = "sound: its name.",
     .reference_type = "sound"},
};

static const ct_schema node_schema = SCHEMA("sound_node", "What plays when an event starts.",
                                            ct_sound_node_source, node_fields, 0, 0);
const ct_schema ct_sound_node_read_schema =
    SCHEMA("node", "What plays when an event starts.", ct_sound_node_source, node_fields, 3, 0);

// --- Space ---------------------------------------------------------------------------------------

#define OF_CONE(member) AT(ct_sound_cone_source, member)

static const ct_field cone_fields[] = {
    {.name = "inner",
     .type = CT_FIELD_TYPE_FLOAT,
     OF_CONE(inner),
     .doc = "The whole angle around its forward axis in which it has its volume.",
     .unit = "°",
     .least = 0,
     .most = 360,
     .default_value = {90}},
    {.name = "outer",
     .type = CT_FIELD_TYPE_FLOAT,
     OF_CONE(outer),
     .doc = "The angle outside of which it has the other volume.",
     .unit = "°",
     .least = 0,
     .most = 360,
     .default_value = {180}},
    PLACE(ct_sound_cone_source, "outer", outer_value),
    {.name = "volume",
     .type = CT_FIELD_TYPE_FLOAT,
     OF_CONE(volume),
     .doc = "Volume outside.",
     DECIBELS,
     .default_value = {-12}},
};

const ct_schema ct_sound_cone_schema =
    SCHEMA("cone", "Where a sound is loud.", ct_sound_cone_source, cone_fields, 0, 0);

#define OF_OCCLUSION(member) AT(ct_sound_occlusion_source, member)

static const ct_field occlusion_fields[] = {
    {.name = "volume",
     .type = CT_FIELD_TYPE_FLOAT,
     OF_OCCLUSION(volume),
     .doc = "What a hidden sound adds to its volume.",
     DECIBELS,
     .default_value = {-12}},
    {.name = "low_pass",
     .type = CT_FIELD_TYPE_FLOAT,
     OF_OCCLUSION(low_pass),
     .doc = "The low-pass filter of a hidden sound.",
     .unit = "Hz",
     .least = (double)CT_SOUND_LEAST_HZ,
     .most = (double)CT_SOUND_OPEN_HZ,
     .default_value = {800}},
    {.name = "radius",
     .type = CT_FIELD_TYPE_FLOAT,
     OF_OCCLUSION(radius),
     .doc = "How far around the source rays end.",
     .unit = "m",
     .least = 0.001,
     .most = 1000,
     .default_value = {0.3}},
};

const ct_schema ct_sound_occlusion_schema =
    SCHEMA("occlusion", "How a sound behind something is heard.", ct_sound_occlusion_source,
           occlusion_fields, 0, 0);

#define OF_SPATIAL(member) AT(ct_sound_spatial_source, member)

static const char *const attenuation_names[] = {"inverse", "linear", "curve", NULL};

static const ct_field spatial_fields[] = {
    {.name = "attenuation",
     .type = CT_FIELD_TYPE_ENUM,
     OF_SPATIAL(attenuation),
     .doc = "How it gets quieter. curve: only by curves over distance.",
     .enum_names = attenuation_names},
    PLACE(ct_sound_spatial_source, "attenuation", attenuation_value),
    {.name = "least_distance",
     .type = CT_FIELD_TYPE_FLOAT,
     OF_SPATIAL(least_distance),
     .doc = "Nearer than this it gets no louder.",
     .unit = "m",
     .least = 0.001,
     .most = 1e6,
     .default_value = {1}},
    {.name = "most_distance",
     .type = CT_FIELD_TYPE_FLOAT,
     OF_SPATIAL(most_distance),
     .doc = "Farther than this it gets no quieter.",
     .unit = "m",
     .least = 0.001,
     .most = 1e6,
     .default_value = {50}},
    PLACE(ct_sound_spatial_source, "most_distance", most_distance_value),
    {.name = "rolloff",
     .type = CT_FIELD_TYPE_FLOAT,
     OF_SPATIAL(rolloff),
     .doc = "inverse: how fast it gets quieter.",
     .least = 0,
     .most = 100,
     .default_value = {1}},
    {.name = "cone",
     .type = CT_FIELD_TYPE_OBJECT,
     OF_SPATIAL(cone),
     .doc = "Where it is loud. Default: everywhere.",
     .schema = &ct_sound_cone_schema},
    VALUE(ct_sound_spatial_source, "spread", spread,
          "How wide it is: 0 is a point, 1 all around. A number, or [near far]."),
    {.name = "doppler",
     .type = CT_FIELD_TYPE_FLOAT,
     OF_SPATIAL(doppler),
     .doc = "Factor of velocities for the Doppler effect. 0: none.",
     .least = 0,
     .most = 100,
     .default_value = {1}},
    {.name = "occlusion",
     .type = CT_FIELD_TYPE_OBJECT,
     OF_SPATIAL(occlusion),
     .doc = "How it is heard behind something. Default: as if it were not.",
     .schema = &ct_sound_occlusion_schema},
};

const ct_schema ct_sound_spatial_schema = SCHEMA("spatial", "How an event sounds at a place.",
                                                 ct_sound_spatial_source, spatial_fields, 0, 0);

// --- Time ----------------------------------------------------------------------------------------

#define OF_MUSIC(member) AT(ct_sound_music_source, member)

static const ct_field music_fields[] = {
    {.name = "tempo",
     .type = CT_FIELD_TYPE_FLOAT,
     OF_MUSIC(tempo),
     .flags = CT_FIELD_REQUIRED,
     .doc = "Beats a minute.",
     .least = 1,
     .most = CT_SOUND_EVENT_MAX_TEMPO},
    {.name = "beats",
     .type = CT_FIELD_TYPE_INT,
     OF_MUSIC(beats),
     .doc = "Beats of a bar.",
     .least = 1,
     .most = CT_SOUND_EVENT_MAX_BEATS,
     .default_value = {4}},
    {.name = "first_beat",
     .type = CT_FIELD_TYPE_FLOAT,
     OF_MUSIC(first_beat),
     .doc = "When the first bar begins.",
     SECONDS},
};

const ct_schema ct_sound_music_schema =
    SCHEMA("music", "The beats of music.", ct_sound_music_source, music_fields, 0, 0);

#define OF_MARKER(member) AT(ct_sound_marker_source, member)

static const ct_field marker_fields[] = {
    {.name = "at",
     .type = CT_FIELD_TYPE_FLOAT,
     OF_MARKER(at),
     .flags = CT_FIELD_REQUIRED,
     .doc = "When, since the start.",
     SECONDS},
    {.name = "name", .type = CT_FIELD_TYPE_STRING, OF_MARKER(name), .doc = "Its name for scripts."},
    {.name = "event",
     .type = CT_FIELD_TYPE_REFERENCE,
     OF_MARKER(event),
     .doc = "An event that plays then, at the same place.",
     .reference_type = "sound_event"},
    PLACE(ct_sound_marker_source, "event", event_value),
};

const ct_schema ct_sound_marker_schema =
    SCHEMA("marker", "A moment of an event, which scripts hear of or another event starts at.",
           ct_sound_marker_source, marker_fields, 0, CT_SCHEMA_ID);

// --- The event -----------------------------------------------------------------------------------

#define OF_EVENT(member) AT(ct_sound_event_source, member)

static const char *const steal_names[] = {"none", "oldest", "quietest", "farthest", NULL};

static const ct_field fields[] = {
    {.name = "bus",
     .type = CT_FIELD_TYPE_STRING,
     OF_EVENT(bus),
     .doc = "Name of the bus that it plays in. Default: master."},
    PLACE(ct_sound_event_source, "bus", bus_value),
    {.name = "priority",
     .type = CT_FIELD_TYPE_INT,
     OF_EVENT(priority),
     .doc = "Of two equally loud sounds the one with the higher priority is heard.",
     .least = 0,
     .most = 255,
     .default_value = {128}},
    {.name = "limit",
     .type = CT_FIELD_TYPE_INT,
     OF_EVENT(limit),
     .doc = "How many play in a world at the same time. 0: any number.",
     .least = 0,
     .most = CT_SOUND_EVENT_MAX_INSTANCES},
    {.name = "steal",
     .type = CT_FIELD_TYPE_ENUM,
     OF_EVENT(steal),
     .doc = "Which one ends for one above the limit. none: the new one does not start.",
     .enum_names = steal_names},
    PLACE(ct_sound_event_source, "steal", steal_value),
    {.name = "cooldown",
     .type = CT_FIELD_TYPE_FLOAT,
     OF_EVENT(cooldown),
     .doc = "Time after a start in which no other starts.",
     SECONDS},
    {.name = "fade_in",
     .type = CT_FIELD_TYPE_FLOAT,
     OF_EVENT(fade_in),
     .doc = "How long its start takes.",
     SECONDS},
    {.name = "fade_out",
     .type = CT_FIELD_TYPE_FLOAT,
     OF_EVENT(fade_out),
     .doc = "How long it fades when it is stopped.",
     SECONDS},
    {.name = "parameters",
     .type = CT_FIELD_TYPE_MAP,
     OF_EVENT(parameters),
     .doc = "Numbers and texts that scripts set, with their values at the start.",
     .element_type = CT_FIELD_TYPE_VALUE},
    {.name = "spatial",
     .type = CT_FIELD_TYPE_OBJECT,
     OF_EVENT(spatial),
     .doc = "How it sounds at a place. Without it, it sounds the same everywhere.",
     .schema = &ct_sound_spatial_schema},
    {.name = "music",
     .type = CT_FIELD_TYPE_OBJECT,
     OF_EVENT(music),
     .doc = "Its beats, for transitions.",
     .schema = &ct_sound_music_schema},
    {.name = "markers",
     .type = CT_FIELD_TYPE_ARRAY,
     OF_EVENT(markers),
     .doc = "Moments: { id at name event }.",
     .schema = &ct_sound_marker_schema},
    {.name = "play",
     .type = CT_FIELD_TYPE_VALUE,
     AT(ct_sound_event_source, play.value),
     .flags = CT_FIELD_REQUIRED,
     .doc = "The name of a sound, or a node."},
    PLAY_FOR_TOOLS(ct_sound_event_source),
};

const ct_schema ct_sound_event_schema =
    SCHEMA("sound_event", "Sounds that play together or by turns, and how.", ct_sound_event_source,
           fields, 0, 0);
const ct_schema ct_sound_event_read_schema =
    SCHEMA("sound_event", "Sounds that play together or by turns, and how.", ct_sound_event_source,
           fields, 2, 0);
