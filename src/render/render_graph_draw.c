// The rendering that is open: what steps draw to, clear and read.
#include "render/render_graph.h"

#include <string.h>

static void end_rendering(ct_render_graph *g) {
    if (g->is_rendering)
        g->context->device->vk.CmdEndRendering(g->context->commands);
    g->is_rendering = false;
}

void ct_render_graph_use(ct_render_graph *g, ct_render_graph_target *target, ct_render_use use) {
    end_rendering(g);
    ct_render_barriers b = {.count = 0};
    ct_render_barriers_add(&b, target, use);
    ct_render_barriers_record(g->context, &b);
}

static uint32_t least(uint32_t a, uint32_t b) {
    return a < b ? a : b;
}

// The view's rectangle in pixels of these attachments, the smallest of which decides.
static VkRect2D render_area(const ct_render_graph *g, const ct_render_attachments *x) {
    uint32_t width = UINT32_MAX, height = UINT32_MAX;
    for (uint32_t i = 0; i <= x->num_colors; ++i) {
        const uint32_t target = i < x->num_colors ? x->colors[i] : x->depth;
        if (target == CT_RENDER_GRAPH_NO_TARGET)
            continue;
        const ct_render_image *image = &g->targets[target].image;
        width = least(width, image->width);
        height = least(height, image->height);
    }
    const float w = (float)width, h = (float)height;
    const float *r = g->rectangle;
    // At least one pixel, wherever the rectangle lies.
    const uint32_t left = least((uint32_t)(r[0] * w + 0.5f), width - 1);
    const uint32_t top = least((uint32_t)(r[1] * h + 0.5f), height - 1);
    const uint32_t right = least((uint32_t)((r[0] + r[2]) * w + 0.5f), width);
    const uint32_t bottom = least((uint32_t)((r[1] + r[3]) * h + 0.5f), height);
    return (VkRect2D){{(int32_t)left, (int32_t)top},
                      {right > left ? right - left : 1, bottom > top ? bottom - top : 1}};
}

static VkRenderingAttachmentInfo attachment_info(ct_render_graph_target *t, bool was_unused) {
    VkRenderingAttachmentInfo info = {.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
                                      .imageView = t->image.view,
                                      .imageLayout = ct_render_use_layout(t->use),
                                      .loadOp = VK_ATTACHMENT_LOAD_OP_LOAD,
                                      .storeOp = VK_ATTACHMENT_STORE_OP_STORE};
    if (t->is_clear_pending) {
        info.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
        info.clearValue = t->clear;
    } else if (was_unused) {
        info.loadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE;
    }
    t->is_clear_pending = false;
    return info;
}

static void begin_rendering(ct_render_graph *g, const ct_render_attachments *x,
                            ct_render_barriers *b) {
    VkRenderingAttachmentInfo colors[CT_RENDER_MAX_COLOR_TARGETS], depth = {0};
    for (uint32_t i = 0; i < x->num_colors; ++i) {
        ct_render_graph_target *t = &g->targets[x->colors[i]];
        const bool was_unused = t->use == CT_RENDER_USE_NONE;
        ct_render_barriers_add(b, t, CT_RENDER_USE_COLOR);
        colors[i] = attachment_info(t, was_unused);
    }
    const bool has_depth = x->depth != CT_RENDER_GRAPH_NO_TARGET;
    if (has_depth) {
        ct_render_graph_target *t = &g->targets[x->depth];
        const bool was_unused = t->use == CT_RENDER_USE_NONE;
        ct_render_barriers_add(b, t, CT_RENDER_USE_DEPTH);
        depth = attachment_info(t, was_unused);
    }
    ct_render_barriers_record(g->context, b);
    const ct_vulkan_api *vk = &g->context->device->vk;
    const VkRect2D area = render_area(g, x);
    const VkRenderingInfo info = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
                                  .renderArea = area,
                                  .layerCount = 1,
                                  .colorAttachmentCount = x->num_colors,
                                  .pColorAttachments = colors,
                                  .pDepthAttachment = has_depth ? &depth : NULL};
    vk->CmdBeginRendering(g->context->commands, &info);
    const VkViewport viewport = {(float)area.offset.x,
                                 (float)area.offset.y,
                                 (float)area.extent.width,
                                 (float)area.extent.height,
                                 0.0f,
                                 1.0f};
    vk->CmdSetViewport(g->context->commands, 0, 1, &viewport);
    vk->CmdSetScissor(g->context->commands, 0, 1, &area);
    g->open = *x;
    g->is_rendering = true;
}

static bool is_same(const ct_render_attachments *a, const ct_render_attachments *b) {
    if (a->num_colors != b->num_colors || a->depth != b->depth)
        return false;
    for (uint32_t i = 0; i < a->num_colors; ++i)
        if (a->colors[i] != b->colors[i])
            return false;
    return true;
}

static bool has_pending_clear(const ct_render_graph *g, const ct_render_attachments *x) {
    bool pending = x->depth != CT_RENDER_GRAPH_NO_TARGET && g->targets[x->depth].is_clear_pending;
    for (uint32_t i = 0; i < x->num_colors; ++i)
        pending |= g->targets[x->colors[i]].is_clear_pending;
    return pending;
}

void ct_render_graph_draw_to(ct_render_graph *g, const ct_render_attachments *attachments) {
    if (g->is_rendering && is_same(&g->open, attachments) && !has_pending_clear(g, attachments))
        return;
    end_rendering(g);
    ct_render_barriers b = {.count = 0};
    begin_rendering(g, attachments, &b);
}

// A clear that nothing was drawn over: a rendering of its own.
static void flush_clear(ct_render_graph *g, uint32_t target) {
    if (!g->targets[target].is_clear_pending)
        return;
    const bool is_depth = g->targets[target].desc.format == CT_RENDER_FORMAT_D32F;
    const ct_render_attachments x = {.num_colors = is_depth ? 0 : 1,
                                     .colors = {target},
                                     .depth = is_depth ? target : CT_RENDER_GRAPH_NO_TARGET};
    ct_render_graph_draw_to(g, &x);
}

static void create_inputs_set(ct_render_graph *g, ct_render_graph_step *step) {
    step->inputs_set = ct_render_set_create(g->context, g->context->inputs_layout);
    const ct_render_texture *white = ct_render_textures_get(g->textures, 0);
    for (uint32_t i = 0; i < CT_RENDER_MAX_INPUTS; ++i) {
        const bool is_used = i < step->num_inputs;
        const VkImageView view =
            is_used ? g->targets[step->inputs[i]].image.view : white->image.view;
        const bool is_nearest = !is_used || step->filters[i];
        ct_render_set_write_texture(g->context, &step->inputs_set, i, view,
                                    is_nearest ? CT_RENDER_SAMPLER_NEAREST_CLAMP
                                               : CT_RENDER_SAMPLER_LINEAR_INPUT,
                                    VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
    }
}

VkDescriptorSet ct_render_graph_begin_pass(ct_render_graph *g, ct_render_graph_step *step) {
    for (uint32_t i = 0; i < step->num_inputs; ++i)
        flush_clear(g, step->inputs[i]);
    end_rendering(g);
    ct_render_barriers b = {.count = 0};
    for (uint32_t i = 0; i < step->num_inputs; ++i)
        ct_render_barriers_add(&b, &g->targets[step->inputs[i]], CT_RENDER_USE_SAMPLED);
    begin_rendering(g, &step->attachments, &b);
    if (!step->inputs_set.handle)
        create_inputs_set(g, step);
    return step->inputs_set.handle;
}

void ct_render_graph_clear(ct_render_graph *g, const ct_render_graph_step *step) {
    const ct_render_attachments *x = &step->attachments;
    for (uint32_t i = 0; i < x->num_colors; ++i) {
        g->targets[x->colors[i]].is_clear_pending = true;
        g->targets[x->colors[i]].clear.color = step->clear_color;
    }
    if (x->depth != CT_RENDER_GRAPH_NO_TARGET) {
        g->targets[x->depth].is_clear_pending = true;
        g->targets[x->depth].clear.depthStencil.depth = step->clear_depth;
    }
}

void ct_render_graph_begin_frame(ct_render_graph *g) {
    ct_render_graph_target *back_buffer = ct_render_graph_back_buffer(g);
    ct_render_graph_use(g, back_buffer, CT_RENDER_USE_COPY_TARGET);
    const VkClearColorValue black = {.float32 = {0.0f, 0.0f, 0.0f, 1.0f}};
    const VkImageSubresourceRange range = {
        .aspectMask = VK_IMAGE_ASPECT_COLOR_BIT, .levelCount = 1, .layerCount = 1};
    g->context->device->vk.CmdClearColorImage(g->context->commands, back_buffer->image.handle,
                                              VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, &black, 1,
                                              &range);
}

void ct_render_graph_begin_view(ct_render_graph *g, const float rectangle[4]) {
    memcpy(g->rectangle, rectangle, sizeof(g->rectangle));
}

void ct_render_graph_end_view(ct_render_graph *g) {
    for (uint32_t i = 0; i < g->num_targets; ++i)
        flush_clear(g, i);
    end_rendering(g);
}
