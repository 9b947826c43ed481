#include "compiler/compile_case.h"

#include <math.h>

#include "resource/render_config_resource.h"

// A whole config, of which tests replace one part.
static const char *const resources =
    "global_resources = [\n"
    "    { name = \"hdr\" format = \"RGBA16F\" scale = [0.5 0.5] }\n"
    "    { name = \"depth\" format = \"D32F\" scale = [0.5 0.5] }\n"
    "    { name = \"shadow\" format = \"D32F\" size = [1024 512] }\n"
    "]\n";
static const char *const layers =
    "layers = [\n"
    "    { name = \"opaque\" targets = [\"hdr\"] depth_target = \"depth\" sort = \"front_back\" }\n"
    "]\n";
static const char *const generators =
    "resource_generators = {\n"
    "    scene = [\n"
    "        { type = \"clear\" targets = [\"hdr\"] depth_target = \"depth\" color = [0 0.5 1]"
    " depth = 0.5 }\n"
    "        { type = \"draw_layer\" layer = \"opaque\" }\n"
    "    ]\n"
    "    tonemap = [\n"
    "        { type = \"fullscreen_pass\" shader = \"core/tonemap\" material = \"warm\""
    " inputs = [\"hdr\" { name = \"shadow\" filter = \"nearest\" }] targets = [\"back_buffer\"] }\n"
    "    ]\n"
    "}\n";
static const char *const viewports = "viewports = { default = [\"scene\" \"tonemap\"] }\n"
                                     "line_shader = \"core/line\"\n"
                                     "error_material = \"core/error\"\n";

// Compiles the config whose part that starts as `part` does is `part`; line 1 is the part's first.
static void run(compile_case *t, const char *part) {
    const char *parts[] = {resources, layers, generators, viewports};
    char source[8192] = "", head[8192] = "";
    for (uint32_t i = 0; i < 4; i++) {
        const bool is_replaced = part && strncmp(part, parts[i], 6) == 0;
        const char *text = is_replaced ? part : parts[i];
        char *out = is_replaced ? head : source;
        strcat(out, text);
    }
    strcat(head, source);
    compile_case_text(t, "main.render_config", head);
    compile_case_run(t, "render_config", "main");
}

// Fails unless the part gives an error at `line` of it with `text`.
static void expect_error_in(const char *part, uint32_t line, const char *text) {
    compile_case t = compile_case_make();
    run(&t, part);
    compile_case_expect(&t, "main.render_config", line, text);
    compile_case_free(&t);
}

static void writes_targets_layers_and_steps(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    run(&t, NULL);
    const ct_render_config_resource *r = expect_blob(&t.answer, "render_config");
    const ct_render_target *targets = ct_blob_at(r, r->targets.offset);
    assert_int_equal(r->targets.count, 3);
    assert_int_equal(targets[0].format, CT_RENDER_FORMAT_RGBA16F);
    assert_true(targets[0].width_scale == 0.5f && targets[0].width == 0);
    assert_int_equal(targets[2].format, CT_RENDER_FORMAT_D32F);
    assert_int_equal(targets[2].width, 1024);
    assert_int_equal(targets[2].height, 512);
    assert_true(targets[2].width_scale == 0);
    const ct_render_layer *layer = ct_blob_at(r, r->layers.offset);
    assert_int_equal(layer->sort, CT_RENDER_SORT_FRONT_BACK);
    assert_int_equal(layer->num_color_targets, 1);
    assert_int_equal(layer->color_targets[0].value, ct_string_id32_of("hdr").value);
    assert_int_equal(layer->depth_target.value, ct_string_id32_of("depth").value);
    const ct_render_step *steps = ct_blob_at(r, r->steps.offset);
    assert_int_equal(r->steps.count, 3);
    assert_int_equal(steps[0].type, CT_RENDER_STEP_TYPE_CLEAR);
    assert_true(fabsf(steps[0].clear_color[1] - 0.21404f) < 1e-4f); // linear
    assert_true(steps[0].clear_color[3] == 1.0f);
    assert_true(steps[0].clear_depth == 0.5f);
    assert_int_equal(steps[1].layer.value, ct_string_id32_of("opaque").value);
    assert_int_equal(steps[2].num_inputs, 2);
    assert_int_equal(steps[2].inputs[0].filter, 0);
    assert_int_equal(steps[2].inputs[1].target.value, ct_string_id32_of("shadow").value);
    assert_int_equal(steps[2].inputs[1].filter, 1);
    assert_true(steps[2].shader.value == ct_string_id64_of("core/tonemap").value);
    assert_true(steps[2].material.value == ct_string_id64_of("warm").value);
    compile_case_free(&t);
}

static void writes_generators_and_viewports(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    run(&t, NULL);
    const ct_render_config_resource *r = expect_blob(&t.answer, "render_config");
    const ct_render_generator *g = ct_blob_at(r, r->generators.offset);
    assert_int_equal(r->generators.count, 2);
    assert_int_equal(g[0].num_steps, 2);
    assert_int_equal(g[1].first_step, 2);
    assert_int_equal(g[1].num_steps, 1);
    const ct_render_viewport *v = ct_blob_at(r, r->viewports.offset);
    assert_int_equal(v->name.value, ct_string_id32_of("default").value);
    assert_int_equal(v->generators.count, 2);
    const uint32_t *order = ct_blob_at(r, v->generators.offset);
    assert_int_equal(order[1], 1);
    assert_true(r->line_shader.value == ct_string_id64_of("core/line").value);
    assert_true(r->error_material.value == ct_string_id64_of("core/error").value);
    compile_case_free(&t);
}

static void refers_to_shaders_and_materials(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    run(&t, NULL);
    assert_true(has_reference(&t.answer, "shader", "core/tonemap"));
    assert_true(has_reference(&t.answer, "material", "warm"));
    assert_true(has_reference(&t.answer, "shader", "core/line"));
    assert_true(has_reference(&t.answer, "material", "core/error"));
    compile_case_free(&t);
}

static void refuses_bad_targets(void **state) {
    (void)state;
    expect_error_in("global_resources = [\n{ name = \"hdr\" format = \"RGBA32\" }]\n", 2,
                    "format: found \"RGBA32\"; did you mean");
    expect_error_in("global_resources = [\n{ name = \"hdr\" }]\n", 2, "expected a format");
    expect_error_in("global_resources = [\n{ format = \"D32F\" }]\n", 2, "expected a name");
    expect_error_in("global_resources = [\n{ name = \"a\" format = \"R16F\" }\n"
                    "{ name = \"a\" format = \"R16F\" }]\n",
                    3, "\"a\" is there already");
    expect_error_in("global_resources = [\n{ name = \"back_buffer\" format = \"RGBA8\" }]\n", 2,
                    "back_buffer is there without being declared");
    expect_error_in("global_resources = [\n{ name = \"a\" format = \"R16F\" size = [0 5] }]\n", 2,
                    "size: found 0, expected a number from 1 to 16384");
    expect_error_in("global_resources = [\n{ name = \"a\" format = \"R16F\" size = [1.5 5] }]\n", 2,
                    "expected whole numbers");
    expect_error_in(
        "global_resources = [\n{ name = \"a\" format = \"R16F\" size = [1 5] scale = [1 1] }]\n", 2,
        "size and scale exclude each other");
    expect_error_in("global_resources = [\n{ name = \"a\" format = \"R16F\" scale = [1] }]\n", 2,
                    "scale: expected an array of 2 numbers");
    expect_error_in("global_resources = [\n{ name = \"a\" fromat = \"R16F\" }]\n", 2,
                    "unknown member \"fromat\"; did you mean \"format\"?");
}

static void refuses_too_many_targets(void **state) {
    (void)state;
    char part[4096] = "global_resources = [\n";
    for (uint32_t i = 0; i <= CT_RENDER_MAX_TARGETS; i++)
        snprintf(part + strlen(part), sizeof(part) - strlen(part),
                 "{ name = \"t%u\" format = \"R16F\" }\n", i);
    strcat(part, "]\n");
    expect_error_in(part, 34, "expected at most 32");
}

static void refuses_bad_layers(void **state) {
    (void)state;
    expect_error_in("layers = [\n{ name = \"opaque\" targets = [\"hdx\"] }]\n", 2,
                    "no global resource \"hdx\"; did you mean \"hdr\"?");
    expect_error_in("layers = [\n{ name = \"opaque\" targets = [\"depth\"] }]\n", 2,
                    "depth is a depth target (D32F); expected one for colour");
    expect_error_in("layers = [\n{ name = \"opaque\" depth_target = \"hdr\" }]\n", 2,
                    "hdr is not a depth target; expected format D32F");
    expect_error_in("layers = [\n{ name = \"opaque\" depth_target = \"back_buffer\" }]\n", 2,
                    "back_buffer is not a depth target");
    expect_error_in("layers = [\n{ name = \"opaque\" targets = [\"hdr\"] sort = \"front\" }]\n", 2,
                    "sort: found \"front\"");
    expect_error_in("layers = [\n{ name = \"opaque\" }]\n", 2, "expected targets, a depth_target");
    expect_error_in("layers = [\n{ name = \"opaque\" targets = [\"hdr\" \"hdr\"] }]\n", 2,
                    "hdr is there already");
    expect_error_in(
        "layers = [\n{ name = \"opaque\" targets = [\"hdr\"] depth_target = \"shadow\" }]\n", 2,
        "differ in size");
}

static void refuses_a_layer_twice(void **state) {
    (void)state;
    expect_error_in("layers = [\n{ name = \"opaque\" targets = [\"hdr\"] }\n"
                    "{ name = \"opaque\" targets = [\"hdr\"] }]\n",
                    3, "a layer \"opaque\" is there already");
}

// Fails unless the step as the only one of a generator gives an error with `text`.
static void expect_step_error(const char *step, const char *text) {
    char part[1024];
    snprintf(part, sizeof(part), "resource_generators = { tonemap = [] scene = [\n%s\n] }\n", step);
    expect_error_in(part, 2, text);
}

static void refuses_bad_steps(void **state) {
    (void)state;
    expect_step_error("{ type = \"claer\" }", "found \"claer\"; did you mean \"clear\"?");
    expect_step_error("{ layer = \"opaque\" }", "type: found an object, expected one of: clear");
    expect_step_error("5", "found a number, expected a step");
    expect_step_error("{ type = \"draw_layer\" layer = \"opaqe\" }", "did you mean \"opaque\"?");
    expect_step_error("{ type = \"draw_layer\" }", "expected layer = ");
    expect_step_error("{ type = \"draw_layer\" layer = \"opaque\" targets = [\"hdr\"] }",
                      "draw_layer: unknown member \"targets\"");
}

static void refuses_bad_clears(void **state) {
    (void)state;
    expect_step_error("{ type = \"clear\" }", "expected targets, a depth_target, or both");
    expect_step_error("{ type = \"clear\" depth_target = \"depth\" depth = 1.5 }",
                      "depth: expected a number from 0 (near) to 1 (far)");
    expect_step_error("{ type = \"clear\" depth_target = \"depth\" depth = \"far\" }",
                      "depth: expected a number from 0");
    expect_step_error("{ type = \"clear\" targets = [\"hdr\"] color = [0 0] }",
                      "color: expected an array of 3 or more numbers");
    expect_step_error("{ type = \"clear\" targets = [\"hdr\"] color = [0 0 2] }",
                      "color: found 2, expected a number from 0 to 1");
    expect_step_error("{ type = \"clear\" targets = \"hdr\" }",
                      "targets: found a string, expected an array of names");
    expect_step_error("{ type = \"clear\" targets = [\"depth\"] }", "depth is a depth target");
}

static void refuses_bad_passes(void **state) {
    (void)state;
    expect_step_error("{ type = \"fullscreen_pass\" targets = [\"hdr\"] }", "expected a shader");
    expect_step_error("{ type = \"fullscreen_pass\" shader = \"a\" }", "expected targets");
    expect_step_error("{ type = \"fullscreen_pass\" shader = \"A b\" targets = [\"hdr\"] }",
                      "shader: expected the name of a shader");
    expect_step_error(
        "{ type = \"fullscreen_pass\" shader = \"a\" targets = [\"hdr\"] inputs = [\"hdr\"] }",
        "hdr is both read and written by this pass");
    expect_step_error("{ type = \"fullscreen_pass\" shader = \"a\" targets = [\"hdr\"]"
                      " inputs = [\"back_buffer\"] }",
                      "back_buffer cannot be read");
    expect_step_error("{ type = \"fullscreen_pass\" shader = \"a\" targets = [\"hdr\"]"
                      " inputs = [\"nothing_like_it\"] }",
                      "no global resource \"nothing_like_it\"; there are hdr, depth, shadow, "
                      "back_buffer");
    expect_step_error("{ type = \"fullscreen_pass\" shader = \"a\" targets = [\"hdr\"]"
                      " inputs = [{ name = \"shadow\" filter = \"cubic\" }] }",
                      "filter: found \"cubic\", expected one of: linear, nearest");
    expect_step_error("{ type = \"fullscreen_pass\" shader = \"a\" targets = [\"hdr\"]"
                      " inputs = [\"shadow\" \"shadow\" \"shadow\" \"shadow\" \"shadow\""
                      " \"shadow\" \"shadow\" \"shadow\" \"shadow\"] }",
                      "inputs: expected at most 8");
}

static void refuses_unknown_generators(void **state) {
    (void)state;
    expect_error_in("viewports = {\n    default = [\"scene\" \"tonmap\"]\n}\n", 2,
                    "resource generator: found \"tonmap\"; did you mean \"tonemap\"?");
    expect_error_in("viewports = {\n    default = \"scene\"\n}\n", 2,
                    "default: found a string, expected an array of resource generators");
}

static void tells_all_errors(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    run(&t, "resource_generators = { tonemap = []\nscene = [\n{ type = \"clear\" }\n"
            "{ type = \"draw_layer\" layer = \"x\" }\n5] }\n");
    compile_case_expect(&t, "main.render_config", 3, "clear");
    compile_case_expect(&t, "main.render_config", 4, "layer");
    compile_case_expect(&t, "main.render_config", 5, "found a number");
    assert_int_equal(t.answer.errors.count, 3);
    compile_case_free(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(writes_targets_layers_and_steps),
        cmocka_unit_test(writes_generators_and_viewports),
        cmocka_unit_test(refers_to_shaders_and_materials),
        cmocka_unit_test(refuses_bad_targets),
        cmocka_unit_test(refuses_too_many_targets),
        cmocka_unit_test(refuses_bad_layers),
        cmocka_unit_test(refuses_a_layer_twice),
        cmocka_unit_test(refuses_bad_steps),
        cmocka_unit_test(refuses_bad_clears),
        cmocka_unit_test(refuses_bad_passes),
        cmocka_unit_test(refuses_unknown_generators),
        cmocka_unit_test(tells_all_errors),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
