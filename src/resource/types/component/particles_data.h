// particles_data.h: template data of particles components: an effect on a node of an entity.
//
// In blobs an instance is a head and the variables behind it: data of varying size. Sources give
// these as `variables = { strength = 2  wind = [1 0 0] }`.
#pragma once
#include "resource/schema/schema.h"

enum { CT_PARTICLES_DATA_MAX_VARIABLES = 32 };

// What becomes of an effect when its unit is destroyed.
typedef enum ct_particles_orphaned {
    CT_PARTICLES_ORPHANED_STOP,    // no more births; living particles stay until they die
    CT_PARTICLES_ORPHANED_DESTROY, // ends at once
    CT_PARTICLES_ORPHANED_DETACH,  // goes on where it is
    CT_PARTICLES_ORPHANED_COUNT,
} ct_particles_orphaned;

// A value for a variable of the effect. A number is in all components; unused ones are 0.
typedef struct ct_particles_data_variable {
    ct_string_id32 name;
    float value[4];
} ct_particles_data_variable;

// The head.
typedef struct ct_particles_data {
    ct_string_id64 effect;   // resource of type particles
    float position[3];       // metres, in the node's space
    float rotation[4];       // x y z w
    ct_string_id32 node;     // of the scene graph; 0: the entity
    uint32_t plays_at_spawn; // else it waits for a script
    uint32_t orphaned;       // ct_particles_orphaned
    uint32_t padding;
    uint32_t num_variables; // behind the head (ct_particles_data_variables)
} ct_particles_data;

// The source of a component: its head and its variables.
typedef struct ct_particles_data_source {
    ct_particles_data head;
    ct_sjson_value variables;
} ct_particles_data_source;

// The schemas of components in sources, and of heads in blobs, which is the same without
// `variables`.
extern const ct_schema ct_particles_data_schema, ct_particles_data_head_schema;

// The names of ct_particles_orphaned, in its order, ending with NULL.
extern const char *const ct_particles_orphaned_names[];

// Returns the variables behind the head: num_variables of them.
static inline const ct_particles_data_variable *
ct_particles_data_variables(const ct_particles_data *data) {
    return (const ct_particles_data_variable *)(const void *)(data + 1);
}

// Checks the bytes of an instance from a blob (ct_component_type.check_instance).
bool ct_particles_check(const void *bytes, uint32_t size_bytes, ct_error *error);
