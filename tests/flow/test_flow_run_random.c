#include "resource/types/flow/flow_pure_fixture.h"

#include <math.h>

#include "flow/nodes/flow_functions.h"

static ct_flow_function function_of(const char *node) {
    for (uint32_t i = 0; i < ct_flow_run_random.count; ++i)
        if (strcmp(ct_flow_run_random.rows[i].name, node) == 0)
            return ct_flow_run_random.rows[i].function;
    fail_msg("%s does not exist", node);
    return NULL;
}

static void start(flow_test_call *t, uint64_t seed, const flow_test_value *min,
                  const flow_test_value *max) {
    flow_test_init(t, 2, 1);
    flow_test_set_input(t, 0, min);
    flow_test_set_input(t, 1, max);
    ((ct_flow_head *)(void *)t->dynamic)->random = seed;
}

static double draw(flow_test_call *t) {
    assert_int_equal(function_of("random_numeric")(&t->call, 0), CT_FLOW_STOP);
    return ct_flow_output(&t->call, 0)->number;
}

static void draws_numbers_between_both_ends(void **state) {
    (void)state;
    const flow_test_value ends[2] = {NUMBER(-3), NUMBER(5)};
    for (uint32_t turned = 0; turned < 2; ++turned) {
        flow_test_call t;
        start(&t, 7, &ends[turned], &ends[1 - turned]);
        double sum = 0, least = 5, most = -3;
        for (uint32_t i = 0; i < 4000; ++i) {
            const double n = draw(&t);
            assert_true(n >= -3 && n <= 5);
            sum += n;
            least = fmin(least, n);
            most = fmax(most, n);
        }
        assert_true(fabs(sum / 4000 - 1) < 0.2 && least < -2.95 && most > 4.95);
    }
}

static void repeats_with_the_same_seed_only(void **state) {
    (void)state;
    const flow_test_value min = NUMBER(0), max = NUMBER(1);
    flow_test_call a, b, c;
    start(&a, 7, &min, &max);
    start(&b, 7, &min, &max);
    start(&c, 8, &min, &max);
    for (uint32_t i = 0; i < 10; ++i) {
        const double n = draw(&a);
        assert_true(n == draw(&b));
        assert_true(n != draw(&c));
    }
}

static void draws_from_ranges_that_are_empty_or_infinite(void **state) {
    (void)state;
    const flow_test_value same = NUMBER(4), infinite = NUMBER(INFINITY);
    flow_test_call t;
    start(&t, 7, &same, &same);
    assert_true(fabs(draw(&t) - 4) < 1e-12);
    start(&t, 7, &same, &infinite);
    assert_true(draw(&t) == INFINITY);
}

static void draws_directions_to_all_sides(void **state) {
    (void)state;
    flow_test_call t;
    flow_test_init(&t, 0, 1);
    uint32_t counts[8] = {0};
    for (uint32_t i = 0; i < 4000; ++i) {
        function_of("random_unit_vector")(&t.call, 0);
        const float *const v = ct_flow_output(&t.call, 0)->floats;
        assert_true(fabs(sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) - 1) < 1e-6);
        ++counts[(v[0] > 0) + 2 * (v[1] > 0) + 4 * (v[2] > 0)];
    }
    for (uint32_t i = 0; i < 8; ++i)
        assert_in_range(counts[i], 400, 600);
}

static void draws_points_of_a_box(void **state) {
    (void)state;
    const flow_test_value min = VECTOR(0, 10, -1), max = VECTOR(1, 5, -1);
    flow_test_call t;
    start(&t, 7, &min, &max);
    float last = 0;
    for (uint32_t i = 0; i < 100; ++i) {
        function_of("random_vector")(&t.call, 0);
        const float *const v = ct_flow_output(&t.call, 0)->floats;
        assert_true(v[0] >= 0 && v[0] <= 1 && v[1] >= 5 && v[1] <= 10 && v[2] == -1);
        assert_true(v[0] != last && fabsf(v[0] - (10 - v[1]) / 5) > 1e-6f); // each has its own
        last = v[0];
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(draws_numbers_between_both_ends),
        cmocka_unit_test(repeats_with_the_same_seed_only),
        cmocka_unit_test(draws_from_ranges_that_are_empty_or_infinite),
        cmocka_unit_test(draws_directions_to_all_sides),
        cmocka_unit_test(draws_points_of_a_box),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
