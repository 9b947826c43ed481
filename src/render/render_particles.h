// render_particles.h: clouds of particles that are drawn in one frame.
//
// The update thread sends all clouds of a world in each frame in which something changed
// (ct_render_particles_begin, then ct_render_particles_add for each cloud): they replace the world's
// clouds before, in the same frame and from then on. A cloud is drawn in the layer of its
// material's shader, sorted into it by its `sort_position` with objects. Neighbours with the same
// look are drawn in one call.
//
// An instance is one billboard, or one point of a ribbon: the shader makes a quad of it, or of it
// and the next. Shaders for it say vertices = "particle" (resource/types/shader_resource.h). All
// functions are for the update thread.
#pragma once
#include "render/renderer.h"
#include "resource/types/particles_resource.h"

// 48 bytes, read by the vertex stage as it is.
typedef struct ct_particle_instance {
    float position[3]; // in the world
    float rotation;    // radians around the direction to the viewer; of ribbons: the texture's u
    float axis[3];     // velocity or normal by the facing; of ribbons: the way's direction
    float frame;       // of the texture's grid, with a fraction; of ribbons: 1: no quad follows
    float size[2];     // metres
    uint16_t color[4]; // half floats, linear, not multiplied by opacity
} ct_particle_instance;

// How all instances of a cloud are drawn.
typedef struct ct_render_cloud_desc {
    ct_string_id64 material;
    float sphere[4];        // centre and radius of all instances, in the world; for culling
    float sort_position[3]; // distances are to this point
    uint32_t order;         // among clouds of the same distance: the smaller first; below 256
    uint8_t is_ribbon;      // 0 or 1
    uint8_t facing;         // ct_particle_facing; ribbons have CAMERA and FIXED
    uint8_t sort;           // ct_particle_sort, of instances: NONE or DISTANCE
    uint8_t blends;         // 1: between frames
    uint8_t grid[2];        // columns, rows
    uint8_t padding[2];
    float axis[3];  // in the world, length 1: AXIS, FIXED (ribbons, too: their normal)
    float stretch;  // seconds
    float pivot[2]; // of the picture; 0 0: its lower left, 0.5 0.5: its middle
} ct_render_cloud_desc;

// Removes the clouds of a world, to add those of this frame.
void ct_render_particles_begin(ct_renderer *r, ct_render_world_id world);

// Adds a cloud of `count` (not 0) instances. `desc` is copied. Returns room for the instances,
// aligned to 16, for the caller to fill before the next call to the renderer.
ct_particle_instance *ct_render_particles_add(ct_renderer *r, ct_render_world_id world,
                                              const ct_render_cloud_desc *desc, uint32_t count);

// Sets the sphere of the cloud that was added last, before any other call to the renderer: for
// callers that know it only when they have written the instances.
void ct_render_particles_set_sphere(ct_renderer *r, const float sphere[4]);
