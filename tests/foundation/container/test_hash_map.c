#include "foundation/container/hash_map.h"

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

static void starts_at_a_cache_line(void **state) {
    (void)state;
    ct_hash_map map;
    ct_hash_map_init(&map, test_heap());
    for (uint64_t key = 1; key < 5000; ++key) {
        ct_hash_map_set(&map, key, key);
        assert_int_equal((uintptr_t)map.entries % 64, 0);
    }
    ct_hash_map_free(&map);
}

static void gets_many_as_it_gets_one(void **state) {
    (void)state;
    enum { MOST = 300 };
    uint64_t keys[MOST], values[MOST + 1];
    ct_hash_map map;
    ct_hash_map_init(&map, test_heap());
    uint32_t random = 5;
    for (uint32_t count = 0; count <= MOST; ++count) { // the map is empty at first
        for (uint32_t i = 0; i < count; ++i)
            keys[i] = test_random(&random) % 512;
        memset(values, 0xab, sizeof(values));
        ct_hash_map_get_many(&map, keys, count, 12345, values);
        for (uint32_t i = 0; i < count; ++i)
            assert_true(values[i] == ct_hash_map_get(&map, keys[i], 12345));
        assert_true(values[count] == UINT64_C(0xabababababababab));
        ct_hash_map_set(&map, count, test_random(&random));
    }
    uint64_t same[2] = {300, 1000}; // keys and values in one array
    ct_hash_map_get_many(&map, same, 2, 7, same);
    assert_true(same[0] == ct_hash_map_get(&map, 300, 7) && same[1] == 7);
    ct_hash_map_free(&map);
}

// --- Keys that are no hashes ---------------------------------------------------------------------

// The mean number of places that a lookup of each of the map's keys looks at.
static double mean_probes(const ct_hash_map *map) {
    uint64_t probes = 0;
    for (uint32_t i = 0; i < map->capacity; ++i) {
        if (map->entries[i].key)
            probes += ((i - ct_hash_map_home(map, map->entries[i].key)) & (map->capacity - 1)) + 1;
    }
    return (double)probes / map->count;
}

static uint64_t key_in_order(uint32_t i, uint32_t shift) {
    return (uint64_t)(i + 1) << shift;
}

static uint64_t key_of_pair(uint32_t i, uint32_t shift) {
    return (uint64_t)(i / 256 + 1) << shift | i % 256;
}

static uint64_t key_of_address(uint32_t i, uint32_t shift) {
    return UINT64_C(0x7f3200000000) + ((uint64_t)i << shift) * 3;
}

static uint64_t key_of_double(uint32_t i, uint32_t shift) {
    const double value = (double)i + shift;
    uint64_t bits;
    memcpy(&bits, &value, sizeof(bits));
    return bits;
}

// Random keys would look at 2.2 places at 70 % load.
static void keys_in_patterns_spread(void **state) {
    (void)state;
    uint64_t (*const patterns[])(uint32_t i, uint32_t shift) = {key_in_order, key_of_pair,
                                                                key_of_address, key_of_double};
    for (uint32_t p = 0; p < CT_COUNT_OF(patterns); ++p) {
        for (uint32_t shift = 8; shift <= 40; shift += 4) {
            ct_hash_map map;
            ct_hash_map_init(&map, test_heap());
            for (uint32_t i = 0; i < 22000; ++i) // 67 % of 2^15
                ct_hash_map_set(&map, patterns[p](i, shift), i);
            assert_int_equal(map.count, 22000);
            if (mean_probes(&map) > 2.6)
                fail_msg("pattern %u, shift %u: %g places a lookup", p, shift, mean_probes(&map));
            ct_hash_map_free(&map);
        }
    }
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

// Sets a value where there is none.
static void add_one(model *m, uint32_t i, uint64_t value) {
    const bool is_new = m->values[i] == 0;
    assert_int_equal(ct_hash_map_add(&m->map, m->keys[i], value), is_new);
    m->values[i] = is_new ? value : m->values[i];
    m->count += is_new;
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
            (test_random(&random) % 2 ? set_one : add_one)(m, i, 1 + test_random(&random));
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
    model *const m = CT_NEW(test_heap(), model);
    uint32_t random = 2024;
    for (uint32_t i = 1; i < NUM_KEYS; ++i) // keys[0] is key 0
        m->keys[i] = (uint64_t)test_random(&random) << 32 | i;
    const uint32_t rounds = test_rounds(10000, 1000000);
    compare(m, NUM_KEYS, rounds, 1);
    compare(m, 23, rounds, 2);
    compare(m, 6, rounds, 3);
    ct_free(test_heap(), m);
}

// The key whose hash is `hash`: the steps of ct_hash_map_home undone.
static uint64_t key_of_hash(uint64_t hash) {
    const uint64_t factor = UINT64_C(0x9e3779b97f4a7c15);
    uint64_t inverse = factor; // Newton's iteration doubles the right bits each time
    for (uint32_t i = 0; i < 6; ++i)
        inverse *= 2 - factor * inverse;
    assert_true(factor * inverse == 1);
    const uint64_t folded = hash * inverse;
    return (folded ^ folded >> 32) * inverse;
}

// Keys whose hashes are near 0 or near 2^64 all want the first or the last place: one long run that
// wraps around the table's end.
static void agrees_with_a_table_for_keys_that_collide(void **state) {
    (void)state;
    model *const m = CT_NEW(test_heap(), model);
    for (uint32_t i = 0; i < NUM_KEYS; ++i)
        m->keys[i] = key_of_hash(i % 2 ? (uint64_t)0 - i : i);
    ct_hash_map_init(&m->map, test_heap());
    ct_hash_map_reserve(&m->map, 1000);
    assert_int_equal(ct_hash_map_home(&m->map, m->keys[7]), m->map.capacity - 1);
    assert_int_equal(ct_hash_map_home(&m->map, m->keys[8]), 0);
    ct_hash_map_free(&m->map);
    const uint32_t rounds = test_rounds(10000, 1000000);
    compare(m, NUM_KEYS, rounds, 4);
    compare(m, 22, rounds, 5);
    ct_free(test_heap(), m);
}

// A model that knows every key by arithmetic: member i of a pattern is in the map when bit i is
// set. Erases are as many as sets, so that the table fills, thins out and stays at its size.
static void agrees_with_a_table_of_bits_for_many_keys(void **state) {
    (void)state;
    enum { NUM_MEMBERS = 5000 };
    static bool is_member[NUM_MEMBERS];
    for (uint32_t shift = 0; shift <= 48; shift += 24) {
        ct_hash_map map;
        ct_hash_map_init(&map, test_heap());
        memset(is_member, 0, sizeof(is_member));
        uint32_t random = 99 + shift, count = 0;
        for (uint32_t round = 0; round < test_rounds(350000, 3000000); ++round) {
            const uint32_t i = test_random(&random) % NUM_MEMBERS;
            const uint64_t key = (uint64_t)i << shift;
            assert_int_equal(ct_hash_map_find(&map, key) != NULL, is_member[i]);
            if (test_random(&random) % 2 == 0) {
                ct_hash_map_set(&map, key, i);
                count += !is_member[i];
                is_member[i] = true;
            } else {
                assert_int_equal(ct_hash_map_erase(&map, key), is_member[i]);
                count -= is_member[i];
                is_member[i] = false;
            }
            assert_int_equal(map.count, count);
        }
        for (uint32_t i = 0; i < NUM_MEMBERS; ++i)
            assert_true(ct_hash_map_get(&map, (uint64_t)i << shift, UINT64_MAX) ==
                        (is_member[i] ? i : UINT64_MAX));
        ct_hash_map_free(&map);
    }
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
        cmocka_unit_test(starts_at_a_cache_line),
        cmocka_unit_test(gets_many_as_it_gets_one),
        cmocka_unit_test(keys_in_patterns_spread),
        cmocka_unit_test(agrees_with_a_table_of_bits_for_many_keys),
        cmocka_unit_test(agrees_with_a_table_for_random_keys),
        cmocka_unit_test(agrees_with_a_table_for_keys_that_collide),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
