// render_pipeline.h: makes a Vulkan pipeline from a shader's blob.
//
// All state is in the shader; viewport, scissor and front face (mirrored objects) are dynamic.
#pragma once
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

// Makes the pipeline of these options for targets of this signature and vertices of this form
// (CT_RENDER_VERTICES; 0 for shaders that draw no meshes). The caller destroys it. Returns
// VK_NULL_HANDLE, after logging why, when the driver refuses; `result` (may be NULL) is what the
// driver said. Any thread, when the functions of `d` may be called there (vulkan_guard.h).
VkPipeline ct_render_pipeline_create(const ct_render_device *d, VkPipelineCache cache,
                                     const ct_render_shader *shader, uint32_t options,
                                     const ct_render_signature *signature, uint32_t vertices,
                                     VkResult *result);
