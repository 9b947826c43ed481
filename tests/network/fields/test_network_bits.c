#include "network/fields/network_bits.h"

#include <string.h>

#include "support/test_support.h"

static void reads_what_was_written(void **state) {
    (void)state;
    enum { COUNT = 2000 };
    uint32_t seed = 77;
    uint32_t values[COUNT], widths[COUNT], groups[COUNT];
    uint8_t bytes[COUNT * 10];
    for (uint32_t round = 0; round < 20; ++round) {
        ct_bit_writer w = ct_bits_write_to(bytes, sizeof(bytes));
        uint64_t bits = 0;
        for (uint32_t i = 0; i < COUNT; ++i) {
            widths[i] = test_random(&seed) % 33;
            groups[i] = test_random(&seed) % 4 == 0 ? 1 + test_random(&seed) % 31 : 0;
            values[i] = widths[i] == 0 ? 0 : test_random(&seed) >> (32 - widths[i]);
            if (groups[i])
                ct_bits_write_groups(&w, values[i], groups[i]);
            else
                ct_bits_write(&w, values[i], widths[i]);
            if (!groups[i])
                bits += widths[i];
            else
                bits = ct_bits_written(&w);
            assert_int_equal(ct_bits_written(&w), bits);
        }
        const uint32_t size = ct_bits_end(&w);
        assert_false(w.is_full);
        assert_int_equal(size, (bits + 7) / 8);
        ct_bit_reader r = ct_bits_read_from(bytes, size);
        for (uint32_t i = 0; i < COUNT; ++i)
            assert_int_equal(groups[i] ? ct_bits_read_groups(&r, groups[i])
                                       : ct_bits_read(&r, widths[i]),
                             values[i]);
        assert_true(ct_bits_is_done(&r));
    }
}

static void fills_bytes_from_the_lowest_bit(void **state) {
    (void)state;
    uint8_t bytes[4] = {0};
    ct_bit_writer w = ct_bits_write_to(bytes, 4);
    ct_bits_write(&w, 1, 1);
    ct_bits_write(&w, 5, 3);
    ct_bits_write(&w, 0xabc, 12);
    ct_bits_write_groups(&w, 9, 3); // 1 and another, 1 and no other
    assert_int_equal(ct_bits_end(&w), 3);
    const uint8_t expected[4] = {0xcb, 0xab, 0x19, 0};
    assert_memory_equal(bytes, expected, 4);
}

static void notes_the_first_bit_that_does_not_fit(void **state) {
    (void)state;
    uint8_t bytes[9];
    for (uint32_t capacity = 0; capacity < 8; ++capacity) {
        memset(bytes, 0x77, sizeof(bytes));
        ct_bit_writer w = ct_bits_write_to(bytes, capacity);
        for (uint32_t i = 0; i < capacity * 8; ++i) {
            ct_bits_write(&w, 1, 1);
            assert_false(w.is_full);
        }
        const ct_bit_writer before = w;
        ct_bits_write(&w, 1, 1);
        assert_true(w.is_full);
        for (uint32_t i = 0; i < 100; ++i)
            ct_bits_write(&w, UINT32_MAX, 32);
        assert_true(ct_bits_end(&w) <= capacity);
        assert_int_equal(bytes[capacity], 0x77);
        w = before;
        assert_int_equal(ct_bits_end(&w), capacity);
        assert_false(w.is_full);
    }
}

static void notes_a_read_behind_the_end(void **state) {
    (void)state;
    const uint8_t bytes[5] = {0xff, 0xff, 0xff, 0xff, 0xff};
    for (uint32_t size = 0; size <= 5; ++size) {
        ct_bit_reader r = ct_bits_read_from(bytes, size);
        for (uint32_t i = 0; i < size * 8; ++i)
            assert_int_equal(ct_bits_read(&r, 1), 1);
        assert_false(r.is_over);
        assert_true(ct_bits_is_done(&r));
        assert_int_equal(ct_bits_read(&r, 0), 0);
        assert_false(r.is_over);
        assert_int_equal(ct_bits_read(&r, 32), 0);
        assert_true(r.is_over);
        assert_false(ct_bits_is_done(&r));
    }
}

static void is_done_only_before_less_than_a_byte_of_zeroes(void **state) {
    (void)state;
    const uint8_t bytes[3] = {0x07, 0x00, 0x00};
    ct_bit_reader r = ct_bits_read_from(bytes, 1);
    assert_false(ct_bits_is_done(&r));
    ct_bits_read(&r, 2);
    assert_false(ct_bits_is_done(&r)); // a bit of 1 is left
    ct_bits_read(&r, 1);
    assert_true(ct_bits_is_done(&r));
    r = ct_bits_read_from(bytes, 2);
    ct_bits_read(&r, 8);
    assert_false(ct_bits_is_done(&r)); // a whole byte is left
    ct_bits_read(&r, 1);
    assert_true(ct_bits_is_done(&r));
}

static void refuses_groups_of_more_than_32_bits(void **state) {
    (void)state;
    uint8_t bytes[16];
    memset(bytes, 0xff, sizeof(bytes));
    for (uint32_t group = 1; group <= 31; ++group) {
        ct_bit_reader r = ct_bits_read_from(bytes, sizeof(bytes));
        assert_int_equal(ct_bits_read_groups(&r, group), 0);
        assert_true(r.is_over);
    }
    // 33 bits that end in order.
    ct_bit_writer w = ct_bits_write_to(bytes, sizeof(bytes));
    ct_bits_write(&w, UINT32_MAX, 32); // a group of 31, and another
    ct_bits_write(&w, 2, 32);
    ct_bit_reader r = ct_bits_read_from(bytes, ct_bits_end(&w));
    assert_int_equal(ct_bits_read_groups(&r, 31), 0);
    assert_true(r.is_over);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_what_was_written),
        cmocka_unit_test(fills_bytes_from_the_lowest_bit),
        cmocka_unit_test(notes_the_first_bit_that_does_not_fit),
        cmocka_unit_test(notes_a_read_behind_the_end),
        cmocka_unit_test(is_done_only_before_less_than_a_byte_of_zeroes),
        cmocka_unit_test(refuses_groups_of_more_than_32_bits),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
