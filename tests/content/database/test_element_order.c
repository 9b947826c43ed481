#include "content/database/element_order.h"

#include <stdio.h>
#include <string.h>

#include "support/test_support.h"

static void expect_between(const char *low, const char *high, const char *expected) {
    char order[CT_ELEMENT_ORDER_BYTES];
    assert_true(ct_element_order_between(low, high, NULL, order));
    assert_string_equal(order, expected);
}

static void texts_lie_between(void **state) {
    (void)state;
    expect_between("", "", "V");
    expect_between("V", "", "k");
    expect_between("", "V", "F");
    expect_between("V", "W", "VV");
    expect_between("V", "V1", "V0V");
    expect_between("z", "", "zV");
    expect_between("", "1", "0V");
    expect_between("", "001", "000V");
    expect_between("Vz", "W", "VzV");
}

static void texts_are_digits_without_zero_at_the_end(void **state) {
    (void)state;
    assert_true(ct_element_order_is("V", 1));
    assert_true(ct_element_order_is("0a1", 3));
    assert_false(ct_element_order_is("", 0));
    assert_false(ct_element_order_is("V0", 2));
    assert_false(ct_element_order_is("a b", 3));
    assert_false(ct_element_order_is("a\0b", 3));
    char text[CT_ELEMENT_ORDER_BYTES];
    memset(text, 'a', sizeof(text));
    assert_true(ct_element_order_is(text, sizeof(text) - 1));
    assert_false(ct_element_order_is(text, sizeof(text)));
}

static void there_is_always_another_between(void **state) {
    (void)state;
    uint32_t random = 7;
    for (uint32_t round = 0; round < test_rounds(200, 2000); ++round) {
        char low[CT_ELEMENT_ORDER_BYTES] = "", high[CT_ELEMENT_ORDER_BYTES] = "";
        char order[CT_ELEMENT_ORDER_BYTES];
        for (uint32_t i = 0; i < 60; ++i) {
            const ct_guid salt = {{(uint8_t)test_random(&random), (uint8_t)i}};
            if (!ct_element_order_between(low, high, test_random(&random) % 2 ? &salt : NULL,
                                          order))
                break;
            assert_true(ct_element_order_is(order, strlen(order)));
            assert_true(strcmp(low, order) < 0);
            assert_true(high[0] == 0 || strcmp(order, high) < 0);
            memcpy(test_random(&random) % 4 ? low : high, order, sizeof(order));
        }
    }
}

static void expect_ascending(const ct_element_order *items, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
        assert_true(ct_element_order_is(items[i].text, strlen(items[i].text)));
        assert_true(i == 0 || strcmp(items[i - 1].text, items[i].text) < 0);
    }
}

static uint32_t num_new(const ct_element_order *items, uint32_t count) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < count; ++i)
        n += items[i].is_new;
    return n;
}

static void as_few_as_can_be_get_new_texts(void **state) {
    (void)state;
    ct_element_order items[] = {{.text = "b"}, {.text = "a"}, {.text = ""},  {.text = "c"},
                                {.text = "c"}, {.text = "d"}, {.text = "x0"}};
    ct_element_order_assign(items, CT_COUNT_OF(items), true, test_heap());
    expect_ascending(items, CT_COUNT_OF(items));
    assert_int_equal(num_new(items, CT_COUNT_OF(items)), 4); // b or a, "", one c, x0
    assert_string_equal(items[5].text, "d");
    ct_element_order_assign(items, 0, true, test_heap());
}

static void many_elements_get_short_texts(void **state) {
    (void)state;
    enum { COUNT = 20000 };
    ct_element_order *const items = CT_NEW_ARRAY(test_heap(), ct_element_order, COUNT);
    ct_element_order_assign(items, COUNT, false, test_heap());
    expect_ascending(items, COUNT);
    for (uint32_t i = 0; i < COUNT; ++i)
        assert_true(strlen(items[i].text) < 12);
    ct_free(test_heap(), items);
}

static void texts_that_grew_too_long_are_made_again(void **state) {
    (void)state;
    ct_element_order items[3] = {0};
    memset(items[0].text, 'a', CT_ELEMENT_ORDER_BYTES - 1);
    memcpy(items[2].text, items[0].text, CT_ELEMENT_ORDER_BYTES);
    items[2].text[CT_ELEMENT_ORDER_BYTES - 2] = 'b';
    ct_element_order_assign(items, 3, false, test_heap());
    expect_ascending(items, 3);
    assert_int_equal(num_new(items, 3), 3);
    assert_true(strlen(items[0].text) < 4);
}

static void two_people_at_one_place_get_different_texts(void **state) {
    (void)state;
    char first[CT_ELEMENT_ORDER_BYTES], second[CT_ELEMENT_ORDER_BYTES];
    assert_true(ct_element_order_between("V", "W", &(ct_guid){{1}}, first));
    assert_true(ct_element_order_between("V", "W", &(ct_guid){{2}}, second));
    assert_string_not_equal(first, second);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_lie_between),
        cmocka_unit_test(texts_are_digits_without_zero_at_the_end),
        cmocka_unit_test(there_is_always_another_between),
        cmocka_unit_test(as_few_as_can_be_get_new_texts),
        cmocka_unit_test(many_elements_get_short_texts),
        cmocka_unit_test(texts_that_grew_too_long_are_made_again),
        cmocka_unit_test(two_people_at_one_place_get_different_texts),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
