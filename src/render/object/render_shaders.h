// render_shaders.h: shaders by index, and the pipelines made of them.
//
// As with textures, an index is issued for a name for the renderer's life; index 0 is none. A
// shader keeps a copy of its blob; pipelines are made when first drawn with, for (shader, options,
// signature, format of vertices), and a failed one is remembered and reported once. A reloaded
// shader must first bring all pipelines that its old self had: otherwise the old one stays. Render
// thread.
#pragma once
#include "foundation/container/hash_map.h"
#include "render/device/render_context.h"
#include "resource/types/shader_resource.h"

// The formats that a pipeline draws to.
typedef struct ct_render_signature {
    VkFormat colors[CT_RENDER_MAX_COLOR_TARGETS];
    VkFormat depth; // UNDEFINED: none
    uint32_t num_colors;
    bool is_shadow_map; // the vertex stage alone, or with the fragment stage made for it
    bool has_shadows;   // the shaders' constant of that name
} ct_render_signature;

typedef struct ct_render_shader {
    ct_shader_resource *blob; // a copy; NULL while it is not online
    VkDescriptorSetLayout material_layout;
    VkPipelineLayout layout;
} ct_render_shader;

typedef struct ct_render_pipeline {
    VkPipeline handle; // none: it cannot be made
    uint32_t shader, options, signature, format;
} ct_render_pipeline;

typedef struct ct_render_shaders {
    ct_render_context *context;
    VkPipelineCache cache;
    ct_hash_map index_of_name;
    CT_ARRAY(ct_render_shader) items;
    ct_hash_map index_of_pipeline; // position + 1 by shader, options, signature, format
    CT_ARRAY(ct_render_pipeline) pipelines;
    CT_ARRAY(ct_render_signature) signatures;
} ct_render_shaders;

void ct_render_shaders_init(ct_render_shaders *s, ct_render_context *c);
void ct_render_shaders_shutdown(ct_render_shaders *s);

// Takes layouts and pipelines from the device. Restoring makes the layouts on the next one;
// pipelines are made when drawn with, as ever.
void ct_render_shaders_drop(ct_render_shaders *s);
void ct_render_shaders_restore(ct_render_shaders *s);

// The index of this name; 0 for none.
uint32_t ct_render_shaders_index(ct_render_shaders *s, ct_string_id64 name);

// Brings the shader online in place of what it was, or takes it offline (blob NULL).
void ct_render_shaders_set(ct_render_shaders *s, ct_string_id64 name,
                           const ct_shader_resource *blob);

// The index of a signature, made when new.
uint32_t ct_render_shaders_signature(ct_render_shaders *s, const ct_render_signature *signature);

// The pipeline, made when new; VK_NULL_HANDLE when the shader is not online or will not do.
// `format` is the ct_mesh_format of the mesh that is drawn; 0 where none is.
VkPipeline ct_render_shaders_pipeline(ct_render_shaders *s, uint32_t shader, uint32_t options,
                                      uint32_t signature, uint32_t format);
