// bench_hash_map.c: a million random 64-bit keys with 64-bit values; each key is looked up once, in
// random order.
//
// The map is filled entry by entry, as a program does it: 2^21 places of 16 bytes, 48 % full. Every
// subject and every peer reads its order from an array of a million 64-bit numbers, so only the
// random reads differ. There are two peers: an array of the values alone (8 MB), which stays in a
// cache that the map's 32 MB overflow, and an array of the same entries, key and value (16 MB),
// which is what a perfect hash would cost.
#include "bench.h"
#include "foundation/container/hash_map.h"
#include "foundation/math/random.h"

enum { NUM_KEYS = 1000000 };

static ct_hash_map map;
static uint32_t *order;
static uint64_t *places, *keys, *results; // in the order of the lookups
static uint64_t *values;                  // by place
static ct_hash_map_entry *entries;        // by place

static void begin(void) {
    ct_allocator *const a = ct_bench_heap();
    order = CT_NEW_ARRAY(a, uint32_t, NUM_KEYS);
    places = CT_NEW_ARRAY(a, uint64_t, NUM_KEYS);
    keys = CT_NEW_ARRAY(a, uint64_t, NUM_KEYS);
    results = CT_NEW_ARRAY(a, uint64_t, NUM_KEYS);
    values = CT_NEW_ARRAY(a, uint64_t, NUM_KEYS);
    entries = CT_NEW_ARRAY(a, ct_hash_map_entry, NUM_KEYS);
    ct_hash_map_init(&map, a);
    ct_random random = ct_random_seeded(1, 0);
    for (uint32_t i = 0; i < NUM_KEYS; ++i) {
        entries[i] = (ct_hash_map_entry){.key = ct_random_u64(&random), .value = i};
        values[i] = i;
        ct_hash_map_set(&map, entries[i].key, i);
    }
    ct_random_permutation(&random, order, NUM_KEYS);
    for (uint32_t i = 0; i < NUM_KEYS; ++i) {
        places[i] = order[i];
        keys[i] = entries[order[i]].key;
    }
}

static void end(void) {
    ct_allocator *const a = ct_bench_heap();
    ct_free(a, order);
    ct_free(a, places);
    ct_free(a, keys);
    ct_free(a, results);
    ct_free(a, values);
    ct_free(a, entries);
    ct_hash_map_free(&map);
}

// Nanoseconds for each lookup since `start_ns`; `sum` is what they found.
static double finish(double start_ns, uint64_t sum) {
    ct_bench_use(sum);
    return (ct_bench_now_ns() - start_ns) / NUM_KEYS;
}

static double run_get(void) {
    const double start_ns = ct_bench_now_ns();
    uint64_t sum = 0;
    for (uint32_t i = 0; i < NUM_KEYS; ++i)
        sum += ct_hash_map_get(&map, keys[i], 0);
    return finish(start_ns, sum);
}

static double run_get_many(void) {
    enum { BATCH = 500 };
    const double start_ns = ct_bench_now_ns();
    uint64_t sum = 0;
    for (uint32_t i = 0; i < NUM_KEYS; i += BATCH) {
        ct_hash_map_get_many(&map, keys + i, BATCH, 0, results);
        for (uint32_t k = 0; k < BATCH; ++k)
            sum += results[k];
    }
    return finish(start_ns, sum);
}

static double run_values(void) {
    const double start_ns = ct_bench_now_ns();
    uint64_t sum = 0;
    for (uint32_t i = 0; i < NUM_KEYS; ++i)
        sum += values[places[i]];
    return finish(start_ns, sum);
}

static double run_entries(void) {
    const double start_ns = ct_bench_now_ns();
    uint64_t sum = 0;
    for (uint32_t i = 0; i < NUM_KEYS; ++i)
        sum += entries[places[i]].key + entries[places[i]].value;
    return finish(start_ns, sum);
}

static const ct_bench_case cases[] = {
    {"hash_map", "get_many", "array of entries", "ns", 2.5, 0, begin, end, run_get_many,
     run_entries},
    {"hash_map", "get", "array of entries", "ns", 0, 0, begin, end, run_get, run_entries},
    {"hash_map", "get_many", "array of values", "ns", 2.5, 0, begin, end, run_get_many, run_values},
    {"hash_map", "get", "array of values", "ns", 0, 0, begin, end, run_get, run_values},
};

const ct_bench_group ct_bench_hash_map = {"hash_map", cases, CT_COUNT_OF(cases)};
