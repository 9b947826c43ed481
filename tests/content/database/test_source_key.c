#include "content/database/source_key.h"

#include <string.h>

#include "support/test_support.h"

static void expect_key(const char *name, bool is_text, const char *expected) {
    ct_string_builder key, again;
    ct_string_builder_init(&key, test_heap());
    ct_string_builder_init(&again, test_heap());
    bool was_text;
    assert_true(ct_source_key_of(name, is_text, &key));
    assert_string_equal(ct_string_builder_text(&key), expected);
    assert_true(ct_source_key_is_member(key.text, key.length));
    assert_true(ct_source_key_name(key.text, key.length, &again, &was_text));
    assert_string_equal(ct_string_builder_text(&again), name);
    assert_int_equal(was_text, is_text);
    ct_error error = {0};
    assert_true(ct_database_key_check(key.text, key.length, &error));
    ct_string_builder_free(&key);
    ct_string_builder_free(&again);
}

static void names_are_keys(void **state) {
    (void)state;
    expect_key("health", false, "health");
    expect_key("position", true, "position[]");
    expect_key("a key = %", false, "a key = %");
    expect_key("[]a", true, "[]a[]");
}

static void odd_names_are_spelled_differently(void **state) {
    (void)state;
    expect_key("", false, "@=");
    expect_key("", true, "@=[]");
    expect_key("@order", false, "@=@order");
    expect_key("v[]", false, "@=v%5B]");
    expect_key("[]", true, "@=%5B][]");
    expect_key("a\tb", false, "@=a%09b");
    expect_key("\xc2\x85%", false, "@=%C2%85%25");
}

static void refuse(const char *key) {
    ct_string_builder name;
    ct_string_builder_init(&name, test_heap());
    bool is_text;
    assert_false(ct_source_key_name(key, (uint32_t)strlen(key), &name, &is_text));
    ct_string_builder_free(&name);
}

static void keys_have_one_spelling(void **state) {
    (void)state;
    refuse("@=plain");
    refuse("@=@%6frder");
    refuse("@=@%6Frder");
    refuse("@=%00");
    refuse("@=%");
    refuse("@=%4");
    refuse("@=@%x9");
    refuse("a[][]");
    assert_false(ct_source_key_is_member("@order", 6));
    assert_false(ct_source_key_is_member("@", 1));
}

static void long_names_do_not_fit(void **state) {
    (void)state;
    char name[CT_DATABASE_MAX_KEY_BYTES + 2];
    memset(name, 'a', sizeof(name));
    name[CT_DATABASE_MAX_KEY_BYTES] = 0;
    ct_string_builder key;
    ct_string_builder_init(&key, test_heap());
    assert_true(ct_source_key_of(name, false, &key));
    ct_string_builder_clear(&key);
    assert_false(ct_source_key_of(name, true, &key));
    name[CT_DATABASE_MAX_KEY_BYTES] = 'a';
    name[CT_DATABASE_MAX_KEY_BYTES + 1] = 0;
    ct_string_builder_clear(&key);
    assert_false(ct_source_key_of(name, false, &key));
    ct_string_builder_free(&key);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_keys),
        cmocka_unit_test(odd_names_are_spelled_differently),
        cmocka_unit_test(keys_have_one_spelling),
        cmocka_unit_test(long_names_do_not_fit),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
