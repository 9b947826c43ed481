// Keyboard and Mouse.
#include "script/api_fixture.h"

static void press(ct_input_device device, const char *name, bool is_down) {
    const int32_t id = ct_input_button_id(device, name);
    assert_true(id >= 0);
    ct_input_feed_button(f.input, device, (uint32_t)id, is_down);
}

static void tells_what_is_down_and_what_changed(void **state) {
    (void)state;
    press(CT_INPUT_DEVICE_KEYBOARD, "space", true);
    run_lua(&f, "S = Keyboard.button_id('space')");
    assert_lua(&f, "Keyboard.button(S), Keyboard.pressed(S), Keyboard.released(S)",
               "1\ttrue\tfalse");
    assert_lua(&f, "Keyboard.any_pressed() == S, Keyboard.any_released()", "true\tnil");
    ct_input_begin_frame(f.input);
    assert_lua(&f, "Keyboard.button(S), Keyboard.pressed(S), Keyboard.any_pressed()",
               "1\tfalse\tnil");
    press(CT_INPUT_DEVICE_KEYBOARD, "space", false);
    assert_lua(&f, "Keyboard.button(S), Keyboard.released(S), Keyboard.any_released() == S",
               "0\ttrue\ttrue");
}

static void keeps_devices_apart(void **state) {
    (void)state;
    press(CT_INPUT_DEVICE_MOUSE, "left", true);
    assert_lua(&f, "Mouse.button(Mouse.button_id('left')), Keyboard.any_pressed()", "1\tnil");
    assert_lua(&f, "Mouse.any_pressed() == Mouse.button_id('left')", "true");
}

static void gives_axes(void **state) {
    (void)state;
    ct_input_feed_axis(f.input, CT_INPUT_DEVICE_MOUSE, CT_MOUSE_AXIS_MOUSE, ct_vec3_make(3, -4, 0),
                       true);
    assert_lua(&f, "parts(Mouse.axis(Mouse.axis_id('mouse')))", "3\t-4\t0");
    assert_lua(&f, "Mouse.num_axes(), Mouse.axis_name(Mouse.axis_index('wheel'))", "3\twheel");
    assert_lua_error(&f, "Mouse.axis(3)",
                     "Mouse.axis: argument 1 (id): expected an integer from 0 to 2, got 3");
    assert_lua_error(&f, "Mouse.axis_id('whel')",
                     "Mouse.axis_id: argument 1 (name): there is no axis \"whel\", did you mean "
                     "\"wheel\"?");
    assert_lua_error(&f, "Keyboard.axis(0)", "Keyboard.axis: it has no axes");
    assert_lua_error(&f, "Keyboard.axis_id('x')", "there is no axis \"x\"");
}

static void names_buttons(void **state) {
    (void)state;
    assert_lua(&f, "Keyboard.button_name(Keyboard.button_id('space'))", "space");
    assert_lua(&f, "Keyboard.button_locale_name(Keyboard.button_index('a'))", "a");
    char count[16];
    snprintf(count, sizeof count, "%u", ct_input_num_buttons(CT_INPUT_DEVICE_MOUSE));
    assert_lua(&f, "Mouse.num_buttons()", count);
    assert_lua_error(&f, "Keyboard.button_id('spce')",
                     "Keyboard.button_id: argument 1 (name): there is no button \"spce\", did you "
                     "mean \"space\"?");
    assert_lua_error(&f, "Keyboard.button_id(5)", "expected string, got number");
    assert_lua_error(&f, "Keyboard.pressed(nil)",
                     "Keyboard.pressed: argument 1 (id): expected integer, got nil");
    assert_lua_error(&f, "Mouse.pressed(-1)",
                     "Mouse.pressed: argument 1 (id): expected an integer");
    assert_lua_error(&f, "Mouse.button(0.5)", "Mouse.button: argument 1 (id): expected an integer");
}

static void tells_what_device_it_is(void **state) {
    (void)state;
    assert_lua(&f, "Keyboard.name(), Keyboard.category(), Mouse.name(), Mouse.category()",
               "keyboard\tkeyboard\tmouse\tmouse");
    assert_lua(&f, "Keyboard.type(), Mouse.type()", "keyboard\tmouse");
    assert_lua(&f, "Mouse.active(), Mouse.connected(), Mouse.disconnected()", "true\ttrue\tfalse");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        API_TEST(tells_what_is_down_and_what_changed),
        API_TEST(keeps_devices_apart),
        API_TEST(gives_axes),
        API_TEST(names_buttons),
        API_TEST(tells_what_device_it_is),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
