// render_cascades.h: places the cascades of a directional light's shadow map (Engel 2006, "Cascaded
// Shadow Maps").
//
// The view of a camera up to a distance is cut into slices by depth; each slice has its own map,
// with finer texels near the camera. A map covers the sphere around its slice, whose radius does
// not change as the camera turns, and moves in steps of whole texels. So edges of shadows do not
// flicker (Valient 2008, "Stable Rendering of Cascaded Shadow Maps"). Plain math; any thread.
#pragma once
#include "foundation/math/math_types.h"
#include "resource/types/render_config_resource.h"

enum {
    // Width in texels of the border of a map, which no point of the slice falls on. It leaves room
    // for the filter, for moving by whole texels and for offsets along normals.
    CT_RENDER_CASCADE_BORDER = 4,
    CT_RENDER_LEAST_CASCADE_SIZE = 16, // texels along each side of a map, its border included
};

typedef struct ct_render_cascades_desc {
    ct_mat4 camera_pose; // without scale
    ct_mat4 projection;  // camera space to clip space
    ct_vec3 direction;   // in which the light shines, of length 1
    uint32_t count;      // 1 to CT_RENDER_MAX_CASCADES
    uint32_t map_size;   // texels along each side of a map, from CT_RENDER_LEAST_CASCADE_SIZE on
    float distance;      // metres in front of the camera up to which there are shadows
    float split_lambda;  // 0: slices of equal depth, 1: of equal ratio of depths
} ct_render_cascades_desc;

typedef struct ct_render_cascade {
    float begin, end; // of the slice, metres in front of the camera
    ct_mat4 pose;     // light space to world: forward (y) is the light's direction
    float half_width; // of the map, metres; it is a square around the pose's position
    float texel;      // metres
    float radius;     // of the sphere around the slice, metres
    float depth;      // of the sphere's centre along the light's direction
} ct_render_cascade;

// Places desc->count cascades and writes them to `cascades`, the nearest first.
void ct_render_cascades_fit(const ct_render_cascades_desc *desc, ct_render_cascade *cascades);

// Returns the matrix from world space to the cascade's clip space. Depth 0 is `nearest` metres
// along the light's direction, depth 1 the far side of the sphere.
ct_mat4 ct_render_cascade_matrix(const ct_render_cascade *cascade, float nearest);

// Returns the frustum of all that lies in the cascade's map, or between the map and the light: it
// is open towards the light.
ct_frustum ct_render_cascade_frustum(const ct_render_cascade *cascade);
