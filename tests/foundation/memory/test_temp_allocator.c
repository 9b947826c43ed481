#include "foundation/memory/temp_allocator.h"

#include <string.h>

#include "foundation/memory/poison.h"
#include "support/allocator_model.h"
#include "support/test_support.h"

static void serves_small_scopes_from_the_stack(void **state) {
    (void)state;
    const ct_allocator_stats before = ct_allocator_stats_of(test_heap());
    {
        CT_TEMP_ALLOCATOR(temp, test_heap());
        for (uint32_t i = 0; i < 80; ++i) { // 48 bytes each, with header and alignment
            char *const p = ct_alloc(temp, 20);
            assert_int_equal((uintptr_t)p % CT_DEFAULT_ALIGN, 0);
            assert_int_equal(ct_allocated_size(temp, p), 20);
            memset(p, 1, 20);
        }
        assert_int_equal(ct_allocator_stats_of(temp).live_blocks, 80);
        assert_int_equal(ct_allocator_stats_of(temp).live_bytes, 1600);
    }
    assert_int_equal(ct_allocator_stats_of(test_heap()).total_blocks, before.total_blocks);
}

static void spills_what_does_not_fit_and_frees_it(void **state) {
    (void)state;
    const ct_allocator_stats before = ct_allocator_stats_of(test_heap());
    {
        CT_TEMP_ALLOCATOR(temp, test_heap());
        void *const large = ct_alloc(temp, 5000);
        memset(large, 1, 5000);
        assert_int_equal(ct_allocated_size(temp, large), 5000);
        const ct_allocator_stats spilled = ct_allocator_stats_of(test_heap());
        assert_int_equal(spilled.live_blocks, before.live_blocks + 1);
        memset(ct_alloc(temp, 100), 2, 100); // still from the buffer
        assert_int_equal(ct_allocator_stats_of(test_heap()).live_blocks, before.live_blocks + 1);
        for (uint32_t i = 0; i < 100; ++i)
            memset(ct_alloc(temp, 200), 3, 200);
        // Many small blocks lie in few chunks.
        assert_true(ct_allocator_stats_of(test_heap()).live_blocks > before.live_blocks + 1);
        assert_true(ct_allocator_stats_of(test_heap()).live_blocks < before.live_blocks + 8);
        assert_int_equal(ct_allocator_stats_of(temp).live_bytes, 5000 + 100 + 100 * 200);
    }
    assert_int_equal(ct_allocator_stats_of(test_heap()).live_blocks, before.live_blocks);
    assert_int_equal(ct_allocator_stats_of(test_heap()).live_bytes, before.live_bytes);
}

static void aligns_in_buffer_and_spill(void **state) {
    (void)state;
    CT_TEMP_ALLOCATOR(temp, test_heap());
    for (uint64_t align = 1; align <= 8192; align *= 2)
        for (uint64_t size_bytes = 1; size_bytes < 6000; size_bytes *= 7) {
            char *const p = ct_alloc_aligned(temp, size_bytes, align);
            assert_int_equal((uintptr_t)p % align, 0);
            memset(p, 1, size_bytes);
        }
}

static void keeps_blocks_apart(void **state) {
    (void)state;
    CT_TEMP_ALLOCATOR(temp, test_heap());
    unsigned char *blocks[200];
    uint32_t sizes[200];
    uint32_t random = 3;
    for (uint32_t i = 0; i < 200; ++i) {
        sizes[i] = 1 + test_random(&random) % 100;
        blocks[i] = ct_alloc(temp, sizes[i]);
        memset(blocks[i], (int)i, sizes[i]);
    }
    for (uint32_t i = 0; i < 200; ++i)
        for (uint32_t k = 0; k < sizes[i]; ++k)
            assert_int_equal(blocks[i][k], i);
}

static void counts_single_frees(void **state) {
    (void)state;
    CT_TEMP_ALLOCATOR(temp, test_heap());
    void *const small = ct_alloc(temp, 10);
    void *const large = ct_alloc(temp, 10000);
    ct_free(temp, small);
    ct_free_sized(temp, large, 10000);
    const ct_allocator_stats stats = ct_allocator_stats_of(temp);
    assert_int_equal(stats.live_blocks, 0);
    assert_int_equal(stats.live_bytes, 0);
    assert_int_equal(stats.peak_bytes, 10010);
}

static void obeys_the_model_in_a_million_operations(void **state) {
    (void)state;
    for (uint32_t i = 0; i < 200; ++i) {
        CT_TEMP_ALLOCATOR(temp, test_heap());
        test_allocator_model(&(test_allocator_model_desc){.allocator = temp,
                                                          .num_operations = 5000,
                                                          .seed = 1 + i,
                                                          .max_live = 60,
                                                          .min_bytes = 1,
                                                          .max_bytes = 100,
                                                          .max_align = 64});
    }
}

#ifdef CT_BUILD_DEV
static void free_of_the_heap(void *user) {
    ct_free(user, ct_alloc(test_heap(), 10));
}

static void free_not_yet_used(void *user) {
    ct_free(user, ((ct_temp_allocator *)user)->buffer + 2048);
}

static void reports_pointers_that_are_not_its_own(void **state) {
    (void)state;
    CT_TEMP_ALLOCATOR(temp, test_heap());
    test_expect_death(free_of_the_heap, temp, "is not one of its blocks");
    test_expect_death(free_not_yet_used, temp, "is not one of its blocks");
}
#endif

static void free_twice(void *user) {
    void *const p = ct_alloc(user, 10);
    ct_free(user, p);
    ct_free(user, p);
}

static void reports_a_block_freed_twice(void **state) {
    (void)state;
    CT_TEMP_ALLOCATOR(temp, test_heap());
    test_expect_death(free_twice, temp, "allocator \"temp\": a block is freed twice");
}

#ifdef CT_ADDRESS_SANITIZER
static void write_byte(void *p) {
    *(volatile char *)p = 1;
}

// Not on the stack: before it calls a function that does not return (as in the child process), the
// sanitizer forgets what is poisoned there.
static void poisons_what_nobody_holds(void **state) {
    (void)state;
    ct_temp_allocator *const t = CT_NEW(test_heap(), ct_temp_allocator);
    ct_temp_allocator_init(t, test_heap());
    ct_allocator *const temp = &t->interface;
    char *const small = ct_alloc(temp, 13);
    char *const large = ct_alloc(temp, 9001);
    test_expect_death(write_byte, small - 1, "use-after-poison");
    test_expect_death(write_byte, small + 13, "use-after-poison");
    test_expect_death(write_byte, large - 1, "use-after-poison");
    test_expect_death(write_byte, large + 9001, "AddressSanitizer");
    ct_free(temp, small);
    test_expect_death(write_byte, small, "use-after-poison");
    ct_temp_allocator_shutdown(t);
    memset(t->buffer, 1, sizeof(t->buffer)); // the owner's again
    ct_free(test_heap(), t);
}
#endif

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(serves_small_scopes_from_the_stack),
        cmocka_unit_test(spills_what_does_not_fit_and_frees_it),
        cmocka_unit_test(aligns_in_buffer_and_spill),
        cmocka_unit_test(keeps_blocks_apart),
        cmocka_unit_test(counts_single_frees),
        cmocka_unit_test(obeys_the_model_in_a_million_operations),
        cmocka_unit_test(reports_a_block_freed_twice),
#ifdef CT_BUILD_DEV
        cmocka_unit_test(reports_pointers_that_are_not_its_own),
#endif
#ifdef CT_ADDRESS_SANITIZER
        cmocka_unit_test(poisons_what_nobody_holds),
#endif
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
