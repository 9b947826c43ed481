// The root allocators, the allocator interface over them, and the tree of names.
#include "foundation/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "foundation/os.h"
#include "foundation/poison.h"
#include "foundation/proxy_allocator.h"
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
                char *p = ct_alloc_aligned(roots[r], size, align);
                assert_true(is_aligned(p, align));
                assert_true(ct_allocated_size(roots[r], p) >= size);
                memset(p, 0xa5, size);
                ct_free_sized(roots[r], p, size);
            }
}

static void zeroes_when_asked(void **state) {
    (void)state;
    for (uint32_t round = 0; round < 2; ++round) { // the second time in used memory
        unsigned char *p = ct_alloc_zero(test_heap(), 1000);
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
    char *copy = ct_copy_string(test_heap(), text);
    assert_ptr_not_equal(copy, text);
    assert_string_equal(copy, "crate");
    ct_free_sized(test_heap(), copy, sizeof(text));
}

static void counts_blocks_and_peak(void **state) {
    (void)state;
    ct_allocator *pages = ct_memory_pages();
    const ct_allocator_stats before = ct_allocator_stats_of(pages);
    void *small = ct_alloc(pages, 100);
    void *large = ct_alloc(pages, 100000);
    ct_free(pages, small);
    const ct_allocator_stats now = ct_allocator_stats_of(pages);
    assert_int_equal(now.live_blocks, before.live_blocks + 1);
    assert_int_equal(now.live_bytes, before.live_bytes + 100000);
    assert_int_equal(now.total_blocks, before.total_blocks + 2);
    assert_true(now.peak_bytes >= before.live_bytes + 100100);
    ct_free_sized(pages, large, 100000);
    assert_int_equal(ct_allocator_stats_of(pages).live_bytes, before.live_bytes);
}

static void gives_zeroed_pages(void **state) {
    (void)state;
    const uint64_t *p = ct_alloc(ct_memory_pages(), 65536);
    assert_true(is_aligned(p, ct_os_page_bytes()));
    for (uint32_t i = 0; i < 65536 / 8; ++i)
        assert_int_equal(p[i], 0);
    ct_free(ct_memory_pages(), (void *)p);
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
    ct_allocator *proxy = ct_proxy_allocator_create(test_heap(), "threads");
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

static void append_line(void *user, const char *name, uint32_t depth, ct_allocator_stats stats) {
    char *text = user;
    const size_t length = strlen(text);
    snprintf(text + length, 1000 - length, "%u %s %s\n", depth, name,
             stats.live_blocks ? "holds" : "empty");
}

static void visits_parents_before_children(void **state) {
    (void)state;
    ct_allocator *world = ct_proxy_allocator_create(test_heap(), "world");
    ct_allocator *physics = ct_proxy_allocator_create(world, "world/physics");
    ct_allocator *sound = ct_proxy_allocator_create(test_heap(), "sound");
    ct_allocator *scene = ct_proxy_allocator_create(world, "world/scene");
    void *block = ct_alloc(scene, 10);
    char text[1000] = "";
    ct_memory_visit(append_line, text);
    assert_non_null(strstr(text, "0 bootstrap holds\n0 pages empty\n0 heap holds\n"));
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
    test_expect_death(leak_in_heap, NULL, "allocator \"heap\" ends but still holds 3 blocks, ");
    test_expect_death(leak_in_pages, NULL,
                      "allocator \"pages\" ends but still holds 1 blocks, 12345 bytes");
}

static void shutdown_names_the_proxy_that_lives(void **state) {
    (void)state;
    test_expect_death(
        leak_a_proxy, NULL,
        "allocator \"heap\" ends before \"animation\", which stands on it and holds 1 blocks");
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
    const char *pages_report = "out of memory: allocator \"pages\" holds 0 bytes and cannot get ";
    test_expect_death(ask_too_much, ct_memory_pages(), pages_report);
    test_expect_death(ask_nearly_everything, ct_memory_pages(), pages_report);
#if defined(CT_SANITIZE) // sanitizers end the program themselves
    test_expect_death(ask_too_much, ct_memory_heap(), "allocation size");
#else
    test_expect_death(ask_too_much, ct_memory_heap(), "out of memory: allocator \"heap\" holds ");
#endif
}

static void free_pages_as_smaller(void *user) {
    (void)user;
    ct_free_sized(ct_memory_pages(), ct_alloc(ct_memory_pages(), 5000), 4999);
}

static void free_heap_as_larger(void *user) {
    (void)user;
    ct_free_sized(ct_memory_heap(), ct_alloc(ct_memory_heap(), 40), 5000);
}

static void checks_the_size_of_freed_blocks(void **state) {
    (void)state;
    test_expect_death(free_pages_as_smaller, NULL,
                      "allocator \"pages\": a block of 5000 bytes is freed as one of 4999");
    test_expect_death(free_heap_as_larger, NULL, "bytes is freed as one of 5000");
}

static void align_to_24(void *user) {
    (void)ct_alloc_aligned(user, 8, 24);
}

static void refuses_alignments_that_are_no_power_of_two(void **state) {
    (void)state;
    test_expect_death(align_to_24, test_heap(), "an alignment is a power of two, not 24");
}

#ifdef CT_ADDRESS_SANITIZER
static void write_past_pages(void *user) {
    volatile char *p = user;
    p[100] = 1;
}

static void write_before_pages(void *user) {
    volatile char *p = user;
    p[-1] = 1;
}

static void poisons_around_pages(void **state) {
    (void)state;
    char *p = ct_alloc(ct_memory_pages(), 100);
    test_expect_death(write_past_pages, p, "use-after-poison");
    test_expect_death(write_before_pages, p, "use-after-poison");
    ct_free(ct_memory_pages(), p);
}
#endif

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gives_no_block_for_zero_bytes),
        cmocka_unit_test(aligns_blocks_of_every_size),
        cmocka_unit_test(zeroes_when_asked),
        cmocka_unit_test(keeps_content_when_reallocated),
        cmocka_unit_test(copies_strings),
        cmocka_unit_test(counts_blocks_and_peak),
        cmocka_unit_test(gives_zeroed_pages),
        cmocka_unit_test(counts_exactly_with_many_threads),
        cmocka_unit_test(visits_parents_before_children),
        cmocka_unit_test(shutdown_names_the_root_that_is_not_empty),
        cmocka_unit_test(shutdown_names_the_proxy_that_lives),
        cmocka_unit_test(refuses_to_start_twice),
        cmocka_unit_test(refuses_use_after_shutdown),
        cmocka_unit_test(running_out_of_memory_ends_the_program),
        cmocka_unit_test(checks_the_size_of_freed_blocks),
        cmocka_unit_test(refuses_alignments_that_are_no_power_of_two),
#ifdef CT_ADDRESS_SANITIZER
        cmocka_unit_test(poisons_around_pages),
#endif
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
