#include "compiler/compile_case.h"

#include "resource/types/input_resource.h"

static compile_case case_of(const char *text) {
    compile_case t = compile_case_make();
    compile_case_text(&t, "play.input", text);
    return t;
}

static void expect_fault(const char *text, uint32_t line, const char *message) {
    compile_case t = case_of(text);
    compile_case_run(&t, "input", "play");
    compile_case_expect(&t, "play.input", line, message);
    compile_case_free(&t);
}

static void writes_actions_sets_and_bindings(void **state) {
    (void)state;
    compile_case t =
        case_of("sets = { menu = { active = false } }\n"
                "actions = {\n"
                "    jump = { bindings = [\"keyboard.space\" \"pad2.a\"] }\n"
                "    save = { set = \"menu\" bindings = [\"ctrl+shift+keyboard.s\"] }\n"
                "    move = { kind = \"vector\" bindings = [\n"
                "        { up = \"keyboard.w\" left = \"pad.left.left\" }\n"
                "        { control = \"pad.left\" scale = 2 invert_y = true dead_zone = 0.25 "
                "response = 3 }\n"
                "    ] }\n"
                "}\n");
    const ct_input_resource *r = compile_case_blob(&t, "input", "play");
    const ct_input_set *const sets = ct_blob_at(r, r->sets.offset);
    const ct_input_action *const actions = ct_blob_at(r, r->actions.offset);
    const ct_input_binding *const b = ct_blob_at(r, r->bindings.offset);
    assert_int_equal(r->sets.count, 2);
    assert_string_equal(ct_blob_at(r, sets[0].name.offset), "default");
    assert_true(sets[0].is_active && !sets[1].is_active);
    assert_int_equal(r->actions.count, 3);
    assert_string_equal(ct_blob_at(r, actions[1].name.offset), "save");
    assert_int_equal(actions[1].set, 1);
    assert_int_equal(actions[2].first_binding, 3);
    assert_int_equal(actions[2].num_bindings, 2);
    assert_int_equal(b[1].controls[0].device, CT_INPUT_DEVICE_PAD_2);
    assert_int_equal(b[2].modifiers, CT_INPUT_MODIFIER_CTRL | CT_INPUT_MODIFIER_SHIFT);
    assert_int_equal(b[3].kind, CT_INPUT_BINDING_KIND_FOUR);
    assert_int_equal(b[3].controls[0].part, CT_INPUT_PART_LEFT);
    assert_int_equal(b[3].controls[1].part, CT_INPUT_PART_NONE);
    assert_int_equal(b[4].flags, CT_INPUT_BINDING_INVERT_Y);
    assert_true(b[4].scale == 2 && b[4].dead_zone == 0.25f && b[4].response == 3);
    compile_case_free(&t);
}

static void takes_the_mappings_of_controllers_from_a_file(void **state) {
    (void)state;
    compile_case t = case_of("gamepad_mappings = \"input/pads.txt\"");
    compile_case_text(&t, "input/pads.txt", "# pads\n0300,Odd Pad,a:b1,\n");
    const ct_input_resource *r = compile_case_blob(&t, "input", "play");
    assert_string_equal(ct_blob_at(r, r->gamepad_mappings.offset), "# pads\n0300,Odd Pad,a:b1,\n");
    assert_true(compile_case_has_include(&t, "input/pads.txt"));
    compile_case_free(&t);
    expect_fault("\ngamepad_mappings = \"input/pads2.txt\"", 2, "input/pads2.txt");
}

static void needs_nothing(void **state) {
    (void)state;
    compile_case t = case_of("// none");
    const ct_input_resource *r = compile_case_blob(&t, "input", "play");
    assert_int_equal(r->actions.count, 0);
    assert_int_equal(r->sets.count, 1);
    compile_case_free(&t);
}

static void tells_what_is_wrong_with_a_control(void **state) {
    (void)state;
    expect_fault("actions = {\n jump = { bindings = [\"keyboard.spce\"] } }", 2,
                 "keyboard has no button or axis \"spce\"; did you mean \"space\"?");
    expect_fault("actions = { jump = { bindings = [\"keybord.space\"] } }", 1,
                 "unknown device \"keybord\"; did you mean \"keyboard\"");
    expect_fault("actions = { jump = { bindings = [\"gamepad.a\"] } }", 1,
                 "unknown device \"gamepad\"; expected keyboard, mouse, pad1, pad2, pad3, pad4, "
                 "touch or pad");
    expect_fault("actions = { jump = { bindings = [\"space\"] } }", 1,
                 "found \"space\"; expected a device, a dot and a name");
    expect_fault("actions = { jump = { bindings = [\"pad.left.top\"] } }", 1,
                 "pad.left has no \"top\"; expected x, y, left, right, down or up");
    expect_fault("actions = { jump = { bindings = [7] } }", 1,
                 "found a number, expected a binding");
    expect_fault("actions = { jump = { bindings = [{ scale = 2 }] } }", 1,
                 "the control is missing");
    expect_fault("actions = { jump = { bindings = [{ control = \"pad.a\" scal = 2 }] } }", 1,
                 "scal");
    expect_fault("actions = { m = { kind = \"vector\" bindings = [{ up = \"pad.a\" positive = "
                 "\"pad.b\" }] } }",
                 1, "does not go with the other controls");
    expect_fault("actions = { m = { kind = \"vector\" bindings = [{ up = \"pad.left\" }] } }", 1,
                 "up is \"pad.left\"; expected a button or half of an axis");
}

static void tells_what_does_not_fit_an_action(void **state) {
    (void)state;
    expect_fault("actions = { jump = { bindings = [\"pad.left\"] } }", 1,
                 "\"pad.left\" does not fit: a button needs a button or half of an axis");
    expect_fault("actions = { m = { kind = \"vector\" bindings = [\"pad.a\"] } }", 1,
                 "does not fit: a vector needs an axis");
    expect_fault("actions = { m = { kind = \"axis\" bindings = [\"mouse.wheel\"] } }", 1,
                 "does not fit: an axis needs");
    expect_fault("actions = { m = { kind = \"vektor\" bindings = [] } }", 1, "vector");
    expect_fault("actions = { m = { } }", 1, "bindings");
    expect_fault("actions = { m = { bindings = 5 } }", 1, "found a number, expected an array");
    expect_fault("sets = { menu = {} }\nactions = { m = { set = \"meun\" bindings = [] } }", 2,
                 "there is no set \"meun\" in sets; did you mean \"menu\"?");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(writes_actions_sets_and_bindings),
        cmocka_unit_test(takes_the_mappings_of_controllers_from_a_file),
        cmocka_unit_test(needs_nothing),
        cmocka_unit_test(tells_what_is_wrong_with_a_control),
        cmocka_unit_test(tells_what_does_not_fit_an_action),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
