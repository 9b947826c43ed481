// render_graph.h: a render config ready for drawing: targets, layers and steps.
//
// Target 0 is the back buffer, the others are the config's in order (render_target.h). A clear
// waits until the target is next drawn to, where it costs least. Steps in a row with the same
// targets share one rendering. A config that cannot be used is refused as a whole, and the old one
// stays. Render thread.
#pragma once
#include "render/object/render_materials.h"
#include "render/object/render_target.h"

enum {
    CT_RENDER_GRAPH_MAX_TARGETS = CT_RENDER_MAX_TARGETS + 1,
    CT_RENDER_GRAPH_MAX_LAYERS = 64,
    CT_RENDER_GRAPH_NO_TARGET = 255,
};

// The targets that are drawn to, as indices.
typedef struct ct_render_attachments {
    uint32_t num_colors;
    uint32_t colors[CT_RENDER_MAX_COLOR_TARGETS]; // or CT_RENDER_GRAPH_NO_TARGET: nothing there
    uint32_t mip;                                 // of the colour targets
    uint32_t depth;                               // or CT_RENDER_GRAPH_NO_TARGET
    uint32_t signature;
    uint32_t shadowed_signature; // the same, for shaders that read the shadow map
} ct_render_attachments;

typedef struct ct_render_graph_layer {
    ct_string_id32 name;
    uint32_t sort; // ct_render_sort
    ct_render_attachments attachments;
    uint32_t velocity;                          // target, or CT_RENDER_GRAPH_NO_TARGET
    ct_render_attachments velocity_attachments; // the same with that target, if there is one
} ct_render_graph_layer;

typedef struct ct_render_graph_step {
    const char *name; // for the profiler and messages: its own, or "draw_layer opaque"
    uint32_t type;    // ct_render_step_type
    uint32_t layer;   // DRAW_LAYER, CAPTURE_SKY
    ct_render_attachments attachments;
    VkClearColorValue clear_color;
    float clear_depth;
    ct_render_conditions enabled;
    uint32_t when;     // ct_render_when
    uint32_t only;     // DRAW_LAYER: ct_render_only
    bool has_targets;  // DRAW_LAYER: `attachments` are in place of the layer's
    bool is_wireframe; // DRAW_LAYER
    bool has_override; // DRAW_LAYER: `material` is in place of those of the objects
    bool has_history;  // it reads or writes targets with history
    uint32_t num_parameters;
    ct_render_parameter parameters[CT_RENDER_MAX_PARAMETERS];
    uint32_t num_inputs;
    uint32_t inputs[CT_RENDER_MAX_INPUTS]; // targets
    uint32_t filters[CT_RENDER_MAX_INPUTS];
    uint32_t input_mips[CT_RENDER_MAX_INPUTS];
    bool input_is_previous[CT_RENDER_MAX_INPUTS];
    uint32_t num_outputs;
    uint32_t outputs[CT_RENDER_MAX_OUTPUTS]; // targets
    uint32_t output_mips[CT_RENDER_MAX_OUTPUTS];
    uint32_t groups[3]; // 0: as many as cover `cover`
    uint32_t cover;     // a target
    uint32_t material;  // FULLSCREEN_PASS, COMPUTE, DRAW_LAYER: index
    uint32_t shader;    // FULLSCREEN_PASS, COMPUTE: index
    ct_render_value num_cascades, shadow_distance, split_lambda, on_cpu; // CASCADED_SHADOWS
    ct_render_set inputs_sets[2]; // made when first drawn; with history, for odd and even frames
} ct_render_graph_step;

typedef struct ct_render_graph {
    ct_render_context *context;
    ct_render_shaders *shaders;
    ct_render_materials *materials;
    ct_render_textures *textures;
    uint32_t width, height;                  // of the back buffer; 0 while the window has no area
    ct_render_config_resource *config;       // a copy; NULL before the first
    float values[CT_RENDER_MAX_SETTINGS][4]; // of its settings
    float view_values[CT_RENDER_MAX_SETTINGS][4]; // the same, as the view's environment has them
    ct_render_graph_target targets[CT_RENDER_GRAPH_MAX_TARGETS];
    ct_render_graph_target previous[CT_RENDER_GRAPH_MAX_TARGETS]; // of the last frame, with history
    ct_string_id32 setting_names[CT_RENDER_MAX_SETTINGS];
    uint32_t parity;       // which of the steps' sets is for the current pictures
    uint64_t used_targets; // bits: those that have images
    uint64_t version;      // rises when targets or steps are made again
    uint32_t num_targets;
    ct_render_graph_layer layers[CT_RENDER_GRAPH_MAX_LAYERS];
    uint32_t num_layers;
    uint64_t velocity_targets; // of layers; a bit each
    CT_ARRAY(ct_render_graph_step) steps;
    uint32_t line_shader, line_material; // indices
    uint32_t error_material;
    uint32_t shadow_target;            // the shadow map, or CT_RENDER_GRAPH_NO_TARGET
    ct_render_graph_target no_shadows; // bound in its place; shaders never use its content
    uint32_t pictures[CT_RENDER_FRAME_PICTURES]; // targets, or CT_RENDER_GRAPH_NO_TARGET: white
    // The rendering that is open:
    bool is_rendering;
    ct_render_attachments open;
    float rectangle[4];  // of the view being drawn, in fractions
    uint64_t view_reads; // targets that the view's steps read; a bit each
    bool has_sky_map;    // objects of the view read it
    uint64_t view_steps; // a number for the set of steps with history that run in the view
} ct_render_graph;

// Starts without a config and with a back buffer of no size. It borrows the context, shaders,
// materials and textures, which must outlive it.
void ct_render_graph_init(ct_render_graph *g, ct_render_context *c, ct_render_shaders *s,
                          ct_render_materials *m, ct_render_textures *t);

// Retires the targets and frees the copy of the config.
void ct_render_graph_shutdown(ct_render_graph *g);

// Takes the targets from the device. The config and its values stay.
void ct_render_graph_drop(ct_render_graph *g);

// Makes the targets on the next device, after a drop.
void ct_render_graph_restore(ct_render_graph *g);

// Takes a copy of the config and of its settings' values, 4 floats each. Returns false, after
// logging why, when the config cannot be used; the old one stays.
bool ct_render_graph_set_config(ct_render_graph *g, const ct_render_config_resource *blob,
                                const float *values);

// Takes new values of the settings, 4 floats each, and recreates targets that change. Does nothing
// when the values are for another config (by checksum), or, after logging an error, when the device
// cannot make the targets.
void ct_render_graph_set_values(ct_render_graph *g, uint64_t config_checksum, const float *values,
                                uint32_t count);

// Returns the value of a config value, which is a constant or a setting, in the current view: 4
// numbers. Borrowed until the next view.
const float *ct_render_graph_value(const ct_render_graph *g, const ct_render_value *value);

// Returns false when settings switch the step off in the current view.
bool ct_render_graph_is_enabled(const ct_render_graph *g, const ct_render_graph_step *step);

// Returns false when these values keep a step from running in every view. An environment may switch
// on what they switch off. In render_graph_use.c.
bool ct_render_graph_may_run(const ct_render_graph *g, const ct_render_graph_step *step,
                             const float *values);

// Returns a bit for each target that steps may write with these values of the settings. The others
// have no image: inputs of them are white, and copies from them do nothing. In render_graph_use.c.
uint64_t ct_render_graph_used_targets(const ct_render_graph *g, const float *values);

// Checks whether this device can use the config with these values of its settings at this size.
// Returns false with `error`. In render_graph_check.c.
bool ct_render_graph_check(const ct_render_graph *g, const ct_render_config_resource *blob,
                           const float *values, ct_error *error);

// Sets the back buffer's size in pixels, and makes it and all targets relative to it again.
void ct_render_graph_resize(ct_render_graph *g, uint32_t width, uint32_t height);

// The same inside a frame; the picture of the back buffer, if there is one, is stretched to the new size.
void ct_render_graph_stretch(ct_render_graph *g, uint32_t width, uint32_t height);

// Returns the back buffer. Borrowed for the graph's life.
ct_render_graph_target *ct_render_graph_back_buffer(ct_render_graph *g);

// Gives the steps of generator number `i` of a viewport. Returns false when there are no more
// generators, or no such viewport.
bool ct_render_graph_steps(const ct_render_graph *g, ct_string_id32 viewport, uint32_t i,
                           uint32_t *first_step, uint32_t *num_steps);

// Returns the first step that is enabled in the current view of this type that the viewport runs; NULL when there is none.
// Borrowed until the config changes.
const ct_render_graph_step *ct_render_graph_find_step(const ct_render_graph *g,
                                                      ct_string_id32 viewport, uint32_t type);

// Says of which viewport the steps run in the view that has begun. In render_graph_view.c, as the
// following.
void ct_render_graph_use_viewport(ct_render_graph *g, ct_string_id32 viewport);

// Returns true when a step that runs in the view reads the target.
bool ct_render_graph_is_read(const ct_render_graph *g, uint32_t target);

// Returns true when a layer's velocity is read in the view.
bool ct_render_graph_has_velocity(const ct_render_graph *g);

// Returns the bits of the options of a pass's shader that settings switch on in the view: an option
// with the name of a parameter of the step is on when its setting is not 0. `others` (may be NULL)
// gets those that an environment may switch.
uint32_t ct_render_graph_options(const ct_render_graph *g, const ct_render_graph_step *step,
                                 const ct_shader_resource *shader, uint32_t *others);

// Returns where the draws of a layer go in the view: to its velocity target only when that is read.
// Borrowed until the config changes.
const ct_render_attachments *ct_render_graph_layer_attachments(const ct_render_graph *g,
                                                               uint32_t layer);

// Returns where the draws of a DRAW_LAYER step go in the view: to its own targets, or to those of
// its layer. Borrowed likewise.
const ct_render_attachments *ct_render_graph_step_attachments(const ct_render_graph *g,
                                                              const ct_render_graph_step *step);

// Returns true when the config names a sky map.
static inline bool ct_render_graph_has_sky(const ct_render_graph *g) {
    return g->pictures[CT_RENDER_FRAME_PICTURE_SKY_MAP] != CT_RENDER_GRAPH_NO_TARGET;
}

// Returns the signature of draws of meshes to these attachments in the view.
uint32_t ct_render_graph_signature(const ct_render_graph *g, const ct_render_attachments *x,
                                   bool has_shadows, bool is_wireframe);

// Returns the index of the layer of this name, or num_layers when there is none.
uint32_t ct_render_graph_layer_named(const ct_render_graph *g, ct_string_id32 name);

// --- Drawing: render_graph_draw.c ----------------------------------------------------------------

// Starts the frame with a black back buffer, or with the last picture if there is one and it is kept;
// targets with history change places with what they were in the frame before.
void ct_render_graph_begin_frame(ct_render_graph *g, bool keeps_picture);

// Makes the back buffer black.
void ct_render_graph_blacken(ct_render_graph *g);

// Records a copy of all of one picture to another, of any size.
void ct_render_graph_copy_stretched(ct_render_graph *g, ct_render_graph_target *from,
                                    ct_render_graph_target *to);

// Starts drawing into a rectangle (x, y, width, height as fractions of the targets), with these
// values in place of those of the settings of these names. Values that no setting has, or that
// environments cannot set, are left out; others are moved into the range.
void ct_render_graph_begin_view(ct_render_graph *g, const float rectangle[4],
                                const ct_render_environment_value *values, uint32_t num_values);

// Ends drawing into the rectangle: runs clears that still wait and ends the open rendering.
void ct_render_graph_end_view(ct_render_graph *g);

// Clears the step's targets in the view's rectangle.
void ct_render_graph_clear(ct_render_graph *g, const ct_render_graph_step *step);

// Makes the following draws go to `attachments`.
void ct_render_graph_draw_to(ct_render_graph *g, const ct_render_attachments *attachments);

// Returns the rectangle that is drawn to, in pixels of the open rendering's targets.
VkRect2D ct_render_graph_open_area(const ct_render_graph *g);

// Makes the following draws go to the whole of a depth target, and clears it.
void ct_render_graph_draw_to_map(ct_render_graph *g, const ct_render_attachments *attachments);

// Makes the following draws go to the whole of a colour target, and gives it this colour (4 floats).
void ct_render_graph_draw_to_whole(ct_render_graph *g, const ct_render_attachments *attachments,
                                   const float *color);

// Returns the target that an input of the step reads. Borrowed until the next frame.
ct_render_graph_target *ct_render_graph_input(ct_render_graph *g, const ct_render_graph_step *step,
                                              uint32_t input);

// Makes the step's inputs readable and the following draws go to its targets. Returns set 2.
VkDescriptorSet ct_render_graph_begin_pass(ct_render_graph *g, ct_render_graph_step *step);

// Makes the compute step's inputs and outputs ready, outside of a rendering. Returns set 2.
VkDescriptorSet ct_render_graph_begin_compute(ct_render_graph *g, ct_render_graph_step *step);

// Copies the view's rectangle of the step's source to that of its target; scales and converts where
// sizes or formats differ.
void ct_render_graph_copy(ct_render_graph *g, const ct_render_graph_step *step);

// Fills the mips of the step's target from mip 0, each from the one before.
void ct_render_graph_generate_mips(ct_render_graph *g, const ct_render_graph_step *step);

// Lets targets with history change places with what they were in the frame before. What nothing
// was ever drawn to is black. In render_graph_history.c.
void ct_render_graph_swap_history(ct_render_graph *g);

// Ends an open rendering, then makes all mips of `target` ready for `use`.
void ct_render_graph_use(ct_render_graph *g, ct_render_graph_target *target, ct_render_use use);
