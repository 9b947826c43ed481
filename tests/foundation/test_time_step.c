#include "foundation/time_step.h"
#include "support/test_support.h"

#include <math.h>
#include <string.h>

#include "foundation/error.h"

static const double frame = 1.0 / 60;

// The step of a policy that makes one in each frame.
static double step_of(ct_time_step *t, double frame_seconds) {
    const ct_time_step_frame f = ct_time_step_advance(t, frame_seconds);
    assert_int_equal(f.num_steps, 1);
    assert_true(f.interpolation == 1);
    return f.step_seconds;
}

// A smoothed step after `seconds` of even frames.
static ct_time_step settled(double seconds) {
    ct_time_step t = {.policy = CT_TIME_STEP_POLICY_SMOOTHED};
    for (double at = 0; at < seconds; at += frame)
        ct_time_step_advance(&t, frame);
    return t;
}

// --- Variable and locked -------------------------------------------------------------------------

static void variable_is_what_the_frame_took(void **state) {
    (void)state;
    ct_time_step t = {0};
    assert_true(step_of(&t, 0.02) == 0.02);
    assert_true(step_of(&t, 0) == 0);
}

static void locked_is_one_step_of_the_same_length_in_each_frame(void **state) {
    (void)state;
    ct_time_step t = {.policy = CT_TIME_STEP_POLICY_LOCKED, .seconds = 0.25};
    assert_true(step_of(&t, 0.02) == 0.25);
    assert_true(step_of(&t, 5) == 0.25);
    assert_true(step_of(&t, 0) == 0.25);
    t.seconds = 0;
    assert_true(step_of(&t, 0.02) == 1.0 / 60);
}

static void long_frames_are_cut_and_counted(void **state) {
    (void)state;
    ct_time_step t = {0};
    assert_true(step_of(&t, 5) == 0.2);
    assert_true(fabs(t.dropped_seconds - 4.8) < 1e-12);
    t.longest_seconds = 0.5;
    assert_true(step_of(&t, 5) == 0.5);
    assert_true(fabs(t.dropped_seconds - 9.3) < 1e-12);
    ct_time_step smoothed = {.policy = CT_TIME_STEP_POLICY_SMOOTHED};
    assert_true(fabs(step_of(&smoothed, 5) - 0.2) < 1e-12);
    assert_true(fabs(smoothed.debt_seconds) < 1e-12); // what was cut is not owed
    assert_true(fabs(smoothed.dropped_seconds - 4.8) < 1e-12);
}

// --- Smoothed ------------------------------------------------------------------------------------

static void the_first_smoothed_step_is_the_first_frame(void **state) {
    (void)state;
    ct_time_step t = {.policy = CT_TIME_STEP_POLICY_SMOOTHED};
    assert_true(step_of(&t, frame) == frame);
}

static void even_frames_give_even_steps(void **state) {
    (void)state;
    ct_time_step t = settled(1);
    assert_true(fabs(step_of(&t, frame) - frame) < 1e-12);
    assert_true(fabs(t.debt_seconds) < 1e-12);
}

// At any frame rate, and for spikes of five frames as for any other.
static void a_single_spike_moves_no_step_by_5_percent(void **state) {
    (void)state;
    static const double rates[] = {30, 60, 144, 1000};
    static const double spikes[] = {0.001, 0.033, 0.05, 0.1, 3, 0 /* five frames */};
    for (uint32_t i = 0; i < CT_COUNT_OF(rates) * CT_COUNT_OF(spikes); ++i) {
        const double mean = 1 / rates[i % CT_COUNT_OF(rates)];
        const double spike = spikes[i / CT_COUNT_OF(rates)];
        ct_time_step t = {.policy = CT_TIME_STEP_POLICY_SMOOTHED};
        for (uint32_t k = 0; k < 60; ++k)
            step_of(&t, mean);
        double step = step_of(&t, spike > 0 ? spike : 5 * mean);
        for (double at = 0; at < 8; at += mean) {
            assert_true(fabs(step - mean) < 0.05 * mean);
            step = step_of(&t, mean);
        }
        assert_true(fabs(step - mean) < 1e-9);
    }
}

static void the_debt_of_a_spike_is_paid_in_full(void **state) {
    (void)state;
    ct_time_step t = settled(1);
    double wall = 0.1, game = step_of(&t, 0.1);
    assert_true(t.debt_seconds > 0.08);
    for (uint32_t i = 0; i < 60 * 4; ++i) {
        game += step_of(&t, frame);
        wall += frame;
        assert_true(fabs(wall - game - t.debt_seconds) < 1e-9);
    }
    assert_true(fabs(wall - game) < 1e-9);
}

static void the_two_longest_and_two_shortest_do_not_count(void **state) {
    (void)state;
    ct_time_step t = settled(1), u = settled(1);
    static const double odd[] = {0.1, 0.001, 0.09, 0.002};
    for (uint32_t i = 0; i < CT_COUNT_OF(odd); ++i) {
        ct_time_step_advance(&t, odd[i]);
        assert_true(fabs(t.last_seconds - frame) < 1e-12);
    }
    // A third long one does count.
    for (uint32_t i = 0; i < 3; ++i)
        ct_time_step_advance(&u, 0.1);
    assert_true(u.last_seconds > frame * 1.01);
}

static void follows_a_lasting_change_without_jumping(void **state) {
    (void)state;
    ct_time_step t = settled(1);
    double last = frame, step = frame;
    for (uint32_t i = 0; i < 60 * 3; ++i) {
        step = step_of(&t, 2 * frame);
        assert_true(fabs(step - last) < 0.3 * frame);
        last = step;
    }
    assert_true(fabs(step - 2 * frame) < 0.05 * 2 * frame);
}

// A number in (0, 1).
static double uniform(uint32_t *random) {
    return (test_random(random) + 0.5) / 4294967296.0;
}

// A frame time with a deviation of 20 % (Box and Muller), or a spike, in 5 % of frames, of 5 means.
static double jittered(uint32_t *random, bool *is_spike) {
    const double length = sqrt(-2 * log(uniform(random)));
    const double normal = length * cos(6.283185307179586 * uniform(random));
    *is_spike = uniform(random) < 0.05;
    return *is_spike ? 5 * frame : fmax(frame * (1 + 0.2 * normal), 0.1 * frame);
}

static void predicts_jittering_frames_better_than_the_last_frame_does(void **state) {
    (void)state;
    for (uint32_t seed = 1; seed <= 20; ++seed) {
        ct_time_step t = {.policy = CT_TIME_STEP_POLICY_SMOOTHED};
        uint32_t random = seed * 2654435761u;
        double raw_error = 0, smoothed_error = 0, raw = frame, smoothed = frame;
        for (uint32_t i = 0; i < 10000; ++i) {
            bool is_spike = false;
            const double seconds = jittered(&random, &is_spike);
            if (!is_spike) {
                raw_error += fabs(raw - seconds);
                smoothed_error += fabs(smoothed - seconds);
            }
            raw = seconds;
            smoothed = step_of(&t, seconds);
        }
        assert_true(raw_error > 0 && smoothed_error < 0.8 * raw_error);
    }
}

static void ten_seconds_pay_back_what_jitter_and_spikes_left(void **state) {
    (void)state;
    for (uint32_t seed = 1; seed <= 20; ++seed) {
        ct_time_step t = {.policy = CT_TIME_STEP_POLICY_SMOOTHED};
        uint32_t random = seed * 2654435761u;
        double wall = 0, game = 0, most = 0;
        while (wall < 60) {
            bool is_spike = false;
            const double seconds = jittered(&random, &is_spike);
            wall += seconds;
            game += step_of(&t, seconds);
            most = fmax(most, fabs(wall - game));
        }
        assert_true(most > 0.05 && most < 1); // the test has something to show; it is bounded
        for (double at = 0; at < 10; at += frame) {
            wall += frame;
            game += step_of(&t, frame);
        }
        assert_true(fabs(wall - game) < 0.005);
    }
}

static void the_game_clock_keeps_up_with_noise(void **state) {
    (void)state;
    ct_time_step t = {.policy = CT_TIME_STEP_POLICY_SMOOTHED};
    uint32_t random = 13;
    double wall = 0, game = 0, roughness = 0, last = frame;
    for (uint32_t i = 0; i < 20000; ++i) {
        const double seconds = frame * (0.5 + (test_random(&random) % 1000) / 1000.0);
        wall += seconds;
        const double step = step_of(&t, seconds);
        game += step;
        roughness += fabs(step - last);
        last = step;
        assert_true(step > 0);
        assert_true(fabs(wall - game) < 0.2);
    }
    // Raw frames differ by a third of a frame on average.
    assert_true(roughness / 20000 < 0.1 * frame);
}

// --- Fixed ---------------------------------------------------------------------------------------

static void fixed_makes_as_many_steps_as_fit_and_keeps_the_rest(void **state) {
    (void)state;
    ct_time_step t = {.policy = CT_TIME_STEP_POLICY_FIXED, .seconds = 0.25};
    static const double frames[] = {0.125, 0.125, 0.0625, 0.9375, 0};
    static const uint32_t num_steps[] = {0, 1, 0, 4, 0};
    static const double interpolations[] = {0.5, 0, 0.25, 0, 0};
    for (uint32_t i = 0; i < CT_COUNT_OF(frames); ++i) {
        const ct_time_step_frame f = ct_time_step_advance(&t, frames[i]);
        assert_int_equal(f.num_steps, num_steps[i]);
        assert_true(f.step_seconds == 0.25);
        assert_true(f.interpolation == interpolations[i]);
    }
    assert_true(t.dropped_seconds == 0);
}

static void fixed_steps_of_the_frames_length_come_one_in_each(void **state) {
    (void)state;
    ct_time_step t = {.policy = CT_TIME_STEP_POLICY_FIXED, .seconds = 1.0 / 60};
    for (uint32_t i = 0; i < 100000; ++i)
        assert_int_equal(ct_time_step_advance(&t, 1.0 / 60).num_steps, 1);
    // A third of it: one in every third frame, also after many.
    ct_time_step u = {.policy = CT_TIME_STEP_POLICY_FIXED, .seconds = 1.0 / 60};
    for (uint32_t i = 0; i < 300000; ++i)
        assert_int_equal(ct_time_step_advance(&u, 1.0 / 180).num_steps, i % 3 == 2);
}

static void fixed_keeps_up_with_the_wall_clock(void **state) {
    (void)state;
    ct_time_step t = {.policy = CT_TIME_STEP_POLICY_FIXED, .seconds = 1.0 / 50};
    uint32_t random = 7;
    double wall = 0, game = 0;
    for (uint32_t i = 0; i < 20000; ++i) {
        bool is_spike = false;
        const double seconds = jittered(&random, &is_spike);
        const ct_time_step_frame f = ct_time_step_advance(&t, seconds);
        wall += seconds;
        game += f.num_steps * f.step_seconds;
        assert_true(f.interpolation >= 0 && f.interpolation <= 1);
        assert_true(fabs(wall - game - f.interpolation / 50) < 1e-6);
    }
}

static void fixed_drops_and_counts_what_is_too_much_for_a_frame(void **state) {
    (void)state;
    ct_time_step t = {.policy = CT_TIME_STEP_POLICY_FIXED, .seconds = 0.25, .max_steps = 3};
    ct_time_step_frame f = ct_time_step_advance(&t, 2.125);
    assert_int_equal(f.num_steps, 3);
    assert_true(f.interpolation == 0.5); // the part of a step is kept
    assert_true(t.dropped_seconds == 1.25);
    f = ct_time_step_advance(&t, 0.125);
    assert_int_equal(f.num_steps, 1);
    ct_time_step_advance(&t, 1e9);
    assert_true(fabs(t.dropped_seconds - 1e9) < 1);
    ct_time_step u = {.policy = CT_TIME_STEP_POLICY_FIXED, .seconds = 1e-6};
    assert_int_equal(ct_time_step_advance(&u, 1).num_steps, 8); // the default
}

// --- Names and bugs ------------------------------------------------------------------------------

static void policies_have_names(void **state) {
    (void)state;
    for (uint32_t i = 0; i < CT_TIME_STEP_NUM_POLICIES; ++i) {
        ct_time_step_policy policy = CT_TIME_STEP_NUM_POLICIES;
        assert_true(ct_time_step_policy_named(ct_time_step_policy_name(i), &policy));
        assert_int_equal(policy, i);
    }
    ct_time_step_policy policy = CT_TIME_STEP_POLICY_FIXED;
    assert_false(ct_time_step_policy_named("sometimes", &policy));
    assert_int_equal(policy, CT_TIME_STEP_POLICY_FIXED);
    assert_string_equal(ct_time_step_policy_name(CT_TIME_STEP_POLICY_LOCKED), "locked");
}

static void advance_by_nan(void *user) {
    ct_time_step_advance(user, NAN);
}

static void advance_backwards(void *user) {
    ct_time_step_advance(user, -0.1);
}

static void advance_by_too_many(void *user) {
    (void)user;
    ct_time_step t = {.policy = CT_TIME_STEP_POLICY_FIXED, .max_steps = 1001};
    ct_time_step_advance(&t, 1);
}

static void impossible_times_are_a_bug(void **state) {
    (void)state;
    ct_time_step t = {0};
    test_expect_death(advance_by_nan, &t, "a frame took nan s");
    test_expect_death(advance_backwards, &t, "a frame took -0.1 s");
    test_expect_death(advance_by_too_many, NULL, "at most 1001 steps in a frame");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(variable_is_what_the_frame_took),
        cmocka_unit_test(locked_is_one_step_of_the_same_length_in_each_frame),
        cmocka_unit_test(long_frames_are_cut_and_counted),
        cmocka_unit_test(the_first_smoothed_step_is_the_first_frame),
        cmocka_unit_test(even_frames_give_even_steps),
        cmocka_unit_test(a_single_spike_moves_no_step_by_5_percent),
        cmocka_unit_test(the_debt_of_a_spike_is_paid_in_full),
        cmocka_unit_test(the_two_longest_and_two_shortest_do_not_count),
        cmocka_unit_test(follows_a_lasting_change_without_jumping),
        cmocka_unit_test(predicts_jittering_frames_better_than_the_last_frame_does),
        cmocka_unit_test(ten_seconds_pay_back_what_jitter_and_spikes_left),
        cmocka_unit_test(the_game_clock_keeps_up_with_noise),
        cmocka_unit_test(fixed_makes_as_many_steps_as_fit_and_keeps_the_rest),
        cmocka_unit_test(fixed_steps_of_the_frames_length_come_one_in_each),
        cmocka_unit_test(fixed_keeps_up_with_the_wall_clock),
        cmocka_unit_test(fixed_drops_and_counts_what_is_too_much_for_a_frame),
        cmocka_unit_test(policies_have_names),
        cmocka_unit_test(impossible_times_are_a_bug),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
