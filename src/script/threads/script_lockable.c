// What jobs may call: pure modules without a lock, and some functions of others under one.
//
// A function is in this list when what it touches was looked at: it allocates nothing that others
// see, makes no objects of the engine, and changes only what the lock covers, or says `is_shared`.
// Poses: a transform's arrays are written in the rows of the unit and what is linked below it; the
// list of changes is shared. The poses of nodes are brought up to date by whoever changes them.
//
// Functions that read change nothing, so that several jobs may call them at once. Data components note
// where they find keys, but not while jobs run (ct_data_share). Rays have a stack each, and Bullet's
// shapes hold still. Its sweeps have one stack for all of a world, and its contacts one pool: these
// take a mutex for the call.

#include <string.h>

#include "script/threads/script_threads_private.h"

extern const ct_lua_module ct_api_color, ct_api_data_component, ct_api_entity_array,
    ct_api_float32_array, ct_api_id_string32, ct_api_id_string32_box, ct_api_id_string64,
    ct_api_id_string64_box, ct_api_level, ct_api_lock_type, ct_api_lua_threads, ct_api_math,
    ct_api_matrix4x4, ct_api_matrix4x4_box, ct_api_physics_world, ct_api_profiler,
    ct_api_quaternion, ct_api_quaternion_box, ct_api_script, ct_api_transform_component,
    ct_api_unit, ct_api_utf8, ct_api_vector2, ct_api_vector2_box, ct_api_vector3,
    ct_api_vector3_box, ct_api_vector4, ct_api_vector4_box, ct_api_world;

// --- Pure modules --------------------------------------------------------------------------------

// `functions`: NULL: all; else the names, each between spaces.
typedef struct pure_module {
    const ct_lua_module *module;
    const char *functions;
} pure_module;

static const pure_module pure_modules[] = {
    {&ct_api_color, NULL},
    {&ct_api_entity_array, NULL},
    {&ct_api_float32_array, NULL},
    {&ct_api_id_string32, NULL},
    {&ct_api_id_string32_box, NULL},
    {&ct_api_id_string64, NULL},
    {&ct_api_id_string64_box, NULL},
    {&ct_api_lock_type, NULL},
    {&ct_api_lua_threads, " is_worker lock_api num_states unlock_api "},
    {&ct_api_math, NULL},
    {&ct_api_matrix4x4, NULL},
    {&ct_api_matrix4x4_box, NULL},
    {&ct_api_profiler, " record_statistics start stop "},
    {&ct_api_quaternion, NULL},
    {&ct_api_quaternion_box, NULL},
    {&ct_api_script, " callstack deserialize index_offset serialize set_temp_byte_count "
                     "set_temp_count temp_byte_count temp_count type_name "},
    {&ct_api_utf8, NULL},
    {&ct_api_vector2, NULL},
    {&ct_api_vector2_box, NULL},
    {&ct_api_vector3, NULL},
    {&ct_api_vector3_box, NULL},
    {&ct_api_vector4, NULL},
    {&ct_api_vector4_box, NULL},
};

static bool has_word(const char *words, const char *word) {
    const size_t length = strlen(word);
    for (const char *at = strstr(words, word); at; at = strstr(at + 1, word)) {
        if (at[-1] == ' ' && at[length] == ' ')
            return true;
    }
    return false;
}

bool ct_lockable_is_pure(const ct_lua_module *module, const ct_lua_function *function) {
    for (uint32_t i = 0; i < CT_COUNT_OF(pure_modules); ++i) {
        if (pure_modules[i].module == module)
            return !function || !pure_modules[i].functions ||
                   has_word(pure_modules[i].functions, function->name);
    }
    return false;
}

// --- Modules to lock -----------------------------------------------------------------------------

enum { TRANSFORMS = 1, WORLDS, PHYSICS, DATA };

#define READ(rule, function)                                                                       \
    { function, CT_LOCKABLE_RULE_##rule, false, false }
#define READ_ALONE(rule, function)                                                                 \
    { function, CT_LOCKABLE_RULE_##rule, false, true }
#define WRITE(rule, function)                                                                      \
    { function, CT_LOCKABLE_RULE_##rule, true, false }
#define WRITE_SHARED(rule, function)                                                               \
    { function, CT_LOCKABLE_RULE_##rule, true, true }

static const ct_lockable_function of_data_component[] = {
    READ(NONE, "get_numbers"),  READ(NONE, "get_property"),  READ(NONE, "get_property_by_id"),
    READ(NONE, "instance_ids"), READ(NONE, "instances"),     READ(NONE, "lookup"),
    WRITE(NONE, "set_numbers"), WRITE(NONE, "set_property"), WRITE(NONE, "set_property_by_id"),
};

static const ct_lockable_function of_level[] = {
    READ(WORLD_1, "has_marker"),
    READ(WORLD_1, "has_spline"),
    READ(WORLD_1, "has_volume"),
    READ(WORLD_1, "is_point_inside_volume"),
    READ(WORLD_1, "is_spawned"),
    READ(WORLD_1, "marker_pose"),
    READ(WORLD_1, "markers"),
    READ(WORLD_1, "num_splines"),
    READ(WORLD_1, "pose"),
    READ(WORLD_1, "spline"),
    READ(WORLD_1, "spline_by_index"),
    READ(WORLD_1, "splines"),
    READ(WORLD_1, "unit_by_index"),
    READ(WORLD_1, "units"),
    READ(WORLD_1, "volume_box"),
    READ(WORLD_1, "volumes"),
};

static const ct_lockable_function of_physics_world[] = {
    READ_ALONE(WORLD_1, "closest_point"),
    READ(WORLD_1, "gravity"),
    READ_ALONE(WORLD_1, "linear_capsule_sweep"),
    READ_ALONE(WORLD_1, "linear_obb_sweep"),
    READ_ALONE(WORLD_1, "linear_sphere_sweep"),
    READ(WORLD_1, "num_actors"),
    READ(WORLD_1, "raycast"),
    READ(WORLD_1, "raycast_many"),
};

static const ct_lockable_function of_transform_component[] = {
    READ(UNIT_2, "children"),
    READ(UNIT_2, "descendants"),
    READ(UNIT_2, "local_pose"),
    READ(WORLD_1, "local_poses"),
    READ(UNIT_2, "local_position"),
    READ(WORLD_1, "local_positions"),
    READ(UNIT_2, "local_rotation"),
    READ(WORLD_1, "local_rotations"),
    READ(UNIT_2, "local_scale"),
    READ(WORLD_1, "local_scales"),
    READ(UNIT_2, "num_children"),
    READ(UNIT_2, "parent"),
    READ(UNIT_2, "root"),
    WRITE_SHARED(UNIT_2, "set_local_pose"),
    WRITE_SHARED(WORLD_1, "set_local_poses"),
    WRITE_SHARED(UNIT_2, "set_local_position"),
    WRITE_SHARED(WORLD_1, "set_local_positions"),
    WRITE_SHARED(UNIT_2, "set_local_rotation"),
    WRITE_SHARED(WORLD_1, "set_local_rotations"),
    WRITE_SHARED(UNIT_2, "set_local_scale"),
    WRITE_SHARED(WORLD_1, "set_local_scales"),
    READ(UNIT_2, "world_pose"),
    READ(WORLD_1, "world_poses"),
    READ(UNIT_2, "world_position"),
    READ(WORLD_1, "world_positions"),
    READ(UNIT_2, "world_rotation"),
    READ(WORLD_1, "world_rotations"),
};

static const ct_lockable_function of_unit[] = {
    READ(UNIT_1, "alive"),
    READ(UNIT_1, "debug_name"),
    READ(UNIT_1, "has_node"),
    READ(UNIT_1, "is_a"),
    READ(UNIT_1, "local_pose"),
    READ(UNIT_1, "local_position"),
    READ(UNIT_1, "local_rotation"),
    READ(UNIT_1, "local_scale"),
    READ(UNIT_1, "name_hash"),
    READ(UNIT_1, "node"),
    READ(UNIT_1, "num_scene_graph_items"),
    READ(UNIT_1, "scene_graph_parent"),
    WRITE_SHARED(UNIT_1, "set_local_pose"),
    WRITE_SHARED(UNIT_1, "set_local_position"),
    WRITE_SHARED(UNIT_1, "set_local_rotation"),
    WRITE_SHARED(UNIT_1, "set_local_scale"),
    READ(UNIT_1, "world"),
    READ(UNIT_1, "world_pose"),
    READ(UNIT_1, "world_position"),
    READ(UNIT_1, "world_rotation"),
    READ(UNIT_1, "world_scale"),
};

static const ct_lockable_function of_world[] = {
    READ(WORLD_1, "delta_time"), READ(WORLD_1, "entities"),
    READ(WORLD_1, "num_level"),  READ(WORLD_1, "num_units"),
    READ(WORLD_1, "time"),       READ(WORLD_1, "unit_by_name"),
    READ(WORLD_1, "units"),      READ(WORLD_1, "units_by_resource"),
};

#define FUNCTIONS(list) .functions = list, .num_functions = CT_COUNT_OF(list)

static const ct_lockable_module modules[] = {
    {.module = &ct_api_data_component,
     FUNCTIONS(of_data_component),
     .domain = DATA,
     .grain = CT_LOCKABLE_GRAIN_ALL},
    {.module = &ct_api_level,
     FUNCTIONS(of_level),
     .domain = WORLDS,
     .grain = CT_LOCKABLE_GRAIN_WORLD},
    {.module = &ct_api_physics_world,
     FUNCTIONS(of_physics_world),
     .domain = PHYSICS,
     .grain = CT_LOCKABLE_GRAIN_WORLD},
    {.module = &ct_api_transform_component,
     FUNCTIONS(of_transform_component),
     .domain = TRANSFORMS,
     .grain = CT_LOCKABLE_GRAIN_UNIT},
    {.module = &ct_api_unit,
     FUNCTIONS(of_unit),
     .domain = TRANSFORMS,
     .grain = CT_LOCKABLE_GRAIN_UNIT},
    {.module = &ct_api_world,
     FUNCTIONS(of_world),
     .domain = WORLDS,
     .grain = CT_LOCKABLE_GRAIN_WORLD},
};

static const char *const names[] = {"DataComponent",      "Level", "PhysicsWorld",
                                    "TransformComponent", "Unit",  "World"};

_Static_assert(CT_COUNT_OF(names) == CT_COUNT_OF(modules), "a name for each module");

const ct_lockable_module *ct_lockable_modules(uint32_t *count) {
    *count = CT_COUNT_OF(modules);
    return modules;
}

const char *const *ct_lockable_names(void) {
    return names;
}
