// The schemas of the sources of sound buses.
#include <stddef.h>

#include "resource/types/sound/sound_bus_source.h"
#include "resource/types/sound_event_resource.h"

#define AT(type, member) .offset = offsetof(type, member), .size_bytes = sizeof(((type *)0)->member)

// The position of a field in the source, beside the field.
#define PLACE(source_type, field_name, member)                                                     \
    {                                                                                              \
        .name = (field_name), .type = CT_FIELD_TYPE_VALUE, AT(source_type, member),                \
        .doc = "Position in the source."                                                           \
    }

#define SCHEMA(schema_name, text, source_type, schema_fields, members)                             \
    {                                                                                              \
        .name = (schema_name), .doc = (text), .size_bytes = sizeof(source_type),                   \
        .num_fields = CT_COUNT_OF(schema_fields), .fields = (schema_fields),                       \
        .identity = (members),                                                                     \
    }

#define SECONDS .unit = "s", .least = 0, .most = (double)CT_SOUND_MAX_BUS_SECONDS
#define DECIBELS .unit = "dB", .least = (double)CT_SOUND_SILENCE_DB, .most = (double)CT_SOUND_MAX_DB
#define HERTZ .unit = "Hz", .least = (double)CT_SOUND_LEAST_HZ, .most = (double)CT_SOUND_OPEN_HZ

// --- Buses ---------------------------------------------------------------------------------------

#define OF_DUCK(member) AT(ct_sound_duck_source, member)

static const ct_field duck_fields[] = {
    {.name = "by",
     .type = CT_FIELD_TYPE_STRING,
     OF_DUCK(by),
     .flags = CT_FIELD_REQUIRED,
     .doc = "Name of the bus that makes this one quieter."},
    PLACE(ct_sound_duck_source, "by", by_value),
    {.name = "threshold",
     .type = CT_FIELD_TYPE_FLOAT,
     OF_DUCK(threshold),
     .doc = "From this peak of the other bus on.",
     DECIBELS,
     .default_value = {-30}},
    {.name = "volume",
     .type = CT_FIELD_TYPE_FLOAT,
     OF_DUCK(volume),
     .doc = "What is added to the volume meanwhile.",
     .unit = "dB",
     .least = (double)CT_SOUND_SILENCE_DB,
     .most = 0,
     .default_value = {-12}},
    {.name = "attack",
     .type = CT_FIELD_TYPE_FLOAT,
     OF_DUCK(attack),
     .doc = "How long it takes to get quieter.",
     SECONDS,
     .default_value = {0.05}},
    {.name = "release",
     .type = CT_FIELD_TYPE_FLOAT,
     OF_DUCK(release),
     .doc = "How long it takes to come back.",
     SECONDS,
     .default_value = {0.4}},
};

const ct_schema ct_sound_duck_schema = SCHEMA(
    "duck", "A bus that is quieter while another is loud.", ct_sound_duck_source, duck_fields, 0);

#define OF_REVERB(member) AT(ct_sound_reverb, member)

static const ct_field reverb_fields[] = {
    {.name = "seconds",
     .type = CT_FIELD_TYPE_FLOAT,
     OF_REVERB(seconds),
     .doc = "Time until it has faded by 60 dB.",
     .unit = "s",
     .least = 0.05,
     .most = (double)CT_SOUND_MAX_REVERB_SECONDS,
     .default_value = {1.5}},
    {.name = "size",
     .type = CT_FIELD_TYPE_FLOAT,
     OF_REVERB(size),
     .doc = "Length of the room.",
     .unit = "m",
     .least = 1,
     .most = 100,
     .default_value = {10}},
    {.name = "damping",
     .type = CT_FIELD_TYPE_FLOAT,
     OF_REVERB(damping),
     .doc = "How much faster high notes fade.",
     .least = 0,
     .most = 1,
     .default_value = {0.4}},
    {.name = "pre_delay",
     .type = CT_FIELD_TYPE_FLOAT,
     OF_REVERB(pre_delay),
     .doc = "Time before it is heard.",
     .unit = "s",
     .least = 0,
     .most = (double)CT_SOUND_MAX_PRE_DELAY,
     .default_value = {0.02}},
    {.name = "width",
     .type = CT_FIELD_TYPE_FLOAT,
     OF_REVERB(width),
     .doc = "From 0, mono, to 1, stereo.",
     .least = 0,
     .most = 1,
     .default_value = {1}},
    {.name = "dry",
     .type = CT_FIELD_TYPE_FLOAT,
     OF_REVERB(dry),
     .doc = "Share of the input that is heard without reverb.",
     .least = 0,
     .most = 1},
};

const ct_schema ct_sound_reverb_schema =
    SCHEMA("reverb", "The echoes of a room.", ct_sound_reverb, reverb_fields, 0);

#define OF_SEND(member) AT(ct_sound_send_source, member)

static const ct_field send_fields[] = {
    {.name = "to",
     .type = CT_FIELD_TYPE_STRING,
     OF_SEND(to),
     .flags = CT_FIELD_REQUIRED,
     .doc = "Name of the bus that gets a part."},
    PLACE(ct_sound_send_source, "to", to_value),
    {.name = "volume",
     .type = CT_FIELD_TYPE_FLOAT,
     OF_SEND(volume),
     .doc = "How loud the part is.",
     DECIBELS},
};

const ct_schema ct_sound_send_schema = SCHEMA("send", "A part of a bus that another bus also gets.",
                                              ct_sound_send_source, send_fields, CT_SCHEMA_ID);

#define OF_BUS(member) AT(ct_sound_one_bus_source, member)

static const ct_field bus_fields[] = {
    {.name = "name",
     .type = CT_FIELD_TYPE_STRING,
     OF_BUS(name),
     .flags = CT_FIELD_REQUIRED,
     .doc = "Its name, for events and scripts."},
    PLACE(ct_sound_one_bus_source, "name", name_value),
    {.name = "parent",
     .type = CT_FIELD_TYPE_STRING,
     OF_BUS(parent),
     .doc = "Name of the bus that it is mixed into. All but master have one."},
    PLACE(ct_sound_one_bus_source, "parent", parent_value),
    {.name = "volume",
     .type = CT_FIELD_TYPE_FLOAT,
     OF_BUS(volume),
     .doc = "How loud it is.",
     DECIBELS},
    {.name = "low_pass",
     .type = CT_FIELD_TYPE_FLOAT,
     OF_BUS(low_pass),
     .doc = "Notes above are filtered out. 22000: none.",
     HERTZ,
     .default_value = {(double)CT_SOUND_OPEN_HZ}},
    {.name = "place",
     .type = CT_FIELD_TYPE_BOOL,
     OF_BUS(place),
     .doc = "Whether it gets what sounds send to the reverb of their place. One bus does."},
    PLACE(ct_sound_one_bus_source, "place", place_value),
    {.name = "duck",
     .type = CT_FIELD_TYPE_OBJECT,
     OF_BUS(duck),
     .doc = "Makes it quieter while another bus is loud.",
     .schema = &ct_sound_duck_schema},
    {.name = "reverb",
     .type = CT_FIELD_TYPE_OBJECT,
     OF_BUS(reverb),
     .doc = "The echoes of a room, on all that it mixes.",
     .schema = &ct_sound_reverb_schema},
    {.name = "sends",
     .type = CT_FIELD_TYPE_ARRAY,
     OF_BUS(sends),
     .doc = "Parts of it that other buses also get: { id to volume }.",
     .schema = &ct_sound_send_schema},
};

const ct_schema ct_sound_one_bus_schema = SCHEMA("bus", "Mixes sounds and other buses.",
                                                 ct_sound_one_bus_source, bus_fields, CT_SCHEMA_ID);

// --- Snapshots -----------------------------------------------------------------------------------

#define OF_SETTING(member) AT(ct_sound_setting_source, member)

static const ct_field setting_fields[] = {
    {.name = "bus",
     .type = CT_FIELD_TYPE_STRING,
     OF_SETTING(bus),
     .flags = CT_FIELD_REQUIRED,
     .doc = "Name of the bus."},
    PLACE(ct_sound_setting_source, "bus", bus_value),
    {.name = "volume",
     .type = CT_FIELD_TYPE_FLOAT,
     OF_SETTING(volume),
     .doc = "In place of the bus's own.",
     DECIBELS},
    PLACE(ct_sound_setting_source, "volume", volume_value),
    {.name = "low_pass",
     .type = CT_FIELD_TYPE_FLOAT,
     OF_SETTING(low_pass),
     .doc = "The same.",
     HERTZ,
     .default_value = {(double)CT_SOUND_OPEN_HZ}},
    PLACE(ct_sound_setting_source, "low_pass", low_pass_value),
    {.name = "reverb_seconds",
     .type = CT_FIELD_TYPE_FLOAT,
     OF_SETTING(reverb_seconds),
     .doc = "In place of `seconds` of its reverb.",
     .unit = "s",
     .least = 0,
     .most = (double)CT_SOUND_MAX_REVERB_SECONDS},
    PLACE(ct_sound_setting_source, "reverb_seconds", reverb_seconds_value),
    {.name = "reverb_damping",
     .type = CT_FIELD_TYPE_FLOAT,
     OF_SETTING(reverb_damping),
     .doc = "In place of `damping` of its reverb.",
     .least = 0,
     .most = 1},
    PLACE(ct_sound_setting_source, "reverb_damping", reverb_damping_value),
    {.name = "sends",
     .type = CT_FIELD_TYPE_MAP,
     OF_SETTING(sends),
     .doc = "Volumes of its sends, by the names of the buses they go to.",
     .element_type = CT_FIELD_TYPE_VALUE},
};

const ct_schema ct_sound_setting_schema =
    SCHEMA("setting", "Numbers of a bus while a snapshot is on.", ct_sound_setting_source,
           setting_fields, CT_SCHEMA_ID);

#define OF_SNAPSHOT(member) AT(ct_sound_snapshot_source, member)

static const ct_field snapshot_fields[] = {
    {.name = "name",
     .type = CT_FIELD_TYPE_STRING,
     OF_SNAPSHOT(name),
     .flags = CT_FIELD_REQUIRED,
     .doc = "Its name, for scripts."},
    PLACE(ct_sound_snapshot_source, "name", name_value),
    {.name = "fade",
     .type = CT_FIELD_TYPE_FLOAT,
     OF_SNAPSHOT(fade),
     .doc = "How long buses take to change to it.",
     SECONDS,
     .default_value = {0.5}},
    {.name = "settings",
     .type = CT_FIELD_TYPE_ARRAY,
     OF_SNAPSHOT(settings),
     .flags = CT_FIELD_REQUIRED,
     .doc = "What changes: { id bus volume low_pass … }.",
     .schema = &ct_sound_setting_schema},
};

const ct_schema ct_sound_snapshot_schema =
    SCHEMA("snapshot", "Settings of buses that a script switches on.", ct_sound_snapshot_source,
           snapshot_fields, CT_SCHEMA_ID);

// --- The buses of a project ----------------------------------------------------------------------

#define OF_ALL(member) AT(ct_sound_buses_source, member)

static const ct_field fields[] = {
    {.name = "buses",
     .type = CT_FIELD_TYPE_ARRAY,
     OF_ALL(buses),
     .flags = CT_FIELD_REQUIRED,
     .doc = "What mixes sounds: { id name parent volume … }.",
     .schema = &ct_sound_one_bus_schema},
    {.name = "snapshots",
     .type = CT_FIELD_TYPE_ARRAY,
     OF_ALL(snapshots),
     .doc = "Settings of buses that scripts switch on: { id name fade settings }.",
     .schema = &ct_sound_snapshot_schema},
};

const ct_schema ct_sound_bus_schema =
    SCHEMA("sound_bus", "The buses of a project.", ct_sound_buses_source, fields, 0);
