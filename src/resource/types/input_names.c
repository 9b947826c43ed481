#include "resource/types/input_names.h"

#include <string.h>

// A key: its name on a US keyboard and its usage on the keyboard page of the USB HID usage tables.
typedef struct key_name {
    const char *name;
    uint32_t usage;
} key_name;

static const key_name keys[] = {
    {"a", 4},
    {"b", 5},
    {"c", 6},
    {"d", 7},
    {"e", 8},
    {"f", 9},
    {"g", 10},
    {"h", 11},
    {"i", 12},
    {"j", 13},
    {"k", 14},
    {"l", 15},
    {"m", 16},
    {"n", 17},
    {"o", 18},
    {"p", 19},
    {"q", 20},
    {"r", 21},
    {"s", 22},
    {"t", 23},
    {"u", 24},
    {"v", 25},
    {"w", 26},
    {"x", 27},
    {"y", 28},
    {"z", 29},
    {"1", 30},
    {"2", 31},
    {"3", 32},
    {"4", 33},
    {"5", 34},
    {"6", 35},
    {"7", 36},
    {"8", 37},
    {"9", 38},
    {"0", 39},
    {"enter", 40},
    {"esc", 41},
    {"backspace", 42},
    {"tab", 43},
    {"space", 44},
    {"-", 45},
    {"=", 46},
    {"[", 47},
    {"]", 48},
    {"\\", 49},
    {";", 51},
    {"'", 52},
    {"`", 53},
    {",", 54},
    {".", 55},
    {"/", 56},
    {"caps lock", 57},
    {"f1", 58},
    {"f2", 59},
    {"f3", 60},
    {"f4", 61},
    {"f5", 62},
    {"f6", 63},
    {"f7", 64},
    {"f8", 65},
    {"f9", 66},
    {"f10", 67},
    {"f11", 68},
    {"f12", 69},
    {"print screen", 70},
    {"scroll lock", 71},
    {"pause", 72},
    {"insert", 73},
    {"home", 74},
    {"page up", 75},
    {"delete", 76},
    {"end", 77},
    {"page down", 78},
    {"right", 79},
    {"left", 80},
    {"down", 81},
    {"up", 82},
    {"num lock", 83},
    {"numpad /", 84},
    {"numpad *", 85},
    {"numpad -", 86},
    {"numpad +", 87},
    {"numpad enter", 88},
    {"numpad 1", 89},
    {"numpad 2", 90},
    {"numpad 3", 91},
    {"numpad 4", 92},
    {"numpad 5", 93},
    {"numpad 6", 94},
    {"numpad 7", 95},
    {"numpad 8", 96},
    {"numpad 9", 97},
    {"numpad 0", 98},
    {"numpad .", 99},
    {"oem_102", 100},
    {"menu", 101},
    {"numpad =", 103},
    {"f13", 104},
    {"f14", 105},
    {"f15", 106},
    {"f16", 107},
    {"f17", 108},
    {"f18", 109},
    {"f19", 110},
    {"f20", 111},
    {"f21", 112},
    {"f22", 113},
    {"f23", 114},
    {"f24", 115},
    {"left ctrl", 224},
    {"left shift", 225},
    {"left alt", 226},
    {"left win", 227},
    {"right ctrl", 228},
    {"right shift", 229},
    {"right alt", 230},
    {"right win", 231},
};

static const char *const mouse_buttons[] = {"left", "right", "middle", "extra_1", "extra_2"};
static const char *const mouse_axes[] = {"cursor", "mouse", "wheel"};

static const char *const pad_buttons[] = {
    "d_up",       "d_down",      "d_left",        "d_right",        "start",    "back",
    "left_thumb", "right_thumb", "left_shoulder", "right_shoulder", "a",        "b",
    "x",          "y",           "left_trigger",  "right_trigger",  "guide",    "misc",
    "paddle_1",   "paddle_2",    "paddle_3",      "paddle_4",       "touchpad",
};
static const char *const pad_axes[] = {"left", "right", "left_trigger", "right_trigger"};

// A panel is touched or not; the individual contacts are reported separately.
static const char *const touch_buttons[] = {"touch"};
static const char *const touch_axes[] = {"location", "delta"};

static const char *const devices[CT_INPUT_NUM_DEVICES] = {
    "keyboard", "mouse", "pad1", "pad2", "pad3", "pad4", "touch",
};

const char *ct_input_device_name(ct_input_device device) {
    return device < CT_INPUT_NUM_DEVICES ? devices[device] : NULL;
}

uint32_t ct_input_num_buttons(ct_input_device device) {
    switch (device) {
    case CT_INPUT_DEVICE_KEYBOARD:
        return CT_COUNT_OF(keys);
    case CT_INPUT_DEVICE_MOUSE:
        return CT_COUNT_OF(mouse_buttons);
    case CT_INPUT_DEVICE_TOUCH:
        return CT_COUNT_OF(touch_buttons);
    default:
        return ct_input_is_pad(device) ? CT_COUNT_OF(pad_buttons) : 0;
    }
}

uint32_t ct_input_num_axes(ct_input_device device) {
    switch (device) {
    case CT_INPUT_DEVICE_MOUSE:
        return CT_COUNT_OF(mouse_axes);
    case CT_INPUT_DEVICE_TOUCH:
        return CT_COUNT_OF(touch_axes);
    default:
        return ct_input_is_pad(device) ? CT_COUNT_OF(pad_axes) : 0;
    }
}

const char *ct_input_button_name(ct_input_device device, uint32_t button) {
    if (button >= ct_input_num_buttons(device))
        return NULL;
    switch (device) {
    case CT_INPUT_DEVICE_KEYBOARD:
        return keys[button].name;
    case CT_INPUT_DEVICE_MOUSE:
        return mouse_buttons[button];
    case CT_INPUT_DEVICE_TOUCH:
        return touch_buttons[button];
    default:
        return pad_buttons[button];
    }
}

const char *ct_input_axis_name(ct_input_device device, uint32_t axis) {
    if (axis >= ct_input_num_axes(device))
        return NULL;
    switch (device) {
    case CT_INPUT_DEVICE_MOUSE:
        return mouse_axes[axis];
    case CT_INPUT_DEVICE_TOUCH:
        return touch_axes[axis];
    default:
        return pad_axes[axis];
    }
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

bool ct_input_axis_is_movement(ct_input_device device, uint32_t axis) {
    return (device == CT_INPUT_DEVICE_MOUSE &&
            (axis == CT_MOUSE_AXIS_MOUSE || axis == CT_MOUSE_AXIS_WHEEL)) ||
           (device == CT_INPUT_DEVICE_TOUCH && axis == CT_TOUCH_AXIS_DELTA);
}

bool ct_input_axis_is_y_down(ct_input_device device, uint32_t axis) {
    return device == CT_INPUT_DEVICE_TOUCH ||
           (device == CT_INPUT_DEVICE_MOUSE && axis != CT_MOUSE_AXIS_WHEEL);
}

int32_t ct_input_key_of_usage(uint32_t usage) {
    for (uint32_t i = 0; i < CT_COUNT_OF(keys); ++i) {
        if (keys[i].usage == usage)
            return (int32_t)i;
    }
    return -1;
}

uint32_t ct_input_usage_of_key(uint32_t key) {
    return key < CT_COUNT_OF(keys) ? keys[key].usage : 0;
}

bool ct_input_key_is_text(uint32_t key) {
    enum { A = 4, ZERO = 39, SPACE = 44, SLASH = 56, OF_102_KEYS = 100 };
    const uint32_t usage = ct_input_usage_of_key(key);
    return (usage >= A && usage <= ZERO) || (usage >= SPACE && usage <= SLASH) ||
           usage == OF_102_KEYS;
}

bool ct_input_key_is_command(uint32_t key) {
    enum { ENTER = 40, TAB = 43, F1 = 58, UP = 82, NUMPAD_ENTER = 88, F13 = 104, F24 = 115 };
    const uint32_t usage = ct_input_usage_of_key(key);
    return (usage >= ENTER && usage <= TAB) || (usage >= F1 && usage <= UP) ||
           usage == NUMPAD_ENTER || (usage >= F13 && usage <= F24);
}
