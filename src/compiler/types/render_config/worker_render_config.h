// worker_render_config.h: a render config's source while it is read.
//
// Names are looked up as they are read: settings first, then targets, layers, steps, viewports. Of
// each kind, inherited ones are read before those of the config that inherits; so an inherited step
// is checked against the targets and layers as the inheriting config changed them. Every error is
// reported at the value that is wrong, and reading goes on.
#pragma once
#include "compiler/protocol/compile.h"
#include "foundation/container/array.h"
#include "resource/types/render_config_resource.h"

enum { CT_WORKER_RENDER_MAX_CONFIGS = 8 }; // that inherit one another

typedef struct ct_worker_setting {
    const char *name;
    const ct_sjson *doc;       // the document it is in
    ct_render_setting setting; // without its strings
    const char *choices[CT_RENDER_MAX_CHOICES];
    uint32_t num_choices;
    uint32_t default_config; // number of the config that says the default
} ct_worker_setting;

// A render target, with the document that it was read from, for errors.
typedef struct ct_worker_target {
    const char *name;
    const ct_sjson *doc;
    ct_render_target target;
} ct_worker_target;

// A layer, with the document that it was read from, for errors.
typedef struct ct_worker_layer {
    const char *name;
    const ct_sjson *doc;
    ct_render_layer layer;
} ct_worker_layer;

typedef struct ct_worker_step {
    const char *name;    // or NULL
    const ct_sjson *doc; // where it was read
    ct_sjson_value at;
    bool is_reported; // its place in the order was reported
    ct_render_step step;
} ct_worker_step;

typedef CT_ARRAY(ct_worker_step) ct_worker_step_array;

// A resource generator: its steps in the order in which they run.
typedef struct ct_worker_generator {
    const char *name;
    ct_worker_step_array steps;
} ct_worker_generator;

// A viewport: its generators, by their places in the config.
typedef struct ct_worker_viewport {
    ct_string_id32 name;
    ct_u32_array generators;
} ct_worker_viewport;

// Values of settings under one name.
typedef struct ct_worker_preset {
    const char *name;
    CT_ARRAY(ct_render_preset_value) values;
} ct_worker_preset;

typedef struct ct_worker_render_config {
    ct_compile *c;
    // The config and those it inherits, the one that inherits nothing first.
    const ct_sjson *docs[CT_WORKER_RENDER_MAX_CONFIGS];
    ct_render_config_source sources[CT_WORKER_RENDER_MAX_CONFIGS];
    uint32_t num_docs;
    // The one being read:
    const ct_sjson *doc;
    const ct_render_config_source *source;
    CT_ARRAY(ct_worker_setting) settings;
    CT_ARRAY(ct_worker_target) targets;
    CT_ARRAY(ct_worker_layer) layers;
    CT_ARRAY(ct_worker_generator) generators;
    CT_ARRAY(ct_worker_viewport) viewports;
    ct_string_id64 line_shader, error_material;
    CT_ARRAY(ct_worker_preset) presets;
    ct_render_value sky_light, ground_light, lod_bias, surface_view;
    ct_render_view_values view_values;
    ct_render_conditions jitter;
    uint32_t preset, cpu_preset;
    ct_string_id32 sky_map, scene_color, scene_depth;
} ct_worker_render_config;

// The kind of target that a place needs.
typedef enum ct_worker_target_use {
    CT_WORKER_TARGET_USE_COLOR,
    CT_WORKER_TARGET_USE_DEPTH,
    CT_WORKER_TARGET_USE_INPUT,  // of a pass: any but the back buffer
    CT_WORKER_TARGET_USE_OUTPUT, // of a compute step
    CT_WORKER_TARGET_USE_COPIED, // any
} ct_worker_target_use;

// Reports an error at `v` of the source. Returns false.
bool ct_worker_render_error(ct_worker_render_config *r, ct_sjson_value v, const char *format, ...)
    CT_PRINTF(3, 4);

// Reports members of `object`, which is `what`, that are not among the `count` names.
void ct_worker_render_members(ct_worker_render_config *r, ct_sjson_value object, const char *what,
                              const char *const *names, uint32_t count);

// The position in `names` of the string `v`; `count` after reporting.
uint32_t ct_worker_render_choice(ct_worker_render_config *r, ct_sjson_value v, const char *what,
                                 const char *const *names, uint32_t count);

// The id of the target that the string `v` names; {0} after reporting.
ct_string_id32 ct_worker_render_target_at(ct_worker_render_config *r, ct_sjson_value v,
                                          ct_worker_target_use use);

// Returns the declared target of this name; NULL when there is none. The back buffer is not
// declared. Borrowed until targets are added.
const ct_render_target *ct_worker_render_find_target(const ct_worker_render_config *r,
                                                     ct_string_id32 name);

// Reads an array of target names for drawing colours to `targets` of CT_RENDER_MAX_COLOR_TARGETS;
// none ({0}) is fine. With `mips` (as many), { name mip } is allowed, too. Returns how many there
// are.
uint32_t ct_worker_render_colors(ct_worker_render_config *r, ct_sjson_value v,
                                 ct_string_id32 *targets, uint32_t *mips);

// The mip that `v` says, which `target` must have; 0 after reporting.
uint32_t ct_worker_render_mip(ct_worker_render_config *r, ct_sjson_value v, ct_string_id32 target);

// Returns true or false, as `v` says, which may be missing ({0}: false); false after reporting.
bool ct_worker_render_bool(ct_worker_render_config *r, ct_sjson_value v, const char *what);

// Reads a reference to a resource of this type and reports it to the driver; {0} after reporting an
// error.
ct_string_id64 ct_worker_render_reference(ct_worker_render_config *r, ct_sjson_value v,
                                          const char *type);

// Reports at `v` when the colour targets and the depth target (or {0}) differ in size.
void ct_worker_render_sizes(ct_worker_render_config *r, ct_sjson_value v,
                            const ct_string_id32 *colors, uint32_t num_colors,
                            ct_string_id32 depth);

// Reads `count` to `most` numbers between least and most to `out`. False after reporting.
bool ct_worker_render_numbers(ct_worker_render_config *r, ct_sjson_value v, const char *what,
                              uint32_t least_count, uint32_t most_count, double least, double most,
                              double *out);

// The name that something in the config is given, in `v`; NULL after reporting. `what` is for the
// message.
const char *ct_worker_render_name(ct_worker_render_config *r, ct_sjson_value v, const char *what);

// Reads the settings of the config in `doc` and of those that it inherits, for other resources than
// render configs. Returns NULL after reporting. In render_config_compiler.c.
ct_worker_render_config *ct_worker_render_read_settings(ct_compile *c, const ct_sjson *doc);

// --- worker_render_setting.c ---------------------------------------------------------------------

// Reads the member `v` of settings and adds it, or changes the inherited one.
void ct_worker_render_setting(ct_worker_render_config *r, ct_sjson_value v);

// The position of the setting that the string `v` names; the number of settings after reporting, as
// when its type is not among `types` (a bit for each ct_render_setting_type).
uint32_t ct_worker_render_setting_at(ct_worker_render_config *r, ct_sjson_value v, uint32_t types);

// True when `v` is { setting = … }. Then `*setting` is what it names, as
// ct_worker_render_setting_at gives it.
bool ct_worker_render_is_setting(ct_worker_render_config *r, ct_sjson_value v, uint32_t types,
                                 uint32_t *setting);

// Reads a number from `least` to `most`, or a setting that says one (NUMBER or WHOLE, whose range
// is narrowed to this one).
ct_render_value ct_worker_render_number(ct_worker_render_config *r, ct_sjson_value v,
                                        const char *what, double least, double most);

// Reads a colour (3 or 4 numbers, sRGB), or a setting that says one.
ct_render_value ct_worker_render_color(ct_worker_render_config *r, ct_sjson_value v,
                                       const char *what);

// Reads a vector or colour value, number or bool of any setting, or a value of 1 to 4 numbers.
ct_render_value ct_worker_render_any(ct_worker_render_config *r, ct_sjson_value v,
                                     const char *what);

// Reads `v` as a value of `s`, into its default.
void ct_worker_render_setting_value(ct_worker_render_config *r, ct_sjson_value v,
                                    ct_worker_setting *s);

// Narrows the range of a setting to what its use allows; reports at `v` when its default is outside
// or nothing remains.
void ct_worker_render_narrow(ct_worker_render_config *r, ct_sjson_value v, uint32_t setting,
                             double least, double most);

// --- worker_render_condition.c -------------------------------------------------------------------

// Reads "setting", "!setting", { setting is } or { setting is_not }, or an array of these, all of
// which must hold. `v` may be missing ({0}): no conditions.
ct_render_conditions ct_worker_render_conditions(ct_worker_render_config *r, ct_sjson_value v,
                                                 const char *what);

// Returns true when the two can never hold together.
bool ct_worker_render_exclude(const ct_render_conditions *a, const ct_render_conditions *b);

// --- worker_render_preset.c ----------------------------------------------------------------------

// Reads the member `v` of presets and adds it, or changes the inherited one.
void ct_worker_render_preset(ct_worker_render_config *r, ct_sjson_value v);

// The position + 1 of the preset that the string `v` names; 0 after reporting.
uint32_t ct_worker_render_preset_at(ct_worker_render_config *r, ct_sjson_value v, const char *what);

// --- worker_render_target.c ----------------------------------------------------------------------

// Reads the target `v` of global_resources and adds it, or replaces the inherited target of the
// same name.
void ct_worker_render_target(ct_worker_render_config *r, ct_sjson_value v);

// Reads the layer `v` of layers and adds it, or replaces the inherited layer of the same name.
void ct_worker_render_layer(ct_worker_render_config *r, ct_sjson_value v);

// --- worker_render_generator.c -------------------------------------------------------------------

// Reads the member `v` of resource_generators: an array of steps, or changes to an inherited one.
void ct_worker_render_generator(ct_worker_render_config *r, ct_sjson_value v);

// The members that every step may have.
#define CT_WORKER_STEP_MEMBERS "type", "name", "enabled", "when", "overwrite"

// Reads the members of a fullscreen pass into `step`, after the common ones. In
// worker_render_pass.c.
void ct_worker_render_pass(ct_worker_render_config *r, ct_sjson_value v, ct_render_step *step);

// Returns true when the shader that a pass names in `v` blends with what was there. In
// worker_render_pass.c.
bool ct_worker_render_blends(ct_worker_render_config *r, ct_sjson_value v);

// Reads the members of a compute step into `step`, after the common ones. In worker_render_pass.c.
void ct_worker_render_compute(ct_worker_render_config *r, ct_sjson_value v, ct_render_step *step);

// Reads the step `v` of a generator and adds it to `steps`. In worker_render_step.c.
void ct_worker_render_step(ct_worker_render_config *r, ct_sjson_value v,
                           ct_worker_step_array *steps);

// Reports steps that read what no step wrote before, or write over what no step read. In
// worker_render_flow.c.
void ct_worker_render_check_flow(ct_worker_render_config *r);

// Writes what was read to the blob. In worker_render_write.c.
void ct_worker_render_write(const ct_worker_render_config *r);
