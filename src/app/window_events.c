#include "app/window_events.h"

#include "foundation/math/math.h"

// Our mouse buttons by SDL's numbers, which start at 1.
static int32_t mouse_button_of(uint8_t sdl_button) {
    switch (sdl_button) {
    case SDL_BUTTON_LEFT:
        return ct_input_button_id(CT_INPUT_DEVICE_MOUSE, "left");
    case SDL_BUTTON_MIDDLE:
        return ct_input_button_id(CT_INPUT_DEVICE_MOUSE, "middle");
    case SDL_BUTTON_RIGHT:
        return ct_input_button_id(CT_INPUT_DEVICE_MOUSE, "right");
    case SDL_BUTTON_X1:
        return ct_input_button_id(CT_INPUT_DEVICE_MOUSE, "extra_1");
    case SDL_BUTTON_X2:
        return ct_input_button_id(CT_INPUT_DEVICE_MOUSE, "extra_2");
    default:
        return -1;
    }
}

static void feed_button(ct_input *input, ct_input_device device, int32_t button, bool is_down) {
    if (button >= 0)
        ct_input_feed_button(input, device, (uint32_t)button, is_down);
}

static void feed_key(ct_input *input, const SDL_KeyboardEvent *key) {
    const int32_t button = ct_input_key_of_usage((uint32_t)key->keysym.scancode);
    const bool is_down = key->type == SDL_KEYDOWN;
    if (key->repeat == 0)
        feed_button(input, CT_INPUT_DEVICE_KEYBOARD, button, is_down);
    if (is_down && button >= 0)
        ct_input_feed_keystroke(input, (uint32_t)button);
}

static void feed_motion(ct_input *input, const ct_window_frame *frame,
                        const SDL_MouseMotionEvent *motion) {
    const ct_vec3 cursor = ct_vec3_make((float)motion->x * frame->pixels_per_point_x,
                                        (float)motion->y * frame->pixels_per_point_y, 0.0f);
    const ct_vec3 movement = ct_vec3_make((float)motion->xrel, (float)motion->yrel, 0.0f);
    ct_input_feed_axis(input, CT_INPUT_DEVICE_MOUSE, CT_MOUSE_AXIS_CURSOR, cursor, false);
    ct_input_feed_axis(input, CT_INPUT_DEVICE_MOUSE, CT_MOUSE_AXIS_MOUSE, movement, true);
}

static void feed_finger(ct_input *input, const ct_window_frame *frame,
                        const SDL_TouchFingerEvent *finger) {
    const ct_touch_phase phase = finger->type == SDL_FINGERDOWN ? CT_TOUCH_PHASE_BEGAN
                                 : finger->type == SDL_FINGERUP ? CT_TOUCH_PHASE_ENDED
                                                                : CT_TOUCH_PHASE_MOVED;
    // Panels number their fingers each for itself.
    const uint64_t id = (uint64_t)finger->fingerId ^ (uint64_t)finger->touchId << 32;
    const ct_vec2 location = {.x = finger->x * frame->width, .y = finger->y * frame->height};
    ct_input_feed_touch(input, phase, id, location, finger->pressure);
}

void ct_window_event_feed(ct_input *input, const ct_window_frame *frame, const SDL_Event *event) {
    switch (event->type) {
    case SDL_WINDOWEVENT:
        if (event->window.event == SDL_WINDOWEVENT_FOCUS_LOST)
            ct_input_feed_focus_lost(input);
        break;
    case SDL_KEYDOWN:
    case SDL_KEYUP:
        feed_key(input, &event->key);
        break;
    case SDL_TEXTINPUT:
        ct_input_feed_text(input, event->text.text);
        break;
    case SDL_TEXTEDITING:
        ct_input_feed_editing(input, event->edit.text, event->edit.start, event->edit.length);
        break;
    case SDL_MOUSEBUTTONDOWN:
    case SDL_MOUSEBUTTONUP:
        feed_button(input, CT_INPUT_DEVICE_MOUSE, mouse_button_of(event->button.button),
                    event->type == SDL_MOUSEBUTTONDOWN);
        break;
    case SDL_MOUSEMOTION:
        feed_motion(input, frame, &event->motion);
        break;
    case SDL_MOUSEWHEEL:
        ct_input_feed_axis(input, CT_INPUT_DEVICE_MOUSE, CT_MOUSE_AXIS_WHEEL,
                           ct_vec3_make(event->wheel.preciseX, event->wheel.preciseY, 0.0f), true);
        break;
    case SDL_FINGERDOWN:
    case SDL_FINGERMOTION:
    case SDL_FINGERUP:
        feed_finger(input, frame, &event->tfinger);
        break;
    default:
        break;
    }
}
