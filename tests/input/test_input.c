#include <math.h>
#include <string.h>

#include "foundation/math/math.h"
#include "input/input.h"
#include "support/test_support.h"

static const ct_input_device keyboard = CT_INPUT_DEVICE_KEYBOARD, mouse = CT_INPUT_DEVICE_MOUSE;

static uint32_t key(const char *name) {
    const int32_t id = ct_input_button_id(keyboard, name);
    assert_true(id >= 0);
    return (uint32_t)id;
}

static void tells_pressed_only_in_the_frame_of_the_press(void **state) {
    (void)state;
    ct_input *const in = ct_input_create(test_heap());
    ct_input_begin_frame(in);
    ct_input_feed_button(in, keyboard, key("space"), true);
    assert_true(ct_input_is_down(in, keyboard, key("space")));
    assert_true(ct_input_pressed(in, keyboard, key("space")));
    assert_false(ct_input_released(in, keyboard, key("space")));
    ct_input_begin_frame(in);
    assert_true(ct_input_is_down(in, keyboard, key("space")));
    assert_false(ct_input_pressed(in, keyboard, key("space")));
    ct_input_feed_button(in, keyboard, key("space"), false);
    assert_false(ct_input_is_down(in, keyboard, key("space")));
    assert_true(ct_input_released(in, keyboard, key("space")));
    ct_input_begin_frame(in);
    assert_false(ct_input_released(in, keyboard, key("space")));
    ct_input_destroy(in);
}

static void keeps_a_tap_within_one_frame(void **state) {
    (void)state;
    ct_input *const in = ct_input_create(test_heap());
    ct_input_feed_button(in, mouse, 0, true);
    ct_input_feed_button(in, mouse, 0, false);
    assert_false(ct_input_is_down(in, mouse, 0));
    assert_true(ct_input_pressed(in, mouse, 0));
    assert_true(ct_input_released(in, mouse, 0));
    ct_input_destroy(in);
}

static void passes_over_key_repeats(void **state) {
    (void)state;
    ct_input *const in = ct_input_create(test_heap());
    ct_input_feed_button(in, keyboard, key("a"), true);
    ct_input_begin_frame(in);
    ct_input_feed_button(in, keyboard, key("a"), true);
    assert_false(ct_input_pressed(in, keyboard, key("a")));
    ct_input_feed_button(in, keyboard, key("b"), false);
    assert_false(ct_input_released(in, keyboard, key("b")));
    ct_input_destroy(in);
}

static void releases_everything_when_the_focus_is_lost(void **state) {
    (void)state;
    ct_input *const in = ct_input_create(test_heap());
    ct_input_feed_button(in, keyboard, key("w"), true);
    ct_input_feed_button(in, mouse, 1, true);
    ct_input_begin_frame(in);
    ct_input_feed_focus_lost(in);
    assert_false(ct_input_is_down(in, keyboard, key("w")));
    assert_true(ct_input_released(in, keyboard, key("w")));
    assert_false(ct_input_is_down(in, mouse, 1));
    assert_false(ct_input_released(in, mouse, 0));
    ct_input_destroy(in);
}

static void adds_up_movement_within_a_frame(void **state) {
    (void)state;
    ct_input *const in = ct_input_create(test_heap());
    ct_input_feed_axis(in, mouse, CT_MOUSE_AXIS_MOUSE, ct_vec3_make(3, 1, 0), true);
    ct_input_feed_axis(in, mouse, CT_MOUSE_AXIS_MOUSE, ct_vec3_make(2, -4, 0), true);
    ct_input_feed_axis(in, mouse, CT_MOUSE_AXIS_WHEEL, ct_vec3_make(0, 1, 0), true);
    const ct_vec3 moved = ct_input_axis(in, mouse, CT_MOUSE_AXIS_MOUSE);
    assert_true(moved.x == 5 && moved.y == -3);
    ct_input_begin_frame(in);
    assert_true(ct_input_axis(in, mouse, CT_MOUSE_AXIS_MOUSE).x == 0);
    assert_true(ct_input_axis(in, mouse, CT_MOUSE_AXIS_WHEEL).y == 0);
    ct_input_destroy(in);
}

static void remote_events_after_the_feeding_count_in_the_next_frame(void **state) {
    (void)state;
    ct_input *const in = ct_input_create(test_heap());
    char text[] = "so";
    const ct_input_event events[] = {
        {.kind = CT_INPUT_EVENT_KIND_PRESSED,
         .device = keyboard,
         .number = key("space"),
         .value = {{1}}},
        {.kind = CT_INPUT_EVENT_KIND_AXIS,
         .device = mouse,
         .number = CT_MOUSE_AXIS_WHEEL,
         .value = {{0, 2}}},
        {.kind = CT_INPUT_EVENT_KIND_TEXT, .device = keyboard, .text = text},
        {.kind = CT_INPUT_EVENT_KIND_RELEASED, .device = keyboard, .number = key("space")},
        {.kind = CT_NUM_INPUT_EVENT_KINDS, .device = keyboard},
        {.kind = CT_INPUT_EVENT_KIND_PRESSED, .device = keyboard, .number = 1u << 20},
    };
    ct_input_end_feeding(in);
    for (uint32_t i = 0; i < CT_COUNT_OF(events); ++i)
        ct_input_add_remote(in, &events[i]);
    memset(text, 'x', 2); // the text was copied
    assert_int_equal(ct_input_event_list(in)->count, 0);
    assert_false(ct_input_pressed(in, keyboard, key("space")));
    ct_input_begin_frame(in);
    assert_true(ct_input_pressed(in, keyboard, key("space")));
    assert_true(ct_input_released(in, keyboard, key("space")));
    assert_true(ct_input_axis(in, mouse, CT_MOUSE_AXIS_WHEEL).y == 2);
    assert_int_equal(ct_input_event_list(in)->count, 4);
    assert_string_equal(ct_input_event_list(in)->items[2].text, "so");
    // Fed at once until the feeding of this frame ends, and never twice.
    ct_input_add_remote(in, &events[0]);
    assert_true(ct_input_is_down(in, keyboard, key("space")));
    ct_input_begin_frame(in);
    assert_int_equal(ct_input_event_list(in)->count, 0);
    assert_false(ct_input_pressed(in, keyboard, key("space")));
    ct_input_destroy(in);
}

static void keeps_the_cursor_from_frame_to_frame(void **state) {
    (void)state;
    ct_input *const in = ct_input_create(test_heap());
    ct_input_feed_axis(in, mouse, CT_MOUSE_AXIS_CURSOR, ct_vec3_make(640, 360, 0), false);
    ct_input_feed_axis(in, mouse, CT_MOUSE_AXIS_CURSOR, ct_vec3_make(641, 360, 0), false);
    ct_input_begin_frame(in);
    assert_true(ct_input_axis(in, mouse, CT_MOUSE_AXIS_CURSOR).x == 641);
    ct_input_destroy(in);
}

static void finds_every_button_and_axis_by_its_name(void **state) {
    (void)state;
    for (ct_input_device d = 0; d < CT_INPUT_NUM_DEVICES; ++d) {
        assert_true(ct_input_num_buttons(d) > 0);
        assert_true(ct_input_num_buttons(d) <= CT_INPUT_MAX_BUTTONS);
        assert_true(ct_input_num_axes(d) <= CT_INPUT_MAX_AXES);
        for (uint32_t i = 0; i < ct_input_num_buttons(d); ++i)
            assert_int_equal(ct_input_button_id(d, ct_input_button_name(d, i)), i);
        for (uint32_t i = 0; i < ct_input_num_axes(d); ++i)
            assert_int_equal(ct_input_axis_id(d, ct_input_axis_name(d, i)), i);
    }
    assert_int_equal(ct_input_axis_id(mouse, "cursor"), CT_MOUSE_AXIS_CURSOR);
    assert_int_equal(ct_input_axis_id(mouse, "mouse"), CT_MOUSE_AXIS_MOUSE);
    assert_int_equal(ct_input_axis_id(mouse, "wheel"), CT_MOUSE_AXIS_WHEEL);
}

static void knows_nothing_by_unknown_names_and_numbers(void **state) {
    (void)state;
    ct_input *const in = ct_input_create(test_heap());
    assert_int_equal(ct_input_button_id(keyboard, "any key"), -1);
    assert_int_equal(ct_input_button_id(keyboard, "A"), -1);
    assert_int_equal(ct_input_axis_id(keyboard, "mouse"), -1);
    assert_null(ct_input_button_name(mouse, 5));
    assert_null(ct_input_axis_name(mouse, 3));
    assert_int_equal(ct_input_num_buttons(CT_INPUT_NUM_DEVICES), 0);
    ct_input_feed_button(in, keyboard, 100000, true);
    ct_input_feed_button(in, CT_INPUT_NUM_DEVICES, 0, true);
    ct_input_feed_axis(in, mouse, 3, ct_vec3_make(1, 1, 1), false);
    ct_input_feed_axis(in, mouse, CT_MOUSE_AXIS_CURSOR, ct_vec3_make(NAN, 0, 0), false);
    assert_false(ct_input_is_down(in, keyboard, 100000));
    assert_false(ct_input_pressed(in, CT_INPUT_NUM_DEVICES, 0));
    assert_int_equal(ct_input_any_pressed(in, CT_INPUT_NUM_DEVICES), -1);
    assert_true(ct_input_axis(in, mouse, 3).x == 0);
    assert_true(ct_input_axis(in, mouse, CT_MOUSE_AXIS_CURSOR).x == 0);
    ct_input_destroy(in);
}

static void finds_keys_by_their_usb_usage(void **state) {
    (void)state;
    const struct {
        uint32_t usage;
        const char *name;
    } known[] = {{4, "a"},      {29, "z"},        {30, "1"},          {39, "0"},
                 {40, "enter"}, {41, "esc"},      {44, "space"},      {58, "f1"},
                 {69, "f12"},   {79, "right"},    {80, "left"},       {81, "down"},
                 {82, "up"},    {98, "numpad 0"}, {224, "left ctrl"}, {225, "left shift"}};
    for (uint32_t i = 0; i < CT_COUNT_OF(known); ++i) {
        const int32_t button = ct_input_key_of_usage(known[i].usage);
        assert_true(button >= 0);
        assert_string_equal(ct_input_button_name(keyboard, (uint32_t)button), known[i].name);
    }
    assert_int_equal(ct_input_key_of_usage(0), -1);
    assert_int_equal(ct_input_key_of_usage(0xffff), -1);
}

static void gives_each_usage_to_one_key(void **state) {
    (void)state;
    bool seen[CT_INPUT_MAX_BUTTONS] = {false};
    uint32_t count = 0;
    for (uint32_t usage = 0; usage < 512; ++usage) {
        const int32_t button = ct_input_key_of_usage(usage);
        if (button < 0)
            continue;
        assert_false(seen[button]);
        seen[button] = true;
        ++count;
    }
    assert_int_equal(count, ct_input_num_buttons(keyboard));
}

static void gives_the_lowest_button_of_a_frame(void **state) {
    (void)state;
    ct_input *const in = ct_input_create(test_heap());
    assert_int_equal(ct_input_any_pressed(in, mouse), -1);
    ct_input_feed_button(in, mouse, 2, true);
    ct_input_feed_button(in, mouse, 1, true);
    assert_int_equal(ct_input_any_pressed(in, mouse), 1);
    assert_int_equal(ct_input_any_released(in, mouse), -1);
    ct_input_begin_frame(in);
    ct_input_feed_button(in, mouse, 2, false);
    assert_int_equal(ct_input_any_pressed(in, mouse), -1);
    assert_int_equal(ct_input_any_released(in, mouse), 2);
    ct_input_destroy(in);
}

// --- Filters -------------------------------------------------------------------------------------

// Takes everything of the keyboard while it is on, and counts by kind.
typedef struct taker {
    bool is_on;
    uint32_t counts[CT_NUM_INPUT_EVENT_KINDS];
} taker;

static bool take(void *user, const ct_input_event *event) {
    taker *const t = user;
    ++t->counts[event->kind];
    return t->is_on && event->device == keyboard;
}

static void a_filter_takes_input_before_it_changes_anything(void **state) {
    (void)state;
    ct_input *const in = ct_input_create(test_heap());
    taker t = {.is_on = true};
    ct_input_set_filter(in, &(ct_input_filter){.user = &t, .takes = take});
    ct_input_feed_button(in, keyboard, key("enter"), true);
    ct_input_feed_button(in, keyboard, key("enter"), true); // a repeat
    ct_input_feed_keystroke(in, key("enter"));
    ct_input_feed_text(in, "x");
    ct_input_feed_editing(in, "y", 1, 0);
    assert_false(ct_input_is_down(in, keyboard, key("enter")));
    assert_false(ct_input_pressed(in, keyboard, key("enter")));
    assert_true(ct_input_value(in, keyboard, key("enter")) == 0.0f);
    ct_input_feed_button(in, keyboard, key("enter"), false);
    ct_input_feed_button(in, keyboard, key("enter"), false);
    assert_false(ct_input_released(in, keyboard, key("enter")));
    assert_int_equal(ct_input_event_list(in)->count, 0);
    assert_int_equal(t.counts[CT_INPUT_EVENT_KIND_PRESSED], 1);
    assert_int_equal(t.counts[CT_INPUT_EVENT_KIND_RELEASED], 1);
    assert_int_equal(t.counts[CT_INPUT_EVENT_KIND_KEYSTROKE], 1);
    assert_int_equal(t.counts[CT_INPUT_EVENT_KIND_TEXT], 1);
    assert_int_equal(t.counts[CT_INPUT_EVENT_KIND_EDITING], 1);
    ct_input_feed_button(in, mouse, 0, true);
    assert_true(ct_input_is_down(in, mouse, 0));
    ct_input_set_filter(in, NULL);
    ct_input_feed_button(in, keyboard, key("enter"), true);
    assert_true(ct_input_is_down(in, keyboard, key("enter")));
    ct_input_destroy(in);
}

static void a_button_that_is_down_comes_up_in_spite_of_a_filter(void **state) {
    (void)state;
    ct_input *const in = ct_input_create(test_heap());
    taker t = {.is_on = false};
    ct_input_set_filter(in, &(ct_input_filter){.user = &t, .takes = take});
    ct_input_feed_button(in, keyboard, key("w"), true);
    t.is_on = true;
    ct_input_feed_button(in, keyboard, key("w"), false);
    assert_false(ct_input_is_down(in, keyboard, key("w")));
    assert_true(ct_input_released(in, keyboard, key("w")));
    // And one whose press was taken stays up for the game, though the filter is off by then.
    ct_input_begin_frame(in);
    ct_input_feed_button(in, keyboard, key("a"), true);
    t.is_on = false;
    ct_input_feed_focus_lost(in);
    assert_false(ct_input_released(in, keyboard, key("a")));
    assert_int_equal(t.counts[CT_INPUT_EVENT_KIND_RELEASED], 1);
    ct_input_destroy(in);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tells_pressed_only_in_the_frame_of_the_press),
        cmocka_unit_test(keeps_a_tap_within_one_frame),
        cmocka_unit_test(passes_over_key_repeats),
        cmocka_unit_test(releases_everything_when_the_focus_is_lost),
        cmocka_unit_test(adds_up_movement_within_a_frame),
        cmocka_unit_test(remote_events_after_the_feeding_count_in_the_next_frame),
        cmocka_unit_test(keeps_the_cursor_from_frame_to_frame),
        cmocka_unit_test(finds_every_button_and_axis_by_its_name),
        cmocka_unit_test(knows_nothing_by_unknown_names_and_numbers),
        cmocka_unit_test(finds_keys_by_their_usb_usage),
        cmocka_unit_test(gives_each_usage_to_one_key),
        cmocka_unit_test(gives_the_lowest_button_of_a_frame),
        cmocka_unit_test(a_filter_takes_input_before_it_changes_anything),
        cmocka_unit_test(a_button_that_is_down_comes_up_in_spite_of_a_filter),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
