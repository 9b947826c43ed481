#include <string.h>

#include "foundation/error.h"
#include "foundation/log.h"
#include "world/world_private.h"

// --- Spawning by type ----------------------------------------------------------------------------

static const ct_component_manager *find_manager(const ct_world *w, ct_string_id32 type) {
    const ct_component_manager *own = ct_component_registry_find(&w->registry, type);
    return own ? own : ct_component_registry_find(&w->system->shared, type);
}

// The owners of the instances, copy after copy, in scratch.
static const ct_entity *find_owners(ct_allocator *scratch, const ct_template_spawn *spawn,
                                    const ct_component_instances *instances,
                                    const ct_entity *entities) {
    const uint32_t *numbers = ct_blob_at(spawn->blob, instances->entity_index.offset);
    const uint32_t n = instances->entity_index.count;
    ct_entity *owners = CT_NEW_ARRAY(scratch, ct_entity, (uint64_t)n * spawn->count);
    for (uint32_t copy = 0; copy < spawn->count; ++copy) {
        const ct_entity *own = entities + copy * spawn->entities->num_entities;
        for (uint32_t i = 0; i < n; ++i)
            owners[copy * n + i] = own[numbers[i]];
    }
    return owners;
}

// The ids of the instances, which are the same in each copy.
static const uint32_t *repeat_ids(ct_allocator *scratch, const ct_template_spawn *spawn,
                                  const ct_component_instances *instances) {
    const uint32_t *ids = ct_blob_at(spawn->blob, instances->ids.offset);
    const uint32_t n = instances->ids.count;
    if (spawn->count == 1)
        return ids;
    uint32_t *all = CT_NEW_ARRAY(scratch, uint32_t, (uint64_t)n * spawn->count);
    for (uint32_t copy = 0; copy < spawn->count; ++copy)
        memcpy(all + copy * n, ids, sizeof *ids * n);
    return all;
}

// The transforms of all copies, in scratch: no two copies have their roots in the same place. What
// is spawned is one copy then, of as many instances as there are.
static void place_roots(ct_allocator *scratch, const ct_template_spawn *spawn,
                        const ct_component_instances *instances, ct_component_spawn *transforms) {
    const uint32_t *parents = ct_blob_at(spawn->blob, spawn->entities->parents.offset);
    const uint32_t *owners = ct_blob_at(spawn->blob, instances->entity_index.offset);
    const uint32_t n = instances->data.count;
    ct_transform_data *all = ct_alloc(scratch, sizeof *all * (uint64_t)n * spawn->count);
    for (uint32_t copy = 0; copy < spawn->count; ++copy) {
        memcpy(all + copy * n, transforms->data, sizeof *all * n);
        for (uint32_t i = 0; i < n; ++i) {
            if (parents[owners[i]] == CT_NO_PARENT)
                spawn->place_root(spawn->place, copy, &all[copy * n + i]);
        }
    }
    transforms->data = all;
    transforms->num_instances = n * spawn->count;
    transforms->num_copies = 1;
}

// Links the transforms of one copy as the template's entities hang on each other. Whose parent has
// no transform goes to the nearest above that has one.
static void link_transforms(ct_transform_manager *m, const ct_entity *entities,
                            const uint32_t *parents, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
        const ct_transform child = ct_transform_lookup(m, entities[i]);
        ct_transform parent = {0};
        for (uint32_t p = parents[i]; p != CT_NO_PARENT && !parent.index; p = parents[p])
            parent = ct_transform_lookup(m, entities[p]);
        if (child.index && parent.index)
            ct_transform_link(m, child, parent);
    }
}

// True when the manager makes instances of data of this size.
static bool can_spawn(const ct_component_manager *manager, uint32_t instance_bytes) {
    return manager && manager->spawn &&
           instance_bytes == (manager->schema ? manager->schema->size_bytes : 0);
}

static void spawn_type(ct_world *w, const ct_template_spawn *spawn,
                       const ct_component_instances *instances, const ct_entity *entities) {
    const ct_component_manager *manager = find_manager(w, instances->type);
    const uint32_t n = instances->entity_index.count;
    if (!can_spawn(manager, instances->instance_bytes)) {
        ct_log_warning("world", "unknown_component",
                       "components of the unknown type %s are left out",
                       ct_string_id32_name(instances->type));
        return;
    }
    if (n == 0)
        return;
    CT_REQUIRE((uint64_t)n * spawn->count <= UINT32_MAX, "%u times %u components", spawn->count, n);
    ct_frame_allocator *frame = w->system->scratch;
    ct_allocator *scratch = ct_frame_allocator_interface(frame);
    const ct_frame_mark mark = ct_frame_allocator_mark(frame);
    ct_component_spawn all = {.owners = find_owners(scratch, spawn, instances, entities),
                              .ids = repeat_ids(scratch, spawn, instances),
                              .data = ct_blob_at(spawn->blob, instances->data.offset),
                              .num_instances = n,
                              .num_copies = spawn->count};
    if (instances->instance_bytes == 0)
        all.offsets = ct_blob_at(spawn->blob, instances->offsets.offset);
    if (manager->manager == w->transforms)
        place_roots(scratch, spawn, instances, &all);
    manager->spawn(manager->manager, &all);
    ct_frame_allocator_reset(frame, mark);
}

void ct_world_spawn_template(ct_world *w, const ct_template_spawn *spawn, ct_entity *entities) {
    const uint32_t n = spawn->entities->num_entities;
    if (n == 0) // of a level without units
        return;
    const uint32_t *parents = ct_blob_at(spawn->blob, spawn->entities->parents.offset);
    const ct_component_instances *types =
        ct_blob_at(spawn->blob, spawn->entities->component_types.offset);
    const ct_string_id32 transform = CT_ID32("transform", 0xb4363995);
    ct_world_create_entities(w, entities, n * spawn->count);
    for (uint32_t copy = 0; copy < spawn->count; ++copy)
        ct_world_link_families(w->system, entities + copy * n, parents, n);
    for (uint32_t i = 0; i < spawn->entities->component_types.count; ++i) {
        spawn_type(w, spawn, &types[i], entities);
        if (types[i].type.value != transform.value)
            continue;
        // Before what follows, which wants world poses.
        for (uint32_t copy = 0; copy < spawn->count; ++copy)
            link_transforms(w->transforms, entities + copy * n, parents, n);
    }
}

// --- Units ---------------------------------------------------------------------------------------

typedef struct ct_unit_poses {
    const ct_vec3 *positions;
    const ct_quat *rotations;
    const ct_vec3 *scales;
} ct_unit_poses;

static void place_unit(const void *place, uint32_t copy, ct_transform_data *transform) {
    const ct_unit_poses *poses = place;
    if (poses->positions)
        memcpy(transform->position, &poses->positions[copy], sizeof transform->position);
    if (poses->rotations)
        memcpy(transform->rotation, &poses->rotations[copy], sizeof transform->rotation);
    if (poses->scales)
        memcpy(transform->scale, &poses->scales[copy], sizeof transform->scale);
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

bool ct_world_spawn_units(ct_world *w, const char *name, const ct_vec3 *positions,
                          const ct_quat *rotations, const ct_vec3 *scales, uint32_t count,
                          ct_entity *roots, ct_error *error) {
    CT_ERROR_CONTEXT("spawning unit", name);
    ct_world_system *s = w->system;
    const ct_string_id64 id = ct_string_id64_of(name);
    const ct_unit_resource *unit = ct_resource_manager_get(s->resources, "unit", id);
    if (!unit)
        return ct_error_set(error, "the unit %s is not loaded", name);
    const uint32_t n = unit->entities.num_entities;
    if (!ct_entity_has_room(s->entities, (uint64_t)n * count, error))
        return false;
    const ct_unit_poses poses = {positions, rotations, scales};
    check_poses(&poses, count);
    const ct_template_spawn spawn = {unit, &unit->entities, count, place_unit, &poses};
    const ct_frame_mark mark = ct_frame_allocator_mark(s->scratch);
    ct_entity *entities =
        ct_alloc(ct_frame_allocator_interface(s->scratch), sizeof(ct_entity) * (uint64_t)n * count);
    ct_world_spawn_template(w, &spawn, entities);
    for (uint32_t copy = 0; copy < count; ++copy) {
        roots[copy] = entities[copy * n];
        ct_world_add_unit(w, roots[copy], id);
    }
    ct_frame_allocator_reset(s->scratch, mark);
    return true;
}
