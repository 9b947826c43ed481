// render_shaders.h: shaders by index, and the pipelines made of them.
//
// As with textures, a name gets an index for the renderer's life; index 0 is invalid. A shader
// keeps a copy of its blob. Pipelines are made at their first use, for (shader, options, signature,
// form of vertices); a failure is remembered and reported once. A reloaded shader replaces the
// old one only when all pipelines of the old one can be made from it. Render thread.
#pragma once
#include "foundation/container/hash_map.h"
#include "render/device/render_context.h"
#include "resource/types/shader_resource.h"

// The form of the vertices that a pipeline reads: their ct_mesh_format, and the number of their
// influences (0 unless a skeleton poses them). It takes 8 bits.
#define CT_RENDER_VERTICES(format, num_influences) ((format) | (num_influences) << 4)
#define CT_RENDER_VERTICES_FORMAT(vertices) ((vertices)&15u)
#define CT_RENDER_VERTICES_INFLUENCES(vertices) ((vertices) >> 4)

// The formats that a pipeline draws to.
typedef struct ct_render_signature {
    VkFormat colors[CT_RENDER_MAX_COLOR_TARGETS]; // UNDEFINED: nothing is drawn there
    VkFormat depth;                               // UNDEFINED: no depth target
    uint32_t num_colors;
    bool is_shadow_map;    // the vertex stage alone, or with the fragment stage for shadow maps
    bool has_shadows;      // the shaders' constant of that name
    bool has_velocity;     // the last colour is written by draws that have velocity
    bool has_sky_map;      // the shaders' constant of that name
    bool is_wireframe;     // only edges, where the device can do so
    uint32_t surface_view; // the shaders' constant of that name
} ct_render_signature;

typedef struct ct_render_shader {
    ct_shader_resource *blob; // a copy; NULL while it is not online
    VkDescriptorSetLayout material_layout;
    VkPipelineLayout layout;
} ct_render_shader;

typedef struct ct_render_pipeline {
    VkPipeline handle; // VK_NULL_HANDLE: it cannot be made
    uint32_t shader, options, signature, vertices;
} ct_render_pipeline;

typedef struct ct_render_shaders {
    ct_render_context *context;
    VkPipelineCache cache;
    ct_hash_map index_of_name;
    CT_ARRAY(ct_render_shader) items;
    ct_hash_map index_of_pipeline; // position + 1 by shader, options, signature, vertices
    CT_ARRAY(ct_render_pipeline) pipelines;
    CT_ARRAY(ct_render_signature) signatures;
} ct_render_shaders;

// Makes an empty table on the context's device. It borrows the context, which must outlive it.
void ct_render_shaders_init(ct_render_shaders *s, ct_render_context *c);

// Retires all layouts and pipelines and frees the table with its copies of blobs.
void ct_render_shaders_shutdown(ct_render_shaders *s);

// Takes layouts, pipelines and the pipeline cache from the device. Blobs stay.
void ct_render_shaders_drop(ct_render_shaders *s);

// Makes the pipeline cache and the layouts of all online shaders on the next device, after a drop.
// Pipelines are made when they are drawn with.
void ct_render_shaders_restore(ct_render_shaders *s);

// Returns the index of this name, and issues one when the name is new; 0 for the name 0.
uint32_t ct_render_shaders_index(ct_render_shaders *s, ct_string_id64 name);

// Brings the shader online in place of the one before, or takes it offline (blob NULL). The blob is
// copied.
void ct_render_shaders_set(ct_render_shaders *s, ct_string_id64 name,
                           const ct_shader_resource *blob);

// Returns the index of a signature, which is added when it is new.
uint32_t ct_render_shaders_signature(ct_render_shaders *s, const ct_render_signature *signature);

// Returns the pipeline, which is made when it is new; VK_NULL_HANDLE when the shader is not online
// or its pipeline cannot be made. `vertices` is made by CT_RENDER_VERTICES, or 0 when no mesh
// is drawn. Making a pipeline takes milliseconds.
VkPipeline ct_render_shaders_pipeline(ct_render_shaders *s, uint32_t shader, uint32_t options,
                                      uint32_t signature, uint32_t vertices);
