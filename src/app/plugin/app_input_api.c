#include "app/app_private.h"
#include "app/plugin/app_interfaces.h"
#include "app/plugin/app_system_check.h"
#include "foundation/math/math.h"
#include "input/actions.h"
#include "resource/types/input_control.h"

// --- Numbers -------------------------------------------------------------------------------------

// A control: the device and the number in it, each from 1.
static uint32_t id_of(ct_input_control control) {
    return (control.device + 1u) << 16 | (control.number + 1u);
}

// The devices of an id, and the number in them. Returns how many; 0 for {0} and what is no id.
static uint32_t devices_of(uint32_t id, ct_input_device devices[CT_INPUT_NUM_PADS],
                           uint32_t *number) {
    const uint32_t device = (id >> 16) - 1;
    *number = (id & 0xffff) - 1;
    if (device > CT_INPUT_ANY_PAD || (id & 0xffff) == 0)
        return 0;
    devices[0] = (ct_input_device)device;
    if (device != CT_INPUT_ANY_PAD)
        return 1;
    for (uint32_t i = 0; i < CT_INPUT_NUM_PADS; ++i)
        devices[i] = (ct_input_device)(CT_INPUT_DEVICE_PAD_1 + i);
    return CT_INPUT_NUM_PADS;
}

static uint32_t find(const char *name, ct_input_part part, const char *what, cuttle_error *error) {
    ct_input_control control = {0};
    uint32_t modifiers = 0;
    ct_error why = {0};
    if (!name)
        ct_error_set(&why, "expected the name of %s, got NULL", what);
    else if (!ct_input_control_parse(name, &control, &modifiers, &why))
        (void)0;
    else if (control.part != part || modifiers != 0)
        ct_error_set(&why, "expected the name of %s without modifiers and parts, got \"%.64s\"",
                     what, name);
    else
        return id_of(control);
    ct_plugin_error_to(error, &why);
    return 0;
}

static cuttle_input_button button(cuttle_plugin *self, const char *name, cuttle_error *error) {
    (void)self;
    return (cuttle_input_button){find(name, CT_INPUT_PART_BUTTON, "a button", error)};
}

static cuttle_input_axis axis(cuttle_plugin *self, const char *name, cuttle_error *error) {
    (void)self;
    return (cuttle_input_axis){find(name, CT_INPUT_PART_AXIS, "an axis", error)};
}

// --- Devices -------------------------------------------------------------------------------------

// Whether `is` holds for the button of one of its devices.
static bool is_any(const ct_plugin *self, cuttle_input_button b,
                   bool (*is)(const ct_input *in, ct_input_device device, uint32_t button)) {
    ct_input_device devices[CT_INPUT_NUM_PADS];
    uint32_t number;
    const uint32_t count = devices_of(b.id, devices, &number);
    bool is_one = false;
    for (uint32_t i = 0; i < count; ++i)
        is_one |= is(ct_app_of_plugin(self)->input, devices[i], number);
    return is_one;
}

static bool is_down(cuttle_plugin *self, cuttle_input_button b) {
    return is_any(self, b, ct_input_is_down);
}

static bool pressed(cuttle_plugin *self, cuttle_input_button b) {
    return is_any(self, b, ct_input_pressed);
}

static bool released(cuttle_plugin *self, cuttle_input_button b) {
    return is_any(self, b, ct_input_released);
}

static float value(cuttle_plugin *self, cuttle_input_button b) {
    ct_input_device devices[CT_INPUT_NUM_PADS];
    uint32_t number;
    const uint32_t count = devices_of(b.id, devices, &number);
    float most = 0;
    for (uint32_t i = 0; i < count; ++i) {
        const float one = ct_input_value(ct_app_of_plugin(self)->input, devices[i], number);
        most = one > most ? one : most;
    }
    return most;
}

static cuttle_vector3 axis_value(cuttle_plugin *self, cuttle_input_axis a) {
    ct_input_device devices[CT_INPUT_NUM_PADS];
    uint32_t number;
    const uint32_t count = devices_of(a.id, devices, &number);
    ct_vec3 most = {{0}};
    for (uint32_t i = 0; i < count; ++i) {
        const ct_vec3 one = ct_input_axis(ct_app_of_plugin(self)->input, devices[i], number);
        if (ct_vec3_dot(one, one) > ct_vec3_dot(most, most))
            most = one;
    }
    return ct_app_vector3(most);
}

// --- Actions -------------------------------------------------------------------------------------

// Returns the number of an action; -1, and logs it, for an unknown name.
static int32_t check_action(const ct_plugin *self, const char *name, const char *function) {
    enum { MOST_NAMES = 256 };
    const ct_actions *const all = ct_app_of_plugin(self)->actions;
    const int32_t found = name ? ct_actions_find(all, name) : -1;
    if (found >= 0)
        return found;
    const char *names[MOST_NAMES];
    uint32_t count = 0;
    for (; count < ct_actions_count(all) && count < MOST_NAMES; ++count)
        names[count] = ct_actions_name(all, count);
    ct_error error = {0};
    ct_app_unknown_name("action", name ? name : "", names, count, &error);
    ct_app_bad_argument(self, function, "%s", error.message);
    return -1;
}

static bool action_held(cuttle_plugin *self, const char *name) {
    const int32_t action = check_action(self, name, "input.action_held");
    return action >= 0 && ct_actions_held(ct_app_of_plugin(self)->actions, (uint32_t)action);
}

static bool action_pressed(cuttle_plugin *self, const char *name) {
    const int32_t action = check_action(self, name, "input.action_pressed");
    return action >= 0 && ct_actions_pressed(ct_app_of_plugin(self)->actions, (uint32_t)action);
}

static bool action_released(cuttle_plugin *self, const char *name) {
    const int32_t action = check_action(self, name, "input.action_released");
    return action >= 0 && ct_actions_released(ct_app_of_plugin(self)->actions, (uint32_t)action);
}

static cuttle_vector3 action_value(cuttle_plugin *self, const char *name) {
    const int32_t action = check_action(self, name, "input.action_value");
    if (action < 0)
        return (cuttle_vector3){0, 0, 0};
    return ct_app_vector3(ct_actions_value(ct_app_of_plugin(self)->actions, (uint32_t)action));
}

const cuttle_input_api_1 ct_app_input_api_1 = {
    .button = button,
    .axis = axis,
    .is_down = is_down,
    .pressed = pressed,
    .released = released,
    .value = value,
    .axis_value = axis_value,
    .action_held = action_held,
    .action_pressed = action_pressed,
    .action_released = action_released,
    .action_value = action_value,
};
