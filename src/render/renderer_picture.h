// renderer_picture.h: lets tools read what is drawn while the game goes on, and draw pictures of their own.
//
// A screenshot (ct_renderer_screenshot) waits for the device, which costs a game its frame rate when it is
// asked for in each frame. What is read here comes a frame or two later, when the device has finished by
// itself. Update thread, where nothing else is said.
#pragma once
#include "render/renderer.h"

// A part of the back buffer of the frame being recorded, and the function that takes it.
typedef struct ct_renderer_picture {
    float rectangle[4]; // x, y, width, height as fractions 0 to 1, y from the top
    // Called once, on the render thread or by the functions that end a frame or the renderer: RGBA, 8 bits,
    // sRGB, rows from the top without gaps, borrowed for the call. `pixels` is NULL when the frame drew
    // nothing, the part has no pixel or the device was lost.
    void (*done)(void *user, const uint8_t *pixels, uint32_t width, uint32_t height);
    void *user;
} ct_renderer_picture;

// Asks for a part of the frame being recorded. `picture` is copied.
void ct_renderer_read_picture(ct_renderer *r, const ct_renderer_picture *picture);

// Draws a world through `view` by the config's viewport of this name, as ct_renderer_render_world does, for one
// picture of the rectangle, in the frame being recorded. The game's own views are drawn over it, from what they
// drew in the frames before: they and the window are as without it. All is copied. A frame that goes on with the
// picture that is shown, such as one of a game that a debugger has stopped, has no room for it: no pixels then.
void ct_renderer_draw_picture(ct_renderer *r, ct_render_world_id world, const ct_render_view *view,
                              ct_string_id32 viewport, const ct_render_environment_value *values,
                              uint32_t num_values, const ct_renderer_picture *picture);
