#include <string.h>

#include "foundation/error.h"
#include "foundation/math/math.h"
#include "world/world_private.h"

typedef struct ct_unit_poses {
    const ct_vec3 *positions;
    const ct_quat *rotations;
    const ct_vec3 *scales;
} ct_unit_poses;

static void place_unit(const void *place, uint32_t copy, ct_transform_data *transform) {
    const ct_unit_poses *const poses = place;
    if (poses->positions)
        memcpy(transform->position, &poses->positions[copy], sizeof(transform->position));
    if (poses->rotations)
        memcpy(transform->rotation, &poses->rotations[copy], sizeof(transform->rotation));
    if (poses->scales)
        memcpy(transform->scale, &poses->scales[copy], sizeof(transform->scale));
}

static void check_poses(const ct_unit_poses *poses, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
        CT_ASSERT(!poses->positions || ct_vec3_is_finite(poses->positions[i]),
                  "position %u is not finite", i);
        CT_ASSERT(!poses->rotations || ct_quat_is_finite(poses->rotations[i]),
                  "rotation %u is not finite", i);
        CT_ASSERT(!poses->scales || ct_vec3_is_finite(poses->scales[i]), "scale %u is not finite",
                  i);
    }
}

static bool spawn_units(ct_world *w, ct_string_id64 id, const char *name, const ct_vec3 *positions,
                        const ct_quat *rotations, const ct_vec3 *scales, uint32_t count,
                        ct_entity *roots, ct_error *error) {
    CT_ERROR_CONTEXT("spawning unit", name);
    ct_world_system *const s = w->system;
    const ct_unit_resource *const unit = ct_resource_manager_get(s->resources, "unit", id);
    if (!unit)
        return ct_error_set(error, "the unit %s is not loaded", name);
    const uint32_t n = unit->entities.num_entities;
    if (!ct_entity_has_room(s->entities, (uint64_t)n * count, error))
        return false;
    const ct_unit_poses poses = {positions, rotations, scales};
    check_poses(&poses, count);
    const ct_template_spawn spawn = {.resource = id,
                                     .blob = unit,
                                     .entities = &unit->entities,
                                     .num_entities = n,
                                     .num_copies = count,
                                     .place_root = place_unit,
                                     .place = &poses};
    const ct_frame_mark mark = ct_frame_allocator_mark(s->scratch);
    ct_entity *const entities =
        ct_alloc(ct_frame_allocator_interface(s->scratch), sizeof(ct_entity) * (uint64_t)n * count);
    const bool is_there = ct_world_spawn_template(w, &spawn, entities, error);
    for (uint32_t copy = 0; is_there && copy < count; ++copy) {
        roots[copy] = entities[copy * n];
        ct_world_add_unit(w, roots[copy], id);
    }
    if (is_there)
        ct_world_call_units_spawned(w, roots, count);
    ct_frame_allocator_reset(s->scratch, mark);
    return is_there;
}

bool ct_world_spawn_units(ct_world *w, const char *name, const ct_vec3 *positions,
                          const ct_quat *rotations, const ct_vec3 *scales, uint32_t count,
                          ct_entity *roots, ct_error *error) {
    return spawn_units(w, ct_string_id64_of(name), name, positions, rotations, scales, count, roots,
                       error);
}

bool ct_world_spawn_units_of(ct_world *w, ct_string_id64 resource, const ct_vec3 *positions,
                             const ct_quat *rotations, const ct_vec3 *scales, uint32_t count,
                             ct_entity *roots, ct_error *error) {
    return spawn_units(w, resource, ct_string_id64_name(resource), positions, rotations, scales,
                       count, roots, error);
}

bool ct_world_spawn_unit_of(ct_world *w, ct_string_id64 resource, ct_vec3 position,
                            ct_quat rotation, ct_vec3 scale, ct_entity *root, ct_error *error) {
    return spawn_units(w, resource, ct_string_id64_name(resource), &position, &rotation, &scale, 1,
                       root, error);
}
