// overlay.h: what a developer sees over the running game: frame times, counts, memory, the log, and
// a line to type Lua into.
//
// It has a world of the renderer of its own with two GUIs, which are there only while it is shown:
// one keeps the panels and is drawn again up to 4 times a second, the other has what moves, the
// graph and the typed line. The view of that world is drawn last, by the viewport "overlay" of the
// render config, over whatever the game has drawn. Nothing here needs the game's Lua or a world of
// the game. A filter of the input takes the key that switches the overlay and, while its line has
// the keyboard, all keys and text; the game does not see them. Update thread.
#pragma once
#include "dev/overlay/overlay_figures.h"
#include "dev/overlay/overlay_line.h"
#include "dev/overlay/overlay_log.h"
#include "dev/overlay/overlay_texts.h"

typedef struct ct_overlay ct_overlay;

// What the key goes through, in this order.
typedef enum ct_overlay_mode {
    CT_OVERLAY_MODE_OFF,
    CT_OVERLAY_MODE_ON,
    CT_OVERLAY_MODE_LINE, // shown, and the line has the keyboard
    CT_NUM_OVERLAY_MODES,
} ct_overlay_mode;

// What an overlay is attached to; all is borrowed until ct_overlay_detach.
typedef struct ct_overlay_desc {
    ct_renderer *renderer;
    ct_gui_system *gui;
    ct_input *input;
    int32_t key; // of the keyboard (resource/types/input_names.h); -1: none
} ct_overlay_desc;

// Makes an overlay that is off and listens to the log.
ct_overlay *ct_overlay_create(ct_allocator *a);

// Frees the overlay, which must be detached; NULL is fine.
void ct_overlay_destroy(ct_overlay *o);

// Connects the overlay to what it draws with, and sets its filter of the input.
void ct_overlay_attach(ct_overlay *o, const ct_overlay_desc *desc);

// Ends what it draws and its filter; it is off then. Does nothing when it is not attached.
void ct_overlay_detach(ct_overlay *o);

// Shows, hides or gives the keyboard to an attached overlay. Returns false with `error` and changes
// nothing when the render config has no viewport "overlay"; OFF always succeeds.
bool ct_overlay_set_mode(ct_overlay *o, ct_overlay_mode mode, ct_error *error);

// Returns whether it is shown, and has the keyboard.
ct_overlay_mode ct_overlay_get_mode(const ct_overlay *o);

// Returns whether ct_overlay_draw has nothing to do.
bool ct_overlay_is_idle(const ct_overlay *o);

// Returns "off", "on" or "line".
const char *ct_overlay_mode_name(ct_overlay_mode mode);

// Copies the oldest line that was entered and not taken yet. Returns false if all were taken.
bool ct_overlay_take_line(ct_overlay *o, char line[CT_OVERLAY_LINE_BYTES]);

// Shows a text over the game for CT_OVERLAY_TEXT_SECONDS, also while the overlay is off. `now_ns`: by the clock
// of ct_os_time_ns. Copied.
void ct_overlay_show_text(ct_overlay *o, ct_vec3 color, const char *text, uint64_t now_ns);

// Shows where the game is stopped, such as "stopped at scripts/main.lua:12 (breakpoint)", in a bar at the
// top of the picture, also while the overlay is off; NULL: the game goes on. Copied.
void ct_overlay_show_stop(ct_overlay *o, const char *text);

// Draws that bar alone, over the last picture (ct_app_idle_frame), which has the panels already. Does
// nothing while the overlay is not attached.
void ct_overlay_draw_stop(ct_overlay *o);

// Draws into the frame being recorded, after the game; only texts while it is off. Under 0.1 ms in
// most frames.
void ct_overlay_draw(ct_overlay *o, const ct_overlay_figures *figures);
