// world_private.h: what the files of this folder share.
//
// Beside its managers a world system keeps, by entity index, the world an entity belongs to and its
// family: what its template hung on it. Those links never change while both ends live, whatever the
// transforms are linked to at run time, and say what dies with an entity.
#pragma once
#include "foundation/container/array.h"
#include "foundation/container/hash_map.h"
#include "foundation/memory/frame_allocator.h"
#include "resource/types/unit_resource.h"
#include "world/world.h"

// Relations of one entity by its template, as entity indices; 0 is none.
typedef struct ct_entity_family {
    uint32_t parent, first_child, next_sibling, previous_sibling;
    uint32_t unit;      // place in its world's units, from 1; 0: not the root of a unit
    uint16_t is_ending; // while it is being destroyed
    uint16_t rows_told; // how many rows, from the last on, were called because it ends
} ct_entity_family;

struct ct_world_system {
    ct_allocator *backing;   // what the struct itself came from
    ct_allocator *allocator; // proxy
    ct_resource_manager *resources;
    ct_renderer *renderer;
    ct_entity_manager *entities;
    ct_debug_name_manager *debug_names;
    ct_data_manager *data;
    ct_tag_manager *tags;
    ct_component_registry shared;                // managers that all worlds share
    CT_ARRAY(ct_world *) worlds;                 // in the order they were made
    CT_ARRAY(ct_world *) slots;                  // by world slot; slot 0 is none
    CT_ARRAY(ct_transform_manager *) transforms; // of these worlds, as many
    CT_ARRAY(uint16_t) world_slots;              // by entity index
    CT_ARRAY(ct_entity_family) families;         // by entity index; as many
    ct_frame_allocator *scratch; // given back to a mark by each function that uses it
    ct_world_schedule schedule;
    bool has_units_destroyed;                     // some row is called then
    CT_ARRAY(ct_component_table_desc) components; // that were registered
    ct_hash_map told;                             // of which resources and unknown types was warned
    uint32_t last_level;                          // ids of levels are not reused within 2^32
    bool has_lost_units; // units of levels may have died whose ids come again (world_entities.c)
};

// Where a level is spawned.
typedef struct ct_level_pose {
    ct_mat4 matrix;
    ct_quat rotation;
    ct_vec3 scale;
} ct_level_pose;

typedef struct ct_level_record {
    ct_entity *units; // in source order; those that are spawned
    uint32_t *ids;
    uint32_t num_units, max_units; // the level has so many
    ct_string_id64 script;
    ct_level_pose pose;
    // Of one that is spawned gradually.
    ct_string_id64 resource;
    uint64_t checksum;    // of its data
    uint32_t num_spawned; // entities
    bool is_spawning;
    bool is_told;          // level_spawned was called for it
    bool is_ending;        // rows are being called for it
    double budget_seconds; // in each step of the world
    // Of those that were asked for (world_level_index.c): places in `units`, by entity and by id.
    ct_hash_map entity_places, id_places;
    uint32_t num_indexed; // units, the first ones
} ct_level_record;

struct ct_world {
    ct_world_system *system;
    uint32_t slot;
    ct_allocator *allocator; // proxy
    ct_render_world_id render_world;
    ct_component_registry registry;
    void *managers[CT_WORLD_MAX_ROWS]; // of the rows of the schedule; NULL for those without
    CT_ARRAY(ct_entity) units;         // roots
    CT_ARRAY(ct_string_id64) unit_resources;
    CT_ARRAY(ct_level) levels;
    CT_ARRAY(ct_level_record) level_records;
    double time, delta_time;
};

// --- Registered components (world_components.c) --------------------------------------------------

// Gives a new world tables for all that is registered.
void ct_world_add_component_tables(ct_world *w);

// Takes back from templates what the system registered.
void ct_world_system_forget_components(ct_world_system *s);

// --- Rows of the schedule (world_schedule.c) -----------------------------------------------------

// Make and end the managers of all rows.
void ct_world_create_managers(ct_world *w);
void ct_world_destroy_managers(ct_world *w);

// Takes back from templates the component types that rows registered.
void ct_world_system_forget_rows(ct_world_system *s);

// Call the functions of all rows that have them (world_schedule.h).
void ct_world_call_units_spawned(ct_world *w, const ct_entity *units, uint32_t count);
void ct_world_call_units_destroyed(ct_world *w, const ct_entity *units, uint32_t count);
void ct_world_call_level_spawned(ct_world *w, ct_level level);
void ct_world_call_level_destroyed(ct_world *w, ct_level level);

// --- Entities of worlds (world_entities.c) -------------------------------------------------------

// Hangs entities on each other as their template says, in which they are numbered from `first` on.
// Call once for each copy.
void ct_world_link_families(ct_world_system *s, const ct_entity *entities, const uint32_t *parents,
                            uint32_t first, uint32_t count);

// Enters a root in the world's units.
void ct_world_add_unit(ct_world *w, ct_entity root, ct_string_id64 resource);

// Spawns more of the levels that are spawned gradually, each within its budget.
void ct_world_continue_levels(ct_world *w);

// Takes the dead out of the units of all levels, before others get their ids (world_level_index.c).
void ct_world_forget_dead_units(ct_world *w);

// Ends all entities that belong to `w`.
void ct_world_destroy_all_entities(ct_world *w);

// The entity manager's callback: what hangs on the entities by template dies first, then their
// components, then their places in units and families. `user` is the world system.
void ct_world_entities_destroyed(void *user, const ct_entity *entities, uint32_t count);

// --- Spawning (world_spawn.c) --------------------------------------------------------------------

// What to spawn: some of a template's entities, whole units, `num_copies` times.
typedef struct ct_template_spawn {
    ct_string_id64 resource; // its name
    const void *blob;
    const ct_entity_template *entities;
    uint32_t first_entity, num_entities;
    uint32_t num_copies;
    // Puts the transform of a root of one copy in its place; NULL: it is there.
    void (*place_root)(const void *place, uint32_t copy, ct_transform_data *transform);
    const void *place;
} ct_template_spawn;

// Spawns type by type into `entities`, which takes num_copies * num_entities, copy after copy.
// False with `error`, and nothing is spawned, when too many entities or components live or a root
// lands nowhere.
bool ct_world_spawn_template(ct_world *w, const ct_template_spawn *spawn, ct_entity *entities,
                             ct_error *error);
