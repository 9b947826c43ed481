// Targets that keep what the last frame drew, passes into mips, presets and values of environments.
#include <math.h>

#include "render/render_fixture.h"

static void start(render_fixture *f) {
    ct_error error = {0};
    fixture_start(f);
    if (!ct_renderer_set_config(f->renderer, "rendering/history", &error))
        fail_msg("%s", error.message);
}

// Linear light, times 16, of a channel of the picture's middle.
static int sixteenths(const render_fixture *f, uint32_t channel) {
    const float srgb = (float)fixture_pixel(f, 0.5f, 0.5f)[channel] / 255.0f;
    return (int)(ct_srgb_to_linear(srgb) * 16.0f + 0.5f);
}

static void reads_what_the_last_frame_drew(void **state) {
    (void)state;
    render_fixture f;
    start(&f);
    for (int i = 1; i <= 8; ++i) {
        fixture_picture(&f);
        assert_int_equal(sixteenths(&f, 0), i);
    }
    fixture_expect_no_error(&f);
    fixture_stop(&f);
}

// Both pictures of a target are black when they are new.
static void starts_again_on_another_device_and_config(void **state) {
    (void)state;
    render_fixture f;
    ct_error error = {0};
    start(&f);
    fixture_frame(&f);
    fixture_frame(&f);
    ct_renderer_inject_fault(
        f.renderer, &(ct_render_fault){.kind = CT_RENDER_FAULT_DEVICE_LOST, .num_times = 1});
    fixture_picture(&f);
    assert_int_equal(sixteenths(&f, 0), 1);
    fixture_picture(&f);
    assert_int_equal(sixteenths(&f, 0), 2);
    assert_true(ct_renderer_set_config(f.renderer, "rendering/mips", &error));
    fixture_frame(&f);
    assert_true(ct_renderer_set_config(f.renderer, "rendering/history", &error));
    fixture_picture(&f);
    assert_int_equal(sixteenths(&f, 0), 1);
    fixture_stop(&f);
}

static void picture_with(render_fixture *f, const ct_render_environment_value *values,
                         uint32_t num_values) {
    static const float whole[4] = {0.0f, 0.0f, 1.0f, 1.0f};
    ct_renderer_render_world(f->renderer, f->world, &f->view, ct_string_id32_of("default"), whole,
                             values, num_values);
    fixture_ask_picture(f);
    ct_renderer_end_frame(f->renderer);
    ct_renderer_flush(f->renderer);
}

static void an_environment_sets_what_it_may_for_its_view(void **state) {
    (void)state;
    render_fixture f;
    start(&f);
    const ct_render_environment_value quarter[] = {
        {ct_string_id32_of("strength"), {0.25f}},
        {ct_string_id32_of("constant"), {0.25f}}, // environments cannot set it
        {ct_string_id32_of("nothing"), {0.25f}},  // nor this
    };
    picture_with(&f, quarter, 3);
    assert_int_equal(sixteenths(&f, 1), 4);
    assert_int_equal(sixteenths(&f, 2), 8);
    const ct_render_environment_value large = {ct_string_id32_of("strength"), {7.0f}};
    picture_with(&f, &large, 1);
    assert_int_equal(sixteenths(&f, 1), 16);
    const ct_render_environment_value nan = {ct_string_id32_of("strength"), {NAN}};
    picture_with(&f, &nan, 1);
    assert_int_equal(sixteenths(&f, 1), 8);
    const ct_render_environment_value off = {ct_string_id32_of("shown"), {1.0f}};
    picture_with(&f, &off, 1);
    assert_int_equal(sixteenths(&f, 1), 0);
    // A choice is a whole number: 0.7 is nothing, 0.2 the count.
    const ct_render_environment_value near_one = {ct_string_id32_of("shown"), {0.7f}};
    picture_with(&f, &near_one, 1);
    assert_int_equal(sixteenths(&f, 1), 0);
    const ct_render_environment_value near_none = {ct_string_id32_of("shown"), {0.2f}};
    picture_with(&f, &near_none, 1);
    assert_int_equal(sixteenths(&f, 1), 8);
    picture_with(&f, NULL, 0);
    assert_int_equal(sixteenths(&f, 1), 8);
    fixture_stop(&f);
}

static void uses_the_preset_of_the_device_or_the_chosen_one(void **state) {
    (void)state;
    render_fixture f;
    ct_error error = {0};
    const ct_render_given quarter = {.kind = CT_RENDER_GIVEN_KIND_NUMBER, .numbers = {0.25}};
    start(&f);
    const bool is_half = strcmp(ct_renderer_preset(f.renderer), "half") == 0;
    fixture_picture(&f);
    assert_int_equal(sixteenths(&f, 2), is_half ? 8 : 16);
    assert_true(ct_renderer_set_preset(f.renderer, "full", &error));
    assert_string_equal(ct_renderer_preset(f.renderer), "full");
    fixture_picture(&f);
    assert_int_equal(sixteenths(&f, 2), 16);
    assert_true(ct_renderer_set_setting(f.renderer, "constant", &quarter, &error));
    assert_true(ct_renderer_set_preset(f.renderer, "half", &error));
    fixture_picture(&f);
    assert_int_equal(sixteenths(&f, 2), 4);
    ct_renderer_reset_settings(f.renderer);
    fixture_picture(&f);
    assert_int_equal(sixteenths(&f, 2), 8);
    assert_false(ct_renderer_set_preset(f.renderer, "hlaf", &error));
    assert_non_null(strstr(error.message, "no preset \"hlaf\"; did you mean \"half\"?"));
    assert_string_equal(ct_renderer_preset(f.renderer), "half");
    fixture_stop(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_what_the_last_frame_drew),
        cmocka_unit_test(starts_again_on_another_device_and_config),
        cmocka_unit_test(an_environment_sets_what_it_may_for_its_view),
        cmocka_unit_test(uses_the_preset_of_the_device_or_the_chosen_one),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
