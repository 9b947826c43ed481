// Settings of the render config, on both threads: what they say shows in the next frame.
#include "render/render_fixture.h"

#include "foundation/error.h"

static void start(render_fixture *f) {
    ct_error error = {0};
    fixture_start(f);
    if (!ct_renderer_set_config(f->renderer, "rendering/tinted", &error))
        fail_msg("%s", error.message);
    fixture_add(f, "core/meshes/cube", "materials/red", 0.0f, 0.0f, 0.0f);
}

static const ct_render_given yes = {.kind = CT_RENDER_GIVEN_KIND_BOOL, .numbers = {1}};

static ct_render_given number(double x) {
    return (ct_render_given){.kind = CT_RENDER_GIVEN_KIND_NUMBER, .numbers = {x}};
}

static void set(render_fixture *f, const char *name, ct_render_given given) {
    ct_error error = {0};
    if (!ct_renderer_set_setting(f->renderer, name, &given, &error))
        fail_msg("%s", error.message);
}

// Fails unless the next frame's corner is of about this colour.
static void expect_corner(render_fixture *f, int red, int green, int blue) {
    fixture_picture(f);
    const uint8_t *const p = fixture_pixel(f, 0.02f, 0.02f);
    if (abs(p[0] - red) > 3 || abs(p[1] - green) > 3 || abs(p[2] - blue) > 3)
        fail_msg("found %d %d %d, expected %d %d %d", p[0], p[1], p[2], red, green, blue);
}

// The corner where nothing is laid over it.
static void expect_no_tint(render_fixture *f) {
    fixture_picture(f);
    assert_true(fixture_pixel(f, 0.02f, 0.02f)[1] > 100);
}

static void switches_steps_on_and_off(void **state) {
    (void)state;
    render_fixture f;
    start(&f);
    expect_no_tint(&f);
    set(&f, "tinted", yes);
    expect_corner(&f, 255, 0, 0);
    set(&f, "tinted", (ct_render_given){.kind = CT_RENDER_GIVEN_KIND_BOOL});
    expect_no_tint(&f);
    fixture_stop(&f);
}

static void says_parameters_of_passes(void **state) {
    (void)state;
    render_fixture f;
    start(&f);
    set(&f, "tinted", yes);
    set(&f, "tint",
        (ct_render_given){.kind = CT_RENDER_GIVEN_KIND_VECTOR, .count = 3, .numbers = {0, 0, 1}});
    expect_corner(&f, 0, 0, 255);
    set(&f, "strength", number(0));
    expect_no_tint(&f);
    fixture_stop(&f);
}

static void remakes_targets_of_another_size_or_format(void **state) {
    (void)state;
    render_fixture f;
    start(&f);
    fixture_picture(&f);
    set(&f, "resolution", number(0.1));
    fixture_picture(&f);
    assert_int_equal(f.width, FIXTURE_WIDTH);
    // A tenth of the pixels: smoothed, the cube's edge is nowhere sharp.
    int steepest = 0;
    for (uint32_t x = 1; x < f.width; ++x) {
        const uint8_t *const p = f.pixels + ((uint64_t)(f.height / 2) * f.width + x) * 4;
        const int step = abs(p[1] - p[-3]);
        steepest = step > steepest ? step : steepest;
    }
    assert_true(steepest < 60);
    set(&f, "precision", (ct_render_given){.kind = CT_RENDER_GIVEN_KIND_TEXT, .text = "RGBA8"});
    set(&f, "resolution", number(1));
    fixture_picture(&f);
    fixture_stop(&f);
}

static void refuses_what_does_not_fit_and_keeps_what_was(void **state) {
    (void)state;
    render_fixture f;
    ct_error error = {0};
    start(&f);
    set(&f, "strength", number(0.25));
    const ct_render_given big = number(2);
    assert_false(ct_renderer_set_setting(f.renderer, "strength", &big, &error));
    assert_non_null(strstr(error.message, "strength is 2; expected a number from 0 to 1"));
    assert_false(ct_renderer_set_setting(f.renderer, "strenght", &big, &error));
    assert_non_null(strstr(error.message, "did you mean \"strength\"?"));
    assert_float_equal(ct_renderer_get_setting(f.renderer, "strength").value[0], 0.25, 0);
    assert_string_equal(ct_renderer_get_setting(f.renderer, "precision").choice, "RGBA16F");
    assert_int_equal(ct_renderer_get_setting(f.renderer, "none").type, CT_RENDER_SETTING_TYPE_NONE);
    fixture_stop(&f);
}

static void keeps_values_when_the_config_is_reloaded(void **state) {
    (void)state;
    render_fixture f;
    start(&f);
    set(&f, "tinted", yes);
    set(&f, "tint",
        (ct_render_given){.kind = CT_RENDER_GIVEN_KIND_VECTOR, .count = 3, .numbers = {0, 0, 1}});
    const ct_resource_id id = ct_resource_id_of("render_config", "rendering/tinted");
    assert_int_equal(ct_resource_manager_reload(f.resources, &id, 1), 1);
    expect_corner(&f, 0, 0, 255);
    ct_renderer_reset_settings(f.renderer);
    expect_no_tint(&f);
    fixture_stop(&f);
}

static void lights_by_the_sky_of_a_setting(void **state) {
    (void)state;
    render_fixture f;
    start(&f);
    fixture_picture(&f);
    assert_true(fixture_pixel(&f, 0.5f, 0.5f)[0] > 40);
    const ct_render_given black = {
        .kind = CT_RENDER_GIVEN_KIND_VECTOR, .count = 3, .numbers = {0, 0, 0}};
    set(&f, "sky_light", black);
    set(&f, "ground_light", black);
    fixture_picture(&f);
    assert_true(fixture_pixel(&f, 0.5f, 0.5f)[0] < 5);
    fixture_stop(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(switches_steps_on_and_off),
        cmocka_unit_test(says_parameters_of_passes),
        cmocka_unit_test(remakes_targets_of_another_size_or_format),
        cmocka_unit_test(refuses_what_does_not_fit_and_keeps_what_was),
        cmocka_unit_test(keeps_values_when_the_config_is_reloaded),
        cmocka_unit_test(lights_by_the_sky_of_a_setting),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
