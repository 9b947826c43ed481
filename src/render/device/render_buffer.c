#include "render/device/render_buffer.h"

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

uint64_t ct_render_buffer_address(const ct_render_device *d, const ct_render_buffer *b) {
    const VkBufferDeviceAddressInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
                                            .buffer = b->handle};
    return d->vk.GetBufferDeviceAddress(d->handle, &info);
}

void ct_render_buffer_destroy(const ct_render_device *d, ct_render_buffer *b) {
    d->vk.DestroyBuffer(d->handle, b->handle, &d->callbacks);
    ct_render_memory_free(d->memory, &b->allocation);
    *b = (ct_render_buffer){0};
}

static VkImageView create_view(const ct_render_device *d, const ct_render_image *image,
                               VkImageViewType type, uint32_t first_mip, uint32_t num_mips,
                               uint32_t num_layers) {
    const VkImageViewCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
                                        .image = image->handle,
                                        .viewType = type,
                                        .format = image->format,
                                        .subresourceRange = {.aspectMask = image->aspect,
                                                             .baseMipLevel = first_mip,
                                                             .levelCount = num_mips,
                                                             .layerCount = num_layers}};
    VkImageView view = VK_NULL_HANDLE;
    ct_render_check(d->vk.CreateImageView(d->handle, &info, &d->callbacks, &view),
                    "vkCreateImageView");
    return view;
}

VkImageView ct_render_view_create(const ct_render_device *d, const ct_render_image *image,
                                  uint32_t first_mip, uint32_t num_mips) {
    return create_view(d, image, VK_IMAGE_VIEW_TYPE_2D, first_mip, num_mips, 1);
}

static VkImage create_image(const ct_render_device *d, const ct_render_image_desc *desc,
                            uint32_t num_layers) {
    const bool is_cube = desc->view_type == VK_IMAGE_VIEW_TYPE_CUBE;
    const VkImageCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                                    .flags = is_cube ? VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT : 0,
                                    .imageType = VK_IMAGE_TYPE_2D,
                                    .format = desc->format,
                                    .extent = {desc->width, desc->height, 1},
                                    .mipLevels = desc->num_mips,
                                    .arrayLayers = num_layers,
                                    .samples = VK_SAMPLE_COUNT_1_BIT,
                                    .tiling = VK_IMAGE_TILING_OPTIMAL,
                                    .usage = desc->usage,
                                    .sharingMode = VK_SHARING_MODE_EXCLUSIVE,
                                    .initialLayout = VK_IMAGE_LAYOUT_UNDEFINED};
    VkImage image = VK_NULL_HANDLE;
    ct_render_check(d->vk.CreateImage(d->handle, &info, &d->callbacks, &image), "vkCreateImage");
    return image;
}

ct_render_image ct_render_image_create(const ct_render_device *d,
                                       const ct_render_image_desc *desc) {
    const VkImageViewType view_type = desc->view_type ? desc->view_type : VK_IMAGE_VIEW_TYPE_2D;
    const bool is_depth = desc->format == VK_FORMAT_D32_SFLOAT;
    ct_render_image image = {.format = desc->format,
                             .width = desc->width,
                             .height = desc->height,
                             .num_mips = desc->num_mips,
                             .num_layers = desc->num_layers ? desc->num_layers : 1,
                             .aspect =
                                 is_depth ? VK_IMAGE_ASPECT_DEPTH_BIT : VK_IMAGE_ASPECT_COLOR_BIT};
    image.handle = create_image(d, desc, image.num_layers);
    // What a lost device leaves.
    VkMemoryRequirements requirements = {.size = 1, .alignment = 1, .memoryTypeBits = UINT32_MAX};
    d->vk.GetImageMemoryRequirements(d->handle, image.handle, &requirements);
    image.allocation =
        ct_render_memory_allocate(d->memory, &requirements, CT_RENDER_MEMORY_USE_DEVICE, true);
    ct_render_check(d->vk.BindImageMemory(d->handle, image.handle, image.allocation.memory,
                                          image.allocation.offset),
                    "vkBindImageMemory");
    image.view = create_view(d, &image, view_type, 0, desc->num_mips, image.num_layers);
    return image;
}

void ct_render_image_destroy(const ct_render_device *d, ct_render_image *image) {
    d->vk.DestroyImageView(d->handle, image->view, &d->callbacks);
    d->vk.DestroyImage(d->handle, image->handle, &d->callbacks);
    ct_render_memory_free(d->memory, &image->allocation);
    *image = (ct_render_image){0};
}
