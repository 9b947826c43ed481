// An input that another one follows devices for (ct_input_copy_state, ct_input_catch_up).
#include "support/test_support.h"

#include "foundation/math/math.h"
#include "input/input.h"

static ct_input *game, *meanwhile;

static uint32_t key(const char *name) {
    const int32_t id = ct_input_button_id(CT_INPUT_DEVICE_KEYBOARD, name);
    assert_true(id >= 0);
    return (uint32_t)id;
}

static void feed(ct_input *in, const char *name, bool is_down) {
    ct_input_feed_button(in, CT_INPUT_DEVICE_KEYBOARD, key(name), is_down);
}

static bool is_down(const char *name) {
    return ct_input_is_down(game, CT_INPUT_DEVICE_KEYBOARD, key(name));
}

static int set_up(void **state) {
    (void)state;
    game = ct_input_create(test_heap());
    meanwhile = ct_input_create(test_heap());
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    ct_input_destroy(game);
    ct_input_destroy(meanwhile);
    return 0;
}

static void begin(void) {
    ct_input_copy_state(meanwhile, game);
    ct_input_begin_frame(meanwhile);
}

static uint32_t count(ct_input_event_kind kind) {
    const ct_input_events *const events = ct_input_event_list(game);
    uint32_t n = 0;
    for (uint32_t i = 0; i < events->count; ++i)
        n += events->items[i].kind == kind;
    return n;
}

static void releases_what_is_up_and_presses_nothing(void **state) {
    (void)state;
    feed(game, "a", true);
    feed(game, "b", true);
    begin();
    feed(meanwhile, "a", false);
    feed(meanwhile, "c", true);
    ct_input_feed_text(meanwhile, "typed");
    ct_input_feed_keystroke(meanwhile, key("enter"));
    ct_input_begin_frame(game);
    ct_input_catch_up(game, meanwhile);
    assert_false(is_down("a"));
    assert_true(ct_input_released(game, CT_INPUT_DEVICE_KEYBOARD, key("a")));
    assert_true(is_down("b"));
    assert_false(is_down("c"));
    assert_int_equal(count(CT_INPUT_EVENT_KIND_RELEASED), 1);
    assert_int_equal(ct_input_event_list(game)->count, 1);
    // The key that went down meanwhile goes up later.
    feed(game, "c", false);
    assert_int_equal(ct_input_event_list(game)->count, 1);
    feed(game, "c", true);
    assert_true(is_down("c"));
}

static void follows_pads_and_axes(void **state) {
    (void)state;
    const ct_input_device pad = CT_INPUT_DEVICE_PAD_1;
    ct_input_feed_connected(game, pad, "pad");
    ct_input_feed_connected(game, CT_INPUT_DEVICE_PAD_2, "other");
    ct_input_feed_button(game, CT_INPUT_DEVICE_PAD_2, 0, true);
    ct_input_feed_axis(game, pad, CT_PAD_AXIS_LEFT, ct_vec3_make(1, 0, 0), false);
    begin();
    ct_input_feed_axis(meanwhile, pad, CT_PAD_AXIS_LEFT, ct_vec3_make(0, 0, 0), false);
    ct_input_feed_axis(meanwhile, CT_INPUT_DEVICE_MOUSE, CT_MOUSE_AXIS_CURSOR,
                       ct_vec3_make(30, 40, 0), false);
    ct_input_feed_axis(meanwhile, CT_INPUT_DEVICE_MOUSE, CT_MOUSE_AXIS_WHEEL, ct_vec3_make(0, 5, 0),
                       true);
    ct_input_feed_disconnected(meanwhile, CT_INPUT_DEVICE_PAD_2);
    ct_input_feed_connected(meanwhile, CT_INPUT_DEVICE_PAD_3, "new");
    ct_input_begin_frame(game);
    ct_input_catch_up(game, meanwhile);
    assert_true(ct_input_axis(game, pad, CT_PAD_AXIS_LEFT).x == 0.0f);
    assert_true(ct_input_axis(game, CT_INPUT_DEVICE_MOUSE, CT_MOUSE_AXIS_CURSOR).y == 40.0f);
    assert_true(ct_input_axis(game, CT_INPUT_DEVICE_MOUSE, CT_MOUSE_AXIS_WHEEL).y == 0.0f);
    assert_true(ct_input_is_connected(game, pad));
    assert_true(ct_input_was_disconnected(game, CT_INPUT_DEVICE_PAD_2));
    assert_false(ct_input_is_down(game, CT_INPUT_DEVICE_PAD_2, 0));
    assert_true(ct_input_was_connected(game, CT_INPUT_DEVICE_PAD_3));
    assert_string_equal(ct_input_product_name(game, CT_INPUT_DEVICE_PAD_3), "new");
}

static void ends_fingers_that_left(void **state) {
    (void)state;
    ct_input_feed_touch(game, CT_TOUCH_PHASE_BEGAN, 7, ct_vec2_make(1, 2), 1.0f);
    ct_input_feed_touch(game, CT_TOUCH_PHASE_BEGAN, 8, ct_vec2_make(3, 4), 1.0f);
    begin();
    ct_input_feed_touch(meanwhile, CT_TOUCH_PHASE_ENDED, 7, ct_vec2_make(1, 2), 0.0f);
    ct_input_feed_touch(meanwhile, CT_TOUCH_PHASE_BEGAN, 7, ct_vec2_make(9, 9), 1.0f);
    ct_input_begin_frame(meanwhile);
    ct_input_begin_frame(game);
    ct_input_catch_up(game, meanwhile);
    ct_input_begin_frame(game);
    assert_int_equal(ct_input_touches(game)->count, 1);
    assert_int_equal(ct_input_touches(game)->items[0].finger, 8);
    assert_true(ct_input_is_down(game, CT_INPUT_DEVICE_TOUCH, 0));
}

static uint32_t num_offered;

static bool takes_all(void *user, const ct_input_event *event) {
    (void)user;
    (void)event;
    ++num_offered;
    return true;
}

static void leaves_filter_and_motors_to_the_game(void **state) {
    (void)state;
    ct_input_set_filter(game, &(ct_input_filter){.takes = takes_all});
    begin();
    num_offered = 0;
    feed(meanwhile, "a", true);
    feed(meanwhile, "a", false);
    ct_input_catch_up(game, meanwhile);
    assert_int_equal(num_offered, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(releases_what_is_up_and_presses_nothing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(follows_pads_and_axes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(ends_fingers_that_left, set_up, tear_down),
        cmocka_unit_test_setup_teardown(leaves_filter_and_motors_to_the_game, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
