// render_pipeline.h: from a shader's blob to a Vulkan pipeline.
//
// All state stands in the shader; viewport, scissor and front face (mirrored objects) are dynamic.
#pragma once
#include "render/render_shaders.h"

// Makes the pipeline of these options for targets of this signature. VK_NULL_HANDLE, after logging
// why, when the driver refuses.
VkPipeline ct_render_pipeline_create(const ct_render_context *c, VkPipelineCache cache,
                                     const ct_render_shader *shader, uint32_t options,
                                     const ct_render_signature *signature);
