// Nodes of Input: buttons and axes.
#include <string.h>

#include "flow/flow_private.h"
#include "flow/nodes/flow_functions.h"
#include "flow/nodes/flow_parts.h"
#include "resource/types/flow/flow_node_states.h"

// --- Buttons -------------------------------------------------------------------------------------

enum { PRESSED, RELEASED, HELD }; // events out

// Starts what follows from a button.
static uint32_t run_button(ct_flow_call *c, ct_input_device device, const char *name) {
    const ct_input *const in = c->world->system->input;
    const int32_t button = ct_input_button_id(device, name);
    if (!in)
        return CT_FLOW_STOP;
    if (button < 0) {
        ct_flow_error(c, "the device %s has no button \"%.64s\"", ct_input_device_name(device),
                      name);
        return CT_FLOW_STOP;
    }
    const uint32_t b = (uint32_t)button;
    const bool is_down = ct_input_is_down(in, device, b);
    const bool is_released = ct_input_released(in, device, b);
    ct_flow_set_number(c, 0, (double)ct_input_value(in, device, b));
    if (ct_input_pressed(in, device, b) && !ct_flow_fire(c, PRESSED))
        return CT_FLOW_STOP;
    if (is_released && !ct_flow_fire(c, RELEASED))
        return CT_FLOW_STOP;
    return is_down ? HELD : CT_FLOW_STOP;
}

static uint32_t keyboard_button(ct_flow_call *c, uint32_t event) {
    (void)event;
    return run_button(c, CT_INPUT_DEVICE_KEYBOARD, ct_flow_text(c, 0));
}

static uint32_t mouse_button(ct_flow_call *c, uint32_t event) {
    (void)event;
    return run_button(c, CT_INPUT_DEVICE_MOUSE, ct_flow_text(c, 0));
}

// Gives the pad of input 0.
static bool pad_of(ct_flow_call *c, ct_input_device *device) {
    double number;
    if (!ct_flow_number_in(c, 0, 1, CT_INPUT_NUM_PADS, &number))
        return false;
    *device = (ct_input_device)(CT_INPUT_DEVICE_PAD_1 + (uint32_t)number - 1);
    return true;
}

static uint32_t xbox_button(ct_flow_call *c, uint32_t event) {
    ct_input_device pad;
    (void)event;
    return pad_of(c, &pad) ? run_button(c, pad, ct_flow_text(c, 1)) : CT_FLOW_STOP;
}

// The names that buttons have on a PS4's pad, and in the engine.
static const char *const ps4_names[][2] = {
    {"cross", "a"},           {"circle", "b"},        {"square", "x"},
    {"triangle", "y"},        {"up", "d_up"},         {"down", "d_down"},
    {"left", "d_left"},       {"right", "d_right"},   {"l1", "left_shoulder"},
    {"r1", "right_shoulder"}, {"l2", "left_trigger"}, {"r2", "right_trigger"},
    {"l3", "left_thumb"},     {"r3", "right_thumb"},  {"options", "start"},
    {"share", "back"},        {"touch", "touchpad"},  {"ps", "guide"},
};

static uint32_t ps4_button(ct_flow_call *c, uint32_t event) {
    const char *name = ct_flow_text(c, 1);
    ct_input_device pad;
    (void)event;
    for (uint32_t i = 0; i < CT_COUNT_OF(ps4_names); ++i) {
        if (strcmp(ps4_names[i][0], name) == 0) {
            name = ps4_names[i][1];
            break;
        }
    }
    return pad_of(c, &pad) ? run_button(c, pad, name) : CT_FLOW_STOP;
}

// --- Axes ----------------------------------------------------------------------------------------

typedef struct axis_state {
    float value[3]; // that it had
    uint32_t padding;
} axis_state;
_Static_assert(sizeof(axis_state) == CT_FLOW_AXIS_STATE_BYTES, "flow_node_states.h");

// Goes on when the axis has another value than before, or, of movements, one that is not 0.
static uint32_t run_axis(ct_flow_call *c, ct_input_device device, const char *name) {
    const ct_input *const in = c->world->system->input;
    axis_state *const state = ct_flow_state(c);
    const int32_t axis = ct_input_axis_id(device, name);
    if (!in || axis < 0)
        return CT_FLOW_STOP;
    const ct_vec3 v = ct_input_axis(in, device, (uint32_t)axis);
    const bool is_zero = v.x == 0 && v.y == 0 && v.z == 0;
    const bool has_moved =
        ct_input_axis_is_movement(device, (uint32_t)axis)
            ? !is_zero
            : v.x != state->value[0] || v.y != state->value[1] || v.z != state->value[2];
    memcpy(state->value, v.raw, sizeof(state->value));
    ct_flow_set_vector3(c, 0, v);
    return has_moved ? 0 : CT_FLOW_STOP;
}

static uint32_t mouse_axis(ct_flow_call *c, uint32_t event) {
    (void)event;
    return run_axis(c, CT_INPUT_DEVICE_MOUSE, ct_flow_text(c, 0));
}

static uint32_t thumbstick(ct_flow_call *c, uint32_t event) {
    ct_input_device pad;
    (void)event;
    return pad_of(c, &pad) ? run_axis(c, pad, ct_flow_text(c, 1)) : CT_FLOW_STOP;
}

static const ct_flow_function_row rows[] = {
    {"keyboard_button", keyboard_button}, {"mouse_axis", mouse_axis},
    {"mouse_button", mouse_button},       {"ps4_button", ps4_button},
    {"ps4_thumbstick", thumbstick},       {"xbox_button", xbox_button},
    {"xbox_thumbstick", thumbstick},
};

const ct_flow_functions ct_flow_run_input = {rows, CT_COUNT_OF(rows)};
