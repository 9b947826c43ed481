// The schemas of the sources of network configs.
#include "resource/types/network/network_config_source.h"

#define AT(type, member) .offset = offsetof(type, member), .size_bytes = sizeof(((type *)0)->member)

// The position of a field in the source, beside the field.
#define PLACE(source_type, field_name, member)                                                     \
    {                                                                                              \
        .name = (field_name), .type = CT_FIELD_TYPE_VALUE, AT(source_type, member),                \
        .doc = "Position in the source."                                                           \
    }

#define SCHEMA(schema_name, text, source_type, schema_fields)                                      \
    {                                                                                              \
        .name = (schema_name), .doc = (text), .size_bytes = sizeof(source_type),                   \
        .num_fields = CT_COUNT_OF(schema_fields), .fields = (schema_fields),                       \
    }

// --- Types ---------------------------------------------------------------------------------------

#define VALUE(key, member, text)                                                                   \
    {                                                                                              \
        .name = (key), .type = CT_FIELD_TYPE_VALUE, AT(ct_network_type_source, member),            \
        .doc = (text)                                                                              \
    }

static const ct_field type_fields[] = {
    {.name = "type",
     .type = CT_FIELD_TYPE_STRING,
     AT(ct_network_type_source, type),
     .flags = CT_FIELD_REQUIRED,
     .doc = "What it is: \"bool\", \"integer\", \"float\", \"vector2\", \"vector3\", \"rotation\", "
            "\"string\", \"id\", \"peer\", \"object\", \"lookup\" or \"array\"."},
    PLACE(ct_network_type_source, "type", type_value),
    VALUE("min", min, "Lowest value; of vectors a number, or one for each part."),
    VALUE("max", max, "Highest value; of strings the most bytes, of arrays the most elements."),
    VALUE("bits", bits, "Bits of a number, or of each part of a vector or rotation."),
    VALUE("values", values, "The names of a lookup."),
    {.name = "of",
     .type = CT_FIELD_TYPE_STRING,
     AT(ct_network_type_source, of),
     .doc = "The type of an array's elements."},
    PLACE(ct_network_type_source, "of", of_value),
};

const ct_schema ct_network_type_schema =
    SCHEMA("network_type", "A type of values.", ct_network_type_source, type_fields);

// --- Records -------------------------------------------------------------------------------------

static const ct_field field_fields[] = {
    {.name = "type",
     .type = CT_FIELD_TYPE_STRING,
     AT(ct_network_field_source, type),
     .flags = CT_FIELD_REQUIRED,
     .doc = "Name of its type."},
    PLACE(ct_network_field_source, "type", type_value),
    {.name = "default",
     .type = CT_FIELD_TYPE_VALUE,
     AT(ct_network_field_source, default_value),
     .doc = "Its first value."},
};

const ct_schema ct_network_field_schema =
    SCHEMA("network_field", "A field of an object.", ct_network_field_source, field_fields);

static const ct_field relevance_fields[] = {
    {.name = "position",
     .type = CT_FIELD_TYPE_STRING,
     AT(ct_network_relevance_source, position),
     .flags = CT_FIELD_REQUIRED,
     .doc = "The field that says where the object is; a vector3."},
    PLACE(ct_network_relevance_source, "position", position_value),
    {.name = "distance",
     .type = CT_FIELD_TYPE_FLOAT,
     AT(ct_network_relevance_source, distance),
     .flags = CT_FIELD_REQUIRED,
     .doc = "Peers whose point of interest is farther away get no updates.",
     .unit = "m",
     .least = 0,
     .most = 1e9},
};

const ct_schema ct_network_relevance_schema =
    SCHEMA("network_relevance", "Which peers get updates of an object.",
           ct_network_relevance_source, relevance_fields);

static const ct_field object_fields[] = {
    {.name = "fields",
     .type = CT_FIELD_TYPE_MAP,
     AT(ct_network_object_source, fields),
     .doc = "Its fields: names of types, or objects with `type` and `default`.",
     .element_type = CT_FIELD_TYPE_VALUE},
    {.name = "relevance",
     .type = CT_FIELD_TYPE_OBJECT,
     AT(ct_network_object_source, relevance),
     .doc = "Which peers get updates; without it all do.",
     .schema = &ct_network_relevance_schema},
    {.name = "priority",
     .type = CT_FIELD_TYPE_FLOAT,
     AT(ct_network_object_source, priority),
     .doc = "How much of the bandwidth it gets beside others.",
     .least = 0,
     .most = 1e6,
     .default_value = {1}},
    {.name = "rate",
     .type = CT_FIELD_TYPE_FLOAT,
     AT(ct_network_object_source, rate),
     .doc = "Most updates a second; 0: each time.",
     .unit = "Hz",
     .least = 0,
     .most = 1000},
    {.name = "shared",
     .type = CT_FIELD_TYPE_BOOL,
     AT(ct_network_object_source, shared),
     .doc = "It stays, with another owner, when its owner leaves; else it is destroyed."},
};

const ct_schema ct_network_object_schema =
    SCHEMA("network_object", "A kind of game object.", ct_network_object_source, object_fields);

static const ct_field message_fields[] = {
    {.name = "arguments",
     .type = CT_FIELD_TYPE_MAP,
     AT(ct_network_message_source, arguments),
     .doc = "Its arguments in order: names of types, or objects with `type` and `default`.",
     .element_type = CT_FIELD_TYPE_VALUE},
    {.name = "reliable",
     .type = CT_FIELD_TYPE_BOOL,
     AT(ct_network_message_source, reliable),
     .doc = "It arrives once, in order; else it may get lost.",
     .default_value = {1}},
    {.name = "priority",
     .type = CT_FIELD_TYPE_FLOAT,
     AT(ct_network_message_source, priority),
     .doc = "Of unreliable ones, where bandwidth is short: the highest go first, those below 1 "
            "after the fields of objects.",
     .least = 0,
     .most = 1e6,
     .default_value = {1}},
    PLACE(ct_network_message_source, "priority", priority_value),
};

const ct_schema ct_network_message_schema =
    SCHEMA("network_message", "A message.", ct_network_message_source, message_fields);

// --- The root ------------------------------------------------------------------------------------

static const ct_field fields[] = {
    {.name = "inherit",
     .type = CT_FIELD_TYPE_REFERENCE,
     AT(ct_network_config_source, inherit),
     .doc =
         "The network config that this one inherits from. Types, objects and messages of the same "
         "name replace the inherited ones.",
     .default_text = NULL,
     .reference_type = "network_config"},
    PLACE(ct_network_config_source, "inherit", inherit_value),
    {.name = "types",
     .type = CT_FIELD_TYPE_MAP,
     AT(ct_network_config_source, types),
     .doc = "Types of values by name.",
     .schema = &ct_network_type_schema},
    {.name = "objects",
     .type = CT_FIELD_TYPE_MAP,
     AT(ct_network_config_source, objects),
     .doc = "Kinds of game objects by name.",
     .schema = &ct_network_object_schema},
    {.name = "messages",
     .type = CT_FIELD_TYPE_MAP,
     AT(ct_network_config_source, messages),
     .doc = "Messages by name.",
     .schema = &ct_network_message_schema},
};

const ct_schema ct_network_config_schema =
    SCHEMA("network_config", "What a game sends to its peers.", ct_network_config_source, fields);
