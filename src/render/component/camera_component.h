// camera_component.h: cameras on entities. An entity may have several, each with a name.
//
// A camera has two eyes. Each eye has a pose in the camera's space and the edges of its picture. In
// mono, eye 0 sees the whole picture; in stereo, eye 0 sees the left half and eye 1 the right half.
// A new camera's eyes are at the camera, symmetric, with the field of view of the camera's data.
//
// Functions that take an instance assert that it exists. Update thread.
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
    CT_CAMERA_MODE_STEREO, // two pictures side by side, each half as wide
} ct_camera_mode;

// The edges of a picture in camera space. In orthographic projection they are metres; in
// perspective they are metres at 1 metre in front of the eye (tangents of angles). Either left <
// right and bottom < top, and the edges fill the whole picture at any aspect; or all are 0, and the
// picture is symmetric, with a width from its aspect.
typedef struct ct_camera_edges {
    float left, right, bottom, top;
} ct_camera_edges;

typedef struct ct_camera_eye {
    ct_vec3 position; // in camera space
    ct_quat rotation;
    float vertical_fov; // radians; used while the perspective is symmetric
    ct_camera_edges perspective, orthographic;
} ct_camera_eye;

// Makes the manager of a world's cameras, from `a`. It reads `graphs`, which must outlive it.
ct_camera_manager *ct_camera_manager_create(ct_allocator *a, ct_scene_graph_manager *graphs);

// Frees the manager (NULL is fine) with its cameras.
void ct_camera_manager_destroy(ct_camera_manager *m);

// Returns the row for the component registry. A registry that has the row destroys the manager.
ct_component_manager ct_camera_component_manager(ct_camera_manager *m);

// Gives an entity a camera on the node of its scene graph that the data names. The scene graph must
// exist by now; the camera is on the entity itself when the graph has no such node. `data` is
// copied, and may be that of another camera of this manager.
ct_camera_instance ct_camera_create(ct_camera_manager *m, ct_entity e, uint32_t id,
                                    const ct_camera_data *data);

// Returns the entity's camera that was made first, or {0} when it has none.
ct_camera_instance ct_camera_first(const ct_camera_manager *m, ct_entity e);

// Returns the camera of the same entity that was made after `i`, or {0} when `i` is the last.
ct_camera_instance ct_camera_next(const ct_camera_manager *m, ct_camera_instance i);

// Returns the camera's number among the entity's, below 2^CT_INSTANCE_NUMBER_BITS. No other camera
// of the entity has the number, and a destroyed camera's number comes back only after 2^23 others
// (instance_table.h).
uint32_t ct_camera_number(const ct_camera_manager *m, ct_camera_instance i);

// Returns the entity's first camera whose number ends in the lowest `num_bits` bits of `number`, or
// {0}.
ct_camera_instance ct_camera_with_number(const ct_camera_manager *m, ct_entity e, uint32_t number,
                                         uint32_t num_bits);

// Returns the node of the entity's scene graph that the camera is on; 0 is the entity itself, also
// when the graph has ended.
uint32_t ct_camera_node(const ct_camera_manager *m, ct_camera_instance i);

// Returns the settings, to read and to change. vertical_fov is only the value that the eyes began
// with: change ct_camera_eye instead. Borrowed until the manager next changes.
ct_camera_data *ct_camera_data_of(ct_camera_manager *m, ct_camera_instance i);

// Returns eye 0 or 1, to read and to change. Borrowed until the manager next changes.
ct_camera_eye *ct_camera_eye_of(ct_camera_manager *m, ct_camera_instance i, uint32_t eye);

// Returns how many pictures the camera makes.
ct_camera_mode ct_camera_mode_of(const ct_camera_manager *m, ct_camera_instance i);

// Sets how many pictures the camera makes. A new camera makes one.
void ct_camera_set_mode(ct_camera_manager *m, ct_camera_instance i, ct_camera_mode mode);

// Begins a new shot: the camera was not where it is in the frame before, so that nothing is blurred
// or blended over the change. Each camera begins with a shot of its own, so a change to another
// camera needs no call.
void ct_camera_cut(ct_camera_manager *m, ct_camera_instance i);

// Returns the projection of eye 0 or 1 for a picture of this aspect (width / height; an aspect that
// is not a positive number counts as 1).
ct_mat4 ct_camera_projection_of(const ct_camera_manager *m, ct_camera_instance i, uint32_t eye,
                                float aspect);

// Returns the world pose of eye 0 or 1, from the pose of the camera's node without its scale, the
// eye's projection as from ct_camera_projection_of, and the camera's shot.
ct_render_view ct_camera_view(const ct_camera_manager *m, ct_camera_instance i, uint32_t eye,
                              float aspect);
