// Keyboard, Mouse, pads, Touch and the list of events.
#include "foundation/math/math.h"
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
    assert_lua_error(&f, "Keyboard.axis(0)", "Keyboard.axis: the device has no axes");
    assert_lua_error(&f, "Keyboard.axis_id('x')", "there is no axis \"x\"");
}

static void names_buttons(void **state) {
    (void)state;
    assert_lua(&f, "Keyboard.button_name(Keyboard.button_id('space'))", "space");
    assert_lua(&f, "Keyboard.button_locale_name(Keyboard.button_index('a'))", "a");
    char count[16];
    snprintf(count, sizeof(count), "%u", ct_input_num_buttons(CT_INPUT_DEVICE_MOUSE));
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
    assert_lua(&f, "Mouse.active(), Mouse.connected(), Mouse.disconnected()", "true\tfalse\tfalse");
}

static void gives_pads_with_dead_zones(void **state) {
    (void)state;
    ct_input_feed_connected(f.input, CT_INPUT_DEVICE_PAD_2, "A Pad");
    ct_input_feed_axis(f.input, CT_INPUT_DEVICE_PAD_2, CT_PAD_AXIS_LEFT, ct_vec3_make(0.2f, 1, 0),
                       false);
    press(CT_INPUT_DEVICE_PAD_2, "a", true);
    assert_lua(&f, "Pad2.active(), Pad2.connected(), Pad2.name(), Pad2.category(), Pad1.active()",
               "true\ttrue\tA Pad\tpad\tfalse");
    assert_lua(&f, "Pad2.pressed(Pad2.button_id('a')), Pad1.any_pressed()", "true\tnil");
    run_lua(&f, "LEFT = Pad2.axis_id('left')");
    assert_lua(&f, "Pad2.axis(LEFT, Pad2.INDEPENDENT, 0.5).x, Pad2.axis(LEFT, Pad2.RAW).y", "0\t1");
    run_lua(&f, "Pad2.set_dead_zone(LEFT, Pad2.CIRCULAR, 0.5)");
    assert_lua(&f, "Pad2.dead_zone(LEFT)", "2\t0.5");
    assert_lua_error(&f, "Pad2.set_dead_zone(LEFT, 3, 0.5)", "expected an integer from 0 to 2");
    assert_lua_error(&f, "Pad2.set_dead_zone(LEFT, 1, 1)", "argument 3 (dead_zone_size)");
    assert_lua(&f, "Pad2.battery()", "unknown");
}

static void lets_pads_rumble(void **state) {
    (void)state;
    run_lua(&f, "M = Pad1.rumble_motor_id('right') Pad1.set_rumble(M, 0.5) "
                "E = Pad1.rumble_effect(M, { sustain = 2, sustain_level = 0.25 })");
    assert_true(ct_rumble_level(ct_input_rumble(f.input, CT_INPUT_DEVICE_PAD_1), 1) == 0.75f);
    assert_lua(&f, "Pad1.is_rumble_effect_playing(M, E), Pad1.rumble_motor_name(M)", "true\tright");
    run_lua(&f, "Pad1.stop_rumble_effect(M, E)");
    assert_lua(&f, "Pad1.is_rumble_effect_playing(M, E), Pad1.rumble_motor_id('front')",
               "false\tnil");
    run_lua(&f, "Pad1.set_rumble_enabled(false)");
    assert_true(ct_rumble_level(ct_input_rumble(f.input, CT_INPUT_DEVICE_PAD_1), 1) == 0);
    assert_lua(&f, "Keyboard.num_rumble_motors(), Mouse.rumble_motor_id('left')", "0\tnil");
    assert_lua_error(&f, "Mouse.set_rumble(0, 1)", "Mouse.set_rumble: the device has no motors");
    assert_lua_error(&f, "Pad1.set_rumble(0, 2)", "Pad1.set_rumble: argument 2 (value)");
    assert_lua_error(&f, "Pad1.rumble_effect(0, { sustian = 1 })", "did you mean \"sustain\"?");
    assert_lua_error(&f, "Pad1.rumble_effect(0, { sustain = -1 })",
                     "sustain: expected a number from 0 to 3600");
    run_lua(&f, "Pad1.set_light_bar_color(Color(255, 0, 0))");
    ct_vec3 color = ct_vec3_make(0, 0, 0);
    assert_true(ct_input_light(f.input, CT_INPUT_DEVICE_PAD_1, &color) && color.x == 1);
}

static void lists_keystrokes_and_events(void **state) {
    (void)state;
    ct_input_feed_text(f.input, "ä");
    ct_input_feed_keystroke(f.input,
                            (uint32_t)ct_input_button_id(CT_INPUT_DEVICE_KEYBOARD, "enter"));
    press(CT_INPUT_DEVICE_MOUSE, "left", true);
    run_lua(&f, "K = Keyboard.keystrokes() Q = Input.event_queue()");
    assert_lua(&f, "#K, K[1], Keyboard.button_name(K[2])", "2\tä\tenter");
    assert_lua(&f, "#Q, Q[1].kind, Q[1].text, Q[2].kind, Q[2].name",
               "3\ttext\tä\tkeystroke\tenter");
    assert_lua(&f, "Q[3].device, Q[3].kind, Q[3].name, Q[3].value, type(Q[3].time)",
               "mouse\tpressed\tleft\t1\tnumber");
    assert_lua(&f, "Input.last_device()", "mouse");
}

static void takes_remote_events(void **state) {
    (void)state;
    run_lua(&f,
            "Input.add_remote_events({ "
            "{ device = 'keyboard', kind = 'pressed', name = 'space' }, "
            "{ device = 'pad1', kind = 'connected', text = 'Remote' }, "
            "{ device = 'pad1', kind = 'axis', name = 'left', value = Vector3(0, 1, 0) }, "
            "{ device = 'touch', kind = 'touch_began', id = 5, value = Vector3(10, 20, 0) } })");
    assert_lua(&f, "Keyboard.pressed(Keyboard.button_id('space')), Pad1.name()", "true\tRemote");
    assert_lua(&f, "Pad1.axis(0).y, Touch.num_contacts()", "1\t1");
    run_lua(&f, "Input.add_remote_events(Input.event_queue())");
    assert_lua_error(&f, "Input.add_remote_events({ { device = 'keybord', kind = 'pressed' } })",
                     "event 1: there is no device \"keybord\"");
    assert_lua_error(&f, "Input.add_remote_events({ { device = 'pad1', kind = 'pressd' } })",
                     "event 1: there is no kind \"pressd\"");
    assert_lua_error(&f, "Input.add_remote_events({ 5 })", "event 1: expected table, got number");
    assert_lua_error(&f,
                     "Input.add_remote_events({ { device = 'pad1', kind = 'axis', name = 'left', "
                     "value = 5 } })",
                     "event 1: value: expected Vector3, got number");
}

static void gives_contacts(void **state) {
    (void)state;
    ct_input_feed_touch(f.input, CT_TOUCH_PHASE_BEGAN, 9, (ct_vec2){.x = 3, .y = 4}, 0.5f);
    run_lua(&f, "T = Touch.contacts()[1]");
    assert_lua(&f, "Touch.phase(T), Touch.began(T), Touch.ended(T), Touch.pressure(T)",
               "began\ttrue\tfalse\t0.5");
    assert_lua(&f, "parts(Touch.location(T))", "3\t4\t0");
    assert_lua_error(&f, "Touch.location(T + 1)", "there is no contact");
    assert_lua(&f, "Touch.has_contact(T + 1)", "false");
}

static void knows_characters(void **state) {
    (void)state;
    assert_lua(&f, "Utf8.upper('straße ähm'), Utf8.lower('ÄÖΩЖ')", "STRAßE ÄHM\täöωж");
    assert_lua(&f, "Utf8.valid('häß'), Utf8.valid('\\255')", "true\tfalse");
    assert_lua(&f, "Utf8.location('a€b', 3)", "2\t4");
    assert_lua(&f, "Utf8.location('a€b', 5)", "5\t5");
    assert_lua(&f, "Utf8.location('\\226\\130', 2)", "2\t2");
    assert_lua_error(&f, "Utf8.location('a', 2)", "argument 2 (index)");
    assert_lua(&f, "#Utf8.upper('a\\0b\\255')", "4");
}

static void steps_over_characters_as_readers_count_them(void **state) {
    (void)state;
    run_lua(&f,
            "function all(s) local t, i = {}, 1 repeat t[#t + 1] = i i = Utf8.next_grapheme(s, i) "
            "until i > #s return table.concat(t, ' ') end "
            "function back(s) local t, i = {}, #s + 1 repeat i = Utf8.previous_grapheme(s, i) "
            "t[#t + 1] = i until i == 1 return table.concat(t, ' ') end");
    assert_lua(&f, "all('abc') .. '/' .. back('abc')", "1 2 3/3 2 1");
    assert_lua(&f, "all('ae\\204\\128b') .. '/' .. back('ae\\204\\128b')",
               "1 2 5/5 2 1"); // e with a grave
    assert_lua(&f, "all('\\r\\nx') .. '/' .. back('\\r\\nx')", "1 3/3 1");
    run_lua(
        &f,
        "F = '\\240\\159\\135\\169\\240\\159\\135\\170' "                 // the flag of two letters
        "M = '\\240\\159\\145\\169\\226\\128\\141\\240\\159\\146\\187'"); // a woman and a computer
    assert_lua(&f, "all('a' .. F .. F .. M) .. '/' .. back('a' .. F .. F .. M)",
               "1 2 10 18/18 10 2 1");
    assert_lua(&f, "Utf8.next_grapheme(F, 6), Utf8.previous_grapheme(F, 6)", "9\t1"); // inside
    assert_lua(&f, "Utf8.next_grapheme('', 1), Utf8.previous_grapheme('', 1)", "1\t1");
    assert_lua(&f, "Utf8.next_grapheme('ab', 3), Utf8.previous_grapheme('ab', 1)", "3\t1");
    assert_lua(&f, "all('\\255\\254a'), back('a\\226\\130')", "1 2 3\t2 1"); // no UTF-8
    assert_lua_error(&f, "Utf8.next_grapheme('a', 3)", "argument 2 (index)");
    assert_lua_error(&f, "Utf8.previous_grapheme('a', 0)", "argument 2 (index)");
}

static void load_actions(void) {
    ct_blob_writer w;
    write_input(&w);
    ct_actions_set_resource(f.actions, (const ct_input_resource *)(const void *)w.bytes.items);
    ct_blob_writer_free(&w);
}

static void gives_actions(void **state) {
    (void)state;
    load_actions();
    press(CT_INPUT_DEVICE_KEYBOARD, "space", true);
    press(CT_INPUT_DEVICE_KEYBOARD, "w", true);
    press(CT_INPUT_DEVICE_KEYBOARD, "e", true);
    ct_actions_update(f.actions, 0.1);
    assert_lua(&f, "Input.pressed('jump'), Input.held('jump'), Input.released('jump')",
               "true\ttrue\tfalse");
    assert_lua(&f, "Input.value('jump'), Input.value('zoom')", "1\t1");
    assert_lua(&f, "parts(Input.value('move'))", "0\t1\t0");
    assert_lua(&f, "#Input.actions(), Input.actions()[1], #Input.sets(), Input.sets()[2]",
               "7\tjump\t2\tmenu");
    assert_lua_error(&f, "Input.pressed('jmp')",
                     "Input.pressed: argument 1 (action): there is no action \"jmp\", did you mean "
                     "\"jump\"?");
    assert_lua_error(&f, "Input.held('move')", "is a vector and cannot be pressed; use");
    run_lua(&f, "Input.set_active('menu', true)");
    assert_lua(&f, "Input.is_active('menu')", "true");
    assert_lua_error(&f, "Input.set_active('meun', true)", "did you mean \"menu\"?");
}

static void lets_players_bind(void **state) {
    (void)state;
    load_actions();
    run_lua(&f, "Input.bind('jump', 1, 'ctrl+keyboard.k') "
                "Input.bind('move', 1, 'keyboard.i', 'up') "
                "Input.bind('look', 2, { control = 'pad.right', scale = 0.5 })");
    assert_lua(&f, "Input.bindings('jump')[1], Input.bindings('jump')[2]",
               "ctrl+keyboard.k\tpad.a");
    assert_lua(&f, "Input.bindings('move')[1].up, Input.bindings('move')[1].left",
               "keyboard.i\tkeyboard.a");
    assert_lua(&f, "Input.bindings('look')[2].scale", "0.5");
    run_lua(&f, "Input.bind('zoom', 1, Input.bindings('zoom')[2]) Input.unbind('jump', 2)");
    assert_lua(&f, "Input.bindings('zoom')[1], Input.bindings('jump')[2]", "mouse.wheel.y\tnone");
    assert_lua_error(&f, "Input.bind('jump', 1, 'keyboard.spce')", "did you mean \"space\"?");
    assert_lua_error(&f, "Input.bind('jump', 1, 'pad.left')", "does not fit");
    assert_lua_error(&f, "Input.bind('jump', 1, { contrl = 'pad.a' })", "contrl");
    assert_lua_error(&f, "Input.bind('jump', 1, { control = print })", "function");
    assert_lua_error(&f, "Input.bind('move', 1, 'keyboard.i', 'upp')", "has no \"upp\"");
    assert_lua_error(&f, "Input.bind('jump', 17, 'pad.a')", "argument 2 (slot)");
    run_lua(&f, "Input.reset('jump')");
    assert_lua(&f, "Input.bindings('jump')[1], Input.bindings('move')[1].up",
               "keyboard.space\tkeyboard.i");
    run_lua(&f, "Input.reset()");
    assert_lua(&f, "Input.bindings('move')[1].up, Input.save()", "keyboard.w\tfalse");
}

static void captures_controls(void **state) {
    (void)state;
    load_actions();
    run_lua(&f, "Input.start_capture()");
    press(CT_INPUT_DEVICE_PAD_1, "x", true);
    ct_actions_update(f.actions, 0.1);
    assert_lua(&f, "Input.captured()", "pad.x");
    assert_lua(&f, "Input.control_name('ctrl+keyboard.z'), Input.control_name('pad.x')",
               "ctrl+z\tpad.x");
    ct_input_begin_frame(f.input);
    ct_actions_update(f.actions, 0.1);
    assert_lua(&f, "Input.captured()", "nil");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        API_TEST(tells_what_is_down_and_what_changed),
        API_TEST(keeps_devices_apart),
        API_TEST(gives_axes),
        API_TEST(names_buttons),
        API_TEST(tells_what_device_it_is),
        API_TEST(gives_pads_with_dead_zones),
        API_TEST(lets_pads_rumble),
        API_TEST(lists_keystrokes_and_events),
        API_TEST(takes_remote_events),
        API_TEST(gives_contacts),
        API_TEST(knows_characters),
        API_TEST(steps_over_characters_as_readers_count_them),
        API_TEST(gives_actions),
        API_TEST(lets_players_bind),
        API_TEST(captures_controls),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
