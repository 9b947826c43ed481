// render_buffer.h: buffers and images with their memory.
//
// Plain handles, no reference counts: who makes one destroys it, or gives it to the retire queue
// when the device may still use it. Render thread.
#pragma once
#include "render/device/render_memory.h"

// A zeroed one is none.
typedef struct ct_render_buffer {
    VkBuffer handle;
    uint64_t size_bytes;
    ct_render_allocation allocation; // .mapped for UPLOAD and READBACK
} ct_render_buffer;

ct_render_buffer ct_render_buffer_create(const ct_render_device *d, uint64_t size_bytes,
                                         VkBufferUsageFlags usage, ct_render_memory_use use);

// Frees it at once and zeroes it; none is fine.
void ct_render_buffer_destroy(const ct_render_device *d, ct_render_buffer *b);

// A 2D image of one or more layers with a view of all its mips and layers. A zeroed one is none.
typedef struct ct_render_image {
    VkImage handle;
    VkImageView view;
    VkFormat format;
    uint32_t width, height, num_mips, num_layers;
    VkImageAspectFlags aspect;
    ct_render_allocation allocation;
} ct_render_image;

typedef struct ct_render_image_desc {
    VkFormat format;
    uint32_t width, height, num_mips;
    uint32_t num_layers;       // 0: 1
    VkImageViewType view_type; // 0: of one layer; VK_IMAGE_VIEW_TYPE_2D_ARRAY or _CUBE (6 layers)
    VkImageUsageFlags usage;
} ct_render_image_desc;

ct_render_image ct_render_image_create(const ct_render_device *d, const ct_render_image_desc *desc);

// A view of the mips from `first_mip` on of an image's first layer.
VkImageView ct_render_view_create(const ct_render_device *d, const ct_render_image *image,
                                  uint32_t first_mip, uint32_t num_mips);
void ct_render_image_destroy(const ct_render_device *d, ct_render_image *image);
