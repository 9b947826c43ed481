#include "resource/types/render_config_resource.h"

#include <string.h>

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

static const ct_field draw_layer_fields[] = {
    {.name = "material",
     .type = CT_FIELD_TYPE_REFERENCE,
     .doc = "Draws the layer's objects in place of their own materials.",
     .reference_type = "material"},
};

static const ct_schema draw_layer_schema = {
    .name = "draw_layer",
    .doc = "A step that draws the objects of a layer.",
    .num_fields = CT_COUNT_OF(draw_layer_fields),
    .fields = draw_layer_fields,
};

// Steps of other types refer to no resource.
static const ct_schema *const step_schemas[] = {&fullscreen_pass_schema, &compute_schema,
                                                &draw_layer_schema, NULL};

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
     .doc = "Named chains of steps: clear, draw_layer, cascaded_shadows, capture_sky, "
            "fullscreen_pass, copy, generate_mips, compute.",
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
    {.name = "surface_view",
     .type = CT_FIELD_TYPE_VALUE,
     AT(surface_view),
     .doc = "What surfaces show in place of their light: { setting = \"…\" }, a choice."},
    {.name = "fog_color",
     .type = CT_FIELD_TYPE_VALUE,
     AT(fog_color),
     .doc = "Colour of the fog: a value, or { setting = \"…\" }."},
    {.name = "fog_sun_color",
     .type = CT_FIELD_TYPE_VALUE,
     AT(fog_sun_color),
     .doc = "Colour of the fog towards the sun: a value, or { setting = \"…\" }."},
    {.name = "fog_density",
     .type = CT_FIELD_TYPE_VALUE,
     AT(fog_density),
     .doc = "Optical depth of a metre of fog at fog_height: a value, or { setting = \"…\" }."},
    {.name = "fog_falloff",
     .type = CT_FIELD_TYPE_VALUE,
     AT(fog_falloff),
     .doc = "How fast the fog thins with height, in 1 / metre: a value, or { setting = \"…\" }."},
    {.name = "fog_height",
     .type = CT_FIELD_TYPE_VALUE,
     AT(fog_height),
     .doc = "Height at which the fog has its density, in metres: a value, or { setting = \"…\" }."},
    {.name = "fog_start",
     .type = CT_FIELD_TYPE_VALUE,
     AT(fog_start),
     .doc = "Distance from the camera at which the fog begins, in metres: a value, or { setting = "
            "\"…\" }."},
    {.name = "sky_intensity",
     .type = CT_FIELD_TYPE_VALUE,
     AT(sky_intensity),
     .doc = "Factor on the light from the sky map: a value, or { setting = \"…\" }."},
    {.name = "custom",
     .type = CT_FIELD_TYPE_VALUE,
     AT(custom),
     .doc = "Up to 4 values that shaders read as view.custom."},
    {.name = "jitter",
     .type = CT_FIELD_TYPE_VALUE,
     AT(jitter),
     .doc = "When the camera is moved by parts of a pixel: a setting, or { setting is }."},
    {.name = "presets",
     .type = CT_FIELD_TYPE_MAP,
     AT(presets),
     .doc = "Values of settings under a name: low = { setting = value }."},
    {.name = "preset",
     .type = CT_FIELD_TYPE_VALUE,
     AT(preset),
     .doc = "The preset that devices start with."},
    {.name = "cpu_preset",
     .type = CT_FIELD_TYPE_VALUE,
     AT(cpu_preset),
     .doc = "The preset that CPU devices start with."},
    {.name = "sky_map",
     .type = CT_FIELD_TYPE_VALUE,
     AT(sky_map),
     .doc = "The target that shaders read as sky_map."},
    {.name = "scene_color",
     .type = CT_FIELD_TYPE_VALUE,
     AT(scene_color),
     .doc = "The target that shaders read as scene_color."},
    {.name = "scene_depth",
     .type = CT_FIELD_TYPE_VALUE,
     AT(scene_depth),
     .doc = "The target that shaders read as scene_depth."},
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

static float within(float x, float least, float most) {
    return x < least ? least : x > most ? most : x;
}

ct_render_target ct_render_target_with(const config *c, const ct_render_target *target,
                                       const float *values) {
    ct_render_target t = *target;
    if (t.format_setting)
        t.format = ct_render_format_named(
            ct_render_setting_choice(c, &settings_of(c)[t.format_setting - 1],
                                     (uint32_t)values[(t.format_setting - 1) * 4]));
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

bool ct_render_conditions_hold(const ct_render_conditions *conditions, const float *values) {
    for (uint32_t i = 0; i < conditions->count; ++i) {
        const ct_render_condition *const c = &conditions->items[i];
        if (!(c->values & 1u << (uint32_t)values[c->setting * 4]))
            return false;
    }
    return true;
}

// --- The blob ------------------------------------------------------------------------------------

const ct_blob_layout ct_render_target_layout = CT_BLOB_ALL_NUMBERS(ct_render_target, 4);
const ct_blob_layout ct_render_layer_layout = CT_BLOB_ALL_NUMBERS(ct_render_layer, 4);
const ct_blob_layout ct_render_generator_layout = CT_BLOB_ALL_NUMBERS(ct_render_generator, 4);

const ct_blob_layout ct_render_step_layout =
    CT_BLOB_STRUCT(ct_render_step, CT_BLOB_NUMBERS(4, ct_render_step, type, padding),
                   CT_BLOB_NUMBERS(8, ct_render_step, shader, material));

const ct_blob_layout ct_render_viewport_layout =
    CT_BLOB_STRUCT(ct_render_viewport, CT_BLOB_NUMBERS(4, ct_render_viewport, name, padding),
                   CT_BLOB_ARRAY(ct_render_viewport, generators, ct_blob_u32_layout));

const ct_blob_layout ct_render_preset_value_layout = CT_BLOB_ALL_NUMBERS(ct_render_preset_value, 4);
const ct_blob_layout ct_render_preset_layout =
    CT_BLOB_STRUCT(ct_render_preset, CT_BLOB_STRING(ct_render_preset, name),
                   CT_BLOB_ARRAY(ct_render_preset, values, ct_render_preset_value_layout));

const ct_blob_layout ct_render_config_layout =
    CT_BLOB_ROOT(ct_render_config_resource, "a render config",
                 CT_BLOB_ARRAY(config, targets, ct_render_target_layout),
                 CT_BLOB_ARRAY(config, layers, ct_render_layer_layout),
                 CT_BLOB_ARRAY(config, steps, ct_render_step_layout),
                 CT_BLOB_ARRAY(config, generators, ct_render_generator_layout),
                 CT_BLOB_ARRAY(config, viewports, ct_render_viewport_layout),
                 CT_BLOB_ARRAY(config, settings, ct_render_setting_layout),
                 CT_BLOB_ARRAY(config, layer_names, ct_blob_string_layout),
                 CT_BLOB_ARRAY(config, presets, ct_render_preset_layout),
                 CT_BLOB_ARRAY(config, step_names, ct_blob_string_layout),
                 CT_BLOB_NUMBERS(8, config, line_shader, error_material),
                 CT_BLOB_NUMBERS(4, config, sky_light, padding));
