#include "app/frame_times.h"

#include "support/test_support.h"

static void summarizes_medians_and_the_worst(void **state) {
    (void)state;
    ct_frame_times t;
    ct_frame_times_init(&t, test_heap());
    for (int i = 0; i < CT_FRAME_TIMES_SKIPPED; ++i)
        ct_frame_times_add(&t, 1000.0, 1000.0, 1000.0); // warm-up, left out below
    const double frames[] = {5.0, 1.0, 3.0, 90.0, 2.0};
    for (uint32_t i = 0; i < 5; ++i)
        ct_frame_times_add(&t, frames[i], frames[i] * 0.5, 0.25);
    const ct_frame_times_summary s = ct_frame_times_summarize(&t);
    assert_true(s.frame_ms_median == 3.0);
    assert_true(s.frame_ms_worst == 90.0);
    assert_true(s.update_ms_median == 1.5);
    assert_true(s.submit_ms_median == 0.25);
    assert_int_equal(t.num_frames, CT_FRAME_TIMES_SKIPPED + 5);
    ct_frame_times_shutdown(&t);
}

static void summarizes_few_frames_and_none(void **state) {
    (void)state;
    ct_frame_times t;
    ct_frame_times_init(&t, test_heap());
    assert_true(ct_frame_times_summarize(&t).frame_ms_median == 0.0);
    ct_frame_times_add(&t, 4.0, 2.0, 1.0);
    ct_frame_times_add(&t, 6.0, 2.0, 1.0);
    const ct_frame_times_summary s = ct_frame_times_summarize(&t);
    assert_true(s.frame_ms_median == 5.0 && s.frame_ms_worst == 6.0);
    ct_frame_times_shutdown(&t);
}

static void keeps_the_last_frames_only(void **state) {
    (void)state;
    ct_frame_times t;
    ct_frame_times_init(&t, test_heap());
    const uint32_t total = CT_FRAME_TIMES_SKIPPED + CT_FRAME_TIMES_MAX * 2;
    for (uint32_t i = 0; i < total; ++i)
        ct_frame_times_add(&t, i < total - CT_FRAME_TIMES_MAX ? 50.0 : 7.0, 1.0, 1.0);
    assert_true(ct_frame_times_summarize(&t).frame_ms_worst == 7.0);
    assert_int_equal(t.num_frames, total);
    ct_frame_times_shutdown(&t);
}

static void gives_the_last_frames_in_order(void **state) {
    (void)state;
    ct_frame_times t;
    float frame[20], update[20], submit[20];
    ct_frame_times_init(&t, test_heap());
    assert_int_equal(ct_frame_times_last(&t, 20, frame, update, submit), 0);
    for (uint32_t i = 0; i < 12; ++i) // the first ten are overwritten by those that follow
        ct_frame_times_add(&t, 100.0 + i, 200.0 + i, 300.0 + i);
    assert_int_equal(ct_frame_times_last(&t, 20, frame, update, submit), 2);
    assert_true(frame[0] == 110.0f && frame[1] == 111.0f);
    for (uint32_t i = 12; i < CT_FRAME_TIMES_MAX + 15; ++i)
        ct_frame_times_add(&t, i, i + 1.0, i + 2.0);
    assert_int_equal(ct_frame_times_last(&t, 20, frame, update, submit), 20);
    for (uint32_t i = 0; i < 20; ++i) {
        const float number = (float)(CT_FRAME_TIMES_MAX + 15 - 20 + i);
        assert_true(frame[i] == number && update[i] == number + 1 && submit[i] == number + 2);
    }
    ct_frame_times_shutdown(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(summarizes_medians_and_the_worst),
        cmocka_unit_test(summarizes_few_frames_and_none),
        cmocka_unit_test(keeps_the_last_frames_only),
        cmocka_unit_test(gives_the_last_frames_in_order),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
