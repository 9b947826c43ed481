#include "sound/event/sound_spatial.h"

#include <math.h>

#include "foundation/math/math.h"
#include "support/test_support.h"

// Gains and factors are compared with closed forms in double precision.
static const float tolerance = 2e-6f;

static const double pi = 3.14159265358979323846;

// A point without cone, spread, Doppler and occlusion.
static ct_sound_spatial point(void) {
    return (ct_sound_spatial){.is_spatial = 1,
                              .least_distance = 2,
                              .most_distance = 50,
                              .rolloff = 1,
                              .cone_inner = 360,
                              .cone_outer = 360};
}

static ct_sound_listener ears(void) {
    return (ct_sound_listener){.rotation = ct_quat_identity()};
}

static ct_sound_emitter source_at(float x, float y, float z) {
    return (ct_sound_emitter){.position = ct_vec3_make(x, y, z), .forward = ct_vec3_make(0, 1, 0)};
}

static double power(const ct_sound_heard *h) {
    return (double)h->gains[0] * (double)h->gains[0] + (double)h->gains[1] * (double)h->gains[1];
}

// --- Attenuation ---------------------------------------------------------------------------------

static void gets_quieter_inversely(void **state) {
    (void)state;
    ct_sound_spatial s = point();
    for (float rolloff = 0; rolloff < 3; rolloff += 0.5f)
        for (float d = 0; d < 80; d += 0.25f) {
            s.rolloff = rolloff;
            const double held = fmin(fmax((double)d, 2), 50);
            const double exact = 2 / (2 + (double)rolloff * (held - 2));
            assert_float_equal(ct_sound_attenuation_at(&s, d), exact, tolerance);
        }
}

static void gets_quieter_linearly(void **state) {
    (void)state;
    ct_sound_spatial s = point();
    s.attenuation = CT_SOUND_ATTENUATION_LINEAR;
    for (float d = 0; d < 80; d += 0.25f)
        assert_float_equal(ct_sound_attenuation_at(&s, d),
                           1 - fmin(fmax(((double)d - 2) / 48, 0), 1), tolerance);
    assert_float_equal(ct_sound_attenuation_at(&s, 50), 0, 0);
}

static void leaves_distance_to_a_curve(void **state) {
    (void)state;
    ct_sound_spatial s = point();
    s.attenuation = CT_SOUND_ATTENUATION_CURVE;
    const ct_sound_listener listener = ears();
    const ct_sound_emitter source = source_at(0, 40, 0);
    const ct_sound_heard heard = ct_sound_hear(&s, &listener, &source);
    assert_float_equal(power(&heard), 1, tolerance);
    assert_float_equal(heard.distance, 40, 1e-5);
}

// --- Direction -----------------------------------------------------------------------------------

static void pans_with_equal_power(void **state) {
    (void)state;
    const ct_sound_spatial s = point();
    const ct_sound_listener listener = ears();
    for (int degrees = -180; degrees <= 180; degrees += 5) {
        const double angle = degrees * pi / 180; // clockwise from ahead
        const ct_sound_emitter source =
            source_at((float)(6 * sin(angle)), (float)(6 * cos(angle)), 0);
        const ct_sound_heard heard = ct_sound_hear(&s, &listener, &source);
        const double gain = 2.0 / 6, turn = (1 + sin(angle)) * pi / 4;
        assert_float_equal(heard.gains[0], gain * cos(turn), tolerance);
        assert_float_equal(heard.gains[1], gain * sin(turn), tolerance);
        assert_float_equal(power(&heard), gain * gain, tolerance);
    }
}

static void hears_left_and_right_as_the_head_turns(void **state) {
    (void)state;
    const ct_sound_spatial s = point();
    ct_sound_listener listener = ears();
    listener.position = ct_vec3_make(100, 50, 3);
    const ct_sound_emitter source = source_at(101, 50, 3); // east
    ct_sound_heard heard = ct_sound_hear(&s, &listener, &source);
    assert_float_equal(heard.gains[0], 0, tolerance);
    assert_float_equal(heard.gains[1], 1, tolerance);
    listener.rotation = ct_quat_axis_angle(ct_vec3_make(0, 0, 1), (float)(pi / 2)); // looks west
    heard = ct_sound_hear(&s, &listener, &source);
    assert_float_equal(heard.gains[0], sqrt(0.5), tolerance);
    assert_float_equal(heard.gains[1], sqrt(0.5), tolerance);
    listener.rotation = ct_quat_axis_angle(ct_vec3_make(0, 0, 1), (float)pi); // looks south
    heard = ct_sound_hear(&s, &listener, &source);
    assert_float_equal(heard.gains[0], 1, tolerance);
    assert_float_equal(heard.gains[1], 0, tolerance);
}

static void hears_what_is_above_in_the_middle(void **state) {
    (void)state;
    const ct_sound_spatial s = point();
    const ct_sound_listener listener = ears();
    const ct_sound_emitter source = source_at(0, 0, 10);
    const ct_sound_heard heard = ct_sound_hear(&s, &listener, &source);
    assert_float_equal(heard.gains[0], 0.2 * sqrt(0.5), tolerance);
    assert_float_equal(heard.gains[1], 0.2 * sqrt(0.5), tolerance);
}

static void has_no_direction_at_the_listener(void **state) {
    (void)state;
    ct_sound_spatial s = point();
    s.doppler = 1;
    ct_sound_listener listener = ears();
    listener.velocity = ct_vec3_make(30, 0, 0);
    for (float x = 0; x < 1e-30f; x += 1e-31f) {
        const ct_sound_emitter source = source_at(x, 0, 0);
        const ct_sound_heard heard = ct_sound_hear(&s, &listener, &source);
        assert_float_equal(heard.gains[0], sqrt(0.5), tolerance);
        assert_float_equal(heard.gains[1], sqrt(0.5), tolerance);
        assert_float_equal(heard.pitch, 1, 0);
        assert_float_equal(heard.angle, 0, 0);
    }
}

static void spreads_to_the_middle_with_distance(void **state) {
    (void)state;
    ct_sound_spatial s = point();
    s.spread_near = 1;
    s.spread_far = 0.25f;
    const ct_sound_listener listener = ears();
    for (float d = 1; d < 60; d += 1) {
        const ct_sound_emitter source = source_at(d, 0, 0);
        const ct_sound_heard heard = ct_sound_hear(&s, &listener, &source);
        const double share = fmin(fmax(((double)d - 2) / 48, 0), 1), pan = 0.75 * share;
        const double gain = 2 / fmin(fmax((double)d, 2), 50);
        assert_float_equal(heard.gains[0], gain * cos((1 + pan) * pi / 4), tolerance);
        assert_float_equal(heard.gains[1], gain * sin((1 + pan) * pi / 4), tolerance);
    }
}

// --- Cone and occlusion --------------------------------------------------------------------------

static void gets_quieter_outside_of_the_cone(void **state) {
    (void)state;
    ct_sound_spatial s = point();
    s.cone_inner = 90;
    s.cone_outer = 180;
    s.cone_volume = -12;
    ct_sound_listener listener = ears();
    const ct_sound_emitter source = source_at(0, 0, 0);
    for (int degrees = 0; degrees <= 360; degrees += 3) {
        const double turn = degrees * pi / 180;
        listener.position = ct_vec3_make((float)(2 * sin(turn)), (float)(2 * cos(turn)), 0);
        const ct_sound_heard heard = ct_sound_hear(&s, &listener, &source);
        const double angle = degrees <= 180 ? degrees : 360 - degrees;
        const double db = -12 * fmin(fmax((angle - 45) / 45, 0), 1);
        assert_float_equal(heard.angle, angle, 0.03);
        assert_float_equal(power(&heard), pow(10, db / 10), 1e-3); // acos is less exact
    }
}

static void needs_no_width_between_the_angles_of_the_cone(void **state) {
    (void)state;
    ct_sound_spatial s = point();
    s.cone_inner = s.cone_outer = 90;
    s.cone_volume = -96;
    ct_sound_listener listener = ears();
    listener.position = ct_vec3_make(0, 1, 0);
    const ct_sound_emitter source = source_at(0, 0, 0);
    ct_sound_heard heard = ct_sound_hear(&s, &listener, &source);
    assert_float_equal(power(&heard), 1, tolerance);
    listener.position = ct_vec3_make(0, -1, 0);
    heard = ct_sound_hear(&s, &listener, &source);
    assert_float_equal(power(&heard), 0, 0);
}

static void is_muffled_behind_things(void **state) {
    (void)state;
    ct_sound_spatial s = point();
    s.occlusion_volume = -12;
    s.occlusion_low_pass = 800;
    const ct_sound_listener listener = ears();
    ct_sound_emitter source = source_at(0, 2, 0);
    for (float occlusion = 0; occlusion <= 1; occlusion += 0.125f) {
        source.occlusion = occlusion;
        const ct_sound_heard heard = ct_sound_hear(&s, &listener, &source);
        assert_float_equal(power(&heard), pow(10, -1.2 * (double)occlusion), 1e-5);
        const double exact = 22000 * pow(800.0 / 22000, (double)occlusion);
        assert_float_equal(heard.low_pass / exact, 1, 1e-5);
    }
    source.occlusion = 0;
    assert_float_equal(ct_sound_hear(&s, &listener, &source).low_pass, CT_SOUND_OPEN_HZ, 0);
}

// --- Doppler -------------------------------------------------------------------------------------

static float pitch_of(float factor, ct_vec3 listener_velocity, ct_vec3 source_velocity) {
    ct_sound_spatial s = point();
    s.doppler = factor;
    ct_sound_listener listener = ears();
    listener.velocity = listener_velocity;
    ct_sound_emitter source = source_at(0, 30, 0); // ahead
    source.velocity = source_velocity;
    return ct_sound_hear(&s, &listener, &source).pitch;
}

static void changes_the_pitch_with_the_velocities(void **state) {
    (void)state;
    const double c = (double)CT_SPEED_OF_SOUND;
    for (float listener = -60; listener <= 60; listener += 15)
        for (float source = -60; source <= 60; source += 15) {
            const float pitch =
                pitch_of(1, ct_vec3_make(7, listener, 1), ct_vec3_make(-20, source, 9));
            assert_float_equal(pitch, (c + (double)listener) / (c + (double)source), tolerance);
        }
    // A train at 30 m/s: 9.6% higher when it comes, 8% lower when it goes.
    assert_float_equal(pitch_of(1, ct_vec3_make(0, 0, 0), ct_vec3_make(0, -30, 0)), 1.0957, 1e-3);
    assert_float_equal(pitch_of(1, ct_vec3_make(0, 0, 0), ct_vec3_make(0, 30, 0)), 0.9196, 1e-3);
}

static void scales_the_velocities_by_the_factor(void **state) {
    (void)state;
    const ct_vec3 still = ct_vec3_make(0, 0, 0), away = ct_vec3_make(0, 20, 0);
    assert_float_equal(pitch_of(0, still, away), 1, 0);
    assert_float_equal(pitch_of(3, still, away), pitch_of(1, still, ct_vec3_make(0, 60, 0)), 0);
}

static void keeps_the_pitch_within_a_factor_of_four(void **state) {
    (void)state;
    const float speeds[] = {260, 343.3f, 400, 1e9f, INFINITY};
    const ct_vec3 still = ct_vec3_make(0, 0, 0);
    for (uint32_t i = 0; i < CT_COUNT_OF(speeds); ++i) {
        const ct_vec3 fast = ct_vec3_make(0, -speeds[i], 0);
        assert_float_equal(pitch_of(1, still, fast), 4, 0);    // the source comes
        assert_float_equal(pitch_of(1, fast, still), 0.25, 0); // the listener goes
    }
}

// --- Listeners -----------------------------------------------------------------------------------

static void hears_by_the_listener_that_hears_it_loudest(void **state) {
    (void)state;
    const ct_sound_spatial s = point();
    ct_sound_listener listeners[4];
    for (uint32_t i = 0; i < 4; ++i)
        listeners[i] = ears();
    listeners[0].position = ct_vec3_make(20, 0, 0);
    listeners[1].position = ct_vec3_make(-8, 0, 0);
    listeners[2].position = ct_vec3_make(0, 40, 0);
    listeners[3].position = ct_vec3_make(0, 0, 9);
    const ct_sound_emitter source = source_at(0, 0, 0);
    const ct_sound_heard heard = ct_sound_hear_loudest(&s, listeners, 4, &source);
    assert_float_equal(heard.distance, 8, 1e-5);
    assert_float_equal(heard.gains[1], 0.25, tolerance); // to the right of it
}

static void hears_by_the_nearest_when_all_are_as_loud(void **state) {
    (void)state;
    ct_sound_spatial s = point();
    s.attenuation = CT_SOUND_ATTENUATION_CURVE;
    ct_sound_listener listeners[2] = {ears(), ears()};
    listeners[0].position = ct_vec3_make(0, 20, 0);
    listeners[1].position = ct_vec3_make(0, 10, 0);
    const ct_sound_emitter source = source_at(0, 0, 0);
    assert_float_equal(ct_sound_hear_loudest(&s, listeners, 2, &source).distance, 10, 1e-5);
    assert_float_equal(ct_sound_hear_loudest(&s, listeners, 1, &source).distance, 20, 1e-5);
}

static void sounds_as_at_the_source_without_listeners(void **state) {
    (void)state;
    ct_sound_spatial s = point();
    const ct_sound_emitter source = source_at(5, 6, 7);
    ct_sound_heard heard = ct_sound_hear_loudest(&s, NULL, 0, &source);
    assert_float_equal(heard.gains[0], sqrt(0.5), tolerance);
    assert_float_equal(heard.gains[1], sqrt(0.5), tolerance);
    assert_float_equal(heard.pitch, 1, 0);
    assert_float_equal(heard.low_pass, CT_SOUND_OPEN_HZ, 0);
    assert_float_equal(heard.distance, 0, 0);
    s.is_spatial = 0;
    heard = ct_sound_hear_loudest(&s, NULL, 0, &source);
    assert_float_equal(heard.gains[0], 1, 0);
    assert_float_equal(heard.gains[1], 1, 0);
}

static void sounds_the_same_everywhere_when_it_is_not_spatial(void **state) {
    (void)state;
    ct_sound_spatial s = point();
    s.is_spatial = 0;
    s.doppler = 1;
    ct_sound_listener listener = ears();
    listener.velocity = ct_vec3_make(0, 100, 0);
    ct_sound_emitter source = source_at(300, 400, 0);
    source.occlusion = 1;
    const ct_sound_heard heard = ct_sound_hear(&s, &listener, &source);
    assert_float_equal(heard.gains[0], 1, 0);
    assert_float_equal(heard.gains[1], 1, 0);
    assert_float_equal(heard.pitch, 1, 0);
    assert_float_equal(heard.low_pass, CT_SOUND_OPEN_HZ, 0);
    assert_float_equal(heard.distance, 500, 1e-3); // for curves
    assert_float_equal(heard.angle, 143.13, 1e-2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gets_quieter_inversely),
        cmocka_unit_test(gets_quieter_linearly),
        cmocka_unit_test(leaves_distance_to_a_curve),
        cmocka_unit_test(pans_with_equal_power),
        cmocka_unit_test(hears_left_and_right_as_the_head_turns),
        cmocka_unit_test(hears_what_is_above_in_the_middle),
        cmocka_unit_test(has_no_direction_at_the_listener),
        cmocka_unit_test(spreads_to_the_middle_with_distance),
        cmocka_unit_test(gets_quieter_outside_of_the_cone),
        cmocka_unit_test(needs_no_width_between_the_angles_of_the_cone),
        cmocka_unit_test(is_muffled_behind_things),
        cmocka_unit_test(changes_the_pitch_with_the_velocities),
        cmocka_unit_test(scales_the_velocities_by_the_factor),
        cmocka_unit_test(keeps_the_pitch_within_a_factor_of_four),
        cmocka_unit_test(hears_by_the_listener_that_hears_it_loudest),
        cmocka_unit_test(hears_by_the_nearest_when_all_are_as_loud),
        cmocka_unit_test(sounds_as_at_the_source_without_listeners),
        cmocka_unit_test(sounds_the_same_everywhere_when_it_is_not_spatial),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
