#include "sound/event/sound_curves.h"

#include <math.h>

#include "sound/event_fixture.h"
#include "support/test_support.h"

static ct_sound_parameters parameters;

static ct_sound_scope start(void) {
    ct_sound_parameters_init(&parameters, test_heap());
    return (ct_sound_scope){.parameters = &parameters};
}

static void end(void) {
    ct_sound_parameters_free(&parameters);
}

static void set(ct_sound_parameter_set *to, const char *key, float number) {
    ct_sound_parameter_set_value(&parameters, to, ct_string_id32_of(key),
                                 (ct_sound_parameter_value){.number = number});
}

// An event of one sound with one curve of these points over `force`.
static ct_sound_event_resource *one_curve(const ct_sound_point *points, uint32_t count,
                                          ct_sound_curve_shape shape) {
    event_fixture *const f = event_fixture_begin("sounds/a");
    const uint32_t sound = event_fixture_sound(f, CT_SOUND_NO_NODE, "sounds/b");
    const uint32_t other =
        event_fixture_curve(f, sound, CT_SOUND_TARGET_GAIN, "x", 0, points, count); // before it
    (void)other;
    const uint32_t curve =
        event_fixture_curve(f, sound, CT_SOUND_TARGET_VOLUME, "force", 0, points, count);
    event_fixture_shape(f, curve, shape);
    return event_fixture_end(f);
}

static float curve_at(const ct_sound_event_resource *e, float x) {
    const ct_sound_curve *const curves = ct_blob_at(e, e->curves.offset);
    return ct_sound_curve_at(e, &curves[1], x);
}

// --- Curves --------------------------------------------------------------------------------------

static void goes_straight_between_points(void **state) {
    (void)state;
    const ct_sound_point points[] = {{-1, 10}, {0, 20}, {4, -20}};
    ct_sound_event_resource *const e = one_curve(points, 3, CT_SOUND_SHAPE_LINEAR);
    const float expected[][2] = {{-2, 10}, {-1, 10}, {-0.5f, 15}, {0, 20},
                                 {1, 10},  {3, -10}, {4, -20},    {5, -20}};
    for (uint32_t i = 0; i < CT_COUNT_OF(expected); ++i)
        assert_float_equal(curve_at(e, expected[i][0]), expected[i][1], 1e-5);
    free(e);
}

static void keeps_the_value_of_the_point_before(void **state) {
    (void)state;
    const ct_sound_point points[] = {{0, 1}, {1, 2}, {2, 5}};
    ct_sound_event_resource *const e = one_curve(points, 3, CT_SOUND_SHAPE_STEP);
    const float expected[][2] = {{-1, 1}, {0, 1}, {0.99f, 1}, {1, 2}, {1.99f, 2}, {2, 5}, {9, 5}};
    for (uint32_t i = 0; i < CT_COUNT_OF(expected); ++i)
        assert_float_equal(curve_at(e, expected[i][0]), expected[i][1], 0);
    free(e);
}

static void goes_smoothly_by_a_cubic(void **state) {
    (void)state;
    const ct_sound_point points[] = {{0, 0}, {2, 10}};
    ct_sound_event_resource *const e = one_curve(points, 2, CT_SOUND_SHAPE_SMOOTH);
    for (float x = -0.5f; x < 2.5f; x += 0.125f) {
        const float t = fminf(fmaxf(x / 2, 0), 1);
        assert_float_equal(curve_at(e, x), 10 * (3 * t * t - 2 * t * t * t), 1e-5);
    }
    free(e);
}

static void is_constant_with_one_point(void **state) {
    (void)state;
    const ct_sound_point point = {3, 7};
    const float places[] = {-INFINITY, -1, 3, 4, INFINITY, NAN};
    for (uint32_t shape = 0; shape < CT_SOUND_SHAPE_COUNT; ++shape) {
        ct_sound_event_resource *const e = one_curve(&point, 1, shape);
        for (uint32_t i = 0; i < CT_COUNT_OF(places); ++i)
            assert_float_equal(curve_at(e, places[i]), 7, 0);
        free(e);
    }
}

static void holds_for_numbers_without_a_place(void **state) {
    (void)state;
    const ct_sound_point points[] = {{-1, 1}, {0, 2}, {1, 3}};
    for (uint32_t shape = 0; shape < CT_SOUND_SHAPE_COUNT; ++shape) {
        ct_sound_event_resource *const e = one_curve(points, 3, shape);
        assert_float_equal(curve_at(e, -INFINITY), 1, 0);
        assert_float_equal(curve_at(e, INFINITY), 3, 0);
        assert_float_equal(curve_at(e, NAN), 1, 0);
        assert_float_equal(curve_at(e, 3e38f), 3, 0);
        free(e);
    }
}

// The obvious way, in double precision.
static double model_at(const ct_sound_point *points, uint32_t count, double x) {
    if (x <= (double)points[0].x)
        return (double)points[0].y;
    for (uint32_t i = 1; i < count; ++i)
        if (x < (double)points[i].x) {
            const double from = (double)points[i - 1].x, to = (double)points[i].x;
            const double t = (x - from) / (to - from);
            return (double)points[i - 1].y * (1 - t) + (double)points[i].y * t;
        }
    return (double)points[count - 1].y;
}

static void finds_the_points_of_curves_of_any_length(void **state) {
    (void)state;
    uint32_t random = 5;
    for (uint32_t count = 1; count <= CT_SOUND_EVENT_MAX_POINTS; ++count) {
        ct_sound_point points[CT_SOUND_EVENT_MAX_POINTS];
        float x = -20;
        for (uint32_t i = 0; i < count; ++i) {
            x += 0.1f + (float)(test_random(&random) % 100) * 0.01f;
            points[i] = (ct_sound_point){x, (float)(test_random(&random) % 200) - 100};
        }
        ct_sound_event_resource *const e = one_curve(points, count, CT_SOUND_SHAPE_LINEAR);
        for (uint32_t i = 0; i < count; ++i)
            assert_float_equal(curve_at(e, points[i].x), points[i].y, 0);
        for (float at = -21; at < x + 1; at += 0.037f)
            assert_float_equal(curve_at(e, at), model_at(points, count, (double)at), 1e-3);
        free(e);
        ct_sound_event_resource *const steps = one_curve(points, count, CT_SOUND_SHAPE_STEP);
        for (uint32_t i = 0; i < count; ++i)
            assert_float_equal(curve_at(steps, points[i].x), points[i].y, 0);
        free(steps);
    }
}

// --- Factors -------------------------------------------------------------------------------------

static void gives_gains_of_decibels_within_a_millionth(void **state) {
    (void)state;
    double worst = 0;
    for (int i = -95999; i <= 96000; ++i) {
        const float db = (float)i * 0.001f;
        const double exact = pow(10, (double)db / 20);
        worst = fmax(worst, fabs((double)ct_sound_gain_of_db(db) / exact - 1));
    }
    assert_true(worst < 1.5e-6);
    assert_float_equal(ct_sound_gain_of_db(0), 1, 0);
    assert_float_equal(ct_sound_gain_of_db(-6), 0.501187, 1e-6);
}

static void gives_silence_from_a_limit_down(void **state) {
    (void)state;
    const float silent[] = {CT_SOUND_SILENCE_DB, -97, -1000, -INFINITY, NAN};
    for (uint32_t i = 0; i < CT_COUNT_OF(silent); ++i)
        assert_float_equal(ct_sound_gain_of_db(silent[i]), 0, 0);
    assert_true(ct_sound_gain_of_db(CT_SOUND_SILENCE_DB + 0.01f) > 1e-5f);
    assert_true(isfinite(ct_sound_gain_of_db(INFINITY)));
    assert_true(isfinite(ct_sound_gain_of_db(1e30f)));
}

static void gives_pitches_of_semitones_within_a_millionth(void **state) {
    (void)state;
    double worst = 0;
    for (int i = -96000; i <= 96000; ++i) {
        const float semitones = (float)i * 0.001f;
        const double exact = pow(2, (double)semitones / 12);
        worst = fmax(worst, fabs((double)ct_sound_pitch_of_semitones(semitones) / exact - 1));
    }
    assert_true(worst < 1.5e-6);
    assert_float_equal(ct_sound_pitch_of_semitones(0), 1, 0);
    assert_float_equal(ct_sound_pitch_of_semitones(12), 2, 1e-6);
    const float extreme[] = {-INFINITY, INFINITY, NAN, 1e30f, -1e30f};
    for (uint32_t i = 0; i < CT_COUNT_OF(extreme); ++i) {
        assert_true(isfinite(ct_sound_pitch_of_semitones(extreme[i])));
        assert_true(ct_sound_pitch_of_semitones(extreme[i]) > 0);
    }
}

static void gains_rise_with_decibels(void **state) {
    (void)state;
    for (int i = -95990; i < 24000; ++i) {
        const float db = (float)i * 0.001f;
        assert_true(ct_sound_gain_of_db(db + 0.001f) > ct_sound_gain_of_db(db));
    }
}

// --- Levels --------------------------------------------------------------------------------------

static void combines_values_as_their_targets_say(void **state) {
    (void)state;
    ct_sound_levels l = ct_sound_levels_neutral();
    assert_float_equal(ct_sound_gain_of_db(l.volume) * l.gain, 1, 0);
    assert_float_equal(ct_sound_gain_of_db(l.send), 0, 0);
    const float values[CT_SOUND_TARGET_COUNT][2] = {
        {-6, 2}, {0.5f, 0.5f}, {3, -1}, {900, 700}, {-10, -2}};
    for (uint32_t target = 0; target < CT_SOUND_TARGET_COUNT; ++target)
        for (uint32_t i = 0; i < 2; ++i)
            ct_sound_levels_add(&l, target, values[target][i]);
    ct_sound_levels_add(&l, CT_SOUND_TARGET_LOW_PASS, 5000);
    assert_float_equal(l.volume, -4, 1e-6);
    assert_float_equal(l.gain, 0.25, 1e-6);
    assert_float_equal(l.pitch, 2, 1e-6);
    assert_float_equal(l.low_pass, 700, 0);
    assert_float_equal(l.send, -12, 1e-6);
}

static void stays_silent_when_a_send_is_added_to_silence(void **state) {
    (void)state;
    ct_sound_levels l = ct_sound_levels_neutral();
    ct_sound_levels_add(&l, CT_SOUND_TARGET_SEND, CT_SOUND_SILENCE_DB);
    ct_sound_levels_add(&l, CT_SOUND_TARGET_SEND, -3);
    assert_float_equal(ct_sound_gain_of_db(l.send), 0, 0);
    l = ct_sound_levels_neutral();
    ct_sound_levels_add(&l, CT_SOUND_TARGET_SEND, -90);
    ct_sound_levels_add(&l, CT_SOUND_TARGET_SEND, -6);
    ct_sound_levels_add(&l, CT_SOUND_TARGET_SEND, -3);
    assert_float_equal(ct_sound_gain_of_db(l.send), 0, 0);
}

static void adds_the_curves_of_the_whole_path(void **state) {
    (void)state;
    ct_sound_scope scope = start();
    event_fixture *const f = event_fixture_begin("sounds/a");
    const ct_sound_point up[] = {{0, 0}, {10, 10}}, half[] = {{0, 0.5f}};
    const uint32_t root = event_fixture_node(f, CT_SOUND_NO_NODE, CT_SOUND_NODE_LAYERS);
    const uint32_t first = event_fixture_sound(f, root, "sounds/b");
    const uint32_t second = event_fixture_sound(f, root, "sounds/c");
    event_fixture_curve(f, first, CT_SOUND_TARGET_VOLUME, "force", 0, up, 2);
    event_fixture_curve(f, root, CT_SOUND_TARGET_VOLUME, "speed_of_it", 4, up, 2);
    event_fixture_curve(f, second, CT_SOUND_TARGET_GAIN, "force", 0, half, 1);
    event_fixture_curve(f, second, CT_SOUND_TARGET_PITCH, "force", 0, up, 2);
    ct_sound_event_resource *const e = event_fixture_end(f);
    const ct_sound_node *const nodes = ct_blob_at(e, e->nodes.offset);
    set(&scope.instance, "force", 3);
    ct_sound_levels l = ct_sound_levels_neutral();
    ct_sound_levels_add_curves(&l, e, &nodes[first], &scope);
    assert_float_equal(l.volume, 3 + 4, 1e-5);
    assert_float_equal(l.gain, 1, 0);
    l = ct_sound_levels_neutral();
    ct_sound_levels_add_curves(&l, e, &nodes[second], &scope);
    assert_float_equal(l.volume, 4, 1e-5);
    assert_float_equal(l.gain, 0.5, 0);
    assert_float_equal(l.pitch, 3, 1e-5);
    free(e);
    end();
}

static void finds_parameters_of_the_instance_then_global_then_built_in(void **state) {
    (void)state;
    static const char *const names[] = {"distance", "angle", "speed", "occlusion", "time"};
    ct_sound_scope scope = start();
    for (uint32_t i = 0; i < CT_SOUND_BUILT_IN_COUNT; ++i)
        scope.built_in[i] = 100 + (float)i;
    for (uint32_t i = 0; i < CT_SOUND_BUILT_IN_COUNT; ++i) {
        const ct_string_id32 key = ct_string_id32_of(names[i]);
        ct_sound_parameter_value found = {0};
        assert_true(ct_sound_scope_find(&scope, key, &found));
        assert_float_equal(found.number, 100 + (float)i, 0);
        set(&scope.global, names[i], 50);
        assert_true(ct_sound_scope_find(&scope, key, &found));
        assert_float_equal(found.number, 50, 0);
        set(&scope.instance, names[i], 20);
        assert_true(ct_sound_scope_find(&scope, key, &found));
        assert_float_equal(found.number, 20, 0);
    }
    ct_sound_parameter_value found = {.number = 7};
    assert_false(ct_sound_scope_find(&scope, ct_string_id32_of("other"), &found));
    assert_float_equal(found.number, 7, 0);
    end();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(goes_straight_between_points),
        cmocka_unit_test(keeps_the_value_of_the_point_before),
        cmocka_unit_test(goes_smoothly_by_a_cubic),
        cmocka_unit_test(is_constant_with_one_point),
        cmocka_unit_test(holds_for_numbers_without_a_place),
        cmocka_unit_test(finds_the_points_of_curves_of_any_length),
        cmocka_unit_test(gives_gains_of_decibels_within_a_millionth),
        cmocka_unit_test(gives_silence_from_a_limit_down),
        cmocka_unit_test(gives_pitches_of_semitones_within_a_millionth),
        cmocka_unit_test(gains_rise_with_decibels),
        cmocka_unit_test(combines_values_as_their_targets_say),
        cmocka_unit_test(stays_silent_when_a_send_is_added_to_silence),
        cmocka_unit_test(adds_the_curves_of_the_whole_path),
        cmocka_unit_test(finds_parameters_of_the_instance_then_global_then_built_in),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
