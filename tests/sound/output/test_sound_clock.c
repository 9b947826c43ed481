#include "sound/output/sound_clock.h"

#include "sound/output/sound_output.h"
#include "support/test_support.h"

enum { BLOCK_NS = 10000000, START = 12345 };

static uint32_t take(ct_sound_clock *c, uint64_t now_ns) {
    const uint32_t due = ct_sound_clock_due(c, now_ns);
    for (uint32_t i = 0; i < due; ++i)
        ct_sound_clock_write(c);
    return due;
}

static void blocks_are_due_every_10_ms(void **state) {
    (void)state;
    ct_sound_clock c;
    ct_sound_clock_start(&c, START);
    assert_int_equal(take(&c, START), CT_SOUND_CLOCK_LEAD);
    assert_int_equal(take(&c, START), 0);
    assert_int_equal(take(&c, START + BLOCK_NS - 1), 0);
    assert_int_equal(take(&c, START + BLOCK_NS), 1);
    assert_int_equal(take(&c, START + 4 * (uint64_t)BLOCK_NS), 3);
    uint32_t total = 0;
    for (uint64_t ns = 0; ns < 1000 * (uint64_t)BLOCK_NS; ns += 2777777)
        total += take(&c, START + 4 * (uint64_t)BLOCK_NS + ns);
    assert_int_equal(total, 999);
}

static void what_is_not_written_for_long_is_dropped(void **state) {
    (void)state;
    ct_sound_clock c;
    ct_sound_clock_start(&c, START);
    take(&c, START);
    assert_int_equal(take(&c, START + 100 * (uint64_t)BLOCK_NS), CT_SOUND_CLOCK_MAX_BEHIND);
    assert_int_equal(take(&c, START + 100 * (uint64_t)BLOCK_NS), 0);
    assert_int_equal(take(&c, START + 101 * (uint64_t)BLOCK_NS), 1);
}

static void blocks_before_they_are_due_are_fine(void **state) {
    (void)state;
    ct_sound_clock c;
    ct_sound_clock_start(&c, START);
    for (uint32_t i = 0; i < 50; ++i)
        ct_sound_clock_write(&c);
    assert_int_equal(ct_sound_clock_due(&c, START), 0);
    assert_int_equal(take(&c, START + 50 * (uint64_t)BLOCK_NS), CT_SOUND_CLOCK_LEAD);
}

static void the_output_without_sound_keeps_the_pace(void **state) {
    (void)state;
    static const float block[960];
    ct_sound_output *const o = ct_sound_output_null(test_heap());
    uint32_t num_blocks = 0;
    assert_true(o->open(o, NULL));
    assert_true(o->poll(o, &num_blocks, NULL));
    assert_true(num_blocks >= CT_SOUND_CLOCK_LEAD);
    for (uint32_t i = 0; i < 6000; ++i) // a minute's
        o->write(o, block);
    assert_true(o->poll(o, &num_blocks, NULL));
    assert_int_equal(num_blocks, 0);
    o->close(o);
    o->destroy(o);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_are_due_every_10_ms),
        cmocka_unit_test(what_is_not_written_for_long_is_dropped),
        cmocka_unit_test(blocks_before_they_are_due_are_fine),
        cmocka_unit_test(the_output_without_sound_keeps_the_pace),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
