#include "support/test_support.h"

#include "foundation/os/path.h"
#include "project/stat_cache.h"

static const ct_file_stamp stamp = {
    .size_bytes = 3, .modified_ns = 1000, .changed_ns = 1000, .inode = 7};

static void knows_what_was_hashed_well_after_it_was_modified(void **state) {
    (void)state;
    ct_stat_cache cache;
    uint64_t hash = 0;
    ct_stat_cache_init(&cache, test_heap(), "/nowhere/cache");
    ct_stat_cache_begin(&cache);
    ct_stat_cache_set(&cache, "a", stamp, 5, cache.now_ns - 1);
    assert_true(ct_stat_cache_find(&cache, "a", stamp, &hash));
    assert_int_equal(hash, 5);
    assert_false(ct_stat_cache_find(&cache, "b", stamp, &hash));
    ct_file_stamp other = stamp;
    ++other.inode;
    assert_false(ct_stat_cache_find(&cache, "a", other, &hash));
    other = stamp;
    ++other.changed_ns; // as after `cp -p` of another of its size and time
    assert_false(ct_stat_cache_find(&cache, "a", other, &hash));
    ct_stat_cache_free(&cache);
}

static void does_not_trust_what_was_hashed_right_after_it_was_modified(void **state) {
    (void)state;
    ct_stat_cache cache;
    uint64_t hash = 0;
    ct_stat_cache_init(&cache, test_heap(), "/nowhere/cache");
    ct_stat_cache_begin(&cache);
    ct_stat_cache_set(&cache, "a", stamp, 5, stamp.modified_ns + 10);
    assert_false(ct_stat_cache_find(&cache, "a", stamp, &hash));
    ct_file_stamp older = stamp; // its time of modification was set
    older.modified_ns = 0;
    ct_stat_cache_set(&cache, "a", older, 5, stamp.changed_ns + 10);
    assert_false(ct_stat_cache_find(&cache, "a", older, &hash));
    ct_stat_cache_free(&cache);
}

// The clock was set back: a file may be modified again at the time that the entry knows.
static void does_not_trust_what_was_hashed_at_a_time_to_come(void **state) {
    (void)state;
    ct_stat_cache cache;
    uint64_t hash = 0;
    ct_stat_cache_init(&cache, test_heap(), "/nowhere/cache");
    ct_stat_cache_begin(&cache);
    ct_stat_cache_set(&cache, "a", stamp, 5, cache.now_ns + INT64_C(3600000000000));
    assert_false(ct_stat_cache_find(&cache, "a", stamp, &hash));
    ct_stat_cache_free(&cache);
}

static void keeps_what_a_run_used_over_a_save(void **state) {
    (void)state;
    ct_stat_cache cache;
    uint64_t hash = 0;
    char path[CT_PATH_BYTES];
    ct_path_join(path, test_scratch_folder(), "cache");
    ct_stat_cache_init(&cache, test_heap(), path);
    ct_stat_cache_begin(&cache);
    ct_stat_cache_set(&cache, "used", stamp, 5, cache.now_ns - 1);
    ct_stat_cache_set(&cache, "unused", stamp, 6, cache.now_ns - 1);
    assert_true(ct_stat_cache_save(&cache, path, NULL));
    ct_stat_cache_free(&cache);

    ct_stat_cache_init(&cache, test_heap(), path);
    ct_stat_cache_begin(&cache);
    assert_int_equal(cache.entries.count, 2);
    assert_true(ct_stat_cache_find(&cache, "used", stamp, &hash));
    ct_stat_cache_set(&cache, "new", stamp, 7, cache.now_ns - 1);
    assert_true(ct_stat_cache_save(&cache, path, NULL));
    ct_stat_cache_free(&cache);

    ct_stat_cache_init(&cache, test_heap(), path);
    ct_stat_cache_begin(&cache);
    assert_false(ct_stat_cache_find(&cache, "unused", stamp, &hash));
    assert_true(ct_stat_cache_find(&cache, "new", stamp, &hash));
    assert_int_equal(hash, 7);
    ct_stat_cache_free(&cache);
}

static void set_all(ct_stat_cache *cache, const char *const *names, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i)
        ct_stat_cache_set(cache, names[i], stamp, i + 1, cache->now_ns - 1);
}

static bool knows(ct_stat_cache *cache, const char *name, uint64_t expected) {
    uint64_t hash = 0;
    return ct_stat_cache_find(cache, name, stamp, &hash) && hash == expected;
}

// Asked for in another order, with others between, entries are found all the same, and the next run
// has them in that order.
static void finds_in_any_order_and_keeps_the_latest(void **state) {
    (void)state;
    static const char *const names[] = {"a", "b", "c", "d"};
    ct_stat_cache cache;
    char path[CT_PATH_BYTES];
    uint64_t hash = 0;
    ct_path_join(path, test_scratch_folder(), "cache");
    ct_stat_cache_init(&cache, test_heap(), path);
    ct_stat_cache_begin(&cache);
    set_all(&cache, names, 4);
    assert_true(ct_stat_cache_save(&cache, path, NULL));
    ct_stat_cache_begin(&cache);
    assert_true(knows(&cache, "d", 4));
    assert_false(ct_stat_cache_find(&cache, "not known", stamp, &hash));
    assert_true(knows(&cache, "b", 2));
    ct_stat_cache_set(&cache, "new", stamp, 5, cache.now_ns - 1);
    assert_true(knows(&cache, "c", 3)); // nobody asks for "a"
    assert_true(knows(&cache, "b", 2));
    assert_true(ct_stat_cache_save(&cache, path, NULL));
    assert_true(knows(&cache, "b", 2)); // also after its place has changed
    ct_stat_cache_free(&cache);

    static const char *const expected[] = {"d", "b", "new", "c"};
    ct_stat_cache_init(&cache, test_heap(), path);
    assert_int_equal(cache.entries.count, 4);
    for (uint32_t i = 0; i < 4; ++i)
        assert_string_equal(cache.entries.items[i].name, expected[i]);
    ct_stat_cache_begin(&cache);
    for (uint32_t i = 0; i < 4; ++i)
        assert_true(ct_stat_cache_find(&cache, expected[i], stamp, &hash));
    assert_int_equal(cache.num_mapped, 0); // without its hash table
    ct_stat_cache_free(&cache);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(knows_what_was_hashed_well_after_it_was_modified),
        cmocka_unit_test(does_not_trust_what_was_hashed_right_after_it_was_modified),
        cmocka_unit_test(does_not_trust_what_was_hashed_at_a_time_to_come),
        cmocka_unit_test(keeps_what_a_run_used_over_a_save),
        cmocka_unit_test(finds_in_any_order_and_keeps_the_latest),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
