// unit_fields.h: which fields of a game object are which parts of a unit, and their values.
//
// The table of names is in unit_synchronizer.h. Update thread.
#pragma once
#include "network/fields/network_interpolation.h"
#include "world/world.h"

// The parts of a unit that a field is by its name.
typedef enum ct_unit_part {
    CT_UNIT_PART_UNIT,
    CT_UNIT_PART_LEVEL,
    CT_UNIT_PART_LEVEL_UNIT,
    CT_UNIT_PART_POSITION,
    CT_UNIT_PART_ROTATION,
    CT_UNIT_PART_SCALE,
    CT_UNIT_PART_VELOCITY,
    CT_UNIT_PART_ANGULAR_VELOCITY,
    CT_UNIT_PART_COUNT,
} ct_unit_part;

// The fields of an object type.
typedef struct ct_unit_fields {
    const ct_network_config_resource *config;
    const ct_network_record_type *record;
    uint32_t parts[CT_UNIT_PART_COUNT]; // field, or UINT32_MAX
    uint64_t data;                      // a bit for each field that is a value of data
} ct_unit_fields;

// A pose in the world.
typedef struct ct_unit_pose {
    ct_vec3 position, scale;
    ct_quat rotation;
} ct_unit_pose;

// Returns whether objects of a type have units: a field `unit` or `level_unit`.
bool ct_unit_fields_has_unit(const ct_network_config_resource *config, uint32_t type);

// Finds out what the fields of a type are. Returns false with `error`, which names the type, the
// field and what it could be, when one fits nothing.
bool ct_unit_fields_of(const ct_network_config_resource *config, uint32_t type,
                       ct_unit_fields *fields, ct_error *error);

// Writes the id in a field of a part that has one; 0 when the type has no such field.
uint64_t ct_unit_fields_id(const ct_unit_fields *fields, ct_unit_part part, const uint32_t *words);
void ct_unit_fields_set_id(const ct_unit_fields *fields, ct_unit_part part, uint64_t id,
                           uint32_t *words);

// Returns the pose of a unit's root in the world; the identity without a transform. And sets it, also
// of a root that is linked to another; poses that are not finite are ignored. `jumps`: it does not
// move there.
ct_unit_pose ct_unit_pose_of(const ct_world *w, ct_entity unit);
void ct_unit_set_pose(const ct_world *w, ct_entity unit, const ct_unit_pose *pose, bool jumps);

// Replaces the words of poses, velocities and data by what the unit has.
void ct_unit_fields_read(const ct_unit_fields *fields, const ct_world *w, ct_entity unit,
                         uint32_t *words);

// Replaces the parts of `pose` that the type has by those of a moment.
void ct_unit_fields_pose(const ct_unit_fields *fields, const ct_network_moment *moment,
                         ct_unit_pose *pose);

// Gives the unit's first actor the velocities that the words have.
void ct_unit_fields_set_velocity(const ct_unit_fields *fields, const ct_world *w, ct_entity unit,
                                 const uint32_t *words);

// Gives the unit the value of one field of `data` at a moment; makes its data component when it has
// none.
void ct_unit_fields_set_data(const ct_unit_fields *fields, const ct_world *w, ct_entity unit,
                             const ct_network_moment *moment, uint32_t field);

// Returns the live unit with this id in the first level of this resource in which it lives; {0}: there
// is none.
ct_entity ct_unit_of_level(const ct_world *w, ct_string_id64 level, uint32_t id);

// Sets the resource of a unit's level and its id there. Returns false for a unit that no level
// spawned.
bool ct_unit_level_of(ct_world *w, ct_entity unit, ct_string_id64 *level, uint32_t *id);
