#include "input/input.h"

#include <string.h>

#include "input/input_names.h"

typedef struct ct_device_state {
    bool is_down[CT_INPUT_MAX_BUTTONS];
    bool was_pressed[CT_INPUT_MAX_BUTTONS]; // in this frame
    bool was_released[CT_INPUT_MAX_BUTTONS];
    ct_vec3 axes[CT_INPUT_MAX_AXES];
} ct_device_state;

struct ct_input {
    ct_device_state devices[CT_INPUT_NUM_DEVICES];
    ct_allocator *allocator;
};

// Axes that tell of movement start every frame at zero.
static const bool mouse_axis_is_movement[] = {
    [CT_MOUSE_AXIS_CURSOR] = false,
    [CT_MOUSE_AXIS_MOUSE] = true,
    [CT_MOUSE_AXIS_WHEEL] = true,
};

ct_input *ct_input_create(ct_allocator *a) {
    ct_input *in = CT_NEW(a, ct_input);
    in->allocator = a;
    return in;
}

void ct_input_destroy(ct_input *in) {
    if (in)
        ct_free_sized(in->allocator, in, sizeof *in);
}

void ct_input_begin_frame(ct_input *in) {
    for (uint32_t d = 0; d < CT_INPUT_NUM_DEVICES; ++d) {
        ct_device_state *device = &in->devices[d];
        memset(device->was_pressed, 0, sizeof device->was_pressed);
        memset(device->was_released, 0, sizeof device->was_released);
    }
    for (uint32_t axis = 0; axis < CT_COUNT_OF(mouse_axis_is_movement); ++axis) {
        if (mouse_axis_is_movement[axis])
            in->devices[CT_INPUT_DEVICE_MOUSE].axes[axis] = ct_vec3_make(0, 0, 0);
    }
}

// --- Events --------------------------------------------------------------------------------------

void ct_input_feed_button(ct_input *in, ct_input_device device, uint32_t button, bool is_down) {
    if (button >= ct_input_num_buttons(device))
        return;
    ct_device_state *state = &in->devices[device];
    if (state->is_down[button] == is_down)
        return;
    state->is_down[button] = is_down;
    if (is_down)
        state->was_pressed[button] = true;
    else
        state->was_released[button] = true;
}

void ct_input_feed_axis(ct_input *in, ct_input_device device, uint32_t axis, ct_vec3 value,
                        bool is_relative) {
    if (axis >= ct_input_num_axes(device) || !ct_vec3_is_finite(value))
        return;
    ct_vec3 *state = &in->devices[device].axes[axis];
    *state = is_relative ? ct_vec3_add(*state, value) : value;
}

void ct_input_feed_focus_lost(ct_input *in) {
    for (ct_input_device d = 0; d < CT_INPUT_NUM_DEVICES; ++d) {
        for (uint32_t button = 0; button < ct_input_num_buttons(d); ++button)
            ct_input_feed_button(in, d, button, false);
    }
}

// --- Numbers and names ---------------------------------------------------------------------------

uint32_t ct_input_num_buttons(ct_input_device device) {
    switch (device) {
    case CT_INPUT_DEVICE_KEYBOARD:
        return ct_num_keys;
    case CT_INPUT_DEVICE_MOUSE:
        return ct_num_mouse_buttons;
    case CT_INPUT_NUM_DEVICES:
        break;
    }
    return 0;
}

uint32_t ct_input_num_axes(ct_input_device device) {
    return device == CT_INPUT_DEVICE_MOUSE ? ct_num_mouse_axes : 0;
}

const char *ct_input_button_name(ct_input_device device, uint32_t button) {
    if (button >= ct_input_num_buttons(device))
        return NULL;
    return device == CT_INPUT_DEVICE_KEYBOARD ? ct_key_names[button].name
                                              : ct_mouse_button_names[button];
}

const char *ct_input_axis_name(ct_input_device device, uint32_t axis) {
    return axis < ct_input_num_axes(device) ? ct_mouse_axis_names[axis] : NULL;
}

int32_t ct_input_button_id(ct_input_device device, const char *name) {
    const uint32_t count = ct_input_num_buttons(device);
    for (uint32_t i = 0; i < count; ++i) {
        if (strcmp(ct_input_button_name(device, i), name) == 0)
            return (int32_t)i;
    }
    return -1;
}

int32_t ct_input_axis_id(ct_input_device device, const char *name) {
    const uint32_t count = ct_input_num_axes(device);
    for (uint32_t i = 0; i < count; ++i) {
        if (strcmp(ct_input_axis_name(device, i), name) == 0)
            return (int32_t)i;
    }
    return -1;
}

int32_t ct_input_key_of_usage(uint32_t usage) {
    for (uint32_t i = 0; i < ct_num_keys; ++i) {
        if (ct_key_names[i].usage == usage)
            return (int32_t)i;
    }
    return -1;
}

// --- State ---------------------------------------------------------------------------------------

bool ct_input_is_down(const ct_input *in, ct_input_device device, uint32_t button) {
    return button < ct_input_num_buttons(device) && in->devices[device].is_down[button];
}

bool ct_input_pressed(const ct_input *in, ct_input_device device, uint32_t button) {
    return button < ct_input_num_buttons(device) && in->devices[device].was_pressed[button];
}

bool ct_input_released(const ct_input *in, ct_input_device device, uint32_t button) {
    return button < ct_input_num_buttons(device) && in->devices[device].was_released[button];
}

ct_vec3 ct_input_axis(const ct_input *in, ct_input_device device, uint32_t axis) {
    return axis < ct_input_num_axes(device) ? in->devices[device].axes[axis]
                                            : ct_vec3_make(0, 0, 0);
}

static int32_t lowest(const bool *flags, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
        if (flags[i])
            return (int32_t)i;
    }
    return -1;
}

int32_t ct_input_any_pressed(const ct_input *in, ct_input_device device) {
    const uint32_t count = ct_input_num_buttons(device);
    return count ? lowest(in->devices[device].was_pressed, count) : -1;
}

int32_t ct_input_any_released(const ct_input *in, ct_input_device device) {
    const uint32_t count = ct_input_num_buttons(device);
    return count ? lowest(in->devices[device].was_released, count) : -1;
}
