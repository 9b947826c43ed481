// input.h: keyboard and mouse, as events and as polled state.
//
// The app feeds events as the system reports them (or a test makes them up); ct_input_begin_frame
// starts a new frame, in which `pressed` and `released` tell what happened since the last one.
// Buttons and axes have numbers from 0; names are those of the US layout, lower case. Update
// thread.
#pragma once
#include "foundation/allocator.h"
#include "foundation/math.h"

typedef struct ct_input ct_input;

typedef enum ct_input_device {
    CT_INPUT_DEVICE_KEYBOARD,
    CT_INPUT_DEVICE_MOUSE,
    CT_INPUT_NUM_DEVICES,
} ct_input_device;

enum { CT_INPUT_MAX_BUTTONS = 256, CT_INPUT_MAX_AXES = 8 };

// Mouse axes. Cursor in pixels of the window from the top left; movement in pixels of this frame, y
// down as the system reports it; wheel in notches, y up.
typedef enum ct_mouse_axis {
    CT_MOUSE_AXIS_CURSOR,
    CT_MOUSE_AXIS_MOUSE, // movement
    CT_MOUSE_AXIS_WHEEL,
} ct_mouse_axis;

ct_input *ct_input_create(ct_allocator *a);
void ct_input_destroy(ct_input *in);

// Starts a frame: what was pressed or moved before is no longer new.
void ct_input_begin_frame(ct_input *in);

// Events. Unknown buttons are passed over. A key repeat of the system is no event.
void ct_input_feed_button(ct_input *in, ct_input_device device, uint32_t button, bool is_down);
void ct_input_feed_axis(ct_input *in, ct_input_device device, uint32_t axis, ct_vec3 value,
                        bool is_relative);   // relative values add up within a frame
void ct_input_feed_focus_lost(ct_input *in); // releases all buttons

// Numbers and names; -1 / NULL when there is none.
uint32_t ct_input_num_buttons(ct_input_device device);
uint32_t ct_input_num_axes(ct_input_device device);
int32_t ct_input_button_id(ct_input_device device, const char *name);
int32_t ct_input_axis_id(ct_input_device device, const char *name);
const char *ct_input_button_name(ct_input_device device, uint32_t button);
const char *ct_input_axis_name(ct_input_device device, uint32_t axis);

// State. Numbers out of range are never down.
bool ct_input_is_down(const ct_input *in, ct_input_device device, uint32_t button);
bool ct_input_pressed(const ct_input *in, ct_input_device device, uint32_t button);
bool ct_input_released(const ct_input *in, ct_input_device device, uint32_t button);
ct_vec3 ct_input_axis(const ct_input *in, ct_input_device device, uint32_t axis);

// The lowest button pressed (released) in this frame, or -1.
int32_t ct_input_any_pressed(const ct_input *in, ct_input_device device);
int32_t ct_input_any_released(const ct_input *in, ct_input_device device);

// The button number of a key by its USB HID usage (which SDL's scan codes are), or -1.
int32_t ct_input_key_of_usage(uint32_t usage);
