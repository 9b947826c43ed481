// render_buffer.h: buffers and images with their memory.
//
// Plain handles, no reference counts: who makes one destroys it, or gives it to the retire queue
// when the device may still use it. Render thread.
#pragma once
#include "render/render_memory.h"

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

// A 2D image with a view of all its mips. A zeroed one is none.
typedef struct ct_render_image {
    VkImage handle;
    VkImageView view;
    VkFormat format;
    uint32_t width, height, num_mips;
    VkImageAspectFlags aspect;
    ct_render_allocation allocation;
} ct_render_image;

ct_render_image ct_render_image_create(const ct_render_device *d, VkFormat format, uint32_t width,
                                       uint32_t height, uint32_t num_mips, VkImageUsageFlags usage);

// A view of the mips from `first_mip` on of an image.
VkImageView ct_render_view_create(const ct_render_device *d, const ct_render_image *image,
                                  uint32_t first_mip, uint32_t num_mips);
void ct_render_image_destroy(const ct_render_device *d, ct_render_image *image);
