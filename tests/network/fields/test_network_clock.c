#include "network/fields/network_clock.h"

#include <math.h>

#include "support/test_support.h"

// A ping whose ways take `there` and `back` seconds, with a host that is `offset` ahead.
static void ping(ct_network_clock *c, double sent, double there, double back, double offset) {
    ct_network_clock_add(c, sent, sent + there + offset, sent + there + back);
}

static void takes_the_ping_with_the_smallest_round_trip(void **state) {
    (void)state;
    ct_network_clock c;
    ct_network_clock_init(&c);
    assert_float_equal(ct_network_clock_round_trip(&c), 0, 0);
    ping(&c, 1, 0.2, 0.02, 100);
    ping(&c, 2, 0.01, 0.012, 100);
    ping(&c, 3, 0.01, 0.3, 100);
    assert_float_equal(ct_network_clock_round_trip(&c), 0.022, 1e-9);
    assert_float_equal(ct_network_clock_time(&c, 4), 104, 0.0011);
    for (uint32_t i = 0; i < CT_NETWORK_CLOCK_PINGS; ++i)
        ping(&c, 5 + i, 0.05, 0.05, 100); // the good one is forgotten
    assert_float_equal(ct_network_clock_round_trip(&c), 0.1, 1e-9);
}

static void follows_slowly_and_never_backwards(void **state) {
    (void)state;
    ct_network_clock c;
    ct_network_clock_init(&c);
    ping(&c, 0, 0.05, 0.05, 10);
    double last = ct_network_clock_time(&c, 1), own = 1;
    assert_float_equal(last, 11, 1e-9);
    for (uint32_t round = 0; round < 2; ++round) {
        const double offset = round == 0 ? 9.9 : 10.1; // the host's clock is another now
        for (uint32_t i = 0; i < CT_NETWORK_CLOCK_PINGS; ++i)
            ping(&c, own, 0.04, 0.04, offset);
        for (uint32_t i = 0; i < 600; ++i) {
            own += 1.0 / 60;
            const double time = ct_network_clock_time(&c, own);
            assert_true(time - last >= 0.94 / 60 && time - last <= 1.06 / 60);
            last = time;
        }
        assert_float_equal(last, own + offset, 1e-6);
    }
    ct_network_clock_time(&c, own - 5); // even if our own clock does
    assert_true(ct_network_clock_time(&c, own - 5) >= last);
}

static void jumps_ahead_when_it_is_far_behind(void **state) {
    (void)state;
    ct_network_clock c;
    ct_network_clock_init(&c);
    assert_float_equal(ct_network_clock_time(&c, 1), 1, 0);
    ping(&c, 1, 0.01, 0.01, 1000);
    assert_float_equal(ct_network_clock_time(&c, 2), 1002, 1e-6);
    for (uint32_t i = 0; i < CT_NETWORK_CLOCK_PINGS; ++i)
        ping(&c, 3, 0.01, 0.01, 2000);
    assert_float_equal(ct_network_clock_time(&c, 4), 2004, 1e-6);
    // The first ping may set it back.
    ct_network_clock_init(&c);
    assert_float_equal(ct_network_clock_time(&c, 500), 500, 0);
    ping(&c, 500, 0.01, 0.01, -400);
    assert_float_equal(ct_network_clock_time(&c, 501), 101, 1e-6);
}

static void ignores_answers_that_cannot_be(void **state) {
    (void)state;
    ct_network_clock c;
    ct_network_clock_init(&c);
    ct_network_clock_add(&c, 2, 100, 1);
    ct_network_clock_add(&c, 1, NAN, 2);
    ct_network_clock_add(&c, 1, INFINITY, 2);
    ct_network_clock_add(&c, -INFINITY, 5, 2);
    assert_int_equal(c.num_pings, 0);
    assert_float_equal(ct_network_clock_time(&c, 3), 3, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(takes_the_ping_with_the_smallest_round_trip),
        cmocka_unit_test(follows_slowly_and_never_backwards),
        cmocka_unit_test(jumps_ahead_when_it_is_far_behind),
        cmocka_unit_test(ignores_answers_that_cannot_be),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
