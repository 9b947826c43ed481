// sound_source_data.h: template data of sound_source components: an event on a node of an entity.
//
// In blobs an instance is a head and the parameters behind it: data of varying size. Sources give these
// as `parameters = { force = 2  surface = "wood" }`.
#pragma once
#include "resource/schema/schema.h"

enum { CT_SOUND_SOURCE_MAX_PARAMETERS = 32 };

// What becomes of the sound when its unit is destroyed.
typedef enum ct_sound_orphaned {
    CT_SOUND_ORPHANED_STOP,   // it fades out as its event says
    CT_SOUND_ORPHANED_DETACH, // it goes on where it is
    CT_SOUND_ORPHANED_COUNT,
} ct_sound_orphaned;

typedef struct ct_sound_source_parameter {
    ct_string_id32 name;
    uint32_t is_text;
    uint32_t bits; // of the float, or the hash of the text
} ct_sound_source_parameter;

// The head.
typedef struct ct_sound_source_data {
    ct_string_id64 event;    // resource of type sound_event
    float position[3];       // metres, in the node's space
    ct_string_id32 node;     // of the scene graph; 0: the entity
    float volume;            // dB
    uint32_t plays_at_spawn; // else it waits for a script
    uint32_t orphaned;       // ct_sound_orphaned
    uint32_t num_parameters; // behind the head
} ct_sound_source_data;

// The source of a component: its head and its parameters.
typedef struct ct_sound_source_data_source {
    ct_sound_source_data head;
    ct_sjson_value parameters;
} ct_sound_source_data_source;

extern const ct_schema ct_sound_source_data_schema, ct_sound_source_data_head_schema;
extern const char *const ct_sound_orphaned_names[];

// Returns the parameters behind the head.
static inline const ct_sound_source_parameter *
ct_sound_source_data_parameters(const ct_sound_source_data *data) {
    return (const ct_sound_source_parameter *)(const void *)(data + 1);
}

// Checks the bytes of an instance from a blob (ct_component_type.check_instance).
bool ct_sound_source_check(const void *bytes, uint32_t size_bytes, ct_error *error);
