// world.h: worlds, and the units and levels in them.
//
// A world system holds what worlds share (entities, resources, renderer, debug names, tags); each
// world owns its managers, its render world and its allocator, and leaves nothing behind. A unit is
// known by its root entity; units and levels spawn type by type. Which systems a world has, and in
// which order they are updated, is said by rows (world_schedule.h).
// Update thread.
#pragma once
#include "entity/component_table.h"
#include "entity/data_component.h"
#include "entity/debug_name_component.h"
#include "entity/tag_component.h"
#include "entity/transform_component.h"
#include "render/component/camera_component.h"
#include "render/component/light_component.h"
#include "render/component/mesh_component.h"
#include "world/world_schedule.h"

typedef struct ct_world_system ct_world_system;

// What a world system is made of; all of it is borrowed and must outlive the system.
typedef struct ct_world_system_desc {
    ct_allocator *allocator;
    ct_resource_manager *resources;
    ct_renderer *renderer;
} ct_world_system_desc;

// Makes a system without worlds. Resource manager and renderer are borrowed and must outlive it;
// the desc is copied. All memory is from the desc's allocator.
ct_world_system *ct_world_system_create(const ct_world_system_desc *desc);

// Ends all worlds and entities.
void ct_world_system_destroy(ct_world_system *s);

// Returns the manager of all entity ids. This and the systems below are borrowed for the system's
// life.
ct_entity_manager *ct_world_system_entities(ct_world_system *s);

// Returns the names of entities, for tools and messages.
ct_debug_name_manager *ct_world_system_debug_names(ct_world_system *s);

// Returns the data components of the entities of all worlds.
ct_data_manager *ct_world_system_data(ct_world_system *s);

// Returns the tags of the entities of all worlds.
ct_tag_manager *ct_world_system_tags(ct_world_system *s);

// Returns the resource manager that units and levels come from.
ct_resource_manager *ct_world_system_resources(ct_world_system *s);

// Returns the renderer that all worlds are drawn with.
ct_renderer *ct_world_system_renderer(ct_world_system *s);

// Adds a system to all worlds to come: its row, which is borrowed until the system ends. To call it
// while there is a world is a bug, and so is a row whose component type there is already.
ct_world_row_id ct_world_system_add_row(ct_world_system *s, const ct_world_row *row);

// The manager that a row made for a world; NULL when the row makes none. One array look-up.
void *ct_world_manager(const ct_world *w, ct_world_row_id row);

// The rows and the order of their steps. Lives as long as the system.
const ct_world_schedule *ct_world_system_schedule(const ct_world_system *s);

// Makes a component of a game or plugin: units and levels may have it from now on, as
// ct_component_type_register says, and each world, those that are there and those to come, keeps it
// in a table of its own. The process that compiles units with it must have registered it, too; the
// workers of `cuttle` know no components but the engine's. The schema is borrowed until the system
// ends. False with `error`, and nothing is changed, when there is a component of that name or there
// are too many.
bool ct_world_system_register_component(ct_world_system *s, const ct_component_table_desc *desc,
                                        ct_error *error);

// The table of the component `type`, which was registered so, in a world; NULL for others.
ct_component_table *ct_world_component_table(const ct_world *w, const char *type);

// The number of living entities of all worlds.
uint32_t ct_world_system_num_entities(const ct_world_system *s);

// Returns the allocator of worlds and all that is in them: its statistics say what they hold.
ct_allocator *ct_world_system_allocator(const ct_world_system *s);

// Returns the number of worlds.
uint32_t ct_world_system_num_worlds(const ct_world_system *s);

// Returns a world by its place, from 0 to num_worlds - 1, in the order in which they were made.
// Places change when a world is destroyed.
ct_world *ct_world_system_world(const ct_world_system *s, uint32_t index);

// The world that a unit (any entity spawned by a world) lives in; NULL when it is dead or in none.
// One array look-up.
ct_world *ct_world_of(const ct_world_system *s, ct_entity e);

// A transform and its manager.
typedef struct ct_world_transform {
    ct_transform_manager *transforms;
    ct_transform transform;
} ct_world_transform;

// The transform of an entity in the world that it lives in; {0} when it is dead, in no world or has
// none. For those who have no more than the entity, as Lua does.
ct_world_transform ct_world_transform_of(const ct_world_system *s, ct_entity e);

// Makes an empty world with managers of its own and a render world. The caller destroys it, or the
// system does.
ct_world *ct_world_create(ct_world_system *s);

// Ends the world with all its units and levels.
void ct_world_destroy(ct_world *w);

// Returns the transforms of the world. This and the managers below are borrowed for the world's
// life.
ct_transform_manager *ct_world_transforms(const ct_world *w);

// Returns the scene graphs of the world: the nodes of its entities.
ct_scene_graph_manager *ct_world_scene_graphs(const ct_world *w);

// Returns the manager of meshes, which lives as long as the world.
ct_mesh_manager *ct_world_meshes(const ct_world *w);

// Returns the manager of cameras, which lives as long as the world.
ct_camera_manager *ct_world_cameras(const ct_world *w);

// Returns the manager of lights, which lives as long as the world.
ct_light_manager *ct_world_lights(const ct_world *w);

// Returns the managers of the world by component type, in the order in which they spawn; those that
// worlds share are not in it.
ct_component_registry *ct_world_registry(ct_world *w);

// The allocator of what belongs to a world, such as managers; it must be empty when the world ends.
ct_allocator *ct_world_allocator(const ct_world *w);

// Returns the renderer's counterpart of the world, for rendering it and for debug lines.
ct_render_world_id ct_world_render_world(const ct_world *w);

// Returns the seconds of game time since the world was made.
double ct_world_time(const ct_world *w);

// Returns the seconds of the last ct_world_advance; 0 before the first.
double ct_world_delta_time(const ct_world *w);

// Advances the world by `dt` seconds: collects garbage and sends what changed to the renderer.
void ct_world_advance(ct_world *w, double dt);

// Sends to the renderer what changed since the last ct_world_advance (the game may have moved
// things after it). Called before the world is rendered.
void ct_world_send_changes(ct_world *w);

// What the living entities of a world are like: poses, nodes, tags, data and the game's own
// components, and which units there are (state_hash.h). What Lua keeps in its own tables is not in
// it. O(entities).
uint64_t ct_world_state_hash(const ct_world *w);

// Makes an entity that belongs to this world, without components.
ct_entity ct_world_create_entity(ct_world *w);

// Makes `count` such entities, for which there must be room (ct_entity_has_room).
void ct_world_create_entities(ct_world *w, ct_entity *entities, uint32_t count);

// Spawns units of the resource `name`, one for each pose (world space), which takes the place of
// the root's own; positions, rotations or scales that are NULL leave the template's. `roots` gets
// their root entities. False with `error` when the resource is not loaded or too many entities
// or components live; nothing is spawned then.
bool ct_world_spawn_units(ct_world *w, const char *name, const ct_vec3 *positions,
                          const ct_quat *rotations, const ct_vec3 *scales, uint32_t count,
                          ct_entity *roots, ct_error *error);

// Ends units with all their entities; units linked to them at run time are unlinked and stay. Those
// already dead are passed over.
void ct_world_destroy_units(ct_world *w, const ct_entity *units, uint32_t count);

// The root entities of the world's units, in no particular order. Borrowed until the world changes.
const ct_entity *ct_world_units(const ct_world *w, uint32_t *count);

// True when the entity is the root of a unit of this world.
bool ct_world_has_unit(const ct_world *w, ct_entity unit);

// The unit that an entity of this world is the root of, or was spawned as a part of; {0} for others.
ct_entity ct_world_unit_of(const ct_world *w, ct_entity e);

// The resource that a unit was made from; {0} for others.
ct_string_id64 ct_world_unit_resource(const ct_world *w, ct_entity unit);

// Spawns a level at a pose, by which its units' roots are moved. {0} with `error` when the resource
// is not loaded.
ct_level ct_world_spawn_level(ct_world *w, const char *name, ct_vec3 position, ct_quat rotation,
                              ct_vec3 scale, ct_error *error);

// As ct_world_spawn_level, but the level's units come in the steps of the world (ct_world_advance),
// 64 entities or somewhat more, and then as many as fit in `budget_seconds`: in the order of the
// source, each whole, and seen and found from then on. A level whose data is reloaded meanwhile
// starts anew; of one that is unloaded, or finds no room, the rest is left out with a warning.
ct_level ct_world_spawn_level_gradually(ct_world *w, const char *name, ct_vec3 position,
                                        ct_quat rotation, ct_vec3 scale, double budget_seconds,
                                        ct_error *error);

// True when nothing more of a living level will be spawned.
bool ct_level_is_spawned(const ct_world *w, ct_level level);

// Ends a level with the units it spawned that still live; one that is being spawned, too.
void ct_world_destroy_level(ct_world *w, ct_level level);

// Returns true until the level is destroyed; false for {0} and for a level of another world.
bool ct_level_is_alive(const ct_world *w, ct_level level);

// The units of a level that are spawned, in source order (some may be dead, or none), with their
// 32-bit ids. Borrowed until the world's next step.
const ct_entity *ct_level_units(const ct_world *w, ct_level level, uint32_t *count);

// Returns the 32-bit ids of the units of a level, in the order of ct_level_units and as many.
// Borrowed until the world's next step; NULL for a level that has ended.
const uint32_t *ct_level_unit_ids(const ct_world *w, ct_level level);

// The units in the source of a living level, spawned or not; 0 for one that has ended.
uint32_t ct_level_num_units(const ct_world *w, ct_level level);

// The level of this world that spawned a unit, and its place among the level's units; {0} for a unit
// that none did. One look-up for each level, into a map that is made when it is first asked for.
ct_level ct_world_find_level_unit(ct_world *w, ct_entity unit, uint32_t *place);

// The living unit that has this 32-bit id in a level, the first of several levels; {0} for none. As
// quick as ct_world_find_level_unit.
ct_entity ct_world_unit_with_id(ct_world *w, uint32_t id);

// The resource of type lua that the level names as its script; {0} for none.
ct_string_id64 ct_level_script(const ct_world *w, ct_level level);

// The pose that a level was spawned at; the identity for one that has ended.
ct_mat4 ct_level_world_pose(const ct_world *w, ct_level level);

// The living levels of the world. Borrowed until the world changes.
const ct_level *ct_world_levels(const ct_world *w, uint32_t *count);
