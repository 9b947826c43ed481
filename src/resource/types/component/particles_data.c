#include "resource/types/component/particles_data.h"

#include <math.h>
#include <stddef.h>

#include "foundation/error.h"

// Offset and size of a member, for the table below.
#define AT(type, member) .offset = offsetof(type, member), .size_bytes = sizeof(((type *)0)->member)

_Static_assert(sizeof(ct_particles_data) == 56, "a head has no padding of its own");
_Static_assert(sizeof(ct_particles_data_variable) == 20, "a variable has no padding");

const char *const ct_particles_orphaned_names[] = {"stop", "destroy", "detach", NULL};

static const ct_field fields[] = {
    {.name = "effect",
     .type = CT_FIELD_TYPE_REFERENCE,
     AT(ct_particles_data, effect),
     .flags = CT_FIELD_REQUIRED,
     .doc = "The effect to play.",
     .reference_type = "particles"},
    {.name = "position",
     .type = CT_FIELD_TYPE_VECTOR3,
     AT(ct_particles_data, position),
     .doc = "Position of the effect in the node's space.",
     .unit = "m",
     .least = -1e5,
     .most = 1e5},
    {.name = "rotation",
     .type = CT_FIELD_TYPE_QUATERNION,
     AT(ct_particles_data, rotation),
     .doc = "Rotation of the effect in the node's space, as x y z w.",
     .default_value = {0, 0, 0, 1},
     .degrees_name = "rotation_degrees"},
    {.name = "node",
     .type = CT_FIELD_TYPE_NAME,
     AT(ct_particles_data, node),
     .doc = "The scene graph node that the effect follows. \"\": the entity."},
    {.name = "plays_at_spawn",
     .type = CT_FIELD_TYPE_BOOL,
     AT(ct_particles_data, plays_at_spawn),
     .doc = "Whether the effect starts with the unit. Otherwise ParticlesComponent.play starts it.",
     .default_value = {1}},
    {.name = "orphaned",
     .type = CT_FIELD_TYPE_ENUM,
     AT(ct_particles_data, orphaned),
     .doc = "When the unit is destroyed: stop makes no more particles, destroy ends the effect, "
            "detach lets it go on.",
     .enum_names = ct_particles_orphaned_names},
    {.name = "padding",
     .type = CT_FIELD_TYPE_PADDING,
     AT(ct_particles_data, padding),
     .doc = "Not used."},
    {.name = "num_variables",
     .type = CT_FIELD_TYPE_INDEX,
     AT(ct_particles_data, num_variables),
     .doc = "Number of variables."},
    {.name = "variables",
     .type = CT_FIELD_TYPE_MAP,
     AT(ct_particles_data_source, variables),
     .doc = "Numbers, or arrays of 2 to 4 numbers, by the names of the effect's variables. null "
            "drops an inherited value.",
     .element_type = CT_FIELD_TYPE_VALUE},
};

const ct_schema ct_particles_data_schema = {
    .name = "particles",
    .doc = "Plays a particle effect at the entity, or at a node of its scene graph.",
    .size_bytes = sizeof(ct_particles_data_source),
    .num_fields = CT_COUNT_OF(fields),
    .fields = fields,
    .identity = CT_SCHEMA_ID | CT_SCHEMA_TYPE | CT_SCHEMA_REMOVED,
};

const ct_schema ct_particles_data_head_schema = {
    .name = "particles",
    .doc = "A particle effect without the values of its variables.",
    .size_bytes = sizeof(ct_particles_data),
    .num_fields = CT_COUNT_OF(fields) - 1,
    .fields = fields,
};

static bool check_variable(const ct_particles_data_variable *variables, uint32_t i,
                           ct_error *error) {
    for (uint32_t k = 0; k < 4; ++k)
        if (!isfinite(variables[i].value[k]))
            return ct_error_set(error, "variable %u: number %u is not finite", i, k);
    for (uint32_t k = 0; k < i; ++k)
        if (variables[k].name.value == variables[i].name.value)
            return ct_error_set(error, "variable %u has the name of another one", i);
    return true;
}

bool ct_particles_check(const void *bytes, uint32_t size_bytes, ct_error *error) {
    const ct_particles_data *const data = bytes;
    if (size_bytes < sizeof(*data))
        return ct_error_set(error, "a particles component does not fit into %u bytes", size_bytes);
    if (!ct_schema_check(&ct_particles_data_head_schema, data, error))
        return false;
    if (data->num_variables > CT_PARTICLES_DATA_MAX_VARIABLES ||
        data->num_variables * sizeof(ct_particles_data_variable) > size_bytes - sizeof(*data))
        return ct_error_set(error, "%u variables do not fit into %u bytes", data->num_variables,
                            size_bytes);
    for (uint32_t i = 0; i < data->num_variables; ++i)
        if (!check_variable(ct_particles_data_variables(data), i, error))
            return false;
    return true;
}
