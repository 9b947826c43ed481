#include "resource/types/plural_rules.h"

#include <math.h>
#include <string.h>

#include "foundation/error.h"
#include "support/test_support.h"

static void assert_number(double value, uint64_t whole, uint64_t fraction, uint32_t digits) {
    ct_plural_number number;
    assert_true(ct_plural_number_of(value, &number));
    assert_true(number.whole == whole && number.fraction == fraction);
    assert_int_equal(number.fraction_digits, digits);
}

static void takes_numbers_apart(void **state) {
    (void)state;
    assert_number(0, 0, 0, 0);
    assert_number(-7, 7, 0, 0);
    assert_number(1.5, 1, 5, 1);
    assert_number(10.05, 10, 5, 2);
    assert_number(9007199254740991.0, 9007199254740991ull, 0, 0);
    // As Lua shows it.
    assert_number(0.1 + 0.2, 0, 3, 1);
    assert_number(0.99999999999999989, 1, 0, 0);
}

static void takes_no_number_apart_that_rules_cannot_know(void **state) {
    (void)state;
    const double values[] = {(double)NAN, (double)INFINITY, -(double)INFINITY, 1e300, 1e-9};
    const ct_plural_relation any = {CT_PLURAL_ONE, CT_PLURAL_OPERAND_V, 0, 1, 0, 0, UINT32_MAX};
    for (uint32_t i = 0; i < CT_COUNT_OF(values); ++i) {
        ct_plural_number number;
        assert_false(ct_plural_number_of(values[i], &number));
        assert_int_equal(ct_plural_of(&any, 1, values[i]), CT_PLURAL_OTHER);
    }
    assert_int_equal(ct_plural_of(&any, 1, 5), CT_PLURAL_ONE);
}

static void tries_groups_in_order(void **state) {
    (void)state;
    const ct_plural_relation rules[] = {
        {CT_PLURAL_TWO, CT_PLURAL_OPERAND_N, 0, 0, 10, 2, 2},
        {CT_PLURAL_TWO, CT_PLURAL_OPERAND_N, 1, 1, 100, 12, 12},
        {CT_PLURAL_FEW, CT_PLURAL_OPERAND_N, 0, 1, 0, 2, 12},
    };
    assert_int_equal(ct_plural_of(rules, 3, 2), CT_PLURAL_TWO);
    assert_int_equal(ct_plural_of(rules, 3, 12), CT_PLURAL_FEW);
    assert_int_equal(ct_plural_of(rules, 3, 112), CT_PLURAL_OTHER);
    assert_int_equal(ct_plural_of(rules, 3, 2.5), CT_PLURAL_OTHER);
    assert_int_equal(ct_plural_of(NULL, 0, 1), CT_PLURAL_OTHER);
}

static void names_categories(void **state) {
    (void)state;
    for (uint32_t i = 0; i < CT_PLURAL_COUNT; ++i) {
        ct_plural category = CT_PLURAL_COUNT;
        assert_true(ct_plural_named(ct_plural_name((ct_plural)i), &category));
        assert_int_equal(category, i);
    }
    ct_plural category;
    assert_false(ct_plural_named("several", &category));
    assert_int_equal(CT_PLURAL_OTHER, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(takes_numbers_apart),
        cmocka_unit_test(takes_no_number_apart_that_rules_cannot_know),
        cmocka_unit_test(tries_groups_in_order),
        cmocka_unit_test(names_categories),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
