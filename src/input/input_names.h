// input_names.h: names of keys, mouse buttons and axes. Buttons are numbered as they stand here.
#pragma once
#include "foundation/types.h"

// A key: its name on a US keyboard and its usage on the keyboard page of the USB HID usage tables.
typedef struct ct_key_name {
    const char *name;
    uint32_t usage;
} ct_key_name;

extern const ct_key_name ct_key_names[];
extern const uint32_t ct_num_keys;

extern const char *const ct_mouse_button_names[];
extern const uint32_t ct_num_mouse_buttons;

extern const char *const ct_mouse_axis_names[]; // by ct_mouse_axis
extern const uint32_t ct_num_mouse_axes;
