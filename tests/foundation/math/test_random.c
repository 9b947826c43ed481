#include "foundation/math/random.h"

#include <math.h>
#include <string.h>

#include "foundation/math/math.h"
#include "support/test_support.h"

// The first numbers that the demonstration program of the published implementation prints for seed
// 42, stream 54.
static void gives_the_published_numbers(void **state) {
    (void)state;
    static const uint32_t published[] = {0xa15c02b7, 0x7b47f409, 0xba1d3330,
                                         0x83d2f293, 0xbfa4784b, 0xcbed606e};
    ct_random r = ct_random_seeded(42, 54);
    for (uint32_t i = 0; i < CT_COUNT_OF(published); ++i)
        assert_int_equal(ct_random_u32(&r), published[i]);
    r = ct_random_seeded(42, 54);
    assert_true(ct_random_u64(&r) == UINT64_C(0xa15c02b77b47f409));
}

static void a_copy_replays_the_sequence(void **state) {
    (void)state;
    ct_random r = ct_random_seeded(1, 2);
    ct_random_u32(&r);
    ct_random copy = r;
    uint64_t first[100];
    for (uint32_t i = 0; i < 100; ++i)
        first[i] = ct_random_u64(&r);
    for (uint32_t i = 0; i < 100; ++i)
        assert_true(ct_random_u64(&copy) == first[i]);
}

static void streams_and_seeds_differ(void **state) {
    (void)state;
    ct_random a = ct_random_seeded(1, 1), b = ct_random_seeded(1, 2), c = ct_random_seeded(2, 1);
    uint32_t num_equal = 0;
    for (uint32_t i = 0; i < 1000; ++i) {
        const uint32_t x = ct_random_u32(&a), y = ct_random_u32(&b), z = ct_random_u32(&c);
        num_equal += (x == y) + (x == z) + (y == z);
    }
    assert_true(num_equal <= 1);
}

static void advances_as_many_single_steps_do(void **state) {
    (void)state;
    for (uint32_t steps = 0; steps < 300; ++steps) {
        ct_random walked = ct_random_seeded(3, 4), jumped = walked;
        for (uint32_t i = 0; i < steps; ++i)
            ct_random_u32(&walked);
        ct_random_advance(&jumped, steps);
        assert_true(jumped.state == walked.state);
        ct_random_advance(&jumped, -(uint64_t)steps);
        assert_true(jumped.state == ct_random_seeded(3, 4).state);
    }
}

// The chance that a fair die fails: chi-squared with 99 degrees of freedom is below 160 with
// probability 0.9999, and the seed is fixed.
static void numbers_below_a_bound_are_equally_likely(void **state) {
    (void)state;
    enum { BOUND = 100, NUM_THROWS = 1000000 };
    uint32_t counts[BOUND] = {0}, counts64[BOUND] = {0};
    ct_random r = ct_random_seeded(5, 6);
    for (uint32_t i = 0; i < NUM_THROWS; ++i) {
        const uint32_t a = ct_random_below(&r, BOUND);
        const uint64_t b = ct_random_below_u64(&r, BOUND);
        assert_true(a < BOUND && b < BOUND);
        ++counts[a];
        ++counts64[b];
    }
    const double expected = (double)NUM_THROWS / BOUND;
    double chi = 0, chi64 = 0;
    for (uint32_t i = 0; i < BOUND; ++i) {
        chi += (counts[i] - expected) * (counts[i] - expected) / expected;
        chi64 += (counts64[i] - expected) * (counts64[i] - expected) / expected;
    }
    assert_true(chi > 40 && chi < 160);
    assert_true(chi64 > 40 && chi64 < 160);
}

// With a bound of three quarters of 2^32, a product or remainder without rejection would make
// every third number twice as likely as the others.
static void large_bounds_have_no_bias(void **state) {
    (void)state;
    const uint32_t bound = UINT32_C(3) << 30;
    uint32_t thirds[3] = {0}, thirds64[3] = {0};
    ct_random r = ct_random_seeded(7, 8);
    for (uint32_t i = 0; i < 300000; ++i) {
        ++thirds[ct_random_below(&r, bound) % 3];
        ++thirds64[ct_random_below_u64(&r, (uint64_t)bound << 32) % 3];
    }
    for (uint32_t i = 0; i < 3; ++i) {
        assert_true(thirds[i] > 99000 && thirds[i] < 101000);
        assert_true(thirds64[i] > 99000 && thirds64[i] < 101000);
    }
}

static void the_only_number_below_one_is_zero(void **state) {
    (void)state;
    ct_random r = ct_random_seeded(1, 1);
    assert_int_equal(ct_random_below(&r, 1), 0);
    assert_true(ct_random_below_u64(&r, 1) == 0);
}

static void ranges_reach_both_ends(void **state) {
    (void)state;
    ct_random r = ct_random_seeded(9, 10);
    bool seen[7] = {false};
    for (uint32_t i = 0; i < 1000; ++i) {
        const int64_t value = ct_random_range(&r, -3, 3);
        assert_true(value >= -3 && value <= 3);
        seen[value + 3] = true;
    }
    for (uint32_t i = 0; i < 7; ++i)
        assert_true(seen[i]);
    assert_true(ct_random_range(&r, 5, 5) == 5);
    assert_true(ct_random_range(&r, INT64_MIN, INT64_MIN) == INT64_MIN);
    uint32_t num_negative = 0;
    for (uint32_t i = 0; i < 1000; ++i)
        num_negative += ct_random_range(&r, INT64_MIN, INT64_MAX) < 0;
    assert_true(num_negative > 400 && num_negative < 600);
}

static void fractions_lie_below_one_and_are_even(void **state) {
    (void)state;
    enum { COUNT = 1000000 };
    ct_random r = ct_random_seeded(11, 12);
    double sum = 0, float_sum = 0, squares = 0;
    for (uint32_t i = 0; i < COUNT; ++i) {
        const double d = ct_random_double(&r);
        const float f = ct_random_float(&r);
        assert_true(d >= 0 && d < 1 && f >= 0 && f < 1);
        sum += d;
        squares += d * d;
        float_sum += (double)f;
    }
    assert_true(fabs(sum / COUNT - 0.5) < 0.002);
    assert_true(fabs(float_sum / COUNT - 0.5) < 0.002);
    assert_true(fabs(squares / COUNT - 1.0 / 3) < 0.002);
}

// All 32 bits set would round to 1 if they were not cut to 24 first.
static void the_largest_fractions_do_not_round_to_one(void **state) {
    (void)state;
    assert_true((float)(UINT32_MAX >> 8) * 0x1p-24f < 1);
    assert_true((double)(UINT64_MAX >> 11) * 0x1p-53 < 1);
    ct_random r = ct_random_seeded(13, 14);
    for (uint32_t i = 0; i < 100000; ++i) {
        const float value = ct_random_float_range(&r, -2.5f, 1e9f);
        assert_true(value >= -2.5f && value <= 1e9f);
    }
    assert_true(ct_random_float_range(&r, 3, 3) == 3);
}

static void gaussians_have_their_moments(void **state) {
    (void)state;
    enum { COUNT = 1000000 };
    ct_random r = ct_random_seeded(15, 16);
    double sums[5] = {0};
    uint32_t num_within_one = 0;
    for (uint32_t i = 0; i < COUNT; ++i) {
        const double x = ct_random_gaussian(&r);
        num_within_one += fabs(x) < 1;
        double power = x;
        for (uint32_t k = 1; k < 5; ++k, power *= x)
            sums[k] += power;
    }
    assert_true(fabs(sums[1] / COUNT) < 0.005);
    assert_true(fabs(sums[2] / COUNT - 1) < 0.01);
    assert_true(fabs(sums[3] / COUNT) < 0.02);
    assert_true(fabs(sums[4] / COUNT - 3) < 0.05);
    assert_true(fabs((double)num_within_one / COUNT - 0.6827) < 0.003);
}

// On a sphere every coordinate is even between -1 and 1 (Archimedes), so its square's mean is 1/3.
static void unit_vectors_are_even_on_the_sphere(void **state) {
    (void)state;
    enum { COUNT = 300000 };
    ct_random r = ct_random_seeded(17, 18);
    double sums[3] = {0}, squares[3] = {0};
    uint32_t eighths[3][8] = {{0}};
    for (uint32_t i = 0; i < COUNT; ++i) {
        const ct_vec3 v = ct_random_unit_vec3(&r);
        assert_true(fabsf(ct_vec3_length(v) - 1) < 1e-5f);
        for (uint32_t k = 0; k < 3; ++k) {
            sums[k] += (double)v.raw[k];
            squares[k] += (double)v.raw[k] * (double)v.raw[k];
            const float eighth = (v.raw[k] + 1) * 4;
            ++eighths[k][eighth < 7 ? (uint32_t)eighth : 7];
        }
    }
    for (uint32_t k = 0; k < 3; ++k) {
        assert_true(fabs(sums[k] / COUNT) < 0.005);
        assert_true(fabs(squares[k] / COUNT - 1.0 / 3) < 0.005);
        for (uint32_t i = 0; i < 8; ++i)
            assert_true(fabs(eighths[k][i] / (double)COUNT - 0.125) < 0.004);
    }
}

// A vector turned by even rotations is even on the sphere.
static void rotations_are_of_length_one_and_even(void **state) {
    (void)state;
    enum { COUNT = 100000 };
    ct_random r = ct_random_seeded(19, 20);
    double sums[3] = {0}, squares[3] = {0};
    for (uint32_t i = 0; i < COUNT; ++i) {
        const ct_quat q = ct_random_quat(&r);
        assert_true(fabsf(glms_quat_norm(q) - 1) < 1e-5f);
        const ct_vec3 v = ct_quat_rotate(q, ct_vec3_make(0, 0, 1));
        for (uint32_t k = 0; k < 3; ++k) {
            sums[k] += (double)v.raw[k];
            squares[k] += (double)v.raw[k] * (double)v.raw[k];
        }
    }
    for (uint32_t k = 0; k < 3; ++k) {
        assert_true(fabs(sums[k] / COUNT) < 0.01);
        assert_true(fabs(squares[k] / COUNT - 1.0 / 3) < 0.01);
    }
}

static void permutations_hold_every_number_once(void **state) {
    (void)state;
    ct_random r = ct_random_seeded(21, 22);
    uint32_t values[100];
    for (uint32_t count = 0; count <= 100; ++count) {
        bool seen[100] = {false};
        ct_random_permutation(&r, values, count);
        for (uint32_t i = 0; i < count; ++i) {
            assert_true(values[i] < count && !seen[values[i]]);
            seen[values[i]] = true;
        }
    }
}

static void all_orders_are_equally_likely(void **state) {
    (void)state;
    ct_random r = ct_random_seeded(23, 24);
    uint32_t counts[27] = {0};
    for (uint32_t i = 0; i < 60000; ++i) {
        uint32_t values[3];
        ct_random_permutation(&r, values, 3);
        ++counts[values[0] * 9 + values[1] * 3 + values[2]];
    }
    uint32_t num_orders = 0;
    for (uint32_t i = 0; i < 27; ++i) {
        num_orders += counts[i] > 0;
        assert_true(counts[i] == 0 || (counts[i] > 9600 && counts[i] < 10400));
    }
    assert_int_equal(num_orders, 6);
}

static void draw_below_zero(void *r) {
    ct_random_below(r, 0);
}

static void draw_from_a_wrong_range(void *r) {
    ct_random_range(r, 4, 3);
}

static void refuses_empty_ranges(void **state) {
    (void)state;
    ct_random r = ct_random_seeded(1, 1);
    test_expect_death(draw_below_zero, &r, "the bound of a random number must be above 0");
    test_expect_death(draw_from_a_wrong_range, &r, "invalid range of random numbers: 4 to 3");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gives_the_published_numbers),
        cmocka_unit_test(a_copy_replays_the_sequence),
        cmocka_unit_test(streams_and_seeds_differ),
        cmocka_unit_test(advances_as_many_single_steps_do),
        cmocka_unit_test(numbers_below_a_bound_are_equally_likely),
        cmocka_unit_test(large_bounds_have_no_bias),
        cmocka_unit_test(the_only_number_below_one_is_zero),
        cmocka_unit_test(ranges_reach_both_ends),
        cmocka_unit_test(fractions_lie_below_one_and_are_even),
        cmocka_unit_test(the_largest_fractions_do_not_round_to_one),
        cmocka_unit_test(gaussians_have_their_moments),
        cmocka_unit_test(unit_vectors_are_even_on_the_sphere),
        cmocka_unit_test(rotations_are_of_length_one_and_even),
        cmocka_unit_test(permutations_hold_every_number_once),
        cmocka_unit_test(all_orders_are_equally_likely),
        cmocka_unit_test(refuses_empty_ranges),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
