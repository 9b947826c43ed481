#include "render/device/render_retire.h"

typedef enum retired_kind {
    RETIRED_BUFFER,
    RETIRED_IMAGE,
    RETIRED_VIEW,
    RETIRED_PIPELINE,
    RETIRED_PIPELINE_LAYOUT,
    RETIRED_SET_LAYOUT,
    RETIRED_SET,
} retired_kind;

typedef struct retired {
    uint64_t frame; // the last that used it
    retired_kind kind;
    union {
        ct_render_buffer buffer;
        ct_render_image image;
        VkImageView view;
        VkPipeline pipeline;
        VkPipelineLayout pipeline_layout;
        VkDescriptorSetLayout set_layout;
        struct {
            VkDescriptorPool pool;
            VkDescriptorSet set;
        } set;
    } object;
} retired;

void ct_render_retire_init(ct_render_retire *r, const ct_render_device *d) {
    *r = (ct_render_retire){.device = d};
    ct_ring_init(&r->queue, d->allocator, sizeof(retired));
}

static void destroy(const ct_render_device *d, retired *x) {
    switch (x->kind) {
    case RETIRED_BUFFER:
        ct_render_buffer_destroy(d, &x->object.buffer);
        break;
    case RETIRED_IMAGE:
        ct_render_image_destroy(d, &x->object.image);
        break;
    case RETIRED_VIEW:
        d->vk.DestroyImageView(d->handle, x->object.view, &d->callbacks);
        break;
    case RETIRED_PIPELINE:
        d->vk.DestroyPipeline(d->handle, x->object.pipeline, &d->callbacks);
        break;
    case RETIRED_PIPELINE_LAYOUT:
        d->vk.DestroyPipelineLayout(d->handle, x->object.pipeline_layout, &d->callbacks);
        break;
    case RETIRED_SET_LAYOUT:
        d->vk.DestroyDescriptorSetLayout(d->handle, x->object.set_layout, &d->callbacks);
        break;
    case RETIRED_SET:
        d->vk.FreeDescriptorSets(d->handle, x->object.set.pool, 1, &x->object.set.set);
        break;
    }
}

static void destroy_until(ct_render_retire *r, uint64_t completed) {
    while (r->queue.count) {
        const retired *const oldest = ct_ring_at(&r->queue, 0);
        if (oldest->frame > completed)
            return;
        retired x;
        ct_ring_pop(&r->queue, &x);
        destroy(r->device, &x);
    }
}

void ct_render_retire_flush(ct_render_retire *r) {
    destroy_until(r, UINT64_MAX);
}

void ct_render_retire_shutdown(ct_render_retire *r) {
    if (!r->device)
        return;
    ct_render_retire_flush(r);
    ct_ring_free(&r->queue);
}

void ct_render_retire_begin_frame(ct_render_retire *r, uint64_t frame, uint64_t completed) {
    r->frame = frame;
    destroy_until(r, completed);
}

static void push(ct_render_retire *r, retired x) {
    x.frame = r->frame;
    ct_ring_push(&r->queue, &x);
}

void ct_render_retire_buffer(ct_render_retire *r, ct_render_buffer *b) {
    // A lost device gave memory without a handle.
    if (b->handle || b->allocation.block)
        push(r, (retired){.kind = RETIRED_BUFFER, .object.buffer = *b});
    *b = (ct_render_buffer){0};
}

void ct_render_retire_image(ct_render_retire *r, ct_render_image *image) {
    if (image->handle || image->allocation.block)
        push(r, (retired){.kind = RETIRED_IMAGE, .object.image = *image});
    *image = (ct_render_image){0};
}

void ct_render_retire_view(ct_render_retire *r, VkImageView view) {
    if (view)
        push(r, (retired){.kind = RETIRED_VIEW, .object.view = view});
}

void ct_render_retire_pipeline(ct_render_retire *r, VkPipeline pipeline) {
    if (pipeline)
        push(r, (retired){.kind = RETIRED_PIPELINE, .object.pipeline = pipeline});
}

void ct_render_retire_pipeline_layout(ct_render_retire *r, VkPipelineLayout layout) {
    if (layout)
        push(r, (retired){.kind = RETIRED_PIPELINE_LAYOUT, .object.pipeline_layout = layout});
}

void ct_render_retire_set_layout(ct_render_retire *r, VkDescriptorSetLayout layout) {
    if (layout)
        push(r, (retired){.kind = RETIRED_SET_LAYOUT, .object.set_layout = layout});
}

void ct_render_retire_set(ct_render_retire *r, VkDescriptorPool pool, VkDescriptorSet set) {
    if (set)
        push(r, (retired){.kind = RETIRED_SET, .object.set = {.pool = pool, .set = set}});
}
