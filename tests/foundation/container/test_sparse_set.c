#include "foundation/container/sparse_set.h"

#include <string.h>

#include "support/test_support.h"

static void is_empty_without_memory(void **state) {
    (void)state;
    const uint64_t before = ct_allocator_stats_of(test_heap()).total_blocks;
    ct_sparse_set set = {.allocator = test_heap()};
    assert_false(ct_sparse_set_has(&set, 0));
    assert_false(ct_sparse_set_remove(&set, 5));
    ct_sparse_set_clear(&set);
    ct_sparse_set_free(&set);
    assert_int_equal(ct_allocator_stats_of(test_heap()).total_blocks, before);
}

static void keeps_members_dense_in_the_order_of_adding(void **state) {
    (void)state;
    ct_sparse_set set;
    ct_sparse_set_init(&set, test_heap());
    const uint32_t members[] = {7, 0, 100000, 3};
    for (uint32_t i = 0; i < 4; ++i)
        assert_true(ct_sparse_set_add(&set, members[i]));
    assert_false(ct_sparse_set_add(&set, 100000));
    assert_int_equal(set.count, 4);
    assert_memory_equal(set.dense, members, sizeof(members));
    for (uint32_t i = 0; i < 4; ++i)
        assert_int_equal(ct_sparse_set_position(&set, members[i]), i);
    assert_int_equal(ct_sparse_set_position(&set, 4), UINT32_MAX);
    assert_int_equal(ct_sparse_set_position(&set, UINT32_MAX), UINT32_MAX);
    ct_sparse_set_free(&set);
}

static void the_last_takes_the_place_of_the_removed(void **state) {
    (void)state;
    ct_sparse_set set;
    ct_sparse_set_init(&set, test_heap());
    for (uint32_t i = 10; i < 14; ++i)
        ct_sparse_set_add(&set, i);
    assert_true(ct_sparse_set_remove(&set, 11));
    assert_false(ct_sparse_set_remove(&set, 11));
    assert_int_equal(set.count, 3);
    assert_int_equal(set.dense[1], 13);
    assert_int_equal(ct_sparse_set_position(&set, 13), 1);
    assert_true(ct_sparse_set_remove(&set, 12)); // the last itself
    assert_int_equal(set.count, 2);
    ct_sparse_set_free(&set);
    assert_true(ct_sparse_set_add(&set, 1)); // usable again
    ct_sparse_set_free(&set);
}

static void does_not_allocate_within_what_was_reserved(void **state) {
    (void)state;
    ct_sparse_set set;
    ct_sparse_set_init(&set, test_heap());
    ct_sparse_set_reserve(&set, 1000, 300);
    const uint64_t before = ct_allocator_stats_of(test_heap()).total_blocks;
    for (uint32_t round = 0; round < 3; ++round) {
        for (uint32_t i = 0; i < 300; ++i)
            assert_true(ct_sparse_set_add(&set, 999 - 3 * i));
        ct_sparse_set_clear(&set);
        assert_false(ct_sparse_set_has(&set, 999));
    }
    assert_int_equal(ct_allocator_stats_of(test_heap()).total_blocks, before);
    ct_sparse_set_free(&set);
}

// The model is a table of flags.
static void agrees_with_a_table_of_flags(void **state) {
    (void)state;
    enum { UNIVERSE = 1500 };
    static bool is_member[UNIVERSE];
    memset(is_member, 0, sizeof(is_member));
    ct_sparse_set set;
    ct_sparse_set_init(&set, test_heap());
    uint32_t random = 77, count = 0;
    for (uint32_t round = 0; round < test_rounds(1000000, 5000000); ++round) {
        const uint32_t i = test_random(&random) % UNIVERSE;
        if (test_random(&random) % 2) {
            assert_int_equal(ct_sparse_set_add(&set, i), !is_member[i]);
            count += !is_member[i];
            is_member[i] = true;
        } else {
            assert_int_equal(ct_sparse_set_remove(&set, i), is_member[i]);
            count -= is_member[i];
            is_member[i] = false;
        }
        assert_int_equal(set.count, count);
        const uint32_t k = test_random(&random) % UNIVERSE;
        assert_int_equal(ct_sparse_set_has(&set, k), is_member[k]);
        if (test_random(&random) % 20000 == 0) {
            ct_sparse_set_clear(&set);
            memset(is_member, 0, sizeof(is_member));
            count = 0;
        }
    }
    for (uint32_t i = 0; i < set.count; ++i)
        assert_true(is_member[set.dense[i]] && ct_sparse_set_position(&set, set.dense[i]) == i);
    ct_sparse_set_free(&set);
}

static void add_too_large(void *set) {
    ct_sparse_set_add(set, UINT32_MAX);
}

static void refuses_members_that_would_need_gigabytes(void **state) {
    (void)state;
    ct_sparse_set set;
    ct_sparse_set_init(&set, test_heap());
    test_expect_death(add_too_large, &set, "4294967295 is too large for a member of a sparse set");
    ct_sparse_set_free(&set);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_empty_without_memory),
        cmocka_unit_test(keeps_members_dense_in_the_order_of_adding),
        cmocka_unit_test(the_last_takes_the_place_of_the_removed),
        cmocka_unit_test(does_not_allocate_within_what_was_reserved),
        cmocka_unit_test(agrees_with_a_table_of_flags),
        cmocka_unit_test(refuses_members_that_would_need_gigabytes),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
