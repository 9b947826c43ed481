// camera_component.h: cameras on entities. An entity may have several, each with a name.
#pragma once
#include "entity/scene_graph_component.h"
#include "render/renderer.h"

typedef struct ct_camera_manager ct_camera_manager;

typedef struct ct_camera_instance {
    uint32_t index; // stale after any instance is destroyed
} ct_camera_instance;

ct_camera_manager *ct_camera_manager_create(ct_allocator *a, ct_scene_graph_manager *graphs);
void ct_camera_manager_destroy(ct_camera_manager *m);
ct_component_manager ct_camera_component_manager(ct_camera_manager *m);

// Gives an entity a camera, on the node that the data names, which the entity's scene graph has by
// now; a node that is not there stands for the entity itself.
ct_camera_instance ct_camera_create(ct_camera_manager *m, ct_entity e, uint32_t id,
                                    const ct_camera_data *data);
ct_camera_instance ct_camera_first(const ct_camera_manager *m, ct_entity e);
ct_camera_instance ct_camera_next(const ct_camera_manager *m, ct_camera_instance i);

// The node of the entity's scene graph that it is on; 0: the entity.
uint32_t ct_camera_node(const ct_camera_manager *m, ct_camera_instance i);

// The settings, to read and to change. Borrowed until the manager next changes.
ct_camera_data *ct_camera_data_of(ct_camera_manager *m, ct_camera_instance i);

// The projection for a picture of this aspect (width / height), and the view from its
// node.
ct_mat4 ct_camera_projection_of(const ct_camera_manager *m, ct_camera_instance i, float aspect);
ct_render_view ct_camera_view(const ct_camera_manager *m, ct_camera_instance i, float aspect);
