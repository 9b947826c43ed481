// input_resource.h: the blob of a project's actions and their default bindings.
//
// Actions are in the order of the source; the bindings of each are consecutive. Sets are groups of
// actions that are activated and deactivated together; set 0 is "default", for actions without a
// set.
#pragma once
#include "resource/types/input_binding.h"
#include "resource/types/resource_types.h"

enum {
    CT_INPUT_VERSION = 1,
    CT_INPUT_MAX_SETS = 64,
    CT_INPUT_MAX_ACTIONS = 512,
    CT_INPUT_MAX_SLOTS = 16, // bindings of an action
    CT_INPUT_MAX_INCLUDES = 16,
    CT_INPUT_NAME_BYTES = 64, // of an action or set, with the terminator
};

typedef struct ct_input_set {
    ct_string_id32 id;
    uint32_t is_active; // at the start
    ct_blob_string name;
} ct_input_set;

typedef struct ct_input_action {
    ct_string_id32 id;
    uint32_t kind; // ct_input_action_kind
    uint32_t set;
    uint32_t first_binding, num_bindings;
    uint32_t padding;
    ct_blob_string name;
} ct_input_action;

typedef struct ct_input_resource {
    ct_blob_header header;
    ct_blob_array sets;              // ct_input_set, at least "default"
    ct_blob_array actions;           // ct_input_action
    ct_blob_array bindings;          // ct_input_binding
    ct_blob_string gamepad_mappings; // text of SDL's controller database; may be empty
} ct_input_resource;

// The source, as ct_schema_read reads it.
typedef struct ct_input_source {
    ct_string_id64 includes[CT_INPUT_MAX_INCLUDES]; // {0} after the last
    ct_sjson_value includes_value;                  // the compiler reads the names here
    ct_sjson_value sets, actions;
    const char *gamepad_mappings; // project path, or NULL
    ct_sjson_value gamepad_mappings_value;
} ct_input_source;

// A set of actions in a source.
typedef struct ct_input_set_source {
    uint32_t is_active;
} ct_input_set_source;

typedef struct ct_input_action_source {
    uint32_t kind;
    const char *set; // may be NULL
    ct_sjson_value set_value, bindings;
} ct_input_action_source;

extern const ct_schema ct_input_schema, ct_input_set_schema, ct_input_action_schema;

extern const ct_blob_layout ct_input_layout, ct_input_set_layout, ct_input_action_layout;

// Validates a blob of this type after its header was checked: every offset is inside the blob, and
// values are in range. Returns false with `error`, which names the invalid member. libc only.
bool ct_input_validate(const void *blob, ct_error *error);
