// From a template to entities: all entities, then all transforms, then all meshes.
#include <string.h>

#include "foundation/error.h"
#include "foundation/log.h"
#include "world/world_private.h"

static const ct_component_instances *types_of(const ct_template_spawn *spawn) {
    return ct_blob_at(spawn->blob, spawn->entities->component_types.offset);
}

static const uint32_t *parents_of(const ct_template_spawn *spawn) {
    return ct_blob_at(spawn->blob, spawn->entities->parents.offset);
}

// The instances of one type that the spawned entities own; they are together, because owners are in
// order.
typedef struct instance_range {
    const ct_component_instances *type;
    const uint32_t *owners; // numbers of entities
    const uint32_t *ids;
    const void *data;
    const uint32_t *offsets;    // of types of varying size
    const uint32_t *data_index; // where they share data
    uint32_t count;
} instance_range;

// The first of `count` numbers in order that is not below `least`.
static uint32_t first_not_below(const uint32_t *numbers, uint32_t count, uint32_t least) {
    uint32_t first = 0;
    while (count > 0) {
        const uint32_t half = count / 2;
        const bool is_below = numbers[first + half] < least;
        first += is_below ? half + 1 : 0;
        count = is_below ? count - half - 1 : half;
    }
    return first;
}

static instance_range range_of(const ct_template_spawn *spawn, const ct_component_instances *type) {
    const uint32_t *const owners = ct_blob_at(spawn->blob, type->entity_index.offset);
    const uint32_t *const ids = ct_blob_at(spawn->blob, type->ids.offset);
    const uint32_t *const offsets = ct_blob_at(spawn->blob, type->offsets.offset);
    const char *const data = ct_blob_at(spawn->blob, type->data.offset);
    const uint32_t *const data_index = ct_blob_at(spawn->blob, type->data_index.offset);
    const bool is_shared = type->data_index.count != 0;
    const uint32_t num = type->entity_index.count;
    const uint32_t first = first_not_below(owners, num, spawn->first_entity);
    const uint32_t end = first_not_below(owners, num, spawn->first_entity + spawn->num_entities);
    const uint32_t first_data = is_shared ? 0 : first;
    return (instance_range){.type = type,
                            .owners = owners + first,
                            .ids = ids + first,
                            .data = data + (uint64_t)first_data * type->instance_bytes,
                            .offsets = type->instance_bytes ? NULL : offsets + first_data,
                            .data_index = is_shared ? data_index + first : NULL,
                            .count = end - first};
}

// --- Transforms ----------------------------------------------------------------------------------

// Moves the roots of one copy to their places. False with `error` when a pose is not finite.
static bool place_copy(const ct_template_spawn *spawn, const instance_range *range, uint32_t copy,
                       ct_transform_data *transforms, ct_error *error) {
    const uint32_t *const parents = parents_of(spawn);
    for (uint32_t i = 0; i < range->count; ++i) {
        if (parents[range->owners[i]] == CT_NO_PARENT)
            spawn->place_root(spawn->place, copy, &transforms[i]);
    }
    if (ct_transform_data_are_finite(transforms, range->count))
        return true;
    uint32_t bad = 0;
    while (ct_transform_data_are_finite(&transforms[bad], 1))
        ++bad;
    return ct_error_set(error, "entity %u would get a pose that is not finite", range->owners[bad]);
}

// Returns the transforms of all copies, in scratch or in the blob. NULL with `error` when the pose
// of a root is not finite.
static const ct_transform_data *place_roots(ct_allocator *scratch, const ct_template_spawn *spawn,
                                            const instance_range *range, ct_error *error) {
    const uint32_t n = range->count;
    if (n == 0 || (!spawn->place_root && spawn->num_copies == 1))
        return range->data;
    ct_transform_data *const all =
        ct_alloc(scratch, sizeof(*all) * (uint64_t)n * spawn->num_copies);
    for (uint32_t copy = 0; copy < spawn->num_copies; ++copy) {
        ct_transform_data *const own = all + (uint64_t)copy * n;
        memcpy(own, range->data, sizeof(*all) * n);
        if (spawn->place_root && !place_copy(spawn, range, copy, own, error))
            return NULL;
    }
    return all;
}

// Returns the parent of each transform of the range: the transform of the nearest ancestor that has
// one. In scratch.
static const uint32_t *find_parents(ct_allocator *scratch, const ct_template_spawn *spawn,
                                    const instance_range *range) {
    const uint32_t *const parents = parents_of(spawn) + spawn->first_entity;
    uint32_t *const result = ct_alloc(scratch, sizeof(*result) * (uint64_t)range->count);
    uint32_t *const nearest = // for what is below
        ct_alloc(scratch, sizeof(*nearest) * (uint64_t)spawn->num_entities);
    uint32_t i = 0;
    for (uint32_t e = 0; e < spawn->num_entities; ++e) { // owners are in order, too
        const uint32_t above = parents[e] == CT_NO_PARENT
                                   ? CT_TRANSFORM_NO_PARENT
                                   : nearest[parents[e] - spawn->first_entity];
        nearest[e] = above;
        if (i < range->count && range->owners[i] == spawn->first_entity + e) {
            result[i] = above;
            nearest[e] = i++;
        }
    }
    return result;
}

// --- All types -----------------------------------------------------------------------------------

static const ct_component_manager *find_manager(const ct_world *w, ct_string_id32 type) {
    const ct_component_manager *const own = ct_component_registry_find(&w->registry, type);
    return own ? own : ct_component_registry_find(&w->system->shared, type);
}

// True when the manager makes instances of data of this size.
static bool can_spawn(const ct_component_manager *manager, uint32_t instance_bytes) {
    return manager && manager->spawn &&
           instance_bytes == (manager->schema ? manager->schema->size_bytes : 0);
}

// The owners of the instances, copy after copy, in scratch.
static const ct_entity *find_owners(ct_allocator *scratch, const ct_template_spawn *spawn,
                                    const instance_range *range, const ct_entity *entities) {
    const uint32_t n = range->count;
    ct_entity *const owners = ct_alloc(scratch, sizeof(*owners) * (uint64_t)n * spawn->num_copies);
    for (uint32_t copy = 0; copy < spawn->num_copies; ++copy) {
        const ct_entity *const own = entities + copy * spawn->num_entities;
        for (uint32_t i = 0; i < n; ++i)
            owners[copy * n + i] = own[range->owners[i] - spawn->first_entity];
    }
    return owners;
}

// The ids of the instances, which are the same in each copy.
static const uint32_t *repeat_ids(ct_allocator *scratch, const ct_template_spawn *spawn,
                                  const instance_range *range) {
    const uint32_t n = range->count;
    if (spawn->num_copies == 1)
        return range->ids;
    uint32_t *const all = ct_alloc(scratch, sizeof(*all) * (uint64_t)n * spawn->num_copies);
    for (uint32_t copy = 0; copy < spawn->num_copies; ++copy)
        memcpy(all + copy * n, range->ids, sizeof(*all) * n);
    return all;
}

// Spawns a range; `placed` are the transforms of all copies where it is of that type.
static void spawn_range(ct_world *w, const ct_template_spawn *spawn,
                        const ct_component_manager *manager, const instance_range *range,
                        const ct_transform_data *placed, const ct_entity *entities) {
    ct_frame_allocator *const frame = w->system->scratch;
    ct_allocator *const scratch = ct_frame_allocator_interface(frame);
    const ct_frame_mark mark = ct_frame_allocator_mark(frame);
    const ct_entity *const owners = find_owners(scratch, spawn, range, entities);
    if (manager->manager == ct_world_transforms(w)) {
        CT_ASSERT(!range->data_index, "transforms do not share template data");
        const uint32_t *const parents = find_parents(scratch, spawn, range);
        const bool is_done = ct_transform_spawn(manager->manager, owners, placed, parents,
                                                range->count, spawn->num_copies);
        CT_ASSERT(is_done, "a transform of a template was not checked");
    } else {
        manager->spawn(manager->manager,
                       &(ct_component_spawn){.owners = owners,
                                             .ids = repeat_ids(scratch, spawn, range),
                                             .data = range->data,
                                             .offsets = range->offsets,
                                             .data_index = range->data_index,
                                             .num_instances = range->count,
                                             .num_copies = spawn->num_copies});
    }
    ct_frame_allocator_reset(frame, mark);
}

// The range of transforms; none is empty.
static instance_range transforms_of(const ct_template_spawn *spawn) {
    const ct_component_instances *const types = types_of(spawn);
    for (uint32_t i = 0; i < spawn->entities->component_types.count; ++i) {
        if (types[i].type.value == CT_ID32("transform", 0xb4363995).value)
            return range_of(spawn, &types[i]);
    }
    return (instance_range){0};
}

// Warns once of each type and resource.
static void tell_unknown(ct_world_system *s, ct_string_id64 resource, ct_string_id32 type) {
    const uint64_t key = (resource.value ^ type.value) * 0x9e3779b97f4a7c15ull | 1;
    if (ct_hash_map_find(&s->told, key))
        return;
    ct_hash_map_set(&s->told, key, 1);
    ct_log_warning("world", "unknown_component", "%s: left out components of the unknown type %s",
                   ct_string_id64_name(resource), ct_string_id32_name(type));
}

static void spawn_types(ct_world *w, const ct_template_spawn *spawn,
                        const ct_transform_data *placed, const ct_entity *entities) {
    const ct_component_instances *const types = types_of(spawn);
    for (uint32_t i = 0; i < spawn->entities->component_types.count; ++i) {
        const ct_component_manager *const manager = find_manager(w, types[i].type);
        if (!can_spawn(manager, types[i].instance_bytes)) {
            tell_unknown(w->system, spawn->resource, types[i].type);
            continue;
        }
        const instance_range range = range_of(spawn, &types[i]);
        CT_REQUIRE((uint64_t)range.count * spawn->num_copies <= UINT32_MAX,
                   "%u copies of %u components are too many", spawn->num_copies, range.count);
        if (range.count > 0)
            spawn_range(w, spawn, manager, &range, placed, entities);
    }
}

// False with `error` when there are too many components of a type.
static bool components_fit(const ct_world *w, const ct_template_spawn *spawn, ct_error *error) {
    const ct_component_instances *const types = types_of(spawn);
    for (uint32_t i = 0; i < spawn->entities->component_types.count; ++i) {
        const ct_component_manager *const manager = find_manager(w, types[i].type);
        if (!can_spawn(manager, types[i].instance_bytes))
            continue;
        const uint64_t count = (uint64_t)range_of(spawn, &types[i]).count * spawn->num_copies;
        if (!ct_component_manager_has_room(manager, count, error))
            return false;
    }
    return true;
}

bool ct_world_spawn_template(ct_world *w, const ct_template_spawn *spawn, ct_entity *entities,
                             ct_error *error) {
    ct_world_system *const s = w->system;
    const uint32_t n = spawn->num_entities;
    if (!ct_entity_has_room(s->entities, (uint64_t)n * spawn->num_copies, error))
        return false;
    if (n == 0 || spawn->num_copies == 0) // a level without units
        return true;
    if (!components_fit(w, spawn, error))
        return false;
    const ct_frame_mark mark = ct_frame_allocator_mark(s->scratch);
    const instance_range transforms = transforms_of(spawn);
    const ct_transform_data *const placed =
        place_roots(ct_frame_allocator_interface(s->scratch), spawn, &transforms, error);
    if (placed || transforms.count == 0) {
        ct_world_create_entities(w, entities, n * spawn->num_copies);
        for (uint32_t copy = 0; copy < spawn->num_copies; ++copy)
            ct_world_link_families(s, entities + copy * n, parents_of(spawn) + spawn->first_entity,
                                   spawn->first_entity, n);
        w->spawning = spawn->resource;
        spawn_types(w, spawn, placed, entities);
        w->spawning = (ct_string_id64){0};
    }
    ct_frame_allocator_reset(s->scratch, mark);
    return placed || transforms.count == 0;
}
