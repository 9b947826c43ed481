#include "foundation/string/guid.h"

#include <string.h>

#include "foundation/container/hash_map.h"
#include "foundation/error.h"
#include "foundation/os/os.h"
#include "support/test_support.h"

static const char sample[] = "5b1f0c3e-2f0d-4c7e-9a51-7de3a9c0ffee";
static const ct_guid sample_guid = {{0x5b, 0x1f, 0x0c, 0x3e, 0x2f, 0x0d, 0x4c, 0x7e, 0x9a, 0x51,
                                     0x7d, 0xe3, 0xa9, 0xc0, 0xff, 0xee}};

static bool is_version_4(ct_guid guid) {
    return guid.bytes[6] >> 4 == 4 && guid.bytes[8] >> 6 == 2;
}

static void makes_different_ones_of_version_4(void **state) {
    (void)state;
    enum { COUNT = 2000 };
    ct_hash_map seen;
    ct_hash_map_init(&seen, test_heap());
    uint8_t ones[16] = {0}, zeros[16] = {0};
    for (uint32_t i = 0; i < COUNT; ++i) {
        const ct_guid guid = ct_guid_make();
        assert_true(is_version_4(guid));
        assert_null(ct_hash_map_find(&seen, ct_guid_hash(guid)));
        ct_hash_map_set(&seen, ct_guid_hash(guid), 1);
        for (uint32_t k = 0; k < 16; ++k) {
            ones[k] |= guid.bytes[k];
            zeros[k] |= (uint8_t)~guid.bytes[k];
        }
    }
    for (uint32_t k = 0; k < 16; ++k) { // every other bit is 0 in some and 1 in others
        const uint8_t fixed = k == 6 ? 0xf0 : k == 8 ? 0xc0 : 0;
        assert_int_equal(ones[k] & ~fixed, 0xff & ~fixed);
        assert_int_equal(zeros[k] & ~fixed, 0xff & ~fixed);
    }
    ct_hash_map_free(&seen);
}

static void makes_the_same_from_the_same_generator(void **state) {
    (void)state;
    ct_random a = ct_random_seeded(42, 54), b = a;
    char text[CT_GUID_TEXT_BYTES];
    ct_guid_format(ct_guid_make_from(&a), text);
    // The published numbers of the generator, but for version and variant.
    assert_string_equal(text, "a15c02b7-7b47-4409-ba1d-333083d2f293");
    const ct_guid second = ct_guid_make_from(&a);
    assert_true(is_version_4(second));
    ct_guid_make_from(&b);
    assert_true(ct_guid_is_equal(second, ct_guid_make_from(&b)));
}

static void reads_either_case_and_writes_lower_case(void **state) {
    (void)state;
    ct_error error = {0};
    ct_guid guid;
    assert_true(ct_guid_parse(sample, strlen(sample), &guid, &error));
    assert_memory_equal(guid.bytes, sample_guid.bytes, 16);
    char text[CT_GUID_TEXT_BYTES];
    memset(text, 'x', sizeof(text));
    ct_guid_format(guid, text);
    assert_string_equal(text, sample);
    const char upper[] = "5B1F0C3E-2F0D-4C7E-9A51-7DE3A9C0FFEE rest";
    assert_true(ct_guid_parse(upper, 36, &guid, &error)); // the length counts, not the zero
    assert_memory_equal(guid.bytes, sample_guid.bytes, 16);
    assert_int_equal(error.message[0], 0);
}

static void expect_error(const char *text, uint64_t length, uint32_t column, const char *message) {
    ct_error error = {0};
    ct_guid guid = sample_guid;
    assert_false(ct_guid_parse(text, length, &guid, &error));
    assert_memory_equal(guid.bytes, sample_guid.bytes, 16);
    assert_int_equal(error.column, column);
    assert_string_equal(error.message, message);
    assert_false(ct_guid_parse(text, length, &guid, NULL));
}

static void says_where_a_text_is_no_guid(void **state) {
    (void)state;
    expect_error("", 0, 1,
                 "a GUID of 0 characters instead of 36: expected a hexadecimal digit, found the "
                 "end");
    expect_error("5b1f0c3e", 8, 9,
                 "a GUID of 8 characters instead of 36: expected \"-\", found the end");
    expect_error("5b1f0c3e-2f0d-4c7e-9a51-7de3a9c0ffe", 35, 36,
                 "a GUID of 35 characters instead of 36: expected a hexadecimal digit, found the "
                 "end");
    expect_error("5b1f0c3e-2f0d-4c7e-9a51-7de3a9c0ffee0", 37, 37,
                 "character 37 of a GUID: expected the end, found \"0\"");
    expect_error("5b1f0c3e-2g0d-4c7e-9a51-7de3a9c0ffee", 36, 11,
                 "character 11 of a GUID: expected a hexadecimal digit, found \"g\"");
    expect_error("5b1f0c3e02f0d-4c7e-9a51-7de3a9c0ffee", 36, 9,
                 "character 9 of a GUID: expected \"-\", found \"0\"");
    expect_error("5b1f0c3e-2f0d-4c7e-9a51-7de3a9c0ff\xc3\xa9", 36, 35,
                 "character 35 of a GUID: expected a hexadecimal digit, found byte 0xc3");
    expect_error("{5b1f0c3e-2f0d-4c7e-9a51-7de3a9c0ffee}", 38, 1,
                 "character 1 of a GUID: expected a hexadecimal digit, found \"{\"");
}

// Every byte that may stand at a place is read and written back; every other one is refused there.
static void each_place_takes_what_fits_and_nothing_else(void **state) {
    (void)state;
    for (uint32_t place = 0; place < 36; ++place) {
        for (uint32_t c = 0; c < 256; ++c) {
            char text[CT_GUID_TEXT_BYTES];
            memcpy(text, sample, sizeof(text));
            text[place] = (char)c;
            const bool is_dash_place = sample[place] == '-';
            const bool is_digit = c != 0 && strchr("0123456789abcdefABCDEF", (int)c);
            const bool fits = is_dash_place ? c == '-' : is_digit;
            ct_guid guid;
            ct_error error = {0};
            assert_int_equal(ct_guid_parse(text, 36, &guid, &error), fits);
            assert_int_equal(error.column, fits ? 0 : place + 1);
            if (!fits)
                continue;
            char again[CT_GUID_TEXT_BYTES];
            ct_guid_format(guid, again);
            if (text[place] >= 'A' && text[place] <= 'F')
                text[place] = (char)(text[place] - 'A' + 'a');
            assert_string_equal(again, text);
        }
    }
}

static void text_and_back_is_the_same(void **state) {
    (void)state;
    ct_random r = ct_random_seeded(1, 2);
    for (uint32_t i = 0; i < test_rounds(10000, 1000000); ++i) {
        ct_guid guid, again;
        for (uint32_t k = 0; k < 16; ++k)
            guid.bytes[k] = (uint8_t)ct_random_u32(&r);
        char text[CT_GUID_TEXT_BYTES];
        ct_guid_format(guid, text);
        ct_error error = {0};
        assert_true(ct_guid_parse(text, strlen(text), &again, &error));
        assert_true(ct_guid_is_equal(guid, again));
    }
}

static void orders_as_the_text_does(void **state) {
    (void)state;
    ct_random r = ct_random_seeded(3, 4);
    for (uint32_t i = 0; i < 10000; ++i) {
        ct_guid a = ct_guid_make_from(&r), b = ct_guid_make_from(&r);
        if (i % 3 == 0)
            memcpy(b.bytes, a.bytes, i % 17);
        char x[CT_GUID_TEXT_BYTES], y[CT_GUID_TEXT_BYTES];
        ct_guid_format(a, x);
        ct_guid_format(b, y);
        const int by_text = strcmp(x, y), by_bytes = ct_guid_compare(a, b);
        assert_int_equal((by_text > 0) - (by_text < 0), (by_bytes > 0) - (by_bytes < 0));
        assert_int_equal(ct_guid_is_equal(a, b), by_text == 0);
    }
}

static void zero_is_none(void **state) {
    (void)state;
    const ct_guid none = {{0}};
    assert_true(ct_guid_is_none(none));
    assert_false(ct_guid_is_none(sample_guid));
    assert_false(ct_guid_is_none(ct_guid_make()));
    ct_guid last = none;
    last.bytes[15] = 1;
    assert_false(ct_guid_is_none(last));
    char text[CT_GUID_TEXT_BYTES];
    ct_guid_format(none, text);
    assert_string_equal(text, "00000000-0000-0000-0000-000000000000");
}

// GUIDs that differ in one bit only must not share a hash, nor its top or bottom bits too often.
static void hashes_depend_on_every_bit(void **state) {
    (void)state;
    ct_random r = ct_random_seeded(5, 6);
    for (uint32_t bit = 0; bit < 128; ++bit) {
        uint32_t num_changed = 0;
        for (uint32_t i = 0; i < 100; ++i) {
            ct_guid guid = ct_guid_make_from(&r);
            const uint64_t before = ct_guid_hash(guid);
            guid.bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
            const uint64_t changed = before ^ ct_guid_hash(guid);
            assert_true(changed != 0);
            num_changed += (uint32_t)__builtin_popcountll(changed);
        }
        assert_true(num_changed > 2900 && num_changed < 3500); // 32 of 64 on average
    }
}

static void the_system_gives_any_number_of_random_bytes(void **state) {
    (void)state;
    static uint8_t bytes[100001];
    memset(bytes, 0, sizeof(bytes));
    ct_os_random_bytes(bytes, 0);
    assert_int_equal(bytes[0], 0);
    ct_os_random_bytes(bytes, sizeof(bytes) - 1);
    uint32_t counts[256] = {0};
    for (uint32_t i = 0; i < sizeof(bytes) - 1; ++i)
        ++counts[bytes[i]];
    for (uint32_t i = 0; i < 256; ++i) // 391 on average, standard deviation 20
        assert_true(counts[i] > 200 && counts[i] < 600);
    assert_int_equal(bytes[sizeof(bytes) - 1], 0);
}

static void makes_the_same_id_of_the_same_name(void **state) {
    (void)state;
    const ct_guid none = {{0}};
    const ct_guid car = ct_guid_make_named(none, "models/car.glb");
    char text[CT_GUID_TEXT_BYTES];
    ct_guid_format(car, text);
    assert_true(ct_guid_is_equal(car, ct_guid_make_named(none, "models/car.glb")));
    assert_false(ct_guid_is_equal(car, ct_guid_make_named(none, "models/cat.glb")));
    assert_false(ct_guid_is_equal(car, ct_guid_make_named(car, "models/car.glb")));
    assert_false(ct_guid_is_equal(ct_guid_make_named(car, "a"), ct_guid_make_named(car, "")));
    assert_int_equal(text[14], '8'); // the version
    assert_true(strchr("89ab", text[19]));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(makes_the_same_id_of_the_same_name),
        cmocka_unit_test(makes_different_ones_of_version_4),
        cmocka_unit_test(makes_the_same_from_the_same_generator),
        cmocka_unit_test(reads_either_case_and_writes_lower_case),
        cmocka_unit_test(says_where_a_text_is_no_guid),
        cmocka_unit_test(each_place_takes_what_fits_and_nothing_else),
        cmocka_unit_test(text_and_back_is_the_same),
        cmocka_unit_test(orders_as_the_text_does),
        cmocka_unit_test(zero_is_none),
        cmocka_unit_test(hashes_depend_on_every_bit),
        cmocka_unit_test(the_system_gives_any_number_of_random_bytes),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
