// Actions: what moves them, sets, players' bindings, capture.
#include "support/test_support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "foundation/error.h"
#include "foundation/log.h"
#include "foundation/math/math.h"
#include "foundation/os/file.h"
#include "foundation/os/os.h"
#include "input/actions.h"
#include "resource/blob/blob_fixtures.h"

// The actions of the fixture, by place.
enum { JUMP, WRITE_S, SAVE, MOVE, LOOK, ZOOM, MENU_UP };

static ct_input *in;
static ct_actions *actions;
static char user_file[1024];

static void set_fixture_resource(void) {
    ct_blob_writer w;
    write_input(&w);
    assert_accepted(ct_input_validate, w.bytes.items);
    ct_actions_set_resource(actions, (const ct_input_resource *)(const void *)w.bytes.items);
    ct_blob_writer_free(&w);
}

static int set_up(void **state) {
    (void)state;
    snprintf(user_file, sizeof(user_file), "%s/deep/input.sjson", test_scratch_folder());
    in = ct_input_create(test_heap());
    const ct_actions_desc desc = {
        .allocator = test_heap(), .input = in, .resource = "input/test", .user_file = user_file};
    actions = ct_actions_create(&desc);
    set_fixture_resource();
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    ct_actions_destroy(actions);
    ct_input_destroy(in);
    return 0;
}

// A control by its text.
static ct_input_control control(const char *text) {
    ct_input_control c;
    uint32_t modifiers;
    ct_error error = {0};
    if (!ct_input_control_parse(text, &c, &modifiers, &error))
        fail_msg("%s", error.message);
    if (c.device == CT_INPUT_ANY_PAD)
        c.device = CT_INPUT_DEVICE_PAD_1;
    return c;
}

static void set_down(const char *text, bool is_down) {
    const ct_input_control c = control(text);
    ct_input_feed_button(in, (ct_input_device)c.device, c.number, is_down);
}

static void push(const char *text, float x, float y) {
    const ct_input_control c = control(text);
    ct_input_feed_axis(in, (ct_input_device)c.device, c.number, ct_vec3_make(x, y, 0), false);
}

static void update(void) {
    ct_actions_update(actions, 0.1);
    ct_input_begin_frame(in);
}

static void assert_button(uint32_t action, bool held, bool pressed, bool released) {
    const bool found[3] = {ct_actions_held(actions, action), ct_actions_pressed(actions, action),
                           ct_actions_released(actions, action)};
    if (found[0] != held || found[1] != pressed || found[2] != released)
        fail_msg("%s: found held %d pressed %d released %d, expected %d %d %d",
                 ct_actions_name(actions, action), found[0], found[1], found[2], held, pressed,
                 released);
}

static void assert_value(uint32_t action, float x, float y) {
    const ct_vec3 v = ct_actions_value(actions, action);
    if (fabsf(v.x - x) > 1e-5f || fabsf(v.y - y) > 1e-5f)
        fail_msg("%s: found %g %g, expected %g %g", ct_actions_name(actions, action), (double)v.x,
                 (double)v.y, (double)x, (double)y);
}

static void buttons_are_pressed_held_and_released(void **state) {
    (void)state;
    set_down("keyboard.space", true);
    update();
    assert_button(JUMP, true, true, false);
    assert_value(JUMP, 1, 0);
    update();
    assert_button(JUMP, true, false, false);
    set_down("keyboard.space", false);
    update();
    assert_button(JUMP, false, false, true);
    update();
    assert_button(JUMP, false, false, false);
}

static void any_binding_moves_an_action(void **state) {
    (void)state;
    set_down("pad.a", true);
    update();
    assert_button(JUMP, true, true, false);
    // While one holds it, another presses nothing, and ends nothing.
    set_down("keyboard.space", true);
    update();
    assert_button(JUMP, true, false, false);
    set_down("pad.a", false);
    update();
    assert_button(JUMP, true, false, false);
    set_down("keyboard.space", false);
    update();
    assert_button(JUMP, false, false, true);
}

static void taps_within_an_update_are_seen(void **state) {
    (void)state;
    set_down("keyboard.space", true);
    set_down("keyboard.space", false);
    update();
    assert_button(JUMP, false, true, true);
    set_down("keyboard.space", true);
    update();
    set_down("keyboard.space", false);
    set_down("keyboard.space", true);
    update();
    assert_button(JUMP, true, true, true);
}

static void modifiers_choose_among_bindings(void **state) {
    (void)state;
    set_down("keyboard.s", true);
    update();
    assert_button(WRITE_S, true, true, false);
    assert_button(SAVE, false, false, false);
    // Ctrl after s does nothing.
    set_down("keyboard.left ctrl", true);
    update();
    assert_button(SAVE, false, false, false);
    set_down("keyboard.s", false);
    update();
    assert_button(WRITE_S, false, false, true);
    // Ctrl and then s saves, and writes no s, not even when ctrl goes up first.
    set_down("keyboard.s", true);
    update();
    assert_button(SAVE, true, true, false);
    assert_button(WRITE_S, false, false, false);
    set_down("keyboard.left ctrl", false);
    update();
    assert_button(SAVE, false, false, true);
    assert_button(WRITE_S, false, false, false);
}

static void modifiers_count_that_come_and_go_within_an_update(void **state) {
    (void)state;
    set_down("keyboard.left ctrl", true);
    set_down("keyboard.s", true);
    set_down("keyboard.s", false);
    set_down("keyboard.left ctrl", false);
    update();
    assert_button(SAVE, false, true, true);
    assert_button(WRITE_S, false, false, false);
}

static void other_modifiers_do_not_hinder(void **state) {
    (void)state;
    set_down("keyboard.left shift", true);
    set_down("keyboard.space", true);
    update();
    assert_button(JUMP, true, true, false);
}

static void four_keys_make_a_vector_no_longer_than_one(void **state) {
    (void)state;
    set_down("keyboard.w", true);
    update();
    assert_value(MOVE, 0, 1);
    set_down("keyboard.d", true);
    update();
    assert_value(MOVE, sqrtf(0.5f), sqrtf(0.5f));
    set_down("keyboard.w", false);
    set_down("keyboard.a", true);
    update();
    assert_value(MOVE, 0, 0);
}

static void sticks_have_the_dead_zone_of_the_binding(void **state) {
    (void)state;
    push("pad.left", 0.3f, 0);
    update();
    assert_value(MOVE, 0, 0); // 0.5 is the binding's
    push("pad.left", 0.75f, 0);
    update();
    assert_value(MOVE, 0.5f, 0);
}

static void speeds_count_by_seconds_and_movement_does_not(void **state) {
    (void)state;
    push("pad.right", 0, 1);
    update();
    assert_value(LOOK, 0, 0.2f); // scale 2, a tenth of a second
    push("pad.right", 0, 0);
    ct_input_feed_axis(in, CT_INPUT_DEVICE_MOUSE, CT_MOUSE_AXIS_MOUSE, ct_vec3_make(10, 30, 0),
                       true);
    update();
    assert_value(LOOK, 1, 3); // scale 0.1; up is up, and inverted
}

static void pairs_and_components_make_an_axis(void **state) {
    (void)state;
    set_down("keyboard.q", true);
    update();
    assert_value(ZOOM, -1, 0);
    set_down("keyboard.q", false);
    ct_input_feed_axis(in, CT_INPUT_DEVICE_MOUSE, CT_MOUSE_AXIS_WHEEL, ct_vec3_make(0, 3, 0), true);
    update();
    assert_value(ZOOM, 3, 0);
    update();
    assert_value(ZOOM, 0, 0);
}

static void halves_of_sticks_are_pressed(void **state) {
    (void)state;
    ct_actions_set_active(actions, 1, true);
    push("pad.left", 0, 0.9f);
    update();
    assert_button(MENU_UP, true, true, false);
    update();
    assert_button(MENU_UP, true, false, false);
    push("pad.left", 0, 0);
    update();
    assert_button(MENU_UP, false, false, true);
}

static void sets_switch_actions(void **state) {
    (void)state;
    assert_int_equal(ct_actions_num_sets(actions), 2);
    assert_false(ct_actions_is_active(actions, (uint32_t)ct_actions_find_set(actions, "menu")));
    set_down("keyboard.up", true);
    update();
    assert_button(MENU_UP, false, false, false);
    // What is held when the set comes waits for a new press.
    ct_actions_set_active(actions, 1, true);
    update();
    assert_button(MENU_UP, false, false, false);
    set_down("keyboard.up", false);
    update();
    set_down("keyboard.up", true);
    update();
    assert_button(MENU_UP, true, true, false);
    ct_actions_set_active(actions, 1, false);
    update();
    assert_button(MENU_UP, false, false, true);
}

static void players_bind_slots(void **state) {
    (void)state;
    ct_input_binding k;
    ct_error error = {0};
    assert_true(ct_input_binding_parse("keyboard.k", &k, &error));
    assert_true(ct_actions_bind(actions, JUMP, 1, &k, &error));
    set_down("keyboard.space", true);
    update();
    assert_button(JUMP, false, false, false);
    set_down("keyboard.k", true);
    update();
    assert_button(JUMP, true, true, false);
    assert_true(ct_actions_bind(actions, JUMP, 5, &k, &error));
    assert_int_equal(ct_actions_num_slots(actions, JUMP), 5);
    assert_false(ct_actions_bind(actions, MOVE, 1, &k, &error));
    assert_non_null(strstr(error.message, "does not fit: a vector needs an axis"));
    assert_false(ct_actions_bind(actions, JUMP, 17, &k, &error));
    ct_actions_reset(actions, JUMP);
    assert_int_equal(ct_actions_num_slots(actions, JUMP), 2);
}

static void bindings_outlive_a_reload(void **state) {
    (void)state;
    ct_input_binding k;
    ct_input_binding_parse("keyboard.k", &k, NULL);
    ct_actions_bind(actions, JUMP, 1, &k, NULL);
    ct_actions_set_active(actions, 1, true);
    set_fixture_resource();
    set_down("keyboard.k", true);
    update();
    assert_button(JUMP, true, true, false);
    assert_true(ct_actions_is_active(actions, 1));
}

static void the_players_file_is_read_back(void **state) {
    (void)state;
    ct_error error = {0};
    ct_input_binding k, four = *ct_actions_binding(actions, MOVE, 1), none = {0};
    ct_input_binding_parse("shift+keyboard.k", &k, NULL);
    ct_input_binding_parse("none", &none, NULL);
    four.controls[3] = control("keyboard.i");
    four.scale = 0.25f;
    ct_actions_bind(actions, JUMP, 2, &k, NULL);
    ct_actions_bind(actions, JUMP, 1, &none, NULL);
    ct_actions_bind(actions, MOVE, 1, &four, NULL);
    assert_true(ct_actions_save_user(actions, &error));
    ct_actions_reset_all(actions);
    assert_int_equal(ct_actions_binding(actions, JUMP, 1)->kind, CT_INPUT_BINDING_KIND_CONTROL);
    ct_actions_load_user(actions);
    assert_int_equal(ct_actions_binding(actions, JUMP, 1)->kind, CT_INPUT_BINDING_KIND_NONE);
    assert_memory_equal(ct_actions_binding(actions, JUMP, 2), &k, sizeof(k));
    assert_memory_equal(ct_actions_binding(actions, MOVE, 1), &four, sizeof(four));
}

static char warned[4096];

static void hear(void *user, ct_log_level level, const char *system, const char *message) {
    (void)user, (void)level, (void)system;
    snprintf(warned, sizeof(warned), "%s", message);
}

static void assert_warned(const char *text, const char *part) {
    const ct_log_sink sink = {hear, NULL, CT_LOG_LEVEL_WARNING};
    warned[0] = '\0';
    ct_log_add_sink(&sink);
    const bool is_right = ct_actions_read_user(actions, text, strlen(text), "input.sjson");
    ct_log_remove_sink(hear, NULL);
    assert_false(is_right);
    if (!strstr(warned, part))
        fail_msg("found \"%s\", expected \"%s\"", warned, part);
}

static void what_is_wrong_in_the_file_is_told_and_passed_over(void **state) {
    (void)state;
    assert_warned("actions = {\n    jump = { 1 = \"keyboard.spce\" }\n}",
                  "input.sjson:2:14: error: keyboard has no button or axis \"spce\"; did you mean "
                  "\"space\"?");
    assert_warned("actions = { jump = { 99 = \"keyboard.k\" } }", "expected a slot from 1 to 16");
    assert_warned("actions = { jump = 5 }", "expected an action with its slots");
    assert_warned("actions = { jump = { 1 = 5 } }", "found a number, expected a binding");
    assert_warned("actions = { move = { 1 = \"keyboard.k\" } }", "does not fit");
    assert_warned("action = {}", "expected actions = {");
    assert_warned("actions = {", "input.sjson:1:");
    assert_warned("actions = { fly = { 1 = \"keyboard.f\" } }",
                  "unknown action; its bindings are kept");
    set_down("keyboard.space", true);
    update();
    assert_button(JUMP, true, true, false);
    ct_string_builder text;
    ct_string_builder_init(&text, test_heap());
    ct_actions_write_user(actions, &text);
    assert_non_null(strstr(ct_string_builder_text(&text), "keyboard.f"));
    ct_string_builder_free(&text);
}

static void a_file_that_was_not_understood_is_kept_aside(void **state) {
    (void)state;
    char old[1100], folder[1024];
    ct_error error = {0};
    snprintf(old, sizeof(old), "%s.old", user_file);
    snprintf(folder, sizeof(folder), "%.*s", (int)(strlen(user_file) - strlen("/input.sjson")),
             user_file);
    assert_true(ct_folder_create(folder, &error));
    assert_true(ct_file_write(user_file, "broken = {", 10, false, &error));
    ct_actions_load_user(actions);
    assert_true(ct_actions_save_user(actions, &error));
    assert_int_equal(ct_os_file_info(old).size_bytes, 10);
    assert_int_equal(ct_os_file_info(user_file).kind, CT_FILE_KIND_FILE);
}

// 20,000 damaged files leave a state that can be written, and read again without a warning.
static void damaged_files_hurt_nothing(void **state) {
    (void)state;
    static const char good[] =
        "actions = {\n jump = { 1 = \"ctrl+keyboard.k\" 2 = \"none\" }\n"
        " move = { 1 = { left = \"keyboard.j\" right = \"keyboard.l\" scale = 0.5 } }\n"
        " look = { 2 = { control = \"pad.right\" dead_zone = 0.1 per_second = true } } }\n";
    uint32_t seed = 7;
    for (uint32_t round = 0; round < test_rounds(2000, 20000); ++round) {
        char text[sizeof(good)];
        memcpy(text, good, sizeof(good));
        const uint32_t bytes = test_random(&seed) % 4 == 0
                                   ? test_random(&seed) % (uint32_t)sizeof(good)
                                   : (uint32_t)sizeof(good) - 1;
        for (uint32_t k = test_random(&seed) % 4; k > 0; --k)
            text[test_random(&seed) % (sizeof(good) - 1)] = (char)(test_random(&seed) % 256);
        ct_actions_reset_all(actions);
        ct_actions_read_user(actions, text, bytes, "input.sjson");
        set_down("keyboard.k", round % 2 != 0);
        update();
    }
    ct_actions_reset_all(actions);
    assert_true(ct_actions_read_user(actions, good, sizeof(good) - 1, "input.sjson"));
}

static const char *captured_text(void) {
    static char text[CT_INPUT_CONTROL_TEXT_BYTES];
    ct_input_binding binding;
    if (!ct_actions_captured(actions, &binding))
        return "nothing";
    ct_input_control_format(binding.controls[0], binding.modifiers, text);
    return text;
}

static void captures_what_is_pressed_next(void **state) {
    (void)state;
    ct_actions_start_capture(actions);
    update();
    assert_string_equal(captured_text(), "nothing");
    set_down("keyboard.space", true);
    update();
    assert_string_equal(captured_text(), "keyboard.space");
    assert_button(JUMP, false, false, false);
    assert_false(ct_actions_is_capturing(actions));
    update();
    assert_string_equal(captured_text(), "nothing");
    assert_button(JUMP, false, false, false); // still held: pressed anew it jumps
}

static void captures_what_comes_and_goes_within_an_update(void **state) {
    (void)state;
    ct_actions_start_capture(actions);
    set_down("keyboard.left ctrl", true);
    set_down("keyboard.s", true);
    set_down("keyboard.s", false);
    set_down("keyboard.left ctrl", false);
    update();
    assert_string_equal(captured_text(), "ctrl+keyboard.s");
}

static void captures_modifiers_sticks_and_wheel(void **state) {
    (void)state;
    ct_actions_start_capture(actions);
    set_down("keyboard.left ctrl", true);
    update();
    assert_string_equal(captured_text(), "nothing");
    set_down("keyboard.s", true);
    update();
    assert_string_equal(captured_text(), "ctrl+keyboard.s");
    set_down("keyboard.left ctrl", false);
    ct_actions_start_capture(actions);
    set_down("keyboard.right shift", true);
    update();
    set_down("keyboard.right shift", false);
    update();
    assert_string_equal(captured_text(), "keyboard.right shift");
    ct_actions_start_capture(actions);
    push("pad.left", 0.5f, 0);
    update();
    assert_string_equal(captured_text(), "nothing");
    push("pad.left", -0.9f, 0.1f);
    update();
    assert_string_equal(captured_text(), "pad.left.left");
    ct_actions_start_capture(actions);
    ct_input_feed_axis(in, CT_INPUT_DEVICE_MOUSE, CT_MOUSE_AXIS_WHEEL, ct_vec3_make(0, -1, 0),
                       true);
    update();
    assert_string_equal(captured_text(), "mouse.wheel.down");
}

static void nothing_happens_without_a_resource(void **state) {
    (void)state;
    const ct_actions_desc desc = {.allocator = test_heap(), .input = in};
    ct_actions *const none = ct_actions_create(&desc);
    ct_actions_update(none, 0.1);
    assert_int_equal(ct_actions_count(none), 0);
    assert_int_equal(ct_actions_find(none, "jump"), -1);
    assert_string_equal(ct_actions_gamepad_mappings(none), "");
    ct_error error = {0};
    assert_false(ct_actions_save_user(none, &error));
    ct_actions_destroy(none);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(buttons_are_pressed_held_and_released),
        TEST(any_binding_moves_an_action),
        TEST(taps_within_an_update_are_seen),
        TEST(modifiers_choose_among_bindings),
        TEST(modifiers_count_that_come_and_go_within_an_update),
        TEST(other_modifiers_do_not_hinder),
        TEST(four_keys_make_a_vector_no_longer_than_one),
        TEST(sticks_have_the_dead_zone_of_the_binding),
        TEST(speeds_count_by_seconds_and_movement_does_not),
        TEST(pairs_and_components_make_an_axis),
        TEST(halves_of_sticks_are_pressed),
        TEST(sets_switch_actions),
        TEST(players_bind_slots),
        TEST(bindings_outlive_a_reload),
        TEST(the_players_file_is_read_back),
        TEST(what_is_wrong_in_the_file_is_told_and_passed_over),
        TEST(a_file_that_was_not_understood_is_kept_aside),
        TEST(damaged_files_hurt_nothing),
        TEST(captures_what_is_pressed_next),
        TEST(captures_modifiers_sticks_and_wheel),
        TEST(captures_what_comes_and_goes_within_an_update),
        TEST(nothing_happens_without_a_resource),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
