#include <math.h>

#include "input/actions_private.h"

static const float CAPTURED_FROM = 0.7f; // of half an axis

void ct_actions_start_capture(ct_actions *a) {
    a->is_capturing = true;
    a->has_captured = false;
    a->lone_modifier = 0;
}

void ct_actions_stop_capture(ct_actions *a) {
    a->is_capturing = false;
}

bool ct_actions_is_capturing(const ct_actions *a) {
    return a->is_capturing;
}

bool ct_actions_captured(const ct_actions *a, ct_input_binding *binding) {
    if (a->has_captured)
        *binding = a->captured;
    return a->has_captured;
}

static void capture(ct_actions *a, ct_input_device device, ct_input_part part, uint32_t number,
                    uint32_t modifiers) {
    // What one pad does, players want of every pad.
    const uint8_t named = (uint8_t)(ct_input_is_pad(device) ? CT_INPUT_ANY_PAD : (uint32_t)device);
    a->captured = (ct_input_binding){
        .kind = CT_INPUT_BINDING_KIND_CONTROL,
        .modifiers = modifiers,
        .controls = {{named, (uint8_t)part, (uint16_t)number}},
        .scale = 1,
        .dead_zone = -1,
        .response = 1,
    };
    a->has_captured = true;
    a->is_capturing = false;
}

// A modifier waits for another key, or for being let go.
static void capture_button(ct_actions *a, const ct_input_event *event) {
    const bool is_key = event->device == CT_INPUT_DEVICE_KEYBOARD;
    const uint32_t modifier = is_key ? ct_input_modifier_of_key(event->number) : 0;
    const bool is_down = event->kind == CT_INPUT_EVENT_KIND_PRESSED;
    if (modifier != 0 && is_down)
        a->lone_modifier = event->number + 1;
    else if (is_down)
        capture(a, event->device, CT_INPUT_PART_BUTTON, event->number, a->seen_modifiers);
    else if (modifier != 0 && a->lone_modifier == event->number + 1)
        capture(a, event->device, CT_INPUT_PART_BUTTON, event->number, 0);
}

// The half of a stick, or of the wheel, that is pushed farthest.
static void capture_axis(ct_actions *a, const ct_input_event *event) {
    const bool is_wheel =
        event->device == CT_INPUT_DEVICE_MOUSE && event->number == CT_MOUSE_AXIS_WHEEL;
    const bool is_stick = ct_input_is_pad(event->device) &&
                          (event->number == CT_PAD_AXIS_LEFT || event->number == CT_PAD_AXIS_RIGHT);
    const float x = event->value.x, y = event->value.y;
    const bool is_flat = fabsf(x) > fabsf(y);
    if ((!is_wheel && !is_stick) || fmaxf(fabsf(x), fabsf(y)) < CAPTURED_FROM)
        return;
    const ct_input_part part = is_flat ? (x > 0 ? CT_INPUT_PART_RIGHT : CT_INPUT_PART_LEFT)
                                       : (y > 0 ? CT_INPUT_PART_UP : CT_INPUT_PART_DOWN);
    capture(a, event->device, part, event->number, 0);
}

void ct_actions_capture(ct_actions *a) {
    const ct_input_events *const events = ct_input_event_list(a->input);
    for (uint32_t i = 0; i < events->count && a->is_capturing; ++i) {
        const ct_input_event *const event = &events->items[i];
        if (event->kind == CT_INPUT_EVENT_KIND_PRESSED ||
            event->kind == CT_INPUT_EVENT_KIND_RELEASED)
            capture_button(a, event);
        else if (event->kind == CT_INPUT_EVENT_KIND_AXIS)
            capture_axis(a, event);
    }
}
