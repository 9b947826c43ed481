#include "render/device/render_context.h"

#include "foundation/error.h"

enum { POOL_SETS = 256 };

// --- Life cycle ----------------------------------------------------------------------------------

static VkSampler create_sampler(const ct_render_device *d, bool is_nearest, bool is_clamped,
                                bool is_anisotropic) {
    const VkFilter filter = is_nearest ? VK_FILTER_NEAREST : VK_FILTER_LINEAR;
    const VkSamplerAddressMode wrap =
        is_clamped ? VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE : VK_SAMPLER_ADDRESS_MODE_REPEAT;
    const float most = d->limits.maxSamplerAnisotropy;
    const VkSamplerCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
                                      .magFilter = filter,
                                      .minFilter = filter,
                                      .mipmapMode = is_nearest ? VK_SAMPLER_MIPMAP_MODE_NEAREST
                                                               : VK_SAMPLER_MIPMAP_MODE_LINEAR,
                                      .addressModeU = wrap,
                                      .addressModeV = wrap,
                                      .addressModeW = wrap,
                                      .anisotropyEnable = d->has_anisotropy && is_anisotropic,
                                      .maxAnisotropy = most < 8.0f ? most : 8.0f,
                                      .maxLod = VK_LOD_CLAMP_NONE};
    VkSampler sampler;
    ct_render_check(d->vk.CreateSampler(d->handle, &info, &d->callbacks, &sampler),
                    "vkCreateSampler");
    return sampler;
}

static VkSampler create_shadow_sampler(const ct_render_device *d) {
    const VkSamplerAddressMode wrap = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE;
    const VkSamplerCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
                                      .magFilter = VK_FILTER_LINEAR,
                                      .minFilter = VK_FILTER_LINEAR,
                                      .addressModeU = wrap,
                                      .addressModeV = wrap,
                                      .addressModeW = wrap,
                                      .compareEnable = VK_TRUE,
                                      .compareOp = VK_COMPARE_OP_LESS_OR_EQUAL};
    VkSampler sampler;
    ct_render_check(d->vk.CreateSampler(d->handle, &info, &d->callbacks, &sampler),
                    "vkCreateSampler");
    return sampler;
}

static void create_layouts(ct_render_context *c) {
    const VkShaderStageFlags stages = CT_RENDER_ALL_STAGES;
    const VkDescriptorSetLayoutBinding frame[] = {
        {0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC, 1, stages, NULL},
        {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_VERTEX_BIT, NULL},
        {2, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC, 1, stages, NULL},
        {3, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1, VK_SHADER_STAGE_FRAGMENT_BIT, NULL},
        {4, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_VERTEX_BIT, NULL},
        {5, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_VERTEX_BIT, NULL},
        {6, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1, VK_SHADER_STAGE_FRAGMENT_BIT, NULL},
        {7, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1, VK_SHADER_STAGE_FRAGMENT_BIT, NULL},
        {8, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1, VK_SHADER_STAGE_FRAGMENT_BIT, NULL}};
    c->frame_layout = ct_render_set_layout_create(c, frame, CT_COUNT_OF(frame));
    c->empty_layout = ct_render_set_layout_create(c, NULL, 0);
    VkDescriptorSetLayoutBinding inputs[CT_RENDER_MAX_INPUTS];
    for (uint32_t i = 0; i < CT_RENDER_MAX_INPUTS; ++i)
        inputs[i] = (VkDescriptorSetLayoutBinding){i, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1,
                                                   VK_SHADER_STAGE_FRAGMENT_BIT, NULL};
    c->inputs_layout = ct_render_set_layout_create(c, inputs, CT_RENDER_MAX_INPUTS);
    VkDescriptorSetLayoutBinding compute[CT_RENDER_MAX_INPUTS + CT_RENDER_MAX_OUTPUTS];
    for (uint32_t i = 0; i < CT_COUNT_OF(compute); ++i)
        compute[i] = (VkDescriptorSetLayoutBinding){i,
                                                    i < CT_RENDER_MAX_INPUTS
                                                        ? VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER
                                                        : VK_DESCRIPTOR_TYPE_STORAGE_IMAGE,
                                                    1, VK_SHADER_STAGE_COMPUTE_BIT, NULL};
    c->compute_layout = ct_render_set_layout_create(c, compute, CT_COUNT_OF(compute));
}

void ct_render_context_init(ct_render_context *c, ct_render_device *d) {
    *c = (ct_render_context){.device = d, .allocator = d->allocator};
    ct_render_retire_init(&c->retire, d);
    ct_array_init(&c->pools, d->allocator);
    ct_render_context_restore(c);
}

void ct_render_context_restore(ct_render_context *c) {
    const ct_render_device *const d = c->device;
    ++c->version;
    c->samplers[CT_RENDER_SAMPLER_LINEAR_REPEAT] = create_sampler(d, false, false, true);
    c->samplers[CT_RENDER_SAMPLER_LINEAR_CLAMP] = create_sampler(d, false, true, true);
    c->samplers[CT_RENDER_SAMPLER_NEAREST_REPEAT] = create_sampler(d, true, false, false);
    c->samplers[CT_RENDER_SAMPLER_NEAREST_CLAMP] = create_sampler(d, true, true, false);
    c->samplers[CT_RENDER_SAMPLER_LINEAR_INPUT] = create_sampler(d, false, true, false);
    c->samplers[CT_RENDER_SAMPLER_SHADOW] = create_shadow_sampler(d);
    create_layouts(c);
}

void ct_render_context_shutdown(ct_render_context *c) {
    ct_render_context_drop(c);
    ct_render_retire_shutdown(&c->retire);
    ct_array_free(&c->pools);
}

void ct_render_context_drop(ct_render_context *c) {
    const ct_render_device *const d = c->device;
    if (!d->handle)
        return;
    ct_render_retire_flush(&c->retire);
    for (uint32_t i = 0; i < c->pools.count; ++i)
        d->vk.DestroyDescriptorPool(d->handle, c->pools.items[i], &d->callbacks);
    c->pools.count = 0;
    for (uint32_t i = 0; i < CT_RENDER_SAMPLER_COUNT; ++i) {
        d->vk.DestroySampler(d->handle, c->samplers[i], &d->callbacks);
        c->samplers[i] = VK_NULL_HANDLE;
    }
    d->vk.DestroyDescriptorSetLayout(d->handle, c->frame_layout, &d->callbacks);
    d->vk.DestroyDescriptorSetLayout(d->handle, c->empty_layout, &d->callbacks);
    d->vk.DestroyDescriptorSetLayout(d->handle, c->inputs_layout, &d->callbacks);
    d->vk.DestroyDescriptorSetLayout(d->handle, c->compute_layout, &d->callbacks);
    c->frame_layout = c->empty_layout = c->inputs_layout = c->compute_layout = VK_NULL_HANDLE;
    c->commands = VK_NULL_HANDLE;
}

// --- Descriptor sets -----------------------------------------------------------------------------

VkDescriptorSetLayout ct_render_set_layout_create(ct_render_context *c,
                                                  const VkDescriptorSetLayoutBinding *bindings,
                                                  uint32_t count) {
    const VkDescriptorSetLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = count,
        .pBindings = bindings};
    VkDescriptorSetLayout layout;
    ct_render_check(c->device->vk.CreateDescriptorSetLayout(c->device->handle, &info,
                                                            &c->device->callbacks, &layout),
                    "vkCreateDescriptorSetLayout");
    return layout;
}

static VkDescriptorPool add_pool(ct_render_context *c) {
    const VkDescriptorPoolSize sizes[] = {
        {VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC, POOL_SETS * 2},
        {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, POOL_SETS * 3},
        {VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, POOL_SETS},
        {VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, POOL_SETS * 8}};
    const VkDescriptorPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                             .flags =
                                                 VK_DESCRIPTOR_POOL_CREATE_FREE_DESCRIPTOR_SET_BIT,
                                             .maxSets = POOL_SETS,
                                             .poolSizeCount = CT_COUNT_OF(sizes),
                                             .pPoolSizes = sizes};
    VkDescriptorPool pool;
    ct_render_check(
        c->device->vk.CreateDescriptorPool(c->device->handle, &info, &c->device->callbacks, &pool),
        "vkCreateDescriptorPool");
    ct_array_push(&c->pools, pool);
    return pool;
}

static bool allocate_from(ct_render_context *c, VkDescriptorPool pool, VkDescriptorSetLayout layout,
                          ct_render_set *set) {
    const VkDescriptorSetAllocateInfo info = {.sType =
                                                  VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                              .descriptorPool = pool,
                                              .descriptorSetCount = 1,
                                              .pSetLayouts = &layout};
    set->pool = pool;
    const VkResult result =
        c->device->vk.AllocateDescriptorSets(c->device->handle, &info, &set->handle);
    if (result == VK_ERROR_OUT_OF_POOL_MEMORY || result == VK_ERROR_FRAGMENTED_POOL)
        return false;
    ct_render_check(result, "vkAllocateDescriptorSets");
    return true;
}

ct_render_set ct_render_set_create(ct_render_context *c, VkDescriptorSetLayout layout) {
    ct_render_set set = {0};
    for (uint32_t i = c->pools.count; i-- > 0;)
        if (allocate_from(c, c->pools.items[i], layout, &set))
            return set;
    const bool is_done = allocate_from(c, add_pool(c), layout, &set);
    CT_ASSERT(is_done, "a fresh descriptor pool gave no set");
    return set;
}

void ct_render_set_retire(ct_render_context *c, ct_render_set *set) {
    ct_render_retire_set(&c->retire, set->pool, set->handle);
    *set = (ct_render_set){0};
}

void ct_render_set_write_buffer(ct_render_context *c, const ct_render_set *set, uint32_t binding,
                                VkDescriptorType type, VkBuffer buffer, uint64_t range) {
    const VkDescriptorBufferInfo info = {.buffer = buffer, .range = range};
    const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                        .dstSet = set->handle,
                                        .dstBinding = binding,
                                        .descriptorCount = 1,
                                        .descriptorType = type,
                                        .pBufferInfo = &info};
    c->device->vk.UpdateDescriptorSets(c->device->handle, 1, &write, 0, NULL);
}

void ct_render_set_write_texture(ct_render_context *c, const ct_render_set *set, uint32_t binding,
                                 VkImageView view, ct_render_sampler sampler,
                                 VkImageLayout layout) {
    const VkDescriptorImageInfo info = {
        .sampler = c->samplers[sampler], .imageView = view, .imageLayout = layout};
    const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                        .dstSet = set->handle,
                                        .dstBinding = binding,
                                        .descriptorCount = 1,
                                        .descriptorType = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
                                        .pImageInfo = &info};
    c->device->vk.UpdateDescriptorSets(c->device->handle, 1, &write, 0, NULL);
}

void ct_render_set_write_storage(ct_render_context *c, const ct_render_set *set, uint32_t binding,
                                 VkImageView view) {
    const VkDescriptorImageInfo info = {.imageView = view, .imageLayout = VK_IMAGE_LAYOUT_GENERAL};
    const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                        .dstSet = set->handle,
                                        .dstBinding = binding,
                                        .descriptorCount = 1,
                                        .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_IMAGE,
                                        .pImageInfo = &info};
    c->device->vk.UpdateDescriptorSets(c->device->handle, 1, &write, 0, NULL);
}

// --- Uploads -------------------------------------------------------------------------------------

void *ct_render_upload_buffer(ct_render_context *c, const ct_render_buffer *target, uint64_t offset,
                              uint64_t size_bytes) {
    ct_render_buffer staging = ct_render_buffer_create(
        c->device, size_bytes, VK_BUFFER_USAGE_TRANSFER_SRC_BIT, CT_RENDER_MEMORY_USE_UPLOAD);
    const VkBufferCopy copy = {.dstOffset = offset, .size = size_bytes};
    c->device->vk.CmdCopyBuffer(c->commands, staging.handle, target->handle, 1, &copy);
    void *const mapped = staging.allocation.mapped;
    ct_render_retire_buffer(&c->retire, &staging);
    return mapped;
}
