#include "foundation/string/string_builder.h"

#include <string.h>

#include "support/test_support.h"

static void is_empty_text_before_the_first_piece(void **state) {
    (void)state;
    const uint64_t before = ct_allocator_stats_of(test_heap()).total_blocks;
    ct_string_builder b;
    ct_string_builder_init(&b, test_heap());
    assert_string_equal(ct_string_builder_text(&b), "");
    assert_null(b.text);
    ct_string_builder_clear(&b);
    ct_string_builder_free(&b);
    assert_int_equal(ct_allocator_stats_of(test_heap()).total_blocks, before);
}

static void joins_pieces(void **state) {
    (void)state;
    ct_string_builder b;
    ct_string_builder_init(&b, test_heap());
    ct_string_builder_add(&b, "units/");
    ct_string_builder_add_bytes(&b, "crate###", 5);
    ct_string_builder_add_char(&b, '.');
    ct_string_builder_addf(&b, "%s%d", "unit", 7);
    ct_string_builder_add(&b, "");
    assert_string_equal(ct_string_builder_text(&b), "units/crate.unit7");
    assert_int_equal(b.length, 17);
    ct_string_builder_free(&b);
}

static void terminates_the_text_after_an_empty_piece(void **state) {
    (void)state;
    ct_string_builder b;
    ct_string_builder_init(&b, test_heap());
    ct_string_builder_add(&b, "");
    assert_non_null(b.text);
    assert_string_equal(b.text, "");
    ct_string_builder_free(&b);
}

static void keeps_zero_bytes(void **state) {
    (void)state;
    ct_string_builder b;
    ct_string_builder_init(&b, test_heap());
    ct_string_builder_add_bytes(&b, "a\0b", 3);
    ct_string_builder_add_char(&b, 0);
    assert_int_equal(b.length, 4);
    assert_memory_equal(b.text, "a\0b\0", 5);
    ct_string_builder_free(&b);
}

static void grows_to_any_length(void **state) {
    (void)state;
    ct_string_builder b;
    ct_string_builder_init(&b, test_heap());
    for (uint32_t i = 0; i < 10000; ++i)
        ct_string_builder_addf(&b, "%05u", i);
    assert_int_equal(b.length, 50000);
    assert_int_equal(strlen(b.text), 50000);
    assert_memory_equal(b.text + 5 * 9999, "09999", 6);
    assert_memory_equal(b.text + 5 * 1234, "01234", 5);
    ct_string_builder_free(&b);
}

static void formats_pieces_longer_than_the_text_so_far(void **state) {
    (void)state;
    ct_string_builder b;
    ct_string_builder_init(&b, test_heap());
    ct_string_builder_add(&b, "x");
    ct_string_builder_addf(&b, "%*d|", 3000, 5);
    assert_int_equal(b.length, 3002);
    assert_memory_equal(b.text + 2999, " 5|", 4);
    ct_string_builder_free(&b);
}

static void keeps_its_memory_when_cleared(void **state) {
    (void)state;
    ct_string_builder b;
    ct_string_builder_init(&b, test_heap());
    ct_string_builder_add(&b, "a text of some length");
    const uint64_t before = ct_allocator_stats_of(test_heap()).total_blocks;
    ct_string_builder_clear(&b);
    assert_string_equal(ct_string_builder_text(&b), "");
    ct_string_builder_add(&b, "another one");
    assert_string_equal(ct_string_builder_text(&b), "another one");
    assert_int_equal(ct_allocator_stats_of(test_heap()).total_blocks, before);
    ct_string_builder_free(&b);
    ct_string_builder_add(&b, "after free");
    assert_string_equal(ct_string_builder_text(&b), "after free");
    ct_string_builder_free(&b);
}

static void room_is_made_once(void **state) {
    (void)state;
    ct_string_builder b;
    ct_string_builder_init(&b, test_heap());
    ct_string_builder_reserve(&b, 1000);
    assert_string_equal(ct_string_builder_text(&b), "");
    const char *const text = b.text;
    for (uint32_t i = 0; i < 1000; ++i)
        ct_string_builder_add_char(&b, 'x');
    assert_ptr_equal(b.text, text);
    assert_int_equal(b.length, 1000);
    ct_string_builder_free(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(room_is_made_once),
        cmocka_unit_test(is_empty_text_before_the_first_piece),
        cmocka_unit_test(joins_pieces),
        cmocka_unit_test(terminates_the_text_after_an_empty_piece),
        cmocka_unit_test(keeps_zero_bytes),
        cmocka_unit_test(grows_to_any_length),
        cmocka_unit_test(formats_pieces_longer_than_the_text_so_far),
        cmocka_unit_test(keeps_its_memory_when_cleared),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
