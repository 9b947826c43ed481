#include "resource/types/animation_resource.h"

#include <math.h>
#include <stddef.h>

#define AT(type, member) .offset = offsetof(type, member), .size_bytes = sizeof(((type *)0)->member)

static const ct_field event_fields[] = {
    {.name = "name",
     .type = CT_FIELD_TYPE_STRING,
     AT(ct_animation_event_source, name),
     .flags = CT_FIELD_REQUIRED,
     .doc = "Name of the event, which behaviours and state machines get."},
    {.name = "time",
     .type = CT_FIELD_TYPE_FLOAT,
     AT(ct_animation_event_source, time),
     .doc = "When it happens, from the start of the clip.",
     .unit = "s",
     .least = 0,
     .most = 1e6},
};

const ct_schema ct_animation_event_schema = {
    .name = "event",
    .doc = "An event at a time of a clip.",
    .size_bytes = sizeof(ct_animation_event_source),
    .num_fields = CT_COUNT_OF(event_fields),
    .fields = event_fields,
    .identity = CT_SCHEMA_ID | CT_SCHEMA_REMOVED,
};

static const ct_field curve_fields[] = {
    {.name = "object",
     .type = CT_FIELD_TYPE_STRING,
     AT(ct_animation_curve_source, object),
     .doc = "Name of what the curve is for. \"\": the unit."},
    {.name = "parameter",
     .type = CT_FIELD_TYPE_STRING,
     AT(ct_animation_curve_source, parameter),
     .flags = CT_FIELD_REQUIRED,
     .doc = "Name of the number that the curve gives."},
    {.name = "keys",
     .type = CT_FIELD_TYPE_VALUE,
     AT(ct_animation_curve_source, keys),
     .flags = CT_FIELD_REQUIRED,
     .doc = "The values at times: an array of [seconds value], times ascending."},
    {.name = "step",
     .type = CT_FIELD_TYPE_BOOL,
     AT(ct_animation_curve_source, step),
     .doc = "Whether a value holds until the next key. false: straight lines between keys."},
};

const ct_schema ct_animation_curve_schema = {
    .name = "curve",
    .doc = "A number that changes while a clip plays.",
    .size_bytes = sizeof(ct_animation_curve_source),
    .num_fields = CT_COUNT_OF(curve_fields),
    .fields = curve_fields,
    .identity = CT_SCHEMA_ID | CT_SCHEMA_REMOVED,
};

static const char *const up_axis_names[] = {"file", "y", "z", NULL};
static const char *const additive_names[] = {"none", "rest", "time", NULL};
static const char *const root_names[] = {"none", "horizontal", "ground", "all", NULL};

static const ct_field fields[] = {
    {.name = "source",
     .type = CT_FIELD_TYPE_MEDIA,
     AT(ct_animation_source, source),
     .flags = CT_FIELD_REQUIRED,
     .doc = "The file with the clip, a .gltf, .glb, .fbx or .bvh file."},
    {.name = "clip",
     .type = CT_FIELD_TYPE_STRING,
     AT(ct_animation_source, clip),
     .doc = "Name of the clip in the file. \"\": the only one."},
    {.name = "skeleton",
     .type = CT_FIELD_TYPE_REFERENCE,
     AT(ct_animation_source, skeleton),
     .flags = CT_FIELD_REQUIRED,
     .doc = "The skeleton whose joints move. Joints are found by their names.",
     .reference_type = "skeleton"},
    {.name = "start",
     .type = CT_FIELD_TYPE_FLOAT,
     AT(ct_animation_source, start),
     .doc = "Where the clip starts in the file's clip.",
     .unit = "s",
     .least = 0,
     .most = 1e6},
    {.name = "end",
     .type = CT_FIELD_TYPE_FLOAT,
     AT(ct_animation_source, end),
     .doc = "Where the clip ends in the file's clip. 0: at its end.",
     .unit = "s",
     .least = 0,
     .most = 1e6},
    {.name = "rate",
     .type = CT_FIELD_TYPE_FLOAT,
     AT(ct_animation_source, rate),
     .doc = "Frames a second. Keys are at frames, and the error is measured at frames.",
     .unit = "Hz",
     .least = 1,
     .most = 1000,
     .default_value = {30}},
    {.name = "tolerance",
     .type = CT_FIELD_TYPE_FLOAT,
     AT(ct_animation_source, tolerance),
     .doc = "How far points at the skeleton's `shell` may be from where the file has them.",
     .unit = "m",
     .least = 1e-6,
     .most = 10,
     .default_value = {0.001}},
    {.name = "scale",
     .type = CT_FIELD_TYPE_FLOAT,
     AT(ct_animation_source, scale),
     .doc = "Factor that scales positions; as that of the mesh.",
     .least = 1e-6,
     .most = 1e6,
     .default_value = {1}},
    {.name = "up_axis",
     .type = CT_FIELD_TYPE_ENUM,
     AT(ct_animation_source, up_axis),
     .doc = "The file's up axis: y, z, or as the file says.",
     .enum_names = up_axis_names},
    {.name = "loops",
     .type = CT_FIELD_TYPE_BOOL,
     AT(ct_animation_source, loops),
     .doc = "Whether the clip starts again at its end."},
    {.name = "additive",
     .type = CT_FIELD_TYPE_ENUM,
     AT(ct_animation_source, additive),
     .doc = "Whether the clip is added to other poses, and what its poses are differences to: the "
            "rest pose, or the pose at `additive_time`.",
     .enum_names = additive_names},
    {.name = "additive_time",
     .type = CT_FIELD_TYPE_FLOAT,
     AT(ct_animation_source, additive_time),
     .doc = "Time of the reference pose in the file's clip.",
     .unit = "s",
     .least = 0,
     .most = 1e6},
    {.name = "root_motion",
     .type = CT_FIELD_TYPE_ENUM,
     AT(ct_animation_source, root_motion),
     .doc = "Which motion of the root joint moves the unit: x and y (horizontal), with the heading "
            "too (ground), with the height too (all).",
     .enum_names = root_names},
    {.name = "root_joint",
     .type = CT_FIELD_TYPE_STRING,
     AT(ct_animation_source, root_joint),
     .doc = "The joint that gives the root motion. \"\": the skeleton's first."},
    {.name = "jump_interval",
     .type = CT_FIELD_TYPE_FLOAT,
     AT(ct_animation_source, jump_interval),
     .doc =
         "Most time between the places that seeks start from. Less makes seeks faster and the clip "
         "larger. 0: only the start.",
     .unit = "s",
     .least = 0,
     .most = 1e6,
     .default_value = {0.25}},
    {.name = "events",
     .type = CT_FIELD_TYPE_ARRAY,
     AT(ct_animation_source, events),
     .flags = CT_FIELD_SET,
     .doc = "What happens when: { id name time }.",
     .schema = &ct_animation_event_schema},
    {.name = "curves",
     .type = CT_FIELD_TYPE_ARRAY,
     AT(ct_animation_source, curves),
     .flags = CT_FIELD_SET,
     .doc = "Numbers that change: { id object parameter keys step }.",
     .schema = &ct_animation_curve_schema},
};

const ct_schema ct_animation_schema = {
    .name = "animation",
    .doc = "A clip: the motion of a skeleton's joints.",
    .size_bytes = sizeof(ct_animation_source),
    .num_fields = CT_COUNT_OF(fields),
    .fields = fields,
};

// --- The blob ------------------------------------------------------------------------------------

const ct_blob_layout ct_animation_event_layout =
    CT_BLOB_STRUCT(ct_animation_event, CT_BLOB_STRING(ct_animation_event, name_text),
                   CT_BLOB_NUMBERS(4, ct_animation_event, name, time));

const ct_blob_layout ct_animation_curve_layout =
    CT_BLOB_STRUCT(ct_animation_curve, CT_BLOB_STRING(ct_animation_curve, object_text),
                   CT_BLOB_STRING(ct_animation_curve, parameter_text),
                   CT_BLOB_NUMBERS(4, ct_animation_curve, object, parameter));

const ct_blob_layout ct_animation_root_key_layout = CT_BLOB_ALL_NUMBERS(ct_animation_root_key, 4);

const ct_blob_layout ct_animation_row_layout = CT_BLOB_ALL_NUMBERS(ct_animation_row, 4);

const ct_blob_layout ct_animation_lane_layout = CT_BLOB_ALL_NUMBERS(ct_animation_lane, 1);

const ct_blob_layout ct_animation_group_layout =
    CT_BLOB_STRUCT(ct_animation_group, CT_BLOB_NUMBERS(4, ct_animation_group, kind, first_row),
                   CT_BLOB_STRUCTS(ct_animation_group, lanes, ct_animation_lane_layout));

const ct_blob_layout ct_animation_layout =
    CT_BLOB_ROOT(ct_animation_resource, "an animation",
                 CT_BLOB_NUMBERS(8, ct_animation_resource, skeleton, skeleton_hash),
                 CT_BLOB_NUMBERS(4, ct_animation_resource, rate, num_joints),
                 CT_BLOB_ARRAY(ct_animation_resource, events, ct_animation_event_layout),
                 CT_BLOB_ARRAY(ct_animation_resource, curves, ct_animation_curve_layout),
                 CT_BLOB_ARRAY(ct_animation_resource, root_keys, ct_animation_root_key_layout),
                 CT_BLOB_ARRAY(ct_animation_resource, groups, ct_animation_group_layout),
                 CT_BLOB_ARRAY(ct_animation_resource, rows, ct_animation_row_layout),
                 CT_BLOB_ARRAY(ct_animation_resource, stream, ct_blob_u8_layout),
                 CT_BLOB_ARRAY(ct_animation_resource, jump_bits, ct_blob_u32_layout),
                 CT_BLOB_ARRAY(ct_animation_resource, jump_states, ct_blob_u8_layout),
                 CT_BLOB_NUMBERS(4, ct_animation_resource, num_keyed_groups, jump_bytes));

// --- Look-up -------------------------------------------------------------------------------------

float ct_animation_length(const ct_animation_resource *clip) {
    return (float)((double)clip->num_frames / (double)clip->rate);
}

ct_animation_root_pose ct_animation_root_at(const ct_animation_resource *clip, float time) {
    const ct_animation_root_key *const keys = ct_blob_at(clip, clip->root_keys.offset);
    if (clip->root_keys.count == 0)
        return (ct_animation_root_pose){{0, 0, 0}, 0};
    const double limit = clip->num_frames, wanted = (double)time * (double)clip->rate;
    const double at = wanted > 0 ? (wanted < limit ? wanted : limit) : 0; // NaN: 0
    uint32_t first = 0, last = clip->root_keys.count; // the last key at or before `at`
    while (last - first > 1) {
        const uint32_t middle = first + (last - first) / 2;
        if ((double)keys[middle].frame <= at)
            first = middle;
        else
            last = middle;
    }
    const ct_animation_root_key *const a = &keys[first];
    const ct_animation_root_key *const b = last < clip->root_keys.count ? &keys[last] : a;
    const double part = b > a ? (at - a->frame) / (b->frame - a->frame) : 0;
    ct_animation_root_pose pose;
    for (uint32_t i = 0; i < 3; ++i)
        pose.position[i] = (float)((double)a->position[i] +
                                   ((double)b->position[i] - (double)a->position[i]) * part);
    pose.heading = (float)((double)a->heading + ((double)b->heading - (double)a->heading) * part);
    return pose;
}
