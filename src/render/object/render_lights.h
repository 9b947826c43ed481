// render_lights.h: the lights of a world, and the choice of those that light a view.
//
// Lights are few, so they are found by walking the array. A view has room for
// CT_RENDER_MAX_DIRECTIONAL_LIGHTS and CT_RENDER_MAX_LOCAL_LIGHTS (point and spot lights together);
// those that matter most to its camera are chosen again in every frame. Render thread.
#pragma once
#include "render/render_frame.h"

typedef struct ct_render_light {
    ct_render_light_id id;
    ct_light_data data;
    float position[3], direction[3]; // world space; direction of unit length
} ct_render_light;

typedef CT_ARRAY(ct_render_light) ct_render_lights;

// Makes an empty list that grows from `a`.
void ct_render_lights_init(ct_render_lights *lights, ct_allocator *a);

// Frees the list.
void ct_render_lights_free(ct_render_lights *lights);

// Adds a light or changes it. `pose` is the world pose of its node. O(number of lights).
void ct_render_lights_set(ct_render_lights *lights, ct_render_light_id id,
                          const ct_light_data *data, const ct_mat4 *pose);

// Removes a light; an id that is not in the list does nothing.
void ct_render_lights_remove(ct_render_lights *lights, ct_render_light_id id);

// Fills `block`, which must be zero, with the lights that matter most to a camera at `eye`: the
// strongest directional lights, and the strongest local ones whose reach meets the frustum, the
// strongest first. The directional light that casts shadows comes before all others.
void ct_render_lights_choose(const ct_render_lights *lights, const ct_frustum *frustum, ct_vec3 eye,
                             ct_render_lights_block *block);

// Returns the strongest directional light that casts shadows; NULL when there is none. Only this
// light has a shadow map. Borrowed until the list changes.
const ct_render_light *ct_render_lights_shadow_caster(const ct_render_lights *lights);
