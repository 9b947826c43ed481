#include "compiler/compile_case.h"

#include "resource/types/state_machine_resource.h"

static compile_case case_of(const char *text) {
    compile_case t = compile_case_make();
    compile_case_text(&t, "s.skeleton",
                      "joints = [ { name = \"hand\" parent = \"arm\" }\n"
                      "  { name = \"root\" } { name = \"arm\" parent = \"root\" }\n"
                      "  { name = \"leg\" parent = \"root\" } ]");
    compile_case_text(&t, "other.skeleton", "joints = [ { name = \"root\" } ]");
    compile_case_text(&t, "idle.animation", "skeleton = \"s\"");
    compile_case_text(&t, "walk.animation", "skeleton = \"s\"");
    compile_case_text(&t, "run.animation", "skeleton = \"s\"");
    compile_case_text(&t, "breath.animation", "skeleton = \"s\" additive = \"rest\"");
    compile_case_text(&t, "strange.animation", "skeleton = \"other\"");
    compile_case_text(&t, "m.state_machine", text);
    return t;
}

static void expect_fault(const char *text, uint32_t line, const char *message) {
    compile_case t = case_of(text);
    compile_case_run(&t, "state_machine", "m");
    compile_case_expect(&t, "m.state_machine", line, message);
    compile_case_free(&t);
}

// The same with one layer of these states and transitions, which start in the second and fourth
// line.
static void expect_layer_fault(const char *states, const char *transitions, uint32_t line,
                               const char *message) {
    char text[4096];
    snprintf(text, sizeof(text),
             "skeleton = \"s\" variables = [{ name = \"speed\" }] layers = [{ name = \"base\" "
             "start = \"idle\" states = [\n"
             "%s { type = \"clip\" name = \"idle\" animation = \"idle\" } ]\n"
             "transitions = [\n%s ] }]",
             states, transitions);
    expect_fault(text, line, message);
}

static const char whole[] =
    "skeleton = \"s\"\n"
    "variables = [ { id = \"1\" name = \"speed\" default = 1 min = 0 max = 5 }\n"
    "  { id = \"2\" name = \"smile\" curve = { object = \"face\" parameter = \"smile\" } } ]\n"
    "masks = [ { id = \"1\" name = \"arm\" joints = [ { id = \"1\" joint = \"arm\" weight = 0.5 }\n"
    "  { id = \"2\" joint = \"hand\" weight = 0.25 } ] } ]\n"
    "layers = [\n"
    "  { id = \"1\" name = \"base\" start = \"idle\" states = [\n"
    "    { id = \"1\" type = \"clip\" name = \"idle\" animation = \"idle\" loop = false }\n"
    "    { id = \"2\" type = \"blend_1d\" name = \"move\" x = \"speed\" speed = \"1 + speed / 2\"\n"
    "      points = [ { id = \"1\" animation = \"run\" value = 4 speed = 1.5 }\n"
    "                 { id = \"2\" animation = \"walk\" value = 1 } ] }\n"
    "    { id = \"3\" type = \"blend_2d\" name = \"strafe\" x = \"speed\" y = 0 points = [\n"
    "      { animation = \"idle\" x = 0 y = 0 } { animation = \"walk\" x = 1 y = 0 }\n"
    "      { animation = \"run\" x = 0 y = 1 } { animation = \"walk\" x = 1 y = 1 } ] }\n"
    "    { id = \"4\" type = \"tree\" name = \"breathe\" root = \"all\" nodes = [\n"
    "      { type = \"clip\" name = \"w\" animation = \"walk\" }\n"
    "      { type = \"clip\" name = \"r\" animation = \"run\" speed = 2 }\n"
    "      { type = \"lerp\" name = \"l\" a = \"w\" b = \"r\" by = \"speed / 5\" }\n"
    "      { type = \"clip\" name = \"b\" animation = \"breath\" sync = false }\n"
    "      { type = \"add\" name = \"all\" a = \"l\" b = \"b\" by = 0.5 } ] }\n"
    "  ] transitions = [\n"
    "    { from = \"any\" to = \"move\" event = \"go\" }\n"
    "    { from = \"idle\" to = \"strafe\" event = \"go\" sync = true curve = \"smooth\" }\n"
    "    { from = \"move\" to = \"breathe\" exit_time = 0.5 interruptible = false }\n"
    "    { from = \"any\" to = \"idle\" condition = \"speed == 0\" priority = 5 duration = 1 }\n"
    "    { from = \"idle\" to = \"move\" event = \"again\" exit_seconds = 2 offset = 0.5 }\n"
    "  ] }\n"
    "  { id = \"2\" name = \"arm\" mask = \"arm\" weight = 0.5 start = \"\"\n"
    "    states = [ { type = \"clip\" name = \"w\" animation = \"walk\" leave_event = \"off\" } ]\n"
    "    transitions = [ { from = \"\" to = \"w\" event = \"wave\" } ] } ]\n";

static void writes_everything(void **state) {
    (void)state;
    compile_case t = case_of(whole);
    const ct_state_machine_resource *const r = compile_case_blob(&t, "state_machine", "m");
    assert_int_equal(t.answer.warnings.count, 0);
    const ct_state_machine_layer *const layers = ct_blob_at(r, r->layers.offset);
    const ct_state_machine_state *const states = ct_blob_at(r, r->states.offset);
    const ct_state_machine_leaf *const leaves = ct_blob_at(r, r->leaves.offset);
    const ct_state_machine_transition *const all = ct_blob_at(r, r->transitions.offset);
    const uint32_t *const exits = ct_blob_at(r, r->exits.offset);
    assert_int_equal(r->layers.count, 2);
    assert_int_equal(r->states.count, 6);
    assert_int_equal(r->clips.count, 4);
    assert_int_equal(r->variables.count, 2);
    assert_int_equal(r->events.count, 3);
    assert_true(layers[0].moves_root && !layers[1].moves_root);
    assert_int_equal(layers[0].start, 0);
    assert_int_equal(layers[1].start, 5);
    assert_int_equal(states[5].kind, CT_STATE_MACHINE_STATE_EMPTY);
    assert_int_equal(states[5].name.value, 0);
    assert_int_equal(states[0].loop, CT_STATE_MACHINE_LOOP_NO);
    assert_int_equal(states[1].loop, CT_STATE_MACHINE_LOOP_AS_CLIP);
    // Points ascend.
    assert_true(leaves[states[1].first_leaf].x == 1 && leaves[states[1].first_leaf + 1].x == 4);
    assert_true(leaves[states[1].first_leaf + 1].speed == 1.5f);
    assert_int_equal(states[2].num_triangles, 2);
    assert_int_equal(states[2].num_edges, 4);
    assert_int_equal(states[3].num_nodes, 5);
    assert_int_equal(states[3].num_leaves, 3);
    const ct_state_machine_leaf *const breath = &leaves[states[3].first_leaf + 2];
    assert_true(breath->is_added && breath->is_apart);
    // What leaves the first state, best first: by priority, then from itself before `any`; what
    // starts by itself does not lead to where it is.
    assert_int_equal(states[0].num_exits, 3);
    assert_int_equal(exits[states[0].first_exit], 1);
    assert_int_equal(exits[states[0].first_exit + 1], 4);
    assert_int_equal(exits[states[0].first_exit + 2], 0);
    assert_int_equal(exits[states[1].first_exit], 3);
    assert_int_equal(all[1].flags, CT_STATE_MACHINE_TRANSITION_SMOOTH |
                                       CT_STATE_MACHINE_TRANSITION_SYNC |
                                       CT_STATE_MACHINE_TRANSITION_INTERRUPTIBLE);
    assert_int_equal(all[2].flags, 0);
    assert_int_equal(all[2].exit_kind, CT_STATE_MACHINE_EXIT_PHASE);
    assert_int_equal(all[4].exit_kind, CT_STATE_MACHINE_EXIT_SECONDS);
    assert_true(all[4].exit == 2 && all[4].offset == 0.5f && all[3].duration == 1);
    compile_case_free(&t);
}

static void writes_masks_for_joints_in_order(void **state) {
    (void)state;
    compile_case t = case_of(whole);
    const ct_state_machine_resource *const r = compile_case_blob(&t, "state_machine", "m");
    const ct_state_machine_layer *const layers = ct_blob_at(r, r->layers.offset);
    assert_int_equal(r->num_mask_joints, 4);
    assert_int_equal(layers[0].first_mask, CT_STATE_MACHINE_NONE);
    const float *const mask = (const float *)ct_blob_at(r, r->masks.offset) + layers[1].first_mask;
    static const float weights[] = {0, 0.5f, 0.25f, 0}; // root, arm, hand, leg: parents first
    for (uint32_t i = 0; i < 4; ++i)
        assert_true(mask[i] == weights[i]);
    assert_true(compile_case_has_include(&t, "s.skeleton"));
    assert_true(compile_case_has_include(&t, "walk.animation"));
    assert_true(has_reference(&t.answer, "animation", "run"));
    assert_true(has_reference(&t.answer, "skeleton", "s"));
    compile_case_free(&t);
}

static void says_what_is_wrong_with_names(void **state) {
    (void)state;
    expect_fault("skeleton = \"s\"\nlayers = []", 2, "layers: found none");
    expect_fault("layers = []", 1, "skeleton");
    expect_layer_fault("{ type = \"clp\" name = \"a\" animation = \"walk\" }", "", 2,
                       "unknown type of a state \"clp\"; expected the type clip, blend_1d, "
                       "blend_2d, tree or empty; did you mean clip?");
    expect_layer_fault("{ name = \"a\" animation = \"walk\" }", "", 2, "a state has no type");
    expect_layer_fault("{ type = \"clip\" name = \"idle\" animation = \"walk\" }", "", 2,
                       "there are two states \"idle\": rename one");
    expect_layer_fault("{ type = \"clip\" name = \"any\" animation = \"walk\" }", "", 2,
                       "a state cannot be called \"any\"");
    expect_layer_fault("{ type = \"empty\" name = \"\" }", "", 2, "the name of a state is empty");
    expect_layer_fault("{ type = \"clip\" name = \"a\" animatoin = \"walk\" }", "", 2, "animation");
    expect_layer_fault("{ id = \"x\" type = \"empty\" name = \"a\" }\n"
                       "{ id = \"x\" type = \"empty\" name = \"b\" }",
                       "", 3, "another element has the id \"x\"");
    expect_layer_fault("", "{ from = \"idel\" to = \"idle\" event = \"x\" }", 4,
                       "there is no state \"idel\"; did you mean \"idle\"?");
    expect_layer_fault("", "{ from = \"any\" to = \"nowhere\" event = \"x\" }", 4,
                       "there is no state \"nowhere\"; the first is \"idle\"");
    expect_fault("skeleton = \"s\" layers = [{ name = \"base\" start = \"idel\"\n"
                 "states = [{ type = \"clip\" name = \"idle\" animation = \"idle\" }] }]",
                 1, "there is no state \"idel\"; did you mean \"idle\"?");
    expect_fault("skeleton = \"s\"\nmasks = [{ name = \"m\" joints = [{ joint = \"rot\" }] }]\n"
                 "layers = [{ name = \"base\" start = \"\" states = [] }]",
                 2, "there is no joint \"rot\"; did you mean \"root\"?");
    expect_fault("skeleton = \"s\"\nmasks = [{ name = \"m\" joints = [{ joint = \"root\" }\n"
                 "{ joint = \"root\" }] }] layers = [{ name = \"base\" start = \"\" states = [] }]",
                 3, "the joint \"root\" is listed twice");
    expect_fault("skeleton = \"s\"\nmasks = [{ name = \"arms\" joints = [] }]\n"
                 "layers = [{ name = \"base\" mask = \"arm\" start = \"\" states = [] }]",
                 3, "there is no mask \"arm\"; did you mean \"arms\"?");
}

static void says_what_is_wrong_with_variables(void **state) {
    (void)state;
#define VARIABLES(text)                                                                            \
    "skeleton = \"s\" layers = [{ name = \"base\" start = \"\" states = [] }] variables = "        \
    "[\n" text " ]"
    expect_fault(VARIABLES("{ name = \"a b\" }"), 2,
                 "expressions cannot name the variable \"a b\"");
    expect_fault(VARIABLES("{ name = \"and\" }"), 2, "expressions cannot name");
    expect_fault(VARIABLES("{ name = \"a\" }\n{ name = \"a\" }"), 3,
                 "there are two variables \"a\": rename one");
    expect_fault(VARIABLES("{ name = \"a\" default = 2 max = 1 }"), 2,
                 "found the default 2, expected one from min -1e+06 to max 1");
}

static void says_what_is_wrong_with_clips_and_spaces(void **state) {
    (void)state;
    expect_layer_fault("{ type = \"clip\" name = \"a\" animation = \"strange\" }", "", 2,
                       "the clip \"strange\" is for the skeleton \"other\"; expected one for "
                       "\"s\"");
    expect_layer_fault("{ type = \"clip\" name = \"a\" animation = \"breath\" }", "", 2,
                       "the clip \"breath\" is additive; use it in a layer");
    expect_fault("skeleton = \"s\" layers = [{ name = \"base\" start = \"a\" additive = true\n"
                 "states = [{ type = \"clip\" name = \"a\" animation = \"idle\" }] }]",
                 2, "the clip \"idle\" is not additive");
#define SPACE(points) "{ type = \"blend_1d\" name = \"a\" x = \"speed\" points = [ " points " ] }"
    expect_layer_fault(SPACE("{ animation = \"walk\" value = 1 }"), "", 2,
                       "a blend space has 1 points, expected 2 or more");
    expect_layer_fault(SPACE("{ animation = \"walk\" value = 1 }\n"
                             "{ animation = \"run\" value = 1 }"),
                       "", 3, "two points of the blend space have the value 1");
    expect_layer_fault("{ type = \"blend_2d\" name = \"a\" x = 0 y = 0 points = [\n"
                       "{ animation = \"walk\" x = 1 y = 2 }\n{ animation = \"run\" x = 1 y = 2 "
                       "}] }",
                       "", 4, "two points of the blend space are at x 1, y 2");
    expect_layer_fault(SPACE("{ animation = \"walk\" valu = 1 }"), "", 2, "value");
}

static void says_what_is_wrong_with_trees(void **state) {
    (void)state;
#define TREE(nodes) "{ type = \"tree\" name = \"a\" root = \"r\" nodes = [\n" nodes " ] }"
    expect_layer_fault(TREE("{ type = \"clip\" name = \"x\" animation = \"walk\" }"), "", 2,
                       "there is no node \"r\"");
    expect_layer_fault(TREE("{ type = \"lerp\" name = \"r\" a = \"x\" b = \"x\" by = 0 }\n"
                            "{ type = \"clip\" name = \"x\" animation = \"walk\" }"),
                       "", 3, "the node \"x\" is used twice");
    expect_layer_fault(TREE("{ type = \"lerp\" name = \"r\" a = \"r\" b = \"x\" by = 0 }\n"
                            "{ type = \"clip\" name = \"x\" animation = \"walk\" }"),
                       "", 3, "the node \"r\" is used twice");
    expect_layer_fault(TREE("{ type = \"mix\" name = \"r\" }"), "", 3,
                       "unknown type of a node \"mix\"; expected clip, lerp, add or select");
    expect_layer_fault(TREE("{ type = \"select\" name = \"r\" by = 0 children = [] }"), "", 3,
                       "children: found none");
    expect_layer_fault(TREE("{ type = \"add\" name = \"r\" a = \"x\" b = \"y\" by = 1 }\n"
                            "{ type = \"clip\" name = \"x\" animation = \"walk\" }\n"
                            "{ type = \"clip\" name = \"y\" animation = \"run\" }"),
                       "", 5, "the clip \"run\" is not additive, but it is added here");
}

static void says_what_is_wrong_with_transitions(void **state) {
    (void)state;
    expect_layer_fault("", "{ from = \"idle\" to = \"\" }", 4,
                       "a transition without event, condition and exit_time would start at once");
    expect_layer_fault("", "{ from = \"idle\" to = \"\" exit_time = 1 exit_seconds = 2 }", 4,
                       "exit_time or exit_seconds, not both");
    expect_layer_fault("", "{ from = \"idle\" to = \"\" exit_time = -1 }", 4,
                       "exit_time: found -1, expected 0 to 1000000");
    expect_layer_fault("", "{ from = \"idle\" to = \"\" exit_time = \"soon\" }", 4,
                       "exit_time: found a string, expected a number");
    expect_layer_fault("", "{ from = \"idle\" to = \"\" event = \"x\" duration = -1 }", 4,
                       "duration");
    expect_layer_fault("", "{ from = \"idle\" to = \"\" event = \"x\" condition = [1] }", 4,
                       "condition: found an array, expected a number or an expression");
}

// Nothing was read before: sanitizers see sums with NULL.
static void starts_with_nothing(void **state) {
    (void)state;
    compile_case t =
        case_of("skeleton = \"s\" layers = [{ name = \"base\" start = \"a\" states = [\n"
                "  { type = \"blend_1d\" name = \"a\" x = 0 points = [\n"
                "    { animation = \"walk\" value = 1 }\n"
                "    { animation = \"run\" value = 4 } ] } ] }]");
    const ct_state_machine_resource *const r = compile_case_blob(&t, "state_machine", "m");
    assert_int_equal(r->leaves.count, 2);
    compile_case_free(&t);
    expect_fault("skeleton = \"s\"\nlayers = [{ name = \"base\" start = \"a\" states = [] }]", 2,
                 "there is no state \"a\"; add it, or correct the name");
}

static void places_errors_inside_expressions(void **state) {
    (void)state;
    compile_case t = case_of("skeleton = \"s\"\nvariables = [{ name = \"speed\" }]\n"
                             "layers = [{ name = \"base\" start = \"idle\" states = [\n"
                             "  { type = \"clip\" name = \"idle\" animation = \"idle\"\n"
                             "    speed = \"1 + sped\" } ] }]");
    compile_case_run(&t, "state_machine", "m");
    const ct_compile_fault *const fault = compile_case_expect(
        &t, "m.state_machine", 5, "speed: there is no variable \"sped\"; did you mean \"speed\"?");
    assert_int_equal(fault->column, 18);
    compile_case_free(&t);
}

static void warns_of_states_that_are_never_entered(void **state) {
    (void)state;
    compile_case t = case_of(
        "skeleton = \"s\"\nlayers = [{ name = \"base\" start = \"idle\" states = [\n"
        "  { type = \"clip\" name = \"idle\" animation = \"idle\" }\n"
        "  { type = \"clip\" name = \"a\" animation = \"idle\" }\n"
        "  { type = \"clip\" name = \"b\" animation = \"idle\" } ]\n"
        "  transitions = [ { from = \"a\" to = \"b\" event = \"x\" }\n"
        "    { from = \"b\" to = \"a\" event = \"x\" } { from = \"any\" to = \"b\" event = \"y\" }"
        " ] }]");
    compile_case_blob(&t, "state_machine", "m");
    assert_int_equal(t.answer.warnings.count, 0);
    compile_case_free(&t);
    t = case_of("skeleton = \"s\"\nlayers = [{ name = \"base\" start = \"idle\" states = [\n"
                "  { type = \"clip\" name = \"idle\" animation = \"idle\" }\n"
                "  { type = \"clip\" name = \"a\" animation = \"idle\" } ]\n"
                "  transitions = [ { from = \"a\" to = \"idle\" event = \"x\" } ] }]");
    compile_case_blob(&t, "state_machine", "m");
    expect_warning(&t.answer, "m.state_machine", 4, 3, "the state \"a\" is never entered");
    compile_case_free(&t);
    t = case_of("skeleton = \"s\"\nlayers = [{ name = \"base\" start = \"t\" states = [\n"
                "  { type = \"tree\" name = \"t\" root = \"x\" nodes = [\n"
                "    { type = \"clip\" name = \"x\" animation = \"walk\" }\n"
                "    { type = \"clip\" name = \"y\" animation = \"walk\" } ] } ] }]");
    compile_case_blob(&t, "state_machine", "m");
    expect_warning(&t.answer, "m.state_machine", 5, 5, "the node \"y\" is not used");
    compile_case_free(&t);
}

static void leaves_missing_clips_to_the_driver(void **state) {
    (void)state;
    compile_case t = case_of("skeleton = \"s\" layers = [{ name = \"base\" start = \"a\" states = "
                             "[{ type = \"clip\" name = \"a\" animation = \"missing\" }] }]");
    const ct_state_machine_resource *const r = compile_case_blob(&t, "state_machine", "m");
    assert_int_equal(r->clips.count, 1);
    assert_true(has_reference(&t.answer, "animation", "missing"));
    compile_case_free(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(writes_everything),
        cmocka_unit_test(writes_masks_for_joints_in_order),
        cmocka_unit_test(says_what_is_wrong_with_names),
        cmocka_unit_test(says_what_is_wrong_with_variables),
        cmocka_unit_test(says_what_is_wrong_with_clips_and_spaces),
        cmocka_unit_test(says_what_is_wrong_with_trees),
        cmocka_unit_test(says_what_is_wrong_with_transitions),
        cmocka_unit_test(starts_with_nothing),
        cmocka_unit_test(places_errors_inside_expressions),
        cmocka_unit_test(warns_of_states_that_are_never_entered),
        cmocka_unit_test(leaves_missing_clips_to_the_driver),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
