// Checks of bindings in blobs (input_binding.h); libc only.
#include <math.h>

#include "foundation/error.h"
#include "resource/types/input_binding.h"

static const float MOST_SCALE = 1000.0f, MOST_DEAD_ZONE = 0.95f;
static const float LEAST_RESPONSE = 0.1f, MOST_RESPONSE = 10.0f;

static const ct_blob_layout control_layout =
    CT_BLOB_STRUCT(ct_input_control, CT_BLOB_NUMBERS(1, ct_input_control, device, part),
                   CT_BLOB_NUMBERS(2, ct_input_control, number, number));

const ct_blob_layout ct_input_binding_layout =
    CT_BLOB_STRUCT(ct_input_binding, CT_BLOB_NUMBERS(4, ct_input_binding, kind, modifiers),
                   CT_BLOB_STRUCTS(ct_input_binding, controls, control_layout),
                   CT_BLOB_NUMBERS(4, ct_input_binding, flags, response));

bool ct_input_binding_fits(const ct_input_binding *b, ct_input_action_kind kind, ct_error *error) {
    static const char *const expected[CT_NUM_INPUT_ACTION_KINDS] = {
        "a button needs a button or half of an axis, for example \"keyboard.space\" or "
        "\"pad.left.up\"",
        "an axis needs a button, one component, for example \"pad.left.x\", or negative and "
        "positive",
        "a vector needs an axis, for example \"pad.left\", or left, right, down and up",
    };
    const uint32_t part = b->controls[0].part;
    bool fits = b->kind == CT_INPUT_BINDING_KIND_NONE;
    if (b->kind == CT_INPUT_BINDING_KIND_CONTROL)
        fits = kind == CT_INPUT_ACTION_KIND_VECTOR ? part == CT_INPUT_PART_AXIS
               : kind == CT_INPUT_ACTION_KIND_AXIS ? part != CT_INPUT_PART_AXIS
                                                   : ct_input_part_is_pressed(part);
    else if (b->kind == CT_INPUT_BINDING_KIND_PAIR)
        fits = kind == CT_INPUT_ACTION_KIND_AXIS;
    else if (b->kind == CT_INPUT_BINDING_KIND_FOUR)
        fits = kind == CT_INPUT_ACTION_KIND_VECTOR;
    char found[CT_INPUT_CONTROL_TEXT_BYTES];
    ct_input_control_format(b->controls[0], b->modifiers, found);
    return fits || ct_error_set(error, "\"%s\" does not fit: %s", found, expected[kind]);
}

static uint32_t num_controls(uint32_t kind) {
    return kind == CT_INPUT_BINDING_KIND_FOUR   ? 4
           : kind == CT_INPUT_BINDING_KIND_PAIR ? 2
                                                : kind == CT_INPUT_BINDING_KIND_CONTROL;
}

bool ct_input_binding_check(const ct_input_binding *b, ct_error *error) {
    if (b->kind >= CT_NUM_INPUT_BINDING_KINDS)
        return ct_error_set(error, "unknown kind %u", b->kind);
    if (b->modifiers > CT_INPUT_ALL_MODIFIERS ||
        (b->modifiers != 0 && b->kind != CT_INPUT_BINDING_KIND_CONTROL))
        return ct_error_set(error, "unknown modifiers %u", b->modifiers);
    if (b->flags > CT_INPUT_ALL_BINDING_FLAGS)
        return ct_error_set(error, "unknown flags %u", b->flags);
    if (!(fabsf(b->scale) <= MOST_SCALE) || !(b->response >= LEAST_RESPONSE) ||
        !(b->response <= MOST_RESPONSE) ||
        !(b->dead_zone == -1.0f || (b->dead_zone >= 0.0f && b->dead_zone <= MOST_DEAD_ZONE)))
        return ct_error_set(
            error, "found scale %g, dead zone %g, response %g; one of them is out of range",
            (double)b->scale, (double)b->dead_zone, (double)b->response);
    for (uint32_t i = 0; i < 4; ++i) {
        const ct_input_control c = b->controls[i];
        const bool is_single = b->kind == CT_INPUT_BINDING_KIND_CONTROL;
        const bool is_right = c.part == CT_INPUT_PART_NONE ? !is_single || i != 0
                              : i >= num_controls(b->kind)
                                  ? false
                                  : is_single || ct_input_part_is_pressed(c.part);
        if (!ct_input_control_is_valid(c) || !is_right)
            return ct_error_set(
                error, "controls[%u]: device %u, part %u, number %u are not a valid control here",
                i, c.device, c.part, c.number);
    }
    return true;
}
