// render_config_resource.h: the blob of a render config: the steps that render a frame, as data.
//
// Global resources are targets; layers define where draws go and in what order; resource generators
// are named chains of steps; viewports are lists of generators. The target "back_buffer" is what is
// shown (or saved, headless) and need not be declared. From "Data Driven Rendering in Stingray"
// (2015-12-18).
#pragma once
#include "resource/types/render_setting.h"

enum {
    CT_RENDER_CONFIG_VERSION = 8,
    CT_RENDER_MAX_TARGETS = 32,      // global resources
    CT_RENDER_MAX_COLOR_TARGETS = 4, // of one step
    CT_RENDER_MAX_INPUTS = 8,        // of one fullscreen pass
    CT_RENDER_MAX_OUTPUTS = 4,       // of one compute step
    CT_RENDER_MAX_MIPS = 15,         // of a target: down from CT_RENDER_MAX_TARGET_SIZE
    CT_RENDER_MAX_GROUPS = 65535,    // of a compute step, in each direction
    CT_RENDER_MAX_PARAMETERS = 8,    // of one pass, set by settings
    CT_RENDER_MAX_TARGET_SIZE = 16384,
    CT_RENDER_MAX_CASCADES = 4, // of a shadow map
    CT_RENDER_MAX_CONDITIONS = 4,
    CT_RENDER_MAX_CUSTOM = 4, // values for shaders of the project
    CT_RENDER_MAX_PRESETS = 16,
    // The location at which fragment stages write velocity, and so its place among attachments.
    CT_RENDER_VELOCITY_LOCATION = CT_RENDER_MAX_COLOR_TARGETS - 1,
};

// The scale of a target relative to the back buffer.
#define CT_RENDER_LEAST_SCALE (1.0f / 64.0f)
#define CT_RENDER_MOST_SCALE 16.0f

// Limits of the factor on the size of meshes when their levels of detail are chosen.
#define CT_RENDER_LEAST_LOD_BIAS 0.01f
#define CT_RENDER_MOST_LOD_BIAS 100.0f

// Limits, in metres, of the distance up to which there are shadows.
#define CT_RENDER_LEAST_SHADOW_DISTANCE 0.1f
#define CT_RENDER_MOST_SHADOW_DISTANCE 1e6f

// Limits of what shaders read in `view`.
#define CT_RENDER_MOST_FOG 1000.0f   // per metre
#define CT_RENDER_MOST_DISTANCE 1e6f // metres
#define CT_RENDER_MOST_INTENSITY 1e6f

// The formats of render targets.
typedef enum ct_render_format {
    CT_RENDER_FORMAT_NONE,
    CT_RENDER_FORMAT_RGBA8,
    CT_RENDER_FORMAT_RGBA8_SRGB,
    CT_RENDER_FORMAT_RGBA16F,
    CT_RENDER_FORMAT_R16F,
    CT_RENDER_FORMAT_R32F,
    CT_RENDER_FORMAT_RG16F,
    CT_RENDER_FORMAT_D32F,
    CT_RENDER_FORMAT_COUNT,
} ct_render_format;

// Holds when the value of a setting, which is a bool or a choice, is among `values`.
typedef struct ct_render_condition {
    uint32_t setting; // position
    uint32_t values;  // a bit for each: false and true, or the positions of choices
} ct_render_condition;

// Hold when all of them do.
typedef struct ct_render_conditions {
    uint32_t count;
    ct_render_condition items[CT_RENDER_MAX_CONDITIONS];
} ct_render_conditions;

typedef struct ct_render_target {
    ct_string_id32 name;
    uint32_t format;                 // ct_render_format
    float width_scale, height_scale; // relative to the back buffer; 0: fixed size
    uint32_t width, height;          // pixels, when fixed
    uint32_t num_mips;               // 0: all down to one pixel; 1: only the full size
    // Positions + 1 of settings that replace these values; 0: no setting.
    uint32_t format_setting; // a choice of format names
    uint32_t size_setting;   // one number or two: the scale, or pixels when fixed
    uint32_t has_history;    // 1: what the last frame wrote can be read in the next; never D32F
} ct_render_target;

typedef enum ct_render_sort {
    CT_RENDER_SORT_MATERIAL, // shader, material, mesh
    CT_RENDER_SORT_FRONT_BACK,
    CT_RENDER_SORT_BACK_FRONT,
} ct_render_sort;

typedef struct ct_render_layer {
    ct_string_id32 name;
    uint32_t sort; // ct_render_sort
    uint32_t num_color_targets;
    ct_string_id32 color_targets[CT_RENDER_MAX_COLOR_TARGETS];
    ct_string_id32 depth_target;    // or 0
    ct_string_id32 velocity_target; // of format RG16F, or 0; there are no more than
                                    // CT_RENDER_VELOCITY_LOCATION other colour targets then
} ct_render_layer;

// What a step of a generator does.
typedef enum ct_render_step_type {
    CT_RENDER_STEP_TYPE_NONE,
    CT_RENDER_STEP_TYPE_CLEAR,
    CT_RENDER_STEP_TYPE_DRAW_LAYER,
    CT_RENDER_STEP_TYPE_FULLSCREEN_PASS,
    CT_RENDER_STEP_TYPE_COPY,
    CT_RENDER_STEP_TYPE_GENERATE_MIPS,
    CT_RENDER_STEP_TYPE_COMPUTE,
    CT_RENDER_STEP_TYPE_CASCADED_SHADOWS,
    CT_RENDER_STEP_TYPE_CAPTURE_SKY,
    CT_RENDER_STEP_TYPE_COUNT,
} ct_render_step_type;

// An input that is read with all its mips.
#define CT_RENDER_ALL_MIPS UINT32_MAX

typedef struct ct_render_input {
    ct_string_id32 target;
    uint32_t filter;      // 0 linear, 1 nearest
    uint32_t mip;         // or CT_RENDER_ALL_MIPS
    uint32_t is_previous; // 1: what the last frame wrote, of a target with history
} ct_render_input;

// A target that a step draws into.
typedef struct ct_render_output {
    ct_string_id32 target;
    uint32_t mip;
} ct_render_output;

// A parameter of a pass's material that a setting sets.
typedef struct ct_render_parameter {
    ct_string_id32 name;
    uint32_t setting; // position
} ct_render_parameter;

// Which objects of its layer a DRAW_LAYER draws.
typedef enum ct_render_only {
    CT_RENDER_ONLY_ALL,
    CT_RENDER_ONLY_OUTLINED,
} ct_render_only;

// When a step runs, beside its conditions.
typedef enum ct_render_when {
    CT_RENDER_WHEN_ALWAYS,
    CT_RENDER_WHEN_SKY_CAPTURED, // a CAPTURE_SKY drew the sky again in this view
    CT_RENDER_WHEN_OUTLINED,     // an object of the world has an outline
} ct_render_when;

typedef struct ct_render_step {
    uint32_t type;              // ct_render_step_type
    ct_string_id32 layer;       // DRAW_LAYER, CAPTURE_SKY
    uint32_t num_color_targets; // CLEAR, FULLSCREEN_PASS; COPY, GENERATE_MIPS, CAPTURE_SKY: 1;
                                // DRAW_LAYER: with 0 and no depth target, those of the layer
    ct_string_id32 color_targets[CT_RENDER_MAX_COLOR_TARGETS];
    uint32_t color_mips[CT_RENDER_MAX_COLOR_TARGETS]; // FULLSCREEN_PASS
    ct_string_id32 depth_target; // CLEAR, CASCADED_SHADOWS, DRAW_LAYER; COPY, in place of a colour
                                 // target
    float clear_color[4];        // CLEAR; linear
    float clear_depth;           // CLEAR
    uint32_t num_inputs;         // FULLSCREEN_PASS, COMPUTE: bindings 0 and up of set 2; COPY: 1
    ct_render_input inputs[CT_RENDER_MAX_INPUTS];
    ct_render_conditions enabled;
    uint32_t when;         // ct_render_when
    uint32_t overwrites;   // 1: it means to write over what no step has read
    uint32_t only;         // DRAW_LAYER: ct_render_only
    uint32_t is_wireframe; // DRAW_LAYER: 0 or 1
    uint32_t num_outputs;  // COMPUTE: bindings CT_RENDER_MAX_INPUTS and up of set 2
    ct_render_output outputs[CT_RENDER_MAX_OUTPUTS];
    uint32_t groups[3];      // COMPUTE; 0: as many as cover `cover`
    ct_string_id32 cover;    // COMPUTE: a target
    uint32_t num_parameters; // FULLSCREEN_PASS, COMPUTE
    ct_render_parameter parameters[CT_RENDER_MAX_PARAMETERS];
    // CASCADED_SHADOWS: 1 to CT_RENDER_MAX_CASCADES; metres; 0 to 1; 1: on a CPU device too.
    ct_render_value num_cascades, shadow_distance, split_lambda, on_cpu;
    uint32_t padding;
    ct_string_id64 shader;   // FULLSCREEN_PASS, COMPUTE
    ct_string_id64 material; // FULLSCREEN_PASS, COMPUTE: its parameters, or 0 for defaults;
                             // DRAW_LAYER: in place of those of the objects, or 0
} ct_render_step;

// A generator: a run of the config's steps.
typedef struct ct_render_generator {
    ct_string_id32 name;
    uint32_t first_step, num_steps;
} ct_render_generator;

typedef struct ct_render_viewport {
    ct_string_id32 name;
    uint32_t padding;
    ct_blob_array generators; // uint32_t: positions in `generators`
} ct_render_viewport;

// A value that a preset gives a setting.
typedef struct ct_render_preset_value {
    uint32_t setting; // position
    float value[4];
} ct_render_preset_value;

// Values of several settings under one name, such as "low".
typedef struct ct_render_preset {
    ct_blob_string name;
    ct_blob_array values; // ct_render_preset_value
} ct_render_preset;

// Numbers that shaders read in `view` (core/shaders/include/frame.glsl).
typedef struct ct_render_view_values {
    ct_render_value fog_color, fog_sun_color; // linear
    ct_render_value fog_density;              // optical depth of a metre at fog_height
    ct_render_value fog_falloff;              // 1 / metre
    ct_render_value fog_height;               // metres
    ct_render_value fog_start;                // metres from the camera
    ct_render_value sky_intensity;
    ct_render_value custom[CT_RENDER_MAX_CUSTOM];
} ct_render_view_values;

typedef struct ct_render_config_resource {
    ct_blob_header header;
    ct_blob_array targets;         // ct_render_target
    ct_blob_array layers;          // ct_render_layer
    ct_blob_array steps;           // ct_render_step
    ct_blob_array generators;      // ct_render_generator
    ct_blob_array viewports;       // ct_render_viewport
    ct_blob_array settings;        // ct_render_setting
    ct_blob_array layer_names;     // ct_blob_string: those of `layers`, for messages
    ct_blob_array presets;         // ct_render_preset
    ct_blob_array step_names;      // ct_blob_string: those of `steps`, for the profiler; "": none
    ct_string_id64 line_shader;    // draws debug lines
    ct_string_id64 error_material; // stands in for a material that is missing or broken
    ct_render_value sky_light;     // linear: light from above, on everything
    ct_render_value ground_light;  // light from below
    ct_render_value lod_bias;      // factor on the size of meshes when their level of detail is
                                   // chosen
    ct_render_value surface_view;  // a choice, or 0: what surfaces show in place of their light
    ct_render_view_values view_values;
    ct_render_conditions jitter; // when they hold, and there is one, the camera is jittered
    uint32_t preset, cpu_preset; // positions + 1 of those a device starts with; 0: none
    ct_string_id32 sky_map;      // targets, or 0: what shaders read as `sky_map`,
    ct_string_id32 scene_color, scene_depth; // `scene_color` and `scene_depth`
    uint32_t padding;
} ct_render_config_resource;

// The fields that the schema reads from a source.
typedef struct ct_render_config_source {
    ct_string_id64 inherit;
    ct_sjson_value inherit_value;       // the compiler reads the name here
    ct_sjson_value settings;            // map of name to value or { type default … }
    ct_sjson_value global_resources;    // array of { name format size | scale }
    ct_sjson_value layers;              // array of { name targets depth_target sort }
    ct_sjson_value resource_generators; // map of name to array of steps
    ct_sjson_value viewports;           // map of name to array of generator names
    ct_string_id64 line_shader;
    ct_string_id64 error_material;
    ct_sjson_value sky_light, ground_light; // colours, or { setting = "…" }
    ct_sjson_value lod_bias;                // a number, or { setting = "…" }
    ct_sjson_value surface_view;            // { setting = "…" }
    // Colours, numbers, or { setting = "…" }
    ct_sjson_value fog_color, fog_sun_color, fog_density, fog_falloff, fog_height, fog_start;
    ct_sjson_value sky_intensity;
    ct_sjson_value custom;                            // array of those
    ct_sjson_value jitter;                            // conditions
    ct_sjson_value presets;                           // map: name = { setting = value }
    ct_sjson_value preset, cpu_preset;                // names
    ct_sjson_value sky_map, scene_color, scene_depth; // names of targets
} ct_render_config_source;

extern const ct_schema ct_render_config_schema;

// Returns "RGBA8" and so on, by ct_render_format; "" for NONE.
const char *ct_render_format_name(uint32_t format);

// Returns the format of this name; NONE when it is unknown.
ct_render_format ct_render_format_named(const char *name);

// Returns whether compute shaders may write a format, on devices that support it.
bool ct_render_format_is_writable(uint32_t format);

// Returns a target with values (4 floats each) of the config's settings applied to its format, and
// to its scale or pixels, which are clamped to a target's limits.
ct_render_target ct_render_target_with(const ct_render_config_resource *config,
                                       const ct_render_target *target, const float *values);

extern const ct_blob_layout ct_render_config_layout, ct_render_target_layout,
    ct_render_layer_layout, ct_render_step_layout, ct_render_generator_layout,
    ct_render_viewport_layout, ct_render_preset_value_layout, ct_render_preset_layout;

// Returns true when all conditions hold for these values (4 floats each) of the settings.
bool ct_render_conditions_hold(const ct_render_conditions *conditions, const float *values);

// Validates a blob of this type after its header was checked: every offset is inside the blob, and
// values are in range. Returns false with `error`, which names the invalid member. libc only.
bool ct_render_config_validate(const void *blob, ct_error *error);
