#include "render/graph/render_graph.h"

#include <stdio.h>
#include <string.h>

#include "foundation/error.h"
#include "foundation/log.h"
#include "foundation/profiler/profiler.h"

// --- Life cycle ----------------------------------------------------------------------------------

static void drop_images(ct_render_graph *g) {
    for (uint32_t i = 0; i < CT_RENDER_GRAPH_MAX_TARGETS; ++i) {
        ct_render_target_drop_image(g->context, &g->targets[i]);
        ct_render_target_drop_image(g->context, &g->previous[i]);
    }
    ct_render_target_drop_image(g->context, &g->no_shadows);
    for (uint32_t i = 0; i < g->steps.count; ++i)
        for (uint32_t k = 0; k < 2; ++k)
            ct_render_set_retire(g->context, &g->steps.items[i].inputs_sets[k]);
}

// What target `i` is used for beside being drawn to and read.
static VkImageUsageFlags usage_of(const ct_render_graph *g, uint32_t i) {
    VkImageUsageFlags usage = 0;
    if (g->targets[i].desc.has_history)
        usage |= VK_IMAGE_USAGE_TRANSFER_DST_BIT;
    if (i == 0)
        usage |= VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT;
    for (uint32_t k = 0; k < g->steps.count; ++k) {
        const ct_render_graph_step *step = &g->steps.items[k];
        const bool is_drawn = step->attachments.depth == i ||
                              (step->attachments.num_colors && step->attachments.colors[0] == i);
        if (step->type == CT_RENDER_STEP_TYPE_COPY && step->inputs[0] == i)
            usage |= VK_IMAGE_USAGE_TRANSFER_SRC_BIT;
        if (step->type == CT_RENDER_STEP_TYPE_COPY && is_drawn)
            usage |= VK_IMAGE_USAGE_TRANSFER_DST_BIT;
        if (step->type == CT_RENDER_STEP_TYPE_GENERATE_MIPS && is_drawn)
            usage |= VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT;
        for (uint32_t n = 0; n < step->num_outputs; ++n)
            if (step->outputs[n] == i)
                usage |= VK_IMAGE_USAGE_STORAGE_BIT;
    }
    return usage;
}

static void create_images(ct_render_graph *g) {
    ++g->version;
    ct_render_frames *const f = g->materials->frames;
    ct_render_target_create_image(g->context->device, &g->no_shadows, 1, 1, 0);
    ct_render_frames_set_shadow_map(f, g->no_shadows.image.view);
    if (!g->width || !g->height)
        return;
    g->used_targets = g->config ? ct_render_graph_used_targets(g, g->values[0]) : 1;
    for (uint32_t i = 0; i < g->num_targets; ++i) {
        if (!(g->used_targets >> i & 1))
            continue;
        ct_render_target_create_image(g->context->device, &g->targets[i], g->width, g->height,
                                      usage_of(g, i));
        if (g->targets[i].desc.has_history)
            ct_render_target_create_image(g->context->device, &g->previous[i], g->width, g->height,
                                          usage_of(g, i));
    }
    if (g->shadow_target != CT_RENDER_GRAPH_NO_TARGET && g->targets[g->shadow_target].image.handle)
        ct_render_frames_set_shadow_map(f, g->targets[g->shadow_target].image.view);
}

void ct_render_graph_init(ct_render_graph *g, ct_render_context *c, ct_render_shaders *s,
                          ct_render_materials *m, ct_render_textures *t) {
    *g = (ct_render_graph){.context = c, .shaders = s, .materials = m, .textures = t};
    ct_array_init(&g->steps, c->allocator);
    g->targets[0].desc = (ct_render_target){.name = CT_ID32("back_buffer", 0xac06b601),
                                            .format = CT_RENDER_FORMAT_RGBA8_SRGB,
                                            .num_mips = 1,
                                            .width_scale = 1.0f,
                                            .height_scale = 1.0f};
    g->num_targets = 1;
    g->no_shadows.desc =
        (ct_render_target){.format = CT_RENDER_FORMAT_D32F, .width = 1, .height = 1, .num_mips = 1};
    g->shadow_target = CT_RENDER_GRAPH_NO_TARGET;
    for (uint32_t i = 0; i < CT_RENDER_FRAME_PICTURES; ++i)
        g->pictures[i] = CT_RENDER_GRAPH_NO_TARGET;
    create_images(g);
}

void ct_render_graph_drop(ct_render_graph *g) {
    drop_images(g);
    g->is_rendering = false;
}

void ct_render_graph_restore(ct_render_graph *g) {
    create_images(g);
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

void ct_render_graph_stretch(ct_render_graph *g, uint32_t width, uint32_t height) {
    ct_render_graph_target last = g->targets[0];
    if ((g->width == width && g->height == height) || !last.image.handle ||
        last.uses[0] == CT_RENDER_USE_NONE) {
        ct_render_graph_resize(g, width, height);
        return;
    }
    g->targets[0] = (ct_render_graph_target){.desc = last.desc};
    ct_render_graph_resize(g, width, height);
    ct_render_graph_copy_stretched(g, &last, &g->targets[0]);
    ct_render_target_drop_image(g->context, &last);
}

// --- From the config's names to indices ----------------------------------------------------------

static uint32_t target_named(const ct_render_graph *g, ct_string_id32 name) {
    for (uint32_t i = 0; i < g->num_targets; ++i)
        if (g->targets[i].desc.name.value == name.value)
            return i;
    return CT_RENDER_GRAPH_NO_TARGET;
}

static ct_render_attachments attachments_of(ct_render_graph *g, const ct_string_id32 *colors,
                                            uint32_t num_colors, ct_string_id32 depth,
                                            bool is_shadow_map) {
    ct_render_attachments x = {.num_colors = num_colors, .depth = CT_RENDER_GRAPH_NO_TARGET};
    ct_render_signature signature = {.num_colors = num_colors, .is_shadow_map = is_shadow_map};
    for (uint32_t i = 0; i < num_colors; ++i) {
        x.colors[i] = target_named(g, colors[i]);
        signature.colors[i] = ct_render_target_format(g->targets[x.colors[i]].desc.format);
    }
    if (depth.value) {
        x.depth = target_named(g, depth);
        signature.depth = VK_FORMAT_D32_SFLOAT;
    }
    x.signature = ct_render_shaders_signature(g->shaders, &signature);
    signature.has_shadows = !is_shadow_map;
    x.shadowed_signature = ct_render_shaders_signature(g->shaders, &signature);
    return x;
}

// The same attachments with a velocity target as the last one.
static ct_render_attachments with_velocity(ct_render_graph *g, ct_render_attachments x,
                                           uint32_t velocity) {
    ct_render_signature signature = g->shaders->signatures.items[x.signature];
    for (uint32_t i = x.num_colors; i < CT_RENDER_VELOCITY_LOCATION; ++i)
        x.colors[i] = CT_RENDER_GRAPH_NO_TARGET;
    x.num_colors = signature.num_colors = CT_RENDER_VELOCITY_LOCATION + 1;
    x.colors[CT_RENDER_VELOCITY_LOCATION] = velocity;
    signature.colors[CT_RENDER_VELOCITY_LOCATION] =
        ct_render_target_format(g->targets[velocity].desc.format);
    signature.has_velocity = true;
    x.signature = ct_render_shaders_signature(g->shaders, &signature);
    signature.has_shadows = true;
    x.shadowed_signature = ct_render_shaders_signature(g->shaders, &signature);
    return x;
}

uint32_t ct_render_graph_layer_named(const ct_render_graph *g, ct_string_id32 name) {
    uint32_t i = 0;
    while (i < g->num_layers && g->layers[i].name.value != name.value)
        ++i;
    return i;
}

static void take_targets(ct_render_graph *g) {
    const ct_render_target *const targets = ct_blob_at(g->config, g->config->targets.offset);
    g->num_targets = 1 + g->config->targets.count;
    for (uint32_t i = 1; i < g->num_targets; ++i) {
        g->targets[i] = (ct_render_graph_target){
            .desc = ct_render_target_with(g->config, &targets[i - 1], g->values[0])};
        g->previous[i] = g->targets[i];
    }
}

static void take_layers(ct_render_graph *g) {
    const ct_render_layer *const layers = ct_blob_at(g->config, g->config->layers.offset);
    g->num_layers = g->config->layers.count;
    g->velocity_targets = 0;
    for (uint32_t i = 0; i < g->num_layers; ++i) {
        ct_render_graph_layer *const x = &g->layers[i];
        *x = (ct_render_graph_layer){.name = layers[i].name,
                                     .sort = layers[i].sort,
                                     .attachments = attachments_of(g, layers[i].color_targets,
                                                                   layers[i].num_color_targets,
                                                                   layers[i].depth_target, false),
                                     .velocity = CT_RENDER_GRAPH_NO_TARGET};
        // Without independent blending, draws that have none could not leave it alone.
        if (!layers[i].velocity_target.value || !g->context->device->has_independent_blend)
            continue;
        x->velocity = target_named(g, layers[i].velocity_target);
        x->velocity_attachments = with_velocity(g, x->attachments, x->velocity);
        g->velocity_targets |= 1ull << x->velocity;
    }
}

// What the config calls step number `i`, or what it does.
static const char *name_step(const ct_render_graph *g, uint32_t i, const ct_render_step *step) {
    static const char *const types[CT_RENDER_STEP_TYPE_COUNT] = {
        [CT_RENDER_STEP_TYPE_NONE] = "",
        [CT_RENDER_STEP_TYPE_CLEAR] = "clear",
        [CT_RENDER_STEP_TYPE_DRAW_LAYER] = "draw_layer",
        [CT_RENDER_STEP_TYPE_FULLSCREEN_PASS] = "fullscreen_pass",
        [CT_RENDER_STEP_TYPE_COPY] = "copy",
        [CT_RENDER_STEP_TYPE_GENERATE_MIPS] = "generate_mips",
        [CT_RENDER_STEP_TYPE_COMPUTE] = "compute",
        [CT_RENDER_STEP_TYPE_CASCADED_SHADOWS] = "cascaded_shadows",
        [CT_RENDER_STEP_TYPE_CAPTURE_SKY] = "capture_sky",
    };
    char text[CT_PROFILER_NAME_BYTES];
    const ct_blob_string *const names = ct_blob_at(g->config, g->config->step_names.offset);
    const char *object = "";
    if (i < g->config->step_names.count && names[i].bytes > 0) {
        snprintf(text, sizeof(text), "%s", (const char *)ct_blob_at(g->config, names[i].offset));
        return ct_profiler_name(text);
    }
    if (step->layer.value)
        object = ct_string_id32_name(step->layer);
    else if (step->shader.value)
        object = ct_string_id64_name(step->shader);
    snprintf(text, sizeof(text), "%s%s%s", types[step->type], *object ? " " : "", object);
    return ct_profiler_name(text);
}

static void take_inputs_and_outputs(const ct_render_graph *g, const ct_render_step *source,
                                    ct_render_graph_step *step) {
    step->num_inputs = source->num_inputs;
    for (uint32_t i = 0; i < source->num_inputs; ++i) {
        step->inputs[i] = target_named(g, source->inputs[i].target);
        step->filters[i] = source->inputs[i].filter;
        step->input_mips[i] = source->inputs[i].mip;
        step->input_is_previous[i] = source->inputs[i].is_previous != 0;
        step->has_history |= g->targets[step->inputs[i]].desc.has_history != 0;
    }
    step->num_outputs = source->num_outputs;
    for (uint32_t i = 0; i < source->num_outputs; ++i) {
        step->outputs[i] = target_named(g, source->outputs[i].target);
        step->output_mips[i] = source->outputs[i].mip;
        step->has_history |= g->targets[step->outputs[i]].desc.has_history != 0;
    }
    for (uint32_t i = 0; i < step->attachments.num_colors; ++i)
        step->has_history |= g->targets[step->attachments.colors[i]].desc.has_history != 0;
    memcpy(step->groups, source->groups, sizeof(step->groups));
    step->cover = target_named(g, source->cover);
}

static ct_render_graph_step make_step(ct_render_graph *g, uint32_t i,
                                      const ct_render_step *source) {
    const bool is_shadow_map = source->type == CT_RENDER_STEP_TYPE_CASCADED_SHADOWS;
    ct_render_graph_step step = {
        .name = name_step(g, i, source),
        .type = source->type,
        .layer = ct_render_graph_layer_named(g, source->layer),
        .attachments = attachments_of(g, source->color_targets, source->num_color_targets,
                                      source->depth_target, is_shadow_map),
        .clear_depth = source->clear_depth,
        .enabled = source->enabled,
        .when = source->when,
        .only = source->only,
        .has_targets = source->num_color_targets > 0 || source->depth_target.value,
        .is_wireframe = source->is_wireframe != 0,
        .has_override =
            source->type == CT_RENDER_STEP_TYPE_DRAW_LAYER && source->material.value != 0,
        .num_parameters = source->num_parameters,
        .num_cascades = source->num_cascades,
        .shadow_distance = source->shadow_distance,
        .split_lambda = source->split_lambda,
        .on_cpu = source->on_cpu,
        .shader = ct_render_shaders_index(g->shaders, source->shader)};
    step.attachments.mip = source->color_mips[0];
    memcpy(step.clear_color.float32, source->clear_color, sizeof(source->clear_color));
    memcpy(step.parameters, source->parameters, sizeof(step.parameters));
    take_inputs_and_outputs(g, source, &step);
    step.material = source->material.value
                        ? ct_render_materials_index(g->materials, source->material)
                        : ct_render_materials_default(g->materials, source->shader);
    return step;
}

static void take_steps(ct_render_graph *g) {
    const ct_render_step *const steps = ct_blob_at(g->config, g->config->steps.offset);
    g->steps.count = 0;
    g->shadow_target = CT_RENDER_GRAPH_NO_TARGET;
    for (uint32_t i = 0; i < g->config->steps.count; ++i) {
        ct_array_push(&g->steps, make_step(g, i, &steps[i]));
        if (steps[i].type == CT_RENDER_STEP_TYPE_CASCADED_SHADOWS)
            g->shadow_target = g->steps.items[i].attachments.depth;
    }
    g->pictures[CT_RENDER_FRAME_PICTURE_SKY_MAP] = target_named(g, g->config->sky_map);
    g->pictures[CT_RENDER_FRAME_PICTURE_SCENE_COLOR] = target_named(g, g->config->scene_color);
    g->pictures[CT_RENDER_FRAME_PICTURE_SCENE_DEPTH] = target_named(g, g->config->scene_depth);
}

// --- The config ----------------------------------------------------------------------------------

// Recreates everything from config and values.
static void take_config(ct_render_graph *g) {
    drop_images(g);
    take_targets(g);
    take_layers(g);
    take_steps(g);
    create_images(g);
}

bool ct_render_graph_set_config(ct_render_graph *g, const ct_render_config_resource *blob,
                                const float *values) {
    ct_error error = {0};
    if (!ct_render_graph_check(g, blob, values, &error)) {
        ct_error_set(&error, "cannot use the render config: %s", error.message);
        ct_log_report("render", &error);
        return false;
    }
    ct_allocator *const a = g->context->allocator;
    ct_free(a, g->config);
    g->config = ct_alloc(a, blob->header.size_bytes);
    memcpy(g->config, blob, blob->header.size_bytes);
    if (blob->settings.count > 0)
        memcpy(g->values, values, sizeof(g->values[0]) * blob->settings.count);
    memcpy(g->view_values, g->values, sizeof(g->view_values));
    const ct_render_setting *const settings = ct_blob_at(g->config, g->config->settings.offset);
    for (uint32_t i = 0; i < g->config->settings.count; ++i)
        g->setting_names[i] = ct_string_id32_of(ct_blob_at(g->config, settings[i].name.offset));
    take_config(g);
    g->line_shader = ct_render_shaders_index(g->shaders, g->config->line_shader);
    g->line_material = ct_render_materials_default(g->materials, g->config->line_shader);
    g->error_material = ct_render_materials_index(g->materials, g->config->error_material);
    return true;
}

// Returns true when these values change a target.
static bool are_targets_changed(const ct_render_graph *g, const float *values) {
    const ct_render_target *const targets = ct_blob_at(g->config, g->config->targets.offset);
    for (uint32_t i = 0; i < g->config->targets.count; ++i) {
        const ct_render_target target = ct_render_target_with(g->config, &targets[i], values);
        if (memcmp(&target, &g->targets[i + 1].desc, sizeof(target)) != 0)
            return true;
    }
    return false;
}

void ct_render_graph_set_values(ct_render_graph *g, uint64_t config_checksum, const float *values,
                                uint32_t count) {
    ct_error error = {0};
    if (!g->config || g->config->header.checksum != config_checksum ||
        g->config->settings.count != count)
        return;
    if (!ct_render_graph_check(g, g->config, values, &error)) {
        ct_error_set(&error, "cannot use the render settings: %s", error.message);
        ct_log_report("render", &error);
        return;
    }
    const bool is_remade = are_targets_changed(g, values) ||
                           ct_render_graph_used_targets(g, values) != g->used_targets;
    memcpy(g->values, values, sizeof(g->values[0]) * count);
    memcpy(g->view_values, g->values, sizeof(g->view_values));
    if (is_remade)
        take_config(g);
}

const float *ct_render_graph_value(const ct_render_graph *g, const ct_render_value *value) {
    return value->setting ? g->view_values[value->setting - 1] : value->numbers;
}

bool ct_render_graph_is_enabled(const ct_render_graph *g, const ct_render_graph_step *step) {
    return ct_render_conditions_hold(&step->enabled, g->view_values[0]);
}

ct_render_graph_target *ct_render_graph_back_buffer(ct_render_graph *g) {
    return &g->targets[0];
}

bool ct_render_graph_steps(const ct_render_graph *g, ct_string_id32 viewport, uint32_t i,
                           uint32_t *first_step, uint32_t *num_steps) {
    if (!g->config)
        return false;
    const ct_render_viewport *const viewports = ct_blob_at(g->config, g->config->viewports.offset);
    const ct_render_generator *const generators =
        ct_blob_at(g->config, g->config->generators.offset);
    for (uint32_t k = 0; k < g->config->viewports.count; ++k) {
        if (viewports[k].name.value != viewport.value || i >= viewports[k].generators.count)
            continue;
        const uint32_t *const positions = ct_blob_at(g->config, viewports[k].generators.offset);
        *first_step = generators[positions[i]].first_step;
        *num_steps = generators[positions[i]].num_steps;
        return true;
    }
    return false;
}

const ct_render_graph_step *ct_render_graph_find_step(const ct_render_graph *g,
                                                      ct_string_id32 viewport, uint32_t type) {
    uint32_t first_step, num_steps;
    for (uint32_t i = 0; ct_render_graph_steps(g, viewport, i, &first_step, &num_steps); ++i)
        for (uint32_t k = 0; k < num_steps; ++k)
            if (g->steps.items[first_step + k].type == type &&
                ct_render_graph_is_enabled(g, &g->steps.items[first_step + k]))
                return &g->steps.items[first_step + k];
    return NULL;
}
