// renderer.h: the renderer as the update thread sees it.
//
// The update thread records state changes (objects made, moved, shown; lights; cameras to render)
// into a stream; ct_renderer_end_frame hands the stream to the render thread, which applies it to
// state of its own and draws by the render config. Nothing is shared: all data is copied into the
// stream. The update thread runs at most one frame ahead.
//
// Poses are in world space, in metres: z is up, and a camera looks along its y axis. The update
// thread issues ids; an id is not issued again before 2^32 others. A change for an id that does not
// exist is ignored. All functions are for the update thread unless they say otherwise.
//
// With a renderer `r` whose packages are loaded, this draws a cube in one frame:
//
//     ct_error error = {0};
//     if (!ct_renderer_set_config(r, "core/rendering/renderer", &error))
//         ct_log_report("render", &error);
//     const ct_render_world_id world = ct_render_world_create(r);
//     const ct_string_id64 red = ct_string_id64_of("materials/red");
//     const ct_render_object_desc desc = {
//         .mesh = ct_string_id64_of("core/meshes/cube"), .materials = &red, .num_materials = 1};
//     const ct_mat4 pose = ct_mat4_compose(ct_vec3_make(0.0f, 3.0f, 0.0f), ct_quat_identity(),
//                                          ct_vec3_make(1.0f, 1.0f, 1.0f));
//     const ct_render_object_id cube = ct_render_object_create(r, world, &desc, &pose);
//     const ct_render_view view = {.pose = ct_mat4_identity(),
//                                  .projection = ct_mat4_perspective(0.9f, 1.5f, 0.1f, 200.0f)};
//     const float whole[4] = {0.0f, 0.0f, 1.0f, 1.0f};
//     ct_renderer_render_world(r, world, &view, ct_string_id32_of("default"), whole, NULL, 0);
//     ct_renderer_end_frame(r); // it is drawn now; the next frame begins
//     ct_render_objects_destroy(r, world, &cube, 1);
//     ct_render_world_destroy(r, world);
#pragma once
#include "foundation/math/math_types.h"
#include "foundation/memory/allocator.h"
#include "foundation/string/string_id.h"
#include "foundation/task/task.h"
#include "resource/load/resource_manager.h"
#include "resource/types/component_resource.h"
#include "resource/types/render_config_resource.h"

typedef struct ct_renderer ct_renderer;

// A world of the renderer; {0} is invalid.
typedef struct ct_render_world_id {
    uint32_t value;
} ct_render_world_id;

// An object of a world; {0} is invalid.
typedef struct ct_render_object_id {
    uint32_t value;
} ct_render_object_id;

// A light of a world; {0} is invalid.
typedef struct ct_render_light_id {
    uint32_t value;
} ct_render_light_id;

// Lets the renderer draw into a window.
typedef struct ct_render_surface_api {
    void *user;
    const char *const *extensions; // instance extensions it needs; borrowed
    uint32_t num_extensions;
    // Makes a VkSurfaceKHR for this VkInstance and returns it, or 0 when it cannot. Called on the
    // update thread: by ct_renderer_create, and by ct_renderer_end_frame and ct_renderer_flush
    // after the old surface was lost and destroyed.
    uint64_t (*create_surface)(void *user, void *instance);
} ct_render_surface_api;

// When pipelines are made: what the device needs to draw with a material.
typedef enum ct_renderer_pipelines {
    CT_RENDERER_PIPELINES_DEFAULT,    // AHEAD with a window, WHEN_DRAWN without
    CT_RENDERER_PIPELINES_AHEAD,      // on threads of their own, as soon as something is loaded;
                                      // objects are not drawn before theirs are made, but in
                                      // frames with a screenshot, which wait
    CT_RENDERER_PIPELINES_AWAITED,    // as soon as something is loaded, before the next frame
    CT_RENDERER_PIPELINES_WHEN_DRAWN, // only those that are drawn with, in the frame that does so
} ct_renderer_pipelines;

typedef struct ct_renderer_desc {
    ct_allocator *allocator;
    ct_task_manager *tasks;
    ct_resource_manager *resources;       // the renderer registers the types it needs
    const ct_render_surface_api *surface; // NULL: headless. Copied
    uint32_t width, height;               // of the back buffer, in pixels
    bool validation;                      // Vulkan validation messages go to the log as errors
    ct_renderer_pipelines pipelines;      // with all but AHEAD, each run draws the same
    const char *cache_folder;             // where the pipeline cache is kept; NULL: nowhere. Copied
} ct_renderer_desc;

// Starts Vulkan and the render thread. The task and resource managers must outlive the renderer.
// Returns NULL with an `error`: what to install when there is no driver, or what the driver does
// not support.
ct_renderer *ct_renderer_create(const ct_renderer_desc *desc, ct_error *error);

// Waits for the render thread and the device and frees everything; NULL is fine. Call it after the
// packages of the resource manager are unloaded, and before the manager is destroyed.
void ct_renderer_destroy(ct_renderer *r);

// Returns the names of device and driver, as reported by the driver. Borrowed for the renderer's
// life.
const char *ct_renderer_device_name(const ct_renderer *r);

// Chooses the render config, which must be an online resource. Returns false with `error` and
// changes nothing when it is not loaded. A config that the device cannot use is refused on the
// render thread: it logs an error and keeps the old config.
bool ct_renderer_set_config(ct_renderer *r, const char *name, ct_error *error);

// Returns the render config; NULL when it is not online. Borrowed until it is reloaded, goes offline
// or another one is chosen.
const ct_render_config_resource *ct_renderer_config(const ct_renderer *r);

// Sets a setting of the render config. The value stays when the config is saved again, as long as
// it fits. Returns false with `error` and changes nothing when the setting does not exist (the
// error names the nearest one), or the value has the wrong type or is out of range.
bool ct_renderer_set_setting(ct_renderer *r, const char *name, const ct_render_given *value,
                             ct_error *error);

// The value of a setting of the render config.
typedef struct ct_renderer_setting {
    ct_render_setting_type type; // NONE: there is no such setting
    float value[4];              // see render_setting.h
    const char *choice;          // CHOICE: the name; borrowed until the config changes
} ct_renderer_setting;

// Returns the current value of a setting, which may be the config's default; .type is NONE when
// there is no render config or the setting does not exist.
ct_renderer_setting ct_renderer_get_setting(const ct_renderer *r, const char *name);

// Gives the value of a setting that environments may set. Returns false with `error` when there is
// none of this name (the error names the nearest one), or environments may not set it.
bool ct_renderer_environment_setting(const ct_renderer *r, const char *name,
                                     ct_renderer_setting *setting, ct_error *error);

// Resets all settings to the preset, and what it does not say to the config's defaults.
void ct_renderer_reset_settings(ct_renderer *r);

// Chooses a preset of the render config, such as "low"; NULL: the one the config names for this
// kind of device, as at the start. Values that were set stay. Returns false with `error` and changes
// nothing when there is no such preset (the error names the nearest one).
bool ct_renderer_set_preset(ct_renderer *r, const char *name, ct_error *error);

// Returns the name of the current preset; "" when there is none. Borrowed until the config changes.
const char *ct_renderer_preset(const ct_renderer *r);

// Returns true when the render config has a viewport of this name.
bool ct_renderer_has_viewport(const ct_renderer *r, ct_string_id32 viewport);

// Gives the back buffer's size in pixels, as the update thread knows it; the last size while the
// window is minimised.
void ct_renderer_size(const ct_renderer *r, uint32_t *width, uint32_t *height);

// Takes the window's new size in pixels; 0 x 0 while it is minimised (nothing is drawn then).
void ct_renderer_resize(ct_renderer *r, uint32_t width, uint32_t height);

// --- Worlds, objects, lights ---------------------------------------------------------------------

// Makes an empty world: a set of objects and lights that are drawn together.
ct_render_world_id ct_render_world_create(ct_renderer *r);

// Removes the world with all objects and lights in it.
void ct_render_world_destroy(ct_renderer *r, ct_render_world_id world);

// Sets the world's game time in seconds, for its shaders; 0 until it is set.
void ct_render_world_set_time(ct_renderer *r, ct_render_world_id world, double seconds);

// An object: a mesh with a material for each part. A part whose material is 0 or missing has the
// error material. A mesh or material draws nothing until it is online and its pipelines are made.
typedef struct ct_render_object_desc {
    ct_string_id64 mesh;
    const ct_string_id64 *materials; // copied
    uint32_t num_materials;          // at most CT_MESH_MAX_MATERIALS
    bool is_hidden, is_shadowless;   // until changed by the functions below
} ct_render_object_desc;

// Adds an object to `world` and returns its id. `desc` and `pose` are copied.
ct_render_object_id ct_render_object_create(ct_renderer *r, ct_render_world_id world,
                                            const ct_render_object_desc *desc, const ct_mat4 *pose);

// Removes `count` objects from `world`.
void ct_render_objects_destroy(ct_renderer *r, ct_render_world_id world,
                               const ct_render_object_id *objects, uint32_t count);

// Says that the object jumps to its pose of this frame: it has no velocity then.
void ct_render_object_jump(ct_renderer *r, ct_render_world_id world, ct_render_object_id object);

// Moves `count` objects of `world`, each to the pose of the same position in `poses`. Cheapest when
// objects come in the order in which they were created.
void ct_render_objects_set_poses(ct_renderer *r, ct_render_world_id world,
                                 const ct_render_object_id *objects, const ct_mat4 *poses,
                                 uint32_t count);

// Shows or hides an object. A hidden object casts no shadows.
void ct_render_object_set_visible(ct_renderer *r, ct_render_world_id world,
                                  ct_render_object_id object, bool is_visible);

// Sets whether an object casts shadows while it is visible.
void ct_render_object_set_casts_shadows(ct_renderer *r, ct_render_world_id world,
                                        ct_render_object_id object, bool casts_shadows);

// Sets the material of a part below CT_MESH_MAX_MATERIALS; 0 is the error material.
void ct_render_object_set_material(ct_renderer *r, ct_render_world_id world,
                                   ct_render_object_id object, uint32_t part,
                                   ct_string_id64 material);

// Gives the object a value of its own for a parameter that its materials' shaders mark as
// instanced. It stays when the object gets other materials. Missing floats of the 4 are 0.
void ct_render_object_set_value(ct_renderer *r, ct_render_world_id world,
                                ct_render_object_id object, ct_string_id32 name,
                                const float *values, uint32_t num_values);

// An outline of objects, for tools. Objects of different ids have a line between them where one is
// in front of the other; those of the same id, such as the meshes of a unit, have none.
typedef struct ct_render_outline {
    float color[3]; // linear, 0 to 1
    uint32_t id;    // only the remainder by 255 counts
} ct_render_outline;

// Gives an object an outline, which is copied, in place of the one before; NULL takes it away. It
// is drawn by the steps of the render config that draw only outlined objects, which cost nothing in
// a world without any.
void ct_render_object_set_outline(ct_renderer *r, ct_render_world_id world,
                                  ct_render_object_id object, const ct_render_outline *outline);

// The same for a tool: its outline covers the game's, which is back without it.
void ct_render_object_mark(ct_renderer *r, ct_render_world_id world, ct_render_object_id object,
                           const ct_render_outline *outline);

// Adds a light to `world` and returns its id. `light` and `pose` are copied.
ct_render_light_id ct_render_light_create(ct_renderer *r, ct_render_world_id world,
                                          const ct_light_data *light, const ct_mat4 *pose);

// Replaces a light's settings and pose. Both are copied.
void ct_render_light_set(ct_renderer *r, ct_render_world_id world, ct_render_light_id light,
                         const ct_light_data *data, const ct_mat4 *pose);

// Removes a light from `world`.
void ct_render_light_destroy(ct_renderer *r, ct_render_world_id world, ct_render_light_id light);

// One end of a debug line.
typedef struct ct_line_vertex {
    float position[3];
    float color[4]; // linear
} ct_line_vertex;

// Draws `count` / 2 lines (two vertices each) in `world` in the frame being recorded. The vertices
// are copied.
void ct_render_lines(ct_renderer *r, ct_render_world_id world, const ct_line_vertex *vertices,
                     uint32_t count);

// --- Materials -----------------------------------------------------------------------------------

// Changes a value of an online material for all objects that use it, until it is reloaded: 1 to 4
// floats, or the 16 floats of a matrix, column by column. Returns false and changes nothing when
// the material is not online, its shader has no parameter of this name, or only one of the two,
// parameter or value, is a matrix.
bool ct_render_material_set_parameter(ct_renderer *r, ct_string_id64 material, ct_string_id32 name,
                                      const float *values, uint32_t num_values);

// Returns true when the material is online and its shader marks the parameter of this name as
// instanced: objects may have their own values for it.
bool ct_render_material_is_instanced(const ct_renderer *r, ct_string_id64 material,
                                     ct_string_id32 name);

// Changes a texture of an online material for all objects that use it, until it is reloaded.
// Returns false and changes nothing when the material is not online or its shader has no texture of
// this name. `texture` need not be online.
bool ct_render_material_set_texture(ct_renderer *r, ct_string_id64 material, ct_string_id32 name,
                                    ct_string_id64 texture);

// --- Frames --------------------------------------------------------------------------------------

// A camera's pose and projection.
typedef struct ct_render_view {
    ct_mat4 pose;       // of the camera
    ct_mat4 projection; // camera space to clip space
    uint32_t
        shot; // when it is another number than in the frame before, the camera has cut: nothing
              // moved to where it is now, and the last picture is of no use
    bool is_single; // of one picture: takes nothing from other frames, and leaves nothing to them
} ct_render_view;

// A value for a setting of the render config (4 floats as in render_setting.h) in one view.
typedef struct ct_render_environment_value {
    ct_string_id32 name;
    float value[4];
} ct_render_environment_value;

// Renders `world` through `view` by the config's viewport of this name into the back buffer's
// rectangle (x, y, width, height as fractions 0 to 1, y from the top). Draws nothing when the world
// or the viewport does not exist. In this view, settings that environments may set have the
// `num_values` values (copied), moved into their ranges; others are left out.
void ct_renderer_render_world(ct_renderer *r, ct_render_world_id world, const ct_render_view *view,
                              ct_string_id32 viewport, const float rectangle[4],
                              const ct_render_environment_value *values, uint32_t num_values);

// Hands the frame over and starts the next one. Waits, running tasks, while the render thread has
// not begun the frame before.
void ct_renderer_end_frame(ct_renderer *r);

// Says that the frame being recorded is drawn over the picture of the frame before, which is
// stretched when the size changes. The window shows it also when nothing is drawn over it.
void ct_renderer_keep_picture(ct_renderer *r);

// Says that ct_renderer_end_frame ends only a part of what is being recorded: to show something while
// the code that records cannot go on. The part keeps the picture; changes and views that were recorded
// so far count as always. Lines and immediate GUIs stay for the next frame, which goes on with what
// was begun, and screenshots that were requested before this call wait for it.
void ct_renderer_split_frame(ct_renderer *r);

// Returns whether the frame being recorded has views so far.
bool ct_renderer_has_views(const ct_renderer *r);

// Returns the number of the frame being recorded, from 1.
uint64_t ct_renderer_frame(const ct_renderer *r);

// Returns the number of the last frame that the device has finished; 0 before the first. It may lag
// behind the device. Any thread.
uint64_t ct_renderer_completed_frame(const ct_renderer *r);

// Waits until everything handed over has been drawn.
void ct_renderer_flush(ct_renderer *r);

// Returns true when the graphics device was lost for good; an error was logged. Nothing is drawn
// then, and screenshots are NULL. A device that was lost and recreated only shows in the log.
bool ct_renderer_has_failed(const ct_renderer *r);

typedef enum ct_render_fault_kind {
    CT_RENDER_FAULT_DEVICE_LOST,
    CT_RENDER_FAULT_OUT_OF_MEMORY, // of the device
    CT_RENDER_FAULT_SURFACE_LOST,  // counts only calls that concern the window's surface
} ct_render_fault_kind;

// Selects driver calls that will fail, among those that can, counted from this point of the frame
// being recorded.
typedef struct ct_render_fault {
    ct_render_fault_kind kind;
    uint32_t call;      // the first; 0: the next
    uint32_t period;    // then each so many calls; 0 and 1: each
    uint32_t num_times; // how many fail; UINT32_MAX: no end; 0: no call fails
} ct_render_fault;

// Makes driver calls fail; replaces the fault that was injected before. The driver does not see the
// failing calls. For tests and tools.
void ct_renderer_inject_fault(ct_renderer *r, const ct_render_fault *fault);

// Returns how many calls failed since the last fault was injected. Flushes first.
uint32_t ct_renderer_num_faults(ct_renderer *r);

// Requests a screenshot of the frame being recorded. Calls `done` once, on the render thread: RGBA,
// 8 bits, sRGB, rows from the top, borrowed for the call. `pixels` is NULL when the frame drew
// nothing.
void ct_renderer_screenshot(ct_renderer *r,
                            void (*done)(void *user, const uint8_t *pixels, uint32_t width,
                                         uint32_t height),
                            void *user);

typedef struct ct_render_stats {
    uint64_t frame;
    uint32_t num_draws;     // draw calls
    uint32_t num_instances; // objects drawn
    uint32_t num_particles; // drawn
    uint32_t num_triangles;
    uint32_t num_late_pipelines; // made, or waited for, while the frame was recorded
    double submit_seconds;       // recording and submitting, without waiting for the device
    uint64_t device_bytes;       // of device memory in use, in so many ranges
    uint32_t num_device_ranges;
} ct_render_stats;

// Returns the statistics of the last frame that the render thread submitted. Any thread.
ct_render_stats ct_renderer_stats(const ct_renderer *r);

// --- Recorders -----------------------------------------------------------------------------------

typedef struct ct_render_stream ct_render_stream; // render_stream.h

// Makes a renderer without a device and without a render thread, for tests and benchmarks of code
// that feeds a renderer: all functions work, but commands are only recorded. The commands of a
// frame are dropped when it ends; its screenshots then call back without an image. Uses only
// `allocator`, `resources` (NULL: nothing is ever loaded), `width` and `height` of `desc`. Destroy
// it with ct_renderer_destroy.
ct_renderer *ct_renderer_create_recorder(const ct_renderer_desc *desc);

// Returns the commands of this frame so far. Borrowed until the frame ends; each function that
// records appends to it.
const ct_render_stream *ct_renderer_stream(const ct_renderer *r);

// Sets the statistics that a recorder returns from now on; all 0 before.
void ct_renderer_record_stats(ct_renderer *r, const ct_render_stats *stats);
