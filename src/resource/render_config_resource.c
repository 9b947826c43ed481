#include "resource/render_config_resource.h"

#include <math.h>
#include <stdio.h>

#include "foundation/error.h"

enum { MAX_TARGET_SIZE = 16384 };

#define AT(member)                                                                                 \
    .offset = offsetof(ct_render_config_source, member),                                           \
    .size_bytes = sizeof(((ct_render_config_source *)0)->member)

static const ct_field fields[] = {
    {.name = "global_resources",
     .type = CT_FIELD_TYPE_ARRAY,
     AT(global_resources),
     .flags = CT_FIELD_SET,
     .doc = "Targets: { name format scale | size }."},
    {.name = "layers",
     .type = CT_FIELD_TYPE_ARRAY,
     AT(layers),
     .doc = "Where draws go: { name targets depth_target sort }."},
    {.name = "resource_generators",
     .type = CT_FIELD_TYPE_MAP,
     AT(resource_generators),
     .doc = "Named chains of steps: clear, draw_layer, fullscreen_pass."},
    {.name = "viewports",
     .type = CT_FIELD_TYPE_MAP,
     AT(viewports),
     .doc = "What a viewport of this name runs: names of resource generators, in order."},
    {.name = "line_shader",
     .type = CT_FIELD_TYPE_REFERENCE,
     AT(line_shader),
     .doc = "Draws debug lines.",
     .default_text = NULL,
     .reference_type = "shader"},
    {.name = "error_material",
     .type = CT_FIELD_TYPE_REFERENCE,
     AT(error_material),
     .doc = "Stands in for a material that is missing or broken.",
     .default_text = NULL,
     .reference_type = "material"},
};

const ct_schema ct_render_config_schema = {
    .name = "render_config",
    .doc = "What a frame does.",
    .size_bytes = sizeof(ct_render_config_source),
    .num_fields = CT_COUNT_OF(fields),
    .fields = fields,
};

typedef ct_render_config_resource config;

static bool check_targets(const config *c, ct_error *error) {
    const ct_render_target *const targets = ct_blob_at(c, c->targets.offset);
    if (c->targets.count > CT_RENDER_MAX_TARGETS)
        return ct_error_set(error, "targets: found %u, expected at most %u", c->targets.count,
                            CT_RENDER_MAX_TARGETS);
    for (uint32_t i = 0; i < c->targets.count; i++) {
        const ct_render_target *const t = &targets[i];
        if (t->format == CT_RENDER_FORMAT_NONE || t->format > CT_RENDER_FORMAT_D32F)
            return ct_error_set(error, "targets[%u]: unknown format %u", i, t->format);
        const bool is_relative = t->width_scale > 0 && t->width_scale <= 16 &&
                                 t->height_scale > 0 && t->height_scale <= 16;
        const bool is_fixed = t->width_scale == 0 && t->height_scale == 0 && t->width > 0 &&
                              t->width <= MAX_TARGET_SIZE && t->height > 0 &&
                              t->height <= MAX_TARGET_SIZE;
        if (!is_relative && !is_fixed)
            return ct_error_set(error, "targets[%u]: found scale %g x %g and size %u x %u", i,
                                (double)t->width_scale, (double)t->height_scale, t->width,
                                t->height);
        for (uint32_t k = 0; k < i; k++) {
            if (targets[k].name.value == t->name.value)
                return ct_error_set(error, "targets[%u]: the name of targets[%u] again", i, k);
        }
    }
    return true;
}

// The format of the target called `name`; NONE when there is no such target.
static uint32_t format_of(const config *c, ct_string_id32 name) {
    const ct_render_target *const targets = ct_blob_at(c, c->targets.offset);
    for (uint32_t i = 0; i < c->targets.count; i++) {
        if (targets[i].name.value == name.value)
            return targets[i].format;
    }
    const bool is_back_buffer = name.value == CT_ID32("back_buffer", 0xac06b601).value;
    return is_back_buffer ? CT_RENDER_FORMAT_RGBA8 : CT_RENDER_FORMAT_NONE;
}

// Checks the targets that a layer or step draws to. `depth` may be 0.
static bool check_drawn(const config *c, const ct_string_id32 *colors, uint32_t num_colors,
                        ct_string_id32 depth, const char *what, ct_error *error) {
    if (num_colors > CT_RENDER_MAX_COLOR_TARGETS)
        return ct_error_set(error, "%s: found %u color targets, expected at most %u", what,
                            num_colors, CT_RENDER_MAX_COLOR_TARGETS);
    for (uint32_t i = 0; i < num_colors; i++) {
        const uint32_t format = format_of(c, colors[i]);
        if (format == CT_RENDER_FORMAT_NONE || format == CT_RENDER_FORMAT_D32F)
            return ct_error_set(error, "%s: color target %u (%s) is %s", what, i,
                                ct_string_id32_name(colors[i]),
                                format ? "one for depth" : "unknown");
    }
    if (depth.value != 0 && format_of(c, depth) != CT_RENDER_FORMAT_D32F)
        return ct_error_set(error, "%s: depth target %s is %s", what, ct_string_id32_name(depth),
                            format_of(c, depth) ? "one for color" : "unknown");
    return true;
}

static bool check_layers(const config *c, ct_error *error) {
    const ct_render_layer *const layers = ct_blob_at(c, c->layers.offset);
    for (uint32_t i = 0; i < c->layers.count; i++) {
        const ct_render_layer *const layer = &layers[i];
        char what[32];
        snprintf(what, sizeof(what), "layers[%u]", i);
        if (layer->sort > CT_RENDER_SORT_BACK_FRONT)
            return ct_error_set(error, "%s: unknown sort %u", what, layer->sort);
        if (!check_drawn(c, layer->color_targets, layer->num_color_targets, layer->depth_target,
                         what, error))
            return false;
    }
    return true;
}

static bool has_layer(const config *c, ct_string_id32 name) {
    const ct_render_layer *const layers = ct_blob_at(c, c->layers.offset);
    for (uint32_t i = 0; i < c->layers.count; i++) {
        if (layers[i].name.value == name.value)
            return true;
    }
    return false;
}

static bool check_clear(const ct_render_step *step, const char *what, ct_error *error) {
    bool is_finite = isfinite(step->clear_depth);
    for (uint32_t i = 0; i < 4; i++)
        is_finite &= isfinite(step->clear_color[i]) != 0;
    return is_finite || ct_error_set(error, "%s: a clear value is not finite", what);
}

static bool check_pass(const config *c, const ct_render_step *step, const char *what,
                       ct_error *error) {
    if (step->shader.value == 0)
        return ct_error_set(error, "%s: there is no shader", what);
    if (step->num_inputs > CT_RENDER_MAX_INPUTS)
        return ct_error_set(error, "%s: found %u inputs, expected at most %u", what,
                            step->num_inputs, CT_RENDER_MAX_INPUTS);
    for (uint32_t i = 0; i < step->num_inputs; i++) {
        const ct_render_input *const input = &step->inputs[i];
        if (input->filter > 1 || format_of(c, input->target) == CT_RENDER_FORMAT_NONE)
            return ct_error_set(error, "%s: input %u has filter %u, or unknown target %s", what, i,
                                input->filter, ct_string_id32_name(input->target));
    }
    return true;
}

static bool check_steps(const config *c, ct_error *error) {
    const ct_render_step *const steps = ct_blob_at(c, c->steps.offset);
    for (uint32_t i = 0; i < c->steps.count; i++) {
        const ct_render_step *const step = &steps[i];
        char what[32];
        snprintf(what, sizeof(what), "steps[%u]", i);
        if (step->type == CT_RENDER_STEP_TYPE_NONE ||
            step->type > CT_RENDER_STEP_TYPE_FULLSCREEN_PASS)
            return ct_error_set(error, "%s: unknown type %u", what, step->type);
        if (step->type == CT_RENDER_STEP_TYPE_DRAW_LAYER && !has_layer(c, step->layer))
            return ct_error_set(error, "%s: unknown layer %s", what,
                                ct_string_id32_name(step->layer));
        if (!check_drawn(c, step->color_targets, step->num_color_targets, step->depth_target, what,
                         error))
            return false;
        if (step->type == CT_RENDER_STEP_TYPE_CLEAR && !check_clear(step, what, error))
            return false;
        if (step->type == CT_RENDER_STEP_TYPE_FULLSCREEN_PASS && !check_pass(c, step, what, error))
            return false;
    }
    return true;
}

static bool check_generators(const config *c, ct_error *error) {
    const ct_render_generator *const generators = ct_blob_at(c, c->generators.offset);
    for (uint32_t i = 0; i < c->generators.count; i++) {
        const ct_render_generator *const g = &generators[i];
        if (g->first_step > c->steps.count || g->num_steps > c->steps.count - g->first_step)
            return ct_error_set(error, "generators[%u]: found steps %u + %u, but there are %u", i,
                                g->first_step, g->num_steps, c->steps.count);
    }
    return true;
}

static bool check_viewports(const config *c, ct_error *error) {
    const ct_render_viewport *const viewports = ct_blob_at(c, c->viewports.offset);
    for (uint32_t i = 0; i < c->viewports.count; i++) {
        const ct_blob_array array = viewports[i].generators;
        char what[48];
        snprintf(what, sizeof(what), "viewports[%u].generators", i);
        if (!ct_blob_check_array(&c->header, array, 4, 4, what, error))
            return false;
        const uint32_t *const generators = ct_blob_at(c, array.offset);
        for (uint32_t k = 0; k < array.count; k++) {
            if (generators[k] >= c->generators.count)
                return ct_error_set(error, "%s[%u]: found %u, but there are %u", what, k,
                                    generators[k], c->generators.count);
        }
    }
    return true;
}

bool ct_render_config_validate(const void *blob, ct_error *error) {
    const config *const c = blob;
    const ct_blob_header *const h = &c->header;
    if (h->size_bytes < sizeof(*c))
        return ct_error_set(error, "too small for a render config");
    return ct_blob_check_array(h, c->targets, sizeof(ct_render_target), 4, "targets", error) &&
           ct_blob_check_array(h, c->layers, sizeof(ct_render_layer), 4, "layers", error) &&
           ct_blob_check_array(h, c->steps, sizeof(ct_render_step), 8, "steps", error) &&
           ct_blob_check_array(h, c->generators, sizeof(ct_render_generator), 4, "generators",
                               error) &&
           ct_blob_check_array(h, c->viewports, sizeof(ct_render_viewport), 4, "viewports",
                               error) &&
           check_targets(c, error) && check_layers(c, error) && check_steps(c, error) &&
           check_generators(c, error) && check_viewports(c, error);
}
