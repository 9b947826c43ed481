#include "render/object/render_pictures.h"

#include "foundation/container/array.h"

void ct_render_pictures_init(ct_render_pictures *p, ct_allocator *a) {
    ct_array_init(&p->requests, a);
    ct_array_init(&p->views, a);
    ct_array_init(&p->pending, a);
}

void ct_render_pictures_free(ct_render_pictures *p) {
    ct_array_free(&p->requests);
    ct_array_free(&p->views);
    ct_array_free(&p->pending);
}

void ct_render_pictures_refuse(ct_render_pictures *p) {
    for (uint32_t i = 0; i < p->requests.count; ++i)
        p->requests.items[i].done(p->requests.items[i].user, NULL, 0, 0);
    p->requests.count = 0;
    ct_render_pictures_refuse_views(p);
}

void ct_render_pictures_refuse_views(ct_render_pictures *p) {
    for (uint32_t i = 0; i < p->views.count; ++i)
        p->views.items[i]->picture.done(p->views.items[i]->picture.user, NULL, 0, 0);
    p->views.count = 0;
}

void ct_render_pictures_drop(ct_render_pictures *p, ct_render_context *c) {
    ct_render_pictures_refuse(p);
    for (uint32_t i = 0; i < p->pending.count; ++i) {
        ct_render_pending_picture *const x = &p->pending.items[i];
        x->request.done(x->request.user, NULL, 0, 0);
        ct_render_retire_buffer(&c->retire, &x->buffer);
    }
    p->pending.count = 0;
}

static float clamp_fraction(float x, float least) {
    return x >= least ? (x < 1 ? x : 1) : least; // NaN is `least`
}

// Returns the pixels of a rectangle of fractions, inside of an image of this size.
static VkRect2D area_of(const float rectangle[4], uint32_t width, uint32_t height) {
    const float left = clamp_fraction(rectangle[0], 0), top = clamp_fraction(rectangle[1], 0);
    const float right = clamp_fraction(rectangle[0] + rectangle[2], left);
    const float bottom = clamp_fraction(rectangle[1] + rectangle[3], top);
    const uint32_t x = (uint32_t)(left * (float)width + 0.5f);
    const uint32_t y = (uint32_t)(top * (float)height + 0.5f);
    return (VkRect2D){{(int32_t)x, (int32_t)y},
                      {(uint32_t)(right * (float)width + 0.5f) - x,
                       (uint32_t)(bottom * (float)height + 0.5f) - y}};
}

ct_render_buffer ct_render_copy_back_buffer(ct_render_graph *g, VkRect2D area) {
    const ct_render_context *const c = g->context;
    const uint64_t size_bytes = (uint64_t)area.extent.width * area.extent.height * 4;
    ct_render_graph_use(g, ct_render_graph_back_buffer(g), CT_RENDER_USE_COPY_SOURCE);
    const ct_render_buffer b = ct_render_buffer_create(
        c->device, size_bytes, VK_BUFFER_USAGE_TRANSFER_DST_BIT, CT_RENDER_MEMORY_USE_READBACK);
    const VkBufferImageCopy copy = {
        .imageSubresource = {.aspectMask = VK_IMAGE_ASPECT_COLOR_BIT, .layerCount = 1},
        .imageOffset = {area.offset.x, area.offset.y, 0},
        .imageExtent = {area.extent.width, area.extent.height, 1}};
    c->device->vk.CmdCopyImageToBuffer(c->commands, ct_render_graph_back_buffer(g)->image.handle,
                                       VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, b.handle, 1, &copy);
    return b;
}

void ct_render_end_copies(const ct_render_context *c) {
    const VkMemoryBarrier2 barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2,
                                      .srcStageMask = VK_PIPELINE_STAGE_2_COPY_BIT,
                                      .srcAccessMask = VK_ACCESS_2_TRANSFER_WRITE_BIT,
                                      .dstStageMask = VK_PIPELINE_STAGE_2_HOST_BIT,
                                      .dstAccessMask = VK_ACCESS_2_HOST_READ_BIT};
    const VkDependencyInfo info = {.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
                                   .memoryBarrierCount = 1,
                                   .pMemoryBarriers = &barrier};
    c->device->vk.CmdPipelineBarrier2(c->commands, &info);
}

void ct_render_pictures_record_one(ct_render_pictures *p, ct_render_graph *g, uint64_t frame,
                                   const ct_render_command_picture *request) {
    const ct_render_image *const image = &ct_render_graph_back_buffer(g)->image;
    const VkRect2D area = area_of(request->rectangle, image->width, image->height);
    if (area.extent.width == 0 || area.extent.height == 0) {
        request->done(request->user, NULL, 0, 0);
        return;
    }
    ct_array_push(&p->pending,
                  (ct_render_pending_picture){.buffer = ct_render_copy_back_buffer(g, area),
                                              .width = area.extent.width,
                                              .height = area.extent.height,
                                              .frame = frame,
                                              .request = *request});
}

void ct_render_pictures_record(ct_render_pictures *p, ct_render_graph *g, uint64_t frame) {
    if (p->requests.count == 0)
        return;
    for (uint32_t i = 0; i < p->requests.count; ++i)
        ct_render_pictures_record_one(p, g, frame, &p->requests.items[i]);
    p->requests.count = 0;
    ct_render_end_copies(g->context);
}

void ct_render_pictures_deliver(ct_render_pictures *p, ct_render_context *c, uint64_t completed) {
    uint32_t count = 0;
    while (count < p->pending.count && p->pending.items[count].frame <= completed) {
        ct_render_pending_picture *const x = &p->pending.items[count++];
        x->request.done(x->request.user, x->buffer.allocation.mapped, x->width, x->height);
        ct_render_retire_buffer(&c->retire, &x->buffer);
    }
    ct_array_erase(&p->pending, 0, count);
}
