#include "resource/types/render_config_resource.h"

#include <math.h>

#include "resource/blob/blob_fixtures.h"

typedef ct_render_config_resource resource;

// Makes the blob `b` of a sound resource, which the test then damages.
static resource *make(ct_blob_writer *w) {
    write_render_config(w);
    return (resource *)(void *)w->bytes.items;
}

static void accepts_a_sound_config(void **state) {
    (void)state;
    ct_blob_writer w;
    resource *const b = make(&w);
    assert_accepted(ct_render_config_validate, b);
    ct_blob_writer_free(&w);
}

static void refuses_unknown_formats_and_sizes(void **state) {
    (void)state;
    ct_blob_writer w;
    resource *const b = make(&w);
    ct_render_target *const t = ITEM(ct_render_target, b, b->targets, 0);
    t->format = 8;
    assert_refused(ct_render_config_validate, b, "targets[0]: unknown format 8");
    t->format = CT_RENDER_FORMAT_RGBA8;
    t->size_setting = 0;
    t->width_scale = NAN;
    assert_refused(ct_render_config_validate, b, "targets[0]: found scale");
    t->width_scale = t->height_scale = 0;
    assert_refused(ct_render_config_validate, b, "targets[0]: found scale 0 x 0 and size 0 x 0");
    t->width = t->height = 20000;
    assert_refused(ct_render_config_validate, b, "size 20000 x 20000");
    ct_blob_writer_free(&w);
}

static void refuses_a_name_twice(void **state) {
    (void)state;
    ct_blob_writer w;
    resource *const b = make(&w);
    ITEM(ct_render_target, b, b->targets, 1)->name.value = 1;
    assert_refused(ct_render_config_validate, b, "targets[1]: has the same name as targets[0]");
    ct_blob_writer_free(&w);
}

static void refuses_unknown_targets(void **state) {
    (void)state;
    ct_blob_writer w;
    resource *const b = make(&w);
    ITEM(ct_render_layer, b, b->layers, 0)->color_targets[0].value = 3;
    assert_refused(ct_render_config_validate, b,
                   "layers[0]: color target 0 (#00000003) is unknown");
    ct_blob_writer_free(&w);
}

static void refuses_targets_of_the_wrong_kind(void **state) {
    (void)state;
    ct_blob_writer w;
    resource *const b = make(&w);
    ct_render_layer *const layer = ITEM(ct_render_layer, b, b->layers, 0);
    layer->color_targets[0].value = 2;
    assert_refused(ct_render_config_validate, b,
                   "layers[0]: color target 0 (#00000002) is a depth target");
    layer->color_targets[0].value = 1;
    layer->depth_target.value = 1;
    assert_refused(ct_render_config_validate, b,
                   "layers[0]: depth target #00000001 is a color target");
    ct_blob_writer_free(&w);
}

static void refuses_too_many_targets_of_a_step(void **state) {
    (void)state;
    ct_blob_writer w;
    resource *const b = make(&w);
    ITEM(ct_render_step, b, b->steps, 0)->num_color_targets = 5;
    assert_refused(ct_render_config_validate, b,
                   "steps[0]: found 5 color targets, expected at most 4");
    ct_blob_writer_free(&w);
}

static void refuses_unknown_steps_sorts_and_layers(void **state) {
    (void)state;
    ct_blob_writer w;
    resource *const b = make(&w);
    ct_render_step *const steps = ITEM(ct_render_step, b, b->steps, 0);
    steps[1].layer.value = 6;
    assert_refused(ct_render_config_validate, b, "steps[1]: unknown layer #00000006");
    steps[0].type = CT_RENDER_STEP_TYPE_COUNT;
    assert_refused(ct_render_config_validate, b, "steps[0]: unknown type");
    ITEM(ct_render_layer, b, b->layers, 0)->sort = 3;
    assert_refused(ct_render_config_validate, b, "layers[0]: unknown sort 3");
    ct_blob_writer_free(&w);
}

static void refuses_clear_values_that_are_not_finite(void **state) {
    (void)state;
    ct_blob_writer w;
    resource *const b = make(&w);
    ITEM(ct_render_step, b, b->steps, 0)->clear_depth = NAN;
    assert_refused(ct_render_config_validate, b, "steps[0]: a clear value is not finite");
    ct_blob_writer_free(&w);
}

static void refuses_passes_without_shader_or_with_wrong_inputs(void **state) {
    (void)state;
    ct_blob_writer w;
    resource *const b = make(&w);
    ct_render_step *const pass = ITEM(ct_render_step, b, b->steps, 2);
    pass->inputs[0].filter = 2;
    assert_refused(ct_render_config_validate, b, "steps[2]: input 0 has unknown filter 2");
    pass->inputs[0] = (ct_render_input){{4}, 0, 0, 0};
    assert_refused(ct_render_config_validate, b, "unknown target #00000004");
    pass->num_inputs = 9;
    assert_refused(ct_render_config_validate, b, "steps[2]: found 9 inputs, expected at most 8");
    pass->shader.value = 0;
    assert_refused(ct_render_config_validate, b, "steps[2]: the shader is missing");
    ct_blob_writer_free(&w);
}

static void refuses_bad_shadows(void **state) {
    (void)state;
    ct_blob_writer w;
    resource *const b = make(&w);
    ct_render_step *const step = ITEM(ct_render_step, b, b->steps, 6);
    step->num_cascades.numbers[0] = 5;
    assert_refused(ct_render_config_validate, b, "steps[6].cascades: found 5, expected 1 to 4");
    step->num_cascades.numbers[0] = 2;
    step->split_lambda.numbers[0] = NAN;
    assert_refused(ct_render_config_validate, b, "steps[6].split_lambda: found");
    step->split_lambda.numbers[0] = 1;
    step->on_cpu.setting = 3;
    assert_refused(ct_render_config_validate, b, "steps[6].on_cpu: setting 2 is a number");
    step->on_cpu.setting = 0;
    step->shadow_distance.setting = 1;
    assert_refused(ct_render_config_validate, b, "steps[6].distance: setting 0 is a bool");
    step->shadow_distance.setting = 3;
    step->depth_target.value = 0;
    assert_refused(ct_render_config_validate, b, "steps[6]: the shadow map is missing");
    ct_blob_writer_free(&w);
}

static void refuses_generators_outside_the_steps(void **state) {
    (void)state;
    ct_blob_writer w;
    resource *const b = make(&w);
    ITEM(ct_render_generator, b, b->generators, 1)->num_steps = 6;
    assert_refused(ct_render_config_validate, b,
                   "generators[1]: found steps 2 + 6, but there are only 7");
    ITEM(ct_render_generator, b, b->generators, 1)->num_steps = UINT32_MAX;
    assert_refused(ct_render_config_validate, b, "generators[1]");
    ct_blob_writer_free(&w);
}

static void refuses_viewports_of_unknown_generators(void **state) {
    (void)state;
    ct_blob_writer w;
    resource *const b = make(&w);
    const ct_blob_array list = ITEM(ct_render_viewport, b, b->viewports, 0)->generators;
    *ITEM(uint32_t, b, list, 1) = 2;
    assert_refused(ct_render_config_validate, b,
                   "viewports[0].generators[1]: found 2, but there are only 2");
    ITEM(ct_render_viewport, b, b->viewports, 0)->generators.count = 1000;
    assert_refused(ct_render_config_validate, b, "viewports[0].generators: 1000 of 4 bytes");
    ct_blob_writer_free(&w);
}

static void refuses_bad_mips(void **state) {
    (void)state;
    ct_blob_writer w;
    resource *const b = make(&w);
    ITEM(ct_render_step, b, b->steps, 2)->inputs[0].mip = 15;
    assert_refused(ct_render_config_validate, b, "steps[2]: input 0 has mip 15");
    ITEM(ct_render_target, b, b->targets, 1)->num_mips = 0;
    assert_refused(ct_render_config_validate, b, "targets[1]: found 0 mips");
    ITEM(ct_render_target, b, b->targets, 0)->num_mips = 16;
    assert_refused(ct_render_config_validate, b, "targets[0]: found 16 mips");
    ct_blob_writer_free(&w);
}

static void refuses_bad_copies(void **state) {
    (void)state;
    ct_blob_writer w;
    resource *const b = make(&w);
    ct_render_step *const steps = ITEM(ct_render_step, b, b->steps, 0);
    steps[4].num_color_targets = 0;
    assert_refused(ct_render_config_validate, b, "steps[4]: found 0 targets, expected 1");
    steps[3].color_targets[0].value = 1;
    assert_refused(ct_render_config_validate, b, "steps[3]: source and target are the same");
    steps[3].inputs[0].target.value = 2;
    assert_refused(ct_render_config_validate, b,
                   "steps[3]: source and target must both have depth, or neither");
    steps[3].num_inputs = 2;
    assert_refused(ct_render_config_validate, b, "steps[3]: ");
    steps[3].num_inputs = 0;
    assert_refused(ct_render_config_validate, b, "steps[3]: found 0 sources and 1 targets");
    ct_blob_writer_free(&w);
}

static void refuses_bad_compute_steps(void **state) {
    (void)state;
    ct_blob_writer w;
    resource *const b = make(&w);
    ct_render_step *const step = ITEM(ct_render_step, b, b->steps, 5);
    step->groups[1] = 70000;
    assert_refused(ct_render_config_validate, b, "steps[5]: found 70000 groups");
    step->groups[0] = step->groups[1] = step->groups[2] = 0;
    assert_refused(ct_render_config_validate, b, "steps[5]: the target to cover is unknown");
    step->cover.value = 2;
    assert_accepted(ct_render_config_validate, b);
    step->outputs[0].target.value = 2;
    assert_refused(ct_render_config_validate, b, "steps[5]: output 0 (#00000002, mip 3) cannot");
    step->outputs[0] = (ct_render_output){{1}, 15};
    assert_refused(ct_render_config_validate, b, "mip 15) cannot be written");
    step->num_outputs = 5;
    assert_refused(ct_render_config_validate, b, "steps[5]: found 5 outputs, expected 1 to 4");
    step->shader.value = 0;
    assert_refused(ct_render_config_validate, b, "steps[5]: the shader is missing");
    ct_blob_writer_free(&w);
}

static ct_render_setting *setting_of(resource *b, uint32_t i) {
    return ITEM(ct_render_setting, b, b->settings, i);
}

static void refuses_settings_of_unknown_types_and_ranges(void **state) {
    (void)state;
    ct_blob_writer w;
    resource *const b = make(&w);
    setting_of(b, 0)->default_value[0] = 2;
    assert_refused(ct_render_config_validate, b, "settings[0]: its default is out of range");
    setting_of(b, 0)->default_value[0] = 0.5f;
    assert_refused(ct_render_config_validate, b, "settings[0]: its default is out of range");
    setting_of(b, 0)->type = CT_RENDER_SETTING_TYPE_COUNT;
    assert_refused(ct_render_config_validate, b, "settings[0]: unknown type 9");
    setting_of(b, 0)->most = INFINITY;
    assert_refused(ct_render_config_validate, b, "settings[0]: its range is not finite");
    setting_of(b, 0)->name.offset = 1u << 30;
    assert_refused(ct_render_config_validate, b, "settings[0].name: text of 5 bytes");
    ct_blob_writer_free(&w);
}

static void refuses_choices_that_do_not_match_their_range(void **state) {
    (void)state;
    ct_blob_writer w;
    resource *const b = make(&w);
    setting_of(b, 1)->most = 5;
    assert_refused(ct_render_config_validate, b, "settings[1].choices: found a range from 0 to 5");
    setting_of(b, 1)->choices.count = 1000;
    assert_refused(ct_render_config_validate, b, "settings[1].choices");
    setting_of(b, 1)->choices = (ct_blob_array){0, 0};
    assert_refused(ct_render_config_validate, b, "settings[1].choices: found 0");
    ct_blob_writer_free(&w);
}

static void refuses_too_few_names_of_steps(void **state) {
    (void)state;
    ct_blob_writer w;
    resource *const b = make(&w);
    --b->step_names.count;
    assert_refused(ct_render_config_validate, b, "step_names: found 6 names of 7 steps");
    ct_blob_writer_free(&w);
}

static void refuses_references_to_settings_of_the_wrong_type(void **state) {
    (void)state;
    ct_blob_writer w;
    resource *const b = make(&w);
    ct_render_step *const steps = ITEM(ct_render_step, b, b->steps, 0);
    steps[2].parameters[0].setting = 3;
    assert_refused(ct_render_config_validate, b, "steps[2]: parameter 0 uses setting 3");
    steps[2].num_parameters = 9;
    assert_refused(ct_render_config_validate, b, "steps[2]: found 9 parameters");
    steps[1].enabled.items[0].setting = 2;
    assert_refused(ct_render_config_validate, b, "steps[1]: condition 0 has an unknown setting");
    steps[1].enabled.items[0].setting = 3;
    assert_refused(ct_render_config_validate, b, "steps[1]: condition 0 has an unknown setting");
    steps[1].enabled.items[0].setting = UINT32_MAX;
    assert_refused(ct_render_config_validate, b, "steps[1]: condition 0 has an unknown setting");
    steps[1].enabled.count = 5;
    assert_refused(ct_render_config_validate, b, "steps[1]: found 5 conditions");
    steps[0].num_inputs = 1000;
    assert_refused(ct_render_config_validate, b, "steps[0]: found 1000 inputs, expected none");
    steps[0].num_inputs = 0;
    steps[0].num_outputs = 1000;
    assert_refused(ct_render_config_validate, b, "steps[0]: found 1000 outputs, expected none");
    steps[0].num_outputs = 0;
    steps[0].color_mips[0] = 900;
    assert_refused(ct_render_config_validate, b, "steps[0]: found mip 900 of a target");
    steps[0].color_mips[0] = 0;
    steps[0].overwrites = 2;
    assert_refused(ct_render_config_validate, b, "steps[0]: found overwrites 2");
    steps[0].when = 3;
    assert_refused(ct_render_config_validate, b, "steps[0]: found when 3");
    ct_render_target *const t = ITEM(ct_render_target, b, b->targets, 0);
    t->size_setting = 2;
    assert_refused(ct_render_config_validate, b, "targets[0]: setting 1 is a choice");
    t->format_setting = 1;
    assert_refused(ct_render_config_validate, b, "targets[0]: setting 0 is a bool");
    b->sky_light.setting = 1;
    assert_refused(ct_render_config_validate, b, "sky_light: setting 0 is a bool");
    b->sky_light.numbers[1] = NAN;
    assert_refused(ct_render_config_validate, b, "sky_light is not finite");
    ct_blob_writer_free(&w);
}

static void refuses_choices_that_are_not_such_formats(void **state) {
    (void)state;
    ct_blob_writer w;
    resource *const b = make(&w);
    ITEM(ct_render_target, b, b->targets, 1)->format_setting = 2;
    assert_refused(ct_render_config_validate, b, "targets[1]: choice 0 of its setting");
    ct_blob_writer_free(&w);
}

static void resolves_targets_by_the_values_of_settings(void **state) {
    (void)state;
    ct_blob_writer w;
    resource *const b = make(&w);
    float values[3][4] = {{0}, {0}, {0.5f}};
    ct_render_target *const t = ITEM(ct_render_target, b, b->targets, 0);
    ct_render_target with = ct_render_target_with(b, t, values[0]);
    assert_int_equal(with.format, CT_RENDER_FORMAT_RGBA8);
    assert_float_equal(with.width_scale, 0.5, 0);
    assert_float_equal(with.height_scale, 0.5, 0);
    t->width_scale = t->height_scale = 0;
    values[2][0] = 100000;
    with = ct_render_target_with(b, t, values[0]);
    assert_int_equal(with.width, CT_RENDER_MAX_TARGET_SIZE);
    ct_blob_writer_free(&w);
}

static void takes_what_fits_a_setting_and_says_what_does_not(void **state) {
    (void)state;
    ct_blob_writer w;
    resource *const b = make(&w);
    float value[4] = {9, 9, 9, 9};
    ct_error error = {0};
    const ct_render_given text = {.kind = CT_RENDER_GIVEN_KIND_TEXT, .text = "RGBA8"};
    const ct_render_given number = {.kind = CT_RENDER_GIVEN_KIND_NUMBER, .numbers = {3}};
    const ct_render_given yes = {.kind = CT_RENDER_GIVEN_KIND_BOOL, .numbers = {1}};
    assert_true(ct_render_setting_take(b, setting_of(b, 1), &text, value, &error));
    assert_float_equal(value[0], 0, 0);
    assert_false(ct_render_setting_take(b, setting_of(b, 1), &number, value, &error));
    assert_message(&error, "quality is 3; expected \"RGBA8\", \"RGBA16F\"");
    assert_false(ct_render_setting_take(b, setting_of(b, 2), &number, value, &error));
    assert_message(&error, "scale is 3; expected a number from 0.5 to 2");
    assert_false(ct_render_setting_take(b, setting_of(b, 2), &yes, value, &error));
    assert_message(&error, "scale is true; expected a number from 0.5 to 2");
    assert_false(ct_render_setting_take(b, setting_of(b, 0), &text, value, &error));
    assert_message(&error, "bloom is \"RGBA8\"; expected true or false");
    assert_true(ct_render_setting_take(b, setting_of(b, 0), &yes, value, &error));
    assert_float_equal(value[0], 1, 0);
    ct_blob_writer_free(&w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accepts_a_sound_config),
        cmocka_unit_test(refuses_unknown_formats_and_sizes),
        cmocka_unit_test(refuses_a_name_twice),
        cmocka_unit_test(refuses_unknown_targets),
        cmocka_unit_test(refuses_targets_of_the_wrong_kind),
        cmocka_unit_test(refuses_too_many_targets_of_a_step),
        cmocka_unit_test(refuses_unknown_steps_sorts_and_layers),
        cmocka_unit_test(refuses_clear_values_that_are_not_finite),
        cmocka_unit_test(refuses_passes_without_shader_or_with_wrong_inputs),
        cmocka_unit_test(refuses_bad_shadows),
        cmocka_unit_test(refuses_generators_outside_the_steps),
        cmocka_unit_test(refuses_viewports_of_unknown_generators),
        cmocka_unit_test(refuses_bad_mips),
        cmocka_unit_test(refuses_bad_copies),
        cmocka_unit_test(refuses_bad_compute_steps),
        cmocka_unit_test(refuses_settings_of_unknown_types_and_ranges),
        cmocka_unit_test(refuses_choices_that_do_not_match_their_range),
        cmocka_unit_test(refuses_too_few_names_of_steps),
        cmocka_unit_test(refuses_references_to_settings_of_the_wrong_type),
        cmocka_unit_test(refuses_choices_that_are_not_such_formats),
        cmocka_unit_test(resolves_targets_by_the_values_of_settings),
        cmocka_unit_test(takes_what_fits_a_setting_and_says_what_does_not),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
