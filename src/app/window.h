// window.h: the window and its events, through SDL2, which is loaded when the first window opens.
//
// Main thread only.
#pragma once
#include "app/gamepads.h"
#include "input/input.h"
#include "render/renderer.h"

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
bool ct_window_has_focus(const ct_window *w);
bool ct_window_is_minimized(const ct_window *w);

// The drawable's size in pixels.
void ct_window_size(const ct_window *w, uint32_t *width, uint32_t *height);
void ct_window_set_size(ct_window *w, uint32_t width, uint32_t height);
const char *ct_window_title(const ct_window *w);
void ct_window_set_title(ct_window *w, const char *title);
bool ct_window_shows_cursor(const ct_window *w);
void ct_window_set_shows_cursor(ct_window *w, bool is_shown);

// Captures the mouse: hidden, kept inside, endless relative movement.
bool ct_window_captures_mouse(const ct_window *w);
void ct_window_set_captures_mouse(ct_window *w, bool is_captured);

// The display's refresh rate in Hz, or 60.
double ct_window_refresh_rate(const ct_window *w);
