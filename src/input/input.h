// input.h: what players do with keyboard, mouse, pads and touch panel, as state and as events.
//
// The app feeds what the system reports (a test or Lua feeds input of its own);
// ct_input_begin_frame starts a new frame, whose `pressed`, `released` and list of events hold what
// happened since the last one. ct_input_end_feeding ends what Lua may still add to it. resource/types/input_names.h has the numbers and names of buttons and axes. Values come
// from outside: numbers out of range and values that are not finite are ignored. Update thread.
#pragma once
#include "foundation/memory/allocator.h"
#include "input/dead_zone.h"
#include "input/input_events.h"
#include "input/rumble.h"
#include "input/touch_contacts.h"

typedef struct ct_input ct_input;

// What a pad reports about its battery.
typedef enum ct_input_battery {
    CT_INPUT_BATTERY_UNKNOWN,
    CT_INPUT_BATTERY_EMPTY,
    CT_INPUT_BATTERY_LOW,
    CT_INPUT_BATTERY_MEDIUM,
    CT_INPUT_BATTERY_FULL,
    CT_INPUT_BATTERY_WIRED,
    CT_NUM_INPUT_BATTERIES,
} ct_input_battery;

// Functions that the app provides. They may be NULL.
typedef struct ct_input_platform {
    void *user;
    // Returns the label of a key in the player's layout, UTF-8, borrowed until the next call; NULL
    // or "" when it is unknown. `usage` as in ct_input_usage_of_key.
    const char *(*key_name)(void *user, uint32_t usage);
} ct_input_platform;

// Takes input away before it changes anything: for tools that a user types into while the game runs.
typedef struct ct_input_filter {
    void *user;
    // Gets each button that goes down, keystroke, and text (PRESSED, KEYSTROKE, TEXT, EDITING) as it
    // is fed, and returns true to take it: the input then stays as if it had not come. Also gets
    // RELEASED for the buttons whose press it took; that result does not count. Other releases, axes
    // and touches do not pass here, so no button stays down because of a filter. Must not feed
    // input.
    bool (*takes)(void *user, const ct_input_event *event);
} ct_input_filter;

// Makes a keyboard, a mouse and a touch panel at rest, and pads that are not connected. One
// allocation; nothing grows.
ct_input *ct_input_create(ct_allocator *a);

// Frees the input; NULL is fine.
void ct_input_destroy(ct_input *in);

// Sets the functions of the app; the struct is copied. Without them keys have the names of the US
// layout.
void ct_input_set_platform(ct_input *in, const ct_input_platform *platform);

// Sets the filter of what is fed from now on; copied; NULL: none.
void ct_input_set_filter(ct_input *in, const ct_input_filter *filter);

// Starts a frame: nothing counts as just pressed or moved, and the list of events is empty. Then feeds
// the events that ct_input_add_remote kept, in order.
void ct_input_begin_frame(ct_input *in);

// Says that actions have followed this frame: ct_input_add_remote now keeps events for the next one.
void ct_input_end_feeding(ct_input *in);

// Makes `in` what `from` is now: devices, buttons, axes and touches; without events, a filter, motors
// that run, and what waits for the next frame.
void ct_input_copy_state(ct_input *in, const ct_input *from);

// Brings `in`, which saw nothing of what devices did for a while, to the state of `now`, which saw all
// of it since ct_input_copy_state: devices come and go, buttons and fingers that are up now go up, and
// axes move. Nothing is pressed: a button that went down meanwhile stays up for `in`.
void ct_input_catch_up(ct_input *in, const ct_input *now);

// --- Feeding -------------------------------------------------------------------------------------

// Sets the time of the events that are fed from now on, by the clock of ct_os_time_ns.
void ct_input_set_time(ct_input *in, uint64_t time_ns);

// Feeds a button that went down or up. Makes no event when it was down or up already.
void ct_input_feed_button(ct_input *in, ct_input_device device, uint32_t button, bool is_down);

// Feeds an analogue button, from 0 to 1: it goes down at 0.5 and up again below 0.4.
void ct_input_feed_value(ct_input *in, ct_input_device device, uint32_t button, float value);

// Feeds the new state of an axis, or a movement by `value`; movements add up within a frame. A
// state that does not change makes no event.
void ct_input_feed_axis(ct_input *in, ct_input_device device, uint32_t axis, ct_vec3 value,
                        bool is_relative);

// Feeds a key press, or a repeat by the system while the key is held. Only keys that make no text
// become keystrokes: those of ct_input_key_is_command, and letters, digits and signs while a ctrl or
// win key is down and right alt, which types signs on many layouts, is not.
void ct_input_feed_keystroke(ct_input *in, uint32_t key);

// Feeds typed text, UTF-8; other text is ignored.
void ct_input_feed_text(ct_input *in, const char *text);

// Feeds the text that an input method has not finished yet, UTF-8, with the place of the cursor and
// the number of selected characters, both counted in characters.
void ct_input_feed_editing(ct_input *in, const char *text, int32_t cursor, int32_t length);

// Feeds a finger that touched the panel, moved or left it (phase BEGAN, MOVED, ENDED). `finger` is
// the system's number, `location` in pixels of the window from the top left, `pressure` from 0 to
// 1.
void ct_input_feed_touch(ct_input *in, ct_touch_phase phase, uint64_t finger, ct_vec2 location,
                         float pressure);

// Feeds a device that was connected, with the name of the product, which is copied. Makes no event
// when it was connected already.
void ct_input_feed_connected(ct_input *in, ct_input_device device, const char *name);

// Feeds a device that was disconnected. Its buttons go up, its axes and motors come to rest. Makes
// no event when it was not connected.
void ct_input_feed_disconnected(ct_input *in, ct_input_device device);

// Sets the battery state of a pad.
void ct_input_feed_battery(ct_input *in, ct_input_device device, ct_input_battery battery);

// Feeds the loss of the window's focus: releases all buttons, brings sticks to rest, ends all
// touches.
void ct_input_feed_focus_lost(ct_input *in);

// Feeds an event as if its device had just sent it; or, after ct_input_end_feeding, keeps a copy with its
// text and feeds it when the next frame begins, so that actions see it. A movement (of the mouse, the
// wheel) adds `value`, other axes become it. Numbers out of range and unknown kinds do nothing. At most
// CT_INPUT_MAX_EVENTS wait; more are dropped with a warning, `input_flood`.
void ct_input_add_remote(ct_input *in, const ct_input_event *event);

// --- State ---------------------------------------------------------------------------------------

// Returns whether a button is down; false for a number out of range.
bool ct_input_is_down(const ct_input *in, ct_input_device device, uint32_t button);

// Returns whether a button went down in this frame; false for a number out of range. It may be up
// again.
bool ct_input_pressed(const ct_input *in, ct_input_device device, uint32_t button);

// Returns whether a button went up in this frame; false for a number out of range.
bool ct_input_released(const ct_input *in, ct_input_device device, uint32_t button);

// Returns how far a button is pressed, from 0 to 1. A button that is only down or up gives 1 or 0.
float ct_input_value(const ct_input *in, ct_input_device device, uint32_t button);

// Returns the state of an axis with its own dead zone; 0 for a number out of range.
ct_vec3 ct_input_axis(const ct_input *in, ct_input_device device, uint32_t axis);

// Returns the state of an axis with the dead zone `zone`; 0 for a number out of range.
ct_vec3 ct_input_axis_with(const ct_input *in, ct_input_device device, uint32_t axis,
                           ct_dead_zone zone);

// Returns the dead zone of an axis. The default is circular, 0.24, for sticks; independent, 0.12,
// for triggers; raw for all others.
ct_dead_zone ct_input_dead_zone(const ct_input *in, ct_input_device device, uint32_t axis);

// Sets the dead zone of an axis. Does nothing for a number out of range.
void ct_input_set_dead_zone(ct_input *in, ct_input_device device, uint32_t axis, ct_dead_zone zone);

// Returns the lowest button that was pressed in this frame, or -1.
int32_t ct_input_any_pressed(const ct_input *in, ct_input_device device);

// Returns the lowest button that was released in this frame, or -1.
int32_t ct_input_any_released(const ct_input *in, ct_input_device device);

// Returns whether a device is connected. Keyboard, mouse and touch panel are connected from the
// start.
bool ct_input_is_connected(const ct_input *in, ct_input_device device);

// Returns whether a device was connected in this frame.
bool ct_input_was_connected(const ct_input *in, ct_input_device device);

// Returns whether a device was disconnected in this frame.
bool ct_input_was_disconnected(const ct_input *in, ct_input_device device);

// Returns the product's name from the last time the device was connected; before that, the name of
// the device. Borrowed until it changes.
const char *ct_input_product_name(const ct_input *in, ct_input_device device);

// Returns what a pad last reported about its battery; UNKNOWN for other devices.
ct_input_battery ct_input_battery_of(const ct_input *in, ct_input_device device);

// Returns the label of a button in the player's layout, or the button's name when the layout is
// unknown. Borrowed until the next call; NULL for a number out of range.
const char *ct_input_locale_name(const ct_input *in, ct_input_device device, uint32_t button);

// Returns the motors of a pad, to read and to change; NULL for devices without motors. Borrowed for
// the input's life.
ct_rumble *ct_input_rumble(ct_input *in, ct_input_device device);

// Sets the colour of a pad's light: linear red, green, blue from 0 to 1. Does nothing for other
// devices.
void ct_input_set_light(ct_input *in, ct_input_device device, ct_vec3 color);

// Writes the colour that was set for a pad to `color`. Returns false and leaves `color` unchanged
// when no colour was set.
bool ct_input_light(const ct_input *in, ct_input_device device, ct_vec3 *color);

// Returns the fingers on the panel. Borrowed for the input's life; they change with each frame.
const ct_touch_contacts *ct_input_touches(const ct_input *in);

// Returns the events of this frame. Borrowed until the next frame begins.
const ct_input_events *ct_input_event_list(const ct_input *in);

// Returns the device (keyboard, mouse, pad or touch panel) that was used last: a button went down
// on it, or a stick was pushed. Mouse movement does not count.
ct_input_device ct_input_last_used(const ct_input *in);
