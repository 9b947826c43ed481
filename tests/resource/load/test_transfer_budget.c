#include "resource/load/transfer_budget.h"

#include "support/test_support.h"

enum { SECOND = 1000000000 };

static void without_a_limit_nothing_waits(void **state) {
    (void)state;
    ct_transfer_budget b = {0};
    ct_transfer_budget_spend(&b, UINT64_MAX, 5);
    assert_int_equal(ct_transfer_budget_wait_ns(&b, 5), 0);
}

static void a_read_is_followed_by_the_pause_that_it_takes(void **state) {
    (void)state;
    ct_transfer_budget b = {.bytes_per_second = 1000};
    assert_int_equal(ct_transfer_budget_wait_ns(&b, 7), 0);
    ct_transfer_budget_spend(&b, 500, 7);
    assert_int_equal(ct_transfer_budget_wait_ns(&b, 7), SECOND / 2);
    assert_int_equal(ct_transfer_budget_wait_ns(&b, 7 + SECOND / 4), SECOND / 4);
    assert_int_equal(ct_transfer_budget_wait_ns(&b, 7 + SECOND / 2), 0);
}

static void pauses_add_up_and_rest_is_not_saved(void **state) {
    (void)state;
    ct_transfer_budget b = {.bytes_per_second = 1000};
    ct_transfer_budget_spend(&b, 500, 0);
    ct_transfer_budget_spend(&b, 500, 0);
    assert_int_equal(ct_transfer_budget_wait_ns(&b, 0), SECOND);
    const uint64_t later = 10ull * SECOND;
    ct_transfer_budget_spend(&b, 1000, later);
    assert_int_equal(ct_transfer_budget_wait_ns(&b, later), SECOND);
}

static void a_limit_that_goes_lets_everything_through(void **state) {
    (void)state;
    ct_transfer_budget b = {.bytes_per_second = 1};
    ct_transfer_budget_spend(&b, 1000000, 0);
    b.bytes_per_second = 0;
    assert_int_equal(ct_transfer_budget_wait_ns(&b, 1), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_a_limit_nothing_waits),
        cmocka_unit_test(a_read_is_followed_by_the_pause_that_it_takes),
        cmocka_unit_test(pauses_add_up_and_rest_is_not_saved),
        cmocka_unit_test(a_limit_that_goes_lets_everything_through),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
