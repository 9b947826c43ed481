// Validates the blob of a render config. libc only.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "foundation/error.h"
#include "resource/types/render_config_resource.h"

typedef ct_render_config_resource config;

static const ct_render_setting *settings_of(const config *c) {
    return ct_blob_at(c, c->settings.offset);
}

// --- Values --------------------------------------------------------------------------------------

// Checks that `setting` (a position + 1, or 0) is one of `count` and of a type in `wanted` (a bit
// for each).
static bool check_setting(const config *c, uint32_t setting, uint32_t wanted, const char *what,
                          ct_error *error) {
    if (setting == 0)
        return true;
    if (setting > c->settings.count)
        return ct_error_set(error, "%s: found setting %u, but there are only %u", what, setting - 1,
                            c->settings.count);
    const uint32_t type = settings_of(c)[setting - 1].type;
    return (wanted & 1u << type) || ct_error_set(error, "%s: setting %u is a %s", what, setting - 1,
                                                 ct_render_setting_type_name(type));
}

static bool check_conditions(const config *c, const ct_render_conditions *x, const char *what,
                             ct_error *error) {
    static const uint32_t types =
        1u << CT_RENDER_SETTING_TYPE_BOOL | 1u << CT_RENDER_SETTING_TYPE_CHOICE;
    if (x->count > CT_RENDER_MAX_CONDITIONS)
        return ct_error_set(error, "%s: found %u conditions, expected at most %u", what, x->count,
                            CT_RENDER_MAX_CONDITIONS);
    for (uint32_t i = 0; i < x->count; ++i) {
        if (x->items[i].setting == UINT32_MAX ||
            !check_setting(c, x->items[i].setting + 1, types, what, error))
            return ct_error_set(error, "%s: condition %u has an unknown setting", what, i);
    }
    return true;
}

static bool check_flag(uint32_t flag, uint32_t most, const char *what, const char *member,
                       ct_error *error) {
    return flag <= most ||
           ct_error_set(error, "%s: found %s %u, expected at most %u", what, member, flag, most);
}

static bool check_target_settings(const config *c, uint32_t i, ct_error *error) {
    static const uint32_t choice = 1u << CT_RENDER_SETTING_TYPE_CHOICE;
    static const uint32_t numbers = 1u << CT_RENDER_SETTING_TYPE_NUMBER |
                                    1u << CT_RENDER_SETTING_TYPE_WHOLE |
                                    1u << CT_RENDER_SETTING_TYPE_VECTOR2;
    const ct_render_target *const t =
        (const ct_render_target *)ct_blob_at(c, c->targets.offset) + i;
    char what[32];
    snprintf(what, sizeof(what), "targets[%u]", i);
    if (!check_setting(c, t->format_setting, choice, what, error) ||
        !check_setting(c, t->size_setting, numbers, what, error))
        return false;
    if (t->format_setting == 0)
        return true;
    const ct_render_setting *const s = &settings_of(c)[t->format_setting - 1];
    for (uint32_t k = 0; k < s->choices.count; ++k) {
        const ct_render_format format = ct_render_format_named(ct_render_setting_choice(c, s, k));
        if (format == CT_RENDER_FORMAT_NONE ||
            (format == CT_RENDER_FORMAT_D32F) != (t->format == CT_RENDER_FORMAT_D32F))
            return ct_error_set(error, "%s: choice %u of its setting is not a suitable format",
                                what, k);
    }
    return true;
}

static bool check_targets(const config *c, ct_error *error) {
    const ct_render_target *const targets = ct_blob_at(c, c->targets.offset);
    if (c->targets.count > CT_RENDER_MAX_TARGETS)
        return ct_error_set(error, "targets: found %u, expected at most %u", c->targets.count,
                            CT_RENDER_MAX_TARGETS);
    for (uint32_t i = 0; i < c->targets.count; ++i) {
        const ct_render_target *const t = &targets[i];
        if (t->format == CT_RENDER_FORMAT_NONE || t->format >= CT_RENDER_FORMAT_COUNT)
            return ct_error_set(error, "targets[%u]: unknown format %u", i, t->format);
        const bool is_relative = t->width_scale > 0 && t->width_scale <= CT_RENDER_MOST_SCALE &&
                                 t->height_scale > 0 && t->height_scale <= CT_RENDER_MOST_SCALE;
        const bool is_fixed = t->width_scale == 0 && t->height_scale == 0 && t->width > 0 &&
                              t->width <= CT_RENDER_MAX_TARGET_SIZE && t->height > 0 &&
                              t->height <= CT_RENDER_MAX_TARGET_SIZE;
        if (!is_relative && !is_fixed)
            return ct_error_set(
                error, "targets[%u]: found scale %g x %g and size %u x %u, which are out of range",
                i, (double)t->width_scale, (double)t->height_scale, t->width, t->height);
        if (t->num_mips > CT_RENDER_MAX_MIPS ||
            (t->format == CT_RENDER_FORMAT_D32F && t->num_mips != 1))
            return ct_error_set(error, "targets[%u]: found %u mips, which is out of range", i,
                                t->num_mips);
        if (t->has_history > (t->format != CT_RENDER_FORMAT_D32F))
            return ct_error_set(error, "targets[%u]: found has_history %u, which does not fit", i,
                                t->has_history);
        if (!check_target_settings(c, i, error))
            return false;
        for (uint32_t k = 0; k < i; ++k) {
            if (targets[k].name.value == t->name.value)
                return ct_error_set(error, "targets[%u]: has the same name as targets[%u]", i, k);
        }
    }
    return true;
}

// The target called `name`; NULL when it is not declared.
static const ct_render_target *find_target(const config *c, ct_string_id32 name) {
    const ct_render_target *const targets = ct_blob_at(c, c->targets.offset);
    for (uint32_t i = 0; i < c->targets.count; ++i) {
        if (targets[i].name.value == name.value)
            return &targets[i];
    }
    return NULL;
}

// The format of the target called `name`; NONE when there is no such target.
static uint32_t format_of(const config *c, ct_string_id32 name) {
    const ct_render_target *const target = find_target(c, name);
    if (target)
        return target->format;
    const bool is_back_buffer = name.value == CT_ID32("back_buffer", 0xac06b601).value;
    return is_back_buffer ? CT_RENDER_FORMAT_RGBA8 : CT_RENDER_FORMAT_NONE;
}

// Checks the targets that a layer or step draws to. `depth` may be 0.
static bool check_drawn(const config *c, const ct_string_id32 *colors, uint32_t num_colors,
                        ct_string_id32 depth, const char *what, ct_error *error) {
    if (num_colors > CT_RENDER_MAX_COLOR_TARGETS)
        return ct_error_set(error, "%s: found %u color targets, expected at most %u", what,
                            num_colors, CT_RENDER_MAX_COLOR_TARGETS);
    for (uint32_t i = 0; i < num_colors; ++i) {
        const uint32_t format = format_of(c, colors[i]);
        if (format == CT_RENDER_FORMAT_NONE || format == CT_RENDER_FORMAT_D32F)
            return ct_error_set(error, "%s: color target %u (%s) is %s", what, i,
                                ct_string_id32_name(colors[i]),
                                format ? "a depth target" : "unknown");
    }
    if (depth.value != 0 && format_of(c, depth) != CT_RENDER_FORMAT_D32F)
        return ct_error_set(error, "%s: depth target %s is %s", what, ct_string_id32_name(depth),
                            format_of(c, depth) ? "a color target" : "unknown");
    return true;
}

static bool check_layers(const config *c, ct_error *error) {
    const ct_render_layer *const layers = ct_blob_at(c, c->layers.offset);
    for (uint32_t i = 0; i < c->layers.count; ++i) {
        const ct_render_layer *const layer = &layers[i];
        char what[32];
        snprintf(what, sizeof(what), "layers[%u]", i);
        if (layer->sort > CT_RENDER_SORT_BACK_FRONT)
            return ct_error_set(error, "%s: unknown sort %u", what, layer->sort);
        if (!check_drawn(c, layer->color_targets, layer->num_color_targets, layer->depth_target,
                         what, error))
            return false;
        const uint32_t velocity =
            layer->velocity_target.value ? format_of(c, layer->velocity_target) : 0;
        if (layer->velocity_target.value &&
            (velocity != CT_RENDER_FORMAT_RG16F ||
             layer->num_color_targets > CT_RENDER_VELOCITY_LOCATION))
            return ct_error_set(error, "%s: its velocity target does not fit", what);
        for (uint32_t k = 0; k < layer->num_color_targets; ++k) {
            if (layer->color_targets[k].value == layer->velocity_target.value)
                return ct_error_set(error, "%s: its velocity target is color target %u, too", what,
                                    k);
        }
    }
    return true;
}

static bool has_layer(const config *c, ct_string_id32 name) {
    const ct_render_layer *const layers = ct_blob_at(c, c->layers.offset);
    for (uint32_t i = 0; i < c->layers.count; ++i) {
        if (layers[i].name.value == name.value)
            return true;
    }
    return false;
}

static bool check_clear(const ct_render_step *step, const char *what, ct_error *error) {
    bool is_finite = isfinite(step->clear_depth);
    for (uint32_t i = 0; i < 4; ++i)
        is_finite &= isfinite(step->clear_color[i]) != 0;
    return is_finite || ct_error_set(error, "%s: a clear value is not finite", what);
}

static bool check_inputs(const config *c, const ct_render_step *step, const char *what,
                         ct_error *error) {
    if (step->num_inputs > CT_RENDER_MAX_INPUTS)
        return ct_error_set(error, "%s: found %u inputs, expected at most %u", what,
                            step->num_inputs, CT_RENDER_MAX_INPUTS);
    for (uint32_t i = 0; i < step->num_inputs; ++i) {
        const ct_render_input *const input = &step->inputs[i];
        if (input->filter > 1 || format_of(c, input->target) == CT_RENDER_FORMAT_NONE)
            return ct_error_set(error, "%s: input %u has unknown filter %u or unknown target %s",
                                what, i, input->filter, ct_string_id32_name(input->target));
        if (input->mip >= CT_RENDER_MAX_MIPS && input->mip != CT_RENDER_ALL_MIPS)
            return ct_error_set(error, "%s: input %u has mip %u, which is out of range", what, i,
                                input->mip);
        const ct_render_target *const target = find_target(c, input->target);
        if (input->is_previous > (target && target->has_history))
            return ct_error_set(error, "%s: input %u has is_previous %u, which does not fit", what,
                                i, input->is_previous);
    }
    return true;
}

static bool check_pass(const config *c, const ct_render_step *step, const char *what,
                       ct_error *error) {
    if (step->shader.value == 0)
        return ct_error_set(error, "%s: the shader is missing", what);
    if (!check_inputs(c, step, what, error))
        return false;
    for (uint32_t i = 0; i < step->num_color_targets; ++i) {
        if (step->color_mips[i] >= CT_RENDER_MAX_MIPS)
            return ct_error_set(error, "%s: target %u has mip %u, which is out of range", what, i,
                                step->color_mips[i]);
    }
    if (step->num_parameters > CT_RENDER_MAX_PARAMETERS)
        return ct_error_set(error, "%s: found %u parameters, expected at most %u", what,
                            step->num_parameters, CT_RENDER_MAX_PARAMETERS);
    for (uint32_t i = 0; i < step->num_parameters; ++i) {
        if (step->parameters[i].setting >= c->settings.count)
            return ct_error_set(error, "%s: parameter %u uses setting %u, but there are only %u",
                                what, i, step->parameters[i].setting, c->settings.count);
    }
    return true;
}

// Checks a number of a step that may be a setting.
static bool check_value(const config *c, const ct_render_value *value, float least, float most,
                        const char *what, ct_error *error) {
    const uint32_t numbers =
        1u << CT_RENDER_SETTING_TYPE_NUMBER | 1u << CT_RENDER_SETTING_TYPE_WHOLE;
    if (value->setting)
        return check_setting(c, value->setting, numbers, what, error);
    return (value->numbers[0] >= least && value->numbers[0] <= most) ||
           ct_error_set(error, "%s: found %g, expected %g to %g", what, (double)value->numbers[0],
                        (double)least, (double)most);
}

static bool check_shadows(const config *c, const ct_render_step *step, const char *what,
                          ct_error *error) {
    char member[64];
    if (format_of(c, step->depth_target) != CT_RENDER_FORMAT_D32F)
        return ct_error_set(error, "%s: the shadow map is missing", what);
    snprintf(member, sizeof(member), "%s.cascades", what);
    if (!check_value(c, &step->num_cascades, 1, CT_RENDER_MAX_CASCADES, member, error))
        return false;
    snprintf(member, sizeof(member), "%s.distance", what);
    if (!check_value(c, &step->shadow_distance, CT_RENDER_LEAST_SHADOW_DISTANCE,
                     CT_RENDER_MOST_SHADOW_DISTANCE, member, error))
        return false;
    snprintf(member, sizeof(member), "%s.split_lambda", what);
    if (!check_value(c, &step->split_lambda, 0, 1, member, error))
        return false;
    snprintf(member, sizeof(member), "%s.on_cpu", what);
    return check_setting(c, step->on_cpu.setting, 1u << CT_RENDER_SETTING_TYPE_BOOL, member, error);
}

static bool check_compute(const config *c, const ct_render_step *step, const char *what,
                          ct_error *error) {
    if (!check_pass(c, step, what, error))
        return false;
    if (step->num_outputs == 0 || step->num_outputs > CT_RENDER_MAX_OUTPUTS)
        return ct_error_set(error, "%s: found %u outputs, expected 1 to %u", what,
                            step->num_outputs, CT_RENDER_MAX_OUTPUTS);
    for (uint32_t i = 0; i < step->num_outputs; ++i) {
        const ct_render_output *const output = &step->outputs[i];
        const ct_render_target *const target = find_target(c, output->target);
        if (!target || !ct_render_format_is_writable(target->format) ||
            output->mip >= CT_RENDER_MAX_MIPS)
            return ct_error_set(error, "%s: output %u (%s, mip %u) cannot be written", what, i,
                                ct_string_id32_name(output->target), output->mip);
    }
    const uint32_t *const groups = step->groups;
    const bool is_covering = groups[0] == 0 && groups[1] == 0 && groups[2] == 0;
    for (uint32_t i = 0; i < 3 && !is_covering; ++i) {
        if (groups[i] == 0 || groups[i] > CT_RENDER_MAX_GROUPS)
            return ct_error_set(error, "%s: found %u groups, which is out of range", what,
                                groups[i]);
    }
    return !is_covering || format_of(c, step->cover) != CT_RENDER_FORMAT_NONE ||
           ct_error_set(error, "%s: the target to cover is unknown", what);
}

static bool check_copy(const config *c, const ct_render_step *step, const char *what,
                       ct_error *error) {
    if (!check_inputs(c, step, what, error))
        return false;
    const bool is_depth = step->depth_target.value != 0;
    if (step->num_inputs != 1 || step->num_color_targets + is_depth != 1)
        return ct_error_set(error, "%s: found %u sources and %u targets, expected one of each",
                            what, step->num_inputs, step->num_color_targets + is_depth);
    const ct_string_id32 source = step->inputs[0].target;
    const ct_string_id32 target = is_depth ? step->depth_target : step->color_targets[0];
    if ((format_of(c, source) == CT_RENDER_FORMAT_D32F) != is_depth)
        return ct_error_set(error, "%s: source and target must both have depth, or neither", what);
    if (step->inputs[0].is_previous)
        return ct_error_set(error, "%s: found is_previous, which copies do not have", what);
    return source.value != target.value ||
           ct_error_set(error, "%s: source and target are the same", what);
}

static bool check_generate_mips(const ct_render_step *step, const char *what, ct_error *error) {
    return (step->num_color_targets == 1 && step->depth_target.value == 0) ||
           ct_error_set(error, "%s: found %u targets, expected 1", what, step->num_color_targets);
}

static bool check_draw_layer(const config *c, const ct_render_step *step, const char *what,
                             ct_error *error) {
    if (!has_layer(c, step->layer))
        return ct_error_set(error, "%s: unknown layer %s", what, ct_string_id32_name(step->layer));
    return check_flag(step->only, CT_RENDER_ONLY_OUTLINED, what, "only", error) &&
           check_flag(step->is_wireframe, 1, what, "is_wireframe", error);
}

static bool check_capture_sky(const config *c, const ct_render_step *step, const char *what,
                              ct_error *error) {
    if (!has_layer(c, step->layer))
        return ct_error_set(error, "%s: unknown layer %s", what, ct_string_id32_name(step->layer));
    const ct_render_target *const target =
        step->num_color_targets == 1 ? find_target(c, step->color_targets[0]) : NULL;
    return target || ct_error_set(error, "%s: the target is missing", what);
}

// Checks what only steps of its type have.
static bool check_own(const config *c, const ct_render_step *step, const char *what,
                      ct_error *error) {
    switch (step->type) {
    case CT_RENDER_STEP_TYPE_CLEAR:
        return check_clear(step, what, error);
    case CT_RENDER_STEP_TYPE_FULLSCREEN_PASS:
        return check_pass(c, step, what, error);
    case CT_RENDER_STEP_TYPE_COPY:
        return check_copy(c, step, what, error);
    case CT_RENDER_STEP_TYPE_GENERATE_MIPS:
        return check_generate_mips(step, what, error);
    case CT_RENDER_STEP_TYPE_COMPUTE:
        return check_compute(c, step, what, error);
    case CT_RENDER_STEP_TYPE_CASCADED_SHADOWS:
        return check_shadows(c, step, what, error);
    case CT_RENDER_STEP_TYPE_DRAW_LAYER:
        return check_draw_layer(c, step, what, error);
    case CT_RENDER_STEP_TYPE_CAPTURE_SKY:
        return check_capture_sky(c, step, what, error);
    default:
        return true;
    }
}

// Checks that a step has inputs, outputs and mips only when steps of its type use them.
static bool check_counts(const ct_render_step *step, const char *what, ct_error *error) {
    const bool is_pass = step->type == CT_RENDER_STEP_TYPE_FULLSCREEN_PASS;
    const bool is_compute = step->type == CT_RENDER_STEP_TYPE_COMPUTE;
    const bool is_reading = is_pass || is_compute || step->type == CT_RENDER_STEP_TYPE_COPY;
    if (!is_reading && step->num_inputs > 0)
        return ct_error_set(error, "%s: found %u inputs, expected none", what, step->num_inputs);
    if (!is_compute && step->num_outputs > 0)
        return ct_error_set(error, "%s: found %u outputs, expected none", what, step->num_outputs);
    for (uint32_t i = 0; i < CT_RENDER_MAX_COLOR_TARGETS; ++i) {
        if (!is_pass && step->color_mips[i] > 0)
            return ct_error_set(error, "%s: found mip %u of a target, expected 0", what,
                                step->color_mips[i]);
    }
    return true;
}

static bool check_steps(const config *c, ct_error *error) {
    const ct_render_step *const steps = ct_blob_at(c, c->steps.offset);
    for (uint32_t i = 0; i < c->steps.count; ++i) {
        const ct_render_step *const step = &steps[i];
        char what[32];
        snprintf(what, sizeof(what), "steps[%u]", i);
        if (step->type == CT_RENDER_STEP_TYPE_NONE || step->type >= CT_RENDER_STEP_TYPE_COUNT)
            return ct_error_set(error, "%s: unknown type %u", what, step->type);
        if (!check_conditions(c, &step->enabled, what, error) ||
            !check_flag(step->when, CT_RENDER_WHEN_OUTLINED, what, "when", error) ||
            !check_flag(step->overwrites, 1, what, "overwrites", error))
            return false;
        if (!check_counts(step, what, error))
            return false;
        if (!check_drawn(c, step->color_targets, step->num_color_targets, step->depth_target, what,
                         error))
            return false;
        if (!check_own(c, step, what, error))
            return false;
    }
    return true;
}

static bool check_generators(const config *c, ct_error *error) {
    const ct_render_generator *const generators = ct_blob_at(c, c->generators.offset);
    for (uint32_t i = 0; i < c->generators.count; ++i) {
        const ct_render_generator *const g = &generators[i];
        if (g->first_step > c->steps.count || g->num_steps > c->steps.count - g->first_step)
            return ct_error_set(error, "generators[%u]: found steps %u + %u, but there are only %u",
                                i, g->first_step, g->num_steps, c->steps.count);
    }
    return true;
}

static bool check_viewports(const config *c, ct_error *error) {
    const ct_render_viewport *const viewports = ct_blob_at(c, c->viewports.offset);
    for (uint32_t i = 0; i < c->viewports.count; ++i) {
        const ct_blob_array array = viewports[i].generators;
        const uint32_t *const generators = ct_blob_at(c, array.offset);
        for (uint32_t k = 0; k < array.count; ++k) {
            if (generators[k] >= c->generators.count)
                return ct_error_set(error,
                                    "viewports[%u].generators[%u]: found %u, but there are only %u",
                                    i, k, generators[k], c->generators.count);
        }
    }
    return true;
}

static bool check_light(const config *c, const ct_render_value *light, const char *what,
                        ct_error *error) {
    for (uint32_t i = 0; i < 4; ++i) {
        if (!isfinite(light->numbers[i]))
            return ct_error_set(error, "%s is not finite", what);
    }
    return check_setting(c, light->setting, 1u << CT_RENDER_SETTING_TYPE_COLOR, what, error);
}

static bool check_presets(const config *c, ct_error *error) {
    const ct_render_preset *const presets = ct_blob_at(c, c->presets.offset);
    if (c->presets.count > CT_RENDER_MAX_PRESETS || c->preset > c->presets.count ||
        c->cpu_preset > c->presets.count)
        return ct_error_set(error, "presets: found %u, of which %u and %u are chosen",
                            c->presets.count, c->preset, c->cpu_preset);
    for (uint32_t i = 0; i < c->presets.count; ++i) {
        const ct_render_preset_value *const values = ct_blob_at(c, presets[i].values.offset);
        for (uint32_t k = 0; k < presets[i].values.count; ++k) {
            const ct_render_preset_value *const v = &values[k];
            if (v->setting >= c->settings.count ||
                !ct_render_setting_holds(&settings_of(c)[v->setting], v->value))
                return ct_error_set(error, "presets[%u].values[%u]: it does not fit its setting", i,
                                    k);
        }
    }
    return true;
}

static bool check_view_values(const config *c, ct_error *error) {
    const ct_render_view_values *const v = &c->view_values;
    const struct {
        const ct_render_value *value;
        const char *name;
        float least, most;
    } numbers[] = {
        {&v->fog_density, "fog_density", 0, CT_RENDER_MOST_FOG},
        {&v->fog_falloff, "fog_falloff", 0, CT_RENDER_MOST_FOG},
        {&v->fog_height, "fog_height", -CT_RENDER_MOST_DISTANCE, CT_RENDER_MOST_DISTANCE},
        {&v->fog_start, "fog_start", 0, CT_RENDER_MOST_DISTANCE},
        {&v->sky_intensity, "sky_intensity", 0, CT_RENDER_MOST_INTENSITY}};
    for (uint32_t i = 0; i < CT_COUNT_OF(numbers); ++i) {
        if (!check_value(c, numbers[i].value, numbers[i].least, numbers[i].most, numbers[i].name,
                         error))
            return false;
    }
    for (uint32_t i = 0; i < CT_RENDER_MAX_CUSTOM; ++i) {
        for (uint32_t k = 0; k < 4; ++k) {
            if (!isfinite(v->custom[i].numbers[k]))
                return ct_error_set(error, "custom is not finite");
        }
        if (!check_setting(c, v->custom[i].setting, UINT32_MAX, "custom", error))
            return false;
    }
    return check_light(c, &v->fog_color, "fog_color", error) &&
           check_light(c, &v->fog_sun_color, "fog_sun_color", error);
}

static bool check_frame_target(const config *c, ct_string_id32 name, bool is_depth,
                               const char *what, ct_error *error) {
    const ct_render_target *const target = find_target(c, name);
    return !name.value || (target && (is_depth || target->format != CT_RENDER_FORMAT_D32F)) ||
           ct_error_set(error, "%s: %s is not such a target", what, ct_string_id32_name(name));
}

static bool check_frame(const config *c, ct_error *error) {
    return check_setting(c, c->surface_view.setting, 1u << CT_RENDER_SETTING_TYPE_CHOICE,
                         "surface_view", error) &&
           check_conditions(c, &c->jitter, "jitter", error) &&
           check_frame_target(c, c->sky_map, false, "sky_map", error) &&
           check_frame_target(c, c->scene_color, false, "scene_color", error) &&
           check_frame_target(c, c->scene_depth, true, "scene_depth", error);
}

static bool check_step_names(const config *c, ct_error *error) {
    return c->step_names.count == c->steps.count ||
           ct_error_set(error, "step_names: found %u names of %u steps", c->step_names.count,
                        c->steps.count);
}

bool ct_render_config_validate(const void *blob, ct_error *error) {
    const config *const c = blob;
    return ct_blob_check_layout(&ct_render_config_layout, c, error) &&
           ct_render_settings_validate(&c->header, c->settings, error) &&
           check_light(c, &c->sky_light, "sky_light", error) &&
           check_light(c, &c->ground_light, "ground_light", error) &&
           check_value(c, &c->lod_bias, CT_RENDER_LEAST_LOD_BIAS, CT_RENDER_MOST_LOD_BIAS,
                       "lod_bias", error) &&
           check_view_values(c, error) && check_targets(c, error) && check_layers(c, error) &&
           check_steps(c, error) && check_generators(c, error) && check_viewports(c, error) &&
           check_presets(c, error) && check_frame(c, error) && check_step_names(c, error);
}
