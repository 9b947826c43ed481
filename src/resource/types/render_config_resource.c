#include "resource/types/render_config_resource.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "foundation/error.h"

#define AT(member)                                                                                 \
    .offset = offsetof(ct_render_config_source, member),                                           \
    .size_bytes = sizeof(((ct_render_config_source *)0)->member)

// What a step refers to; the compiler reads steps member by member.
static const ct_field pass_fields[] = {
    {.name = "shader",
     .type = CT_FIELD_TYPE_REFERENCE,
     .doc = "The shader to run.",
     .reference_type = "shader"},
    {.name = "material",
     .type = CT_FIELD_TYPE_REFERENCE,
     .doc = "Values and textures of the shader.",
     .reference_type = "material"},
};

static const ct_schema fullscreen_pass_schema = {
    .name = "fullscreen_pass",
    .doc = "A step that draws a whole target with a shader.",
    .num_fields = CT_COUNT_OF(pass_fields),
    .fields = pass_fields,
};

static const ct_schema compute_schema = {
    .name = "compute",
    .doc = "A step that runs a compute shader.",
    .num_fields = CT_COUNT_OF(pass_fields),
    .fields = pass_fields,
};

// Steps of other types refer to no resource.
static const ct_schema *const step_schemas[] = {&fullscreen_pass_schema, &compute_schema, NULL};

static const ct_field generator_fields[] = {
    {.name = "first",
     .type = CT_FIELD_TYPE_ARRAY,
     .doc = "Steps to insert before all others.",
     .schemas = step_schemas},
    {.name = "last",
     .type = CT_FIELD_TYPE_ARRAY,
     .doc = "Steps to insert after all others.",
     .schemas = step_schemas},
    {.name = "before",
     .type = CT_FIELD_TYPE_MAP,
     .doc = "Steps to insert before the step of this name.",
     .schemas = step_schemas},
    {.name = "after",
     .type = CT_FIELD_TYPE_MAP,
     .doc = "Steps to insert after the step of this name.",
     .schemas = step_schemas},
    {.name = "replace",
     .type = CT_FIELD_TYPE_MAP,
     .doc = "Steps that replace the step of this name.",
     .schemas = step_schemas},
    {.name = "remove", .type = CT_FIELD_TYPE_ARRAY, .doc = "Names of steps to leave out."},
};

static const ct_schema generator_schema = {
    .name = "resource_generator",
    .doc = "Changes to an inherited chain of steps.",
    .num_fields = CT_COUNT_OF(generator_fields),
    .fields = generator_fields,
};

static const ct_field fields[] = {
    {.name = "inherit",
     .type = CT_FIELD_TYPE_REFERENCE,
     AT(inherit),
     .doc = "The render config that this one inherits from. Entries of the same name override it; "
            "changes insert, replace or remove steps.",
     .default_text = NULL,
     .reference_type = "render_config"},
    {.name = "inherit",
     .type = CT_FIELD_TYPE_VALUE,
     AT(inherit_value),
     .doc = "The render config that this one inherits from."},
    {.name = "settings",
     .type = CT_FIELD_TYPE_MAP,
     AT(settings),
     .doc = "Settings that a project may change: name = value, or { type default least most "
            "choices doc }."},
    {.name = "global_resources",
     .type = CT_FIELD_TYPE_ARRAY,
     AT(global_resources),
     .flags = CT_FIELD_SET,
     .doc = "Targets: { name format scale | size }."},
    {.name = "layers",
     .type = CT_FIELD_TYPE_ARRAY,
     AT(layers),
     .doc = "Layers that draws go to: { name targets depth_target sort }."},
    {.name = "resource_generators",
     .type = CT_FIELD_TYPE_MAP,
     AT(resource_generators),
     .doc = "Named chains of steps: clear, draw_layer, fullscreen_pass, copy, generate_mips, "
            "compute.",
     .schema = &generator_schema,
     .schemas = step_schemas},
    {.name = "viewports",
     .type = CT_FIELD_TYPE_MAP,
     AT(viewports),
     .doc = "Viewports by name: the resource generators that each runs, in order."},
    {.name = "line_shader",
     .type = CT_FIELD_TYPE_REFERENCE,
     AT(line_shader),
     .doc = "The material of debug lines.",
     .default_text = NULL,
     .reference_type = "shader"},
    {.name = "error_material",
     .type = CT_FIELD_TYPE_REFERENCE,
     AT(error_material),
     .doc = "The material to use in place of one that is missing or broken.",
     .default_text = NULL,
     .reference_type = "material"},
    {.name = "sky_light",
     .type = CT_FIELD_TYPE_VALUE,
     AT(sky_light),
     .doc = "Light from above on everything: a colour, or { setting = \"…\" }."},
    {.name = "ground_light",
     .type = CT_FIELD_TYPE_VALUE,
     AT(ground_light),
     .doc = "Light from below on everything: a colour, or { setting = \"…\" }."},
    {.name = "lod_bias",
     .type = CT_FIELD_TYPE_VALUE,
     AT(lod_bias),
     .doc = "Factor on the size of meshes when their level of detail is chosen; larger means more "
            "detail: a number, or { setting = \"…\" }."},
};

const ct_schema ct_render_config_schema = {
    .name = "render_config",
    .doc = "The steps that render a frame.",
    .size_bytes = sizeof(ct_render_config_source),
    .num_fields = CT_COUNT_OF(fields),
    .fields = fields,
};

// --- Formats and sizes ---------------------------------------------------------------------------

static const char *const format_names[CT_RENDER_FORMAT_COUNT] = {
    [CT_RENDER_FORMAT_NONE] = "",
    [CT_RENDER_FORMAT_RGBA8] = "RGBA8",
    [CT_RENDER_FORMAT_RGBA8_SRGB] = "RGBA8_SRGB",
    [CT_RENDER_FORMAT_RGBA16F] = "RGBA16F",
    [CT_RENDER_FORMAT_R16F] = "R16F",
    [CT_RENDER_FORMAT_R32F] = "R32F",
    [CT_RENDER_FORMAT_RG16F] = "RG16F",
    [CT_RENDER_FORMAT_D32F] = "D32F",
};

const char *ct_render_format_name(uint32_t format) {
    return format_names[format];
}

ct_render_format ct_render_format_named(const char *name) {
    for (uint32_t i = 1; i < CT_RENDER_FORMAT_COUNT; ++i) {
        if (strcmp(format_names[i], name) == 0)
            return (ct_render_format)i;
    }
    return CT_RENDER_FORMAT_NONE;
}

bool ct_render_format_is_writable(uint32_t format) {
    return format != CT_RENDER_FORMAT_NONE && format != CT_RENDER_FORMAT_RGBA8_SRGB &&
           format != CT_RENDER_FORMAT_D32F;
}

typedef ct_render_config_resource config;

static const ct_render_setting *settings_of(const config *c) {
    return ct_blob_at(c, c->settings.offset);
}

// The format that the choice number `i` of a setting names.
static ct_render_format choice_format(const config *c, const ct_render_setting *s, uint32_t i) {
    const ct_blob_string *const choices = ct_blob_at(c, s->choices.offset);
    return ct_render_format_named(ct_blob_at(c, choices[i].offset));
}

static float within(float x, float least, float most) {
    return x < least ? least : x > most ? most : x;
}

ct_render_target ct_render_target_with(const config *c, const ct_render_target *target,
                                       const float *values) {
    ct_render_target t = *target;
    if (t.format_setting)
        t.format = choice_format(c, &settings_of(c)[t.format_setting - 1],
                                 (uint32_t)values[(t.format_setting - 1) * 4]);
    if (!t.size_setting)
        return t;
    const float *const size = values + (t.size_setting - 1) * 4;
    const bool is_square = ct_render_setting_floats(settings_of(c)[t.size_setting - 1].type) == 1;
    const float x = size[0], y = is_square ? x : size[1];
    if (t.width_scale > 0) {
        t.width_scale = within(x, CT_RENDER_LEAST_SCALE, CT_RENDER_MOST_SCALE);
        t.height_scale = within(y, CT_RENDER_LEAST_SCALE, CT_RENDER_MOST_SCALE);
    } else {
        t.width = (uint32_t)within(x, 1, CT_RENDER_MAX_TARGET_SIZE);
        t.height = (uint32_t)within(y, 1, CT_RENDER_MAX_TARGET_SIZE);
    }
    return t;
}

// --- The blob ------------------------------------------------------------------------------------

const ct_blob_layout ct_render_target_layout = CT_BLOB_ALL_NUMBERS(ct_render_target, 4);
const ct_blob_layout ct_render_layer_layout = CT_BLOB_ALL_NUMBERS(ct_render_layer, 4);
const ct_blob_layout ct_render_generator_layout = CT_BLOB_ALL_NUMBERS(ct_render_generator, 4);

const ct_blob_layout ct_render_step_layout =
    CT_BLOB_STRUCT(ct_render_step, CT_BLOB_NUMBERS(4, ct_render_step, type, on_cpu),
                   CT_BLOB_NUMBERS(8, ct_render_step, shader, material));

const ct_blob_layout ct_render_viewport_layout =
    CT_BLOB_STRUCT(ct_render_viewport, CT_BLOB_NUMBERS(4, ct_render_viewport, name, padding),
                   CT_BLOB_ARRAY(ct_render_viewport, generators, ct_blob_u32_layout));

const ct_blob_layout ct_render_config_layout =
    CT_BLOB_ROOT(ct_render_config_resource, "a render config",
                 CT_BLOB_ARRAY(config, targets, ct_render_target_layout),
                 CT_BLOB_ARRAY(config, layers, ct_render_layer_layout),
                 CT_BLOB_ARRAY(config, steps, ct_render_step_layout),
                 CT_BLOB_ARRAY(config, generators, ct_render_generator_layout),
                 CT_BLOB_ARRAY(config, viewports, ct_render_viewport_layout),
                 CT_BLOB_ARRAY(config, settings, ct_render_setting_layout),
                 CT_BLOB_ARRAY(config, layer_names, ct_blob_string_layout),
                 CT_BLOB_NUMBERS(8, config, line_shader, error_material),
                 CT_BLOB_NUMBERS(4, config, sky_light, padding));

// --- Validation ----------------------------------------------------------------------------------

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
        const ct_render_format format = choice_format(c, s, k);
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
    }
    return true;
}

static bool check_pass(const config *c, const ct_render_step *step, const char *what,
                       ct_error *error) {
    if (step->shader.value == 0)
        return ct_error_set(error, "%s: the shader is missing", what);
    if (!check_inputs(c, step, what, error))
        return false;
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
    return source.value != target.value ||
           ct_error_set(error, "%s: source and target are the same", what);
}

static bool check_generate_mips(const ct_render_step *step, const char *what, ct_error *error) {
    return (step->num_color_targets == 1 && step->depth_target.value == 0) ||
           ct_error_set(error, "%s: found %u targets, expected 1", what, step->num_color_targets);
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
    default:
        return true;
    }
}

static bool check_steps(const config *c, ct_error *error) {
    const ct_render_step *const steps = ct_blob_at(c, c->steps.offset);
    for (uint32_t i = 0; i < c->steps.count; ++i) {
        const ct_render_step *const step = &steps[i];
        char what[32];
        snprintf(what, sizeof(what), "steps[%u]", i);
        if (step->type == CT_RENDER_STEP_TYPE_NONE || step->type >= CT_RENDER_STEP_TYPE_COUNT)
            return ct_error_set(error, "%s: unknown type %u", what, step->type);
        if (step->is_enabled_by > 1)
            return ct_error_set(error, "%s: found is_enabled_by %u, expected 0 or 1", what,
                                step->is_enabled_by);
        if (!check_setting(c, step->enabled_setting, 1u << CT_RENDER_SETTING_TYPE_BOOL, what,
                           error))
            return false;
        if (step->type == CT_RENDER_STEP_TYPE_DRAW_LAYER && !has_layer(c, step->layer))
            return ct_error_set(error, "%s: unknown layer %s", what,
                                ct_string_id32_name(step->layer));
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

bool ct_render_config_validate(const void *blob, ct_error *error) {
    const config *const c = blob;
    return ct_blob_check_layout(&ct_render_config_layout, c, error) &&
           ct_render_settings_validate(&c->header, c->settings, error) &&
           check_light(c, &c->sky_light, "sky_light", error) &&
           check_light(c, &c->ground_light, "ground_light", error) &&
           check_value(c, &c->lod_bias, CT_RENDER_LEAST_LOD_BIAS, CT_RENDER_MOST_LOD_BIAS,
                       "lod_bias", error) &&
           check_targets(c, error) && check_layers(c, error) && check_steps(c, error) &&
           check_generators(c, error) && check_viewports(c, error);
}
