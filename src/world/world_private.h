// world_private.h: shared by the files of this folder.
//
// Beside its managers a world system has, by entity index, the world of an entity and its family:
// its parent and children in its template. These links determine which entities die with an entity.
// They never change while both ends live, whatever the transforms are linked to at run time.
#pragma once
#include "foundation/container/array.h"
#include "foundation/container/hash_map.h"
#include "foundation/memory/frame_allocator.h"
#include "resource/types/unit_resource.h"
#include "world/world.h"
#include "world/world_navigation.h"

// The relations of one entity in its template, as entity indices; 0: no entity.
typedef struct ct_entity_family {
    uint32_t parent, first_child, next_sibling, previous_sibling;
    uint32_t unit;      // place in its world's units, from 1; 0: not the root of a unit
    uint16_t is_ending; // while it is being destroyed
    uint16_t rows_told; // number of rows, from the last one on, that were called because it ends
} ct_entity_family;

struct ct_world_system {
    ct_allocator *backing;   // of the struct itself
    ct_allocator *allocator; // proxy
    ct_resource_manager *resources;
    ct_renderer *renderer;
    ct_animation_system *animation; // or NULL
    ct_physics_system *physics;     // or NULL
    ct_particle_system *particles;  // or NULL
    ct_sound_system *sound;         // or NULL
    ct_task_manager *tasks;         // or NULL
    ct_entity_manager *entities;
    ct_debug_name_manager *debug_names;
    ct_data_manager *data;
    ct_tag_manager *tags;
    ct_component_registry shared;                // managers that all worlds share
    CT_ARRAY(ct_world *) worlds;                 // in the order in which they were made
    CT_ARRAY(ct_world *) slots;                  // by world slot; slot 0 is unused
    CT_ARRAY(ct_transform_manager *) transforms; // of these worlds, with the same indices
    CT_ARRAY(uint16_t) world_slots;              // by entity index
    CT_ARRAY(ct_entity_family) families;         // by entity index; as many
    ct_frame_allocator *scratch;                 // reset to a mark by each function that uses it
    ct_world_schedule schedule;
    uint32_t num_calls;       // of rows that are running, one in the other: rows do not change
    bool has_units_destroyed; // some row has, or had, `units_destroyed`
    CT_ARRAY(ct_component_table_desc) components; // registered ones
    ct_hash_map told;            // resources and unknown types already warned about
    uint64_t last_sound_seed;    // each world's random sounds are others
    uint32_t last_level;         // ids of levels are not reused within 2^32
    uint32_t physics_draw_flags; // of worlds made later
    float physics_draw_radius;
    uint32_t physics_draw_setting; // flags of the render setting when it was last looked at
    ct_navigation_settings navigation_settings;
    bool has_lost_units; // dead units of levels whose ids may be reused (world_entities.c)
};

// The pose at which a level is spawned.
typedef struct ct_level_pose {
    ct_mat4 matrix;
    ct_quat rotation;
    ct_vec3 scale;
} ct_level_pose;

typedef struct ct_level_members ct_level_members;
typedef struct ct_world_physics_drawing ct_world_physics_drawing;

typedef struct ct_level_record {
    ct_entity *units; // in source order; those spawned so far
    uint32_t *ids;
    uint32_t num_units, max_units; // `max_units`: of the whole level
    ct_string_id64 script, flow, navigation;
    ct_level_pose pose;
    ct_level_members *members; // NULL: none
    // For a level that is spawned gradually.
    ct_string_id64 resource;
    uint64_t checksum;    // of its data
    uint32_t num_spawned; // entities
    bool is_spawning;
    bool is_started;       // level_started was called for it
    bool is_told;          // level_spawned was called for it
    bool is_ending;        // rows are being called for it
    double budget_seconds; // in each step of the world
    // Made on the first look-up (world_level_index.c): places in `units`, by entity and by id.
    ct_hash_map entity_places, id_places;
    uint32_t num_indexed; // the first so many units
} ct_level_record;

struct ct_world {
    ct_world_system *system;
    uint32_t slot;
    ct_allocator *allocator; // proxy
    ct_render_world_id render_world;
    ct_component_registry registry;
    void *managers[CT_WORLD_MAX_ROWS]; // of the schedule's rows; NULL for rows without one
    CT_ARRAY(ct_entity) units;         // roots
    CT_ARRAY(ct_string_id64) unit_resources;
    CT_ARRAY(ct_level) levels;
    bool is_ending; // no more levels are spawned
    CT_ARRAY(ct_level_record) level_records;
    double time, delta_time;
    ct_world_physics_drawing *physics_drawing; // NULL: off
    float reverb;                              // factor of what is sent to the reverb of the place
    float own_reverb;                          // in place of what volumes say, if has_own_reverb
    bool has_own_reverb;
    ct_string_id64 spawning; // the unit or level of which entities are being spawned; {0}: none
};

// --- Registered components (world_components.c) --------------------------------------------------

// Makes tables for all registered components in a new world.
void ct_world_add_component_tables(ct_world *w);

// Unregisters the component types that the system registered for templates.
void ct_world_system_forget_components(ct_world_system *s);

// --- Rows of the schedule (world_schedule.c) -----------------------------------------------------

// Makes, and destroys, the managers of all rows.
void ct_world_create_managers(ct_world *w);
void ct_world_destroy_managers(ct_world *w);

// Unregisters the component types that rows registered for templates.
void ct_world_system_forget_rows(ct_world_system *s);

// Calls this function of all rows that have it (world_schedule.h).
void ct_world_call_started(ct_world *w);
void ct_world_call_ended(ct_world *w);

// The same for units and levels.
void ct_world_call_units_spawned(ct_world *w, const ct_entity *units, uint32_t count);
void ct_world_call_units_destroyed(ct_world *w, const ct_entity *units, uint32_t count);
void ct_world_call_level_started(ct_world *w, ct_level level);
void ct_world_call_level_spawned(ct_world *w, ct_level level);

// Calls it of rows that know of a level: of all when it `was_spawned`, otherwise of those with level_started.
void ct_world_call_level_destroyed(ct_world *w, ct_level level, bool was_spawned);

// --- Entities of worlds (world_entities.c) -------------------------------------------------------

// Links entities to their parents in the template, where their indices start at `first`. Call once
// for each copy.
void ct_world_link_families(ct_world_system *s, const ct_entity *entities, const uint32_t *parents,
                            uint32_t first, uint32_t count);

// Adds a root to the world's units.
void ct_world_add_unit(ct_world *w, ct_entity root, ct_string_id64 resource);

// Spawns more of the levels that are spawned gradually, each within its budget.
void ct_world_continue_levels(ct_world *w);

// Swaps two places of the world's units.
void ct_world_swap_units(ct_world *w, uint32_t a, uint32_t b);

// Enters a unit that was spawned again at a place of its level's units (world_level_index.c).
void ct_world_set_level_unit(ct_world *w, ct_level level, uint32_t place, ct_entity root);

// Removes dead units from all levels before other entities get their ids (world_level_index.c).
void ct_world_forget_dead_units(ct_world *w);

// Ends all entities that belong to `w`.
void ct_world_destroy_all_entities(ct_world *w);

// The entity manager's callback. First the children of the entities by template die, then the
// components of the entities, then their places in units and families. `user` is the world system.
void ct_world_entities_destroyed(void *user, const ct_entity *entities, uint32_t count);

// --- Members of levels (world_level_members.c) ---------------------------------------------------

// Makes the volumes, splines and markers of a level at a pose, for its record; NULL when it has
// none. `name` is for messages.
ct_level_members *ct_level_members_create(ct_world *w, const ct_level_resource *level,
                                          const char *name, const ct_level_pose *pose);

// Frees them; NULL is fine.
void ct_level_members_destroy(ct_world *w, ct_level_members *members);

// Returns those of a level; NULL for one without, and one that has ended (world_levels.c).
const ct_level_members *ct_world_level_members(const ct_world *w, ct_level level);

// Moves the transform of a root, or of another thing, from the space of a level, whose
// ct_level_pose is `pose`, to the world. Scales multiply axis by axis: the shear that a rotated
// thing in an unevenly scaled level would get is left out. `copy` is not used (world_levels.c).
void ct_world_place_in_level(const void *pose, uint32_t copy, ct_transform_data *transform);

// --- Navigation (world_navigation.c) -------------------------------------------------------------

// Returns the resource of type navigation of a level; {0}: it has none (world_levels.c).
ct_string_id64 ct_world_level_navigation(const ct_world *w, ct_level level);

// Add and remove the meshes of a level, and run the step: functions of the row, whose manager is `navigation`.
void ct_world_start_navigation(ct_world *w, void *navigation, ct_level level);
void ct_world_end_navigation(ct_world *w, void *navigation, ct_level level);
void ct_world_step_navigation(ct_world *w, void *navigation, double dt);

// Has all worlds take new blobs. Until ct_resource_manager_unregister.
void ct_world_system_watch_navigation(ct_world_system *s);

// --- Drawing of physics (world_physics_draw.c) ---------------------------------------------------

// Adds a camera around which the lines of the next frame are drawn. Does nothing while it is off.
void ct_world_add_physics_view(ct_world *w, ct_vec3 position);

// Sends the lines of physics, in the first call in a frame with a `dt` of 0: a step of the row of
// movers, which are `movers`.
void ct_world_send_physics_lines(ct_world *w, void *movers, double dt);

// --- Spawning (world_spawn.c) --------------------------------------------------------------------

// A spawn: some of a template's entities (whole units), `num_copies` times.
typedef struct ct_template_spawn {
    ct_string_id64 resource; // name of the template's resource
    const void *blob;
    const ct_entity_template *entities;
    uint32_t first_entity, num_entities;
    uint32_t num_copies;
    // Moves the transform of a root of one copy to its place; NULL: it stays as in the template.
    void (*place_root)(const void *place, uint32_t copy, ct_transform_data *transform);
    const void *place;
} ct_template_spawn;

// Spawns type by type and writes num_copies * num_entities entities, copy after copy, to
// `entities`. Returns false with `error`, and spawns nothing, when there are too many entities or
// components, or the pose of a root is not finite.
bool ct_world_spawn_template(ct_world *w, const ct_template_spawn *spawn, ct_entity *entities,
                             ct_error *error);
