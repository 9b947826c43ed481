// network_config_source.h: the fields that the schemas read from the source of a network config
// (docs/formats/network_config.md). Members that are values may be missing.
#pragma once
#include "resource/types/network_config_resource.h"

// The root: types, objects and messages by their names.
typedef struct ct_network_config_source {
    ct_string_id64 inherit; // {0}: none
    ct_sjson_value inherit_value;
    ct_sjson_value types, objects, messages;
} ct_network_config_source;

// A member of `types`.
typedef struct ct_network_type_source {
    const char *type, *of; // `of` NULL: not given
    ct_sjson_value type_value, of_value, min, max, bits, values;
} ct_network_type_source;

// A member of `objects`.
typedef struct ct_network_object_source {
    ct_sjson_value fields, relevance;
    float priority, rate;
    uint32_t shared; // bool
} ct_network_object_source;

// `relevance` of an object.
typedef struct ct_network_relevance_source {
    const char *position;
    ct_sjson_value position_value;
    float distance;
} ct_network_relevance_source;

// A member of `messages`.
typedef struct ct_network_message_source {
    ct_sjson_value arguments, priority_value;
    float priority;
    uint32_t reliable; // bool
} ct_network_message_source;

// A member of `fields` or `arguments` that is an object.
typedef struct ct_network_field_source {
    const char *type;
    ct_sjson_value type_value, default_value;
} ct_network_field_source;

extern const ct_schema ct_network_config_schema, ct_network_type_schema, ct_network_object_schema,
    ct_network_relevance_schema, ct_network_message_schema, ct_network_field_schema;
