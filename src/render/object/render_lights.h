// render_lights.h: the lights of a world, and those of them that a view is lit by.
//
// Lights are few, so they are found by walking the array. A view has room for
// CT_RENDER_MAX_DIRECTIONAL_LIGHTS and CT_RENDER_MAX_LOCAL_LIGHTS (point and spot lights together);
// those that matter most to its camera are chosen anew in every frame. Render thread.
#pragma once
#include "render/render_frame.h"

typedef struct ct_render_light {
    ct_render_light_id id;
    ct_light_data data;
    float position[3], direction[3]; // world space; direction of unit length
} ct_render_light;

typedef CT_ARRAY(ct_render_light) ct_render_lights;

void ct_render_lights_init(ct_render_lights *lights, ct_allocator *a);
void ct_render_lights_free(ct_render_lights *lights);

// Adds a light or changes it. `pose` is that of its entity in the world.
void ct_render_lights_set(ct_render_lights *lights, ct_render_light_id id,
                          const ct_light_data *data, const ct_mat4 *pose);

// Removes a light; one that is not there is passed over.
void ct_render_lights_remove(ct_render_lights *lights, ct_render_light_id id);

// Fills `block`, which is zero, with the lights that matter most to a camera at `eye`: the
// strongest directional lights, and the strongest local ones whose reach meets the frustum, the
// strongest first; before all the directional light that casts shadows.
void ct_render_lights_choose(const ct_render_lights *lights, const ct_frustum *frustum, ct_vec3 eye,
                             ct_render_lights_block *block);

// The strongest directional light that casts shadows; NULL when there is none. It is the only one
// that has a shadow map.
const ct_render_light *ct_render_lights_shadow_caster(const ct_render_lights *lights);
