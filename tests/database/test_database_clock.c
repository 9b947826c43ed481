// Times of commits, as numbers and as text, and vectors of what was seen.
#include <string.h>

#include "database/database_clock.h"
#include "foundation/math/random.h"
#include "support/test_support.h"

static const int64_t day_ns = INT64_C(86400000000000);

static void times_go_up_whatever_the_wall_clock_says(void **state) {
    (void)state;
    const uint64_t first = ct_database_time_next(0, 1000 * day_ns);
    assert_int_equal(ct_database_time_milliseconds(first), INT64_C(1000) * 86400000);
    assert_int_equal(ct_database_time_next(first, 1000 * day_ns), first + 1);
    assert_int_equal(ct_database_time_next(first, 1 * day_ns), first + 1);
    assert_int_equal(ct_database_time_next(first, -5), first + 1);
    assert_int_equal(ct_database_time_next(first, 1001 * day_ns), (uint64_t)1001 * 86400000 << 16);
    // The wall clock's last nanosecond is in the year 2262: it is taken.
    assert_true(ct_database_time_next(first, INT64_MAX) > first + 1);
    assert_int_equal(ct_database_time_next(CT_DATABASE_MAX_TIME, INT64_MAX),
                     CT_DATABASE_MAX_TIME + 1);
}

static uint64_t parse(const char *text) {
    uint64_t time = 0;
    ct_error error = {0};
    if (!ct_database_time_parse(text, strlen(text), &time, &error))
        fail_msg("%s", error.message);
    return time;
}

static void times_as_text_read_back(void **state) {
    (void)state;
    char text[CT_DATABASE_TIME_TEXT_BYTES];
    ct_database_time_format(parse("2026-11-30T14:20:11.123Z-0007"), text);
    assert_string_equal(text, "2026-11-30T14:20:11.123Z-0007");
    assert_int_equal(parse("1970-01-01T00:00:00.000Z"), 0);
    assert_int_equal(parse("2026-11-30T14:20:11.123Z"), UINT64_C(1796048411123) << 16);
    ct_random random = ct_random_seeded(1, 1);
    for (uint32_t i = 0; i < 100000; ++i) {
        const uint64_t time = ct_random_u64(&random) % CT_DATABASE_MAX_TIME;
        ct_database_time_format(time, text);
        assert_int_equal(parse(text), time);
    }
    ct_database_time_format(UINT64_MAX, text); // does not overrun
    assert_true(strlen(text) < CT_DATABASE_TIME_TEXT_BYTES);
}

static void wrong_times_are_refused(void **state) {
    (void)state;
    static const char *const texts[] = {"",
                                        "2026",
                                        "2026-11-30T14:20:11.123",
                                        "2026-11-30 14:20:11.123Z",
                                        "2026-13-30T14:20:11.123Z",
                                        "2026-02-29T14:20:11.123Z",
                                        "2026-11-30T24:20:11.123Z",
                                        "2026-11-30T14:60:11.123Z",
                                        "1969-11-30T14:20:11.123Z",
                                        "4000-01-01T00:00:00.000Z",
                                        "2026-11-30T14:20:11.123Z-000",
                                        "2026-11-30T14:20:11.123Z-00G7",
                                        "2026-11-30T14:20:11.123Z+0007",
                                        "2026-11-30T14:20:11.12aZ"};
    for (uint32_t i = 0; i < CT_COUNT_OF(texts); ++i) {
        uint64_t time = 5;
        ct_error error = {0};
        assert_false(ct_database_time_parse(texts[i], strlen(texts[i]), &time, &error));
        assert_non_null(strstr(error.message, "expected one from 1970 to 3999 such as"));
        assert_int_equal(time, 5);
    }
    assert_int_equal(parse("2028-02-29T00:00:00.000Z") % 65536, 0); // a leap year
}

static ct_database_stamp stamp(uint8_t replica, uint64_t time) {
    return (ct_database_stamp){time, {.bytes = {replica}}};
}

static void stamps_are_ordered_by_time_then_replica(void **state) {
    (void)state;
    assert_true(ct_database_stamp_compare(stamp(2, 1), stamp(1, 2)) < 0);
    assert_true(ct_database_stamp_compare(stamp(2, 2), stamp(1, 2)) > 0);
    assert_int_equal(ct_database_stamp_compare(stamp(2, 2), stamp(2, 2)), 0);
}

static void vectors_know_the_last_of_each_replica(void **state) {
    (void)state;
    ct_database_vector a, b;
    ct_database_vector_init(&a, test_heap());
    ct_database_vector_init(&b, test_heap());
    ct_database_vector_add(&a, stamp(3, 30));
    ct_database_vector_add(&a, stamp(1, 10));
    ct_database_vector_add(&a, stamp(2, 0));
    ct_database_vector_add(&a, stamp(3, 20));
    assert_int_equal(a.stamps.count, 2);
    assert_int_equal(a.stamps.items[0].replica.bytes[0], 1);
    assert_int_equal(ct_database_vector_time(&a, stamp(3, 0).replica), 30);
    assert_int_equal(ct_database_vector_time(&a, stamp(2, 0).replica), 0);
    assert_true(ct_database_vector_has(&a, stamp(3, 30)));
    assert_false(ct_database_vector_has(&a, stamp(3, 31)));
    assert_false(ct_database_vector_has(&a, stamp(2, 1)));
    assert_int_equal(ct_database_vector_last(&a), 30);
    assert_int_equal(ct_database_vector_last(&b), 0);
    ct_database_vector_add(&b, stamp(2, 40));
    assert_false(ct_database_vector_covers(&a, &b));
    assert_false(ct_database_vector_covers(&b, &a));
    ct_database_vector_join(&b, &a);
    assert_true(ct_database_vector_covers(&b, &a));
    assert_int_equal(b.stamps.count, 3);
    ct_database_vector_join(&b, &b);
    ct_database_vector_copy(&a, &b);
    ct_database_vector_copy(&a, &a);
    assert_true(ct_database_vector_covers(&a, &b));
    assert_int_equal(ct_database_vector_last(&a), 40);
    ct_database_vector_free(&a);
    ct_database_vector_free(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(times_go_up_whatever_the_wall_clock_says),
        cmocka_unit_test(times_as_text_read_back),
        cmocka_unit_test(wrong_times_are_refused),
        cmocka_unit_test(stamps_are_ordered_by_time_then_replica),
        cmocka_unit_test(vectors_know_the_last_of_each_replica),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
