// render_target.h: a picture that a render config draws to and reads, and the barriers between.
//
// What a step needs of a target's mips (drawn to, read, copied) is noted as their use; from the
// last use and the next one follow barrier and layout. What is drawn to is mip 0. Barriers are
// collected and recorded together. Render thread.
#pragma once
#include "render/device/render_context.h"

enum {
    // Each mip of what a step reads and writes, and the shadow map.
    CT_RENDER_MAX_BARRIERS =
        (CT_RENDER_MAX_INPUTS + CT_RENDER_MAX_COLOR_TARGETS + 1) * CT_RENDER_MAX_MIPS + 1,
};

// How a mip was used last.
typedef enum ct_render_use {
    CT_RENDER_USE_NONE, // its content means nothing
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
    VkImageView mip_views[CT_RENDER_MAX_MIPS]; // none when there is but one mip
    uint8_t uses[CT_RENDER_MAX_MIPS];          // ct_render_use
    bool is_clear_pending;
    VkClearValue clear;
} ct_render_graph_target;

// Barriers that are recorded together.
typedef struct ct_render_barriers {
    VkImageMemoryBarrier2 items[CT_RENDER_MAX_BARRIERS];
    uint32_t count;
} ct_render_barriers;

// The device's format for a ct_render_format.
VkFormat ct_render_target_format(uint32_t format);

// The size in pixels of a target for a back buffer of this size.
void ct_render_target_size(const ct_render_target *desc, uint32_t back_width, uint32_t back_height,
                           uint32_t *width, uint32_t *height);

// Makes the image for a back buffer of this size; `usage` beside being drawn to and read.
void ct_render_target_create_image(const ct_render_device *d, ct_render_graph_target *t,
                                   uint32_t back_width, uint32_t back_height,
                                   VkImageUsageFlags usage);

// Gives the image to the retire queue and forgets what it was used for; none is fine.
void ct_render_target_drop_image(ct_render_context *c, ct_render_graph_target *t);

// A view of one mip, or (CT_RENDER_ALL_MIPS) of all; of the last when there are fewer.
VkImageView ct_render_target_view(const ct_render_graph_target *t, uint32_t mip);

// What the device can do with a format.
VkFormatFeatureFlags ct_render_format_features(const ct_render_device *d, VkFormat format);

// The layout that an image has while it is used so.
VkImageLayout ct_render_use_layout(ct_render_use use);

// Notes that a mip of `t` (or CT_RENDER_ALL_MIPS) is used so from now on, and adds the barriers
// that this needs.
void ct_render_barriers_add(ct_render_barriers *b, ct_render_graph_target *t, uint32_t mip,
                            ct_render_use use);

// Records what was added, outside of a rendering.
void ct_render_barriers_record(const ct_render_context *c, const ct_render_barriers *b);
