// sound_listener_component.h: ears of entities, and the listeners of a world.
//
// A world has up to CT_SOUND_MAX_LISTENERS listeners. Each is at an active component with its index, at
// an entity that a script chose, or at a pose; what came last counts. A listener whose entity or
// component ends stays where it was: a world does not become louder when its player dies. Update
// thread.
#pragma once
#include "entity/component_registry.h"
#include "entity/scene_graph_component.h"
#include "resource/types/component/sound_listener_data.h"
#include "sound/sound_world.h"

typedef struct ct_sound_listener_components ct_sound_listener_components;

// Makes the manager of a world. All parts must outlive it.
ct_sound_listener_components *ct_sound_listener_components_create(ct_allocator *a,
                                                                  ct_sound_world *world,
                                                                  ct_transform_manager *transforms,
                                                                  ct_scene_graph_manager *graphs);

// Frees it; NULL is fine.
void ct_sound_listener_components_destroy(ct_sound_listener_components *m);

// Returns the row for the component registry. A registry that has the row destroys the manager.
ct_component_manager ct_sound_listener_component_manager(ct_sound_listener_components *m);

// Gives an entity a component, on the node of its scene graph that the data names; on the entity itself
// when there is no such node.
void ct_sound_listener_component_add(ct_sound_listener_components *m, ct_entity e, uint32_t id,
                                     const ct_sound_listener_data *data);

// --- By scripts ----------------------------------------------------------------------------------

// Lets listener `index` (below CT_SOUND_MAX_LISTENERS) follow a node of an entity; 0: the entity.
void ct_sound_listeners_follow(ct_sound_listener_components *m, uint32_t index, ct_entity e,
                               uint32_t node);

// Puts listener `index` at a place; it follows nothing any more. `is_jump`: it did not move there; nor
// did one that followed an entity.
void ct_sound_listeners_place(ct_sound_listener_components *m, uint32_t index, ct_vec3 position,
                              ct_quat rotation, bool is_jump);

// Sets how many listeners there are, up to CT_SOUND_MAX_LISTENERS. They become more when one with a
// higher index follows or is placed.
void ct_sound_listeners_set_count(ct_sound_listener_components *m, uint32_t count);

// The entity, and all linked below it, did not move where it next is but jumped there.
void ct_sound_listeners_jump(ct_sound_listener_components *m, ct_entity e);

// Moves the listeners that follow something. Poses of scene graphs must be current.
void ct_sound_listeners_update(ct_sound_listener_components *m);
