// render_draw.h: turns the objects of a world into draw calls: culling, keys, sorting, instances.
//
// For each view: objects are culled (render_culling.h), each part of a visible one becomes an item
// with a key (layer, then the order of the layer), items are sorted, their instances written in
// that order to the frame's memory, and equal neighbours drawn in one call. The cascades of a
// shadow map are lists of their own, culled by what the light sees. Arrays are kept from view to
// view. Render thread.
#pragma once
#include "foundation/container/sort.h"
#include "render/draw/render_cascades.h"
#include "render/draw/render_history.h"
#include "render/draw/render_sort.h"
#include "render/graph/render_graph.h"
#include "render/object/render_emitters.h"
#include "render/object/render_objects.h"

// How a material is drawn in this view.
typedef struct ct_render_material_use {
    uint64_t view;     // the view that this is valid for
    uint32_t material; // itself or the error material; 0: not drawn
    uint32_t shader;
    uint32_t layer;
    bool casts_shadows;
    uint32_t num_instanced; // parameters
    uint32_t
        shared_values; // position of the material's own values, as in ct_render_instance; 0: unset
} ct_render_material_use;

// The items that one eye sees: the view's camera or a cascade of the light.
typedef struct ct_render_draw_list {
    CT_ARRAY(ct_render_item) items, scratch;
    const ct_render_item *sorted; // in items or scratch
    uint32_t num_items, first_instance;
    uint32_t num_seen; // objects
    float nearest;     // of the objects' spheres, metres along the eye's direction from the world's
                       // origin; infinite when there are none
} ct_render_draw_list;

// What a step draws that does not draw its layer as it is (render_step_lists.h).
typedef struct ct_render_step_list {
    const ct_render_graph_step *step;
    ct_render_material_use use; // of the step's material; material 0: each object's own
    bool only_outlined;
    ct_render_draw_list list;
} ct_render_step_list;

enum { CT_RENDER_QUAD_INDICES = 6 };                            // of a quad
enum { CT_RENDER_MAX_DRAW_LISTS = 1 + CT_RENDER_MAX_CASCADES }; // the first is the view's

// Set 0 with its two dynamic offsets.
typedef struct ct_render_frame_set {
    VkDescriptorSet handle;
    uint32_t offsets[2];
} ct_render_frame_set;

// The shadow map of the view being drawn: squares of the same size, two in a row when there are
// several.
typedef struct ct_render_shadows {
    uint32_t count; // of cascades; 0: nothing casts shadows
    uint32_t map_size;
    ct_render_cascade cascades[CT_RENDER_MAX_CASCADES];
    ct_mat4 matrices[CT_RENDER_MAX_CASCADES];         // world to a cascade's clip space
    ct_render_frame_set sets[CT_RENDER_MAX_CASCADES]; // with that matrix
    float bias;                                       // metres
} ct_render_shadows;

// What capture_sky steps know from frame to frame, and their blocks of set 0 (render_sky.h).
enum { CT_RENDER_SKY_BLOCKS = 7 }; // of the six squares, and of all they are in
typedef struct ct_render_sky {
    uint64_t shown;       // stands for what the squares show; 0: nothing
    ct_u32_array objects; // of the layer, and what they were found for:
    uint32_t world, layer;
    uint64_t materials_version, mesh_version, context_version, graph_version;
    ct_render_frame_set sets[CT_RENDER_SKY_BLOCKS];
} ct_render_sky;

// The eye by which levels of detail are chosen. Everything drawn for a view, its shadows too, uses
// the same.
typedef struct ct_render_lod_eye {
    ct_vec3 position;
    // The share of the view's height that a sphere of radius 1 takes, times the bias: at a distance
    // of 1 m; of an orthographic camera, anywhere.
    float scale;
    bool is_orthographic;
} ct_render_lod_eye;

typedef struct ct_render_draws {
    ct_render_context *context;
    ct_render_graph *graph;
    ct_render_meshes *meshes;
    ct_task_manager *tasks;
    uint64_t view;                         // counts views
    ct_mat4 view_projection;               // of the view, without jitter
    ct_render_history history;             //
    ct_render_lod_eye lod_eye;             // of the view
    CT_ARRAY(uint8_t) visible;             // by object
    ct_u32_array seen;                     // objects
    CT_ARRAY(ct_render_material_use) uses; // by material
    ct_u32_array skins;                    // scratch of render_palettes.c
    uint64_t palette_round;                //
    ct_render_draw_list lists[CT_RENDER_MAX_DRAW_LISTS];
    CT_ARRAY(ct_render_step_list) step_lists; // of the view; those behind are kept for their memory
    uint32_t num_step_lists;
    ct_render_shadows shadows;
    ct_render_stats stats; // of the frame
    ct_render_sky sky;
    bool is_sky_captured;     // a step of the view draws the sky again
    ct_render_clouds *clouds; // of the view's world
    const ct_render_emitters *emitters;
    CT_ARRAY(ct_sort_item32) sorted_particles, sort_scratch;
    // Indices of quads, 0 1 2 2 3 0 and so on, for batches and particles.
    ct_render_buffer quad_indices;
    uint32_t num_indexed_quads;
    // What is bound:
    VkPipeline pipeline;
    VkDescriptorSet material_set;
    uint32_t block_offset, mesh;
    VkFrontFace front_face;
    bool is_awaiting;     // the last bind failed because the pipeline is still being made
    uint32_t num_awaited; // binds that failed so
} ct_render_draws;

// Where a view is seen from.
typedef struct ct_render_eye {
    ct_frustum frustum;
    ct_vec3 position, forward;
    bool is_light; // sees only what casts shadows
} ct_render_eye;

// Starts without arrays. It borrows the graph with its context, the meshes and the task manager,
// which must outlive it.
void ct_render_draws_init(ct_render_draws *d, ct_render_graph *g, ct_render_meshes *m,
                          ct_task_manager *tasks);

// Takes the buffer of indices from the device; it is made again when it is needed.
void ct_render_draws_drop(ct_render_draws *d);

// Frees the arrays.
void ct_render_draws_shutdown(ct_render_draws *d);

// Starts a view of `world` and resets the material uses of the view before. Levels of detail are
// chosen as if objects were `lod_bias` times as large.
void ct_render_draws_begin_view(ct_render_draws *d, ct_render_world *world,
                                const ct_render_view *view, float lod_bias);

// Returns the share of the view's height that this sphere (centre, radius) takes; infinite when the
// eye of a perspective camera is at its centre.
float ct_render_lod_size(const ct_render_lod_eye *eye, const float sphere[4]);

// Returns the layer that draws with a bound material go to; the number of layers, after a warning,
// when the render config does not have it.
uint32_t ct_render_draws_layer_of(const ct_render_draws *d, const ct_render_material *m);

// Fills `list` with the sorted items that `eye` sees of `world`. Runs tasks.
void ct_render_draws_collect(ct_render_draws *d, ct_render_draw_list *list, ct_render_world *world,
                             const ct_render_eye *eye);

// Returns true when a part of the object at this position is drawn in the layer.
bool ct_render_draws_is_in_layer(ct_render_draws *d, const ct_render_world *world, uint32_t object,
                                 uint32_t layer);

// Fills `list` with the sorted items of a layer that the objects at these positions have, wherever
// they are; hidden ones have none.
void ct_render_draws_collect_layer(ct_render_draws *d, ct_render_draw_list *list,
                                   const ct_render_world *world, const uint32_t *objects,
                                   uint32_t count, uint32_t layer);

// Returns how many parameters of a shader are instanced.
uint32_t ct_render_shader_num_instanced(const ct_shader_resource *shader);

// Gives the positions of a layer's items in a sorted list.
void ct_render_draws_layer_range(const ct_render_draw_list *list, uint32_t layer, uint32_t *begin,
                                 uint32_t *end);

// Writes the instances of the first `num_lists` lists and of the steps' lists to the frame's memory.
// Make set 0 after this call.
void ct_render_draws_place(ct_render_draws *d, const ct_render_world *world, uint32_t num_lists);

// Resets what counts as bound. Call it after a change of command buffer or set 0.
void ct_render_draws_unbind(ct_render_draws *d);

// Binds indices for at least `num_quads` quads of four vertices.
void ct_render_draws_bind_quads(ct_render_draws *d, uint32_t num_quads);

// Records the draws of a step's layer in the view's list into the open rendering.
void ct_render_draws_record_layer(ct_render_draws *d, const ct_render_graph_step *step,
                                  const ct_render_frame_set *set);

// Records all draws of a list into the open rendering, with pipelines of this signature.
void ct_render_draws_record_list(ct_render_draws *d, const ct_render_draw_list *list,
                                 uint32_t signature, const ct_render_frame_set *set);

// Binds a material's pipeline for these targets and vertices of this form (CT_RENDER_VERTICES; 0 for
// lines), set 0 and the material's set. Returns NULL, and binds nothing, when the material or the
// pipeline is not usable, or not made yet.
const ct_render_material *ct_render_draws_bind(ct_render_draws *d, uint32_t material,
                                               uint32_t signature, uint32_t vertices,
                                               const ct_render_frame_set *set);
