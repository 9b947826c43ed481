// render_target.h: the targets that a render config draws to and reads, and their barriers.
//
// Each mip of a target remembers its last use (drawn to, read, copied). The last use and the next
// one determine barrier and layout. Barriers are collected and recorded
// together. Render thread.
#pragma once
#include "render/device/render_context.h"

enum {
    // Each mip of all targets that a step reads and writes, the shadow map, and each mip of the
    // pictures of the frame.
    CT_RENDER_MAX_BARRIERS =
        (CT_RENDER_MAX_INPUTS + CT_RENDER_MAX_COLOR_TARGETS + 1 + CT_RENDER_FRAME_PICTURES) *
            CT_RENDER_MAX_MIPS +
        1,
};

// How a mip was used last.
typedef enum ct_render_use {
    CT_RENDER_USE_NONE, // its content is undefined
    CT_RENDER_USE_COLOR,
    CT_RENDER_USE_DEPTH,
    CT_RENDER_USE_SAMPLED,
    CT_RENDER_USE_COPY_SOURCE,
    CT_RENDER_USE_COPY_TARGET,
    CT_RENDER_USE_STORAGE, // read and written by a compute shader
    CT_RENDER_USE_COUNT,
} ct_render_use;

typedef struct ct_render_graph_target {
    ct_render_target desc;
    ct_render_image image;
    VkFormatFeatureFlags features;             // of its format
    VkImageView mip_views[CT_RENDER_MAX_MIPS]; // VK_NULL_HANDLE when there is only one mip
    uint8_t uses[CT_RENDER_MAX_MIPS];          // ct_render_use
    bool is_clear_pending;
    VkClearValue clear;
} ct_render_graph_target;

// Barriers that are recorded together.
typedef struct ct_render_barriers {
    VkImageMemoryBarrier2 items[CT_RENDER_MAX_BARRIERS];
    uint32_t count;
} ct_render_barriers;

// Returns the Vulkan format for a ct_render_format.
VkFormat ct_render_target_format(uint32_t format);

// Gives the size in pixels of a target for a back buffer of this size.
void ct_render_target_size(const ct_render_target *desc, uint32_t back_width, uint32_t back_height,
                           uint32_t *width, uint32_t *height);

// Makes the image for a back buffer of this size. `usage` adds to the usages that all targets have:
// to be drawn to and to be read.
void ct_render_target_create_image(const ct_render_device *d, ct_render_graph_target *t,
                                   uint32_t back_width, uint32_t back_height,
                                   VkImageUsageFlags usage);

// Gives the image to the retire queue and resets the uses of its mips. Does nothing without an
// image.
void ct_render_target_drop_image(ct_render_context *c, ct_render_graph_target *t);

// Returns a view of one mip, or of all (CT_RENDER_ALL_MIPS); of the last mip when there are fewer.
// Borrowed from the target.
VkImageView ct_render_target_view(const ct_render_graph_target *t, uint32_t mip);

// Returns what the device can do with a format in optimal tiling.
VkFormatFeatureFlags ct_render_format_features(const ct_render_device *d, VkFormat format);

// Returns the layout that an image must have for this use.
VkImageLayout ct_render_use_layout(ct_render_use use);

// Notes that a mip of `t` (or CT_RENDER_ALL_MIPS) has this use from now on, and adds the barriers
// that the change needs.
void ct_render_barriers_add(ct_render_barriers *b, ct_render_graph_target *t, uint32_t mip,
                            ct_render_use use);

// Records the barriers that were added, outside of a rendering.
void ct_render_barriers_record(const ct_render_context *c, const ct_render_barriers *b);
