#include "render/render_graph.h"

#include <stdio.h>
#include <string.h>

#include "foundation/error.h"
#include "foundation/log.h"
#include "foundation/profiler.h"

// --- Life cycle ----------------------------------------------------------------------------------

static void drop_images(ct_render_graph *g) {
    for (uint32_t i = 0; i < CT_RENDER_GRAPH_MAX_TARGETS; ++i) {
        ct_render_retire_image(&g->context->retire, &g->targets[i].image);
        g->targets[i].use = CT_RENDER_USE_NONE;
        g->targets[i].is_clear_pending = false;
    }
    for (uint32_t i = 0; i < g->steps.count; ++i)
        ct_render_set_retire(g->context, &g->steps.items[i].inputs_set);
}

static uint32_t scaled(float scale, uint32_t size, uint32_t fixed) {
    if (scale <= 0.0f)
        return fixed;
    const float pixels = scale * (float)size + 0.5f;
    return pixels < 1.0f ? 1 : (uint32_t)pixels;
}

static VkFormat format_of(uint32_t format) {
    static const VkFormat formats[] = {[CT_RENDER_FORMAT_RGBA8] = VK_FORMAT_R8G8B8A8_UNORM,
                                       [CT_RENDER_FORMAT_RGBA8_SRGB] = VK_FORMAT_R8G8B8A8_SRGB,
                                       [CT_RENDER_FORMAT_RGBA16F] = VK_FORMAT_R16G16B16A16_SFLOAT,
                                       [CT_RENDER_FORMAT_R16F] = VK_FORMAT_R16_SFLOAT,
                                       [CT_RENDER_FORMAT_R32F] = VK_FORMAT_R32_SFLOAT,
                                       [CT_RENDER_FORMAT_RG16F] = VK_FORMAT_R16G16_SFLOAT,
                                       [CT_RENDER_FORMAT_D32F] = VK_FORMAT_D32_SFLOAT};
    return formats[format];
}

static void create_images(ct_render_graph *g) {
    if (!g->width || !g->height)
        return;
    const ct_render_device *d = g->context->device;
    for (uint32_t i = 0; i < g->num_targets; ++i) {
        ct_render_graph_target *t = &g->targets[i];
        VkImageUsageFlags usage = VK_IMAGE_USAGE_SAMPLED_BIT;
        usage |= t->desc.format == CT_RENDER_FORMAT_D32F
                     ? VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT
                     : VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT;
        if (i == 0)
            usage |= VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT;
        // A window may have grown past what a scaled target can be.
        const uint32_t most = d->limits.maxImageDimension2D;
        const uint32_t width = scaled(t->desc.width_scale, g->width, t->desc.width);
        const uint32_t height = scaled(t->desc.height_scale, g->height, t->desc.height);
        t->image = ct_render_image_create(d, format_of(t->desc.format), width < most ? width : most,
                                          height < most ? height : most, 1, usage);
    }
}

void ct_render_graph_init(ct_render_graph *g, ct_render_context *c, ct_render_shaders *s,
                          ct_render_materials *m, ct_render_textures *t) {
    *g = (ct_render_graph){.context = c, .shaders = s, .materials = m, .textures = t};
    ct_array_init(&g->steps, c->allocator);
    g->targets[0].desc = (ct_render_target){.name = CT_ID32("back_buffer", 0xac06b601),
                                            .format = CT_RENDER_FORMAT_RGBA8_SRGB,
                                            .width_scale = 1.0f,
                                            .height_scale = 1.0f};
    g->num_targets = 1;
}

void ct_render_graph_shutdown(ct_render_graph *g) {
    drop_images(g);
    ct_array_free(&g->steps);
    ct_free(g->context->allocator, g->config);
    g->config = NULL;
}

void ct_render_graph_resize(ct_render_graph *g, uint32_t width, uint32_t height) {
    if (g->width == width && g->height == height)
        return;
    drop_images(g);
    g->width = width;
    g->height = height;
    create_images(g);
}

// --- From the config's names to indices ----------------------------------------------------------

static uint32_t target_named(const ct_render_graph *g, ct_string_id32 name) {
    for (uint32_t i = 0; i < g->num_targets; ++i)
        if (g->targets[i].desc.name.value == name.value)
            return i;
    return CT_RENDER_GRAPH_NO_TARGET;
}

static ct_render_attachments attachments_of(ct_render_graph *g, const ct_string_id32 *colors,
                                            uint32_t num_colors, ct_string_id32 depth) {
    ct_render_attachments x = {.num_colors = num_colors, .depth = CT_RENDER_GRAPH_NO_TARGET};
    ct_render_signature signature = {.num_colors = num_colors};
    for (uint32_t i = 0; i < num_colors; ++i) {
        x.colors[i] = target_named(g, colors[i]);
        signature.colors[i] = format_of(g->targets[x.colors[i]].desc.format);
    }
    if (depth.value) {
        x.depth = target_named(g, depth);
        signature.depth = VK_FORMAT_D32_SFLOAT;
    }
    x.signature = ct_render_shaders_signature(g->shaders, &signature);
    return x;
}

uint32_t ct_render_graph_layer_named(const ct_render_graph *g, ct_string_id32 name) {
    uint32_t i = 0;
    while (i < g->num_layers && g->layers[i].name.value != name.value)
        ++i;
    return i;
}

static void take_targets(ct_render_graph *g) {
    const ct_render_target *targets = ct_blob_at(g->config, g->config->targets.offset);
    g->num_targets = 1 + g->config->targets.count;
    for (uint32_t i = 1; i < g->num_targets; ++i)
        g->targets[i] = (ct_render_graph_target){.desc = targets[i - 1]};
}

static void take_layers(ct_render_graph *g) {
    const ct_render_layer *layers = ct_blob_at(g->config, g->config->layers.offset);
    g->num_layers = g->config->layers.count;
    for (uint32_t i = 0; i < g->num_layers; ++i)
        g->layers[i] = (ct_render_graph_layer){
            .name = layers[i].name,
            .sort = layers[i].sort,
            .attachments = attachments_of(g, layers[i].color_targets, layers[i].num_color_targets,
                                          layers[i].depth_target)};
}

static const char *name_step(const ct_render_step *step) {
    char text[CT_PROFILER_NAME_BYTES];
    switch (step->type) {
    case CT_RENDER_STEP_TYPE_DRAW_LAYER:
        snprintf(text, sizeof(text), "draw_layer %s", ct_string_id32_name(step->layer));
        return ct_profiler_name(text);
    case CT_RENDER_STEP_TYPE_FULLSCREEN_PASS:
        snprintf(text, sizeof(text), "fullscreen_pass %s", ct_string_id64_name(step->shader));
        return ct_profiler_name(text);
    default:
        return "clear";
    }
}

static ct_render_graph_step make_step(ct_render_graph *g, const ct_render_step *source) {
    ct_render_graph_step step = {.name = name_step(source),
                                 .type = source->type,
                                 .layer = ct_render_graph_layer_named(g, source->layer),
                                 .attachments = attachments_of(g, source->color_targets,
                                                               source->num_color_targets,
                                                               source->depth_target),
                                 .clear_depth = source->clear_depth,
                                 .num_inputs = source->num_inputs,
                                 .shader = ct_render_shaders_index(g->shaders, source->shader)};
    memcpy(step.clear_color.float32, source->clear_color, sizeof(source->clear_color));
    for (uint32_t i = 0; i < source->num_inputs; ++i) {
        step.inputs[i] = target_named(g, source->inputs[i].target);
        step.filters[i] = source->inputs[i].filter;
    }
    step.material = source->material.value
                        ? ct_render_materials_index(g->materials, source->material)
                        : ct_render_materials_default(g->materials, source->shader);
    return step;
}

static void take_steps(ct_render_graph *g) {
    const ct_render_step *steps = ct_blob_at(g->config, g->config->steps.offset);
    g->steps.count = 0;
    for (uint32_t i = 0; i < g->config->steps.count; ++i)
        ct_array_push(&g->steps, make_step(g, &steps[i]));
}

// --- What the blob's validation leaves to find ---------------------------------------------------

static bool check_targets_once(const ct_string_id32 *colors, uint32_t count, ct_error *error) {
    for (uint32_t i = 0; i < count; ++i)
        for (uint32_t k = 0; k < i; ++k)
            if (colors[i].value == colors[k].value)
                return ct_error_set(error, "color targets %u and %u are the same", k, i);
    return true;
}

static bool check_step(const ct_render_step *step, ct_error *error) {
    if (step->type != CT_RENDER_STEP_TYPE_FULLSCREEN_PASS)
        return true;
    for (uint32_t i = 0; i < step->num_inputs; ++i)
        for (uint32_t k = 0; k < step->num_color_targets; ++k)
            if (step->inputs[i].target.value == step->color_targets[k].value)
                return ct_error_set(error, "a fullscreen pass reads (input %u) what it draws to",
                                    i);
    return check_targets_once(step->color_targets, step->num_color_targets, error);
}

static bool check_config(const ct_render_config_resource *blob, ct_error *error) {
    if (blob->layers.count > CT_RENDER_GRAPH_MAX_LAYERS)
        return ct_error_set(error, "found %u layers, expected at most %u", blob->layers.count,
                            CT_RENDER_GRAPH_MAX_LAYERS);
    const ct_render_layer *layers = ct_blob_at(blob, blob->layers.offset);
    for (uint32_t i = 0; i < blob->layers.count; ++i)
        if (!check_targets_once(layers[i].color_targets, layers[i].num_color_targets, error))
            return false;
    const ct_render_step *steps = ct_blob_at(blob, blob->steps.offset);
    for (uint32_t i = 0; i < blob->steps.count; ++i)
        if (!check_step(&steps[i], error))
            return false;
    return true;
}

// Checks that the device can make the targets, and that all of them together stay within reason.
static bool check_sizes(const ct_render_graph *g, const ct_render_config_resource *blob,
                        ct_error *error) {
    static const uint64_t most_bytes = 4ull << 30;
    const uint32_t most = g->context->device->limits.maxImageDimension2D;
    const ct_render_target *targets = ct_blob_at(blob, blob->targets.offset);
    uint64_t total_bytes = 0;
    for (uint32_t i = 0; i < blob->targets.count; ++i) {
        const ct_render_target *t = &targets[i];
        const uint32_t width = scaled(t->width_scale, g->width, t->width);
        const uint32_t height = scaled(t->height_scale, g->height, t->height);
        if (width > most || height > most)
            return ct_error_set(error, "target %u would have %u x %u pixels; the device can %u", i,
                                width, height, most);
        total_bytes += (uint64_t)width * height * 8; // the largest format
    }
    return total_bytes <= most_bytes ||
           ct_error_set(error, "its targets would take %llu MiB; expected at most %llu",
                        (unsigned long long)(total_bytes >> 20),
                        (unsigned long long)(most_bytes >> 20));
}

bool ct_render_graph_set_config(ct_render_graph *g, const ct_render_config_resource *blob) {
    ct_error error = {0};
    if (!check_config(blob, &error) || !check_sizes(g, blob, &error)) {
        ct_error_set(&error, "the render config cannot be used: %s", error.message);
        ct_log_report("render", &error);
        return false;
    }
    ct_allocator *a = g->context->allocator;
    drop_images(g);
    ct_free(a, g->config);
    g->config = ct_alloc(a, blob->header.size_bytes);
    memcpy(g->config, blob, blob->header.size_bytes);
    take_targets(g);
    take_layers(g);
    take_steps(g);
    g->line_shader = ct_render_shaders_index(g->shaders, g->config->line_shader);
    g->line_material = ct_render_materials_default(g->materials, g->config->line_shader);
    g->error_material = ct_render_materials_index(g->materials, g->config->error_material);
    create_images(g);
    return true;
}

ct_render_graph_target *ct_render_graph_back_buffer(ct_render_graph *g) {
    return &g->targets[0];
}

bool ct_render_graph_steps(const ct_render_graph *g, ct_string_id32 viewport, uint32_t i,
                           uint32_t *first_step, uint32_t *num_steps) {
    if (!g->config)
        return false;
    const ct_render_viewport *viewports = ct_blob_at(g->config, g->config->viewports.offset);
    const ct_render_generator *generators = ct_blob_at(g->config, g->config->generators.offset);
    for (uint32_t k = 0; k < g->config->viewports.count; ++k) {
        if (viewports[k].name.value != viewport.value || i >= viewports[k].generators.count)
            continue;
        const uint32_t *positions = ct_blob_at(g->config, viewports[k].generators.offset);
        *first_step = generators[positions[i]].first_step;
        *num_steps = generators[positions[i]].num_steps;
        return true;
    }
    return false;
}

// --- Uses and barriers ---------------------------------------------------------------------------

typedef struct use_info {
    VkPipelineStageFlags2 stages;
    VkAccessFlags2 access;
    VkImageLayout layout;
    bool is_read_only;
} use_info;

static const use_info uses[CT_RENDER_USE_COUNT] = {
    [CT_RENDER_USE_NONE] = {0, 0, VK_IMAGE_LAYOUT_UNDEFINED, false},
    [CT_RENDER_USE_COLOR] = {VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT,
                             VK_ACCESS_2_COLOR_ATTACHMENT_READ_BIT |
                                 VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT,
                             VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL, false},
    [CT_RENDER_USE_DEPTH] = {VK_PIPELINE_STAGE_2_EARLY_FRAGMENT_TESTS_BIT |
                                 VK_PIPELINE_STAGE_2_LATE_FRAGMENT_TESTS_BIT,
                             VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_READ_BIT |
                                 VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT,
                             VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL, false},
    [CT_RENDER_USE_SAMPLED] = {VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT,
                               VK_ACCESS_2_SHADER_SAMPLED_READ_BIT,
                               VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL, true},
    [CT_RENDER_USE_COPY_SOURCE] = {VK_PIPELINE_STAGE_2_BLIT_BIT | VK_PIPELINE_STAGE_2_COPY_BIT,
                                   VK_ACCESS_2_TRANSFER_READ_BIT,
                                   VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, true},
    [CT_RENDER_USE_COPY_TARGET] = {VK_PIPELINE_STAGE_2_CLEAR_BIT, VK_ACCESS_2_TRANSFER_WRITE_BIT,
                                   VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, false},
};

// Barriers that are recorded together.
typedef struct barriers {
    VkImageMemoryBarrier2 items[CT_RENDER_MAX_INPUTS + CT_RENDER_MAX_COLOR_TARGETS + 1];
    uint32_t count;
} barriers;

static void add_use(barriers *b, ct_render_graph_target *t, ct_render_use use) {
    const use_info *from = &uses[t->use], *to = &uses[use];
    const bool is_read_again = t->use == use && to->is_read_only;
    t->use = use;
    if (is_read_again)
        return;
    b->items[b->count++] = (VkImageMemoryBarrier2){
        .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2,
        .srcStageMask = from->stages,
        .srcAccessMask = from->access,
        .dstStageMask = to->stages,
        .dstAccessMask = to->access,
        .oldLayout = from->layout,
        .newLayout = to->layout,
        .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .image = t->image.handle,
        .subresourceRange = {.aspectMask = t->image.aspect, .levelCount = 1, .layerCount = 1}};
}

static void record(const ct_render_graph *g, const barriers *b) {
    if (!b->count)
        return;
    const VkDependencyInfo info = {.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
                                   .imageMemoryBarrierCount = b->count,
                                   .pImageMemoryBarriers = b->items};
    g->context->device->vk.CmdPipelineBarrier2(g->context->commands, &info);
}

static void end_rendering(ct_render_graph *g) {
    if (g->is_rendering)
        g->context->device->vk.CmdEndRendering(g->context->commands);
    g->is_rendering = false;
}

void ct_render_graph_use(ct_render_graph *g, ct_render_graph_target *target, ct_render_use use) {
    end_rendering(g);
    barriers b = {.count = 0};
    add_use(&b, target, use);
    record(g, &b);
}

// --- Drawing -------------------------------------------------------------------------------------

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
                                      .imageLayout = uses[t->use].layout,
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

static void begin_rendering(ct_render_graph *g, const ct_render_attachments *x, barriers *b) {
    VkRenderingAttachmentInfo colors[CT_RENDER_MAX_COLOR_TARGETS], depth = {0};
    for (uint32_t i = 0; i < x->num_colors; ++i) {
        ct_render_graph_target *t = &g->targets[x->colors[i]];
        const bool was_unused = t->use == CT_RENDER_USE_NONE;
        add_use(b, t, CT_RENDER_USE_COLOR);
        colors[i] = attachment_info(t, was_unused);
    }
    const bool has_depth = x->depth != CT_RENDER_GRAPH_NO_TARGET;
    if (has_depth) {
        ct_render_graph_target *t = &g->targets[x->depth];
        const bool was_unused = t->use == CT_RENDER_USE_NONE;
        add_use(b, t, CT_RENDER_USE_DEPTH);
        depth = attachment_info(t, was_unused);
    }
    record(g, b);
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
    barriers b = {.count = 0};
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
    barriers b = {.count = 0};
    for (uint32_t i = 0; i < step->num_inputs; ++i)
        add_use(&b, &g->targets[step->inputs[i]], CT_RENDER_USE_SAMPLED);
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
