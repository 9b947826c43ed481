// render_draw.h: from the objects of a world to draw calls: culling, keys, sorting, instances.
//
// For each view: objects are culled in parallel, each part of a visible one becomes an item with a
// key (layer, then as the layer sorts), items are sorted, their instances written in that order to
// the frame's memory, and equal neighbours drawn in one call. Arrays are kept from view to view.
// Render thread.
#pragma once
#include "render/render_graph.h"
#include "render/render_objects.h"
#include "render/render_sort.h"

// What a material is drawn as in this view.
typedef struct ct_render_material_use {
    uint64_t view;     // for which it was found
    uint32_t material; // itself or the error material; 0: not drawn
    uint32_t shader;
    uint32_t layer;
} ct_render_material_use;

typedef struct ct_render_draws {
    ct_render_context *context;
    ct_render_graph *graph;
    ct_render_meshes *meshes;
    ct_task_manager *tasks;
    uint64_t view;                         // counts views
    CT_ARRAY(uint8_t) visible;             // by object
    CT_ARRAY(ct_render_material_use) uses; // by material
    CT_ARRAY(ct_render_item) items, scratch;
    const ct_render_item *sorted; // in items or scratch
    uint32_t num_items, first_instance;
    ct_render_stats stats; // of the frame
    // What is bound:
    VkPipeline pipeline;
    VkDescriptorSet material_set;
    uint32_t block_offset, mesh;
    VkFrontFace front_face;
} ct_render_draws;

// Where a view is seen from.
typedef struct ct_render_eye {
    ct_frustum frustum;
    ct_vec3 position, forward;
} ct_render_eye;

// Set 0 with its two offsets.
typedef struct ct_render_frame_set {
    VkDescriptorSet handle;
    uint32_t offsets[2];
} ct_render_frame_set;

void ct_render_draws_init(ct_render_draws *d, ct_render_graph *g, ct_render_meshes *m,
                          ct_task_manager *tasks);
void ct_render_draws_shutdown(ct_render_draws *d);

// Finds and sorts what is drawn of `world`, and writes its instances.
void ct_render_draws_collect(ct_render_draws *d, const ct_render_world *world,
                             const ct_render_eye *eye);

// Forgets what is bound: a new command buffer or set 0.
void ct_render_draws_unbind(ct_render_draws *d);

// Records what was collected for one layer, to the rendering that is open.
void ct_render_draws_record(ct_render_draws *d, uint32_t layer, const ct_render_frame_set *set);

// Binds a material's pipeline for these targets, set 0 and its own set. NULL when it cannot be.
const ct_render_material *ct_render_draws_bind(ct_render_draws *d, uint32_t material,
                                               uint32_t signature, const ct_render_frame_set *set);
