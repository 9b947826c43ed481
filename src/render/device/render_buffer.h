// render_buffer.h: buffers and images with their memory.
//
// Plain handles, no reference counts: the code that makes one destroys it, or gives it to the
// retire queue when the device may still use it. Running out of device memory counts as a lost
// device (vulkan_guard.h); no function here returns a failure. Render thread.
#pragma once
#include "render/device/render_memory.h"

// Zeroed: no buffer.
typedef struct ct_render_buffer {
    VkBuffer handle;
    uint64_t size_bytes;
    ct_render_allocation allocation; // .mapped for UPLOAD and READBACK
} ct_render_buffer;

// Makes a buffer of `size_bytes` (not 0) with memory for this use. Its content is undefined.
ct_render_buffer ct_render_buffer_create(const ct_render_device *d, uint64_t size_bytes,
                                         VkBufferUsageFlags usage, ct_render_memory_use use);

// Returns where the device finds the buffer, which has the usage SHADER_DEVICE_ADDRESS; 0 when the
// device is lost.
uint64_t ct_render_buffer_address(const ct_render_device *d, const ct_render_buffer *b);

// Destroys the buffer at once, frees its memory and zeroes it; a zeroed one is fine.
void ct_render_buffer_destroy(const ct_render_device *d, ct_render_buffer *b);

// A 2D image of one or more layers with a view of all its mips and layers. Zeroed: no image.
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

// Makes an image with memory of the device and its view; depth when the format is
// VK_FORMAT_D32_SFLOAT, else colour. Its content and layout are undefined.
ct_render_image ct_render_image_create(const ct_render_device *d, const ct_render_image_desc *desc);

// Makes a view of `num_mips` mips from `first_mip` on of the image's first layer. The caller
// destroys or retires it.
VkImageView ct_render_view_create(const ct_render_device *d, const ct_render_image *image,
                                  uint32_t first_mip, uint32_t num_mips);

// Destroys the image at once with its view, frees its memory and zeroes it; a zeroed one is fine.
void ct_render_image_destroy(const ct_render_device *d, ct_render_image *image);
