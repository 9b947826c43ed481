// window.h: the window and its events, through SDL2, which is loaded when the first window opens.
//
// All sizes and places are in pixels. SDL and the desktop count in points, and some displays have
// fewer points than pixels (ct_window_pixels_per_point). Main thread only.
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
    uint32_t foreign_window; // an X11 window of another program, which stays its own; 0: opens one
} ct_window_desc;

// Returns true when there is a display (X11 or Wayland, by the environment).
bool ct_window_is_possible(void);

// Opens a window, or draws into that of another program. Only one window may be open at a time. Returns NULL
// with `error` when SDL, the display or the foreign window is missing.
ct_window *ct_window_create(const ct_window_desc *desc, ct_error *error);

// Closes the window and ends SDL; NULL is fine. Destroy the renderer that draws into the window
// first.
void ct_window_destroy(ct_window *w);

// Returns the functions that the renderer uses to draw into the window. Borrowed for the window's
// life.
const ct_render_surface_api *ct_window_surface(ct_window *w);

// Reads the system's events and feeds them to `input`, and to `gamepads` unless that is NULL. After
// a request to close the window, ct_window_is_closing returns true.
void ct_window_pump_events(ct_window *w, ct_input *input, ct_gamepads *gamepads);

// Returns the label of the key of this USB HID usage in the player's layout; "" when there is no
// such key. UTF-8, borrowed until the next call.
const char *ct_window_key_name(const ct_window *w, uint32_t usage);

// Returns true when a request to close the window has come and the flag CT_SCRIPT_WINDOW_CLOSING
// has not been cleared since.
bool ct_window_is_closing(const ct_window *w);

// Returns whether a state of the window is on; ct_script_window_flag lists them.
bool ct_window_flag(const ct_window *w, ct_script_window_flag flag);

// Switches a state of the window on or off. The system may take a moment, or refuse.
void ct_window_set_flag(ct_window *w, ct_script_window_flag flag, bool is_on);

// Gets the size in pixels of the area that is drawn to.
void ct_window_size(const ct_window *w, uint32_t *width, uint32_t *height);

// Asks the system for this size. Returns false and does nothing while the system decides on the
// size: when the window is minimised or fullscreen.
bool ct_window_set_size(ct_window *w, uint32_t width, uint32_t height);

// Gets the position on the desktop and the size of the area that is drawn to: x, y, width, height.
void ct_window_rect(const ct_window *w, int32_t rect[4]);

// Asks the system for this position and size. Does nothing while the window is minimised or
// fullscreen.
void ct_window_set_rect(ct_window *w, const int32_t rect[4]);

// Returns how many displays the system has.
uint32_t ct_window_num_displays(const ct_window *w);

// Returns how many sizes a display below ct_window_num_displays can have, and gives one of them, in
// points. A size that the display has with several rates is there as often.
uint32_t ct_window_num_modes(const ct_window *w, uint32_t display);
void ct_window_mode(const ct_window *w, uint32_t display, uint32_t mode, uint32_t size[2]);

// Returns the number of pixels along a point; 1 on most displays.
double ct_window_pixels_per_point(const ct_window *w);

// Returns the window's title, UTF-8. Borrowed until it changes.
const char *ct_window_title(const ct_window *w);

// Sets the window's title, UTF-8; copied.
void ct_window_set_title(ct_window *w, const char *title);

// Shows one of the system's cursors over the window.
void ct_window_set_cursor(ct_window *w, ct_script_cursor cursor);

// Sets the window's icon: RGBA, 8 bits each, sRGB, rows from the top; copied. Logs when the system
// refuses it.
void ct_window_set_icon(ct_window *w, const uint8_t *pixels, uint32_t width, uint32_t height);

// Returns the display's refresh rate in Hz; 60 when it is unknown.
double ct_window_refresh_rate(const ct_window *w);

// Returns the text of the system's clipboard, "" when it holds none. Free it with
// ct_window_free_text.
char *ct_window_clipboard(const ct_window *w);

// Frees a text of ct_window_clipboard.
void ct_window_free_text(const ct_window *w, char *text);

// Puts a text, UTF-8, into the system's clipboard; copied. Logs when the system refuses it.
void ct_window_set_clipboard(ct_window *w, const char *text);

// Sets where typed text appears, from the upper left of the window: x, y, width, height in pixels.
// An input method shows its candidates beside that.
void ct_window_set_text_area(ct_window *w, const int32_t rect[4]);
