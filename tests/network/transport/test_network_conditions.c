#include "foundation/error.h"
#include "foundation/math/random.h"
#include "network/transport/network_conditions.h"
#include "support/test_support.h"

#include <string.h>

static ct_network_conditions parsed(const char *text) {
    ct_network_conditions c = {0};
    ct_error error = {0};
    if (!ct_network_conditions_parse(text, &c, &error))
        fail_msg("%s: %s", text, error.message);
    return c;
}

static void reads_all_parts(void **state) {
    (void)state;
    const ct_network_conditions c =
        parsed("loss=5%,delay=80ms,jitter=20ms,duplicate=1%,reorder=2.5%,bandwidth=256k");
    assert_true(c.loss_percent == 5 && c.duplicate_percent == 1 && c.reorder_percent == 2.5);
    assert_int_equal(c.delay_ns, 80000000);
    assert_int_equal(c.jitter_ns, 20000000);
    assert_int_equal(c.bandwidth, 256000);
}

static void reads_units(void **state) {
    (void)state;
    assert_int_equal(parsed("delay=1.5s").delay_ns, 1500000000);
    assert_int_equal(parsed("delay=250us").delay_ns, 250000);
    assert_int_equal(parsed("bandwidth=1.5M").bandwidth, 1500000);
    assert_int_equal(parsed("bandwidth=900").bandwidth, 900);
    const ct_network_conditions none = parsed("none"), zero = {0};
    assert_memory_equal(&none, &zero, sizeof(zero));
    assert_true(parsed("loss=100%").loss_percent == 100);
}

static void prints_what_reads_back(void **state) {
    (void)state;
    char text[CT_NETWORK_CONDITIONS_BYTES];
    const ct_network_conditions none = {0};
    assert_string_equal(ct_network_conditions_print(&none, text), "none");
    const ct_network_conditions c = parsed("bandwidth=256k,loss=5%,delay=80ms,jitter=500us");
    assert_string_equal(ct_network_conditions_print(&c, text),
                        "loss=5%,delay=80ms,jitter=0.5ms,bandwidth=256000");
    ct_random random = ct_random_seeded(1, 1);
    for (uint32_t i = 0; i < test_rounds(2000, 200000); ++i) {
        const ct_network_conditions made = {
            .loss_percent = ct_random_below(&random, 10001) / 100.0,
            .delay_ns = ct_random_below_u64(&random, CT_NETWORK_CONDITIONS_MAX_NS + 1),
            .jitter_ns = ct_random_below(&random, 4) * UINT64_C(1000000),
            .duplicate_percent = ct_random_double(&random) * 100,
            .reorder_percent = ct_random_below(&random, 3),
            .bandwidth = ct_random_below(&random, 2) * ct_random_u32(&random),
        };
        const ct_network_conditions back = parsed(ct_network_conditions_print(&made, text));
        assert_memory_equal(&back, &made, sizeof(made));
    }
}

static void expect_refused(const char *text, const char *message) {
    ct_network_conditions c = {.bandwidth = 3};
    const ct_network_conditions before = c;
    ct_error error = {0};
    assert_false(ct_network_conditions_parse(text, &c, &error));
    assert_string_equal(error.message, message);
    assert_memory_equal(&c, &before, sizeof(c));
}

static void refuses_with_reasons(void **state) {
    (void)state;
    expect_refused("lost=5%", "network conditions: unknown part \"lost\": expected loss, delay, "
                              "jitter, duplicate, reorder or bandwidth, such as "
                              "loss=5%,delay=80ms");
    expect_refused("loss", "network conditions: loss has no value: write loss=, then 0% to 100%, "
                           "such as 2.5%");
    expect_refused("loss=5", "network conditions: \"5\" is no loss: expected 0% to 100%, such as "
                             "2.5%");
    expect_refused("loss=101%", "network conditions: \"101%\" is no loss: expected 0% to 100%, "
                                "such as 2.5%");
    expect_refused("delay=80", "network conditions: \"80\" is no delay: expected a time up to 60s, "
                               "such as 80ms, 500us or 1s");
    expect_refused("delay=61s", "network conditions: \"61s\" is no delay: expected a time up to "
                                "60s, such as 80ms, 500us or 1s");
    expect_refused("bandwidth=-1", "network conditions: \"-1\" is no bandwidth: expected bytes a "
                                   "second, such as 256k or 1M; 0 for no limit");
    expect_refused("loss=1%,loss=2%", "network conditions: loss is there twice: keep one of them");
}

static void refuses_nonsense(void **state) {
    (void)state;
    const char *const texts[] = {"",         ",",        "loss=1%,",     ",loss=1%", "loss==1%",
                                 "loss=%",   "loss=1.%", "loss=1..2%",   "loss=1 %", "loss= 1%",
                                 "loss=01%", "delay=1m", "none,loss=1%", "loss=1%%", "LOSS=1%"};
    for (uint32_t i = 0; i < CT_COUNT_OF(texts); ++i) {
        ct_network_conditions c;
        ct_error error = {0};
        if (ct_network_conditions_parse(texts[i], &c, &error))
            fail_msg("\"%s\" was read", texts[i]);
        assert_non_null(strstr(error.message, "network conditions: "));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_all_parts),        cmocka_unit_test(reads_units),
        cmocka_unit_test(prints_what_reads_back), cmocka_unit_test(refuses_with_reasons),
        cmocka_unit_test(refuses_nonsense),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
