#include "resource/types/input_control.h"

#include <stdio.h>
#include <string.h>

#include "foundation/error.h"
#include "resource/schema/schema.h"

static const char *const part_names[CT_NUM_INPUT_PARTS] = {
    [CT_INPUT_PART_X] = "x",         [CT_INPUT_PART_Y] = "y",       [CT_INPUT_PART_LEFT] = "left",
    [CT_INPUT_PART_RIGHT] = "right", [CT_INPUT_PART_DOWN] = "down", [CT_INPUT_PART_UP] = "up",
};

static const char *const modifier_names[] = {"ctrl", "shift", "alt", "win"}; // by bit

// Returns the device in whose tables names are looked up: all pads share one.
static ct_input_device model_of(uint32_t device) {
    return device == CT_INPUT_ANY_PAD ? CT_INPUT_DEVICE_PAD_1 : (ct_input_device)device;
}

static const char *device_name(uint32_t device) {
    return device == CT_INPUT_ANY_PAD ? "pad" : ct_input_device_name((ct_input_device)device);
}

uint32_t ct_input_modifier_of_key(uint32_t key) {
    enum { LEFT_CTRL = 224, RIGHT_WIN = 231 };
    const uint32_t usage = ct_input_usage_of_key(key);
    return usage >= LEFT_CTRL && usage <= RIGHT_WIN ? 1u << (usage - LEFT_CTRL) % 4 : 0;
}

// --- Reading -------------------------------------------------------------------------------------

// Removes `ctrl+` and the like from the start.
static const char *take_modifiers(const char *text, uint32_t *modifiers) {
    for (uint32_t i = 0; i < CT_COUNT_OF(modifier_names); ++i) {
        const size_t bytes = strlen(modifier_names[i]);
        if (strncmp(text, modifier_names[i], bytes) == 0 && text[bytes] == '+') {
            *modifiers |= 1u << i;
            return take_modifiers(text + bytes + 1, modifiers);
        }
    }
    return text;
}

static bool unknown_device(const char *name, ct_error *error) {
    const char *names[CT_INPUT_NUM_DEVICES + 1];
    for (uint32_t d = 0; d <= CT_INPUT_NUM_DEVICES; ++d)
        names[d] = device_name(d);
    const char *const nearest = ct_nearest_name(name, names, CT_COUNT_OF(names));
    if (nearest)
        return ct_error_set(error, "unknown device \"%.64s\"; did you mean \"%s\"?", name, nearest);
    char all[16 * CT_COUNT_OF(names)];
    uint32_t length = 0;
    for (uint32_t d = 0; d < CT_COUNT_OF(names); ++d)
        length += (uint32_t)snprintf(all + length, sizeof(all) - length, "%s%s",
                                     d == 0                        ? ""
                                     : d + 1 == CT_COUNT_OF(names) ? " or "
                                                                   : ", ",
                                     names[d]);
    return ct_error_set(error, "unknown device \"%.64s\"; expected %s", name, all);
}

static bool unknown_control(uint32_t device, const char *name, ct_error *error) {
    const ct_input_device model = model_of(device);
    const char *names[CT_INPUT_MAX_BUTTONS + CT_INPUT_MAX_AXES];
    uint32_t count = 0;
    for (uint32_t i = 0; i < ct_input_num_buttons(model); ++i)
        names[count++] = ct_input_button_name(model, i);
    for (uint32_t i = 0; i < ct_input_num_axes(model); ++i)
        names[count++] = ct_input_axis_name(model, i);
    const char *const nearest = ct_nearest_name(name, names, count);
    return ct_error_set(error, "%s has no button or axis \"%.64s\"%s%s%s", device_name(device),
                        name, nearest ? "; did you mean \"" : "", nearest ? nearest : "",
                        nearest ? "\"?" : "");
}

// `axis.part`.
static bool parse_part(uint32_t device, const char *name, ct_input_control *control,
                       ct_error *error) {
    const char *const dot = strrchr(name, '.');
    char axis_name[32];
    if (!dot || dot == name || (size_t)(dot - name) >= sizeof(axis_name))
        return unknown_control(device, name, error);
    snprintf(axis_name, sizeof(axis_name), "%.*s", (int)(dot - name), name);
    const int32_t axis = ct_input_axis_id(model_of(device), axis_name);
    if (axis < 0)
        return unknown_control(device, name, error);
    for (uint32_t part = CT_INPUT_PART_X; part < CT_NUM_INPUT_PARTS; ++part) {
        if (strcmp(part_names[part], dot + 1) == 0) {
            *control = (ct_input_control){(uint8_t)device, (uint8_t)part, (uint16_t)axis};
            return true;
        }
    }
    return ct_error_set(error, "%s.%s has no \"%.64s\"; expected x, y, left, right, down or up",
                        device_name(device), axis_name, dot + 1);
}

static bool parse_name(uint32_t device, const char *name, ct_input_control *control,
                       ct_error *error) {
    const int32_t button = ct_input_button_id(model_of(device), name);
    const int32_t axis = ct_input_axis_id(model_of(device), name);
    if (button < 0 && axis < 0)
        return parse_part(device, name, control, error);
    *control =
        (ct_input_control){(uint8_t)device, button >= 0 ? CT_INPUT_PART_BUTTON : CT_INPUT_PART_AXIS,
                           (uint16_t)(button >= 0 ? button : axis)};
    return true;
}

bool ct_input_control_parse(const char *text, ct_input_control *control, uint32_t *modifiers,
                            ct_error *error) {
    uint32_t found = 0;
    const char *const name = take_modifiers(text, &found);
    const size_t bytes = strcspn(name, ".");
    char device[16];
    snprintf(device, sizeof(device), "%.*s", (int)(bytes < 15 ? bytes : 15), name);
    if (name[bytes] != '.')
        return ct_error_set(
            error,
            "found \"%.64s\"; expected a device, a dot and a name, for example \"keyboard.space\"",
            text);
    for (uint32_t d = 0; d <= CT_INPUT_NUM_DEVICES; ++d) {
        if (strcmp(device_name(d), device) != 0)
            continue;
        if (!parse_name(d, name + bytes + 1, control, error))
            return false;
        *modifiers = found;
        return true;
    }
    return unknown_device(device, error);
}

// --- Writing and checking ------------------------------------------------------------------------

void ct_input_control_format(ct_input_control control, uint32_t modifiers,
                             char text[CT_INPUT_CONTROL_TEXT_BYTES]) {
    const ct_input_device model = model_of(control.device);
    char *at = text;
    if (control.part == CT_INPUT_PART_NONE) {
        snprintf(text, CT_INPUT_CONTROL_TEXT_BYTES, "none");
        return;
    }
    for (uint32_t i = 0; i < CT_COUNT_OF(modifier_names); ++i) {
        if (modifiers & 1u << i)
            at += snprintf(at, 16, "%s+", modifier_names[i]);
    }
    const size_t left = (size_t)(text + CT_INPUT_CONTROL_TEXT_BYTES - at);
    if (control.part == CT_INPUT_PART_BUTTON)
        snprintf(at, left, "%s.%s", device_name(control.device),
                 ct_input_button_name(model, control.number));
    else
        snprintf(at, left, "%s.%s%s%s", device_name(control.device),
                 ct_input_axis_name(model, control.number),
                 control.part == CT_INPUT_PART_AXIS ? "" : ".",
                 control.part == CT_INPUT_PART_AXIS ? "" : part_names[control.part]);
}

bool ct_input_control_is_valid(ct_input_control control) {
    if (control.part == CT_INPUT_PART_NONE)
        return control.device == 0 && control.number == 0;
    if (control.device > CT_INPUT_ANY_PAD || control.part >= CT_NUM_INPUT_PARTS)
        return false;
    const ct_input_device model = model_of(control.device);
    return control.number < (control.part == CT_INPUT_PART_BUTTON ? ct_input_num_buttons(model)
                                                                  : ct_input_num_axes(model));
}
