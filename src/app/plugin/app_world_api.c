// Worlds, units and levels. Steps and observers are in app_world_steps.c.
#include <string.h>

#include "app/app_private.h"
#include "app/plugin/app_plugin_check.h"
#include "app/plugin/app_world_steps.h"
#include "foundation/error.h"
#include "foundation/math/math.h"
#include "foundation/memory/temp_allocator.h"

enum { MAX_SPAWNED_AT_ONCE = 1 << 20 };

// --- Worlds --------------------------------------------------------------------------------------

static uint32_t worlds(cuttle_plugin *self, cuttle_world **all, uint32_t max) {
    const ct_world_system *const s = ct_app_worlds_of(self);
    const uint32_t count = ct_world_system_num_worlds(s);
    for (uint32_t i = 0; i < count && i < max; ++i)
        all[i] = (cuttle_world *)ct_world_system_world(s, i);
    return count;
}

static bool is_alive(cuttle_plugin *self, const cuttle_world *world) {
    const ct_world_system *const s = ct_app_worlds_of(self);
    uint32_t i = 0;
    while (i < ct_world_system_num_worlds(s) &&
           (const void *)ct_world_system_world(s, i) != (const void *)world)
        ++i;
    return i < ct_world_system_num_worlds(s);
}

static double world_time(cuttle_plugin *self, const cuttle_world *world) {
    const ct_world *const w = ct_app_check_world(self, world, "world.time");
    return w ? ct_world_time(w) : 0;
}

static double delta_time(cuttle_plugin *self, const cuttle_world *world) {
    const ct_world *const w = ct_app_check_world(self, world, "world.delta_time");
    return w ? ct_world_delta_time(w) : 0;
}

static uint64_t state_hash(cuttle_plugin *self, const cuttle_world *world) {
    const ct_world *const w = ct_app_check_world(self, world, "world.state_hash");
    return w ? ct_world_state_hash(w) : 0;
}

// --- Entities and units --------------------------------------------------------------------------

static bool check_vectors(const char *what, const cuttle_vector3 *values, uint32_t count,
                          ct_error *error) {
    const ct_vec3 *const own = (const ct_vec3 *)(const void *)values;
    for (uint32_t i = 0; values && i < count; ++i)
        if (!ct_vec3_is_finite(own[i]))
            return ct_error_set(error, "%s %u is not finite", what, i);
    return true;
}

// Copies rotations, with length 1; NULL when there are none.
static bool copy_rotations(ct_allocator *temp, const cuttle_quaternion *rotations, uint32_t count,
                           ct_quat **copies, ct_error *error) {
    *copies = rotations ? ct_alloc(temp, sizeof(**copies) * (uint64_t)count) : NULL;
    for (uint32_t i = 0; rotations && i < count; ++i) {
        ct_quat rotation;
        memcpy(&rotation, &rotations[i], sizeof(rotation));
        if (!ct_quat_is_rotation(rotation))
            return ct_error_set(error, "rotation %u is not finite, or has no length", i);
        (*copies)[i] = ct_quat_unit(rotation);
    }
    return true;
}

static bool try_spawn(ct_plugin *self, ct_world *w, const char *name,
                      const cuttle_vector3 *positions, const cuttle_quaternion *rotations,
                      const cuttle_vector3 *scales, uint32_t count, cuttle_entity *units,
                      ct_error *error) {
    CT_TEMP_ALLOCATOR(temp, ct_app_of_plugin(self)->allocator);
    ct_quat *own;
    if (count > MAX_SPAWNED_AT_ONCE)
        return ct_error_set(error, "%u units are too many for one call; the most is %d", count,
                            MAX_SPAWNED_AT_ONCE);
    return ct_app_may_spawn(self, w, error) && check_vectors("position", positions, count, error) &&
           check_vectors("scale", scales, count, error) &&
           copy_rotations(temp, rotations, count, &own, error) &&
           ct_world_spawn_units(w, name, (const ct_vec3 *)(const void *)positions, own,
                                (const ct_vec3 *)(const void *)scales, count,
                                (ct_entity *)(void *)units, error);
}

static bool spawn_units(cuttle_plugin *self, cuttle_world *world, const char *name,
                        const cuttle_vector3 *positions, const cuttle_quaternion *rotations,
                        const cuttle_vector3 *scales, uint32_t count, cuttle_entity *units,
                        cuttle_error *error) {
    ct_world *const w = ct_app_check_world(self, world, "world.spawn_units");
    ct_error own = {0};
    name = name ? name : "";
    if (!w)
        ct_error_set(&own, "the world has ended");
    return (w && try_spawn(self, w, name, positions, rotations, scales, count, units, &own)) ||
           ct_plugin_error_to(error, &own);
}

static bool create_entities(cuttle_plugin *self, cuttle_world *world, uint32_t count,
                            cuttle_entity *entities, cuttle_error *error) {
    ct_world *const w = ct_app_check_world(self, world, "world.create_entities");
    ct_error own = {0};
    if (!w)
        ct_error_set(&own, "the world has ended");
    const bool fits =
        w && ct_app_may_spawn(self, w, &own) &&
        ct_entity_has_room(ct_world_system_entities(ct_app_worlds_of(self)), count, &own);
    if (!fits)
        return ct_plugin_error_to(error, &own);
    ct_world_create_entities(w, (ct_entity *)(void *)entities, count);
    return true;
}

// Returns whether the plugin may destroy things; reports it when not.
static bool may_destroy(ct_plugin *self, const char *function) {
    return ct_app_of_plugin(self)->num_reading == 0 ||
           ct_app_bad_argument(self, function,
                               "not from here: steps of \"pose\" and \"send\" change no entities");
}

static void destroy(cuttle_plugin *self, cuttle_world *world, const cuttle_entity *entities,
                    uint32_t count) {
    ct_world *const w = ct_app_check_world(self, world, "world.destroy");
    if (!w || !may_destroy(self, "world.destroy"))
        return;
    CT_TEMP_ALLOCATOR(temp, ct_app_of_plugin(self)->allocator);
    ct_entity *const known = ct_alloc(temp, sizeof(*known) * (uint64_t)count);
    uint32_t num_known = 0;
    for (uint32_t i = 0; i < count; ++i)
        if (ct_app_world_of(self, entities[i]) == w)
            known[num_known++] = (ct_entity){entities[i].id};
    ct_world_destroy_units(w, known, num_known);
}

static cuttle_world *world_of(cuttle_plugin *self, cuttle_entity entity) {
    return (cuttle_world *)ct_app_world_of(self, entity);
}

static bool is_entity_alive(cuttle_plugin *self, cuttle_entity entity) {
    const ct_entity own = {entity.id};
    return ct_entity_is_well_formed(own) &&
           ct_entity_is_alive(ct_world_system_entities(ct_app_worlds_of(self)), own);
}

static cuttle_entity unit_of(cuttle_plugin *self, cuttle_entity entity) {
    const ct_world *const w = ct_app_world_of(self, entity);
    return w ? (cuttle_entity){ct_world_unit_of(w, (ct_entity){entity.id}).id} : (cuttle_entity){0};
}

static cuttle_id64 unit_resource(cuttle_plugin *self, cuttle_entity unit) {
    const ct_world *const w = ct_app_world_of(self, unit);
    return w ? (cuttle_id64){ct_world_unit_resource(w, (ct_entity){unit.id}).value}
             : (cuttle_id64){0};
}

static uint32_t units(cuttle_plugin *self, const cuttle_world *world, cuttle_entity *all,
                      uint32_t max) {
    const ct_world *const w = ct_app_check_world(self, world, "world.units");
    uint32_t count = 0;
    const ct_entity *const own = w ? ct_world_units(w, &count) : NULL;
    const uint32_t num_written = count < max ? count : max;
    if (num_written > 0)
        memcpy(all, own, sizeof(*all) * num_written);
    return count;
}

static uint32_t units_of_resource(cuttle_plugin *self, const cuttle_world *world,
                                  cuttle_id64 resource, cuttle_entity *found, uint32_t max) {
    const ct_world *const w = ct_app_check_world(self, world, "world.units_of_resource");
    uint32_t count = 0, num_found = 0;
    const ct_entity *const all = w ? ct_world_units(w, &count) : NULL;
    for (uint32_t i = 0; i < count; ++i) {
        if (ct_world_unit_resource(w, all[i]).value != resource.value)
            continue;
        if (num_found < max)
            found[num_found] = (cuttle_entity){all[i].id};
        ++num_found;
    }
    return num_found;
}

static cuttle_entity unit_by_id(cuttle_plugin *self, cuttle_world *world, cuttle_id32 id) {
    ct_world *const w = ct_app_check_world(self, world, "world.unit_by_id");
    return w ? (cuttle_entity){ct_world_unit_with_id(w, id.value).id} : (cuttle_entity){0};
}

static const char *debug_name(cuttle_plugin *self, cuttle_entity entity) {
    const ct_world *const w = ct_app_world_of(self, entity);
    const char *const name = w ? ct_debug_name(ct_world_system_debug_names(ct_app_worlds_of(self)),
                                               (ct_entity){entity.id})
                               : NULL;
    return name ? name : "";
}

static cuttle_entity unit_by_name(cuttle_plugin *self, const cuttle_world *world,
                                  const char *name) {
    const ct_world *const w = ct_app_check_world(self, world, "world.unit_by_name");
    uint32_t count = 0;
    const ct_entity *const all = w ? ct_world_units(w, &count) : NULL;
    for (uint32_t i = 0; i < count; ++i) {
        const cuttle_entity unit = {all[i].id};
        if (name && name[0] && strcmp(debug_name(self, unit), name) == 0)
            return unit;
    }
    return (cuttle_entity){0};
}

// --- Levels --------------------------------------------------------------------------------------

static ct_level try_spawn_level(ct_plugin *self, ct_world *w, const char *name,
                                const cuttle_vector3 *position, const cuttle_quaternion *rotation,
                                const cuttle_vector3 *scale, ct_error *error) {
    ct_vec3 at = ct_vec3_make(0, 0, 0), size = ct_vec3_make(1, 1, 1);
    ct_quat turn = ct_quat_identity();
    if (position)
        memcpy(&at, position, sizeof(at));
    if (rotation)
        memcpy(&turn, rotation, sizeof(turn));
    if (scale)
        memcpy(&size, scale, sizeof(size));
    const bool is_pose =
        ct_vec3_is_finite(at) && ct_vec3_is_finite(size) && ct_quat_is_rotation(turn);
    if (!is_pose)
        ct_error_set(error, "the pose of the level is not finite");
    if (!is_pose || !ct_app_may_spawn(self, w, error))
        return (ct_level){0};
    return ct_world_spawn_level(w, name, at, ct_quat_unit(turn), size, error);
}

static cuttle_level spawn_level(cuttle_plugin *self, cuttle_world *world, const char *name,
                                const cuttle_vector3 *position, const cuttle_quaternion *rotation,
                                const cuttle_vector3 *scale, cuttle_error *error) {
    ct_world *const w = ct_app_check_world(self, world, "world.spawn_level");
    ct_error own = {0};
    ct_level level = {0};
    if (w)
        level = try_spawn_level(self, w, name ? name : "", position, rotation, scale, &own);
    else
        ct_error_set(&own, "the world has ended");
    if (!level.id)
        ct_plugin_error_to(error, &own);
    return (cuttle_level){level.id};
}

static bool is_level_alive(cuttle_plugin *self, const cuttle_world *world, cuttle_level level) {
    const ct_world *const w = ct_app_check_world(self, world, "world.is_level_alive");
    return w && ct_level_is_alive(w, (ct_level){level.id});
}

static void destroy_level(cuttle_plugin *self, cuttle_world *world, cuttle_level level) {
    ct_world *const w = ct_app_check_world(self, world, "world.destroy_level");
    const ct_app *const app = ct_app_of_plugin(self);
    const ct_level own = {level.id};
    if (!w || !may_destroy(self, "world.destroy_level") || !ct_level_is_alive(w, own))
        return;
    if (app->script)
        ct_script_end_level(app->script, w, own);
    else
        ct_world_destroy_level(w, own);
}

static bool is_level_spawned(cuttle_plugin *self, const cuttle_world *world, cuttle_level level) {
    const ct_world *const w = ct_app_check_world(self, world, "world.is_level_spawned");
    return w && ct_level_is_alive(w, (ct_level){level.id}) &&
           ct_level_is_spawned(w, (ct_level){level.id});
}

static uint32_t levels(cuttle_plugin *self, const cuttle_world *world, cuttle_level *all,
                       uint32_t max) {
    const ct_world *const w = ct_app_check_world(self, world, "world.levels");
    uint32_t count = 0;
    const ct_level *const own = w ? ct_world_levels(w, &count) : NULL;
    for (uint32_t i = 0; i < count && i < max; ++i)
        all[i] = (cuttle_level){own[i].id};
    return count;
}

static uint32_t level_units(cuttle_plugin *self, const cuttle_world *world, cuttle_level level,
                            cuttle_entity *found, uint32_t max) {
    const ct_world *const w = ct_app_check_world(self, world, "world.level_units");
    uint32_t count = 0, num_living = 0;
    const ct_entity *const all = w ? ct_level_units(w, (ct_level){level.id}, &count) : NULL;
    for (uint32_t i = 0; i < count; ++i) {
        const cuttle_entity unit = {all[i].id};
        if (ct_app_world_of(self, unit) != w)
            continue;
        if (num_living < max)
            found[num_living] = unit;
        ++num_living;
    }
    return num_living;
}

static cuttle_level level_of(cuttle_plugin *self, cuttle_entity unit) {
    ct_world *const w = ct_app_world_of(self, unit);
    uint32_t place;
    return w ? (cuttle_level){ct_world_find_level_unit(w, (ct_entity){unit.id}, &place).id}
             : (cuttle_level){0};
}

// --- Names ---------------------------------------------------------------------------------------

static cuttle_id32 id32(const char *name) {
    name = name ? name : "";
    return (cuttle_id32){ct_string_id32_of(name).value};
}

static cuttle_id64 id64(const char *name) {
    name = name ? name : "";
    return (cuttle_id64){ct_string_id64_of(name).value};
}

const cuttle_world_api_1 ct_app_world_api_1 = {
    .worlds = worlds,
    .is_alive = is_alive,
    .time = world_time,
    .delta_time = delta_time,
    .state_hash = state_hash,
    .add_step = ct_app_add_world_step,
    .add_observer = ct_app_add_world_observer,
    .observer_data = ct_app_world_observer_data,
    .spawn_units = spawn_units,
    .create_entities = create_entities,
    .destroy = destroy,
    .is_entity_alive = is_entity_alive,
    .world_of = world_of,
    .unit_of = unit_of,
    .unit_resource = unit_resource,
    .units = units,
    .units_of_resource = units_of_resource,
    .unit_by_id = unit_by_id,
    .unit_by_name = unit_by_name,
    .debug_name = debug_name,
    .spawn_level = spawn_level,
    .destroy_level = destroy_level,
    .is_level_alive = is_level_alive,
    .is_level_spawned = is_level_spawned,
    .levels = levels,
    .level_units = level_units,
    .level_of = level_of,
    .id32 = id32,
    .id64 = id64,
};
