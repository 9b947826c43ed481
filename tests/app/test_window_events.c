// SDL's events as the input's.
#include "support/test_support.h"

#include <string.h>

#include "app/window_events.h"

static ct_input *in;
static const ct_window_frame frame = {
    .width = 800, .height = 600, .pixels_per_point_x = 2, .pixels_per_point_y = 2};

static int set_up(void **state) {
    (void)state;
    in = ct_input_create(test_heap());
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    ct_input_destroy(in);
    return 0;
}

static void feed(const SDL_Event *event) {
    ct_window_event_feed(in, &frame, event);
}

static void feed_key(SDL_Scancode code, bool is_down, bool is_repeat) {
    SDL_Event event = {.key = {.type = is_down ? SDL_KEYDOWN : SDL_KEYUP, .repeat = is_repeat}};
    event.key.keysym.scancode = code;
    feed(&event);
}

static uint32_t key(const char *name) {
    return (uint32_t)ct_input_button_id(CT_INPUT_DEVICE_KEYBOARD, name);
}

static void keys_go_down_once_and_strike_again(void **state) {
    (void)state;
    feed_key(SDL_SCANCODE_BACKSPACE, true, false);
    feed_key(SDL_SCANCODE_BACKSPACE, true, true);
    feed_key(SDL_SCANCODE_BACKSPACE, false, false);
    feed_key(SDL_SCANCODE_UNKNOWN, true, false);
    const ct_input_events *const events = ct_input_event_list(in);
    assert_int_equal(events->count, 4);
    assert_int_equal(events->items[0].kind, CT_INPUT_EVENT_KIND_PRESSED);
    assert_int_equal(events->items[1].kind, CT_INPUT_EVENT_KIND_KEYSTROKE);
    assert_int_equal(events->items[2].kind, CT_INPUT_EVENT_KIND_KEYSTROKE);
    assert_int_equal(events->items[3].kind, CT_INPUT_EVENT_KIND_RELEASED);
    assert_true(ct_input_pressed(in, CT_INPUT_DEVICE_KEYBOARD, key("backspace")));
}

static void text_arrives_as_it_was_typed(void **state) {
    (void)state;
    SDL_Event typed = {.text = {.type = SDL_TEXTINPUT}};
    strcpy(typed.text.text, "é");
    feed(&typed);
    SDL_Event edited = {.edit = {.type = SDL_TEXTEDITING, .start = 1, .length = 2}};
    strcpy(edited.edit.text, "かな");
    feed(&edited);
    const ct_input_events *const events = ct_input_event_list(in);
    assert_string_equal(events->items[0].text, "é");
    assert_string_equal(events->items[1].text, "かな");
    assert_true(events->items[1].value.x == 1 && events->items[1].value.y == 2);
}

static void the_mouse_points_at_pixels(void **state) {
    (void)state;
    const SDL_Event moved = {
        .motion = {.type = SDL_MOUSEMOTION, .x = 100, .y = 50, .xrel = 3, .yrel = -4}};
    const SDL_Event pressed = {.button = {.type = SDL_MOUSEBUTTONDOWN, .button = SDL_BUTTON_RIGHT}};
    const SDL_Event turned = {.wheel = {.type = SDL_MOUSEWHEEL, .preciseY = -2}};
    feed(&moved);
    feed(&pressed);
    feed(&turned);
    const ct_input_device mouse = CT_INPUT_DEVICE_MOUSE;
    assert_true(ct_input_axis(in, mouse, CT_MOUSE_AXIS_CURSOR).x == 200);
    assert_true(ct_input_axis(in, mouse, CT_MOUSE_AXIS_MOUSE).y == -4);
    assert_true(ct_input_axis(in, mouse, CT_MOUSE_AXIS_WHEEL).y == -2);
    assert_true(ct_input_pressed(in, mouse, (uint32_t)ct_input_button_id(mouse, "right")));
}

static void fingers_touch_pixels(void **state) {
    (void)state;
    SDL_Event finger = {.tfinger = {.type = SDL_FINGERDOWN,
                                    .touchId = 1,
                                    .fingerId = 2,
                                    .x = 0.5f,
                                    .y = 0.25f,
                                    .pressure = 0.75f}};
    feed(&finger);
    const ct_touch_contact contact = ct_input_touches(in)->items[0];
    assert_true(contact.location.x == 400 && contact.location.y == 150);
    assert_true(contact.pressure == 0.75f);
    finger.type = SDL_FINGERUP;
    feed(&finger);
    assert_int_equal(ct_input_touches(in)->items[0].phase, CT_TOUCH_PHASE_ENDED);
}

static void losing_the_focus_releases_all(void **state) {
    (void)state;
    feed_key(SDL_SCANCODE_W, true, false);
    const SDL_Event lost = {
        .window = {.type = SDL_WINDOWEVENT, .event = SDL_WINDOWEVENT_FOCUS_LOST}};
    feed(&lost);
    assert_false(ct_input_is_down(in, CT_INPUT_DEVICE_KEYBOARD, key("w")));
}

static void every_key_of_sdl_has_the_number_of_its_name(void **state) {
    (void)state;
    const struct {
        SDL_Scancode code;
        const char *name;
    } known[] = {{SDL_SCANCODE_A, "a"},
                 {SDL_SCANCODE_RETURN, "enter"},
                 {SDL_SCANCODE_KP_ENTER, "numpad enter"},
                 {SDL_SCANCODE_LCTRL, "left ctrl"},
                 {SDL_SCANCODE_F24, "f24"},
                 {SDL_SCANCODE_APPLICATION, "menu"}};
    for (uint32_t i = 0; i < CT_COUNT_OF(known); ++i)
        assert_int_equal(ct_input_key_of_usage((uint32_t)known[i].code), key(known[i].name));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(keys_go_down_once_and_strike_again), TEST(text_arrives_as_it_was_typed),
        TEST(the_mouse_points_at_pixels),         TEST(fingers_touch_pixels),
        TEST(losing_the_focus_releases_all),      TEST(every_key_of_sdl_has_the_number_of_its_name),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
