// input_control.h: what of a device a binding listens to, and how that is written.
//
// `keyboard.space` is a button, `pad.left` an axis, `pad.left.y` one of its components, and
// `pad.left.up` the half of it that points up, from 0 to 1: something to press. `pad` is any pad,
// `pad1` to `pad4` is one. Modifiers stand before: `ctrl+shift+keyboard.s`; either key counts. All
// is constant: any thread.
#pragma once
#include "resource/types/input_names.h"

enum { CT_INPUT_ANY_PAD = CT_INPUT_NUM_DEVICES, CT_INPUT_CONTROL_TEXT_BYTES = 96 };

typedef enum ct_input_part {
    CT_INPUT_PART_NONE,   // no control
    CT_INPUT_PART_BUTTON, //
    CT_INPUT_PART_AXIS,   // all components
    CT_INPUT_PART_X,      // one component
    CT_INPUT_PART_Y,
    CT_INPUT_PART_LEFT, // half of a component, as it looks: up is up, whichever way y points
    CT_INPUT_PART_RIGHT,
    CT_INPUT_PART_DOWN,
    CT_INPUT_PART_UP,
    CT_NUM_INPUT_PARTS,
} ct_input_part;

// {0} is none.
typedef struct ct_input_control {
    uint8_t device;  // ct_input_device, or CT_INPUT_ANY_PAD
    uint8_t part;    // ct_input_part
    uint16_t number; // of the button or axis
} ct_input_control;

// Keys that are held beside a control, as bits.
typedef enum ct_input_modifier {
    CT_INPUT_MODIFIER_CTRL = 1,
    CT_INPUT_MODIFIER_SHIFT = 2,
    CT_INPUT_MODIFIER_ALT = 4,
    CT_INPUT_MODIFIER_WIN = 8,
    CT_INPUT_ALL_MODIFIERS = 15,
} ct_input_modifier;

// Reads `text`; `modifiers` (bits of ct_input_modifier) is set. False with `error`, which names
// what is nearest, when there is no such control; the rest is unchanged then.
bool ct_input_control_parse(const char *text, ct_input_control *control, uint32_t *modifiers,
                            ct_error *error);

// Writes a control as ct_input_control_parse reads it; "none" for none.
void ct_input_control_format(ct_input_control control, uint32_t modifiers,
                             char text[CT_INPUT_CONTROL_TEXT_BYTES]);

// True for none, and for what parse can give.
bool ct_input_control_is_valid(ct_input_control control);

// True for parts that are pressed: buttons and halves.
static inline bool ct_input_part_is_pressed(uint32_t part) {
    return part == CT_INPUT_PART_BUTTON || part >= CT_INPUT_PART_LEFT;
}

// The modifier that a key is, or 0.
uint32_t ct_input_modifier_of_key(uint32_t key);
