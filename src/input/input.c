#include "input/input.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "foundation/math/math.h"

enum { NAME_BYTES = 128 };

static const float DOWN_FROM = 0.5f, UP_BELOW = 0.4f; // of how far a button is pressed
static const float PUSHED_FROM = 0.5f;                // a stick that is in use
static const ct_dead_zone stick_zone = {CT_DEAD_ZONE_MODE_CIRCULAR, 0.24f};
static const ct_dead_zone trigger_zone = {CT_DEAD_ZONE_MODE_INDEPENDENT, 0.12f};

typedef struct device_state {
    bool is_down[CT_INPUT_MAX_BUTTONS];
    bool is_taken[CT_INPUT_MAX_BUTTONS];    // down, but a filter took the press
    bool was_pressed[CT_INPUT_MAX_BUTTONS]; // in this frame
    bool was_released[CT_INPUT_MAX_BUTTONS];
    float values[CT_INPUT_MAX_BUTTONS]; // how far a button is pressed
    ct_vec3 axes[CT_INPUT_MAX_AXES];    // as fed
    ct_dead_zone dead_zones[CT_INPUT_MAX_AXES];
    bool is_connected, was_connected, was_disconnected;
    ct_input_battery battery;
    char product[NAME_BYTES];
} device_state;

struct ct_input {
    ct_allocator *allocator;
    ct_input_platform platform;
    ct_input_filter filter;
    uint64_t time_ns; // of the events in hand
    ct_input_device last_used;
    device_state devices[CT_INPUT_NUM_DEVICES];
    ct_rumble rumbles[CT_INPUT_NUM_PADS];
    bool has_light[CT_INPUT_NUM_PADS];
    ct_vec3 lights[CT_INPUT_NUM_PADS];
    ct_touch_contacts touches;
    ct_input_events events;
    ct_input_events waiting; // of ct_input_add_remote, for the next frame
    bool has_ended_feeding;
};

// --- Life ----------------------------------------------------------------------------------------

static void init_device(device_state *state, ct_input_device device) {
    state->is_connected = !ct_input_is_pad(device);
    snprintf(state->product, sizeof(state->product), "%s", ct_input_device_name(device));
    for (uint32_t axis = 0; ct_input_is_pad(device) && axis < ct_input_num_axes(device); ++axis)
        state->dead_zones[axis] =
            axis == CT_PAD_AXIS_LEFT || axis == CT_PAD_AXIS_RIGHT ? stick_zone : trigger_zone;
}

ct_input *ct_input_create(ct_allocator *a) {
    ct_input *in = CT_NEW(a, ct_input);
    in->allocator = a;
    for (ct_input_device d = 0; d < CT_INPUT_NUM_DEVICES; ++d)
        init_device(&in->devices[d], d);
    return in;
}

void ct_input_destroy(ct_input *in) {
    if (in)
        ct_free_sized(in->allocator, in, sizeof(*in));
}

void ct_input_set_platform(ct_input *in, const ct_input_platform *platform) {
    in->platform = *platform;
}

void ct_input_set_filter(ct_input *in, const ct_input_filter *filter) {
    in->filter = filter ? *filter : (ct_input_filter){0};
}

void ct_input_begin_frame(ct_input *in) {
    for (ct_input_device d = 0; d < CT_INPUT_NUM_DEVICES; ++d) {
        device_state *const state = &in->devices[d];
        memset(state->was_pressed, 0, sizeof(state->was_pressed));
        memset(state->was_released, 0, sizeof(state->was_released));
        state->was_connected = state->was_disconnected = false;
        for (uint32_t axis = 0; axis < ct_input_num_axes(d); ++axis) {
            if (ct_input_axis_is_movement(d, axis))
                state->axes[axis] = ct_vec3_make(0, 0, 0);
        }
    }
    ct_touch_begin_frame(&in->touches);
    ct_input_events_clear(&in->events);
    in->has_ended_feeding = false;
    for (uint32_t i = 0; i < in->waiting.count; ++i)
        ct_input_add_remote(in, &in->waiting.items[i]);
    ct_input_events_clear(&in->waiting);
}

void ct_input_end_feeding(ct_input *in) {
    in->has_ended_feeding = true;
}

// --- Feeding -------------------------------------------------------------------------------------

static void add_event(ct_input *in, ct_input_event_kind kind, ct_input_device device,
                      uint32_t number, ct_vec3 value, const char *text) {
    const ct_input_event event = {.time_ns = in->time_ns,
                                  .kind = kind,
                                  .device = device,
                                  .number = number,
                                  .value = value,
                                  .text = text};
    ct_input_events_add(&in->events, &event);
}

// Offers an event to the filter; true: it is not for the game.
static bool is_for_filter(const ct_input *in, ct_input_event_kind kind, ct_input_device device,
                          uint32_t number, const char *text) {
    const ct_input_event event = {
        .time_ns = in->time_ns, .kind = kind, .device = device, .number = number, .text = text};
    return in->filter.takes && in->filter.takes(in->filter.user, &event);
}

// Offers a button that changed to the filter; true: it stays up for the game.
static bool is_button_for_filter(ct_input *in, ct_input_device device, uint32_t button,
                                 bool is_down) {
    bool *const is_taken = &in->devices[device].is_taken[button];
    if (*is_taken && !is_down) {
        is_for_filter(in, CT_INPUT_EVENT_KIND_RELEASED, device, button, NULL);
        *is_taken = false;
        return true;
    }
    if (!*is_taken && is_down)
        *is_taken = is_for_filter(in, CT_INPUT_EVENT_KIND_PRESSED, device, button, NULL);
    return *is_taken;
}

void ct_input_set_time(ct_input *in, uint64_t time_ns) {
    in->time_ns = time_ns;
}

static void set_down(ct_input *in, ct_input_device device, uint32_t button, bool is_down) {
    device_state *const state = &in->devices[device];
    if (state->is_down[button] == is_down && !state->is_taken[button])
        return;
    if (is_button_for_filter(in, device, button, is_down)) {
        state->values[button] = 0.0f;
        return;
    }
    state->is_down[button] = is_down;
    if (is_down) {
        state->was_pressed[button] = true;
        in->last_used = device;
    } else {
        state->was_released[button] = true;
    }
    add_event(in, is_down ? CT_INPUT_EVENT_KIND_PRESSED : CT_INPUT_EVENT_KIND_RELEASED, device,
              button, ct_vec3_make(state->values[button], 0, 0), NULL);
}

void ct_input_feed_value(ct_input *in, ct_input_device device, uint32_t button, float value) {
    if (button >= ct_input_num_buttons(device) || !isfinite(value))
        return;
    device_state *const state = &in->devices[device];
    state->values[button] = fminf(fmaxf(value, 0.0f), 1.0f);
    set_down(in, device, button,
             state->values[button] >= (state->is_down[button] ? UP_BELOW : DOWN_FROM));
}

void ct_input_feed_button(ct_input *in, ct_input_device device, uint32_t button, bool is_down) {
    ct_input_feed_value(in, device, button, is_down ? 1.0f : 0.0f);
}

static bool is_equal(ct_vec3 a, ct_vec3 b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

void ct_input_feed_axis(ct_input *in, ct_input_device device, uint32_t axis, ct_vec3 value,
                        bool is_relative) {
    if (axis >= ct_input_num_axes(device) || !ct_vec3_is_finite(value))
        return;
    ct_vec3 *const state = &in->devices[device].axes[axis];
    if (!is_relative && is_equal(*state, value))
        return;
    const ct_vec3 sum = is_relative ? ct_vec3_add(*state, value) : value;
    if (!ct_vec3_is_finite(sum))
        return;
    *state = sum;
    if (ct_input_is_pad(device) && fmaxf(fabsf(value.x), fabsf(value.y)) >= PUSHED_FROM)
        in->last_used = device;
    add_event(in, CT_INPUT_EVENT_KIND_AXIS, device, axis, value, NULL);
}

static bool is_key_down(const ct_input *in, const char *name) {
    const int32_t key = ct_input_button_id(CT_INPUT_DEVICE_KEYBOARD, name);
    return key >= 0 && in->devices[CT_INPUT_DEVICE_KEYBOARD].is_down[key];
}

// Returns whether what is typed now is no text: ctrl+c and the like.
static bool is_shortcut(const ct_input *in) {
    return !is_key_down(in, "right alt") &&
           (is_key_down(in, "left ctrl") || is_key_down(in, "right ctrl") ||
            is_key_down(in, "left win") || is_key_down(in, "right win"));
}

void ct_input_feed_keystroke(ct_input *in, uint32_t key) {
    if ((ct_input_key_is_command(key) || (ct_input_key_is_text(key) && is_shortcut(in))) &&
        !is_for_filter(in, CT_INPUT_EVENT_KIND_KEYSTROKE, CT_INPUT_DEVICE_KEYBOARD, key, NULL))
        add_event(in, CT_INPUT_EVENT_KIND_KEYSTROKE, CT_INPUT_DEVICE_KEYBOARD, key,
                  ct_vec3_make(0, 0, 0), NULL);
}

void ct_input_feed_text(ct_input *in, const char *text) {
    if (text[0] != '\0' &&
        !is_for_filter(in, CT_INPUT_EVENT_KIND_TEXT, CT_INPUT_DEVICE_KEYBOARD, 0, text))
        add_event(in, CT_INPUT_EVENT_KIND_TEXT, CT_INPUT_DEVICE_KEYBOARD, 0, ct_vec3_make(0, 0, 0),
                  text);
}

void ct_input_feed_editing(ct_input *in, const char *text, int32_t cursor, int32_t length) {
    if (!is_for_filter(in, CT_INPUT_EVENT_KIND_EDITING, CT_INPUT_DEVICE_KEYBOARD, 0, text))
        add_event(in, CT_INPUT_EVENT_KIND_EDITING, CT_INPUT_DEVICE_KEYBOARD, 0,
                  ct_vec3_make((float)cursor, (float)length, 0), text);
}

static ct_input_event_kind touch_kind(ct_touch_phase phase) {
    switch (phase) {
    case CT_TOUCH_PHASE_BEGAN:
        return CT_INPUT_EVENT_KIND_TOUCH_BEGAN;
    case CT_TOUCH_PHASE_MOVED:
        return CT_INPUT_EVENT_KIND_TOUCH_MOVED;
    case CT_TOUCH_PHASE_ENDED:
        return CT_INPUT_EVENT_KIND_TOUCH_ENDED;
    default:
        return CT_INPUT_EVENT_KIND_NONE;
    }
}

// Button and axes of the panel follow its contacts.
static void follow_touches(ct_input *in) {
    const ct_touch_contact *const oldest = ct_touch_oldest(&in->touches);
    ct_vec3 *const axes = in->devices[CT_INPUT_DEVICE_TOUCH].axes;
    if (oldest) {
        axes[CT_TOUCH_AXIS_LOCATION] = ct_vec3_make(oldest->location.x, oldest->location.y, 0);
        axes[CT_TOUCH_AXIS_DELTA] = ct_vec3_make(oldest->delta.x, oldest->delta.y, 0);
    }
    ct_input_feed_button(in, CT_INPUT_DEVICE_TOUCH, 0, oldest != NULL);
}

void ct_input_feed_touch(ct_input *in, ct_touch_phase phase, uint64_t finger, ct_vec2 location,
                         float pressure) {
    uint32_t id = 0;
    if (phase == CT_TOUCH_PHASE_BEGAN)
        id = ct_touch_begin(&in->touches, finger, location, pressure);
    else if (phase == CT_TOUCH_PHASE_MOVED)
        id = ct_touch_move(&in->touches, finger, location, pressure);
    else if (phase == CT_TOUCH_PHASE_ENDED)
        id = ct_touch_end(&in->touches, finger, location);
    if (id == 0)
        return;
    const ct_vec2 place = ct_touch_find(&in->touches, id)->location;
    add_event(in, touch_kind(phase), CT_INPUT_DEVICE_TOUCH, id, ct_vec3_make(place.x, place.y, 0),
              NULL);
    follow_touches(in);
}

void ct_input_feed_connected(ct_input *in, ct_input_device device, const char *name) {
    if (device >= CT_INPUT_NUM_DEVICES || in->devices[device].is_connected)
        return;
    device_state *const state = &in->devices[device];
    state->is_connected = state->was_connected = true;
    snprintf(state->product, sizeof(state->product), "%s",
             name && name[0] != '\0' ? name : ct_input_device_name(device));
    add_event(in, CT_INPUT_EVENT_KIND_CONNECTED, device, 0, ct_vec3_make(0, 0, 0), state->product);
}

// Releases the buttons of a device and brings its axes, unless they tell of places, to zero.
static void bring_to_rest(ct_input *in, ct_input_device device) {
    for (uint32_t button = 0; button < ct_input_num_buttons(device); ++button)
        ct_input_feed_button(in, device, button, false);
    for (uint32_t axis = 0; ct_input_is_pad(device) && axis < ct_input_num_axes(device); ++axis)
        ct_input_feed_axis(in, device, axis, ct_vec3_make(0, 0, 0), false);
}

void ct_input_feed_disconnected(ct_input *in, ct_input_device device) {
    if (device >= CT_INPUT_NUM_DEVICES || !in->devices[device].is_connected)
        return;
    device_state *const state = &in->devices[device];
    bring_to_rest(in, device);
    state->is_connected = false;
    state->was_disconnected = true;
    state->battery = CT_INPUT_BATTERY_UNKNOWN;
    if (ct_input_is_pad(device))
        in->rumbles[device - CT_INPUT_DEVICE_PAD_1] = (ct_rumble){0};
    add_event(in, CT_INPUT_EVENT_KIND_DISCONNECTED, device, 0, ct_vec3_make(0, 0, 0), NULL);
}

void ct_input_feed_battery(ct_input *in, ct_input_device device, ct_input_battery battery) {
    if (ct_input_is_pad(device))
        in->devices[device].battery = battery;
}

void ct_input_feed_focus_lost(ct_input *in) {
    for (uint32_t i = 0; i < in->touches.count; ++i) {
        const ct_touch_contact contact = in->touches.items[i];
        ct_input_feed_touch(in, CT_TOUCH_PHASE_ENDED, contact.finger, contact.location, 0.0f);
    }
    for (ct_input_device d = 0; d < CT_INPUT_NUM_DEVICES; ++d)
        bring_to_rest(in, d);
}

// --- Another input in its place ------------------------------------------------------------------

void ct_input_copy_state(ct_input *in, const ct_input *from) {
    ct_allocator *const allocator = in->allocator;
    *in = *from;
    in->allocator = allocator;
    in->filter = (ct_input_filter){0};
    memset(in->rumbles, 0, sizeof(in->rumbles));
    ct_input_events_clear(&in->events);
    ct_input_events_clear(&in->waiting);
    for (ct_input_device d = 0; d < CT_INPUT_NUM_DEVICES; ++d)
        memset(in->devices[d].is_taken, 0, sizeof(in->devices[d].is_taken));
}

static void catch_up_device(ct_input *in, ct_input_device device, const device_state *now) {
    if (!now->is_connected)
        ct_input_feed_disconnected(in, device);
    else
        ct_input_feed_connected(in, device, now->product);
    ct_input_feed_battery(in, device, now->battery);
    for (uint32_t button = 0; button < ct_input_num_buttons(device); ++button)
        if (!now->is_down[button])
            ct_input_feed_button(in, device, button, false);
    for (uint32_t axis = 0; axis < ct_input_num_axes(device); ++axis)
        if (!ct_input_axis_is_movement(device, axis))
            ct_input_feed_axis(in, device, axis, now->axes[axis], false);
}

void ct_input_catch_up(ct_input *in, const ct_input *now) {
    for (uint32_t i = 0; i < in->touches.count; ++i) {
        const ct_touch_contact contact = in->touches.items[i];
        const ct_touch_contact *const later = ct_touch_find(&now->touches, contact.id);
        if (!later || later->phase == CT_TOUCH_PHASE_ENDED)
            ct_input_feed_touch(in, CT_TOUCH_PHASE_ENDED, contact.finger, contact.location, 0.0f);
    }
    for (ct_input_device d = 0; d < CT_INPUT_NUM_DEVICES; ++d)
        catch_up_device(in, d, &now->devices[d]);
}

static ct_touch_phase touch_phase(ct_input_event_kind kind) {
    return kind == CT_INPUT_EVENT_KIND_TOUCH_BEGAN   ? CT_TOUCH_PHASE_BEGAN
           : kind == CT_INPUT_EVENT_KIND_TOUCH_MOVED ? CT_TOUCH_PHASE_MOVED
                                                     : CT_TOUCH_PHASE_ENDED;
}

static void feed_event(ct_input *in, const ct_input_event *e) {
    const char *const text = e->text ? e->text : "";
    switch (e->kind) {
    case CT_INPUT_EVENT_KIND_PRESSED:
    case CT_INPUT_EVENT_KIND_RELEASED:
        ct_input_feed_value(in, e->device, e->number, e->value.x);
        break;
    case CT_INPUT_EVENT_KIND_AXIS:
        ct_input_feed_axis(in, e->device, e->number, e->value,
                           ct_input_axis_is_movement(e->device, e->number));
        break;
    case CT_INPUT_EVENT_KIND_KEYSTROKE:
        ct_input_feed_keystroke(in, e->number);
        break;
    case CT_INPUT_EVENT_KIND_TEXT:
        ct_input_feed_text(in, text);
        break;
    case CT_INPUT_EVENT_KIND_EDITING:
        ct_input_feed_editing(in, text, (int32_t)e->value.x, (int32_t)e->value.y);
        break;
    case CT_INPUT_EVENT_KIND_TOUCH_BEGAN:
    case CT_INPUT_EVENT_KIND_TOUCH_MOVED:
    case CT_INPUT_EVENT_KIND_TOUCH_ENDED:
        ct_input_feed_touch(in, touch_phase(e->kind), e->number,
                            (ct_vec2){.x = e->value.x, .y = e->value.y}, 1.0f);
        break;
    case CT_INPUT_EVENT_KIND_CONNECTED:
        ct_input_feed_connected(in, e->device, text);
        break;
    case CT_INPUT_EVENT_KIND_DISCONNECTED:
        ct_input_feed_disconnected(in, e->device);
        break;
    default:
        break;
    }
}

void ct_input_add_remote(ct_input *in, const ct_input_event *event) {
    if (in->has_ended_feeding) {
        ct_input_events_add(&in->waiting, event);
        return;
    }
    ct_input_set_time(in, event->time_ns);
    feed_event(in, event);
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

float ct_input_value(const ct_input *in, ct_input_device device, uint32_t button) {
    return button < ct_input_num_buttons(device) ? in->devices[device].values[button] : 0.0f;
}

ct_vec3 ct_input_axis(const ct_input *in, ct_input_device device, uint32_t axis) {
    return ct_input_axis_with(in, device, axis, ct_input_dead_zone(in, device, axis));
}

ct_vec3 ct_input_axis_with(const ct_input *in, ct_input_device device, uint32_t axis,
                           ct_dead_zone zone) {
    if (axis >= ct_input_num_axes(device))
        return ct_vec3_make(0, 0, 0);
    return ct_dead_zone_apply(zone, in->devices[device].axes[axis]);
}

ct_dead_zone ct_input_dead_zone(const ct_input *in, ct_input_device device, uint32_t axis) {
    return axis < ct_input_num_axes(device) ? in->devices[device].dead_zones[axis]
                                            : (ct_dead_zone){0};
}

void ct_input_set_dead_zone(ct_input *in, ct_input_device device, uint32_t axis,
                            ct_dead_zone zone) {
    if (axis < ct_input_num_axes(device))
        in->devices[device].dead_zones[axis] = zone;
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

bool ct_input_is_connected(const ct_input *in, ct_input_device device) {
    return device < CT_INPUT_NUM_DEVICES && in->devices[device].is_connected;
}

bool ct_input_was_connected(const ct_input *in, ct_input_device device) {
    return device < CT_INPUT_NUM_DEVICES && in->devices[device].was_connected;
}

bool ct_input_was_disconnected(const ct_input *in, ct_input_device device) {
    return device < CT_INPUT_NUM_DEVICES && in->devices[device].was_disconnected;
}

const char *ct_input_product_name(const ct_input *in, ct_input_device device) {
    return device < CT_INPUT_NUM_DEVICES ? in->devices[device].product : NULL;
}

ct_input_battery ct_input_battery_of(const ct_input *in, ct_input_device device) {
    return device < CT_INPUT_NUM_DEVICES ? in->devices[device].battery : CT_INPUT_BATTERY_UNKNOWN;
}

const char *ct_input_locale_name(const ct_input *in, ct_input_device device, uint32_t button) {
    const char *name = NULL;
    if (device == CT_INPUT_DEVICE_KEYBOARD && button < ct_input_num_buttons(device) &&
        in->platform.key_name)
        name = in->platform.key_name(in->platform.user, ct_input_usage_of_key(button));
    return name && name[0] != '\0' ? name : ct_input_button_name(device, button);
}

ct_rumble *ct_input_rumble(ct_input *in, ct_input_device device) {
    return ct_input_is_pad(device) ? &in->rumbles[device - CT_INPUT_DEVICE_PAD_1] : NULL;
}

void ct_input_set_light(ct_input *in, ct_input_device device, ct_vec3 color) {
    if (!ct_input_is_pad(device))
        return;
    in->has_light[device - CT_INPUT_DEVICE_PAD_1] = true;
    in->lights[device - CT_INPUT_DEVICE_PAD_1] = color;
}

bool ct_input_light(const ct_input *in, ct_input_device device, ct_vec3 *color) {
    if (!ct_input_is_pad(device) || !in->has_light[device - CT_INPUT_DEVICE_PAD_1])
        return false;
    *color = in->lights[device - CT_INPUT_DEVICE_PAD_1];
    return true;
}

const ct_touch_contacts *ct_input_touches(const ct_input *in) {
    return &in->touches;
}

const ct_input_events *ct_input_event_list(const ct_input *in) {
    return &in->events;
}

ct_input_device ct_input_last_used(const ct_input *in) {
    return in->last_used;
}
