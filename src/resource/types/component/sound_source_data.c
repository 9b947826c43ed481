#include "resource/types/component/sound_source_data.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "foundation/error.h"
#include "resource/types/sound_event_resource.h"

// Offset and size of a member, for the table below.
#define AT(type, member) .offset = offsetof(type, member), .size_bytes = sizeof(((type *)0)->member)

_Static_assert(sizeof(ct_sound_source_data) == 40, "a head has no padding");
_Static_assert(sizeof(ct_sound_source_parameter) == 12, "a parameter has no padding");

const char *const ct_sound_orphaned_names[] = {"stop", "detach", NULL};

static const ct_field fields[] = {
    {.name = "event",
     .type = CT_FIELD_TYPE_REFERENCE,
     AT(ct_sound_source_data, event),
     .flags = CT_FIELD_REQUIRED,
     .doc = "The sound event to play.",
     .reference_type = "sound_event"},
    {.name = "position",
     .type = CT_FIELD_TYPE_VECTOR3,
     AT(ct_sound_source_data, position),
     .doc = "Position of the sound in the node's space.",
     .unit = "m",
     .least = -1e5,
     .most = 1e5},
    {.name = "node",
     .type = CT_FIELD_TYPE_NAME,
     AT(ct_sound_source_data, node),
     .doc = "The scene graph node that the sound follows. \"\": the entity."},
    {.name = "volume",
     .type = CT_FIELD_TYPE_FLOAT,
     AT(ct_sound_source_data, volume),
     .doc = "Volume on top of what the event says.",
     .unit = "dB",
     .least = -96,
     .most = 24},
    {.name = "plays_at_spawn",
     .type = CT_FIELD_TYPE_BOOL,
     AT(ct_sound_source_data, plays_at_spawn),
     .doc =
         "Whether the sound starts with the unit. Otherwise SoundSourceComponent.play starts it.",
     .default_value = {1}},
    {.name = "orphaned",
     .type = CT_FIELD_TYPE_ENUM,
     AT(ct_sound_source_data, orphaned),
     .doc = "When the unit is destroyed: stop fades the sound out, detach lets it go on.",
     .enum_names = ct_sound_orphaned_names},
    {.name = "num_parameters",
     .type = CT_FIELD_TYPE_INDEX,
     AT(ct_sound_source_data, num_parameters),
     .doc = "Number of parameters."},
    {.name = "parameters",
     .type = CT_FIELD_TYPE_MAP,
     AT(ct_sound_source_data_source, parameters),
     .doc = "Numbers and strings by the names of the event's parameters. null drops an inherited "
            "value.",
     .element_type = CT_FIELD_TYPE_VALUE},
};

const ct_schema ct_sound_source_data_schema = {
    .name = "sound_source",
    .doc = "Plays a sound event at the entity, or at a node of its scene graph.",
    .size_bytes = sizeof(ct_sound_source_data_source),
    .num_fields = CT_COUNT_OF(fields),
    .fields = fields,
    .identity = CT_SCHEMA_ID | CT_SCHEMA_TYPE | CT_SCHEMA_REMOVED,
};

const ct_schema ct_sound_source_data_head_schema = {
    .name = "sound_source",
    .doc = "A sound event without the values of its parameters.",
    .size_bytes = sizeof(ct_sound_source_data),
    .num_fields = CT_COUNT_OF(fields) - 1,
    .fields = fields,
};

static bool check_parameter(const ct_sound_source_parameter *parameters, uint32_t i,
                            ct_error *error) {
    float number;
    memcpy(&number, &parameters[i].bits, sizeof(number));
    if (parameters[i].is_text > 1)
        return ct_error_set(error, "parameter %u: found is_text %u; expected 0 or 1", i,
                            parameters[i].is_text);
    if (!parameters[i].is_text && !isfinite(number))
        return ct_error_set(error, "parameter %u is not finite", i);
    for (uint32_t k = 0; k < i; ++k)
        if (parameters[k].name.value == parameters[i].name.value)
            return ct_error_set(error, "parameter %u has the name of another one", i);
    return true;
}

bool ct_sound_source_check(const void *bytes, uint32_t size_bytes, ct_error *error) {
    const ct_sound_source_data *const data = bytes;
    if (size_bytes < sizeof(*data))
        return ct_error_set(error, "a sound_source component does not fit into %u bytes",
                            size_bytes);
    if (!ct_schema_check(&ct_sound_source_data_head_schema, data, error))
        return false;
    if (data->num_parameters > CT_SOUND_SOURCE_MAX_PARAMETERS ||
        data->num_parameters * sizeof(ct_sound_source_parameter) > size_bytes - sizeof(*data))
        return ct_error_set(error, "%u parameters do not fit into %u bytes", data->num_parameters,
                            size_bytes);
    for (uint32_t i = 0; i < data->num_parameters; ++i)
        if (!check_parameter(ct_sound_source_data_parameters(data), i, error))
            return false;
    return true;
}
