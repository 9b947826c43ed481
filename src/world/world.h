// world.h: worlds, and the units and levels in them.
//
// A world system has the data that worlds share (entities, resources, renderer, debug names, tags).
// Each world owns its managers, its render world and its allocator, and frees all of them when it
// ends. The root entity of a unit identifies it. Units and levels spawn type by type. Rows define
// the systems of a world and the order in which they are updated (world_schedule.h). Update thread.
#pragma once
#include "animation/component/animation_component.h"
#include "entity/component_table.h"
#include "entity/data_component.h"
#include "entity/debug_name_component.h"
#include "entity/tag_component.h"
#include "entity/transform_component.h"
#include "particles/component/particles_component.h"
#include "physics/mover/mover_component.h"
#include "render/component/camera_component.h"
#include "render/component/light_component.h"
#include "render/component/render_data_component.h"
#include "sound/component/sound_listener_component.h"
#include "sound/component/sound_source_component.h"
#include "world/world_schedule.h"

typedef struct ct_world_system ct_world_system;

// The parts that a world system needs; all are borrowed and must outlive the system.
typedef struct ct_world_system_desc {
    ct_allocator *allocator;
    ct_resource_manager *resources;
    ct_renderer *renderer;
    ct_animation_system *animation; // NULL: worlds have no characters
    ct_physics_system *physics;     // NULL: worlds have no physics
    ct_particle_system *particles;  // NULL: worlds have no particle effects
    ct_sound_system *sound;         // NULL: worlds have no sound
    ct_task_manager *tasks;         // NULL: worlds step one after the other
} ct_world_system_desc;

// Makes a system without worlds. Resource manager and renderer are borrowed and must outlive it;
// the desc is copied. All memory is from the desc's allocator.
ct_world_system *ct_world_system_create(const ct_world_system_desc *desc);

// Ends all worlds and entities.
void ct_world_system_destroy(ct_world_system *s);

// Returns the manager of all entity ids. This and the managers below are borrowed as long as the
// system exists.
ct_entity_manager *ct_world_system_entities(ct_world_system *s);

// Returns the names of entities, for tools and messages.
ct_debug_name_manager *ct_world_system_debug_names(ct_world_system *s);

// Returns the data components of the entities of all worlds.
ct_data_manager *ct_world_system_data(ct_world_system *s);

// Returns the tags of the entities of all worlds.
ct_tag_manager *ct_world_system_tags(ct_world_system *s);

// Returns the tasks that the worlds use, or NULL.
ct_task_manager *ct_world_system_tasks(const ct_world_system *s);

// Returns what the sounds of all worlds share; NULL: worlds have no sound.
ct_sound_system *ct_world_system_sound(const ct_world_system *s);

// Returns the resource manager from which units and levels are loaded.
ct_resource_manager *ct_world_system_resources(ct_world_system *s);

// Returns the renderer that draws all worlds.
ct_renderer *ct_world_system_renderer(ct_world_system *s);

// Adds a row to all worlds. The row is borrowed until the world system ends, or the row is removed. It
// is a bug to call this with a row whose component type already exists, while a world exists with a
// row that has `create` or `component`, or while rows are called. `world_started` is not called for
// the worlds that exist.
ct_world_row_id ct_world_system_add_row(ct_world_system *s, const ct_world_row *row);

// Removes a row without `create` and `component`, also while worlds exist, and calls none of its
// functions. It is a bug to call this while rows are called.
void ct_world_system_remove_row(ct_world_system *s, ct_world_row_id row);

// Returns false while functions of rows are called: in a step of a world, and while units, levels or
// a world are made or end.
bool ct_world_system_can_change_rows(const ct_world_system *s);

// Returns what the world shares with others, which outlives it.
ct_world_system *ct_world_system_of(const ct_world *w);

// Returns the manager that a row made for a world; `user` of a row without `create`. One array
// look-up.
void *ct_world_manager(const ct_world *w, ct_world_row_id row);

// Returns the rows and the order of their steps. Borrowed as long as the system exists.
const ct_world_schedule *ct_world_system_schedule(const ct_world_system *s);

// Registers a component of a game or plugin. From then on, units and levels may have it (see
// ct_component_type_register), and each existing and later world stores it in a table of its own.
// The process that compiles units with it must have registered it as well; the workers of `cuttle`
// only know the engine's components. The schema is borrowed until the system ends. Returns false
// with `error`, and changes nothing, when there is a component with that name or there are too
// many.
bool ct_world_system_register_component(ct_world_system *s, const ct_component_table_desc *desc,
                                        ct_error *error);

// Takes a registered component out of all worlds, with all its instances, and units and levels may not
// have it any more. Ignores a schema that is not registered. Not while functions of rows are called.
void ct_world_system_unregister_component(ct_world_system *s, const ct_schema *schema);

// Returns the table of a registered component `type` in a world; NULL for other types.
ct_component_table *ct_world_component_table(const ct_world *w, const char *type);

// Returns the number of live entities in all worlds.
uint32_t ct_world_system_num_entities(const ct_world_system *s);

// Returns the allocator of worlds and everything in them. Its statistics show their memory use.
ct_allocator *ct_world_system_allocator(const ct_world_system *s);

// Returns the number of worlds.
uint32_t ct_world_system_num_worlds(const ct_world_system *s);

// Returns a world by its index, from 0 to num_worlds - 1, in the order in which they were made.
// Indices change when a world is destroyed.
ct_world *ct_world_system_world(const ct_world_system *s, uint32_t index);

// Returns the world of a unit (or of any entity that a world spawned); NULL when it is dead or in
// no world. One array look-up.
ct_world *ct_world_of(const ct_world_system *s, ct_entity e);

// A transform and its manager.
typedef struct ct_world_transform {
    ct_transform_manager *transforms;
    ct_transform transform;
} ct_world_transform;

// Returns the transform of an entity in its world; {0} when it is dead, in no world or without a
// transform. For callers that only have the entity, such as Lua.
ct_world_transform ct_world_transform_of(const ct_world_system *s, ct_entity e);

// Makes an empty world with its own managers and a render world. The caller destroys it; otherwise
// the system does.
ct_world *ct_world_create(ct_world_system *s);

// Ends the levels of a world that is about to end, with what rows do at their end. From then on it spawns no more
// levels: a level that spawns another one at its end would not come to an end.
void ct_world_end_levels(ct_world *w);

// Ends the world with all its units and levels.
void ct_world_destroy(ct_world *w);

// Returns whether ct_world_end_levels was called: the world is about to end.
bool ct_world_is_ending(const ct_world *w);

// Returns the transforms of the world. This and the managers below are borrowed as long as the
// world exists.
ct_transform_manager *ct_world_transforms(const ct_world *w);

// Returns the scene graphs of the world: the nodes of its entities.
ct_scene_graph_manager *ct_world_scene_graphs(const ct_world *w);

// Returns the manager of meshes, which lives as long as the world.
ct_mesh_manager *ct_world_meshes(const ct_world *w);

// Returns the manager of cameras, which lives as long as the world.
ct_camera_manager *ct_world_cameras(const ct_world *w);

// Returns the manager of lights, which lives as long as the world.
ct_light_manager *ct_world_lights(const ct_world *w);

// Returns the manager of values of meshes, which lives as long as the world.
ct_render_data_manager *ct_world_render_data(const ct_world *w);

// Returns the manager of characters, which lives as long as the world; NULL when the system has no
// animation.
ct_animation_manager *ct_world_animations(const ct_world *w);

// Returns the physics of the world, which lives as long as the world; NULL when the system has none.
ct_physics_world *ct_world_physics(const ct_world *w);

// Returns the manager of movers, which lives as long as the world; NULL when the system has no
// physics.
ct_mover_manager *ct_world_movers(const ct_world *w);

// Returns the components and links of particle effects of the world, or its particles. They live as
// long as the world; NULL when the system has no particles.
ct_particles_components *ct_world_particles_components(const ct_world *w);
ct_particle_world *ct_world_particles(const ct_world *w);

// Returns the components and links of sounds of the world, its sounds, or its listeners. They live as
// long as the world; NULL when the system has no sound.
ct_sound_source_components *ct_world_sound_sources(const ct_world *w);
ct_sound_world *ct_world_sounds(const ct_world *w);
ct_sound_listener_components *ct_world_sound_listeners(const ct_world *w);

// How far from cameras physics is drawn unless somebody says otherwise, in metres.
#define CT_WORLD_PHYSICS_DRAW_RADIUS 50.0f

// Draws what `flags` (CT_PHYSICS_DRAW_…) name of the world's physics as lines, up to `radius` metres
// (positive) from its cameras: up to 50,000 lines in a frame, with a warning when there are more.
// From the second frame in which the world is rendered on. 0: no more; it then costs nothing.
void ct_world_set_physics_draw(ct_world *w, uint32_t flags, float radius);

// Does so for all worlds, also those made later.
void ct_world_system_set_physics_draw(ct_world_system *s, uint32_t flags, float radius);

// Adds a view in which the world is drawn: its characters move there, and its particles.
void ct_world_add_view(ct_world *w, const ct_render_view *view);

// Returns the managers of the world by component type, in the order in which they spawn, without
// the managers that worlds share.
ct_component_registry *ct_world_registry(ct_world *w);

// Returns the allocator for parts of a world, such as managers; it must be empty when the world
// ends.
ct_allocator *ct_world_allocator(const ct_world *w);

// Returns the renderer's counterpart of the world, for rendering it and for debug lines.
ct_render_world_id ct_world_render_world(const ct_world *w);

// Returns the seconds of game time since the world was made.
double ct_world_time(const ct_world *w);

// Returns the seconds of the last ct_world_advance; 0 before the first.
double ct_world_delta_time(const ct_world *w);

// Advances the world by `dt` seconds: collects garbage and sends changes to the renderer.
void ct_world_advance(ct_world *w, double dt);

// Advances different worlds of one system, each to the same state as by itself: every step runs for
// all of them before the next one. Independent steps (world_schedule.h), such as physics, run as
// tasks.
void ct_worlds_advance(ct_world *const *worlds, uint32_t count, double dt);

// Sends the changes since the last ct_world_advance to the renderer (the game may have moved things
// after it). Called before the world is rendered.
void ct_world_send_changes(ct_world *w);

// Returns a hash of the state of a world's live entities: poses, nodes, tags, data, the game's own
// components, and the existing units (state_hash.h). Lua's own tables are not in it. O(entities).
uint64_t ct_world_state_hash(const ct_world *w);

// Makes an entity that belongs to this world, without components.
ct_entity ct_world_create_entity(ct_world *w);

// Makes `count` such entities, for which there must be room (ct_entity_has_room).
void ct_world_create_entities(ct_world *w, ct_entity *entities, uint32_t count);

// Spawns units of the resource `name`, one for each pose (world space), which replaces that of the
// root; where positions, rotations or scales are NULL, the template's stay. `roots` receives the
// root entities. Returns false with `error`, and spawns nothing, when the resource is not loaded or
// there are too many entities or components.
bool ct_world_spawn_units(ct_world *w, const char *name, const ct_vec3 *positions,
                          const ct_quat *rotations, const ct_vec3 *scales, uint32_t count,
                          ct_entity *roots, ct_error *error);

// Spawn units as ct_world_spawn_units, and one unit, of the resource with this id: for ids that come from
// other programs or files, whose names need not be known.
bool ct_world_spawn_units_of(ct_world *w, ct_string_id64 resource, const ct_vec3 *positions,
                             const ct_quat *rotations, const ct_vec3 *scales, uint32_t count,
                             ct_entity *roots, ct_error *error);
bool ct_world_spawn_unit_of(ct_world *w, ct_string_id64 resource, ct_vec3 position,
                            ct_quat rotation, ct_vec3 scale, ct_entity *root, ct_error *error);

// Ends units with all their entities; units linked to them at run time are unlinked and stay. Skips
// dead units.
void ct_world_destroy_units(ct_world *w, const ct_entity *units, uint32_t count);

// Returns the root entities of the world's units, in no particular order. Borrowed until the world
// changes.
const ct_entity *ct_world_units(const ct_world *w, uint32_t *count);

// Returns whether the entity is the root of a unit of this world.
bool ct_world_has_unit(const ct_world *w, ct_entity unit);

// Returns the unit of which an entity of this world is the root, or as a part of which it was
// spawned; {0} for others.
ct_entity ct_world_unit_of(const ct_world *w, ct_entity e);

// Walks a living unit, or a part of one: start with `e` = `root`, and go on with what is returned. Parents
// come before the entities below them. Returns {0} after the last one.
ct_entity ct_world_next_entity(const ct_world *w, ct_entity root, ct_entity e);

// Returns the resource from which a unit was made; {0} for others.
ct_string_id64 ct_world_unit_resource(const ct_world *w, ct_entity unit);

// Spawns a level at a pose, which moves the roots of its units. {0} with `error` when the resource
// is not loaded or the world is about to end.
ct_level ct_world_spawn_level(ct_world *w, const char *name, ct_vec3 position, ct_quat rotation,
                              ct_vec3 scale, ct_error *error);

// Spawns a level as ct_world_spawn_level, of the resource with this id.
ct_level ct_world_spawn_level_of(ct_world *w, ct_string_id64 resource, ct_vec3 position,
                                 ct_quat rotation, ct_vec3 scale, ct_error *error);

// Spawns a level like ct_world_spawn_level, but gradually, in the steps of the world
// (ct_world_advance). Each step spawns 64 entities or somewhat more, and then as many as fit in
// `budget_seconds`. Units spawn in the order of the source, each as a whole, and can be seen and
// found from then on. If the level's data is reloaded in the meantime, spawning starts over. If it
// is unloaded, or there is no more room, the rest is left out and an error is logged.
ct_level ct_world_spawn_level_gradually(ct_world *w, const char *name, ct_vec3 position,
                                        ct_quat rotation, ct_vec3 scale, double budget_seconds,
                                        ct_error *error);

// Returns true when nothing more of a live level will be spawned.
bool ct_level_is_spawned(const ct_world *w, ct_level level);

// Ends a level and the units it spawned that are still alive, also while it is being spawned.
void ct_world_destroy_level(ct_world *w, ct_level level);

// Returns true until the level is destroyed; false for {0} and for a level of another world.
bool ct_level_is_alive(const ct_world *w, ct_level level);

// Returns the units of a level spawned so far, in source order (some may be dead, or {0}). Borrowed
// until the world's next step.
const ct_entity *ct_level_units(const ct_world *w, ct_level level, uint32_t *count);

// Returns the 32-bit ids of the units of a level, with the order and number of ct_level_units.
// Borrowed until the world's next step; NULL for a level that has ended.
const uint32_t *ct_level_unit_ids(const ct_world *w, ct_level level);

// Returns the number of units in the source of a live level, spawned or not; 0 for one that has
// ended.
uint32_t ct_level_num_units(const ct_world *w, ct_level level);

// Returns the level of this world that spawned a unit, and its place among the level's units; {0}
// for a unit that no level spawned. One look-up for each level, in a map that the first call makes.
ct_level ct_world_find_level_unit(ct_world *w, ct_entity unit, uint32_t *place);

// Returns the live unit with this 32-bit id in a level, from the first of several levels; {0} when
// there is no such unit. As fast as ct_world_find_level_unit.
ct_entity ct_world_unit_with_id(ct_world *w, uint32_t id);

// Returns the resource of type level that a level was spawned from; {0} for one that has ended.
ct_string_id64 ct_level_resource_id(const ct_world *w, ct_level level);

// Returns the resource of type lua that is the level's script; {0} when it has none.
ct_string_id64 ct_level_script(const ct_world *w, ct_level level);

// Returns the resource of type flow that is the level's graph; {0} when it has none.
ct_string_id64 ct_level_flow(const ct_world *w, ct_level level);

// Returns the pose at which a level was spawned; the identity for one that has ended.
ct_mat4 ct_level_world_pose(const ct_world *w, ct_level level);

// Returns the live levels of the world. Borrowed until the world changes.
const ct_level *ct_world_levels(const ct_world *w, uint32_t *count);
