// Operations and values as text: they read back bit for bit; errors have their place and say what to write.
#include <math.h>
#include <string.h>

#include "database/database_text.h"
#include "foundation/math/random.h"
#include "support/test_support.h"

static void expect_text(const ct_database_value *value, const char *expected) {
    ct_string_builder text;
    ct_database_operations kept;
    ct_database_value read;
    ct_error error = {0};
    ct_string_builder_init(&text, test_heap());
    ct_database_operations_init(&kept, test_heap());
    ct_database_value_write(value, &text);
    if (expected)
        assert_string_equal(ct_string_builder_text(&text), expected);
    if (!ct_database_value_read(text.text, text.length, &kept, &read, &error))
        fail_msg("%s", error.message);
    assert_true(ct_database_value_is_equal(value, &read));
    if (value->kind == CT_DATABASE_NUMBER)
        assert_memory_equal(&value->number, &read.number, sizeof(double));
    ct_string_builder_free(&text);
    ct_database_operations_free(&kept);
}

static void expect_number(double number, const char *expected) {
    expect_text(&(ct_database_value){.kind = CT_DATABASE_NUMBER, .number = number}, expected);
}

static double number_of_bits(uint64_t bits) {
    double number;
    memcpy(&number, &bits, sizeof(number));
    return number;
}

static void values_read_back(void **state) {
    (void)state;
    const ct_guid items[] = {{.bytes = {1}}, {.bytes = {2}}};
    expect_text(&(ct_database_value){0}, "null");
    expect_text(&(ct_database_value){.kind = CT_DATABASE_BOOL, .truth = true}, "true");
    expect_text(&(ct_database_value){.kind = CT_DATABASE_STRING, .string = {"a\0\"\n", 4}},
                "\"a\\u0000\\\"\\n\"");
    expect_text(&(ct_database_value){.kind = CT_DATABASE_REFERENCE, .reference = items[0]},
                "{\"reference\":\"01000000-0000-0000-0000-000000000000\"}");
    expect_text(&(ct_database_value){.kind = CT_DATABASE_SET, .set = {items, 2}},
                "{\"set\":[\"01000000-0000-0000-0000-000000000000\","
                "\"02000000-0000-0000-0000-000000000000\"]}");
    expect_text(&(ct_database_value){.kind = CT_DATABASE_SET}, "{\"set\":[]}");
    expect_text(&(ct_database_value){.kind = CT_DATABASE_BLOB, .blob = {{0xab, 1}, 12}},
                "{\"blob\":\"ab010000000000000000000000000000\",\"bytes\":12}");
}

static void numbers_read_back_bit_for_bit(void **state) {
    (void)state;
    expect_number(1.5, "1.5");
    expect_number(-0.0, NULL);
    expect_number((double)INFINITY, "{\"number\":\"inf\"}");
    expect_number(-(double)INFINITY, "{\"number\":\"-inf\"}");
    expect_number(number_of_bits(UINT64_C(0x7ff8000000000000)), "{\"number\":\"nan\"}");
    expect_number(number_of_bits(UINT64_C(0xfff8000000000001)),
                  "{\"number\":\"nan:fff8000000000001\"}");
    ct_random random = ct_random_seeded(1, 2);
    for (uint32_t i = 0; i < 20000; ++i)
        expect_number(number_of_bits(ct_random_u64(&random)), NULL);
}

static void operations_read_back(void **state) {
    (void)state;
    static const char text[] =
        "{\"op\":\"create\",\"object\":\"5b1f0c3e-2f0d-4c7e-9a51-7de3a9c0ffee\"}\n"
        "{\"op\":\"change_key\",\"object\":\"00000000-0000-0000-0000-000000000000\","
        "\"key\":\"h\xc3\xb6he\",\"value\":1.5}\n"
        "{\"op\":\"add_to_set\",\"object\":\"00000000-0000-0000-0000-000000000000\","
        "\"key\":\"children\",\"element\":\"5b1f0c3e-2f0d-4c7e-9a51-7de3a9c0ffee\"}\n"
        "{\"op\":\"remove_from_set\",\"object\":\"00000000-0000-0000-0000-000000000000\","
        "\"key\":\"children\",\"element\":\"5b1f0c3e-2f0d-4c7e-9a51-7de3a9c0ffee\"}\n"
        "{\"op\":\"destroy\",\"object\":\"5b1f0c3e-2f0d-4c7e-9a51-7de3a9c0ffee\"}\n";
    ct_database_operations operations;
    ct_string_builder out, spaced;
    ct_error error = {0};
    ct_database_operations_init(&operations, test_heap());
    ct_string_builder_init(&out, test_heap());
    ct_string_builder_init(&spaced, test_heap());
    ct_string_builder_add(&spaced, "\n  \r\n");
    ct_string_builder_add(&spaced, text);
    if (!ct_database_operations_read(spaced.text, spaced.length, "f", &operations, &error))
        fail_msg("%s", error.message);
    assert_int_equal(operations.list.count, 5);
    for (uint32_t i = 0; i < operations.list.count; ++i) {
        ct_database_operation_write(&operations.list.items[i], &out);
        ct_string_builder_add_char(&out, '\n');
    }
    assert_string_equal(ct_string_builder_text(&out), text);
    ct_string_builder_free(&out);
    ct_string_builder_free(&spaced);
    ct_database_operations_free(&operations);
}

#define ROOT "\"object\":\"00000000-0000-0000-0000-000000000000\""
#define THING "\"object\":\"5b1f0c3e-2f0d-4c7e-9a51-7de3a9c0ffee\""

typedef struct mistake {
    const char *text, *message;
    uint32_t column;
} mistake;

static const mistake mistakes[] = {
    {"[]", "expected an operation", 1},
    {"{" THING "}", "found the \"op\" \"\"", 1},
    {"{\"op\":\"make\"," THING "}", "found the \"op\" \"make\"; expected \"create\"", 2},
    {"{\"op\":\"create\"}", "create needs \"object\"", 1},
    {"{\"op\":\"create\"," THING ",\"key\":\"k\"}", "create has no \"key\"", 64},
    {"{\"op\":\"create\",\"object\":5}", "found a number; expected a GUID in quotes", 16},
    {"{\"op\":\"create\",\"object\":\"5b1f\"}", "a GUID of 4 characters", 16},
    {"{\"op\":\"create\"," ROOT "}", "that is the root", 1},
    {"{\"op\":\"create\"," THING ",\"colour\":1}", "unknown member \"colour\"", 64},
    {"{\"op\":\"change_key\"," THING ",\"key\":\"k\"}", "change_key needs \"value\"", 1},
    {"{\"op\":\"change_key\"," THING ",\"key\":\"\",\"value\":1}", "found an empty key", 68},
    {"{\"op\":\"change_key\"," THING ",\"key\":1,\"value\":1}", "expected a key in quotes", 68},
    {"{\"op\":\"change_key\"," THING ",\"key\":\"k\",\"value\":[1]}", "for a set write", 78},
    {"{\"op\":\"change_key\"," THING ",\"key\":\"k\",\"value\":{\"a\":1}}", "expected one of", 78},
    {"{\"op\":\"change_key\"," THING
     ",\"key\":\"k\",\"value\":{\"number\":\"nan:7ff0000000000000\"}}",
     "16 hexadecimal digits of a NaN", 87},
    {"{\"op\":\"change_key\"," THING ",\"key\":\"k\",\"value\":{\"blob\":\"ab\",\"bytes\":1}}",
     "32 hexadecimal digits", 87},
    {"{\"op\":\"change_key\"," THING
     ",\"key\":\"k\",\"value\":{\"blob\":\"ab010000000000000000000000000000\"}}",
     "expected the size of the blob", 78},
    {"{\"op\":\"change_key\"," THING
     ",\"key\":\"k\",\"value\":{\"set\":[\"01000000-0000-0000-0000-000000000000\","
     "\"01000000-0000-0000-0000-000000000000\"]}}",
     "a set has the element 01000000-0000-0000-0000-000000000000 twice", 87},
    {"{\"op\":\"add_to_set\"," THING ",\"key\":\"k\",\"value\":1}", "add_to_set has no \"value\"",
     78},
};

static void errors_have_their_place_and_say_what_to_write(void **state) {
    (void)state;
    for (uint32_t i = 0; i < CT_COUNT_OF(mistakes); ++i) {
        ct_database_operations operations;
        ct_string_builder text;
        ct_error error = {0};
        ct_database_operations_init(&operations, test_heap());
        ct_string_builder_init(&text, test_heap());
        ct_string_builder_add(&text, "\n{\"op\":\"create\"," THING "}\n");
        ct_string_builder_add(&text, mistakes[i].text);
        assert_false(ct_database_operations_read(text.text, text.length, "changes.json",
                                                 &operations, &error));
        if (!strstr(error.message, mistakes[i].message))
            fail_msg("found \"%s\"; expected \"%s\"", error.message, mistakes[i].message);
        assert_string_equal(error.file, "changes.json");
        assert_int_equal(error.line, 3);
        if (error.column != mistakes[i].column)
            fail_msg("\"%s\" at column %u; expected %u", error.message, error.column,
                     mistakes[i].column);
        assert_int_equal(operations.list.count, 0);
        ct_string_builder_free(&text);
        ct_database_operations_free(&operations);
    }
}

static void sets_are_sorted_when_they_are_read(void **state) {
    (void)state;
    static const char text[] = "{\"set\":[\"02000000-0000-0000-0000-000000000000\","
                               "\"01000000-0000-0000-0000-000000000000\"]}";
    ct_database_operations kept;
    ct_database_value value;
    ct_error error = {0};
    ct_database_operations_init(&kept, test_heap());
    assert_true(ct_database_value_read(text, strlen(text), &kept, &value, &error));
    assert_int_equal(value.set.items[0].bytes[0], 1);
    ct_database_operations_free(&kept);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_read_back),
        cmocka_unit_test(numbers_read_back_bit_for_bit),
        cmocka_unit_test(operations_read_back),
        cmocka_unit_test(errors_have_their_place_and_say_what_to_write),
        cmocka_unit_test(sets_are_sorted_when_they_are_read),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
