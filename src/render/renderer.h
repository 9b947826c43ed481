// renderer.h: the renderer as the update thread sees it.
//
// The update thread records state changes (objects made, moved, shown; lights; cameras to render)
// into a stream; ct_renderer_end_frame hands the stream to the render thread, which applies it to
// state of its own and draws by the render config. Nothing is shared: all data is copied into the
// stream. The update thread runs at most one frame ahead.
//
// Poses are world space. Ids are issued by the update thread and are never reused within 2^32.
// All functions are for the update thread unless they say otherwise.
#pragma once
#include "foundation/math/math.h"
#include "foundation/memory/allocator.h"
#include "foundation/string/string_id.h"
#include "foundation/task/task.h"
#include "resource/load/resource_manager.h"
#include "resource/types/component_resource.h"
#include "resource/types/render_setting.h"

typedef struct ct_renderer ct_renderer;

typedef struct ct_render_world_id {
    uint32_t value;
} ct_render_world_id;

typedef struct ct_render_object_id {
    uint32_t value;
} ct_render_object_id;

typedef struct ct_render_light_id {
    uint32_t value;
} ct_render_light_id;

// How to draw into a window.
typedef struct ct_render_surface_api {
    void *user;
    const char *const *extensions; // instance extensions it needs; borrowed
    uint32_t num_extensions;
    // Makes a VkSurfaceKHR for this VkInstance; 0 when it cannot. Update thread: by
    // ct_renderer_create, and by ct_renderer_end_frame and ct_renderer_flush when the system lost
    // the one before, which is destroyed by then.
    uint64_t (*create_surface)(void *user, void *instance);
} ct_render_surface_api;

typedef struct ct_renderer_desc {
    ct_allocator *allocator;
    ct_task_manager *tasks;
    ct_resource_manager *resources;       // the renderer registers the types it needs
    const ct_render_surface_api *surface; // NULL: headless. Copied
    uint32_t width, height;               // of the back buffer, in pixels
    bool validation;                      // Vulkan validation messages go to the log as errors
} ct_renderer_desc;

// Starts Vulkan and the render thread. NULL with `error` that says what to install when there is no
// driver, or what the driver lacks.
ct_renderer *ct_renderer_create(const ct_renderer_desc *desc, ct_error *error);

// Waits for the render thread and the device; frees everything. Before the resource manager ends,
// after its packages are unloaded.
void ct_renderer_destroy(ct_renderer *r);

// The device's name and driver, as the driver tells it. Borrowed for the renderer's life.
const char *ct_renderer_device_name(const ct_renderer *r);

// Chooses the render config, an online resource. False with `error` when it is not there.
bool ct_renderer_set_config(ct_renderer *r, const char *name, ct_error *error);

// Gives a setting of the render config a value. It stays when the config is saved again, as long as
// it fits. False with `error` when there is no such setting (it names the nearest), or the value is
// of another type or out of range.
bool ct_renderer_set_setting(ct_renderer *r, const char *name, const ct_render_given *value,
                             ct_error *error);

// What a setting of the render config says.
typedef struct ct_renderer_setting {
    ct_render_setting_type type; // NONE: there is no such setting
    float value[4];              // see render_setting.h
    const char *choice;          // CHOICE: the name; borrowed until the config changes
} ct_renderer_setting;

ct_renderer_setting ct_renderer_get_setting(const ct_renderer *r, const char *name);

// Forgets all values that were set: what the config says counts.
void ct_renderer_reset_settings(ct_renderer *r);

// True when the render config has a viewport of this name.
bool ct_renderer_has_viewport(const ct_renderer *r, ct_string_id32 viewport);

// The back buffer's size as the update thread knows it; the last one while the window is minimised.
void ct_renderer_size(const ct_renderer *r, uint32_t *width, uint32_t *height);

// The window's new size in pixels; 0 x 0 while it is minimised (nothing is drawn meanwhile).
void ct_renderer_resize(ct_renderer *r, uint32_t width, uint32_t height);

// --- Worlds, objects, lights ---------------------------------------------------------------------

ct_render_world_id ct_render_world_create(ct_renderer *r);
void ct_render_world_destroy(ct_renderer *r, ct_render_world_id world); // with all in it

// The world's game time in seconds, as its shaders see it; 0 until it is set.
void ct_render_world_set_time(ct_renderer *r, ct_render_world_id world, double seconds);

// What an object is: a mesh with a material for each part (0, and that of parts that have none: the
// error material). Mesh and materials that are not online draw nothing until they are.
typedef struct ct_render_object_desc {
    ct_string_id64 mesh;
    const ct_string_id64 *materials; // copied
    uint32_t num_materials;          // at most CT_MESH_MAX_MATERIALS
    bool is_hidden, is_shadowless;   // until told otherwise
} ct_render_object_desc;

ct_render_object_id ct_render_object_create(ct_renderer *r, ct_render_world_id world,
                                            const ct_render_object_desc *desc, const ct_mat4 *pose);
void ct_render_objects_destroy(ct_renderer *r, ct_render_world_id world,
                               const ct_render_object_id *objects, uint32_t count);
void ct_render_objects_set_poses(ct_renderer *r, ct_render_world_id world,
                                 const ct_render_object_id *objects, const ct_mat4 *poses,
                                 uint32_t count);
// Only objects that are visible cast shadows.
void ct_render_object_set_visible(ct_renderer *r, ct_render_world_id world,
                                  ct_render_object_id object, bool is_visible);
void ct_render_object_set_casts_shadows(ct_renderer *r, ct_render_world_id world,
                                        ct_render_object_id object, bool casts_shadows);
void ct_render_object_set_material(ct_renderer *r, ct_render_world_id world,
                                   ct_render_object_id object, uint32_t part,
                                   ct_string_id64 material);

// Gives the object a value of its own for a parameter that its materials' shaders mark as
// instanced, whatever materials it has then; what is not given of the 4 floats is 0.
void ct_render_object_set_value(ct_renderer *r, ct_render_world_id world,
                                ct_render_object_id object, ct_string_id32 name,
                                const float *values, uint32_t num_values);

ct_render_light_id ct_render_light_create(ct_renderer *r, ct_render_world_id world,
                                          const ct_light_data *light, const ct_mat4 *pose);
void ct_render_light_set(ct_renderer *r, ct_render_world_id world, ct_render_light_id light,
                         const ct_light_data *data, const ct_mat4 *pose);
void ct_render_light_destroy(ct_renderer *r, ct_render_world_id world, ct_render_light_id light);

// One end of a debug line.
typedef struct ct_line_vertex {
    float position[3];
    float color[4]; // linear
} ct_line_vertex;

// Draws lines (two vertices each) in `world` in this frame.
void ct_render_lines(ct_renderer *r, ct_render_world_id world, const ct_line_vertex *vertices,
                     uint32_t count);

// --- Materials -----------------------------------------------------------------------------------

// Changes a value of an online material for all that use it, until it is reloaded: 1 to 4 floats,
// or the 16 of a matrix, column by column. Returns false when the material or the name is unknown,
// or when only one of parameter and value is a matrix.
bool ct_render_material_set_parameter(ct_renderer *r, ct_string_id64 material, ct_string_id32 name,
                                      const float *values, uint32_t num_values);
// True when objects with this material, which is online, may have values of their own for the
// parameter of this name.
bool ct_render_material_is_instanced(const ct_renderer *r, ct_string_id64 material,
                                     ct_string_id32 name);
bool ct_render_material_set_texture(ct_renderer *r, ct_string_id64 material, ct_string_id32 name,
                                    ct_string_id64 texture);

// --- Frames --------------------------------------------------------------------------------------

// What a camera sees with.
typedef struct ct_render_view {
    ct_mat4 pose;       // of the camera
    ct_mat4 projection; // camera space to clip space
} ct_render_view;

// Renders `world` through `view` by the config's viewport into the back buffer's rectangle (x, y,
// width, height as fractions 0 to 1).
void ct_renderer_render_world(ct_renderer *r, ct_render_world_id world, const ct_render_view *view,
                              ct_string_id32 viewport, const float rectangle[4]);

// Hands the frame over and starts the next. Waits (doing tasks) while the render thread has not
// begun the frame before.
void ct_renderer_end_frame(ct_renderer *r);

// The frame being recorded, from 1; and the last one that the device has finished.
uint64_t ct_renderer_frame(const ct_renderer *r);
uint64_t ct_renderer_completed_frame(const ct_renderer *r);

// Waits until everything handed over has been drawn.
void ct_renderer_flush(ct_renderer *r);

// True when the graphics device was lost for good (which was logged as an error): nothing is drawn
// any more, and screenshots come as NULL. A loss that was made good shows in the log alone.
bool ct_renderer_has_failed(const ct_renderer *r);

typedef enum ct_render_fault_kind {
    CT_RENDER_FAULT_DEVICE_LOST,
    CT_RENDER_FAULT_OUT_OF_MEMORY, // of the device
    CT_RENDER_FAULT_SURFACE_LOST,  // counts only calls that concern the window's surface
} ct_render_fault_kind;

// Which of the driver's calls that can fail are to fail, counted from this point of the frame being
// recorded on.
typedef struct ct_render_fault {
    ct_render_fault_kind kind;
    uint32_t call;      // the first; 0: the next
    uint32_t period;    // then each so many calls; 0 and 1: each
    uint32_t num_times; // how many fail; UINT32_MAX: no end. 0: none
} ct_render_fault;

// For tests and tools: lets calls fail, in place of what was injected before. The driver does not
// see the calls that fail.
void ct_renderer_inject_fault(ct_renderer *r, const ct_render_fault *fault);

// How many calls failed since the last fault was injected. Flushes.
uint32_t ct_renderer_num_faults(ct_renderer *r);

// Asks for the picture of the frame being recorded. `done` gets it on the render thread, once:
// RGBA, 8 bits, sRGB, rows from the top, borrowed for the call. pixels NULL: the frame drew
// nothing.
void ct_renderer_screenshot(ct_renderer *r,
                            void (*done)(void *user, const uint8_t *pixels, uint32_t width,
                                         uint32_t height),
                            void *user);

typedef struct ct_render_stats {
    uint64_t frame;
    uint32_t num_draws;     // draw calls
    uint32_t num_instances; // objects drawn
    uint32_t num_triangles;
    double submit_seconds; // recording and submitting, without waiting for the device
    uint64_t device_bytes; // of device memory in use, in so many ranges
    uint32_t num_device_ranges;
} ct_render_stats;

// Of the last frame that the render thread submitted. Any thread.
ct_render_stats ct_renderer_stats(const ct_renderer *r);
