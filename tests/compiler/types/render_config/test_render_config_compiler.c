#include "compiler/compile_case.h"

#include <math.h>

#include "resource/types/render_config_resource.h"

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
    "        { type = \"clear\" depth_target = \"shadow\" }\n"
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
    for (uint32_t i = 0; i < 4; ++i) {
        const bool is_replaced = part && strncmp(part, parts[i], 6) == 0;
        const char *const text = is_replaced ? part : parts[i];
        char *const out = is_replaced ? head : source;
        strcat(out, text);
    }
    strcat(head, source);
    if (part && strncmp(part, "settin", 6) == 0)
        snprintf(head, sizeof(head), "%s%s", part, source);
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
    const ct_render_config_resource *const r = expect_blob(&t.answer, "render_config");
    const ct_render_target *targets = ct_blob_at(r, r->targets.offset);
    assert_int_equal(r->targets.count, 3);
    assert_int_equal(targets[0].format, CT_RENDER_FORMAT_RGBA16F);
    assert_true(targets[0].width_scale == 0.5f && targets[0].width == 0);
    assert_int_equal(targets[2].format, CT_RENDER_FORMAT_D32F);
    assert_int_equal(targets[2].width, 1024);
    assert_int_equal(targets[2].height, 512);
    assert_true(targets[2].width_scale == 0);
    const ct_render_layer *const layer = ct_blob_at(r, r->layers.offset);
    assert_int_equal(layer->sort, CT_RENDER_SORT_FRONT_BACK);
    assert_int_equal(layer->num_color_targets, 1);
    assert_int_equal(layer->color_targets[0].value, ct_string_id32_of("hdr").value);
    assert_int_equal(layer->depth_target.value, ct_string_id32_of("depth").value);
    const ct_render_step *const steps = ct_blob_at(r, r->steps.offset);
    assert_int_equal(r->steps.count, 4);
    assert_int_equal(steps[0].type, CT_RENDER_STEP_TYPE_CLEAR);
    assert_true(fabsf(steps[0].clear_color[1] - 0.21404f) < 1e-4f); // linear
    assert_true(steps[0].clear_color[3] == 1.0f);
    assert_true(steps[0].clear_depth == 0.5f);
    assert_int_equal(steps[1].layer.value, ct_string_id32_of("opaque").value);
    assert_int_equal(steps[3].num_inputs, 2);
    assert_int_equal(steps[3].inputs[0].filter, 0);
    assert_int_equal(steps[3].inputs[1].target.value, ct_string_id32_of("shadow").value);
    assert_int_equal(steps[3].inputs[1].filter, 1);
    assert_true(steps[3].shader.value == ct_string_id64_of("core/tonemap").value);
    assert_true(steps[3].material.value == ct_string_id64_of("warm").value);
    compile_case_free(&t);
}

static void writes_generators_and_viewports(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    run(&t, NULL);
    const ct_render_config_resource *const r = expect_blob(&t.answer, "render_config");
    const ct_render_generator *const g = ct_blob_at(r, r->generators.offset);
    assert_int_equal(r->generators.count, 2);
    assert_int_equal(g[0].num_steps, 3);
    assert_int_equal(g[1].first_step, 3);
    assert_int_equal(g[1].num_steps, 1);
    const ct_render_viewport *const v = ct_blob_at(r, r->viewports.offset);
    assert_int_equal(v->name.value, ct_string_id32_of("default").value);
    assert_int_equal(v->generators.count, 2);
    const uint32_t *const order = ct_blob_at(r, v->generators.offset);
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
                    3, "\"a\" is declared twice");
    expect_error_in("global_resources = [\n{ name = \"back_buffer\" format = \"RGBA8\" }]\n", 2,
                    "back_buffer always exists; it cannot be declared");
    expect_error_in("global_resources = [\n{ name = \"a\" format = \"R16F\" size = [0 5] }]\n", 2,
                    "size: found 0, expected a number from 1 to 16384");
    expect_error_in("global_resources = [\n{ name = \"a\" format = \"R16F\" size = [1.5 5] }]\n", 2,
                    "expected whole numbers");
    expect_error_in(
        "global_resources = [\n{ name = \"a\" format = \"R16F\" size = [1 5] scale = [1 1] }]\n", 2,
        "found both size and scale");
    expect_error_in("global_resources = [\n{ name = \"a\" format = \"R16F\" scale = [1] }]\n", 2,
                    "scale: expected an array of 2 numbers");
    expect_error_in("global_resources = [\n{ name = \"a\" fromat = \"R16F\" }]\n", 2,
                    "unknown member \"fromat\"; did you mean \"format\"?");
}

static void refuses_too_many_targets(void **state) {
    (void)state;
    char part[4096] = "global_resources = [\n";
    for (uint32_t i = 0; i <= CT_RENDER_MAX_TARGETS; ++i)
        snprintf(part + strlen(part), sizeof(part) - strlen(part),
                 "{ name = \"t%u\" format = \"R16F\" }\n", i);
    strcat(part, "]\n");
    expect_error_in(part, 34, "expected at most 32");
}

static void refuses_bad_layers(void **state) {
    (void)state;
    expect_error_in("layers = [\n{ name = \"opaque\" targets = [\"hdx\"] }]\n", 2,
                    "unknown global resource \"hdx\"; did you mean \"hdr\"?");
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
                    "hdr is listed twice");
    expect_error_in(
        "layers = [\n{ name = \"opaque\" targets = [\"hdr\"] depth_target = \"shadow\" }]\n", 2,
        "must have the same size");
}

static void refuses_a_layer_twice(void **state) {
    (void)state;
    expect_error_in("layers = [\n{ name = \"opaque\" targets = [\"hdr\"] }\n"
                    "{ name = \"opaque\" targets = [\"hdr\"] }]\n",
                    3, "the layer \"opaque\" is declared twice");
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
    expect_step_error("{ layer = \"opaque\" }",
                      "type: found an object, expected one of: capture_sky");
    expect_step_error("5", "found a number, expected a step");
    expect_step_error("{ type = \"draw_layer\" layer = \"opaqe\" }", "did you mean \"opaque\"?");
    expect_step_error("{ type = \"draw_layer\" }", "expected layer = ");
    expect_step_error("{ type = \"draw_layer\" layer = \"opaque\" color = [1 1 1] }",
                      "draw_layer: unknown member \"color\"");
    expect_step_error("{ type = \"draw_layer\" layer = \"opaque\" only = \"outlines\" }",
                      "only: found \"outlines\"; did you mean \"outlined\"?");
    expect_step_error("{ type = \"draw_layer\" layer = \"opaque\" wireframe = 1 }",
                      "wireframe: found a number, expected true or false");
    expect_step_error("{ type = \"draw_layer\" layer = \"opaque\" when = \"never\" }",
                      "when: found \"never\"");
    expect_step_error("{ type = \"capture_sky\" layer = \"opaque\" target = \"hdr\" }",
                      "target: expected a size in pixels for 3 x 2 squares");
}

static const char *const shadow_map =
    "global_resources = [ { name = \"map\" format = \"D32F\" size = [512 512] }\n"
    "{ name = \"other\" format = \"D32F\" size = [512 512] }\n"
    "{ name = \"screen\" format = \"D32F\" } ]\n";

static void expect_shadow_error(const char *steps, uint32_t line, const char *text) {
    compile_case t = compile_case_make();
    char source[1024];
    snprintf(source, sizeof(source),
             "%ssettings = { on = true }\nresource_generators = { scene = [\n%s ] }\n", shadow_map,
             steps);
    compile_case_text(&t, "main.render_config", source);
    compile_case_run(&t, "render_config", "main");
    compile_case_expect(&t, "main.render_config", line, text);
    compile_case_free(&t);
}

static void refuses_bad_shadows(void **state) {
    (void)state;
    expect_shadow_error("{ type = \"cascaded_shadows\" }", 6, "expected target = ");
    expect_shadow_error("{ type = \"cascaded_shadows\" target = \"screen\" }", 6,
                        "a shadow map must have a size of at least [64 64]");
    expect_shadow_error("{ type = \"cascaded_shadows\" target = \"map\" cascades = 5 }", 6,
                        "cascades: found 5, expected a number from 1 to 4");
    expect_shadow_error("{ type = \"cascaded_shadows\" target = \"map\" on_cpu = 1 }", 6,
                        "on_cpu: found a number, expected true or false");
    expect_shadow_error("{ type = \"cascaded_shadows\" target = \"map\"\n"
                        "distance = { setting = \"on\" } }",
                        7, "on");
    expect_shadow_error("{ type = \"cascaded_shadows\" target = \"map\" }\n"
                        "{ type = \"cascaded_shadows\" target = \"other\" }",
                        5, "scene: a step draws a second shadow map");
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
    expect_step_error(
        "{ type = \"fullscreen_pass\" shader = \"a\" targets = [\"hdr\"]"
        " inputs = [\"nothing_like_it\"] }",
        "unknown global resource \"nothing_like_it\"; expected one of: hdr, depth, shadow, "
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

// --- Settings ------------------------------------------------------------------------------------

static const char *const settings =
    "settings = {\n"
    "    bloom = true\n"
    "    strength = 0.5\n"
    "    tint = { type = \"color\" default = [1 1 1] }\n"
    "    map_size = { type = \"whole\" default = 512 least = 64 most = 4096 }\n"
    "    quality = { choices = [\"RGBA8\" \"RGBA16F\"] default = \"RGBA16F\" }\n"
    "    offset = [1 2]\n"
    "}\n";

// Compiles `source` with the settings before it.
static void run_with_settings(compile_case *t, const char *source) {
    char text[8192];
    snprintf(text, sizeof(text), "%s%s", settings, source);
    compile_case_text(t, "main.render_config", text);
    compile_case_text(
        t, "tint.shader",
        "vertices = \"fullscreen\"\noptions = [\"striped\"]\n"
        "parameters = { amount = { type = \"scalar\" } color = { type = \"color\" } }\n"
        "vertex = \"void main() {}\"\nfragment = \"void main() {}\"\n");
    compile_case_run(t, "render_config", "main");
}

// The error must stand in the source's line `line`, and have `text`.
static void expect_error_with_settings(const char *source, uint32_t line, const char *text) {
    compile_case t = compile_case_make();
    run_with_settings(&t, source);
    compile_case_expect(&t, "main.render_config", 8 + line, text);
    compile_case_free(&t);
}

static void writes_settings_and_what_refers_to_them(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    run_with_settings(
        &t,
        "global_resources = [\n"
        "{ name = \"a\" format = { setting = \"quality\" } scale = { setting = \"strength\" } }\n"
        "{ name = \"b\" format = \"D32F\" size = { setting = \"map_size\" } } ]\n"
        "resource_generators = { main = [\n"
        "{ type = \"clear\" targets = [\"a\"] enabled = \"!bloom\" }\n"
        "{ type = \"fullscreen_pass\" shader = \"tint\" targets = [\"a\"] enabled = \"bloom\"\n"
        "  parameters = { amount = { setting = \"strength\" }"
        " color = { setting = \"tint\" } striped = { setting = \"bloom\" } } } ] }\n"
        "sky_light = { setting = \"tint\" }\n");
    const ct_render_config_resource *const r = expect_blob(&t.answer, "render_config");
    const ct_render_setting *const s = ct_blob_at(r, r->settings.offset);
    assert_int_equal(r->settings.count, 6);
    assert_string_equal(ct_blob_at(r, s[3].name.offset), "map_size");
    assert_int_equal(s[3].type, CT_RENDER_SETTING_TYPE_WHOLE);
    assert_float_equal(s[3].most, 4096, 0);
    assert_int_equal(s[4].type, CT_RENDER_SETTING_TYPE_CHOICE);
    assert_float_equal(s[4].default_value[0], 1, 0);
    assert_int_equal(s[5].type, CT_RENDER_SETTING_TYPE_VECTOR2);
    // A scale's range is that of what it is used for.
    assert_float_equal(s[1].least, CT_RENDER_LEAST_SCALE, 0);
    assert_float_equal(s[1].most, CT_RENDER_MOST_SCALE, 0);
    const ct_render_target *const targets = ct_blob_at(r, r->targets.offset);
    assert_int_equal(targets[0].format_setting, 5);
    assert_int_equal(targets[0].format, CT_RENDER_FORMAT_RGBA16F);
    assert_int_equal(targets[0].size_setting, 2);
    assert_float_equal(targets[0].height_scale, 0.5, 0);
    assert_int_equal(targets[1].width, 512);
    const ct_render_step *const steps = ct_blob_at(r, r->steps.offset);
    assert_int_equal(steps[0].enabled.count, 1);
    assert_int_equal(steps[0].enabled.items[0].setting, 0);
    assert_int_equal(steps[0].enabled.items[0].values, 1);
    assert_int_equal(steps[1].enabled.items[0].values, 2);
    assert_int_equal(steps[1].num_parameters, 3);
    assert_int_equal(steps[1].parameters[1].setting, 2);
    assert_int_equal(steps[1].parameters[2].name.value, ct_string_id32_of("striped").value);
    assert_int_equal(r->sky_light.setting, 3);
    compile_case_free(&t);
}

static void refuses_bad_settings(void **state) {
    (void)state;
    expect_error_in("settings = {\na = \"high\" }\n", 2, "a: found a string, expected true");
    expect_error_in("settings = {\na = { type = \"text\" default = 1 } }\n", 2, "expected a type");
    expect_error_in("settings = {\na = { least = 1 } }\n", 2, "a: expected a default");
    expect_error_in("settings = {\na = { default = 5 most = 4 } }\n", 2,
                    "a: found 5, expected a number from");
    expect_error_in("settings = {\na = { default = 1 least = 3 most = 2 } }\n", 2,
                    "a: least is above most");
    expect_error_in("settings = {\na = { type = \"whole\" default = 1.5 } }\n", 2,
                    "a: found 1.5, expected a whole number");
    expect_error_in("settings = {\na = { choices = [\"x\" \"y\"] default = \"z\" } }\n", 2,
                    "a: found \"z\", expected one of: x, y");
    expect_error_in("settings = {\na = { choices = [\"x\" \"x\"] default = \"x\" } }\n", 2,
                    "\"x\" is listed twice");
    expect_error_in("settings = {\na = { type = \"color\" default = [1 2 0] } }\n", 2,
                    "a: found 2, expected a number from 0 to 1");
    expect_error_in("settings = {\na = { default = true most = 4 } }\n", 2, "a bool has no range");
    expect_error_in("settings = {\na = { default = 1 defalt = 2 } }\n", 2,
                    "a: unknown member \"defalt\"; did you mean \"default\"?");
}

static void refuses_unfit_references_to_settings(void **state) {
    (void)state;
    expect_error_with_settings("global_resources = [\n{ name = \"a\" format = \"R16F\" scale = { "
                               "setting = \"bloom\" } }]\n",
                               2, "bloom is a bool; expected a number or whole or vector2");
    expect_error_with_settings("global_resources = [\n{ name = \"a\" format = \"R16F\" scale = { "
                               "setting = \"map_size\" } }]\n",
                               2, "map_size is 512; expected 0.015625 to 16 here");
    expect_error_with_settings(
        "global_resources = [\n{ name = \"a\" format = { setting = \"qualty\" } }]\n", 2,
        "setting: found \"qualty\"; did you mean \"quality\"?");
    expect_error_with_settings(
        "resource_generators = { a = [\n{ type = \"clear\" enabled = \"blom\" } ] }\n", 2,
        "enabled: found \"blom\", expected the name of a setting; did you mean \"bloom\"?");
    expect_error_with_settings(
        "resource_generators = { a = [\n{ type = \"clear\" enabled = \"!strength\" } ] }\n", 2,
        "enabled: strength is a number; expected a bool");
    expect_error_with_settings("resource_generators = { a = [\n{ type = \"fullscreen_pass\""
                               " shader = \"tint\" targets = [\"back_buffer\"]"
                               " parameters = { amont = { setting = \"strength\" } } } ] }\n",
                               2,
                               "tint.shader has no parameter \"amont\"; did you mean \"amount\"?");
    expect_error_with_settings("resource_generators = { a = [\n{ type = \"fullscreen_pass\""
                               " shader = \"tint\" targets = [\"back_buffer\"]"
                               " parameters = { color = { setting = \"strength\" } } } ] }\n",
                               2, "strength is a number, but the parameter color is a color");
    expect_error_with_settings("resource_generators = { a = [\n{ type = \"fullscreen_pass\""
                               " shader = \"tint\" targets = [\"back_buffer\"]"
                               " parameters = { amount = 1 } } ] }\n",
                               2, "amount: found a number, expected { setting = ");
    expect_error_with_settings(
        "resource_generators = { a = [\n{ type = \"fullscreen_pass\""
        " shader = \"tint\" targets = [\"back_buffer\"]"
        " parameters = { stripd = { setting = \"bloom\" } } } ] }\n",
        2, "tint.shader has no parameter \"stripd\"; did you mean \"striped\"?");
    expect_error_with_settings("resource_generators = { a = [\n{ type = \"fullscreen_pass\""
                               " shader = \"tint\" targets = [\"back_buffer\"]"
                               " parameters = { striped = { setting = \"tint\" } } } ] }\n",
                               2, "tint is a color, but the option striped is a bool");
}

// --- Copies, mips, compute -----------------------------------------------------------------------

// Compiles a config with a step in line 6.
static void run_step(compile_case *t, const char *step) {
    char text[4096];
    snprintf(text, sizeof(text),
             "settings = { format = { choices = [\"R32F\" \"R16F\"] default = \"R32F\" } }\n"
             "global_resources = [ { name = \"hdr\" format = \"RGBA16F\" mips = \"all\" }\n"
             "{ name = \"depth\" format = \"D32F\" } { name = \"low_depth\" format = \"D32F\""
             " scale = [0.5 0.5] }\n{ name = \"sums\" format = \"R32F\" size = [64 64] mips = 3 }"
             "{ name = \"chosen\" format = { setting = \"format\" } } ]\n"
             "resource_generators = { all = [\n%s\n] }\n",
             step);
    compile_case_text(t, "main.render_config", text);
    compile_case_text(t, "sum.shader",
                      "outputs = { sum = { format = \"R32F\" } }\n"
                      "compute = \"layout(local_size_x = 8) in; void main() {}\"\n");
    compile_case_text(t, "pass.shader",
                      "vertex = \"void main() {}\"\nfragment = \"void main() {}\"");
    compile_case_run(t, "render_config", "main");
}

static void expect_bad_step(const char *step, const char *text) {
    compile_case t = compile_case_make();
    run_step(&t, step);
    compile_case_expect(&t, "main.render_config", 6, text);
    compile_case_free(&t);
}

static void writes_copies_mips_and_compute_steps(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    run_step(&t,
             "{ type = \"copy\" source = \"hdr\" target = \"back_buffer\" filter = \"nearest\" }"
             "{ type = \"copy\" source = \"back_buffer\" target = \"hdr\" }"
             "{ type = \"generate_mips\" target = \"hdr\" }"
             "{ type = \"compute\" shader = \"sum\" inputs = [{ name = \"hdr\" mip = 2 }"
             " { name = \"sums\" mip = 0 }] outputs = [{ name = \"sums\" mip = 1 }]"
             " groups = [4 8 1] }"
             "{ type = \"compute\" shader = \"sum\" outputs = [\"sums\"] cover = \"hdr\" }");
    const ct_render_config_resource *const r = expect_blob(&t.answer, "render_config");
    const ct_render_target *const targets = ct_blob_at(r, r->targets.offset);
    assert_int_equal(targets[0].num_mips, 0);
    assert_int_equal(targets[1].num_mips, 1);
    assert_int_equal(targets[3].num_mips, 3);
    const ct_render_step *const s = ct_blob_at(r, r->steps.offset);
    assert_int_equal(s[0].type, CT_RENDER_STEP_TYPE_COPY);
    assert_int_equal(s[0].inputs[0].target.value, ct_string_id32_of("hdr").value);
    assert_int_equal(s[0].inputs[0].filter, 1);
    assert_int_equal(s[0].color_targets[0].value, ct_string_id32_of("back_buffer").value);
    assert_int_equal(s[2].type, CT_RENDER_STEP_TYPE_GENERATE_MIPS);
    assert_int_equal(s[3].inputs[0].mip, 2);
    assert_int_equal(s[3].outputs[0].mip, 1);
    assert_int_equal(s[3].groups[1], 8);
    assert_int_equal(s[4].groups[1], 0);
    assert_int_equal(s[4].cover.value, ct_string_id32_of("hdr").value);
    assert_true(has_reference(&t.answer, "shader", "sum"));
    compile_case_free(&t);
}

static void refuses_bad_mips(void **state) {
    (void)state;
    expect_error_in("global_resources = [\n{ name = \"a\" format = \"R16F\" mips = 16 }]\n", 2,
                    "mips: expected \"all\" or a whole number from 1 to 15");
    expect_error_in("global_resources = [\n{ name = \"a\" format = \"D32F\" mips = 2 }]\n", 2,
                    "mips: a depth target (D32F) has no mips");
    expect_bad_step("{ type = \"generate_mips\" }", "generate_mips: expected a target");
    expect_bad_step("{ type = \"generate_mips\" target = \"chosen\" }",
                    "generate_mips: chosen has no mips; declare mips");
    expect_bad_step("{ type = \"generate_mips\" target = \"depth\" }", "depth is a depth target");
    expect_bad_step("{ type = \"fullscreen_pass\" shader = \"pass\" targets = [\"back_buffer\"]"
                    " inputs = [{ name = \"sums\" mip = 3 }] }",
                    "mip: expected a whole number below 3");
}

static void refuses_bad_copies(void **state) {
    (void)state;
    expect_bad_step("{ type = \"copy\" source = \"hdr\" }", "copy: expected a source and a target");
    expect_bad_step("{ type = \"copy\" source = \"hdr\" target = \"hdr\" }",
                    "copy: hdr is both source and target");
    expect_bad_step("{ type = \"copy\" source = \"hdr\" target = \"depth\" }",
                    "depth is a depth target");
    expect_bad_step("{ type = \"copy\" source = \"depth\" target = \"hdr\" }",
                    "hdr is not a depth target");
    expect_bad_step("{ type = \"copy\" source = \"depth\" target = \"low_depth\" }",
                    "must have the same size");
    expect_bad_step("{ type = \"copy\" source = \"hdx\" target = \"hdr\" }",
                    "unknown global resource \"hdx\"");
    expect_bad_step("{ type = \"copy\" source = \"hdr\" target = \"chosen\" filter = \"soft\" }",
                    "filter: found \"soft\"");
    expect_bad_step("{ type = \"copy\" source = \"hdr\" target = \"chosen\" inputs = [] }",
                    "copy: unknown member \"inputs\"");
}

static void refuses_bad_compute_steps(void **state) {
    (void)state;
    expect_bad_step("{ type = \"compute\" outputs = [\"sums\"] groups = [1 1 1] }",
                    "compute: expected a shader");
    expect_bad_step("{ type = \"compute\" shader = \"sum\" groups = [1 1 1] }",
                    "compute: expected outputs");
    expect_bad_step("{ type = \"compute\" shader = \"sum\" outputs = [\"sums\"] }",
                    "expected either groups = [x y z] or cover");
    expect_bad_step("{ type = \"compute\" shader = \"sum\" outputs = [\"sums\"] groups = [1 0 1] }",
                    "groups: found 0, expected a number from 1 to 65535");
    expect_bad_step("{ type = \"compute\" shader = \"sum\" outputs = [\"sums\"] cover = \"hdr\""
                    " groups = [1 1 1] }",
                    "expected either groups");
    expect_bad_step("{ type = \"compute\" shader = \"sum\" outputs = [\"hdr\"] groups = [1 1 1] }",
                    "hdr has format RGBA16F, but sum.shader writes sum as R32F");
    expect_bad_step(
        "{ type = \"compute\" shader = \"sum\" outputs = [\"chosen\"] groups = [1 1 1] }",
        "the format of chosen comes from a setting");
    expect_bad_step(
        "{ type = \"compute\" shader = \"sum\" outputs = [\"depth\"] groups = [1 1 1] }",
        "compute shaders cannot write to ");
    expect_bad_step("{ type = \"compute\" shader = \"sum\" outputs = [\"back_buffer\"]"
                    " groups = [1 1 1] }",
                    "compute shaders cannot write to back_buffer");
    expect_bad_step("{ type = \"compute\" shader = \"sum\" outputs = [\"sums\"] inputs = [\"sums\"]"
                    " groups = [1 1 1] }",
                    "sums is both read and written by this step");
    expect_bad_step("{ type = \"compute\" shader = \"sum\" outputs = [\"sums\""
                    " { name = \"sums\" mip = 1 }] groups = [1 1 1] }",
                    "outputs: found 2");
    expect_bad_step(
        "{ type = \"compute\" shader = \"pass\" outputs = [\"sums\"] groups = [1 1 1] }",
        "compute: pass.shader has no compute stage");
    expect_bad_step(
        "{ type = \"compute\" shader = \"none\" outputs = [\"sums\"] groups = [1 1 1] }",
        "none.shader");
}

// --- Inheritance ---------------------------------------------------------------------------------

static const char *const base =
    "settings = { strength = { default = 0.5 least = 0 most = 1 } }\n"
    "global_resources = [\n"
    "    { name = \"hdr\" format = \"RGBA16F\" }\n"
    "    { name = \"depth\" format = \"D32F\" }\n"
    "]\n"
    "layers = [{ name = \"opaque\" targets = [\"hdr\"] depth_target = \"depth\" }]\n"
    "resource_generators = {\n"
    "    scene = [\n"
    "        { type = \"clear\" targets = [\"hdr\"] }\n"
    "        { type = \"draw_layer\" layer = \"opaque\" name = \"opaque\" }\n"
    "    ]\n"
    "    output = [ { name = \"show\" type = \"clear\" targets = [\"back_buffer\"] } ]\n"
    "}\n"
    "viewports = { default = [\"scene\" \"output\"] }\n"
    "line_shader = \"core/line\"\n"
    "error_material = \"core/error\"\n";

static void run_heir(compile_case *t, const char *heir) {
    char text[4096];
    snprintf(text, sizeof(text), "inherit = \"base\"\n%s", heir);
    compile_case_text(t, "base.render_config", base);
    compile_case_text(t, "main.render_config", text);
    compile_case_run(t, "render_config", "main");
}

static void an_heir_without_changes_is_what_it_inherits(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    run_heir(&t, "");
    const ct_render_config_resource *const r = expect_blob(&t.answer, "render_config");
    assert_int_equal(r->targets.count, 2);
    assert_int_equal(r->layers.count, 1);
    assert_int_equal(r->steps.count, 3);
    assert_int_equal(r->viewports.count, 1);
    assert_true(r->line_shader.value == ct_string_id64_of("core/line").value);
    assert_true(has_reference(&t.answer, "material", "core/error"));
    compile_case_free(&t);
}

static void an_heir_puts_steps_between_inherited_ones(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    run_heir(&t, "global_resources = [{ name = \"small\" format = \"R16F\" }]\n"
                 "resource_generators = {\n"
                 "scene = { after = { opaque = [{ type = \"clear\" targets = [\"small\"] }] }\n"
                 "first = [{ name = \"new\" type = \"clear\" depth_target = \"depth\" }]\n"
                 "before = { new = [{ type = \"draw_layer\" layer = \"opaque\" }] }\n"
                 "remove = [\"opaque\"] }\n"
                 "output = { replace = { show = [] } last = [{ type = \"clear\""
                 " targets = [\"back_buffer\"] color = [1 1 1] }] } }\n");
    const ct_render_config_resource *const r = expect_blob(&t.answer, "render_config");
    const ct_render_step *const steps = ct_blob_at(r, r->steps.offset);
    const ct_render_generator *const g = ct_blob_at(r, r->generators.offset);
    assert_int_equal(g[0].num_steps, 4);
    assert_int_equal(steps[0].type, CT_RENDER_STEP_TYPE_DRAW_LAYER);
    assert_int_equal(steps[1].depth_target.value, ct_string_id32_of("depth").value);
    assert_int_equal(steps[2].color_targets[0].value, ct_string_id32_of("hdr").value);
    assert_int_equal(steps[3].color_targets[0].value, ct_string_id32_of("small").value);
    assert_int_equal(g[1].num_steps, 1);
    assert_float_equal(steps[4].clear_color[0], 1, 0);
    compile_case_free(&t);
}

static void an_heir_overrides_by_name(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    run_heir(&t, "settings = { strength = 0.25 }\n"
                 "global_resources = [{ name = \"hdr\" format = \"RGBA8\" }]\n"
                 "layers = [{ name = \"opaque\" targets = [\"hdr\"] sort = \"front_back\" }]\n"
                 "resource_generators = { scene = [] }\n"
                 "viewports = { default = [\"output\"] }\nline_shader = \"line\"\n");
    const ct_render_config_resource *const r = expect_blob(&t.answer, "render_config");
    const ct_render_target *const targets = ct_blob_at(r, r->targets.offset);
    assert_int_equal(r->targets.count, 2);
    assert_int_equal(targets[0].format, CT_RENDER_FORMAT_RGBA8);
    const ct_render_layer *const l = ct_blob_at(r, r->layers.offset);
    assert_int_equal(l->sort, CT_RENDER_SORT_FRONT_BACK);
    const ct_render_setting *const s = ct_blob_at(r, r->settings.offset);
    assert_float_equal(s->default_value[0], 0.25, 0);
    assert_float_equal(s->most, 1, 0);
    const ct_render_viewport *const v = ct_blob_at(r, r->viewports.offset);
    assert_int_equal(v->generators.count, 1);
    assert_int_equal(r->steps.count, 1);
    assert_true(r->line_shader.value == ct_string_id64_of("line").value);
    compile_case_free(&t);
}

static void checks_what_is_inherited_against_the_heirs_targets(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    run_heir(&t, "global_resources = [{ name = \"depth\" format = \"R16F\" }]\n");
    compile_case_expect(&t, "base.render_config", 6, "depth is not a depth target");
    run_heir(&t, "settings = { strength = 2 }\n");
    compile_case_expect(&t, "main.render_config", 2, "strength: found 2, expected a number from 0");
    compile_case_free(&t);
}

static void refuses_bad_changes_to_generators(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    run_heir(&t, "resource_generators = {\noutput = { before = { shw = [] } } }\n");
    compile_case_expect(&t, "main.render_config", 3,
                        "output has no step named \"shw\"; did you mean \"show\"?");
    run_heir(&t, "resource_generators = {\noutput = { befor = { show = [] } } }\n");
    compile_case_expect(&t, "main.render_config", 3, "unknown member \"befor\"");
    run_heir(&t, "resource_generators = {\noutput = { last = { } } }\n");
    compile_case_expect(&t, "main.render_config", 3, "last: found an object, expected an array");
    run_heir(&t, "resource_generators = {\nnone = { last = [] } }\n");
    compile_case_expect(&t, "main.render_config", 3, "none: found an object, expected an array");
    run_heir(&t, "resource_generators = {\noutput = { last = ["
                 "{ name = \"show\" type = \"clear\" targets = [\"hdr\"] }] } }\n");
    compile_case_expect(&t, "main.render_config", 3, "two steps are named \"show\"");
    compile_case_free(&t);
}

static void refuses_configs_that_inherit_themselves(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    compile_case_text(&t, "main.render_config", "inherit = \"other\"\n");
    compile_case_text(&t, "other.render_config", "\ninherit = \"main\"\n");
    compile_case_run(&t, "render_config", "main");
    compile_case_expect(&t, "other.render_config", 2, "a render config cannot inherit itself: ");
    compile_case_free(&t);
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
        cmocka_unit_test(refuses_bad_shadows),
        cmocka_unit_test(refuses_bad_clears),
        cmocka_unit_test(refuses_bad_passes),
        cmocka_unit_test(refuses_unknown_generators),
        cmocka_unit_test(writes_copies_mips_and_compute_steps),
        cmocka_unit_test(refuses_bad_mips),
        cmocka_unit_test(refuses_bad_copies),
        cmocka_unit_test(refuses_bad_compute_steps),
        cmocka_unit_test(writes_settings_and_what_refers_to_them),
        cmocka_unit_test(refuses_bad_settings),
        cmocka_unit_test(refuses_unfit_references_to_settings),
        cmocka_unit_test(an_heir_without_changes_is_what_it_inherits),
        cmocka_unit_test(an_heir_puts_steps_between_inherited_ones),
        cmocka_unit_test(an_heir_overrides_by_name),
        cmocka_unit_test(checks_what_is_inherited_against_the_heirs_targets),
        cmocka_unit_test(refuses_bad_changes_to_generators),
        cmocka_unit_test(refuses_configs_that_inherit_themselves),
        cmocka_unit_test(tells_all_errors),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
