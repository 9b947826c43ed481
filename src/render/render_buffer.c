#include "render/render_buffer.h"

ct_render_buffer ct_render_buffer_create(const ct_render_device *d, uint64_t size_bytes,
                                         VkBufferUsageFlags usage, ct_render_memory_use use) {
    const VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                     .size = size_bytes,
                                     .usage = usage,
                                     .sharingMode = VK_SHARING_MODE_EXCLUSIVE};
    ct_render_buffer b = {.size_bytes = size_bytes};
    ct_render_check(d->vk.CreateBuffer(d->handle, &info, &d->callbacks, &b.handle),
                    "vkCreateBuffer");
    // What a lost device leaves.
    VkMemoryRequirements requirements = {
        .size = size_bytes, .alignment = 16, .memoryTypeBits = UINT32_MAX};
    d->vk.GetBufferMemoryRequirements(d->handle, b.handle, &requirements);
    b.allocation = ct_render_memory_allocate(d->memory, &requirements, use, false);
    ct_render_check(
        d->vk.BindBufferMemory(d->handle, b.handle, b.allocation.memory, b.allocation.offset),
        "vkBindBufferMemory");
    return b;
}

void ct_render_buffer_destroy(const ct_render_device *d, ct_render_buffer *b) {
    d->vk.DestroyBuffer(d->handle, b->handle, &d->callbacks);
    ct_render_memory_free(d->memory, &b->allocation);
    *b = (ct_render_buffer){0};
}

VkImageView ct_render_view_create(const ct_render_device *d, const ct_render_image *image,
                                  uint32_t first_mip, uint32_t num_mips) {
    const VkImageViewCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
                                        .image = image->handle,
                                        .viewType = VK_IMAGE_VIEW_TYPE_2D,
                                        .format = image->format,
                                        .subresourceRange = {.aspectMask = image->aspect,
                                                             .baseMipLevel = first_mip,
                                                             .levelCount = num_mips,
                                                             .layerCount = 1}};
    VkImageView view = VK_NULL_HANDLE;
    ct_render_check(d->vk.CreateImageView(d->handle, &info, &d->callbacks, &view),
                    "vkCreateImageView");
    return view;
}

ct_render_image ct_render_image_create(const ct_render_device *d, VkFormat format, uint32_t width,
                                       uint32_t height, uint32_t num_mips,
                                       VkImageUsageFlags usage) {
    const VkImageCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                                    .imageType = VK_IMAGE_TYPE_2D,
                                    .format = format,
                                    .extent = {width, height, 1},
                                    .mipLevels = num_mips,
                                    .arrayLayers = 1,
                                    .samples = VK_SAMPLE_COUNT_1_BIT,
                                    .tiling = VK_IMAGE_TILING_OPTIMAL,
                                    .usage = usage,
                                    .sharingMode = VK_SHARING_MODE_EXCLUSIVE,
                                    .initialLayout = VK_IMAGE_LAYOUT_UNDEFINED};
    ct_render_image image = {.format = format,
                             .width = width,
                             .height = height,
                             .num_mips = num_mips,
                             .aspect = format == VK_FORMAT_D32_SFLOAT ? VK_IMAGE_ASPECT_DEPTH_BIT
                                                                      : VK_IMAGE_ASPECT_COLOR_BIT};
    ct_render_check(d->vk.CreateImage(d->handle, &info, &d->callbacks, &image.handle),
                    "vkCreateImage");
    VkMemoryRequirements requirements = {.size = 1, .alignment = 1, .memoryTypeBits = UINT32_MAX};
    d->vk.GetImageMemoryRequirements(d->handle, image.handle, &requirements);
    image.allocation =
        ct_render_memory_allocate(d->memory, &requirements, CT_RENDER_MEMORY_USE_DEVICE, true);
    ct_render_check(d->vk.BindImageMemory(d->handle, image.handle, image.allocation.memory,
                                          image.allocation.offset),
                    "vkBindImageMemory");
    image.view = ct_render_view_create(d, &image, 0, num_mips);
    return image;
}

void ct_render_image_destroy(const ct_render_device *d, ct_render_image *image) {
    d->vk.DestroyImageView(d->handle, image->view, &d->callbacks);
    d->vk.DestroyImage(d->handle, image->handle, &d->callbacks);
    ct_render_memory_free(d->memory, &image->allocation);
    *image = (ct_render_image){0};
}
