#include <math.h>
#include <string.h>

#include "embed/embed_private.h"
#include "foundation/math/math.h"
#include "foundation/string/utf8.h"
#include "input/input.h"

static void add(cuttle_engine *engine, const ct_input_event *event) {
    ct_input_event e = *event;
    e.time_ns = ct_os_time_ns();
    ct_input_add_remote(ct_app_input(engine->app), &e);
}

static void add_button(cuttle_engine *engine, ct_input_device device, uint32_t button,
                       bool is_down) {
    const ct_input_event e = {.kind = is_down ? CT_INPUT_EVENT_KIND_PRESSED
                                              : CT_INPUT_EVENT_KIND_RELEASED,
                              .device = device,
                              .number = button,
                              .value = ct_vec3_make(is_down ? 1.0f : 0.0f, 0, 0)};
    add(engine, &e);
    const ct_input_event stroke = {
        .kind = CT_INPUT_EVENT_KIND_KEYSTROKE, .device = device, .number = button};
    if (is_down && device == CT_INPUT_DEVICE_KEYBOARD)
        add(engine, &stroke);
}

// Sets `device` to the device of this name.
static bool find_device(const char *name, ct_input_device *device, ct_error *error) {
    for (ct_input_device d = 0; name && d < CT_INPUT_NUM_DEVICES; ++d) {
        *device = d;
        if (strcmp(ct_input_device_name(d), name) == 0)
            return true;
    }
    return ct_error_set(error,
                        "unknown device \"%.64s\"; expected keyboard, mouse, pad1 to pad4 or touch",
                        name ? name : "");
}

static bool feed_button(cuttle_engine *engine, const char *device_name, const char *name,
                        bool is_down, ct_error *error) {
    ct_input_device device;
    if (!find_device(device_name, &device, error))
        return false;
    const int32_t button = name ? ct_input_button_id(device, name) : -1;
    if (button < 0)
        return ct_error_set(error, "%s has no button \"%.64s\"; docs/input.md lists them",
                            device_name, name ? name : "");
    add_button(engine, device, (uint32_t)button, is_down);
    return true;
}

bool cuttle_engine_button(cuttle_engine *engine, const char *device, const char *button,
                          bool is_down, cuttle_engine_error *error) {
    if (!ct_embed_begin_call(engine, error))
        return false;
    ct_error found = {0};
    const bool is_done = feed_button(engine, device, button, is_down, &found);
    return ct_embed_end_call(engine, is_done, &found, error);
}

static bool feed_axis(cuttle_engine *engine, const char *device_name, const char *name, float x,
                      float y, ct_error *error) {
    ct_input_device device;
    if (!find_device(device_name, &device, error))
        return false;
    const int32_t axis = name ? ct_input_axis_id(device, name) : -1;
    if (axis < 0)
        return ct_error_set(error, "%s has no axis \"%.64s\"; docs/input.md lists them",
                            device_name, name ? name : "");
    if (!isfinite(x) || !isfinite(y))
        return ct_error_set(error, "an axis got (%g, %g); expected finite values", (double)x,
                            (double)y);
    const ct_input_event e = {.kind = CT_INPUT_EVENT_KIND_AXIS,
                              .device = device,
                              .number = (uint32_t)axis,
                              .value = ct_vec3_make(x, y, 0)};
    add(engine, &e);
    return true;
}

bool cuttle_engine_axis(cuttle_engine *engine, const char *device, const char *axis, float x,
                        float y, cuttle_engine_error *error) {
    if (!ct_embed_begin_call(engine, error))
        return false;
    ct_error found = {0};
    const bool is_done = feed_axis(engine, device, axis, x, y, &found);
    return ct_embed_end_call(engine, is_done, &found, error);
}

static bool feed_text(cuttle_engine *engine, const char *text, ct_error *error) {
    const size_t bytes = text ? strlen(text) : 0;
    if (!text || bytes >= CT_INPUT_MAX_TEXT_BYTES || !ct_utf8_is_valid(text, bytes))
        return ct_error_set(error, "the text is %s; expected UTF-8 of fewer than %d bytes",
                            !text                              ? "NULL"
                            : bytes >= CT_INPUT_MAX_TEXT_BYTES ? "too long"
                                                               : "not UTF-8",
                            (int)CT_INPUT_MAX_TEXT_BYTES);
    const ct_input_event e = {
        .kind = CT_INPUT_EVENT_KIND_TEXT, .device = CT_INPUT_DEVICE_KEYBOARD, .text = text};
    add(engine, &e);
    return true;
}

bool cuttle_engine_text(cuttle_engine *engine, const char *text, cuttle_engine_error *error) {
    if (!ct_embed_begin_call(engine, error))
        return false;
    ct_error found = {0};
    const bool is_done = feed_text(engine, text, &found);
    return ct_embed_end_call(engine, is_done, &found, error);
}

bool cuttle_engine_release_buttons(cuttle_engine *engine, cuttle_engine_error *error) {
    if (!ct_embed_begin_call(engine, error))
        return false;
    // All of them: one that is up may have a press that waits for the next step.
    static const ct_input_device devices[] = {CT_INPUT_DEVICE_KEYBOARD, CT_INPUT_DEVICE_MOUSE};
    for (uint32_t i = 0; i < CT_COUNT_OF(devices); ++i) {
        for (uint32_t b = 0; b < ct_input_num_buttons(devices[i]); ++b)
            add_button(engine, devices[i], b, false);
    }
    return ct_embed_end_call(engine, true, NULL, error);
}
