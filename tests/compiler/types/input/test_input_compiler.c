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
    const ct_input_resource *const r = compile_case_blob(&t, "input", "play");
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
    const ct_input_resource *const r = compile_case_blob(&t, "input", "play");
    assert_string_equal(ct_blob_at(r, r->gamepad_mappings.offset), "# pads\n0300,Odd Pad,a:b1,\n");
    assert_true(compile_case_has_include(&t, "input/pads.txt"));
    compile_case_free(&t);
    expect_fault("\ngamepad_mappings = \"input/pads2.txt\"", 2, "input/pads2.txt");
}

static void needs_nothing(void **state) {
    (void)state;
    compile_case t = case_of("// none");
    const ct_input_resource *const r = compile_case_blob(&t, "input", "play");
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

// --- Includes ------------------------------------------------------------------------------------

#define MENU                                                                                       \
    "sets = { menu = { active = false } }\n"                                                       \
    "actions = {\n"                                                                                \
    "  up = { set = \"menu\" bindings = [\"keyboard.up\" \"pad.d_up\"] }\n"                        \
    "  accept = { set = \"menu\" bindings = [\"pad.a\"] }\n"                                       \
    "}\n"

static const ct_input_action *find(const ct_input_resource *r, const char *name) {
    const ct_input_action *const actions = ct_blob_at(r, r->actions.offset);
    for (uint32_t i = 0; i < r->actions.count; ++i) {
        if (strcmp(ct_blob_at(r, actions[i].name.offset), name) == 0)
            return &actions[i];
    }
    fail_msg("there is no action %s", name);
    return NULL;
}

// The button that binding number `i` of an action names.
static ct_input_control control_of(const ct_input_resource *r, const char *action, uint32_t i) {
    const ct_input_binding *const bindings = ct_blob_at(r, r->bindings.offset);
    assert_true(i < find(r, action)->num_bindings);
    return bindings[find(r, action)->first_binding + i].controls[0];
}

static bool has_control(const ct_input_resource *r, const char *action, uint32_t i,
                        const char *text) {
    ct_input_control expected = {0};
    uint32_t modifiers = 0;
    ct_error error = {0};
    assert_true(ct_input_control_parse(text, &expected, &modifiers, &error));
    const ct_input_control found = control_of(r, action, i);
    return memcmp(&found, &expected, sizeof(found)) == 0;
}

static void takes_in_what_it_includes(void **state) {
    (void)state;
    compile_case t = case_of("includes = [\"menu\"]\n"
                             "actions = { jump = { bindings = [\"keyboard.space\"] }\n"
                             "  more = { set = \"menu\" bindings = [\"pad.y\"] } }");
    compile_case_text(&t, "menu.input", MENU);
    const ct_input_resource *const r = compile_case_blob(&t, "input", "play");
    const ct_input_set *const sets = ct_blob_at(r, r->sets.offset);
    assert_int_equal(r->sets.count, 2);
    assert_false(sets[1].is_active);
    assert_int_equal(r->actions.count, 4);
    assert_int_equal(find(r, "up")->set, 1);
    assert_int_equal(find(r, "jump")->set, 0);
    assert_int_equal(find(r, "more")->set, 1);
    assert_true(has_control(r, "up", 1, "pad.d_up"));
    assert_true(has_control(r, "jump", 0, "keyboard.space"));
    assert_true(compile_case_has_include(&t, "menu.input"));
    assert_true(has_reference(&t.answer, "input", "menu"));
    compile_case_free(&t);
}

static void replaces_actions_and_sets_whole(void **state) {
    (void)state;
    compile_case t =
        case_of("includes = [\"menu\"]\n"
                "sets = { menu = { active = true } }\n"
                "actions = { up = { kind = \"axis\" bindings = [\"mouse.wheel.y\"] } }");
    compile_case_text(&t, "menu.input", MENU);
    const ct_input_resource *const r = compile_case_blob(&t, "input", "play");
    const ct_input_set *const sets = ct_blob_at(r, r->sets.offset);
    assert_int_equal(r->sets.count, 2);
    assert_true(sets[1].is_active);
    assert_int_equal(r->actions.count, 2);
    assert_int_equal(r->bindings.count, 2); // none of the replaced action
    assert_int_equal(find(r, "up")->kind, CT_INPUT_ACTION_KIND_AXIS);
    assert_int_equal(find(r, "up")->set, 0);
    assert_int_equal(find(r, "up")->num_bindings, 1);
    assert_true(has_control(r, "accept", 0, "pad.a"));
    compile_case_free(&t);
}

// Both include the menu; what the first changes there stays.
static void reads_each_included_file_once_and_in_order(void **state) {
    (void)state;
    compile_case t = case_of("includes = [\"a\" \"b\"]");
    compile_case_text(&t, "menu.input", MENU);
    compile_case_text(&t, "a.input",
                      "includes = [\"menu\"] actions = { up = { bindings = [\"pad.x\"] }\n"
                      "  accept = { bindings = [\"pad.x\"] } }");
    compile_case_text(&t, "b.input",
                      "includes = [\"menu\"] actions = { accept = { bindings = [\"pad.y\"] } }");
    const ct_input_resource *const r = compile_case_blob(&t, "input", "play");
    assert_int_equal(r->actions.count, 2);
    assert_true(has_control(r, "up", 0, "pad.x"));
    assert_true(has_control(r, "accept", 0, "pad.y"));
    compile_case_free(&t);
}

static void refuses_includes_that_are_not_there_or_lead_back(void **state) {
    (void)state;
    expect_fault("\nincludes = [\"none\"]", 2, "none");
    expect_fault("includes = 5", 1, "includes");
    expect_fault("includes = [5]", 1, "includes");
    expect_fault("\nincludes = [\"play\"]", 2, "an input cannot include itself: play: play");
    compile_case t = case_of("includes = [\"a\"]");
    compile_case_text(&t, "a.input", "\nincludes = [\"b\"]");
    compile_case_text(&t, "b.input", "\n\nincludes = [\"a\"]");
    compile_case_run(&t, "input", "play");
    compile_case_expect(&t, "b.input", 3, "an input cannot include itself: a: b: a");
    compile_case_free(&t);
}

static void reports_errors_of_included_files_at_their_place(void **state) {
    (void)state;
    compile_case t = case_of("includes = [\"a\"]");
    compile_case_text(&t, "a.input", "\nactions = { up = { bindings = [\"pad.none\"] } }");
    compile_case_run(&t, "input", "play");
    compile_case_expect(&t, "a.input", 2, "pad has no button or axis \"none\"");
    compile_case_free(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(writes_actions_sets_and_bindings),
        cmocka_unit_test(takes_the_mappings_of_controllers_from_a_file),
        cmocka_unit_test(needs_nothing),
        cmocka_unit_test(tells_what_is_wrong_with_a_control),
        cmocka_unit_test(tells_what_does_not_fit_an_action),
        cmocka_unit_test(takes_in_what_it_includes),
        cmocka_unit_test(replaces_actions_and_sets_whole),
        cmocka_unit_test(reads_each_included_file_once_and_in_order),
        cmocka_unit_test(refuses_includes_that_are_not_there_or_lead_back),
        cmocka_unit_test(reports_errors_of_included_files_at_their_place),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
