// The rendering that is open: what steps draw to, clear and read.
#include "render/graph/render_graph.h"

#include <math.h>
#include <string.h>

static void end_rendering(ct_render_graph *g) {
    if (g->is_rendering)
        g->context->device->vk.CmdEndRendering(g->context->commands);
    g->is_rendering = false;
}

void ct_render_graph_use(ct_render_graph *g, ct_render_graph_target *target, ct_render_use use) {
    end_rendering(g);
    ct_render_barriers b = {.count = 0};
    ct_render_barriers_add(&b, target, CT_RENDER_ALL_MIPS, use);
    ct_render_barriers_record(g->context, &b);
}

static uint32_t least(uint32_t a, uint32_t b) {
    return a < b ? a : b;
}

// The view's rectangle in pixels of a picture of this size.
static VkRect2D area_of(const ct_render_graph *g, uint32_t width, uint32_t height) {
    const float w = (float)width, h = (float)height;
    const float *const r = g->rectangle;
    // At least one pixel, wherever the rectangle lies.
    const uint32_t left = least((uint32_t)(r[0] * w + 0.5f), width - 1);
    const uint32_t top = least((uint32_t)(r[1] * h + 0.5f), height - 1);
    const uint32_t right = least((uint32_t)((r[0] + r[2]) * w + 0.5f), width);
    const uint32_t bottom = least((uint32_t)((r[1] + r[3]) * h + 0.5f), height);
    return (VkRect2D){{(int32_t)left, (int32_t)top},
                      {right > left ? right - left : 1, bottom > top ? bottom - top : 1}};
}

static uint32_t mip_size(uint32_t size, uint32_t mip) {
    return size >> mip ? size >> mip : 1;
}

// The same of these attachments, the smallest of which decides.
static VkRect2D render_area(const ct_render_graph *g, const ct_render_attachments *x) {
    uint32_t width = UINT32_MAX, height = UINT32_MAX;
    for (uint32_t i = 0; i <= x->num_colors; ++i) {
        const uint32_t target = i < x->num_colors ? x->colors[i] : x->depth;
        if (target == CT_RENDER_GRAPH_NO_TARGET)
            continue;
        const ct_render_image *const image = &g->targets[target].image;
        const uint32_t mip = i < x->num_colors ? x->mip : 0;
        width = least(width, mip_size(image->width, mip));
        height = least(height, mip_size(image->height, mip));
    }
    return area_of(g, width, height);
}

VkRect2D ct_render_graph_open_area(const ct_render_graph *g) {
    return render_area(g, &g->open);
}

static VkRenderingAttachmentInfo attachment_info(ct_render_graph_target *t, uint32_t mip,
                                                 bool was_unused) {
    VkRenderingAttachmentInfo info = {.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
                                      .imageView = ct_render_target_view(t, mip),
                                      .imageLayout =
                                          ct_render_use_layout((ct_render_use)t->uses[mip]),
                                      .loadOp = VK_ATTACHMENT_LOAD_OP_LOAD,
                                      .storeOp = VK_ATTACHMENT_STORE_OP_STORE};
    if (t->is_clear_pending && mip == 0) {
        info.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
        info.clearValue = t->clear;
        t->is_clear_pending = false;
    } else if (was_unused) {
        info.loadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE;
    }
    return info;
}

// Whatever is drawn may read the shadow map, unless it is what is drawn to.
static void add_shadow_map(ct_render_graph *g, const ct_render_attachments *x,
                           ct_render_barriers *b) {
    const bool has_map =
        g->shadow_target != CT_RENDER_GRAPH_NO_TARGET && g->targets[g->shadow_target].image.handle;
    ct_render_graph_target *const t = has_map ? &g->targets[g->shadow_target] : &g->no_shadows;
    if (!has_map || x->depth != g->shadow_target)
        ct_render_barriers_add(b, t, CT_RENDER_ALL_MIPS, CT_RENDER_USE_SAMPLED);
}

// The same of the pictures of the frame, which only objects read.
static void add_pictures(ct_render_graph *g, const ct_render_attachments *x,
                         ct_render_barriers *b) {
    for (uint32_t i = 0; i < CT_RENDER_FRAME_PICTURES; ++i) {
        const uint32_t target = g->pictures[i];
        bool is_attached = target == CT_RENDER_GRAPH_NO_TARGET || target == x->depth;
        for (uint32_t k = 0; k < x->num_colors; ++k)
            is_attached |= target == x->colors[k];
        if (!is_attached && g->targets[target].image.handle)
            ct_render_barriers_add(b, &g->targets[target], CT_RENDER_ALL_MIPS,
                                   CT_RENDER_USE_SAMPLED);
    }
}

static void begin_rendering(ct_render_graph *g, const ct_render_attachments *x,
                            ct_render_barriers *b) {
    VkRenderingAttachmentInfo colors[CT_RENDER_MAX_COLOR_TARGETS], depth = {0};
    for (uint32_t i = 0; i < x->num_colors; ++i) {
        colors[i] =
            (VkRenderingAttachmentInfo){.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO};
        if (x->colors[i] == CT_RENDER_GRAPH_NO_TARGET)
            continue;
        ct_render_graph_target *const t = &g->targets[x->colors[i]];
        const bool was_unused = t->uses[x->mip] == CT_RENDER_USE_NONE;
        ct_render_barriers_add(b, t, x->mip, CT_RENDER_USE_COLOR);
        colors[i] = attachment_info(t, x->mip, was_unused);
    }
    const bool has_depth = x->depth != CT_RENDER_GRAPH_NO_TARGET;
    if (has_depth) {
        ct_render_graph_target *const t = &g->targets[x->depth];
        const bool was_unused = t->uses[0] == CT_RENDER_USE_NONE;
        ct_render_barriers_add(b, t, 0, CT_RENDER_USE_DEPTH);
        depth = attachment_info(t, 0, was_unused);
    }
    add_shadow_map(g, x, b);
    ct_render_barriers_record(g->context, b);
    const ct_vulkan_api *const vk = &g->context->device->vk;
    const VkRect2D area = render_area(g, x);
    const VkRenderingInfo info = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
                                  .renderArea = area,
                                  .layerCount = 1,
                                  .colorAttachmentCount = x->num_colors,
                                  // The CPU driver wants none, not an array of none.
                                  .pColorAttachments = x->num_colors ? colors : NULL,
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
    if (a->num_colors != b->num_colors || a->depth != b->depth || a->mip != b->mip)
        return false;
    for (uint32_t i = 0; i < a->num_colors; ++i)
        if (a->colors[i] != b->colors[i])
            return false;
    return true;
}

static bool has_pending_clear(const ct_render_graph *g, const ct_render_attachments *x) {
    bool pending = x->depth != CT_RENDER_GRAPH_NO_TARGET && g->targets[x->depth].is_clear_pending;
    for (uint32_t i = 0; i < x->num_colors && x->mip == 0; ++i)
        pending |=
            x->colors[i] != CT_RENDER_GRAPH_NO_TARGET && g->targets[x->colors[i]].is_clear_pending;
    return pending;
}

void ct_render_graph_draw_to(ct_render_graph *g, const ct_render_attachments *attachments) {
    if (g->is_rendering && is_same(&g->open, attachments) && !has_pending_clear(g, attachments))
        return;
    end_rendering(g);
    ct_render_barriers b = {.count = 0};
    add_pictures(g, attachments, &b);
    begin_rendering(g, attachments, &b);
}

void ct_render_graph_draw_to_map(ct_render_graph *g, const ct_render_attachments *attachments) {
    ct_render_graph_target *const map = &g->targets[attachments->depth];
    float rectangle[4];
    memcpy(rectangle, g->rectangle, sizeof(rectangle));
    memcpy(g->rectangle, (const float[4]){0.0f, 0.0f, 1.0f, 1.0f}, sizeof(g->rectangle));
    map->is_clear_pending = true;
    map->clear.depthStencil.depth = 1.0f;
    ct_render_graph_draw_to(g, attachments);
    memcpy(g->rectangle, rectangle, sizeof(g->rectangle));
}

void ct_render_graph_draw_to_whole(ct_render_graph *g, const ct_render_attachments *attachments,
                                   const float *color) {
    ct_render_graph_target *const target = &g->targets[attachments->colors[0]];
    float rectangle[4];
    memcpy(rectangle, g->rectangle, sizeof(rectangle));
    memcpy(g->rectangle, (const float[4]){0.0f, 0.0f, 1.0f, 1.0f}, sizeof(g->rectangle));
    target->is_clear_pending = true;
    memcpy(target->clear.color.float32, color, sizeof(float[4]));
    ct_render_graph_draw_to(g, attachments);
    memcpy(g->rectangle, rectangle, sizeof(g->rectangle));
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

// Fills the bindings of a new set 2 for inputs; those that the step does not use are white.
static void write_inputs(ct_render_graph *g, const ct_render_graph_step *step, ct_render_set *set) {
    const ct_render_texture *const white =
        ct_render_textures_get(g->textures, 0, CT_TEXTURE_KIND_2D);
    for (uint32_t i = 0; i < CT_RENDER_MAX_INPUTS; ++i) {
        const bool is_used =
            i < step->num_inputs && ct_render_graph_input(g, step, i)->image.handle;
        const ct_render_graph_target *const t = is_used ? ct_render_graph_input(g, step, i) : NULL;
        const VkImageView view =
            t ? ct_render_target_view(t, step->input_mips[i]) : white->image.view;
        // Not every device smooths every format.
        const bool is_nearest = !t || step->filters[i] ||
                                !(t->features & VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_LINEAR_BIT);
        ct_render_set_write_texture(g->context, set, i, view,
                                    is_nearest ? CT_RENDER_SAMPLER_NEAREST_CLAMP
                                               : CT_RENDER_SAMPLER_LINEAR_INPUT,
                                    VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
    }
}

// Ends an open rendering and makes the inputs readable.
static void use_inputs(ct_render_graph *g, const ct_render_graph_step *step,
                       ct_render_barriers *b) {
    for (uint32_t i = 0; i < step->num_inputs; ++i)
        if (!step->input_is_previous[i])
            flush_clear(g, step->inputs[i]);
    end_rendering(g);
    for (uint32_t i = 0; i < step->num_inputs; ++i)
        if (ct_render_graph_input(g, step, i)->image.handle)
            ct_render_barriers_add(b, ct_render_graph_input(g, step, i), step->input_mips[i],
                                   CT_RENDER_USE_SAMPLED);
}

// The step's set 2 for the pictures as they are in this frame; without a handle when it is new.
static ct_render_set *set_of(const ct_render_graph *g, ct_render_graph_step *step) {
    return &step->inputs_sets[step->has_history ? g->parity : 0];
}

VkDescriptorSet ct_render_graph_begin_pass(ct_render_graph *g, ct_render_graph_step *step) {
    ct_render_barriers b = {.count = 0};
    use_inputs(g, step, &b);
    begin_rendering(g, &step->attachments, &b);
    ct_render_set *const set = set_of(g, step);
    if (!set->handle) {
        *set = ct_render_set_create(g->context, g->context->inputs_layout);
        write_inputs(g, step, set);
    }
    return set->handle;
}

VkDescriptorSet ct_render_graph_begin_compute(ct_render_graph *g, ct_render_graph_step *step) {
    ct_render_barriers b = {.count = 0};
    for (uint32_t i = 0; i < step->num_outputs; ++i)
        flush_clear(g, step->outputs[i]);
    use_inputs(g, step, &b);
    for (uint32_t i = 0; i < step->num_outputs; ++i)
        ct_render_barriers_add(&b, &g->targets[step->outputs[i]], step->output_mips[i],
                               CT_RENDER_USE_STORAGE);
    ct_render_barriers_record(g->context, &b);
    ct_render_set *const set = set_of(g, step);
    if (!set->handle) {
        *set = ct_render_set_create(g->context, g->context->compute_layout);
        write_inputs(g, step, set);
        for (uint32_t i = 0; i < step->num_outputs; ++i)
            ct_render_set_write_storage(
                g->context, set, CT_RENDER_MAX_INPUTS + i,
                ct_render_target_view(&g->targets[step->outputs[i]], step->output_mips[i]));
    }
    return set->handle;
}

// --- Copies --------------------------------------------------------------------------------------

static void copy_region(ct_render_graph *g, const ct_render_graph_target *from,
                        const ct_render_graph_target *to, VkRect2D area) {
    const VkOffset3D offset = {area.offset.x, area.offset.y, 0};
    const VkImageCopy region = {.srcSubresource = {from->image.aspect, 0, 0, 1},
                                .srcOffset = offset,
                                .dstSubresource = {to->image.aspect, 0, 0, 1},
                                .dstOffset = offset,
                                .extent = {area.extent.width, area.extent.height, 1}};
    g->context->device->vk.CmdCopyImage(g->context->commands, from->image.handle,
                                        VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, to->image.handle,
                                        VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &region);
}

static void set_corners(VkOffset3D corners[2], VkRect2D area) {
    corners[0] = (VkOffset3D){area.offset.x, area.offset.y, 0};
    corners[1] = (VkOffset3D){area.offset.x + (int32_t)area.extent.width,
                              area.offset.y + (int32_t)area.extent.height, 1};
}

static void blit(ct_render_graph *g, const ct_render_graph_target *from, uint32_t from_mip,
                 VkRect2D from_area, const ct_render_graph_target *to, uint32_t to_mip,
                 VkRect2D to_area, bool is_nearest) {
    VkImageBlit region = {.srcSubresource = {from->image.aspect, from_mip, 0, 1},
                          .dstSubresource = {to->image.aspect, to_mip, 0, 1}};
    set_corners(region.srcOffsets, from_area);
    set_corners(region.dstOffsets, to_area);
    const bool is_smooth =
        !is_nearest && (from->features & VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_LINEAR_BIT);
    g->context->device->vk.CmdBlitImage(g->context->commands, from->image.handle,
                                        VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, to->image.handle,
                                        VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &region,
                                        is_smooth ? VK_FILTER_LINEAR : VK_FILTER_NEAREST);
}

void ct_render_graph_copy_stretched(ct_render_graph *g, ct_render_graph_target *from,
                                    ct_render_graph_target *to) {
    const VkRect2D from_area = {{0, 0}, {from->image.width, from->image.height}};
    const VkRect2D to_area = {{0, 0}, {to->image.width, to->image.height}};
    ct_render_graph_use(g, from, CT_RENDER_USE_COPY_SOURCE);
    ct_render_graph_use(g, to, CT_RENDER_USE_COPY_TARGET);
    blit(g, from, 0, from_area, to, 0, to_area, false);
}

void ct_render_graph_copy(ct_render_graph *g, const ct_render_graph_step *step) {
    const ct_render_attachments *const x = &step->attachments;
    const uint32_t target = x->num_colors ? x->colors[0] : x->depth;
    ct_render_graph_target *from = &g->targets[step->inputs[0]], *to = &g->targets[target];
    if (!from->image.handle || !to->image.handle)
        return; // nothing draws to it
    flush_clear(g, step->inputs[0]);
    flush_clear(g, target);
    end_rendering(g);
    ct_render_barriers b = {.count = 0};
    ct_render_barriers_add(&b, from, 0, CT_RENDER_USE_COPY_SOURCE);
    ct_render_barriers_add(&b, to, 0, CT_RENDER_USE_COPY_TARGET);
    ct_render_barriers_record(g->context, &b);
    const VkRect2D from_area = area_of(g, from->image.width, from->image.height);
    const VkRect2D to_area = area_of(g, to->image.width, to->image.height);
    const bool is_alike = from->image.format == to->image.format &&
                          from->image.width == to->image.width &&
                          from->image.height == to->image.height;
    if (is_alike)
        copy_region(g, from, to, from_area);
    else
        blit(g, from, 0, from_area, to, 0, to_area, step->filters[0]);
}

void ct_render_graph_generate_mips(ct_render_graph *g, const ct_render_graph_step *step) {
    const uint32_t index = step->attachments.colors[0];
    ct_render_graph_target *const t = &g->targets[index];
    uint32_t width = t->image.width, height = t->image.height;
    flush_clear(g, index);
    end_rendering(g);
    for (uint32_t mip = 1; mip < t->image.num_mips; ++mip) {
        const VkRect2D whole = {.extent = {width, height}};
        width = width > 1 ? width / 2 : 1;
        height = height > 1 ? height / 2 : 1;
        const VkRect2D half = {.extent = {width, height}};
        ct_render_barriers b = {.count = 0};
        ct_render_barriers_add(&b, t, mip - 1, CT_RENDER_USE_COPY_SOURCE);
        ct_render_barriers_add(&b, t, mip, CT_RENDER_USE_COPY_TARGET);
        ct_render_barriers_record(g->context, &b);
        blit(g, t, mip - 1, whole, t, mip, half, false);
    }
}

// --- Clears and views ----------------------------------------------------------------------------

void ct_render_graph_clear(ct_render_graph *g, const ct_render_graph_step *step) {
    const ct_render_attachments *const x = &step->attachments;
    for (uint32_t i = 0; i < x->num_colors; ++i) {
        if (g->velocity_targets >> x->colors[i] & 1 && !ct_render_graph_is_read(g, x->colors[i]))
            continue; // no layer draws there
        g->targets[x->colors[i]].is_clear_pending = true;
        g->targets[x->colors[i]].clear.color = step->clear_color;
    }
    if (x->depth != CT_RENDER_GRAPH_NO_TARGET) {
        g->targets[x->depth].is_clear_pending = true;
        g->targets[x->depth].clear.depthStencil.depth = step->clear_depth;
    }
}

// Gives shaders the pictures of the frame that the config names; in place of others, and of those
// that settings switch off, one white pixel.
static void set_pictures(ct_render_graph *g) {
    ct_render_frames *const f = g->materials->frames;
    VkImageView views[CT_RENDER_FRAME_PICTURES];
    for (uint32_t i = 0; i < CT_RENDER_FRAME_PICTURES; ++i) {
        const bool has_target =
            g->pictures[i] != CT_RENDER_GRAPH_NO_TARGET && g->targets[g->pictures[i]].image.handle;
        views[i] = has_target
                       ? g->targets[g->pictures[i]].image.view
                       : ct_render_textures_get(g->textures, 0, CT_TEXTURE_KIND_2D)->image.view;
    }
    if (memcmp(views, f->pictures, sizeof(views)) != 0)
        ct_render_frames_set_pictures(f, views);
}

void ct_render_graph_begin_frame(ct_render_graph *g, bool keeps_picture) {
    ct_render_graph_swap_history(g);
    set_pictures(g);
    const bool has_picture = ct_render_graph_back_buffer(g)->uses[0] != CT_RENDER_USE_NONE;
    if (!keeps_picture || !has_picture)
        ct_render_graph_blacken(g);
}

void ct_render_graph_blacken(ct_render_graph *g) {
    ct_render_graph_target *const back_buffer = ct_render_graph_back_buffer(g);
    ct_render_graph_use(g, back_buffer, CT_RENDER_USE_COPY_TARGET);
    const VkClearColorValue black = {.float32 = {0.0f, 0.0f, 0.0f, 1.0f}};
    const VkImageSubresourceRange range = {
        .aspectMask = VK_IMAGE_ASPECT_COLOR_BIT, .levelCount = 1, .layerCount = 1};
    g->context->device->vk.CmdClearColorImage(g->context->commands, back_buffer->image.handle,
                                              VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, &black, 1,
                                              &range);
}

// Takes a value of an environment for the setting of its name, if that may be set so.
static void take_value(ct_render_graph *g, const ct_render_environment_value *value) {
    const ct_render_setting *const settings = ct_blob_at(g->config, g->config->settings.offset);
    for (uint32_t i = 0; i < g->config->settings.count; ++i) {
        const ct_render_setting *const s = &settings[i];
        if (!s->is_environment || g->setting_names[i].value != value->name.value)
            continue;
        const bool is_counted = s->type == CT_RENDER_SETTING_TYPE_BOOL ||
                                s->type == CT_RENDER_SETTING_TYPE_WHOLE ||
                                s->type == CT_RENDER_SETTING_TYPE_CHOICE;
        for (uint32_t k = 0; k < ct_render_setting_floats(s->type); ++k) {
            const float x = is_counted ? rintf(value->value[k]) : value->value[k];
            if (x >= s->least || x <= s->most) // not NaN
                g->view_values[i][k] = x < s->least ? s->least : x > s->most ? s->most : x;
        }
    }
}

void ct_render_graph_begin_view(ct_render_graph *g, const float rectangle[4],
                                const ct_render_environment_value *values, uint32_t num_values) {
    memcpy(g->rectangle, rectangle, sizeof(g->rectangle));
    memcpy(g->view_values, g->values, sizeof(g->view_values));
    for (uint32_t i = 0; i < num_values && g->config; ++i)
        take_value(g, &values[i]);
}

void ct_render_graph_end_view(ct_render_graph *g) {
    for (uint32_t i = 0; i < g->num_targets; ++i)
        flush_clear(g, i);
    end_rendering(g);
}
