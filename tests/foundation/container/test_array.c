#include "foundation/container/array.h"

#include <string.h>

#include "support/test_support.h"

typedef struct point {
    int x, y;
} point;

static void starts_empty_without_memory(void **state) {
    (void)state;
    const uint64_t before = ct_allocator_stats_of(test_heap()).total_blocks;
    ct_u32_array a;
    ct_array_init(&a, test_heap());
    assert_int_equal(a.count, 0);
    ct_array_free(&a);
    assert_int_equal(ct_allocator_stats_of(test_heap()).total_blocks, before);
}

static void doubles_from_eight(void **state) {
    (void)state;
    ct_u32_array a = {.allocator = test_heap()}; // zeroed otherwise is valid
    for (uint32_t i = 0; i < 1000; ++i) {
        ct_array_push(&a, i * 3);
        assert_int_equal(a.count, i + 1);
        assert_true(a.capacity >= a.count && a.capacity >= 8);
        assert_int_equal(a.capacity & (a.capacity - 1), 0);
    }
    for (uint32_t i = 0; i < 1000; ++i)
        assert_int_equal(a.items[i], i * 3);
    assert_int_equal(a.capacity, 1024);
    ct_array_free(&a);
    assert_null(a.items);
    assert_int_equal(a.count + a.capacity, 0);
    ct_array_push(&a, 5u); // usable again
    assert_int_equal(a.items[0], 5);
    ct_array_free(&a);
}

static void pushes_compound_literals(void **state) {
    (void)state;
    CT_ARRAY(point) a;
    ct_array_init(&a, test_heap());
    ct_array_push(&a, (point){1, 2});
    ct_array_push(&a, (point){.x = 3, .y = 4});
    assert_int_equal(a.items[0].y, 2);
    assert_int_equal(a.items[1].x, 3);
    ct_array_free(&a);
}

static void pushes_an_own_item_while_growing(void **state) {
    (void)state;
    ct_u64_array a;
    ct_array_init(&a, test_heap());
    ct_array_push(&a, 77);
    for (uint32_t i = 0; i < 100; ++i)
        ct_array_push(&a, a.items[0]);
    assert_int_equal(a.items[100], 77);
    ct_array_free(&a);
}

static void pushes_many(void **state) {
    (void)state;
    ct_byte_array a;
    ct_array_init(&a, test_heap());
    ct_array_push_many(&a, NULL, 0u);
    assert_int_equal(a.count, 0);
    ct_array_push_many(&a, "hello", 5u);
    ct_array_push_many(&a, " and good bye", 13u);
    assert_int_equal(a.count, 18);
    assert_memory_equal(a.items, "hello and good bye", 18);
    ct_array_free(&a);
}

static void reserves_without_changing_the_count(void **state) {
    (void)state;
    ct_u32_array a;
    ct_array_init(&a, test_heap());
    ct_array_push(&a, 1u);
    ct_array_reserve(&a, 100u);
    assert_int_equal(a.count, 1);
    assert_int_equal(a.capacity, 128);
    const uint32_t *const items = a.items;
    for (uint32_t i = 1; i < 100; ++i)
        ct_array_push(&a, i);
    assert_ptr_equal(a.items, items);
    ct_array_reserve(&a, 3u); // never shrinks
    assert_int_equal(a.capacity, 128);
    ct_array_free(&a);
}

static void zeroes_new_items_when_resized(void **state) {
    (void)state;
    ct_u32_array a;
    ct_array_init(&a, test_heap());
    for (uint32_t i = 0; i < 20; ++i)
        ct_array_push(&a, UINT32_MAX);
    ct_array_resize(&a, 5u);
    assert_int_equal(a.count, 5);
    ct_array_resize(&a, 50u);
    assert_int_equal(a.count, 50);
    for (uint32_t i = 0; i < 50; ++i)
        assert_int_equal(a.items[i], i < 5 ? UINT32_MAX : 0);
    ct_array_resize(&a, 0u);
    assert_int_equal(a.count, 0);
    ct_array_free(&a);
}

static void moves_the_last_item_into_the_erased_place(void **state) {
    (void)state;
    ct_u32_array a;
    ct_array_init(&a, test_heap());
    for (uint32_t i = 0; i < 4; ++i)
        ct_array_push(&a, i);
    ct_array_swap_erase(&a, 1);
    assert_int_equal(a.count, 3);
    assert_int_equal(a.items[1], 3);
    ct_array_swap_erase(&a, 2); // the last itself
    assert_int_equal(a.count, 2);
    assert_int_equal(a.items[0], 0);
    assert_int_equal(a.items[1], 3);
    ct_array_free(&a);
}

static void inserts_and_erases_in_order(void **state) {
    (void)state;
    CT_ARRAY(point) a;
    ct_array_init(&a, test_heap());
    ct_array_insert(&a, 0u, (point){3, 30}); // into an empty array
    ct_array_insert(&a, 0u, (point){1, 10});
    ct_array_insert(&a, 1u, (point){2, 20});
    ct_array_insert(&a, 3u, (point){4, 40}); // at the end
    assert_int_equal(a.count, 4);
    for (int i = 0; i < 4; ++i)
        assert_true(a.items[i].x == i + 1 && a.items[i].y == 10 * (i + 1));
    ct_array_erase(&a, 1u, 2u);
    assert_int_equal(a.count, 2);
    assert_true(a.items[0].x == 1 && a.items[1].x == 4);
    ct_array_erase(&a, 2u, 0u);
    assert_int_equal(a.count, 2);
    ct_array_erase(&a, 0u, 2u);
    assert_int_equal(a.count, 0);
    ct_array_free(&a);
    ct_array_erase(&a, 0u, 0u); // without memory, too
    assert_int_equal(a.count, 0);
}

// The model is a plain array with room for all, moved item by item.
static void agrees_with_a_model_that_moves_single_items(void **state) {
    (void)state;
    enum { MOST = 100 };
    uint32_t model[MOST], count = 0, random = 11;
    ct_u32_array a;
    ct_array_init(&a, test_heap());
    for (uint32_t round = 0; round < test_rounds(30000, 1000000); ++round) {
        const uint32_t at = test_random(&random) % (count + 1), value = test_random(&random);
        if (count < MOST && value % 3 != 0) {
            for (uint32_t i = count++; i > at; --i)
                model[i] = model[i - 1];
            model[at] = value;
            ct_array_insert(&a, at, value);
        } else {
            const uint32_t n = value % (count - at + 1);
            for (uint32_t i = at; i + n < count; ++i)
                model[i] = model[i + n];
            count -= n;
            ct_array_erase(&a, at, n);
        }
        assert_int_equal(a.count, count);
        if (count)
            assert_memory_equal(a.items, model, sizeof(uint32_t) * count);
    }
    ct_array_free(&a);
}

static void insert_past_the_end(void *user) {
    ct_u32_array *const a = user;
    ct_array_insert(a, 2u, 7u);
}

static void erase_past_the_end(void *user) {
    ct_u32_array *const a = user;
    ct_array_erase(a, 1u, UINT64_MAX);
}

static void refuses_places_past_the_end(void **state) {
    (void)state;
    ct_u32_array a;
    ct_array_init(&a, test_heap());
    ct_array_push(&a, 1u);
    test_expect_death(insert_past_the_end, &a, "index 2 is out of range: the array has 1 items");
    test_expect_death(erase_past_the_end, &a,
                      "items 1 to 0 are out of range: the array has 1 items");
    ct_array_free(&a);
}

static void reserve_too_much(void *user) {
    ct_u32_array *const a = user;
    a->count = UINT32_MAX;
    ct_array_push(a, 1u);
}

static void refuses_more_items_than_it_can_count(void **state) {
    (void)state;
    ct_u32_array a;
    ct_array_init(&a, test_heap());
    test_expect_death(reserve_too_much, &a, "4294967296 items are too many for an array");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(starts_empty_without_memory),
        cmocka_unit_test(doubles_from_eight),
        cmocka_unit_test(pushes_compound_literals),
        cmocka_unit_test(pushes_an_own_item_while_growing),
        cmocka_unit_test(pushes_many),
        cmocka_unit_test(reserves_without_changing_the_count),
        cmocka_unit_test(zeroes_new_items_when_resized),
        cmocka_unit_test(moves_the_last_item_into_the_erased_place),
        cmocka_unit_test(inserts_and_erases_in_order),
        cmocka_unit_test(agrees_with_a_model_that_moves_single_items),
        cmocka_unit_test(refuses_places_past_the_end),
        cmocka_unit_test(refuses_more_items_than_it_can_count),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
