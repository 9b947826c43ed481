// light_component.h: lights on entities. An entity may have several, each with a name.
//
// Functions that take an instance assert that it exists. Update thread.
#pragma once
#include "entity/scene_graph_component.h"
#include "render/renderer.h"

typedef struct ct_light_manager ct_light_manager;

typedef struct ct_light_instance {
    uint32_t index; // stale after any instance is destroyed
} ct_light_instance;

// Makes the manager of a world's lights, from `a`. It reads `transforms` and `graphs` and sends the
// lights to `world` of the renderer; all of these must outlive it.
ct_light_manager *ct_light_manager_create(ct_allocator *a, ct_renderer *r, ct_render_world_id world,
                                          ct_transform_manager *transforms,
                                          ct_scene_graph_manager *graphs);

// Frees the manager (NULL is fine) and removes its lights from the renderer's world.
void ct_light_manager_destroy(ct_light_manager *m);

// Returns the row for the component registry. A registry that has the row destroys the manager.
ct_component_manager ct_light_component_manager(ct_light_manager *m);

// Gives an entity a light on the node of its scene graph that the data names. The scene graph must
// exist by now; the light is on the entity itself when the graph has no such node. `data` is
// copied, and may be that of another light of this manager.
ct_light_instance ct_light_create(ct_light_manager *m, ct_entity e, uint32_t id,
                                  const ct_light_data *data);

// Returns the entity's light that was made first, or {0} when it has none.
ct_light_instance ct_light_first(const ct_light_manager *m, ct_entity e);

// Returns the light of the same entity that was made after `i`, or {0} when `i` is the last.
ct_light_instance ct_light_next(const ct_light_manager *m, ct_light_instance i);

// Returns the light's number among the entity's, below 2^CT_INSTANCE_NUMBER_BITS. No other light of
// the entity has the number, and a destroyed light's number comes back only after 2^23 others
// (instance_table.h).
uint32_t ct_light_number(const ct_light_manager *m, ct_light_instance i);

// Returns the entity's first light whose number ends in the lowest `num_bits` bits of `number`, or
// {0}.
ct_light_instance ct_light_with_number(const ct_light_manager *m, ct_entity e, uint32_t number,
                                       uint32_t num_bits);

// Returns the node of the entity's scene graph that the light is on; 0 is the entity itself, also
// when the graph has ended.
uint32_t ct_light_node(const ct_light_manager *m, ct_light_instance i);

// Returns the settings. Borrowed until the manager next changes.
const ct_light_data *ct_light_data_of(const ct_light_manager *m, ct_light_instance i);

// Copies new settings to the light. They reach the renderer with the next ct_light_send_changes.
// The light stays on its node: data->node has no effect.
void ct_light_set_data(ct_light_manager *m, ct_light_instance i, const ct_light_data *data);

// Returns the number of lights of all entities.
uint32_t ct_light_count(const ct_light_manager *m);

// Sends the lights that moved (by the changed lists of transforms and scene graphs) or have new
// settings to the renderer.
void ct_light_send_changes(ct_light_manager *m);
