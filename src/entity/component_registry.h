// component_registry.h: the component managers of a world, by type.
//
// A manager stores its data in any form. The registry has its functions that spawn instances from
// template data, handle the death of entities, and destroy the manager. Systems register here from
// their own floor; worlds reach managers only through this table.
// From "Building a Data-Oriented Entity System, part 4" (Bitsquid blog, 2014-10-10).
#pragma once
#include "entity/entity_manager.h"
#include "entity/instance_table.h"
#include "entity/state_hash.h"
#include "foundation/string/string_id.h"
#include "resource/schema/schema.h"

enum { CT_MAX_COMPONENT_MANAGERS = 64 };

// The instances of one type to make, for one or more copies of a template. Data that all copies
// share is given once: instance `i` of copy `k` belongs to owners[k * num_instances + i] and is
// made from data[i] or, where several instances share data, from data[data_index[i]]
// (ct_component_spawn_data).
typedef struct ct_component_spawn {
    const ct_entity *owners; // num_copies * num_instances, copy after copy
    const uint32_t *ids;     // 32-bit ids of the instances; as many as owners
    const void *data;        // for one copy: the type's structs, end to end; or bytes
    // For types of varying size: data i is the bytes of `data` from offsets[i] up to
    // offsets[i + 1], aligned to 8. NULL for other types.
    const uint32_t *offsets;
    const uint32_t *data_index; // for one copy, num_instances; NULL: instance i has data i
    uint32_t num_instances;     // in one copy
    uint32_t num_copies;
} ct_component_spawn;

// Returns the number of instances in all copies.
static inline uint32_t ct_component_spawn_count(const ct_component_spawn *spawn) {
    return spawn->num_instances * spawn->num_copies;
}

// Returns the index in `data` of the item that instance `i`, counted over all copies, is made from.
static inline uint32_t ct_component_spawn_data(const ct_component_spawn *spawn, uint32_t i) {
    const uint32_t of_copy = spawn->num_copies == 1 ? i : i % spawn->num_instances;
    return spawn->data_index ? spawn->data_index[of_copy] : of_copy;
}

// A manager in the registry: its data and its functions. Some functions may be NULL.
typedef struct ct_component_manager {
    const char *type_name;   // "transform"
    const ct_schema *schema; // of the template data; NULL: varying size
    void *manager;
    const ct_instance_table *instances; // can be full before the entity manager is; or NULL
    void (*spawn)(void *manager, const ct_component_spawn *spawn); // NULL: not from templates
    // Ends the instances of entities about to die at once; each entity is listed once. NULL: the
    // manager relies on garbage collection.
    void (*entities_destroyed)(void *manager, const ct_entity *entities, uint32_t count);
    // Ends the instances of `entities`, which are about to die, and of all earlier entities with
    // the same indices: the generations of these indices start over. NULL where instances end at
    // once.
    void (*indices_ended)(void *manager, const ct_entity *entities, uint32_t count);
    // Ends some instances of dead entities, a limited number in each call; or NULL. Each step of a
    // world calls it. For a manager that worlds share, the steps of all of them call it.
    void (*collect_garbage)(void *manager, const ct_entity_manager *entities);
    // Adds the state of the instances that a game depends on to `hash`; or NULL.
    void (*hash)(const void *manager, ct_state_hash *hash);
    void (*destroy)(void *manager);
} ct_component_manager;

typedef struct ct_component_registry {
    ct_component_manager managers[CT_MAX_COMPONENT_MANAGERS]; // in the order in which they spawn
    ct_string_id32 types[CT_MAX_COMPONENT_MANAGERS];
    uint32_t count;
} ct_component_registry;

// Adds a manager; adding a type twice is a bug.
void ct_component_registry_add(ct_component_registry *r, const ct_component_manager *manager);

// Destroys the manager of a type, which must be there; the others keep their order.
void ct_component_registry_remove(ct_component_registry *r, ct_string_id32 type);

// Returns the manager of a type, or NULL.
const ct_component_manager *ct_component_registry_find(const ct_component_registry *r,
                                                       ct_string_id32 type);

// Returns whether `count` more instances fit; false with `error` (ct_instance_table_has_room).
bool ct_component_manager_has_room(const ct_component_manager *manager, uint64_t count,
                                   ct_error *error);

// Destroys all managers, last first.
void ct_component_registry_destroy_all(ct_component_registry *r);
