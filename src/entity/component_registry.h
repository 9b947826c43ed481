// component_registry.h: the component managers of a world, by type.
//
// A manager keeps its data as it likes; the registry knows how to spawn instances from template
// data, what to do when entities die, and how to end it. Systems register here from their own
// floor; worlds reach managers only through this table.
// From "Building a Data-Oriented Entity System, part 4" (Bitsquid blog, 2014-10-10).
#pragma once
#include "entity/entity_manager.h"
#include "entity/instance_table.h"
#include "entity/state_hash.h"
#include "foundation/string/string_id.h"
#include "resource/schema/schema.h"

enum { CT_MAX_COMPONENT_MANAGERS = 64 };

// Instances of one type to make, of one or more copies of a template. What every copy has is there
// once: instance `i` of copy `k` belongs to owners[k * num_instances + i] and is made of data[i], or,
// where several instances are made of the same, of data[data_index[i]] (ct_component_spawn_data).
typedef struct ct_component_spawn {
    const ct_entity *owners; // num_copies * num_instances, copy after copy
    const uint32_t *ids;     // 32-bit ids of the instances; as many
    const void *data;        // of one copy: the type's structs, end to end; or bytes
    // For types of varying size: data i is the bytes of `data` from offsets[i] up to offsets[i + 1],
    // aligned to 8. NULL for others.
    const uint32_t *offsets;
    const uint32_t *data_index; // of one copy, num_instances; NULL: data i is instance i's
    uint32_t num_instances;     // of one copy
    uint32_t num_copies;
} ct_component_spawn;

// The number of instances of all copies.
static inline uint32_t ct_component_spawn_count(const ct_component_spawn *spawn) {
    return spawn->num_instances * spawn->num_copies;
}

// The number in `data` of what instance `i` of all copies is made of.
static inline uint32_t ct_component_spawn_data(const ct_component_spawn *spawn, uint32_t i) {
    const uint32_t of_copy = spawn->num_copies == 1 ? i : i % spawn->num_instances;
    return spawn->data_index ? spawn->data_index[of_copy] : of_copy;
}

// What the registry knows of a manager: its data, and functions, of which some may be NULL.
typedef struct ct_component_manager {
    const char *type_name;   // "transform"
    const ct_schema *schema; // of the template data; NULL: of varying size
    void *manager;
    const ct_instance_table *instances; // that may be full before entities are; or NULL
    void (*spawn)(void *manager, const ct_component_spawn *spawn); // NULL: not from templates
    // Ends the instances of entities about to die, each of which stands there once, at once; NULL:
    // the manager relies on gc.
    void (*entities_destroyed)(void *manager, const ct_entity *entities, uint32_t count);
    // Ends the instances of whoever had the indices of `entities`, which are about to die, with these
    // or others before: the generations of the indices begin anew. NULL where instances end at once.
    void (*indices_ended)(void *manager, const ct_entity *entities, uint32_t count);
    // Ends some instances of dead entities, so many in a call at most; or NULL. Each step of a world
    // calls it, and that of a manager which worlds share in the steps of them all.
    void (*collect_garbage)(void *manager, const ct_entity_manager *entities);
    // Adds what its instances are like, of which a game depends; or NULL.
    void (*hash)(const void *manager, ct_state_hash *hash);
    void (*destroy)(void *manager);
} ct_component_manager;

typedef struct ct_component_registry {
    ct_component_manager managers[CT_MAX_COMPONENT_MANAGERS]; // in the order they spawn
    ct_string_id32 types[CT_MAX_COMPONENT_MANAGERS];
    uint32_t count;
} ct_component_registry;

// Adds a manager; adding a type twice is a bug.
void ct_component_registry_add(ct_component_registry *r, const ct_component_manager *manager);

// The manager of a type, or NULL.
const ct_component_manager *ct_component_registry_find(const ct_component_registry *r,
                                                       ct_string_id32 type);

// True when `count` more instances fit; else false with `error` (ct_instance_table_has_room).
bool ct_component_manager_has_room(const ct_component_manager *manager, uint64_t count,
                                   ct_error *error);

// Destroys all managers, last first.
void ct_component_registry_destroy_all(ct_component_registry *r);
