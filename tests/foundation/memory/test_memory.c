// The root allocators, the allocator interface over them, and the tree of names.
#include "foundation/memory/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "foundation/memory/allocator_counters.h"
#include "foundation/memory/memory_settings.h"
#include "foundation/memory/proxy_allocator.h"
#include "foundation/os/os.h"
#include "support/test_support.h"

static bool is_aligned(const void *p, uint64_t align) {
    return ((uintptr_t)p & (align - 1)) == 0;
}

static void gives_no_block_for_zero_bytes(void **state) {
    (void)state;
    assert_null(ct_alloc(test_heap(), 0));
    assert_null(ct_alloc_zero(test_heap(), 0));
    ct_free(test_heap(), NULL);
    ct_free_sized(test_heap(), NULL, 0);
    assert_int_equal(ct_allocator_stats_of(test_heap()).total_blocks, 0);
}

static void aligns_blocks_of_every_size(void **state) {
    (void)state;
    ct_allocator *const roots[] = {ct_memory_heap(), ct_memory_pages()};
    for (uint32_t r = 0; r < CT_COUNT_OF(roots); ++r)
        for (uint64_t align = 1; align <= 65536; align *= 4)
            for (uint64_t size = 1; size < 20000; size = size * 5 + 3) {
                char *const p = ct_alloc_aligned(roots[r], size, align);
                assert_true(is_aligned(p, align));
                assert_true(ct_allocated_size(roots[r], p) >= size);
                memset(p, 0xa5, size);
                ct_free_sized(roots[r], p, size);
            }
}

static void zeroes_when_asked(void **state) {
    (void)state;
    for (uint32_t round = 0; round < 2; ++round) { // the second time in used memory
        unsigned char *const p = ct_alloc_zero(test_heap(), 1000);
        for (uint32_t i = 0; i < 1000; ++i)
            assert_int_equal(p[i], 0);
        memset(p, 0xff, 1000);
        ct_free(test_heap(), p);
    }
}

static void keeps_content_when_reallocated(void **state) {
    (void)state;
    char *p = ct_realloc(test_heap(), NULL, 0, 4);
    memcpy(p, "abcd", 4);
    p = ct_realloc(test_heap(), p, 4, 5000);
    assert_memory_equal(p, "abcd", 4);
    p = ct_realloc(test_heap(), p, 5000, 2);
    assert_memory_equal(p, "ab", 2);
    assert_null(ct_realloc(test_heap(), p, 2, 0));
    assert_int_equal(ct_allocator_stats_of(test_heap()).live_blocks, 0);
}

static void copies_strings(void **state) {
    (void)state;
    const char text[] = "crate";
    char *const copy = ct_copy_string(test_heap(), text);
    assert_ptr_not_equal(copy, text);
    assert_string_equal(copy, "crate");
    ct_free_sized(test_heap(), copy, sizeof(text));
}

static void counts_blocks_and_peak(void **state) {
    (void)state;
    ct_allocator *const pages = ct_memory_pages();
    const ct_allocator_stats before = ct_allocator_stats_of(pages);
    void *const small = ct_alloc(pages, 100);
    void *const large = ct_alloc(pages, 100000);
    ct_free(pages, small);
    const ct_allocator_stats now = ct_allocator_stats_of(pages);
    assert_int_equal(now.live_blocks, before.live_blocks + 1);
    assert_int_equal(now.live_bytes, before.live_bytes + 100000);
    assert_int_equal(now.total_blocks, before.total_blocks + 2);
    assert_true(now.peak_bytes >= before.live_bytes + 100100);
    ct_free_sized(pages, large, 100000);
    assert_int_equal(ct_allocator_stats_of(pages).live_bytes, before.live_bytes);
}

static void churn(void *heap) {
    uint32_t random = 17;
    void *blocks[64] = {0};
    for (uint32_t i = 0; i < 20000; ++i) {
        const uint32_t slot = test_random(&random) % 64;
        ct_free(heap, blocks[slot]);
        blocks[slot] = ct_alloc(heap, 1 + test_random(&random) % 300);
    }
    for (uint32_t i = 0; i < 64; ++i)
        ct_free(heap, blocks[i]);
}

static void counts_exactly_with_many_threads(void **state) {
    (void)state;
    ct_allocator *const proxy = ct_proxy_allocator_create(test_heap(), "threads");
    ct_thread threads[4];
    for (uint32_t i = 0; i < 4; ++i)
        threads[i] = ct_thread_start("churn", churn, proxy);
    for (uint32_t i = 0; i < 4; ++i)
        ct_thread_join(threads[i]);
    const ct_allocator_stats stats = ct_allocator_stats_of(proxy);
    assert_int_equal(stats.total_blocks, 4 * 20000);
    assert_int_equal(stats.live_blocks, 0);
    assert_int_equal(stats.live_bytes, 0);
    ct_proxy_allocator_destroy(proxy);
}

typedef struct passed_blocks {
    ct_allocator *allocator;
    void *blocks[1000];
} passed_blocks;

static void give_passed_blocks(void *user) {
    passed_blocks *const b = user;
    for (uint32_t i = 0; i < CT_COUNT_OF(b->blocks); ++i)
        ct_free_sized(b->allocator, b->blocks[i], 100);
}

static void counts_blocks_that_another_thread_frees(void **state) {
    (void)state;
    ct_allocator *const world = ct_proxy_allocator_create(test_heap(), "world");
    static passed_blocks passed;
    passed.allocator = ct_proxy_allocator_create(world, "world/passed");
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < CT_COUNT_OF(passed.blocks); ++i) {
        passed.blocks[i] = ct_alloc(passed.allocator, 100);
        bytes += ct_allocated_size(passed.allocator, passed.blocks[i]);
    }
    const ct_allocator_stats full = ct_allocator_stats_of(passed.allocator);
    assert_int_equal(full.live_bytes, bytes);
    ct_thread_join(ct_thread_start("free", give_passed_blocks, &passed));
    const ct_allocator_stats empty = ct_allocator_stats_of(passed.allocator);
    assert_int_equal(empty.live_bytes, 0);
    assert_int_equal(empty.live_blocks, 0);
    assert_int_equal(empty.total_blocks, CT_COUNT_OF(passed.blocks));
    assert_in_range(empty.peak_bytes, bytes - CT_COUNTERS_FLUSH_BYTES, bytes);
    ct_proxy_allocator_destroy(passed.allocator);
    // What it counted stays in what it stood on: the blocks, and the proxy itself.
    assert_int_equal(ct_allocator_stats_of(world).total_blocks, CT_COUNT_OF(passed.blocks) + 1);
    assert_int_equal(ct_allocator_stats_of(world).live_bytes, 0);
    ct_proxy_allocator_destroy(world);
}

typedef struct waiting_thread {
    ct_allocator *allocator;
    atomic_uint *num_ready, *may_end;
} waiting_thread;

// Allocates, waits until all threads have, and frees.
static void hold_a_block(void *user) {
    const waiting_thread *const w = user;
    void *const p = ct_alloc(w->allocator, 200);
    atomic_fetch_add(w->num_ready, 1);
    while (!atomic_load(w->may_end))
        ct_os_sleep_ns(1000000);
    ct_free_sized(w->allocator, p, 200);
}

static void counts_exactly_with_more_threads_than_cells(void **state) {
    (void)state;
    enum { NUM_THREADS = 2 * CT_COUNTERS_THREADS };
    ct_allocator *const proxy = ct_proxy_allocator_create(test_heap(), "crowd");
    for (uint32_t round = 0; round < 3; ++round) { // cells are given to others again
        atomic_uint num_ready = 0, may_end = 0;
        waiting_thread waiting = {proxy, &num_ready, &may_end};
        ct_thread threads[NUM_THREADS];
        for (uint32_t i = 0; i < NUM_THREADS; ++i)
            threads[i] = ct_thread_start("hold", hold_a_block, &waiting);
        while (atomic_load(&num_ready) < NUM_THREADS)
            ct_os_sleep_ns(1000000);
        assert_int_equal(ct_allocator_stats_of(proxy).live_blocks, NUM_THREADS);
        assert_true(ct_allocator_stats_of(proxy).live_bytes >= NUM_THREADS * 200);
        atomic_store(&may_end, 1);
        for (uint32_t i = 0; i < NUM_THREADS; ++i)
            ct_thread_join(threads[i]);
        assert_int_equal(ct_allocator_stats_of(proxy).live_bytes, 0);
        assert_int_equal(ct_allocator_stats_of(proxy).total_blocks, (round + 1) * NUM_THREADS);
    }
    ct_proxy_allocator_destroy(proxy);
}

static void keeps_the_peak_of_what_stands_on_an_allocator(void **state) {
    (void)state;
    ct_allocator *const world = ct_proxy_allocator_create(test_heap(), "world");
    ct_allocator *const physics = ct_proxy_allocator_create(world, "world/physics");
    const uint64_t before = ct_allocator_stats_of(world).live_bytes;
    void *const p = ct_alloc(physics, 1000000);
    const uint64_t bytes = ct_allocated_size(physics, p);
    ct_free(physics, p);
    assert_int_equal(ct_allocator_stats_of(physics).peak_bytes, bytes);
    const uint64_t peak = ct_allocator_stats_of(world).peak_bytes;
    assert_in_range(peak, before + bytes - CT_COUNTERS_FLUSH_BYTES,
                    before + bytes + CT_COUNTERS_FLUSH_BYTES);
    ct_proxy_allocator_destroy(physics);
    ct_proxy_allocator_destroy(world);
}

static void append_line(void *user, const char *name, uint32_t depth, ct_allocator_stats stats) {
    char *const text = user;
    const size_t length = strlen(text);
    snprintf(text + length, 1000 - length, "%u %s %s\n", depth, name,
             stats.live_blocks ? "holds" : "empty");
}

static void visits_parents_before_children(void **state) {
    (void)state;
    ct_allocator *const world = ct_proxy_allocator_create(test_heap(), "world");
    ct_allocator *const physics = ct_proxy_allocator_create(world, "world/physics");
    ct_allocator *const sound = ct_proxy_allocator_create(test_heap(), "sound");
    ct_allocator *const scene = ct_proxy_allocator_create(world, "world/scene");
    void *const block = ct_alloc(scene, 10);
    char text[1000] = "";
    ct_memory_visit(append_line, text);
    assert_non_null(strstr(text, "0 pages empty\n0 heap holds\n"));
    assert_non_null(strstr(text, "0 bootstrap holds\n0 trace "));
    assert_non_null(strstr(text, "1 test_heap holds\n2 world holds\n3 world/physics empty\n"
                                 "3 world/scene holds\n2 sound empty\n"));
    ct_proxy_allocator_destroy(physics);
    text[0] = 0;
    ct_memory_visit(append_line, text);
    assert_non_null(strstr(text, "2 world holds\n3 world/scene holds\n2 sound empty\n"));
    ct_free(scene, block);
    ct_proxy_allocator_destroy(scene);
    ct_proxy_allocator_destroy(sound);
    ct_proxy_allocator_destroy(world);
    text[0] = 0;
    ct_memory_visit(append_line, text);
    assert_null(strstr(text, "world"));
}

static void ask_for_numbers(void *user, const char *name, uint32_t depth,
                            ct_allocator_stats stats) {
    (void)name, (void)depth, (void)stats;
    *(uint64_t *)user += ct_allocator_stats_of(ct_memory_heap()).live_blocks;
}

static void visitors_may_ask_for_numbers(void **state) {
    (void)state;
    uint64_t sum = 0;
    ct_memory_visit(ask_for_numbers, &sum);
    assert_true(sum > 0);
}

// In a child process: ends the group's memory and starts anew, so that roots can be tested alone.
static void start_anew(void) {
    test_group_teardown(NULL);
    ct_memory_init();
}

static void leak_in_heap(void *user) {
    (void)user;
    start_anew();
    for (uint32_t i = 0; i < 3; ++i)
        (void)ct_alloc(ct_memory_heap(), 40);
    ct_memory_shutdown();
}

static void leak_in_pages(void *user) {
    (void)user;
    start_anew();
    (void)ct_alloc(ct_memory_pages(), 12345);
    ct_memory_shutdown();
}

static void leak_a_proxy(void *user) {
    (void)user;
    start_anew();
    (void)ct_alloc(ct_proxy_allocator_create(ct_memory_heap(), "animation"), 24);
    ct_memory_shutdown();
}

static void shutdown_names_the_root_that_is_not_empty(void **state) {
    (void)state;
    test_expect_death(leak_in_heap, NULL,
                      "allocator \"heap\" is destroyed but still holds 3 blocks, ");
    test_expect_death(leak_in_pages, NULL,
                      "allocator \"pages\" is destroyed but still holds 1 blocks, 12345 bytes");
}

static void shutdown_names_the_proxy_that_lives(void **state) {
    (void)state;
    test_expect_death(
        leak_a_proxy, NULL,
        "allocator \"heap\" is destroyed before \"animation\", which uses it and holds 1 blocks");
}

static void start_twice(void *user) {
    (void)user;
    start_anew();
    ct_free(ct_memory_heap(), ct_alloc(ct_memory_heap(), 10));
    ct_memory_shutdown();
    ct_memory_init(); // again after a shutdown is fine
    ct_memory_init();
}

static void refuses_to_start_twice(void **state) {
    (void)state;
    test_expect_death(start_twice, NULL, "ct_memory_init is called twice");
}

static void use_heap_after_shutdown(void *user) {
    (void)user;
    test_group_teardown(NULL);
    (void)ct_memory_heap();
}

static void refuses_use_after_shutdown(void **state) {
    (void)state;
    test_expect_death(use_heap_after_shutdown, NULL,
                      "the heap is used before ct_memory_init or after ct_memory_shutdown");
}

static void ask_too_much(void *allocator) {
    (void)ct_alloc(allocator, UINT64_C(1) << 61);
}

static void ask_nearly_everything(void *allocator) {
    (void)ct_alloc(allocator, UINT64_MAX - 5);
}

static void running_out_of_memory_ends_the_program(void **state) {
    (void)state;
    const char *const pages_report =
        "out of memory: allocator \"pages\" holds 0 bytes and cannot allocate ";
    test_expect_death(ask_too_much, ct_memory_pages(), pages_report);
    test_expect_death(ask_nearly_everything, ct_memory_pages(), pages_report);
    const char *const heap_report = "out of memory: allocator \"heap\" holds ";
    test_expect_death(ask_too_much, ct_memory_heap(), heap_report);
    test_expect_death(ask_nearly_everything, ct_memory_heap(), heap_report);
    ct_allocator *const world = ct_proxy_allocator_create(test_heap(), "world");
    test_expect_death(ask_too_much, world, "out of memory: allocator \"test_heap/world\" holds 0 ");
    ct_proxy_allocator_destroy(world);
}

static void ask_for_an_absurd_array(void *allocator) {
    (void)ct_alloc_array_zero(allocator, 16, (UINT64_MAX >> 4) + 2);
}

static void array_sizes_do_not_wrap_around(void **state) {
    (void)state;
    test_expect_death(ask_for_an_absurd_array, test_heap(),
                      "out of memory: allocator \"test_heap\" cannot allocate "
                      "1152921504606846977 items of 16 bytes");
}

static void free_pages_as_smaller(void *user) {
    (void)user;
    ct_free_sized(ct_memory_pages(), ct_alloc(ct_memory_pages(), 5000), 4999);
}

static void free_heap_as_larger(void *user) {
    (void)user;
    ct_free_sized(ct_memory_heap(), ct_alloc(ct_memory_heap(), 40), 5000);
}

static void free_heap_as_smaller(void *user) {
    (void)user;
    ct_free_sized(ct_memory_heap(), ct_alloc(ct_memory_heap(), 40), 39);
}

static void checks_the_size_of_freed_blocks(void **state) {
    (void)state;
    if (ct_memory_settings_checks_blocks())
        test_expect_death(free_heap_as_smaller, NULL,
                          "allocator \"heap\": a block of 40 bytes is freed with a size of 39");
    test_expect_death(free_pages_as_smaller, NULL,
                      "allocator \"pages\": a block of 5000 bytes is freed with a size of 4999");
    test_expect_death(free_heap_as_larger, NULL, "bytes is freed with a size of 5000");
}

static void align_to_24(void *user) {
    (void)ct_alloc_aligned(user, 8, 24);
}

static void align_to_nothing(void *user) {
    (void)ct_alloc_aligned(user, 8, 0);
}

static void align_to_half_of_everything(void *user) {
    (void)ct_alloc_aligned(user, 8, UINT64_C(1) << 63);
}

static void refuses_alignments_that_cannot_be(void **state) {
    (void)state;
    test_expect_death(align_to_half_of_everything, test_heap(), "out of memory: allocator");
    test_expect_death(align_to_half_of_everything, ct_memory_pages(), "out of memory: allocator");
}

static void refuses_alignments_that_are_no_power_of_two(void **state) {
    (void)state;
    test_expect_death(align_to_nothing, test_heap(),
                      "the alignment must be a power of two, found 0");
    test_expect_death(align_to_24, test_heap(), "the alignment must be a power of two, found 24");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gives_no_block_for_zero_bytes),
        cmocka_unit_test(aligns_blocks_of_every_size),
        cmocka_unit_test(zeroes_when_asked),
        cmocka_unit_test(keeps_content_when_reallocated),
        cmocka_unit_test(copies_strings),
        cmocka_unit_test(counts_blocks_and_peak),
        cmocka_unit_test(counts_exactly_with_many_threads),
        cmocka_unit_test(counts_blocks_that_another_thread_frees),
        cmocka_unit_test(counts_exactly_with_more_threads_than_cells),
        cmocka_unit_test(keeps_the_peak_of_what_stands_on_an_allocator),
        cmocka_unit_test(visits_parents_before_children),
        cmocka_unit_test(visitors_may_ask_for_numbers),
        cmocka_unit_test(shutdown_names_the_root_that_is_not_empty),
        cmocka_unit_test(shutdown_names_the_proxy_that_lives),
        cmocka_unit_test(refuses_to_start_twice),
        cmocka_unit_test(refuses_use_after_shutdown),
        cmocka_unit_test(running_out_of_memory_ends_the_program),
        cmocka_unit_test(checks_the_size_of_freed_blocks),
        cmocka_unit_test(array_sizes_do_not_wrap_around),
        cmocka_unit_test(refuses_alignments_that_cannot_be),
        cmocka_unit_test(refuses_alignments_that_are_no_power_of_two),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
