#include "render/render_textures.h"

#include <string.h>

static void barrier(ct_render_context *c, const ct_render_image *image, VkImageLayout from,
                    VkImageLayout to, VkPipelineStageFlags2 stage_from, VkAccessFlags2 access_from,
                    VkPipelineStageFlags2 stage_to, VkAccessFlags2 access_to) {
    const VkImageMemoryBarrier2 b = {.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2,
                                     .srcStageMask = stage_from,
                                     .srcAccessMask = access_from,
                                     .dstStageMask = stage_to,
                                     .dstAccessMask = access_to,
                                     .oldLayout = from,
                                     .newLayout = to,
                                     .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                     .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                     .image = image->handle,
                                     .subresourceRange = {.aspectMask = image->aspect,
                                                          .levelCount = image->num_mips,
                                                          .layerCount = 1}};
    const VkDependencyInfo info = {.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
                                   .imageMemoryBarrierCount = 1,
                                   .pImageMemoryBarriers = &b};
    c->device->vk.CmdPipelineBarrier2(c->commands, &info);
}

// Records the copy of all mips through one staging buffer.
static ct_render_image upload(ct_render_context *c, VkFormat format, const void *base,
                              const ct_texture_mip *mips, uint32_t num_mips) {
    const ct_render_device *d = c->device;
    ct_render_image image =
        ct_render_image_create(d, format, mips[0].width, mips[0].height, num_mips,
                               VK_IMAGE_USAGE_TRANSFER_DST_BIT | VK_IMAGE_USAGE_SAMPLED_BIT);
    VkBufferImageCopy copies[CT_TEXTURE_MAX_MIPS];
    uint64_t total = 0;
    for (uint32_t i = 0; i < num_mips; ++i) {
        copies[i] = (VkBufferImageCopy){.bufferOffset = total,
                                        .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, i, 0, 1},
                                        .imageExtent = {mips[i].width, mips[i].height, 1}};
        total += ((uint64_t)mips[i].pixels.count + 15) & ~15ull;
    }
    ct_render_buffer staging = ct_render_buffer_create(d, total, VK_BUFFER_USAGE_TRANSFER_SRC_BIT,
                                                       CT_RENDER_MEMORY_USE_UPLOAD);
    for (uint32_t i = 0; i < num_mips; ++i)
        memcpy((char *)staging.allocation.mapped + copies[i].bufferOffset,
               ct_blob_at(base, mips[i].pixels.offset), mips[i].pixels.count);
    barrier(c, &image, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
            VK_PIPELINE_STAGE_2_NONE, 0, VK_PIPELINE_STAGE_2_COPY_BIT,
            VK_ACCESS_2_TRANSFER_WRITE_BIT);
    d->vk.CmdCopyBufferToImage(c->commands, staging.handle, image.handle,
                               VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, num_mips, copies);
    barrier(c, &image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
            VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL, VK_PIPELINE_STAGE_2_COPY_BIT,
            VK_ACCESS_2_TRANSFER_WRITE_BIT,
            VK_PIPELINE_STAGE_2_VERTEX_SHADER_BIT | VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT,
            VK_ACCESS_2_SHADER_SAMPLED_READ_BIT);
    ct_render_retire_buffer(&c->retire, &staging);
    return image;
}

void ct_render_textures_init(ct_render_textures *t, ct_render_context *c) {
    *t = (ct_render_textures){.context = c};
    ct_hash_map_init(&t->index_of_name, c->allocator);
    ct_array_init(&t->items, c->allocator);
    ct_array_push(&t->items, (ct_render_texture){.sampler = CT_RENDER_SAMPLER_NEAREST_CLAMP});
}

void ct_render_textures_begin_frame(ct_render_textures *t) {
    if (t->items.items[0].image.handle)
        return;
    const uint32_t white = 0xffffffff;
    const ct_texture_mip mip = {.width = 1, .height = 1, .pixels = {.count = sizeof(white)}};
    t->items.items[0].image = upload(t->context, VK_FORMAT_R8G8B8A8_UNORM, &white, &mip, 1);
}

void ct_render_textures_drop(ct_render_textures *t) {
    for (uint32_t i = 0; i < t->items.count; ++i)
        ct_render_retire_image(&t->context->retire, &t->items.items[i].image);
}

void ct_render_textures_shutdown(ct_render_textures *t) {
    ct_render_textures_drop(t);
    ct_array_free(&t->items);
    ct_hash_map_free(&t->index_of_name);
}

uint32_t ct_render_textures_index(ct_render_textures *t, ct_string_id64 name) {
    if (!name.value)
        return 0;
    const uint32_t known = (uint32_t)ct_hash_map_get(&t->index_of_name, name.value, 0);
    if (known)
        return known;
    ct_array_push(&t->items, (ct_render_texture){0});
    ct_hash_map_set(&t->index_of_name, name.value, t->items.count - 1);
    return t->items.count - 1;
}

static ct_render_sampler sampler_of(const ct_texture_resource *blob) {
    const bool is_clamped = blob->wrap == CT_TEXTURE_WRAP_CLAMP;
    if (blob->filter == CT_TEXTURE_FILTER_NEAREST)
        return is_clamped ? CT_RENDER_SAMPLER_NEAREST_CLAMP : CT_RENDER_SAMPLER_NEAREST_REPEAT;
    return is_clamped ? CT_RENDER_SAMPLER_LINEAR_CLAMP : CT_RENDER_SAMPLER_LINEAR_REPEAT;
}

void ct_render_textures_set(ct_render_textures *t, ct_string_id64 name,
                            const ct_texture_resource *blob) {
    ct_render_context *c = t->context;
    const uint32_t index = ct_render_textures_index(t, name); // may move the items
    ct_render_texture *x = &t->items.items[index];
    ct_render_retire_image(&c->retire, &x->image);
    ++c->version;
    if (!blob)
        return;
    const VkFormat format = blob->format == CT_TEXTURE_FORMAT_RGBA8_SRGB ? VK_FORMAT_R8G8B8A8_SRGB
                                                                         : VK_FORMAT_R8G8B8A8_UNORM;
    x->sampler = sampler_of(blob);
    x->image = upload(c, format, blob, ct_blob_at(blob, blob->mips.offset), blob->mips.count);
}

bool ct_render_textures_is_online(const ct_render_textures *t, uint32_t index) {
    return t->items.items[index].image.handle != VK_NULL_HANDLE;
}

const ct_render_texture *ct_render_textures_get(const ct_render_textures *t, uint32_t index) {
    return &t->items.items[ct_render_textures_is_online(t, index) ? index : 0];
}
