// overlay_stop.h: a bar at the top of the picture that says where the game is stopped.
//
// It has a world of the renderer and a GUI of its own while it shows, is opaque and as wide as the
// picture: each frame of a stop is drawn over the picture of the frame before. Update thread.
#pragma once
#include "gui/gui.h"

enum { CT_OVERLAY_STOP_BYTES = 256 };

// Zeroed: nothing is shown.
typedef struct ct_overlay_stop {
    char text[CT_OVERLAY_STOP_BYTES]; // printable UTF-8 in one line; "": not stopped
    ct_renderer *renderer;            // those that it was last drawn with, while `bar` is there
    ct_render_world_id world;
    ct_gui *bar;
    uint32_t width, height; // of the picture that the bar is for
} ct_overlay_stop;

// Sets the text; copied; a longer one is cut, and what is not printable becomes a space. NULL: removes
// the bar.
void ct_overlay_stop_set(ct_overlay_stop *s, const char *text);

// Draws the bar into the frame being recorded, over all that was recorded. Does nothing without a text or
// when the render config has no viewport "overlay".
void ct_overlay_stop_draw(ct_overlay_stop *s, ct_renderer *r, ct_gui_system *gui);

// Removes the bar and its world; the text stays.
void ct_overlay_stop_end(ct_overlay_stop *s);
