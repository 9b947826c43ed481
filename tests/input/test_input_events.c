// The list of a frame's events, and devices that come and go.
#include "support/test_support.h"

#include <stdio.h>
#include <string.h>

#include "foundation/log.h"
#include "foundation/math/math.h"
#include "input/input.h"

static ct_input *in;

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

static const ct_input_event *event_at(uint32_t i) {
    const ct_input_events *const events = ct_input_event_list(in);
    assert_true(i < events->count);
    return &events->items[i];
}

static uint32_t id(ct_input_device device, const char *name) {
    const int32_t button = ct_input_button_id(device, name);
    assert_true(button >= 0);
    return (uint32_t)button;
}

static void lists_events_in_their_order_with_their_times(void **state) {
    (void)state;
    ct_input_set_time(in, 100);
    ct_input_feed_button(in, CT_INPUT_DEVICE_KEYBOARD, id(CT_INPUT_DEVICE_KEYBOARD, "h"), true);
    ct_input_feed_text(in, "h");
    ct_input_set_time(in, 200);
    ct_input_feed_axis(in, CT_INPUT_DEVICE_MOUSE, CT_MOUSE_AXIS_MOUSE, ct_vec3_make(1, 2, 0), true);
    ct_input_set_time(in, 150); // a clock that runs backwards
    ct_input_feed_button(in, CT_INPUT_DEVICE_KEYBOARD, id(CT_INPUT_DEVICE_KEYBOARD, "h"), false);
    assert_int_equal(ct_input_event_list(in)->count, 4);
    assert_int_equal(event_at(0)->kind, CT_INPUT_EVENT_KIND_PRESSED);
    assert_int_equal(event_at(0)->time_ns, 100);
    assert_string_equal(event_at(1)->text, "h");
    assert_true(event_at(2)->value.y == 2);
    assert_int_equal(event_at(3)->kind, CT_INPUT_EVENT_KIND_RELEASED);
    assert_int_equal(event_at(3)->time_ns, 200);
    ct_input_begin_frame(in);
    assert_int_equal(ct_input_event_list(in)->count, 0);
}

static void passes_over_text_that_is_no_utf8(void **state) {
    (void)state;
    ct_input_feed_text(in, "\xff\xfe");
    ct_input_feed_text(in, "");
    ct_input_feed_text(in, "häß€😀");
    assert_int_equal(ct_input_event_list(in)->count, 1);
    assert_string_equal(event_at(0)->text, "häß€😀");
}

static void tells_what_an_input_method_edits(void **state) {
    (void)state;
    ct_input_feed_editing(in, "にほ", 2, 0);
    assert_int_equal(event_at(0)->kind, CT_INPUT_EVENT_KIND_EDITING);
    assert_string_equal(event_at(0)->text, "にほ");
    assert_true(event_at(0)->value.x == 2);
}

static void drops_a_flood_and_keeps_the_state_right(void **state) {
    (void)state;
    const uint64_t warnings = ct_log_warning_count("input_flood");
    for (int i = 0; i < 100000; ++i)
        ct_input_feed_axis(in, CT_INPUT_DEVICE_MOUSE, CT_MOUSE_AXIS_MOUSE, ct_vec3_make(1, 0, 0),
                           true);
    ct_input_feed_button(in, CT_INPUT_DEVICE_MOUSE, 0, true);
    assert_int_equal(ct_input_event_list(in)->count, CT_INPUT_MAX_EVENTS);
    assert_int_equal(ct_input_event_list(in)->num_dropped, 100001 - CT_INPUT_MAX_EVENTS);
    assert_true(ct_input_axis(in, CT_INPUT_DEVICE_MOUSE, CT_MOUSE_AXIS_MOUSE).x == 100000);
    assert_true(ct_input_is_down(in, CT_INPUT_DEVICE_MOUSE, 0));
    assert_int_equal(ct_log_warning_count("input_flood"), warnings + 1);
}

static void drops_more_text_than_a_frame_holds(void **state) {
    (void)state;
    char text[1001];
    memset(text, 'x', 1000);
    text[1000] = '\0';
    for (int i = 0; i < 100; ++i)
        ct_input_feed_text(in, text);
    assert_int_equal(ct_input_event_list(in)->count, CT_INPUT_MAX_TEXT_BYTES / 1001);
    assert_true(ct_input_event_list(in)->num_dropped > 0);
    ct_input_begin_frame(in);
    ct_input_feed_text(in, "fits again");
    assert_string_equal(event_at(0)->text, "fits again");
}

static void makes_keystrokes_of_keys_that_are_no_text(void **state) {
    (void)state;
    ct_input_feed_keystroke(in, id(CT_INPUT_DEVICE_KEYBOARD, "backspace"));
    ct_input_feed_keystroke(in, id(CT_INPUT_DEVICE_KEYBOARD, "a"));
    ct_input_feed_keystroke(in, id(CT_INPUT_DEVICE_KEYBOARD, "space"));
    ct_input_feed_keystroke(in, id(CT_INPUT_DEVICE_KEYBOARD, "left shift"));
    ct_input_feed_keystroke(in, id(CT_INPUT_DEVICE_KEYBOARD, "left"));
    ct_input_feed_keystroke(in, 100000);
    assert_int_equal(ct_input_event_list(in)->count, 2);
    assert_int_equal(event_at(1)->number, id(CT_INPUT_DEVICE_KEYBOARD, "left"));
}

static void makes_keystrokes_of_letters_with_ctrl(void **state) {
    (void)state;
    const ct_input_device keyboard = CT_INPUT_DEVICE_KEYBOARD;
    const uint32_t ctrl = id(keyboard, "left ctrl"), alt = id(keyboard, "right alt");
    ct_input_feed_button(in, keyboard, ctrl, true);
    ct_input_feed_button(in, keyboard, alt, true); // AltGr
    ct_input_begin_frame(in);
    ct_input_feed_keystroke(in, id(keyboard, "q"));
    assert_int_equal(ct_input_event_list(in)->count, 0);
    ct_input_feed_button(in, keyboard, alt, false);
    ct_input_begin_frame(in);
    ct_input_feed_keystroke(in, id(keyboard, "q"));
    ct_input_feed_keystroke(in, ctrl);
    ct_input_feed_keystroke(in, id(keyboard, "caps lock"));
    ct_input_feed_keystroke(in, 100000);
    assert_int_equal(ct_input_event_list(in)->count, 1);
    assert_int_equal(event_at(0)->kind, CT_INPUT_EVENT_KIND_KEYSTROKE);
    assert_int_equal(event_at(0)->number, id(keyboard, "q"));
    ct_input_feed_button(in, keyboard, ctrl, false);
    ct_input_begin_frame(in);
    ct_input_feed_keystroke(in, id(keyboard, "q"));
    assert_int_equal(ct_input_event_list(in)->count, 0);
}

static void pads_come_and_go_with_all_they_hold(void **state) {
    (void)state;
    const ct_input_device pad = CT_INPUT_DEVICE_PAD_2;
    assert_false(ct_input_is_connected(in, pad));
    ct_input_feed_connected(in, pad, "A Pad");
    assert_true(ct_input_is_connected(in, pad) && ct_input_was_connected(in, pad));
    assert_string_equal(ct_input_product_name(in, pad), "A Pad");
    ct_input_feed_button(in, pad, id(pad, "a"), true);
    ct_input_feed_axis(in, pad, CT_PAD_AXIS_LEFT, ct_vec3_make(1, 0, 0), false);
    ct_input_rumble(in, pad)->levels[0] = 1;
    ct_input_begin_frame(in);
    assert_false(ct_input_was_connected(in, pad));
    ct_input_feed_disconnected(in, pad);
    assert_true(ct_input_was_disconnected(in, pad));
    assert_true(ct_input_released(in, pad, id(pad, "a")));
    assert_true(ct_input_axis(in, pad, CT_PAD_AXIS_LEFT).x == 0);
    assert_true(ct_rumble_level(ct_input_rumble(in, pad), 0) == 0);
    ct_input_feed_disconnected(in, pad);
    assert_int_equal(ct_input_event_list(in)->count, 3); // released, axis, disconnected
}

static void buttons_that_know_more_go_down_at_half_and_up_a_bit_below(void **state) {
    (void)state;
    const ct_input_device pad = CT_INPUT_DEVICE_PAD_1;
    const uint32_t trigger = id(pad, "left_trigger");
    const struct {
        float value;
        bool is_down;
    } steps[] = {{0.3f, false}, {0.49f, false}, {0.5f, true},   {0.45f, true},
                 {0.41f, true}, {0.39f, false}, {0.45f, false}, {2.0f, true}};
    for (uint32_t i = 0; i < CT_COUNT_OF(steps); ++i) {
        ct_input_feed_value(in, pad, trigger, steps[i].value);
        assert_int_equal(ct_input_is_down(in, pad, trigger), steps[i].is_down);
    }
    assert_true(ct_input_value(in, pad, trigger) == 1);
}

static void sticks_have_dead_zones_that_can_be_set(void **state) {
    (void)state;
    const ct_input_device pad = CT_INPUT_DEVICE_PAD_1;
    ct_input_feed_axis(in, pad, CT_PAD_AXIS_LEFT, ct_vec3_make(0.2f, 0, 0), false);
    assert_true(ct_input_axis(in, pad, CT_PAD_AXIS_LEFT).x == 0);
    const ct_dead_zone none = {CT_DEAD_ZONE_MODE_RAW, 0};
    assert_true(ct_input_axis_with(in, pad, CT_PAD_AXIS_LEFT, none).x == 0.2f);
    ct_input_set_dead_zone(in, pad, CT_PAD_AXIS_LEFT, none);
    assert_true(ct_input_axis(in, pad, CT_PAD_AXIS_LEFT).x == 0.2f);
}

static void fingers_are_contacts_with_phases(void **state) {
    (void)state;
    const ct_vec2 first = {.x = 10, .y = 20}, second = {.x = 30, .y = 25};
    ct_input_feed_touch(in, CT_TOUCH_PHASE_BEGAN, 77, first, 0.5f);
    ct_input_feed_touch(in, CT_TOUCH_PHASE_MOVED, 77, second, 0.5f);
    const ct_touch_contacts *const contacts = ct_input_touches(in);
    assert_int_equal(contacts->count, 1);
    assert_int_equal(contacts->items[0].phase, CT_TOUCH_PHASE_BEGAN);
    assert_true(contacts->items[0].delta.x == 20 && contacts->items[0].delta.y == 5);
    assert_true(ct_input_is_down(in, CT_INPUT_DEVICE_TOUCH, 0));
    assert_true(ct_input_axis(in, CT_INPUT_DEVICE_TOUCH, CT_TOUCH_AXIS_LOCATION).x == 30);
    ct_input_begin_frame(in);
    assert_int_equal(contacts->items[0].phase, CT_TOUCH_PHASE_RESTING);
    ct_input_feed_touch(in, CT_TOUCH_PHASE_ENDED, 77, second, 0);
    assert_int_equal(contacts->items[0].phase, CT_TOUCH_PHASE_ENDED);
    assert_true(ct_input_released(in, CT_INPUT_DEVICE_TOUCH, 0));
    ct_input_begin_frame(in);
    assert_int_equal(contacts->count, 0);
    ct_input_feed_touch(in, CT_TOUCH_PHASE_MOVED, 77, first, 0);
    assert_int_equal(ct_input_event_list(in)->count, 0);
}

static void passes_over_fingers_past_the_last(void **state) {
    (void)state;
    for (uint64_t finger = 0; finger < 40; ++finger)
        ct_input_feed_touch(in, CT_TOUCH_PHASE_BEGAN, finger, (ct_vec2){.x = 1, .y = 1}, 1);
    assert_int_equal(ct_input_touches(in)->count, CT_TOUCH_MAX_CONTACTS);
    ct_input_feed_focus_lost(in);
    ct_input_begin_frame(in);
    assert_int_equal(ct_input_touches(in)->count, 0);
}

static void knows_the_device_that_was_used_last(void **state) {
    (void)state;
    ct_input_feed_button(in, CT_INPUT_DEVICE_MOUSE, 0, true);
    assert_int_equal(ct_input_last_used(in), CT_INPUT_DEVICE_MOUSE);
    ct_input_feed_axis(in, CT_INPUT_DEVICE_PAD_3, CT_PAD_AXIS_RIGHT, ct_vec3_make(0.1f, 0, 0),
                       false);
    assert_int_equal(ct_input_last_used(in), CT_INPUT_DEVICE_MOUSE);
    ct_input_feed_axis(in, CT_INPUT_DEVICE_PAD_3, CT_PAD_AXIS_RIGHT, ct_vec3_make(0, -0.9f, 0),
                       false);
    assert_int_equal(ct_input_last_used(in), CT_INPUT_DEVICE_PAD_3);
}

static const char *swiss_name(void *user, uint32_t usage) {
    (void)user;
    return usage == 29 ? "Y" : "";
}

static void asks_the_platform_for_names_of_keys(void **state) {
    (void)state;
    const uint32_t z = id(CT_INPUT_DEVICE_KEYBOARD, "z"), a = id(CT_INPUT_DEVICE_KEYBOARD, "a");
    assert_string_equal(ct_input_locale_name(in, CT_INPUT_DEVICE_KEYBOARD, z), "z");
    const ct_input_platform platform = {.key_name = swiss_name};
    ct_input_set_platform(in, &platform);
    assert_string_equal(ct_input_locale_name(in, CT_INPUT_DEVICE_KEYBOARD, z), "Y");
    assert_string_equal(ct_input_locale_name(in, CT_INPUT_DEVICE_KEYBOARD, a), "a");
    assert_string_equal(ct_input_locale_name(in, CT_INPUT_DEVICE_MOUSE, 0), "left");
    assert_null(ct_input_locale_name(in, CT_INPUT_DEVICE_KEYBOARD, 100000));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(lists_events_in_their_order_with_their_times),
        TEST(passes_over_text_that_is_no_utf8),
        TEST(tells_what_an_input_method_edits),
        TEST(drops_a_flood_and_keeps_the_state_right),
        TEST(drops_more_text_than_a_frame_holds),
        TEST(makes_keystrokes_of_keys_that_are_no_text),
        TEST(makes_keystrokes_of_letters_with_ctrl),
        TEST(pads_come_and_go_with_all_they_hold),
        TEST(buttons_that_know_more_go_down_at_half_and_up_a_bit_below),
        TEST(sticks_have_dead_zones_that_can_be_set),
        TEST(fingers_are_contacts_with_phases),
        TEST(passes_over_fingers_past_the_last),
        TEST(knows_the_device_that_was_used_last),
        TEST(asks_the_platform_for_names_of_keys),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
