// light_component.h: lights on entities. An entity may have several, each with a name.
#pragma once
#include "entity/scene_graph_component.h"
#include "render/renderer.h"

typedef struct ct_light_manager ct_light_manager;

typedef struct ct_light_instance {
    uint32_t index; // stale after any instance is destroyed
} ct_light_instance;

ct_light_manager *ct_light_manager_create(ct_allocator *a, ct_renderer *r, ct_render_world_id world,
                                          ct_transform_manager *transforms,
                                          ct_scene_graph_manager *graphs);
void ct_light_manager_destroy(ct_light_manager *m);
ct_component_manager ct_light_component_manager(ct_light_manager *m);

// Gives an entity a light, on the node that the data names, which the entity's scene graph has by
// now; a node that is not there stands for the entity itself.
ct_light_instance ct_light_create(ct_light_manager *m, ct_entity e, uint32_t id,
                                  const ct_light_data *data);
ct_light_instance ct_light_first(const ct_light_manager *m, ct_entity e);
ct_light_instance ct_light_next(const ct_light_manager *m, ct_light_instance i);

// The instance's number among the entity's, below 2^CT_INSTANCE_NUMBER_BITS, which no other had or
// gets (instance_table.h).
uint32_t ct_light_number(const ct_light_manager *m, ct_light_instance i);

// The first instance of `e` whose number ends in the `num_bits` bits of `number`, or {0}.
ct_light_instance ct_light_with_number(const ct_light_manager *m, ct_entity e, uint32_t number,
                                       uint32_t num_bits);

// The node of the entity's scene graph that it is on; 0: the entity, also when the graph has ended.
uint32_t ct_light_node(const ct_light_manager *m, ct_light_instance i);

// The settings; changes reach the renderer with the next ct_light_send_changes.
const ct_light_data *ct_light_data_of(const ct_light_manager *m, ct_light_instance i);
void ct_light_set_data(ct_light_manager *m, ct_light_instance i, const ct_light_data *data);

uint32_t ct_light_count(const ct_light_manager *m);

// Sends lights that moved (by the changed lists of transforms and scene graphs) or changed to the
// renderer.
void ct_light_send_changes(ct_light_manager *m);
