#include "foundation/hash_map.h"

#include <string.h>

#include "support/test_support.h"

static void is_empty_without_memory(void **state) {
    (void)state;
    const uint64_t before = ct_allocator_stats_of(test_heap()).total_blocks;
    ct_hash_map map = {.allocator = test_heap()};
    uint32_t cursor = 0;
    assert_int_equal(ct_hash_map_get(&map, 5, 99), 99);
    assert_int_equal(ct_hash_map_get(&map, 0, 98), 98);
    assert_null(ct_hash_map_find(&map, 5));
    assert_null(ct_hash_map_find(&map, 0));
    assert_false(ct_hash_map_erase(&map, 5));
    assert_false(ct_hash_map_erase(&map, 0));
    assert_null(ct_hash_map_next(&map, &cursor));
    ct_hash_map_clear(&map);
    ct_hash_map_free(&map);
    assert_int_equal(ct_allocator_stats_of(test_heap()).total_blocks, before);
}

static void sets_and_replaces(void **state) {
    (void)state;
    ct_hash_map map;
    ct_hash_map_init(&map, test_heap());
    ct_hash_map_set(&map, 7, 70);
    ct_hash_map_set(&map, UINT64_MAX, 80);
    ct_hash_map_set(&map, 7, 71);
    assert_int_equal(map.count, 2);
    assert_int_equal(ct_hash_map_get(&map, 7, 0), 71);
    assert_int_equal(ct_hash_map_get(&map, UINT64_MAX, 0), 80);
    *ct_hash_map_find(&map, 7) = 72;
    assert_int_equal(ct_hash_map_get(&map, 7, 0), 72);
    ct_hash_map_free(&map);
}

static void treats_key_zero_as_any_other(void **state) {
    (void)state;
    ct_hash_map map;
    ct_hash_map_init(&map, test_heap());
    ct_hash_map_set(&map, 0, 5);
    assert_int_equal(map.count, 1);
    for (uint64_t key = 1; key < 100; ++key) // carried along when the table grows
        ct_hash_map_set(&map, key, key);
    assert_int_equal(ct_hash_map_get(&map, 0, 99), 5);
    ct_hash_map_set(&map, 0, 6);
    assert_int_equal(map.count, 100);
    assert_true(ct_hash_map_erase(&map, 0));
    assert_false(ct_hash_map_erase(&map, 0));
    assert_null(ct_hash_map_find(&map, 0));
    assert_int_equal(map.count, 99);
    ct_hash_map_free(&map);
}

static void walks_every_entry_once(void **state) {
    (void)state;
    ct_hash_map map;
    ct_hash_map_init(&map, test_heap());
    for (uint64_t key = 0; key < 50; ++key)
        ct_hash_map_set(&map, key, key + 1000);
    uint64_t seen = 0;
    uint32_t cursor = 0, count = 0;
    for (ct_hash_map_entry *e; (e = ct_hash_map_next(&map, &cursor)); ++count) {
        assert_true(e->key < 50 && e->value == e->key + 1000);
        assert_false(seen >> e->key & 1);
        seen |= UINT64_C(1) << e->key;
        e->value = 3;
    }
    assert_int_equal(count, 50);
    assert_null(ct_hash_map_next(&map, &cursor)); // stays at the end
    assert_int_equal(ct_hash_map_get(&map, 0, 0), 3);
    assert_int_equal(ct_hash_map_get(&map, 49, 0), 3);
    ct_hash_map_free(&map);
}

static void reserves_for_entries(void **state) {
    (void)state;
    ct_hash_map map;
    ct_hash_map_init(&map, test_heap());
    ct_hash_map_reserve(&map, 1000);
    const uint64_t before = ct_allocator_stats_of(test_heap()).total_blocks;
    for (uint64_t key = 0; key < 1000; ++key)
        ct_hash_map_set(&map, key * 977, key);
    assert_int_equal(ct_allocator_stats_of(test_heap()).total_blocks, before);
    ct_hash_map_reserve(&map, 10); // never shrinks
    assert_int_equal(ct_allocator_stats_of(test_heap()).total_blocks, before);
    ct_hash_map_free(&map);
}

static void keeps_the_load_at_seventy_percent(void **state) {
    (void)state;
    ct_hash_map map;
    ct_hash_map_init(&map, test_heap());
    for (uint64_t key = 1; key < 3000; ++key) {
        ct_hash_map_set(&map, key, 0);
        assert_true((uint64_t)map.count * 10 <= (uint64_t)map.capacity * 7);
        assert_int_equal(map.capacity & (map.capacity - 1), 0);
    }
    assert_int_equal(map.capacity, 8192); // 2999 entries are 73 % of 4096
    ct_hash_map_free(&map);
}

static void clears_but_keeps_its_memory(void **state) {
    (void)state;
    ct_hash_map map;
    ct_hash_map_init(&map, test_heap());
    for (uint64_t key = 0; key < 100; ++key)
        ct_hash_map_set(&map, key, key);
    const uint64_t before = ct_allocator_stats_of(test_heap()).total_blocks;
    ct_hash_map_clear(&map);
    assert_int_equal(map.count, 0);
    for (uint64_t key = 0; key < 100; ++key)
        assert_null(ct_hash_map_find(&map, key));
    for (uint64_t key = 0; key < 100; ++key)
        ct_hash_map_set(&map, key + 5, key);
    assert_int_equal(ct_allocator_stats_of(test_heap()).total_blocks, before);
    ct_hash_map_free(&map);
    ct_hash_map_set(&map, 1, 2); // usable again
    assert_int_equal(ct_hash_map_get(&map, 1, 0), 2);
    ct_hash_map_free(&map);
}

// --- Against a model: a value (or none) per key of a small set -----------------------------------

enum { NUM_KEYS = 400 };

typedef struct model {
    ct_hash_map map;
    uint64_t keys[NUM_KEYS];
    uint64_t values[NUM_KEYS]; // 0: not in the map
    uint32_t count;
} model;

static void check_all(const model *m) {
    for (uint32_t i = 0; i < NUM_KEYS; ++i)
        assert_true(ct_hash_map_get(&m->map, m->keys[i], 0) == m->values[i]);
    uint32_t cursor = 0, count = 0;
    while (ct_hash_map_next(&m->map, &cursor))
        ++count;
    assert_int_equal(count, m->count);
}

static void set_one(model *m, uint32_t i, uint64_t value) {
    m->count += m->values[i] == 0;
    m->values[i] = value;
    ct_hash_map_set(&m->map, m->keys[i], value);
}

static void erase_one(model *m, uint32_t i) {
    assert_int_equal(ct_hash_map_erase(&m->map, m->keys[i]), m->values[i] != 0);
    m->count -= m->values[i] != 0;
    m->values[i] = 0;
}

// `num_used` keeps the table small and full, so that runs are long and wrap around.
static void compare(model *m, uint32_t num_used, uint32_t rounds, uint32_t random) {
    memset(m->values, 0, sizeof(m->values));
    m->count = 0;
    ct_hash_map_init(&m->map, test_heap());
    for (uint32_t round = 0; round < rounds; ++round) {
        const uint32_t i = test_random(&random) % num_used;
        const uint32_t pushes = round / 1024 % 2 ? 5 : 11; // of 16: fills up, then thins out
        if (test_random(&random) % 16 < pushes)
            set_one(m, i, 1 + test_random(&random));
        else
            erase_one(m, i);
        assert_int_equal(m->map.count, m->count);
        if (round % 32 == 0)
            check_all(m);
        if (test_random(&random) % 10000 == 0) {
            ct_hash_map_free(&m->map);
            memset(m->values, 0, sizeof(m->values));
            m->count = 0;
        }
    }
    check_all(m);
    ct_hash_map_free(&m->map);
}

static void agrees_with_a_table_for_random_keys(void **state) {
    (void)state;
    model *m = CT_NEW(test_heap(), model);
    uint32_t random = 2024;
    for (uint32_t i = 1; i < NUM_KEYS; ++i) // keys[0] is key 0
        m->keys[i] = (uint64_t)test_random(&random) << 32 | i;
    const uint32_t rounds = test_rounds(10000, 1000000);
    compare(m, NUM_KEYS, rounds, 1);
    compare(m, 23, rounds, 2);
    compare(m, 6, rounds, 3);
    ct_free(test_heap(), m);
}

// Keys whose product with the map's factor is near 0 or near 2^64 all want the first or the last
// place: one long run that wraps around the table's end.
static void agrees_with_a_table_for_keys_that_collide(void **state) {
    (void)state;
    const uint64_t factor = UINT64_C(0x9e3779b97f4a7c15);
    uint64_t inverse = factor; // Newton's iteration doubles the right bits each time
    for (uint32_t i = 0; i < 6; ++i)
        inverse *= 2 - factor * inverse;
    assert_true(factor * inverse == 1);
    model *m = CT_NEW(test_heap(), model);
    for (uint32_t i = 0; i < NUM_KEYS; ++i)
        m->keys[i] = (i % 2 ? (uint64_t)0 - i : i) * inverse;
    const uint32_t rounds = test_rounds(10000, 1000000);
    compare(m, NUM_KEYS, rounds, 4);
    compare(m, 22, rounds, 5);
    ct_free(test_heap(), m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_empty_without_memory),
        cmocka_unit_test(sets_and_replaces),
        cmocka_unit_test(treats_key_zero_as_any_other),
        cmocka_unit_test(walks_every_entry_once),
        cmocka_unit_test(reserves_for_entries),
        cmocka_unit_test(keeps_the_load_at_seventy_percent),
        cmocka_unit_test(clears_but_keeps_its_memory),
        cmocka_unit_test(agrees_with_a_table_for_random_keys),
        cmocka_unit_test(agrees_with_a_table_for_keys_that_collide),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
