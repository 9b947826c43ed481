#include "render/object/render_target.h"

#include "foundation/error.h"

// --- Images --------------------------------------------------------------------------------------

static uint32_t scaled(float scale, uint32_t size, uint32_t fixed) {
    if (scale <= 0.0f)
        return fixed;
    const float pixels = scale * (float)size + 0.5f;
    return pixels < 1.0f ? 1 : (uint32_t)pixels;
}

VkFormat ct_render_target_format(uint32_t format) {
    static const VkFormat formats[] = {[CT_RENDER_FORMAT_RGBA8] = VK_FORMAT_R8G8B8A8_UNORM,
                                       [CT_RENDER_FORMAT_RGBA8_SRGB] = VK_FORMAT_R8G8B8A8_SRGB,
                                       [CT_RENDER_FORMAT_RGBA16F] = VK_FORMAT_R16G16B16A16_SFLOAT,
                                       [CT_RENDER_FORMAT_R16F] = VK_FORMAT_R16_SFLOAT,
                                       [CT_RENDER_FORMAT_R32F] = VK_FORMAT_R32_SFLOAT,
                                       [CT_RENDER_FORMAT_RG16F] = VK_FORMAT_R16G16_SFLOAT,
                                       [CT_RENDER_FORMAT_D32F] = VK_FORMAT_D32_SFLOAT};
    return formats[format];
}

void ct_render_target_size(const ct_render_target *desc, uint32_t back_width, uint32_t back_height,
                           uint32_t *width, uint32_t *height) {
    *width = scaled(desc->width_scale, back_width, desc->width);
    *height = scaled(desc->height_scale, back_height, desc->height);
}

VkFormatFeatureFlags ct_render_format_features(const ct_render_device *d, VkFormat format) {
    VkFormatProperties properties;
    d->vk.GetPhysicalDeviceFormatProperties(d->physical, format, &properties);
    return properties.optimalTilingFeatures;
}

// The mips of an image: as many as are wanted (0: all), and not more than there can be.
static uint32_t mip_count(uint32_t wanted, uint32_t width, uint32_t height) {
    uint32_t count = 1;
    for (uint32_t size = width > height ? width : height; size > 1; size /= 2)
        ++count;
    count = count < CT_RENDER_MAX_MIPS ? count : CT_RENDER_MAX_MIPS;
    return wanted && wanted < count ? wanted : count;
}

void ct_render_target_create_image(const ct_render_device *d, ct_render_graph_target *t,
                                   uint32_t back_width, uint32_t back_height,
                                   VkImageUsageFlags usage) {
    usage |= VK_IMAGE_USAGE_SAMPLED_BIT;
    usage |= t->desc.format == CT_RENDER_FORMAT_D32F ? VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT
                                                     : VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT;
    uint32_t width, height;
    ct_render_target_size(&t->desc, back_width, back_height, &width, &height);
    // A window may have grown past what a scaled target can be.
    const uint32_t most = d->limits.maxImageDimension2D;
    width = width < most ? width : most;
    height = height < most ? height : most;
    const VkFormat format = ct_render_target_format(t->desc.format);
    const uint32_t num_mips = mip_count(t->desc.num_mips, width, height);
    t->features = ct_render_format_features(d, format);
    t->image = ct_render_image_create(d, &(ct_render_image_desc){.format = format,
                                                                 .width = width,
                                                                 .height = height,
                                                                 .num_mips = num_mips,
                                                                 .usage = usage});
    for (uint32_t i = 0; i < num_mips && num_mips > 1; ++i)
        t->mip_views[i] = ct_render_view_create(d, &t->image, i, 1);
}

void ct_render_target_drop_image(ct_render_context *c, ct_render_graph_target *t) {
    ct_render_retire_image(&c->retire, &t->image);
    for (uint32_t i = 0; i < CT_RENDER_MAX_MIPS; ++i) {
        ct_render_retire_view(&c->retire, t->mip_views[i]);
        t->mip_views[i] = VK_NULL_HANDLE;
        t->uses[i] = CT_RENDER_USE_NONE;
    }
    t->is_clear_pending = false;
}

VkImageView ct_render_target_view(const ct_render_graph_target *t, uint32_t mip) {
    if (mip == CT_RENDER_ALL_MIPS || t->image.num_mips == 1)
        return t->image.view;
    return t->mip_views[mip < t->image.num_mips ? mip : t->image.num_mips - 1];
}

// --- Uses and barriers ---------------------------------------------------------------------------

typedef struct use_info {
    VkPipelineStageFlags2 stages;
    VkAccessFlags2 access;
    VkImageLayout layout;
    bool is_read_only;
} use_info;

static const use_info uses[CT_RENDER_USE_COUNT] = {
    [CT_RENDER_USE_NONE] = {0, 0, VK_IMAGE_LAYOUT_UNDEFINED, false},
    [CT_RENDER_USE_COLOR] = {VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT,
                             VK_ACCESS_2_COLOR_ATTACHMENT_READ_BIT |
                                 VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT,
                             VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL, false},
    [CT_RENDER_USE_DEPTH] = {VK_PIPELINE_STAGE_2_EARLY_FRAGMENT_TESTS_BIT |
                                 VK_PIPELINE_STAGE_2_LATE_FRAGMENT_TESTS_BIT,
                             VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_READ_BIT |
                                 VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT,
                             VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL, false},
    [CT_RENDER_USE_SAMPLED] = {VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT |
                                   VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT,
                               VK_ACCESS_2_SHADER_SAMPLED_READ_BIT,
                               VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL, true},
    [CT_RENDER_USE_COPY_SOURCE] = {VK_PIPELINE_STAGE_2_BLIT_BIT | VK_PIPELINE_STAGE_2_COPY_BIT,
                                   VK_ACCESS_2_TRANSFER_READ_BIT,
                                   VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, true},
    [CT_RENDER_USE_COPY_TARGET] = {VK_PIPELINE_STAGE_2_CLEAR_BIT | VK_PIPELINE_STAGE_2_BLIT_BIT |
                                       VK_PIPELINE_STAGE_2_COPY_BIT,
                                   VK_ACCESS_2_TRANSFER_WRITE_BIT,
                                   VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, false},
    [CT_RENDER_USE_STORAGE] = {VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT,
                               VK_ACCESS_2_SHADER_STORAGE_READ_BIT |
                                   VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT,
                               VK_IMAGE_LAYOUT_GENERAL, false},
};

VkImageLayout ct_render_use_layout(ct_render_use use) {
    return uses[use].layout;
}

// Adds a barrier for mips that were all used as `was`.
static void add_barrier(ct_render_barriers *b, const ct_render_graph_target *t, uint32_t first_mip,
                        uint32_t num_mips, ct_render_use was, ct_render_use use) {
    const use_info *from = &uses[was], *to = &uses[use];
    if (was == use && to->is_read_only)
        return;
    CT_REQUIRE(b->count < CT_RENDER_MAX_BARRIERS, "too many barriers in one step");
    b->items[b->count++] =
        (VkImageMemoryBarrier2){.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2,
                                .srcStageMask = from->stages,
                                .srcAccessMask = from->access,
                                .dstStageMask = to->stages,
                                .dstAccessMask = to->access,
                                .oldLayout = from->layout,
                                .newLayout = to->layout,
                                .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                .image = t->image.handle,
                                .subresourceRange = {.aspectMask = t->image.aspect,
                                                     .baseMipLevel = first_mip,
                                                     .levelCount = num_mips,
                                                     .layerCount = 1}};
}

void ct_render_barriers_add(ct_render_barriers *b, ct_render_graph_target *t, uint32_t mip,
                            ct_render_use use) {
    const bool is_whole = mip == CT_RENDER_ALL_MIPS;
    const uint32_t last = t->image.num_mips - 1;
    const uint32_t end = (is_whole || mip > last ? last : mip) + 1;
    for (uint32_t first = is_whole ? 0 : end - 1; first < end;) {
        uint32_t next = first + 1;
        while (next < end && t->uses[next] == t->uses[first])
            ++next;
        add_barrier(b, t, first, next - first, (ct_render_use)t->uses[first], use);
        first = next;
    }
    for (uint32_t i = is_whole ? 0 : end - 1; i < end; ++i)
        t->uses[i] = (uint8_t)use;
}

void ct_render_barriers_record(const ct_render_context *c, const ct_render_barriers *b) {
    if (!b->count)
        return;
    const VkDependencyInfo info = {.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
                                   .imageMemoryBarrierCount = b->count,
                                   .pImageMemoryBarriers = b->items};
    c->device->vk.CmdPipelineBarrier2(c->commands, &info);
}
