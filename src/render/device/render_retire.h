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

// Makes an empty queue for objects of `d`, which must outlive it.
void ct_render_retire_init(ct_render_retire *r, const ct_render_device *d);

// Destroys everything in the queue. The device must be idle.
void ct_render_retire_flush(ct_render_retire *r);

// Destroys everything in the queue, and the queue. The device must be idle.
void ct_render_retire_shutdown(ct_render_retire *r);

// Starts the recording of `frame`, and destroys the objects that were retired in frames up to
// `completed`.
void ct_render_retire_begin_frame(ct_render_retire *r, uint64_t frame, uint64_t completed);

// The functions below take an object and destroy it when the device is done with the frame being
// recorded. They do nothing for an object that is zeroed or VK_NULL_HANDLE.

// Retires a buffer with its memory, and zeroes `b`.
void ct_render_retire_buffer(ct_render_retire *r, ct_render_buffer *b);

// Retires an image with its view and its memory, and zeroes `image`.
void ct_render_retire_image(ct_render_retire *r, ct_render_image *image);

// Retires a view that belongs to no ct_render_image.
void ct_render_retire_view(ct_render_retire *r, VkImageView view);

// Retires a pipeline for drawing or for compute.
void ct_render_retire_pipeline(ct_render_retire *r, VkPipeline pipeline);

// Retires the layout of a pipeline.
void ct_render_retire_pipeline_layout(ct_render_retire *r, VkPipelineLayout layout);

// Retires the layout of descriptor sets.
void ct_render_retire_set_layout(ct_render_retire *r, VkDescriptorSetLayout layout);

// Retires a descriptor set, which goes back to `pool`.
void ct_render_retire_set(ct_render_retire *r, VkDescriptorPool pool, VkDescriptorSet set);
