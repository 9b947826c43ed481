#include "foundation/container/sort.h"

#include <math.h>
#include <stdlib.h>

#include "support/test_support.h"

enum { MOST = 2000 };

static int compare_items64(const void *a, const void *b) {
    const ct_sort_item64 *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return x->index < y->index ? -1 : x->index > y->index;
}

typedef struct sort_case {
    uint32_t count;
    uint64_t keys[MOST];
    ct_sort_item64 sorted[MOST]; // by key, then by index
} sort_case;

// Keys that differ in few or many bits, often equal; few and many of them.
static void make_case(sort_case *c, uint32_t *random, uint64_t top_mask) {
    c->count = test_random(random) % (test_random(random) % 2 ? MOST : 60);
    const uint64_t high = test_random(random);
    uint64_t mask = high << 32 | test_random(random);
    mask &= (uint64_t)test_random(random) << 32 | test_random(random);
    const uint64_t base = (uint64_t)test_random(random) << 32 | test_random(random);
    if (test_random(random) % 4 == 0)
        mask = UINT64_C(0xff) << test_random(random) % 57;
    for (uint32_t i = 0; i < c->count; ++i) {
        const uint64_t bits = (uint64_t)test_random(random) << 32 | test_random(random);
        c->keys[i] = ((bits & mask) ^ (base & ~mask)) & top_mask;
        c->sorted[i] = (ct_sort_item64){c->keys[i], i};
    }
    qsort(c->sorted, c->count, sizeof(c->sorted[0]), compare_items64);
}

static void sorts_64_bit_keys_as_a_stable_sort_does(void **state) {
    (void)state;
    static sort_case c;
    static ct_sort_item64 items[MOST], item_scratch[MOST];
    static uint64_t keys[MOST], key_scratch[MOST];
    static uint32_t order[MOST];
    uint32_t random = 7;
    for (uint32_t round = 0; round < test_rounds(400, 20000); ++round) {
        make_case(&c, &random, UINT64_MAX);
        for (uint32_t i = 0; i < c.count; ++i) {
            items[i] = (ct_sort_item64){c.keys[i], i};
            keys[i] = c.keys[i];
        }
        ct_sort_items64(items, item_scratch, c.count);
        ct_sort_u64(keys, key_scratch, c.count);
        ct_sort_order64(c.keys, order, c.count, test_heap());
        for (uint32_t i = 0; i < c.count; ++i) {
            assert_true(items[i].key == c.sorted[i].key && items[i].index == c.sorted[i].index);
            assert_true(keys[i] == c.sorted[i].key);
            assert_int_equal(order[i], c.sorted[i].index);
        }
    }
}

static void sorts_32_bit_keys_as_a_stable_sort_does(void **state) {
    (void)state;
    static sort_case c;
    static ct_sort_item32 items[MOST], item_scratch[MOST];
    static uint32_t narrow[MOST], keys[MOST], key_scratch[MOST], order[MOST];
    uint32_t random = 8;
    for (uint32_t round = 0; round < test_rounds(400, 20000); ++round) {
        make_case(&c, &random, UINT32_MAX);
        for (uint32_t i = 0; i < c.count; ++i) {
            narrow[i] = keys[i] = (uint32_t)c.keys[i];
            items[i] = (ct_sort_item32){keys[i], i};
        }
        ct_sort_items32(items, item_scratch, c.count);
        ct_sort_u32(keys, key_scratch, c.count);
        ct_sort_order32(narrow, order, c.count, test_heap());
        for (uint32_t i = 0; i < c.count; ++i) {
            assert_true(items[i].key == c.sorted[i].key && items[i].index == c.sorted[i].index);
            assert_true(keys[i] == c.sorted[i].key);
            assert_int_equal(order[i], c.sorted[i].index);
        }
    }
}

// Records of 1 to 8 words, the key and then its place before sorting in all others.
static void sorts_records_of_every_size(void **state) {
    (void)state;
    static sort_case c;
    static uint64_t records[MOST * 8], scratch[MOST * 8];
    uint32_t random = 9, num_in_scratch = 0;
    for (uint32_t round = 0; round < test_rounds(400, 20000); ++round) {
        const uint32_t words = 1 + round % 8;
        make_case(&c, &random, UINT64_MAX);
        for (uint32_t i = 0; i < c.count; ++i) {
            for (uint32_t k = 0; k < words; ++k)
                records[i * words + k] = k ? i : c.keys[i];
        }
        const uint64_t *const sorted = ct_sort_records64(records, scratch, c.count, words * 8);
        assert_true(sorted == records || sorted == scratch);
        num_in_scratch += sorted == scratch;
        for (uint32_t i = 0; i < c.count; ++i) {
            for (uint32_t k = 0; k < words; ++k)
                assert_true(sorted[i * words + k] == (k ? c.sorted[i].index : c.sorted[i].key));
        }
    }
    assert_true(num_in_scratch > 0);
}

static void sort_odd_records(void *records) {
    ct_sort_records64(records, NULL, 1, 20);
}

static void refuses_records_of_odd_sizes(void **state) {
    (void)state;
    uint64_t record[3] = {0};
    test_expect_death(sort_odd_records, record, "from 8 to 64 bytes, found 20");
}

static void sorts_nothing_and_one(void **state) {
    (void)state;
    uint32_t key = 5, order = 9;
    ct_sort_u32(NULL, NULL, 0);
    ct_sort_u32(&key, NULL, 1);
    assert_int_equal(key, 5);
    ct_sort_order32(NULL, NULL, 0, test_heap());
    ct_sort_order32(&key, &order, 1, test_heap());
    assert_int_equal(order, 0);
}

static void does_not_touch_what_lies_after(void **state) {
    (void)state;
    uint64_t keys[101], scratch[101];
    for (uint32_t i = 0; i < 100; ++i)
        keys[i] = 1000000 - 12345 * (uint64_t)i % 777777;
    keys[100] = scratch[100] = 42;
    ct_sort_u64(keys, scratch, 100);
    assert_true(keys[100] == 42 && scratch[100] == 42);
}

static void float_keys_grow_with_the_floats(void **state) {
    (void)state;
    const double values[] = {-INFINITY, -1e30, -2, -1, -1e-40, -0.0,    0.0,
                             1e-40,     0.5,   1,  2,  1e30,   INFINITY};
    for (uint32_t i = 1; i < CT_COUNT_OF(values); ++i) {
        assert_true(ct_sort_key_of_float((float)values[i - 1]) <
                    ct_sort_key_of_float((float)values[i]));
        assert_true(ct_sort_key_of_double(values[i - 1]) < ct_sort_key_of_double(values[i]));
    }
    uint32_t random = 5;
    for (uint32_t i = 0; i < 100000; ++i) {
        const float a = (float)test_random(&random) - 2e9f, b = (float)test_random(&random) - 2e9f;
        assert_int_equal(ct_sort_key_of_float(a) < ct_sort_key_of_float(b), a < b);
        assert_int_equal(ct_sort_key_of_double((double)a) < ct_sort_key_of_double((double)b),
                         a < b);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sorts_64_bit_keys_as_a_stable_sort_does),
        cmocka_unit_test(sorts_32_bit_keys_as_a_stable_sort_does),
        cmocka_unit_test(sorts_records_of_every_size),
        cmocka_unit_test(refuses_records_of_odd_sizes),
        cmocka_unit_test(sorts_nothing_and_one),
        cmocka_unit_test(does_not_touch_what_lies_after),
        cmocka_unit_test(float_keys_grow_with_the_floats),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
