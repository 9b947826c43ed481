#include "foundation/time_step.h"
#include "support/test_support.h"

#include <math.h>

static const double frame = 1.0 / 60;

// A smoothed step after `seconds` of even frames.
static ct_time_step settled(double seconds) {
    ct_time_step t = {.policy = CT_TIME_STEP_POLICY_SMOOTHED};
    for (double at = 0; at < seconds; at += frame)
        ct_time_step_advance(&t, frame);
    return t;
}

static void variable_is_what_the_frame_took(void **state) {
    (void)state;
    ct_time_step t = {0};
    assert_true(ct_time_step_advance(&t, 0.02) == 0.02);
    assert_true(ct_time_step_advance(&t, 0) == 0);
}

static void fixed_is_always_the_same(void **state) {
    (void)state;
    ct_time_step t = {.policy = CT_TIME_STEP_POLICY_FIXED, .fixed_seconds = 0.25};
    assert_true(ct_time_step_advance(&t, 0.02) == 0.25);
    assert_true(ct_time_step_advance(&t, 5) == 0.25);
}

static void long_frames_are_cut(void **state) {
    (void)state;
    ct_time_step t = {0};
    assert_true(ct_time_step_advance(&t, 5) == 0.1);
    t.longest_seconds = 0.5;
    assert_true(ct_time_step_advance(&t, 5) == 0.5);
    ct_time_step smoothed = {.policy = CT_TIME_STEP_POLICY_SMOOTHED};
    assert_true(fabs(ct_time_step_advance(&smoothed, 5) - 0.1) < 1e-12);
}

static void the_first_smoothed_step_is_the_first_frame(void **state) {
    (void)state;
    ct_time_step t = {.policy = CT_TIME_STEP_POLICY_SMOOTHED};
    assert_true(ct_time_step_advance(&t, frame) == frame);
}

static void even_frames_give_even_steps(void **state) {
    (void)state;
    ct_time_step t = settled(1);
    assert_true(fabs(ct_time_step_advance(&t, frame) - frame) < 1e-12);
    assert_true(fabs(t.debt_seconds) < 1e-12);
}

static void a_single_spike_is_hardly_seen(void **state) {
    (void)state;
    static const double spikes[] = {0.001, 0.033, 0.05, 0.1, 3};
    for (uint32_t i = 0; i < CT_COUNT_OF(spikes); ++i) {
        ct_time_step t = settled(1);
        double step = ct_time_step_advance(&t, spikes[i]);
        for (uint32_t k = 0; k < 300; ++k) {
            assert_true(fabs(step - frame) < 0.05 * frame);
            step = ct_time_step_advance(&t, frame);
        }
        assert_true(fabs(step - frame) < 1e-6);
    }
}

static void the_debt_of_a_spike_is_paid_in_about_a_second(void **state) {
    (void)state;
    ct_time_step t = settled(1);
    double wall = 0.04, game = ct_time_step_advance(&t, 0.04);
    assert_true(t.debt_seconds > 0.02);
    for (uint32_t i = 0; i < 75; ++i) {
        game += ct_time_step_advance(&t, frame);
        wall += frame;
    }
    assert_true(fabs(wall - game) < 0.0035);
    assert_true(fabs(wall - game - t.debt_seconds) < 1e-9);
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
    for (uint32_t i = 0; i < 60; ++i) {
        step = ct_time_step_advance(&t, 2 * frame);
        assert_true(fabs(step - last) < 0.3 * frame);
        last = step;
    }
    assert_true(fabs(step - 2 * frame) < 0.05 * 2 * frame);
}

static void the_game_clock_keeps_up_with_noise(void **state) {
    (void)state;
    ct_time_step t = {.policy = CT_TIME_STEP_POLICY_SMOOTHED};
    uint32_t random = 13;
    double wall = 0, game = 0, roughness = 0, last = frame;
    for (uint32_t i = 0; i < 20000; ++i) {
        const double seconds = frame * (0.5 + (test_random(&random) % 1000) / 1000.0);
        wall += seconds;
        const double step = ct_time_step_advance(&t, seconds);
        game += step;
        roughness += fabs(step - last);
        last = step;
        assert_true(step > 0);
        assert_true(fabs(wall - game) < 0.2);
    }
    // Raw frames differ by a third of a frame on average.
    assert_true(roughness / 20000 < 0.1 * frame);
}

static void advance_by_nan(void *user) {
    ct_time_step_advance(user, NAN);
}

static void advance_backwards(void *user) {
    ct_time_step_advance(user, -0.1);
}

static void impossible_frame_times_are_a_bug(void **state) {
    (void)state;
    ct_time_step t = {0};
    test_expect_death(advance_by_nan, &t, "a frame took nan s");
    test_expect_death(advance_backwards, &t, "a frame took -0.1 s");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(variable_is_what_the_frame_took),
        cmocka_unit_test(fixed_is_always_the_same),
        cmocka_unit_test(long_frames_are_cut),
        cmocka_unit_test(the_first_smoothed_step_is_the_first_frame),
        cmocka_unit_test(even_frames_give_even_steps),
        cmocka_unit_test(a_single_spike_is_hardly_seen),
        cmocka_unit_test(the_debt_of_a_spike_is_paid_in_about_a_second),
        cmocka_unit_test(the_two_longest_and_two_shortest_do_not_count),
        cmocka_unit_test(follows_a_lasting_change_without_jumping),
        cmocka_unit_test(the_game_clock_keeps_up_with_noise),
        cmocka_unit_test(impossible_frame_times_are_a_bug),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
