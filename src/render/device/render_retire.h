// render_retire.h: destroys device objects once the device is done with the frame that last used
// them.
//
// A first-in first-out queue: frames only go forward. Render thread.
#pragma once
#include "foundation/container/ring.h"
#include "render/device/render_buffer.h"

typedef struct ct_render_retire {
    const ct_render_device *device;
    ct_ring queue;
    uint64_t frame; // the one being recorded
} ct_render_retire;

void ct_render_retire_init(ct_render_retire *r, const ct_render_device *d);

// Destroys what is left; the device must be idle.
void ct_render_retire_flush(ct_render_retire *r);

// As above, for good.
void ct_render_retire_shutdown(ct_render_retire *r);

// Starts the recording of `frame`, and destroys what frames up to `completed` used last.
void ct_render_retire_begin_frame(ct_render_retire *r, uint64_t frame, uint64_t completed);

// Each takes an object over, to be destroyed when the frame being recorded is done; none is fine.
void ct_render_retire_buffer(ct_render_retire *r, ct_render_buffer *b);   // zeroes it
void ct_render_retire_image(ct_render_retire *r, ct_render_image *image); // zeroes it
void ct_render_retire_view(ct_render_retire *r, VkImageView view);
void ct_render_retire_pipeline(ct_render_retire *r, VkPipeline pipeline);
void ct_render_retire_pipeline_layout(ct_render_retire *r, VkPipelineLayout layout);
void ct_render_retire_set_layout(ct_render_retire *r, VkDescriptorSetLayout layout);
void ct_render_retire_set(ct_render_retire *r, VkDescriptorPool pool, VkDescriptorSet set);
