#include "resource/types/component/sound_listener_data.h"

#include <stddef.h>

// Offset and size of a member, for the table below.
#define AT(type, member) .offset = offsetof(type, member), .size_bytes = sizeof(((type *)0)->member)

static const ct_field fields[] = {
    {.name = "node",
     .type = CT_FIELD_TYPE_NAME,
     AT(ct_sound_listener_data, node),
     .doc = "The scene graph node of the ears, which point along its y axis. \"\": the entity."},
    {.name = "index",
     .type = CT_FIELD_TYPE_INT,
     AT(ct_sound_listener_data, index),
     .doc = "Which listener of the world it is.",
     .least = 1,
     .most = CT_SOUND_LISTENER_MAX_INDEX,
     .default_value = {1}},
    {.name = "is_active",
     .type = CT_FIELD_TYPE_BOOL,
     AT(ct_sound_listener_data, is_active),
     .doc = "Whether it listens. Of several active ones with the same index the last one does.",
     .default_value = {1}},
};

const ct_schema ct_sound_listener_data_schema = {
    .name = "sound_listener",
    .doc = "Ears: what the world's sounds are heard from.",
    .size_bytes = sizeof(ct_sound_listener_data),
    .num_fields = CT_COUNT_OF(fields),
    .fields = fields,
    .identity = CT_SCHEMA_ID | CT_SCHEMA_TYPE | CT_SCHEMA_REMOVED,
};
