// camera_component.h: cameras on entities. An entity may have several, each with a name.
//
// A camera has two eyes, each with a pose in the camera's space and with edges of what it sees. Eye
// 0 sees the picture; in stereo it sees the left half and eye 1 the right. Eyes begin at the
// camera, symmetric, with the field of view of the camera's data.
#pragma once
#include "entity/scene_graph_component.h"
#include "render/renderer.h"

typedef struct ct_camera_manager ct_camera_manager;

typedef struct ct_camera_instance {
    uint32_t index; // stale after any instance is destroyed
} ct_camera_instance;

enum { CT_CAMERA_NUM_EYES = 2 };

typedef enum ct_camera_mode {
    CT_CAMERA_MODE_MONO,   // one picture
    CT_CAMERA_MODE_STEREO, // two side by side, each half as wide
} ct_camera_mode;

// The edges of a picture in camera space: metres in orthographic projection; in perspective metres
// where it is 1 metre in front of the eye, so tangents of angles. left < right and bottom < top, or
// all 0: symmetric, and as wide as the picture's aspect says. Other edges fill the whole picture,
// whatever its aspect.
typedef struct ct_camera_edges {
    float left, right, bottom, top;
} ct_camera_edges;

typedef struct ct_camera_eye {
    ct_vec3 position; // in camera space
    ct_quat rotation;
    float vertical_fov; // radians; counts while the perspective is symmetric
    ct_camera_edges perspective, orthographic;
} ct_camera_eye;

// Makes the manager of a world's cameras, from `a`; `graphs`, which it reads, outlives it.
ct_camera_manager *ct_camera_manager_create(ct_allocator *a, ct_scene_graph_manager *graphs);

// Frees the manager (NULL is fine) with its cameras.
void ct_camera_manager_destroy(ct_camera_manager *m);

// What the component registry is told of it.
ct_component_manager ct_camera_component_manager(ct_camera_manager *m);

// Gives an entity a camera, on the node that the data names, which the entity's scene graph has by
// now; a node that is not there stands for the entity itself.
ct_camera_instance ct_camera_create(ct_camera_manager *m, ct_entity e, uint32_t id,
                                    const ct_camera_data *data);

// The entity's first camera and the next one, in the order they were made; {0} at the end.
ct_camera_instance ct_camera_first(const ct_camera_manager *m, ct_entity e);
ct_camera_instance ct_camera_next(const ct_camera_manager *m, ct_camera_instance i);

// The instance's number among the entity's, below 2^CT_INSTANCE_NUMBER_BITS, which no other had or
// gets (instance_table.h).
uint32_t ct_camera_number(const ct_camera_manager *m, ct_camera_instance i);

// The first instance of `e` whose number ends in the `num_bits` bits of `number`, or {0}.
ct_camera_instance ct_camera_with_number(const ct_camera_manager *m, ct_entity e, uint32_t number,
                                         uint32_t num_bits);

// The node of the entity's scene graph that it is on; 0: the entity, also when the graph has ended.
uint32_t ct_camera_node(const ct_camera_manager *m, ct_camera_instance i);

// The settings, to read and to change; vertical_fov is only what the eyes began with. Borrowed
// until the manager next changes.
ct_camera_data *ct_camera_data_of(ct_camera_manager *m, ct_camera_instance i);

// Eye 0 or 1, to read and to change. Borrowed until the manager next changes.
ct_camera_eye *ct_camera_eye_of(ct_camera_manager *m, ct_camera_instance i, uint32_t eye);

// How many pictures it makes.
ct_camera_mode ct_camera_mode_of(const ct_camera_manager *m, ct_camera_instance i);
void ct_camera_set_mode(ct_camera_manager *m, ct_camera_instance i, ct_camera_mode mode);

// The projection of an eye for a picture of this aspect (width / height; 1 stands for one that is
// no positive number), and its view, from the camera's node.
ct_mat4 ct_camera_projection_of(const ct_camera_manager *m, ct_camera_instance i, uint32_t eye,
                                float aspect);
ct_render_view ct_camera_view(const ct_camera_manager *m, ct_camera_instance i, uint32_t eye,
                              float aspect);
