#include "support/test_support.h"

#include "entity/soa.h"

typedef struct body_arrays {
    ct_soa soa;
    uint8_t *kind;
    double *mass;
    uint32_t *number;
} body_arrays;

static const ct_soa_column columns[] = {
    CT_SOA_COLUMN(body_arrays, kind),
    CT_SOA_COLUMN(body_arrays, mass),
    CT_SOA_COLUMN(body_arrays, number),
};

static void start(body_arrays *b) {
    ct_soa_init(&b->soa, test_heap(), b, columns, CT_COUNT_OF(columns));
}

static void add_numbered(body_arrays *b, uint32_t number) {
    const uint32_t i = ct_soa_add(&b->soa);
    b->kind[i] = (uint8_t)number;
    b->mass[i] = number * 0.5;
    b->number[i] = number;
}

static void starts_with_a_zeroed_none(void **state) {
    (void)state;
    body_arrays b;
    start(&b);
    assert_int_equal(b.soa.count, 1);
    assert_int_equal(b.kind[0], 0);
    assert_true(b.mass[0] == 0);
    assert_int_equal(b.number[0], 0);
    ct_soa_free(&b.soa);
}

static void keeps_all_arrays_when_it_grows(void **state) {
    (void)state;
    body_arrays b;
    start(&b);
    for (uint32_t i = 1; i < 1000; ++i)
        add_numbered(&b, i);
    for (uint32_t i = 1; i < 1000; ++i) {
        assert_int_equal(b.kind[i], i & 255);
        assert_true(b.mass[i] == i * 0.5);
        assert_int_equal(b.number[i], i);
    }
    assert_int_equal((uintptr_t)b.mass % 64, 0);
    ct_soa_free(&b.soa);
}

static void keeps_all_in_one_allocation(void **state) {
    (void)state;
    const uint64_t before = ct_allocator_stats_of(test_heap()).live_blocks;
    body_arrays b;
    start(&b);
    for (uint32_t i = 1; i < 1000; ++i)
        add_numbered(&b, i);
    assert_int_equal(ct_allocator_stats_of(test_heap()).live_blocks - before, 1);
    ct_soa_free(&b.soa);
}

static void zeroes_what_it_adds_in_a_used_place(void **state) {
    (void)state;
    body_arrays b;
    start(&b);
    add_numbered(&b, 7);
    ct_soa_swap_erase(&b.soa, 1);
    const uint32_t i = ct_soa_add(&b.soa);
    assert_int_equal(i, 1);
    assert_int_equal(b.kind[i], 0);
    assert_true(b.mass[i] == 0);
    assert_int_equal(b.number[i], 0);
    ct_soa_free(&b.soa);
}

static void erases_by_moving_the_last_item(void **state) {
    (void)state;
    body_arrays b;
    start(&b);
    for (uint32_t i = 1; i <= 5; ++i)
        add_numbered(&b, i);
    ct_soa_swap_erase(&b.soa, 2);
    assert_int_equal(b.soa.count, 5);
    assert_int_equal(b.number[2], 5);
    assert_true(b.mass[2] == 2.5);
    assert_int_equal(b.kind[2], 5);
    assert_int_equal(b.number[1], 1);
    assert_int_equal(b.number[4], 4);
    ct_soa_free(&b.soa);
}

static void reserves_once_for_many(void **state) {
    (void)state;
    body_arrays b;
    start(&b);
    ct_soa_reserve(&b.soa, 500);
    const uint64_t before = ct_allocator_stats_of(test_heap()).total_blocks;
    for (uint32_t i = 1; i < 500; ++i)
        add_numbered(&b, i);
    assert_int_equal(ct_allocator_stats_of(test_heap()).total_blocks, before);
    ct_soa_free(&b.soa);
}

static void erase_none(void *user) {
    ct_soa_swap_erase(user, 0);
}

static void dies_when_none_is_erased(void **state) {
    (void)state;
    body_arrays b;
    start(&b);
    add_numbered(&b, 1);
    test_expect_death(erase_none, &b.soa, "item 0 of 2");
    ct_soa_free(&b.soa);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(starts_with_a_zeroed_none),
        cmocka_unit_test(keeps_all_arrays_when_it_grows),
        cmocka_unit_test(keeps_all_in_one_allocation),
        cmocka_unit_test(zeroes_what_it_adds_in_a_used_place),
        cmocka_unit_test(erases_by_moving_the_last_item),
        cmocka_unit_test(reserves_once_for_many),
        cmocka_unit_test(dies_when_none_is_erased),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
