// camera_component.h: cameras on entities. An entity may have several, each with a name.
#pragma once
#include "entity/transform_component.h"
#include "render/renderer.h"

typedef struct ct_camera_manager ct_camera_manager;

typedef struct ct_camera_instance {
    uint32_t index; // stale after any instance is destroyed
} ct_camera_instance;

ct_camera_manager *ct_camera_manager_create(ct_allocator *a,
                                            const ct_transform_manager *transforms);
void ct_camera_manager_destroy(ct_camera_manager *m);
ct_component_manager ct_camera_component_manager(ct_camera_manager *m);

ct_camera_instance ct_camera_create(ct_camera_manager *m, ct_entity e, uint32_t id,
                                    const ct_camera_data *data);
ct_camera_instance ct_camera_first(const ct_camera_manager *m, ct_entity e);
ct_camera_instance ct_camera_next(const ct_camera_manager *m, ct_camera_instance i);

// The settings, to read and to change. Borrowed until the manager next changes.
ct_camera_data *ct_camera_data_of(ct_camera_manager *m, ct_camera_instance i);

// The projection for a picture of this aspect (width / height), and the view with the entity's
// pose.
ct_mat4 ct_camera_projection_of(const ct_camera_manager *m, ct_camera_instance i, float aspect);
ct_render_view ct_camera_view(const ct_camera_manager *m, ct_camera_instance i, float aspect);
