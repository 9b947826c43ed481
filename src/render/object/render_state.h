// render_state.h: the state that the render thread owns; applies and draws frames.
//
// Each part may use the parts above it in the struct. Render thread, except where noted.
#pragma once
#include "render/device/render_swapchain.h"
#include "render/draw/render_view.h"
#include "render/graph/render_ahead.h"
#include "render/object/render_emitters.h"
#include "render/object/render_glyphs.h"
#include "render/object/render_pictures.h"
#include "render/render_stream.h"

typedef CT_ARRAY(const ct_render_command_render_world *) ct_render_view_array; // in the stream
typedef CT_ARRAY(ct_render_command_screenshot) ct_render_screenshot_array;

// Bits for the things that the render thread needs from the update thread before it can go on.
typedef enum ct_render_want {
    CT_RENDER_WANT_RESOURCES = 1, // all textures and meshes, to draw the last frame again
    CT_RENDER_WANT_SURFACE = 2,   // another one of the window
} ct_render_want;

typedef struct ct_render_state {
    ct_allocator *allocator;
    ct_render_device device;
    ct_render_context context;
    ct_render_frames frames;
    ct_render_textures textures;
    ct_render_glyphs glyphs;
    ct_render_meshes meshes;
    ct_render_shaders shaders;
    ct_render_emitters emitters;
    ct_render_materials materials;
    ct_render_graph graph;
    ct_render_ahead ahead;
    ct_render_draws draws;
    ct_render_swapchain swapchain;
    CT_ARRAY(ct_render_world *) worlds; // each in its own allocation: they must not move
    // Of the frame being applied:
    ct_render_view_array views;
    ct_render_screenshot_array screenshots;
    ct_render_screenshot_array late_screenshots; // wait for the next frame
    ct_render_pictures pictures;                 // parts that are read back
    bool keeps_picture;                          // draws over that of the frame before
    bool is_part;                                // the next frame goes on with it
    uint32_t width, height;                      // of the back buffer as last asked for
    uint64_t frame;                              // drawn last
    // Of what was lost (render_recovery.h):
    uint32_t wants;            // ct_render_want
    uint32_t num_tries;        // to make a lost device again, since a frame was last finished
    uint64_t lost_frame;       // the one in which it was lost last
    uint64_t surface_retry_ns; // when to ask for a surface again
    _Atomic bool has_failed;   // there is no device any more. Any thread
} ct_render_state;

// Starts Vulkan and makes everything that a frame needs. Call it before the render thread starts.
// On failure returns false with `error` and leaves nothing behind.
bool ct_render_state_init(ct_render_state *s, ct_allocator *a, const ct_renderer_desc *desc,
                          ct_error *error);

// Waits for the device and frees everything. Call it after the render thread has ended.
void ct_render_state_shutdown(ct_render_state *s);

// Ends the device and everything on it. The parts keep their shaders, materials, worlds and
// settings.
void ct_render_state_drop(ct_render_state *s);

// Makes a device, and on it everything but textures and meshes. Returns false with `error` when
// there is no device, or when it was lost again.
bool ct_render_state_restore(ct_render_state *s, ct_error *error);

// Applies a frame's changes, draws it, submits and shows it, and delivers its screenshots. Returns
// the frame's statistics. When the device was lost on the way, screenshots wait until the frame is
// drawn again. Does nothing without a device.
ct_render_stats ct_render_state_frame(ct_render_state *s, uint64_t frame,
                                      const ct_render_stream *stream);

// Draws the last frame again, on another device. `resources` holds CT_RENDER_COMMAND_TYPE_RESOURCE
// commands. The last frame's stream must still be valid.
ct_render_stats ct_render_state_redraw(ct_render_state *s, const ct_render_stream *resources);

// Calls back all pending screenshots without an image.
void ct_render_state_refuse_screenshots(ct_render_state *s);

// Applies the commands of a stream, in order. Uploads are recorded to the frame's command buffer.
// In render_apply.c.
void ct_render_state_apply(ct_render_state *s, const ct_render_stream *stream);

// Drops the data of the last frame: views, screenshots; lines and immediate GUIs unless it was a part
// of a frame. In render_apply.c.
void ct_render_state_clear_frame(ct_render_state *s);

// Copies the lines of a part of a frame out of its stream, which the next frame does not have. In
// render_apply.c.
void ct_render_state_keep_lines(ct_render_state *s);
