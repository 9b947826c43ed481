// Updates the actions from the input's state, once per update.
#include <math.h>

#include "foundation/math/math.h"
#include "input/actions_private.h"

static const float DOWN_FROM = 0.5f, UP_BELOW = 0.4f; // of half an axis

// What a control is and did since the last update.
typedef struct sample {
    float value; // as pressed: 0 to 1; movement may be more
    bool is_down, was_pressed, was_released;
} sample;

// --- Controls ------------------------------------------------------------------------------------

// The devices that a control means: `first` to before `last`.
static void devices_of(ct_input_control control, uint32_t *first, uint32_t *last) {
    const bool is_any = control.device == CT_INPUT_ANY_PAD;
    *first = is_any ? CT_INPUT_DEVICE_PAD_1 : control.device;
    *last = is_any ? CT_INPUT_DEVICE_PAD_4 + 1 : control.device + 1u;
}

static ct_dead_zone zone_of(const ct_actions *a, ct_input_device device, uint32_t axis,
                            float dead_zone) {
    ct_dead_zone zone = ct_input_dead_zone(a->input, device, axis);
    if (dead_zone >= 0.0f) {
        zone.size = dead_zone;
        if (zone.mode == CT_DEAD_ZONE_MODE_RAW)
            zone.mode = CT_DEAD_ZONE_MODE_CIRCULAR;
    }
    return zone;
}

// The axis of a control: of several pads the one that is pushed farthest. What looks like up is
// positive.
static ct_vec3 axis_of(const ct_actions *a, ct_input_control control, float dead_zone) {
    ct_vec3 best = ct_vec3_make(0, 0, 0);
    uint32_t first, last;
    devices_of(control, &first, &last);
    for (uint32_t d = first; d < last; ++d) {
        const ct_input_device device = (ct_input_device)d;
        // Movement is counted in pixels and notches, for which no dead zone has a meaning.
        ct_vec3 v = ct_input_axis_is_movement(device, control.number) || !ct_input_is_pad(device)
                        ? ct_input_axis(a->input, device, control.number)
                        : ct_input_axis_with(a->input, device, control.number,
                                             zone_of(a, device, control.number, dead_zone));
        if (ct_input_axis_is_y_down(device, control.number))
            v.y = -v.y;
        if (v.x * v.x + v.y * v.y > best.x * best.x + best.y * best.y)
            best = v;
    }
    return best;
}

static float half_of(ct_vec3 axis, uint32_t part) {
    switch (part) {
    case CT_INPUT_PART_LEFT:
        return fmaxf(-axis.x, 0.0f);
    case CT_INPUT_PART_RIGHT:
        return fmaxf(axis.x, 0.0f);
    case CT_INPUT_PART_DOWN:
        return fmaxf(-axis.y, 0.0f);
    default:
        return fmaxf(axis.y, 0.0f);
    }
}

static sample sample_button(const ct_actions *a, ct_input_control control) {
    sample s = {0};
    uint32_t first, last;
    devices_of(control, &first, &last);
    for (uint32_t d = first; d < last; ++d) {
        const ct_input_device device = (ct_input_device)d;
        s.value = fmaxf(s.value, ct_input_value(a->input, device, control.number));
        s.is_down |= ct_input_is_down(a->input, device, control.number);
        s.was_pressed |= ct_input_pressed(a->input, device, control.number);
        s.was_released |= ct_input_released(a->input, device, control.number);
    }
    return s;
}

static sample sample_half(const ct_actions *a, ct_input_control control, float dead_zone,
                          bool was_down) {
    const float value = half_of(axis_of(a, control, dead_zone), control.part);
    const bool is_down = value >= (was_down ? UP_BELOW : DOWN_FROM);
    return (sample){value, is_down, is_down && !was_down, !is_down && was_down};
}

// Modifiers that are down, and those that were at some time of this frame: ctrl+s may come and go
// within a long one.
static void find_modifiers(ct_actions *a) {
    a->held_modifiers = a->seen_modifiers = 0;
    for (uint32_t key = 0; key < ct_input_num_buttons(CT_INPUT_DEVICE_KEYBOARD); ++key) {
        const uint32_t modifier = ct_input_modifier_of_key(key);
        if (modifier == 0)
            continue;
        const bool is_down = ct_input_is_down(a->input, CT_INPUT_DEVICE_KEYBOARD, key);
        a->held_modifiers |= is_down ? modifier : 0;
        if (is_down || ct_input_released(a->input, CT_INPUT_DEVICE_KEYBOARD, key))
            a->seen_modifiers |= modifier;
    }
}

// --- Who gets a button ---------------------------------------------------------------------------

static uint32_t count_bits(uint32_t bits) {
    return (uint32_t)__builtin_popcount(bits);
}

static bool is_same_button(ct_input_control a, ct_input_control b) {
    return a.part == b.part && a.number == b.number && a.device == b.device;
}

// True when an active action wants this control with more modifiers, all of which were held
// in this frame.
static bool is_beaten(const ct_actions *a, ct_input_control control, uint32_t modifiers) {
    for (uint32_t i = 0; i < a->actions.count; ++i) {
        const ct_action *const action = &a->actions.items[i];
        for (uint32_t slot = 0; a->active_sets[action->set] && slot < action->num_slots; ++slot) {
            const ct_input_binding *const b = &action->bindings[slot];
            if (b->kind == CT_INPUT_BINDING_KIND_CONTROL &&
                is_same_button(b->controls[0], control) &&
                (b->modifiers & ~a->seen_modifiers) == 0 &&
                count_bits(b->modifiers) > count_bits(modifiers))
                return true;
        }
    }
    return false;
}

// What the parts of an action did together.
typedef struct changes {
    bool is_held, has_started, has_ended, has_gone_on;
} changes;

// Moves the state of a pressed control on; returns how far it moves its action.
static float follow_press(const ct_actions *a, const ct_action *action, const ct_input_binding *b,
                          uint32_t place, ct_control_state *state, changes *changed) {
    const ct_input_control control = b->controls[place];
    const sample s = control.part == CT_INPUT_PART_BUTTON
                         ? sample_button(a, control)
                         : sample_half(a, control, b->dead_zone, state->is_down);
    const bool has_modifiers = (b->modifiers & ~a->held_modifiers) == 0;
    const bool is_on = a->active_sets[action->set] && !a->is_capturing;
    const bool was_engaged = state->is_engaged;
    const bool starts = s.was_pressed && is_on && (b->modifiers & ~a->seen_modifiers) == 0 &&
                        !is_beaten(a, control, b->modifiers);
    const bool goes_on = was_engaged && s.is_down && !s.was_released && is_on && has_modifiers;
    state->is_down = s.is_down;
    state->is_engaged = goes_on || (starts && s.is_down);
    changed->is_held |= state->is_engaged;
    changed->has_started |= starts;
    changed->has_ended |= (was_engaged && !goes_on) || (starts && !s.is_down);
    changed->has_gone_on |= goes_on;
    if (state->is_engaged)
        return s.value;
    // What is moved little is not pressed, but moves an axis.
    if (control.part != CT_INPUT_PART_BUTTON && is_on && has_modifiers && !s.is_down)
        return s.value;
    return starts ? 1.0f : 0.0f;
}

// --- Bindings ------------------------------------------------------------------------------------

// The exponent keeps direction and sign.
static ct_vec3 respond(ct_vec3 v, float response) {
    const float length = sqrtf(v.x * v.x + v.y * v.y);
    if (response == 1.0f || length == 0.0f)
        return v;
    const float scale = powf(length, response) / length;
    return ct_vec3_make(v.x * scale, v.y * scale, 0);
}

// Directions that are pressed together are no faster than one.
static ct_vec3 direction(float left, float right, float down, float up) {
    const float x = right - left, y = up - down, length = sqrtf(x * x + y * y);
    const float scale = length > 1.0f ? 1.0f / length : 1.0f;
    return ct_vec3_make(x * scale, y * scale, 0);
}

static ct_vec3 value_of_axis(const ct_actions *a, const ct_action *action,
                             const ct_input_binding *b) {
    const bool has_modifiers = (b->modifiers & ~a->held_modifiers) == 0;
    if (!a->active_sets[action->set] || a->is_capturing || !has_modifiers)
        return ct_vec3_make(0, 0, 0);
    const ct_vec3 v = axis_of(a, b->controls[0], b->dead_zone);
    switch (b->controls[0].part) {
    case CT_INPUT_PART_X:
        return ct_vec3_make(v.x, 0, 0);
    case CT_INPUT_PART_Y:
        return ct_vec3_make(v.y, 0, 0);
    default:
        return ct_vec3_make(v.x, v.y, 0);
    }
}

static ct_vec3 value_of(const ct_actions *a, const ct_action *action, const ct_input_binding *b,
                        ct_control_state states[4], changes *changed) {
    float pressed[4] = {0};
    if (b->kind == CT_INPUT_BINDING_KIND_CONTROL && !ct_input_part_is_pressed(b->controls[0].part))
        return value_of_axis(a, action, b);
    for (uint32_t i = 0; i < 4; ++i) {
        if (b->controls[i].part != CT_INPUT_PART_NONE)
            pressed[i] = follow_press(a, action, b, i, &states[i], changed);
    }
    if (b->kind == CT_INPUT_BINDING_KIND_FOUR)
        return direction(pressed[0], pressed[1], pressed[2], pressed[3]);
    if (b->kind == CT_INPUT_BINDING_KIND_PAIR)
        return ct_vec3_make(pressed[1] - pressed[0], 0, 0);
    return ct_vec3_make(pressed[0], 0, 0);
}

static ct_vec3 scaled(const ct_actions *a, const ct_input_binding *b, ct_vec3 v) {
    const float scale = b->scale * (b->flags & CT_INPUT_BINDING_PER_SECOND ? a->seconds : 1.0f);
    v = respond(v, b->response);
    return ct_vec3_make(b->flags & CT_INPUT_BINDING_INVERT_X ? -v.x * scale : v.x * scale,
                        b->flags & CT_INPUT_BINDING_INVERT_Y ? -v.y * scale : v.y * scale, 0);
}

static void update_action(const ct_actions *a, ct_action *action) {
    changes changed = {0};
    ct_vec3 best = ct_vec3_make(0, 0, 0);
    for (uint32_t slot = 0; slot < action->num_slots; ++slot) {
        const ct_input_binding *const b = &action->bindings[slot];
        const ct_vec3 v = scaled(a, b, value_of(a, action, b, action->states[slot], &changed));
        if (v.x * v.x + v.y * v.y > best.x * best.x + best.y * best.y)
            best = v;
    }
    const bool is_button = action->kind == CT_INPUT_ACTION_KIND_BUTTON;
    action->value = best;
    action->is_held = is_button && changed.is_held;
    action->was_pressed = is_button && changed.has_started && !changed.has_gone_on;
    action->was_released = is_button && changed.has_ended && !changed.has_gone_on;
}

void ct_actions_update(ct_actions *a, double seconds) {
    a->seconds = (float)seconds;
    find_modifiers(a);
    a->has_captured = false;
    for (uint32_t i = 0; i < a->actions.count; ++i)
        update_action(a, &a->actions.items[i]);
    if (a->is_capturing)
        ct_actions_capture(a);
}
