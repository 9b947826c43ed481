// environment_resource.h: the blob of an environment: values by name for settings of a render
// config that are declared with `environment = true`.
//
// What an environment does not say stays as the render settings have it. Values of bools and
// choices are not blended (ct_render_setting_type says which those are).
#pragma once
#include "resource/types/render_setting.h"

enum { CT_ENVIRONMENT_VERSION = 1 };

// A value for a setting, as render_setting.h has them.
typedef struct ct_environment_value {
    ct_blob_string name_text;
    ct_string_id32 name;
    uint32_t type;  // ct_render_setting_type that the setting had
    float value[4]; // of a choice its position in the render config
} ct_environment_value;

typedef struct ct_environment_resource {
    ct_blob_header header;
    ct_blob_array values; // ct_environment_value, ascending by name
} ct_environment_resource;

// The fields that the schema reads from a source. The render config's settings say what `values`
// may hold.
typedef struct ct_environment_source {
    ct_string_id64 parent;       // {0}: no parent
    ct_sjson_value parent_value; // the compiler reads the names here
    ct_string_id64 render_config;
    ct_sjson_value render_config_value;
    ct_sjson_value values; // name = value; null: as the render settings have it
} ct_environment_source;

extern const ct_schema ct_environment_schema;
extern const ct_blob_layout ct_environment_layout, ct_environment_value_layout;

// Validates a blob of this type after its header was checked: every offset is inside the blob, and
// values are in range. Returns false with `error`, which names the invalid member. libc only.
bool ct_environment_validate(const void *blob, ct_error *error);
