#include "network/fields/network_interpolation.h"

#include <math.h>
#include <string.h>

#include "network/fields/fields_fixture.h"

static ct_network_config_resource *config;
static const ct_network_record_type *thing;
static ct_network_buffer *buffer;

static int start(void **state) {
    (void)state;
    config = test_network_config(&fixture_config);
    thing = fixture_thing(config);
    buffer = ct_network_buffer_create(test_heap(), thing);
    return 0;
}

static int stop(void **state) {
    (void)state;
    ct_network_buffer_destroy(buffer);
    ct_free(test_heap(), config);
    return 0;
}

static void set(uint32_t *words, const char *field, ct_network_value v) {
    assert_true(ct_network_record_set(config, thing, fixture_field(config, field), UINT32_MAX, &v,
                                      words, NULL));
}

// A record at x metres, turned about z by `angle`, with this health.
static void add(double time, float x, float angle, int32_t health) {
    uint32_t words[CT_NETWORK_MAX_WORDS];
    memcpy(words, ct_network_record_defaults(config, thing), 4 * thing->num_words);
    set(words, "position", (ct_network_value){.kind = CT_NETWORK_VECTOR3, .parts = {x, 0, 0}});
    set(words, "rotation",
        (ct_network_value){.kind = CT_NETWORK_ROTATION,
                           .parts = {0, 0, sinf(angle / 2), cosf(angle / 2)}});
    set(words, "health", (ct_network_value){.kind = CT_NETWORK_INTEGER, .integer = health});
    ct_network_buffer_add(buffer, time, words);
}

static ct_network_value value_at(double time, double beyond, const char *field) {
    ct_network_moment m;
    assert_true(ct_network_buffer_find(buffer, time, beyond, &m));
    return ct_network_moment_value(config, thing, &m, fixture_field(config, field), UINT32_MAX);
}

static void assert_near(float found, float expected) {
    if (fabsf(found - expected) > 0.02f)
        fail_msg("found %g, expected %g", (double)found, (double)expected);
}

// What rested is at its old place until the moment that was shown last, and sets off from there.
static void holds_what_rested(void **state) {
    (void)state;
    ct_network_buffer_hold(buffer, 5); // nothing came yet: nothing to hold
    assert_true(ct_network_buffer_newest(buffer) < 0);
    add(10, 0, 0, 50);
    ct_network_buffer_hold(buffer, 9.9);
    assert_true(ct_network_buffer_newest(buffer) == 10);
    ct_network_buffer_hold(buffer, 11.9);
    add(12, 1, 0, 50);
    assert_near(value_at(11.9, 0, "position").parts[0], 0);
    assert_near(value_at(11.95, 0, "position").parts[0], 0.5f);
    assert_near(value_at(12, 0, "position").parts[0], 1);
}

static void mixes_what_moves_and_steps_the_rest(void **state) {
    (void)state;
    add(10, 0, 0, 50);
    add(10.1, 10, 1, 40);
    add(10.2, 10, 1, 30);
    assert_near(value_at(10.05, 0, "position").parts[0], 5);
    assert_near(value_at(10.025, 0, "position").parts[0], 2.5f);
    const ct_network_value q = value_at(10.05, 0, "rotation");
    assert_near(2 * atan2f(q.parts[2], q.parts[3]), 0.5f);
    assert_int_equal(value_at(10.099, 0, "health").integer, 50);
    assert_int_equal(value_at(10.1, 0, "health").integer, 40);
    assert_int_equal(value_at(10.101, 0, "health").integer, 40);
    assert_near(value_at(10.15, 0, "position").parts[0], 10);
}

static void stays_at_both_ends(void **state) {
    (void)state;
    ct_network_moment m;
    assert_false(ct_network_buffer_find(buffer, 1, 1, &m));
    add(10, 1, 0, 50);
    assert_near(value_at(5, 1, "position").parts[0], 1);
    assert_near(value_at(15, 1, "position").parts[0], 1);
    add(11, 3, 0, 40);
    assert_near(value_at(5, 1, "position").parts[0], 1);
    assert_near(value_at(11.5, 0, "position").parts[0], 3);
    assert_int_equal(value_at(11.5, 0, "health").integer, 40);
}

static void is_exact_at_the_newest(void **state) {
    (void)state;
    add(10, 0, 0, 50);
    for (uint32_t i = 1; i < 60; ++i) {
        add(10 + i, 0.37f * (float)i, 0.1f * (float)i, 50);
        ct_network_moment m;
        assert_true(ct_network_buffer_find(buffer, 100, 0, &m));
        for (uint32_t k = 0; k < 2; ++k) {
            const uint32_t field = fixture_field(config, k == 0 ? "position" : "rotation");
            const ct_network_value sent =
                ct_network_record_get(config, thing, field, UINT32_MAX, m.after);
            const ct_network_value found =
                ct_network_moment_value(config, thing, &m, field, UINT32_MAX);
            assert_memory_equal(found.parts, sent.parts, sizeof(float) * (3 + k));
        }
    }
}

static void goes_on_for_a_bounded_time(void **state) {
    (void)state;
    add(10, 0, 0, 50);
    add(10.2, 2, 0.4f, 40);
    assert_near(value_at(10.3, 0.15, "position").parts[0], 3);
    assert_near(value_at(11, 0.15, "position").parts[0], 3.5f);
    assert_near(value_at(99, 50, "position").parts[0], 4); // as far as the last step
    const ct_network_value q = value_at(10.3, 0.15, "rotation");
    assert_near(2 * atan2f(q.parts[2], q.parts[3]), 0.6f);
    assert_int_equal(value_at(10.3, 0.15, "health").integer, 40);
    add(10.4, 90, 0, 40);
    add(10.6, 99, 0, 40);
    assert_near(value_at(10.8, 1, "position").parts[0], 100); // the end of the range
}

static void keeps_the_last_records(void **state) {
    (void)state;
    for (int32_t i = 0; i < 100; ++i) {
        add(i, (float)i, 0, i);
        add(i, -50, 0, -5); // not newer
        add(i - 0.5, -50, 0, -5);
    }
    add(NAN, -50, 0, -5);
    assert_near(value_at(0, 0, "position").parts[0], 100 - CT_NETWORK_BUFFER_RECORDS);
    for (float t = 100 - CT_NETWORK_BUFFER_RECORDS; t <= 99; t += 0.25f)
        assert_near(value_at((double)t, 0, "position").parts[0], t);
}

// Updates of 20 Hz that take 50 ms, and up to `jitter` more.
static double settled_delay(ct_network_delay *d, double jitter, double *time) {
    uint32_t seed = 5;
    for (uint32_t i = 0; i < 400; ++i) {
        *time += 0.05;
        const double late = 0.05 + jitter * (double)test_random(&seed) / 4294967296.0;
        ct_network_delay_add(d, *time, *time + late);
        for (uint32_t k = 0; k < 3; ++k)
            ct_network_delay_time(d, *time + late + k / 60.0);
    }
    return d->delay;
}

static void adapts_the_delay_to_the_jitter(void **state) {
    (void)state;
    ct_network_delay d = {0};
    double time = 100;
    const double even = settled_delay(&d, 0, &time);
    assert_true(even > 0.1 && even < 0.15); // on the way, and an interval and a half
    const double uneven = settled_delay(&d, 0.1, &time);
    assert_true(uneven > even + 0.05 && uneven < 0.4);
    ct_network_delay_add(&d, NAN, 5);
    ct_network_delay_add(&d, 5, INFINITY);
    assert_true(isfinite(ct_network_delay_time(&d, time + 1)));
    const double calm = settled_delay(&d, 0, &time);
    assert_true(fabs(calm - even) < 0.01);
}

static void changes_the_delay_slowly(void **state) {
    (void)state;
    ct_network_delay d = {0};
    ct_network_delay_set(&d, 0.2);
    double now = 50, last = ct_network_delay_time(&d, now);
    assert_float_equal(last, 49.8, 1e-9);
    for (uint32_t round = 0; round < 2; ++round) {
        ct_network_delay_set(&d, round == 0 ? 0.5 : 0);
        for (uint32_t i = 0; i < 60 * 11; ++i) {
            now += 1.0 / 60;
            const double shown = ct_network_delay_time(&d, now);
            assert_true(shown - last >= 0.94 / 60 && shown - last <= 1.06 / 60);
            last = shown;
        }
        assert_float_equal(last, now - (round == 0 ? 0.5 : 0), 1e-6);
    }
    ct_network_delay_set(&d, 100);
    assert_float_equal(d.fixed, CT_NETWORK_MAX_DELAY, 0);
    ct_network_delay_set(&d, -1);
    assert_false(d.is_fixed);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(holds_what_rested, start, stop),
        cmocka_unit_test_setup_teardown(mixes_what_moves_and_steps_the_rest, start, stop),
        cmocka_unit_test_setup_teardown(stays_at_both_ends, start, stop),
        cmocka_unit_test_setup_teardown(is_exact_at_the_newest, start, stop),
        cmocka_unit_test_setup_teardown(goes_on_for_a_bounded_time, start, stop),
        cmocka_unit_test_setup_teardown(keeps_the_last_records, start, stop),
        cmocka_unit_test(adapts_the_delay_to_the_jitter),
        cmocka_unit_test(changes_the_delay_slowly),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
