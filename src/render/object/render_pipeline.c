#include "render/object/render_pipeline.h"

#include <string.h>

#include "foundation/error.h"
#include "foundation/log.h"
#include "render/object/render_spirv.h"
#include "render/render_gui.h"
#include "render/render_particles.h"
#include "resource/types/mesh_resource.h"

// Says why the driver refused. A lost device is dealt with elsewhere.
static void report(const char *name, const char *function, VkResult result) {
    if (result != VK_ERROR_DEVICE_LOST && result != VK_ERROR_OUT_OF_DEVICE_MEMORY)
        ct_log_error("render", name, "%s failed: %s", function, ct_vulkan_result_name(result));
}

// `result` gets what the driver said, as with the functions below.
static VkShaderModule create_module(const ct_render_device *d, const ct_shader_resource *blob,
                                    ct_blob_array words, VkResult *result) {
    const VkShaderModuleCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                           .codeSize = words.count * sizeof(uint32_t),
                                           .pCode = ct_blob_at(blob, words.offset)};
    VkShaderModule module = VK_NULL_HANDLE;
    *result = d->vk.CreateShaderModule(d->handle, &info, &d->callbacks, &module);
    if (*result != VK_SUCCESS)
        report("no_shader_module", "vkCreateShaderModule", *result);
    return module;
}

// --- Fixed state ---------------------------------------------------------------------------------

// What a mesh's vertices are read by: locations of the shader, from the streams of vertices and
// extras, the grid, which all vertices of a mesh share, and influences.
enum { NUM_MESH_ATTRIBUTES = 10, NUM_MESH_BINDINGS = 4, INFLUENCES_ATTRIBUTE = 9 };

#define MESH_ATTRIBUTES(vertex, point, direction, coordinate, extra, color_format)                 \
    {                                                                                              \
        {0, 0, point, offsetof(vertex, position)},                                                 \
            {1, 0, direction##_NORMAL, offsetof(vertex, normal)},                                  \
            {2, 0, direction##_TANGENT, offsetof(vertex, tangent)},                                \
            {3, 0, coordinate, offsetof(vertex, uv)},                                              \
            {4, 1, color_format, offsetof(extra, color)},                                          \
            {5, 1, coordinate, offsetof(extra, uv1)},                                              \
            {CT_SHADER_GRID_LOCATION, 2, VK_FORMAT_R32G32B32A32_SFLOAT, 0},                        \
            {CT_SHADER_GRID_LOCATION + 1, 2, VK_FORMAT_R32G32B32A32_SFLOAT, 16},                   \
            {CT_SHADER_GRID_LOCATION + 2, 2, VK_FORMAT_R32G32B32A32_SFLOAT, 32}, {                 \
            CT_SHADER_INFLUENCES_LOCATION, 3, VK_FORMAT_R32G32_UINT, 0                             \
        }                                                                                          \
    }

#define FULL_NORMAL VK_FORMAT_R32G32B32_SFLOAT
#define FULL_TANGENT VK_FORMAT_R32G32B32A32_SFLOAT
#define PACKED_NORMAL CT_RENDER_PACKED_DIRECTION
#define PACKED_TANGENT CT_RENDER_PACKED_DIRECTION

static const VkVertexInputAttributeDescription
    mesh_attributes[CT_MESH_FORMAT_COUNT][NUM_MESH_ATTRIBUTES] = {
        [CT_MESH_FORMAT_FULL] = MESH_ATTRIBUTES(ct_mesh_vertex, VK_FORMAT_R32G32B32_SFLOAT, FULL,
                                                VK_FORMAT_R32G32_SFLOAT, ct_mesh_vertex_extra,
                                                VK_FORMAT_R16G16B16A16_UNORM),
        [CT_MESH_FORMAT_PACKED] =
            MESH_ATTRIBUTES(ct_mesh_packed_vertex, VK_FORMAT_R16G16B16A16_SNORM, PACKED,
                            VK_FORMAT_R16G16_UNORM, ct_mesh_packed_extra, VK_FORMAT_R8G8B8A8_UNORM),
        [CT_MESH_FORMAT_PACKED_WIDE_UV] = MESH_ATTRIBUTES(
            ct_mesh_wide_uv_vertex, VK_FORMAT_R16G16B16A16_SNORM, PACKED, VK_FORMAT_R32G32_SFLOAT,
            ct_mesh_wide_uv_extra, VK_FORMAT_R8G8B8A8_UNORM),
};

// Strides are set when a mesh is bound.
static const VkVertexInputBindingDescription mesh_bindings[NUM_MESH_BINDINGS] = {
    {0, 0, VK_VERTEX_INPUT_RATE_VERTEX},
    {1, 0, VK_VERTEX_INPUT_RATE_VERTEX},
    {2, 0, VK_VERTEX_INPUT_RATE_VERTEX},
    {3, 0, VK_VERTEX_INPUT_RATE_VERTEX}};

static const VkVertexInputAttributeDescription line_attributes[] = {
    {0, 0, VK_FORMAT_R32G32B32_SFLOAT, offsetof(ct_line_vertex, position)},
    {1, 0, VK_FORMAT_R32G32B32A32_SFLOAT, offsetof(ct_line_vertex, color)}};
static const VkVertexInputBindingDescription line_binding = {0, sizeof(ct_line_vertex),
                                                             VK_VERTEX_INPUT_RATE_VERTEX};

static const VkVertexInputAttributeDescription batch_attributes[] = {
    {0, 0, VK_FORMAT_R32G32B32_SFLOAT, offsetof(ct_batch_vertex, position)},
    {1, 0, VK_FORMAT_R32G32_SFLOAT, offsetof(ct_batch_vertex, uv)},
    {2, 0, VK_FORMAT_R8G8B8A8_UNORM, offsetof(ct_batch_vertex, color)},
    {3, 0, VK_FORMAT_R8G8B8A8_UNORM, offsetof(ct_batch_vertex, effect)}};
static const VkVertexInputBindingDescription batch_binding = {0, sizeof(ct_batch_vertex),
                                                              VK_VERTEX_INPUT_RATE_VERTEX};

// Of this particle, then of the next one.
#define PARTICLE_ATTRIBUTES(location, binding)                                                     \
    {location, binding, VK_FORMAT_R32G32B32A32_SFLOAT, offsetof(ct_particle_instance, position)},  \
        {location + 1, binding, VK_FORMAT_R32G32B32A32_SFLOAT,                                     \
         offsetof(ct_particle_instance, axis)},                                                    \
        {location + 2, binding, VK_FORMAT_R32G32_SFLOAT, offsetof(ct_particle_instance, size)}, {  \
        location + 3, binding, VK_FORMAT_R16G16B16A16_SFLOAT,                                      \
            offsetof(ct_particle_instance, color)                                                  \
    }
static const VkVertexInputAttributeDescription particle_attributes[] = {PARTICLE_ATTRIBUTES(0, 0),
                                                                        PARTICLE_ATTRIBUTES(4, 1)};
static const VkVertexInputBindingDescription particle_bindings[] = {
    {0, sizeof(ct_particle_instance), VK_VERTEX_INPUT_RATE_INSTANCE},
    {1, sizeof(ct_particle_instance), VK_VERTEX_INPUT_RATE_INSTANCE}};
_Static_assert(sizeof(ct_particle_instance) == 48 &&
                   offsetof(ct_particle_instance, rotation) == 12 &&
                   offsetof(ct_particle_instance, frame) == 28,
               "position and rotation are read as one vector, axis and frame as another");

// The attributes of a form of vertices. Words of 4 influences are two, of 8 they are four.
static void set_mesh_attributes(uint32_t form,
                                VkVertexInputAttributeDescription attributes[NUM_MESH_ATTRIBUTES]) {
    memcpy(attributes, mesh_attributes[CT_RENDER_VERTICES_FORMAT(form)],
           sizeof(mesh_attributes[0]));
    if (CT_RENDER_VERTICES_INFLUENCES(form) == 8)
        attributes[INFLUENCES_ATTRIBUTE].format = VK_FORMAT_R32G32B32A32_UINT;
}

static VkPipelineVertexInputStateCreateInfo
vertex_input(uint32_t vertices, const VkVertexInputAttributeDescription *attributes) {
    const struct {
        uint32_t num_bindings, num_attributes;
        const VkVertexInputBindingDescription *bindings;
        const VkVertexInputAttributeDescription *attributes;
    } inputs[] = {
        [CT_SHADER_VERTICES_MESH] = {NUM_MESH_BINDINGS, NUM_MESH_ATTRIBUTES, mesh_bindings,
                                     attributes},
        [CT_SHADER_VERTICES_FULLSCREEN] = {0, 0, NULL, NULL},
        [CT_SHADER_VERTICES_LINE] = {1, CT_COUNT_OF(line_attributes), &line_binding,
                                     line_attributes},
        [CT_SHADER_VERTICES_BATCH] = {1, CT_COUNT_OF(batch_attributes), &batch_binding,
                                      batch_attributes},
        [CT_SHADER_VERTICES_PARTICLE] = {CT_COUNT_OF(particle_bindings),
                                         CT_COUNT_OF(particle_attributes), particle_bindings,
                                         particle_attributes},
    };
    return (VkPipelineVertexInputStateCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO,
        .vertexBindingDescriptionCount = inputs[vertices].num_bindings,
        .pVertexBindingDescriptions = inputs[vertices].bindings,
        .vertexAttributeDescriptionCount = inputs[vertices].num_attributes,
        .pVertexAttributeDescriptions = inputs[vertices].attributes};
}

// A target that the shader does not write keeps what it has.
static VkPipelineColorBlendAttachmentState blend_state(uint32_t blend, bool is_written) {
    if (!is_written)
        return (VkPipelineColorBlendAttachmentState){0};
    VkPipelineColorBlendAttachmentState state = {
        .colorWriteMask = VK_COLOR_COMPONENT_R_BIT | VK_COLOR_COMPONENT_G_BIT |
                          VK_COLOR_COMPONENT_B_BIT | VK_COLOR_COMPONENT_A_BIT};
    if (blend == CT_SHADER_BLEND_OPAQUE)
        return state;
    state.blendEnable = VK_TRUE;
    state.srcColorBlendFactor =
        blend == CT_SHADER_BLEND_PREMULTIPLIED ? VK_BLEND_FACTOR_ONE : VK_BLEND_FACTOR_SRC_ALPHA;
    state.dstColorBlendFactor =
        blend == CT_SHADER_BLEND_ADD ? VK_BLEND_FACTOR_ONE : VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA;
    state.srcAlphaBlendFactor = VK_BLEND_FACTOR_ONE;
    state.dstAlphaBlendFactor = state.dstColorBlendFactor;
    return state;
}

// Bits of the targets that the fragment stage writes.
static uint32_t written_targets(const ct_render_device *d, const ct_shader_resource *blob,
                                const ct_shader_variant *variant,
                                const ct_render_signature *signature) {
    if (!d->has_independent_blend)
        return UINT32_MAX;
    const uint32_t outputs = ct_render_spirv_outputs(ct_blob_at(blob, variant->fragment.offset),
                                                     variant->fragment.count);
    const uint32_t velocity = 1u << CT_RENDER_VELOCITY_LOCATION;
    const bool has_velocity = signature->has_velocity && variant->state.velocity;
    return !has_velocity && (blob->writes_velocity || signature->has_velocity) ? outputs & ~velocity
                                                                               : outputs;
}

// The blending of each target. Velocity is never blended.
static void set_blends(const ct_render_signature *signature, uint32_t blend, uint32_t outputs,
                       VkPipelineColorBlendAttachmentState *blends) {
    for (uint32_t i = 0; i < CT_RENDER_MAX_COLOR_TARGETS; ++i) {
        const bool is_velocity = signature->has_velocity && i == CT_RENDER_VELOCITY_LOCATION;
        blends[i] = blend_state(is_velocity ? CT_SHADER_BLEND_OPAQUE : blend, outputs & (1u << i));
    }
}

static VkCullModeFlags cull_mode(const ct_shader_resource *blob, const ct_shader_state *state) {
    // The triangle of a pass has no back.
    if (blob->vertices == CT_SHADER_VERTICES_FULLSCREEN)
        return VK_CULL_MODE_NONE;
    switch (state->cull) {
    case CT_SHADER_CULL_BACK:
        return VK_CULL_MODE_BACK_BIT;
    case CT_SHADER_CULL_FRONT:
        return VK_CULL_MODE_FRONT_BIT;
    default:
        return VK_CULL_MODE_NONE;
    }
}

// Of a texel's change of depth: what a shadow map's surfaces are moved back by, so that they do not
// shade themselves between texels.
static const float shadow_slope_bias = 1.5f;

// Only edges, where the device can do so.
static VkPolygonMode polygon_mode(const ct_render_device *d, const ct_render_signature *signature) {
    if (!signature->is_wireframe)
        return VK_POLYGON_MODE_FILL;
    if (!d->has_wireframe)
        ct_log_warning("render", "no_wireframe",
                       "the device cannot draw wireframe (fillModeNonSolid): surfaces are filled");
    return d->has_wireframe ? VK_POLYGON_MODE_LINE : VK_POLYGON_MODE_FILL;
}

static VkPipelineRasterizationStateCreateInfo
rasterization_state(const ct_render_device *d, const ct_shader_resource *blob,
                    const ct_shader_state *state, const ct_render_signature *signature) {
    return (VkPipelineRasterizationStateCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO,
        .polygonMode = polygon_mode(d, signature),
        .cullMode = cull_mode(blob, state),
        .frontFace = VK_FRONT_FACE_COUNTER_CLOCKWISE,
        .depthBiasEnable = signature->is_shadow_map,
        .depthBiasSlopeFactor = shadow_slope_bias,
        .lineWidth = 1.0f};
}

static VkPipelineDepthStencilStateCreateInfo depth_state(const ct_shader_state *state,
                                                         bool has_depth) {
    return (VkPipelineDepthStencilStateCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO,
        .depthTestEnable = has_depth && (state->depth_test || state->depth_write),
        .depthWriteEnable = has_depth && state->depth_write,
        .depthCompareOp = state->depth_test ? VK_COMPARE_OP_LESS_OR_EQUAL : VK_COMPARE_OP_ALWAYS};
}

// --- The pipeline --------------------------------------------------------------------------------

static VkPipeline create(const ct_render_device *d, VkPipelineCache cache,
                         const ct_render_shader *shader, const ct_shader_variant *variant,
                         const ct_render_signature *signature, uint32_t form,
                         const VkPipelineShaderStageCreateInfo *stages, uint32_t num_stages,
                         VkResult *result) {
    const ct_shader_resource *const blob = shader->blob;
    const ct_shader_state *const state = &variant->state;
    const uint32_t outputs = written_targets(d, blob, variant, signature);
    VkVertexInputAttributeDescription attributes[NUM_MESH_ATTRIBUTES];
    set_mesh_attributes(form, attributes);
    const VkPipelineVertexInputStateCreateInfo input = vertex_input(blob->vertices, attributes);
    const VkPipelineInputAssemblyStateCreateInfo assembly = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
        .topology = blob->topology == CT_SHADER_TOPOLOGY_LINES
                        ? VK_PRIMITIVE_TOPOLOGY_LINE_LIST
                        : VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST};
    const VkPipelineViewportStateCreateInfo viewport = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO,
        .viewportCount = 1,
        .scissorCount = 1};
    const VkPipelineRasterizationStateCreateInfo rasterization =
        rasterization_state(d, blob, state, signature);
    const VkPipelineMultisampleStateCreateInfo multisample = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
        .rasterizationSamples = VK_SAMPLE_COUNT_1_BIT};
    const VkPipelineDepthStencilStateCreateInfo depth =
        depth_state(state, signature->depth != VK_FORMAT_UNDEFINED);
    VkPipelineColorBlendAttachmentState blends[CT_RENDER_MAX_COLOR_TARGETS];
    set_blends(signature, state->blend, outputs, blends);
    const VkPipelineColorBlendStateCreateInfo blend = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
        .attachmentCount = signature->num_colors,
        .pAttachments = blends};
    VkDynamicState dynamics[] = {VK_DYNAMIC_STATE_VIEWPORT, VK_DYNAMIC_STATE_SCISSOR,
                                 VK_DYNAMIC_STATE_FRONT_FACE, VK_DYNAMIC_STATE_FRONT_FACE};
    VkPipelineDynamicStateCreateInfo dynamic = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO,
        .dynamicStateCount = 3,
        .pDynamicStates = dynamics};
    // Meshes without extras bind one element of them, with a stride of 0; a GUI says whether it is
    // on top.
    if (blob->vertices == CT_SHADER_VERTICES_MESH)
        dynamics[dynamic.dynamicStateCount++] = VK_DYNAMIC_STATE_VERTEX_INPUT_BINDING_STRIDE;
    if (blob->vertices == CT_SHADER_VERTICES_BATCH)
        dynamics[dynamic.dynamicStateCount++] = VK_DYNAMIC_STATE_DEPTH_TEST_ENABLE;
    const VkPipelineRenderingCreateInfo rendering = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO,
        .colorAttachmentCount = signature->num_colors,
        .pColorAttachmentFormats = signature->colors,
        .depthAttachmentFormat = signature->depth};
    const VkGraphicsPipelineCreateInfo info = {.sType =
                                                   VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
                                               .pNext = &rendering,
                                               .stageCount = num_stages,
                                               .pStages = stages,
                                               .pVertexInputState = &input,
                                               .pInputAssemblyState = &assembly,
                                               .pViewportState = &viewport,
                                               .pRasterizationState = &rasterization,
                                               .pMultisampleState = &multisample,
                                               .pDepthStencilState = &depth,
                                               .pColorBlendState = &blend,
                                               .pDynamicState = &dynamic,
                                               .layout = shader->layout};
    VkPipeline pipeline = VK_NULL_HANDLE;
    *result = d->vk.CreateGraphicsPipelines(d->handle, cache, 1, &info, &d->callbacks, &pipeline);
    if (*result == VK_SUCCESS)
        return pipeline;
    report("no_graphics_pipeline", "vkCreateGraphicsPipelines", *result);
    return VK_NULL_HANDLE;
}

// The values of a stage's constants: those of the signature, how many influences a vertex has, and
// which options are on.
typedef struct stage_constants {
    VkBool32 values[CT_SHADER_FIRST_OPTION_CONSTANT + CT_SHADER_MAX_OPTIONS];
    VkSpecializationMapEntry entries[CT_SHADER_FIRST_OPTION_CONSTANT + CT_SHADER_MAX_OPTIONS];
    VkSpecializationInfo info;
} stage_constants;

static void set_constants(stage_constants *constants, const ct_render_signature *signature,
                          bool has_velocity, uint32_t num_influences, uint32_t options) {
    const uint32_t count = CT_COUNT_OF(constants->values);
    constants->values[0] = signature->has_shadows;
    constants->values[CT_SHADER_INFLUENCES_CONSTANT] = num_influences;
    constants->values[CT_SHADER_VELOCITY_CONSTANT] = has_velocity;
    constants->values[CT_SHADER_SURFACE_VIEW_CONSTANT] = signature->surface_view;
    constants->values[CT_SHADER_SKY_MAP_CONSTANT] = signature->has_sky_map;
    for (uint32_t i = CT_SHADER_FIRST_OPTION_CONSTANT; i < count; ++i)
        constants->values[i] = options >> (i - CT_SHADER_FIRST_OPTION_CONSTANT) & 1;
    for (uint32_t i = 0; i < count; ++i)
        constants->entries[i] =
            (VkSpecializationMapEntry){i, i * (uint32_t)sizeof(VkBool32), sizeof(VkBool32)};
    constants->info = (VkSpecializationInfo){count, constants->entries, sizeof(constants->values),
                                             constants->values};
}

static VkPipeline create_compute(const ct_render_device *d, VkPipelineCache cache,
                                 const ct_render_shader *shader, uint32_t options,
                                 VkShaderModule module, VkResult *result) {
    stage_constants constants;
    set_constants(&constants, &(ct_render_signature){.num_colors = 0}, false, 0, options);
    const VkComputePipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .module = module,
                  .pName = "main",
                  .pSpecializationInfo = &constants.info},
        .layout = shader->layout};
    VkPipeline pipeline = VK_NULL_HANDLE;
    *result = d->vk.CreateComputePipelines(d->handle, cache, 1, &info, &d->callbacks, &pipeline);
    if (*result == VK_SUCCESS)
        return pipeline;
    report("no_compute_pipeline", "vkCreateComputePipelines", *result);
    return VK_NULL_HANDLE;
}

// Whether the device can run groups of this size.
static bool fits_device(const ct_render_device *d, const ct_shader_resource *blob) {
    const uint32_t *const size = blob->group_size;
    for (uint32_t i = 0; i < 3; ++i)
        if (size[i] > d->limits.maxComputeWorkGroupSize[i])
            return false;
    return size[0] * size[1] * size[2] <= d->limits.maxComputeWorkGroupInvocations;
}

static VkPipeline create_from_compute(const ct_render_device *d, VkPipelineCache cache,
                                      const ct_render_shader *shader, uint32_t options,
                                      VkResult *result) {
    const ct_shader_variant *const variants =
        ct_blob_at(shader->blob, shader->blob->variants.offset);
    if (!fits_device(d, shader->blob)) {
        ct_log_error("render", "compute_group_too_large",
                     "a compute shader's group has %u x %u x %u threads; the device "
                     "supports at most %u in a group",
                     shader->blob->group_size[0], shader->blob->group_size[1],
                     shader->blob->group_size[2], d->limits.maxComputeWorkGroupInvocations);
        return VK_NULL_HANDLE;
    }
    const VkShaderModule module = create_module(d, shader->blob, variants[options].compute, result);
    const VkPipeline pipeline =
        module ? create_compute(d, cache, shader, options, module, result) : VK_NULL_HANDLE;
    d->vk.DestroyShaderModule(d->handle, module, &d->callbacks);
    return pipeline;
}

// The modules of the stages that are drawn with, up to 2. Returns how many; 0 after logging why.
static uint32_t create_modules(const ct_render_device *d, const ct_shader_resource *blob,
                               const ct_shader_variant *variant, bool is_shadow_map,
                               VkShaderModule modules[2], VkResult *result) {
    const ct_blob_array fragment = is_shadow_map ? variant->shadow_fragment : variant->fragment;
    const uint32_t count = fragment.count ? 2 : 1;
    modules[0] = create_module(d, blob, variant->vertex, result);
    if (count == 2)
        modules[1] = create_module(d, blob, fragment, result);
    return modules[0] && (count == 1 || modules[1]) ? count : 0;
}

VkPipeline ct_render_pipeline_create(const ct_render_device *d, VkPipelineCache cache,
                                     const ct_render_shader *shader, uint32_t options,
                                     const ct_render_signature *signature, uint32_t vertices,
                                     VkResult *result) {
    VkResult ignored;
    result = result ? result : &ignored;
    *result = VK_SUCCESS;
    const ct_shader_variant *const variants =
        ct_blob_at(shader->blob, shader->blob->variants.offset);
    const ct_shader_variant *const variant = &variants[options];
    if (shader->blob->is_compute)
        return create_from_compute(d, cache, shader, options, result);
    VkShaderModule modules[2] = {VK_NULL_HANDLE, VK_NULL_HANDLE};
    const uint32_t count =
        create_modules(d, shader->blob, variant, signature->is_shadow_map, modules, result);
    stage_constants constants;
    set_constants(&constants, signature, signature->has_velocity && variant->state.velocity,
                  CT_RENDER_VERTICES_INFLUENCES(vertices), options);
    VkPipelineShaderStageCreateInfo stages[2];
    for (uint32_t i = 0; i < 2; ++i)
        stages[i] = (VkPipelineShaderStageCreateInfo){
            .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
            .stage = i ? VK_SHADER_STAGE_FRAGMENT_BIT : VK_SHADER_STAGE_VERTEX_BIT,
            .module = modules[i],
            .pName = "main",
            .pSpecializationInfo = &constants.info};
    VkPipeline pipeline = VK_NULL_HANDLE;
    if (count)
        pipeline = create(d, cache, shader, variant, signature, vertices, stages, count, result);
    for (uint32_t i = 0; i < 2; ++i)
        d->vk.DestroyShaderModule(d->handle, modules[i], &d->callbacks);
    return pipeline;
}
