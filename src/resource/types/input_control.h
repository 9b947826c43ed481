// input_control.h: the control that a binding listens to, and its text form.
//
// `keyboard.space` is a button, `pad.left` an axis, `pad.left.y` one of its components, and
// `pad.left.up` the half of that which points up, from 0 to 1, so it can be pressed. `pad` is any
// pad, `pad1` to `pad4` is one. Modifiers come first: `ctrl+shift+keyboard.s`; the left or the
// right key counts. All data is constant: any thread.
#pragma once
#include "resource/types/input_names.h"

enum { CT_INPUT_ANY_PAD = CT_INPUT_NUM_DEVICES, CT_INPUT_CONTROL_TEXT_BYTES = 96 };

typedef enum ct_input_part {
    CT_INPUT_PART_NONE,   // no control
    CT_INPUT_PART_BUTTON, //
    CT_INPUT_PART_AXIS,   // all components
    CT_INPUT_PART_X,      // one component
    CT_INPUT_PART_Y,
    CT_INPUT_PART_LEFT, // half of a component, as seen: up is up, whichever way y points
    CT_INPUT_PART_RIGHT,
    CT_INPUT_PART_DOWN,
    CT_INPUT_PART_UP,
    CT_NUM_INPUT_PARTS,
} ct_input_part;

// A button, axis or part of an axis of a device. {0} is no control.
typedef struct ct_input_control {
    uint8_t device;  // ct_input_device, or CT_INPUT_ANY_PAD
    uint8_t part;    // ct_input_part
    uint16_t number; // of the button or axis
} ct_input_control;

// Keys that are held with a control, as bits.
typedef enum ct_input_modifier {
    CT_INPUT_MODIFIER_CTRL = 1,
    CT_INPUT_MODIFIER_SHIFT = 2,
    CT_INPUT_MODIFIER_ALT = 4,
    CT_INPUT_MODIFIER_WIN = 8,
    CT_INPUT_ALL_MODIFIERS = 15,
} ct_input_modifier;

// Parses `text` and sets `modifiers` (bits of ct_input_modifier). Returns false with `error`, which
// names the nearest control, when it is unknown; the outputs are then unchanged.
bool ct_input_control_parse(const char *text, ct_input_control *control, uint32_t *modifiers,
                            ct_error *error);

// Writes a control in the form that ct_input_control_parse reads; "none" for no control.
void ct_input_control_format(ct_input_control control, uint32_t modifiers,
                             char text[CT_INPUT_CONTROL_TEXT_BYTES]);

// Returns whether a control is {0} or one that ct_input_control_parse can return.
bool ct_input_control_is_valid(ct_input_control control);

// Returns whether a part can be pressed: buttons and halves.
static inline bool ct_input_part_is_pressed(uint32_t part) {
    return part == CT_INPUT_PART_BUTTON || part >= CT_INPUT_PART_LEFT;
}

// Returns the modifier of a key, or 0.
uint32_t ct_input_modifier_of_key(uint32_t key);
