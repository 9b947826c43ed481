// input_names.h: the input devices, and the numbers and names of their buttons and axes.
//
// Scripts, input resources and players' own bindings use the names: keys as on a US keyboard, in
// lower case; pads like the Xbox 360's. Numbers count from 0 in the order of the tables in
// input_names.c. They may change between versions; the names do not. Blobs hold numbers, so a
// change of the tables must raise CT_INPUT_VERSION. All data is constant: any thread.
#pragma once
#include "foundation/types.h"

// Pads are numbered as players see them; the four are consecutive.
typedef enum ct_input_device {
    CT_INPUT_DEVICE_KEYBOARD,
    CT_INPUT_DEVICE_MOUSE,
    CT_INPUT_DEVICE_PAD_1,
    CT_INPUT_DEVICE_PAD_2,
    CT_INPUT_DEVICE_PAD_3,
    CT_INPUT_DEVICE_PAD_4,
    CT_INPUT_DEVICE_TOUCH,
    CT_INPUT_NUM_DEVICES,
} ct_input_device;

enum {
    CT_INPUT_NUM_PADS = 4,
    CT_INPUT_MAX_BUTTONS = 256, // of a device
    CT_INPUT_MAX_AXES = 8,
};

// Axes of the mouse. The cursor is in pixels of the window from the top left; movement in pixels of
// this frame, y down as the system reports it; the wheel in notches, y up.
typedef enum ct_mouse_axis {
    CT_MOUSE_AXIS_CURSOR,
    CT_MOUSE_AXIS_MOUSE, // movement
    CT_MOUSE_AXIS_WHEEL,
} ct_mouse_axis;

// Axes of a pad. Sticks have x to the right and y up, from -1 to 1; triggers have x from 0 to 1.
typedef enum ct_pad_axis {
    CT_PAD_AXIS_LEFT,
    CT_PAD_AXIS_RIGHT,
    CT_PAD_AXIS_LEFT_TRIGGER,
    CT_PAD_AXIS_RIGHT_TRIGGER,
} ct_pad_axis;

// Axes of the touch panel, for the oldest contact: its position, in pixels of the window from the
// top left, and its movement in this frame.
typedef enum ct_touch_axis {
    CT_TOUCH_AXIS_LOCATION,
    CT_TOUCH_AXIS_DELTA,
} ct_touch_axis;

// Returns whether a device is PAD_1 to PAD_4.
static inline bool ct_input_is_pad(ct_input_device device) {
    return device >= CT_INPUT_DEVICE_PAD_1 && device <= CT_INPUT_DEVICE_PAD_4;
}

// Returns "keyboard", "mouse", "pad1" to "pad4" or "touch"; NULL for an unknown device.
const char *ct_input_device_name(ct_input_device device);

// Return the number of buttons and axes of a device; 0 for an unknown device.
uint32_t ct_input_num_buttons(ct_input_device device);
uint32_t ct_input_num_axes(ct_input_device device);

// Return the number of the button (axis) of this name, or -1.
int32_t ct_input_button_id(ct_input_device device, const char *name);
int32_t ct_input_axis_id(ct_input_device device, const char *name);

// Return the name of a button (axis), or NULL when the device has none of this number.
const char *ct_input_button_name(ct_input_device device, uint32_t button);
const char *ct_input_axis_name(ct_input_device device, uint32_t axis);

// Returns whether an axis measures movement: such axes start every frame at zero and add up within
// it.
bool ct_input_axis_is_movement(ct_input_device device, uint32_t axis);

// Returns whether an axis's y points down.
bool ct_input_axis_is_y_down(ct_input_device device, uint32_t axis);

// Return the button number of a key by its usage on the keyboard page of the USB HID usage tables
// (SDL's scan codes are the same), or -1; and the usage of a key by its number, 0 when it has none.
int32_t ct_input_key_of_usage(uint32_t usage);
uint32_t ct_input_usage_of_key(uint32_t key);

// Returns whether a key is a letter, a digit, a sign or space, outside of the numpad.
bool ct_input_key_is_text(uint32_t key);

// Returns whether a key changes text without being text: enter, backspace, arrows, function keys
// and the like.
bool ct_input_key_is_command(uint32_t key);
