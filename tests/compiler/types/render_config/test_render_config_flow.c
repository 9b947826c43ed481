// Render configs: conditions, history, mips, presets, values of environments, and the order of
// steps.
#include "compiler/compile_case.h"
#include "resource/types/render_config_resource.h"

static const char *const head =
    "settings = { on = true  mode = { choices = [\"a\" \"b\" \"c\"]  default = \"a\" }\n"
    "  fog = { type = \"number\"  default = 1  least = 0  most = 4  environment = true } }\n"
    "global_resources = [ { name = \"x\"  format = \"RGBA16F\"  history = true }\n"
    "  { name = \"y\"  format = \"RGBA16F\"  mips = 4 }  { name = \"depth\"  format = \"D32F\" }\n"
    "  { name = \"moved\"  format = \"RG16F\" } ]\n"
    "layers = [ { name = \"opaque\"  targets = [\"y\"]  depth_target = \"depth\"\n"
    "  velocity_target = \"moved\" } ]\n"
    "viewports = { default = [\"main\"] }\n";

enum { FIRST_STEP_LINE = 10 };

static compile_case compiled(const char *steps, const char *rest) {
    compile_case t = compile_case_make();
    char source[4096];
    snprintf(source, sizeof(source), "%sresource_generators = { main = [\n%s\n] }\n%s\n", head,
             steps, rest);
    compile_case_text(&t, "main.render_config", source);
    compile_case_text(&t, "add.shader", "blend = \"add\"\nvertices = \"fullscreen\"\n");
    compile_case_text(&t, "a.shader", "vertices = \"fullscreen\"\n");
    compile_case_run(&t, "render_config", "main");
    return t;
}

static void refuses(const char *steps, const char *rest, uint32_t line, const char *text) {
    compile_case t = compiled(steps, rest);
    compile_case_expect(&t, "main.render_config", line, text);
    compile_case_free(&t);
}

static void expect_accepted(const char *steps) {
    compile_case t = compiled(steps, "");
    expect_blob(&t.answer, "render_config");
    compile_case_free(&t);
}

#define CLEAR "{ type = \"clear\"  targets = [\"y\"] }\n"
#define PASS(inputs, targets, more)                                                                \
    "{ type = \"fullscreen_pass\"  shader = \"a\"  inputs = [" inputs "]  targets = [" targets     \
    "]  " more " }\n"

static void reads_conditions(void **state) {
    (void)state;
    compile_case t =
        compiled("{ type = \"clear\"  targets = [\"y\"]  enabled = [\"!on\" { setting = \"mode\"  "
                 "is_not = \"b\" }\n{ setting = \"mode\"  is = [\"a\" \"c\"] }] }",
                 "jitter = \"on\"");
    const ct_render_config_resource *const r = expect_blob(&t.answer, "render_config");
    const ct_render_step *const step = ct_blob_at(r, r->steps.offset);
    float values[3][4] = {{0}, {2}, {1}};
    assert_int_equal(step->enabled.count, 3);
    assert_true(ct_render_conditions_hold(&step->enabled, values[0]));
    assert_false(ct_render_conditions_hold(&r->jitter, values[0]));
    values[0][0] = 1;
    assert_false(ct_render_conditions_hold(&step->enabled, values[0]));
    assert_true(ct_render_conditions_hold(&r->jitter, values[0]));
    values[0][0] = 0;
    values[1][0] = 1;
    assert_false(ct_render_conditions_hold(&step->enabled, values[0]));
    compile_case_free(&t);
}

static void refuses_bad_conditions(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        {"\"onn\"", "enabled: found \"onn\", expected the name of a setting; did you mean \"on\"?"},
        {"\"mode\"", "mode is a choice; expected a bool, or { setting = \"mode\"  is"},
        {"{ setting = \"mode\"  is = \"d\" }", "mode: found \"d\""},
        {"{ setting = \"on\"  is = 1 }", "on is a bool: found a number"},
        {"{ setting = \"fog\"  is = 1 }", "fog is a number; expected a bool or choice"},
        {"{ setting = \"mode\" }", "expected { setting = \"…\"  is = … }"},
        {"[\"on\" \"on\" \"on\" \"on\" \"on\"]", "expected at most 4 conditions"},
        {"5", "found a number, expected the name of a setting"}};
    for (uint32_t i = 0; i < CT_COUNT_OF(cases); ++i) {
        char step[256];
        snprintf(step, sizeof(step), "{ type = \"clear\"  targets = [\"y\"]  enabled = %s }",
                 cases[i][0]);
        refuses(step, "", FIRST_STEP_LINE, cases[i][1]);
    }
}

static void reads_what_the_last_frame_wrote(void **state) {
    (void)state;
    expect_accepted(CLEAR PASS("\"y\" { name = \"x\"  previous = true }", "\"x\"", ""));
    refuses(CLEAR PASS("{ name = \"y\"  previous = true }", "\"x\"", ""), "", FIRST_STEP_LINE + 1,
            "declare it with history = true");
    refuses(PASS("{ name = \"x\"  previous = true }", "\"y\"", ""), "", FIRST_STEP_LINE,
            "reads x, which no step writes");
}

static void draws_into_mips(void **state) {
    (void)state;
    expect_accepted(CLEAR PASS("{ name = \"y\"  mip = 0 }", "{ name = \"y\"  mip = 1 }", "")
                        PASS("{ name = \"y\"  mip = 1 }", "{ name = \"y\"  mip = 2 }", ""));
    refuses(CLEAR PASS("{ name = \"y\"  mip = 1 }", "{ name = \"y\"  mip = 1 }", ""), "",
            FIRST_STEP_LINE + 1, "y is both read and written");
    refuses(CLEAR PASS("{ name = \"y\"  mip = 2 }", "{ name = \"y\"  mip = 1 }", ""), "",
            FIRST_STEP_LINE + 1, "reads mip 2 of y before");
    refuses(PASS("", "{ name = \"y\"  mip = 4 }", ""), "", FIRST_STEP_LINE,
            "mip: expected a whole number below 4");
}

static void refuses_to_read_what_nobody_wrote(void **state) {
    (void)state;
    refuses(PASS("\"x\"", "\"y\"", "name = \"blur\""), "", FIRST_STEP_LINE,
            "the step \"blur\" reads x, which no step writes");
    refuses(PASS("\"y\"", "\"x\"", "") CLEAR, "", FIRST_STEP_LINE,
            "reads y before a step of type clear writes it; move one of them, or");
    // Each waits for the other.
    refuses(PASS("\"y\"", "\"x\"", "name = \"one\"") PASS("\"x\"", "\"y\"", "name = \"two\""), "",
            FIRST_STEP_LINE, "the step \"one\" reads y before the step \"two\" writes it");
}

static void refuses_to_write_over_what_nobody_read(void **state) {
    (void)state;
    const char *const twice = PASS("", "\"y\"", "name = \"one\"") PASS("", "\"y\"", "");
    refuses(twice, "", FIRST_STEP_LINE + 1,
            "writes over y, which the step \"one\" wrote and no step has read since");
    refuses("{ type = \"draw_layer\"  layer = \"opaque\" }\n" PASS("", "\"y\"", ""), "",
            FIRST_STEP_LINE + 1, "writes over y");
    expect_accepted(PASS("", "\"y\"", "") PASS("", "\"y\"", "overwrite = true"));
    expect_accepted(PASS("", "\"y\"", "enabled = \"on\"") PASS("", "\"y\"", "enabled = \"!on\""));
    expect_accepted(PASS("", "\"y\"", "") PASS("\"y\"", "\"x\"", "") PASS("", "\"y\"", ""));
    expect_accepted(PASS(
        "", "\"y\"", "") "{ type = \"fullscreen_pass\"  shader = \"add\"  targets = [\"y\"] }\n");
    expect_accepted(CLEAR PASS("", "\"y\"", ""));
}

static void takes_presets(void **state) {
    (void)state;
    compile_case t = compiled(CLEAR, "presets = { low = { on = false  fog = 2 }  high = { } }\n"
                                     "preset = \"high\"  cpu_preset = \"low\"");
    const ct_render_config_resource *const r = expect_blob(&t.answer, "render_config");
    const ct_render_preset *const presets = ct_blob_at(r, r->presets.offset);
    assert_int_equal(r->presets.count, 2);
    assert_int_equal(r->preset, 2);
    assert_int_equal(r->cpu_preset, 1);
    const ct_render_preset_value *const values = ct_blob_at(r, presets[0].values.offset);
    assert_int_equal(presets[0].values.count, 2);
    assert_int_equal(values[1].setting, 2);
    assert_true(values[1].value[0] == 2.0f);
    compile_case_free(&t);
    refuses(CLEAR, "presets = { low = { onn = false } }", FIRST_STEP_LINE + 3,
            "there is no setting \"onn\"; did you mean \"on\"?");
    refuses(CLEAR, "presets = { low = { fog = 9 } }", FIRST_STEP_LINE + 3,
            "fog: found 9, expected a number from 0 to 4");
    refuses(CLEAR, "presets = { low = { } }  preset = \"lo\"", FIRST_STEP_LINE + 3,
            "preset: found \"lo\"; did you mean \"low\"?");
}

// What an heir says counts more than the presets of what it inherits.
static void an_heirs_default_beats_inherited_presets(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    compile_case_text(&t, "base.render_config",
                      "settings = { a = 1  b = 1 }\npresets = { low = { a = 2  b = 2 } }\n"
                      "global_resources = []\n");
    compile_case_text(&t, "main.render_config",
                      "inherit = \"base\"\nsettings = { a = 3 }\nglobal_resources = []\n");
    const ct_render_config_resource *const r = compile_case_blob(&t, "render_config", "main");
    const ct_render_preset *const presets = ct_blob_at(r, r->presets.offset);
    const ct_render_preset_value *const values = ct_blob_at(r, presets[0].values.offset);
    assert_int_equal(presets[0].values.count, 1);
    assert_int_equal(values[0].setting, 1);
    compile_case_free(&t);
}

static void refuses_targets_that_environments_could_change(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    compile_case_text(&t, "main.render_config",
                      "settings = { s = { default = 1  environment = true } }\n"
                      "global_resources = [ { name = \"x\"  format = \"R32F\"\n"
                      "scale = { setting = \"s\" } } ]\n");
    compile_case_run(&t, "render_config", "main");
    compile_case_expect(&t, "main.render_config", 3, "s can be set by environments");
    compile_case_free(&t);
}

static void refuses_bad_velocity_targets_and_history(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    compile_case_text(&t, "main.render_config",
                      "global_resources = [ { name = \"x\"  format = \"RGBA8\" }\n"
                      "{ name = \"d\"  format = \"D32F\"  history = true } ]\n"
                      "layers = [ { name = \"a\"  targets = [\"x\"]\n"
                      "velocity_target = \"x\" } ]\n");
    compile_case_run(&t, "render_config", "main");
    compile_case_expect(&t, "main.render_config", 2, "history: a depth target (D32F) has none");
    compile_case_expect(&t, "main.render_config", 4, "expected a target of format RG16F");
    compile_case_free(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_conditions),
        cmocka_unit_test(refuses_bad_conditions),
        cmocka_unit_test(reads_what_the_last_frame_wrote),
        cmocka_unit_test(draws_into_mips),
        cmocka_unit_test(refuses_to_read_what_nobody_wrote),
        cmocka_unit_test(refuses_to_write_over_what_nobody_read),
        cmocka_unit_test(takes_presets),
        cmocka_unit_test(an_heirs_default_beats_inherited_presets),
        cmocka_unit_test(refuses_targets_that_environments_could_change),
        cmocka_unit_test(refuses_bad_velocity_targets_and_history),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
