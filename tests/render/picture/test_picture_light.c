// Exposure, bloom, tone curves, grading and vignette: what each does to known light.
#include <math.h>

#include "render/picture/picture_fixture.h"

// --- Exposure ------------------------------------------------------------------------------------

static double filmic(double x) {
    const double y = (x * (2.51 * x + 0.03)) / (x * (2.43 * x + 0.59) + 0.14);
    return y < 0.0 ? 0.0 : y > 1.0 ? 1.0 : y;
}

// Fails unless the middle of the next frame is grey of this light, to within two steps of a byte.
static void expect_light(render_fixture *f, double light) {
    fixture_picture(f);
    const int found = fixture_pixel(f, 0.5f, 0.5f)[1];
    const double low = picture_light((uint8_t)(found > 2 ? found - 2 : 0));
    const double high = picture_light((uint8_t)(found < 253 ? found + 2 : 255));
    if (light < low || light > high)
        fail_msg("found a byte of %d, light of %g, expected %g", found,
                 picture_light((uint8_t)found), light);
}

static void exposes_by_stops_and_by_the_value_of_a_camera(void **state) {
    (void)state;
    render_fixture f;
    picture_start(&f, "rendering/picture");
    picture_pattern(&f, "flat", 0.1);
    expect_light(&f, filmic(0.08));
    picture_number(&f, "exposure", 1.0); // twice as bright
    expect_light(&f, filmic(0.16));
    picture_number(&f, "exposure", 0.0);
    picture_number(&f, "exposure_value", 3.0); // an eighth
    expect_light(&f, filmic(0.01));
    picture_number(&f, "light", 0.8);
    expect_light(&f, filmic(0.08));
    fixture_stop(&f);
}

// The exposure value after a cut: the view is of a new renderer, which has no last frame.
static double metered_at_once(const char *kind, double light) {
    render_fixture f;
    picture_start(&f, "rendering/metered");
    picture_switch(&f, "auto_exposure", true);
    picture_number(&f, "exposure_most", 15.0);
    picture_pattern(&f, kind, light);
    const double value = picture_shown_number(&f, -16.0, 16.0);
    fixture_stop(&f);
    return value;
}

static void measures_light_as_a_meter(void **state) {
    (void)state;
    // At EV 0, 1.25 cd/m2 are white, 18 % of it middle grey. Twice the light is one more. Neither
    // one bright pixel, nor what is no number, counts. There is a least and a most.
    static const struct {
        const char *kind;
        double light, value;
    } cases[] = {{"flat", 0.225, 0.0},   {"flat", 7.2, 5.0},     {"flat", 14.4, 6.0},
                 {"nan", 7.2, 5.0},      {"infinite", 7.2, 5.0}, {"flat", 0.0, -2.0},
                 {"flat", 50000.0, 15.0}};
    for (uint32_t i = 0; i < CT_COUNT_OF(cases); ++i) {
        const double found = metered_at_once(cases[i].kind, cases[i].light);
        if (fabs(found - cases[i].value) > 0.02)
            fail_msg("%s %g: found EV %g, expected %g", cases[i].kind, cases[i].light, found,
                     cases[i].value);
    }
}

static void halves_the_exposure_of_twice_the_light(void **state) {
    (void)state;
    render_fixture f;
    picture_start(&f, "rendering/picture");
    picture_switch(&f, "auto_exposure", true);
    picture_pattern(&f, "many", 1.0);
    picture_number(&f, "exposure_speed", 1000.0);
    uint8_t *const one = picture_take(&f);
    picture_number(&f, "light", 2.0);
    ct_render_world_set_time(f.renderer, f.world, 1.0);
    uint8_t *const two = picture_take(&f);
    assert_true(picture_most_difference(one, two) <= 3);
    picture_free(one);
    picture_free(two);
    fixture_stop(&f);
}

static void adapts_bit_by_bit_and_the_same_every_time(void **state) {
    (void)state;
    double values[2][6];
    for (uint32_t i = 0; i < 2; ++i) {
        render_fixture f;
        picture_start(&f, "rendering/metered");
        picture_switch(&f, "auto_exposure", true);
        picture_pattern(&f, "flat", 0.225);
        values[i][0] = picture_shown_number(&f, -16.0, 16.0);
        picture_number(&f, "light", 7.2);
        for (uint32_t k = 1; k < 6; ++k) {
            ct_render_world_set_time(f.renderer, f.world, 0.1 * k);
            values[i][k] = picture_shown_number(&f, -16.0, 16.0);
        }
        fixture_stop(&f);
    }
    assert_memory_equal(values[0], values[1], sizeof(values[0]));
    assert_true(fabs(values[0][0]) < 0.02);
    for (uint32_t k = 1; k < 6; ++k) { // toward 5, by the share 1 - exp(-0.1 * 2) each
        const double expected = 5.0 * (1.0 - exp(-0.2 * k));
        if (fabs(values[0][k] - expected) > 0.05)
            fail_msg("frame %u: found EV %g, expected %g", k, values[0][k], expected);
    }
}

static void adapts_at_once_after_a_cut(void **state) {
    (void)state;
    render_fixture f;
    picture_start(&f, "rendering/metered");
    picture_pattern(&f, "flat", 0.45);
    fixture_frame(&f);
    fixture_frame(&f);
    picture_switch(&f, "auto_exposure", true);
    assert_true(fabs(picture_shown_number(&f, -16.0, 16.0) - 1.0) < 0.02); // at once, too
    picture_number(&f, "light", 7.2);
    assert_true(fabs(picture_shown_number(&f, -16.0, 16.0) - 1.0) < 0.02); // no time went by
    ++f.view.shot;
    assert_true(fabs(picture_shown_number(&f, -16.0, 16.0) - 5.0) < 0.02);
    fixture_stop(&f);
}

// --- Bloom ---------------------------------------------------------------------------------------

static void keeps_the_energy_of_light_that_spreads(void **state) {
    (void)state;
    static const double places[][2] = {{0.5, 0.5}, {0.31, 0.62}, {0.633, 0.417}, {0.7123, 0.281}};
    render_fixture f;
    picture_start(&f, "rendering/weighed");
    picture_switch(&f, "bloom", true);
    picture_pattern(&f, "pixel", 10000.0);
    for (uint32_t i = 0; i < CT_COUNT_OF(places); ++i) {
        picture_set(&f, "place",
                    (ct_render_given){.kind = CT_RENDER_GIVEN_KIND_VECTOR,
                                      .count = 2,
                                      .numbers = {places[i][0], places[i][1]}});
        const double ratio = picture_shown_number(&f, 0.0, 1.0);
        if (fabs(ratio - 1.0) > 0.02)
            fail_msg("a pixel at %g, %g: %g of its light", places[i][0], places[i][1], ratio);
    }
    picture_pattern(&f, "many", 1.0);
    const double ratio = picture_shown_number(&f, 0.0, 1.0);
    if (fabs(ratio - 1.0) > 0.02)
        fail_msg("a picture: %g of its light", ratio);
    fixture_stop(&f);
}

static void spreads_light_but_nothing_that_is_none(void **state) {
    (void)state;
    static const char *const kinds[] = {"nan", "infinite"};
    render_fixture f;
    picture_start(&f, "rendering/picture");
    picture_pattern(&f, "pixel", 10000.0);
    uint8_t *sharp = picture_take(&f);
    picture_switch(&f, "bloom", true);
    uint8_t *spread = picture_take(&f);
    assert_int_equal(picture_at(sharp, 170, 95)[1], 0);
    assert_true(picture_at(spread, 170, 95)[1] > 0);
    picture_free(sharp);
    picture_free(spread);
    for (uint32_t i = 0; i < CT_COUNT_OF(kinds); ++i) {
        picture_pattern(&f, "flat", 0.2);
        sharp = picture_take(&f);
        picture_choose(&f, "kind", kinds[i]);
        spread = picture_take(&f);
        // Only the pixel itself and its neighbours may show it; the rest is no darker, and of
        // something infinite brighter.
        for (uint32_t y = 0; y < PICTURE_HEIGHT; ++y)
            for (uint32_t x = 0; x < PICTURE_WIDTH; ++x)
                if (abs((int)x - 160) > 1 || abs((int)y - 90) > 1)
                    assert_true(picture_at(spread, x, y)[1] + 2 >= picture_at(sharp, x, y)[1]);
        assert_true(i > 0 || abs(picture_at(spread, 20, 20)[1] - picture_at(sharp, 20, 20)[1]) < 2);
        picture_free(sharp);
        picture_free(spread);
    }
    fixture_stop(&f);
}

// --- Curves, grading and vignette ----------------------------------------------------------------

static void keeps_colours_with_the_neutral_curve(void **state) {
    (void)state;
    render_fixture f;
    picture_start(&f, "rendering/picture");
    picture_choose(&f, "tone_curve", "neutral");
    picture_pattern(&f, "flat", 0.5);
    expect_light(&f, 0.4 - 0.04);
    picture_number(&f, "light", 50000.0);
    fixture_picture(&f);
    assert_true(fixture_pixel(&f, 0.5f, 0.5f)[0] >= 254);
    fixture_stop(&f);
}

// Takes the picture of a ramp that is graded with one setting.
static uint8_t *graded_ramp(render_fixture *f, const char *name, double value, double neutral) {
    picture_number(f, name, value);
    uint8_t *const picture = picture_take(f);
    picture_number(f, name, neutral);
    return picture;
}

static void changes_nothing_without_a_grade(void **state) {
    (void)state;
    render_fixture f;
    picture_start(&f, "rendering/picture");
    picture_pattern(&f, "many", 2.0);
    uint8_t *const plain = picture_take(&f);
    picture_switch(&f, "grading", true);
    uint8_t *const graded = picture_take(&f);
    assert_in_range(picture_most_difference(plain, graded), 0, 1);
    // The core's table is neutral, however much it counts.
    uint8_t *const table = graded_ramp(&f, "grading_lut_strength", 1.0, 0.0);
    assert_in_range(picture_most_difference(plain, table), 0, 1);
    picture_free(plain);
    picture_free(graded);
    picture_free(table);
    fixture_stop(&f);
}

typedef struct grade_case {
    const char *setting;
    double value, neutral;
} grade_case;

// What the setting makes of a stored grey, 0 to 1.
static double graded_grey(const grade_case *c, double grey) {
    double x = grey;
    if (strcmp(c->setting, "grading_lift") == 0)
        x = c->value + grey * (1.0 - c->value);
    if (strcmp(c->setting, "grading_gain") == 0)
        x = grey * c->value;
    if (strcmp(c->setting, "grading_gamma") == 0)
        x = pow(grey, 1.0 / c->value);
    if (strcmp(c->setting, "grading_contrast") == 0)
        x = (grey - 0.5) * c->value + 0.5;
    return x < 0.0 ? 0.0 : x > 1.0 ? 1.0 : x;
}

static void grades_a_ramp_of_greys_as_it_says(void **state) {
    (void)state;
    static const grade_case cases[] = {
        {"grading_lift", 0.2, 0.0},     {"grading_gain", 0.7, 1.0},
        {"grading_gain", 1.5, 1.0},     {"grading_gamma", 2.0, 1.0},
        {"grading_gamma", 0.8, 1.0},    {"grading_contrast", 1.5, 1.0},
        {"grading_contrast", 0.5, 1.0}, {"grading_saturation", 0.0, 1.0}};
    render_fixture f;
    picture_start(&f, "rendering/picture");
    picture_pattern(&f, "ramp", 4.0);
    picture_switch(&f, "grading", true);
    uint8_t *const plain = picture_take(&f);
    for (uint32_t i = 0; i < CT_COUNT_OF(cases); ++i) {
        uint8_t *const graded = graded_ramp(&f, cases[i].setting, cases[i].value, cases[i].neutral);
        for (uint32_t x = 0; x < PICTURE_WIDTH; x += 3) {
            const double grey = picture_at(plain, x, 90)[1] / 255.0;
            const double wanted = graded_grey(&cases[i], grey) * 255.0;
            // Curves bend between the entries of the table, most near black.
            const double most =
                strcmp(cases[i].setting, "grading_gamma") || grey > 0.1 ? 3.0 : 24.0;
            for (uint32_t k = 0; k < 3; ++k)
                if (fabs(picture_at(graded, x, 90)[k] - wanted) > most)
                    fail_msg("%s %g: %g became %d, expected %g", cases[i].setting, cases[i].value,
                             grey * 255.0, picture_at(graded, x, 90)[k], wanted);
        }
        picture_free(graded);
    }
    picture_free(plain);
    fixture_stop(&f);
}

static void shifts_colours_as_it_says(void **state) {
    (void)state;
    render_fixture f;
    picture_start(&f, "rendering/picture");
    picture_pattern(&f, "flat", 0.3);
    picture_switch(&f, "grading", true);
    uint8_t *const warm = graded_ramp(&f, "grading_temperature", 1.0, 0.0);
    uint8_t *const cold = graded_ramp(&f, "grading_temperature", -1.0, 0.0);
    uint8_t *const magenta = graded_ramp(&f, "grading_tint", 1.0, 0.0);
    uint8_t *const green = graded_ramp(&f, "grading_tint", -1.0, 0.0);
    const uint8_t *p = picture_at(warm, 100, 100);
    assert_true(p[0] > p[1] + 15 && p[1] > p[2] + 15);
    p = picture_at(cold, 100, 100);
    assert_true(p[2] > p[1] + 15 && p[1] > p[0] + 15);
    p = picture_at(magenta, 100, 100);
    assert_true(p[0] > p[1] + 15 && p[2] > p[1] + 15);
    p = picture_at(green, 100, 100);
    assert_true(p[1] > p[0] + 15 && p[1] > p[2] + 15);
    picture_free(warm);
    picture_free(cold);
    picture_free(magenta);
    picture_free(green);
    fixture_stop(&f);
}

static void takes_colours_from_a_table_of_the_project(void **state) {
    (void)state;
    render_fixture f;
    picture_start(&f, "rendering/negative");
    picture_pattern(&f, "many", 1.0);
    picture_switch(&f, "grading", true);
    uint8_t *const plain = picture_take(&f);
    picture_number(&f, "grading_lut_strength", 1.0);
    uint8_t *const negative = picture_take(&f);
    picture_number(&f, "grading_lut_strength", 0.5);
    uint8_t *const half = picture_take(&f);
    for (uint32_t x = 0; x < PICTURE_WIDTH; x += 3)
        for (uint32_t k = 0; k < 3; ++k) {
            const int was = picture_at(plain, x, 60)[k];
            assert_in_range(picture_at(negative, x, 60)[k], 255 - was - (was < 253 ? 2 : 0),
                            257 - was);
            assert_in_range(picture_at(half, x, 60)[k], 126, 130);
        }
    picture_free(plain);
    picture_free(negative);
    picture_free(half);
    fixture_stop(&f);
}

static void darkens_corners_alike(void **state) {
    (void)state;
    render_fixture f;
    picture_start(&f, "rendering/picture");
    picture_pattern(&f, "flat", 0.5);
    uint8_t *const plain = picture_take(&f);
    picture_number(&f, "vignette", 1.0);
    uint8_t *const dark = picture_take(&f);
    for (uint32_t y = 0; y < PICTURE_HEIGHT; y += 7)
        for (uint32_t x = 0; x < PICTURE_WIDTH; x += 5) {
            const uint8_t value = picture_at(dark, x, y)[1];
            assert_in_range(value, picture_at(dark, 319 - x, y)[1] - 1,
                            picture_at(dark, 319 - x, y)[1] + 1);
            assert_in_range(value, picture_at(dark, x, 179 - y)[1] - 1,
                            picture_at(dark, x, 179 - y)[1] + 1);
        }
    assert_in_range(picture_at(dark, 160, 90)[1], picture_at(plain, 160, 90)[1] - 1,
                    picture_at(plain, 160, 90)[1]);
    // A quarter of the light in the corner.
    const double corner = picture_light(picture_at(dark, 0, 0)[1]);
    assert_true(fabs(corner - filmic(0.1)) < 0.01);
    picture_free(plain);
    picture_free(dark);
    fixture_stop(&f);
}

static void draws_a_scene_in_all_of_it(void **state) {
    (void)state;
    render_fixture f;
    picture_start(&f, "rendering/picture");
    fixture_look_from(&f, 0.0f, -6.0f, 1.0f);
    fixture_add(&f, "core/meshes/cube", "materials/chalk", -1.2f, 0.0f, 0.0f);
    fixture_add(&f, "core/meshes/sphere", "materials/lamp", 0.0f, 0.0f, 0.5f);
    fixture_add(&f, "core/meshes/sphere", "materials/gold", 1.2f, 0.0f, 0.0f);
    fixture_add_sun(&f);
    picture_number(&f, "exposure", 1.0);
    picture_number(&f, "exposure_value", 1.5);
    picture_switch(&f, "bloom", true);
    picture_number(&f, "bloom_strength", 0.15);
    fixture_picture(&f);
    golden_expect(&f, "picture_bloom");
    picture_choose(&f, "tone_curve", "neutral");
    picture_number(&f, "vignette", 0.8);
    picture_switch(&f, "grading", true);
    picture_number(&f, "grading_contrast", 1.3);
    picture_number(&f, "grading_temperature", 0.5);
    picture_number(&f, "grading_saturation", 1.2);
    fixture_picture(&f);
    golden_expect(&f, "picture_graded");
    fixture_stop(&f);
}

// --- Bad values ----------------------------------------------------------------------------------

static void refuses_values_out_of_range(void **state) {
    (void)state;
    static const struct {
        const char *name;
        double value;
    } cases[] = {{"exposure", 21},      {"bloom_strength", -0.1}, {"bloom_strength", 1.1},
                 {"vignette", -1},      {"grading_gamma", 0},     {"grading_lut_strength", 2},
                 {"focus_distance", 0}, {"focus_aperture", -1},   {"motion_blur_shutter", 721},
                 {"exposure_speed", -1}};
    render_fixture f;
    picture_start(&f, "rendering/picture");
    for (uint32_t i = 0; i < CT_COUNT_OF(cases); ++i) {
        ct_error error = {0};
        const ct_render_given given = {.kind = CT_RENDER_GIVEN_KIND_NUMBER,
                                       .numbers = {cases[i].value}};
        assert_false(ct_renderer_set_setting(f.renderer, cases[i].name, &given, &error));
        assert_non_null(strstr(error.message, "expected"));
    }
    fixture_stop(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exposes_by_stops_and_by_the_value_of_a_camera),
        cmocka_unit_test(measures_light_as_a_meter),
        cmocka_unit_test(halves_the_exposure_of_twice_the_light),
        cmocka_unit_test(adapts_bit_by_bit_and_the_same_every_time),
        cmocka_unit_test(adapts_at_once_after_a_cut),
        cmocka_unit_test(keeps_the_energy_of_light_that_spreads),
        cmocka_unit_test(spreads_light_but_nothing_that_is_none),
        cmocka_unit_test(keeps_colours_with_the_neutral_curve),
        cmocka_unit_test(changes_nothing_without_a_grade),
        cmocka_unit_test(grades_a_ramp_of_greys_as_it_says),
        cmocka_unit_test(shifts_colours_as_it_says),
        cmocka_unit_test(takes_colours_from_a_table_of_the_project),
        cmocka_unit_test(darkens_corners_alike),
        cmocka_unit_test(draws_a_scene_in_all_of_it),
        cmocka_unit_test(refuses_values_out_of_range),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
