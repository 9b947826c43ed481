#include "foundation/container/soa_block.h"

#include <string.h>

#include "support/test_support.h"

typedef struct big_item {
    double values[5];
} big_item;

// A manager as systems have them.
typedef struct manager {
    ct_soa_block soa;
    uint8_t *flag;
    uint32_t *id;
    big_item *big;
    float *lane; // for vector loads
} manager;

static const ct_soa_array arrays[] = {
    CT_SOA_ARRAY(manager, flag),
    CT_SOA_ARRAY(manager, id),
    CT_SOA_ARRAY(manager, big),
    CT_SOA_ARRAY_ALIGNED(manager, lane, 64),
};

static manager *start(void) {
    manager *const m = CT_NEW(test_heap(), manager);
    ct_soa_block_init(&m->soa, test_heap(), m, arrays, CT_COUNT_OF(arrays));
    return m;
}

static void end(manager *m) {
    ct_soa_block_free(&m->soa);
    ct_free(test_heap(), m);
}

static void set(manager *m, uint32_t i, uint32_t id) {
    m->flag[i] = (uint8_t)id;
    m->id[i] = id;
    m->big[i] = (big_item){{id, 0, 0, 0, id + 0.5}};
    m->lane[i] = (float)id;
}

static void check(const manager *m, uint32_t i, uint32_t id) {
    assert_int_equal(m->flag[i], (uint8_t)id);
    assert_int_equal(m->id[i], id);
    assert_true(m->big[i].values[0] == id && m->big[i].values[4] == id + 0.5);
    assert_true(m->lane[i] == (float)id);
}

static void allocates_nothing_before_the_first_item(void **state) {
    (void)state;
    manager *const m = start();
    assert_null(m->soa.memory);
    assert_null(m->id);
    end(m);
}

static void keeps_all_arrays_in_one_aligned_allocation(void **state) {
    (void)state;
    manager *const m = start();
    const uint64_t before = ct_allocator_stats_of(test_heap()).live_blocks;
    ct_soa_block_reserve(&m->soa, 100);
    assert_int_equal(ct_allocator_stats_of(test_heap()).live_blocks, before + 1);
    assert_int_equal(m->soa.capacity, 128);
    assert_int_equal((uintptr_t)m->id % sizeof(uint32_t), 0);
    assert_int_equal((uintptr_t)m->big % sizeof(double), 0);
    assert_int_equal((uintptr_t)m->lane % 64, 0);
    assert_true((char *)m->id >= (char *)m->flag + 128);
    assert_true((char *)m->big >= (char *)(m->id + 128));
    assert_true((char *)m->lane >= (char *)(m->big + 128));
    assert_ptr_equal(m->lane + 128, m->soa.memory + m->soa.memory_bytes);
    assert_int_equal(m->soa.memory_bytes, ct_soa_block_bytes(&m->soa, 128));
    end(m);
}

static void aligns_arrays_behind_odd_ones(void **state) {
    (void)state;
    manager *const m = start();
    ct_soa_block_add(&m->soa, 1); // 16 of 1, 4 and 40 bytes are no multiple of 64
    assert_int_equal((uintptr_t)m->lane % 64, 0);
    assert_ptr_equal(m->lane + 16, m->soa.memory + m->soa.memory_bytes);
    end(m);
}

static void keeps_items_while_it_doubles(void **state) {
    (void)state;
    manager *const m = start();
    for (uint32_t i = 0; i < 1000; ++i) {
        assert_int_equal(ct_soa_block_add(&m->soa, 1), i);
        set(m, i, i * 7);
        assert_int_equal(m->soa.capacity, i < 16 ? 16 : 1u << (32 - __builtin_clz(i)));
    }
    for (uint32_t i = 0; i < 1000; ++i)
        check(m, i, i * 7);
    end(m);
}

static void adds_many_zeroed_items_at_once(void **state) {
    (void)state;
    manager *const m = start();
    ct_soa_block_add(&m->soa, 50);
    for (uint32_t i = 0; i < 50; ++i)
        set(m, i, 255);
    ct_soa_block_clear(&m->soa);
    assert_int_equal(ct_soa_block_add(&m->soa, 3), 0);
    assert_int_equal(ct_soa_block_add(&m->soa, 0), 3);
    assert_int_equal(ct_soa_block_add(&m->soa, 40), 3);
    assert_int_equal(m->soa.count, 43);
    for (uint32_t i = 0; i < 43; ++i)
        assert_true(m->id[i] == 0 && m->flag[i] == 0 && m->lane[i] == 0 &&
                    m->big[i].values[4] == 0);
    end(m);
}

static void zeroes_what_it_adds_in_an_erased_place(void **state) {
    (void)state;
    manager *const m = start();
    ct_soa_block_add(&m->soa, 2);
    set(m, 1, 255);
    ct_soa_block_swap_erase(&m->soa, 1);
    assert_int_equal(ct_soa_block_add(&m->soa, 1), 1);
    assert_true(m->id[1] == 0 && m->flag[1] == 0 && m->lane[1] == 0 && m->big[1].values[4] == 0);
    end(m);
}

static void reserves_once_for_many(void **state) {
    (void)state;
    manager *const m = start();
    ct_soa_block_reserve(&m->soa, 500);
    const uint64_t before = ct_allocator_stats_of(test_heap()).total_blocks;
    for (uint32_t i = 0; i < 500; ++i)
        ct_soa_block_add(&m->soa, 1);
    assert_int_equal(ct_allocator_stats_of(test_heap()).total_blocks, before);
    end(m);
}

static void moves_the_last_item_into_the_place_of_an_erased_one(void **state) {
    (void)state;
    manager *const m = start();
    uint32_t model[300];
    uint32_t count = 0, random = 11, next_id = 1;
    for (uint32_t round = 0; round < 20000; ++round) {
        if (count == 0 || (count < 300 && test_random(&random) % 5 < 3)) {
            const uint32_t i = ct_soa_block_add(&m->soa, 1);
            set(m, i, model[count++] = next_id++);
        } else {
            const uint32_t i = test_random(&random) % count;
            ct_soa_block_swap_erase(&m->soa, i);
            model[i] = model[--count];
        }
        assert_int_equal(m->soa.count, count);
        if (round % 50 == 0)
            for (uint32_t i = 0; i < count; ++i)
                check(m, i, model[i]);
    }
    end(m);
}

static void is_usable_again_after_it_was_freed(void **state) {
    (void)state;
    manager *const m = start();
    ct_soa_block_add(&m->soa, 20);
    ct_soa_block_free(&m->soa);
    assert_null(m->id);
    assert_int_equal(ct_soa_block_add(&m->soa, 1), 0);
    set(m, 0, 3);
    end(m);
}

static void erase_what_is_not_there(void *user) {
    ct_soa_block_swap_erase(&((manager *)user)->soa, 5);
}

static void add_too_many(void *user) {
    ct_soa_block_add(&((manager *)user)->soa, UINT32_MAX);
}

static void reports_misuse(void **state) {
    (void)state;
    manager *const m = start();
    ct_soa_block_add(&m->soa, 5);
    test_expect_death(erase_what_is_not_there, m, "item 5 is out of range: there are 5 items");
    test_expect_death(add_too_many, m, "4294967300 items are too many");
    end(m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(allocates_nothing_before_the_first_item),
        cmocka_unit_test(keeps_all_arrays_in_one_aligned_allocation),
        cmocka_unit_test(aligns_arrays_behind_odd_ones),
        cmocka_unit_test(keeps_items_while_it_doubles),
        cmocka_unit_test(adds_many_zeroed_items_at_once),
        cmocka_unit_test(zeroes_what_it_adds_in_an_erased_place),
        cmocka_unit_test(reserves_once_for_many),
        cmocka_unit_test(moves_the_last_item_into_the_place_of_an_erased_one),
        cmocka_unit_test(is_usable_again_after_it_was_freed),
        cmocka_unit_test(reports_misuse),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
