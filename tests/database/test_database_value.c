// Values, keys and operations: what is equal, what is refused, what lists keep.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "database/database_value.h"
#include "support/test_support.h"

static ct_database_value number_value(double number) {
    return (ct_database_value){.kind = CT_DATABASE_NUMBER, .number = number};
}

static bool are_equal(ct_database_value a, ct_database_value b) {
    return ct_database_value_is_equal(&a, &b);
}

static void numbers_are_equal_by_their_bits(void **state) {
    (void)state;
    assert_true(are_equal(number_value(1.5), number_value(1.5)));
    assert_true(are_equal(number_value(0), number_value(-0.0)));
    assert_true(are_equal(number_value(NAN), number_value(NAN)));
    assert_false(are_equal(number_value(NAN), number_value(-(double)NAN)));
    assert_false(are_equal(number_value(0), (ct_database_value){0}));
    assert_false(are_equal(number_value(1), number_value(nextafter(1, 2))));
}

static void values_are_equal_by_what_they_hold(void **state) {
    (void)state;
    const ct_guid one = {.bytes = {1}}, two = {.bytes = {2}};
    const ct_guid both[] = {one, two};
    const ct_database_value a = {.kind = CT_DATABASE_SET, .set = {both, 2}};
    const ct_database_value b = {.kind = CT_DATABASE_SET, .set = {both, 1}};
    const ct_database_value empty = {.kind = CT_DATABASE_SET};
    assert_true(are_equal(a, a));
    assert_false(are_equal(a, b));
    assert_true(are_equal(empty, empty));
    const ct_database_value text = {.kind = CT_DATABASE_STRING, .string = {"a\0b", 3}};
    const ct_database_value other = {.kind = CT_DATABASE_STRING, .string = {"a\0c", 3}};
    assert_true(are_equal(text, text));
    assert_false(are_equal(text, other));
    const ct_database_value blob = {.kind = CT_DATABASE_BLOB, .blob = {{7}, 3}};
    const ct_database_value longer = {.kind = CT_DATABASE_BLOB, .blob = {{7}, 4}};
    assert_true(are_equal(blob, blob));
    assert_false(are_equal(blob, longer));
    const ct_database_value to_one = {.kind = CT_DATABASE_REFERENCE, .reference = one};
    const ct_database_value to_two = {.kind = CT_DATABASE_REFERENCE, .reference = two};
    assert_true(are_equal(to_one, to_one));
    assert_false(are_equal(to_one, to_two));
}

static void expect_refused(const ct_database_value *value, const char *message) {
    ct_error error = {0};
    assert_false(ct_database_value_check(value, &error));
    if (!strstr(error.message, message))
        fail_msg("found \"%s\"; expected \"%s\"", error.message, message);
}

static void wrong_values_are_refused(void **state) {
    (void)state;
    const ct_guid twice[] = {{.bytes = {1}}, {.bytes = {1}}};
    const ct_guid down[] = {{.bytes = {2}}, {.bytes = {1}}};
    expect_refused(&(ct_database_value){.kind = CT_DATABASE_SET, .set = {twice, 2}}, "twice");
    expect_refused(&(ct_database_value){.kind = CT_DATABASE_SET, .set = {down, 2}},
                   "01000000-0000-0000-0000-000000000000 of a set comes after a larger one");
    expect_refused(&(ct_database_value){.kind = CT_DATABASE_STRING, .string = {"ab\xff", 3}},
                   "byte 3 of a string is 0xff");
    expect_refused(&(ct_database_value){.kind = CT_DATABASE_NUM_KINDS}, "kind 7");
    const uint32_t length = CT_DATABASE_MAX_STRING_BYTES + 1;
    char *const text = calloc(length + 1, 1);
    expect_refused(&(ct_database_value){.kind = CT_DATABASE_STRING, .string = {text, length}},
                   "use a blob for more");
    free(text);
    ct_error error = {0};
    assert_true(ct_database_value_check(
        &(ct_database_value){.kind = CT_DATABASE_STRING, .string = {"a\0\xc3\xa4", 4}}, &error));
}

static void expect_key_refused(const char *key, uint64_t length, const char *message) {
    ct_error error = {0};
    assert_false(ct_database_key_check(key, length, &error));
    if (!strstr(error.message, message))
        fail_msg("found \"%s\"; expected \"%s\"", error.message, message);
}

static void wrong_keys_are_refused(void **state) {
    (void)state;
    ct_error error = {0};
    assert_true(ct_database_key_check("h\xc3\xb6he", 5, &error));
    expect_key_refused("", 0, "empty key");
    expect_key_refused("a\tb", 3, "byte 2 of the key \"a b\" is 0x09");
    expect_key_refused("a\0b", 3, "byte 2 of the key");
    expect_key_refused("a\xc2\x85", 3, "byte 2 of the key"); // a control character of Latin-1
    expect_key_refused("\x7f", 1, "0x7f");
    expect_key_refused("ab\xff", 3, "byte 3 of the key");
    char *const text = malloc(1 << 20);
    memset(text, 'k', 1 << 20);
    expect_key_refused(text, 1 << 20, "kkkk...\" has 1048576 bytes; expected at most 1023");
    assert_true(ct_database_key_check(text, CT_DATABASE_MAX_KEY_BYTES, &error));
    free(text);
}

static void wrong_operations_are_refused(void **state) {
    (void)state;
    ct_error error = {0};
    ct_database_operation operation = {.type = CT_DATABASE_DESTROY};
    assert_false(ct_database_operation_check(&operation, &error));
    assert_non_null(strstr(error.message, "the root"));
    operation.object.bytes[0] = 1;
    assert_true(ct_database_operation_check(&operation, &error));
    operation.type = CT_DATABASE_CHANGE_KEY;
    assert_false(ct_database_operation_check(&operation, &error));
    assert_non_null(strstr(error.message, "empty key"));
    operation.type = CT_DATABASE_ADD_TO_SET;
    operation.key = "k";
    operation.key_length = 1;
    assert_false(ct_database_operation_check(&operation, &error));
    assert_non_null(strstr(error.message, "expected the element's GUID"));
    operation.type = CT_DATABASE_NUM_OPERATION_TYPES;
    assert_false(ct_database_operation_check(&operation, &error));
}

static void lists_copy_what_operations_point_at(void **state) {
    (void)state;
    ct_database_operations list;
    ct_database_operations_init(&list, test_heap());
    char key[] = "key", text[] = "text";
    ct_guid items[] = {{.bytes = {1}}, {.bytes = {2}}};
    ct_database_operation operation = {
        .type = CT_DATABASE_CHANGE_KEY,
        .key = key,
        .key_length = 3,
        .value = {.kind = CT_DATABASE_STRING, .string = {text, 4}},
    };
    ct_database_operations_push(&list, &operation);
    operation.value = (ct_database_value){.kind = CT_DATABASE_SET, .set = {items, 2}};
    ct_database_operations_push(&list, &operation);
    operation.type = CT_DATABASE_CREATE;
    ct_database_operations_push(&list, &operation);
    memset(key, 0, sizeof(key));
    memset(text, 0, sizeof(text));
    memset(items, 0, sizeof(items));
    for (uint32_t i = 0; i < 1000; ++i) // from its own bytes
        ct_database_operations_push(&list, &list.list.items[i % 2]);
    for (uint32_t i = 3; i < list.list.count; ++i) {
        const ct_database_operation *const o = &list.list.items[i];
        assert_string_equal(o->key, "key");
        if (o->value.kind == CT_DATABASE_STRING)
            assert_string_equal(o->value.string.text, "text");
        else
            assert_int_equal(o->value.set.items[1].bytes[0], 2);
    }
    assert_null(list.list.items[2].key);
    ct_database_operations_clear(&list);
    assert_int_equal(list.list.count, 0);
    ct_database_operations_push(&list, &operation);
    ct_database_operations_free(&list);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_equal_by_their_bits),
        cmocka_unit_test(values_are_equal_by_what_they_hold),
        cmocka_unit_test(wrong_values_are_refused),
        cmocka_unit_test(wrong_keys_are_refused),
        cmocka_unit_test(wrong_operations_are_refused),
        cmocka_unit_test(lists_copy_what_operations_point_at),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
