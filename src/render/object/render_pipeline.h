// render_pipeline.h: makes a Vulkan pipeline from a shader's blob.
//
// All state is in the shader; viewport, scissor and front face (mirrored objects) are dynamic.
// Render thread.
#pragma once
#include "render/object/render_shaders.h"

// Makes the pipeline of these options for targets of this signature and vertices of this form
// (CT_RENDER_VERTICES; 0 for shaders that draw no meshes). The caller retires it. Returns
// VK_NULL_HANDLE, after logging why, when the driver refuses.
VkPipeline ct_render_pipeline_create(const ct_render_context *c, VkPipelineCache cache,
                                     const ct_render_shader *shader, uint32_t options,
                                     const ct_render_signature *signature, uint32_t vertices);
