#include "foundation/memory/library_memory.h"

#include <string.h>

#include "foundation/log.h"
#include "foundation/memory/memory.h"
#include "foundation/os/os.h"
#include "support/test_support.h"

enum { MOST_BLOCKS = 256 };

static void places_blocks_at_any_alignment(void **state) {
    (void)state;
    ct_library_memory *const m = ct_library_memory_create(test_heap(), "library");
    for (uint64_t align = 1; align <= 4096; align *= 2) {
        char *const small = ct_library_alloc(m, 1, align);
        char *const large = ct_library_alloc(m, 5000, align);
        assert_int_equal((uintptr_t)small % align, 0);
        assert_int_equal((uintptr_t)large % align, 0);
        assert_int_equal((uintptr_t)small % CT_DEFAULT_ALIGN, 0);
        memset(large, 1, 5000);
        *small = 1;
        ct_library_free(m, small);
        ct_library_free(m, large);
    }
    assert_int_equal((uintptr_t)ct_library_alloc(m, 0, 16), 0);
    ct_library_free(m, NULL);
    ct_library_memory_destroy(m);
    ct_library_memory_destroy(NULL);
}

static void reallocates_as_c_does(void **state) {
    (void)state;
    ct_library_memory *const m = ct_library_memory_create(test_heap(), "library");
    char *p = ct_library_realloc(m, NULL, 100, 64);
    for (int i = 0; i < 100; ++i)
        p[i] = (char)i;
    p = ct_library_realloc(m, p, 100000, 64);
    assert_int_equal((uintptr_t)p % 64, 0);
    for (int i = 0; i < 100; ++i)
        assert_int_equal(p[i], i);
    p = ct_library_realloc(m, p, 10, 64);
    for (int i = 0; i < 10; ++i)
        assert_int_equal(p[i], i);
    assert_null(ct_library_realloc(m, p, 0, 64));
    ct_library_memory_destroy(m);
    assert_int_equal(ct_log_warning_count("library_leak"), 0);
}

static void find_library(void *user, const char *name, uint32_t depth, ct_allocator_stats stats) {
    (void)depth;
    if (strcmp(name, "library") == 0)
        *(ct_allocator_stats *)user = stats;
}

static void shows_in_the_tree(void **state) {
    (void)state;
    ct_library_memory *const m = ct_library_memory_create(test_heap(), "library");
    void *const p = ct_library_alloc(m, 1000, 16), *const q = ct_library_alloc(m, 24, 8);
    ct_allocator_stats stats = {0};
    ct_memory_visit(find_library, &stats);
    assert_int_equal(stats.live_blocks, 2);
    assert_true(stats.live_bytes >= 1024 && stats.live_bytes < 1400);
    ct_library_free(m, p);
    ct_library_free(m, q);
    ct_memory_visit(find_library, &stats);
    assert_int_equal(stats.live_blocks, 0);
    ct_library_memory_destroy(m);
}

static char warning[1024];

static void keep_warning(void *user, ct_log_level level, const char *system, const char *message) {
    (void)user, (void)level, (void)system;
    strncpy(warning, message, sizeof(warning) - 1);
}

static void what_a_library_leaves_is_told_and_freed(void **state) {
    (void)state;
    const ct_log_sink sink = {.write = keep_warning, .least = CT_LOG_LEVEL_WARNING};
    ct_log_add_sink(&sink);
    ct_library_memory *const m = ct_library_memory_create(test_heap(), "driver");
    void *const kept = ct_library_alloc(m, 7, 1);
    ct_library_alloc(m, 100, 4096);
    ct_library_alloc(m, 200, 1);
    ct_library_free(m, kept);
    ct_library_memory_destroy(m);
    ct_log_remove_sink(keep_warning, NULL);
    assert_string_equal(warning,
                        "the library \"driver\" did not free 2 blocks, 300 bytes [library_leak]");
}

// Random blocks against what was written to them.
static void hammer(void *data) {
    ct_library_memory *const m = data;
    uint32_t random = (uint32_t)ct_thread_current_id() * 2654435761u | 1;
    uint8_t *blocks[MOST_BLOCKS] = {0};
    uint32_t sizes[MOST_BLOCKS] = {0};
    for (uint32_t i = 0; i < 20000; ++i) {
        const uint32_t k = test_random(&random) % MOST_BLOCKS;
        for (uint32_t b = 0; b < sizes[k]; b += 61)
            assert_int_equal(blocks[k][b], (uint8_t)(k + sizes[k]));
        sizes[k] = test_random(&random) % 700;
        blocks[k] = ct_library_realloc(m, blocks[k], sizes[k], 1);
        if (blocks[k])
            memset(blocks[k], (int)(k + sizes[k]), sizes[k]);
    }
    for (uint32_t k = 0; k < MOST_BLOCKS; ++k)
        ct_library_free(m, blocks[k]);
}

static void threads_share_it(void **state) {
    (void)state;
    ct_library_memory *const m = ct_library_memory_create(test_heap(), "library");
    ct_thread threads[3];
    for (uint32_t i = 0; i < CT_COUNT_OF(threads); ++i)
        threads[i] = ct_thread_start("hammer", hammer, m);
    for (uint32_t i = 0; i < CT_COUNT_OF(threads); ++i)
        ct_thread_join(threads[i]);
    const uint64_t before = ct_log_warning_count("library_leak");
    ct_library_memory_destroy(m);
    assert_int_equal(ct_log_warning_count("library_leak"), before);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(places_blocks_at_any_alignment),
        cmocka_unit_test(reallocates_as_c_does),
        cmocka_unit_test(shows_in_the_tree),
        cmocka_unit_test(threads_share_it),
        cmocka_unit_test(what_a_library_leaves_is_told_and_freed),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
