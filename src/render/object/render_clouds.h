// render_clouds.h: the clouds of particles of a world of the render thread.
//
// They stay from frame to frame until the next ones come, so a world that is paused shows them. The
// instances of all clouds are in one array; both arrays keep their memory. Render thread.
#pragma once
#include "foundation/container/array.h"
#include "render/device/vulkan_api.h"
#include "render/render_emitter.h"

typedef struct ct_render_cloud {
    ct_render_cloud_desc desc;
    uint32_t material;            // index
    uint32_t first, count;        // in `instances`
    ct_render_emitter_id emitter; // whose particles it shows, without instances; {0}: of none
    // Where the view being drawn has the instances, in the order of the view.
    VkBuffer placed_buffer;
    uint32_t placed_first, placed_count;
} ct_render_cloud;

// The clouds of a world, in the order in which they were added.
typedef struct ct_render_clouds {
    CT_ARRAY(ct_render_cloud) items;
    CT_ARRAY(ct_particle_instance) instances;
} ct_render_clouds;

// Starts without clouds; memory comes from `a`.
void ct_render_clouds_init(ct_render_clouds *c, ct_allocator *a);

// Frees the memory.
void ct_render_clouds_free(ct_render_clouds *c);

// Removes all clouds and keeps the memory.
void ct_render_clouds_clear(ct_render_clouds *c);

// Adds a cloud of `count` instances, which are copied, or with 0 of an emitter's particles.
// `material` is an index of the renderer's table.
void ct_render_clouds_add(ct_render_clouds *c, const ct_render_cloud_desc *desc, uint32_t material,
                          const ct_particle_instance *instances, uint32_t count,
                          ct_render_emitter_id emitter);

// Returns true when the instances of both can be drawn in one call: all but their place and order is
// the same.
bool ct_render_clouds_look_same(const ct_render_cloud_desc *a, const ct_render_cloud_desc *b);
