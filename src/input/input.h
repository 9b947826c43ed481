// input.h: what players do with keyboard, mouse, pads and touch panel, as state and as events.
//
// The app feeds what the system reports (a test or Lua makes it up); ct_input_begin_frame starts a
// new frame, in which `pressed`, `released` and the list of events tell what happened since the
// last one. Buttons and axes by number and name: resource/types/input_names.h. Values come from outside:
// numbers out of range and values that are not finite are passed over. Update thread.
#pragma once
#include "foundation/memory/allocator.h"
#include "input/dead_zone.h"
#include "input/input_events.h"
#include "input/rumble.h"
#include "input/touch_contacts.h"

typedef struct ct_input ct_input;

// What a pad tells of its battery.
typedef enum ct_input_battery {
    CT_INPUT_BATTERY_UNKNOWN,
    CT_INPUT_BATTERY_EMPTY,
    CT_INPUT_BATTERY_LOW,
    CT_INPUT_BATTERY_MEDIUM,
    CT_INPUT_BATTERY_FULL,
    CT_INPUT_BATTERY_WIRED,
    CT_NUM_INPUT_BATTERIES,
} ct_input_battery;

// What only the app knows. Functions may be NULL.
typedef struct ct_input_platform {
    void *user;
    // What is written on a key in the player's layout, UTF-8, borrowed until the next call; NULL or
    // "" when nobody knows. `usage` as in ct_input_usage_of_key.
    const char *(*key_name)(void *user, uint32_t usage);
} ct_input_platform;

// Makes a keyboard, a mouse and a touch panel that nobody touches, and pads that are not connected.
// One allocation; nothing grows.
ct_input *ct_input_create(ct_allocator *a);

// Frees it; NULL is fine.
void ct_input_destroy(ct_input *in);

// Sets what is asked of the app; copied. Without it there are no names of other layouts.
void ct_input_set_platform(ct_input *in, const ct_input_platform *platform);

// Starts a frame: what was pressed or moved before is no longer new, and the list of events is
// empty.
void ct_input_begin_frame(ct_input *in);

// --- Feeding -------------------------------------------------------------------------------------

// When the events happened that are fed from now on, by the clock of ct_os_time_ns.
void ct_input_set_time(ct_input *in, uint64_t time_ns);

// A button went down or up. No event when it was so already.
void ct_input_feed_button(ct_input *in, ct_input_device device, uint32_t button, bool is_down);

// A button that is pressed more or less, from 0 to 1: down from 0.5 on, up again below 0.4.
void ct_input_feed_value(ct_input *in, ct_input_device device, uint32_t button, float value);

// An axis has a new state, or moved by `value`; movement adds up within a frame. State that does
// not change is no event.
void ct_input_feed_axis(ct_input *in, ct_input_device device, uint32_t axis, ct_vec3 value,
                        bool is_relative);

// A key was pressed, or is held so long that the system repeats it. Only those that are no text
// (ct_input_key_is_command) become keystrokes.
void ct_input_feed_keystroke(ct_input *in, uint32_t key);

// Text was typed; or is being put together by an input method, with the cursor at a character, and
// so many of them selected. UTF-8; anything else is passed over.
void ct_input_feed_text(ct_input *in, const char *text);
void ct_input_feed_editing(ct_input *in, const char *text, int32_t cursor, int32_t length);

// A finger touched the panel, moved or left it (phase BEGAN, MOVED, ENDED). `finger` is the
// system's number, `location` in pixels of the window, `pressure` from 0 to 1.
void ct_input_feed_touch(ct_input *in, ct_touch_phase phase, uint64_t finger, ct_vec2 location,
                         float pressure);

// A device came, with the name of the product; or went, and all it held is released. Twice the same
// is no event.
void ct_input_feed_connected(ct_input *in, ct_input_device device, const char *name);
void ct_input_feed_disconnected(ct_input *in, ct_input_device device);

// What is known of a pad's battery.
void ct_input_feed_battery(ct_input *in, ct_input_device device, ct_input_battery battery);

// The window lost the focus: releases all buttons, brings sticks to rest, ends all touches.
void ct_input_feed_focus_lost(ct_input *in);

// --- State ---------------------------------------------------------------------------------------

// Whether a button is down, went down in this frame, went up in it. Numbers out of range are never
// down.
bool ct_input_is_down(const ct_input *in, ct_input_device device, uint32_t button);
bool ct_input_pressed(const ct_input *in, ct_input_device device, uint32_t button);
bool ct_input_released(const ct_input *in, ct_input_device device, uint32_t button);

// How far a button is pressed, from 0 to 1; 1 while one is down that knows no more.
float ct_input_value(const ct_input *in, ct_input_device device, uint32_t button);

// The state of an axis with its dead zone, or with another one.
ct_vec3 ct_input_axis(const ct_input *in, ct_input_device device, uint32_t axis);
ct_vec3 ct_input_axis_with(const ct_input *in, ct_input_device device, uint32_t axis,
                           ct_dead_zone zone);

// The dead zone of an axis: at first circular, 0.24, for sticks; independent, 0.12, for triggers;
// raw for all others. Setting does nothing for a number out of range.
ct_dead_zone ct_input_dead_zone(const ct_input *in, ct_input_device device, uint32_t axis);
void ct_input_set_dead_zone(ct_input *in, ct_input_device device, uint32_t axis, ct_dead_zone zone);

// The lowest button pressed (released) in this frame, or -1.
int32_t ct_input_any_pressed(const ct_input *in, ct_input_device device);
int32_t ct_input_any_released(const ct_input *in, ct_input_device device);

// Whether a device is there; keyboard, mouse and touch panel are until told otherwise. And whether
// it came or went in this frame.
bool ct_input_is_connected(const ct_input *in, ct_input_device device);
bool ct_input_was_connected(const ct_input *in, ct_input_device device);
bool ct_input_was_disconnected(const ct_input *in, ct_input_device device);

// The product's name, as it was when the device was last connected; else that of the device.
// Borrowed until it changes.
const char *ct_input_product_name(const ct_input *in, ct_input_device device);

// What a pad told last; UNKNOWN for others.
ct_input_battery ct_input_battery_of(const ct_input *in, ct_input_device device);

// What is written on a button in the player's layout; its name where nobody knows better. Borrowed
// until the next call; NULL for a number out of range.
const char *ct_input_locale_name(const ct_input *in, ct_input_device device, uint32_t button);

// The motors of a pad, to change and to read; NULL for devices that have none.
ct_rumble *ct_input_rumble(ct_input *in, ct_input_device device);

// The colour that a pad is to show, linear red, green, blue from 0 to 1; false when none was set.
// Setting does nothing for other devices.
void ct_input_set_light(ct_input *in, ct_input_device device, ct_vec3 color);
bool ct_input_light(const ct_input *in, ct_input_device device, ct_vec3 *color);

// The fingers on the panel. Borrowed.
const ct_touch_contacts *ct_input_touches(const ct_input *in);

// The events of this frame. Borrowed until the next.
const ct_input_events *ct_input_event_list(const ct_input *in);

// Of keyboard, mouse, pads and touch panel the one that was used last: a button went down on it, or
// a stick was pushed. Mouse movement does not count.
ct_input_device ct_input_last_used(const ct_input *in);
