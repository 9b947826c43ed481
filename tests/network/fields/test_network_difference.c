#include "network/fields/network_difference.h"

#include <string.h>

#include "network/fields/fields_fixture.h"

static uint8_t bytes[CT_NETWORK_SUMMARY_BYTES];

// The difference of `ours` from `theirs`.
static const char *difference(const ct_network_config_desc *ours,
                              const ct_network_config_desc *theirs) {
    static char text[CT_NETWORK_DIFFERENCE_BYTES];
    ct_network_config_resource *const a = test_network_config(ours);
    ct_network_config_resource *const b = test_network_config(theirs);
    ct_error error = {0};
    const uint32_t size = ct_network_config_summary(b, bytes, sizeof(bytes));
    if (!ct_network_config_difference(a, bytes, size, text, &error))
        fail_msg("%s", error.message);
    assert_int_equal(a->hash != b->hash, text[0] != 0);
    ct_free(test_heap(), a);
    ct_free(test_heap(), b);
    return text;
}

static const ct_network_type_desc types[] = {
    {.name = "t", .kind = CT_NETWORK_FLOAT, .max = {10}, .bits = 8}};

// A config of one object with fields of these names, separated by spaces.
typedef struct one_object {
    ct_network_config_desc desc;
    ct_network_record_desc object;
    ct_network_field_desc fields[3];
    char names[3][8];
} one_object;

static const ct_network_config_desc *object_of(one_object *o, const char *names) {
    *o = (one_object){.object = {.name = "ball", .fields = o->fields}};
    for (const char *at = names; *at; at += strcspn(at, " "), at += *at == ' ') {
        memcpy(o->names[o->object.num_fields], at, strcspn(at, " "));
        o->fields[o->object.num_fields].name = o->names[o->object.num_fields];
        o->fields[o->object.num_fields++].type = "t";
    }
    o->desc = (ct_network_config_desc){
        .types = types, .num_types = 1, .objects = &o->object, .num_objects = 1};
    return &o->desc;
}

static void finds_nothing_where_configs_are_alike(void **state) {
    (void)state;
    assert_string_equal(difference(&fixture_config, &fixture_config), "");
}

static void names_types(void **state) {
    (void)state;
    ct_network_type_desc other = types[0];
    const ct_network_config_desc a = {.types = types, .num_types = 1};
    const ct_network_config_desc none = {0};
    assert_string_equal(difference(&a, &none), "type \"t\" is float 0..10 of 8 bits here, and is "
                                               "not there");
    assert_string_equal(difference(&none, &a), "type \"t\" is float 0..10 of 8 bits there, and is "
                                               "not here");
    other.max[0] = 5;
    const ct_network_config_desc b = {.types = &other, .num_types = 1};
    assert_string_equal(difference(&a, &b), "type \"t\" is float 0..10 of 8 bits here, and float "
                                            "0..5 of 8 bits there");
    static const char *const lists[][2] = {{"a", "b"}, {"a", "c"}};
    const ct_network_type_desc lookups[] = {
        {.name = "l", .kind = CT_NETWORK_LOOKUP, .lookups = lists[0], .num_lookups = 2},
        {.name = "l", .kind = CT_NETWORK_LOOKUP, .lookups = lists[1], .num_lookups = 2}};
    const ct_network_config_desc c = {.types = &lookups[0], .num_types = 1};
    const ct_network_config_desc d = {.types = &lookups[1], .num_types = 1};
    assert_string_equal(difference(&c, &d), "type \"l\" is lookup of 2 names on both sides, with "
                                            "other names, elements or first value");
}

static void names_fields(void **state) {
    (void)state;
    one_object a, b;
    assert_string_equal(difference(object_of(&a, "speed"), object_of(&b, "")),
                        "object \"ball\": field \"speed\" is float 0..10 of 8 bits here, and is "
                        "not there");
    assert_string_equal(difference(object_of(&a, "x"), object_of(&b, "x speed")),
                        "object \"ball\": field \"speed\" is float 0..10 of 8 bits there, and is "
                        "not here");
    assert_string_equal(difference(object_of(&a, "x y"), object_of(&b, "y x")),
                        "object \"ball\": field 1 is \"x\" here, and \"y\" there");
    assert_string_equal(difference(object_of(&a, "x z"), object_of(&b, "y x z")),
                        "object \"ball\": field \"y\" is float 0..10 of 8 bits there, and is not "
                        "here");
    object_of(&a, "x");
    object_of(&b, "x");
    b.fields[0].has_value = true;
    b.fields[0].value.number = 3;
    assert_string_equal(difference(&a.desc, &b.desc),
                        "object \"ball\": field \"x\" is float 0..10 of 8 bits on both sides, with "
                        "other names, elements or first value");
    b.fields[0].has_value = false;
    b.fields[0].type = "id";
    assert_string_equal(difference(&a.desc, &b.desc),
                        "object \"ball\": field \"x\" is float 0..10 of 8 bits here, and id there");
}

static void names_records(void **state) {
    (void)state;
    one_object a, b;
    object_of(&a, "x");
    object_of(&b, "x");
    b.object.is_shared = true;
    assert_string_equal(difference(&a.desc, &b.desc),
                        "object \"ball\" is not shared here, and shared there");
    b.desc.num_objects = 0;
    assert_string_equal(difference(&a.desc, &b.desc),
                        "object \"ball\" is not shared here, and is not there");
    const ct_network_record_desc message = {.name = "hit", .is_reliable = true};
    object_of(&b, "x");
    b.desc.messages = &message;
    b.desc.num_messages = 1;
    assert_string_equal(difference(&a.desc, &b.desc),
                        "message \"hit\" is reliable there, and is not here");
}

static void leaves_out_what_does_not_fit(void **state) {
    (void)state;
    char text[CT_NETWORK_DIFFERENCE_BYTES];
    ct_network_config_resource *const c = test_network_config(&fixture_config);
    const uint32_t whole = ct_network_config_summary(c, bytes, sizeof(bytes));
    assert_true(whole > 500 && whole < 2000);
    for (uint32_t capacity = 0; capacity <= whole; ++capacity) {
        memset(bytes, 0x77, sizeof(bytes));
        const uint32_t size = ct_network_config_summary(c, bytes, capacity);
        assert_true(size <= capacity && (size > 0) == (capacity >= 6));
        assert_int_equal(bytes[capacity], 0x77);
        if (size > 0) {
            assert_true(ct_network_config_difference(c, bytes, size, text, NULL));
            assert_string_equal(text, "");
        }
    }
    ct_free(test_heap(), c);
}

// What is left out may be anything.
static void finds_nothing_behind_the_cut(void **state) {
    (void)state;
    char text[CT_NETWORK_DIFFERENCE_BYTES];
    one_object a, b;
    ct_network_config_resource *const ours = test_network_config(object_of(&a, "x y"));
    ct_network_config_resource *const theirs = test_network_config(object_of(&b, "x q y"));
    const uint32_t whole = ct_network_config_summary(theirs, bytes, sizeof(bytes));
    uint32_t num_found = 0;
    for (uint32_t capacity = 6; capacity <= whole; ++capacity) {
        const uint32_t size = ct_network_config_summary(theirs, bytes, capacity);
        assert_true(ct_network_config_difference(ours, bytes, size, text, NULL));
        assert_true(text[0] == 0 || strstr(text, "field \"q\" is float"));
        num_found += text[0] != 0;
    }
    assert_true(num_found > 0 && num_found < whole / 2);
    ct_free(test_heap(), ours);
    ct_free(test_heap(), theirs);
}

static void refuses_bytes_that_are_no_summary(void **state) {
    (void)state;
    char text[CT_NETWORK_DIFFERENCE_BYTES];
    ct_error error = {0};
    ct_network_config_resource *const c = test_network_config(&fixture_config);
    const uint32_t size = ct_network_config_summary(c, bytes, sizeof(bytes));
    assert_false(ct_network_config_difference(c, bytes, size - 1, text, &error));
    assert_non_null(strstr(error.message, "found half an item"));
    bytes[4] = 9;
    assert_false(ct_network_config_difference(c, bytes, size, text, &error));
    assert_non_null(strstr(error.message, "version 9"));
    bytes[4] = 1;
    bytes[6] = 5;
    assert_false(ct_network_config_difference(c, bytes, size, text, &error));
    assert_non_null(strstr(error.message, "an item of kind 5"));
    bytes[6] = 4; // a field before any object
    assert_false(ct_network_config_difference(c, bytes, size, text, NULL));
    bytes[6] = 1;
    bytes[6 + 11] = 0xff;
    assert_false(ct_network_config_difference(c, bytes, size, text, &error));
    assert_non_null(strstr(error.message, "not UTF-8"));
    bytes[0] = 'X';
    assert_false(ct_network_config_difference(c, bytes, size, text, &error));
    assert_non_null(strstr(error.message, "no summary"));
    assert_false(ct_network_config_difference(c, bytes, 0, text, NULL));
    ct_free(test_heap(), c);
}

static void writes_names_without_control_characters(void **state) {
    (void)state;
    char text[CT_NETWORK_DIFFERENCE_BYTES];
    const ct_network_type_desc type = {.name = "a\nb\x1b", .kind = CT_NETWORK_BOOL};
    ct_network_config_resource *const c =
        test_network_config(&(ct_network_config_desc){.types = &type, .num_types = 1});
    ct_network_config_resource *const none = test_network_config(&(ct_network_config_desc){0});
    const uint32_t size = ct_network_config_summary(c, bytes, sizeof(bytes));
    assert_true(ct_network_config_difference(none, bytes, size, text, NULL));
    assert_string_equal(text, "type \"a\\nb\\x1b\" is bool there, and is not here");
    ct_free(test_heap(), c);
    ct_free(test_heap(), none);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_nothing_where_configs_are_alike),
        cmocka_unit_test(names_types),
        cmocka_unit_test(names_fields),
        cmocka_unit_test(names_records),
        cmocka_unit_test(leaves_out_what_does_not_fit),
        cmocka_unit_test(finds_nothing_behind_the_cut),
        cmocka_unit_test(refuses_bytes_that_are_no_summary),
        cmocka_unit_test(writes_names_without_control_characters),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
