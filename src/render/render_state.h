// render_state.h: all that the render thread owns, and how a frame changes and draws it.
//
// Each part knows those above it in the struct. Render thread, except where noted.
#pragma once
#include "render/render_stream.h"
#include "render/render_swapchain.h"
#include "render/render_view.h"

typedef CT_ARRAY(ct_render_command_render_world) ct_render_view_array;
typedef CT_ARRAY(ct_render_command_screenshot) ct_render_screenshot_array;

typedef struct ct_render_state {
    ct_allocator *allocator;
    ct_render_device device;
    ct_render_context context;
    ct_render_frames frames;
    ct_render_textures textures;
    ct_render_meshes meshes;
    ct_render_shaders shaders;
    ct_render_materials materials;
    ct_render_graph graph;
    ct_render_draws draws;
    ct_render_swapchain swapchain;
    CT_ARRAY(ct_render_world *) worlds; // each in a block of its own: they must not move
    // Of the frame being applied:
    ct_render_view_array views;
    ct_render_screenshot_array screenshots;
    uint32_t width, height; // of the back buffer as last asked for
} ct_render_state;

// Starts Vulkan and makes what a frame needs. Before the render thread starts. False with `error`;
// nothing is left then.
bool ct_render_state_init(ct_render_state *s, ct_allocator *a, const ct_renderer_desc *desc,
                          ct_error *error);

// Waits for the device and frees everything. After the render thread has ended.
void ct_render_state_shutdown(ct_render_state *s);

// Applies a frame's changes, draws it, submits and shows it, and delivers its screenshots. Returns
// what was done.
ct_render_stats ct_render_state_frame(ct_render_state *s, uint64_t frame,
                                      const ct_render_stream *stream);

// Applies the commands of a stream; uploads are recorded to the frame's command buffer. In
// render_apply.c.
void ct_render_state_apply(ct_render_state *s, const ct_render_stream *stream);
