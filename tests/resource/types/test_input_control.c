#include "support/test_support.h"

#include <stdio.h>
#include <string.h>

#include "foundation/error.h"
#include "resource/types/input_control.h"

static void assert_same(const char *text) {
    ct_input_control control;
    uint32_t modifiers = 0;
    ct_error error = {0};
    char written[CT_INPUT_CONTROL_TEXT_BYTES];
    if (!ct_input_control_parse(text, &control, &modifiers, &error))
        fail_msg("%s", error.message);
    ct_input_control_format(control, modifiers, written);
    assert_string_equal(written, text);
    assert_true(ct_input_control_is_valid(control));
}

static void every_button_and_axis_has_a_text(void **state) {
    (void)state;
    static const char *const parts[] = {"x", "y", "left", "right", "down", "up"};
    char text[128];
    for (ct_input_device d = 0; d < CT_INPUT_NUM_DEVICES; ++d) {
        for (uint32_t i = 0; i < ct_input_num_buttons(d); ++i) {
            snprintf(text, sizeof(text), "ctrl+win+%s.%s", ct_input_device_name(d),
                     ct_input_button_name(d, i));
            assert_same(text);
        }
        for (uint32_t i = 0; i < ct_input_num_axes(d); ++i) {
            for (uint32_t k = 0; k < CT_COUNT_OF(parts); ++k) {
                snprintf(text, sizeof(text), "%s.%s.%s", ct_input_device_name(d),
                         ct_input_axis_name(d, i), parts[k]);
                assert_same(text);
            }
        }
    }
    assert_same("pad.left");
    assert_same("pad.a");
    assert_same("keyboard..");
    assert_same("keyboard.numpad +");
    assert_same("shift+keyboard.=");
}

static void refuses_others(void **state) {
    (void)state;
    const char *const bad[] = {"",
                               ".",
                               "keyboard",
                               "keyboard.",
                               "pad5.a",
                               "ctrl+",
                               "ctrl+shift",
                               "mouse.wheel.",
                               "mouse.wheel.z",
                               "pad..x",
                               "keyboard.space.x",
                               "meta+keyboard.a"};
    for (uint32_t i = 0; i < CT_COUNT_OF(bad); ++i) {
        ct_input_control control = {1, 2, 3};
        uint32_t modifiers = 4;
        ct_error error = {0};
        assert_false(ct_input_control_parse(bad[i], &control, &modifiers, &error));
        assert_true(error.message[0] != '\0' && control.number == 3 && modifiers == 4);
    }
}

static void knows_modifiers_by_their_keys(void **state) {
    (void)state;
    const uint32_t keyboard = CT_INPUT_DEVICE_KEYBOARD;
    assert_int_equal(
        ct_input_modifier_of_key((uint32_t)ct_input_button_id(keyboard, "right shift")),
        CT_INPUT_MODIFIER_SHIFT);
    assert_int_equal(ct_input_modifier_of_key((uint32_t)ct_input_button_id(keyboard, "left ctrl")),
                     CT_INPUT_MODIFIER_CTRL);
    assert_int_equal(ct_input_modifier_of_key((uint32_t)ct_input_button_id(keyboard, "a")), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_button_and_axis_has_a_text),
        cmocka_unit_test(refuses_others),
        cmocka_unit_test(knows_modifiers_by_their_keys),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
