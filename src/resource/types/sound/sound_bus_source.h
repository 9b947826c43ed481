// sound_bus_source.h: the fields that the schemas read from the source of sound buses
// (docs/formats/sound_bus.md). Members with a `_value` may be missing.
#pragma once
#include "resource/types/sound_bus_resource.h"

// The root.
typedef struct ct_sound_buses_source {
    ct_sjson_value buses, snapshots;
} ct_sound_buses_source;

// An element of `buses`.
typedef struct ct_sound_one_bus_source {
    const char *name, *parent; // `parent` NULL: none
    ct_sjson_value name_value, parent_value;
    float volume, low_pass;
    uint32_t place; // bool
    ct_sjson_value place_value, duck, reverb, sends;
} ct_sound_one_bus_source;

// `duck` of a bus.
typedef struct ct_sound_duck_source {
    const char *by;
    ct_sjson_value by_value;
    float threshold, volume, attack, release;
} ct_sound_duck_source;

// An element of `sends`.
typedef struct ct_sound_send_source {
    const char *to;
    ct_sjson_value to_value;
    float volume;
} ct_sound_send_source;

// An element of `snapshots`.
typedef struct ct_sound_snapshot_source {
    const char *name;
    ct_sjson_value name_value;
    float fade;
    ct_sjson_value settings;
} ct_sound_snapshot_source;

// An element of `settings`.
typedef struct ct_sound_setting_source {
    const char *bus;
    ct_sjson_value bus_value;
    float volume, low_pass, reverb_seconds, reverb_damping;
    ct_sjson_value volume_value, low_pass_value, reverb_seconds_value, reverb_damping_value;
    ct_sjson_value sends; // names of buses with volumes
} ct_sound_setting_source;

extern const ct_schema ct_sound_one_bus_schema, ct_sound_duck_schema, ct_sound_reverb_schema,
    ct_sound_send_schema, ct_sound_snapshot_schema, ct_sound_setting_schema;
