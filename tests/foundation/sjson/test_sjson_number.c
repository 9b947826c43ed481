#include "foundation/sjson/sjson_number.h"
#include "support/test_support.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_BYTES = 400 };

// Reads the text twice: with nothing behind it in a block of its size, and with text behind it.
static const char *read_number(const char *text, double *value) {
    static char scratch[MAX_BYTES + 1], padded[MAX_BYTES + 17];
    const uint32_t bytes = (uint32_t)strlen(text);
    assert_true(bytes <= MAX_BYTES);
    char *const block = ct_alloc(test_heap(), bytes);
    memcpy(block, text, bytes);
    const char *const wrong = ct_sjson_number_parse(block, bytes, bytes, scratch, value);
    ct_free(test_heap(), block);
    double again = 0;
    memcpy(padded, text, bytes);
    memset(padded + bytes, '5', 16);
    const char *const wrong_again =
        ct_sjson_number_parse(padded, bytes, bytes + 16, scratch, &again);
    if (wrong != wrong_again || (!wrong && memcmp(&again, value, sizeof(again)) != 0))
        fail_msg("\"%s\" reads as %a and %a", text, *value, again);
    return wrong;
}

static void expect_as_c(const char *text) {
    double value = 0;
    const char *const wrong = read_number(text, &value);
    if (wrong)
        fail_msg("%s: %s", text, wrong);
    const double expected = strtod(text, NULL);
    if (memcmp(&value, &expected, sizeof(value)) != 0)
        fail_msg("%s reads as %a, not %a", text, value, expected);
}

static void rounds_hard_cases_to_the_nearest_double(void **state) {
    (void)state;
    static const char *const texts[] = {
        // Half-way between two doubles, and just beside it.
        "9007199254740993", "9007199254740992.9999999999999999", "9007199254740993.0000000000001",
        "9007199254740995", "1.00000000000000011102230246251565404236316680908203125",
        "1.00000000000000011102230246251565404236316680908203124",
        "1.00000000000000011102230246251565404236316680908203126",
        "0.500000000000000166533453693773481063544750213623046875",
        // Digits past what a 64-bit mantissa holds.
        "123456789012345678", "1234567890123456789", "12345678901234567890",
        "1844674407370955161500000", "0.00000000000000000000000000000000000123456789012345678901",
        // The ends of the range.
        "1.7976931348623157e308", "1.7976931348623158e308", "2.2250738585072014e-308",
        "2.2250738585072011e-308", "2.2250738585072012e-308", "4.9406564584124654e-324",
        "2.4703282292062327208e-324", "2.4703282292062328e-324", "1e-400", "5e-324",
        // Where the exact powers of ten end.
        "1e22", "1e23", "9007199254740991e22", "9007199254740993e22", "1e-22", "1e-23",
        "123456789012345e-22", "8.5e22",
        // At the edges of the short form.
        "0", "-0", "0.0", "-0.0", "123456789012345", "-12345678901234", "1234567890123.45",
        "-1234567890123.4", "0.1234567890123", "-0.123456789012", "1234567890123456",
        "12345678901234.5", "-0.1234567890123", "0.00000000000001"};
    for (uint32_t i = 0; i < CT_COUNT_OF(texts); ++i)
        expect_as_c(texts[i]);
}

static void random_decimals_read_as_by_the_c_library(void **state) {
    (void)state;
    uint32_t random = 11;
    for (uint32_t i = 0; i < test_rounds(50000, 5000000); ++i) {
        char text[64], *at = text;
        if (test_random(&random) % 2)
            *at++ = '-';
        const uint32_t digits = 1 + test_random(&random) % 20;
        const uint32_t whole = 1 + test_random(&random) % digits;
        *at++ =
            (char)(whole == 1 ? '0' + test_random(&random) % 10 : '1' + test_random(&random) % 9);
        for (uint32_t k = 1; k < digits; ++k) {
            if (k == whole)
                *at++ = '.';
            *at++ = (char)('0' + test_random(&random) % 10);
        }
        *at = 0;
        if (test_random(&random) % 4 == 0)
            snprintf(at, 16, "e%d", (int)(test_random(&random) % 700) - 350);
        const double expected = strtod(text, NULL);
        if (isfinite(expected))
            expect_as_c(text);
    }
}

// Any text of the bytes numbers are made of: the two ways of reading never disagree.
static void random_texts_are_judged_alike(void **state) {
    (void)state;
    uint32_t random = 13, num_numbers = 0;
    for (uint32_t i = 0; i < test_rounds(100000, 10000000); ++i) {
        char text[24];
        const uint32_t bytes = 1 + test_random(&random) % 17;
        for (uint32_t k = 0; k < bytes; ++k)
            text[k] = "0123456789012345.-+e"[test_random(&random) % 20];
        text[bytes] = 0;
        double value;
        num_numbers += !read_number(text, &value);
    }
    assert_true(num_numbers > 1000);
}

static uint32_t count_digits(const char *text) {
    uint32_t digits = 0, zeros = 0;
    for (const char *s = text; *s && *s != 'e'; ++s) {
        if (*s == '0')
            zeros += digits > 0;
        else if (*s >= '1' && *s <= '9') {
            digits += 1 + zeros;
            zeros = 0;
        }
    }
    return digits;
}

// True when some decimal of `digits` digits reads as `value`: one of the two that enclose it.
static bool has_decimal(double value, uint32_t digits) {
    char text[64];
    snprintf(text, sizeof(text), "%.*e", (int)digits - 1, value);
    if (strtod(text, NULL) == value)
        return true;
    char *const exponent = strchr(text, 'e');
    const int size = atoi(exponent + 1);
    char step_text[64];
    snprintf(step_text, sizeof(step_text), "1e%d", size - (int)digits + 1);
    const long double step = strtold(step_text, NULL), nearest = strtold(text, NULL);
    return (double)(nearest + step) == value || (double)(nearest - step) == value;
}

static void expect_shortest(double value) {
    char text[CT_SJSON_NUMBER_BYTES];
    const uint32_t bytes = ct_sjson_number_format(value, text);
    assert_int_equal(bytes, strlen(text));
    double again;
    assert_null(read_number(text, &again));
    if (memcmp(&again, &value, sizeof(value)) != 0)
        fail_msg("%a is written as %s", value, text);
    const uint32_t digits = count_digits(text);
    if (digits > 17 || (digits > 1 && has_decimal(value, digits - 1)))
        fail_msg("%a is written as %s, with more digits than it needs", value, text);
}

static void random_bits_read_back_from_the_shortest_text(void **state) {
    (void)state;
    uint32_t random = 17;
    for (uint32_t i = 0; i < test_rounds(20000, 2000000); ++i) {
        const uint64_t high = test_random(&random), bits = high << 32 | test_random(&random);
        double value;
        memcpy(&value, &bits, sizeof(value));
        if (isfinite(value))
            expect_shortest(value);
    }
}

static void powers_of_two_are_written_shortest(void **state) {
    (void)state;
    for (int exponent = -1074; exponent < 1024; ++exponent) {
        const double value = ldexp(1, exponent);
        expect_shortest(value);
        expect_shortest(-value);
        expect_shortest(nextafter(value, 0));
        if (value < DBL_MAX / 2)
            expect_shortest(nextafter(value, DBL_MAX));
    }
    char text[CT_SJSON_NUMBER_BYTES];
    ct_sjson_number_format(ldexp(1, -44), text);
    assert_string_equal(text, "5.684341886080802e-14");
    ct_sjson_number_format(ldexp(1, 976), text);
    assert_string_equal(text, "6.386688990511104e293");
}

static void floats_keep_their_digits(void **state) {
    (void)state;
    static const struct {
        double value;
        const char *text;
    } cases[] = {{0.1, "0.1"},
                 {0.3, "0.3"},
                 {1e21, "1e21"},
                 {1e22, "1e22"},
                 {-1.5e-5, "-1.5e-5"},
                 {1e-5, "1e-5"},
                 {1e-10, "1e-10"},
                 {1e100, "1e100"},
                 {0.0001, "0.0001"},
                 {123.456, "123.456"},
                 {-0.0, "-0"},
                 {5e-324, "5e-324"},
                 {1e23, "1e23"},
                 {0.70710678, "0.70710678"},
                 {100.0, "100"},
                 {1e15, "1000000000000000"},
                 {2251799813685248.5, "2251799813685248.5"},
                 {2e-308, "2e-308"},
                 {DBL_MAX, "1.7976931348623157e308"},
                 {1.0 / 3, "0.3333333333333333"}};
    for (uint32_t i = 0; i < CT_COUNT_OF(cases); ++i) {
        char text[CT_SJSON_NUMBER_BYTES];
        ct_sjson_number_format(cases[i].value, text);
        assert_string_equal(text, cases[i].text);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rounds_hard_cases_to_the_nearest_double),
        cmocka_unit_test(random_decimals_read_as_by_the_c_library),
        cmocka_unit_test(random_texts_are_judged_alike),
        cmocka_unit_test(random_bits_read_back_from_the_shortest_text),
        cmocka_unit_test(powers_of_two_are_written_shortest),
        cmocka_unit_test(floats_keep_their_digits),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
