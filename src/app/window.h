// window.h: the window and its events, through SDL2, which is loaded when the first window opens.
//
// Main thread only.
#pragma once
#include "app/gamepads.h"
#include "input/input.h"
#include "render/renderer.h"
#include "script/script.h"

typedef struct ct_window ct_window;

typedef struct ct_window_desc {
    ct_allocator *allocator;
    const char *title;
    uint32_t width, height; // pixels
    bool is_resizable;
} ct_window_desc;

// True when a display is there (X11 or Wayland, by the environment).
bool ct_window_is_possible(void);

// Opens a window. NULL with `error` when SDL or the display is missing.
ct_window *ct_window_create(const ct_window_desc *desc, ct_error *error);
void ct_window_destroy(ct_window *w);

// What the renderer needs to draw into it. Borrowed for the window's life.
const ct_render_surface_api *ct_window_surface(ct_window *w);

// Takes the system's events: feeds `input`, and `gamepads` unless that is NULL; a close request
// shows in ct_window_is_closing.
void ct_window_pump_events(ct_window *w, ct_input *input, ct_gamepads *gamepads);

// What is written on a key of this USB HID usage in the player's layout; "" when there is no such
// key. UTF-8, borrowed until the next call.
const char *ct_window_key_name(const ct_window *w, uint32_t usage);

bool ct_window_is_closing(const ct_window *w);

// What the window is or does; see ct_script_window_flag. The system may take a moment, or refuse.
bool ct_window_flag(const ct_window *w, ct_script_window_flag flag);
void ct_window_set_flag(ct_window *w, ct_script_window_flag flag, bool is_on);

// The drawable's size in pixels. Everything here is in pixels; SDL and the desktop count in points,
// of which some displays have fewer (ct_window_pixels_per_point).
void ct_window_size(const ct_window *w, uint32_t *width, uint32_t *height);

// Asks the system for this size. False when the window has a size that the system gives: minimised
// or fullscreen.
bool ct_window_set_size(ct_window *w, uint32_t width, uint32_t height);

// Where the drawable lies on the desktop: x, y, width, height.
void ct_window_rect(const ct_window *w, int32_t rect[4]);
void ct_window_set_rect(ct_window *w, const int32_t rect[4]);

// 1 on most displays.
double ct_window_pixels_per_point(const ct_window *w);

const char *ct_window_title(const ct_window *w);
void ct_window_set_title(ct_window *w, const char *title);

// Shows one of the system's cursors over the window.
void ct_window_set_cursor(ct_window *w, ct_script_cursor cursor);

// RGBA, 8 bits each, sRGB, rows from the top; copied. Logs when the system takes none.
void ct_window_set_icon(ct_window *w, const uint8_t *pixels, uint32_t width, uint32_t height);

// The display's refresh rate in Hz, or 60.
double ct_window_refresh_rate(const ct_window *w);
